"""DriftGSM8K-v0's host: word problems whose numbers and choices a person sets."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from intent_gym.core.intent import Intent, Slot, Value
from intent_gym.core.rng import key_of
from intent_gym.envs.answers import AnswerHost, Assignment
from intent_gym.envs.host import Goal, Outcome
from intent_gym.envs.math.frames import Frame, written
from intent_gym.envs.math.generator import make_frames, make_goals
from intent_gym.envs.math.grade import grade, read_number
from intent_gym.envs.math.original import SLOTS as LETTER_SLOTS
from intent_gym.envs.math.original import read_original
from intent_gym.envs.math.slots import SLOTS
from intent_gym.grading import Grade

__all__ = ["MathHost", "load"]

_CACHE = 1 << 15
_LARGEST = 10**15
"""No answer is larger."""
_NEAR = 1e-9
_COMPANIONS = ("a copy of the notes", "a sketch on paper", "a picture postcard")
"""What may be asked for beside a number."""


class _Among(Container[object]):
    """The numbers that some assignments of a frame come to; a number is looked up in the frame's table of floats."""

    def __init__(self, frame: Frame, rows: NDArray[np.int64], exact: Callable[[int], Fraction | None]) -> None:
        self._frame, self._rows, self._exact = frame, rows, exact

    def __contains__(self, number: object) -> bool:
        if not isinstance(number, Fraction) or abs(number) > _LARGEST:
            return False
        near = float(number)
        found = self._frame.table[self._rows]
        hits = np.flatnonzero(np.abs(found - near) <= _NEAR * max(1.0, abs(near)))
        return any(self._exact(int(self._rows[hit])) == number for hit in hits)


class MathHost(AnswerHost):
    """Word problems: a frame is a question over a story, its slots are the numbers and choices it is worked out from.

    Args:
        slots: The frame's slot first.
        frames: All questions.
        goals: Complete tasks.
        source: "embedded" or the folder read.
        rejections: Tasks of the source that are not admitted, by reason.
    """

    name = "math"
    commit_help = "put the number that you worked out into the commit"

    def __init__(
        self,
        slots: Sequence[Slot],
        frames: Sequence[Frame],
        goals: Sequence[Goal],
        source: str = "embedded",
        rejections: Mapping[str, int] | None = None,
    ) -> None:
        """Index the frames."""
        self.slots = tuple(slots)
        self.source = source
        self.rejections: Mapping[str, int] = MappingProxyType(dict(rejections or {}))
        self._frames = {f.name: f for f in sorted(frames, key=lambda f: f.name)}
        self.frames = tuple(self._frames)
        self._goals = tuple(goals)
        stories: dict[str, list[str]] = {}
        for frame in self._frames.values():
            stories.setdefault(frame.story, []).append(frame.name)
        self._stories = {story: tuple(names) for story, names in stories.items()}
        self._first = lru_cache(maxsize=None)(self._first_of)
        self._read = lru_cache(_CACHE)(read_number)
        self._print = f"{key_of(*(f.brief for f in self._frames.values()), *self._goals):016x}"
        super().__init__()

    def values(self, slot: str, frame: str) -> tuple[Value, ...]:
        """Return the values of a slot in a question, sorted; () where the question has no such slot."""
        return self._frames[frame].domains.get(slot, ())

    def neutral(self, slot: str, frame: str) -> Value | None:
        """Return "no discount" and the like for an optional slot, None for a slot that must be told."""
        return self._frames[frame].neutral.get(slot)

    def _first_of(self, frame: str) -> int:
        """Return the id of a frame's first outcome."""
        return int(self.answers(Intent(frame, ()))[0])

    def _keys_now(self, intent: Intent) -> Container[object]:  # type: ignore[override]  # only asked whether it holds
        """Return the numbers that the completions of an intent come to, without working them all out."""
        found = self._frames[intent.frame]
        first = self._first(intent.frame)

        def exact(row: int) -> Fraction | None:
            return found.work.exact(self.assignment(first + row)[1])

        return _Among(found, self.answers(intent) - first, exact)

    def _answer(self, frame: str, values: Assignment) -> Fraction | None:
        return self._frames[frame].work.exact(values)

    def solve(self, frame: str, values: Assignment) -> Outcome:
        """Return the exact answer, as "126.5"; a text without a number where there is none."""
        answer = self._answer(frame, values)
        return "no answer" if answer is None else written(answer)

    def grade(self, frame: str, values: Assignment, answer: str) -> Grade:
        """Grade a text by the number that it gives; see `grade.grade`."""
        right = self._answer(frame, values)
        if right is None:
            return Grade(0.0, "these values have no answer")
        return grade({"answer": f"#### {right}"}, answer)

    def key(self, frame: str, answer: str) -> Hashable | None:
        """Return the number that a text gives as its answer."""
        return self._read(answer)

    def goals(self) -> Sequence[Goal]:
        """Return the tasks: all that a question needs, and what else is wanted; both splits."""
        return self._goals

    def brief(self, frame: str) -> str:
        """Return the story."""
        found = self._frames.get(frame)
        return found.brief if found is not None else ""

    def related_frames(self, frame: str) -> Sequence[str]:
        """Return the other questions over the same story."""
        found = self._frames.get(frame)
        return () if found is None else [f for f in self._stories[found.story] if f != frame]

    def companions(self, frame: str) -> tuple[str, ...]:
        """Return things that can stand beside a sheet with a number on it."""
        return self.apart(_COMPANIONS, frame)

    def noun(self, frame: str) -> str:
        """Return the frame: its name comes with its article."""
        return frame

    def fingerprint(self) -> str:
        """Return a text that differs where stories or goals differ."""
        return f"{self.name}:{'embedded' if self.source == 'embedded' else 'original'}:{self._print}"


def load(source: str = "embedded") -> MathHost:
    """Return the word problems.

    Args:
        source: "embedded": generated by this project; else a folder with GSM8K's ``test.jsonl`` or ``train.jsonl``.

    Raises:
        DataError: The folder cannot be read, or a file is damaged.
    """
    if source != "embedded":
        found = read_original(source)
        return MathHost(LETTER_SLOTS, found.frames, found.goals, source, found.rejections)
    frames = make_frames()
    return MathHost(SLOTS, frames, make_goals(frames))
