"""What both desks have in common as hosts, on tau2's data: tasks, splits, figures, elicitation by reading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from intent_gym.construct.pool import pool
from intent_gym.construct.samples import build_graphs
from intent_gym.construct.settings import Settings
from intent_gym.core.config import ProtocolConfig
from intent_gym.core.faults import Edit
from intent_gym.core.intent import Condition, Intent, IntentGraph
from intent_gym.core.personas import PERSONAS
from intent_gym.core.sample import Request, Sample
from intent_gym.core.signals import Tracker
from intent_gym.core.silent import SilentEpisode
from intent_gym.envs.airline.data import load as load_airline
from intent_gym.envs.desk.calls import Call, render_call
from intent_gym.envs.desk.host import DeskHost
from intent_gym.envs.desk.parts import numbered
from intent_gym.envs.game import Action, SilentGame
from intent_gym.envs.hosts import load_host
from intent_gym.envs.retail.data import load_retail
from intent_gym.testing import check_host

NAMES = ("retail", "airline")
SOLVED = {
    "retail": {"accepted": 97, "more than 4 changes": 6, "nothing changed": 1},
    "airline": {
        "accepted": 21,
        "more than 3 changes": 2,
        "changed in a way that no request asks for": 2,
        "against the policy, or not reached by plain calls": 1,
    },
}
"""Tasks of tau2 that write, by what their solution leads to."""
NOT_SOLVED = {
    "retail": {"11", "28", "54", "55", "103", "104", "105"},
    "airline": {"8", "18", "23", "32", "40"},
}
"""105 cannot be done; 8 and 40 are about people whom no record knows; 32 pays twice for one change of flights."""


def desk(name: str, source: str = "embedded", **options: int) -> DeskHost:
    found = load_host(name, source, options)
    assert isinstance(found, DeskHost)
    return found


@pytest.fixture(params=NAMES)
def real(request: pytest.FixtureRequest, shared_data: Path) -> DeskHost:
    return desk(request.param, str(shared_data / "tau2" / request.param))


@pytest.fixture(params=NAMES)
def small(request: pytest.FixtureRequest) -> DeskHost:
    return desk(request.param, users=60)


@pytest.fixture(params=[(name, data) for name in NAMES for data in ("embedded", "tau2")], ids="-".join)
def either(request: pytest.FixtureRequest) -> DeskHost:
    name, data = request.param
    if data == "embedded":
        return desk(name, users=60)
    return desk(name, str(request.getfixturevalue("shared_data") / "tau2" / name))


def solutions(host: DeskHost) -> dict[str, tuple[str, tuple[Call, ...]]]:
    """Return split and calls of tau2's tasks by id."""
    if host.name == "retail":
        tasks = load_retail(host.source).tasks
        return {t.id: (t.split, tuple(Call(a.name, dict(a.arguments)) for a in t.actions)) for t in tasks}
    return {t.id: (t.split, t.gold) for t in load_airline(host.source).tasks}


# -- the contract ------------------------------------------------------------------------------------------------------
def test_embedded_desks_keep_the_contract(small: DeskHost) -> None:
    check_host(small, trials=40)


@pytest.mark.slow  # builds many tables
def test_real_desks_keep_the_contract(real: DeskHost, full: bool) -> None:
    check_host(real, trials=100 if full else 40)


