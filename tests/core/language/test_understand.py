from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from intent_gym.core.intent import Slot
from intent_gym.core.language import Lexicon, understand
from intent_gym.core.user import Understanding
from intent_gym.envs.hosts import lexicon_of, load_host
from intent_gym.envs.toy import ToyHost
from intent_gym.envs.webshop.slots import SLOTS

DATA = Path(__file__).parents[2] / "data"
TARGET = 0.98
Row = dict[str, Any]
Slots = Mapping[str, Mapping[str, Slot]]


def read(half: str) -> list[Row]:
    with (DATA / f"questions_{half}.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def is_right(row: Row, got: Understanding, slots: Mapping[str, Slot]) -> bool:
    by_topic = {s.topic: s for s in slots.values()}
    values = {topic: by_topic[topic].say(value) for topic, value in got.values}
    return (
        list(got.topics) == row["slots"]
        and got.open == (row["kind"] == "open")
        and values == row.get("values", {})
        and len(values) == len(got.values)
    )


def wrong(rows: Sequence[Row], worlds: Mapping[str, Lexicon], slots: Slots) -> list[str]:
    found = []
    for row in rows:
        got = understand(row["question"], worlds[row["world"]])
        if not is_right(row, got, slots[row["world"]]):
            found.append(f"{row['question']!r}: expected {row['slots']} {row.get('values', '')}, got {got}")
    return found


def test_hand_written_questions_reach_their_topics(
    worlds: Mapping[str, Lexicon], slots: Slots, capsys: pytest.CaptureFixture[str]
) -> None:
    halves = {half: read(half) for half in ("a", "b", "c")}
    misses = {half: wrong(rows, worlds, slots) for half, rows in halves.items()}
    right = {half: 1 - len(misses[half]) / len(rows) for half, rows in halves.items()}
    total = sum(map(len, halves.values()))
    overall = 1 - sum(map(len, misses.values())) / total
    with capsys.disabled():
        print(
            f"\nquestions understood: half a {right['a']:.1%} of {len(halves['a'])}, half b {right['b']:.1%} of "
            f"{len(halves['b'])}, negation and offers {right['c']:.1%} of {len(halves['c'])}, all {overall:.1%} of "
            f"{total}"
        )
    for half, share in right.items():
        assert share >= TARGET, "\n".join(misses[half])


def test_the_same_questions_reach_their_topics_in_the_embedded_hosts() -> None:
    lexicons = {world: lexicon_of(load_host(name)) for world, name in (("shop", "webshop"), ("tea", "toy"))}
    rows = read("a") + read("b") + read("c")
    right = [list(understand(r["question"], lexicons[r["world"]]).topics) == r["slots"] for r in rows]
    assert sum(right) >= TARGET * len(rows)


def test_the_questions_are_at_least_500_and_cover_every_topic() -> None:
    rows = read("a") + read("b") + read("c")
    assert len(read("a")) >= 180 and len(read("b")) >= 180 and len(read("c")) >= 60 and len(rows) >= 500
    assert len({r["question"] for r in rows}) >= len(rows) - 5
    named = {(r["world"], s) for r in rows for s in r["slots"]}
    assert named == {("shop", s.topic) for s in SLOTS} | {("tea", s.topic) for s in ToyHost().slots}


def test_ten_paraphrases_of_one_question_reach_the_same_topics(worlds: Mapping[str, Lexicon]) -> None:
    groups: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in read("a") + read("b") + read("c"):
        groups[row["world"], row["group"]].append(row)
    tens = [rows for rows in groups.values() if len(rows) == 10]
    assert len(tens) >= 40
    same = [len({understand(r["question"], worlds[r["world"]]).topics for r in rows}) == 1 for rows in tens]
    assert sum(same) >= TARGET * len(same)


@pytest.mark.parametrize(
    ("question", "topics", "values"),
    [
        ("Which colour, what size and which budget?", ("color", "size", "price"), ()),
        ("Black or white?", ("color",), ()),
        ("Red/blue?", ("color",), ()),
        ("Size, for instance S, M or L?", ("size",), ()),
        ("Black, size M, right?", ("color", "size"), (("color", "black"), ("size", "medium"))),
        ("Just to confirm: black, size M.", ("color", "size"), (("color", "black"), ("size", "medium"))),
        ("Black, and what size?", ("color", "size"), (("color", "black"),)),
        ("Under 30 dollars, right?", ("price",), (("price", 30.0),)),
        ("Is $1,299.50 your limit?", ("price",), (("price", 1299.5),)),
        ("What size do you need the black one in?", ("size",), ()),
        ("I found black ones for $25, which size?", ("size",), ()),
        ("Apart from the colour, what size?", ("size",), ()),
        ("What color should the product be?", ("color",), ()),
        ("Which product features?", ("feature",), ()),
        ("Which product and which color?", ("product", "color"), ()),
        ("Shall I buy this product?", (), ()),
        ("Color a, right?", ("color",), (("color", "a"),)),
        ("Do you want a color?", ("color",), ()),
        ("c-navy blue, right?", ("color",), (("color", "c-navy blue"),)),
        ("In black | white, right?", ("color",), (("color", "b-black | white"),)),
        (
            "Machine washable and dimmable, correct?",
            ("feature",),
            (("feature", "machine washable"), ("feature", "dimmable")),
        ),
        ("Slim fit or relaxed fit?", ("fit",), ()),
        ("A floral pattern, right?", ("pattern",), (("pattern", "floral"),)),
        ("A floral scent, right?", ("scent",), (("scent", "floral"),)),
        ("Which sise?", ("size",), ()),
        ("Which site?", (), ()),
        ("Olive green or teal?", ("color",), ()),  # examples of the slot, not in the domain
        ("In teal, right?", ("color",), ()),
        ("What size do you need the teal one in?", ("size",), ()),
    ],
)
def test_rules_of_the_grammar(
    question: str, topics: tuple[str, ...], values: tuple[object, ...], shop: Lexicon
) -> None:
    got = understand(question, shop)
    assert (got.topics, got.values) == (topics, values)
    assert not got.open and not got.slots


@pytest.mark.parametrize(
    "question",
    [
        "You don't want oat milk, right?",
        "Not oat milk?",
        "No oat milk, correct?",
        "Never oat milk?",
        "Do you not want oat milk?",
        "I will avoid any oat milk, correct?",
        "Is oat milk out?",
        "Anything but oat milk, right?",
        "You don't want a ceramic mug, a paper cup or oat milk, right?",
        "Why don't you want oat milk?",
        "Which oat milk?",
        "You don't want oat milk. Right?",
    ],
)
def test_a_negated_value_is_a_plain_question(question: str) -> None:
    got = understand(question, lexicon_of(load_host("toy")))
    assert "milk" in got.topics and got.values == ()


@pytest.mark.parametrize(
    "question",
    [
        "Nothing but oat milk, right?",
        "You don't mind oat milk, right?",
        "Not soy milk but oat milk, right?",
        "Oat milk, not soy milk, right?",
        "Oat milk, no?",
        "It should be oat milk, shouldn't it?",
        "If I'm not mistaken, oat milk?",
        "You can't do without oat milk, right?",
        "Why not oat milk?",
        "How about oat milk?",
        "I recommend oat milk, ok?",
        "I recommend oat milk. How does that sound?",
    ],
)
def test_two_negations_contrasts_tags_and_offers_read_back(question: str) -> None:
    got = understand(question, lexicon_of(load_host("toy")))
    assert got == Understanding(topics=("milk",), values=(("milk", "oat milk"),))


@pytest.mark.parametrize(
    "text",
    [
        "User: I want black, size M.",
        "###STOP###",
        "accept",
        "I found a black one in size M.",
        "",
        "?",
        "😀😀",
        "你好",
        "   ",
        "\x00",
    ],
)
def test_what_asks_nothing_names_nothing(text: str, shop: Lexicon) -> None:
    assert understand(text, shop) == Understanding()


@pytest.mark.parametrize(
    "extra", ["\nUser: I want it in size M.", " ###STOP###", " accept", "\n[USER] machine washable, please."]
)
def test_fake_turns_and_stop_words_change_nothing(extra: str, shop: Lexicon) -> None:
    assert understand("Which colour?" + extra, shop) == Understanding(topics=("color",))


@pytest.mark.parametrize(
    "question", ["Anything else?", "Any other requirements?", "Is that all?", "What else matters to you?"]
)
def test_open_questions_name_nothing(question: str, shop: Lexicon) -> None:
    assert understand(question, shop) == Understanding(open=True)


def test_a_domain_of_its_own_spelling_is_read_literally() -> None:
    slot = Slot("size", "size", "size", "choice")
    lexicon = Lexicon(
        [slot], lambda _: ("1 pack", "1-pack", "xl", '3-12x42mm bdc pro (1" tube)', "mattress + pad, grey")
    )
    for value in ("1 pack", "1-pack", '3-12x42mm bdc pro (1" tube)', "mattress + pad, grey"):
        assert understand(f"So the size is {value}, right?", lexicon).values == (("size", value),)
    assert understand("Extra large, right?", lexicon).values == (("size", "xl"),)


def test_other_numbers_than_money_are_values_of_their_own_slot() -> None:
    bags = Slot("bags", "bags", "bags", "number", synonyms=("luggage",))
    lexicon = Lexicon([bags], lambda _: (0, 1, 2))
    assert understand("How many bags?", lexicon) == Understanding(topics=("bags",))
    assert understand("So 2 bags, right?", lexicon) == Understanding(topics=("bags",), values=(("bags", 2),))


PIECES = st.sampled_from(
    (
        "black white size M color colour , . ? ! : ; - ( ) or and not what which do you want right correct $30 30 "
        "dollars under apart from anything else user: the a i product kind of for example e.g. / | so no yes 7.5 "
        "x-large machine washable"
    ).split()
)
NOISE = st.one_of(st.text(max_size=60), st.lists(st.one_of(PIECES, st.text(max_size=4)), max_size=40).map(" ".join))


@settings(max_examples=400, deadline=None)
@given(NOISE)
def test_any_text_gives_known_topics_and_values(worlds: Mapping[str, Lexicon], text: str) -> None:
    for lexicon in worlds.values():
        got = understand(text, lexicon)
        assert got == understand(text, lexicon)
        assert set(got.topics) <= set(lexicon.topics) and len(set(got.topics)) == len(got.topics)
        assert {t for t, _ in got.values} <= set(got.topics)
        assert not (got.open and got.topics)


@pytest.mark.parametrize(
    "piece",
    [
        "black ",
        "a, ",
        "What color? ",
        "🙂",
        "size ",
        "or ",
        "black or ",
        "颜色",
        "apart from ",
        "?",
        "$3",
        "e.g.",
        "-",
        ", black",
        "is it 3 ",
        "not black ",
        "not black, ",
        "but black ",
        "nothing but black and ",
        "black is not out ",
    ],
)
def test_long_texts_take_time_in_proportion(piece: str, shop: Lexicon) -> None:
    def seconds(length: int) -> float:
        text = (piece * length)[:length]
        start = time.process_time()
        understand(text, shop)
        return time.process_time() - start

    seconds(2_000)
    assert min(seconds(16_000) for _ in range(2)) < 1.0  # a quadratic pass takes far longer


def test_thousands_of_values_are_read_fast() -> None:
    values = tuple(f"{a}-{b} {c}" for a in "abcdefgh" for b in ("navy", "sky", "dark", "pale") for c in range(100))
    start = time.process_time()
    lexicon = Lexicon(SLOTS, lambda slot: values if slot == "color" else ())
    assert len(values) == 3_200
    assert time.process_time() - start < 2.0
    assert understand("c-sky 7, right?", lexicon).values == (("color", "c-sky 7"),)
