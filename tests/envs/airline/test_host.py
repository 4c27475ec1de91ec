"""The airline's desk as a host: what its callers can want, and what is accepted."""

from __future__ import annotations

from typing import Any

import pytest

from intent_gym.core.intent import Condition, Intent
from intent_gym.envs.airline.host import KINDS, AirlineHost
from intent_gym.envs.airline.slots import SLOTS, rank
from intent_gym.envs.airline.tools import airline_toolbox
from intent_gym.envs.desk.calls import Call, render_call
from intent_gym.envs.desk.tables import Tables
from intent_gym.envs.host import Outcome
from intent_gym.envs.hosts import load_host
from intent_gym.testing import check_host

ANN, BEN, CAT = "ann_lee_1", "ben_lee_2", "cat_lee_3"


@pytest.fixture
def host(tables: Tables) -> AirlineHost:
    return AirlineHost(tables, airline_toolbox(), "by hand", {ANN: "train", BEN: "train", CAT: "test"})


def after(host: AirlineHost, *calls: Call) -> Outcome:
    """Return the end state after calls, all of which must succeed."""
    session = host.open_session()
    for call in calls:
        result = host.act(session, render_call(*call))
        assert not result.malformed
        assert not result.message.startswith("Error"), result.message
        session = result.session
    outcome = host.proposal(session, "")
    assert outcome is not None
    return outcome


def change(flights: list[tuple[str, str]], cabin: str = "economy", key: str = "AAAAAA") -> Call:
    legs = [{"flight_number": number, "date": date} for number, date in flights]
    arguments = {"reservation_id": key, "cabin": cabin, "flights": legs, "payment_id": "credit_card_1"}
    return Call("update_reservation_flights", arguments)


def wanted(kind: str, caller: str, **values: str | int) -> Intent:
    return Intent(f"{KINDS[kind]} for {caller}", tuple(Condition(s, "=", v) for s, v in values.items()))


# -- the contract ------------------------------------------------------------------------------------------------------
def test_embedded_host_keeps_the_contract() -> None:
    check_host(load_host("airline", options={"users": 60}), trials=30)


def test_domain_over_all_frames_is_that_of_the_frames(host: AirlineHost) -> None:
    for slot in SLOTS[1:]:
        whole = host.domain(slot.id)
        assert set(whole).issuperset(v for frame in host.frames for v in host.domain(slot.id, frame)), slot.id


# -- verdicts by hand --------------------------------------------------------------------------------------------------
def test_a_cancellation_that_the_policy_forbids_is_no_outcome(host: AirlineHost) -> None:
    """Ann's trips were booked long ago, uninsured and not in business; Ben's has begun; Cat's the airline cancelled."""
    assert [f for f in host.frames if f.startswith(KINDS["cancel"])] == [f"cancellation for {CAT}"]
    forbidden = after(host, Call("cancel_reservation", {"reservation_id": "AAAAAA"}))
    assert host.request_of(forbidden) is None
    assert not any(host.judge(Intent(frame, ()), forbidden).accepted for frame in host.frames)
    allowed = after(host, Call("cancel_reservation", {"reservation_id": "DDDDDD"}))
    assert host.judge(wanted("cancel", CAT, reservation="DDDDDD"), allowed).accepted


def test_basic_economy_keeps_its_flights_but_not_its_cabin(host: AirlineHost) -> None:
    legs = [("F1", "2024-05-21"), ("F2", "2024-05-22")]
    assert host.request_of(after(host, change(legs, "basic_economy", "BBBBBB"))) is None
    legs = [("F1", "2024-05-20"), ("F2", "2024-05-22")]
    up = after(host, change(legs, "economy", "BBBBBB"))
    assert host.judge(wanted("cabin", ANN, reservation="BBBBBB", cabin="economy"), up).accepted
    assert host.judge(wanted("cabin", ANN, cabin="business"), up).violated == ("cabin",)


def test_a_change_of_flights_is_judged_by_what_it_leads_to(host: AirlineHost) -> None:
    moved = after(host, change([("F1", "2024-05-21")]))
    said = {"origin": "SFO", "destination": "JFK", "date": "May 21", "departure": "8am", "stops": "direct"}
    assert host.judge(wanted("flights", ANN, **said, cabin="economy", payment="credit_card_1"), moved).accepted
    late = after(host, change([("F3", "2024-05-22"), ("F4", "2024-05-22")]))
    verdict = host.judge(wanted("flights", ANN, **said), late)
    assert verdict == (False, ("date", "departure", "stops"))
    assert host.judge(wanted("cabin", ANN), moved).violated == ("request",)
    assert host.judge(wanted("flights", BEN), moved).violated == ("request",)


def test_a_trip_that_leads_elsewhere_is_no_outcome(host: AirlineHost) -> None:
    assert host.request_of(after(host, change([("F3", "2024-05-21")]))) is None


def test_changes_made_together_are_another_frame_than_one_of_them(host: AirlineHost) -> None:
    bags = {"reservation_id": "AAAAAA", "total_baggages": 2, "nonfree_baggages": 1, "payment_id": "credit_card_1"}
    more_bags = Call("update_reservation_baggages", bags)
    one = after(host, more_bags)
    assert host.judge(wanted("bags", ANN, bags=2, payment="credit_card_1"), one).accepted
    assert host.judge(wanted("bags", ANN, bags=3), one).violated == ("bags",)
    unpaid = after(host, Call("update_reservation_baggages", {**bags, "nonfree_baggages": 0}))
    assert host.request_of(unpaid) is None
    both = Intent(f"flight change and baggage change for {ANN}", (Condition("bags_2", "=", 2),))
    for calls in ([change([("F1", "2024-05-21")]), more_bags], [more_bags, change([("F1", "2024-05-21")])]):
        outcome = after(host, *calls)
        assert host.judge(both, outcome).accepted
        assert host.judge(both.having(Condition("bags_2", "=", 3)), outcome).violated == ("bags_2",)
        assert host.judge(wanted("bags", ANN), outcome).violated == ("request",)
        assert host.judge(wanted("flights", ANN), outcome).violated == ("request",)


