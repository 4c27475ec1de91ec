"""The shop's rules, as data: what its tools enforce, and what is left to whoever serves the caller.

Sources: the policy text and the tools of tau2-bench's retail domain (Sierra Research, MIT licence), in our own words.
A rule with ``by="tool"`` is the `rule` of every `Refusal` that it causes; one with ``by="agent"`` no tool checks.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from intent_gym.envs.desk.rules import Rule

__all__ = ["CANCEL_REASONS", "RULES", "Rule", "rules_of"]

CANCEL_REASONS: Final = ("no longer needed", "ordered by mistake")

_CANCEL = "cancel_pending_order"
_ADDRESS = "modify_pending_order_address"
_PAYMENT = "modify_pending_order_payment"
_MODIFY = "modify_pending_order_items"
_EXCHANGE = "exchange_delivered_order_items"
_RETURN = "return_delivered_order_items"
_HOME = "modify_user_address"
_ORDERS = (_CANCEL, _ADDRESS, _PAYMENT, _MODIFY, _EXCHANGE, _RETURN)
_WRITES = (*_ORDERS, _HOME)


RULES: Final[Mapping[str, Rule]] = MappingProxyType(
    {
        # Kept by the tools, in the order in which a tool checks them.
        "known_user": Rule(
            "The user must be on file.",
            ("find_user_id_by_email", "find_user_id_by_name_zip", "get_user_details", _HOME),
        ),
        "known_product": Rule("The product must be in the catalogue.", ("get_product_details",)),
        "known_item": Rule("The item must be a variant of some product.", ("get_item_details",)),
        "known_order": Rule("The order must be on file.", ("get_order_details", *_ORDERS)),
        "pending": Rule(
            "Only an order that is still pending can be cancelled or changed; after a change of its items only its "
            "address can.",
            (_CANCEL, _ADDRESS, _PAYMENT, _MODIFY),
        ),
        "delivered": Rule("Only a delivered order can be returned or exchanged, once.", (_EXCHANGE, _RETURN)),
        "cancel_reason": Rule(
            f"An order is cancelled for one of two reasons: {' or '.join(map(repr, CANCEL_REASONS))}.", (_CANCEL,)
        ),
        "item_in_order": Rule(
            "Every item listed must be in the order, at least as many times as it is listed.",
            (_MODIFY, _EXCHANGE, _RETURN),
        ),
        "same_count": Rule("One new item is given for every old one, in the same order.", (_MODIFY, _EXCHANGE)),
        "other_variant": Rule("The new item must differ from the old one.", (_MODIFY, _EXCHANGE)),
        "same_product": Rule("The new item must be a variant of the same product.", (_MODIFY, _EXCHANGE)),
        "available": Rule("The new item must be available.", (_MODIFY, _EXCHANGE)),
        "known_payment_method": Rule(
            "The payment method must be one of those of the order's owner.", (_PAYMENT, _MODIFY, _EXCHANGE, _RETURN)
        ),
        "single_payment": Rule(
            "The payment can be changed once, while the order has one payment and its items are as ordered.",
            (_PAYMENT,),
        ),
        "other_payment_method": Rule("The new payment method must differ from the present one.", (_PAYMENT,)),
        "gift_card_covers": Rule(
            "A gift card that is to pay must hold the whole amount.", (_PAYMENT, _MODIFY, _EXCHANGE)
        ),
        "refund_method": Rule(
            "A return is refunded to the method the order was paid with, or to a gift card.", (_RETURN,)
        ),
        "some_item": Rule("At least one item must be listed.", (_MODIFY, _EXCHANGE, _RETURN)),
        "bad_expression": Rule("The expression must be plain arithmetic with a value.", ("calculate",)),
        # Left to the agent.
        "identified": Rule(
            "Find out who calls, by e-mail or by name and zip code, before anything else; a stated user id is not "
            "enough.",
            (),
            "agent",
        ),
        "own_records": Rule("Serve one caller, and touch no one else's records.", _WRITES, "agent"),
        "confirmed": Rule("Read a change back and get a plain yes before it is made.", _WRITES, "agent"),
        "all_items_first": Rule(
            "Items are changed or exchanged once per order, so collect them all first.",
            (_MODIFY, _EXCHANGE),
            "agent",
        ),
        "one_call": Rule("One tool call at a time, and never together with a message to the caller.", (), "agent"),
        "only_facts": Rule("Say only what the caller or the tools have given, and give no opinions.", (), "agent"),
        "in_scope": Rule("Turn down what these rules do not allow.", (), "agent"),
        "transfer_last": Rule(
            "Hand over to a person only when the request is beyond the tools.",
            ("transfer_to_human_agents",),
            "agent",
        ),
    }
)
"""Rules by id."""


def rules_of(tool: str) -> tuple[str, ...]:
    """Return the ids of the rules about a tool.

    >>> rules_of("calculate"), rules_of("cancel_pending_order")
    (('bad_expression',), ('known_order', 'pending', 'cancel_reason', 'own_records', 'confirmed'))
    """
    return tuple(rule for rule, entry in RULES.items() if tool in entry.tools)
