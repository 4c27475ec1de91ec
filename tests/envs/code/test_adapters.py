"""Forms, last steps and styles: what wraps a result is undone before the tests see it."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from intent_gym.envs.code.adapters import FORMS, LASTS, NEUTRAL, STYLES, adapter_of, called_with, expected_of
from intent_gym.envs.code.cases import HumanEvalCase
from intent_gym.envs.code.grade import grade_humaneval

RESULTS: tuple[Any, ...] = (3, -2.5, "a'b", [1, (2, "x")], None, True, {"k": {1, 2}}, -5)
ARGUMENTS: tuple[list[Any], ...] = ([1], ["a", [2]], [(1, 2), {"k": None}, "b"])


def space_of(**values: str) -> dict[str, Any]:
    space: dict[str, Any] = {}
    exec(adapter_of({"form": "plain result", **NEUTRAL, **values}), space)
    return space


@pytest.mark.parametrize(("form", "last"), list(itertools.product(FORMS, LASTS)))
def test_what_is_done_is_undone_and_nothing_else(form: str, last: str) -> None:
    space = space_of(form=form, last=last)
    for result in RESULTS:
        done = expected_of({"form": form, "last": last}, result)
        assert space["got"](done) == result
        wrapper = "def f(result):\n" + FORMS[form].wrapper + LASTS[last].wrapper + "    return result"
        exec(wrapper, space)
        assert space["f"](result) == done
        for other_form, other_last in itertools.product(FORMS, LASTS):
            if (other_form, other_last) != (form, last):
                other = expected_of({"form": other_form, "last": other_last}, result)
                try:
                    assert space["got"](other) != result, (other_form, other_last, result)
                except (ValueError, SyntaxError):
                    continue


@pytest.mark.parametrize("style", STYLES)
def test_arguments_arrive(style: str) -> None:
    space = space_of(style=style)
    wrapper = "def f(*arguments):\n" + STYLES[style].wrapper + "    return list(arguments)"
    exec(wrapper, space)
    for arguments in ARGUMENTS:
        sent = space["sent"](list(arguments))
        assert sent == called_with({"style": style}, list(arguments))
        assert space["f"](*sent) == arguments


CASE = HumanEvalCase(
    "", "double", "def check(candidate):\n    assert candidate(2) == 4\n    assert candidate(-3) == -6\n"
)


@pytest.mark.parametrize(
    ("program", "score"),
    [
        ("def double(x): return [2 * x]", 1.0),
        ("def double(x): return 2 * x", 0.0),
        ("def double(x): return (2 * x,)", 0.0),
        ("def double(x): return [[2 * x]]", 0.0),
        ("def double(x): return [2 * x, 0]", 0.0),
        ("def double(x): return []", 0.0),
    ],
)
def test_the_grader_sees_through_a_form(program: str, score: float) -> None:
    adapter = adapter_of({"form": "boxed result", **NEUTRAL})
    assert grade_humaneval(CASE, program, adapter=adapter).score == score


def test_a_text_that_breaks_its_reader_is_wrong() -> None:
    adapter = adapter_of({"form": "quoted result", **NEUTRAL})
    assert grade_humaneval(CASE, "def double(x): return repr(2 * x)", adapter=adapter).full_credit
    for text in ("'(' * 100000", "'[' * 300 + ']' * 300", "'__import__(\"os\")'", "'9' * 5000000", "'x'"):
        assert grade_humaneval(CASE, f"def double(x): return {text}", adapter=adapter).score == 0.0
