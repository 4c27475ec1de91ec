"""Hosts whose outcome is an answer in text, computed from the conditions: math, SQL, code, tool calls, texts.

A frame is one task with parameters; every slot that the frame has takes one of a few values. A complete intent has one
right answer, `solve` gives it and `grade` judges any text against it, as the source's grader does. So the outcomes of a
frame form a virtual table, a row for each assignment of values, of which only what is looked at is computed.

Two readings of a slot that an intent leaves out:

- silent protocol: it does not matter, so the answer of every completion is accepted;
- evolving protocol: `closed` gives the optional ones their neutral value ("none"), for what was never said, or was
  withdrawn, is not wanted.
"""

from __future__ import annotations

import itertools
from abc import abstractmethod
from collections.abc import Container, Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from intent_gym.core.intent import Condition, Intent, Value
from intent_gym.envs.host import ActResult, Host, Judgement, Outcome, Session
from intent_gym.grading import Grade

__all__ = ["AnswerHost", "Assignment", "Axis", "TracedHost"]

Assignment: TypeAlias = Mapping[str, Value]
"""A value for every slot of a frame, by slot id."""

_BLOCK = 1 << 40
"""Outcome ids of a frame: from its number times this; the row is a mixed-radix number over the domains."""
_CACHE = 2048
_VERDICTS = 1 << 14
_INTENTS = 128
"""Intents whose rows are kept: the construction asks again and again for those of one graph, of up to 46 kB each."""


class Axis(NamedTuple):
    """A slot of a frame, as an axis of the frame's virtual table.

    Attributes:
        slot: Its id.
        values: Its domain.
        position: By value.
        step: How far apart the rows of two neighbouring values are.
        offsets: What each value adds to a row's number; shape (len(values),).
    """

    slot: str
    values: tuple[Value, ...]
    position: Mapping[Value, int]
    step: int
    offsets: NDArray[np.int64]


