"""The three-step verification of a candidate, and its guess ceiling (PROTOCOL 2).

Source: Drift-Bench++, "three-step verification": (1) two independent readers recover the structured edits, and both
must equal the intended ones; (2) surface fidelity; (3) execution on the host, with the effect that the fault must have.

Decisions.

- A candidate must pass all steps, so their order decides only which step a rejection is counted for. The cheap ones run
  first: execution and the guess ceiling need no text, and a reader that asks a language model sees only candidates
  that pass all else.
- Execution looks at every fault of a composite by itself, on the true intent, and then at the whole request.
- Every hidden slot must matter by itself: leaving it out changes the answers.
- A sample carries the odds of every way to guess: inside the literal reading, and for one who sees which slots are
  hidden and which asserted values are false: among the outcomes that what is left allows, and among the values that
  those slots take there, one commit a value. Of three payment methods, one refused, the second commit hits for sure,
  however few outcomes have the right one. Its guess ceiling is that of the best way. `max_guess` is applied to the
  literal reading alone, as PROTOCOL 2 words it: one commit for each of two senses always hits, and the fault would not
  exist.
- The truth of a syntactic ambiguity is always the bound reading: on hosts where conditions only narrow, binding a
  modifier that was not meant costs nothing, so the other truth would be no fault. The ceiling counts a guesser who
  binds, and is 1 where nothing else is hidden.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from intent_gym.construct.faults import Draft, literal, readings
from intent_gym.construct.readers import Reader
from intent_gym.core.config import ProtocolConfig
from intent_gym.core.faults import FAULTS, Edit, Effect, hidden_slots
from intent_gym.core.intent import Intent, Value
from intent_gym.core.sample import hit_chance
from intent_gym.envs.host import Host

__all__ = [
    "Failure",
    "Step",
    "Ways",
    "blind_ways",
    "execution",
    "literal_chance",
    "surface",
    "verify",
    "verify_draft",
    "verify_text",
]

Step: TypeAlias = Literal["draw", "execution", "surface", "readers", "guess"]

Ways: TypeAlias = tuple[tuple[int, int], ...]
"""(candidates, how many of them are right) for each way to guess."""
_Ids: TypeAlias = NDArray[np.int64]


class Failure(NamedTuple):
    """Which step a candidate failed, and why."""

    step: Step
    reason: str


def verify(
    host: Host, intent: Intent, draft: Draft, text: str, readers: Sequence[Reader], config: ProtocolConfig
) -> Failure | Ways:
    """Return the ways to guess at a candidate that passes every step (`Sample.blind`), or the failure."""
    ways = verify_draft(host, intent, draft, config)
    return ways if isinstance(ways, Failure) else verify_text(host, intent, draft, text, readers) or ways


def verify_draft(host: Host, intent: Intent, draft: Draft, config: ProtocolConfig) -> Failure | Ways:
    """Return the ways to guess, or the failure of a step that needs no text: execution, and the guess ceiling."""
    if reason := execution(host, intent, draft):
        return Failure("execution", reason)
    ways = blind_ways(host, intent, draft.edits)
    if literal_chance(ways, config.guesses) > config.max_guess:
        return Failure("guess", "ceiling above max_guess")
    return ways


def verify_text(host: Host, intent: Intent, draft: Draft, text: str, readers: Sequence[Reader]) -> Failure | None:
    """Return the failure of a step that looks at the text: surface, and the readers; None where it passes."""
    if reason := surface(host, intent, draft.edits, text):
        return Failure("surface", reason)
    intended = frozenset(draft.edits)
    for name, reader in zip(("first", "second"), readers, strict=True):
        if (found := reader.read(host, intent, text)) != intended:
            return Failure("readers", f"{name} reader: {_difference(intended, found)}")
    return None


def _difference(intended: frozenset[Edit], found: frozenset[Edit] | None) -> str:
    """Return in a few words how a reader's answer differs: kinds only, so that reasons can be counted."""
    if found is None:
        return "cannot read the text"
    missed, added = sorted({e.kind for e in intended - found}), sorted({e.kind for e in found - intended})
    return f"misses {', '.join(missed) or 'nothing'}; adds {', '.join(added) or 'nothing'}"


