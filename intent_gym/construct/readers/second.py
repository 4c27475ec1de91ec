"""The second reader: tags a text in one pass, parses the tags by sentence and clause, compares at the very end.

It works bottom up. A lexicon of the host and the frame (values, type words, ambiguous words, companions) tags the
text from left to right, the longest match first (`second_tags`). Every sentence becomes a string in which each tag is
one token, so that cues are plain patterns over it (`second_cues`). The parse gives a `_Reading`, what the text says,
without a look at the true intent; `_Comparison` then names the differences.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from intent_gym.construct.readers.second_cues import (
    AFTER,
    ATTACHED,
    BARE,
    CLAUSE,
    DEICTIC,
    DENIED,
    FINITE,
    IMPOSSIBLE,
    INSIST,
    LINKED,
    OWNED,
    POLITE,
    PREAMBLE,
    SETTLE,
    SO_SETTLE,
    VAGUE,
    WISH,
)
from intent_gym.construct.readers.second_tags import Lexicon, group_of, lexicon_of, tag
from intent_gym.core.faults import Edit
from intent_gym.core.intent import Condition, Intent, Value
from intent_gym.envs.host import Host

__all__ = ["SecondReader"]


# -- parsing -----------------------------------------------------------------------------------------------------------
_LONGEST = 4000
"""Characters of a text; some patterns take time that grows with the square of it."""


class _Said(NamedTuple):
    """A value that the text asserts."""

    values: tuple[tuple[str, Value], ...]
    insisted: bool = False
    attached: str | None = None
    """The modifier's text, where it may bind to a companion instead."""


class _Settled(NamedTuple):
    """A requirement taken to be impossible: its possible groups, and what is settled for (nothing: it is dropped)."""

    groups: tuple[str, ...]
    values: tuple[tuple[str, Value], ...]


@dataclass(slots=True)
class _Reading:
    """What a text says, by itself."""

    asks: bool = False
    noise: bool = False
    said: list[_Said] = field(default_factory=list)
    settled: list[_Settled] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    pointed: list[tuple[str, ...]] = field(default_factory=list)
    subjective: list[tuple[str, ...]] = field(default_factory=list)


