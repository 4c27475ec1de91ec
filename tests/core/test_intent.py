"""Intents, how they relate, and the table of slots (PROTOCOL 1)."""

from __future__ import annotations

import copy
import json
import pickle
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intent_gym.core.intent import Condition, Intent, IntentGraph, Slot, relation

if TYPE_CHECKING:
    from tests.core.conftest import World

A = Intent("lamp", (Condition("size", "=", "small"), Condition("color", "=", "red")))
RED, BLUE, SLIM = Condition("color", "=", "red"), Condition("color", "=", "blue"), Condition("fit", "=", "slim")
intents = st.builds(
    lambda frame, values: Intent(frame, tuple(Condition(s, "=", v) for s, v in values.items())),
    st.sampled_from(("lamp", "chair")),
    st.dictionaries(st.sampled_from(("color", "size", "fit")), st.sampled_from(("a", "b"))),
)


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (A, None),
        (A.having(SLIM), "refine"),
        (A.without("size"), "relax"),
        (A.having(BLUE), "substitute"),
        (Intent("chair", A.conditions), "pivot"),
        (Intent("chair", ()), "pivot"),
        (Intent("lamp", ()), "relax"),
        (A.without("size").having(BLUE), None),
        (A.having(BLUE).having(SLIM), None),
        (Intent("lamp", (Condition("size", "=", "small"), Condition("color", "contains", "red"))), None),
    ],
)
def test_relation_is_decided_in_the_order_of_the_protocol(target: Intent, expected: str | None) -> None:
    assert relation(A, target) == expected


@given(intents, intents)
def test_relations_mirror_each_other(one: Intent, two: Intent) -> None:
    mirror = {"refine": "relax", "relax": "refine", "substitute": "substitute", "pivot": "pivot", None: None}
    assert relation(two, one) == mirror[relation(one, two)]


def test_order_of_conditions_does_not_matter() -> None:
    other = Intent("lamp", (Condition("color", "=", "red"), Condition("size", "=", "small")))
    assert (A, hash(A)) == (other, hash(other))


def test_two_conditions_on_a_slot_are_refused() -> None:
    with pytest.raises(ValueError, match="at most one condition a slot"):
        Intent("lamp", (RED, BLUE))


def test_copies_and_json_give_an_equal_intent() -> None:
    hash(A)  # cached, and not to travel: text hashes differ between processes
    for again in (
        copy.deepcopy(A),
        pickle.loads(pickle.dumps(A)),
        Intent.from_json(json.loads(json.dumps(A.to_json()))),
    ):
        assert again == A
        assert hash(again) == hash(A)
    assert b"_hash" not in pickle.dumps(A)


def test_graph_survives_json(world: World) -> None:
    again = IntentGraph.from_json(json.loads(json.dumps(world.graph.to_json())))
    assert again == world.graph
    assert [again.out(n) for n in range(6)] == [world.graph.out(n) for n in range(6)]


def test_table_orders_wanted_slots_with_the_frame_first(world: World) -> None:
    wanted = world.table.wants(Intent("lamp", (SLIM, RED)))
    assert list(wanted) == ["thing", "color", "fit"]
    assert wanted["thing"] == Condition("thing", "=", "lamp")
    assert [s.id for s in world.table.by_topic["feature"]] == ["feature_1", "feature_2", "feature_3"]


@pytest.mark.parametrize(
    ("value", "said"), [(30.0, "$30"), (29.99, "$29.99"), (1234.5, "$1234.50"), (7, "$7"), ("ten", "$ten")]
)
def test_numbers_are_said_as_people_write_them(value: float | str, said: str) -> None:
    assert Slot("price", "budget", "price", "number", "<=", unit="$").say(value) == said
