"""The tools on the small airline: effects by hand, and the faults that are corrected."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from intent_gym.envs.airline.data import tables_of
from intent_gym.envs.airline.tools import airline_toolbox
from intent_gym.envs.desk.calls import Call
from intent_gym.envs.desk.tables import Draft
from intent_gym.envs.desk.tools import Result, Toolbox

from .conftest import database, person

BOX = airline_toolbox()
COMPAT = airline_toolbox(tau2_compat=True)
TABLES = tables_of(database())
Row = dict[str, Any]


def run(draft: Draft, name: str, *, compat: bool = False, **arguments: Any) -> Result:
    return (COMPAT if compat else BOX).run(draft, Call(name, arguments))


def booking(**fields: Any) -> Row:
    made = {
        "user_id": "ann_lee_1",
        "origin": "SFO",
        "destination": "JFK",
        "flight_type": "one_way",
        "cabin": "economy",
        "flights": [{"flight_number": "F1", "date": "2024-05-20"}],
        "passengers": [person("Ann Lee"), person("Bo Lee")],
        "payment_methods": [
            {"payment_id": "gift_card_1", "amount": 110},
            {"payment_id": "certificate_1", "amount": 200},
        ],
        "total_baggages": 3,
        "nonfree_baggages": 1,
        "insurance": "yes",
    }
    return {**made, **fields}


def pay(*shares: tuple[str, float]) -> Row:
    return {"payment_methods": [{"payment_id": method, "amount": amount} for method, amount in shares]}


def book(draft: Draft, *, compat: bool = False, **fields: Any) -> Result:
    return run(draft, "book_reservation", compat=compat, **booking(**fields))


def test_there_are_fourteen_tools_with_schemas() -> None:
    assert len(BOX) == 14
    assert sorted(name for name, tool in BOX.items() if tool.writes) == [
        "book_reservation",
        "cancel_reservation",
        "send_certificate",
        "update_reservation_baggages",
        "update_reservation_flights",
        "update_reservation_passengers",
    ]
    assert json.loads(json.dumps(BOX.schemas())) == BOX.schemas()
    assert list(COMPAT) == list(BOX) == sorted(BOX)
    assert airline_toolbox() is BOX


# -- effects ---------------------------------------------------------------------------------------------------------
def test_booking_takes_seats_money_and_certificate(draft: Draft) -> None:
    """2 x 100 fare + 2 x 30 insurance + 1 x 50 bag = 310."""
    result = book(draft)
    assert result.ok, result
    changed = draft.changed()
    assert changed["flight_dates"]["F1|2024-05-20"]["available_seats"] == {
        "basic_economy": 4,
        "economy": 1,
        "business": 2,
    }
    methods = changed["users"]["ann_lee_1"]["payment_methods"]
    assert methods["gift_card_1"]["amount"] == 40 and "certificate_1" not in methods
    assert changed["users"]["ann_lee_1"]["reservations"] == ["AAAAAA", "BBBBBB", "HATHAT"]
    booked = changed["reservations"]["HATHAT"]
    assert booked["created_at"] == "2024-05-15T15:00:00"
    assert booked["flights"][0] == {
        "flight_number": "F1",
        "origin": "SFO",
        "destination": "JFK",
        "date": "2024-05-20",
        "price": 100,
    }
    assert run(draft, "get_reservation_details", reservation_id="HATHAT").value == booked


def test_cancelling_refunds_every_payment_once(draft: Draft) -> None:
    assert run(draft, "cancel_reservation", reservation_id="AAAAAA").ok
    row = draft.changed()["reservations"]["AAAAAA"]
    assert row["status"] == "cancelled"
    assert [p["amount"] for p in row["payment_history"]] == [90, -90]
    assert list(draft.changed()) == ["reservations"]
    again = run(draft, "cancel_reservation", reservation_id="AAAAAA")
    assert again.rule == "cancelled_once"
    assert run(draft, "cancel_reservation", compat=True, reservation_id="AAAAAA").ok
    assert [p["amount"] for p in draft.changed()["reservations"]["AAAAAA"]["payment_history"]] == [90, -90, -90, 90]


def change(draft: Draft, key: str, cabin: str, *flights: str, payment: str = "credit_card_1") -> Result:
    legs = [{"flight_number": f.split()[0], "date": f"2024-05-{f.split()[1]}"} for f in flights]
    arguments: Row = {"reservation_id": key, "cabin": cabin, "flights": legs, "payment_id": payment}
    return run(draft, "update_reservation_flights", **arguments)


def test_a_kept_segment_keeps_its_price(draft: Draft) -> None:
    assert change(draft, "BBBBBB", "basic_economy", "F1 20", "F2 21").ok  # 90 kept, 60 for 90
    row = draft.changed()["reservations"]["BBBBBB"]
    assert [leg["price"] for leg in row["flights"]] == [90, 60]
    assert row["payment_history"][-1] == {"payment_id": "credit_card_1", "amount": -30}


def test_another_cabin_prices_all_segments_anew(draft: Draft) -> None:
    assert change(draft, "BBBBBB", "economy", "F1 20", "F2 22", payment="gift_card_1").ok  # 200 for 180
    row = draft.changed()["reservations"]["BBBBBB"]
    assert (row["cabin"], [leg["price"] for leg in row["flights"]]) == ("economy", [100, 100])
    assert draft.changed()["users"]["ann_lee_1"]["payment_methods"]["gift_card_1"]["amount"] == 130


def test_a_change_without_a_difference_adds_no_payment(draft: Draft) -> None:
    assert change(draft, "AAAAAA", "economy", "F1 20", payment="gift_card_1").ok
    assert draft.changed() == {}
    assert change(draft, "AAAAAA", "economy", "F1 20", payment="certificate_1").rule == "no_certificate"


def test_new_paid_bags_are_charged(draft: Draft) -> None:
    arguments: Row = {"reservation_id": "AAAAAA", "total_baggages": 3, "nonfree_baggages": 2}
    assert run(draft, "update_reservation_baggages", payment_id="gift_card_1", **arguments).ok
    changed = draft.changed()
    assert changed["reservations"]["AAAAAA"]["payment_history"][-1] == {"payment_id": "gift_card_1", "amount": 100}
    assert changed["users"]["ann_lee_1"]["payment_methods"]["gift_card_1"]["amount"] == 50
    more = {**arguments, "nonfree_baggages": 4}
    assert run(draft, "update_reservation_baggages", payment_id="gift_card_1", **more).rule == "balance_covers"


def test_passengers_are_replaced_without_what_else_is_said_of_them(draft: Draft) -> None:
    new = person("Bo Lee")
    assert run(draft, "update_reservation_passengers", reservation_id="AAAAAA", passengers=[{**new, "seat": "1A"}]).ok
    assert draft.changed()["reservations"]["AAAAAA"]["passengers"] == [new]


def test_three_certificates_and_no_more(draft: Draft) -> None:
    told = [run(draft, "send_certificate", user_id="cat_lee_3", amount=50) for _ in range(4)]
    assert [result.ok for result in told] == [True, True, True, False]
    assert told[0].value == "Certificate certificate_3221322 added to user cat_lee_3 with amount 50."
    assert told[3].rule == "three_certificates"


def test_three_bookings_and_no_more(draft: Draft) -> None:
    one: Row = {"passengers": [person("Ann Lee")], "total_baggages": 0, "nonfree_baggages": 0, "insurance": "no"}
    told = [book(draft, **one, **pay(("credit_card_1", 100))) for _ in range(3)]
    assert [result.value["reservation_id"] for result in told] == ["HATHAT", "HATHAU", "HATHAV"]
    fourth = book(draft, **one, **pay(("credit_card_1", 100)), user_id="cat_lee_3")
    assert fourth.rule == "three_bookings"


def test_searches(draft: Draft) -> None:
    route: Row = {"origin": "SFO", "destination": "JFK", "date": "2024-05-20"}
    direct = run(draft, "search_direct_flight", **route).value
    assert [offer["flight_number"] for offer in direct] == ["F1"]
    assert direct[0]["prices"]["business"] == 300
    pairs = run(draft, "search_onestop_flight", **route).value
    assert [[leg["flight_number"] for leg in pair] for pair in pairs] == [["F3", "F4"], ["F6", "F4"], ["F6", "F5"]]
    assert [leg["date"] for leg in pairs[1]] == ["2024-05-20", "2024-05-21"]
    assert run(draft, "search_direct_flight", **{**route, "date": "2024-05-14"}).value == []
    assert run(draft, "search_onestop_flight", **{**route, "date": "tomorrow"}).value == []
    assert run(draft, "search_direct_flight", **{**route, "origin": "San Francisco"}).value == []
    last = run(draft, "search_onestop_flight", **{**route, "date": "2024-05-22"}).value
    assert [[leg["flight_number"] for leg in pair] for pair in last] == [["F3", "F4"]]  # nothing on the 23rd


def test_the_rest_of_the_reads(draft: Draft) -> None:
    assert run(draft, "get_flight_status", flight_number="F1", date="2024-05-15").value == "flying"
    assert run(draft, "get_flight_status", flight_number="F9", date="2024-05-15").rule == "known_flight"
    assert run(draft, "get_flight_status", flight_number="F1", date="15 May").rule == "flight_date"
    assert run(draft, "get_user_details", user_id="nobody").rule == "known_user"
    assert run(draft, "get_user_details", user_id="ann_lee_1").value["membership"] == "regular"
    assert {"iata": "DEN", "city": "Denver"} in run(draft, "list_all_airports").value
    assert draft.changed() == {}


# -- refusals: by rule, nothing changed, and what the original makes of it -------------------------------------------
ONE = {"passengers": [person("Ann Lee")], "total_baggages": 0, "nonfree_baggages": 0, "insurance": "no"}
F1 = {"flight_number": "F1", "date": "2024-05-20"}


@pytest.mark.parametrize(
    ("fields", "rule", "original"),
    [
        ({"user_id": "nobody"}, "known_user", "known_user"),
        ({"flight_type": "open_jaw"}, "flight_type", "flight_type"),
        ({"cabin": "first"}, "cabin", "cabin"),
        ({"insurance": "maybe"}, "insurance", "insurance"),
        ({"flights": [{**F1, "flight_number": "F9"}]}, "known_flight", "known_flight"),
        ({"flights": [{**F1, "date": "2024-06-01"}]}, "flight_date", "flight_date"),
        ({"flights": [{**F1, "date": "2024-05-14"}]}, "available", "available"),
        ({"cabin": "business", "passengers": [person("Ann Lee")] * 3}, "enough_seats", "enough_seats"),
        (pay(("credit_card_9", 310)), "known_payment_method", "known_payment_method"),
        (pay(("gift_card_1", 310)), "balance_covers", "balance_covers"),
        (pay(("certificate_2", 310)), "balance_covers", "balance_covers"),
        (pay(("credit_card_1", 309)), "exact_sum", "exact_sum"),
        (pay(("credit_card_1", 309.5)), "whole_dollars", "whole_dollars"),
        # faults of the original
        ({**pay(("certificate_1", 10), ("certificate_1", 10), ("credit_card_1", 290))}, "certificate_once", "kept"),
        ({**pay(("gift_card_1", 150), ("gift_card_1", 150), ("credit_card_1", 10))}, "balance_covers", ""),
        ({**ONE, "flights": [F1, F1], **pay(("credit_card_1", 200))}, "flight_once", ""),
        ({**ONE, "flights": [], **pay()}, "some_flight", ""),
        ({**ONE, "passengers": [], **pay()}, "some_passenger", ""),
        ({**ONE, "total_baggages": -1, **pay(("credit_card_1", 100))}, "not_negative", ""),
        ({**ONE, "nonfree_baggages": -1, **pay(("credit_card_1", 50))}, "not_negative", ""),
        ({**ONE, **pay(("credit_card_1", 110), ("gift_card_1", -10))}, "not_negative", ""),
        ({**ONE, "origin": "XXX", **pay(("credit_card_1", 100))}, "known_airport", ""),
        ({"total_baggages": "3"}, "bad_arguments", ""),
    ],
)
def test_refused_bookings(draft: Draft, fields: Row, rule: str, original: str) -> None:
    result = book(draft, **fields)
    assert (result.ok, result.rule) == (False, rule), result
    assert draft.changed() == {}
    before = book(draft, compat=True, **fields)
    if original == "kept":  # fails, and has used up the certificate
        assert not before.ok and "certificate_1" not in draft.changed()["users"]["ann_lee_1"]["payment_methods"]
    else:
        assert before.rule == original and before.ok == (original == ""), before


def test_corrections_come_after_the_checks_of_the_original(draft: Draft) -> None:
    assert book(draft, origin="XXX", user_id="nobody").rule == "known_user"
    assert book(draft, origin="XXX", **pay(("credit_card_1", 1))).rule == "exact_sum"
    bags: Row = {"total_baggages": -1, "nonfree_baggages": -1, "payment_id": "credit_card_1"}
    assert run(draft, "update_reservation_baggages", reservation_id="ZZZZZZ", **bags).rule == "known_reservation"
    assert run(draft, "update_reservation_baggages", reservation_id="AAAAAA", **bags).rule == "not_negative"


@pytest.mark.parametrize(
    ("key", "cabin", "flights", "payment", "rule"),
    [
        ("ZZZZZZ", "economy", ["F1 21"], "credit_card_1", "known_reservation"),
        ("AAAAAA", "first", ["F1 21"], "credit_card_1", "cabin"),
        ("AAAAAA", "economy", ["F9 21"], "credit_card_1", "known_flight"),
        ("AAAAAA", "economy", ["F1 21"], "credit_card_9", "known_payment_method"),
        ("AAAAAA", "business", ["F1 21"], "gift_card_1", "balance_covers"),
        ("AAAAAA", "economy", [], "credit_card_1", "some_flight"),
    ],
)
def test_refused_changes(draft: Draft, key: str, cabin: str, flights: list[str], payment: str, rule: str) -> None:
    assert change(draft, key, cabin, *flights, payment=payment).rule == rule
    assert draft.changed() == {}


def test_a_card_may_be_split_and_a_gift_card_within_its_balance(draft: Draft) -> None:
    shares = pay(("credit_card_1", 100), ("credit_card_1", 100), ("gift_card_1", 50), ("gift_card_1", 60))
    assert book(draft, **shares).ok
    assert draft.changed()["users"]["ann_lee_1"]["payment_methods"]["gift_card_1"]["amount"] == 40


NESTED = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.just(1.5) | st.sampled_from(["", "AAAAAA", "F1", "yes", "2"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["flight_number", "date", "payment_id", "amount", "dob"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@pytest.mark.parametrize("box", [BOX, COMPAT], ids=["default", "tau2_compat"])
@given(data=st.data(), name=st.sampled_from(sorted(BOX)))
@settings(max_examples=150, deadline=None)
def test_no_arguments_whatever_raise(box: Toolbox, data: st.DataObject, name: str) -> None:
    draft = Draft(TABLES)
    known = {"user_id": "ann_lee_1", "reservation_id": "AAAAAA", "payment_id": "credit_card_1", "cabin": "economy"}
    arguments = {key: data.draw(NESTED | st.just(known.get(key))) for key in box[name].parameters}
    result = box.run(draft, Call(name, arguments))
    assert result.text
    assert result.ok or draft.changed() == {}
