from __future__ import annotations

import re
import statistics
from collections import Counter
from collections.abc import Iterator

import pytest

from intent_gym.construct import phrases
from intent_gym.construct.faults import draw, literal
from intent_gym.construct.writer import said, write, write_clean
from intent_gym.core.faults import FAULTS, Edit, hidden_slots
from intent_gym.core.intent import Condition, Intent, Slot
from intent_gym.core.rng import Purpose, choose, key_of
from intent_gym.envs.toy import ToyHost

KEYS = [key_of("writer", i) for i in range(200)]
WISHES = re.compile(
    r"\b(want|wants|need|needs|please|could you|can you|would|like|looking for|after|find me)\b|\?", re.I
)


def orders(tea: ToyHost, faults: int | tuple[str, ...]) -> Iterator[tuple[Intent, tuple[Edit, ...], str, int]]:
    """Yield (intent, edits, text, key) over the shop's orders."""
    for i, goal in enumerate(tea.goals()):
        key = key_of("orders", i)
        drop = choose(("cup", "milk", "counter", "none"), key, Purpose.CONSTRUCT, 0)
        intent = goal.intent.without(drop)
        draft = draw(tea, intent, faults, key)
        if draft is not None:
            yield intent, draft.edits, write(tea, intent, draft.faults, draft.edits, key), key


@pytest.mark.parametrize("faults", [*((f,) for f in FAULTS), 2, 4])
def test_no_hidden_value_is_in_a_text(tea: ToyHost, faults: int | tuple[str, ...]) -> None:
    for intent, edits, text, _ in orders(tea, faults):
        for edit in edits:
            if edit.slot in hidden_slots([edit]) and edit.kind != "attach":
                assert str(intent.by_slot[edit.slot].value) not in text.lower()


@pytest.mark.parametrize("faults", [*((f,) for f in FAULTS), 2, 4])
def test_texts_do_not_depend_on_hidden_values(tea: ToyHost, faults: int | tuple[str, ...]) -> None:
    for intent, edits, text, key in orders(tea, faults):
        hidden = [e.slot for e in edits if e.slot in hidden_slots([e]) and e.kind != "attach"]
        for value in ("VALUE ONE", "x"):
            other = intent
            for slot in hidden:
                other = other.having(Condition(slot, "=", value))
            assert write(tea, other, (), edits, key) == text


@pytest.mark.parametrize("name", ["insufficient_information", "factual_error", "irrelevant_information"])
def test_some_faults_leave_no_trace(tea: ToyHost, name: str) -> None:
    """Withheld, replaced and added values: the text is the complete request for what it says, byte for byte."""
    for intent, edits, text, key in orders(tea, (name,)):
        assert text == write_clean(tea, literal(tea, intent, edits), key)


@pytest.mark.parametrize("name", ["insufficient_information", "factual_error"])
def test_forms_and_lengths_are_those_of_clean_texts(tea: ToyHost, name: str) -> None:
    """Among texts with the same number of conditions told, no form and no length tells faulted from clean ones."""
    forms: dict[str, dict[int, Counter[str]]] = {"clean": {}, name: {}}
    lengths: dict[str, dict[int, list[int]]] = {"clean": {}, name: {}}
    for i, (intent, edits, text, key) in enumerate(orders(tea, (name,))):
        told = literal(tea, intent, edits)
        clean = write_clean(tea, intent, key_of(key, i))
        for label, content, words in ((name, told, text), ("clean", intent, clean)):
            size = len(content.conditions)
            forms[label].setdefault(size, Counter()).update([_form(tea, words)])
            lengths[label].setdefault(size, []).append(len(words.split()))
    shared = set(lengths["clean"]) & set(lengths[name])
    assert shared
    for size in shared:
        few = min(len(lengths["clean"][size]), len(lengths[name][size]))
        if few < 30:
            continue
        a, b = (statistics.mean(lengths[label][size]) for label in ("clean", name))
        assert abs(a - b) < 1.5
        old, new = forms["clean"][size], forms[name][size]
        distance = sum(abs(old[f] / old.total() - new[f] / new.total()) for f in old | new) / 2
        assert distance < 3 * (len(old | new) / few) ** 0.5 / 2, "no more than two samples of one distribution differ"


