"""What customers can want changed, one part at a time: made from what it is about, and read back from rows.

A part concerns one item, one order or the profile. Items of one order that are returned, exchanged or changed together
are parts of a single call, since an order takes one such call only; the first of them tells what pays.

Decisions: a change of items without a difference in price leaves no trace of a payment method, so none is told; in a
row of exchanged items, which has lost what goes for what, items of one product are paired in the order of their ids.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from intent_gym.core.intent import Value
from intent_gym.envs.desk.calls import Call
from intent_gym.envs.desk.parts import Part
from intent_gym.envs.desk.tables import Row, Tables
from intent_gym.envs.retail.slots import OPTION
from intent_gym.envs.retail.writes import CANCELLED, EXCHANGED, ITEM_MODIFIED, RETURNED

__all__ = ["ITEM_KINDS", "Changes", "option_id", "spoken"]

ITEM_KINDS: Final = {
    "return": "return_delivered_order_items",
    "exchange": "exchange_delivered_order_items",
    "items": "modify_pending_order_items",
}
"""Tool of each kind of change whose calls list items."""
_FIELDS = ("address1", "address2", "city", "state", "country", "zip")


def spoken(address: Mapping[str, Any]) -> str:
    """Return an address as people say it."""
    return f"{address['address1']} {address['address2']} {address['city']} {address['state']} {address['zip']}"


def option_id(name: str) -> str:
    """Return the id of the slot of a product's option.

    >>> option_id("Screen Size")
    'option_screen_size'
    """
    return OPTION + name.lower().replace(" ", "_")


class Changes:
    """Parts over one database.

    Args:
        tables: The data, shared.
    """

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.variants: Mapping[str, tuple[str, Row]] = {
            item: (product, row) for product, p in tables["products"].items() for item, row in p["variants"].items()
        }
        """Product and variant by item id."""

    # -- made from what they are about ---------------------------------------------------------------------------------
    @staticmethod
    def cancellation(order_id: str, reason: str) -> Part:
        """Return the cancellation of an order."""
        call = Call("cancel_pending_order", {"order_id": order_id, "reason": reason})
        return Part("cancel", {"order": order_id, "reason": reason}, call)

    @staticmethod
    def payment(order_id: str, method: str) -> Part:
        """Return the change of an order's payment to another method."""
        call = Call("modify_pending_order_payment", {"order_id": order_id, "payment_method_id": method})
        return Part("payment", {"order": order_id, "payment": method}, call)

    @staticmethod
    def delivery(order_id: str, address: Mapping[str, Any]) -> Part:
        """Return the change of an order's address."""
        arguments = {"order_id": order_id, **{field: str(address[field]) for field in _FIELDS}}
        cells = {"order": order_id, "address": spoken(address)}
        return Part("order_address", cells, Call("modify_pending_order_address", arguments))

    @staticmethod
    def profile(user_id: str, address: Mapping[str, Any]) -> Part:
        """Return the change of a customer's own address."""
        arguments = {"user_id": user_id, **{field: str(address[field]) for field in _FIELDS}}
        return Part("address", {"address": spoken(address)}, Call("modify_user_address", arguments))

    def item(self, kind: str, order: Row, item: Row, variant: Row | None, method: str) -> Part:
        """Return what is to be done with one item of an order, for which a variant comes unless it is returned."""
        cells: dict[str, Value] = {"order": order["order_id"], "item": item["name"]}
        arguments: dict[str, Any] = {"order_id": order["order_id"], "item_ids": [item["item_id"]]}
        if kind != "items" or (variant is not None and _cents(variant["price"] - item["price"])):
            cells["payment"] = method
        if variant is not None:
            arguments["new_item_ids"] = [variant["item_id"]]
            cells.update({option_id(name): value for name, value in variant["options"].items()})
        return Part(kind, cells, Call(ITEM_KINDS[kind], {**arguments, "payment_method_id": method}))

    # -- wanted together -----------------------------------------------------------------------------------------------
    def joined(self, parts: Sequence[Part]) -> tuple[Sequence[Part], Sequence[Call]] | None:
        """Return parts and their calls, those about items of one order in one; None if they cannot go together."""
        groups: dict[tuple[str, Value], list[Part]] = {}
        for part in parts:
            groups.setdefault((part.kind, part.cells.get("order", "")), []).append(part)
        told: list[Part] = []
        calls: list[Call] = []
        for (kind, _), group in groups.items():
            if len(group) == 1:
                told += group
                calls.append(group[0].call)
                continue
            method = {part.call.arguments.get("payment_method_id") for part in group}
            if kind not in ITEM_KINDS or len(method) != 1:
                return None
            call = self._one_call(group)
            told += self._told(group, call)
            calls.append(call)
        return told, calls

    @staticmethod
    def _one_call(group: Sequence[Part]) -> Call:
        first = group[0].call
        lists = [key for key in ("item_ids", "new_item_ids") if key in first.arguments]
        whole: dict[str, Any] = {key: [item for part in group for item in part.call.arguments[key]] for key in lists}
        return Call(first.name, {**first.arguments, **whole})

    def _told(self, group: Sequence[Part], call: Call) -> Iterator[Part]:
        """Yield the parts of one call, of which the first tells what pays, if anything is to be paid."""
        order = self.tables["orders"][call.arguments["order_id"]]
        price = {item["item_id"]: item["price"] for item in order["items"]}
        pairs = zip(call.arguments["item_ids"], call.arguments.get("new_item_ids", ()), strict=False)
        difference = sum(self.variants[new][1]["price"] - price[old] for old, new in pairs)
        paid = group[0].kind != "items" or _cents(difference)
        for place, part in enumerate(group):
            cells = {slot: value for slot, value in part.cells.items() if slot != "payment"}
            pays: dict[str, Value] = {"payment": call.arguments["payment_method_id"]} if paid and not place else {}
            yield part._replace(cells=cells | pays)

    # -- read back -----------------------------------------------------------------------------------------------------
    def read(self, changed: Mapping[str, Mapping[str, Any]]) -> tuple[str, list[Part]] | None:
        """Return whose rows changed and the changes that they look like, None if like none."""
        orders, users = changed.get("orders", {}), changed.get("users", {})
        owners = {row["user_id"] for row in (*orders.values(), *users.values())}
        if len(owners) != 1:
            return None
        owner = owners.pop()
        parts: list[Part] = []
        for key, after in orders.items():
            found = list(self._of_order(self.tables["orders"][key], after))
            if not found:
                return None
            parts += found
        if owner in users and users[owner]["address"] != self.tables["users"][owner]["address"]:
            parts.append(self.profile(owner, users[owner]["address"]))
        return (owner, parts) if parts else None

    def _of_order(self, before: Row, after: Row) -> Iterator[Part]:
        key, status = before["order_id"], after["status"] if after["status"] != before["status"] else ""
        paid = after["payment_history"][len(before["payment_history"]) :]
        if status == CANCELLED:
            yield self.cancellation(key, after["cancel_reason"])
        elif status == RETURNED:
            method = after["return_payment_method_id"]
            for item in _items(before, after["return_items"]):
                yield self.item("return", before, item, None, method)
        elif status == EXCHANGED:
            method = after["exchange_payment_method_id"]
            for item, new in self._pairs(before, after["exchange_items"], after["exchange_new_items"]):
                yield self.item("exchange", before, item, self.variants[new][1], method)
        elif status == ITEM_MODIFIED:
            method = paid[-1]["payment_method_id"] if paid else before["payment_history"][0]["payment_method_id"]
            for item, other in zip(before["items"], after["items"], strict=True):
                if item["item_id"] != other["item_id"]:
                    yield self.item("items", before, item, self.variants[other["item_id"]][1], method)
        if len(paid) > 1 and status != CANCELLED:
            yield self.payment(key, paid[0]["payment_method_id"])
        if before["address"] != after["address"]:
            yield self.delivery(key, after["address"])

    def _pairs(self, order: Row, olds: Sequence[str], news: Sequence[str]) -> Iterator[tuple[Row, str]]:
        """Yield old items with what comes for them."""
        coming: dict[str, list[str]] = {}
        for new in sorted(news):
            coming.setdefault(self.variants[new][0], []).append(new)
        for item in _items(order, sorted(olds)):
            yield item, coming[item["product_id"]].pop(0)


def _items(order: Row, item_ids: Sequence[str]) -> Iterator[Row]:
    """Yield the items of an order with these ids, as many as there are ids."""
    wanted = Counter(item_ids)
    for item in sorted(order["items"], key=lambda item: str(item["item_id"])):
        if wanted[item["item_id"]]:
            wanted[item["item_id"]] -= 1
            yield item


def _cents(amount: float) -> int:
    return round(amount * 100)
