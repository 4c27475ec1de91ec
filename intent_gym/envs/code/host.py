"""The hosts of DriftHumanEval-v0 and DriftLiveCodeBench-v0: functions whose parts a person sets.

A program that the host renders itself is not run: what it returns is computed from its parts. Any other text runs in
the sandbox, on the arguments of all tests; what is expected is never there.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Container, Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

import numpy as np

from intent_gym.core.intent import Intent, Value
from intent_gym.envs.answers import Assignment
from intent_gym.envs.code.compare import same_value
from intent_gym.envs.code.frames import Frame, Made
from intent_gym.envs.code.generator import Style, make_frames, make_goals
from intent_gym.envs.code.grade import HUMANEVAL_LIMITS, LIVECODEBENCH_LIMITS, PREAMBLE, returned
from intent_gym.envs.code.slots import SLOTS
from intent_gym.envs.framed import GroupedHost
from intent_gym.envs.host import Outcome
from intent_gym.grading import Grade

__all__ = ["CodeHost", "HumanEvalHost", "LiveCodeBenchHost", "MadeHost", "Meaning", "load_humaneval"]
__all__ += ["load_livecodebench"]

F = TypeVar("F", bound=Frame)
_CACHE = 1 << 14
_FOREIGN = 1 << 10
_COMPANIONS = ("a copy of the notes", "a picture postcard", "a pot of jam")
"""What may be asked for beside a function."""


class CodeHost(GroupedHost[F]):
    """Functions to write: what the generated and the original ones share.

    Args:
        slots: The frame's slot first.
        frames: All functions.
        goals: Complete tasks.
        source: "embedded" or the folder read.
        rejections: Tasks of the source that are not admitted, by reason.
    """

    commit_help = "put the whole program into the commit"

    def companions(self, frame: str) -> tuple[str, ...]:
        """Return things that can stand beside a printed program."""
        return self.apart(_COMPANIONS, frame)

    def noun(self, frame: str) -> str:
        """Return the frame: its name comes with its article."""
        return frame


@dataclass(frozen=True)
class Run:
    """What a program's function returns for all tests.

    Attributes:
        name: The function.
        values: As plain values.
        sign: `signature` of the last value.
    """

    name: str
    values: Sequence[Any]
    sign: int

    def __hash__(self) -> int:
        """Return a hash that equal runs share: values may be lists."""
        return hash((self.name, self.sign))


class Meaning(NamedTuple):
    """What a program comes to.

    Attributes:
        runs: For each of the frame's names that it defines.
        values: The assignment, sorted, that the host renders to it; None for a text of somebody else's.
    """

    runs: tuple[Run, ...]
    values: tuple[tuple[str, Value], ...] | None


def signature(value: Any) -> int:  # noqa: ANN401 - any plain value
    """Return a number that is the same for values that are equal to the grader, not 0; of this process only.

    It serves integers, texts, None, lists, and mappings with one key: what the generated functions return.

    >>> signature([[1, 2.0], None]) == signature([(1.0, 2), None]) != signature([[True, 2], None])
    True
    """
    return hash(_plain(value)) or 1


def _plain(value: object) -> Hashable:
    if isinstance(value, (list, tuple)):
        return ("list", *(_plain(v) for v in value))
    if isinstance(value, dict):
        return ("dict", frozenset((repr(k), _plain(v)) for k, v in value.items()))
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return (type(value).__name__, repr(value))


class _Signatures:
    """Signatures of what a frame's assignments return for the last test, worked out when they are first wanted."""

    def __init__(self, host: MadeHost, frame: str) -> None:
        everything = host.answers(Intent(frame, ()))
        self._host = host
        self._first = int(everything[0])
        self._rest = len(everything) // len(host.values("name", frame))
        self._known = np.zeros(self._rest, dtype=np.int64)  # the name, which varies slowest, changes no value

    def has(self, intent: Intent, run: Run) -> bool:
        """Return whether a run is what a completion of an intent returns."""
        rows = np.unique((self._host.answers(intent) - self._first) % self._rest)
        for row in rows[self._known[rows] == 0].tolist():
            self._known[row] = signature(self._host.last_expected(row + self._first))
        near = rows[self._known[rows] == run.sign].tolist()
        return any(_same(run.values, self._host.expected(row + self._first)) for row in near)


def _same(found: Sequence[Any], expected: Sequence[Any]) -> bool:
    return all(same_value(f, e) for f, e in zip(found, expected, strict=True))


class _Among(Container[object]):
    """The programs that answer an intent, whatever it leaves out."""

    def __init__(self, intent: Intent, signatures: _Signatures) -> None:
        self._intent, self._signatures = intent, signatures
        self._wanted = {c.slot: c.value for c in intent.conditions}

    def __contains__(self, meaning: object) -> bool:
        if not isinstance(meaning, Meaning):
            return False
        if meaning.values is not None and self._wanted.items() <= set(meaning.values):
            return True
        name = self._wanted.get("name")
        return any(self._signatures.has(self._intent, run) for run in meaning.runs if name in (None, run.name))


