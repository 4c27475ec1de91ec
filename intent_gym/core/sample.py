"""A sample: one frozen case with its graph, its request and what the request hides (PROTOCOL 1, 2)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from intent_gym.core.faults import Edit, hidden_slots
from intent_gym.core.intent import Condition, Intent, IntentGraph

__all__ = ["Request", "Sample", "hit_chance"]


def hit_chance(candidates: int, good: int, commits: int) -> float:
    """Return the chance that distinct commits among candidates hit a good one (hypergeometric), in [0, 1].

    >>> hit_chance(6, 1, 3), hit_chance(2, 1, 3), hit_chance(5, 0, 3), hit_chance(0, 0, 3)
    (0.5, 1.0, 0.0, 0.0)
    """
    if good == 0:
        return 0.0
    bad = candidates - good
    if bad < commits or candidates < commits:
        return 1.0  # whoever tries them all, or runs out of bad ones, has hit
    return 1.0 - math.comb(bad, commits) / math.comb(candidates, commits)


@dataclass(frozen=True)
class Request:
    """The opening request.

    Attributes:
        text: The only part an agent sees.
        faults: Names of the faults in it, in the order drawn; empty for a complete request.
        edits: What the text does to the truth, sorted.
        literal: The text's literal reading: an intent with the asserted values, without the slots that the text
            leaves unbound. It is what the text says, so it tells nothing hidden.
    """

    text: str
    faults: tuple[str, ...]
    edits: tuple[Edit, ...]
    literal: Intent

    @cached_property
    def hidden(self) -> tuple[str, ...]:
        """Slots that the request fails to convey, sorted."""
        return hidden_slots(self.edits)

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "text": self.text,
            "faults": list(self.faults),
            "edits": [[e.kind, e.slot, e.value] for e in self.edits],
            "literal": self.literal.to_json(),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Request:
        """Inverse of `to_json`."""
        return cls(
            data["text"],
            tuple(data["faults"]),
            tuple(Edit(*e) for e in data["edits"]),
            Intent.from_json(data["literal"]),
        )


@dataclass(frozen=True)
class Sample:
    """One case that an episode plays.

    Attributes:
        id: Public name inside (host, source): "<graph id>/<faults>/<number>".
        split: "train" or "test".
        graph: Where the intent starts and can go.
        request: How the opening tells it.
        blind: For each way to guess without asking, (candidates, how many of them are right): the literal reading;
            what is told with the hidden slots left open; the values of these, one a commit; the two readings of an
            ambiguous word. Empty where nothing is hidden.
    """

    id: str
    split: str
    graph: IntentGraph
    request: Request
    blind: tuple[tuple[int, int], ...]

    def guess_ceiling(self, commits: int) -> float:
        """Return the probability that distinct commits hit the truth in the best of the ways to guess, in [0, 1].

        1 where nothing is hidden. PROTOCOL 2 counts the literal reading alone; that one is 0 where the request asserts
        something false, though the outcome nearest to it is often right. So this one bounds what a guesser can do.
        """
        return max((hit_chance(n, good, commits) for n, good in self.blind), default=1.0)

    def complete(self, node: int, text: str) -> Sample:
        """Return the same case told completely at one node: no fault, drift starting there (PROTOCOL 8, clean)."""
        intent: Intent = self.graph.nodes[node]
        return Sample(f"{self.id}@{node}", self.split, self.graph, Request(text, (), (), intent), ())

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """The root's conditions."""
        return self.graph.root.conditions

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "id": self.id,
            "split": self.split,
            "graph": self.graph.to_json(),
            "request": self.request.to_json(),
            "blind": [list(b) for b in self.blind],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], graph: IntentGraph | None = None) -> Sample:
        """Inverse of `to_json`; `graph` is used where the data holds only its id, so that samples share graphs."""
        own = graph if graph is not None else IntentGraph.from_json(data["graph"])
        return cls(
            data["id"], data["split"], own, Request.from_json(data["request"]), tuple((n, g) for n, g in data["blind"])
        )
