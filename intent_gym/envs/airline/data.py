"""Reading the airline's data: the database, the tasks with their split, the policy text.

The files are those of the original, plain or gzipped: `db.json` (flights, users, reservations, and `airports` where
the cities are others than the original's), `tasks.json`, `split_tasks.json` and `policy.md`, of which only the first
is needed. Of the database the fields that the tools use are checked; a folder is read once in a process and shared.

The database becomes five tables: `users` and `reservations` as they are, `flights` (number, route, times),
`flight_dates` (a day of a flight by `"HAT001|2024-05-20"`: its status and, if it can be booked, seats and prices) and
`airports`. So a booking copies the row of a day, not a flight with all its days.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

from intent_gym.envs.airline.reads import CITIES
from intent_gym.envs.airline.rules import CABINS, MEMBERSHIPS, TRIPS
from intent_gym.envs.airline.timetable import date_key, minutes
from intent_gym.envs.desk import files
from intent_gym.envs.desk.calls import Call, shown
from intent_gym.envs.desk.tables import Tables
from intent_gym.errors import DataError

__all__ = ["AirlineData", "Task", "load", "tables_of"]

Shape: TypeAlias = Any
"""What a value must be: a type, a tuple of allowed texts, ``[shape]``, ``{"field": shape}`` or ``{str: shape}``."""

_NUMBER = (int, float)
_PERSON = {"first_name": str, "last_name": str, "dob": str}
_FLIGHT: Shape = {
    "flight_number": str,
    "origin": str,
    "destination": str,
    "scheduled_departure_time_est": str,
    "scheduled_arrival_time_est": str,
    "dates": {str: {"status": str}},
}
_OPEN_DAY: Shape = {"available_seats": dict.fromkeys(CABINS, int), "prices": dict.fromkeys(CABINS, _NUMBER)}
_USER: Shape = {
    "user_id": str,
    "name": {"first_name": str, "last_name": str},
    "dob": str,
    "payment_methods": {str: {"source": ("credit_card", "gift_card", "certificate"), "id": str}},
    "saved_passengers": [_PERSON],
    "membership": MEMBERSHIPS,
    "reservations": [str],
}
_RESERVATION: Shape = {
    "reservation_id": str,
    "user_id": str,
    "origin": str,
    "destination": str,
    "flight_type": TRIPS,
    "cabin": CABINS,
    "flights": [{"flight_number": str, "origin": str, "destination": str, "date": str, "price": _NUMBER}],
    "passengers": [_PERSON],
    "payment_history": [{"payment_id": str, "amount": _NUMBER}],
    "created_at": str,
    "total_baggages": int,
    "nonfree_baggages": int,
    "insurance": ("yes", "no"),
}
_DATABASE: Shape = {"flights": {str: _FLIGHT}, "users": {str: _USER}, "reservations": {str: _RESERVATION}}
_TASK: Shape = {"id": str, "user_scenario": {"instructions": {"reason_for_call": str}}}
_ACTION: Shape = {"name": str, "arguments": dict}


@dataclass(frozen=True, slots=True)
class Task:
    """A task of the source.

    Attributes:
        id: As in the source.
        split: "train" or "test".
        gold: The calls of its reference solution, reads included, in order.
        instructions: What the simulated user of the original is told.
        communicate: What the agent must say for the original's reward.
    """

    id: str
    split: str
    gold: tuple[Call, ...]
    instructions: Mapping[str, Any]
    communicate: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AirlineData:
    """A source, read.

    Attributes:
        tables: The database; its fingerprint is a digest of the file.
        tasks: In the source's order; empty if it has none.
        policy: The policy text for agents; empty if the source has none.
    """

    tables: Tables
    tasks: tuple[Task, ...]
    policy: str


def load(folder: str | Path) -> AirlineData:
    """Return the data of a folder; the same object for the same folder.

    Raises:
        DataError: A file is missing, damaged or of another shape; the message says which, where and what to do.
    """
    return _load(Path(folder).resolve())


@lru_cache(maxsize=8)
def _load(folder: Path) -> AirlineData:
    path = files.find(folder, "db.json")
    assert path is not None  # find raises where a needed file is missing
    database = files.read_json(path)
    tables = tables_of(database.value, database.name, database.digest)
    policy = files.find(folder, "policy.md", needed=False)
    return AirlineData(tables, _tasks(folder), files.read_text(policy) if policy else "")


def tables_of(database: Any, name: str = "db.json", fingerprint: str = "") -> Tables:  # noqa: ANN401 - JSON
    """Return the tables of a database in the original's schema, which they share; never change it afterwards.

    Args:
        database: The JSON value.
        name: What to call it in messages.
        fingerprint: Digest of its content.

    Raises:
        DataError: It is of another shape.
    """
    _check(database, _DATABASE, name)
    flights: dict[str, Mapping[str, Any]] = {}
    days: dict[str, Mapping[str, Any]] = {}
    used: dict[str, None] = {}
    for number, flight in database["flights"].items():
        where = f"{name}: flights.{number}"
        if flight["flight_number"] != number:
            raise DataError(f"{where}: expected the flight's own number, found {flight['flight_number']!r}")
        for key in ("scheduled_departure_time_est", "scheduled_arrival_time_est"):
            _check_time(flight[key], f"{where}.{key}")
        flights[number] = {key: value for key, value in flight.items() if key != "dates"}
        used.update({flight["origin"]: None, flight["destination"]: None})
        for date, day in flight["dates"].items():
            if day["status"] == "available":
                _check(day, _OPEN_DAY, f"{where}.dates.{date}")
            days[date_key(number, date)] = day
    for key, row in database["reservations"].items():
        _check_links(row, flights, database["users"], f"{name}: reservations.{key}")
    for key, user in database["users"].items():
        for method, row in user["payment_methods"].items():
            if row["source"] != "credit_card":
                _check(row, {"amount": _NUMBER}, f"{name}: users.{key}.payment_methods.{method}")
    cities = _cities(database.get("airports"), used, f"{name}: airports")
    whole = {"users": database["users"], "reservations": database["reservations"], "flights": flights}
    return Tables({**whole, "flight_dates": days, "airports": cities}, fingerprint)


def _cities(given: Any, used: Mapping[str, None], where: str) -> dict[str, dict[str, str]]:  # noqa: ANN401 - JSON
    """Return the airports' rows: those given, else the original's, and every other that a flight uses."""
    cities = dict(CITIES)
    if given is not None:
        _check(given, {str: {"city": str}}, where)
        cities = {code: row["city"] for code, row in given.items()}
    elif not used.keys() <= CITIES.keys():
        cities = dict.fromkeys(sorted(used), "")
    rows = {code: {"iata": code, "city": cities.get(code) or code} for code in (*cities, *sorted(used))}
    return rows


def _tasks(folder: Path) -> tuple[Task, ...]:
    path = files.find(folder, "tasks.json", needed=False)
    if path is None:
        return ()
    tasks = files.read_json(path)
    _check(tasks.value, [_TASK], tasks.name)
    test: set[str] = set()
    if (splits := files.find(folder, "split_tasks.json", needed=False)) is not None:
        split = files.read_json(splits)
        _check(split.value, {"train": [str], "test": [str]}, split.name)
        test = set(split.value["test"])
        if both := test & set(split.value["train"]):
            raise DataError(f"{split.name}: expected every task in one split, found {sorted(both)[0]!r} in both")
    return tuple(_task(row, f"{tasks.name}[{place}]", test) for place, row in enumerate(tasks.value))


def _task(row: Mapping[str, Any], where: str, test: set[str]) -> Task:
    criteria = row.get("evaluation_criteria") or {}
    actions, told = criteria.get("actions") or [], criteria.get("communicate_info") or []
    _check(actions, [_ACTION], f"{where}.evaluation_criteria.actions")
    _check(told, [str], f"{where}.evaluation_criteria.communicate_info")
    return Task(
        id=row["id"],
        split="test" if row["id"] in test else "train",
        gold=tuple(Call(action["name"], action["arguments"]) for action in actions),
        instructions=row["user_scenario"]["instructions"],
        communicate=tuple(told),
    )


# -- checks ------------------------------------------------------------------------------------------------------------
def _check(value: Any, shape: Shape, where: str) -> None:  # noqa: ANN401 - JSON
    """Raise a DataError that names the place where a value has another shape."""
    if isinstance(shape, dict):
        if not isinstance(value, dict):
            raise _mistyped(where, "an object", value)
        if str in shape:
            for key, item in value.items():
                _check(item, shape[str], f"{where}.{key}")
            return
        for key, inner in shape.items():
            if key not in value:
                raise DataError(f"{where}: expected the field {key!r}, found {', '.join(value) or 'no field'}")
            _check(value[key], inner, f"{where}.{key}")
    elif isinstance(shape, list):
        if not isinstance(value, list):
            raise _mistyped(where, "a list", value)
        for place, item in enumerate(value):
            _check(item, shape[0], f"{where}[{place}]")
    elif isinstance(shape, tuple) and isinstance(shape[0], str):
        if value not in shape:
            raise _mistyped(where, f"one of {', '.join(shape)}", value)
    elif not isinstance(value, shape) or isinstance(value, bool):
        kinds = shape if isinstance(shape, tuple) else (shape,)
        raise _mistyped(where, " or ".join(kind.__name__ for kind in kinds), value)


def _mistyped(where: str, expected: str, value: object) -> DataError:
    return DataError(f"{where}: expected {expected}, found {shown(value)}; is it the original's file?")


def _check_time(value: str, where: str) -> None:
    try:
        minutes(value)
    except ValueError as error:
        raise DataError(f"{where}: expected a time such as 13:00:00 or 01:30:00+1, found {shown(value)}") from error


def _check_links(row: Mapping[str, Any], flights: Mapping[str, Any], users: Mapping[str, Any], where: str) -> None:
    if row["user_id"] not in users:
        raise DataError(f"{where}: expected a user of the database, found {row['user_id']!r}")
    for leg in row["flights"]:
        if leg["flight_number"] not in flights:
            raise DataError(f"{where}: expected flights of the database, found {leg['flight_number']!r}")
