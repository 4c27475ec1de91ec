"""The airline's embedded data: its schema, its consistency, its determinism and the figures it was made for."""

from __future__ import annotations

import datetime
import gzip
import json
import re
import time
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from intent_gym.envs.airline.data import tables_of
from intent_gym.envs.airline.generator import generate
from intent_gym.envs.airline.network import DATES, PREFIX, load_network
from intent_gym.envs.airline.policy import breaches, cancellation_breaches, itinerary_breaches, paid_bags
from intent_gym.envs.airline.rules import BAG_PRICE, CABINS, INSURANCE_PRICE, NOW
from intent_gym.envs.airline.timetable import Timetable
from intent_gym.envs.airline.tools import airline_toolbox
from intent_gym.envs.desk.calls import Call
from intent_gym.envs.desk.tables import Draft, Tables
from intent_gym.envs.people import split_of
from intent_gym.errors import OptionError
from tests.envs.desk.generated import digest_in_new_processes, digest_of, nothing_shared, shape

TABLES = ("flights", "users", "reservations")
MAPS = {"dates", "payment_methods"}  # objects whose keys are data
SIZES = [(50, 0), (500, 0), (500, 1), (500, 2)]
TODAY = "2024-05-15"
PINNED = "972721c4ea4461294bcaa90965b74dac9f19d00ddce70d25f29b7e804a55d4fb"


@cache
def data(users: int = 500, seed: int = 0) -> dict[str, Any]:
    return generate(users, seed)


@cache
def tables(users: int = 500, seed: int = 0) -> Tables:
    return tables_of(data(users, seed))


def timetable(users: int = 500, seed: int = 0) -> Timetable:
    return tables(users, seed).derived(Timetable.build)


def ahead(users: int = 500, seed: int = 0) -> list[dict[str, Any]]:
    """Return the reservations whose flights can all still be booked."""
    return [row for row in data(users, seed)["reservations"].values() if row["flights"][0]["date"] > TODAY]


def ways(row: dict[str, Any], later: int, seed: int = 0) -> list[tuple[str, ...]]:
    """Return the ways from a reservation's origin to its destination that have seats, so many days later."""
    date = (datetime.date.fromisoformat(row["flights"][0]["date"]) + datetime.timedelta(later)).isoformat()
    flights, route = data(seed=seed)["flights"], (row["origin"], row["destination"])
    if not TODAY < date <= DATES[-1]:
        return []
    found: list[tuple[str, ...]] = [(flight.number,) for flight in timetable(seed=seed).direct.get(route, ())]
    for pair in timetable(seed=seed).onestop.get(route, ()):
        if not pair.first.overnight:
            found.append((pair.first.number, pair.second.number))
    return [
        way
        for way in found
        if all(flights[n]["dates"][date]["available_seats"][row["cabin"]] >= len(row["passengers"]) for n in way)
    ]


def other_cabins(row: dict[str, Any], seed: int = 0) -> list[str]:
    """Return the other cabins in which a reservation's flights have seats."""
    flights = data(seed=seed)["flights"]
    days = [flights[leg["flight_number"]]["dates"][leg["date"]] for leg in row["flights"]]
    need = len(row["passengers"])
    return [
        cabin
        for cabin in CABINS
        if cabin != row["cabin"] and all(day["available_seats"][cabin] >= need for day in days)
    ]


# -- schema ------------------------------------------------------------------------------------------------------------
def test_rows_have_the_keys_and_types_of_the_original(shared_data: Path) -> None:
    with gzip.open(shared_data / "tau2" / "airline" / "db.json.gz", "rt", encoding="utf-8") as file:
        original = json.load(file)
    assert set(data()) - set(original) == {"airports"}
    for table in TABLES:
        ours, theirs = (
            {entry for row in db[table].values() for entry in shape(row, MAPS, ("source", "status"))}
            for db in (data(), original)
        )
        assert ours == theirs, table
        assert {tuple(row) for row in data()[table].values()} == {tuple(row) for row in original[table].values()}
    routes = ({(row["origin"], row["destination"]) for row in db["flights"].values()} for db in (data(), original))
    assert not set.intersection(*routes)
    assert not set(data()["flights"]) & set(original["flights"])


