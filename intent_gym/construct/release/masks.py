"""A mask of the release as the edits, literal reading and guess chances of this suite (PROTOCOL 2).

Decisions.

- Hidden are the mask's hidden slots and what a presupposition is about, as the release's tau2 drivers score it; edits
  are made so that `core.faults.hidden_slots` gives exactly these.
- Asserted values are stored as canonical JSON or as bare text ("7082455371" for a list of one id). They are read into
  the form of the true value; the mask keeps the original.
- Labels of marks are an open set: one that starts like a deictic one is "deictic", every other "vague".
- An ambiguous expression is of two senses or a loose modifier by the fault's name; where that does not tell, a reading
  without a value means a loose modifier.
- The literal reading of an ambiguous request is what both stored readings say. Where no reading is stored (a detail
  that no condition can express), it is the edits carried out on the truth.
- Chances to guess are filled in only where the stored sizes tell them: see `blind`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import cast

from intent_gym.construct.release.ids import compact
from intent_gym.construct.release.models import Ambiguous, MaskFile, Signature, Triple
from intent_gym.core.faults import Edit, EditKind, hidden_slots
from intent_gym.core.intent import Condition, Intent, Value

__all__ = ["blind", "edits_of", "in_form_of", "literal_of", "readings_of"]

_DROPS: frozenset[EditKind] = frozenset(("withhold", "deictic", "vague", "oblique", "noise"))
"""Edits after which the literal reading only lacks conditions of the truth."""
_SAYS: frozenset[EditKind] = frozenset(("replace", "presuppose", "extra"))


def in_form_of(value: Value, truth: Value | None) -> Value:
    """Return an asserted value in the form of the true one: a JSON text where that is one.

    >>> in_form_of("7082455371", '["7082455361"]'), in_form_of("business", '"economy"'), in_form_of("2", "3")
    ('["7082455371"]', '"business"', '2')
    >>> in_form_of('"business"', '"economy"'), in_form_of("dark green", "citrus")
    ('"business"', 'dark green')
    """
    form = _json(truth)
    if not isinstance(form, str | list | dict):
        return value if isinstance(value, str) or not isinstance(truth, str) else compact(value)
    said = _json(value)
    if said is None:  # bare text
        said = value
    if isinstance(form, str) and not isinstance(said, str):
        said = str(value)  # an id of digits alone
    if isinstance(form, list) and not isinstance(said, list):
        said = [said if isinstance(said, str | dict) else str(value)]
    return compact(said)


def _json(value: Value | None) -> object:
    """Return what a JSON text holds, or None where it is none."""
    if not isinstance(value, str):
        return None
    try:
        return cast(object, json.loads(value))
    except ValueError:
        return None


def edits_of(mask: MaskFile, root: Intent) -> tuple[Edit, ...]:
    """Return what a request does to the truth, sorted."""
    true = {c.slot: c.value for c in root.conditions}
    edits: list[Edit] = []
    if mask.oblique:
        edits.append(Edit("oblique"))
    if mask.noise:
        edits.append(Edit("noise"))
    edits += [Edit("replace", slot, in_form_of(said, true.get(slot))) for slot, _, said in mask.substituted]
    for p in mask.presupposed:
        fallback = in_form_of(p.alternative[1], true.get(p.alternative[0])) if p.alternative else ""
        edits.append(Edit("presuppose", p.about[0], fallback))
    edits += [Edit("withhold", slot) for slot in mask.withheld]
    edits += [Edit("deictic" if label.startswith("deic") else "vague", slot) for slot, label in mask.marked]
    for expression in mask.ambiguous:
        kind: EditKind = "attach" if _loose(mask, expression) else "two_senses"
        named = sorted({slot for slot, _ in expression.placements} & set(mask.hidden_slots))
        edits += [Edit(kind, slot, expression.surface) for slot in named]
    for extra in mask.extras:
        slot, _, value = extra.condition or ("", "=", extra.text)
        edits.append(Edit("extra", slot, value))
    missing = set(mask.hidden) - set(hidden_slots(edits))
    edits += [Edit("withhold", slot) for slot in missing]
    return tuple(sorted(set(edits), key=lambda e: (e.kind, e.slot, str(e.value))))


def _loose(mask: MaskFile, expression: Ambiguous) -> bool:
    names = mask.strategy_id.split("+")
    lexical, syntactic = "lexical_ambiguity" in names, "syntactic_ambiguity" in names
    return syntactic if lexical != syntactic else any(value is None for _, value in expression.placements)


def readings_of(mask: MaskFile, root: Intent) -> tuple[Intent, ...]:
    """Return the stored literal readings, that first which agrees with the truth on most of the hidden slots.

    Raises:
        ValueError: A reading has two conditions for one slot.
    """
    true = root.by_slot

    def read(triples: Iterable[Triple]) -> Intent:
        return Intent(
            root.frame,
            tuple(Condition(s, op, in_form_of(v, true[s].value if s in true else None)) for s, op, v in triples),
        )

    def strays(reading: Intent) -> int:
        return sum(reading.by_slot.get(s) != true.get(s) for s in mask.hidden)

    return tuple(sorted((read(r) for r in mask.literal_readings), key=strays))


def literal_of(readings: Sequence[Intent], edits: Iterable[Edit], root: Intent) -> Intent:
    """Return what the text says by itself."""
    if readings:
        shared = set(readings[0].conditions).intersection(*(r.conditions for r in readings[1:]))
        return Intent(root.frame, tuple(shared))
    for edit in edits:
        if edit.slot:
            op = root.by_slot[edit.slot].op if edit.slot in root.by_slot else "="
            root = root.without(edit.slot)
            if edit.kind in _SAYS and edit.value != "":
                root = root.having(Condition(edit.slot, op, edit.value))
    return root


def blind(edits: Sequence[Edit], signature: Signature, *, sets: bool) -> tuple[tuple[int, int], ...] | None:
    """Return (candidates, good ones) of guessing without asking as `Sample.blind` holds them, or None if unknown.

    Known are: requests that hide nothing; requests that only leave conditions out of a purchase set, whose literal
    reading holds the whole truth; two end states of an ambiguous expression; the wider of a bound and an unbound
    reading. Not known is how many answers of a false reading are right.

    Args:
        edits: What the request does.
        signature: The sizes that the release's verification saw.
        sets: Whether an answer is one of a set of purchases (WebShop) or the one end state (tau2).
    """
    kinds = {e.kind for e in edits}
    if not hidden_slots(edits):
        return ()
    good = signature.true_card
    if good is None:
        return None
    if signature.reading_cards and kinds - _DROPS <= {"two_senses", "attach"}:
        if not sets:
            return ((len(signature.reading_cards), good),)
        return ((max(signature.reading_cards), good),) if kinds == {"attach"} else None
    if sets and kinds <= _DROPS and signature.lit_card is not None and signature.lit_card >= good:
        return ((signature.lit_card, good),)
    return None
