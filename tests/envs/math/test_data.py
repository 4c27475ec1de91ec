from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

import intent_gym
from intent_gym.envs.math.data import load_math
from intent_gym.errors import DataError


def test_gold_has_full_credit_and_an_empty_answer_none(shared_data: Path) -> None:
    tasks = load_math(shared_data / "intentflux" / "gsm8k")
    assert [sum(task.split == split for task in tasks) for split in ("test", "train")] == [1319, 7473]
    assert len({task.id for task in tasks}) == len(tasks)
    for task in tasks:
        assert intent_gym.grade("math", task.case, task.gold_answer).full_credit, task.id
        assert intent_gym.grade("math", task.case, task.answer).full_credit, task.id
        assert intent_gym.grade("math", task.case, "").score == 0, task.id


def test_a_folder_is_read_once_and_either_file_will_do(tmp_path: Path) -> None:
    (tmp_path / "test.jsonl").write_text(json.dumps({"question": "2 pens and 1?", "answer": "#### 3"}))
    tasks = load_math(str(tmp_path))
    assert load_math(str(tmp_path)) is tasks
    assert [(task.id, task.gold, task.gold_answer) for task in tasks] == [("test-0", Fraction(3), "#### 3")]


def test_what_is_wrong_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"expected test\.jsonl or train\.jsonl"):
        load_math(tmp_path)
    (tmp_path / "train.jsonl").write_text('{"question": "How many?", "answer": "three"}')
    with pytest.raises(DataError, match=r"train\.jsonl, row 0: expected a case with an answer"):
        load_math(tmp_path)