@pytest.mark.parametrize(("users", "seed"), SIZES)
def test_ids_have_the_forms_of_the_original_and_are_unique(users: int, seed: int) -> None:
    db = data(users, seed)
    assert len(db["users"]) == users
    assert list(db["flights"]) == [f"{PREFIX}{n:03}" for n in range(1, 301)]
    for key, row in db["users"].items():
        assert key == row["user_id"]
        assert re.fullmatch(r"[a-z]+_[a-z]+_\d{4}", key)
        for method, entry in row["payment_methods"].items():
            assert method == entry["id"]
            assert re.fullmatch(rf"{entry['source']}_\d{{7}}", method)
        travellers = [(person["first_name"], person["last_name"]) for person in row["saved_passengers"]]
        assert len(set(travellers)) == len(travellers)
    for key, row in db["reservations"].items():
        assert key == row["reservation_id"]
        assert re.fullmatch(r"(?=.*\d)(?=.*[A-Z])[A-Z0-9]{6}", key)
        assert not key.startswith((PREFIX, "HAT"))  # neither a flight nor an id that booking gives
    methods = [method for user in db["users"].values() for method in user["payment_methods"]]
    assert len(set(methods)) == len(methods)


# -- flights -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_any_two_airports_are_connected(seed: int) -> None:
    network, flights = load_network(), timetable(seed=seed)
    codes = [airport.code for airport in network.airports]
    assert sorted(codes) == list(flights.airports) == sorted(data(seed=seed)["airports"])
    assert len(codes) == 20
    pairs = [(one, other) for one in codes for other in codes if one != other]
    assert sum(pair in flights.direct for pair in pairs) > 130
    assert all(len(flights.direct[pair]) >= 2 for pair in pairs if pair in flights.direct)
    assert sum(len(flights.onestop.get(pair, ())) >= 2 for pair in pairs) > 0.97 * len(pairs)
    assert all(pair in flights.direct or pair in flights.onestop for pair in pairs)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_days_agree_with_the_clock(seed: int) -> None:
    now = NOW.isoformat()
    statuses = Counter(flight["dates"][TODAY]["status"] for flight in data(seed=seed)["flights"].values())
    assert set(statuses) == {"landed", "flying", "on time", "delayed", "cancelled"}
    assert min(statuses.values()) >= 5
    past = Counter[str]()
    for flight in data(seed=seed)["flights"].values():
        assert tuple(flight["dates"]) == DATES
        for date, day in flight["dates"].items():
            times = [value for key, value in day.items() if key.endswith("_est")]
            assert times == sorted(times)
            if date < TODAY:
                past[day["status"]] += 1
            elif date > TODAY:
                assert day["status"] == "available"
                assert all(isinstance(n, int) and n >= 0 for n in day["available_seats"].values())
                fares = [day["prices"][cabin] for cabin in CABINS]
                assert fares == sorted(set(fares))
                assert all(isinstance(fare, int) and 20 < fare < 900 for fare in fares)
            if day["status"] == "landed":
                assert max(times) < now
            elif day["status"] == "flying":
                assert times[0] < now <= times[1]
            elif day["status"] in ("on time", "delayed"):
                assert now <= min(times)
    assert set(past) == {"landed", "cancelled"}
    assert 0.07 < past["cancelled"] / past.total() < 0.11


