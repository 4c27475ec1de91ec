from __future__ import annotations

import math
import os
import subprocess
import sys
from collections import Counter

import pytest

from intent_gym.envs.data_to_text.generator import GOALS_PER_TABLE, ROWS, SLOTS, generate, goals_of, in_words
from intent_gym.envs.spaces import MAX_MESSAGE


def test_shape_of_the_tables() -> None:
    frames = generate()
    assert len(frames) == 40
    assert Counter(frame.split for frame in frames) == {"train": 30, "test": 10}
    ids = {slot.id for slot in SLOTS[1:]}
    for frame in frames:
        assert set(frame.domains) == ids
        assert math.prod(len(values) for values in frame.domains.values()) <= 60_000
        assert all(len(frame.domains[s]) >= 6 for s in ("row", "detail", "figure", "verb"))
        assert sum(len(frame.domains[s]) - 1 for s in frame.neutral) >= 5
        assert len(frame.brief) < MAX_MESSAGE // 8
        assert len(frame.cells) == ROWS


def test_cells_of_a_column_and_of_a_row_are_told_apart() -> None:
    for frame in generate():
        for heading in next(iter(frame.cells.values())):
            column = [cells[str(heading)] for cells in frame.cells.values()]
            assert len(set(column)) == ROWS, (frame.name, heading)
        for row, cells in frame.cells.items():
            figures = [cells[str(h)] for h in frame.domains["figure"]]
            assert all(isinstance(n, int) and n > 10 and n % 10 for n in figures), (frame.name, row)
            assert all(str(cell) in frame.brief for cell in cells.values())


def test_values_of_a_table_are_told_apart() -> None:
    for frame in generate():
        seen = [str(v).casefold() for values in frame.domains.values() for v in values]
        for a in seen:
            inside = [b for b in seen if a != b and f" {a} " in f" {b} "]
            assert not inside, (frame.name, a, inside)
        assert len(set(seen)) == len(seen)


def test_pages_share_tables_and_no_split() -> None:
    frames = {frame.name: frame for frame in generate()}
    for frame in frames.values():
        (other,) = frame.related
        assert frames[other].brief == frame.brief
        assert frames[other].split == frame.split
        assert frames[other].related == (frame.name,)
    rows: dict[str, set[str]] = {"train": set(), "test": set()}
    for frame in frames.values():
        rows[frame.split].add(frame.brief)
    assert not rows["train"] & rows["test"]


def test_sentences_have_the_form_that_the_brief_tells() -> None:
    frame = generate()[0]
    row = str(frame.domains["row"][0])
    cells = frame.cells[row]
    values = {"row": row, "detail": "coach", "figure": "strokes logged", "verb": "counts", **frame.neutral}
    number = int(cells["strokes logged"])
    assert frame.references(values) == (f"{row} (coach: {cells['coach']}) counts {number} strokes logged.",)
    values |= {"extra": "the mascot", "citation": "the page name", "number_form": "rounded tens"}
    (sentence,) = frame.references(values)
    about = (number + 5) // 10 * 10
    bracket = f"coach: {cells['coach']}; mascot: {cells['mascot']}"
    assert sentence == f"{row} ({bracket}) counts about {about} strokes logged, according to {frame.page}."
    values |= {"citation": "the table number", "number_form": "spelled-out words"}
    assert frame.references(values)[0].endswith(f"{in_words(number)} strokes logged, according to table 1.")


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "zero"),
        (13, "thirteen"),
        (20, "twenty"),
        (101, "one hundred one"),
        (9999, "nine thousand nine hundred ninety-nine"),
    ],
)
def test_numbers_in_words(number: int, words: str) -> None:
    assert in_words(number) == words


def test_goals_are_distinct_and_some_ask_for_more() -> None:
    for frame in generate():
        goals = goals_of(frame)
        assert len(goals) == GOALS_PER_TABLE == len({goal.id for goal in goals})
        assert len({tuple(sorted(goal.values.items())) for goal in goals}) == GOALS_PER_TABLE
        asked = [goal for goal in goals if set(goal.values) & set(frame.neutral)]
        assert 0 < len(asked) < GOALS_PER_TABLE
        for goal in goals:
            assert {"row", "detail", "figure", "verb"} <= set(goal.values)
            assert all(goal.values[s] != frame.neutral.get(s) for s in goal.values)


def test_equal_in_every_process() -> None:
    code = (
        "from intent_gym.envs.data_to_text.host import load; host = load(); "
        "print(host.fingerprint(), [g.id for g in host.goals()], [g.intent.to_json() for g in host.goals()][::97])"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(told) == 1
