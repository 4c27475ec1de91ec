"""What a sentence about a table is asked for: one frame is one table with the values that can be set."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

from intent_gym.core.intent import Value

__all__ = ["TextFrame", "TextGoal"]


@dataclass(frozen=True, eq=False)
class TextFrame(ABC):
    """A table, and what a person can ask of the sentence about it.

    Attributes:
        name: What the person needs, unique in the host.
        split: "train" or "test".
        brief: The public material: the tables, and how the sentence is written.
        related: Names of the other frames with the same brief.
        domains: Legal values by slot, sorted; only the slots that the frame has.
        neutral: By optional slot, the value that asks for nothing.
    """

    name: str
    split: str
    brief: str
    related: tuple[str, ...]
    domains: Mapping[str, tuple[Value, ...]]
    neutral: Mapping[str, Value]

    @abstractmethod
    def references(self, values: Mapping[str, Value]) -> tuple[str, ...]:
        """Return the sentences that are right for a value of every slot; the first is what an agent would write."""

    def suits(self, slot: str, value: Value, text: str) -> bool:
        """Return False only if no sentence for the value comes to this text; a quick look, which may err to True."""
        return True


@dataclass(frozen=True)
class TextGoal:
    """A task: a frame with a value for each slot that must be told, and for some of the optional ones.

    Attributes:
        id: Public name, which tells nothing; of original data the source's own.
        frame: Name of the frame.
        values: Value by slot id.
    """

    id: str
    frame: str
    values: Mapping[str, Value]