# -- reservations ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("users", "seed"), SIZES)
def test_reservations_keep_every_rule(users: int, seed: int) -> None:
    db = data(users, seed)
    listed = [key for user in db["users"].values() for key in user["reservations"]]
    assert listed == list(db["reservations"])
    for row in db["reservations"].values():
        user = db["users"][row["user_id"]]
        assert row["reservation_id"] in user["reservations"]
        trip = (row["origin"], row["destination"], row["flight_type"], row["flights"])
        assert not itinerary_breaches(timetable(users, seed), *trip)
        assert row["origin"] != row["destination"]
        assert 1 <= len(row["passengers"]) <= 4
        names = [(person["first_name"], person["last_name"]) for person in row["passengers"]]
        assert len(set(names)) == len(names)
        bags = row["total_baggages"]
        assert row["nonfree_baggages"] == paid_bags(user["membership"], row["cabin"], len(names), bags)
        (payment,) = row["payment_history"]
        seats = sum(leg["price"] for leg in row["flights"])
        insurance = INSURANCE_PRICE * (row["insurance"] == "yes")
        assert payment["amount"] == len(names) * (seats + insurance) + BAG_PRICE * row["nonfree_baggages"]
        assert user["payment_methods"][payment["payment_id"]]["source"] in ("credit_card", "gift_card")
        assert row["created_at"] < min(NOW.isoformat(), row["flights"][0]["date"])
        for leg in row["flights"]:
            flight = db["flights"][leg["flight_number"]]
            assert (leg["origin"], leg["destination"]) == (flight["origin"], flight["destination"])
            assert leg["price"] > 0


@pytest.mark.parametrize(("users", "seed"), SIZES)
def test_bookings_of_the_last_day_cost_what_flights_cost_now(users: int, seed: int) -> None:
    since = (NOW - datetime.timedelta(hours=24)).isoformat()
    rows = [row for row in data(users, seed)["reservations"].values() if row["created_at"] > since]
    assert rows
    for row in rows:
        assert row["created_at"] < NOW.isoformat()
        for leg in row["flights"]:
            day = data(users, seed)["flights"][leg["flight_number"]]["dates"][leg["date"]]
            assert leg["price"] == day["prices"][row["cabin"]]


def test_rows_share_nothing_and_every_call_builds_anew() -> None:
    first, second = generate(50), generate(50)
    assert nothing_shared(first, second)
    assert first == second


# -- figures -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_statistics(seed: int) -> None:
    db = data(seed=seed)
    rows = list(db["reservations"].values())
    assert 3.5 < len(rows) / 500 < 4.3
    share = Counter(row["flight_type"] for row in rows)
    assert share["round_trip"] / len(rows) == pytest.approx(0.48, abs=0.05)
    assert all(n / len(rows) == pytest.approx(1 / 3, abs=0.05) for n in Counter(r["cabin"] for r in rows).values())
    people = Counter(len(row["passengers"]) for row in rows)
    assert [people[n] / len(rows) for n in (1, 2, 3, 4)] == pytest.approx([0.46, 0.33, 0.16, 0.05], abs=0.05)
    assert sum(row["insurance"] == "yes" for row in rows) / len(rows) == pytest.approx(0.5, abs=0.05)
    assert sum(row["nonfree_baggages"] > 0 for row in rows) / len(rows) == pytest.approx(0.15, abs=0.04)
    stops = Counter(len(row["flights"]) > 1 + (row["flight_type"] == "round_trip") for row in rows)
    assert min(stops.values()) > 0.35 * len(rows)
    assert len(ahead(seed=seed)) / len(rows) == pytest.approx(0.62, abs=0.05)
    memberships = Counter(user["membership"] for user in db["users"].values())
    assert min(memberships.values()) > 120
    assert sum(split_of(user) == "test" for user in db["users"]) / 500 == pytest.approx(0.3, abs=0.06)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_what_intents_need(seed: int) -> None:
    rows, flights = ahead(seed=seed), timetable(seed=seed)
    assert sum(len(ways(row, 0, seed)) >= 2 for row in rows) > 0.95 * len(rows)
    assert sum(bool(ways(row, -1, seed) or ways(row, 1, seed)) for row in rows) > 0.97 * len(rows)
    assert sum(bool(other_cabins(row, seed)) for row in rows) > 0.85 * len(rows)
    free = [not cancellation_breaches(flights, row, "change of plan") for row in rows]
    insured = [not cancellation_breaches(flights, row, "health") for row in rows]
    assert 0.35 < sum(free) / len(rows) < 0.55
    assert sum(insured) - sum(free) > 0.2 * len(rows)
    assert sum(insured) < 0.8 * len(rows)
    users = data(seed=seed)["users"].values()
    usable = [
        sum(row["source"] == "credit_card" or row["amount"] >= 600 for row in methods if row["source"] != "certificate")
        for methods in (user["payment_methods"].values() for user in users)
    ]
    assert sum(n >= 2 for n in usable) > 0.37 * len(usable)
    mine = Counter(row["user_id"] for row in rows)
    assert sum(n >= 2 for n in mine.values()) > 0.5 * len(usable)


