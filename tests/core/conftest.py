"""A world small enough to compute by hand: a lamp or a chair, a budget, three features, a colour, a size, a fit.

An outcome is the text of the nodes that it satisfies, "0" or "0,2"; "" satisfies none.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from intent_gym.core.config import DriftConfig, ProtocolConfig
from intent_gym.core.faults import Edit
from intent_gym.core.intent import Condition, Edge, Intent, IntentGraph, Slot, SlotTable, relation
from intent_gym.core.personas import PERSONAS
from intent_gym.core.record import EpisodeRecord
from intent_gym.core.sample import Request, Sample
from intent_gym.core.silent import SilentEpisode

TABLE = SlotTable(
    (
        Slot("thing", "thing", "thing", "frame"),
        Slot("price", "budget", "price", "number", "<=", unit="$"),
        *(Slot(f"feature_{i}", "feature", "feature", "tag", "contains") for i in (1, 2, 3)),
        Slot("color", "colour", "color", "choice"),
        Slot("size", "size", "size", "choice"),
        Slot("fit", "fit", "fit", "choice"),
    )
)


def c(slot: str, value: str | float) -> Condition:
    return Condition(slot, TABLE[slot].op, value)


ROOT = Intent("lamp", (c("color", "red"), c("size", "small"), c("feature_1", "dimmable")))
NODES = (
    ROOT,
    ROOT.having(c("fit", "slim")),  # 1 refine
    ROOT.without("size"),  # 2 relax
    ROOT.having(c("color", "blue")),  # 3 substitute
    ROOT.having(c("size", "large")),  # 4 substitute
    Intent("chair", (c("color", "red"), c("fit", "wide"))),  # 5 pivot
)


def edge(nodes: tuple[Intent, ...], source: int, target: int, *, moves: bool = True, invalidates: bool = True) -> Edge:
    old, new = nodes[source].by_slot, nodes[target].by_slot
    kind = relation(nodes[source], nodes[target])
    assert kind is not None
    entered = ("thing", *new) if kind == "pivot" else tuple(s for s in new if old.get(s) != new[s])
    return Edge(source, target, kind, entered, tuple(s for s in old if s not in new), moves, invalidates)


def graph_of(nodes: tuple[Intent, ...], pairs: tuple[tuple[int, int], ...] | None = None) -> IntentGraph:
    every = [(s, t) for s in range(len(nodes)) for t in range(len(nodes)) if s != t]
    related = [p for p in every if relation(nodes[p[0]], nodes[p[1]]) is not None]
    return IntentGraph("graph", nodes, tuple(edge(nodes, s, t) for s, t in (pairs or related)))


GRAPH = graph_of(NODES)


def sample_of(graph: IntentGraph, hidden: tuple[str, ...] = ("color",)) -> Sample:
    edits = tuple(Edit("withhold", s) for s in hidden)
    request = Request("I want a lamp.", ("insufficient_information",), edits, graph.root.without(*hidden))
    return Sample("graph/insufficient_information/0", "train", graph, request, ((8, 1),))


@dataclass(frozen=True)
class World:
    """Makes episodes and their records."""

    table: SlotTable = TABLE
    graph: IntentGraph = GRAPH

    def episode(
        self,
        *,
        persona: str = "rational",
        key: int = 0,
        config: ProtocolConfig | None = None,
        fire: float | None = None,
        drift: bool = True,
        graph: IntentGraph | None = None,
        hidden: tuple[str, ...] = ("color",),
        turn_cap: int = 30,
        acts: bool = True,
    ) -> SilentEpisode:
        config = config or ProtocolConfig()
        if fire is not None:
            config = replace(config, drift=DriftConfig(fire_probability=fire))
        if not drift:
            config = replace(config, drift=None)
        used = graph if graph is not None else self.graph

        def judge(intent: Intent, outcome: str) -> tuple[bool, tuple[str, ...]]:
            good = any(used.nodes[int(n)] == intent for n in outcome.split(",") if n)
            return good, () if good else ("color",)

        def score(intent: Intent, outcome: str) -> float:
            return 0.4

        sample = sample_of(used, hidden)
        return SilentEpisode(sample, 0, PERSONAS[persona], config, key, TABLE, judge, score, turn_cap, acts)

    def record(self, episode: SilentEpisode) -> EpisodeRecord:
        """Return the record of an episode that starts at the root."""
        sample = episode.sample
        return EpisodeRecord(
            env_id="Test-v0",
            options={},
            key=0,
            sample_id=sample.id,
            node=0,
            persona=episode.persona.name,
            condition="drift",
            faults=sample.request.faults,
            guess_ceiling=sample.guess_ceiling(3),
            opening=sample.request.text,
            hidden=sample.request.hidden,
            patience=episode.budget,
            turn_cap=episode.turn_cap,
            steps=episode.steps,
        )

    def graph_of(self, nodes: tuple[Intent, ...], pairs: tuple[tuple[int, int], ...] | None = None) -> IntentGraph:
        return graph_of(nodes, pairs)


@pytest.fixture(scope="session")
def world() -> World:
    return World()
