from __future__ import annotations

import gzip
import itertools
import json
from pathlib import Path
from typing import Any

import pytest

import intent_gym
from intent_gym.envs.tools.grade import grade
from intent_gym.errors import DataError


def case(properties: dict[str, Any], *expected: dict[str, list[Any]], required: tuple[str, ...] = ()) -> dict[str, Any]:
    schema = {"type": "dict", "properties": properties, "required": list(required)}
    return {
        "function": [{"name": "m.f", "description": "", "parameters": schema}],
        "ground_truth": [{"m.f": entry} for entry in expected],
    }


INT = {"type": "integer"}
FLOAT = {"type": "float"}
TEXT = {"type": "string"}


def test_every_recorded_verdict(shared_data: Path) -> None:
    with gzip.open(shared_data / "intentflux" / "golden" / "bfcl.jsonl.gz", "rt", encoding="utf-8") as lines:
        vectors = [json.loads(line) for line in lines]
    assert len(vectors) == 194
    wrong = []
    for vector in vectors:
        found = intent_gym.grade("tools", vector["case"], vector["answer"])
        if (found.score, found.full_credit) != (vector["score"], vector["full"]):
            wrong.append((vector["id"], vector["why"], found))
        for path in vector["case"].get("must_not_exist", ()):
            assert not Path(path).exists()
    assert wrong == []


def test_the_order_of_calls_never_matters() -> None:
    task = case({"a": INT}, {"a": [1, 2, 3]}, {"a": [1, 2]}, {"a": [1]})
    for order in itertools.permutations((1, 2, 3)):
        assert grade(task, str([f"m.f(a={a})" for a in order]).replace("'", "")).full_credit
    assert grade(task, "[m.f(a=3), m.f(a=2), m.f(a=2)]").reason == "wrong value: m.f: expected a=1, got 2"


@pytest.mark.parametrize(
    ("schema", "possible", "value", "right"),
    [
        (INT, [5], "+5", True),
        (INT, [5], "5.0", False),
        (INT, [1], "True", False),
        (INT, ["1"], "1", True),
        (INT, ["1"], "'1'", False),
        (INT, [5], "'five'", False),
        (FLOAT, [5], "5", True),
        (FLOAT, [5], "5.0", True),
        (FLOAT, [5.0], "True", False),
        ({"type": "number"}, [2], "2.0", True),
        ({"type": "boolean"}, [True], "true", True),
        ({"type": "boolean"}, [True], "1", False),
        ({"type": "boolean"}, [True], "'true'", False),
        (TEXT, ["New York, NY"], "'new york ny'", True),
        (TEXT, ["a", ""], "''", False),
        (TEXT, ["5"], "5", False),
        ({"type": "array", "items": FLOAT}, [[12.0, 15.0]], "[12, 15]", True),
        ({"type": "array", "items": FLOAT}, [[12.0, 15.0]], "(12, 15.0)", True),
        ({"type": "array", "items": INT}, [[12, 15]], "[12.0, 15]", False),
        ({"type": "array", "items": INT}, [[1, 2]], "[2, 1]", False),
        ({"type": "array", "items": INT}, [[1], ""], "[]", False),
        ({"type": "array"}, ["my_data"], "'my_data'", True),
        ({"type": "dict"}, [{"k": [3], "o": [1, ""]}], "{'k': 3}", True),
        ({"type": "dict"}, [{"k": [3]}], "{'k': 3.0}", False),
        ({"type": "dict"}, [{"k": [1]}], "{'k': True}", False),
        ({"type": "dict"}, [{"k": [3]}], "{'k': 3, 'more': 1}", False),
        ({"type": "dict"}, [{"k": ["age"]}], "{'k': ['age']}", False),
        ({"type": "any"}, ["x"], "'X'", True),
        ({"type": "any"}, [3], "3", True),
    ],
)
def test_values_by_type(schema: dict[str, Any], possible: list[Any], value: str, right: bool) -> None:
    found = grade(case({"a": schema}, {"a": possible}), f"m.f(a={value})")
    assert found.full_credit == right, found.reason


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("", "unreadable: expected name(key=value)"),
        ("I would call it.", "unreadable: "),
        ("[m.f(1)]", "positional argument: expected m.f(key=value)"),
        ("[m.f(*[1])]", "positional argument: "),
        ("[m.f(**{'a': 1})]", "starred argument: "),
        ("[m.f(a=1, a=1)]", "repeated argument: "),
        ('[{"name": "m.f", "arguments": {"a": 1, "a": 1}}]', "repeated argument: "),
        ("[m.f(a=1+0)]", "not a literal: "),
        ("[m.f(a=one)]", "not a literal: "),
        ("[m.f(a=not True)]", "not a literal: "),
        ("[m.f(a=1e999)]", "not a literal: expected a finite number"),
        ("[m.f(a=1, b=2), m.f(a=1)]", "wrong count: expected 1 calls, got 2"),
        ("m.f(a=1)", "missing parameter: m.f: expected b, which is required"),
        ("m.f(a=1, b=2, c=3)", "unexpected parameter: m.f: got c"),
        ("m.f(a='1', b=2)", "wrong type: m.f: expected a=1, got '1', which is no integer"),
        ("m.f(a=2, b=2)", "wrong slot: m.f: expected a=1, got 2, the value of b"),
        ("m.f(a=9, b=2)", "wrong value: m.f: expected a=1, got 9"),
        ("f(a=1, b=2)", "wrong function: expected m.f, got f"),
        ("```\nm.f(a=1, b=2)\n```\nor\n```\nm.f(a=1, b=3)\n```", "unreadable: expected all calls in one code block"),
        ("x = m.f(a=1, b=2)", "unreadable: "),
        ("# nothing", "unreadable: "),
        ("[" * 300 + "]" * 300, "no call: "),
        ("m.f(a=" + "-" * 5000 + "1)", "unreadable: "),
    ],
)
def test_what_is_wrong_is_said(answer: str, reason: str) -> None:
    found = grade(case({"a": INT, "b": INT}, {"a": [1], "b": [2]}, required=("a", "b")), answer)
    assert found.score == 0
    assert found.reason.startswith(reason), found.reason


