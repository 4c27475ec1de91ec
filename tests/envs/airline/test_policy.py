"""The rules that no tool checks, each against a case worked out by hand on the small airline."""

from __future__ import annotations

from typing import Any

import pytest

from intent_gym.envs.airline import policy
from intent_gym.envs.airline.data import load
from intent_gym.envs.airline.rules import CABINS, MEMBERSHIPS, REASONS, RULES, Reason, rules_of
from intent_gym.envs.airline.timetable import Timetable
from intent_gym.envs.airline.tools import airline_toolbox
from intent_gym.envs.desk.tables import Draft, Tables

from .conftest import person

Row = dict[str, Any]


def legs(*pairs: str) -> list[Row]:
    """Return segments written as "F1 20"."""
    return [{"flight_number": p.split()[0], "date": f"2024-05-{p.split()[1]}"} for p in pairs]


def row(tables: Tables, table: str, key: str, **fields: Any) -> Row:
    return {**tables[table][key], **fields}


# -- bags ------------------------------------------------------------------------------------------------------------
def test_the_free_bags_are_those_of_the_policy_text() -> None:
    table = [[policy.free_bags(m, c, 1) for c in CABINS] for m in MEMBERSHIPS]
    assert table == [[0, 1, 2], [1, 2, 3], [2, 3, 4]]
    assert policy.free_bags("silver", "economy", 3) == 6


@pytest.mark.parametrize(("total", "paid"), [(0, 0), (2, 0), (3, 1), (5, 3)])
def test_bags_above_the_allowance_are_paid(total: int, paid: int) -> None:
    assert policy.paid_bags("regular", "economy", 2, total) == paid


@pytest.mark.parametrize(
    ("total", "nonfree", "payment", "broken"),
    [
        (1, 0, "credit_card_1", ()),
        (2, 1, "gift_card_1", ()),
        (2, 0, "gift_card_1", ("bags_paid",)),
        (2, 2, "gift_card_1", ("bags_paid",)),
        (0, 0, "credit_card_1", ("bags_only_added",)),
        (2, 1, "certificate_1", ("one_method",)),
        (2, 1, "credit_card_9", ("one_method",)),
    ],
)
def test_bags_of_a_reservation(tables: Tables, total: int, nonfree: int, payment: str, broken: tuple[str, ...]) -> None:
    user, booked = tables["users"]["ann_lee_1"], tables["reservations"]["AAAAAA"]
    assert policy.baggage_breaches(user, booked, total, nonfree, payment) == broken


# -- cancelling ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("fields", "reason", "broken"),
    [
        ({}, "change of plan", ("right_to_cancel",)),
        ({}, "health", ("right_to_cancel",)),
        ({"created_at": "2024-05-14T15:00:00"}, None, ()),
        ({"created_at": "2024-05-14T14:59:59"}, None, ("right_to_cancel",)),
        ({"cabin": "business"}, "change of plan", ()),
        ({"insurance": "yes"}, "health", ()),
        ({"insurance": "yes"}, "weather", ()),
        ({"insurance": "yes"}, "change of plan", ("right_to_cancel",)),
        ({"insurance": "yes"}, None, ("right_to_cancel",)),
        ({"flights": legs("F1 13", "F2 20")}, "airline cancelled flight", ()),
        ({"flights": legs("F1 20")}, "airline cancelled flight", ("right_to_cancel",)),
        ({"flights": legs("F1 14", "F2 20"), "cabin": "business"}, None, ("not_flown",)),
        ({"flights": legs("F1 15")}, "health", ("not_flown",)),
        ({"flights": legs("F2 15"), "cabin": "business"}, None, ()),  # delayed: has not left
        ({"status": "cancelled", "cabin": "business"}, None, ("not_cancelled",)),
    ],
)
def test_the_right_to_cancel(
    tables: Tables, timetable: Timetable, fields: Row, reason: Reason | None, broken: tuple[str, ...]
) -> None:
    booked = row(tables, "reservations", "AAAAAA", **fields)
    assert policy.cancellation_breaches(timetable, booked, reason) == broken


