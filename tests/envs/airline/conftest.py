"""A small airline, made by hand: three users, four reservations, seven flights."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from intent_gym.envs.airline.data import tables_of
from intent_gym.envs.airline.timetable import Timetable
from intent_gym.envs.desk.tables import Draft, Tables

SEATS = {"basic_economy": 4, "economy": 3, "business": 2}
PRICES = {"basic_economy": 60, "economy": 100, "business": 300}
OPEN = {"status": "available", "available_seats": SEATS, "prices": PRICES}
DAYS = ("2024-05-20", "2024-05-21", "2024-05-22")


def flight(number: str, route: str, departs: str, arrives: str, **past: str) -> dict[str, Any]:
    """Return a flight that is open from 20 to 22 May; `past` gives a status by day of May: d14="landed"."""
    origin, destination = route.split("-")
    dates = {day: copy.deepcopy(OPEN) for day in DAYS}
    dates.update({f"2024-05-{day[1:]}": {"status": status} for day, status in past.items()})
    return {
        "flight_number": number,
        "origin": origin,
        "destination": destination,
        "scheduled_departure_time_est": departs,
        "scheduled_arrival_time_est": arrives,
        "dates": dates,
    }


FLIGHTS = [
    flight("F1", "SFO-JFK", "08:00:00", "16:00:00", d14="landed", d15="flying", d13="cancelled"),
    flight("F2", "JFK-SFO", "09:00:00", "12:00:00", d15="delayed", d16="on time"),
    flight("F3", "SFO-DEN", "06:00:00", "09:00:00", d13="cancelled"),
    flight("F4", "DEN-JFK", "09:00:00", "15:00:00"),
    flight("F5", "DEN-JFK", "08:00:00", "14:00:00"),
    flight("F6", "SFO-DEN", "22:00:00", "01:00:00+1"),
    flight("F7", "DEN-JFK", "01:00:00", "07:00:00"),
]


def person(name: str) -> dict[str, str]:
    first, last = name.split()
    return {"first_name": first, "last_name": last, "dob": "1990-01-01"}


def user(user_id: str, membership: str, **methods: float | None) -> dict[str, Any]:
    """Return a user; a method is named by its kind and a digit and has a balance: gift_card_1=200.0."""
    rows: dict[str, Any] = {}
    for key, amount in methods.items():
        rows[key] = {"source": key.rsplit("_", 1)[0], "id": key}
        rows[key].update({"brand": "visa", "last_four": "1234"} if amount is None else {"amount": amount})
    return {
        "user_id": user_id,
        "name": {"first_name": user_id[:3].title(), "last_name": "Lee"},
        "dob": "1990-01-01",
        "email": f"{user_id}@example.com",
        "payment_methods": rows,
        "saved_passengers": [person("Bo Lee")],
        "membership": membership,
        "reservations": [],
    }


def reservation(key: str, user_id: str, legs: list[tuple[str, str]], **fields: Any) -> dict[str, Any]:
    """Return a reservation SFO-JFK in economy, booked long ago by card, with fields of it replaced."""
    ends = {row["flight_number"]: (row["origin"], row["destination"]) for row in FLIGHTS}
    flights = [
        {"flight_number": n, "origin": ends[n][0], "destination": ends[n][1], "date": date, "price": 90}
        for n, date in legs
    ]
    row = {
        "reservation_id": key,
        "user_id": user_id,
        "origin": "SFO",
        "destination": "JFK",
        "flight_type": "one_way",
        "cabin": "economy",
        "flights": flights,
        "passengers": [person("Ann Lee")],
        "payment_history": [{"payment_id": "credit_card_1", "amount": 90}],
        "created_at": "2024-05-01T10:00:00",
        "total_baggages": 1,
        "nonfree_baggages": 0,
        "insurance": "no",
    }
    return {**row, **fields}


def database() -> dict[str, Any]:
    """Return the whole database, newly made."""
    reservations = {
        "AAAAAA": reservation("AAAAAA", "ann_lee_1", [("F1", "2024-05-20")]),
        "BBBBBB": reservation(
            "BBBBBB",
            "ann_lee_1",
            [("F1", "2024-05-20"), ("F2", "2024-05-22")],
            flight_type="round_trip",
            cabin="basic_economy",
        ),
        "CCCCCC": reservation("CCCCCC", "ben_lee_2", [("F1", "2024-05-14"), ("F2", "2024-05-22")], cabin="business"),
        "DDDDDD": reservation("DDDDDD", "cat_lee_3", [("F1", "2024-05-13")], insurance="yes"),
    }
    users = {
        "ann_lee_1": user(
            "ann_lee_1", "regular", credit_card_1=None, gift_card_1=150.0, certificate_1=500.0, certificate_2=40.0
        ),
        "ben_lee_2": user("ben_lee_2", "silver", credit_card_1=None, credit_card_2=None),
        "cat_lee_3": user("cat_lee_3", "gold", credit_card_1=None),
    }
    for key, row in reservations.items():
        users[row["user_id"]]["reservations"].append(key)
    return {"flights": {row["flight_number"]: row for row in copy.deepcopy(FLIGHTS)}} | {
        "users": users,
        "reservations": reservations,
    }


@pytest.fixture
def tables() -> Tables:
    return tables_of(database())


@pytest.fixture
def draft(tables: Tables) -> Draft:
    return Draft(tables)


@pytest.fixture
def timetable(tables: Tables) -> Timetable:
    return tables.derived(Timetable.build)
