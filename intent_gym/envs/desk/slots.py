"""Slots that every desk has."""

from __future__ import annotations

from typing import Final

from intent_gym.core.intent import Slot

__all__ = ["REQUEST", "payment_slot"]

REQUEST: Final = Slot(
    "request",
    "request",
    "request",
    "frame",
    synonyms=(
        *("requests", "kind of request", "type of request", "sort of request", "change", "matter", "problem"),
        *("do for you", "help you with", "done about", "happen with"),
    ),
)
"""The frame's: what is wanted, and by whom."""


def payment_slot(*more: str) -> Slot:
    """Return the slot of what pays or is refunded, with more synonyms of a desk's own."""
    return Slot(
        "payment",
        "payment method",
        "payment",
        "instrument",
        synonyms=(
            *("payment", "payment methods", "payments", "card", "cards", "method", "pay with", "paid with"),
            *("refund method", "refund", "refunded", "charge", "charged", "way to pay", "gift card", "credit card"),
            *more,
        ),
        clauses=("settled through {value}", "by way of {value}", "using {value}"),
        vague=("settled in some handy way", "using whatever is easy", "by way of something convenient"),
    )
