"""The source folder of BFCL: questions with function schemas, and the possible answers, plain or gzipped.

Source: the single-turn, non-live Python files of the Berkeley Function Calling Leaderboard, version 4 (Apache-2.0):
``BFCL_v4_<category>.json`` and ``possible_answer_BFCL_v4_<category>.json``, JSON lines, joined by id. Any category may
be missing. A folder is read once a process.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from intent_gym.envs.lines import read_rows
from intent_gym.envs.tools.calls import Call, render_calls
from intent_gym.envs.tools.match import Entry, possible_values
from intent_gym.errors import DataError

__all__ = ["CATEGORIES", "ToolTask", "load_tools"]

CATEGORIES = ("simple_python", "multiple", "parallel", "parallel_multiple", "irrelevance")


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Message(_Strict):
    role: str
    content: str


class _Parameters(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True)

    type: str
    properties: dict[str, dict[str, Any]]
    required: list[str] = []


class _Function(_Strict):
    name: str
    description: str
    parameters: _Parameters


class _Question(_Strict):
    id: str
    question: list[list[_Message]]
    function: list[_Function]


class _Answer(_Strict):
    id: str
    ground_truth: list[dict[str, dict[str, list[Any]]]]


@dataclass(frozen=True)
class ToolTask:
    """One request.

    Attributes:
        id: As in the original: the category and a number.
        function: Schemas, as in the original; shared and never changed.
        ground_truth: The right calls, one function each with its parameters' possible values; empty where none is.
    """

    id: str
    category: str
    question: str
    function: tuple[Mapping[str, Any], ...]
    ground_truth: tuple[Entry, ...]

    @property
    def case(self) -> dict[str, Any]:
        """What the grader needs."""
        return {
            "source": self.id,
            "category": self.category,
            "question": self.question,
            "function": list(self.function),
            "ground_truth": list(self.ground_truth),
        }

    def schema(self, function: str) -> Mapping[str, Mapping[str, Any]]:
        """Return the schemas of a function's parameters by name."""
        found: Mapping[str, Mapping[str, Any]] = next(
            entry["parameters"]["properties"] for entry in self.function if entry["name"] == function
        )
        return found

    def required(self, function: str) -> frozenset[str]:
        """Return the names of the parameters that the schema of a function requires."""
        return next(
            frozenset(entry["parameters"].get("required", ())) for entry in self.function if entry["name"] == function
        )

    def gold_calls(self, *, optional: bool = True) -> list[Call]:
        """Return the right calls with the first possible value each.

        Args:
            optional: Whether to give what may be left out. A parameter that the schema lacks is left out if it may be.
        """
        calls = []
        for entry in self.ground_truth:
            ((name, parameters),) = entry.items()
            schema = self.schema(name)
            required = self.required(name)
            arguments = {}
            for parameter, possible in parameters.items():
                values = possible_values(possible, schema.get(parameter))
                omittable = "" in possible and parameter not in required
                if not values or (omittable and not (optional and parameter in schema)):
                    continue
                arguments[parameter] = _first(values[0])
            calls.append(Call(name, arguments))
        return calls

    @property
    def gold_answer(self) -> str:
        """An answer with full credit."""
        return render_calls(self.gold_calls())


@lru_cache(maxsize=4)
def load_tools(folder: str | Path) -> tuple[ToolTask, ...]:
    """Return the tasks of a folder, category by category, in the files' order.

    Raises:
        DataError: There is no file, one is damaged, or questions and answers do not belong together.
    """
    tasks: list[ToolTask] = []
    for category in CATEGORIES:
        questions = read_rows(folder, f"BFCL_v4_{category}.json", _Question, needed=False)
        if not questions:
            continue
        answers = {}
        if category != "irrelevance":
            name = f"possible_answer_BFCL_v4_{category}.json"
            answers = {row.id: row for row in read_rows(folder, name, _Answer)}
            _check_joined(category, questions, answers)
        for row in questions:
            answer = answers.get(row.id)
            text = "\n".join(message.content for turn in row.question for message in turn)
            schemas = tuple(function.model_dump(exclude_unset=True) for function in row.function)
            task = ToolTask(row.id, category, text, schemas, tuple(answer.ground_truth) if answer else ())
            _check(task)
            tasks.append(task)
    if not tasks:
        raise DataError(
            f"expected BFCL_v4_<category>.json (or .gz) in {str(folder)!r}, found none; categories: "
            f"{', '.join(CATEGORIES)}"
        )
    return tuple(tasks)


def _check_joined(category: str, questions: Sequence[_Question], answers: Mapping[str, _Answer]) -> None:
    if odd := sorted({row.id for row in questions} ^ set(answers)):
        raise DataError(
            f"{category}: expected the same ids in questions and possible answers, found {len(odd)} on one side only, "
            f"{odd[0]!r} first; copy both files of one version"
        )


def _check(task: ToolTask) -> None:
    names = [function["name"] for function in task.function]
    for entry in task.ground_truth:
        if len(entry) != 1 or next(iter(entry)) not in names:
            raise DataError(f"{task.id}: expected an answer with one of the functions {names}, found {sorted(entry)}")
        if not all(values for parameters in entry.values() for values in parameters.values()):
            raise DataError(f"{task.id}: expected possible values for each parameter, found an empty list")


def _first(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Return a value with the first possible one of every key of the objects in it."""
    if isinstance(value, dict):
        chosen = {}
        for key, possible in value.items():
            values = [v for v in possible if v != ""] if isinstance(possible, list) else [possible]
            if values and not (isinstance(possible, list) and "" in possible):
                chosen[key] = _first(values[0])
        return chosen
    return [_first(element) for element in value] if isinstance(value, list) else value
