"""The reader of edits reads wordings that its author, the writer of utterances, never writes."""

from __future__ import annotations

from typing import Any

import pytest

from intent_gym.construct.readers.edits import Heard, read_frame, read_statement, read_utterance, slots_meant
from intent_gym.construct.readers.ledger import Ledger
from intent_gym.construct.readers.vocabulary import split_words
from intent_gym.core.intent import Condition, Intent, Slot, SlotTable, Value
from intent_gym.envs.host import Host
from intent_gym.envs.hosts import load_host


def heard(name: str, frame: str, text: str) -> list[tuple[Any, ...]]:
    edits = read_utterance(load_host(name), frame, text).edits
    return [(e.act, e.slot, e.value) if e.before is None else (e.act, e.slot, e.value, e.before) for e in edits]


TEA = "green tea"
FOREIGN = [
    ("Could the milk be oat milk?", [("add", "milk", "oat milk")]),
    ("oat milk would be lovely", [("add", "milk", "oat milk")]),
    ("A paper cup is the cup size that suits me.", [("add", "cup", "paper cup")]),
    ("Swap the oat milk for soy milk.", [("replace", "milk", "soy milk", "oat milk")]),
    ("Not oat milk: soy milk.", [("replace", "milk", "soy milk", "oat milk")]),
    ("Make that soy milk rather than oat milk!", [("replace", "milk", "soy milk", "oat milk")]),
    ("Rather than oat milk I fancy soy milk.", [("replace", "milk", "soy milk", "oat milk")]),
    ("The oat milk becomes soy milk.", [("replace", "milk", "soy milk", "oat milk")]),
    ("Soy milk replaces oat milk, if you please.", [("replace", "milk", "soy milk", "oat milk")]),
    ("My pick-up moves from the locker to table service.", [("replace", "counter", "table service", "locker")]),
    ("Scratch the oat milk.", [("delete", "milk", "oat milk")]),
    ("I no longer want the oat milk.", [("delete", "milk", "oat milk")]),
    ("I don't need oat milk any more.", [("delete", "milk", "oat milk")]),
    ("Leave the oat milk out, would you?", [("delete", "milk", "oat milk")]),
    ("Take the pick-up at the locker back.", [("delete", "counter", "locker")]),
    (
        "Oat milk, please. And for the pick-up, the locker.",
        [("add", "milk", "oat milk"), ("add", "counter", "locker")],
    ),
    ("I would like the oat milk. No, drop that.", [("delete", "milk", "oat milk")]),
    ("What a fine day it is.", []),
    ("Nothing has changed about the milk.", []),
]


@pytest.mark.parametrize(("text", "expected"), FOREIGN, ids=[t for t, _ in FOREIGN])
def test_foreign_wordings_of_a_tea_order(text: str, expected: list[tuple[Any, ...]]) -> None:
    assert heard("toy", TEA, text) == expected


@pytest.mark.parametrize(
    ("name", "frame", "text", "expected"),
    [
        ("webshop", "computer mice", "My budget is $30 at most.", [("add", "price", 30.0)]),
        ("webshop", "computer mice", "Raise the budget from $30 to $40.", [("replace", "price", 40.0, 30.0)]),
        ("webshop", "computer mice", "A feature it needs: side buttons.", [("add", "feature_1", "side buttons")]),
        (
            "webshop",
            "computer mice",
            "Of the features, drop the feature low latency.",
            [("delete", "feature_1", "low latency")],
        ),
        (
            "airline",
            "baggage change for tariq_ellery_6009",
            "The number of bags goes from 7 to 5.",
            [("replace", "bags", 5, 7)],
        ),
    ],
)
def test_foreign_wordings_elsewhere(name: str, frame: str, text: str, expected: list[tuple[Any, ...]]) -> None:
    assert heard(name, frame, text) == expected


def shared(host: Host, one: str, other: str) -> tuple[str, Value]:
    """Return a frame and a value that two of its slots can have."""
    both = ((f, {*host.domain(one, f)} & {*host.domain(other, f)}) for f in host.frames if "flight change" in f)
    frame, values = next((f, values) for f, values in both if values)
    return frame, min(values, key=str)


def test_the_longest_value_and_the_longest_word_count() -> None:
    host = load_host("airline")
    frame, date = shared(host, "date", "date_2")
    assert heard("airline", frame, f"The second date should be {date}.") == [("add", "date_2", date)]
    assert heard("airline", frame, f"The date should be {date}.") == [("add", "date", date)]
    booking = next(f for f in host.frames if "basic economy" in host.domain("cabin", f))
    assert heard("airline", booking, "For the cabin, basic economy.") == [("add", "cabin", "basic economy")]


def test_numbers_are_whole_words() -> None:
    assert [w.text for w in split_words("2.5, not 2 or 1,157 (620 ft) at 10am")] == [
        *("2.5", ",", "not", "2", "or", "1,157", "(", "620", "ft", ")", "at", "10am"),
    ]


