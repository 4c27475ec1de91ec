from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from intent_gym.envs.math.data import load_math
from intent_gym.envs.math.expressions import numbers_of, read_solution
from intent_gym.errors import DataError


def free(question: str, answer: str) -> list[Fraction]:
    solution = read_solution(question, answer)
    assert solution.fault == ""
    return [solution.numbers[ordinal].value for ordinal in solution.free]


def test_a_changed_number_moves_the_answer() -> None:
    solution = read_solution(
        "A box holds 25 books at $4 each, less 20%. What does it cost?",
        "25 * 4 = <<25*4=100>>100\n100*.2 = <<100*.2=20>>20\n100 - 20 = <<100-20=80>>80\n#### 80",
    )
    assert [str(n.value) for n in solution.numbers] == ["25", "4", "20"]
    assert solution.results() == tuple(map(Fraction, (100, 20, 80)))
    assert solution.answer({0: Fraction(50)}) == 160
    assert solution.answer({2: Fraction(50)}) == 50


def test_two_equal_numbers_are_not_free() -> None:
    assert free(
        "3 cups cost $3 each and 5 plates $7 each.", "3*3=<<3*3=9>>9\n5*7=<<5*7=35>>35\n<<9+35=44>>\n#### 44"
    ) == [
        5,
        7,
    ]


def test_a_result_that_equals_a_number_of_the_question_frees_neither() -> None:
    question = "He saves 3 times $5 and mows 4 lawns for $15 each."
    steps = "<<3*5=15>>15, <<4*15=60>>60, <<15+60=75>>75\n#### 75"
    assert free(question, steps) == [4]


def test_a_number_that_a_word_implies_is_not_free() -> None:
    assert free("She runs 7 miles for 6 days.", "<<7*6=42>>\n#### 42") == [6]
    assert free("She runs 7 miles on 6 tracks.", "<<7*6=42>>\n#### 42") == [7, 6]


def test_a_number_that_nothing_uses_is_not_free() -> None:
    assert free("Ann, 30, has 2 pens and buys 4.", "<<2+4=6>>\n#### 6") == [2, 4]


@pytest.mark.parametrize(
    ("steps", "fault"),
    [
        ("#### 4", "no annotated step"),
        ("<<10/4=2>>\n#### 2", "step 1 is not exact"),
        ("<<10/4=2.5>>\n#### 3", "the last step is not the answer"),
        ("<<10*45=450>>\n#### 450", "a number that nothing accounts for"),
        ("<<10/0=0>>\n#### 0", "a division by zero"),
    ],
)
def test_a_solution_that_cannot_be_worked_again_says_why(steps: str, fault: str) -> None:
    solution = read_solution("Of 10 pens 4 are red.", steps)
    assert (solution.fault, solution.free) == (fault, ())


def test_brackets_signs_and_integer_division() -> None:
    solution = read_solution("9 and 6 and 2", "<<-(9-6)*2+9//3=3>>\n#### 3")
    assert solution.results() == (Fraction(-3),)
    assert read_solution("9 and 6", "<<2(9-6)=6>>\n#### 6").results() == (Fraction(6),)


@pytest.mark.parametrize("step", ["<<2+>>", "<<2+=2>>", "<<(2=2>>", "<<2)=2>>", "<<a*2=4>>", "<<=4>>"])
def test_a_step_that_is_no_arithmetic_is_an_error(step: str) -> None:
    with pytest.raises(DataError, match="expected a"):
        read_solution("2 pens", f"{step}\n#### 2")


def test_a_change_of_a_number_that_is_not_there() -> None:
    with pytest.raises(ValueError, match=r"expected ordinals below 1, got \[3\]"):
        read_solution("2 pens", "<<2+1=3>>\n#### 3").answer({3: Fraction(1)})


def test_numbers_are_found_where_they_stand() -> None:
    text = "Twenty of 1,200 cups (1/2 full), 5% at $2.50, .5 more; twenty-one and two hundred are left alone, F16 too."
    found = numbers_of(text)
    assert [text[n.start : n.end] for n in found] == ["Twenty", "1,200", "1/2", "5", "2.50", ".5"]
    assert [n.percent for n in found] == [False, False, False, True, False, False]


def test_the_original_is_worked_again(shared_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    counts: dict[str, Counter[str]] = {"test": Counter(), "train": Counter()}
    for task in load_math(shared_data / "intentflux" / "gsm8k"):
        solution = task.solution()
        count = counts[task.split]
        count[solution.fault.split(" is not exact")[0] or "worked again"] += 1
        if not solution.fault:
            assert solution.answer() == task.gold
            count["a free number"] += bool(solution.free)
            count["two free numbers or more"] += len(solution.free) > 1
    with capsys.disabled():
        for split, count in counts.items():
            print(f"\nGSM8K {split}: " + ", ".join(f"{what} {number}" for what, number in sorted(count.items())))
    assert counts["test"]["worked again"] == 955
    assert counts["test"]["a free number"] == 820
    assert counts["train"]["a free number"] == 4712
