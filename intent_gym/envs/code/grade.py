"""Grading programs: HumanEval by its tests, LiveCodeBench by calls or by output. All or nothing: 1 or 0.

The answer may be prose with fenced blocks, one whole program, or the body of a HumanEval function. The last block that
binds the function (for LiveCodeBench programs: the last that does something) is run whole, with the prompt's names in
scope; a ``__main__`` guard runs only where a program is wanted. The process that runs it sees arguments, never expected
values; see `intent_gym.sandbox`. Only the standard library can be imported.

HumanEval's ``check`` runs in a second process: what it calls goes out to the first one and comes back as a plain value.
LiveCodeBench's values are compared here (`compare`), all tests, public and private; a non-zero exit status fails.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from intent_gym.envs.code.cases import (
    FunctionTest,
    HumanEvalCase,
    LiveCodeBenchCase,
    OutputTest,
    humaneval_case,
    livecodebench_case,
)
from intent_gym.envs.code.compare import same_output, same_value
from intent_gym.errors import DataError
from intent_gym.grading import Grade
from intent_gym.grading_fences import blocks
from intent_gym.sandbox import plain
from intent_gym.sandbox.client import Child, ChildEnded, Limits

__all__ = [
    "HUMANEVAL_LIMITS",
    "LIVECODEBENCH_LIMITS",
    "PREAMBLE",
    "Fault",
    "grade",
    "grade_humaneval",
    "grade_livecodebench",
    "returned",
]

HUMANEVAL_LIMITS = Limits(cpu_s=3, wall_s=10.0)
"""For all tests of a task together; the original gives three seconds by the clock."""

LIVECODEBENCH_LIMITS = Limits(cpu_s=6, wall_s=18.0)
"""For each test; the original gives six seconds by the clock."""

_JUDGE_LIMITS = Limits(cpu_s=10, wall_s=30.0)
"""For the tests' own work between two calls."""

_PYTHON = ("python", "py", "python3")

# The names that LiveCodeBench's runner gives to every program; `builtins` last, for `pow` and others have namesakes.
_STARS = "string re datetime collections heapq bisect copy math random statistics itertools functools operator io sys"
PREAMBLE = "\n".join(
    [f"from {name} import *" for name in f"{_STARS} json typing builtins".split()]
    + [f"import {name}" for name in f"{_STARS} json".split()]
    + ["sys.setrecursionlimit(50_000)"]
)


def grade(case: Mapping[str, Any], answer: str, source: Path | None = None) -> Grade:
    """Grade an answer to a row of HumanEval (it has `entry_point`) or of LiveCodeBench (it has `public_test_cases`).

    Args:
        case: The original row.
        answer: The raw text of the model.
        source: Not needed.

    Raises:
        DataError: The row is neither, is damaged, or has no test.
        SandboxError: The sandbox itself failed.
    """
    if "entry_point" in case:
        return grade_humaneval(humaneval_case(case), answer)
    if "public_test_cases" in case:
        return grade_livecodebench(livecodebench_case(case), answer)
    raise DataError(
        "case: expected the fields of HumanEval (entry_point, prompt, test) or of LiveCodeBench (public_test_cases, "
        f"private_test_cases, metadata), found {', '.join(map(str, case)) or 'none'}"
    )


def _texts(answer: str) -> list[str]:
    return [block.text for block in blocks(answer)]


def _functions(answer: str, names: Sequence[str], limits: Limits, prompt: str = "", preamble: str = "") -> Child:
    request = {
        "blocks": _texts(answer),
        "names": list(names),
        "prompt": prompt,
        "preamble": preamble,
        "limit": limits.output_mb << 20,
    }
    return Child("functions", request, limits)


def _loaded(child: Child, name: str) -> Grade | None:
    """Wait until the program has loaded; the grade if it does not."""
    if not child.ready():
        return Grade(0.0, f"no program that defines {name!r}")
    reply = child.receive()
    return None if reply[:1] == b"L" else Grade(0.0, f"the program does not load: {_words(reply)}")


def _words(reply: bytes) -> str:
    return reply[1:].decode(errors="replace")[:200]


def grade_humaneval(case: HumanEvalCase, answer: str, limits: Limits = HUMANEVAL_LIMITS, adapter: str = "") -> Grade:
    """Grade an answer by the tests of a HumanEval task.

    Args:
        case: The task.
        answer: The raw text of the model.
        limits: For all tests together.
        adapter: A program, the suite's own, that stands between the tests and the function: ``sent(arguments)`` returns
            what the function is called with, ``got(value)`` what the test is given, or raises.

    Raises:
        DataError: The test does not load, never calls the function, or fails before it does.
        SandboxError: The sandbox itself failed.
    """
    try:
        with _functions(answer, [case.entry_point], limits, prompt=case.prompt) as child:
            failed = _loaded(child, case.entry_point)
            return failed or _tested(child, case, adapter)
    except ChildEnded as error:
        return Grade(0.0, f"the program {error}")


