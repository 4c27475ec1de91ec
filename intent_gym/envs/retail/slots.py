"""The slots of the retail desk: what a request has beside its kind, and the words people use for it."""

from __future__ import annotations

from collections.abc import Iterable

from intent_gym.core.intent import Slot

__all__ = ["OPTION", "option_slot", "slots_for"]

OPTION = "option_"
"""Prefix of the slot of a product option: "option_color"."""

_REQUEST = Slot(
    "request",
    "request",
    "request",
    "frame",
    synonyms=(
        *("requests", "kind of request", "type of request", "sort of request", "change", "matter", "problem"),
        *("do for you", "help you with", "done about", "happen with"),
    ),
)
_ORDER = Slot(
    "order",
    "order",
    "order",
    "choice",
    synonyms=("orders", "order number", "order id", "purchase", "which purchase"),
    clauses=("on order {value}", "under order {value}", "concerning order {value}"),
    vague=("on a recent order", "on one of my orders", "concerning an order of mine"),
)
_ITEM = Slot(
    "item",
    "item",
    "item",
    "choice",
    synonyms=("items", "product", "products", "article", "articles", "thing", "things", "goods"),
    clauses=("for the {value}", "regarding the {value}", "covering the {value}"),
    vague=("for something I bought", "regarding something in it", "covering a certain thing"),
)
_PAYMENT = Slot(
    "payment",
    "payment method",
    "payment",
    "instrument",
    synonyms=(
        *("payment", "payment methods", "payments", "card", "cards", "method", "pay with", "paid with"),
        *(
            "refund method",
            "refund",
            "refunded",
            "charge",
            "charged",
            "way to pay",
            "gift card",
            "credit card",
            "paypal",
        ),
    ),
    clauses=("settled through {value}", "by way of {value}", "using {value}"),
    vague=("settled in some handy way", "using whatever is easy", "by way of something convenient"),
)
_REASON = Slot(
    "reason",
    "reason",
    "reason",
    "choice",
    synonyms=("reasons", "why", "cause", "grounds"),
    clauses=("for the reason {value}", "with {value} as the reason", "giving {value} as the reason"),
    vague=("for a good reason", "for the usual sort of reason", "on sensible grounds"),
)
_ADDRESS = Slot(
    "address",
    "address",
    "address",
    "choice",
    synonyms=("addresses", "where to", "destination", "ship to", "shipped to", "delivery address", "home", "street"),
    clauses=("to the address {value}", "with {value} as the address", "with the new address {value}"),
    vague=("to somewhere handy", "with a better address", "to a place of mine"),
)


def option_slot(name: str) -> Slot:
    """Return the slot of a product option.

    >>> option_slot("screen size").clauses[0]
    'with {value} as the screen size'
    """
    a = "" if name.endswith("s") and not name.endswith("ss") else "a "
    return Slot(
        OPTION + name.replace(" ", "_"),
        name,
        name,
        "choice",
        synonyms=(f"{name}s", f"kind of {name}", f"which {name}"),
        clauses=(f"with {{value}} as the {name}", f"with {{value}} for the {name}"),
        vague=(f"with {a}decent {name}", f"with some sensible {name}", f"with {a}{name} that will suit me"),
    )


def slots_for(options: Iterable[str]) -> tuple[Slot, ...]:
    """Return the slots of a desk whose products have these options: the fixed ones, then one an option, sorted."""
    own = (option_slot(name) for name in sorted(set(options)))
    return (_REQUEST, _ORDER, _ITEM, _PAYMENT, _REASON, _ADDRESS, *own)
