"""The eleven faults of a request in four classes, and the edits they make (PROTOCOL 2).

Source: Drift-Bench++, "Fault taxonomy" and appendix B.3. What a fault does to a text is described by *edits*: small
structured facts that a reader can recover from the text when it knows the true intent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from intent_gym.core.intent import Value

__all__ = ["CLASSES", "FAULTS", "UNBOUND", "Edit", "EditKind", "Fault", "hidden_slots"]

EditKind: TypeAlias = Literal[
    "oblique",  # describes a situation, never asks or wishes
    "noise",  # sentences on another subject before the request
    "replace",  # slot is asserted with another value
    "presuppose",  # slot's requirement taken as impossible; value is the fallback settled for ("" = drops it)
    "insist",  # an instrument insisted on; value is the wrong one
    "withhold",  # slot is not mentioned
    "extra",  # a property that does not matter is asked for; value is the property
    "two_senses",  # slot's value is said only with an ambiguous word; value is the word
    "attach",  # a trailing modifier may bind to the slot or to something else; value is the modifier's text
    "deictic",  # slot is pointed at ("the usual")
    "vague",  # slot is described by a subjective word
]

Effect: TypeAlias = Literal["same", "changes", "fallback", "fails", "widens", "narrows", "readings"]


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """One structured difference between what a text says and the true intent.

    Attributes:
        kind: What the text does.
        slot: The slot it does it to; "" for oblique and noise.
        value: What the text says instead (see `EditKind`); "" where there is nothing.
    """

    kind: EditKind
    slot: str = ""
    value: Value = ""


@dataclass(frozen=True, slots=True)
class Fault:
    """A row of PROTOCOL 2's table.

    Attributes:
        name: The fault's name.
        family: Its class.
        edit: The kind of edit it makes.
        effect: What executing the literal reading must show against the truth: the answer set is the "same", "changes"
            (may become empty), following a "fallback" changes it, insisting "fails" or changes it, it "widens" or
            changes, it "narrows" or changes, or two "readings" differ and one is the truth.
        hides: Whether the slots it touches are hidden.
        needs: Number of conditions that the intent must have; one is always kept.
    """

    name: str
    family: Literal["intention", "premise", "parameter", "expression"]
    edit: EditKind
    effect: Effect
    hides: bool
    needs: int


FAULTS: Mapping[str, Fault] = {
    f.name: f
    for f in (
        Fault("indirect_intent", "intention", "oblique", "same", False, 0),
        Fault("contextual_irrelevance", "intention", "noise", "same", False, 0),
        Fault("factual_error", "premise", "replace", "changes", True, 1),
        Fault("false_presupposition", "premise", "presuppose", "fallback", True, 1),
        Fault("tool_capability_mismatch", "premise", "insist", "fails", True, 1),
        Fault("insufficient_information", "parameter", "withhold", "widens", True, 2),
        Fault("irrelevant_information", "parameter", "extra", "narrows", False, 0),
        Fault("lexical_ambiguity", "expression", "two_senses", "readings", True, 2),
        Fault("syntactic_ambiguity", "expression", "attach", "readings", True, 2),
        Fault("referential_ambiguity", "expression", "deictic", "widens", True, 2),
        Fault("vagueness_subjectivity", "expression", "vague", "widens", True, 2),
    )
}
CLASSES: Mapping[str, tuple[str, ...]] = {
    family: tuple(f.name for f in FAULTS.values() if f.family == family)
    for family in ("intention", "premise", "parameter", "expression")
}
UNBOUND: tuple[str, ...] = CLASSES["expression"]
"""Faults that leave a value unbound in the text: a composite holds at most one."""

_HIDING: frozenset[EditKind] = frozenset(f.edit for f in FAULTS.values() if f.hides)


def hidden_slots(edits: Iterable[Edit]) -> tuple[str, ...]:
    """Return the slots that the edits hide, sorted and without repeats.

    >>> hidden_slots([Edit("noise"), Edit("withhold", "size"), Edit("extra", "feature_1", "washable")])
    ('size',)
    """
    return tuple(sorted({e.slot for e in edits if e.kind in _HIDING}))
