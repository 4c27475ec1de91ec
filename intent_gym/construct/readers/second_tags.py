"""Tagging for the second reader: a lexicon of a host and a frame, and one pass over a text from left to right.

A tag is a letter of its kind and the number of its mark: "i want a f0 with v1 in my usual t2". No word of a text can
look like a tag, because the tokens of a text part letters from digits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from intent_gym.construct.readers.second_cues import NICE
from intent_gym.core.intent import Slot, Value
from intent_gym.envs.host import Host

__all__ = ["Lexicon", "Mark", "Place", "group_of", "lexicon_of", "tag"]

_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)*|[^\w\s]|_")
_RANK = "fvsgctwo"
"""Kinds of tags, the stronger first where one phrase has several: the frame, a value, an ambiguous word, a subjective
phrase, a companion, a type word, a weak type word (it hints at one slot only), another frame."""


# -- tags --------------------------------------------------------------------------------------------------------------
@dataclass(slots=True)
class Entry:
    """What a phrase of the lexicon can be.

    Attributes:
        kind: The strongest of `_RANK`.
        groups: Groups of slots that it is a type word of, or a subjective phrase for.
        values: (group, value) that it can assert.
        word: The ambiguous word that it is, or "".
    """

    kind: str = "o"
    groups: tuple[str, ...] = ()
    values: tuple[tuple[str, Value], ...] = ()
    word: str = ""


class Mark(NamedTuple):
    """A phrase found in a text, with its place in it."""

    entry: Entry
    values: tuple[tuple[str, Value], ...]
    start: int
    end: int


class _Token(NamedTuple):
    text: str
    start: int
    end: int


class Place(NamedTuple):
    """A token of a sentence: a word or a tag, with its place in the text."""

    text: str
    start: int
    end: int


def _tokens(text: str) -> list[_Token]:
    """Return the words, numbers and signs of a text; a hyphen inside a word falls away."""
    found = []
    for m in _TOKEN.finditer(text):
        word = m[0].lower().replace("’", "'")
        if word in "-–—":
            if text[m.start() - 1 : m.start()].strip() and text[m.end() : m.end() + 1].strip() and word == "-":
                continue
            word = ","
        found.append(_Token(word, m.start(), m.end()))
    return found


def _words(text: str) -> tuple[str, ...]:
    return tuple(t.text for t in _tokens(text))


def group_of(slot: Slot) -> str:
    """Return what a mention can be told apart by: tags of a topic are one group, other slots are their own."""
    return f"#{slot.topic}" if slot.kind == "tag" else slot.id


def _numbers(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield a noun phrase and its other grammatical number."""
    yield words
    *head, last = words
    if last.endswith("ies"):
        yield (*head, last[:-3] + "y")
    elif last.endswith(("ches", "shes", "sses", "xes")):
        yield (*head, last[:-2])
    if last.endswith("s") and not last.endswith("ss"):
        yield (*head, last[:-1])
    elif last.endswith("y") and last[-2:-1] not in "aeiou":
        yield (*head, last[:-1] + "ies")
    else:
        yield (*head, last + ("es" if last.endswith(("ch", "sh", "s", "x")) else "s"))


class Lexicon:
    """The phrases of a host and a frame, by their first word, the longest first."""

    def __init__(self, host: Host, frame: str) -> None:
        """Gather the phrases."""
        self._found: dict[tuple[str, ...], Entry] = {}
        self.units: dict[str, tuple[str, ...]] = {}
        self.clauses: dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]] = {}
        self.kinds = {group_of(s): s.kind for s in host.slots}
        for phrase in _numbers(_words(frame)):
            self._add("f", phrase)
        seen: set[str] = set()
        for slot in host.slots[1:]:
            if group_of(slot) not in seen:
                seen.add(group_of(slot))
                self._add_slot(host, frame, slot)
        for sense in host.senses(frame):
            self._add("s", _words(sense.word)).word = sense.word
        for companion in host.companions(frame):
            words = _words(companion)
            self._add("c", words)
            self._add("c", words[1:] if words[0] in ("a", "an", "the", "some") else words)
        self._add_weak(host)
        self.by_first: dict[str, list[tuple[tuple[str, ...], Entry]]] = {}
        for words, entry in sorted(self._found.items(), key=lambda item: -len(item[0])):
            self.by_first.setdefault(words[0], []).append((words, entry))
        for first, more in _frames(host).items():
            own = {words for words, _ in self.by_first.get(first, ())}
            new = [(words, Entry()) for words in more if words not in own]
            if new:
                merged = [*self.by_first.get(first, ()), *new]
                self.by_first[first] = sorted(merged, key=lambda item: -len(item[0]))

    def _add(self, kind: str, words: tuple[str, ...], group: str = "", value: tuple[str, Value] | None = None) -> Entry:
        if not words:
            return Entry()
        entry = self._found.setdefault(words, Entry())
        if _RANK.index(kind) < _RANK.index(entry.kind):
            entry.kind = kind
        if group and group not in entry.groups:
            entry.groups = (*entry.groups, group)
        if value is not None and value not in entry.values:
            entry.values = (*entry.values, value)
        return entry

    def _add_slot(self, host: Host, frame: str, slot: Slot) -> None:
        group = group_of(slot)
        if slot.unit:
            self.units[slot.unit] = (*self.units.get(slot.unit, ()), group)
        else:
            for value in host.domain(slot.id, None if slot.kind == "instrument" else frame):
                self._add("v", _words(slot.say(value)), value=(group, value))
        for word in (slot.word, *slot.synonyms):
            # "affordable" is a word for the budget, and at once a subjective one
            self._add("g" if re.fullmatch(NICE, word) else "t", _words(word), group)
        for phrase in slot.vague:
            self._add("g", _words(phrase), group)
        pairs = (clause.partition("{value}") for clause in slot.clauses)
        self.clauses[group] = [(_words(before), _words(after)) for before, _, after in pairs]

    def _add_weak(self, host: Host) -> None:
        """Add content words that only one group's wordings use: they hint at it where no type word stands."""
        users: dict[str, set[str]] = {}
        for slot in host.slots[1:]:
            for phrase in (*slot.clauses, *slot.vague):
                for word in _words(phrase.replace("{value}", " ")):
                    users.setdefault(word, set()).add(group_of(slot))
        for word, groups in users.items():
            common = word in _COMMON or re.fullmatch(NICE, word)
            if len(groups) == 1 and len(word) > 3 and not common and (word,) not in self._found:
                self._add("w", (word,), next(iter(groups)))


