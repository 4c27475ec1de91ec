"""A sample: one frozen case with its graph, its request and what the request hides (PROTOCOL 1, 2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from intent_gym.core.faults import Edit, hidden_slots
from intent_gym.core.intent import Condition, Intent, IntentGraph

__all__ = ["Request", "Sample"]


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
        guess_ceiling: Probability that `ProtocolConfig.guesses` distinct commits inside the literal reading, or the
            union of the two readings of an ambiguous word, hit the truth, in [0, 1]; 1 where nothing is hidden.
    """

    id: str
    split: str
    graph: IntentGraph
    request: Request
    guess_ceiling: float

    def complete(self, node: int, text: str) -> Sample:
        """Return the same case told completely at one node: no fault, drift starting there (PROTOCOL 8, clean)."""
        intent: Intent = self.graph.nodes[node]
        return Sample(f"{self.id}@{node}", self.split, self.graph, Request(text, (), (), intent), 1.0)

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
            "guess_ceiling": self.guess_ceiling,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], graph: IntentGraph | None = None) -> Sample:
        """Inverse of `to_json`; `graph` is used where the data holds only its id, so that samples share graphs."""
        own = graph if graph is not None else IntentGraph.from_json(data["graph"])
        return cls(data["id"], data["split"], own, Request.from_json(data["request"]), data["guess_ceiling"])
