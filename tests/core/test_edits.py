"""Plans of edits: whatever is drawn, applying the edits gives the final intent, and nothing stale is left standing."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intent_gym.core.edits import BUDGETS, EditPlan, GoalEdit, Stale, interleave, make_plan, most_turns
from intent_gym.core.intent import Condition, Intent

GOALS = ("a", "b", "c", "d")
BESIDE = ("x", "y")


def none(slot: str) -> tuple[str, ...]:
    return ()


@st.composite
def plans(draw: st.DrawFn) -> tuple[EditPlan, dict[str, list[Condition]], list[Condition]]:
    """Return a plan with the stale goals that it was made of."""
    goals = draw(st.lists(st.sampled_from(GOALS), min_size=1, max_size=4, unique=True))
    final = Intent("f", tuple(Condition(g, "=", 0) for g in goals))
    variants = {g: [Condition(g, "=", v + 1) for v in range(draw(st.integers(0, 5)))] for g in goals}
    slots = draw(st.lists(st.sampled_from(BESIDE), max_size=5))
    decoys = [Condition(s, "=", i) for i, s in enumerate(slots)]
    return make_plan(final, variants, decoys, none, draw(st.integers(0, 1 << 62))), variants, decoys


def states(plan: EditPlan) -> list[Intent]:
    """Return the state before the first edit and after each."""
    found = [Intent(plan.final.frame, ())]
    for edit in plan.edits:
        found.append(edit.apply(found[-1]))
    return found


@given(plans())
def test_applying_all_edits_gives_the_final_intent(made: tuple[EditPlan, object, object]) -> None:
    plan = made[0]
    assert states(plan)[-1] == plan.final
    assert plan.turns == len(plan.edits)


@given(plans())
def test_every_edit_refers_to_what_holds(made: tuple[EditPlan, object, object]) -> None:
    plan = made[0]
    for edit, state in zip(plan.edits, states(plan), strict=False):
        held = state.by_slot.get(edit.condition.slot)
        expected = {"add": None, "replace": edit.before, "delete": edit.condition}[edit.act]
        assert held == expected, "added goals are new; a replaced or withdrawn one holds"


@given(plans())
def test_every_stale_goal_is_replaced_or_withdrawn(
    made: tuple[EditPlan, dict[str, list[Condition]], list[Condition]],
) -> None:
    plan, variants, decoys = made
    ended = [e.before if e.act == "replace" else e.condition for e in plan.edits if e.act != "add"]
    expected = [c for conditions in variants.values() for c in conditions] + decoys
    assert sorted(c for c in ended if c is not None) == sorted(expected)
    assert {s.condition for s in plan.stale} == set(expected)
    assert (plan.variants(), plan.decoys()) == (sum(map(len, variants.values())), len(set(decoys)))
    for stale in plan.stale:
        assert stale == Stale(stale.kind, stale.condition, plan.final.having(stale.condition))
        assert (stale.kind == "variant") == (stale.condition.slot in plan.final.by_slot)


@given(plans())
def test_the_order_of_each_goal_is_kept(made: tuple[EditPlan, dict[str, list[Condition]], list[Condition]]) -> None:
    plan, variants, decoys = made
    for slot, conditions in variants.items():
        said = [e.condition for e in plan.edits if e.condition.slot == slot]
        assert said == [*conditions, plan.final.by_slot[slot]]
    assert [e.condition for e in plan.edits if e.act == "add" and e.condition.slot in BESIDE] == decoys


@given(plans())
def test_a_slot_has_one_live_decoy_at_a_time(made: tuple[EditPlan, object, object]) -> None:
    plan = made[0]
    live: set[str] = set()
    for edit in plan.edits:
        if edit.condition.slot in BESIDE:
            assert (edit.condition.slot in live) == (edit.act == "delete")
            live ^= {edit.condition.slot}
    assert not live


@given(plans())
def test_plans_survive_json(made: tuple[EditPlan, object, object]) -> None:
    plan = made[0]
    assert EditPlan.from_json(json.loads(json.dumps(plan.to_json()))) == plan


@given(st.integers(0, 1 << 62))
def test_dependencies_are_spoken_of_first(key: int) -> None:
    final = Intent("f", tuple(Condition(g, "=", 0) for g in GOALS))
    variants = {g: [Condition(g, "=", 1), Condition(g, "=", 2)] for g in GOALS}
    plan = make_plan(final, variants, [Condition("x", "=", 1)], after, key)
    first = {slot: [e.condition.slot for e in plan.edits].index(slot) for slot in (*GOALS, "x")}
    assert first["a"] < first["b"] < first["c"]
    assert first["d"] < first["x"]


def after(slot: str) -> Sequence[str]:
    return {"b": ("a",), "c": ("b",), "x": ("d", "not spoken of")}.get(slot, ())


def test_a_circle_of_dependencies_is_an_error() -> None:
    queues = [[GoalEdit("add", Condition(s, "=", 1))] for s in "ab"]
    with pytest.raises(ValueError, match="no edit that can be said next"):
        interleave(queues, lambda slot: ("b",) if slot == "a" else ("a",), 7)


def test_the_draw_weighs_queues_by_what_is_left() -> None:
    """A queue of nine goes first nine times in ten: no goal is regularly left for the end."""
    long = [GoalEdit("add", Condition("a", "=", 0))] * 9
    short = [GoalEdit("add", Condition("b", "=", 0))]
    firsts = [interleave([long, short], none, key)[0].condition.slot for key in range(500)]
    assert 0.86 < firsts.count("a") / 500 < 0.94


def test_what_never_updates_and_what_never_forgets() -> None:
    one, two = Condition("a", "=", 1), Condition("a", "=", 2)
    x, y = Condition("x", "=", 5), Condition("x", "=", 6)
    acts = (
        GoalEdit("add", one),
        GoalEdit("add", x),
        GoalEdit("delete", x),
        GoalEdit("replace", two, one),
        GoalEdit("add", y),
        GoalEdit("delete", y),
    )
    plan = EditPlan(Intent("f", (two,)), acts)
    assert plan.first_said == Intent("f", (one, x))
    assert plan.all_kept == Intent("f", (two, y))
    assert [s.condition for s in plan.stale] == [one, x, y]


def test_most_turns_bounds_every_plan() -> None:
    most = max(BUDGETS.values())
    final = Intent("f", tuple(Condition(g, "=", 0) for g in GOALS))
    variants = {g: [Condition(g, "=", i + 1) for i in range(most)] for g in GOALS}
    plan = make_plan(final, variants, [Condition("x", "=", i) for i in range(most)], none, 3)
    assert len(plan.edits) == most_turns(len(GOALS))