_COMMON = frozenset(
    "with that this from into some something over among which have does doesn't will won't isn't makes made most more"
    " goes down everything everyone life hope could should what bank break work works costs under than"
    " much pack size".split()
)


@lru_cache(maxsize=16)
def _frames(host: Host) -> dict[str, list[tuple[str, ...]]]:
    """Return the phrases of all frames by first word: they keep a part of them from being read as something else."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for frame in host.frames:
        for words in _numbers(_words(frame)):
            found.setdefault(words[0], []).append(words)
    return found


@lru_cache(maxsize=512)
def lexicon_of(host: Host, frame: str) -> Lexicon:
    """Return the lexicon of a host and a frame; made once."""
    return Lexicon(host, frame)


def tag(lexicon: Lexicon, text: str) -> tuple[list[Mark], list[list[Place]]]:
    """Tag a text from left to right and cut it into sentences of words and tags."""
    tokens = _tokens(text)
    words = [t.text for t in tokens]
    marks: list[Mark] = []
    sentences: list[list[Place]] = [[]]
    framed: set[str] = set()
    i = 0
    while i < len(tokens):
        if i and "\n" in text[tokens[i - 1].end : tokens[i].start]:
            sentences.append([])
        entry, size, values = _match(lexicon, words, i)
        if entry is not None:
            kind, phrase = entry.kind, " ".join(words[i : i + size])
            if kind == "f" and entry.values and phrase in framed:
                kind = "v"  # the frame's name is a value as well: the second time it is that
            framed.add(phrase)
            start, end = tokens[i].start, tokens[i + size - 1].end
            if len(values) > 1:
                values = _narrow(lexicon, words, i, size, values)
            sentences[-1].append(Place(f"{kind}{len(marks)}", start, end))
            marks.append(Mark(entry, values, start, end))
            i += size
            continue
        if words[i] in (".", "!", "?", "…"):
            sentences.append([])
        elif words[i] not in ('"', "(", ")", "“", "”", "'", "*"):
            sentences[-1].append(Place(*tokens[i]))
        i += 1
    return marks, [s for s in sentences if s]


def _match(lexicon: Lexicon, words: Sequence[str], i: int) -> tuple[Entry | None, int, tuple[tuple[str, Value], ...]]:
    """Return the longest phrase at a place, its length, and what it can assert."""
    for phrase, entry in lexicon.by_first.get(words[i], ()):
        if tuple(words[i : i + len(phrase)]) == phrase:
            return entry, len(phrase), entry.values
    if words[i] in lexicon.units and i + 1 < len(words) and words[i + 1][0].isdigit():
        return Entry("v"), 2, tuple((g, _number(words[i + 1])) for g in lexicon.units[words[i]])
    if "$" in lexicon.units and words[i][0].isdigit() and words[i + 1 : i + 2] in (["dollars"], ["bucks"], ["usd"]):
        return Entry("v"), 2, tuple((g, _number(words[i])) for g in lexicon.units["$"])
    return None, 0, ()


def _number(word: str) -> float:
    try:
        return float(word.replace(",", ""))
    except ValueError:  # "1.2.3", or a digit of another script
        return -1.0


def _narrow(
    lexicon: Lexicon, words: Sequence[str], i: int, size: int, values: tuple[tuple[str, Value], ...]
) -> tuple[tuple[str, Value], ...]:
    """Keep, of the slots that a phrase can be a value of, those that the words around it speak of, if any do."""
    before = tuple("a" if w == "an" else w for w in words[max(0, i - 6) : i])
    after = tuple(words[i + size : i + size + 6])
    best, kept = 0, values
    for pair in values:
        fit = 0
        for head, tail in lexicon.clauses.get(pair[0], ()):
            if before[len(before) - len(head) :] == head and after[: len(tail)] == tail:
                fit = max(fit, len(head) + len(tail))
        if any(
            pair[0] in e.groups for w in (*before[-1:], *after[:1]) for p, e in lexicon.by_first.get(w, ()) if p == (w,)
        ):
            fit += 2
        if fit > best:
            best, kept = fit, (pair,)
        elif fit == best and best:
            kept = (*kept, pair)
    return kept
