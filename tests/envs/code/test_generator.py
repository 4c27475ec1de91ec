"""The generated functions: values that are told apart, splits, right by hand, the same in every process."""

from __future__ import annotations

import itertools
import math
import os
import subprocess
import sys
from typing import Any, get_args

import pytest

from intent_gym.envs.code.frames import Made
from intent_gym.envs.code.generator import THEMES, Style, make_frames, make_goals
from intent_gym.envs.code.host import load_humaneval, load_livecodebench
from intent_gym.envs.code.parts import EMPTY, NEUTRAL, POOLS, REPEATS, WRAPPINGS
from intent_gym.envs.code.slots import SLOTS

STYLES: tuple[Style, ...] = get_args(Style)


@pytest.fixture(scope="module", params=STYLES)
def style(request: pytest.FixtureRequest) -> Style:
    found: Style = request.param
    return found


@pytest.fixture(scope="module")
def frames(style: Style) -> dict[str, Made]:
    return {f.name: f for f in make_frames(style)}


def test_counts(style: Style, frames: dict[str, Made]) -> None:
    goals = make_goals(style, tuple(frames.values()))
    print(f"{style}: {len(THEMES) // 2} lists, {len(frames)} functions, {len(goals)} goals")
    assert 600 <= len(goals) <= 2000
    assert len({g.id for g in goals}) == len(goals)


def test_splits_have_no_list_and_no_function_in_common(style: Style, frames: dict[str, Made]) -> None:
    groups = {split: {f.group for f in frames.values() if f.split == split} for split in ("train", "test")}
    assert groups["train"] and groups["test"]
    assert not groups["train"] & groups["test"]
    names = {s: {n for f in frames.values() if f.split == s for n in f.domains["name"]} for s in ("train", "test")}
    assert not names["train"] & names["test"]
    for goal in make_goals(style, tuple(frames.values())):
        assert goal.split == frames[goal.intent.frame].split


def test_values_of_one_function_are_told_apart(frames: dict[str, Made]) -> None:
    for frame in frames.values():
        seen: dict[str, str] = {}
        for slot, values in frame.domains.items():
            for value in values:
                text = f" {value} ".casefold()
                assert seen.setdefault(text, slot) == slot, (frame.name, value)
                assert not any(text in f" {other} ".casefold() for other in values if other != value), value
                assert text not in f" {frame.name} ".casefold()
    words = [s.word for s in SLOTS]
    assert not any(a in b for a in words for b in words if a != b)


def test_values_for_every_budget_of_edits(frames: dict[str, Made]) -> None:
    for frame in frames.values():
        assert all(slot in NEUTRAL or len(v) == 6 for slot, v in frame.domains.items())
        assert sum(len(frame.domains[s]) - 1 for s in frame.neutral) >= 5
        assert math.prod(len(v) for v in frame.domains.values()) <= 60_000
        assert 3 <= len(frame.domains) - len(frame.neutral) <= 5


def test_tables_are_sorted_and_know_their_neutral_value() -> None:
    for slot, table in (("repeats", REPEATS), ("empty", EMPTY), ("wrapping", WRAPPINGS)):
        assert NEUTRAL[slot] in table
    assert all(len(plain) >= 6 and not plain.keys() & with_k.keys() for plain, with_k in POOLS.values())


def test_a_program_is_what_its_parts_return(frames: dict[str, Made]) -> None:
    """The text, run here because it is this project's own, returns what the parts do; so do all its readings."""
    for frame in frames.values():
        rows = itertools.product(*frame.domains.values())
        for row in itertools.islice(rows, 0, None, 397):
            values = dict(zip(frame.domains, row, strict=True))
            source = frame.source.render(values)
            assert frame.source.read(source) == values
            space: dict[str, Any] = {}
            exec(source, space)
            name = str(values["name"])
            call = getattr(space["Solution"](), name) if "Solution" in space else space[name]
            assert [call(*arguments) for arguments in frame.calls] == frame.outputs(values), source


def test_a_digest_by_hand() -> None:
    frame = next(f for f in make_frames("humaneval") if f.name == "the digest of scores")
    values: dict[str, Any] = {slot: v[0] for slot, v in frame.domains.items()} | dict(frame.neutral)
    values |= {"repeats": "repeats dropped", "wrapping": "paired result"}
    tests = {
        "odd values": lambda x: x % 2 == 1,
        "even values": lambda x: x % 2 == 0,
        "positive values": lambda x: x > 0,
    }
    label = next(v for v in frame.domains["filter"] if v in tests)
    step = next(v for v in frame.domains["step"] if v in ("doubling", "negation", "tripling", "plus eleven"))
    aggregate = next(v for v in frame.domains["aggregate"] if v in ("plain total", "largest value", "sum of squares"))
    done: dict[Any, Any] = {
        "doubling": lambda x: 2 * x,
        "negation": lambda x: -x,
        "tripling": lambda x: 3 * x,
        "plus eleven": lambda x: x + 11,
        "plain total": sum,
        "largest value": lambda v: max(v, default=0),
        "sum of squares": lambda v: sum(x**2 for x in v),
    }
    found = frame.outputs({**values, "filter": label, "step": step, "aggregate": aggregate})
    for (items,), result in zip(frame.calls, found, strict=True):
        kept: list[int] = []
        for item in items:
            if tests[str(label)](item) and item not in kept:
                kept.append(item)
        assert result == [done[aggregate]([done[step](x) for x in kept]), len(kept)]


def test_lists_of_tests(frames: dict[str, Made]) -> None:
    for frame in frames.values():
        assert [len(call[0]) for call in frame.calls[:2]] == [0, 1]
        assert all(len(set(call[0])) < len(call[0]) for call in frame.calls[2:])


def test_two_processes_give_the_same_goals() -> None:
    code = (
        "from intent_gym.envs.code.host import load_humaneval as a, load_livecodebench as b\n"
        "print([(h.fingerprint(), [g.id for g in h.goals()]) for h in (a(), b())])"
    )
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
    assert load_humaneval().fingerprint() in told[0]
    assert load_livecodebench().fingerprint() in told[0]
