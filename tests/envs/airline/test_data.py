"""Reading a source: what is found, what is shared, and what is said of a folder that is not as it should be."""

from __future__ import annotations

import copy
import gzip
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from intent_gym.envs.airline.data import load, tables_of
from intent_gym.envs.airline.timetable import Timetable
from intent_gym.errors import DataError

from .conftest import database

TASK = {
    "id": "7",
    "user_scenario": {"instructions": {"reason_for_call": "Cancel AAAAAA."}},
    "evaluation_criteria": {
        "actions": [{"name": "cancel_reservation", "arguments": {"reservation_id": "AAAAAA"}}],
        "communicate_info": ["90"],
    },
}


def write(folder: Path, name: str, value: object, *, packed: bool = False) -> None:
    text = json.dumps(value).encode()
    (folder / (f"{name}.gz" if packed else name)).write_bytes(gzip.compress(text) if packed else text)


def test_a_folder_with_everything(tmp_path: Path) -> None:
    write(tmp_path, "db.json", database(), packed=True)
    write(tmp_path, "tasks.json", [TASK, {**TASK, "id": "8", "evaluation_criteria": None}])
    write(tmp_path, "split_tasks.json", {"train": ["7"], "test": ["8"]})
    (tmp_path / "policy.md").write_text("Be kind.", encoding="utf-8")
    data = load(tmp_path)
    assert load(str(tmp_path)) is data
    assert [(task.id, task.split, len(task.gold), task.communicate) for task in data.tasks] == [
        ("7", "train", 1, ("90",)),
        ("8", "test", 0, ()),
    ]
    assert data.tasks[0].gold[0].arguments == {"reservation_id": "AAAAAA"}
    assert data.policy == "Be kind."
    assert data.tables.fingerprint
    assert "dates" not in data.tables["flights"]["F1"]
    assert data.tables["flight_dates"]["F1|2024-05-14"] == {"status": "landed"}


def test_the_database_alone_is_enough(tmp_path: Path) -> None:
    write(tmp_path, "db.json", database())
    data = load(tmp_path)
    assert (data.tasks, data.policy) == ((), "")


def test_other_airports() -> None:
    strange = database()
    for row in strange["flights"].values():
        row.update({"origin": "AAA", "destination": "BBB"})
    assert list(tables_of(strange)["airports"]) == ["AAA", "BBB"]
    strange["airports"] = {"BBB": {"city": "Bath"}}
    assert tables_of(strange)["airports"] == {
        "BBB": {"iata": "BBB", "city": "Bath"},
        "AAA": {"iata": "AAA", "city": "AAA"},
    }


def _set(*path: str | int, value: object) -> Callable[[Any], None]:
    def change(data: Any) -> None:  # noqa: ANN401 - JSON
        for key in path[:-1]:
            data = data[key]
        data[path[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_set("users", value=[]), "db.json.users: expected an object, found []"),
        (_set("users", "ann_lee_1", "membership", value="iron"), "membership: expected one of regular, silver, gold"),
        (_set("flights", "F1", "flight_number", value="F2"), "flights.F1: expected the flight's own number"),
        (_set("flights", "F1", "scheduled_arrival_time_est", value="noon"), "expected a time such as 13:00:00"),
        (_set("flights", "F1", "dates", "2024-05-20", value={"status": "available"}), "expected the field"),
        (_set("reservations", "AAAAAA", "user_id", value="x"), "reservations.AAAAAA: expected a user of the database"),
        (_set("reservations", "AAAAAA", "flights", 0, "flight_number", value="F9"), "expected flights of the database"),
        (_set("reservations", "AAAAAA", "total_baggages", value="1"), "total_baggages: expected int, found '1'"),
        (_set("reservations", "AAAAAA", "passengers", value={}), "passengers: expected a list, found {}"),
        (_set("users", "ann_lee_1", "payment_methods", "gift_card_1", "amount", value=True), "expected int or float"),
        (_set("airports", value={"SFO": "here"}), "airports.SFO: expected an object"),
    ],
)
def test_what_is_said_of_a_database(change: Callable[[Any], None], message: str) -> None:
    data = database()
    change(data)
    with pytest.raises(DataError) as caught:
        tables_of(data)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("tasks.json", {}, "tasks.json: expected a list"),
        ("tasks.json", [{"id": 7}], "tasks.json[0].id: expected str, found 7"),
        ("tasks.json", [{"id": "7"}], "tasks.json[0]: expected the field 'user_scenario'"),
        ("split_tasks.json", {"train": []}, "split_tasks.json: expected the field 'test', found train"),
        ("split_tasks.json", {"train": ["7"], "test": ["7"]}, "expected every task in one split"),
    ],
)
def test_what_is_said_of_tasks(tmp_path: Path, name: str, value: object, message: str) -> None:
    write(tmp_path, "db.json", database())
    write(tmp_path, "tasks.json", [copy.deepcopy(TASK)])
    write(tmp_path, name, value)
    with pytest.raises(DataError) as caught:
        load(tmp_path)
    assert message in str(caught.value)


def test_what_is_said_of_files(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"expected a folder with db\.json"):
        load(tmp_path / "nowhere")
    with pytest.raises(DataError, match=r"expected db\.json or db\.json\.gz"):
        load(tmp_path)
    (tmp_path / "db.json").write_text('{"flights": ', encoding="utf-8")
    with pytest.raises(DataError, match="expected JSON"):
        load(tmp_path)
    os.remove(tmp_path / "db.json")
    (tmp_path / "db.json.gz").write_bytes(gzip.compress(b"{}" * 100)[:20])
    with pytest.raises(DataError, match="expected a whole gzip file"):
        load(tmp_path)


def test_the_original_data(shared_data: Path) -> None:
    data = load(shared_data / "tau2" / "airline")
    counts = {table: len(data.tables[table]) for table in data.tables}
    assert counts == {"users": 500, "reservations": 2000, "flights": 300, "flight_dates": 9000, "airports": 20}
    assert [sum(task.split == split for task in data.tasks) for split in ("train", "test")] == [30, 20]
    assert sum(len(task.gold) for task in data.tasks) == 142
    assert data.policy.startswith("# Airline Agent Policy")
    timetable = data.tables.derived(Timetable.build)
    assert timetable is data.tables.derived(Timetable.build)
    assert len(timetable.airports) == 20
    assert timetable.on("HAT001", "2024-05-01") == "landed"
    assert timetable.on("HAT001", "May 1") is None
