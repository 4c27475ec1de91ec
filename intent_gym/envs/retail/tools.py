"""The shop's sixteen tools under the names of the original.

Names, arguments, checks and effects follow tau2-bench's retail domain (Sierra Research, MIT licence,
https://github.com/sierra-research/tau2-bench); code and words are our own. `intent_gym.envs.retail.writes` says which
of the original's faults are corrected unless ``tau2_compat`` asks for them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, Final

from intent_gym.envs.desk.general import CALCULATE, TRANSFER
from intent_gym.envs.desk.tools import Tool, Toolbox
from intent_gym.envs.retail import reads, writes
from intent_gym.envs.retail.policy import CANCEL_REASONS, RULES, rules_of

__all__ = ["retail_toolbox"]

_NOTHING: Final[dict[str, dict[str, Any]]] = {}


def _text(description: str, **more: object) -> dict[str, Any]:
    return {"type": "string", "description": description, **more}


def _texts(description: str) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "string"}, "description": description}


_USER = {"user_id": _text("Id of the user, such as 'ann_lee_1234'.")}
_ORDER = {"order_id": _text("Id of the order with its sign, such as '#W0000000'.")}
_OLD = _texts("Ids of the items of the order, one for each copy.")
_NEW = _texts("Ids of the new items, one for each old one in the same order.")
_ADDRESS = {
    "address1": _text("Street and number."),
    "address2": _text("Flat or suite; '' for none."),
    "city": _text("City."),
    "state": _text("State, in two letters."),
    "country": _text("Country, such as 'USA'."),
    "zip": _text("Zip code."),
}
_DIFFERENCE = _text("Id of the owner's payment method that pays or receives the price difference.")


def retail_toolbox(*, tau2_compat: bool = False) -> Toolbox:
    """Return the tools, shared by everyone who asks.

    Args:
        tau2_compat: Reproduce the original's faults.

    >>> list(retail_toolbox())[:2], len(retail_toolbox())
    (['calculate', 'cancel_pending_order'], 16)
    """
    return _toolbox(tau2_compat)  # one key, however it was called


@lru_cache(maxsize=2)
def _toolbox(tau2_compat: bool) -> Toolbox:
    return Toolbox(
        [
            CALCULATE,
            *_order_tools(tau2_compat),
            _read(reads.find_user_id_by_email, "Find a user's id by e-mail.", {"email": _text("E-mail address.")}),
            _read(
                reads.find_user_id_by_name_zip,
                "Find a user's id by name and zip code.",
                {
                    "first_name": _text("First name."),
                    "last_name": _text("Last name."),
                    "zip": _text("Zip code of the user's address."),
                },
            ),
            _read(
                reads.get_item_details,
                "Look up one variant of a product: options, price, availability.",
                {"item_id": _text("Id of the item, not of its product.")},
            ),
            _read(reads.get_order_details, "Look up an order: items, status, address, payments.", _ORDER),
            _read(
                reads.get_product_details,
                "Look up a product with all its variants.",
                {"product_id": _text("Id of the product, not of an item.")},
            ),
            _read(reads.get_user_details, "Look up a user: address, payment methods, orders.", _USER),
            _read(reads.list_all_product_types, "List the names of all products with their ids.", _NOTHING),
            _write(writes.modify_user_address, "Replace the address of a user.", {**_USER, **_ADDRESS}),
            TRANSFER,
        ]
    )


def _order_tools(compat: bool) -> list[Tool]:
    reason = _text("Why.", enum=list(CANCEL_REASONS))
    method = _text("Id of the owner's payment method that is to pay for the order.")
    refund = _text("Id of the owner's payment method that receives the refund.")
    items = {**_ORDER, "item_ids": _OLD, "new_item_ids": _NEW, "payment_method_id": _DIFFERENCE}
    returned = {**_ORDER, "item_ids": _OLD, "payment_method_id": refund}
    return [
        _write(
            writes.cancel_pending_order,
            "Cancel a pending order and refund what was paid.",
            {**_ORDER, "reason": reason},
            compat,
        ),
        _write(
            writes.exchange_delivered_order_items,
            "Ask for an exchange of items of a delivered order; once an order.",
            items,
            compat,
        ),
        _write(
            writes.modify_pending_order_address,
            "Replace the address of a pending order.",
            {**_ORDER, **_ADDRESS},
        ),
        _write(
            writes.modify_pending_order_items,
            "Replace items of a pending order by other variants; once an order.",
            items,
            compat,
        ),
        _write(
            writes.modify_pending_order_payment,
            "Charge a pending order to another payment method.",
            {**_ORDER, "payment_method_id": method},
            compat,
        ),
        _write(
            writes.return_delivered_order_items,
            "Ask for a return of items of a delivered order; once an order.",
            returned,
            compat,
        ),
    ]


def _read(function: Callable[..., Any], description: str, parameters: dict[str, dict[str, Any]]) -> Tool:
    return Tool(function.__name__, description, parameters, function)


def _write(
    function: Callable[..., Any],
    description: str,
    parameters: dict[str, dict[str, Any]],
    compat: bool | None = None,
) -> Tool:
    rules = " ".join(RULES[rule].text for rule in rules_of(function.__name__) if RULES[rule].by == "tool")
    bound = function if compat is None else partial(function, compat=compat)
    return Tool(function.__name__, f"{description} {rules}", parameters, bound, writes=True)
