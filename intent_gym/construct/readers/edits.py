"""A reader of evolving dialogues: from what the user says to the edits, and so to the state (PROTOCOL 7).

Source: IntentFlux, appendix E: the utterances are audited by somebody who did not write them. This reader knows the
public host (the words of its slots, the values of a frame) and everyday English for changing one's mind; it knows no
sentence of the writer. It finds the values and the slot's word in a sentence first and looks only then at the words
between them: "instead of", "rather than", "from ... to", "forget", "no longer".

Decisions: a sentence is about the slot whose word and values cover most of it; a slot whose word is missing counts only
where the value holds that word ("oat milk"). Of two values the one that the words mark as given up is the old one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from intent_gym.construct.readers.vocabulary import Match, Vocabulary, Word, split_words, vocabulary
from intent_gym.core.edits import EditAct
from intent_gym.core.intent import Condition, Intent, Value
from intent_gym.envs.host import Host

__all__ = ["Heard", "Utterance", "read_frame", "read_statement", "read_utterance", "slots_meant"]


@dataclass(frozen=True, slots=True)
class Heard:
    """One edit as it was understood.

    Attributes:
        act: What is done.
        slot: Id of the slot; of tags the first slot of their topic, for a text does not tell which of them it is.
        value: The value added, the new value of a replacement, or the value withdrawn.
        before: The value replaced; None for the other acts.
    """

    act: EditAct
    slot: str
    value: Value
    before: Value | None = None


class Utterance(NamedTuple):
    """What one turn of the user says.

    Attributes:
        edits: In the order they are said.
        asks: The answer is asked for.
        holds: What is summed up as holding, or None.
    """

    edits: tuple[Heard, ...]
    asks: bool = False
    holds: tuple[Condition, ...] | None = None


def _cue(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns))


_WITHDRAWN = _cue(
    r"\b(?:forget|drop|cancel|withdraw|withdrawn|scrap|scratch|remove|skip|strike|retract|undo|discard|dropped)\b",
    r"\bnever mind\b|\btak(?:e|ing) (?:\S+ ){0,6}back\b|\bleav(?:e|ing) (?:\S+ ){0,6}out\b|\bdo(?:ing)? without\b",
    r"\bno longer\b|\bnot (?:\S+ ){0,3}any ?more\b|\bis off\b|\bafter all\b|\bno need\b|\bwithout the\b",
    r"\b(?:don't|do not) (?:need|want)\b",
)
_ASKED = _cue(r"\b(?:answer|reply|go ahead|result|solution|conclusion|what have you got|over to you|your turn)\b")
_SUMMED = _cue(r"\b(?:sum(?:ming)? up|all in all|recap\w*|summary|summari[sz]\w+|in short|once more in full)\b")

_A, _B = r"<(?P<old>\d)>", r"<(?P<new>\d)>"
_NEAR = r"[^<>.;]{0,60}?"
_GIVEN_UP = r"(?:instead of|rather than|in place of|in exchange for|in lieu of|not|no longer|and no more|over)"
_ORDER = tuple(
    re.compile(p)
    for p in (
        rf"\bfrom (?:\S+ ){{0,3}}{_A}{_NEAR}\b(?:to|into)\b{_NEAR}{_B}",
        rf"{_B} ?,?{_NEAR}\b{_GIVEN_UP}\b(?: \S+){{0,3}} {_A}",
        rf"\b{_GIVEN_UP}\b (?:\S+ ){{0,3}}{_A}{_NEAR}{_B}",
        rf"\b(?:replace|swap|exchange|switch|substitute|trade)\b{_NEAR}{_A}{_NEAR}\b(?:by|with|for|to)\b{_NEAR}{_B}",
        rf"\b(?:change|turn|make)\b{_NEAR}{_A}{_NEAR}\b(?:to|into)\b{_NEAR}{_B}",
        rf"{_A}{_NEAR}\b(?:becomes?|turns into|gives way to|is now|makes way for|is replaced by|is off)\b{_NEAR}{_B}",
        rf"{_B}{_NEAR}\b(?:replaces|takes the place of)\b{_NEAR}{_A}",
    )
)


def read_frame(host: Host, text: str) -> str | None:
    """Return the frame that an opening names, or None: the first one that is named, the longest of those."""
    found = _frame_in(host, host.gathered(text))
    return None if found is None else found[0]


def _frame_in(host: Host, text: str) -> tuple[str, int, int] | None:
    folded = text.casefold()
    best: tuple[int, int, str] | None = None
    for frame in _frames(host):
        start = folded.find(frame.casefold())
        if start >= 0 and (best is None or (start, -len(frame)) < best[:2]):
            best = (start, -len(frame), frame)
    return None if best is None else (best[2], best[0], best[0] - best[1])


@lru_cache(maxsize=64)
def _frames(host: Host) -> tuple[str, ...]:
    return tuple(sorted(host.frames, key=lambda f: (-len(f), f)))


def read_utterance(host: Host, frame: str, text: str, *, opening: bool = False) -> Utterance:
    """Return what a turn of the user says.

    Args:
        host: Public knowledge.
        frame: What the dialogue is about.
        text: The turn.
        opening: It is the first turn, which names the frame.

    >>> from intent_gym.envs.toy import ToyHost
    >>> read_utterance(ToyHost(), "green tea", "Make the milk oat milk rather than soy milk, would you?").edits
    (Heard(act='replace', slot='milk', value='oat milk', before='soy milk'),)
    """
    words = vocabulary(host, frame)
    text = _told_apart(host, frame, text) if opening else text
    edits: list[Heard] = []
    asks = False
    holds: tuple[Condition, ...] | None = None
    for sentence in words.sentences(split_words(text)):
        plain = " ".join(w.folded for w in sentence)
        if holds is None and _SUMMED.search(plain):
            holds = words.listed(sentence)
            continue
        heard = _heard(words, sentence)
        if heard is not None:
            edits.append(heard)
        elif edits and _WITHDRAWN.search(plain) and edits[-1].act == "add":
            edits[-1] = Heard("delete", edits[-1].slot, edits[-1].value)
        elif _ASKED.search(plain):
            asks = True
    return Utterance(tuple(edits), asks, holds)


def slots_meant(host: Host, frame: str, text: str, *, opening: bool = False) -> tuple[tuple[str, ...], ...]:
    """Return, per sentence that names a value, the slots that it can be about equally well: one where it is clear."""
    words = vocabulary(host, frame)
    text = _told_apart(host, frame, text) if opening else text
    found: list[tuple[str, ...]] = []
    for sentence in words.sentences(split_words(text)):
        about = list(_candidates(words, sentence))
        if about:
            most = max(a.covered for a in about)
            found.append(tuple(a.slot for a in about if a.covered == most))
    return tuple(found)


def _told_apart(host: Host, frame: str, text: str) -> str:
    """Return a text with the frame's name put aside, whose words are no values and no words of slots."""
    gathered = host.gathered(text)
    named = _frame_in(host, gathered)
    if named is None or named[0] != frame:
        return text
    return f"{gathered[: named[1]]}it{gathered[named[2] :]}"


