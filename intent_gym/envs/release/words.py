"""What people call the slots of the release's desk requests, and its tools."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from intent_gym.construct.release import FRAME_SLOT, Names, plain
from intent_gym.core.intent import Slot, Value

__all__ = ["TOOLS", "desk_names", "desk_slots"]

TOOLS: Mapping[str, str] = {
    "exchange_delivered_order_items": "exchange",
    "return_delivered_order_items": "return",
    "cancel_pending_order": "cancellation",
    "modify_pending_order_items": "item change",
    "modify_pending_order_address": "delivery address change",
    "modify_pending_order_payment": "payment change",
    "modify_user_address": "profile address change",
    "book_reservation": "booking",
    "cancel_reservation": "cancellation",
    "send_certificate": "certificate",
    "update_reservation_flights": "flight change",
    "update_reservation_baggages": "bag change",
    "update_reservation_passengers": "passenger change",
}
"""What a request for one call of a tool is called."""

_NUMBERED = re.compile(r" \(\d+\)$")


class _Word(NamedTuple):
    key: str
    word: str
    synonyms: tuple[str, ...] = ()


_PAYMENT = _Word(
    "payment",
    "payment method",
    ("payment", "payment methods", "card", "cards", "method", "pay with", "refund method", "gift card", "credit card"),
)
_WORDS: Mapping[str, _Word] = {
    "order_id": _Word("order", "order", ("orders", "order number", "order id")),
    "item_ids": _Word("item", "item", ("items", "product", "products", "item id", "old item")),
    "new_item_ids": _Word(
        "new_item",
        "new item",
        ("new items", "replacement", "replacements", "new product", "exchange for", "new variant"),
    ),
    "reason": _Word("reason", "reason", ("reasons", "why")),
    "payment_method_id": _PAYMENT,
    "payment_id": _PAYMENT,
    "payment_methods": _PAYMENT,
    "address1": _Word("street", "street", ("address", "addresses", "street address", "where to")),
    "address2": _Word("unit", "second line of the address", ("address line", "apartment", "suite", "unit")),
    "city": _Word("city", "city", ("cities", "town")),
    "state": _Word("state", "state"),
    "country": _Word("country", "country"),
    "zip": _Word("zip", "zip code", ("zip", "postal code", "postcode")),
    "user_id": _Word("user", "user id", ("user", "account", "user name")),
    "reservation_id": _Word("reservation", "reservation", ("reservations", "reservation id", "booking code")),
    "origin": _Word("origin", "origin", ("departure airport", "from where", "start")),
    "destination": _Word("destination", "destination", ("arrival airport", "where to")),
    "flight_type": _Word("trip", "type of trip", ("trip", "one way", "round trip")),
    "cabin": _Word("cabin", "cabin", ("cabins", "class", "cabin class", "travel class")),
    "flights": _Word("flight", "flight", ("flights", "flight number", "flight numbers", "date", "dates", "which day")),
    "passengers": _Word("passenger", "passenger", ("passengers", "traveller", "travellers", "who travels")),
    "total_baggages": _Word(
        "bags", "number of bags", ("bags", "bag", "baggage", "luggage", "suitcases", "how many bags")
    ),
    "nonfree_baggages": _Word("paid_bags", "number of paid bags", ("paid bags", "extra bags")),
    "insurance": _Word("insurance", "insurance", ("travel insurance",)),
    "amount": _Word("amount", "amount", ("how much", "value")),
    "expression": _Word("expression", "calculation"),
    "summary": _Word("summary", "summary"),
}
_EXTRA = _Word(
    "extra",
    "further request",
    ("further requests", "extra request", "additional request", "other request", "other change", "on top", "as well"),
)
_FRAME = Slot(
    "request",
    "request",
    "request",
    "frame",
    synonyms=("requests", "kind of request", "type of request", "change", "changes", "matter", "problem", "do for you"),
)


def _word(argument: str) -> _Word:
    return _WORDS.get(argument) or _Word(argument, argument.replace("_", " "))


def _place(slot: str) -> tuple[_Word, int]:
    """Return the word of a release slot and the number of its action, from 1: "arg:0:tool:cabin", "also:2:tool"."""
    kind, number, _, *argument = slot.split(":", 3)
    return (_EXTRA if kind == "also" else _word(argument[0])), int(number) + 1


def _slot_id(slot: str) -> str:
    if slot == FRAME_SLOT:
        return _FRAME.id
    word, number = _place(slot)
    return f"{word.key}_{number}"


def desk_slots(slots: Iterable[str]) -> tuple[Slot, ...]:
    """Return a desk's public slots for the release's: one for each argument and number of action.

    Slots of one argument share a topic, so that "which payment method?" is about each action's, one after another.

    >>> [s.id for s in desk_slots(["arg:1:update_reservation_baggages:payment_id", "also:0:cancel_reservation"])]
    ['request', 'payment_2', 'extra_1']
    """
    order = [w.key for w in (*_WORDS.values(), _EXTRA)]
    places = {_place(s) for s in slots if s != FRAME_SLOT}
    known = sorted(places, key=lambda p: (order.index(p[0].key) if p[0].key in order else -1, p[0].key, p[1]))
    return (
        _FRAME,
        *(Slot(f"{w.key}_{number}", w.word, w.key, "tag", synonyms=w.synonyms) for w, number in known),
    )


def desk_names(*, raw: bool = False) -> Names:
    """Return a desk's names for the release's.

    Args:
        raw: Whether values stay as they are stored, for trees where two of them would be said alike.

    >>> names = desk_names()
    >>> names.frame("cancel_reservation + book_reservation + book_reservation (2)")
    'cancellation, booking and booking (2)'
    >>> names.value("also:0:cancel_reservation", '{"reservation_id":"OI5L9G"}')
    'cancellation: OI5L9G'
    """
    return Names(_slot_id, _stored if raw else _said, _frame)


def _stored(slot: str, value: Value) -> Value:
    return str(value)


def _said(slot: str, value: Value) -> Value:
    if slot.startswith("also:"):
        tool = slot.split(":")[2]
        return f"{TOOLS.get(tool, tool)}: {plain(value)}"
    return plain(value)


def _frame(frame: str) -> str:
    number = _NUMBERED.search(frame)
    tools = frame[: number.start() if number else None].split(" + ")
    words = [TOOLS.get(tool, tool.replace("_", " ")) for tool in tools]
    told = words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
    return told + (number[0] if number else "")