# -- surface -----------------------------------------------------------------------------------------------------------
def surface(host: Host, intent: Intent, edits: Iterable[Edit], text: str) -> str:
    """Return "" if every asserted value is in the text and no hidden one is, else what is wrong.

    Values match as whole words, whatever their case; "$30" is not found in "$300", "$30.50" or "a30". A value that is
    part of another asserted one ("blue" in "navy blue") counts only where it stands by itself. A hidden value that the
    name of the thing gives away ("leather" for a "leather sofa") is a leak.
    """
    edits = tuple(edits)
    told = literal(host, intent, edits)
    asserted = [host.slot(c.slot).say(c.value) for c in told.conditions]
    asserted += [str(e.value) for e in edits if e.kind in ("attach", "two_senses")]
    left = text.casefold()
    named = [part for part in host.told(intent.frame) if part]
    for value in sorted((*named, *asserted), key=lambda v: (-len(v), v)):
        left, found = _strict(value).subn("\x00", left, count=1)
        if not found:
            return "asserted value not in the text"
    known = {v.casefold() for v in asserted}
    once = left  # what is said beyond one mention of each asserted value
    for value in sorted((*named, *asserted), key=lambda v: (-len(v), v)):
        left = _strict(value).sub("\x00", left)
    frame = host.noun(intent.frame).casefold()
    for edit in edits:
        if edit.slot not in hidden_slots([edit]) or edit.kind == "attach":
            continue
        hidden = intent.by_slot[edit.slot].value
        spoken = host.slot(edit.slot).say(hidden).casefold()
        where = once if spoken in known else left
        if any(_loose(form).search(where) for form in {spoken, _bare(hidden)}):
            return "hidden value in the text"
        if _loose(spoken).search(frame):
            return "hidden value in the name of the thing"
    return ""


def _bare(value: Value) -> str:
    """Return a value without its unit."""
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else f"{value:.2f}"
    return value.casefold() if isinstance(value, str) else str(value)


@lru_cache(maxsize=4096)
def _strict(value: str) -> re.Pattern[str]:
    """Return a pattern for a value as words of its own, hyphens being part of a word."""
    return re.compile(rf"(?<![\w$-]){re.escape(value.casefold())}(?![\w-]|[.,]\d)")


@lru_cache(maxsize=4096)
def _loose(value: str) -> re.Pattern[str]:
    """Return a pattern that also finds a value inside a hyphenated word or after a currency sign."""
    return re.compile(rf"(?<!\w){re.escape(value.casefold())}(?!\w|[.,]\d)")


# -- execution ---------------------------------------------------------------------------------------------------------
def execution(host: Host, intent: Intent, draft: Draft) -> str:
    """Return "" if the host shows every effect that the faults must have, else the effect that fails."""
    truth = host.answers(intent)
    if not len(truth):
        return "truth not executable"
    for name, part in zip(draft.faults, draft.parts, strict=True):
        fault = FAULTS[name]
        if not _shows(host, intent, part, fault.effect, truth):
            return f"{name}: no effect {fault.effect!r}"
    if any(e.slot for e in draft.edits) and _same(host.answers(literal(host, intent, draft.edits)), truth):
        return "the whole request has the true answers"
    return ""


def _shows(host: Host, intent: Intent, part: Sequence[Edit], effect: Effect, truth: _Ids) -> bool:
    """Return whether one fault by itself has its effect (the effect column of PROTOCOL 2)."""
    found = host.answers(literal(host, intent, part))
    for slot in hidden_slots(part):
        if _same(host.answers(intent.without(slot)), truth):
            return False  # a hidden slot that does not matter
    if effect == "same":
        return _same(found, truth)
    if effect == "readings":
        told = [host.answers(r) for r in readings(host, intent, part)]
        return len(told) == 2 and _same(told[0], truth) and len(told[1]) > 0 and not _same(told[1], truth)
    if effect == "fails":
        (slot,) = (e.slot for e in part)
        dropped = host.answers(intent.without(slot))
        return not _shared(found, truth) and _shared(dropped, truth) == len(truth)
    return not _same(found, truth)


