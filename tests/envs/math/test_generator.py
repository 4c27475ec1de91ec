"""The generated word problems: exact by hand, the same in every process, every change of a value consequential."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from fractions import Fraction

import pytest

from intent_gym.core.intent import Value
from intent_gym.envs.math.frames import Frame, written
from intent_gym.envs.math.generator import make_frames, make_goals
from intent_gym.envs.math.host import load
from intent_gym.envs.math.kinds import Kind
from intent_gym.envs.math.slots import SLOTS
from intent_gym.envs.math.stories import KINDS


@pytest.fixture(scope="module")
def frames() -> dict[str, Frame]:
    return {f.name: f for f in make_frames()}


def _amount(brief: str, option: str, line: str) -> Fraction:
    """Return an amount as a reader of the material finds it."""
    found = next(text for text in brief.split("\n") if text.startswith(line))
    return Fraction(found.split(f"{option} ")[1].split(",")[0].strip(" .$"))


def test_counts(frames: dict[str, Frame]) -> None:
    goals = make_goals(tuple(frames.values()))
    stories = {f.group for f in frames.values()}
    print(f"{len(stories)} stories, {len(frames)} questions, {len(goals)} goals")
    assert len(stories) >= 24
    assert len({f.brief for f in frames.values()}) == len(stories)
    assert 600 <= len(goals) <= 2000


def test_splits_are_disjoint_by_story(frames: dict[str, Frame]) -> None:
    by_split = {s: {f.group for f in frames.values() if f.split == s} for s in ("train", "test")}
    assert by_split["train"]
    assert by_split["test"]
    assert not by_split["train"] & by_split["test"]
    for goal in make_goals(tuple(frames.values())):
        assert goal.split == frames[goal.intent.frame].split


def test_an_outing_by_hand(frames: dict[str, Frame]) -> None:
    frame = frames["the total cost of the class trip of Mara's school"]
    ticket = _amount(frame.brief, "zoo", "Tickets cost")
    coach = _amount(frame.brief, "coach", "Transport costs")
    values: dict[str, Value] = {"quantity": 24, "duration": 3, "destination": "zoo", "transport": "coach"}
    full = frame.work.exact({**values, "discount": "no discount", "fee": "no service fee"})
    assert full == 24 * ticket + 3 * coach
    less = frame.work.exact({**values, "discount": "member discount", "fee": "large service fee"})
    assert less == full * Fraction(4, 5) + Fraction("37.50")


def test_what_is_left_in_other_units_by_hand(frames: dict[str, Frame]) -> None:
    frame = frames["the money left after the class trip of Mara's school"]
    bill = 24 * _amount(frame.brief, "zoo", "Tickets cost") + _amount(frame.brief, "coach", "Transport costs")
    values: dict[str, Value] = {"quantity": 24, "budget": 900, "destination": "zoo", "transport": "coach"}
    plain: dict[str, Value] = {**values, "discount": "student discount"}
    assert frame.work.exact({**plain, "unit": "dollars"}) == 900 - bill * Fraction(9, 10)
    assert frame.work.exact({**plain, "unit": "cents"}) == 100 * (900 - bill * Fraction(9, 10))
    assert frame.work.exact({**plain, "unit": "euros"}) == (900 - bill * Fraction(9, 10)) / Fraction("1.25")


def test_rounding_by_hand(frames: dict[str, Frame]) -> None:
    frame = frames["the building time of the fence round Ingrid's garden"]
    values: dict[str, Value] = {"length": 23, "width": 12, "pace": 4, "unit": "minutes"}
    results = {r: frame.work.exact({**values, "rounding": r}) for r in frame.domains["rounding"]}
    assert results == {
        "no rounding": 1050,
        "rounding down to tens": 1050,
        "rounding up to hundreds": 1100,
        "rounding up to tens": 1050,
    }
    assert frame.work.exact({**values, "unit": "hours", "rounding": "rounding up to tens"}) == 20
    assert frame.work.exact({**values, "unit": "hours", "rounding": "rounding down to tens"}) == 10


@pytest.mark.parametrize("kind", KINDS, ids=[k.id for k in KINDS])
def test_values_of_one_question_are_told_apart(kind: Kind, frames: dict[str, Frame]) -> None:
    """No value is part of another of its slot, none stands in two slots, and none is in the question's name."""
    for frame in (f for f in frames.values() if f.group.startswith(f"{kind.id}-")):
        seen: dict[str, str] = {}
        for slot, values in frame.domains.items():
            for value in values:
                text = f" {value} "
                assert seen.setdefault(text, slot) == slot, f"{frame.name}: {value} is in {seen[text]} and {slot}"
                assert not any(text in f" {other} " for other in values if other != value)
                assert text not in f" {frame.name} "
    words = [s.word for s in SLOTS]
    assert not any(a in b for a in words for b in words if a != b)


def test_values_for_every_budget_of_edits(frames: dict[str, Frame]) -> None:
    """Five variants of every goal, five decoys, and rows that can be listed."""
    for frame in frames.values():
        rows = 1
        for slot, values in frame.domains.items():
            rows *= len(values)
            assert slot in frame.neutral or 6 <= len(values) <= 8
        assert sum(len(frame.domains[s]) - 1 for s in frame.neutral) >= 5
        assert rows <= 60_000


def test_no_amount_of_the_material_is_a_number_that_people_set(frames: dict[str, Frame]) -> None:
    for frame in frames.values():
        tokens = {t.strip(".,$()") for t in frame.brief.split()}
        for slot, values in frame.domains.items():
            numbers = {str(v) for v in values if isinstance(v, int)}
            assert not numbers & tokens, f"{frame.name}: {slot}"


def test_tables_are_the_exact_answers(frames: dict[str, Frame]) -> None:
    for frame in frames.values():
        table = frame.table
        rows = list(itertools.product(*frame.domains.values()))
        assert len(table) == len(rows)
        for number in range(0, len(rows), max(1, len(rows) // 40)):
            exact = frame.work.exact(dict(zip(frame.domains, rows[number], strict=True)))
            assert exact is not None
            assert abs(table[number] - float(exact)) <= 1e-9 * max(1.0, abs(float(exact))), (frame.name, rows[number])


def test_written_numbers_are_read_back() -> None:
    for text in ("0", "-3", "12.5", "-0.05", "100", "3.125", "1200"):
        assert written(Fraction(text)) == text
    assert written(Fraction(22, 7)) == "22/7"


def test_two_processes_give_the_same_goals() -> None:
    code = "from intent_gym.envs.math.host import load; h = load(); print(h.fingerprint(), [g.id for g in h.goals()])"
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
