from __future__ import annotations

import itertools

import pytest

from intent_gym.construct.faults import Draft, applicable, draw, literal, may_join, readings
from intent_gym.core.faults import CLASSES, FAULTS, UNBOUND, Edit
from intent_gym.core.intent import Condition, Intent
from intent_gym.core.rng import key_of
from intent_gym.envs.host import Host
from intent_gym.envs.toy import ToyHost
from intent_gym.envs.webshop.host import load

CUP = Condition("cup", "=", "paper cup")
MILK = Condition("milk", "=", "almond milk")
COUNTER = Condition("counter", "=", "front counter")
TWO = Intent("green tea", (CUP, MILK))
HAND = Intent("green tea", (MILK, COUNTER))
THREE = Intent("green tea", (CUP, MILK, COUNTER))


def drafts(tea: ToyHost, intent: Intent, faults: int | tuple[str, ...], number: int = 60) -> list[Draft]:
    made = (draw(tea, intent, faults, key_of("test", faults, i)) for i in range(number))
    return [d for d in made if d is not None]


@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        ([Edit("oblique"), Edit("noise")], THREE),
        ([Edit("replace", "milk", "soy milk")], THREE.having(Condition("milk", "=", "soy milk"))),
        ([Edit("presuppose", "milk", "oat milk")], THREE.having(Condition("milk", "=", "oat milk"))),
        ([Edit("presuppose", "milk", "")], THREE.without("milk")),
        ([Edit("insist", "counter", "locker")], THREE.having(Condition("counter", "=", "locker"))),
        ([Edit("withhold", "cup"), Edit("withhold", "milk")], Intent("green tea", (COUNTER,))),
        ([Edit("two_senses", "milk", "nutty")], THREE.without("milk")),
        ([Edit("attach", "milk", "with almond milk")], THREE.without("milk")),
        ([Edit("deictic", "cup"), Edit("vague", "milk")], Intent("green tea", (COUNTER,))),
    ],
)
def test_literal_reading(tea: ToyHost, edits: list[Edit], expected: Intent) -> None:
    assert literal(tea, THREE, edits) == expected


def test_an_extra_is_part_of_the_literal_reading(tea: ToyHost) -> None:
    assert literal(tea, TWO, [Edit("extra", "counter", "front counter")]) == THREE


def test_readings_of_a_word_of_two_senses_are_the_truth_and_the_other(tea: ToyHost) -> None:
    other = TWO.having(Condition("milk", "=", "coconut milk"))
    assert readings(tea, TWO, [Edit("two_senses", "milk", "nutty")]) == (TWO, other)


def test_readings_of_a_modifier_are_bound_and_unbound(tea: ToyHost) -> None:
    assert readings(tea, TWO, [Edit("attach", "milk", "with almond milk")]) == (TWO, TWO.without("milk"))


@pytest.mark.parametrize("fault", UNBOUND)
def test_a_tag_is_never_marked(fault: str) -> None:
    """Its name is its value: "the usual feature" would be no fault, and "a nice feature" would name none."""
    shop = load()
    marked: set[str] = set()
    for i, goal in enumerate(shop.goals()[:150]):
        draft = draw(shop, goal.intent, (fault,), key_of("tags", i))
        marked |= {shop.slot(e.slot).kind for e in draft.edits} if draft is not None else set()
    assert marked
    assert "tag" not in marked


def test_all_eleven_faults_are_drawn_in_the_tea_shop(tea: ToyHost) -> None:
    assert set(applicable(tea, HAND)) == set(FAULTS)
    assert "irrelevant_information" not in applicable(tea, THREE)  # no slot is free
    assert "tool_capability_mismatch" not in applicable(tea, TWO)  # no instrument is asked for


def test_one_condition_can_be_falsified_but_not_withheld(tea: ToyHost) -> None:
    assert set(applicable(tea, Intent("green tea", (CUP,)))) == {
        *("indirect_intent", "contextual_irrelevance", "factual_error", "false_presupposition"),
        "irrelevant_information",
    }


@pytest.mark.parametrize("name", FAULTS)
def test_a_draft_makes_the_edits_of_its_fault(tea: ToyHost, name: str) -> None:
    intent = HAND if name == "irrelevant_information" else THREE
    found = drafts(tea, intent, (name,))
    assert found
    for draft in found:
        assert draft.faults == (name,)
        assert {e.kind for e in draft.edits} == {FAULTS[name].edit}
        for edit in draft.edits:
            if edit.slot and edit.kind != "extra":
                assert edit.value != intent.by_slot[edit.slot].value


def test_the_insisted_instrument_cannot_do_the_job_where_one_cannot(tea: ToyHost) -> None:
    mug = Intent("cocoa", (Condition("cup", "=", "ceramic mug"), Condition("counter", "=", "front counter")))
    for draft in drafts(tea, mug, ("tool_capability_mismatch",)):
        assert draft.edits[0].value in ("bicycle courier", "locker")
        assert not len(tea.answers(literal(tea, mug, draft.edits)))


