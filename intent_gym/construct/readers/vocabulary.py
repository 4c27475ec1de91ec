"""Which values and which slots' words a text holds: the vocabulary of one frame of a host, for readers.

A text is cut into words: letters and digits, whole numbers with their decimals, every other mark for itself. Values are
found as sequences of words, so "2" is not found in "2.5", nor "navy" where "navy blue" is meant (the longest counts).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from intent_gym.core.intent import Condition, Slot, Value
from intent_gym.envs.host import Host

__all__ = ["Match", "Vocabulary", "Word", "split_words", "vocabulary"]

_WORD = re.compile(r"(?<!\w)-\d+(?:[.,]\d+)*\w*|\d+(?:[.,]\d+)*\w*|\w+(?:'\w+)?|[^\w\s]")
_STOPS = frozenset(".!?")
_QUOTES = frozenset("\"'`\u201c\u201d\u2018")
_SMALL = frozenset("a an and as at by for from i in is it my no not of on or that the to".split())
_LOOK = 5
"""Words of an operator ("at most") that may stand between a colon and the value."""


class Word(NamedTuple):
    """A word, number or mark of a text: as written, in lower case, and whether white space or the end follows."""

    text: str
    folded: str
    ends: bool


class Match(NamedTuple):
    """A value of a slot in a text: index of its first word, index behind its last, whether the case agrees too."""

    first: int
    last: int
    value: Value
    exact: bool


def split_words(text: str) -> list[Word]:
    """Return the words of a text.

    >>> [w.text for w in split_words("Use 2.5 cups, not #W12 or -3.")]
    ['Use', '2.5', 'cups', ',', 'not', '#', 'W12', 'or', '-3', '.']
    """
    text = text.replace("\u2019", "'")
    return [Word(m[0], m[0].casefold(), m.end() == len(text) or text[m.end()].isspace()) for m in _WORD.finditer(text)]


class _Phrases:
    """Sequences of words, each with what it stands for."""

    def __init__(self) -> None:
        self._meanings: dict[tuple[str, ...], list[tuple[str, Value, str]]] = {}
        self._lengths: dict[str, set[int]] = {}

    def add(self, text: str, slot: str, value: Value) -> None:
        key = tuple(w.folded for w in split_words(text))
        if key:
            self._meanings.setdefault(key, []).append((slot, value, " ".join(w.text for w in split_words(text))))
            self._lengths.setdefault(key[0], set()).add(len(key))

    def find(self, words: Sequence[Word]) -> Iterator[tuple[int, int, list[tuple[str, Value, str]]]]:
        """Yield (first, last, meanings) of every phrase in a text, overlaps included."""
        folded = tuple(w.folded for w in words)
        for first, word in enumerate(folded):
            for length in sorted(self._lengths.get(word, ())):
                meanings = self._meanings.get(folded[first : first + length])
                if meanings is not None and first + length <= len(folded):
                    yield first, first + length, meanings


class Vocabulary:
    """The words of one frame.

    Attributes:
        slots: The slots that the frame has, the frame's own left out; of tags the first of each topic.
    """

    def __init__(self, host: Host, frame: str) -> None:
        """Index the values of a frame and the words of its slots."""
        self.slots: dict[str, Slot] = {}
        self._values, self._words = _Phrases(), _Phrases()
        self._beside: dict[str, tuple[str, ...]] = {}
        topics: set[str] = set()
        for slot in host.slots[1:]:
            if slot.kind == "tag" and slot.topic in topics:
                continue
            values = host.domain(slot.id, frame)
            if not len(values):
                continue
            topics.add(slot.topic)
            self.slots[slot.id] = slot
            shared = slot.kind == "tag"
            self._beside[slot.id] = tuple(s.id for s in host.slot_table.by_topic[slot.topic]) if shared else (slot.id,)
            self._words.add(slot.word, slot.id, slot.word)
            for value in values:
                self._values.add(slot.say(value), slot.id, value)

    def values_in(self, words: Sequence[Word]) -> Mapping[str, list[Match]]:
        """Return the values that a text holds, by slot; overlaps included.

        A value that is an everyday small word ("a", "no") counts only between quotation marks.
        """
        found: dict[str, list[Match]] = {}
        for first, last, meanings in self._values.find(words):
            written = " ".join(w.text for w in words[first:last])
            if written.casefold() in _SMALL and not _quoted(words, first, last):
                continue
            for slot, value, spelling in meanings:
                found.setdefault(slot, []).append(Match(first, last, value, spelling == written))
        return found

    def slots_in(self, words: Sequence[Word]) -> Mapping[str, tuple[tuple[int, int], ...]]:
        """Return where the words of the slots stand; a word inside a longer one ("order" in "second order") is none."""
        spans = sorted(self._words.find(words), key=lambda s: (s[0] - s[1], s[0]))
        found: dict[str, list[tuple[int, int]]] = {}
        taken: list[tuple[int, int]] = []
        for first, last, meanings in spans:
            if any(a <= first and last <= b and (a, b) != (first, last) for a, b in taken):
                continue
            taken.append((first, last))
            for slot, _, _ in meanings:
                found.setdefault(slot, []).append((first, last))
        return {slot: tuple(sorted(places)) for slot, places in found.items()}

    def carries(self, slot: str, value: Value) -> bool:
        """Return whether a value holds the word of its slot, so that it names the slot ("oat milk")."""
        word = split_words(self.slots[slot].word)[-1].folded
        return len(word) > 1 and any(w.folded == word for w in split_words(str(value)))

    def sentences(self, words: Sequence[Word]) -> Iterator[Sequence[Word]]:
        """Yield the sentences of a text; a stop inside a value ends none."""
        inside = {i for first, last, _ in self._values.find(words) for i in range(first, last - 1)}
        start = 0
        for i, word in enumerate(words):
            if word.text in _STOPS and word.ends and i not in inside:
                yield words[start:i]
                start = i + 1
        if start < len(words):
            yield words[start:]

    def listed(self, words: Sequence[Word]) -> tuple[Condition, ...]:
        """Return the conditions of a list of "word: value" parts."""
        named = {last: slot for slot, spans in self.slots_in(words).items() for _, last in spans}
        values = self.values_in(words)
        found: list[Condition] = []
        place = 0
        for last, slot_id in sorted(named.items()):
            if last < place or last >= len(words) or words[last].text != ":":
                continue
            near = [m for m in values.get(slot_id, ()) if last < m.first <= last + _LOOK]
            near = [m for m in near if m.last >= len(words) or words[m.last].text in (";", ".")] or near
            free = [s for s in self._beside[slot_id] if all(c.slot != s for c in found)]
            if near and free:
                match = min(near, key=lambda m: (m.first, -m.last, not m.exact))
                found.append(Condition(free[0], self.slots[slot_id].op, match.value))
                place = match.last
        return tuple(found)


def _quoted(words: Sequence[Word], first: int, last: int) -> bool:
    return 0 < first and last < len(words) and words[first - 1].text in _QUOTES and words[last].text in _QUOTES


@lru_cache(maxsize=512)
def vocabulary(host: Host, frame: str) -> Vocabulary:
    """Return the vocabulary of a frame, built once a process."""
    return Vocabulary(host, frame)