@pytest.mark.parametrize("name", ["toy", "webshop", "retail", "airline", "math", "data_to_text"])
def test_the_frame_of_every_opening_is_found(name: str) -> None:
    host = load_host(name)
    for frame in host.frames[:: max(1, len(host.frames) // 60)]:
        who, np = host.told(frame)
        assert read_frame(host, f"{f'This is {who}. ' if who else ''}I was hoping for {np}, you see.") == frame


def test_no_frame_is_none() -> None:
    assert read_frame(load_host("toy"), "Good morning!") is None


def test_requests_confirmations_and_summaries() -> None:
    host = load_host("toy")
    assert read_utterance(host, TEA, "Right, what is your answer?").asks
    for text in ("All is well.", "I am reading along.", "There is no change from my side."):
        assert read_utterance(host, TEA, text) == ((), False, None)
    said = read_utterance(host, TEA, "To sum up: milk: oat milk; pick-up: locker. Please answer.")
    assert said.asks
    assert said.holds == (Condition("milk", "=", "oat milk"), Condition("counter", "=", "locker"))


def test_statements_list_tags_side_by_side() -> None:
    host = load_host("webshop")
    text = (
        "Wanted at this moment: product: computer mice; budget: at most $30; feature: side buttons; feature: rgb glow."
    )
    intent = read_statement(host, text)
    assert intent is not None
    assert intent.frame == "computer mice"
    assert {(c.slot, c.value) for c in intent.conditions} == {
        ("price", 30.0),
        ("feature_1", "side buttons"),
        ("feature_2", "rgb glow"),
    }
    assert read_statement(host, "Nothing is wanted.") is None
    assert read_statement(host, "product: unheard-of things; budget: $30.") is None


def test_words_that_leave_the_slot_open_are_seen() -> None:
    host = load_host("airline")
    frame, code = shared(host, "origin", "destination")
    assert slots_meant(host, frame, f"The origin should be {code}.") == (("origin",),)
    assert slots_meant(host, frame, f"Let both origin and destination be {code}.") == (("origin", "destination"),)


SHOP = SlotTable(
    [
        Slot("thing", "thing", "thing", "frame"),
        Slot("bag", "bagged/bagless", "bag", "choice"),
        Slot("size", "size", "size", "choice"),
        Slot("color", "color", "color", "choice"),
        Slot("model", "model", "model", "choice"),
    ]
)
VALUES = {
    "bag": ("bagged", "bagless"),
    "size": ("large", "large-x-large", "x-large", "xx-large"),
    "color": ("a", "i", "navy", "navy blue"),
    "model": ("lamp", "No. 5"),
}


class Shop:
    """The part of a host that readers look at."""

    slots, slot_table, frames, frame_slot = SHOP.slots, SHOP, ("lamp",), SHOP.slots[0]

    def domain(self, slot: str, frame: str | None = None) -> tuple[str, ...]:
        return VALUES.get(slot, ())

    def gathered(self, text: str) -> str:
        return text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The bagged/bagless should be bagless.", [Heard("add", "bag", "bagless")]),
        ("Use x-large for the size, not xx-large.", [Heard("replace", "size", "x-large", "xx-large")]),
        ("Use large for the size, not xx-large", [Heard("replace", "size", "large", "xx-large")]),
        ("As to the color, I want navy blue.", [Heard("add", "color", "navy blue")]),
        ('Change the color from "a" to navy.', [Heard("replace", "color", "navy", "a")]),
        ("Forget No. 5 as a model. It is off.", [Heard("delete", "model", "No. 5")]),
        ("The model should be lamp.", [Heard("add", "model", "lamp")]),
        ("The color is a thing that I think of.", []),
    ],
)
def test_values_that_look_like_something_else(text: str, expected: list[Heard]) -> None:
    assert list(read_utterance(Shop(), "lamp", text).edits) == expected  # type: ignore[arg-type]  # enough of a host


def test_the_name_of_what_is_needed_is_no_value_in_the_opening() -> None:
    text = "I need a lamp for the model that I build. The size should be large."
    assert read_utterance(Shop(), "lamp", text, opening=True).edits == (  # type: ignore[arg-type]  # enough of a host
        Heard("add", "size", "large"),
    )


def ledger(host: Host, *said: tuple[Any, ...]) -> Intent:
    kept = Ledger(host, host.frames[0])
    for act, slot, *values in said:
        kept.apply(Heard(act, slot, *values))
    return kept.intent


def test_a_ledger_puts_tags_side_by_side_and_replaces_the_one_that_is_named() -> None:
    host = load_host("webshop")
    intent = ledger(
        host,
        ("add", "feature_1", "a"),
        ("add", "feature_1", "b"),
        ("replace", "feature_1", "c", "a"),
        ("add", "color", "red"),
        ("replace", "color", "blue", "red"),
        ("delete", "feature_1", "b"),
        ("delete", "feature_1", "never said"),
    )
    assert {(c.slot, c.value) for c in intent.conditions} == {("feature_1", "c"), ("color", "blue")}


def test_a_full_ledger_gives_up_the_last_tag() -> None:
    host = load_host("webshop")
    tags = len(host.slot_table.by_topic["feature"])
    intent = ledger(host, *(("add", "feature_1", str(i)) for i in range(tags + 1)))
    assert [c.value for c in intent.conditions] == [*(str(i) for i in range(tags - 1)), str(tags)]
