"""Loaders of the original files: golds are right, empty answers are not, and bad files are named."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from intent_gym import grade
from intent_gym.envs.code.data import load_humaneval, load_livecodebench
from intent_gym.errors import DataError

ROW = {"task_id": "T/1", "prompt": "def f():\n", "entry_point": "f", "canonical_solution": "    return 1\n", "test": ""}
PROBLEM = {
    "question_title": "A Problem",
    "question_content": "?",
    "question_id": "p1",
    "starter_code": "",
    "public_test_cases": '[{"input": "", "output": "1"}]',
    "private_test_cases": "[]",
    "metadata": "{}",
}


@pytest.mark.slow
def test_every_gold_has_full_credit_and_no_empty_answer_has(shared_data: Path) -> None:
    data = load_humaneval(shared_data / "intentflux" / "humaneval")
    assert len(data.tasks) + len(data.left_out) == 164
    assert [task.id for task in data.tasks if not grade("code", task.case, task.gold).full_credit] == []
    assert [task.id for task in data.tasks if grade("code", task.case, "").score] == []


def test_what_is_left_out_has_a_reason(shared_data: Path) -> None:
    data = load_humaneval(shared_data / "intentflux" / "humaneval")
    assert {"HumanEval/75", "HumanEval/116", "HumanEval/47"} < data.left_out.keys()
    assert all(data.left_out.values())
    assert not {task.id for task in data.tasks} & data.left_out.keys()


def test_recorded_problems_load(shared_data: Path, tmp_path: Path) -> None:
    with gzip.open(shared_data / "intentflux" / "golden" / "livecodebench.jsonl.gz", "rt", encoding="utf-8") as file:
        cases = {case["question_id"]: case for case in (json.loads(line)["case"] for line in file)}
    path = tmp_path / "test.jsonl"
    path.write_text("\n".join(map(json.dumps, cases.values())), encoding="utf-8")
    data = load_livecodebench(path)
    assert [task.id for task in data.tasks] == list(cases)
    assert [task.id for task in data.tasks if grade("code", task.case, "").score] == []


def write(path: Path, *rows: Any) -> Path:
    path.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows), encoding="utf-8")
    return path


def test_problems_of_the_errata_are_left_out(tmp_path: Path) -> None:
    rows = [PROBLEM, {**PROBLEM, "question_id": "abc311_c"}]
    rows.append({**PROBLEM, "question_id": "3", "question_title": "Find the Peaks"})
    data = load_livecodebench(write(tmp_path / "x.jsonl", *rows))
    assert [task.id for task in data.tasks] == ["p1"]
    assert data.left_out.keys() == {"abc311_c", "3"}


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["{"], "line 1: expected JSON"),
        ([ROW, {**ROW, "task_id": 3}], "line 2: task_id: input should be a valid string"),
        ([{k: v for k, v in ROW.items() if k != "test"}], "test: field required"),
        ([ROW, ROW], "expected every id once, found 'T/1' again"),
        ([[1]], "line 1"),
        ([], "expected tasks, found none"),
    ],
)
def test_bad_rows_are_named(tmp_path: Path, rows: list[Any], message: str) -> None:
    write(tmp_path / "HumanEval.jsonl", *rows)
    with pytest.raises(DataError, match=message):
        load_humaneval(tmp_path)


def test_a_problem_without_tests_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"x.jsonl, line 1: .*at least one test"):
        load_livecodebench(write(tmp_path / "x.jsonl", {**PROBLEM, "public_test_cases": "[]"}))


def test_missing_and_cut_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"expected HumanEval.jsonl"):
        load_humaneval(tmp_path)
    with pytest.raises(DataError, match="found none"):
        load_livecodebench(tmp_path / "no")
    whole = gzip.compress(json.dumps(ROW).encode())
    (tmp_path / "HumanEval.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DataError, match="damaged"):
        load_humaneval(tmp_path)
