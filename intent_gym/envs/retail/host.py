"""DriftRetail's host: the requests that customers of the shop can have, on its sixteen tools."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from intent_gym.core.intent import Value
from intent_gym.core.rng import key_of
from intent_gym.envs.desk.calls import Call
from intent_gym.envs.desk.host import DeskHost, Request
from intent_gym.envs.desk.tables import Row, Tables
from intent_gym.envs.desk.tools import Toolbox
from intent_gym.envs.people import split_of
from intent_gym.envs.retail.data import RetailData, Task, load_retail, retail_tables
from intent_gym.envs.retail.generator import DEFAULT_USERS, generate
from intent_gym.envs.retail.slots import OPTION, slots_for
from intent_gym.envs.retail.tools import retail_toolbox

__all__ = ["KINDS", "REASONS", "RetailHost", "load"]

KINDS: Mapping[str, str] = {
    "cancel": "cancellation",
    "return": "return",
    "exchange": "exchange",
    "items": "item change",
    "payment": "payment change",
    "order_address": "delivery address change",
    "address": "profile address change",
}
"""Words of each kind of request."""
REASONS = ("no longer needed", "ordered by mistake")
_OPEN = {
    "cancel": "pending",
    "items": "pending",
    "payment": "pending",
    "order_address": "pending",
    "return": "delivered",
    "exchange": "delivered",
}
"""Status that an order must have for a kind of request."""
_NEW_ADDRESSES = 8
_GOALS_A_FRAME = 2
_FEWEST_ROWS = 3
"""A kind with fewer outcomes for a caller leaves nothing to find out."""
_ADDRESS_FIELDS = ("address1", "address2", "city", "state", "country", "zip")


class RetailHost(DeskHost):
    """The shop's service desk over one database.

    Args:
        tables: Tables products, users, orders.
        toolbox: The sixteen tools.
        source: "embedded", or the folder read.
        split_of: Split of a user.
    """

    name = "retail"
    kinds = KINDS
    turn_cap = 30

    def __init__(self, tables: Tables, toolbox: Toolbox, source: str, split_of: Mapping[str, str]) -> None:
        self._split_of = split_of
        self._variants = {
            pid: tuple(v for v in p["variants"].values() if v["available"]) for pid, p in tables["products"].items()
        }
        options = {o.lower() for p in tables["products"].values() for v in p["variants"].values() for o in v["options"]}
        self.slots = slots_for(options)
        super().__init__(tables, toolbox, source)

    def callers(self) -> Sequence[str]:
        """Return the ids of all customers, sorted."""
        return sorted(self.tables["users"])

    def kinds_of(self, caller: str) -> Sequence[str]:
        """Return the kinds of which some request of the customer is carried out."""
        return self._kinds_of(caller)

    @lru_cache(maxsize=1 << 15)  # noqa: B019 - hosts live as long as the process
    def _kinds_of(self, caller: str) -> tuple[str, ...]:
        return tuple(k for k in KINDS if self.possible(k, caller))

    def _orders(self, caller: str, status: str | None = None) -> list[Row]:
        rows = self.tables["orders"]
        found = [rows[o] for o in self.tables["users"][caller]["orders"] if o in rows]
        return [o for o in found if status is None or o["status"] == status]

    # -- requests ----------------------------------------------------------------------------------------------------
    def requests(self, kind: str, caller: str) -> Iterator[Request]:
        """Yield every request of a kind: orders x items x variants x payment methods, as far as the kind has them."""
        user = self.tables["users"][caller]
        methods = sorted(user["payment_methods"])
        if kind == "address":
            for text, address in self._new_addresses(caller):
                yield Request({"address": text}, Call("modify_user_address", {"user_id": caller, **address}))
            return
        for order in self._orders(caller, _OPEN[kind]):
            base = {"order": order["order_id"]}
            if kind == "cancel":
                for reason in REASONS:
                    arguments = {"order_id": order["order_id"], "reason": reason}
                    yield Request({**base, "reason": reason}, Call("cancel_pending_order", arguments))
            elif kind == "payment":
                for method in methods:
                    arguments = {"order_id": order["order_id"], "payment_method_id": method}
                    yield Request({**base, "payment": method}, Call("modify_pending_order_payment", arguments))
            elif kind == "order_address":
                for text, address in self._new_addresses(caller):
                    arguments = {"order_id": order["order_id"], **address}
                    yield Request({**base, "address": text}, Call("modify_pending_order_address", arguments))
            else:
                yield from self._item_requests(kind, order, methods)

    def _item_requests(self, kind: str, order: Row, methods: Sequence[str]) -> Iterator[Request]:
        tool = {"return": "return_delivered_order_items", "exchange": "exchange_delivered_order_items"}.get(
            kind, "modify_pending_order_items"
        )
        for item in order["items"]:
            cells: dict[str, Value] = {"order": order["order_id"], "item": item["name"]}
            targets: Sequence[Row | None] = [None] if kind == "return" else self._variants[item["product_id"]]
            for target in targets:
                if target is not None and target["item_id"] == item["item_id"]:
                    continue
                for method in methods:
                    arguments: dict[str, Any] = {"order_id": order["order_id"], "item_ids": [item["item_id"]]}
                    wanted: dict[str, Value] = {**cells, "payment": method}
                    if target is not None:
                        arguments["new_item_ids"] = [target["item_id"]]
                        wanted |= {OPTION + k.lower().replace(" ", "_"): v for k, v in target["options"].items()}
                    yield Request(wanted, Call(tool, {**arguments, "payment_method_id": method}))

    @lru_cache(maxsize=4096)  # noqa: B019 - hosts live as long as the process
    def _new_addresses(self, caller: str) -> tuple[tuple[str, dict[str, str]], ...]:
        """Return addresses a customer may want: those of their own rows, then of others, as if they moved there."""
        users = self.tables["users"]
        own = [users[caller]["address"], *(o["address"] for o in self._orders(caller))]
        others = sorted(users, key=lambda u: key_of("moves", caller, u))[:_NEW_ADDRESSES]
        every = (*own, *(users[u]["address"] for u in others))
        return tuple({_spoken(a): {f: str(a[f]) for f in _ADDRESS_FIELDS} for a in every}.items())

    # -- records -----------------------------------------------------------------------------------------------------
    def caller_of(self, changed: Mapping[str, Mapping[str, Any]]) -> str:
        """Return the customer whose rows an end state changes."""
        for order_id in changed.get("orders", {}):
            return str(self.tables["orders"][order_id]["user_id"])
        return next(iter(changed.get("users", {"": None})))

    def stated(self, call: Call, value: Any, caller: str | None) -> tuple[tuple[str, Value], ...]:  # noqa: ANN401
        """Return what a customer's own row tells as a single value: the only payment method, the only order."""
        if call.name != "get_user_details" or not isinstance(value, Mapping):
            return ()
        found: list[tuple[str, Value]] = []
        if len(value["payment_methods"]) == 1:
            found.append(("payment", next(iter(value["payment_methods"]))))
        if len(value["orders"]) == 1:
            found.append(("order", value["orders"][0]))
        return tuple(found)

    # -- words and material ------------------------------------------------------------------------------------------
    def domain(self, slot: str, frame: str | None = None) -> tuple[Value, ...]:
        """Return the legal values of a slot; over all frames they are read from the tables."""
        return super().domain(slot, frame) if frame is not None or slot == "request" else self._all_values(slot)

    @lru_cache(maxsize=256)  # noqa: B019 - hosts live as long as the process
    def _all_values(self, slot: str) -> tuple[Value, ...]:
        products, users = self.tables["products"], self.tables["users"]
        if slot == "order":
            return tuple(sorted(self.tables["orders"]))
        if slot == "item":
            return tuple(sorted(p["name"] for p in products.values()))
        if slot == "payment":
            return tuple(sorted({m for u in users.values() for m in u["payment_methods"]}))
        if slot == "reason":
            return REASONS
        if slot == "address":
            rows = (*users.values(), *self.tables["orders"].values())
            return tuple(sorted({_spoken(r["address"]) for r in rows}))
        options = (o for p in products.values() for v in p["variants"].values() for o in v["options"].items())
        return tuple(sorted({v for k, v in options if OPTION + k.lower().replace(" ", "_") == slot}))


