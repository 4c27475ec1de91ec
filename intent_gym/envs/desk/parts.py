"""Requests of one change or several: parts, the words for their kinds, and the slots of every part but the first.

An intent has one condition a slot, so each part of a request has slots of its own: the first part those of the desk
("order"), the second "second order" and so on. Parts stand in one order only, that of the desk's kinds and then of the
records they are about, so that a set of changes is told in one way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from intent_gym.core.intent import Slot, Value
from intent_gym.envs.desk.calls import Call

__all__ = ["Part", "Request", "base_of", "in_words", "later_slots", "numbered"]

_ORDINALS = ("first", "second", "third", "fourth")
_TIMES = ("", "", "double ", "triple ", "fourfold ")
_SYNONYMS = 3
"""Synonyms of a slot that its later parts have too."""


class Part(NamedTuple):
    """One change that a caller can want."""

    kind: str
    cells: Mapping[str, Value]
    """Value by slot id, as if the part were the only one; slots that the change does not have are left out."""
    call: Call
    """The call that makes it."""


class Request(NamedTuple):
    """All that a caller wants."""

    cells: Mapping[str, Value]
    """Value by slot id."""
    calls: tuple[Call, ...]
    """The calls that do it, in an order that works."""


def in_words(words: Mapping[str, str], kinds: Iterable[str]) -> str:
    """Return the words for kinds of change wanted together.

    >>> in_words({"cancel": "cancellation", "return": "return"}, ["cancel", "return", "return"])
    'cancellation and double return'
    """
    return " and ".join(f"{_TIMES[count]}{words[kind]}" for kind, count in Counter(kinds).items())


def numbered(slot: str, number: int) -> str:
    """Return the id of a slot in a part.

    >>> numbered("order", 1), numbered("order", 2)
    ('order', 'order_2')
    """
    return slot if number == 1 else f"{slot}_{number}"


def base_of(slot: str) -> str:
    """Return the id that a slot has in a first part.

    >>> base_of("order_2"), base_of("return_date")
    ('order', 'return_date')
    """
    name, _, number = slot.rpartition("_")
    return name if number.isdigit() else slot


def later_slots(slots: Sequence[Slot], most: int) -> tuple[Slot, ...]:
    """Return the slots of the second part up to the last.

    Args:
        slots: Those that a later part has.
        most: Parts that a request has at most.
    """
    return tuple(_later(slot, number) for number in range(2, most + 1) for slot in slots)


def _later(slot: Slot, number: int) -> Slot:
    ordinal = _ORDINALS[number - 1]
    word = f"{ordinal} {slot.word}"
    return Slot(
        numbered(slot.id, number),
        word,
        numbered(slot.topic, number),
        slot.kind,
        slot.op,
        synonyms=tuple(f"{ordinal} {synonym}" for synonym in slot.synonyms[:_SYNONYMS]),
        clauses=(f"with {{value}} as the {word}", f"with {{value}} for the {word}", f"with the {word} {{value}}"),
        vague=(f"with a decent {word}", f"with some sensible {word}", f"with a {word} that will suit me"),
    )
