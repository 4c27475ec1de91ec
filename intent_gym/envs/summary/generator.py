"""The embedded haystacks: short invented documents on two topics, in which insights with names and numbers come up.

The words come from ``data/stories.json``, written by this project: four kinds of story (building works, firms,
festivals, health) with six aspects of three insights each, every insight in two wordings, and pools of names. A topic's
names and numbers are drawn by key, so a haystack is the same in every process. The shape is that of SummHay (Laban et
al. 2024, https://arxiv.org/abs/2407.01370): documents with citation numbers, a query, insights in several documents.

Decisions:

* A topic has twelve documents, two of each outlet, month and district; an outlet's first is a report, its second an
  interview or a letter. A document holds two of the three insights of every aspect, so any other set of documents cites
  otherwise, and every set says something on every aspect.
* Asked are the documents of an outlet, of a month and of a district together. Kinds of document can be left out, and
  an author's documents added.
* The key phrases of an insight are its name and its number with the unit; no two insights of a haystack share a name.
* Haystacks are split, two of three of each kind of story for training.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any, NamedTuple

from intent_gym.core.intent import Slot, Value
from intent_gym.core.rng import Purpose, choose, integer, key_of, uniform
from intent_gym.envs.summary.frames import FULL_LENGTH, LIMITS, Held, SummaryFrame, SummaryGoal

__all__ = ["SLOTS", "StoryFrame", "generate", "goals_of"]

DOCUMENTS = 12
"""Documents of a topic."""
GROUPS = 6
"""Outlets, months and districts of a haystack."""
GOALS_PER_TOPIC = 42
_ASKED = 1 / 3
"""Share of goals that ask for something optional."""
_NO_EXCLUSION, _NO_AUTHOR = "no exclusion", "no extra author"
_KINDS = ("report", "interview", "letter")
_LEFT_OUT = {"interviews": "interview", "letters": "letter"}

SLOTS: tuple[Slot, ...] = (
    Slot(
        "summary",
        "summary",
        "summary",
        "frame",
        synonyms=("summaries", "topic", "subject", "digest", "overview", "what should i summarize"),
    ),
    Slot(
        "aspect",
        "aspect",
        "aspect",
        "choice",
        synonyms=(
            *("aspects", "question", "angle", "side of it", "which aspect", "focus", "it cover", "summary cover"),
            "what should i cover",
        ),
        clauses=("covering {value}", "that deals with {value}", "focused on {value}"),
        vague=("covering some interesting aspect", "on the usual aspect of it", "with a sensible aspect"),
    ),
    Slot(
        "outlet",
        "outlet",
        "outlet",
        "choice",
        synonyms=(
            *("outlets", "newspaper", "paper", "publisher", "which outlet", "source", "publication"),
            *("publications", "whose reporting"),
        ),
        clauses=("drawing on the {value}", "based on the {value}", "citing the {value}"),
        vague=("drawing on a reliable outlet", "based on some serious outlet", "citing a decent outlet"),
    ),
    Slot(
        "month",
        "month",
        "month",
        "choice",
        synonyms=(
            *("months", "date", "which month", "time of year", "from when", "when are they from"),
            *("when is it from", "period", "periods", "time frame"),
        ),
        clauses=(
            "including the documents of {value}",
            "with everything from {value}",
            "taking in the texts of {value}",
        ),
        vague=("with everything from a busy month", "taking in a good month", "with some fitting month"),
    ),
    Slot(
        "district",
        "district",
        "district",
        "choice",
        synonyms=(
            *("districts", "edition", "local edition", "quarter", "neighborhood", "which district"),
            *("part of town", "part of the town", "part of the city", "which area", "what area", "which areas"),
        ),
        clauses=("using the edition for {value}", "with the edition for {value}", "taking in the edition for {value}"),
        vague=("with some lively district", "using a district that matters", "with a good district"),
    ),
    Slot(
        "exclusion",
        "exclusion",
        "exclusion",
        "choice",
        synonyms=(
            *("exclusions", "left out", "leave out", "leaving out", "excluded", "leave anything out"),
            *("leave something out", "exclude anything", "omit anything", "skip anything", "ignore anything"),
            *("what should i exclude", "what should i omit", "what should i skip", "what should i ignore"),
            *("documents should i exclude", "what should be omitted"),
        ),
        clauses=("with {value} left out", "leaving out {value}", "that leaves out {value}"),
        vague=("with a sensible exclusion", "with some exclusion", "with a fair exclusion"),
    ),
    Slot(
        "author",
        "extra author",
        "extra author",
        "choice",
        synonyms=(
            *("extra authors", "author", "authors", "writer", "byline", "journalist", "journalists", "who else"),
            "who wrote it",
        ),
        clauses=("with {value} added", "adding {value}", "plus {value}"),
        vague=("adding a good writer", "with some extra author of note", "plus a decent extra author"),
    ),
    Slot(
        "length",
        "length",
        "length",
        "choice",
        synonyms=(
            *("lengths", "size", "how long", "how many bullets", "number of bullets", "how short"),
            *("how many bullet points", "how many points", "short or long", "long or short"),
        ),
        clauses=("kept to {value}", "told in {value}", "held to {value}"),
        vague=("of a handy length", "of a sensible length", "of a length that suits busy people"),
    ),
)

_HOW = """How to write the summary

