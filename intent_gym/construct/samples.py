"""From graphs to the verified samples of a pool.

Samples of one pool share their graphs. A pool of single faults is balanced over the classes, and inside a class over
the faults that the host has a place for; composites are drawn class by class (PROTOCOL 2). Every goal belongs to one
split, and no two graphs start from the same intent, so the splits are disjoint by goal and by frame and conditions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, TypeAlias

from intent_gym.construct.faults import Draft, draw, literal, may_join
from intent_gym.construct.graphs import Rejection, build_graph
from intent_gym.construct.readers import Reader
from intent_gym.construct.report import Report
from intent_gym.construct.settings import Settings
from intent_gym.construct.verify import Failure, Ways, verify_draft, verify_text
from intent_gym.construct.writer import write, write_clean
from intent_gym.core.config import ProtocolConfig
from intent_gym.core.faults import CLASSES, FAULTS
from intent_gym.core.intent import Intent, IntentGraph
from intent_gym.core.rng import Purpose, integer, key_of
from intent_gym.core.sample import Request, Sample
from intent_gym.envs.host import Host
from intent_gym.errors import OptionError, TaskError, suggest

__all__ = [
    "COUNTS",
    "SPLITS",
    "Graphs",
    "Pool",
    "Spec",
    "build_graphs",
    "build_pool",
    "empty_reason",
    "parse_faults",
]

Spec: TypeAlias = "int | tuple[str, ...]"
COUNTS = (0, 1, 2, 4)
"""Numbers of faults that a pool can be asked for."""
SPLITS = ("train", "test")


@dataclass(frozen=True)
class Pool:
    """Samples of one host, split and choice of faults.

    Attributes:
        samples: In a fixed order; never empty.
        report: What was made and what was turned away.
    """

    samples: tuple[Sample, ...]
    report: Report

    @cached_property
    def by_id(self) -> Mapping[str, Sample]:
        """Samples by id."""
        return {s.id: s for s in self.samples}


class Graphs(NamedTuple):
    """The graphs of a host."""

    by_split: Mapping[str, tuple[IntentGraph, ...]]
    rejected: Mapping[str, Mapping[str, int]]
    """By split: goals without a graph, by reason."""


def parse_faults(faults: int | Sequence[str]) -> Spec:
    """Return the checked choice of faults: a number, or names in the order of the table.

    Raises:
        OptionError: For an unknown name or number, a repeated name, or names that may not stand in one request.
    """
    if isinstance(faults, int) and not isinstance(faults, bool) and faults in COUNTS:
        return faults
    names = (faults,) if isinstance(faults, str) else tuple(faults) if isinstance(faults, list | tuple) else ()
    if not names:
        counts = ", ".join(map(str, COUNTS))
        raise OptionError(f"faults: expected {counts} or a list of fault names ({', '.join(FAULTS)}), got {faults!r}")
    for i, name in enumerate(names):
        if not isinstance(name, str) or name not in FAULTS:
            raise OptionError(f"faults: unknown fault {name!r}{suggest(name, FAULTS)}; known: {', '.join(FAULTS)}")
        if not may_join(names[:i], name):
            raise OptionError(
                f"faults: {name!r} cannot stand in one request with {', '.join(names[:i])}: names are distinct, at "
                "most one is of the class expression, and false_presupposition excludes irrelevant_information"
            )
    return tuple(name for name in FAULTS if name in names)


def build_graphs(host: Host, settings: Settings) -> Graphs:
    """Return the graphs of all goals of a host, in the order of its goals."""
    graphs: dict[str, list[IntentGraph]] = {split: [] for split in SPLITS}
    rejected: dict[str, Counter[str]] = {split: Counter() for split in SPLITS}
    taken: set[Intent] = set()
    for goal in host.goals():
        found = build_graph(host, goal, settings, taken)
        if isinstance(found, Rejection):
            rejected[goal.split][found.reason] += 1
        else:
            taken.add(found.root)
            graphs[goal.split].append(found)
    return Graphs({s: tuple(g) for s, g in graphs.items()}, rejected)


def build_pool(
    host: Host,
    split: str,
    faults: Spec,
    config: ProtocolConfig,
    settings: Settings,
    graphs: Graphs,
    readers: Sequence[Reader],
) -> Pool:
    """Return the verified samples of one split; the pool may be empty.

    Args:
        host: The world.
        split: "train" or "test".
        faults: As `parse_faults` returns them.
        config: Its `guesses` and `max_guess` are used.
        settings: Numbers of the construction.
        graphs: The host's graphs.
        readers: The two readers of verification step 1.
    """
    report = Report()
    report.add_graphs(graphs.by_split[split], graphs.rejected[split])
    maker = _Maker(host, split, config, settings, readers, report)
    samples: list[Sample] = []
    for graph in graphs.by_split[split]:
        samples += maker.of_graph(graph, faults)
    return Pool(tuple(samples), report)


@dataclass
class _Maker:
    """Makes the samples of one pool."""

    host: Host
    split: str
    config: ProtocolConfig
    settings: Settings
    readers: Sequence[Reader]
    report: Report
    _shown: dict[tuple[Intent, Draft], Failure | Ways] = field(default_factory=dict)

    def of_graph(self, graph: IntentGraph, faults: Spec) -> list[Sample]:
        """Return the samples of one graph."""
        self._shown.clear()
        if faults == 0:
            key = key_of("text", self.host.name, graph.id, "none", 0)
            text = write_clean(self.host, graph.root, key)
            return [self._keep(graph, "none", 0, Request(text, (), (), graph.root), ())]
        if faults == 1:
            return self._singles(graph)
        amount = self.settings.per_graph if isinstance(faults, int) else self.settings.per_graph_named
        found: list[Sample] = []
        seen: set[object] = set()
        for number in range(amount):
            made = self._one(graph, faults, number, seen)
            found += [made] if made else []
        return found

    def _singles(self, graph: IntentGraph) -> list[Sample]:
        """Return samples of one fault each: of the class that is rarest so far, inside it the rarest fault."""
        key = key_of("order", graph.id)
        rank = {name: integer(key, Purpose.CONSTRUCT, i) for i, name in enumerate(FAULTS)}
        made: list[Sample] = []
        left = set(FAULTS)
        while left and len(made) < self.settings.per_graph:
            name = min(left, key=lambda n: (self._of_class(n), self.report.samples[n], rank[n]))
            left.remove(name)
            sample = self._one(graph, (name,), 0, set())
            made += [sample] if sample else []
        return made

    def _of_class(self, fault: str) -> int:
        """Return how many samples of a fault's class there are so far."""
        return sum(self.report.samples[n] for n in CLASSES[FAULTS[fault].family])

    def _one(self, graph: IntentGraph, faults: Spec, number: int, seen: set[object]) -> Sample | None:
        """Return one sample that is not among those seen, or None."""
        drawn = False
        for attempt in range(self.settings.attempts):
            key = key_of("draw", self.host.name, graph.id, faults, number, attempt)
            draft = draw(self.host, graph.root, faults, key)
            if draft is None:
                continue
            drawn = True
            mark: object = frozenset(draft.faults) if isinstance(faults, int) else draft.edits
            if mark in seen:
                continue
            made = self._verified(graph, draft, number, attempt)
            if made is not None:
                seen.add(mark)
                return made
        if not drawn:
            self.report.add_failure(Failure("draw", "no place for the faults"))
        return None

    def _verified(self, graph: IntentGraph, draft: Draft, number: int, attempt: int) -> Sample | None:
        verdict = self._looked_at(graph.root, draft)
        if isinstance(verdict, Failure):
            self.report.add_failure(verdict)
            return None
        label = "+".join(draft.faults)
        key = key_of("text", self.host.name, graph.id, label, number, attempt)
        text = write(self.host, graph.root, draft.faults, draft.edits, key)
        failure = verify_text(self.host, graph.root, draft, text, self.readers)
        if failure is not None:
            self.report.add_failure(failure)
            return None
        told = literal(self.host, graph.root, draft.edits)
        return self._keep(graph, label, number, Request(text, draft.faults, draft.edits, told), verdict)

    def _looked_at(self, root: Intent, draft: Draft) -> Failure | Ways:
        """Return what the host shows of a draft; in a small world the same few are drawn again and again."""
        if (root, draft) not in self._shown:
            self._shown[root, draft] = verify_draft(self.host, root, draft, self.config)
        return self._shown[root, draft]

    def _keep(self, graph: IntentGraph, label: str, number: int, request: Request, blind: Ways) -> Sample:
        sample = Sample(f"{graph.id}/{label}/{number}", self.split, graph, request, blind)
        self.report.add_sample(sample, self.config.guesses)
        return sample


def empty_reason(host: Host, split: str, faults: Spec, report: Report) -> TaskError:
    """Return the error for a pool in which there is no sample."""
    asked = f"{faults} faults" if isinstance(faults, int) else ", ".join(faults)
    steps = ", ".join(f"{n} at {step}" for step, n in report.steps.items()) or "none was drawn"
    kinds = {slot.kind for slot in host.slots}
    needs = ""
    if isinstance(faults, tuple) and "tool_capability_mismatch" in faults and "instrument" not in kinds:
        needs = "; tool_capability_mismatch needs a slot of kind 'instrument', which this host has not"
    if isinstance(faults, tuple) and "lexical_ambiguity" in faults and not any(host.senses(f) for f in host.frames):
        needs = "; lexical_ambiguity needs words of two senses, which this host has not"
    return TaskError(
        f"no task of host {host.name!r}, split {split!r}, can be told with {asked}{needs}. {report.graphs} graphs were "
        f"tried; candidates turned away: {steps}. Choose other faults, or a higher max_guess."
    )
