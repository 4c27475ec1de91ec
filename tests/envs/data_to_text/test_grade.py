from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

import intent_gym
from intent_gym.envs.data_to_text.bleu import MAX_ANSWER
from intent_gym.envs.data_to_text.grade import grade
from intent_gym.errors import DataError


def test_every_recorded_verdict(shared_data: Path) -> None:
    with gzip.open(shared_data / "intentflux" / "golden" / "totto.jsonl.gz", "rt", encoding="utf-8") as lines:
        vectors = [json.loads(line) for line in lines]
    assert len(vectors) == 48
    wrong = []
    for vector in vectors:
        found = intent_gym.grade("data_to_text", vector["case"], vector["answer"])
        low, high = vector["score"] if isinstance(vector["score"], list) else [vector["score"]] * 2
        if not low <= found.score <= high or found.full_credit != vector["full"]:
            wrong.append((vector["id"], vector["why"], found))
    assert wrong == []


def test_a_copy_has_full_credit_at_any_length_and_never_more() -> None:
    for sentence in ("Yes", "She won.", "As of 2010, there were 7,230 people in Swanzey."):
        found = grade({"references": ["Something else was said.", sentence]}, f"\n {sentence}  ")
        assert (found.score, found.full_credit) == (1.0, True)


def test_the_same_tokens_have_full_credit() -> None:
    found = grade({"references": ["In 2015, he starred (as Pete)."]}, "In 2015 , he starred ( as Pete ) .")
    assert (found.score, found.full_credit) == (1.0, True)


def test_all_references_count() -> None:
    references = ["Ann won the race in June.", "The race in June was won by Ann."]
    both = grade({"references": references}, "The race in June was won by Anna.").score
    assert both > grade({"references": references[:1]}, "The race in June was won by Anna.").score
    assert 0 < both < 1


@pytest.mark.parametrize("answer", ["", " \n ", "zzzz qqqq", "a " * MAX_ANSWER])
def test_what_is_no_such_sentence_scores_nothing(answer: str) -> None:
    assert grade({"references": ["He starred as Pete in Denver."]}, answer).score == 0


@pytest.mark.parametrize("case", [{}, {"references": []}, {"references": "He won."}, {"references": [" "]}])
def test_a_case_without_references_is_an_error(case: dict[str, object]) -> None:
    with pytest.raises(DataError, match="expected a case with"):
        grade(case, "He won.")
