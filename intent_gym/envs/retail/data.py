"""A shop's source folder: database, tasks, splits and policy text, in the files of tau2-bench's retail domain.

``db.json`` is needed; ``tasks.json``, ``split_tasks.json`` and ``policy.md`` may be missing. Each may be gzipped, with
``.gz`` after its name or without. A folder is read once a process; the tables are shared and never changed.

Decisions: keys that this package does not know are a fault in the database, whose rows the tools rewrite and acceptance
compares, and are left alone in tasks, of which later versions have more. Every id that a row mentions must exist.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from intent_gym.envs.desk.files import find, read_json, read_text
from intent_gym.envs.desk.tables import Tables
from intent_gym.errors import DataError

__all__ = ["Action", "RetailData", "Task", "load_retail", "retail_tables"]

TABLES = ("products", "users", "orders")


# -- the files' shapes -------------------------------------------------------------------------------------------------
class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Variant(_Row):
    item_id: str
    options: dict[str, str]
    available: bool
    price: Annotated[float, Field(ge=0, allow_inf_nan=False)]


class _Product(_Row):
    name: str
    product_id: str
    variants: dict[str, _Variant]


class _Name(_Row):
    first_name: str
    last_name: str


class _Address(_Row):
    address1: str
    address2: str
    city: str
    country: str
    state: str
    zip: str


class _Card(_Row):
    source: Literal["credit_card"]
    id: str
    brand: str
    last_four: str


class _Paypal(_Row):
    source: Literal["paypal"]
    id: str


class _GiftCard(_Row):
    source: Literal["gift_card"]
    id: str
    balance: Annotated[float, Field(allow_inf_nan=False)]


_Method: TypeAlias = Annotated[_Card | _Paypal | _GiftCard, Field(discriminator="source")]


class _User(_Row):
    user_id: str
    name: _Name
    address: _Address
    email: str
    payment_methods: dict[str, _Method]
    orders: list[str]


class _Item(_Row):
    name: str
    product_id: str
    item_id: str
    price: Annotated[float, Field(allow_inf_nan=False)]
    options: dict[str, str]


class _Fulfillment(_Row):
    tracking_id: list[str]
    item_ids: list[str]


class _Payment(_Row):
    transaction_type: Literal["payment", "refund"]
    amount: Annotated[float, Field(allow_inf_nan=False)]
    payment_method_id: str


class _Order(_Row):
    order_id: str
    user_id: str
    address: _Address
    items: list[_Item]
    status: Literal[
        "pending",
        "pending (item modified)",
        "processed",
        "delivered",
        "cancelled",
        "exchange requested",
        "return requested",
    ]
    fulfillments: list[_Fulfillment]
    payment_history: Annotated[list[_Payment], Field(min_length=1)]
    cancel_reason: str | None = None
    exchange_items: list[str] | None = None
    exchange_new_items: list[str] | None = None
    exchange_payment_method_id: str | None = None
    exchange_price_difference: float | None = None
    return_items: list[str] | None = None
    return_payment_method_id: str | None = None


class _Database(_Row):
    products: dict[str, _Product]
    users: dict[str, _User]
    orders: dict[str, _Order]


class _ActionFile(BaseModel):
    name: str
    arguments: dict[str, Any]


class _Instructions(BaseModel):
    reason_for_call: str
    task_instructions: str = ""
    known_info: str | None = None
    unknown_info: str | None = None


class _Scenario(BaseModel):
    instructions: _Instructions


class _Criteria(BaseModel):
    actions: list[_ActionFile] | None = None
    communicate_info: list[str] | None = None
    nl_assertions: list[str] | None = None
    reward_basis: list[str] | None = None


class _TaskFile(BaseModel):
    id: str
    user_scenario: _Scenario
    evaluation_criteria: _Criteria


_DATABASE = TypeAdapter(_Database)
_TASKS = TypeAdapter(list[_TaskFile])
_SPLITS = TypeAdapter(dict[str, list[str]])


# -- what is handed on -------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Action:
    """One call of a task's reference solution."""

    name: str
    arguments: Mapping[str, Any]
    """JSON values by parameter name; not to be changed."""


@dataclass(frozen=True)
class Task:
    """One task as its author wrote it."""

    id: str
    split: str
    """"train", "test", or "" where the source has no splits."""
    reason: str
    """Why the caller calls."""
    instructions: str
    """How the caller behaves."""
    known: str
    unknown: str
    actions: tuple[Action, ...]
    """The reference solution, reads included; some of its calls may fail, as in the original."""
    communicate: tuple[str, ...]
    """Texts that the agent is to mention."""
    assertions: tuple[str, ...]
    reward_basis: tuple[str, ...]


@dataclass(frozen=True)
class RetailData:
    """Everything that a folder holds."""

    tables: Tables = field(repr=False)
    tasks: tuple[Task, ...] = field(repr=False)
    """In the order of the file; () if there is none."""
    splits: Mapping[str, tuple[str, ...]] = field(repr=False)
    """Task ids by name of the split, as stored; {} if there is no file."""
    policy: str = field(repr=False)
    """The policy text; "" if there is none."""
    source: str
    """The folder."""