def _tested(child: Child, case: HumanEvalCase, adapter: str) -> Grade:
    request = {"prompt": case.prompt, "test": case.test, "name": case.entry_point, "adapter": adapter}
    calls = 0
    with Child("judge", request, _JUDGE_LIMITS) as judge:
        try:
            judge.ready()
            message = judge.receive()
            while message[:1] == b"C":
                calls += 1
                child.send(message[1:])
                reply = child.receive()
                judge.renew()
                judge.send(reply)
                message = judge.receive()
        except ChildEnded as error:
            if judge.ended and not calls:
                raise DataError(f"case: the test of {case.entry_point!r} {error}; use the original row") from error
            whose = "the test, on the values it was given," if judge.ended else "the program"
            return Grade(0.0, f"{whose} {error}")
    if message[:1] == b"P":
        return Grade(1.0, f"passes with {calls} calls")
    if message[:1] == b"F":
        return Grade(0.0, f"fails: {_words(message)}")
    raise DataError(f"case: the test of {case.entry_point!r} {_words(message)}; use the original row")


def grade_livecodebench(case: LiveCodeBenchCase, answer: str, limits: Limits = LIVECODEBENCH_LIMITS) -> Grade:
    """Grade an answer by all tests of a LiveCodeBench problem.

    Raises:
        SandboxError: The sandbox itself failed.
    """
    try:
        if case.function:
            return _called(case.function, case.calls, answer, limits)
        return _printed(case.outputs, answer, limits)
    except ChildEnded as error:
        return Grade(0.0, f"the program {error}")


def _called(function: str, tests: Sequence[FunctionTest], answer: str, limits: Limits) -> Grade:
    names = [f"Solution.{function}", function]
    results = _results(answer, names, [test.arguments for test in tests], limits, preamble=PREAMBLE)
    for number, (test, result) in enumerate(zip(tests, results, strict=False), 1):
        if isinstance(result, Fault):
            return Grade(0.0, result.reason if result.number == 0 else f"test {number} of {len(tests)} {result.reason}")
        if not same_value(result, test.value):
            return Grade(0.0, f"test {number} of {len(tests)} fails: another value")
    return Grade(1.0, f"passes {len(tests)} tests")


class Fault(NamedTuple):
    """Why a program returns nothing more.

    Attributes:
        number: Of the call, from 1; 0 if it could not be loaded.
        reason: In words.
    """

    number: int
    reason: str


def _results(
    answer: str,
    names: Sequence[str],
    calls: Sequence[tuple[Any, ...]],
    limits: Limits,
    *,
    prompt: str = "",
    preamble: str = "",
    together: bool = False,
) -> Iterator[Any]:
    """Yield what a function returns, call by call; a `Fault` ends it. What is expected never goes to the process."""
    limits = limits if together else replace(limits, requests=len(calls) + 1)
    with _functions(answer, names, limits, prompt=prompt, preamble=preamble) as child:
        failed = _loaded(child, names[-1])
        if failed:
            yield Fault(0, failed.reason)
            return
        for number, arguments in enumerate(calls, 1):
            if not together:
                child.renew()
            child.send(plain.dumps([list(arguments), {}]))
            reply = child.receive()
            if reply[:1] != b"V":
                yield Fault(number, f"fails: {_words(reply)}")
                return
            try:
                value = plain.loads(reply[1:])
            except plain.NotPlainError:
                yield Fault(number, "fails: no plain value")
                return
            yield value


def returned(
    answer: str,
    names: Sequence[str],
    calls: Sequence[tuple[Any, ...]],
    limits: Limits,
    *,
    preamble: str = "",
    together: bool = False,
) -> list[Any] | str:
    """Return what a function returns for all calls, run in one process, or why it does not.

    Args:
        answer: The raw text of the model.
        names: A function, or "Class.function"; the first that the program defines is called.
        calls: Arguments.
        limits: For each call, or for all.
        preamble: A program that runs first.
        together: Whether the limits are for all calls together.

    Raises:
        SandboxError: The sandbox itself failed.
    """
    found: list[Any] = []
    try:
        for value in _results(answer, names, calls, limits, preamble=preamble, together=together):
            if isinstance(value, Fault):
                return value.reason if value.number == 0 else f"test {value.number} of {len(calls)} {value.reason}"
            found.append(value)
    except ChildEnded as error:
        return f"the program {error}"
    return found


def _printed(tests: Sequence[OutputTest], answer: str, limits: Limits) -> Grade:
    found = blocks(answer)
    texts = [block.text for block in found if block.tag in _PYTHON] or [block.text for block in found]
    for number, test in enumerate(tests, 1):
        place = f"test {number} of {len(tests)} fails"
        request = {"blocks": texts, "preamble": PREAMBLE}
        with Child("script", request, limits, stdin=test.stdin.encode()) as child:
            if not child.ready():
                return Grade(0.0, "no program")
            status = child.finish()
        if status:
            return Grade(0.0, f"{place}: exit status {status}")
        if not same_output(child.output.decode(errors="replace"), test.output):
            return Grade(0.0, f"{place}: another output")
    return Grade(1.0, f"passes {len(tests)} tests")