class AnswerHost(Host):
    """A host whose commits are answers in text.

    A subclass sets `name`, `slots`, `frames` (sorted), `source`, `commit_help`, calls ``super().__init__()`` after
    that, and answers `values`, `neutral`, `solve`, `grade`, `key`, `goals` and, where there is material, `brief`.
    Every goal is a complete intent. A frame has at most five slots without a neutral value, of at most eight values
    each, so that its rows can be listed.
    """

    has_acts = False
    act_help = ""
    commits_text = True
    cache_samples = True
    commit_help = "put your answer into the commit"

    def __init__(self) -> None:
        """Index the frames."""
        self._number = {frame: i for i, frame in enumerate(self.frames)}
        self._axes = lru_cache(maxsize=None)(self._axes_now)
        self._held = lru_cache(maxsize=None)(self._held_now)
        self._solved = lru_cache(_CACHE * 16)(self._solve_row)
        self._keys = lru_cache(_CACHE)(self._keys_now)
        self._answers = lru_cache(_INTENTS)(self._answers_now)
        self._judged = lru_cache(_VERDICTS)(self._judge)
        self._graded = lru_cache(_VERDICTS)(self._grade_row)

    # -- what a subclass answers -------------------------------------------------------------------------------------
    @abstractmethod
    def values(self, slot: str, frame: str) -> tuple[Value, ...]:
        """Return the legal values of a slot in a frame, sorted; () where the frame has no such slot."""

    @abstractmethod
    def neutral(self, slot: str, frame: str) -> Value | None:
        """Return the value that means "nothing asked for" of an optional slot; None for a slot that must be told."""

    @abstractmethod
    def solve(self, frame: str, values: Assignment) -> Outcome:
        """Return the right answer of a complete assignment, as an agent would commit it."""

    @abstractmethod
    def grade(self, frame: str, values: Assignment, answer: str) -> Grade:
        """Grade any text against a complete assignment, with the right values of the source's grader."""

    @abstractmethod
    def key(self, frame: str, answer: str) -> Hashable | None:
        """Return what an answer comes to: two answers of a frame with one key get the same grade; None: unreadable."""

    # -- the world ---------------------------------------------------------------------------------------------------
    def domain(self, slot: str, frame: str | None = None) -> tuple[Value, ...]:
        """Return the legal values of a slot, sorted; of one frame, or of all when `frame` is None."""
        if slot == self.frame_slot.id:
            return self.frames
        if frame is None:
            return self._everywhere(slot)
        return self.values(slot, frame) if frame in self._number else ()

    @lru_cache(maxsize=256)  # noqa: B019 - hosts live as long as the process
    def _everywhere(self, slot: str) -> tuple[Value, ...]:
        found = {v for frame in self.frames for v in self.values(slot, frame)}
        return tuple(sorted(found, key=lambda v: (isinstance(v, str), v)))

    def _held_now(self, frame: str) -> Mapping[str, tuple[Value, ...]]:
        """Return the domains of the slots that a frame has, in slot order."""
        pairs = ((s.id, self.values(s.id, frame)) for s in self.slots[1:])
        return MappingProxyType({slot: values for slot, values in pairs if values})

    def _axes_now(self, frame: str) -> tuple[Axis, ...]:
        """Return the axes of a frame, in slot order; the last one varies fastest."""
        axes: list[Axis] = []
        step = 1
        for slot, values in reversed(tuple(self._held(frame).items())):
            position = {value: i for i, value in enumerate(values)}
            axes.append(Axis(slot, values, position, step, np.arange(len(values), dtype=np.int64) * step))
            step *= len(values)
        return tuple(reversed(axes))

    def _positions(self, intent: Intent) -> list[int | None] | None:
        """Return, per axis of the frame, the position wanted, None where any will do; None if the frame has no such."""
        if intent.frame not in self._number:
            return None
        found: list[int | None] = []
        conditions = intent.by_slot
        met = 0
        for axis in self._axes(intent.frame):
            condition = conditions.get(axis.slot)
            if condition is None:
                found.append(None)
                continue
            position = axis.position.get(condition.value)
            if position is None:
                return None
            found.append(position)
            met += 1
        return found if met == len(conditions) else None

    def answers(self, intent: Intent) -> NDArray[np.int64]:
        """Return the ids of all assignments that meet the conditions, sorted; read-only."""
        return self._answers(intent)

    def _answers_now(self, intent: Intent) -> NDArray[np.int64]:
        positions = self._positions(intent)
        if positions is None:
            return np.empty(0, dtype=np.int64)
        axes = self._axes(intent.frame)
        first = sum(axis.step * at for axis, at in zip(axes, positions, strict=True) if at is not None)
        rows = np.array([self._number[intent.frame] * _BLOCK + first], dtype=np.int64)
        for axis, at in zip(axes, positions, strict=True):
            if at is None:
                rows = (rows[:, None] + axis.offsets).ravel()
        rows.flags.writeable = False
        return rows

    def assignment(self, answer: int) -> tuple[str, Assignment]:
        """Return the frame and the values of an outcome id."""
        frame, row = self.frames[answer // _BLOCK], answer % _BLOCK
        return frame, {a.slot: a.values[row // a.step % len(a.values)] for a in self._axes(frame)}

    def outcome(self, answer: int) -> Outcome:
        """Return the answer of an outcome id."""
        return self._solved(answer)

    def _solve_row(self, answer: int) -> Outcome:
        return self.solve(*self.assignment(answer))

    def closed(self, intent: Intent) -> Intent:
        """Return the intent with every optional slot that it leaves out at its neutral value."""
        added = []
        for slot in self._held(intent.frame) if intent.frame in self._number else ():
            neutral = None if slot in intent.by_slot else self.neutral(slot, intent.frame)
            if neutral is not None:
                added.append(Condition(slot, "=", neutral))
        return Intent(intent.frame, (*intent.conditions, *added)) if added else intent

    # -- verdicts ----------------------------------------------------------------------------------------------------
    def judge(self, intent: Intent, outcome: Outcome) -> Judgement:
        """Judge an answer: of a complete intent by the grader, else by what the completions come to."""
        return self._judged(intent, outcome)

    def accepts(self, intent: Intent, outcome: Outcome) -> bool:
        """Return whether an answer is right: of a complete intent the grader says it."""
        positions = self._positions(intent)
        if positions is None:
            return False
        if None not in positions:
            return self._graded(int(self.answers(intent)[0]), outcome).full_credit
        return self.key(intent.frame, outcome) in self._keys(intent)

    def _judge(self, intent: Intent, outcome: Outcome) -> Judgement:
        if self._positions(intent) is None:
            return Judgement(False, (self.frame_slot.id,))
        accepted = self.accepts(intent, outcome)
        return Judgement(accepted, () if accepted else self._violated(intent, outcome))

    def met(self, intents: Sequence[Intent], outcome: Outcome) -> tuple[bool, ...]:
        """Return under which of several intents an answer is right: what it comes to is found once."""
        frames = {i.frame for i in intents}
        came_to = {frame: self.key(frame, outcome) for frame in frames if frame in self._number}
        return tuple(
            came_to.get(i.frame) is not None and came_to[i.frame] in self._keys(i) and self._positions(i) is not None
            for i in intents
        )

    def _violated(self, intent: Intent, outcome: Outcome) -> tuple[str, ...]:
        """Return the slot whose other value the answer would be right for, the frame where no single slot explains."""
        came_to = self.key(intent.frame, outcome)
        if came_to is not None:
            for slot in self._held(intent.frame):
                if slot in intent.by_slot and came_to in self._keys(intent.without(slot)):
                    return (slot,)
        return (self.frame_slot.id,)

    def _keys_now(self, intent: Intent) -> Container[object]:
        """Return what holds the keys of an intent's completions; a subclass may look them up instead."""
        return frozenset(self.key(intent.frame, self._solved(int(a))) for a in self.answers(intent))

    def _grade_row(self, answer: int, outcome: Outcome) -> Grade:
        frame, values = self.assignment(answer)
        return self.grade(frame, values, outcome)

    def score(self, intent: Intent, outcome: Outcome) -> float:
        """Return the grader's score against the intent's first completion, below 1 where it is not accepted."""
        answers = self.answers(self.closed(intent))
        return min(self._graded(int(answers[0]), outcome).score, 1.0 - 1e-6) if len(answers) else 0.0

    # -- a commit is an answer ---------------------------------------------------------------------------------------
    def open_session(self) -> Session:
        """Return None: there is nothing to browse."""
        return None

    def act(self, session: Session, text: str) -> ActResult:
        """Refuse: there is nothing to browse."""
        return ActResult(None, "there is nothing to act on here: ask the user, or commit an answer", True)

    def proposal(self, session: Session, content: str) -> Outcome | None:
        """Return the commit's text, or None where it is empty."""
        return content.strip() or None

    def steps_to(self, outcome: Outcome) -> tuple[str, ...]:
        """Return no act: the answer is the commit's own text."""
        return ()

    # -- planning ----------------------------------------------------------------------------------------------------
    def best(self, beliefs: Intent, rejected: frozenset[Outcome]) -> Outcome | None:
        """Return the answer of the first completion of the beliefs that was not rejected, neutral values first.

        Beliefs that the frame cannot have are left out; where every completion was rejected, the nearest other answer.
        """
        if beliefs.frame not in self._number:
            return None
        held = self._held(beliefs.frame)
        kept = tuple(c for c in beliefs.conditions if c.value in held.get(c.slot, ()))
        intent = beliefs if len(kept) == len(beliefs.conditions) else Intent(beliefs.frame, kept)
        wider = (intent.without(c.slot) for c in kept)
        for believed in itertools.chain((self.closed(intent), intent), wider, (Intent(beliefs.frame, ()),)):
            for answer in self.answers(believed):
                outcome = self._solved(int(answer))
                if outcome not in rejected:
                    return outcome
        return None

    def counts(self, beliefs: Intent) -> tuple[int, NDArray[np.float32]]:
        """Return the number of completions and, per slot, the number of values it can still have."""
        per_slot = np.zeros(len(self.slots), dtype=np.float32)
        positions = self._positions(beliefs)
        if positions is None:
            return 0, per_slot
        per_slot[0] = 1.0
        total = 1
        for axis, at in zip(self._axes(beliefs.frame), positions, strict=True):
            count = len(axis.values) if at is None else 1
            per_slot[self.slot_table.index[axis.slot]] = count
            total *= count
        return total, per_slot

    def values_of(self, slot: str, answers: NDArray[np.int64]) -> Sequence[tuple[Value, ...]]:
        """Return, per outcome id of one frame, the value it has for a slot."""
        if not len(answers):
            return []
        frame = self.frames[int(answers[0]) // _BLOCK]
        if slot == self.frame_slot.id:
            return [(frame,)] * len(answers)
        axis = next((a for a in self._axes(frame) if a.slot == slot), None)
        if axis is None:
            return [()] * len(answers)
        cells = [(value,) for value in axis.values]
        return [cells[p] for p in (answers % _BLOCK // axis.step % len(cells)).tolist()]


class TracedHost(AnswerHost):
    """An answer host that traces an answer back to what it is right for, instead of working all assignments out.

    It stands behind the class that indexes the frames: ``class MyHost(FramedHost[MyFrame], TracedHost)``.
    """

    def __init__(self) -> None:
        """Index the frames."""
        super().__init__()
        self._traced = lru_cache(_CACHE)(self._trace)

    @abstractmethod
    def traced(self, frame: str, key: Hashable) -> Iterable[Assignment]:
        """Yield the assignments of a frame whose answer comes to a key."""

    def _trace(self, frame: str, key: Hashable) -> tuple[Assignment, ...]:
        return tuple(self.traced(frame, key))

    def unmet(self, intent: Intent, key: Hashable) -> list[list[str]]:
        """Return, for each assignment that an answer is right for, the slots whose condition it misses."""
        conditions = intent.conditions
        return [[c.slot for c in conditions if a.get(c.slot) != c.value] for a in self._traced(intent.frame, key)]

    def _keys_now(self, intent: Intent) -> Container[object]:
        return _Among(self, intent)

    def _violated(self, intent: Intent, outcome: Outcome) -> tuple[str, ...]:
        """Return the slot whose other value an answer would be right for, all slots at once."""
        key = self.key(intent.frame, outcome)
        near = [unmet for unmet in self.unmet(intent, key) if len(unmet) <= 1] if key is not None else []
        for axis in self._axes(intent.frame) if near else ():
            if axis.slot in intent.by_slot and any(unmet in ([], [axis.slot]) for unmet in near):
                return (axis.slot,)
        return (self.frame_slot.id,)


class _Among(Container[object]):
    """The keys of the answers that are right for an intent, whatever it leaves out."""

    def __init__(self, host: TracedHost, intent: Intent) -> None:
        self._host, self._intent = host, intent

    def __contains__(self, key: object) -> bool:
        return key is not None and not all(self._host.unmet(self._intent, key))
