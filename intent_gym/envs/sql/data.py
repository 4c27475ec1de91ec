"""Spider's development questions with their databases, golds checked by running them.

Source: Spider 1.0 (Yu et al. 2018), data under CC BY-SA 4.0. Two layouts are read: the original one (``dev.json``,
``database/ID/ID.sqlite``) and the rebuilt one (``dev_questions.jsonl``, ``databases/ID.sqlite``); plain or gzipped.

What is left out has its reason: on the rebuilt databases, which ``data/spider.json``
knows by their hashes, the questions that it names; on any databases the questions whose gold gives no row. A gold that
does not run is an error, not a question less. Scores on other database files do not compare with each other, so
`SpiderData.pinned` says whether the files are the known ones.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from intent_gym.envs.desk import files
from intent_gym.envs.sql.grade import database_file, query_of, run_queries
from intent_gym.errors import DataError

__all__ = ["SpiderData", "SpiderTask", "load"]

_EMPTY = "the gold query gives no row, so any query without rows would be right"


@dataclass(frozen=True, slots=True)
class SpiderTask:
    """A question.

    Attributes:
        id: Its place in the original file, from 0.
        database: Name of its database.
        question: What is asked, in English.
        gold: A query that is right.
    """

    id: int
    database: str
    question: str
    gold: str

    @property
    def case(self) -> dict[str, Any]:
        """The row as `intent_gym.grade("sql", ...)` takes it."""
        return {"idx": self.id, "db_id": self.database, "question": self.question, "query": self.gold}


@dataclass(frozen=True, slots=True)
class SpiderData:
    """A source, read.

    Attributes:
        folder: Where the databases are: the `source` of the grader.
        tasks: In the source's order.
        left_out: Why a question is not among them, by its place in the file.
        digests: SHA-256 of every database file, by name.
        pinned: Whether all files are those that ``data/spider.json`` knows.
    """

    folder: Path
    tasks: tuple[SpiderTask, ...]
    left_out: Mapping[int, str]
    digests: Mapping[str, str]
    pinned: bool


class _Row(BaseModel):
    """A row of the original file; further fields (tokens, a parsed query) are not needed."""

    model_config = ConfigDict(extra="ignore", strict=True)
    db_id: str
    question: str
    query: str
    idx: int | None = None


class _Known(BaseModel):
    """``data/spider.json``."""

    model_config = ConfigDict(extra="forbid")
    about: str
    sha256: dict[str, str]
    left_out_databases: dict[str, str]
    left_out_questions: dict[int, str]


def load(folder: str | Path) -> SpiderData:
    """Return the questions of a folder; the same object for the same folder. Takes a few seconds: every gold is run.

    Raises:
        DataError: A file is missing, damaged or of another format, or a gold does not run; the message says which.
        SandboxError: The sandbox itself failed.
    """
    return _load(Path(folder).resolve())


@lru_cache(maxsize=4)
def _load(folder: Path) -> SpiderData:
    questions = _questions(folder)
    names = list(dict.fromkeys(task.database for task in questions))
    digests = {name: hashlib.sha256(database_file(folder, name).read_bytes()).hexdigest() for name in names}
    known = _known()
    pinned = {name for name, digest in digests.items() if known.sha256.get(name) == digest}
    left_out: dict[int, str] = {}
    kept: list[SpiderTask] = []
    for name in names:
        asked = [task for task in questions if task.database == name]
        for task, rows in zip(asked, _gold_rows(folder, name, asked), strict=True):
            reason = "" if rows else _EMPTY
            if name in pinned:
                reason = known.left_out_databases.get(name) or known.left_out_questions.get(task.id) or reason
            if reason:
                left_out[task.id] = reason
            else:
                kept.append(task)
    kept.sort(key=lambda task: task.id)
    if not kept:
        raise DataError(
            f"expected questions whose golds give rows in {str(folder)!r}, found none; copy the folder again"
        )
    return SpiderData(folder, tuple(kept), left_out, digests, len(pinned) == len(names))


@lru_cache(maxsize=1)
def _known() -> _Known:
    return _Known.model_validate_json((Path(__file__).parent / "data" / "spider.json").read_bytes())


def _gold_rows(folder: Path, name: str, tasks: list[SpiderTask]) -> list[int]:
    """Return how many rows each gold gives."""
    found = run_queries(database_file(folder, name), [query_of(task.gold) for task in tasks])
    counts: list[int] = []
    for task, table in zip(tasks, found, strict=True):
        if isinstance(table, str):
            raise DataError(
                f"question {task.id}: the gold query {table}: {task.gold!r} on {name}; are these Spider's databases?"
            )
        counts.append(len(table.rows))
    return counts


def _questions(folder: Path) -> list[SpiderTask]:
    path = files.find(folder, "dev_questions.jsonl", needed=False)
    if path is not None:
        lines = files.read_text(path).split("\n")
        rows = [(f"{path.name}, line {n}", _json(path, n, line)) for n, line in enumerate(lines, 1) if line.strip()]
    else:
        path = files.find(folder, "dev.json")
        assert path is not None  # find raises where a needed file is missing
        value = files.read_json(path).value
        if not isinstance(value, list):
            raise DataError(f"{path.name}: expected a list of questions, found {type(value).__name__}")
        rows = [(f"{path.name}, question {n}", row) for n, row in enumerate(value)]
    tasks: dict[int, SpiderTask] = {}
    for number, (place, row) in enumerate(rows):
        try:
            fields = _Row.model_validate(row)
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(map(str, first["loc"])) or "the row"
            raise DataError(f"{place}: {field}: {first['msg'].lower()}; is it the original file?") from error
        place_in_file = number if fields.idx is None else fields.idx
        if place_in_file in tasks:
            raise DataError(f"{place}: expected every idx once, found {place_in_file} again")
        tasks[place_in_file] = SpiderTask(place_in_file, fields.db_id, fields.question, fields.query)
    return list(tasks.values())


def _json(path: Path, number: int, line: str) -> Any:  # noqa: ANN401 - any JSON
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise DataError(
            f"{path.name}, line {number}: expected JSON, found a line that is not ({error}); is it whole?"
        ) from error