def _spoken(address: Mapping[str, Any]) -> str:
    return f"{address['address1']} {address['address2']} {address['city']} {address['state']} {address['zip']}"


# -- loading ---------------------------------------------------------------------------------------------------------
def load(
    source: str = "embedded", users: int = DEFAULT_USERS, data_seed: int = 0, tau2_compat: bool = False
) -> RetailHost:
    """Return the desk.

    Args:
        source: "embedded", or a folder with tau2's retail files.
        users: Customers of the embedded data, 50 to 20,000.
        data_seed: Seed of the embedded data.
        tau2_compat: Whether the tools keep the original's faults.

    Raises:
        OptionError: A value out of range.
        DataError: The folder cannot be read.
    """
    toolbox = retail_toolbox(tau2_compat=tau2_compat)
    if source == "embedded":
        tables = _embedded(users, data_seed)
        return RetailHost(tables, toolbox, source, {u: split_of(u) for u in tables["users"]})
    data = load_retail(source)
    asked = {user for task in data.tasks if task.split == "test" for user in _users_of(data, task)}
    splits = {u: "test" if u in asked else split_of(u) for u in data.tables["users"]}
    return RetailHost(data.tables, toolbox, source, splits)


@lru_cache(maxsize=2)
def _embedded(users: int, seed: int) -> Tables:
    return retail_tables(generate(users, seed), name="embedded retail data", fingerprint=f"embedded {users} {seed}")


def _users_of(data: RetailData, task: Task) -> Iterator[str]:
    """Yield the customers that a task's reference solution touches."""
    for action in task.actions:
        user, order = action.arguments.get("user_id"), action.arguments.get("order_id")
        if user in data.tables["users"]:
            yield str(user)
        if order in data.tables["orders"]:
            yield str(data.tables["orders"][str(order)]["user_id"])
