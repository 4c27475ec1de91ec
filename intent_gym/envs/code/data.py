"""The original files of HumanEval and LiveCodeBench, checked row by row.

Sources: ``HumanEval.jsonl`` of openai/human-eval (MIT), 164 tasks; ``test*.jsonl`` of livecodebench's
code_generation_lite, or any file of that schema. Plain or gzipped. What is left out, and why, is in ``data/*.json``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from intent_gym.envs.code.cases import livecodebench_case
from intent_gym.envs.desk import files
from intent_gym.errors import DataError

__all__ = ["CodeData", "CodeTask", "load_humaneval", "load_livecodebench"]


@dataclass(frozen=True, slots=True)
class CodeTask:
    """A task of a source.

    Attributes:
        id: The source's own id.
        case: The original row: what `intent_gym.grade("code", ...)` takes.
        gold: A whole program that is right; empty where the source has none (LiveCodeBench).
    """

    id: str
    case: Mapping[str, Any]
    gold: str


@dataclass(frozen=True, slots=True)
class CodeData:
    """A source, read.

    Attributes:
        tasks: In the source's order.
        left_out: Why a task of the source is not among them, by id.
    """

    tasks: tuple[CodeTask, ...]
    left_out: Mapping[str, str]


class _HumanEvalRow(BaseModel):
    """A row of the original file; other fields are kept."""

    model_config = ConfigDict(extra="allow", strict=True)
    task_id: str
    prompt: str
    entry_point: str
    canonical_solution: str
    test: str


class _LiveCodeBenchRow(BaseModel):
    """A row of the original file; other fields are kept."""

    model_config = ConfigDict(extra="allow", strict=True)
    question_title: str
    question_content: str
    question_id: str
    starter_code: str
    public_test_cases: str
    private_test_cases: str
    metadata: str


def load_humaneval(folder: str | Path) -> CodeData:
    """Return the tasks of a folder with ``HumanEval.jsonl``.

    Raises:
        DataError: The file is missing, damaged or of another format; the message says where.
    """
    path = files.find(folder, "HumanEval.jsonl")
    assert path is not None  # find raises where a needed file is missing
    return _load(path, _humaneval_task, "humaneval")


def load_livecodebench(file: str | Path) -> CodeData:
    """Return the problems of a file in LiveCodeBench's schema. Every problem has at least one test.

    Raises:
        DataError: The file is missing, damaged or of another format; the message says where.
    """
    path = Path(file)
    if not path.is_file():
        raise DataError(f"expected a file of LiveCodeBench's problems at {str(path)!r}, found none; check the path")
    return _load(path, _livecodebench_task, "livecodebench")


def _humaneval_task(row: Any) -> tuple[CodeTask, str]:  # noqa: ANN401 - any JSON
    fields = _HumanEvalRow.model_validate(row)
    return CodeTask(fields.task_id, row, fields.prompt + fields.canonical_solution), fields.task_id


def _livecodebench_task(row: Any) -> tuple[CodeTask, str]:  # noqa: ANN401 - any JSON
    fields = _LiveCodeBenchRow.model_validate(row)
    livecodebench_case(row)
    slug = re.sub(r"[^a-z0-9]+", "-", fields.question_title.lower()).strip("-")
    listed = _reasons("livecodebench")
    return CodeTask(fields.question_id, row, ""), slug if slug in listed else fields.question_id


@lru_cache(maxsize=2)
def _reasons(name: str) -> Mapping[str, str]:
    text = (Path(__file__).parent / "data" / f"{name}.json").read_text(encoding="utf-8")
    reasons: dict[str, str] = json.loads(text)["left_out"]
    return reasons


def _load(path: Path, task_of: Callable[[Any], tuple[CodeTask, str]], name: str) -> CodeData:
    reasons = _reasons(name)
    tasks: dict[str, CodeTask] = {}
    left_out: dict[str, str] = {}
    for number, row in _rows(path):
        place = f"{path.name}, line {number}"
        try:
            task, key = task_of(row)
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(map(str, first["loc"])) or "the row"
            raise DataError(f"{place}: {field}: {first['msg'].lower()}; is it the original file?") from error
        except DataError as error:
            raise DataError(f"{place}: {error}") from error
        if task.id in tasks or task.id in left_out:
            raise DataError(f"{place}: expected every id once, found {task.id!r} again; is the file joined twice?")
        if key in reasons:
            left_out[task.id] = reasons[key]
        else:
            tasks[task.id] = task
    if not tasks:
        raise DataError(f"{path.name}: expected tasks, found none; copy the file again")
    return CodeData(tuple(tasks.values()), left_out)


def _rows(path: Path) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(files.read_text(path).split("\n"), 1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except (ValueError, RecursionError) as error:
                raise DataError(
                    f"{path.name}, line {number}: expected JSON, found a line that is not ({error}); is it whole?"
                ) from error
