from __future__ import annotations

import dataclasses
import itertools
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import pytest

from intent_gym.core.intent import Condition, Slot, Value
from intent_gym.core.language import accept, announce, current, neutral, refuse, speak, templates
from intent_gym.core.personas import PERSONAS
from intent_gym.core.user import Reply

World = Mapping[str, tuple[Value, ...]]
DRAWS = range(40)


def conditions(slots: Mapping[str, Slot], domain: World) -> Iterator[Condition]:
    """Yield a condition a slot, in words that every domain allows."""
    for slot in slots.values():
        values = [v for v in domain[slot.id] if len(str(v)) > 1]
        yield Condition(slot.id, slot.op, values[-1])


def fixed_texts() -> list[str]:
    """Return every template."""
    texts: list[str] = [
        *templates.NAMED,
        *templates.UNWANTED,
        *templates.DROPPED,
        *templates.NEUTRAL,
        templates.UNSAID,
        templates.STATEMENT,
    ]
    for group in (templates.CLAUSES, templates.LIMITS, templates.OPEN):
        texts += itertools.chain.from_iterable(group.values())
    for style in templates.STYLES.values():
        for part in dataclasses.astuple(style):
            texts += [part] if isinstance(part, str) else part
    return texts


def said_values(text: str, domain: World) -> set[str]:
    """Return the domain's values (longer than a letter) that stand in a text as whole words."""
    names = {str(v) for slot, values in domain.items() if slot != "price" for v in values}
    text = f" {re.sub(r'[^a-z0-9-]+', ' ', text.lower())} "
    return {v for v in names if len(v) > 1 and f" {v} " in text}


def test_every_style_is_a_persona() -> None:
    assert set(templates.STYLES) == set(PERSONAS)


def test_templates_hold_only_known_fields_and_no_value(domains: Mapping[str, World]) -> None:
    for text in fixed_texts():
        assert set(re.findall(r"\{(.*?)\}", text)) <= {"value", "word", "words", "conditions"}, text
        assert not re.search(r"\d", text), text
        for domain in domains.values():
            assert not said_values(text, domain), text


def test_no_two_styles_share_a_line() -> None:
    lines = Counter(
        line
        for style in templates.STYLES.values()
        for part in dataclasses.astuple(style)
        if not isinstance(part, str)
        for line in set(part)
        if line
    )
    assert [line for line, times in lines.items() if times > 1] == []


@pytest.mark.parametrize("persona", PERSONAS)
@pytest.mark.parametrize("world", ["shop", "tea"])
def test_an_answer_holds_its_values_and_no_other(
    persona: str,
    world: str,
    slots: Mapping[str, Mapping[str, Slot]],
    domains: Mapping[str, World],
) -> None:
    table, domain = slots[world], domains[world]
    for condition, index in itertools.product(conditions(table, domain), DRAWS):
        slot = table[condition.slot]
        text = speak(Reply("answer", granted=((slot.id, condition),)), table, persona, 11, index)
        value = slot.say(condition.value)
        assert value in text and "{" not in text
        allowed = said_values(f"{value} {slot.word}", domain)
        assert said_values(text, domain) <= allowed
        other = speak(Reply("answer", granted=((slot.id, None),)), table, persona, 11, index)
        assert slot.word in other and "{" not in other
        assert said_values(other, domain) <= said_values(slot.word, domain)


@pytest.mark.parametrize("persona", PERSONAS)
def test_every_kind_of_reply_says_something(persona: str, slots: Mapping[str, Mapping[str, Slot]]) -> None:
    table = slots["shop"]
    black, cheap = Condition("color", "=", "black"), Condition("price", "<=", 30.0)
    replies = [
        Reply("one_thing"),
        Reply("unmatched"),
        Reply("unmatched", volunteered=(black,)),
        Reply("nothing_more"),
        Reply("nothing_more", volunteered=(cheap,)),
        Reply("answer"),
        Reply("answer", declined=("color",)),
        Reply("answer", confirmed=("color", "size", "material")),
        Reply("answer", granted=(("color", black), ("price", cheap)), declined=("size",), confirmed=("fit",)),
        Reply("answer", granted=(("feature_1", None), ("feature_2", None))),
    ]
    for reply, index in itertools.product(replies, DRAWS):
        text = speak(reply, table, persona, 3, index)
        assert text.strip() == text and text and "{" not in text and "  " not in text
        told = [c for _, c in reply.granted if c is not None] + list(reply.volunteered)
        assert ("black" in text) == (black in told)
        assert ("$30" in text) == (cheap in told)
        for slot in (*reply.declined, *reply.confirmed):
            assert table[slot].word in text
        assert re.search(r"[.!?]$", text)
        if reply.kind == "one_thing":
            assert "one thing at a time" in text.lower()


