"""The generated toolboxes: schemas, values that are told apart, splits, the same in every process."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys

import pytest

from intent_gym.envs.tools.frames import Frame
from intent_gym.envs.tools.generator import make_frames, make_goals
from intent_gym.envs.tools.host import load
from intent_gym.envs.tools.match import normalised
from intent_gym.envs.tools.slots import NEUTRAL, OPTIONAL, SLOTS


@pytest.fixture(scope="module")
def frames() -> dict[str, Frame]:
    return {f.name: f for f in make_frames()}


def test_counts(frames: dict[str, Frame]) -> None:
    functions = {f["name"] for frame in frames.values() for f in frame.functions}
    goals = make_goals(tuple(frames.values()))
    print(f"{len(functions)} functions, {len(frames)} requests, {len(goals)} goals")
    assert len(functions) >= 24
    assert 600 <= len(goals) <= 2000
    assert {len(f.plans) for f in frames.values()} == {1, 2}


def test_splits_have_no_function_in_common(frames: dict[str, Frame]) -> None:
    by_split = {
        split: {f["name"] for frame in frames.values() if frame.split == split for f in frame.functions}
        for split in ("train", "test")
    }
    assert by_split["train"]
    assert by_split["test"]
    assert not by_split["train"] & by_split["test"]
    for goal in make_goals(tuple(frames.values())):
        assert goal.split == frames[goal.intent.frame].split


def test_values_of_one_request_are_told_apart(frames: dict[str, Frame]) -> None:
    """Also after the grader has dropped case, blanks and punctuation; and no value is part of another of its slot."""
    for frame in frames.values():
        seen: dict[str, str] = {}
        for slot, values in frame.domains.items():
            assert len({normalised(str(v)) for v in values}) == len(values)
            for value in values:
                text = f" {value} ".casefold()
                assert seen.setdefault(text, slot) == slot
                assert not any(text in f" {other} ".casefold() for other in values if other != value)
                assert text not in f" {frame.name} ".casefold()
    words = [s.word for s in SLOTS]
    assert not any(a in b for a in words for b in words if a != b)


def test_values_for_every_budget_of_edits(frames: dict[str, Frame]) -> None:
    for frame in frames.values():
        assert all(slot in frame.neutral or 6 <= len(v) <= 8 for slot, v in frame.domains.items())
        assert sum(len(frame.domains[s]) - 1 for s in frame.neutral) >= 5
        assert math.prod(len(v) for v in frame.domains.values()) <= 60_000
        assert len(frame.domains) - len(frame.neutral) >= 3


def test_optional_values_and_what_leaving_out_means() -> None:
    assert all(NEUTRAL[slot] in values and list(values) == sorted(values) for slot, values in OPTIONAL.items())


def test_material_is_readable_schemas(frames: dict[str, Frame]) -> None:
    for frame in frames.values():
        lines = frame.brief.split("\n")
        assert tuple(json.loads(line) for line in lines[1:-1]) == frame.functions
        for plan in frame.plans:
            schema = next(f for f in frame.functions if f["name"] == plan.function)["parameters"]
            given = {a.parameter for a in plan.arguments}
            assert set(schema["required"]) <= given <= set(schema["properties"])


def test_a_call_by_hand(frames: dict[str, Frame]) -> None:
    frame = frames["table booking"]
    values = {slot: v[0] for slot, v in frame.domains.items()} | {"city": "Oslo", "day": "Friday", "party": 4}
    plain = frame.calls({**values, **frame.neutral})
    assert [(c.name, c.arguments) for c in plain] == [
        ("dining.book_table", {"city": "Oslo", "day": "Friday", "party": 4})
    ]
    asked = frame.calls({**values, **frame.neutral, "reminder": "phone reminder"})
    assert asked[0].arguments["reminder"] == "phone"


def test_a_request_there_and_back_by_hand(frames: dict[str, Frame]) -> None:
    frame = frames["train search in either direction"]
    values = {**{slot: v[0] for slot, v in frame.domains.items()}, **frame.neutral}
    there, back = frame.calls(values)
    assert (there.arguments["origin"], there.arguments["destination"]) == (values["city"], values["destination"])
    assert (back.arguments["origin"], back.arguments["destination"]) == (values["destination"], values["city"])
    assert there.arguments["day"] == back.arguments["day"] == values["day"]


def test_two_processes_give_the_same_goals() -> None:
    code = "from intent_gym.envs.tools.host import load; h = load(); print(h.fingerprint(), [g.id for g in h.goals()])"
    told = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert told[0] == told[1]
    assert told[0].startswith(load().fingerprint())
