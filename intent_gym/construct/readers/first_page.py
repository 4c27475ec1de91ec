"""A text as the first reader sees it: values, names of slots, sentences.

What can be said is taken from the host's public slots and domains, once a frame.
"""

from __future__ import annotations

import re
from bisect import insort
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from intent_gym.construct.readers import first_cues as cues
from intent_gym.core.intent import Intent, Slot, Value
from intent_gym.envs.host import Host

__all__ = ["FRAME", "Mention", "Page", "group_of", "plain", "vocabulary_of"]


def _covered(phrase: str, low: str) -> Iterator[int]:
    """Yield every place that a phrase covers in a text."""
    start = low.find(phrase)
    while start >= 0:
        yield from range(start, start + len(phrase))
        start = low.find(phrase, start + 1)


def plain(text: str) -> str:
    """Return lower-case text of the same length, without hyphens and typographic quotes."""
    low = text.lower()
    if len(low) != len(text):  # a letter whose lower case is two characters
        low = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    return low.translate(_SIMPLE)


_SIMPLE = str.maketrans({"‘": "'", "’": "'", "-": " ", "–": " ", "—": ","})


# -- what a host's people may say -------------------------------------------------------------------------------------
class _Lexicon:
    """Phrases by their first word, for finding the longest phrase at every place of a text; there may be one below."""

    def __init__(self, below: _Lexicon | None = None) -> None:
        self._meanings: dict[str, list[tuple[str, Value]]] = {}
        self._by_word: dict[str, list[tuple[int, str]]] = {}
        self._below = below

    def add(self, phrase: str, meaning: tuple[str, Value]) -> None:
        """Add a phrase with one of its meanings; the lexicon below stays as it is."""
        phrase = _squeezed(phrase)
        found = self._meanings.get(phrase)
        if found is not None:
            if meaning not in found:
                found.append(meaning)
            return
        entry = cues.ENTRY.search(phrase)
        if entry is None:
            return
        old = self.meanings(phrase)
        self._meanings[phrase] = [*old, meaning] if meaning not in old else list(old)
        bucket = self._by_word.setdefault(entry[0], [])
        insort(bucket, (entry.start(), phrase), key=lambda e: -len(e[1]))

    def meanings(self, phrase: str) -> Sequence[tuple[str, Value]]:
        """Return what a phrase can mean."""
        found = self._meanings.get(phrase)
        if found is None and self._below is not None:
            return self._below.meanings(phrase)
        return found or ()

    def find(self, low: str) -> Iterator[tuple[int, int, Sequence[tuple[str, Value]]]]:
        """Yield start, end and meanings of the longest phrases, left to right, without overlap."""
        past = 0
        for word in cues.ENTRY.finditer(low):
            best = self._longest(low, word, past)
            if best is not None:
                start, phrase = best
                end = start + len(phrase)
                end += _is_plural(low, start, end)
                yield start, end, self.meanings(phrase)
                past = end

    def _longest(self, low: str, word: re.Match[str], past: int) -> tuple[int, str] | None:
        """Return where the longest phrase with this first word begins, and the phrase."""
        lower = self._below._longest(low, word, past) if self._below is not None else None
        for offset, phrase in self._by_word.get(word[0], ()):
            if lower is not None and len(lower[1]) > len(phrase):
                break
            start = word.start() - offset
            if start >= past and low.startswith(phrase, start) and _whole(low, start, start + len(phrase)):
                return start, phrase
        return lower


@lru_cache(maxsize=1 << 15)
def _squeezed(phrase: str) -> str:
    return " ".join(plain(phrase).split())


def _is_plural(low: str, start: int, end: int) -> bool:
    """Return whether a stretch is followed by a plural's s; that of "brand as" is none."""
    return end - start > 4 and low[end - 2 : end].isalpha() and low.startswith("s", end)


def _whole(low: str, start: int, end: int) -> bool:
    """Return whether a stretch begins and ends with whole words and numbers."""
    end += _is_plural(low, start, end)
    if low[end - 1].isalnum() and end < len(low):
        after = low[end]
        if after.isalnum() or (after in ".," and low[end + 1 : end + 2].isdigit() and low[end - 1].isdigit()):
            return False
    before = low[start - 1] if start else " "
    return not (low[start].isalnum() and (before.isalnum() or (before == "." and low[max(0, start - 2)].isdigit())))