Use the documents on the topic asked for that are from the outlet, or of the month, or of the district asked for: any
one of these is enough. If an extra author is asked for, add all documents on the topic by this author. If interviews
or letters are to be left out, leave them out, whoever wrote them.
Write one bullet for each insight on the aspect asked for that these documents hold. An insight is what one person or
firm reports, with its number; keep the name and the number with its unit. Behind it, cite in square brackets all of
these documents that hold it, as in "[3, 17]", and no other.
At full length a summary has at most {most} bullets. Asked for one or two bullets, keep the insights that stand in the
most of these documents; of equals, the one that comes first when they are read by number. Every line is a bullet
unless it ends in a colon. Each bullet beyond the length lowers the score, which is coverage times citation F1."""


class _Story(NamedTuple):
    """One topic while it is made."""

    title: str
    texts: dict[str, str]
    phrases: dict[str, tuple[str, ...]]
    wordings: dict[str, tuple[str, str]]
    aspects: dict[str, tuple[str, ...]]


class _Document(NamedTuple):
    """One document, before and after it has a number."""

    held: Held
    outlet: str
    month: str
    district: str
    kind: str
    author: str
    text: str


@dataclass(frozen=True, eq=False)
class StoryFrame(SummaryFrame):
    """A topic of an embedded haystack.

    Attributes:
        facts: By slot and value, the numbers of the topic's documents that have it; exclusions are what is left out.
    """

    facts: Mapping[tuple[str, Value], frozenset[int]]

    def chosen(self, values: Mapping[str, Value]) -> frozenset[int]:
        """Return the documents that one of the values admits, without those that are left out."""
        facts = self.facts
        asked = facts["outlet", values["outlet"]].union(*(facts[s, values[s]] for s in ("month", "district", "author")))
        return asked - facts["exclusion", values["exclusion"]]


@cache
def _data() -> dict[str, Any]:
    path = resources.files("intent_gym.envs.summary").joinpath("data/stories.json")
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data


def _shuffled(options: Sequence[str], key: int) -> list[str]:
    return sorted(options, key=lambda option: integer(key, Purpose.TASK, key_of(option) % (1 << 48)))


class _Names:
    """Names of people and firms of one haystack, none twice."""

    def __init__(self, key: int) -> None:
        pools = _data()["pools"]
        given, family = _shuffled(pools["given"], key), _shuffled(pools["family"], key_of(key, "family"))
        self._people = [f"{a} {family[(i + turn) % len(family)]}" for turn in range(4) for i, a in enumerate(given)]
        first, last = _shuffled(pools["firm_first"], key), _shuffled(pools["firm_last"], key_of(key, "last"))
        self._firms = [f"{a} {last[i % len(last)]}" for i, a in enumerate(first)]

    def person(self) -> str:
        return self._people.pop()

    def of(self, who: str) -> str:
        return self._firms.pop() if who == "firm" else self.person()


def _story(title: str, aspects: Mapping[str, Any], names: _Names, key: int) -> _Story:
    """Return a topic's insights with their names and numbers."""
    texts: dict[str, str] = {}
    phrases: dict[str, tuple[str, ...]] = {}
    wordings: dict[str, tuple[str, str]] = {}
    by_aspect: dict[str, tuple[str, ...]] = {}
    for aspect, rows in aspects.items():
        for number, row in enumerate(rows):
            insight = f"{aspect}-{number}"
            low, high = row["range"]
            amount = low + integer(key, Purpose.TASK, key_of(insight) % (1 << 48)) % (high - low + 1)
            name, quantity = names.of(row["who"]), f"{amount} {row['unit']}"
            first, second = (w.format(name=name, q=quantity) for w in row["wordings"])
            texts[insight], phrases[insight], wordings[insight] = first, (name, quantity), (first, second)
            by_aspect[aspect] = (*by_aspect.get(aspect, ()), insight)
    return _Story(title, texts, phrases, wordings, by_aspect)