@pytest.mark.parametrize(
    "answer",
    [
        "m.f(a=1)",
        "[m.f(a=1)]",
        "(m.f(a=1),)",
        '"[m.f(a=1)]"',
        "The call:\n```python\nm.f(a=1)\n```\nThat is all.",
        '{"m.f": {"a": 1}}',
        "[{'name': 'm.f', 'arguments': {'a': 1}}]",
    ],
)
def test_forms_that_are_read(answer: str) -> None:
    assert grade(case({"a": INT}, {"a": [1]}), answer).full_credit


def test_two_calls_on_two_lines() -> None:
    assert grade(case({"a": INT}, {"a": [1]}, {"a": [2]}), "m.f(a=2)\nm.f(a=1)").full_credit


def test_nothing_is_run(tmp_path: Path) -> None:
    path = tmp_path / "written"
    for value in (f"len(open({str(path)!r}, 'w').name) + 1", "9 ** 9 ** 9 ** 9", "'x' * 10 ** 12", "1 << 10 ** 12"):
        assert grade(case({"a": INT}, {"a": [1]}), f"[m.f(a={value})]").score == 0
    assert not path.exists()


def test_where_no_call_is_right_only_an_empty_list_is() -> None:
    task = {"category": "irrelevance", "function": case({"a": INT})["function"]}
    assert grade(task, "[]").full_credit
    assert grade(task, "```\n[]\n```").full_credit
    for answer in ("", "[m.f(a=1", "m.f(a=1)", "# none", "{}"):
        assert grade(task, answer).score == 0, answer


@pytest.mark.parametrize(
    "broken",
    [
        {},
        {"function": []},
        {"function": [], "ground_truth": [{"f": {}, "g": {}}]},
        {"function": [], "ground_truth": [{"f": {"a": []}}]},
        {"function": [], "ground_truth": {"f": {}}},
        {"function": [3], "ground_truth": []},
    ],
)
def test_a_broken_case_is_an_error(broken: dict[str, Any]) -> None:
    with pytest.raises(DataError, match=r"expected (a|\{)"):
        grade(broken, "[]")
