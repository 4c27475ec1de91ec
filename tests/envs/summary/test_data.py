from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import intent_gym
from intent_gym.envs.summary.data import SHOWN, load_haystacks
from intent_gym.envs.summary.grade import insights_of
from intent_gym.errors import DataError


def topic(**change: object) -> dict[str, Any]:
    row: dict[str, Any] = {
        "topic_id": "t",
        "topic": "A bridge",
        "subtopics": [
            {"subtopic_id": "s", "subtopic": "trade", "query": "What of trade?", "insights": [
                {"insight_id": "a", "insight": "Stalls lost 40 percent."},
                {"insight_id": "b", "insight": "Ferries doubled."},
            ]}
        ],
        "documents": [
            {"document_id": str(n), "document_text": "x", "insights_included": ["a", "b"] if n % 2 else ["c"],
             "document_index": n}
            for n in range(1, 31)
        ],
    }  # fmt: skip
    return row | change


def test_gold_has_full_credit_and_an_empty_answer_none(shared_data: Path) -> None:
    tasks = load_haystacks(shared_data / "intentflux" / "summhay")
    assert len(tasks) == 42
    assert sum(len(task.insights) for task in tasks) == 336
    for task in tasks:
        case, gold = task.case(), task.gold_answer()
        assert len(case["documents"]) == SHOWN
        assert len(insights_of(case)) == len(task.insights), task.id
        assert intent_gym.grade("summary", case, gold).full_credit, task.id
        assert intent_gym.grade("summary", case, "").score == 0
        lines = gold.splitlines()
        for missing in range(len(lines)):
            less = "\n".join(lines[:missing] + lines[missing + 1 :])
            assert not intent_gym.grade("summary", case, less).full_credit, (task.id, missing)


def test_the_whole_haystack_and_a_part_can_be_shown(shared_data: Path) -> None:
    for task in load_haystacks(shared_data / "intentflux" / "summhay")[:3]:
        for shown in (task.documents, task.shown()[:7]):
            assert intent_gym.grade("summary", task.case(shown), task.gold_answer(shown)).full_credit


def test_the_choice_is_balanced_and_always_the_same(tmp_path: Path) -> None:
    (tmp_path / "topic_x.json").write_text(json.dumps(topic()))
    (task,) = load_haystacks(tmp_path)
    shown = task.shown()
    assert [document.index for document in shown] == sorted(document.index for document in shown)
    assert len(shown) == SHOWN
    assert sum("a" in document.insights for document in shown) == 2
    assert task.shown() == shown
    assert task.id == "x-0"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"documents": topic()["documents"][1:2]}, "expected a document that holds insight 'a'"),
        ({"documents": topic()["documents"][:1] * 2}, "found one twice"),
        ({"documents": 3}, r"topic_x\.json: documents"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    (tmp_path / "topic_x.json").write_text(json.dumps(topic(**change)))
    with pytest.raises(DataError, match=message):
        load_haystacks(tmp_path)


def test_no_folder_and_no_files(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="expected a folder"):
        load_haystacks(tmp_path / "none")
    with pytest.raises(DataError, match=r"expected topic_<name>\.json"):
        load_haystacks(tmp_path)