class _Parser:
    """Parses one text."""

    def __init__(self, lexicon: Lexicon, text: str) -> None:
        """Tag the text."""
        self.kinds = lexicon.kinds
        self.text = text
        self.marks, self.places = tag(lexicon, text)
        self.lines = [" ".join(p.text for p in s) for s in self.places]
        self.used: set[int] = set()
        self.reading = _Reading()

    def parse(self) -> _Reading | None:
        """Return the reading, or None where the text does not name the frame."""
        main = self._main()
        if main is None:
            return None
        request = self._roles(main)
        settling = self._settlements(request)
        for i in request:
            line = self.lines[i]
            if i in settling:
                wishes = [c for c in CLAUSE.split(line) if not (IMPOSSIBLE.search(c) or SETTLE.search(c))]
                self.reading.asks |= "f" in _kinds(line) and any(map(_asks, wishes))
            else:
                self.reading.asks |= _asks(line)
            self._attachments(i)
            if i not in settling:
                self._markers(line)
            insisted = bool(INSIST.search(line))
            for m in DENIED.finditer(line):
                self.used.add(int(m[1]))
            for n in self._numbers(line, "v"):
                if n not in self.used:
                    values = self.marks[n].values
                    self.reading.said.append(_Said(values, insisted and self._instrument(values)))
            self.reading.words += [e.word for n in self._numbers(line, "sv") if (e := self.marks[n].entry).word]
        return self.reading

    def _instrument(self, values: Iterable[tuple[str, Value]]) -> bool:
        return any(self.kinds[group] == "instrument" for group, _ in values)

    @staticmethod
    def _numbers(line: str, kinds: str) -> list[int]:
        """Return the numbers of the tags of some kinds in a stretch of a sentence."""
        return [int(m) for m in re.findall(rf"\b[{kinds}](\d+)\b", line)]

    def _main(self) -> int | None:
        """Return the first of the sentences that name the frame and say most about it."""
        best, main = -1, None
        for i, line in enumerate(self.lines):
            if self._numbers(line, "f"):
                score = 2 * bool(WISH.search(line)) + bool(self._numbers(line, "vsg"))
                if score > best:
                    best, main = score, i
        return main

    def _roles(self, main: int) -> list[int]:
        """Return the sentences that belong to the request; those before it on another subject are noise."""
        request = []
        linked = bool(LINKED.match(self.lines[main])) and not WISH.search(self.lines[main])
        for i, line in enumerate(self.lines):
            if i == main or "f" in _kinds(line):
                request.append(i)
            elif all(w in POLITE for w in self._plain(i)) or OWNED.search(line):
                continue
            elif i > main:
                request.append(i)
            elif (PREAMBLE.search(line) and len(line.split()) < 12) or self._opens(line):
                request.append(i)
            elif not (linked and i == main - 1):
                self.reading.noise = True
        return request

    def _plain(self, i: int) -> Iterator[str]:
        """Yield the words of a sentence without tags."""
        for place in self.places[i]:
            yield from self.text[place.start : place.end].lower().split()

    def _opens(self, line: str) -> bool:
        """Return whether a sentence before the main one is a part of the request."""
        if WISH.search(line):
            return True
        telling = self._numbers(line, "vtf")
        return bool(telling) and bool(IMPOSSIBLE.search(line) or INSIST.search(line))

    def _settlements(self, request: Sequence[int]) -> set[int]:
        """Read the sentences that take a requirement to be impossible; return them."""
        found: set[int] = set()
        for i in request:
            line = self.lines[i]
            at = -1 if i in found else self._hopeless(line)
            if at < 0:
                continue
            clauses = [f" {c} " for c in CLAUSE.split(f" {line} ")]
            groups, denied = self._impossible(clauses, at)
            if not groups or all(self.kinds[g] in ("instrument", "number") for g in groups):
                continue
            found.add(i)
            self.used.update(denied)
            after = [n for c in clauses[at:] for n in self._numbers(c, "v")]
            before = [n for c in clauses[:at] for n in self._numbers(c, "v")]
            value = self._fallback((*after, *before), groups)
            if value is None and not SETTLE.search(line) and i + 1 in request:
                following = self.lines[i + 1]
                if SETTLE.search(following) and not IMPOSSIBLE.search(following) and "f" not in _kinds(following):
                    value = self._fallback(self._numbers(following, "v"), groups)
                    found.add(i + 1)
            values = () if value is None else tuple(v for v in self.marks[value].values if v[0] in groups)
            self.reading.settled.append(_Settled(groups, values))
        return found

    @staticmethod
    def _hopeless(line: str) -> int:
        """Return the number of the clause that takes something to be impossible, or -1."""
        if INSIST.search(line) and not SETTLE.search(line):
            return -1
        clauses = CLAUSE.split(f" {line} ")
        at = next((k for k, c in enumerate(clauses) if IMPOSSIBLE.search(c)), -1)
        concluded = SO_SETTLE.search(line) if at < 0 else None
        if concluded and SETTLE.search(concluded["rest"]):
            at = next(k for k, c in enumerate(clauses) if re.search(r"\b[tw]\d", c))
            return -1 if re.search(r"\b[fv]\d", clauses[at]) else at
        return at

    def _impossible(self, clauses: Sequence[str], at: int) -> tuple[tuple[str, ...], list[int]]:
        """Return the groups that are taken to be impossible, and the values named as such."""
        own = clauses[at]
        frame, word = re.search(r"\bf\d", own), re.search(r"\b[tvw]\d", own)
        if frame and (not word or word.start() > frame.start()):
            return (), []
        denied = self._numbers(own, "v")
        for kinds in ("t", "w"):
            for n in self._numbers(own, kinds):
                return self.marks[n].entry.groups, denied
        if denied:
            return tuple(g for g, _ in self.marks[denied[0]].values), denied
        others = [c for c in clauses if c is not own and not self._numbers(c, "f")]
        for kinds in ("t", "v"):
            for n in (n for c in others for n in self._numbers(c, kinds)):
                mark = self.marks[n]
                return (mark.entry.groups if kinds == "t" else tuple(g for g, _ in mark.values)), []
        return (), []

    def _fallback(self, numbers: Iterable[int], groups: tuple[str, ...]) -> int | None:
        for n in numbers:
            if n not in self.used and any(g in groups for g, _ in self.marks[n].values):
                self.used.add(n)
                return n
        return None

    def _attachments(self, i: int) -> None:
        """Read values in a modifier that stands right behind a companion."""
        line = self.lines[i]
        for m in ATTACHED.finditer(line):
            n = int(m[3])
            if n in self.used:
                continue
            self.used.add(n)
            first = line[: m.end(1)].count(" ") + 1 + (line[m.end(1) :].startswith(" ,"))
            tail = AFTER.match(line, m.end())
            last = line[: tail.end() if tail else m.end()].count(" ")
            places = self.places[i]
            text = self.text[places[first].start : places[last].end]
            self.reading.said.append(_Said(self.marks[n].values, attached=text))

    def _markers(self, line: str) -> None:
        """Read what is pointed at or described by a subjective word."""
        for n in self._numbers(line, "g"):
            self.reading.subjective.append(self.marks[n].entry.groups)
        seen: set[str] = set()
        for kind in "tw":
            if kind == "w" and seen:
                break
            for patterns, into in ((DEICTIC, self.reading.pointed), (VAGUE, self.reading.subjective)):
                for pattern in patterns:
                    for m in pattern.finditer(line):
                        tag = m["t"]
                        if tag[0] == kind and tag not in seen:
                            seen.add(tag)
                            into.append(self.marks[int(tag[1:])].entry.groups)


