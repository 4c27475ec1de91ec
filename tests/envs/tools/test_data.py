from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import intent_gym
from intent_gym.envs.tools.calls import read_calls, render_calls
from intent_gym.envs.tools.data import load_tools
from intent_gym.envs.tools.lint import known_exceptions, lint
from intent_gym.errors import DataError

QUESTION = {
    "id": "multiple_0",
    "question": [[{"role": "user", "content": "Add 1."}]],
    "function": [
        {
            "name": "add",
            "description": "Adds.",
            "parameters": {
                "type": "dict",
                "properties": {"a": {"type": "integer"}, "unit": {"type": "string", "enum": ["m", "km"]}},
                "required": ["a"],
            },
        }
    ],
}


def write(folder: Path, truth: list[Any], question: dict[str, Any] = QUESTION) -> Path:
    (folder / "BFCL_v4_multiple.json").write_text(json.dumps(question))
    answer = {"id": "multiple_0", "ground_truth": truth}
    (folder / "possible_answer_BFCL_v4_multiple.json").write_text(json.dumps(answer))
    return folder


def test_gold_has_full_credit_and_an_empty_answer_none(shared_data: Path) -> None:
    tasks = load_tools(shared_data / "intentflux" / "bfcl")
    assert Counter(task.category for task in tasks) == {
        "simple_python": 400,
        "multiple": 200,
        "parallel": 200,
        "parallel_multiple": 200,
        "irrelevance": 240,
    }
    for task in tasks:
        gold, short = task.gold_calls(), task.gold_calls(optional=False)
        for answer in (task.gold_answer, render_calls(gold[::-1]), render_calls(short)):
            found = intent_gym.grade("tools", task.case, answer)
            assert found.full_credit, (task.id, found.reason)
        assert read_calls(task.gold_answer) == gold
        assert intent_gym.grade("tools", task.case, "").score == 0


def test_one_call_less_is_never_enough(shared_data: Path) -> None:
    for task in load_tools(shared_data / "intentflux" / "bfcl"):
        if task.ground_truth:
            assert intent_gym.grade("tools", task.case, render_calls(task.gold_calls()[1:])).score == 0, task.id


def test_the_lint_finds_what_is_known_and_nothing_else(shared_data: Path) -> None:
    tasks = load_tools(shared_data / "intentflux" / "bfcl")
    found = {f"{f.task}: {f.kind}: {f.where}" for task in tasks for f in lint(task)}
    assert found == set(known_exceptions())
    assert all(known_exceptions().values())


@pytest.mark.parametrize(
    ("truth", "kind"),
    [
        ({"a": [1, ""]}, "required omittable"),
        ({"a": ["1"]}, "number as text"),
        ({"a": ["one"]}, "another type"),
        ({"a": [1], "unit": ["mile"]}, "not in enum"),
        ({"a": [1], "b": [1]}, "not in schema"),
        ({"unit": ["m"]}, "required missing"),
    ],
)
def test_lint(tmp_path: Path, truth: dict[str, list[Any]], kind: str) -> None:
    (task,) = load_tools(write(tmp_path, [{"add": truth}]))
    assert [finding.kind for finding in lint(task)] == [kind]


def test_a_sound_answer_has_no_findings(tmp_path: Path) -> None:
    (task,) = load_tools(write(tmp_path, [{"add": {"a": [1], "unit": ["m", ""]}}]))
    assert lint(task) == []
    assert task.question == "Add 1."
    assert (task.gold_answer, render_calls(task.gold_calls(optional=False))) == ("[add(a=1, unit='m')]", "[add(a=1)]")


def test_what_is_wrong_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="expected BFCL_v4_<category>"):
        load_tools(tmp_path)
    broken: list[tuple[list[Any], str]] = [
        ([{"sub": {"a": [1]}}], "expected an answer with one of the functions"),
        ([{"add": {"a": []}}], "found an empty list"),
        ([{"add": {"a": 1}}], "line 1: ground_truth"),
    ]
    for number, (truth, message) in enumerate(broken):
        folder = tmp_path / str(number)
        folder.mkdir()
        with pytest.raises(DataError, match=message):
            load_tools(write(folder, truth))
    folder = write(tmp_path, [{"add": {"a": [1]}}], QUESTION | {"id": "multiple_1"})
    with pytest.raises(DataError, match="2 on one side only, 'multiple_0' first"):
        load_tools(folder)
