from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

import intent_gym
from intent_gym.envs.summary.grade import grade, insights_of
from intent_gym.errors import DataError

CASE: dict[str, Any] = {
    "documents": [
        {"document_index": 1, "insights_included": ["v1"]},
        {"document_index": 2, "insights_included": ["v2"]},
        {"document_index": 4, "insights_included": ["v1", "v2"]},
        {"document_index": 9, "insights_included": []},
    ],
    "insights": [
        {
            "insight_id": "v1",
            "insight": "Ostria ordered 2 million doses.",
            "key_phrases": ["Ostria", "2 million doses"],
        },
        {"insight_id": "v2", "insight": "The cold chain failed in the north of the country in May."},
    ],
}
FIRST = "- Ostria ordered 2 million doses [1, 4]."
SECOND = "- The cold chain failed in the north in May [2][4]."


def test_every_recorded_verdict(shared_data: Path) -> None:
    with gzip.open(shared_data / "intentflux" / "golden" / "summhay.jsonl.gz", "rt", encoding="utf-8") as lines:
        vectors = [json.loads(line) for line in lines]
    assert len(vectors) == 43
    wrong = []
    for vector in vectors:
        found = intent_gym.grade("summary", vector["case"], vector["answer"])
        expected = vector["score"]
        low, high = expected if isinstance(expected, list) else (expected - 1e-9, expected + 1e-9)
        if not low <= found.score <= high or found.full_credit != vector["full"]:
            wrong.append((vector["id"], vector["why"], found))
    assert wrong == []


def test_both_kinds_of_insight() -> None:
    found = grade(CASE, f"{FIRST}\n{SECOND}")
    assert found.full_credit
    assert found.reason == "2 of 2 insights covered, coverage 1.00, citations 1.00"
    assert grade(CASE, f"{FIRST}\n- The chain failed [2][4].").score == 0.75


def test_documents_that_were_not_shown_are_false() -> None:
    shown = {"insightid2ref_citations": {"v1": [1, 4, 70], "v2": [2, 4]}}
    assert grade(CASE | shown, f"{FIRST}\n{SECOND}").full_credit
    assert grade(CASE | shown, f"- Ostria ordered 2 million doses [1, 4, 70].\n{SECOND}").score == pytest.approx(0.9)


def test_the_better_cited_of_two_equal_bullets_counts() -> None:
    assert grade(CASE, f"- Ostria ordered 2 million doses.\n{FIRST}\n{SECOND}").full_credit


def test_an_insight_that_no_shown_document_holds_is_left_out() -> None:
    case = CASE | {"documents": CASE["documents"][:1]}
    assert [insight.id for insight in insights_of(case)] == ["v1"]
    assert grade(case, "Ostria ordered 2 million doses [1].").full_credit


def test_nothing_covered_is_zero_and_not_undefined() -> None:
    for answer in ("", "\n \n", "# Ostria, 2 million doses [1, 4]", "Which documents?", "- A storm [1][2][4]."):
        assert grade(CASE, answer).score == 0.0
    assert grade(CASE, "").reason == "0 of 2 insights covered, coverage 0.00, citations 0.00"


def test_a_long_bullet_keeps_its_citations() -> None:
    long = "- Ostria ordered 2 million doses, " + "and much more was said about it, " * 200 + "[1, 4]."
    assert grade(CASE, f"{long}\n{SECOND}").full_credit


@pytest.mark.parametrize(
    "change",
    [
        {"documents": []},
        {"documents": [{"document_index": 1}]},
        {"documents": [{"document_index": "one", "insights_included": ["v1"]}]},
        {"documents": [{"document_index": 1, "insights_included": ["other"]}]},
        {"insights": [{"insight": "x"}]},
        {"insights": None},
    ],
)
def test_a_broken_case_is_an_error(change: dict[str, Any]) -> None:
    with pytest.raises(DataError, match="expected a"):
        grade(CASE | change, FIRST)
