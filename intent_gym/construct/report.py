"""What a construction made and what it turned away, by step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from intent_gym.construct.verify import Failure
from intent_gym.core.intent import RELATIONS, IntentGraph
from intent_gym.core.sample import Sample

__all__ = ["Report"]


@dataclass
class Report:
    """Counts of one construction; reports add up with `merge`, and print as a table."""

    graphs: int = 0
    nodes: int = 0
    edges: Counter[str] = field(default_factory=Counter)
    """Derived edges by relation."""
    still: int = 0
    """Derived edges that do not change the answers."""
    goals: Counter[str] = field(default_factory=Counter)
    """Goals without a graph, by reason."""
    samples: Counter[str] = field(default_factory=Counter)
    """Samples by faults, several joined by "+"."""
    rejected: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Candidates turned away, by step and reason."""
    hidden: int = 0
    """Samples that hide something."""
    ceilings: float = 0.0
    """Sum of the guess ceilings of the samples that hide something."""

    def add_graphs(self, graphs: Iterable[IntentGraph], rejected: Mapping[str, int]) -> None:
        """Count graphs, and the goals without one."""
        for graph in graphs:
            self.graphs += 1
            self.nodes += len(graph.nodes)
            self.edges.update(e.relation for e in graph.edges)
            self.still += sum(not e.moves for e in graph.edges)
        self.goals.update(rejected)

    def add_sample(self, sample: Sample, guesses: int) -> None:
        """Count a sample, with its guess ceiling for this many commits."""
        self.samples["+".join(sample.request.faults) or "none"] += 1
        if sample.request.hidden:
            self.hidden += 1
            self.ceilings += sample.guess_ceiling(guesses)

    def add_failure(self, failure: Failure) -> None:
        """Count a candidate that was turned away."""
        self.rejected[failure.step, failure.reason] += 1

    def merge(self, other: Report, graphs: bool = True) -> None:
        """Add another report; its graphs too, unless they were counted already."""
        if graphs:
            self.graphs += other.graphs
            self.nodes += other.nodes
            self.edges += other.edges
            self.still += other.still
            self.goals += other.goals
        self.samples += other.samples
        self.rejected += other.rejected
        self.hidden += other.hidden
        self.ceilings += other.ceilings

    @property
    def steps(self) -> dict[str, int]:
        """Rejected candidates by step."""
        found: Counter[str] = Counter()
        for (step, _), n in self.rejected.items():
            found[step] += n
        return dict(sorted(found.items()))

    @property
    def mean_ceiling(self) -> float:
        """Mean guess ceiling of the samples that hide something; NaN without any."""
        return self.ceilings / self.hidden if self.hidden else float("nan")

    def __str__(self) -> str:
        """Return the report as a table."""
        made = sum(self.samples.values())
        rows: list[tuple[str, object]] = [("graphs", self.graphs), ("  nodes", self.nodes)]
        rows += [(f"  edges: {r}", self.edges[r]) for r in RELATIONS]
        rows += [("  edges that move no answer", self.still)]
        rows += [(f"goals without a graph: {reason}", n) for reason, n in sorted(self.goals.items())]
        rows += [("samples", made)]
        single = {k: n for k, n in self.samples.items() if "+" not in k}
        rows += [(f"  {name}", n) for name, n in sorted(single.items())]
        for k in sorted({label.count("+") + 1 for label in self.samples} - {1}):
            rows.append((f"  composites of {k}", sum(n for s, n in self.samples.items() if s.count("+") == k - 1)))
        rows += [("samples that hide something", self.hidden), ("  mean guess ceiling", f"{self.mean_ceiling:.3f}")]
        rows += [("candidates turned away", sum(self.rejected.values()))]
        for step, total in self.steps.items():
            rows.append((f"  {step}", total))
            rows += [(f"    {why}", n) for (s, why), n in sorted(self.rejected.items()) if s == step]
        width = max(len(label) for label, _ in rows) + 2
        return "\n".join(f"{label:<{width}}{value:>8}" for label, value in rows)

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "graphs": self.graphs,
            "nodes": self.nodes,
            "edges": dict(self.edges),
            "still": self.still,
            "goals": dict(self.goals),
            "samples": dict(self.samples),
            "rejected": [[step, reason, n] for (step, reason), n in self.rejected.items()],
            "hidden": self.hidden,
            "ceilings": self.ceilings,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Report:
        """Inverse of `to_json`."""
        return cls(
            data["graphs"],
            data["nodes"],
            Counter(data["edges"]),
            data["still"],
            Counter(data["goals"]),
            Counter(data["samples"]),
            Counter({(step, reason): n for step, reason, n in data["rejected"]}),
            data["hidden"],
            data["ceilings"],
        )