# -- trips -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("trip", "flights", "broken"),
    [
        ("one_way", ["F1 20"], ()),
        ("one_way", ["F3 20", "F4 20"], ()),  # a change of no minutes
        ("one_way", ["F3 20", "F5 20"], ("connection",)),  # leaves an hour too early
        ("one_way", ["F3 20", "F5 21"], ()),
        ("one_way", ["F6 20", "F7 20"], ("connection",)),
        ("one_way", ["F6 20", "F7 21"], ()),  # arrives after midnight, a change of no minutes
        ("one_way", [], ("route",)),
        ("one_way", ["F3 20"], ("route",)),
        ("one_way", ["F2 20"], ("route",)),
        ("one_way", ["F3 20", "F2 21"], ("route", "connection")),
        ("one_way", ["F1 20", "F1 20"], ("connection",)),
        ("one_way", ["F1 20", "F2 21"], ("route",)),
        ("round_trip", ["F1 20", "F2 21"], ()),
        ("round_trip", ["F3 20", "F4 20", "F2 22"], ()),
        ("round_trip", ["F1 20"], ("route",)),
        ("round_trip", ["F2 20"], ("route",)),
        ("round_trip", ["F1 21", "F2 20"], ("connection",)),
    ],
)
def test_a_trip(timetable: Timetable, trip: str, flights: list[str], broken: tuple[str, ...]) -> None:
    assert policy.itinerary_breaches(timetable, "SFO", "JFK", trip, legs(*flights)) == broken


@pytest.mark.parametrize(
    ("key", "cabin", "flights", "payment", "broken"),
    [
        ("AAAAAA", "economy", ["F1 21"], "credit_card_1", ()),
        ("AAAAAA", "business", ["F3 20", "F4 20"], "gift_card_1", ()),
        ("AAAAAA", "economy", ["F2 21"], "credit_card_1", ("route",)),
        ("AAAAAA", "economy", ["F1 21"], "certificate_1", ("one_method",)),
        ("BBBBBB", "economy", ["F1 20", "F2 22"], "credit_card_1", ()),  # basic economy may change its cabin
        ("BBBBBB", "basic_economy", ["F1 21", "F2 22"], "credit_card_1", ("basic_economy",)),
        ("BBBBBB", "economy", ["F1 21", "F2 22"], "credit_card_1", ("basic_economy",)),
        ("CCCCCC", "economy", ["F1 14", "F2 22"], "credit_card_1", ("not_flown",)),
        ("CCCCCC", "business", ["F1 14", "F2 22"], "credit_card_1", ("route",)),  # CCCCCC says one way
        ("CCCCCC", "business", ["F1 20"], "credit_card_1", ("flown_kept",)),
    ],
)
def test_flights_of_a_reservation(
    tables: Tables,
    timetable: Timetable,
    key: str,
    cabin: str,
    flights: list[str],
    payment: str,
    broken: tuple[str, ...],
) -> None:
    booked = tables["reservations"][key]
    user = tables["users"][booked["user_id"]]
    now = [(leg["flight_number"], leg["date"]) for leg in booked["flights"]]
    if [(leg["flight_number"], leg["date"]) for leg in legs(*flights)] == now:  # what stays is not judged again
        broken = tuple(rule for rule in broken if rule != "route")
    assert policy.flight_breaches(timetable, user, booked, cabin, legs(*flights), payment) == broken


def test_a_cancelled_reservation_stays_as_it_is(tables: Tables, timetable: Timetable) -> None:
    user, booked = tables["users"]["ann_lee_1"], row(tables, "reservations", "AAAAAA", status="cancelled")
    kept = legs("F1 20")
    assert policy.flight_breaches(timetable, user, booked, "economy", kept, "credit_card_1") == ("not_cancelled",)
    assert policy.baggage_breaches(user, booked, 1, 0, "credit_card_1") == ("not_cancelled",)
    assert policy.passenger_breaches(booked, booked["passengers"]) == ("not_cancelled",)


