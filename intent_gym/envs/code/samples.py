"""Frames and goals from LiveCodeBench's few-shot samples, the only problems of its repository that have a solution.

The samples that are solved by a method (``few_shot_func.json``) are taken like HumanEval's tasks (`original`); their
tests are the examples in the problem's text. Those that are whole programs (``few_shot_stdin.json``) have no name and
no result to be told, and are counted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from intent_gym.envs.answers import Assignment
from intent_gym.envs.code.adapters import NEUTRAL, called_with, expected_of
from intent_gym.envs.code.compare import same_value
from intent_gym.envs.code.frames import Given
from intent_gym.envs.code.grade import LIVECODEBENCH_LIMITS, PREAMBLE, returned
from intent_gym.envs.code.original import HELP, SLOTS, GivenHost, given, goal_of, judged, without
from intent_gym.envs.desk import files
from intent_gym.errors import DataError
from intent_gym.grading import Grade

__all__ = ["LiveCodeBenchGivenHost", "read_livecodebench"]

_CORE = "_Solution"
_EXAMPLE = re.compile(r"Input:\s*(.+?)\s*\nOutput:\s*(\S.*?)\s*(?:\n|$)")
_ARGUMENT = re.compile(r"\s*,?\s*\w+\s*=\s*")


class _Row(BaseModel):
    """A row of an original file; programs have no `sample_code`."""

    model_config = ConfigDict(extra="ignore", strict=True)
    question: str
    sample_code: str = ""
    answer: str


class LiveCodeBenchGivenHost(GivenHost):
    """LiveCodeBench's samples."""

    name = "livecodebench"


@dataclass(frozen=True)
class _Examples:
    """The examples of a problem as tests of a method of any name and form."""

    calls: tuple[tuple[Any, ...], ...]
    results: tuple[Any, ...]

    def __call__(self, values: Assignment, answer: str) -> Grade:
        """Grade a text under an assignment."""
        name, ways = str(values["name"]), {**NEUTRAL, **values}
        calls = [tuple(called_with(ways, list(call))) for call in self.calls]
        found = returned(answer, [f"Solution.{name}", name], calls, LIVECODEBENCH_LIMITS, preamble=PREAMBLE)
        if isinstance(found, str):
            return Grade(0.0, found)
        wanted = [expected_of(ways, result) for result in self.results]
        if not all(same_value(f, w) for f, w in zip(found, wanted, strict=True)):
            return Grade(0.0, "another value")
        return Grade(1.0, f"passes {len(wanted)} examples")


def read_livecodebench(folder: str) -> LiveCodeBenchGivenHost:
    """Return the samples of a folder with ``few_shot_func.json``.

    Raises:
        DataError: The file is missing or damaged, or one of its solutions fails its examples.
        SandboxError: The sandbox failed.
    """
    frames: list[Given] = []
    goals = []
    for number, row in enumerate(_rows(folder, "few_shot_func.json")):
        task = f"few-shot-{number}"
        name, frame = _frame(number, task, row)
        verdict = judged(frame, name)
        if verdict.reason:
            raise DataError(f"few_shot_func.json, problem {number}: {verdict.reason}; is it the original file?")
        frame = without(frame, verdict.without)
        frames.append(frame)
        goals.append(goal_of(task, frame, name))
    if not frames:
        raise DataError(f"few_shot_func.json: expected problems, found none in {folder!r}; copy the file again")
    programs = sum(1 for _ in _rows(folder, "few_shot_stdin.json")) if _there(folder, "few_shot_stdin.json") else 0
    rejections = {"a program: it has no name and no result to be told": programs} if programs else {}
    return LiveCodeBenchGivenHost(SLOTS, frames, goals, folder, rejections)


def _there(folder: str, name: str) -> bool:
    return files.find(folder, name, needed=False) is not None


def _rows(folder: str, name: str) -> Iterator[_Row]:
    path = files.find(folder, name)
    assert path is not None  # find raises where a needed file is missing
    try:
        yield from TypeAdapter(list[_Row]).validate_python(files.read_json(path).value)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"])) or "the file"
        raise DataError(f"{name}: {field}: {first['msg'].lower()}; is it the original file?") from error


def _frame(number: int, task: str, row: _Row) -> tuple[str, Given]:
    """Return the method's name, and the problem with all its values."""
    found = re.search(r"def (\w+)\(self", row.sample_code)
    calls = tuple((_arguments(i), _value(o)) for i, o in _EXAMPLE.findall(row.question))
    if found is None or "class Solution" not in row.answer or not calls:
        raise DataError(f"few_shot_func.json, problem {number}: expected a method of Solution and examples, found none")
    name = found[1]
    core = row.answer.strip().replace("class Solution", f"class {_CORE}")
    sample = re.sub(rf"\b{name}\b", "[name]", row.sample_code.rstrip())
    pieces = (
        f"{core}\n\n\nclass Solution:\n    def ",
        "(self, *arguments):\n",
        f"        result = {_CORE}().{name}(*arguments)\n",
        "        return result",
    )
    examples = _Examples(tuple(c for c, _ in calls), tuple(r for _, r in calls))
    brief = f"{row.question.strip()}\n\n{sample}\n\n{HELP}"
    return name, given(number, task, name, brief, pieces, examples, "test" if number % 2 else "train")


def _arguments(text: str) -> tuple[Any, ...]:
    r"""Return the values of an example's input.

    >>> _arguments('s = "a, b = 1", k = [1, 2]')
    ('a, b = 1', [1, 2])
    """
    values: list[Any] = []
    at = 0
    while at < len(text):
        head = _ARGUMENT.match(text, at)
        if head is None:
            raise DataError(f"few_shot_func.json: expected an example like 's = \"a\", k = 1', found {text[:80]!r}")
        try:
            value, at = json.JSONDecoder().raw_decode(text, head.end())
        except ValueError as error:
            raise DataError(f"few_shot_func.json: expected values in an example, found {text[:80]!r}") from error
        values.append(value)
    return tuple(values)


def _value(text: str) -> Any:  # noqa: ANN401 - any JSON
    try:
        return json.loads(text)
    except ValueError as error:
        raise DataError(f"few_shot_func.json: expected a value as output, found {text[:80]!r}") from error