def read_statement(host: Host, text: str) -> Intent | None:
    """Return the intent that a plain statement lists ("... drink: cocoa; milk: oat milk."), or None if it lists none.

    >>> from intent_gym.envs.toy import ToyHost
    >>> read_statement(ToyHost(), "Wanted at this moment: drink: cocoa; milk: oat milk.").to_json()
    {'frame': 'cocoa', 'conditions': [['milk', '=', 'oat milk']]}
    """
    mark = f"{host.frame_slot.word}: "
    _, found, rest = text.partition(mark)
    if not found:
        return None
    frame = next((f for f in _frames(host) if rest.startswith(f) and rest[len(f) : len(f) + 1] in (";", ".", "")), None)
    if frame is None:
        return None
    return Intent(frame, vocabulary(host, frame).listed(split_words(rest[len(frame) :])))


# -- one sentence ------------------------------------------------------------------------------------------------------
class _About(NamedTuple):
    """A slot that a sentence may be about, with the values that it names."""

    covered: int
    slot: str
    matches: tuple[Match, ...]
    named: tuple[tuple[int, int], ...]


def _heard(words: Vocabulary, sentence: Sequence[Word]) -> Heard | None:
    """Return the edit that a sentence makes, or None."""
    about = max(_candidates(words, sentence), key=lambda a: a.covered, default=None)
    if about is None:
        return None
    values = list(dict.fromkeys(m.value for m in about.matches))
    plain = _skeleton(sentence, about, values)
    if len(values) == 1:
        act: EditAct = "delete" if _WITHDRAWN.search(plain) else "add"
        return Heard(act, about.slot, values[0])
    for pattern in _ORDER:
        for found in pattern.finditer(plain):
            if found["old"] != found["new"]:
                return Heard("replace", about.slot, values[int(found["new"])], values[int(found["old"])])
    return Heard("replace", about.slot, values[1], values[0])


def _candidates(words: Vocabulary, sentence: Sequence[Word]) -> Iterator[_About]:
    matches = words.values_in(sentence)
    named = words.slots_in(sentence)
    for slot, found in matches.items():
        words_of = named.get(slot, ())
        beside = [
            m for m in found if not any(a <= m.first and m.last <= b and b - a > m.last - m.first for a, b in words_of)
        ]
        chosen = _apart(beside or found)  # a slot's word may hold its values: "bagged/bagless"
        inside = {i for m in chosen for i in range(m.first, m.last)}
        spans = tuple(s for s in words_of if inside.isdisjoint(range(*s)))
        if not spans and not any(words.carries(slot, m.value) for m in chosen):
            continue
        covered = len(inside) + len({i for s in spans for i in range(*s)})
        yield _About(covered * 2 + bool(spans), slot, chosen, spans)


def _apart(found: Sequence[Match]) -> tuple[Match, ...]:
    """Return matches without overlap, the longest first taken, in the order of the text."""
    taken: list[Match] = []
    for match in sorted(found, key=lambda m: (m.first - m.last, not m.exact, m.first)):
        if all(match.last <= other.first or match.first >= other.last for other in taken):
            taken.append(match)
    return tuple(sorted(taken, key=lambda m: m.first))


def _skeleton(sentence: Sequence[Word], about: _About, values: Sequence[Value]) -> str:
    """Return the words around the values: "change the word from <0> to <1>"."""
    starts = {m.first: m for m in about.matches}
    said: list[str] = []
    place = 0
    while place < len(sentence):
        match = starts.get(place)
        if match is not None:
            said.append(f"<{values.index(match.value)}>")
            place = match.last
        else:
            word = next((b for a, b in about.named if a == place), None)
            said.append(sentence[place].folded if word is None else "word")
            place = place + 1 if word is None else word
    return " ".join(said)
