"""The fields of a code task that its grader needs, checked: HumanEval's and LiveCodeBench's original schemas."""

from __future__ import annotations

import base64
import binascii
import io
import json
import pickle
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from intent_gym.errors import DataError

__all__ = ["FunctionTest", "HumanEvalCase", "LiveCodeBenchCase", "OutputTest", "humaneval_case", "livecodebench_case"]


@dataclass(frozen=True, slots=True)
class HumanEvalCase:
    """A task of HumanEval.

    Attributes:
        prompt: Imports, helpers and the head of the function, with its description.
        entry_point: The function's name.
        test: A program that defines ``check(candidate)``.
    """

    prompt: str
    entry_point: str
    test: str


@dataclass(frozen=True, slots=True)
class FunctionTest:
    """Arguments of a call and its value, read from JSON."""

    arguments: tuple[Any, ...]
    value: Any


@dataclass(frozen=True, slots=True)
class OutputTest:
    """Standard input of a program and its output."""

    stdin: str
    output: str


@dataclass(frozen=True, slots=True)
class LiveCodeBenchCase:
    """A problem of LiveCodeBench; exactly one of the two kinds of tests is there.

    Attributes:
        function: Name of the function or of the method of ``Solution``; empty if a program is wanted.
        calls: Tests of a function, public ones first.
        outputs: Tests of a program, public ones first.
    """

    function: str
    calls: tuple[FunctionTest, ...]
    outputs: tuple[OutputTest, ...]


def _broken(what: str, expected: str, found: object) -> NoReturn:
    raise DataError(f"case: expected {expected} in {what!r}, found {str(found)[:80]!r}; use the original row")


def _text(case: Mapping[str, Any], name: str) -> str:
    value = case.get(name)
    if not isinstance(value, str):
        _broken(name, "a text", "no such field" if name not in case else type(value).__name__)
    return value


def humaneval_case(case: Mapping[str, Any]) -> HumanEvalCase:
    """Return the fields of a HumanEval row.

    Raises:
        DataError: One is missing or of the wrong kind.
    """
    found = HumanEvalCase(_text(case, "prompt"), _text(case, "entry_point"), _text(case, "test"))
    if not found.entry_point.isidentifier():
        _broken("entry_point", "a function's name", found.entry_point)
    return found


def livecodebench_case(case: Mapping[str, Any]) -> LiveCodeBenchCase:
    """Return the tests of a LiveCodeBench row, public and private ones, unpacked.

    Raises:
        DataError: A field is missing or damaged, or there is no test at all.
    """
    metadata = _json("metadata", case.get("metadata", "{}"))
    if not isinstance(metadata, Mapping):
        _broken("metadata", "a mapping", metadata)
    function = metadata.get("func_name") or ""
    if not isinstance(function, str) or (function and not function.isidentifier()):
        _broken("metadata", "a function's name as func_name", function)
    rows: list[Any] = []
    for name in ("public_test_cases", "private_test_cases"):
        if name not in case:
            _broken(name, "tests", "no such field")
        tests = _tests(name, case[name])
        if not isinstance(tests, list):
            _broken(name, "a list of tests", tests)
        rows += tests
    if not rows:
        raise DataError("case: expected at least one test, found none; without tests every answer would be right")
    for row in rows:
        if not isinstance(row, Mapping) or not all(isinstance(row.get(k), str) for k in ("input", "output")):
            _broken("tests", "texts input and output", row)
    if function:
        calls = tuple(FunctionTest(_arguments(row["input"]), _json("output", row["output"])) for row in rows)
        return LiveCodeBenchCase(function, calls, ())
    return LiveCodeBenchCase("", (), tuple(OutputTest(row["input"], row["output"]) for row in rows))


def _arguments(text: str) -> tuple[Any, ...]:
    """Return one argument a line."""
    return tuple(_json("input", line) for line in text.split("\n") if line.strip())


def _json(name: str, value: object) -> Any:  # noqa: ANN401 - any JSON
    if not isinstance(value, (str, bytes)):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        _broken(name, "JSON", value)


class _TextOnly(pickle.Unpickler):
    """Reads a pickled text; a pickle that names any class or function is refused."""

    def find_class(self, module: str, name: str) -> NoReturn:
        raise pickle.UnpicklingError(f"it names {module}.{name}")


def _tests(name: str, value: object) -> Any:  # noqa: ANN401 - any JSON
    """Return tests from JSON, or from the packed form: base64 of zlib of a pickled text of JSON."""
    if not isinstance(value, str) or value.lstrip()[:1] in ("[", "{", ""):
        return _json(name, value)
    try:
        packed = zlib.decompress(base64.b64decode(value, validate=True))
        text = _TextOnly(io.BytesIO(packed)).load()
    except (binascii.Error, zlib.error, pickle.UnpicklingError, EOFError, ValueError, IndexError, KeyError) as error:
        _broken(name, "JSON or packed JSON", error)
    if not isinstance(text, (str, bytes)):
        _broken(name, "a packed text", type(text).__name__)
    return _json(name, text)
