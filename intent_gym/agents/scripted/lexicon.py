"""A host's public words, indexed: which values, slots and senses a text mentions.

Only vocabulary is used: the type words and synonyms of slots, the values of their domains, units, the host's words of
two senses. No sentence form is known here, so free text reads as well as a template.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from intent_gym.core.intent import Condition, Slot, Value
from intent_gym.envs.host import Host, Sense

__all__ = ["Lexicon", "Mention", "Token", "lexicon", "tokens"]

_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+|[$€£]")
_STOP = re.compile(r"[.!?;:](?=\s|$)|\n")
_CLAUSE = re.compile(r"[,.!?;:](?=\s|$)|\n|\s(?:-|–|—)\s|\b(?:and|but|so|while|because|since|though)\b", re.IGNORECASE)
_CURRENCY = {"$": ("$", "dollars", "dollar", "bucks", "usd"), "€": ("€", "euros", "euro"), "£": ("£", "pounds", "quid")}


@dataclass(frozen=True, slots=True)
class Token:
    """A word or number of a text.

    Attributes:
        text: Lower case, without a plural ending.
        start: Offset of its first character.
        end: Offset behind its last.
        sentence: Number of the sentence it stands in.
        clause: Number of the clause it stands in.
    """

    text: str
    start: int
    end: int
    sentence: int
    clause: int


@dataclass(frozen=True, slots=True)
class Mention:
    """A stretch of a text that names something.

    Attributes:
        first: Index of its first token.
        last: Index of the token behind its last.
        readings: Conditions it can stand for; () for a mention of a topic.
        topics: Topics it can stand for.
    """

    first: int
    last: int
    readings: tuple[Condition, ...]
    topics: tuple[str, ...]


def _stem(word: str) -> str:
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        if word.endswith("ies") and len(word) > 4:
            return word[:-3] + "y"
        if word.endswith(("ches", "shes", "xes", "sses", "zes")):
            return word[:-2]
        return word[:-1]
    return "color" if word == "colour" else word


def tokens(text: str) -> list[Token]:
    """Return the tokens of a text.

    >>> [t.text for t in tokens("Two lip balms, $30 each.")]
    ['two', 'lip', 'balm', '$', '30', 'each']
    """
    stops = [m.start() for m in _STOP.finditer(text)]
    breaks = [m.start() for m in _CLAUSE.finditer(text)]
    found: list[Token] = []
    sentence = clause = 0
    for match in _TOKEN.finditer(text):
        start = match.start()
        while sentence < len(stops) and stops[sentence] < start:
            sentence += 1
        while clause < len(breaks) and breaks[clause] < start:
            clause += 1
        found.append(Token(_stem(match[0].lower()), start, match.end(), sentence, clause))
    return found


def _key(text: str) -> tuple[str, ...]:
    return tuple(_stem(m[0].lower()) for m in _TOKEN.finditer(text))


class _Phrases:
    """Word sequences, each with what it may mean; found longest first and without overlap."""

    def __init__(self) -> None:
        self._by_key: dict[tuple[str, ...], list[Condition | str]] = {}
        self._lengths: dict[str, set[int]] = {}

    def add(self, text: str, meaning: Condition | str) -> None:
        key = _key(text)
        if key:
            meanings = self._by_key.setdefault(key, [])
            if meaning not in meanings:
                meanings.append(meaning)
            self._lengths.setdefault(key[0], set()).add(len(key))

    def find(self, words: Sequence[str], taken: list[bool]) -> Iterator[tuple[int, int, list[Condition | str]]]:
        """Yield (first, last, meanings); marks the tokens it takes."""
        spans: list[tuple[int, int, list[Condition | str]]] = []
        for i, word in enumerate(words):
            for length in self._lengths.get(word, ()):
                meanings = self._by_key.get(tuple(words[i : i + length]))
                if meanings:
                    spans.append((i, i + length, meanings))
        spans.sort(key=lambda s: (s[0] - s[1], s[0]))
        kept = []
        for first, last, meanings in spans:
            if not any(taken[first:last]):
                taken[first:last] = [True] * (last - first)
                kept.append((first, last, meanings))
        return iter(sorted(kept, key=lambda s: s[0]))


@lru_cache(maxsize=64)
def _common(host: Host) -> tuple[_Phrases, _Phrases]:
    """Return the frames of a host and the words for its topics."""
    frames, words = _Phrases(), _Phrases()
    for name in host.frames:
        frames.add(name, Condition(host.frame_slot.id, "=", name))
    for slot in host.slots:
        for word in (slot.word, *slot.synonyms):
            words.add(word, slot.topic)
    return frames, words


class Lexicon:
    """The words of one frame of a host, and those of all frames."""

    def __init__(self, host: Host, frame: str | None) -> None:
        """Index the values of a frame, of all frames where it is ""; only frames and type words where it is None."""
        self.host = host
        self.frame = frame
        self._values = _Phrases()
        self._frames, self._words = _common(host)
        self._senses = _Phrases()
        self._beside = _Phrases()
        self.topics = tuple(dict.fromkeys(s.topic for s in host.slots))
        self.numbers = tuple(s for s in host.slots if s.kind == "number")
        senses: tuple[Sense, ...] = host.senses(frame) if frame else ()
        self._sense_of: dict[str, Sense] = {s.word: s for s in senses}
        if frame is not None:
            self._index(frame)

    def _index(self, frame: str) -> None:
        seen: set[str] = set()
        for slot in self.host.slots[1:]:
            if slot.kind == "number" or (slot.kind == "tag" and slot.topic in seen):
                continue
            seen.add(slot.topic)
            # A person may insist on a means that cannot serve this frame at all.
            for value in self.host.domain(slot.id, None if slot.kind == "instrument" else frame or None):
                self._values.add(slot.say(value), Condition(slot.id, slot.op, value))
        for thing in self.host.companions(frame) if frame else ():
            self._beside.add(thing, thing)
        for word in self._sense_of:
            self._senses.add(word, word)

    def topics_of_frame(self) -> tuple[str, ...]:
        """Return the topics that mean something in this frame, the frame's own first."""
        assert self.frame is not None
        frame = self.frame
        found = [self.host.frame_slot.topic]
        for slot in self.host.slots[1:]:
            if slot.topic not in found and len(self.host.domain(slot.id, frame)):
                found.append(slot.topic)
        return tuple(found)

    def frames(self, text: Sequence[Token]) -> list[Mention]:
        """Return the frames that a text mentions."""
        return self._mentions(self._frames, text, [False] * len(text))

    def read(self, text: Sequence[Token], prefer: Iterable[str] = ()) -> tuple[list[Mention], list[Mention]]:
        """Return the values and the topics that a text mentions, each in order; a token counts once.

        Args:
            text: The tokens.
            prefer: Topics that a number without unit or type word may belong to.
        """
        taken = self._own_frame(text)
        values = self._mentions(self._values, text, taken)
        self._mentions(self._frames, text, taken)
        words = self._mentions(self._words, text, taken)
        values += self._numbers(text, taken, tuple(prefer), words)
        return sorted(values, key=lambda m: m.first), words

    def _own_frame(self, text: Sequence[Token]) -> list[bool]:
        """Return which tokens name the frame itself, where no value in it is as long: "ann_lee_1" is no Ann Lee."""
        taken = [False] * len(text)
        values = self._mentions(self._values, text, [False] * len(text))
        for mention in self.frames(text):
            longest = max(
                (v.last - v.first for v in values if v.first < mention.last and mention.first < v.last), default=0
            )
            if longest < mention.last - mention.first and any(c.value == self.frame for c in mention.readings):
                taken[mention.first : mention.last] = [True] * (mention.last - mention.first)
        return taken

    def beside(self, text: Sequence[Token]) -> list[Mention]:
        """Return the things beside the one wanted that a text mentions."""
        return self._mentions(self._beside, text, [False] * len(text))

    def senses(self, text: Sequence[Token]) -> list[tuple[Mention, Sense]]:
        """Return the words of two senses that a text uses outside of its values and frames."""
        taken = [False] * len(text)
        self._mentions(self._values, text, taken)
        self._mentions(self._frames, text, taken)
        words = [t.text for t in text]
        return [
            (Mention(first, last, (), ()), self._sense_of[str(meanings[0])])
            for first, last, meanings in self._senses.find(words, taken)
        ]

    def vague(self, text: str) -> list[tuple[int, str]]:
        """Return (offset, topic) of the subjective wordings that a text uses in place of a value."""
        low = text.lower()
        return [
            (low.find(wording.lower()), slot.topic)
            for slot in self.host.slots
            for wording in slot.vague
            if wording.lower() in low
        ]

    @staticmethod
    def _mentions(phrases: _Phrases, text: Sequence[Token], taken: list[bool]) -> list[Mention]:
        words = [t.text for t in text]
        found = []
        for first, last, meanings in phrases.find(words, taken):
            readings = tuple(m for m in meanings if isinstance(m, Condition))
            found.append(Mention(first, last, readings, tuple(m for m in meanings if isinstance(m, str))))
        return found

    def _numbers(
        self, text: Sequence[Token], taken: list[bool], prefer: tuple[str, ...], words: Sequence[Mention]
    ) -> list[Mention]:
        """Return the numbers that stand beside their unit; of slots without one, in a clause that names them."""
        found = []
        named: dict[int, set[str]] = {}
        for mention in words:
            named.setdefault(text[mention.first].clause, set()).update(mention.topics)
        for i, token in enumerate(text):
            if taken[i] or not token.text[0].isdigit():
                continue
            before = text[i - 1].text if i else ""
            after = text[i + 1].text if i + 1 < len(text) else ""
            readings = tuple(
                Condition(slot.id, slot.op, _number(token.text))
                for slot in self.numbers
                if self._has_unit(slot, before, after)
                or slot.topic in prefer
                or (not slot.unit and slot.topic in named.get(token.clause, ()))
            )
            if readings:
                taken[i] = True
                found.append(Mention(i, i + 1, readings, ()))
        return found

    @staticmethod
    def _has_unit(slot: Slot, before: str, after: str) -> bool:
        if not slot.unit:
            return False
        words = {_stem(w) for w in _CURRENCY.get(slot.unit, (slot.unit.lower(),))}
        return before in words or after in words


def _number(text: str) -> Value:
    return float(text.replace(",", "") if re.fullmatch(r"\d{1,3}(,\d{3})+(\.\d+)?", text) else text.replace(",", "."))


@lru_cache(maxsize=1024)
def lexicon(host: Host, frame: str | None) -> Lexicon:
    """Return the lexicon of a frame, built once a process."""
    return Lexicon(host, frame)
