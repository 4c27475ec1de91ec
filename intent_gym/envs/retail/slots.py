"""The slots of the retail desk: what a request has beside its kind, and the words people use for it."""

from __future__ import annotations

from collections.abc import Iterable

from intent_gym.core.intent import Slot
from intent_gym.envs.desk.parts import later_slots
from intent_gym.envs.desk.slots import REQUEST, payment_slot

__all__ = ["OPTION", "PARTS", "VARIANT", "option_slot", "slots_for"]

OPTION = "option_"
"""Prefix of the slot of a product option: "option_color"."""
VARIANT = "variant"
"""The slot in which the options of an item are told together, where the change is not the first."""
PARTS = 4
"""Changes that a request has at most; an item returned or exchanged is one, also with others of its order."""

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


_VARIANT = Slot(
    VARIANT,
    "variant",
    "variant",
    "choice",
    synonyms=("variants", "version", "replacement"),
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
    """Return the slots of a desk whose products have these options.

    In this order: those of every desk, one an option, sorted, and those of the second change and later ones.
    """
    own = (option_slot(name) for name in sorted(set(options)))
    payment = payment_slot("paypal")
    later = later_slots((_ORDER, _ITEM, _VARIANT, payment, _REASON, _ADDRESS), PARTS)
    return (REQUEST, _ORDER, _ITEM, payment, _REASON, _ADDRESS, *own, *later)
