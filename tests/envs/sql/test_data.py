"""The loader of Spider: golds are right, empty answers are not, and what is left out has its reason."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from intent_gym import grade
from intent_gym.envs.sql.data import load
from intent_gym.errors import DataError

ROW = {"db_id": "cats", "question": "How many?", "query": "SELECT count(*) FROM cat", "query_toks": []}


@pytest.mark.slow
def test_every_gold_has_full_credit_and_no_empty_answer_has(shared_data: Path) -> None:
    data = load(shared_data / "intentflux" / "spider")
    assert [task.id for task in data.tasks if not grade("sql", task.case, task.gold, data.folder).full_credit] == []
    assert [task.id for task in data.tasks if grade("sql", task.case, "", data.folder).score] == []


def test_the_rebuilt_databases_are_known(shared_data: Path) -> None:
    data = load(shared_data / "intentflux" / "spider")
    assert data.pinned
    assert len(data.digests) == 20
    assert (len(data.tasks), len(data.left_out)) == (951, 83)
    reasons = list(data.left_out.values())
    assert sum("rankings" in reason for reason in reasons) == 62  # all of wta_1, its 8 empty golds included
    assert sum("gives no row" in reason for reason in reasons) == 21
    assert not {task.id for task in data.tasks} & data.left_out.keys()
    assert "wta_1" not in {task.database for task in data.tasks}


def original(folder: Path, target: Path, rows: Any) -> Path:  # noqa: ANN401 - any JSON
    (target / "database" / "cats").mkdir(parents=True)
    shutil.copy(folder / "databases" / "cats.sqlite", target / "database" / "cats" / "cats.sqlite")
    (target / "dev.json").write_text(rows if isinstance(rows, str) else json.dumps(rows), encoding="utf-8")
    return target


def test_the_original_layout_is_read(folder: Path, tmp_path: Path) -> None:
    empty = {**ROW, "query": "SELECT name FROM cat WHERE age > 99"}
    data = load(original(folder, tmp_path, [empty, ROW]))
    assert [(task.id, task.gold) for task in data.tasks] == [(1, ROW["query"])]
    assert data.left_out == {0: "the gold query gives no row, so any query without rows would be right"}
    assert not data.pinned
    assert grade("sql", data.tasks[0].case, "SELECT 5", data.folder).full_credit


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("{", "expected JSON"),
        ({}, "a list of questions"),
        ([{"db_id": "cats"}], r"dev.json, question 0: question: field required"),
        ([{**ROW, "query": 3}], "query: input should be a valid string"),
        ([{**ROW, "db_id": "dogs"}], "databases/dogs.sqlite"),
        ([{**ROW, "query": "SELECT x FROM cat"}], "question 0: the gold query does not run: no such column"),
        ([{**ROW, "idx": 4}, {**ROW, "idx": 4}], "every idx once"),
        ([], "found none"),
    ],
)
def test_bad_files_are_named(folder: Path, tmp_path: Path, rows: Any, message: str) -> None:  # noqa: ANN401
    with pytest.raises(DataError, match=message):
        load(original(folder, tmp_path, rows))


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="expected a folder"):
        load(tmp_path / "no")
    with pytest.raises(DataError, match=r"expected dev.json"):
        load(tmp_path)