def test_insufficient_information_keeps_one_condition_and_leaves_out_one_or_two(tea: ToyHost) -> None:
    amounts = {len(d.edits) for d in drafts(tea, THREE, ("insufficient_information",))}
    assert amounts == {1, 2}
    assert {len(d.edits) for d in drafts(tea, TWO, ("insufficient_information",))} == {1}


def test_false_presuppositions_settle_for_another_value_or_for_none(tea: ToyHost) -> None:
    values = {d.edits[0].value for d in drafts(tea, THREE, ("false_presupposition",))}
    assert "" in values and len(values) > 2


@pytest.mark.parametrize("k", [2, 4])
@pytest.mark.parametrize("intent", [HAND, THREE])
def test_composites_obey_the_rules(tea: ToyHost, intent: Intent, k: int) -> None:
    found = drafts(tea, intent, k, 200)
    assert len(found) > 50
    for draft in found:
        assert len(draft.faults) == len(set(draft.faults)) == k
        assert sum(name in UNBOUND for name in draft.faults) <= 1
        assert not {"false_presupposition", "irrelevant_information"} <= set(draft.faults)
        slots = [e.slot for e in draft.edits if e.slot]
        assert len(slots) == len(set(slots)), "each fault that consumes a slot gets its own"
        if {e.kind for e in draft.edits} & {"withhold", "deictic", "vague", "two_senses", "attach"}:
            assert set(intent.by_slot) - set(slots), "one condition stays as it is"


def test_classes_are_drawn_uniformly(tea: ToyHost) -> None:
    first = [d.faults[0] for d in drafts(tea, THREE, 2, 800)]
    for names in CLASSES.values():
        assert 0.15 < sum(f in names for f in first) / len(first) < 0.35


def test_may_join_is_symmetric() -> None:
    for a, b in itertools.combinations(FAULTS, 2):
        assert may_join([a], b) == may_join([b], a)
    assert not may_join(["vagueness_subjectivity"], "lexical_ambiguity")
    assert not may_join(["factual_error"], "factual_error")


def test_a_draw_is_a_function_of_its_key(tea: ToyHost) -> None:
    assert draw(tea, THREE, 2, 5) == draw(tea, THREE, 2, 5)
    assert len({draw(tea, THREE, 2, key_of(i)) for i in range(30)}) > 10


# -- tags of a shop ----------------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def shop() -> Host:
    return load(size=1500)


def of_shop(shop: Host, names: tuple[str, ...]) -> list[tuple[Intent, Draft]]:
    found = []
    for i, goal in enumerate(shop.goals()):
        order = sorted(goal.intent.by_slot, key=lambda slot, i=i: key_of(i, slot))  # type: ignore[misc]
        intent = goal.intent.without(*order[2 + i % 3 :])
        if (draft := draw(shop, intent, names, key_of(names, i))) is not None:
            found.append((intent, draft))
    return found


def test_a_presupposed_tag_is_the_only_one_wanted(shop: Host) -> None:
    """Which one "my kind of feature" is can be told only where one is wanted."""
    tags = 0
    for intent, draft in of_shop(shop, ("false_presupposition",)):
        (edit,) = draft.edits
        if edit.slot.startswith("feature_"):
            tags += 1
            assert sum(c.slot.startswith("feature_") for c in intent.conditions) == 1
    assert tags > 20


@pytest.mark.parametrize("names", list(itertools.permutations(("lexical_ambiguity", "irrelevant_information"))))
def test_an_extra_tag_takes_the_next_free_position(shop: Host, names: tuple[str, ...]) -> None:
    """Also beside a word that may mean a tag: what it means is placed behind, and is not what is added."""
    beside = 0
    for intent, draft in of_shop(shop, names):
        extra = next(e for e in draft.edits if e.kind == "extra")
        word = next(e for e in draft.edits if e.kind == "two_senses")
        told = readings(shop, intent, draft.edits)
        assert all(r.by_slot[extra.slot].value == extra.value for r in told)
        if extra.slot.startswith("feature_"):
            free = [s.id for s in shop.slot_table.by_topic["feature"] if s.id not in intent.by_slot]
            assert extra.slot == free[0]
            other = next(c for c in told[1].conditions if c not in told[0].conditions)
            assert other.value != extra.value
            beside += other.slot.startswith("feature_") and word.slot != other.slot
    assert beside > 5


def test_no_tag_is_added_where_no_position_is_left_for_what_a_word_may_mean(shop: Host) -> None:
    frame = next(f for f in shop.frames for s in shop.senses(f) if s.conditions[1].slot == "feature_1")
    sense = next(s for s in shop.senses(frame) if s.conditions[1].slot == "feature_1")
    others = [v for v in shop.domain("feature_1", frame) if v != sense.conditions[1].value][:5]
    full = Intent(frame, tuple(Condition(f"feature_{i}", "contains", v) for i, v in enumerate(others, 1)))
    intent = full.having(sense.conditions[0])
    for i in range(60):
        draft = draw(shop, intent, ("lexical_ambiguity", "irrelevant_information"), key_of("full", i))
        added = [e for e in draft.edits if e.kind == "extra"] if draft else []
        assert not any(e.slot.startswith("feature_") for e in added if any(w.value == sense.word for w in draft.edits))  # type: ignore[union-attr]
