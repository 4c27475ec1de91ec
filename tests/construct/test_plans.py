"""Cases of the evolving protocol: stale goals matter, budgets are nested, and tags of a topic are told apart."""

from __future__ import annotations

import pickle

import pytest

from intent_gym.construct.plans import case_pool, material
from intent_gym.core.edits import BUDGETS
from intent_gym.core.intent import Condition, Intent
from intent_gym.envs.host import Host
from intent_gym.envs.hosts import load_host
from intent_gym.errors import OptionError, TaskError

NAMES = ("toy", "webshop", "math")


@pytest.fixture(params=NAMES)
def host(request: pytest.FixtureRequest) -> Host:
    return load_host(request.param)


def some(host: Host, budget: str, number: int = 12) -> list[str]:
    pool = case_pool(host, "all", budget)
    return sorted({pool.draw(key) for key in range(number)})


def test_every_stale_goal_is_consequential(host: Host) -> None:
    pool = case_pool(host, "all", "hard")
    for case_id in some(host, "hard"):
        plan = pool.case(case_id).plan
        truth = host.closed(plan.final)
        best = host.best(truth, frozenset())
        assert best is not None
        assert host.judge(truth, best).accepted
        assert plan.stale
        for stale in plan.stale:
            obeying = host.best(host.closed(stale.obeyed), frozenset())
            assert obeying is not None
            assert not host.judge(truth, obeying).accepted, stale


def test_budgets_are_nested_and_bound(host: Host) -> None:
    for case_id in some(host, "easy"):
        plans = {b: case_pool(host, "all", b).case(case_id).plan for b in BUDGETS}
        stale = {b: {s.condition for s in plan.stale} for b, plan in plans.items()}
        assert stale["easy"] <= stale["medium"] <= stale["hard"]
        assert len({plan.final for plan in plans.values()}) == 1
        for budget, most in BUDGETS.items():
            assert plans[budget].decoys() <= most
            for goal in plans[budget].final.conditions:
                assert sum(s.condition.slot == goal.slot for s in plans[budget].stale) <= most


def test_turns_grow_with_the_budget(host: Host) -> None:
    turns = {b: sum(case_pool(host, "all", b).case(i).plan.turns for i in some(host, "easy")) for b in BUDGETS}
    assert turns["easy"] < turns["medium"] <= turns["hard"]


def test_no_two_tags_of_a_topic_have_one_value_at_a_time() -> None:
    host = load_host("webshop")
    pool = case_pool(host, "all", "hard")
    tags = 0
    for case_id in some(host, "hard", 40):
        plan = pool.case(case_id).plan
        state = Intent(plan.final.frame, ())
        for edit in plan.edits:
            state = edit.apply(state)
            held = [c.value for c in state.conditions if host.slot(c.slot).kind == "tag"]
            tags = max(tags, len(held))
            assert len(held) == len(set(held)), (case_id, held)
    assert tags > 2, "some cases have several"


def test_what_leaving_out_means_anyway_is_not_a_goal() -> None:
    host = load_host("math")
    for goal in host.goals()[:30]:
        found = material(host, goal)
        if found is not None:
            for condition in found.final.conditions:
                assert condition not in host.closed(found.final.without(condition.slot)).conditions
            for condition in (*found.decoys, *(c for v in found.variants.values() for c in v)):
                settled = host.closed(found.final.without(condition.slot)).by_slot.get(condition.slot)
                assert settled is None or settled.value != condition.value


def test_splits_are_disjoint_and_cases_are_the_same_objects_of_a_process() -> None:
    host = load_host("toy")
    train, test = (set(case_pool(host, s, "easy").ids()) for s in ("train", "test"))
    assert train
    assert test
    assert not train & test
    assert set(case_pool(host, "all", "easy").ids()) == train | test
    assert case_pool(host, "train", "easy") is case_pool(host, "train", "easy")


def test_plans_are_functions_of_the_task() -> None:
    host = load_host("toy")
    pool = case_pool(host, "all", "hard")
    for case_id in some(host, "hard", 4):
        plan = pool.case(case_id).plan
        assert pickle.loads(pickle.dumps(plan)) == plan
        assert pool._made(case_id).plan == plan  # type: ignore[union-attr]  # made before


def test_unknown_tasks_and_budgets_are_named_errors() -> None:
    host = load_host("toy")
    with pytest.raises(
        OptionError, match="budget: expected one of easy, medium, hard, got 'heard'; did you mean 'hard'"
    ):
        case_pool(host, "train", "heard")
    with pytest.raises(TaskError, match="no task 'order-x' in split 'train'"):
        case_pool(host, "train", "easy").case("order-x")


def test_a_task_without_consequential_values_is_a_named_error(monkeypatch: pytest.MonkeyPatch) -> None:
    host = load_host("toy")
    pool = case_pool(host, "all", "medium")
    monkeypatch.setattr("intent_gym.construct.plans._material", lambda host, goal: None)
    goal = host.goals()[0].id
    with pytest.raises(TaskError, match="no other value of its goals changes the verdict"):
        type(pool)(host, "all", "medium").case(goal)
    with pytest.raises(TaskError, match="can be told as an evolving dialogue"):
        type(pool)(host, "all", "medium").draw(1)


def test_conditions_of_a_plan_are_legal(host: Host) -> None:
    pool = case_pool(host, "all", "hard")
    for case_id in some(host, "hard", 6):
        for edit in pool.case(case_id).plan.edits:
            condition: Condition = edit.condition
            assert condition.value in host.domain(condition.slot, pool.case(case_id).plan.final.frame)
            assert condition.op == host.slot(condition.slot).op
