"""DriftGSM8K-v0's host: word problems whose numbers and choices a person sets."""

from __future__ import annotations

from collections.abc import Container, Hashable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from intent_gym.core.intent import Intent, Slot
from intent_gym.envs.answers import Assignment
from intent_gym.envs.framed import GroupedHost
from intent_gym.envs.host import Goal, Outcome
from intent_gym.envs.math.frames import Frame, written
from intent_gym.envs.math.generator import make_frames, make_goals
from intent_gym.envs.math.grade import grade_number, read_number
from intent_gym.envs.math.original import SLOTS as LETTER_SLOTS
from intent_gym.envs.math.original import read_original
from intent_gym.envs.math.slots import SLOTS
from intent_gym.grading import Grade

__all__ = ["MathHost", "load"]

_CACHE = 1 << 15
_NUMBERS = 1 << 12
_LARGEST = 10**15
"""No answer is larger."""
_NEAR = 1e-9
_COMPANIONS = ("a copy of the notes", "a sketch on paper", "a picture postcard")
"""What may be asked for beside a number."""


class _Near(NamedTuple):
    """The assignments of a frame whose answer is nearly a number.

    Attributes:
        answers: Their outcome ids; shape (found,).
        positions: For each and every axis the position of its value; shape (found, axes).
    """

    answers: NDArray[np.int64]
    positions: NDArray[np.int64]


class _Among(Container[object]):
    """The numbers that the completions of an intent come to; a number is traced back to where it comes from."""

    def __init__(self, host: MathHost, intent: Intent) -> None:
        self._host, self._intent = host, intent

    def __contains__(self, number: object) -> bool:
        return isinstance(number, Fraction) and len(self._host.unmet(self._intent, number, 0)) > 0


class MathHost(GroupedHost[Frame]):
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
        super().__init__(slots, frames, goals, source, rejections)
        self._first = lru_cache(maxsize=None)(self._first_of)
        self._near = lru_cache(_NUMBERS)(self._near_now)
        self._exact = lru_cache(_CACHE)(self._exact_now)
        self._read = lru_cache(_CACHE)(read_number)

    def _near_now(self, frame: str, number: Fraction) -> _Near:
        near, axes = float(number), self._axes(frame)
        rows = self._frames[frame].near(near, _NEAR * max(1.0, abs(near)))
        positions = [rows // axis.step % len(axis.values) for axis in axes]
        return _Near(rows + self._first(frame), np.array(positions, dtype=np.int64).reshape(len(axes), len(rows)).T)

    def _first_of(self, frame: str) -> int:
        """Return the id of a frame's first outcome."""
        return int(self.answers(Intent(frame, ()))[0])

    def _exact_now(self, answer: int) -> Fraction | None:
        """Return what an outcome id comes to."""
        return self._answer(*self.assignment(answer))

    def unmet(self, intent: Intent, number: Fraction, most: int) -> NDArray[np.bool_]:
        """Return which conditions the assignments that come to a number miss; shape (assignments, axes).

        Args:
            intent: The conditions.
            number: What an answer comes to.
            most: Assignments that miss more conditions than this are left out.
        """
        positions = self._positions(intent)
        if positions is None or abs(number) > _LARGEST:
            return np.zeros((0, 0), dtype=np.bool_)
        near = self._near(intent.frame, number)
        wanted = np.array([-1 if p is None else p for p in positions], dtype=np.int64)
        unmet: NDArray[np.bool_] = (near.positions != wanted) & (wanted >= 0)
        few = np.flatnonzero(unmet.sum(axis=1) <= most)
        exact = [self._exact(answer) == number for answer in near.answers[few].tolist()]
        return unmet[few[np.array(exact, dtype=np.bool_)]]

    def _keys_now(self, intent: Intent) -> Container[object]:
        """Return the numbers that the completions of an intent come to, without working them all out."""
        return _Among(self, intent)

    def _violated(self, intent: Intent, outcome: Outcome) -> tuple[str, ...]:
        """Return the slot whose other value an answer would be right for, as `AnswerHost`, all slots at once."""
        number = self._read(outcome)
        unmet = self.unmet(intent, number, 1) if number is not None else ()
        for i, axis in enumerate(self._axes(intent.frame) if len(unmet) else ()):
            if axis.slot in intent.by_slot and any(row[i] or not row.any() for row in unmet):
                return (axis.slot,)
        return (self.frame_slot.id,)

    def _answer(self, frame: str, values: Assignment) -> Fraction | None:
        return self._frames[frame].work.exact(values)

    def solve(self, frame: str, values: Assignment) -> Outcome:
        """Return the exact answer, as "126.5"; a text without a number where there is none."""
        answer = self._answer(frame, values)
        return "no answer" if answer is None else written(answer)

    def grade(self, frame: str, values: Assignment, answer: str) -> Grade:
        """Grade a text by the number that it gives; see `grade.grade_number`."""
        return _compared(self._answer(frame, values), answer)

    def _grade_row(self, answer: int, outcome: Outcome) -> Grade:
        """Grade by what an outcome id is remembered to come to."""
        return _compared(self._exact(answer), outcome)

    def key(self, frame: str, answer: str) -> Hashable | None:
        """Return the number that a text gives as its answer."""
        return self._read(answer)

    def companions(self, frame: str) -> tuple[str, ...]:
        """Return things that can stand beside a sheet with a number on it."""
        return self.apart(_COMPANIONS, frame)

    def noun(self, frame: str) -> str:
        """Return the frame: its name comes with its article."""
        return frame


def _compared(right: Fraction | None, answer: str) -> Grade:
    if right is None:
        return Grade(0.0, "these values have no answer")
    return grade_number(right, answer)


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
