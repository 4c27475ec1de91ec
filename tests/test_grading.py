"""The dispatcher of graders and its contract."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

import intent_gym
from intent_gym.errors import OptionError
from intent_gym.grading import Grade, grade
from intent_gym.grading_table import GRADERS


def test_it_is_public() -> None:
    assert intent_gym.grade is grade


@pytest.mark.parametrize(("score", "cut"), [(1.0000000000000004, 1.0), (-0.1, 0.0), (0.3, 0.3), (1, 1.0)])
def test_scores_are_cut_to_the_unit_interval(score: float, cut: float) -> None:
    assert Grade(score).score == cut
    assert type(Grade(score).score) is float


def test_full_credit_allows_rounding_and_no_more() -> None:
    assert Grade(1 - 1e-9).full_credit
    assert not Grade(1 - 2e-9).full_credit


@pytest.mark.parametrize("score", [math.nan, math.inf])
def test_a_grader_that_gives_no_number_is_at_fault(score: float) -> None:
    with pytest.raises(ValueError, match="grader is at fault"):
        Grade(score)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("cod", {}, ""), "did you mean 'code'"),
        ((3, {}, ""), "families: "),
        (("code", [], ""), "case: expected a mapping"),
        (("code", {}, None), "grade no answer as an empty text"),
        (("code", {}, "", 3), "source: expected a folder"),
    ],
)
def test_wrong_arguments_are_named(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        grade(*arguments)


def test_every_row_names_a_function_that_exists() -> None:
    root = Path(intent_gym.__file__).parent
    for family, where in GRADERS.items():
        module, function = where.split(":")
        path = root.parent / (module.replace(".", "/") + ".py")
        assert path.is_file(), family
        assert f"def {function}(" in path.read_text(encoding="utf-8"), family
