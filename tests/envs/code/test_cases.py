"""Rows of code tasks: what is read, and what is refused."""

from __future__ import annotations

import base64
import json
import pickle
import zlib
from typing import Any

import pytest

from intent_gym.envs.code.cases import FunctionTest, OutputTest, humaneval_case, livecodebench_case
from intent_gym.errors import DataError

TESTS = [{"input": '[1, 2]\n"x"', "output": "[3]", "testtype": "functional"}]


def row(**changed: object) -> dict[str, Any]:
    return {
        "public_test_cases": json.dumps(TESTS),
        "private_test_cases": "[]",
        "metadata": json.dumps({"func_name": "f"}),
        **changed,
    }


def packed(value: object) -> str:
    return base64.b64encode(zlib.compress(pickle.dumps(value))).decode()


def test_a_call_has_one_argument_a_line() -> None:
    assert livecodebench_case(row()).calls == (FunctionTest(([1, 2], "x"), [3]),)


def test_without_a_name_programs_are_wanted() -> None:
    case = livecodebench_case(row(metadata="{}", public_test_cases=json.dumps([{"input": "1\n", "output": "2\n"}])))
    assert (case.function, case.calls, case.outputs) == ("", (), (OutputTest("1\n", "2\n"),))


def test_private_tests_may_be_packed() -> None:
    assert len(livecodebench_case(row(private_test_cases=packed(json.dumps(TESTS * 2)))).calls) == 3


class _Attack:
    def __reduce__(self) -> tuple[Any, ...]:
        return (print, ("executed",))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"public_test_cases": "[]"}, "at least one test"),
        ({"public_test_cases": "[]", "private_test_cases": packed("[]")}, "at least one test"),
        ({"private_test_cases": packed(_Attack())}, "names builtins.print"),
        ({"private_test_cases": packed(3)}, "a packed text"),
        ({"private_test_cases": "no base64!"}, "JSON or packed JSON"),
        ({"private_test_cases": packed("[]")[:-8]}, "JSON or packed JSON"),
        ({"private_test_cases": "[{"}, "expected JSON"),
        ({"private_test_cases": '{"a": 1}'}, "a list of tests"),
        ({"public_test_cases": '[{"input": "1"}]'}, "texts input and output"),
        ({"public_test_cases": '[{"input": "[1", "output": "1"}]'}, "expected JSON in 'input'"),
        ({"metadata": "[]"}, "a mapping"),
        ({"metadata": '{"func_name": "f()"}'}, "a function's name"),
    ],
)
def test_damaged_rows_are_named(changed: dict[str, Any], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(DataError, match=message):
        livecodebench_case(row(**changed))
    assert capsys.readouterr().out == ""


def test_a_missing_field_is_named() -> None:
    with pytest.raises(DataError, match="'private_test_cases', found 'no such field'"):
        livecodebench_case({"public_test_cases": "[]"})
    with pytest.raises(DataError, match="a text in 'prompt'"):
        humaneval_case({"entry_point": "f", "test": ""})
    with pytest.raises(DataError, match="a function's name"):
        humaneval_case({"entry_point": "f(", "test": "", "prompt": ""})
