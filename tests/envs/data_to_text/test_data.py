from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import intent_gym
from intent_gym.envs.data_to_text.data import load_tables
from intent_gym.errors import DataError


def cell(value: str) -> dict[str, Any]:
    return {"value": value, "is_header": False, "column_span": 1, "row_span": 1}


EXAMPLE: dict[str, Any] = {
    "table": [[cell("Year"), cell("Role")], [cell("2015")]],
    "table_webpage_url": "",
    "table_page_title": "Ann",
    "table_section_title": "Film",
    "table_section_text": "Her films.",
    "highlighted_cells": [[1, 0], [0, 1]],
    "example_id": -7,
    "sentence_annotations": [
        {
            "original_sentence": "x",
            "sentence_after_deletion": "x",
            "sentence_after_ambiguity": "x",
            "final_sentence": "Ann played in 2015.",
        }
    ],
}


def test_gold_has_full_credit_and_an_empty_answer_none(shared_data: Path) -> None:
    tasks = load_tables(shared_data / "intentflux" / "totto")
    assert [sum(task.split == split for task in tasks) for split in ("test", "train")] == [5, 8]
    for task in tasks:
        assert task.marked_values
        for reference in task.references:
            assert intent_gym.grade("data_to_text", task.case, reference).full_credit, task.id
        assert intent_gym.grade("data_to_text", task.case, "").score == 0


def test_an_example_is_taken_once(tmp_path: Path) -> None:
    (tmp_path / "dev_sample.jsonl").write_text(json.dumps(EXAMPLE))
    (tmp_path / "totto_dev_data.jsonl").write_text(json.dumps(EXAMPLE))
    (task,) = load_tables(tmp_path)
    assert (task.id, task.split, task.marked_values) == ("totto--7", "test", ("2015", "Role"))
    assert task.gold_answer == "Ann played in 2015."
    assert task.section_text == "Her films."
    assert load_tables(tmp_path) == (task,)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"highlighted_cells": [[1, 1]]}, r"expected \[row, place\] of a cell of 2 rows"),
        ({"highlighted_cells": [[0]]}, r"expected \[row, place\]"),
        ({"sentence_annotations": []}, "expected one sentence or more"),
        ({"table": "none"}, "line 1: table"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    (tmp_path / "train_sample.jsonl").write_text(json.dumps(EXAMPLE | change))
    with pytest.raises(DataError, match=message):
        load_tables(tmp_path)


def test_a_folder_without_files_and_a_damaged_list(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="expected ToTTo's files"):
        load_tables(tmp_path)
    (tmp_path / "dialogstudio_original_examples.json").write_text('[{"table": 3}]')
    with pytest.raises(DataError, match=r"dialogstudio_original_examples\.json: "):
        load_tables(tmp_path)
