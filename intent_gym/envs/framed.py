"""Answer hosts over a list of frame records: what the generated tasks and the original ones of a family share.

A family's generator and its loader of original files both make frame records and goals; the host indexes them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Generic, Protocol, TypeVar

from intent_gym.core.intent import Condition, Intent, Slot, Value
from intent_gym.core.rng import key_of
from intent_gym.envs.answers import AnswerHost
from intent_gym.envs.host import Goal

__all__ = ["FrameRecord", "FramedHost", "GroupedHost", "complete_goal"]


class FrameRecord(Protocol):
    """What a frame's record has."""

    @property
    def name(self) -> str:
        """The frame."""

    @property
    def brief(self) -> str:
        """The public material, the same for related frames."""

    @property
    def domains(self) -> Mapping[str, tuple[Value, ...]]:
        """The values, sorted, of each slot that the frame has."""

    @property
    def neutral(self) -> Mapping[str, Value]:
        """The value that asks for nothing, of each optional slot."""


class _Grouped(FrameRecord, Protocol):
    @property
    def group(self) -> str:
        """What related frames share: a story, a toolbox, a database."""


_OPEN = (
    "Each of these that the task has must be set, also where the person has no preference; then any that is listed "
    "will do:"
)

F = TypeVar("F", bound=FrameRecord)
G = TypeVar("G", bound=_Grouped)


def complete_goal(goal_id: str, split: str, frame: str, values: Mapping[str, Value]) -> Goal:
    """Return the task that sets slots of a frame to values."""
    return Goal(goal_id, split, Intent(frame, tuple(Condition(s, "=", v) for s, v in values.items())))


class FramedHost(AnswerHost, Generic[F]):
    """An answer host over frame records; a subclass says how an answer is worked out, graded and read.

    Attributes:
        rejections: Tasks of the source that are not admitted, by reason.
    """

    def __init__(
        self,
        slots: Sequence[Slot],
        frames: Sequence[F],
        goals: Sequence[Goal],
        source: str = "embedded",
        rejections: Mapping[str, int] | None = None,
    ) -> None:
        """Index the frames.

        Args:
            slots: The frame's slot first.
            frames: All frames.
            goals: Complete tasks, of both splits.
            source: "embedded" or the folder read.
            rejections: Tasks of the source that are not admitted, by reason.
        """
        self.slots = tuple(slots)
        self.source = source
        self.rejections: Mapping[str, int] = MappingProxyType(dict(rejections or {}))
        self._frames: dict[str, F] = {f.name: f for f in sorted(frames, key=lambda f: f.name)}
        self.frames = tuple(self._frames)
        self._goals = tuple(goals)
        super().__init__()

    def values(self, slot: str, frame: str) -> tuple[Value, ...]:
        """Return the values of a slot in a frame, sorted; () where the frame has no such slot."""
        return self._frames[frame].domains.get(slot, ())

    def neutral(self, slot: str, frame: str) -> Value | None:
        """Return the value that asks for nothing of an optional slot, None for a slot that must be told."""
        return self._frames[frame].neutral.get(slot)

    def goals(self) -> Sequence[Goal]:
        """Return the tasks: all that a frame needs, and what else is wanted; both splits."""
        return self._goals

    def brief(self, frame: str) -> str:
        """Return the frame's material; "" for an unknown frame."""
        found = self._frames.get(frame)
        return found.brief if found is not None else ""

    def open_values(self, frame: str) -> str:
        """Return the values of every slot that must have one, of the frame and the related ones."""
        if frame not in self._frames:
            return ""
        frames = sorted({frame, *self.related_frames(frame)})
        lines = [_OPEN]
        for slot in self.slots[1:]:
            values = {f: self.values(slot.id, f) for f in frames if self.neutral(slot.id, f) is None}
            kinds = {v: [f for f in values if values[f] == v] for v in values.values() if v}
            for kind, holders in kinds.items():
                whose = f" ({'; '.join(holders)})" if len(kinds) > 1 else ""
                lines.append(f"- {slot.word}{whose}: {', '.join(map(str, kind))}")
        return "\n".join(lines) if len(lines) > 1 else ""


class GroupedHost(FramedHost[G]):
    """A framed host whose frames are related where they share a group."""

    def __init__(
        self,
        slots: Sequence[Slot],
        frames: Sequence[G],
        goals: Sequence[Goal],
        source: str = "embedded",
        rejections: Mapping[str, int] | None = None,
    ) -> None:
        """Index the frames and their groups; see `FramedHost`."""
        super().__init__(slots, frames, goals, source, rejections)
        groups: dict[str, list[str]] = {}
        for frame in self._frames.values():
            groups.setdefault(frame.group, []).append(frame.name)
        self._groups = {group: tuple(names) for group, names in groups.items()}
        self._print = f"{key_of(*(f.brief for f in self._frames.values()), *self._goals):016x}"

    def related_frames(self, frame: str) -> Sequence[str]:
        """Return the other frames of the group."""
        found = self._frames.get(frame)
        return () if found is None else [f for f in self._groups[found.group] if f != frame]

    def fingerprint(self) -> str:
        """Return a text that differs where material or goals differ."""
        return f"{self.name}:{'embedded' if self.source == 'embedded' else 'original'}:{self._print}"