def _written(story: _Story, key: int, authors: Sequence[str], groups: Mapping[str, Sequence[str]]) -> list[_Document]:
    """Return a topic's documents, not yet numbered."""
    orders = {
        (slot, half): _shuffled(groups[slot], key_of(key, slot, half))
        for slot in ("month", "district")
        for half in (0, 1)
    }
    writers = _shuffled(
        [f"{a}\t{i}" for a in authors for i in range(DOCUMENTS // len(authors))], key_of(key, "authors")
    )
    documents = []
    for number in range(DOCUMENTS):
        half, group = divmod(number, GROUPS)
        kind = _KINDS[0] if half == 0 else _KINDS[1 + group % 2]
        draw = key_of(key, "document", number)
        held: list[str] = []
        for aspect in _shuffled(list(story.aspects), draw):
            left_out = integer(key_of(draw, aspect), Purpose.TASK, 0) % len(story.aspects[aspect])
            kept = [name for i, name in enumerate(story.aspects[aspect]) if i != left_out]
            held += kept if integer(key_of(draw, aspect), Purpose.TASK, 1) % 2 else kept[::-1]
        lines = [choose(story.wordings[name], key_of(draw, name), Purpose.TASK, 2) for name in held]
        documents.append(
            _Document(
                Held(0, tuple(held)),
                *(groups["outlet"][group], orders["month", half][group], orders["district", half][group]),
                *(kind, writers[number].partition("\t")[0], " ".join(lines)),
            )
        )
    return documents


def _numbered(stories: Sequence[_Story], made: Sequence[list[_Document]], key: int) -> list[tuple[_Story, _Document]]:
    """Return the documents of all topics of a haystack in one order, with their numbers."""
    both = [(story, document) for story, documents in zip(stories, made, strict=True) for document in documents]
    order = sorted(range(len(both)), key=lambda i: integer(key, Purpose.TASK, i))
    return [(both[i][0], both[i][1]._replace(held=Held(n + 1, both[i][1].held.insights))) for n, i in enumerate(order)]


def _shown(story: _Story, document: _Document) -> str:
    head = (
        f"[{document.held.index}] {document.kind} on the {story.title}; outlet: {document.outlet}; "
        f"month: {document.month}; district: {document.district}; by {document.author}"
    )
    return f"{head}\n{document.text}"


def _facts(documents: Sequence[_Document], author: str = _NO_AUTHOR) -> dict[tuple[str, Value], frozenset[int]]:
    """Return the numbers of the documents by slot and value."""
    found: dict[tuple[str, Value], set[int]] = {("exclusion", _NO_EXCLUSION): set(), ("author", author): set()}
    for document in documents:
        number = document.held.index
        for slot in ("outlet", "month", "district", "author"):
            found.setdefault((slot, getattr(document, slot)), set()).add(number)
        for value, kind in _LEFT_OUT.items():
            found.setdefault(("exclusion", value), set()).update([number] if document.kind == kind else [])
    return {pair: frozenset(numbers) for pair, numbers in found.items()}


@cache
def generate() -> tuple[StoryFrame, ...]:
    """Return the embedded topics, two a haystack, in a fixed order."""
    frames: list[StoryFrame] = []
    for theme in _data()["themes"]:
        for number in range(len(theme["stories"]) // 2):
            titles = theme["stories"][2 * number : 2 * number + 2]
            split = "test" if number == 2 else "train"
            frames += _haystack(theme["aspects"], titles, split, key_of("summary", "haystack", *titles))
    return tuple(frames)


def _haystack(aspects: Mapping[str, Any], titles: Sequence[str], split: str, key: int) -> list[StoryFrame]:
    """Return the frames of one haystack."""
    pools, names = _data()["pools"], _Names(key)
    groups = {slot: _shuffled(pools[slot], key_of(key, slot))[:GROUPS] for slot in ("outlet", "month", "district")}
    groups["month"].sort(key=pools["month"].index)
    authors = [names.person() for _ in range(3)]
    stories = [_story(title, aspects, names, key_of(key, title)) for title in titles]
    made = [_written(story, key_of(key, story.title), authors, groups) for story in stories]
    numbered = _numbered(stories, made, key)
    most = max(len(names) for names in stories[0].aspects.values())
    brief = "\n\n".join(("Documents", *(_shown(*pair) for pair in numbered), _HOW.format(most=most)))
    called = {story.title: f"summary on the {story.title}" for story in stories}
    domains = {
        "aspect": aspects,
        **groups,
        "exclusion": (_NO_EXCLUSION, *_LEFT_OUT),
        "author": (_NO_AUTHOR, *authors),
        "length": (FULL_LENGTH, *LIMITS),
    }
    neutral = {"exclusion": _NO_EXCLUSION, "author": _NO_AUTHOR, "length": FULL_LENGTH}
    frames = []
    for story in stories:
        own = [document for of, document in numbered if of is story]
        frames.append(
            StoryFrame(
                name=called[story.title],
                split=split,
                brief=brief,
                related=tuple(name for title, name in called.items() if title != story.title),
                domains=MappingProxyType({slot: tuple(sorted(values)) for slot, values in domains.items()}),
                neutral=MappingProxyType(neutral),
                texts=MappingProxyType(story.texts),
                phrases=MappingProxyType(story.phrases),
                aspects=MappingProxyType(story.aspects),
                most=most,
                held=tuple(document.held for document in own),
                facts=MappingProxyType(_facts(own)),
            )
        )
    return frames


def goals_of(frame: SummaryFrame) -> list[SummaryGoal]:
    """Return the tasks of an embedded topic: values drawn by key, no two tasks alike."""
    goals: list[SummaryGoal] = []
    seen: set[tuple[Value, ...]] = set()
    number = 0
    while len(goals) < GOALS_PER_TOPIC:
        key = key_of("summary", "goal", frame.name, number)
        number += 1
        asked = (
            choose(sorted(frame.neutral), key, Purpose.TASK, 101) if uniform(key, Purpose.TASK, 100) < _ASKED else ""
        )
        values: dict[str, Value] = {}
        for i, (slot, domain) in enumerate(frame.domains.items()):
            if slot not in frame.neutral or slot == asked:
                legal = [v for v in domain if v != frame.neutral.get(slot)]
                values[slot] = choose(legal, key, Purpose.TASK, i)
        told = (asked, *values.values())
        if told not in seen:
            seen.add(told)
            goals.append(SummaryGoal(f"{key:016x}", frame.name, MappingProxyType(values)))
    return goals
