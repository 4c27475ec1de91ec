"""Tagging for the second reader: a lexicon of a host and a frame, and one pass over a text from left to right.

A tag is a letter of its kind and the number of its mark: "i want a f0 with v1 in my usual t2". No word of a text can
look like a tag, because the tokens of a text part letters from digits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from intent_gym.construct.readers.second_cues import NICE, USUAL
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


@lru_cache(maxsize=1 << 15)
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


class _Phrases:
    """Phrases by their words, and by their first word, the longest first; there may be a layer below."""

    def __init__(self, below: _Phrases | None = None) -> None:
        self.found: dict[tuple[str, ...], Entry] = {}
        self.by_first: dict[str, list[tuple[tuple[str, ...], Entry]]] = {}
        self._below = below

    def entry(self, words: tuple[str, ...]) -> Entry | None:
        """Return the entry of a phrase in any layer."""
        found = self.found.get(words)
        return self._below.entry(words) if found is None and self._below is not None else found

    def add(self, kind: str, words: tuple[str, ...], group: str = "", value: tuple[str, Value] | None = None) -> Entry:
        """Add to what a phrase can be; the layer below stays as it is."""
        if not words:
            return Entry()
        entry = self.found.get(words)
        if entry is None:
            old = self._below.entry(words) if self._below is not None else None
            entry = self.found[words] = Entry() if old is None else replace(old)
        if _RANK.index(kind) < _RANK.index(entry.kind):
            entry.kind = kind
        if group and group not in entry.groups:
            entry.groups = (*entry.groups, group)
        if value is not None and value not in entry.values:
            entry.values = (*entry.values, value)
        return entry

    def sort(self) -> None:
        """Index the phrases; done once all are there."""
        for words, entry in sorted(self.found.items(), key=lambda item: -len(item[0])):
            self.by_first.setdefault(words[0], []).append((words, entry))

    def match(self, words: Sequence[str], i: int) -> tuple[Entry, int] | None:
        """Return the longest phrase at a place and its length, of the upper layer where both have it."""
        lower = self._below.match(words, i) if self._below is not None else None
        for phrase, entry in self.by_first.get(words[i], ()):
            if tuple(words[i : i + len(phrase)]) == phrase:
                return lower if lower is not None and lower[1] > len(phrase) else (entry, len(phrase))
        return lower


class _Common:
    """What all lexicons of a host share: the names and wordings of slots, instruments, the names of frames."""

    def __init__(self, host: Host) -> None:
        self.phrases = _Phrases()
        self.units: dict[str, tuple[str, ...]] = {}
        self.clauses: dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]] = {}
        self.kinds = {group_of(s): s.kind for s in host.slots}
        self.slots: list[Slot] = []
        """One a group, those whose values depend on the frame."""
        firsts: dict[str, Slot] = {}
        for slot in host.slots[1:]:
            firsts.setdefault(group_of(slot), slot)
        for slot in firsts.values():
            self._add_slot(host, slot)
        self.phrases.sort()
        self.weak = list(self._weak(host))
        self.frames: dict[str, set[tuple[str, ...]]] = {}
        self.sizes: dict[str, list[int]] = {}
        for frame in host.frames:
            for words in _numbers(_words(frame)):
                self.frames.setdefault(words[0], set()).add(words)
        for first, phrases in self.frames.items():
            self.sizes[first] = sorted({len(words) for words in phrases}, reverse=True)

    def _add_slot(self, host: Host, slot: Slot) -> None:
        group = group_of(slot)
        if slot.unit:
            self.units[slot.unit] = (*self.units.get(slot.unit, ()), group)
        elif slot.kind == "instrument":  # one insisted on may be one that cannot do the job: the frame has it not
            for value in host.domain(slot.id):
                self.phrases.add("v", _words(slot.say(value)), value=(group, value))
        else:
            self.slots.append(slot)
        for word in (slot.word, *slot.synonyms):
            # "affordable" is a word for the budget, and at once a subjective one
            self.phrases.add("g" if re.fullmatch(NICE, word) else "t", _words(word), group)
        for phrase in slot.vague:
            self.phrases.add("g", _words(phrase), group)
        pairs = (clause.partition("{value}") for clause in slot.clauses)
        self.clauses[group] = [(_words(before), _words(after)) for before, _, after in pairs]

    @staticmethod
    def _weak(host: Host) -> Iterator[tuple[str, str]]:
        """Yield content words that only one group's wordings use: they hint at it where no type word stands."""
        users: dict[str, set[str]] = {}
        for slot in host.slots[1:]:
            for phrase in (*slot.clauses, *slot.vague):
                for word in _words(phrase.replace("{value}", " ")):
                    users.setdefault(word, set()).add(group_of(slot))
        for word, groups in users.items():
            common = word in _COMMON or re.fullmatch(f"{NICE}|{USUAL}", word)
            if len(groups) == 1 and len(word) > 3 and not common:
                yield word, next(iter(groups))

    def frame(self, words: Sequence[str], i: int) -> int:
        """Return the length of the longest name of a frame at a place, 0 for none."""
        phrases = self.frames.get(words[i], set())
        return next((n for n in self.sizes.get(words[i], ()) if tuple(words[i : i + n]) in phrases), 0)