def test_a_change_may_give_the_right_to_another_one(host: AirlineHost) -> None:
    """A trip in economy cannot be cancelled, one in business can: two changes of one reservation, in this order."""
    up = change([("F1", "2024-05-20")], "business")
    both = after(host, up, Call("cancel_reservation", {"reservation_id": "AAAAAA"}))
    found = host.request_of(both)
    assert found is not None
    assert found[0] == f"cabin change and cancellation for {ANN}"
    assert found[1].cells["cabin_2"] == found[1].cells["cabin"] == "business"
    assert [call.name for call in found[1].calls] == ["update_reservation_flights", "cancel_reservation"]


def test_two_bookings_are_the_same_wish_in_either_order(host: AirlineHost) -> None:
    calls = [Call("book_reservation", _booking(date)) for date in ("2024-05-20", "2024-05-21")]
    states = {after(host, *calls), after(host, *calls[::-1])}
    assert len(states) == 2  # ids are given in the order of calls
    cells = [dict(found[1].cells) for found in map(host.request_of, states) if found is not None]
    assert cells[0] == cells[1]
    assert (cells[0]["date"], cells[0]["date_2"]) == ("May 20", "May 21")


def test_what_several_methods_pay_is_one_value(host: AirlineHost) -> None:
    booking = _booking("2024-05-21")
    halves = [{"payment_id": "credit_card_1", "amount": 50}, {"payment_id": "gift_card_1", "amount": 50}]
    outcome = after(host, Call("book_reservation", {**booking, "payment_methods": halves}))
    assert host.judge(wanted("booking", ANN, payment="credit_card_1 and gift_card_1"), outcome).accepted


def _booking(date: str) -> dict[str, Any]:
    """Return a plain booking for Ann herself."""
    return {
        "user_id": ANN,
        "origin": "JFK",
        "destination": "SFO",
        "flight_type": "one_way",
        "cabin": "economy",
        "flights": [{"flight_number": "F2", "date": date}],
        "passengers": [{"first_name": "Ann", "last_name": "Lee", "dob": "1990-01-01"}],
        "payment_methods": [{"payment_id": "credit_card_1", "amount": 100}],
        "total_baggages": 0,
        "nonfree_baggages": 0,
        "insurance": "no",
    }


def test_a_booking_beyond_the_bounds_of_the_table_is_judged_too(host: AirlineHost) -> None:
    person = {"first_name": "Bo", "last_name": "Lee", "dob": "1990-01-01"}
    booking = {
        **_booking("2024-05-21"),
        "passengers": [person],
        "payment_methods": [{"payment_id": "credit_card_1", "amount": 230}],
        "total_baggages": 3,
        "nonfree_baggages": 2,
        "insurance": "yes",
    }
    booked = after(host, Call("book_reservation", booking))
    intent = wanted("booking", ANN, origin="JFK", date="May 21", bags=3, insurance="insured", passenger="Bo Lee")
    assert host.judge(intent, booked).accepted
    assert booked not in {host.outcome(int(a)) for a in host.answers(wanted("booking", ANN))}
    assert after(host, *(Call(*step) for step in [("book_reservation", booking)])) == booked
    stranger = {**booking, "passengers": [{**person, "first_name": "Zed"}]}
    assert host.request_of(after(host, Call("book_reservation", stranger))) is None


@pytest.mark.parametrize("odd", [None, "2", 3.5, -1, [], {}, True])
def test_what_only_the_original_lets_pass_is_judged_and_refused(tables: Tables, odd: object) -> None:
    lax = AirlineHost(tables, airline_toolbox(tau2_compat=True), "by hand", {ANN: "train", BEN: "train", CAT: "test"})
    base = {"reservation_id": "AAAAAA", "payment_id": "credit_card_1"}
    people = [{"first_name": odd, "last_name": odd, "dob": odd}]
    calls = [
        Call("update_reservation_baggages", {**base, "total_baggages": odd, "nonfree_baggages": 0}),
        Call("update_reservation_flights", {**base, "cabin": "economy", "flights": []}),
        Call("update_reservation_passengers", {"reservation_id": "AAAAAA", "passengers": people}),
    ]
    for call in calls:
        outcome = lax.proposal(lax.act(lax.open_session(), render_call(*call)).session, "")
        assert outcome is not None
        assert not any(lax.judge(Intent(frame, ()), outcome).accepted for frame in lax.frames)


def test_near_dates_come_first(host: AirlineHost) -> None:
    intent = wanted("flights", ANN, date="May 22")
    assert host.near_misses(intent, "date") == ("May 21", "May 20")
    assert rank("12pm") == 12.0


def test_wordings_repeat_no_value(host: AirlineHost) -> None:
    for slot in SLOTS[1:]:
        small = [str(v).casefold() for v in host.domain(slot.id) if isinstance(v, str)]
        for vague in slot.vague:
            assert not any(f" {value} " in f" {vague} " for value in small), (slot.id, vague)