@pytest.mark.parametrize("persona", PERSONAS)
def test_verdicts(persona: str) -> None:
    for index in DRAWS:
        plain, hint, yes = (
            refuse(None, persona, 5, index),
            refuse("color", persona, 5, index),
            accept(persona, 5, index),
        )
        assert "color" in hint and "color" not in plain + yes
        assert all(text and "{" not in text for text in (plain, hint, yes))
        assert plain != yes


@pytest.mark.parametrize("persona", PERSONAS)
def test_announcements_tell_what_changed(persona: str, slots: Mapping[str, Mapping[str, Slot]]) -> None:
    table = slots["shop"]
    red = Condition("color", "=", "red")
    for index in DRAWS:
        text = announce("substitute", [red], [], None, table, persona, 5, index)
        assert "red" in text and "{" not in text
        text = announce("relax", [], [table["size"]], None, table, persona, 5, index)
        assert "size" in text and "{" not in text
        text = announce("pivot", [red], [table["size"]], "backpacks", table, persona, 5, index)
        assert "red" in text and "backpacks" in text and "size" not in text
        assert announce("relax", [], [], None, table, persona, 5, index)


@pytest.mark.parametrize("persona", PERSONAS)
def test_sentences_fit_what_they_wrap(persona: str, slots: Mapping[str, Mapping[str, Slot]]) -> None:
    table, style = slots["tea"], templates.STYLES[persona]
    oat, cup = Condition("milk", "=", "oat milk"), Condition("cup", "=", "large")
    for index in DRAWS:
        one = speak(Reply("answer", granted=(("milk", oat),)), table, persona, 3, index)
        two = speak(Reply("answer", granted=(("milk", oat), ("cup", cup))), table, persona, 3, index)
        assert one.count("milk") == 1 and "first, " not in one.lower()
        assert style.first in two
        none = speak(Reply("answer", granted=(("milk", None),)), table, persona, 3, index)
        assert none.startswith(style.open) and not any(reason in none for reason in style.after if reason)
        hint = refuse("feature", persona, 3, index, several=True)
        assert "one of the features" in hint.lower()


def test_neutral_lines_and_statements_are_plain(slots: Mapping[str, Mapping[str, Slot]]) -> None:
    assert {neutral(9, i) for i in range(300)} == set(templates.NEUTRAL)
    told = [Condition("feature_1", "contains", "usb port"), Condition("price", "<=", 30.0)]
    text = current("desk lamps", told, slots["shop"])
    assert text == "Wanted at this moment: product: desk lamps; budget: at most $30; feature: usb port."


def test_words_depend_on_key_and_index_only(slots: Mapping[str, Mapping[str, Slot]]) -> None:
    reply = Reply("answer", granted=(("color", Condition("color", "=", "black")),))
    texts = {(k, i): speak(reply, slots["shop"], "rational", k, i) for k in range(20) for i in range(5)}
    assert texts == {(k, i): speak(reply, slots["shop"], "rational", k, i) for k in range(20) for i in range(5)}
    assert len(set(texts.values())) >= 10  # many wordings


def test_equal_values_aside_two_intents_are_told_in_the_same_words(slots: Mapping[str, Mapping[str, Slot]]) -> None:
    for persona, index in itertools.product(PERSONAS, DRAWS):
        texts = [
            speak(Reply("answer", granted=(("color", Condition("color", "=", v)),)), slots["shop"], persona, 4, index)
            for v in ("black", "white")
        ]
        assert texts[0].replace("black", "white") == texts[1]


def test_a_reader_tells_the_personas_apart(slots: Mapping[str, Mapping[str, Slot]]) -> None:
    table = slots["shop"]

    def message(persona: str, key: int) -> list[str]:
        reply = [
            Reply("answer", granted=(("color", Condition("color", "=", "black")),)),
            Reply("answer", declined=("size",)),
            Reply("nothing_more"),
            Reply("unmatched"),
        ][key % 4]
        texts = (speak(reply, table, persona, key, 0), refuse(None, persona, key, 1))
        return re.findall(r"[a-z']+|[!?]", " ".join(texts).lower())

    counts = {p: Counter(w for k in range(80) for w in message(p, k)) for p in PERSONAS}
    sizes = {p: sum(c.values()) for p, c in counts.items()}

    def likeliest(tokens: Sequence[str]) -> str:
        return max(PERSONAS, key=lambda p: sum(math.log((counts[p][w] + 0.1) / (sizes[p] + 100)) for w in tokens))

    trials = [(p, k) for p in PERSONAS for k in range(1000, 1080)]
    assert sum(likeliest(message(p, k)) == p for p, k in trials) >= 0.98 * len(trials)