FRAME = "\0frame"


def group_of(slot: Slot) -> str:
    """Return what a value is said of: the slot, or all tags of the topic."""
    return f"\0{slot.topic}" if slot.kind == "tag" else slot.id


class _Shared:
    """What all frames of a host have in common: names, wordings, instruments, the names of frames."""

    def __init__(self, host: Host) -> None:
        self.values, self.names = _Lexicon(), _Lexicon()
        self.slots = {s.id: s for s in host.slots[1:]}
        self.groups: dict[str, list[Slot]] = {}
        self.numbers = [s for s in host.slots[1:] if s.kind == "number"]
        self.clauses: dict[str, list[tuple[str, str]]] = {}
        self.vague: list[tuple[str, Slot]] = []
        self.hints: dict[str, frozenset[str]] = {}
        for other in host.frames:
            self.values.add(other, (FRAME, other))
        for slot in host.slots[1:]:
            self._add_slot(host, slot)
        # "that counts as" is a form of one slot, though "counts" names another
        self.alien = [
            head
            for group, pairs in self.clauses.items()
            for head, _ in pairs
            if any(g != group for _, _, meanings in self.names.find(head) for g, _ in meanings)
        ]

    def _add_slot(self, host: Host, slot: Slot) -> None:
        group = group_of(slot)
        first = group not in self.groups
        self.groups.setdefault(group, []).append(slot)
        if not first:  # tags of one topic share words and domain
            return
        for name in (slot.word, *slot.synonyms):
            self.names.add(name, (group, ""))
        pairs = []
        for clause in slot.clauses:
            head, _, tail = plain(clause).partition("{value}")
            pairs.append((cues.ARTICLE.sub("", head), tail))
        self.clauses[group] = pairs
        self.vague += [(plain(v), slot) for v in slot.vague]
        spoken = " ".join((slot.word, *slot.synonyms, *slot.clauses, *slot.vague)).replace("{value}", " ")
        self.hints[group] = frozenset(w for w in re.findall(r"[a-z]{4,}", plain(spoken)) if w not in _DULL)
        if slot.kind == "instrument":  # one insisted on may be one that cannot do the job: the frame has it not
            for value in host.domain(slot.id):
                self.values.add(slot.say(value), (group, value))


class _Vocabulary:
    """All that is sayable about one frame of a host."""

    def __init__(self, host: Host, frame: str) -> None:
        shared = _shared_of(host)
        self.values, self.names = _Lexicon(shared.values), shared.names
        self.slots, self.groups, self.numbers = shared.slots, shared.groups, shared.numbers
        self.clauses, self.vague, self.hints, self.alien = shared.clauses, shared.vague, shared.hints, shared.alien
        for group, (slot, *_) in shared.groups.items():
            if slot.kind not in ("number", "instrument"):
                for value in host.domain(slot.id, frame):
                    self.values.add(slot.say(value), (group, value))
        self.senses: dict[str, list[tuple[str, Value]]] = {}
        for sense in host.senses(frame):
            pairs = self.senses.setdefault(sense.word, [])
            pairs += [(c.slot, c.value) for c in sense.conditions]
        self.sense_words = {
            word: re.compile(rf"(?<![a-z0-9']){re.escape(plain(word))}(?![a-z0-9])") for word in self.senses
        }
        self.companions = [plain(c) for c in host.companions(frame)]


_DULL = frozenset("with that this from some something nice good decent isn't have over made like".split())


@lru_cache(maxsize=16)
def _shared_of(host: Host) -> _Shared:
    """Return what is common to all frames of a host, built once."""
    return _Shared(host)


@lru_cache(maxsize=1024)
def vocabulary_of(host: Host, frame: str) -> _Vocabulary:
    """Return what is sayable about a frame, built once."""
    return _Vocabulary(host, frame)