def test_passengers_change_but_not_their_number(tables: Tables) -> None:
    booked = tables["reservations"]["AAAAAA"]
    assert policy.passenger_breaches(booked, [person("Bo Lee")]) == ()
    assert policy.passenger_breaches(booked, [person("Bo Lee"), person("Cy Lee")]) == ("passenger_number",)


# -- booking ---------------------------------------------------------------------------------------------------------
def booking(**fields: Any) -> Row:
    made = {
        "user_id": "ann_lee_1",
        "origin": "SFO",
        "destination": "JFK",
        "flight_type": "one_way",
        "cabin": "economy",
        "flights": legs("F1 20"),
        "passengers": [person("Ann Lee")],
        "payment_methods": [{"payment_id": "credit_card_1", "amount": 100}],
        "total_baggages": 1,
        "nonfree_baggages": 0,
        "insurance": "no",
    }
    return {**made, **fields}


def paid_by(*methods: str) -> Row:
    return {"payment_methods": [{"payment_id": method, "amount": 1} for method in methods]}


@pytest.mark.parametrize(
    ("fields", "broken"),
    [
        ({}, ()),
        ({"passengers": [person("Ann Lee")] * 5, "total_baggages": 5}, ()),
        ({"passengers": [person("Ann Lee")] * 6}, ("five_passengers",)),
        ({"passengers": [], "total_baggages": 0}, ("five_passengers",)),
        ({"total_baggages": 2}, ("bags_paid",)),
        ({"nonfree_baggages": 1}, ("bags_paid",)),
        ({"total_baggages": 2, "nonfree_baggages": 1}, ()),
        ({"flights": legs("F3 20", "F5 20")}, ("connection",)),
        ({"flight_type": "round_trip"}, ("route",)),
        (paid_by("certificate_1", "credit_card_1", "gift_card_1"), ()),
        (paid_by("credit_card_1", "credit_card_1"), ()),
        (paid_by("certificate_1", "certificate_2"), ("payment_mix",)),
        (paid_by("credit_card_9"), ("payment_mix",)),
    ],
)
def test_a_booking(tables: Tables, timetable: Timetable, fields: Row, broken: tuple[str, ...]) -> None:
    user = tables["users"]["ann_lee_1"]
    assert policy.booking_breaches(timetable, user, booking(**fields)) == broken


@pytest.mark.parametrize(("kind", "most"), [("certificate", 1), ("credit_card", 1), ("gift_card", 3)])
def test_how_many_methods_of_a_kind_a_booking_takes(tables: Tables, timetable: Timetable, kind: str, most: int) -> None:
    methods = {f"{kind}_{i}": {"source": kind, "id": f"{kind}_{i}", "amount": 9.0} for i in range(most + 1)}
    user = row(tables, "users", "ann_lee_1", payment_methods=methods)
    within, beyond = paid_by(*list(methods)[:most]), paid_by(*methods)
    assert policy.booking_breaches(timetable, user, booking(**within)) == ()
    assert policy.booking_breaches(timetable, user, booking(**beyond)) == ("payment_mix",)


# -- compensation ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("membership", "fields", "flights", "changed", "dollars"),
    [
        ("silver", {}, ["F1 13"], False, 100),
        ("gold", {"passengers": [person("Ann Lee")] * 3}, ["F1 13"], False, 300),
        ("regular", {}, ["F1 13"], False, 0),
        ("regular", {"cabin": "basic_economy"}, ["F1 13"], True, 0),
        ("regular", {"insurance": "yes"}, ["F1 13"], False, 100),
        ("regular", {"cabin": "business"}, ["F1 13"], False, 100),
        ("gold", {}, ["F2 15"], False, 0),  # delayed: only with a change or cancellation
        ("gold", {}, ["F2 15"], True, 50),
        ("gold", {"passengers": [person("Ann Lee")] * 2}, ["F2 15"], True, 100),
        ("gold", {}, ["F1 20"], True, 0),  # the facts do not bear it out
        ("regular", {}, ["F2 15"], True, 0),
    ],
)
def test_what_a_complaint_is_worth(
    tables: Tables,
    timetable: Timetable,
    membership: str,
    fields: Row,
    flights: list[str],
    changed: bool,
    dollars: int,
) -> None:
    user = row(tables, "users", "ann_lee_1", membership=membership)
    booked = row(tables, "reservations", "AAAAAA", flights=legs(*flights), **fields)
    assert policy.compensation(timetable, user, booked, changed=changed) == dollars