class MadeHost(CodeHost[Made]):
    """The generated functions; a subclass says how a program is called."""

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        """Prepare the caches."""
        self.expected = lru_cache(_CACHE)(self._expected_now)
        self._meaning = lru_cache(_CACHE)(self._meaning_now)
        self._run = lru_cache(_FOREIGN)(self._run_now)
        self._signatures = lru_cache(maxsize=None)(lambda frame: _Signatures(self, frame))
        super().__init__(*arguments, **keywords)

    @abstractmethod
    def returned(self, answer: str, name: str, calls: Sequence[tuple[Any, ...]]) -> list[Any] | str:
        """Run a program in the sandbox; see `grade.returned`."""

    def solve(self, frame: str, values: Assignment) -> Outcome:
        """Return the program."""
        return self._frames[frame].source.render(values)

    def _expected_now(self, answer: int) -> list[Any]:
        """Return what is expected of an outcome id, for every test."""
        frame, values = self.assignment(answer)
        return self._frames[frame].outputs(values)

    def last_expected(self, answer: int) -> Any:  # noqa: ANN401 - any plain value
        """Return what is expected of an outcome id for the last test."""
        frame, values = self.assignment(answer)
        return self._frames[frame].last_output(values)

    def _run_now(self, frame: str, answer: str, name: str) -> list[Any] | str:
        """Return what a program returns, or why it does not."""
        found = self._frames[frame]
        own = found.source.read(answer)
        if own is None:
            return self.returned(answer, name, found.calls)
        return found.outputs(own) if own["name"] == name else f"no program that defines {name!r}"

    def key(self, frame: str, answer: str) -> Meaning | None:
        """Return what a program comes to; None where no function of the frame's names runs on all tests."""
        return self._meaning(frame, answer)

    def _meaning_now(self, frame: str, answer: str) -> Meaning | None:
        own = self._frames[frame].source.read(answer)
        names = [str(n) for n in self.values("name", frame) if re.search(rf"\b{n}\b", answer)]
        runs: list[Run] = []
        for name in names:
            found = self._run(frame, answer, name)
            if not isinstance(found, str):
                runs.append(Run(name, found, signature(found[-1])))
        if not runs:
            return None
        return Meaning(tuple(runs), None if own is None else tuple(sorted(own.items())))

    def _keys_now(self, intent: Intent) -> Container[object]:
        """Return the programs that answer an intent, without working them all out."""
        return _Among(intent, self._signatures(intent.frame))

    def _violated(self, intent: Intent, outcome: Outcome) -> tuple[str, ...]:
        """Return the slot whose other value an answer would be right for, as `AnswerHost`.

        A program that the host renders tells by itself which value that is.
        """
        values = self._frames[intent.frame].source.read(outcome)
        if values is None:
            return super()._violated(intent, outcome)
        others = [c.slot for c in intent.conditions if values[c.slot] != c.value]
        return (others[0],) if len(others) == 1 else (self.frame_slot.id,)

    def grade(self, frame: str, values: Assignment, answer: str) -> Grade:
        """Grade a program by what it returns for all tests; all or nothing."""
        return self._compared(self._run(frame, answer, str(values["name"])), self._frames[frame].outputs(values))

    def _grade_row(self, answer: int, outcome: Outcome) -> Grade:
        """Grade by the remembered values of an outcome id."""
        frame, values = self.assignment(answer)
        return self._compared(self._run(frame, outcome, str(values["name"])), self.expected(answer))

    def _compared(self, found: list[Any] | str, expected: Sequence[Any]) -> Grade:
        if isinstance(found, str):
            return Grade(0.0, found)
        for number, (value, right) in enumerate(zip(found, expected, strict=True), 1):
            if not same_value(value, right):
                return Grade(0.0, f"test {number} of {len(expected)} fails: another value")
        return Grade(1.0, f"passes {len(expected)} tests")


class HumanEvalHost(MadeHost):
    """Generated functions in the style of HumanEval: one function of a list."""

    name = "humaneval"

    def returned(self, answer: str, name: str, calls: Sequence[tuple[Any, ...]]) -> list[Any] | str:
        """Run a function in the sandbox, within the time for all tests together."""
        return returned(answer, [name], calls, HUMANEVAL_LIMITS, together=True)


class LiveCodeBenchHost(MadeHost):
    """Generated functions in the style of LiveCodeBench: a method of ``Solution`` of a list and a number."""

    name = "livecodebench"

    def returned(self, answer: str, name: str, calls: Sequence[tuple[Any, ...]]) -> list[Any] | str:
        """Run a method or a function in the sandbox, within a time for each test."""
        return returned(answer, [f"Solution.{name}", name], calls, LIVECODEBENCH_LIMITS, preamble=PREAMBLE)


def _embedded(kind: type[MadeHost], style: Style) -> MadeHost:
    frames = make_frames(style)
    return kind(SLOTS, frames, make_goals(style, frames))


def load_humaneval(source: str = "embedded") -> CodeHost[Any]:
    """Return the functions of DriftHumanEval-v0.

    Args:
        source: "embedded": generated by this project; else a folder with ``HumanEval.jsonl``.

    Raises:
        DataError: The folder cannot be read, or the file is damaged.
    """
    if source != "embedded":
        from intent_gym.envs.code.original import read_humaneval

        return read_humaneval(source)
    return _embedded(HumanEvalHost, "humaneval")


def load_livecodebench(source: str = "embedded") -> CodeHost[Any]:
    """Return the functions of DriftLiveCodeBench-v0.

    Args:
        source: "embedded": generated by this project; else a folder with LiveCodeBench's ``few_shot_func.json``.

    Raises:
        DataError: The folder cannot be read, or a file is damaged.
    """
    if source != "embedded":
        from intent_gym.envs.code.samples import read_livecodebench

        return read_livecodebench(source)
    return _embedded(LiveCodeBenchHost, "livecodebench")