def _asks(line: str) -> bool:
    """Return whether a sentence wishes or asks, or is but the name of the thing, as on a list of orders."""
    return bool(WISH.search(line)) or bool(BARE.match(line) and not FINITE.search(line))


def _kinds(line: str) -> set[str]:
    return {m[0] for m in re.findall(r"\b[a-z]\d+\b", line)}


# -- comparing ---------------------------------------------------------------------------------------------------------
def _same(one: Value, other: Value) -> bool:
    return one == other or (isinstance(one, str) and isinstance(other, str) and one.lower() == other.lower())


class _Comparison:
    """Names the differences between a reading and the true intent."""

    def __init__(self, host: Host, intent: Intent) -> None:
        """Take the truth apart."""
        self.host, self.intent = host, intent
        self.open = {c.slot: c for c in intent.conditions}
        self.group = {c.slot: group_of(host.slot(c.slot)) for c in intent.conditions}
        self.edits: set[Edit] = set()
        self.extras: list[tuple[tuple[str, Value], ...]] = []
        self.meant: set[str] = set()
        """Slots that the other sense of an ambiguous word would take."""

    def run(self, reading: _Reading) -> frozenset[Edit] | None:
        """Return the edits, or None where the reading contradicts itself."""
        if not reading.asks:
            self.edits.add(Edit("oblique"))
        if reading.noise:
            self.edits.add(Edit("noise"))
        told = [(said, self._true(said.values)) for said in reading.said]
        told.sort(key=lambda pair: pair[0].attached is not None)  # what is told plainly is not ambiguous
        for said, true in told:
            if true is None or true.slot not in self.open:
                continue
            del self.open[true.slot]
            if said.attached is not None:
                self.edits.add(Edit("attach", true.slot, said.attached))
        spare = [said for said, true in told if true is None]
        for settled in reading.settled:
            if not self._settle(settled):
                return None
        for said in spare:
            self._spare(said)
        for groups in reading.pointed:
            self._mark(Edit("deictic"), groups)
        for groups in reading.subjective:
            self._mark(Edit("vague"), groups)
        if not all(self._word(word) for word in dict.fromkeys(reading.words)):
            return None
        if not all(self._extra(values) for values in self.extras):
            return None
        self.edits.update(Edit("withhold", slot) for slot in self.open)
        return frozenset(self.edits)

    def _true(self, values: Iterable[tuple[str, Value]]) -> Condition | None:
        pairs = tuple(values)
        fits = [
            c
            for c in self.intent.conditions
            if any(self.group[c.slot] == group and _same(c.value, value) for group, value in pairs)
        ]
        return next((c for c in fits if c.slot in self.open), fits[0] if fits else None)

    def _first_open(self, groups: Iterable[str]) -> str | None:
        wanted = tuple(groups)
        return next((slot for slot in self.open if self.group[slot] in wanted), None)

    def _settle(self, settled: _Settled) -> bool:
        true = self._true(settled.values)
        if true is not None:  # settles for what is wanted
            self.open.pop(true.slot, None)
            return True
        slot = self._first_open(settled.groups)
        if slot is None:
            self._spare(_Said(settled.values))
            return bool(settled.values)
        value = next((v for group, v in settled.values if group == self.group[slot]), "")
        del self.open[slot]
        self.edits.add(Edit("presuppose", slot, value))
        return True

    def _spare(self, said: _Said) -> None:
        """Place a value that is not a true one: instead of one, or beside them."""
        slot = self._first_open(group for group, _ in said.values)
        if slot is None:
            self.extras.append(said.values)
            return
        del self.open[slot]
        insisted = said.insisted and self.host.slot(slot).kind == "instrument"
        value = next(v for group, v in said.values if group == self.group[slot])
        self.edits.add(Edit("insist" if insisted else "replace", slot, value))

    def _extra(self, values: Iterable[tuple[str, Value]]) -> bool:
        """Give a value beside the true ones a slot; False where none is free: the text contradicts itself."""
        taken = {*self.intent.by_slot, *self.meant, *(e.slot for e in self.edits)}
        for group, value in values:
            if any(_same(e.value, value) for e in self.edits if e.slot and e.kind not in ("attach", "two_senses")):
                return True  # said twice
            slot = next((s.id for s in self.host.slots[1:] if group_of(s) == group and s.id not in taken), None)
            if slot is not None:
                self.edits.add(Edit("extra", slot, value))
                return True
        return False

    def _mark(self, edit: Edit, groups: Iterable[str]) -> None:
        slot = self._first_open(groups)
        if slot is not None:
            del self.open[slot]
            self.edits.add(Edit(edit.kind, slot))

    def _word(self, word: str) -> bool:
        """Read an ambiguous word; False where it means nothing that is wanted."""
        known = False
        for sense in self.host.senses(self.intent.frame):
            if sense.word != word:
                continue
            for c, other in (sense.conditions, sense.conditions[::-1]):
                true = self._true([(group_of(self.host.slot(c.slot)), c.value)])
                known = known or true is not None
                if true is not None and true.slot in self.open:
                    del self.open[true.slot]
                    self.edits.add(Edit("two_senses", true.slot, word))
                    topic = self.host.slot_table.by_topic[self.host.slot(other.slot).topic]
                    free = (s.id for s in topic if s.id not in self.intent.by_slot)
                    self.meant.add(next(free, other.slot))
                    return True
        return known or any(_same(e.value, word) for e in self.edits)


class SecondReader:
    """Recovers the edits of a request by tagging and parsing it (see the module's text)."""

    def read(self, host: Host, intent: Intent, text: str) -> frozenset[Edit] | None:
        """Return the edits that lead from the true intent to the text, or None where the text cannot be read."""
        if len(text) > _LONGEST:
            return None
        reading = _Parser(lexicon_of(host, intent.frame), host.gathered(text)).parse()
        return None if reading is None else _Comparison(host, intent).run(reading)
