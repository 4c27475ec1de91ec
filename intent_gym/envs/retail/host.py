"""DriftRetail's host: what customers of the shop can want, on its sixteen tools."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar

from intent_gym.core.intent import Value
from intent_gym.core.rng import key_of
from intent_gym.envs.desk.calls import Call
from intent_gym.envs.desk.changes import State
from intent_gym.envs.desk.host import DeskHost
from intent_gym.envs.desk.loading import open_desk
from intent_gym.envs.desk.parts import Part
from intent_gym.envs.desk.tables import Row, Tables
from intent_gym.envs.desk.tasks import Task
from intent_gym.envs.desk.tools import Toolbox
from intent_gym.envs.retail.changes import Changes, option_id, spoken
from intent_gym.envs.retail.data import load_retail, retail_tables
from intent_gym.envs.retail.generator import DEFAULT_USERS, generate
from intent_gym.envs.retail.policy import CANCEL_REASONS
from intent_gym.envs.retail.slots import OPTION, PARTS, VARIANT, slots_for
from intent_gym.envs.retail.tools import retail_toolbox

__all__ = ["KINDS", "RetailHost", "load"]

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


class RetailHost(DeskHost):
    """The shop's service desk over one database.

    Args:
        tables: Tables products, users, orders.
        toolbox: The sixteen tools.
        source: "embedded", or the folder read.
        split_of: Split of a user.
        tasks: Of the source.
    """

    name = "retail"
    kinds = KINDS
    record = "order"
    most_parts = PARTS
    written: ClassVar[Mapping[str, str]] = {"payment_method_id": "payment", "order_id": "order"}
    turn_cap = 30

    def __init__(
        self, tables: Tables, toolbox: Toolbox, source: str, split_of: Mapping[str, str], tasks: Sequence[Task] = ()
    ) -> None:
        self._changes = Changes(tables)
        self._variants = {
            pid: tuple(v for v in p["variants"].values() if v["available"]) for pid, p in tables["products"].items()
        }
        options = {o.lower() for p in tables["products"].values() for v in p["variants"].values() for o in v["options"]}
        self.slots = slots_for(options)
        super().__init__(tables, toolbox, source, split_of, tasks)

    def callers(self) -> Sequence[str]:
        """Return the ids of all customers, sorted."""
        return sorted(self.tables["users"])

    def _orders(self, caller: str, status: str | None = None) -> list[Row]:
        rows = self.tables["orders"]
        found = [rows[o] for o in self.tables["users"][caller]["orders"] if o in rows]
        return [o for o in found if status is None or o["status"] == status]

    # -- requests ----------------------------------------------------------------------------------------------------
    def requests(self, kind: str, caller: str) -> Iterator[Part]:
        """Yield every change of a kind: orders x items x variants x payment methods, as far as the kind has them."""
        methods = sorted(self.tables["users"][caller]["payment_methods"])
        if kind == "address":
            for address in self._new_addresses(caller):
                yield self._changes.profile(caller, address)
            return
        for order in self._orders(caller, _OPEN[kind]):
            key = order["order_id"]
            if kind == "cancel":
                yield from (self._changes.cancellation(key, reason) for reason in CANCEL_REASONS)
            elif kind == "payment":
                yield from (self._changes.payment(key, method) for method in methods)
            elif kind == "order_address":
                yield from (self._changes.delivery(key, address) for address in self._new_addresses(caller))
            else:
                yield from self._item_requests(kind, order, methods)

    def _item_requests(self, kind: str, order: Row, methods: Sequence[str]) -> Iterator[Part]:
        for item in order["items"]:
            targets: Sequence[Row | None] = [None] if kind == "return" else self._variants[item["product_id"]]
            for target in targets:
                if target is None or target["item_id"] != item["item_id"]:
                    for method in methods:
                        yield self._changes.item(kind, order, item, target, method)

    @lru_cache(maxsize=4096)  # noqa: B019 - hosts live as long as the process
    def _new_addresses(self, caller: str) -> tuple[Row, ...]:
        """Return addresses a customer may want: those of their own rows, then of others, as if they moved there."""
        users = self.tables["users"]
        own = [users[caller]["address"], *(o["address"] for o in self._orders(caller))]
        others = sorted(users, key=lambda u: key_of("moves", caller, u))[:_NEW_ADDRESSES]
        every = (*own, *(users[u]["address"] for u in others))
        return tuple({spoken(address): address for address in every}.values())

    def later(self, cells: Mapping[str, Value]) -> Mapping[str, Value]:
        """Return the values of a change that is not the first: those of options are told together."""
        told = {slot: value for slot, value in cells.items() if not slot.startswith(OPTION)}
        options = " ".join(str(value) for slot, value in cells.items() if slot.startswith(OPTION))
        return told | ({VARIANT: options} if options else {})

    def joined(self, parts: Sequence[Part]) -> tuple[Sequence[Part], Sequence[Call]] | None:
        """Return parts and their calls, those about items of one order in one; None if they cannot go together."""
        return self._changes.joined(parts)

    def read(self, changed: State) -> tuple[str, Sequence[Part]] | None:
        """Return whose rows changed and the changes that they look like, None if like none."""
        return self._changes.read(changed)

    # -- records -----------------------------------------------------------------------------------------------------
    def stated(self, call: Call, value: Any) -> tuple[str, tuple[tuple[str, Value], ...]]:  # noqa: ANN401
        """Return what a customer's own row tells as a single value: the only payment method, the only order."""
        if call.name != "get_user_details" or not isinstance(value, Mapping):
            return "", ()
        found: list[tuple[str, Value]] = []
        if len(value["payment_methods"]) == 1:
            found += self.in_every_part("payment", next(iter(value["payment_methods"])))
        if len(value["orders"]) == 1:
            found += self.in_every_part("order", value["orders"][0])
        return str(value["user_id"]), tuple(found)

    # -- words and material ------------------------------------------------------------------------------------------
    def values(self, slot: str) -> tuple[Value, ...]:
        """Return the values that a slot can have at all, sorted."""
        products, users = self.tables["products"].values(), self.tables["users"].values()
        if slot == "order":
            return tuple(sorted(self.tables["orders"]))
        if slot == "item":
            return tuple(sorted(p["name"] for p in products))
        if slot == "payment":
            return tuple(sorted({m for u in users for m in u["payment_methods"]}))
        if slot == "reason":
            return CANCEL_REASONS
        if slot == "address":
            return tuple(sorted({spoken(row["address"]) for row in (*users, *self.tables["orders"].values())}))
        options = [v["options"] for p in products for v in p["variants"].values()]
        if slot == VARIANT:
            return tuple(sorted({" ".join(each.values()) for each in options}))
        return tuple(sorted({v for each in options for k, v in each.items() if option_id(k) == slot}))


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
    return open_desk(RetailHost, toolbox, source, lambda: _embedded(users, data_seed), _folder)


@lru_cache(maxsize=2)
def _embedded(users: int, seed: int) -> Tables:
    return retail_tables(generate(users, seed), name="embedded retail data", fingerprint=f"embedded {users} {seed}")


def _folder(source: str) -> tuple[Tables, Sequence[Task]]:
    data = load_retail(source)
    tasks = (
        Task(
            task.id,
            task.split,
            tuple(Call(action.name, dict(action.arguments)) for action in task.actions),
            " ".join((task.reason, task.known, task.unknown, task.instructions)),
        )
        for task in data.tasks
    )
    return data.tables, tuple(tasks)