# -- determinism and speed ---------------------------------------------------------------------------------------------
def test_same_bytes_in_every_process() -> None:
    """Other data mean other tasks: whoever changes them gives the environment a new version and pins them anew."""
    assert digest_of(generate) == PINNED
    assert digest_in_new_processes("intent_gym.envs.airline.generator") == {PINNED}


def test_few_users_are_the_beginning_of_many_and_seeds_differ() -> None:
    few, many = data(50), data(500)
    assert few["flights"] == many["flights"]
    assert few["flights"] != data(500, 1)["flights"]
    for table in ("users", "reservations"):
        assert list(few[table].items()) == list(many[table].items())[: len(few[table])]
    assert not set(data(500, 1)["users"]) & set(few["users"])


def test_is_fast() -> None:
    start = time.process_time()
    generate()
    assert time.process_time() - start < 0.5


@pytest.mark.slow
def test_the_largest(only_full: Callable[[bool], None]) -> None:
    only_full(False)
    db = generate(20_000)
    assert len(db["users"]) == 20_000
    assert tables_of(db)["reservations"]


def test_arguments_are_checked() -> None:
    with pytest.raises(OptionError, match="users: expected"):
        generate(10)


# -- loader and tools --------------------------------------------------------------------------------------------------
def test_reads_find_flights_and_cities() -> None:
    box, draft = airline_toolbox(), Draft(tables())
    route = {"origin": "BNA", "destination": "TPA", "date": "2024-05-20"}
    assert len(box.run(draft, Call("search_direct_flight", route)).value) == 2
    assert box.run(draft, Call("search_onestop_flight", {**route, "origin": "PDX"})).value
    assert "Nashville" in box.run(draft, Call("list_all_airports", {})).text
    assert "LAX" not in box.run(draft, Call("list_all_airports", {})).text


def test_writes_work_on_what_the_policy_allows() -> None:
    box, done, draft = airline_toolbox(), Counter[str](), Draft(tables())
    users = data()["users"]
    for row in ahead()[:120]:
        methods = users[row["user_id"]]["payment_methods"].values()
        card = next((method["id"] for method in methods if method["source"] == "credit_card"), None)
        cabins = other_cabins(row)
        if card is None or not cabins:
            continue
        change = {"reservation_id": row["reservation_id"]}
        flights = [{"flight_number": leg["flight_number"], "date": leg["date"]} for leg in row["flights"]]
        bags = row["total_baggages"] + 1
        paid = paid_bags(users[row["user_id"]]["membership"], row["cabin"], len(row["passengers"]), bags)
        people = [*row["passengers"][1:], users[row["user_id"]]["saved_passengers"][0]]
        for name, arguments in {
            "cancel_reservation": {},
            "update_reservation_flights": {"cabin": cabins[0], "flights": flights, "payment_id": card},
            "update_reservation_baggages": {"total_baggages": bags, "nonfree_baggages": paid, "payment_id": card},
            "update_reservation_passengers": {"passengers": people},
        }.items():
            whole = change | arguments
            if breaches(draft, name, whole, caller=row["user_id"]):
                done[f"{name} forbidden"] += 1
                continue
            result = box.run(Draft(tables()), Call(name, whole))
            assert result.ok, result.text
            done[name] += 1
    assert done["cancel_reservation"] >= 20
    assert done["cancel_reservation forbidden"] >= 20
    assert min(done[f"update_reservation_{what}"] for what in ("flights", "baggages", "passengers")) >= 40
