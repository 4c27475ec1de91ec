"""The shop's write tools: every check in the original's order, then the change.

With ``compat`` the recorded results of the original are reproduced. Without it these faults of the original are
corrected; everything else is the same, and no correction changes the reason of a refusal that the original makes too:

* **Several items in one modification.** The original gives every modified item the price and options of the last
  variant, and hits the wrong item when a new id equals another old one. Here pair *i* replaces the first not yet
  replaced copy of ``item_ids[i]`` with its own variant's id, price and options.
* **Amounts** of item changes are rounded to cents.
* **A zero difference** of an item change adds no payment row (the original adds a refund of 0). Its payment method
  then leaves no trace. The payment of such an order cannot be changed afterwards, as in the original.
* **Empty item lists** are refused (the original changes the order's status), after every other check.
* **Exchanging an item for itself** is refused, as modifying one is, after every other check.
* **Cancelling after a change of payment** refunds each method what it has paid and not got back. The original refunds
  every row of the history, refunds too, so that a gift card can be credited three times.

Kept although one could do otherwise:

* Exchanges and returns store their lists sorted, so that which old item goes for which new one is not stored: the goods
  that come and go and the price are the same for every pairing.
* An exchange or return moves no money yet; the order keeps its items.
* The address of an order may be changed after its items were; addresses may be blank or the same as before.
* Any order may be named, whoever owns it: whose records are touched is up to the agent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from intent_gym.envs.desk.calls import shown
from intent_gym.envs.desk.tables import Draft, Row
from intent_gym.envs.desk.tools import Refusal
from intent_gym.envs.retail.policy import CANCEL_REASONS
from intent_gym.envs.retail.reads import get_order_details, get_user_details, variants

__all__ = [
    "ITEM_MODIFIED",
    "cancel_pending_order",
    "exchange_delivered_order_items",
    "modify_pending_order_address",
    "modify_pending_order_items",
    "modify_pending_order_payment",
    "modify_user_address",
    "return_delivered_order_items",
]

PENDING, DELIVERED, CANCELLED = "pending", "delivered", "cancelled"
ITEM_MODIFIED, EXCHANGED, RETURNED = "pending (item modified)", "exchange requested", "return requested"
PAYMENT, REFUND, GIFT_CARD = "payment", "refund", "gift_card"


# -- tools -------------------------------------------------------------------------------------------------------------
def cancel_pending_order(draft: Draft, order_id: str, reason: str, *, compat: bool = False) -> Row:
    """Cancel an order and refund what was paid."""
    order = get_order_details(draft, order_id)
    if order["status"] != PENDING:
        raise _not_pending(order, "cancelled")
    if reason not in CANCEL_REASONS:
        raise Refusal("cancel_reason", f"expected reason {' or '.join(map(repr, CANCEL_REASONS))}, got {shown(reason)}")
    row = draft.edit("orders", order_id)
    for method_id, amount in _refunds(order["payment_history"], compat):
        _record(row, REFUND, amount, method_id)
        _credit(draft, order["user_id"], method_id, amount)
    row["status"] = CANCELLED
    row["cancel_reason"] = reason
    return row


def modify_pending_order_address(
    draft: Draft, order_id: str, address1: str, address2: str, city: str, state: str, country: str, zip: str
) -> Row:
    """Replace the address of an order."""
    order = get_order_details(draft, order_id)
    if PENDING not in order["status"]:
        raise _not_pending(order, "changed")
    row = draft.edit("orders", order_id)
    row["address"] = _address(address1, address2, city, state, country, zip)
    return row


def modify_user_address(
    draft: Draft, user_id: str, address1: str, address2: str, city: str, state: str, country: str, zip: str
) -> Row:
    """Replace the address of a user."""
    get_user_details(draft, user_id)
    row = draft.edit("users", user_id)
    row["address"] = _address(address1, address2, city, state, country, zip)
    return row


def modify_pending_order_payment(draft: Draft, order_id: str, payment_method_id: str, *, compat: bool = False) -> Row:
    """Charge an order to another method and refund the one it was paid with."""
    order = get_order_details(draft, order_id)
    if PENDING not in order["status"]:
        raise _not_pending(order, "changed")
    method = _method(draft, order, payment_method_id)
    history = order["payment_history"]
    settled = order["status"] == ITEM_MODIFIED and not compat
    if len(history) != 1 or history[0]["transaction_type"] != PAYMENT or settled:
        raise Refusal(
            "single_payment",
            f"expected an order with one payment and its items as ordered, got {order_id} with status "
            f"{order['status']!r} and {len(history)} entries in its payment history; its payment stays as it is",
        )
    old_id, amount = history[0]["payment_method_id"], history[0]["amount"]
    if old_id == payment_method_id:
        raise Refusal("other_payment_method", f"expected another method than the present one, got {old_id}")
    _covers(method, amount)
    row = draft.edit("orders", order_id)
    _record(row, PAYMENT, amount, payment_method_id)
    _record(row, REFUND, amount, old_id)
    _credit(draft, order["user_id"], payment_method_id, -amount)
    _credit(draft, order["user_id"], old_id, amount)
    return row


def modify_pending_order_items(
    draft: Draft,
    order_id: str,
    item_ids: list[str],
    new_item_ids: list[str],
    payment_method_id: str,
    *,
    compat: bool = False,
) -> Row:
    """Replace items of a pending order and settle the price difference."""
    order = get_order_details(draft, order_id)
    if order["status"] != PENDING:
        raise _not_pending(order, "changed")
    chosen = _chosen(draft, order, item_ids, new_item_ids, same_refused=True)
    difference = _difference(order, item_ids, chosen, exact=compat)
    method = _method(draft, order, payment_method_id)
    _covers(method, difference)
    if not compat:
        _some(item_ids)
    row = draft.edit("orders", order_id)
    if difference > 0:
        _record(row, PAYMENT, difference, payment_method_id)
    elif difference < 0 or compat:
        _record(row, REFUND, -difference, payment_method_id)
    _credit(draft, order["user_id"], payment_method_id, -difference)
    if compat:
        _replace_as_original(row["items"], item_ids, chosen)
    else:
        _replace(row["items"], item_ids, chosen)
    row["status"] = ITEM_MODIFIED
    return row


def exchange_delivered_order_items(
    draft: Draft,
    order_id: str,
    item_ids: list[str],
    new_item_ids: list[str],
    payment_method_id: str,
    *,
    compat: bool = False,
) -> Row:
    """Ask for an exchange of items of a delivered order."""
    order = get_order_details(draft, order_id)
    if order["status"] != DELIVERED:
        raise _not_delivered(order, "exchanged")
    chosen = _chosen(draft, order, item_ids, new_item_ids, same_refused=False)
    difference = _difference(order, item_ids, chosen)
    _covers(_method(draft, order, payment_method_id), difference)
    if not compat:
        for old, new in zip(item_ids, new_item_ids, strict=True):
            _other(old, new)
        _some(item_ids)
    row = draft.edit("orders", order_id)
    row["status"] = EXCHANGED
    row["exchange_items"] = sorted(item_ids)
    row["exchange_new_items"] = sorted(new_item_ids)
    row["exchange_payment_method_id"] = payment_method_id
    row["exchange_price_difference"] = difference
    return row


def return_delivered_order_items(
    draft: Draft, order_id: str, item_ids: list[str], payment_method_id: str, *, compat: bool = False
) -> Row:
    """Ask for a return of items of a delivered order."""
    order = get_order_details(draft, order_id)
    if order["status"] != DELIVERED:
        raise _not_delivered(order, "returned")
    method = _method(draft, order, payment_method_id)
    paid_with = order["payment_history"][0]["payment_method_id"]
    if method["source"] != GIFT_CARD and payment_method_id != paid_with:
        raise Refusal(
            "refund_method", f"expected the method of the order, {paid_with}, or a gift card, got {payment_method_id}"
        )
    _in_order(order, item_ids)
    if not compat:
        _some(item_ids)
    row = draft.edit("orders", order_id)
    row["status"] = RETURNED
    row["return_items"] = sorted(item_ids)
    row["return_payment_method_id"] = payment_method_id
    return row


# -- checks ------------------------------------------------------------------------------------------------------------
def _not_pending(order: Row, done: str) -> Refusal:
    return Refusal(
        "pending",
        f"expected a pending order, got {order['order_id']} with status {order['status']!r}; it cannot be {done}",
    )


def _not_delivered(order: Row, done: str) -> Refusal:
    return Refusal(
        "delivered",
        f"expected a delivered order, got {order['order_id']} with status {order['status']!r}; it cannot be {done}",
    )


def _method(draft: Draft, order: Row, method_id: str) -> Row:
    methods: Mapping[str, Row] = get_user_details(draft, order["user_id"])["payment_methods"]
    if method_id not in methods:
        raise Refusal(
            "known_payment_method",
            f"expected a payment method of the order's owner ({', '.join(methods) or 'there is none'}), "
            f"got {shown(method_id)}",
        )
    return methods[method_id]


def _covers(method: Row, amount: float) -> None:
    if method["source"] == GIFT_CARD and method["balance"] < amount:
        raise Refusal(
            "gift_card_covers",
            f"expected a gift card with at least {amount:.2f} on it, got {method['id']} with {method['balance']:.2f}; "
            "choose another method",
        )


def _in_order(order: Row, item_ids: Sequence[str]) -> None:
    held = Counter(item["item_id"] for item in order["items"])
    for item_id, wanted in Counter(item_ids).items():
        if wanted > held[item_id]:
            raise Refusal(
                "item_in_order",
                f"expected items of order {order['order_id']}, got {shown(item_id)} {wanted} times where the order has "
                f"{held[item_id]}; it holds {', '.join(held)}",
            )


def _chosen(
    draft: Draft, order: Row, item_ids: Sequence[str], new_item_ids: Sequence[str], *, same_refused: bool
) -> list[Row]:
    """Return the variant chosen for each old item."""
    _in_order(order, item_ids)
    if len(item_ids) != len(new_item_ids):
        raise Refusal(
            "same_count", f"expected a new item for every old one, got {len(item_ids)} old and {len(new_item_ids)} new"
        )
    chosen = []
    for old, new in zip(item_ids, new_item_ids, strict=True):
        if same_refused:
            _other(old, new)
        item = next(item for item in order["items"] if item["item_id"] == old)
        variant = variants(draft, item["product_id"]).get(new)
        if variant is None:
            raise Refusal(
                "same_product",
                f"expected another variant of {item['name']} (product {item['product_id']}) for {old}, "
                f"got {shown(new)}; get_product_details lists them",
            )
        if not variant["available"]:
            raise Refusal("available", f"expected an available variant of {item['name']}, got {new}, which is sold out")
        chosen.append(variant)
    return chosen


def _other(old: str, new: str) -> None:
    if old == new:
        raise Refusal("other_variant", f"expected another item in place of {old}, got the same; leave it out")


def _some(item_ids: Sequence[str]) -> None:
    if not item_ids:
        raise Refusal("some_item", "expected at least one item, got an empty list; list the items")


# -- changes -----------------------------------------------------------------------------------------------------------
def _difference(order: Row, item_ids: Sequence[str], chosen: Sequence[Row], *, exact: bool = False) -> float:
    prices = {item["item_id"]: item["price"] for item in reversed(order["items"])}  # of the first copy
    total: float = sum(variant["price"] - prices[old] for old, variant in zip(item_ids, chosen, strict=True))
    return total if exact else round(total, 2)


def _replace(items: list[dict[str, Any]], item_ids: Sequence[str], chosen: Sequence[Row]) -> None:
    places: dict[str, list[int]] = {}
    for place, item in enumerate(items):
        places.setdefault(item["item_id"], []).append(place)
    for old, variant in zip(item_ids, chosen, strict=True):
        items[places[old].pop(0)].update(_as_item(variant))


def _replace_as_original(items: list[dict[str, Any]], item_ids: Sequence[str], chosen: Sequence[Row]) -> None:
    for old, variant in zip(item_ids, chosen, strict=True):
        hit = next(item for item in items if item["item_id"] == old)
        hit.update(_as_item(chosen[-1]), item_id=variant["item_id"])


def _as_item(variant: Row) -> dict[str, Any]:
    return {"item_id": variant["item_id"], "price": variant["price"], "options": dict(variant["options"])}


def _refunds(history: Sequence[Row], compat: bool) -> list[tuple[str, float]]:
    """Return (method, amount) of what a cancellation pays back."""
    if compat:
        return [(entry["payment_method_id"], entry["amount"]) for entry in history]
    paid: dict[str, float] = {}
    for entry in history:
        amount = entry["amount"] if entry["transaction_type"] == PAYMENT else -entry["amount"]
        paid[entry["payment_method_id"]] = round(paid.get(entry["payment_method_id"], 0.0) + amount, 2)
    return [(method_id, amount) for method_id, amount in paid.items() if amount > 0]


def _record(row: dict[str, Any], kind: str, amount: float, method_id: str) -> None:
    row["payment_history"].append({"transaction_type": kind, "amount": amount, "payment_method_id": method_id})


def _credit(draft: Draft, user_id: str, method_id: str, amount: float) -> None:
    """Add an amount to a gift card at once; other methods are settled elsewhere."""
    if get_user_details(draft, user_id)["payment_methods"][method_id]["source"] == GIFT_CARD and amount:
        card = draft.edit("users", user_id)["payment_methods"][method_id]
        card["balance"] = round(card["balance"] + amount, 2)


def _address(address1: str, address2: str, city: str, state: str, country: str, zip: str) -> dict[str, str]:
    return {
        "address1": address1,
        "address2": address2,
        "city": city,
        "country": country,
        "state": state,
        "zip": zip,
    }