def _same(a: _Ids, b: _Ids) -> bool:
    return len(a) == len(b) and bool((a == b).all())


def _shared(a: _Ids, b: _Ids) -> int:
    """Return the number of answers in both; each is sorted and unique."""
    if not len(a) or not len(b):
        return 0
    at = np.minimum(np.searchsorted(b, a), len(b) - 1)
    return int(np.count_nonzero(b[at] == a))


# -- guessing ----------------------------------------------------------------------------------------------------------
def blind_ways(host: Host, intent: Intent, edits: Sequence[Edit]) -> Ways:
    """Return (candidates, how many of them are right) for each way to guess, the literal reading first.

    The others: what is told with the hidden slots left open, with and without what the request adds; the values that
    the hidden slots can take there, tried one at a time; both for the two readings of an ambiguous word, and for the
    bound reading of a modifier. What the request asserts falsely is no candidate. Empty where nothing is hidden.
    """
    hidden = hidden_slots(edits)
    if not hidden:
        return ()
    truth = host.answers(intent)
    told = literal(host, intent, edits)
    false = frozenset((s, told.by_slot[s].value) for s in hidden if s in told.by_slot)
    first = host.answers(told)
    ways = [(len(first), _shared(first, truth))]
    for rest in (told.without(*hidden), intent.without(*hidden)):
        rows, values, met = _tries(host, rest, hidden, false)
        ways += [(len(rows), _shared(rows, truth)), (values, met)]
    for edit in (e for e in edits if e.kind in ("two_senses", "attach")):
        others = tuple(s for s in hidden if s != edit.slot)
        told_as = readings(host, intent, edits)[: 1 if edit.kind == "attach" else None]  # bound suits either reading
        tries = [_tries(host, reading.without(*others), others, false) for reading in told_as]
        union = np.unique(np.concatenate([t.rows for t in tries]))
        ways += [(len(union), _shared(union, truth)), (sum(t.values for t in tries), max(t.met for t in tries))]
    return tuple(dict.fromkeys(ways))


class _Tries(NamedTuple):
    """What can be tried where some slots are open."""

    rows: _Ids
    """Outcomes that have a value for each of them."""
    values: int
    """Distinct values that they can take together."""
    met: int
    """How many of these the outcome that meets most of them meets: of choices one, of tags several."""


def _tries(host: Host, rest: Intent, slots: Sequence[str], false: frozenset[tuple[str, Value]]) -> _Tries:
    """Return what can be tried in some slots beside the conditions of `rest`, without values known to be false.

    Of a bound the outcome at its end meets every one, so that it counts as one value.
    """
    rows = host.answers(rest)
    open_ = [slot for slot in map(host.slot, slots) if slot.op not in ("<=", ">=")]
    if not open_:
        return _Tries(rows, 1, 1)
    gone = [
        {v for of, v in false if of == slot.id}
        | {c.value for c in rest.conditions if host.slot(c.slot).topic == slot.topic}
        for slot in open_
    ]
    cells = list(zip(*(host.values_of(slot.id, rows) for slot in open_), strict=True))
    each: dict[tuple[tuple[Value, ...], ...], frozenset[tuple[Value, ...]]] = {}
    for cell in set(cells):  # rows are many, distinct cells few
        each[cell] = frozenset(
            itertools.product(*([v for v in vs if v not in no] for vs, no in zip(cell, gone, strict=True)))
        )
    kept = rows[np.array([bool(each[cell]) for cell in cells], dtype=np.bool_)]
    return _Tries(kept, len(frozenset().union(*each.values())), max(map(len, each.values()), default=0))


def literal_chance(ways: Sequence[tuple[int, int]], guesses: int) -> float:
    """Return the chance inside the literal reading, which `max_guess` is applied to; 0 where nothing is hidden."""
    return hit_chance(*ways[0], guesses) if ways else 0.0
