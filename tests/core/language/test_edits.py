"""What the user of an evolving dialogue says: every edit names what it changes, and nothing more."""

from __future__ import annotations

import re

import pytest

from intent_gym.core.edits import GoalEdit
from intent_gym.core.intent import Condition, Slot, SlotTable
from intent_gym.core.language.edits import (
    confirm,
    restate,
    say_all,
    say_edit,
    say_opening,
    say_request,
    say_waiting,
)

TABLE = SlotTable(
    [
        Slot("drink", "drink", "drink", "frame"),
        Slot("milk", "milk", "milk", "choice"),
        Slot("cup", "cup size", "cup", "choice"),
        Slot("price", "budget", "price", "number", "<=", unit="$"),
        Slot("tag_1", "extra", "tag", "tag", "contains"),
        Slot("a", "quantity A", "a", "number"),
        Slot("lid", "lid", "lid", "choice"),
    ]
)


def c(slot: str, value: str | float) -> Condition:
    return Condition(slot, TABLE[slot].op, value)


EDITS = [
    GoalEdit("add", c("milk", "oat milk")),
    GoalEdit("add", c("cup", "steel flask")),
    GoalEdit("add", c("price", 30.0)),
    GoalEdit("add", c("tag_1", "cinnamon")),
    GoalEdit("add", c("a", 5)),
    GoalEdit("replace", c("milk", "soy milk"), c("milk", "oat milk")),
    GoalEdit("replace", c("cup", "glass tumbler"), c("cup", "steel flask")),
    GoalEdit("replace", c("price", 50.0), c("price", 30.0)),
    GoalEdit("replace", c("tag_1", "cocoa"), c("tag_1", "cinnamon")),
    GoalEdit("replace", c("a", 7), c("a", 5)),
    GoalEdit("delete", c("milk", "oat milk")),
    GoalEdit("delete", c("cup", "steel flask")),
    GoalEdit("delete", c("tag_1", "cinnamon")),
    GoalEdit("delete", c("a", 5)),
]


def forms(edit: GoalEdit) -> set[str]:
    return {say_edit(edit, TABLE, key, 3) for key in range(120)}


@pytest.mark.parametrize("edit", EDITS, ids=lambda e: f"{e.act} {e.condition.slot}")
def test_every_form_names_the_values_and_the_slot(edit: GoalEdit) -> None:
    slot = TABLE[edit.condition.slot]
    said = forms(edit)
    assert len(said) >= 4, "people do not always say it in the same way"
    for text in said:
        assert slot.say(edit.condition.value) in text
        assert edit.before is None or slot.say(edit.before.value) in text
        assert slot.word.lower() in text.lower()
        assert text[0].isupper()
        assert text[-1] == "."
        assert "{" not in text
        assert not re.search(r"for now|so far|at first|tentativ|maybe|might|until", text), "a hint at a later edit"


def test_a_value_that_names_its_slot_does_not_say_the_word_twice() -> None:
    for edit in (EDITS[0], EDITS[5], EDITS[10]):
        for text in forms(edit):
            rest = text.replace("oat milk", "").replace("soy milk", "")
            assert "milk" not in rest, text


def test_a_value_that_begins_with_no_takes_no_article() -> None:
    said = forms(GoalEdit("add", c("lid", "no lid")))
    assert all("the no lid" not in text for text in said)
    assert any("the flip lid" in text for text in forms(GoalEdit("add", c("lid", "flip lid"))))


def test_slots_with_a_letter_and_vowels_get_the_right_article() -> None:
    assert not any("the quantity A" in text for edit in EDITS for text in forms(edit))
    said = [text for edit in EDITS if edit.condition.slot == "tag_1" for text in forms(edit)]
    assert any("an extra" in text for text in said)
    assert not any(re.search(r"\ba extra", text) for text in said)


def test_wording_is_a_function_of_key_and_turn() -> None:
    assert say_edit(EDITS[1], TABLE, 5, 2) == say_edit(EDITS[1], TABLE, 5, 2)
    assert len({say_edit(EDITS[1], TABLE, 5, turn) for turn in range(30)}) > 3


def test_an_opening_tells_the_need_and_the_first_goals_only() -> None:
    text = say_opening("a cocoa", EDITS[:1], TABLE, 4)
    assert "a cocoa" in text
    assert "oat milk" in text
    assert "flask" not in text
    assert say_opening("a cocoa", EDITS[:1], TABLE, 4) == text, "and what follows has no part in it"


def test_the_whole_intent_is_told_in_the_order_of_the_slots() -> None:
    told = (c("price", 30.0), c("milk", "oat milk"), c("tag_1", "cinnamon"))
    text = say_all("a cocoa", told, TABLE, 9)
    places = [text.index(word) for word in ("a cocoa", "oat milk", "at most $30", "cinnamon")]
    assert places == sorted(places)


def test_the_request_asks_for_the_answer_and_restates_nothing() -> None:
    for key in range(60):
        assert "answer" in say_request(key, 1)
        assert "answer" in say_waiting(key, 1)
        assert not re.search(r"milk|cup|budget|\d", say_request(key, 1) + say_waiting(key, 1))


def test_a_restatement_sums_up_what_holds() -> None:
    text = restate((c("price", 30.0), c("milk", "oat milk")), TABLE, 3, 1)
    assert text.endswith(": milk: oat milk; budget: at most $30.")


@pytest.mark.parametrize("length", [1, 40, 90, 160, 400])
def test_confirmations_have_about_the_length_asked_for(length: int) -> None:
    for key in range(30):
        text = confirm(length, key, 2)
        assert len(text) < max(75, length + 48)
        assert len(text) > min(length - 21, 400)
        assert not re.search(r"[?]|answer|milk", text)


def test_a_value_that_is_a_small_word_stands_between_quotation_marks() -> None:
    said = forms(GoalEdit("replace", c("cup", "a"), c("cup", "steel flask")))
    assert all('"a"' in text for text in said)