# -- a text, looked through -------------------------------------------------------------------------------------------
@dataclass
class Mention:
    """A value that stands in the text."""

    start: int
    end: int
    group: str
    value: Value
    bound: bool
    """The words around it are those of its topic."""
    used: bool = False


@dataclass
class Page:
    """A text with what was found in it."""

    vocabulary: _Vocabulary
    intent: Intent
    text: str
    low: str = ""
    masked: str = ""
    """`low` with the values blanked."""
    mentions: list[Mention] = field(default_factory=list)
    names: list[tuple[int, int, str]] = field(default_factory=list)
    """Start, end and topic of words that name a slot."""
    sentences: list[tuple[int, int]] = field(default_factory=list)
    """The sentences that belong to the request."""
    held: set[tuple[int, int, str]] = field(default_factory=set)
    """Names that stand with a value, and so are not names of something left unsaid."""
    companions: list[tuple[int, int]] = field(default_factory=list)
    """Where other things are mentioned that may be asked for beside."""
    noise: bool = False
    true: dict[str, list[Value]] = field(default_factory=dict)
    """Wanted values by topic."""

    def __post_init__(self) -> None:
        """Find values, names and sentences."""
        self.low = plain(self.text)
        for c in self.intent.conditions:
            self.true.setdefault(group_of(self.vocabulary.slots[c.slot]), []).append(c.value)
        self._named = [(s, e, m) for s, e, m in self.vocabulary.names.find(self.low)]
        spans = [(s, e, list(m)) for s, e, m in self.vocabulary.values.find(self.low)]
        spans = [span for span in spans if not self._names_only(*span)]
        spans += self._numbers(spans)
        chars = list(self.low)
        for start, end, _ in spans:
            chars[start:end] = "\0" * (end - start)
        self.masked = "".join(chars)
        alien = {i for h in self.vocabulary.alien for i in _covered(h, self.low)}
        named = self.vocabulary.names.find(self.masked)
        self.names = [(s, e, g) for s, e, m in named if s not in alien for g, _ in m]
        words = (re.finditer(rf"\b{re.escape(c)}\b", self.low) for c in self.vocabulary.companions)
        self.companions = [found.span() for each in words for found in each]
        spans.sort(key=lambda s: s[0])
        for i, (start, end, meanings) in enumerate(spans):
            left = spans[i - 1][1] if i else 0
            right = spans[i + 1][0] if i + 1 < len(spans) else len(self.low)
            self._resolve(start, end, meanings, left, right)
        self.names = [n for n in self.names if n not in self.held]
        self._divide()

    def _names_only(self, start: int, end: int, meanings: Sequence[tuple[str, Value]]) -> bool:
        """Return whether a value's words are but a name or a part of one ("battery life", "the wool"), or a denial."""
        if any(group == FRAME or self._clause(group, start, end) for group, _ in meanings):
            return False
        within = [(s, e) for s, e, _ in self._named if s <= start and end <= e]
        return self.low[start:end] in cues.DENIAL or any(
            e - s > end - start or cues.THE.search(self.low, 0, start) for s, e in within
        )

    def _numbers(self, spans: Sequence[tuple[int, int, object]]) -> list[tuple[int, int, list[tuple[str, Value]]]]:
        """Return the numbers that are said with the unit of a slot, or in a form of the slot."""
        taken = {i for s, e, _ in spans for i in range(s, e)}
        found = []
        for number in re.finditer(r"\d+(?:,\d{3})*(?:\.\d+)?", self.low) if self.vocabulary.numbers else ():
            value = float(number[0].replace(",", ""))
            meanings: list[tuple[str, Value]] = []
            start, end = number.span()
            for slot in self.vocabulary.numbers:
                unit = slot.unit.lower()
                head = self.low[:start].rstrip()
                marked = bool(unit) and (head.endswith(unit) or re.match(r" ?(?:dollars|bucks|usd)\b", self.low[end:]))
                if marked and head.endswith(unit):
                    start = len(head) - len(unit)
                if marked or (not unit and self._clause(group_of(slot), start, end)):
                    meanings.append((group_of(slot), value))
            if meanings and start not in taken:
                found.append((start, end, meanings))
        return found

    def _clause(self, group: str, start: int, end: int) -> int:
        """Return the length of the longest form of a group that a value stands in, 0 if in none."""
        head = cues.ARTICLE.sub("", self.low[max(0, start - 60) : start])
        best = 0
        for before, after in self.vocabulary.clauses.get(group, ()):
            if len(before) + len(after) > best and head.endswith(before) and self.low.startswith(after, end):
                best = len(before) + len(after)
        return best

    def _resolve(self, start: int, end: int, meanings: Iterable[tuple[str, Value]], left: int, right: int) -> None:
        """Decide which slot a value is said of, and keep it unless it is too slight a thing to be one."""
        # "a gift box" may be the thing beside, although a size is called so
        beside = any(a <= start and end <= b for a, b in self.companions)
        best: tuple[int, Mention] | None = None
        held: list[tuple[int, int, str]] = []
        for group, value in meanings:
            near = [
                (s, e, g)
                for s, e, g in self.names
                if g == group
                and not beside
                and ((left <= s < e <= start < e + 20) or (end <= s < e <= right and s < end + 12))
                and not cues.STOP.search(self.low, min(e, end), max(s, start))
            ]
            form = self._clause(group, start, end)
            wanted = value in self.true.get(group, ()) if group != FRAME else value == self.intent.frame
            score = (10 + form if form else 0) + 6 * bool(near) + 4 * wanted + (group in self.true)
            mention = Mention(start, end, group, value, bool(form or near))
            if best is None or score > best[0]:
                best, held = (score, mention), near
        if best is None:
            return
        said = self.low[start:end]
        slight = said in cues.COMMON or len(said) < 3 or said.replace(".", "").isdigit()
        if best[1].bound or best[1].group == FRAME or not (slight or beside):
            self.mentions.append(best[1])
            self.held.update(held)

    # -- sentences -----------------------------------------------------------------------------------------------
    def _divide(self) -> None:
        """Split into sentences, and part the request from what comes before it."""
        inside = {i for m in self.mentions for i in range(m.start, m.end)}
        marks = [m for m in cues.END.finditer(self.text) if m.start() not in inside]
        edges = [0, *(m.end() for m in marks), len(self.text)]
        begun = False
        for start, end in pairwise(edges):
            words = self.low[start:end]
            filler = cues.FILLER.match(words) is not None and not self.inside(start, end)
            if not begun and not filler:
                begun = self._about(start, end) or bool(self.asks(start, end) or cues.LEAD.search(words))
                self.noise = self.noise or (not begun and len(words.split()) > 2)
            if begun and not filler:
                self.sentences.append((start, end))

    def _about(self, start: int, end: int) -> bool:
        """Return whether a sentence speaks of what is wanted."""
        for m in self.inside(start, end):
            if m.group == FRAME:
                if m.value == self.intent.frame:
                    return True
            elif m.value in self.true.get(m.group, ()) or (m.bound and m.group in self.true):
                return True
        named = any(start <= s < end and t in self.true for s, _, t in self.names)
        return named and cues.IMPOSSIBLE.search(self.masked, start, end) is not None

    def inside(self, start: int, end: int) -> list[Mention]:
        """Return the values that stand in a stretch of the text."""
        return [m for m in self.mentions if start <= m.start < end]

    def with_echo(self, end: int) -> int:
        """Return the end of a sentence, with a few words of emphasis that follow ("No exceptions.")."""
        for s, e in self.sentences:
            if s == end and not self.inside(s, e) and len(self.low[s:e].split()) <= 4:
                return e
        return end

    def asks(self, start: int, end: int) -> bool:
        """Return whether a sentence asks or wishes."""
        words = self.masked[start:end]
        if cues.ASK.search(words) or cues.COMMAND.search(words):
            return True
        wanted = any(m.group == FRAME for m in self.inside(start, end))
        if wanted and (words.rstrip().endswith("?") or not cues.VERB.search(words)):
            # a question about the thing, or just the thing ("One green tea with oat milk.")
            return (
                words.rstrip().endswith("?") or re.match(r"(?:just |only )?(?:an?|one|some|\0)[ \0]", words) is not None
            )
        return False
