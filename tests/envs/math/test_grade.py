from __future__ import annotations

import gzip
import json
from fractions import Fraction
from pathlib import Path

import pytest

import intent_gym
from intent_gym.envs.math.grade import MAX_DIGITS, gold_number, grade, read_number
from intent_gym.errors import DataError


def test_every_recorded_verdict(shared_data: Path) -> None:
    with gzip.open(shared_data / "intentflux" / "golden" / "gsm8k.jsonl.gz", "rt", encoding="utf-8") as lines:
        vectors = [json.loads(line) for line in lines]
    assert len(vectors) == 95
    wrong = []
    for vector in vectors:
        found = intent_gym.grade("math", vector["case"], vector["answer"])
        if (found.score, found.full_credit) != (vector["score"], vector["full"]):
            wrong.append((vector["id"], vector["why"], found))
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("$100.00", "100"),
        ("18.0", "18"),
        ("1/2", "1/2"),
        ("about 1 1/2 cups", "3/2"),
        ("1½ cups", "3/2"),
        ("42...", "42"),
        ("18 ,,", "18"),
        ("#### 12 apples in 3 bags", "12"),
        ("she sold 72 clips, altogether.", "72"),
        ("The area is 45 m²", "45"),
        ("x^2 = 49", "49"),
        ("He pays 18 on the 5th", "18"),
        ("10-28", "28"),
        ("1.8e1", "18"),
        ("#### 2\N{NARROW NO-BREAK SPACE}125", "2125"),
        (r"\boxed{1{,}450\text{ dollars}}", "1450"),
        (r"\boxed{\dfrac{3}{4}}", "3/4"),
        ("US$18", "18"),
        ("18 USD", "18"),
        ("#### - 3", "-3"),
        ("#### Final answer\n\n18", "18"),
        ("#### Step 1: 9 a day\n#### Step 2: times 2\nSo 18", "18"),
        ("#### x = 9*2 = 18 eggs (9 = half of them)", "18"),
        ("Answer = 18, from 9 eggs", "18"),
        ("The answer is below.\nIt is 18 of 20, so 18", "18"),
        ("#### 9\n#### none", None),
        ("#### 5/0", None),
        ("#### 1e400", None),
        ("infinity", None),
        ("4" * (MAX_DIGITS + 1), None),
    ],
)
def test_the_number_of_a_text(text: str, number: str | None) -> None:
    assert read_number(text) == (None if number is None else Fraction(number))


@pytest.mark.parametrize(
    "piece", ["9", "1,", "####", "(", r"\boxed{", "1/", "answer ", r"\frac{", "=1", "- ", " ", "#"]
)
def test_a_long_text_is_read_quickly(piece: str) -> None:
    import time

    started = time.process_time()
    read_number(piece * (200_000 // len(piece)))
    assert time.process_time() - started < 2


def test_the_reason_says_what_was_expected_and_found() -> None:
    case = {"answer": "#### 1,450"}
    assert grade(case, "#### 7").reason == "expected 1450, got 7 from the last ####"
    assert grade(case, "none").reason == "expected 1450, got no number in the text"


@pytest.mark.parametrize("case", [{}, {"answer": 3}, {"answer": "no mark"}, {"answer": "#### none"}])
def test_a_case_without_a_gold_number_is_an_error(case: dict[str, object]) -> None:
    with pytest.raises(DataError, match="expected a"):
        gold_number(case)
    with pytest.raises(DataError):
        grade(case, "#### 3")
