"""The airline's desk as a host: what its callers can want, and what is accepted."""

from __future__ import annotations

import json
import time
from collections import Counter
from pathlib import Path

import pytest

from intent_gym.construct.graphs import Rejection, build_graph
from intent_gym.core.intent import Condition, Intent
from intent_gym.envs.airline import data as airline_data
from intent_gym.envs.airline.host import KINDS, AirlineHost, load
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


@pytest.fixture(scope="module")
def real(shared_data: Path) -> AirlineHost:
    found = load_host("airline", str(shared_data / "tau2" / "airline"))
    assert isinstance(found, AirlineHost)
    return found


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


@pytest.mark.slow  # builds every table
def test_real_host_keeps_the_contract(real: AirlineHost) -> None:
    check_host(real, trials=100)


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


def test_doing_nothing_is_accepted_for_no_intent(host: AirlineHost, real: AirlineHost) -> None:
    for desk, step in ((host, 1), (real, 7)):
        nothing = desk.proposal(desk.open_session(), "")
        assert nothing == "{}"
        for frame in desk.frames[::step]:
            verdict = desk.judge(Intent(frame, ()), nothing)
            assert verdict == (False, ("request",))


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


def test_two_changes_at_once_are_none_of_the_requests(host: AirlineHost) -> None:
    bags = {"reservation_id": "AAAAAA", "total_baggages": 2, "nonfree_baggages": 1, "payment_id": "credit_card_1"}
    both = after(host, change([("F1", "2024-05-21")]), Call("update_reservation_baggages", bags))
    assert host.request_of(both) is None
    one = after(host, Call("update_reservation_baggages", bags))
    assert host.judge(wanted("bags", ANN, bags=2, payment="credit_card_1"), one).accepted
    assert host.judge(wanted("bags", ANN, bags=3), one).violated == ("bags",)
    unpaid = after(host, Call("update_reservation_baggages", {**bags, "nonfree_baggages": 0}))
    assert host.request_of(unpaid) is None


def test_a_booking_beyond_the_bounds_of_the_table_is_judged_too(host: AirlineHost) -> None:
    person = {"first_name": "Bo", "last_name": "Lee", "dob": "1990-01-01"}
    booking = {
        "user_id": ANN,
        "origin": "JFK",
        "destination": "SFO",
        "flight_type": "one_way",
        "cabin": "economy",
        "flights": [{"flight_number": "F2", "date": "2024-05-21"}],
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


def test_every_row_is_read_back_as_it_was_made(host: AirlineHost, real: AirlineHost) -> None:
    for desk, step in ((host, 1), (real, 60)):
        for frame in desk.frames[::step]:
            for answer in desk.answers(Intent(frame, ())):
                found = desk.request_of(desk.outcome(int(answer)))
                row = desk.intent_of(frame, int(answer) - int(desk.answers(Intent(frame, ()))[0]))
                assert found is not None
                assert found[0] == frame
                assert found[1].cells == {c.slot: c.value for c in row.conditions}


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


def test_single_values_are_stated(host: AirlineHost) -> None:
    session = host.open_session()
    assert host.act(session, f"get_user_details(user_id='{ANN}')").stated == ()
    assert dict(host.act(session, f"get_user_details(user_id='{BEN}')").stated) == {"reservation": "CCCCCC"}
    told = dict(host.act(session, f"get_user_details(user_id='{CAT}')").stated)
    assert told == {"reservation": "DDDDDD", "payment": "credit_card_1"}


def test_near_dates_come_first(host: AirlineHost) -> None:
    intent = wanted("flights", ANN, date="May 22")
    assert host.near_misses(intent, "date") == ("May 21", "May 20")
    assert rank("12pm") == 12.0


def test_wordings_repeat_no_value(real: AirlineHost) -> None:
    for slot in SLOTS[1:]:
        small = [str(v).casefold() for v in real.domain(slot.id) if isinstance(v, str)]
        for vague in slot.vague:
            assert not any(f" {value} " in f" {vague} " for value in small), (slot.id, vague)


# -- real data ---------------------------------------------------------------------------------------------------------
def test_gold_of_simple_tasks_is_accepted_under_its_intent(real: AirlineHost, shared_data: Path) -> None:
    tools = airline_toolbox()
    accepted, other = Counter[str](), []
    for task in airline_data.load(shared_data / "tau2" / "airline").tasks:
        writes = [call for call in task.gold if tools[call.name].writes]
        if len(writes) != 1:
            continue
        outcome = after(real, *writes)
        found = real.request_of(outcome)
        if found is None:
            other.append(task.id)
            continue
        frame, request = found
        full = Intent(frame, tuple(Condition(s, "=", v) for s, v in request.cells.items()))
        assert real.judge(full, outcome).accepted
        accepted[real.split_frame(frame)[0]] += 1
        caller = real.split_frame(frame)[1]
        if task.split == "test":
            assert real._split_of[caller] == "test"
    print("single-call golds accepted:", dict(accepted), "of another shape:", other)
    assert sum(accepted.values()) >= 8


def test_users_of_test_tasks_are_in_no_train_goal(real: AirlineHost, shared_data: Path) -> None:
    tasks = airline_data.load(shared_data / "tau2" / "airline").tasks
    told = json.dumps([dict(task.instructions) for task in tasks if task.split == "test"])
    for frame in real.frames:
        caller = real.split_frame(frame)[1]
        assert caller not in told or real._split_of[caller] == "test"


@pytest.mark.slow
def test_counts_of_intents_and_graphs(shared_data: Path) -> None:
    real = load(str(shared_data / "tau2" / "airline"))  # a new one, whose tables are not built
    start = time.process_time()
    goals = real.goals()
    tables = time.process_time() - start
    graphs, relations, intents = Counter[str](), Counter[str](), set[Intent]()
    rich = 0
    taken: set[Intent] = set()
    for goal in goals:
        graph = build_graph(real, goal, taken=taken)
        if isinstance(graph, Rejection):
            continue
        taken.add(graph.root)
        intents.update(graph.nodes)
        found = {edge.relation for edge in graph.edges}
        relations.update(edge.relation for edge in graph.edges)
        graphs[real.split_frame(goal.intent.frame)[0]] += 1
        rich += len(found) >= 3
    print(f"{len(goals)} goals, tables in {tables:.1f} s of CPU; {len(intents)} intents; graphs {dict(graphs)}")
    print(f"{rich} graphs with three relations or more; edges {dict(relations)}")
    assert len(intents) >= 1000
    assert rich >= 300
    assert tables < 60
