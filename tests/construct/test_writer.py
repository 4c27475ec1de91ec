from __future__ import annotations

import re
import statistics
import time
from collections import Counter
from collections.abc import Iterator

import pytest

from intent_gym.construct import phrases
from intent_gym.construct.faults import draw, literal
from intent_gym.construct.writer import _fitting, clause, said, write, write_clean
from intent_gym.core.faults import FAULTS, Edit, hidden_slots
from intent_gym.core.intent import Condition, Intent, Slot
from intent_gym.core.rng import Purpose, choose, key_of
from intent_gym.envs.host import Host, stems
from intent_gym.envs.toy import ToyHost
from intent_gym.envs.webshop.host import load

KEYS = [key_of("writer", i) for i in range(200)]
AGREES = re.compile(r"\b(that|which|one|it|they) (is|are|has|have|costs?|counts?|comes?|was|were)\b|\bits\b|\bones?\b")
WISHES = re.compile(
    r"\b(want|wants|need|needs|please|could you|can you|would|like|looking for|after|find me|get me)\b|\?", re.I
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
        for form in ("in a paper cup", "poured into a paper cup", "through the locker", "by way of the locker"):
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


# -- texts of a shop: plural frames, stuff, values that name their slot or sound like something else -----------------
@pytest.fixture(scope="module")
def shop() -> Host:
    return load(size=1500)


def texts(host: Host, faults: int | tuple[str, ...], count: int = 300) -> list[tuple[Intent, tuple[Edit, ...], str]]:
    found = []
    for i, goal in enumerate(host.goals()[:count]):
        key = key_of("shop", i, faults)
        order = sorted(goal.intent.by_slot, key=lambda slot, key=key: key_of(key, slot))  # type: ignore[misc]
        intent = goal.intent.without(*order[2 + i % 3 :])
        draft = draw(host, intent, faults, key)
        if draft is not None:
            found.append((intent, draft.edits, write(host, intent, draft.faults, draft.edits, key)))
    assert len(found) > count / 8
    return found


def test_what_stands_beside_a_request_sounds_like_no_value(shop: Host) -> None:
    """A hidden "gift box" is not given away by a closing, and no gift box comes "of size gift box"."""
    assert "a gift box" not in shop.companions("popcorn") and "gift box" in shop.domain("size", "popcorn")
    assert any("a gift box" in shop.companions(f) for f in shop.frames)
    beside = {*phrases.GREETINGS, *phrases.CLOSINGS, *phrases.NOISE}
    for frame in shop.frames:
        known = {
            w
            for slot in shop.slots[1:]
            if slot.kind != "number"
            for v in shop.domain(slot.id, frame)
            for w in stems(str(v))
        }
        assert len(shop.companions(frame)) > 2
        assert not any(stems(c) & known for c in shop.companions(frame))
        for key in KEYS[:40]:
            edits = [Edit("noise")]
            text = write(shop, Intent(frame, ()), (), edits, key)
            assert not any(b in text and stems(b) & known for b in beside if b)


def test_a_host_may_have_nothing_to_mention_beside_a_request(tea: ToyHost) -> None:
    class Bare(ToyHost):
        def companions(self, frame: str) -> tuple[str, ...]:
            return ()

    bare = Bare()
    assert draw(bare, tea.goals()[0].intent, ("syntactic_ambiguity",), 1) is None
    assert all("{" not in (t := write_clean(bare, tea.goals()[0].intent, k)) and " already" not in t for k in KEYS)


def test_clauses_repeat_no_word_of_their_value(shop: Host) -> None:
    for slot in shop.slots[1:]:
        for value in shop.domain(slot.id, None):
            form = clause(shop, slot.id, value, key_of(slot.id, value)).replace(slot.say(value), " ", 1)
            assert not stems(form) & stems(slot.say(value)), (slot.id, value)
    count = shop.slot("count").clauses
    assert set(_fitting(count, "pack of 12")) == {"in a {value}", "sold as a {value}"}
    assert not any("a {value}" in form for form in _fitting(count, "12"))
    assert set(_fitting(shop.slot("style").clauses, "sheet style")) == set(phrases.NAMED)
    assert not any("of {value}" in form for form in _fitting(count, "set of 6"))
    assert _fitting(("the {value} kind",), "kind") == phrases.NAMED


def test_tags_of_one_request_are_told_in_different_ways(shop: Host) -> None:
    for key in KEYS:
        told = [clause(shop, f"feature_{i}", "vegan", key) for i in range(1, 7)]
        assert len(set(told)) == len(told)


@pytest.mark.parametrize("faults", [0, *((f,) for f in FAULTS if f != "tool_capability_mismatch"), 4])
def test_sentences_agree_with_plurals_and_stuff(shop: Host, faults: int | tuple[str, ...]) -> None:
    for _, _, text in texts(shop, faults, 200):
        assert not AGREES.search(text.replace("The one thing", "")), text
        assert "  " not in text and "{" not in text


def test_no_text_says_a_word_twice_in_a_row(shop: Host) -> None:
    for faults in (0, 1, 2, 4):
        for _, _, text in texts(shop, faults):
            assert not re.search(r"\b(\w+) \1\b", text), text


def test_nouns(shop: Host) -> None:
    for frame in ("popcorn", "computer mice", "tea", "dress shirts"):
        assert shop.noun(frame) == frame
    assert ToyHost().noun("oat biscuit") == "an oat biscuit"


def test_indirect_requests_do_not_open_with_a_lack_beside_something_impossible(tea: ToyHost) -> None:
    opened: Counter[str] = Counter()
    for key in KEYS:
        intent = tea.goals()[0].intent
        other = next(v for v in tea.domain("milk") if v != intent.by_slot["milk"].value)
        edits = [Edit("oblique"), Edit("presuppose", "milk", other)]
        text = write(tea, intent, (), edits, key)
        assert not WISHES.search(text) and "settle" not in text
        assert not any(form.split("{")[0] in text for form in phrases.TELL_LACK)
        plain = write(tea, intent, (), edits[:1], key)
        opened.update(form for form in phrases.TELL if form.split("{")[0] in plain)
    assert set(opened) == set(phrases.TELL)


def test_openings_and_closings_are_shared(shop: Host) -> None:
    """No greeting, sentence form or closing stands in more than a twelfth of the texts; all faults share them."""
    assert set(phrases.TELL_CLOSINGS) < set(phrases.CLOSINGS)
    every = [t for faults in (0, 1, 2, 4) for _, _, t in texts(shop, faults, 600)]
    starts = Counter(
        form
        for t in every
        for form in phrases.ASK
        if re.search(rf"(^|\. ){re.escape(form.split('{')[0])}(?!something)", t)
    )
    starts.update(g for t in every for g in phrases.GREETINGS if g and t.startswith(f"{g} "))
    starts.update(c for t in every for c in phrases.CLOSINGS if c and t.endswith(f" {c}"))
    starts.update(f for t in every for f in phrases.ASK_MORE + phrases.TELL_MORE if f". {f.split('{')[0]}" in t)
    assert max(starts.values()) < len(every) / 11, starts.most_common(3)


def test_two_sentences_start_differently(tea: ToyHost) -> None:
    for goal in tea.goals():
        for key in KEYS[:5]:
            wishes = [
                s.split()[:2] for s in re.split(r"(?<=[.?]) ", write_clean(tea, goal.intent, key)) if len(s.split()) > 4
            ]
            assert len(wishes) < 2 or wishes[0] != wishes[1]


def test_ambiguous_words_stand_in_quotation_marks(tea: ToyHost) -> None:
    for _, edits, text, _ in orders(tea, ("lexical_ambiguity",)):
        assert f'"{edits[0].value}"' in text


def test_writing_is_fast(shop: Host) -> None:
    intent = shop.goals()[0].intent
    write_clean(shop, intent, 0)
    start = time.perf_counter()
    for key in KEYS:
        write_clean(shop, intent, key)
    assert (time.perf_counter() - start) / len(KEYS) < 1e-3, "about 50 microseconds on a free machine"