def load_retail(folder: str | Path) -> RetailData:
    """Read a folder, once a process.

    Raises:
        DataError: The folder or its db.json is missing, or a file is damaged or not what it should be.
    """
    return _load(str(Path(folder).resolve()))


@lru_cache(maxsize=8)
def _load(folder: str) -> RetailData:
    path = find(folder, "db.json")
    assert path is not None  # needed
    db = read_json(path)
    tables = retail_tables(db.value, name=db.name, fingerprint=db.digest)
    splits_path, tasks_path, policy_path = (
        find(folder, name, needed=False) for name in ("split_tasks.json", "tasks.json", "policy.md")
    )
    splits: dict[str, list[str]] = {}
    if splits_path is not None:
        splits = _checked(_SPLITS, read_json(splits_path).value, splits_path.name)
    tasks: tuple[Task, ...] = ()
    if tasks_path is not None:
        found = _checked(_TASKS, read_json(tasks_path).value, tasks_path.name)
        tasks = tuple(_task(task, splits) for task in found)
        _check_splits(tasks, splits, tasks_path.name)
    policy = "" if policy_path is None else read_text(policy_path)
    return RetailData(tables, tasks, {name: tuple(ids) for name, ids in splits.items()}, policy, folder)


def retail_tables(db: Any, *, name: str = "the database", fingerprint: str = "") -> Tables:  # noqa: ANN401 - any JSON
    """Return a database as tables, checked.

    Args:
        db: {"products": ..., "users": ..., "orders": ...} in the original's schema; taken as it is, so never change it.
        name: What it is called in messages.
        fingerprint: A text that differs where the data differ.

    Raises:
        DataError: A row has another shape, or mentions an id that does not exist.
    """
    _checked(_DATABASE, db, name)
    for fault in _dangling(db):
        raise DataError(f"{name}: {fault}; fetch the original file again, or mend the row")
    return Tables({table: db[table] for table in TABLES}, fingerprint)


def _checked(adapter: TypeAdapter[Any], value: object, name: str) -> Any:  # noqa: ANN401 - the adapter's type
    try:
        return adapter.validate_python(value)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "the whole file"
        more = f" (and {error.error_count() - 1} faults more)" if error.error_count() > 1 else ""
        raise DataError(
            f"{name}: expected the files of a retail domain, found a fault at {where}: {first['msg']}, "
            f"got {repr(first['input'])[:60]}{more}; is it the original's file?"
        ) from error


def _dangling(db: Mapping[str, Any]) -> list[str]:
    """Return, in words, the rows with an id that is not theirs or does not exist."""
    products, users, orders = (db[table] for table in TABLES)
    out: list[str] = []

    def want(right: bool, where: str, what: str) -> None:
        if not right:
            out.append(f"{where}: expected {what}")

    for key, product in products.items():
        want(product["product_id"] == key, f"product {key}", f"its own id, found {product['product_id']!r}")
        for item, variant in product["variants"].items():
            want(variant["item_id"] == item, f"variant {item}", f"its own id, found {variant['item_id']!r}")
    for key, user in users.items():
        want(user["user_id"] == key, f"user {key}", f"its own id, found {user['user_id']!r}")
        for method, row in user["payment_methods"].items():
            want(row["id"] == method, f"user {key}", f"payment method {method!r} under its own id, found {row['id']!r}")
        for order in user["orders"]:
            owner = orders[order]["user_id"] if order in orders else None
            want(owner == key, f"user {key}", f"order {order!r} to exist and be theirs, found owner {owner!r}")
    for key, order in orders.items():
        want(order["order_id"] == key, f"order {key}", f"its own id, found {order['order_id']!r}")
        owner = order["user_id"]
        want(
            owner in users and key in users[owner]["orders"], f"order {key}", f"its user {owner!r} to exist and list it"
        )
        for item in order["items"]:
            want(item["product_id"] in products, f"order {key}", f"product {item['product_id']!r} to exist")
        for entry in order["payment_history"] if owner in users else ():
            method = entry["payment_method_id"]
            want(method in users[owner]["payment_methods"], f"order {key}", f"{method!r} to be a method of {owner}")
    return out


def _task(task: _TaskFile, splits: Mapping[str, list[str]]) -> Task:
    criteria, told = task.evaluation_criteria, task.user_scenario.instructions
    return Task(
        id=task.id,
        split=next((split for split in ("train", "test") if task.id in splits.get(split, ())), ""),
        reason=told.reason_for_call,
        instructions=told.task_instructions,
        known=told.known_info or "",
        unknown=told.unknown_info or "",
        actions=tuple(Action(action.name, action.arguments) for action in criteria.actions or ()),
        communicate=tuple(criteria.communicate_info or ()),
        assertions=tuple(criteria.nl_assertions or ()),
        reward_basis=tuple(criteria.reward_basis or ()),
    )


def _check_splits(tasks: tuple[Task, ...], splits: Mapping[str, list[str]], name: str) -> None:
    ids = {task.id for task in tasks}
    if len(ids) < len(tasks):
        raise DataError(f"{name}: expected every task id once, found {len(tasks) - len(ids)} twice; remove the doubles")
    unknown = sorted({task for members in splits.values() for task in members} - ids)
    if unknown:
        raise DataError(
            f"split_tasks.json: expected ids of tasks in {name}, found {', '.join(unknown[:5])}; fetch both files again"
        )
