"""Silent drift: marks, their fate, and which edge a drift takes (PROTOCOL 4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from intent_gym.core.config import DriftConfig
from intent_gym.core.intent import RELATIONS, IntentGraph
from intent_gym.core.personas import Persona
from intent_gym.core.rng import Purpose, choose, key_of, uniform

__all__ = ["DriftState", "fated_marks"]


def fated_marks(persona: Persona, config: DriftConfig, graph_id: str, key: int) -> tuple[float, ...]:
    """Return the persona's marks that are fated to fire, high to low: a function of (graph, key) alone."""
    fate = key_of(graph_id, key)
    return tuple(
        mark for i, mark in enumerate(persona.marks) if uniform(fate, Purpose.FATE, i) < config.fire_probability
    )


@dataclass(slots=True)
class DriftState:
    """Where the intent is and which drifts are still to come.

    Attributes:
        graph: The intent graph.
        config: Channels and weights; None: the intent never moves.
        key: Episode key.
        path: Nodes visited, the current one last.
        pool: Marks fated to fire and not yet spent, high to low.
        outcome_drifts: Drifts of the "outcome" channel so far.
    """

    graph: IntentGraph
    config: DriftConfig | None
    key: int
    path: list[int]
    pool: list[float] = field(default_factory=list)
    outcome_drifts: int = 0

    @property
    def node(self) -> int:
        """The current node."""
        return self.path[-1]

    def due(self, share: float) -> list[float]:
        """Return the pool's marks that are crossed when this share of b0 is left."""
        if self.config is None or "patience" not in self.config.channels:
            return []
        return [m for m in self.pool if share <= m]

    def open_edges(self) -> list[int]:
        """Return the edges from the current node to nodes not yet visited."""
        return [e for e in self.graph.out(self.node) if self.graph.edges[e].target not in self.path]

    def draw(self) -> int | None:
        """Return the edge that a due drift takes: category first, then uniformly inside it; None if there is none."""
        edges = self.open_edges()
        if not edges or self.config is None:
            return None
        by_relation = {r: [e for e in edges if self.graph.edges[e].relation == r] for r in RELATIONS}
        weights = [(r, self.config.weights.get(r, 0.0)) for r in RELATIONS if by_relation[r]]
        total = sum(w for _, w in weights)
        if total <= 0.0:
            return None
        index = 2 * (len(self.path) - 1)
        left = uniform(self.key, Purpose.DESTINATION, index) * total
        relation = next((r for r, w in weights if (left := left - w) < 0.0), weights[-1][0])
        return choose(by_relation[relation], self.key, Purpose.DESTINATION, index + 1)

    def triggered(
        self, topics: Sequence[str], topic_of: dict[str, str], suggestibility: float, number: int
    ) -> int | None:
        """Return the edge that a question on these topics triggers, or None.

        Only a non-pivot edge to an unvisited node that changes a slot of a touched topic can be triggered, and only
        while a mark is left to spend.
        """
        if self.config is None or "question" not in self.config.channels or not self.pool:
            return None
        edges = [
            e
            for e in self.open_edges()
            if self.graph.edges[e].relation != "pivot"
            and any(topic_of[s] in topics for s in (*self.graph.edges[e].entered, *self.graph.edges[e].left))
        ]
        if not edges or uniform(self.key, Purpose.TRIGGER, 2 * number) >= suggestibility:
            return None
        return choose(edges, self.key, Purpose.TRIGGER, 2 * number + 1)

    def spend(self, share: float) -> None:
        """Take a due mark out of the pool, the highest first; else the lowest of the pool."""
        due = self.due(share)
        self.pool.remove(due[0] if due else self.pool[-1])