def _form(tea: ToyHost, text: str) -> str:
    """Return which sentence a request is built on."""
    for form in phrases.ASK:
        start = form.split("{np}")[0]
        if start in text:
            return start
    raise AssertionError(f"no form found in {text!r}")


def test_the_wording_of_one_slot_is_that_of_the_text_without_another(tea: ToyHost) -> None:
    full = Intent(
        "cocoa",
        (Condition("cup", "=", "paper cup"), Condition("milk", "=", "oat milk"), Condition("counter", "=", "locker")),
    )
    for key in KEYS:
        text, less = write_clean(tea, full, key), write_clean(tea, full.without("milk"), key)
        for form in ("in a paper cup", "served in a paper cup", "handed over by locker", "by way of the locker"):
            assert (form in text) == (form in less)


def test_indirect_requests_state_every_value_and_never_ask_or_wish(tea: ToyHost) -> None:
    for intent, _, text, _ in orders(tea, ("indirect_intent",)):
        assert not WISHES.search(text), text
        for condition in intent.conditions:
            assert str(condition.value) in text


def test_requests_ask_or_wish(tea: ToyHost) -> None:
    for name in ("contextual_irrelevance", "factual_error", "vagueness_subjectivity", "false_presupposition"):
        for _, _, text, _ in orders(tea, (name,)):
            assert WISHES.search(text), text


def test_irrelevant_sentences_come_first(tea: ToyHost) -> None:
    for _, _, text, _ in orders(tea, ("contextual_irrelevance",)):
        sentences = re.split(r"(?<=[.?]) ", text)
        about = [s in phrases.NOISE for s in sentences if s not in phrases.GREETINGS]
        assert about[0] and about == sorted(about, reverse=True)


def test_a_trailing_modifier_follows_the_other_thing(tea: ToyHost) -> None:
    for _, edits, text, _ in orders(tea, ("syntactic_ambiguity",)):
        assert re.search(rf" and a (slice of cake|biscuit for the dog) {re.escape(str(edits[0].value))}[ .,?]", text)


def test_every_form_is_used_by_clean_texts(tea: ToyHost) -> None:
    intent = tea.goals()[0].intent
    texts = [write_clean(tea, intent, key) for key in KEYS]
    assert len(set(texts)) > 150
    for forms in (phrases.ASK, phrases.ASK_MORE):
        for form in forms:
            assert any(form.split("{")[0] in t for t in texts), form


def test_any_executable_intent_can_be_told(tea: ToyHost) -> None:
    for frame in tea.frames:
        for intent in (Intent(frame, ()), Intent(frame, (Condition("cup", "=", "espresso cup"),))):
            text = write_clean(tea, intent, 3)
            assert frame in text and "{" not in text and "  " not in text
    assert "an espresso cup" in text


class Plain(ToyHost):
    """A host whose slots have no wordings of their own."""

    def __init__(self) -> None:
        super().__init__()
        self.slots = (
            Slot("task", "request", "task", "frame"),
            Slot("nights", "number of nights", "nights", "number", ">="),
            Slot("price", "budget", "price", "number", "<=", unit="$"),
            Slot("seat", "seat", "seat", "choice"),
            Slot("perk", "perk", "perk", "tag", "contains"),
        )


def test_slots_without_wordings_are_told_by_their_type_word() -> None:
    host = Plain()
    wanted = (
        Condition("nights", ">=", 3),
        Condition("price", "<=", 120.5),
        Condition("seat", "=", "window"),
        Condition("perk", "contains", "refundable"),
    )
    texts = " ".join(write_clean(host, Intent("rebooking", wanted), key) for key in KEYS)
    for form in ("with a number of nights of at least 3", "with a budget of at most $120.50", "that is refundable"):
        assert form in texts
    assert "with seat window" in texts and "with window as the seat" in texts
    vague = write(host, Intent("rebooking", wanted), (), [Edit("vague", "seat")], 1)
    assert "window" not in vague and " seat" in vague


def test_said_drops_hidden_values(tea: ToyHost) -> None:
    intent = Intent("cocoa", (Condition("cup", "=", "paper cup"), Condition("milk", "=", "oat milk")))
    for kind in ("withhold", "deictic", "vague"):
        assert "oat milk" not in repr(said(intent, [Edit(kind, "milk")]))