def test_rows_are_read_back_as_they_were_made(either: DeskHost) -> None:
    seen = Counter[int]()
    frames = either.frames[:: max(1, len(either.frames) // 120)]
    for frame in (*frames, *(frame for frame in either.frames if len(either.split_frame(frame)[0]) > 2)):
        table = either.table(frame)
        assert table is not None
        for row in range(table.rows):
            found = either.request_of(either.outcome(table.first + row))
            assert found is not None
            assert found[0] == frame
            assert dict(found[1].cells) == {c.slot: c.value for c in either.intent_of(frame, row).conditions}
        seen[len(either.split_frame(frame)[0])] += 1
    assert min(seen[1], seen[2]) >= 10


def test_doing_nothing_is_accepted_for_no_intent(either: DeskHost) -> None:
    nothing = either.proposal(either.open_session(), "")
    assert nothing == "{}"
    intents = [*(Intent(frame, ()) for frame in either.frames), *(goal.intent for goal in either.goals())]
    assert all(either.judge(intent, nothing) == (False, ("request",)) for intent in intents)
    assert all(either.score(intent, nothing) == 0 for intent in intents)


# -- tasks of the source -----------------------------------------------------------------------------------------------
def test_every_solution_that_writes_is_wanted_or_listed(real: DeskHost) -> None:
    goals = {goal.id: goal for goal in real.goals()}
    counts = Counter[str]()
    for task, (_, calls) in solutions(real).items():
        if not any(call.name in real.toolbox and real.toolbox[call.name].writes for call in calls):
            assert task not in real.solved
            continue
        solved = real.solved[task]
        if isinstance(solved, str):
            counts[solved] += 1
            assert task in NOT_SOLVED[real.name]
            continue
        counts["accepted"] += 1
        session = real.open_session()
        for call in calls:
            session = real.act(session, render_call(*call)).session
        outcome = real.proposal(session, "")
        assert outcome == solved[0]
        intent = goals[f"task_{task}"].intent if f"task_{task}" in goals else None
        if intent is None:  # another task wants the same
            intent = next(g.intent for g in goals.values() if real.judge(g.intent, outcome).accepted)
        assert real.judge(intent, outcome).accepted
        assert outcome in {real.outcome(int(answer)) for answer in real.answers(intent)}
    print(f"{real.name}: solutions of {counts.total()} tasks that write, by what they lead to: {dict(counts)}")
    assert dict(counts) == SOLVED[real.name]


def test_users_of_test_tasks_are_in_no_train_goal(real: DeskHost) -> None:
    users, records = real.tables["users"], real.tables["orders" if real.name == "retail" else "reservations"]
    tested: set[str] = set()
    for split, calls in solutions(real).values():
        values = {str(v) for call in calls for v in call.arguments.values()} if split == "test" else set()
        tested |= {value for value in values if value in users}
        tested |= {str(records[value]["user_id"]) for value in values if value in records}
    assert len(tested) > 10
    splits = Counter[str]()
    for goal in real.goals():
        caller = real.split_frame(goal.intent.frame)[1]
        assert goal.split == "test" or caller not in tested
        splits[goal.split] += goal.id.startswith("task_")
    print(f"{real.name}: goals from tasks by split: {dict(splits)}")
    assert min(splits.values()) >= 5


def test_goals_are_carried_out(real: DeskHost) -> None:
    goals = real.goals()
    assert len(goals) >= 1_000
    several = [goal for goal in goals if len(real.split_frame(goal.intent.frame)[0]) > 1]
    assert len(several) >= 150
    for goal in (*goals[::25], *several[::15]):
        outcome = real.outcome(int(real.answers(goal.intent)[0]))
        session = real.open_session()
        for text in real.steps_to(outcome):
            session = real.act(session, text).session
        assert real.proposal(session, "") == outcome
        assert real.judge(goal.intent, outcome).accepted


@pytest.mark.slow
def test_counts_of_intents_and_graphs(real: DeskHost, only_full: Callable[[bool], None]) -> None:
    only_full(False)
    graphs = [graph for some in build_graphs(real, Settings()).by_split.values() for graph in some]
    relations = Counter(edge.relation for graph in graphs for edge in graph.edges)
    intents = {node for graph in graphs for node in graph.nodes}
    rich = sum(len({edge.relation for edge in graph.edges}) >= 3 for graph in graphs)
    parts = Counter(len(real.split_frame(graph.root.frame)[0]) for graph in graphs)
    print(f"{real.name}: {len(real.goals())} goals, {len(graphs)} graphs, by changes of the root {dict(parts)}")
    print(f"{len(intents)} intents; {rich} graphs with three relations or more; edges {dict(relations)}")
    assert len(intents) >= 1_000
    assert rich >= 300
    assert all(len(real.answers(intent)) for intent in intents)


# -- instruments -------------------------------------------------------------------------------------------------------
def test_callers_insist_on_methods_of_their_own(small: DeskHost) -> None:
    found = pool(small, "all", ["tool_capability_mismatch"]).samples
    insisted = [(s, edit) for s in found for edit in s.request.edits if edit.kind == "insist"]
    assert len(insisted) >= 10
    for sample, edit in insisted:
        caller = small.split_frame(sample.graph.root.frame)[1]
        assert edit.value in small.tables["users"][caller]["payment_methods"]
        assert edit.value != sample.graph.root.by_slot[edit.slot].value


# -- elicitation by reading --------------------------------------------------------------------------------------------
def test_what_the_only_method_is_called_is_stated_by_its_owners_profile(small: DeskHost) -> None:
    session = small.open_session()
    told = 0
    for caller, user in small.tables["users"].items():
        result = small.act(session, f"get_user_details(user_id='{caller}')")
        assert result.owner == caller
        methods = list(user["payment_methods"])
        payment = {slot: value for slot, value in result.stated if slot.startswith("payment")}
        every = {numbered("payment", n): methods[0] for n in range(1, small.most_parts + 1)}
        assert payment == (every if len(methods) == 1 else {})
        told += len(methods) == 1
    assert told >= 5
    assert small.act(session, "list_tools()").stated == ()


def test_frames_concern_their_caller_alone(small: DeskHost) -> None:
    for frame in small.frames[::20]:
        caller = small.split_frame(frame)[1]
        assert [user for user in small.callers() if small.concerns(frame, user)] == [caller]
        assert not small.concerns(frame, "")


def _game(host: DeskHost, intent: Intent, hidden: str) -> SilentGame:
    """Return a dialogue about an intent that the request tells but for one slot."""
    graph = IntentGraph("by hand", (intent,), ())
    told = intent.without(hidden)
    request = Request("Hello.", ("insufficient_information",), (Edit("withhold", hidden),), told)
    sample = Sample("by hand", "train", graph, request, ())
    episode = SilentEpisode(
        sample, 0, PERSONAS["rational"], ProtocolConfig(), 1, host.slot_table, host.judge, host.score, 30, True
    )
    return SilentGame(host, episode, 1, wordy=True, condition="drift", length=0)


def _case(host: DeskHost) -> tuple[Intent, str, str, Call]:
    """Return an intent with the caller's only method, the caller, another with one method, and a call that uses it."""
    users = host.tables["users"]
    single = [user for user, row in users.items() if len(row["payment_methods"]) == 1]
    for frame in host.frames:
        kinds, caller = host.split_frame(frame)
        table = host.table(frame)
        if len(kinds) == 1 and caller in single and table is not None and "payment" in table.columns:
            intent = host.intent_of(frame, 0)
            call = host.request_of(host.outcome(table.first))
            other = next(user for user in single if user != caller)
            if call is not None and "payment" in intent.by_slot:
                return intent, caller, other, call[1].calls[0]
    raise AssertionError("no such case")


def test_only_the_callers_own_record_elicits_and_not_what_was_written_before(small: DeskHost) -> None:
    intent, caller, other, write = _case(small)
    own, foreign = (f"get_user_details(user_id='{user}')" for user in (caller, other))
    for acts, credited in (
        ([own], True),
        ([foreign], False),
        ([foreign, own], True),
        ([render_call(*write), own], False),
        ([render_call(*write), "reset_draft()", own], False),
        ([own, render_call(*write)], True),
    ):
        game = _game(small, intent, "payment")
        for act in acts:
            game.play(Action(1, act))
        events = [event for step in game.episode.steps for event in step.events]
        wanted = ["payment", intent.by_slot["payment"].value]
        assert any(wanted in event.get("stated", ()) for event in events) == (own in acts)
        tracker = Tracker({"payment"})
        for event in events:
            tracker.feed(event)
        assert (tracker.share == 1.0) == credited, acts


def test_a_statement_that_is_not_wanted_counts_for_nothing(small: DeskHost) -> None:
    intent, caller, _, _ = _case(small)
    wrong = intent.having(Condition("payment", "=", "paypal_0000000"))
    game = _game(small, wrong, "payment")
    game.play(Action(1, f"get_user_details(user_id='{caller}')"))
    assert "payment" not in dict(game.episode.steps[0].events[0]["stated"])