class Lexicon:
    """The phrases of a host and a frame."""

    def __init__(self, host: Host, frame: str) -> None:
        """Gather the phrases."""
        self._common = common = _common_of(host)
        self.units, self.clauses, self.kinds = common.units, common.clauses, common.kinds
        self._phrases = _Phrases(common.phrases)
        add = self._phrases.add
        for phrase in _numbers(_words(frame)):
            add("f", phrase)
        for slot in common.slots:
            for value in host.domain(slot.id, frame):
                add("v", _words(slot.say(value)), value=(group_of(slot), value))
        for sense in host.senses(frame):
            add("s", _words(sense.word)).word = sense.word
        for companion in host.companions(frame):
            words = _words(companion)
            add("c", words)
            add("c", words[1:] if words[0] in ("a", "an", "the", "some") else words)
        for word, group in common.weak:
            if self._phrases.entry((word,)) is None:
                add("w", (word,), group)
        self._phrases.sort()

    def entry(self, words: tuple[str, ...]) -> Entry | None:
        """Return what a phrase can be."""
        return self._phrases.entry(words)

    def match(self, words: Sequence[str], i: int) -> tuple[Entry, int] | None:
        """Return the longest phrase at a place and its length; other frames' names are phrases that say nothing."""
        found, other = self._phrases.match(words, i), self._common.frame(words, i)
        return (Entry(), other) if other > (found[1] if found else 0) else found


_COMMON = frozenset(
    "with that this from into some something over among which have does doesn't will won't isn't makes made most more"
    " goes down everything everyone life hope could should what bank break work works costs under than"
    " much pack size".split()
)


@lru_cache(maxsize=16)
def _common_of(host: Host) -> _Common:
    """Return what the lexicons of a host share; made once."""
    return _Common(host)


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
            if kind == "v" and not _is_form(lexicon, words, i, size, values):
                if phrase in _SLIGHT and not _beside_word(lexicon, words, i, size, values):
                    sentences[-1].append(Place(*tokens[i]))
                    i += 1
                    continue
                if entry.groups and words[i - 1 : i] and words[i - 1] in _DEFINITE:
                    kind, values = "t", ()  # "merino as the wool": wool is a material, and here the name of a slot
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
    found = lexicon.match(words, i)
    if found is not None:
        return *found, found[0].values
    if words[i] in lexicon.units and i + 1 < len(words) and words[i + 1][0].isdigit():
        return Entry("v"), 2, tuple((g, _number(words[i + 1])) for g in lexicon.units[words[i]])
    if "$" in lexicon.units and words[i][0].isdigit() and words[i + 1 : i + 2] in (["dollars"], ["bucks"], ["usd"]):
        return Entry("v"), 2, tuple((g, _number(words[i])) for g in lexicon.units["$"])
    return None, 0, ()


_SLIGHT = frozenset("no yes none any all on off in out up down one two three".split())
"""Values that are values only beside words of their slot."""
_DEFINITE = frozenset("the my our your that this usual same".split())


def _beside_word(
    lexicon: Lexicon, words: Sequence[str], i: int, size: int, values: Sequence[tuple[str, Value]]
) -> bool:
    """Return whether the name of one of a phrase's slots stands next to it."""
    beside = (lexicon.entry((w,)) for w in (*words[max(0, i - 1) : i], *words[i + size : i + size + 1]))
    return any(e is not None and group in e.groups for e in beside for group, _ in values)


def _is_form(lexicon: Lexicon, words: Sequence[str], i: int, size: int, values: Sequence[tuple[str, Value]]) -> bool:
    """Return whether a phrase stands in a form of one of its slots."""
    before = tuple("a" if w == "an" else w for w in words[max(0, i - 6) : i])
    after = tuple(words[i + size : i + size + 6])
    return any(
        before[len(before) - len(head) :] == head and after[: len(tail)] == tail
        for group, _ in values
        for head, tail in lexicon.clauses.get(group, ())
    )


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
        beside = (lexicon.entry((w,)) for w in (*before[-1:], *after[:1]))
        if any(e is not None and pair[0] in e.groups for e in beside):
            fit += 2
        if fit > best:
            best, kept = fit, (pair,)
        elif fit == best and best:
            kept = (*kept, pair)
    return kept