# -- whole calls -----------------------------------------------------------------------------------------------------
def test_breaches_of_whole_calls(draft: Draft, tables: Tables, timetable: Timetable) -> None:
    def broken(name: str, arguments: Row, **more: Any) -> tuple[str, ...]:
        return policy.breaches(draft, name, arguments, **more)

    assert broken("get_user_details", {"user_id": "ann_lee_1"}, caller="ben_lee_2") == ()
    assert broken("book_reservation", booking(), caller="ann_lee_1") == ()
    assert broken("book_reservation", booking(), caller="ben_lee_2") == ("own_records",)
    cancel = {"reservation_id": "AAAAAA"}
    assert broken("cancel_reservation", cancel) == ("right_to_cancel",)
    assert broken("cancel_reservation", cancel, caller="ben_lee_2") == ("own_records", "right_to_cancel")
    assert broken("cancel_reservation", {"reservation_id": "DDDDDD"}) == ()
    bags = {**cancel, "total_baggages": 2, "nonfree_baggages": 0, "payment_id": "credit_card_1"}
    assert broken("update_reservation_baggages", bags) == ("bags_paid",)
    people = {**cancel, "passengers": [person("Bo Lee")]}
    assert broken("update_reservation_passengers", people) == ()
    change = {**cancel, "cabin": "economy", "flights": legs("F2 21"), "payment_id": "credit_card_1"}
    assert broken("update_reservation_flights", change) == ("route",)
    certificate = {"user_id": "cat_lee_3", "amount": 100}
    due = policy.compensation(timetable, tables["users"]["cat_lee_3"], tables["reservations"]["DDDDDD"], changed=False)
    assert broken("send_certificate", certificate, due=due) == ()
    assert broken("send_certificate", {**certificate, "amount": 150}, due=due) == ("compensation",)
    assert broken("send_certificate", certificate) == ("compensation",)


def test_rules_are_about_tools_that_exist() -> None:
    tools = airline_toolbox()
    assert {tool for rule in RULES.values() for tool in rule.tools} <= set(tools)
    assert all(rules_of(name) for name, tool in tools.items() if tool.writes)
    assert all(rule.text.endswith(".") for rule in RULES.values())


# -- the original's data ---------------------------------------------------------------------------------------------
def test_every_reservation_of_the_original_pays_for_the_bags_above_its_allowance(shared_data: Any) -> None:  # noqa: ANN401
    tables = load(shared_data / "tau2" / "airline").tables
    for booked in tables["reservations"].values():
        user = tables["users"][booked["user_id"]]
        assert booked["nonfree_baggages"] == policy.paid_bags(
            user["membership"], booked["cabin"], len(booked["passengers"]), booked["total_baggages"]
        )


def test_no_gold_write_of_the_original_breaks_a_rule(shared_data: Any) -> None:  # noqa: ANN401
    """Given the best reason to cancel: which one the caller has stands only in the task's prose."""
    data = load(shared_data / "tau2" / "airline")
    box, writes, needing = airline_toolbox(), 0, []
    for task in data.tasks:
        draft = Draft(data.tables)
        for call in task.gold:
            if box[call.name].writes:
                writes += 1
                free = [r for r in (None, *REASONS) if not policy.breaches(draft, call.name, call.arguments, reason=r)]
                assert free, (task.id, call)
                needing += [task.id] if None not in free else []
            assert box.run(draft, call).ok, (task.id, call)
    print(f"{writes} gold writes; cancelling needs an insured reason in tasks {', '.join(needing)}")
    assert (writes, needing) == (49, ["7", "19", "29", "39"])
