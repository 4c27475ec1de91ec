"""What the desks of a release accept, and how their writes stand."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from intent_gym.envs.base import DriftEnv
from intent_gym.envs.desk.calls import render_call
from intent_gym.envs.release.desk import DeskRelease, DeskSession
from intent_gym.envs.release.host import Node, ReleaseHost

RETAIL, AIRLINE = "6accb9b537da61e7", "0436b07d7bd574e6"


def node(host: ReleaseHost, tree: str, number: int = 0) -> Node:
    return next(n for n in host._material.nodes if (n.tree, n.number) == (tree, number))


def desk(host: ReleaseHost) -> DeskRelease:
    assert isinstance(host, DeskRelease)
    return host


def run(host: DeskRelease, calls: list[list[Any]], session: DeskSession | None = None) -> DeskSession:
    session = session or host.open_session()
    for name, arguments in calls:
        result = host.act(session, render_call(name, arguments))
        assert not result.malformed and not result.message.startswith("Error"), result.message
        session = result.session
    return session


def golden(host: ReleaseHost, tree: str, number: int = 0) -> list[list[Any]]:
    return [[a.name, dict(a.arguments)] for a in node(host, tree, number).payload.actions]


@pytest.mark.parametrize("acceptance", ["actions", "state"])
@pytest.mark.parametrize(("name", "tree"), [("retail", RETAIL), ("airline", AIRLINE)])
def test_every_node_accepts_its_golden_calls_in_any_order_and_nothing_else(
    name: str, tree: str, acceptance: str, host: Callable[..., ReleaseHost]
) -> None:
    found = desk(host(name, acceptance=acceptance))
    empty = found.proposal(found.open_session(), "")
    for each in found._material.nodes:
        calls = golden(found, each.tree, each.number)
        assert found.judge(each.intent, found.proposal(run(found, calls), "")).accepted
        assert not found.judge(each.intent, empty).accepted
        if len(calls) > 1:
            assert not found.judge(each.intent, found.proposal(run(found, calls[1:]), "")).accepted
    calls = golden(found, tree)
    session = run(found, calls[::-1])
    assert found.judge(node(found, tree).intent, found.proposal(session, "")).accepted


def test_other_calls_matter_to_the_end_state_alone(host: Callable[..., ReleaseHost]) -> None:
    for acceptance, accepted in (("actions", True), ("state", False)):
        found = desk(host("airline", acceptance=acceptance))
        root, more = node(found, AIRLINE), golden(found, AIRLINE, 1)
        assert len(more) == len(golden(found, AIRLINE)) + 1
        verdict = found.judge(root.intent, found.proposal(run(found, more), ""))
        assert verdict.accepted is accepted
        assert accepted or verdict.violated == ("request",)


def test_a_payment_that_does_not_matter_is_still_the_default_one(host: Callable[..., ReleaseHost]) -> None:
    found = desk(host("airline", acceptance="actions"))
    relaxed = node(found, AIRLINE, 7)
    assert "payment_1" not in relaxed.intent.by_slot
    assert not found.judge(relaxed.intent, found.proposal(run(found, golden(found, AIRLINE)), "")).accepted
    calls = golden(found, AIRLINE, 7)
    assert calls[0][1]["payment_id"] == "credit_card_9879898"
    assert found.judge(relaxed.intent, found.proposal(run(found, calls), "")).accepted


def test_pairs_items_and_spellings_are_compared_as_the_release_does(host: Callable[..., ReleaseHost]) -> None:
    found = desk(host("retail", acceptance="actions"))
    calls = golden(found, RETAIL)
    for _, arguments in calls:
        arguments["order_id"] = arguments["order_id"].removeprefix("#")
    assert found.judge(node(found, RETAIL).intent, found.proposal(run(found, calls), "")).accepted
    back = golden(found, RETAIL, 2)
    back[0][1]["item_ids"].reverse()
    assert found.judge(node(found, RETAIL, 2).intent, found.proposal(run(found, back), "")).accepted
    airline = desk(host("airline", acceptance="actions"))
    cheap = golden(airline, AIRLINE, 3)
    assert cheap[0][1]["cabin"] == "basic_economy"
    cheap[0][1]["cabin"] = "basic economy"
    assert airline.judge(node(airline, AIRLINE, 3).intent, airline.proposal(run(airline, cheap), "")).accepted


def test_violated_names_what_differs(host: Callable[..., ReleaseHost]) -> None:
    found = desk(host("airline"))
    root = node(found, AIRLINE)
    for number, slots in ((3, ("cabin_1",)), (7, ("payment_1",))):
        outcome = found.proposal(run(found, golden(found, AIRLINE, number)), "")
        assert found.judge(root.intent, outcome).violated == slots
        assert 0 < found.score(root.intent, outcome) < 1
    two = desk(host("retail"))
    calls = golden(two, RETAIL)
    calls[2][1]["new_item_ids"] = ["4404981319"]  # another grill
    outcome = two.proposal(run(two, calls), "")
    assert two.judge(node(two, RETAIL).intent, outcome).violated == ("item_3", "new_item_3")


def test_live_writes_stand_at_once_and_stay(host: Callable[..., ReleaseHost], make: Callable[..., DriftEnv]) -> None:
    found = desk(host("retail", writes="live"))
    assert "reset_draft" not in json.dumps(found.tool_schemas())
    assert "reset_draft" in json.dumps(desk(host("retail")).tool_schemas())
    calls = golden(found, RETAIL)
    session = run(found, calls[:1])
    result = found.act(session, "reset_draft()")
    assert result.malformed and result.session == session
    assert found.rejected(session) == (session, None)
    again = found.act(session, render_call(*calls[0]))
    assert again.message.startswith("Error") and again.session == session

    env = make("retail", writes="live", drift=False)
    env.reset(seed=0, options={"task_id": "0213288d7b8709be__indirect_intent"})
    env.step({"kind": 1, "content": render_call(*calls[0])})
    *_, done, _, _ = env.step({"kind": 2, "content": ""})
    assert not done
    for call in calls[1:]:
        env.step({"kind": 1, "content": render_call(*call)})
    *_, info = env.step({"kind": 2, "content": ""})
    assert info["end_reason"] == "accepted"


def test_a_rejected_draft_is_empty_again(make: Callable[..., DriftEnv], host: Callable[..., ReleaseHost]) -> None:
    calls = golden(host("retail"), RETAIL)
    env = make("retail", drift=False)
    env.reset(seed=0, options={"task_id": "0213288d7b8709be__indirect_intent"})
    env.step({"kind": 1, "content": render_call(*calls[0])})
    obs, *_ = env.step({"kind": 2, "content": ""})
    assert obs["dialogue"][-1] == {"role": "host", "content": "The draft was not accepted and is empty again."}
    done = False
    while not done:
        for call in calls[1:]:
            env.step({"kind": 1, "content": render_call(*call)})
        *_, done, _, info = env.step({"kind": 2, "content": ""})
    assert info["end_reason"] == "final_answer"


def test_bad_acts_are_answered_and_change_nothing(host: Callable[..., ReleaseHost]) -> None:
    found = desk(host("retail"))
    session = run(found, golden(found, RETAIL)[:1])
    for text in ("please help", "fly()", "cancel_pending_order()", 'get_user_details(user_id="nobody")', "x" * 10_000):
        result = found.act(session, text)
        assert result.session == session and result.message
    listed = json.loads(found.act(session, "list_tools()").message)
    assert {t["function"]["name"] for t in listed} >= {"reset_draft", "list_tools", "cancel_pending_order"}
    assert found.act(session, "reset_draft()").session == found.open_session()


@pytest.mark.parametrize("name", ["retail", "airline"])
def test_the_tools_are_told(name: str, make: Callable[..., Any]) -> None:
    tools = make(name).tools
    assert len({t["function"]["name"] for t in tools}) == len(tools) == {"retail": 18, "airline": 16}[name]
