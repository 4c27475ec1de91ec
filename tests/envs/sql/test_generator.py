"""The generated databases: values that are told apart, splits, right by hand, the same in every process."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from typing import Any

import pytest

from intent_gym.envs.sql.domains import DOMAINS, TEST
from intent_gym.envs.sql.frames import Frame
from intent_gym.envs.sql.generator import make_frames, make_goals
from intent_gym.envs.sql.host import load
from intent_gym.envs.sql.slots import NEUTRAL, SLOTS


@pytest.fixture(scope="module")
def frames() -> dict[str, Frame]:
    return {f.name: f for f in make_frames()}


def _rows(frame: Frame, table: str) -> list[dict[str, Any]]:
    """Return a table as a reader of the schema sees it."""
    line = next(text for text in frame.database.schema.split("\n") if text.startswith(f"CREATE TABLE {table} "))
    names = [column.split()[0] for column in line.split("(", 1)[1].split(", ")]
    return [dict(zip(names, row, strict=True)) for row in frame.database.rows[table]]


def test_counts(frames: dict[str, Frame]) -> None:
    goals = make_goals(tuple(frames.values()))
    print(f"{len(DOMAINS)} databases, {len(frames)} questions, {len(goals)} goals")
    assert len(DOMAINS) >= 10
    assert 600 <= len(goals) <= 2000
    assert len({g.id for g in goals}) == len(goals)


def test_splits_have_no_database_in_common(frames: dict[str, Frame]) -> None:
    assert {f.split for f in frames.values()} == {"train", "test"}
    for frame in frames.values():
        assert (frame.split == "test") == (frame.database.name in TEST)
    for goal in make_goals(tuple(frames.values())):
        assert goal.split == frames[goal.intent.frame].split


def test_values_of_one_question_are_told_apart(frames: dict[str, Frame]) -> None:
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


def test_values_for_every_budget_of_edits(frames: dict[str, Frame]) -> None:
    for frame in frames.values():
        assert all(slot in NEUTRAL or len(v) == 6 for slot, v in frame.domains.items())
        assert sum(len(frame.domains[s]) - 1 for s in frame.neutral) >= 5
        assert math.prod(len(v) for v in frame.domains.values()) <= 60_000
        assert 3 <= len(frame.domains) - len(frame.neutral) <= 5


def test_a_list_by_hand(frames: dict[str, Frame]) -> None:
    frame = frames["the list of bikes"]
    values: dict[str, Any] = {"category": "gravel", "place": "Corfe", "column": "maker", "threshold": 858}
    assert values["threshold"] in frame.domains["threshold"]
    query = frame.query.render({**values, "status": "any status", "extra": "serial code"})
    found = frame.database.run(query).rows
    stations = {row["id"]: row["town"] for row in _rows(frame, "station")}
    wanted = [
        (row["maker"], row["serial_code"])
        for row in _rows(frame, "bike")
        if row["build"] == "gravel" and stations[row["station_id"]] == "Corfe" and row["price"] >= 858
    ]
    assert sorted(found) == sorted(wanted)
    assert wanted


def test_a_ranking_by_hand(frames: dict[str, Frame]) -> None:
    frame = frames["the ranking of books"]
    values: dict[str, Any] = {"category": "poetry", "column": "name", "ordering": "highest cost first", "limit": 4}
    query = frame.query.render({**values, "status": "lent", "extra": "no extra"})
    books = [row for row in _rows(frame, "book") if row["genre"] == "poetry" and row["status"] == "lent"]
    books.sort(key=lambda row: -row["cost"])
    assert frame.database.run(query).rows == tuple((row["name"],) for row in books[:4])


def test_a_breakdown_by_hand(frames: dict[str, Frame]) -> None:
    frame = frames["the breakdown of the boats"]
    least = frame.domains["threshold"][3]
    values: dict[str, Any] = {"grouping": "flag", "aggregate": "midrange", "measure": "length", "threshold": least}
    query = frame.query.render({**values, "status": "any status", "extra": "row count"})
    groups: dict[str, list[float]] = {}
    for row in _rows(frame, "boat"):
        if row["tonnage"] >= least:
            groups.setdefault(row["flag"], []).append(row["length"])
    wanted = {(flag, round((max(v) + min(v)) / 2, 6), len(v)) for flag, v in groups.items()}
    found: list[Any] = list(frame.database.run(query).rows)
    assert {(flag, round(middle, 6), count) for flag, middle, count in found} == wanted


def test_no_ordering_leaves_rows_tied() -> None:
    for frame in make_frames():
        for table in frame.database.rows:
            for measure in next(d for d in DOMAINS if d.name == frame.database.name).measures:
                values = [row[measure] for row in _rows(frame, table) if measure in row]
                assert len(set(values)) == len(values)


def test_two_processes_give_the_same_goals() -> None:
    code = "from intent_gym.envs.sql.host import load; h = load(); print(h.fingerprint(), [g.id for g in h.goals()])"
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
