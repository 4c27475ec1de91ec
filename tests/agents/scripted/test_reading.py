from __future__ import annotations

import pytest

from intent_gym.agents.scripted.reading import read_reply, read_request
from intent_gym.core.intent import Condition
from intent_gym.envs.hosts import load_host
from intent_gym.envs.toy import ToyHost

HOST = ToyHost()


@pytest.mark.parametrize(
    ("text", "frame", "said", "doubts"),
    [
        ("Could I have two mint teas with oat milk?", "mint tea", {"oat milk"}, {}),
        ("A cocoa, whole milk, and in a paper cup please!", "cocoa", {"whole milk", "paper cup"}, {}),
        ("A cocoa in my usual cup, with soy milk.", "cocoa", {"soy milk"}, {"cup": "unsaid"}),
        ("lemonade, soy milk, some sensible size of cup", "lemonade", {"soy milk"}, {"cup": "unsaid"}),
        ("A cocoa with something nutty in a paper cup.", "cocoa", {"paper cup"}, {"milk": "ambiguous"}),
        (
            "Cocoa in a steel flask. You can't get my milk anyway, so rice milk will do.",
            "cocoa",
            {"steel flask", "rice milk"},
            {"milk": "presupposed"},
        ),
        (
            "Cocoa in a steel flask with soy milk. It must come by locker, nothing else.",
            "cocoa",
            {"steel flask", "soy milk", "locker"},
            {"counter": "insisted"},
        ),
        (
            "Green tea with soy milk and a slice of cake in a paper cup.",
            "green tea",
            {"soy milk"},
            {"cup": "attached"},
        ),
        ("I've got a paper cup already. Now a green tea with soy milk.", "green tea", {"soy milk"}, {}),
        ("A green tea, not with oat milk but with soy milk.", "green tea", {"soy milk"}, {}),
    ],
)
def test_requests(text: str, frame: str, said: set[str], doubts: dict[str, str]) -> None:
    reading = read_request(HOST, text)
    assert reading.sure
    assert reading.frame == frame
    assert {c.value for c in reading.said.values()} == said
    assert reading.doubts == doubts


def test_a_text_without_a_frame_is_not_sure() -> None:
    assert not read_request(HOST, "Something with oat milk").sure
    assert not read_request(HOST, "").sure


@pytest.mark.parametrize(
    "text",
    ["It doesn't matter.", "I have no preference there.", "Whatever you like.", "Any cup is fine.", "It's up to you."],
)
def test_indifference(text: str) -> None:
    assert read_reply(HOST, text, "cocoa", ("cup",)).free == ("cup",)


@pytest.mark.parametrize(
    "text", ["I'd rather not say.", "Let me think about that.", "Not now, please.", "I have no idea."]
)
def test_refusals_to_answer(text: str) -> None:
    told = read_reply(HOST, text, "cocoa", ("cup",))
    assert told.declined
    assert not told.values


@pytest.mark.parametrize(
    "text", ["One thing at a time.", "That's too many questions.", "Please ask one question after another."]
)
def test_too_much_at_once(text: str) -> None:
    assert read_reply(HOST, text, "cocoa", ("cup", "milk")).one_thing


def test_a_value_goes_to_the_topic_asked_and_others_are_taken_too() -> None:
    told = read_reply(HOST, "The steel flask. And soy milk, while we are at it.", "cocoa", ("cup",))
    assert [c.value for c in told.values] == ["steel flask", "soy milk"]


def test_a_confirmed_and_a_corrected_read_back() -> None:
    stated = {"milk": Condition("milk", "=", "soy milk")}
    assert read_reply(HOST, "Yes, that's right.", "cocoa", ("milk",), stated).confirmed
    told = read_reply(HOST, "Not soy milk: it should be rice milk.", "cocoa", ("milk",), stated)
    assert [c.value for c in told.values] == ["rice milk"]
    assert not told.confirmed
    assert read_reply(HOST, "I can do without soy milk.", "cocoa", ("milk",), stated).unwanted


def test_another_frame_is_noticed() -> None:
    told = read_reply(HOST, "A lemonade, actually.", "cocoa", ("drink",))
    assert told.frame == "lemonade"


def test_a_hint_is_the_topic_named() -> None:
    assert read_reply(HOST, "No. Something is off with the pick-up.", "cocoa").topics == ("counter",)


@pytest.mark.parametrize("text", ["", "\ud800", "a" * 20000, "$", "\x00", "🍵" * 50, "cocoa " * 500])
def test_any_text_can_be_read(text: str) -> None:
    read_request(HOST, text)
    read_reply(HOST, text, "cocoa", ("cup",))


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("with a bag count of 2", "bags", 2),
        ("with 2 checked bags in all", "bags", 2),
        ("for the passenger {other}", "passenger", "{other}"),
        ("in business", "cabin", "business"),
    ],
)
def test_a_caller_is_no_passenger_and_a_count_needs_no_unit(text: str, slot: str, value: object) -> None:
    host = load_host("airline")
    frame = next(
        f for f in host.frames if f.startswith("booking for ") and len(host.domain("passenger", f)) > 1
    )  # a caller who could travel, and somebody else
    caller = frame.rpartition(" ")[2]
    name = " ".join(caller.split("_")[:2]).title()
    other = next(str(v) for v in host.domain("passenger", frame) if v != name)
    reading = read_request(host, f"This is {caller}. I want a booking {text.format(other=other)}, please.")
    assert reading.frame == frame
    assert {s: c.value for s, c in reading.said.items()} == {slot: other if value == "{other}" else value}
