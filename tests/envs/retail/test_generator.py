"""The shop's embedded data: its schema, its consistency, its determinism and the figures it was made for."""

from __future__ import annotations

import gzip
import json
import re
import time
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from intent_gym.envs.desk.calls import Call
from intent_gym.envs.desk.tables import Draft
from intent_gym.envs.people import split_of
from intent_gym.envs.retail.data import retail_tables
from intent_gym.envs.retail.generator import generate, load_kinds
from intent_gym.envs.retail.tools import retail_toolbox
from intent_gym.errors import OptionError
from tests.envs.desk.generated import digest_in_new_processes, digest_of, nothing_shared, shape

TABLES = ("products", "users", "orders")
MAPS = {"variants", "options", "payment_methods"}  # objects whose keys are data
SIZES = [(50, 0), (500, 0), (500, 1), (500, 2)]
PINNED = "c87c7eb0d19275ddc9bdb3ffe08d0343357e3a45640f474eacf6932335a5a084"


@cache
def data(users: int = 500, seed: int = 0) -> dict[str, Any]:
    return generate(users, seed)


def orders(status: str, users: int = 500, seed: int = 0) -> list[dict[str, Any]]:
    return [order for order in data(users, seed)["orders"].values() if order["status"] == status]


def variants(users: int = 500, seed: int = 0) -> dict[str, dict[str, Any]]:
    products = data(users, seed)["products"].values()
    return {item: variant for product in products for item, variant in product["variants"].items()}


def neighbours(item: dict[str, Any], seed: int = 0) -> list[dict[str, Any]]:
    """Return the available variants that differ from an ordered item in exactly one option."""
    return [
        variant
        for variant in data(seed=seed)["products"][item["product_id"]]["variants"].values()
        if variant["available"]
        and sum(variant["options"][name] != value for name, value in item["options"].items()) == 1
    ]


# -- the data file -----------------------------------------------------------------------------------------------------
def test_kinds_of_product_are_many_and_told_apart_by_words() -> None:
    kinds = load_kinds()
    assert 48 <= len(kinds) <= 60
    assert len({kind.name for kind in kinds}) == len(kinds)
    for kind in kinds:
        assert 2 <= len(kind.options) <= 5, kind.name
        assert kind.combinations * 3 // 4 >= 6, kind.name
        assert kind.price > 0, kind.name
        values = [value for option in kind.options for value in option.values]
        assert all(len(option.values) >= 2 and option.rise >= 0 for option in kind.options), kind.name
        contained = [(a, b) for a in values for b in values if a is not b and f" {a} " in f" {b} "]
        assert not contained, (kind.name, contained)  # "fine" beside "extra fine" could not be understood
        assert all(re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9. -]*", value) for value in values), kind.name


def test_no_product_of_the_original(shared_data: Path) -> None:
    with gzip.open(shared_data / "tau2" / "retail" / "db.json.gz", "rt", encoding="utf-8") as file:
        original = json.load(file)
    assert not {kind.name for kind in load_kinds()} & {product["name"] for product in original["products"].values()}


# -- schema ------------------------------------------------------------------------------------------------------------
def test_rows_have_the_keys_and_types_of_the_original(shared_data: Path) -> None:
    with gzip.open(shared_data / "tau2" / "retail" / "db.json.gz", "rt", encoding="utf-8") as file:
        original = json.load(file)
    assert tuple(data()) == TABLES == tuple(original)
    for table in TABLES:
        ours, theirs = (
            {entry for row in db[table].values() for entry in shape(row, MAPS, ("source",))}
            for db in (data(), original)
        )
        assert ours == theirs, table
    for status in ("pending", "delivered", "processed", "cancelled"):
        theirs_row = next(row for row in original["orders"].values() if row["status"] == status)
        assert all(list(row) == list(theirs_row) for row in orders(status))


@pytest.mark.parametrize(("users", "seed"), SIZES)
def test_ids_have_the_forms_of_the_original_and_are_unique(users: int, seed: int) -> None:
    db = data(users, seed)
    assert len(db["users"]) == users
    for key, row in db["users"].items():
        assert key == row["user_id"]
        assert re.fullmatch(r"[a-z]+_[a-z]+_\d{4}", key)
        for method, entry in row["payment_methods"].items():
            assert method == entry["id"]
            assert re.fullmatch(rf"{entry['source']}_\d{{7}}", method)
    for key, row in db["orders"].items():
        assert key == row["order_id"]
        assert re.fullmatch(r"#W\d{7}", key)
    for key, row in db["products"].items():
        assert key == row["product_id"]
        assert all(item == variant["item_id"] for item, variant in row["variants"].items())
    codes = [*db["products"], *(item for product in db["products"].values() for item in product["variants"])]
    assert all(re.fullmatch(r"[1-9]\d{9}", code) for code in codes)
    assert len(set(codes)) == len(codes)
    methods = [method for user in db["users"].values() for method in user["payment_methods"]]
    assert len(set(methods)) == len(methods)
    assert len({user["email"] for user in db["users"].values()}) == users


# -- consistency -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("users", "seed"), SIZES)
def test_products(users: int, seed: int) -> None:
    for product in data(users, seed)["products"].values():
        rows = list(product["variants"].values())
        assert 5 <= len(rows) <= 20
        assert len({tuple(row["options"].items()) for row in rows}) == len(rows)
        assert len({tuple(row["options"]) for row in rows}) == 1
        assert len({row["price"] for row in rows}) == len(rows)
        assert all(5 < row["price"] < 1500 and row["price"] == round(row["price"], 2) for row in rows)
        assert sum(row["available"] for row in rows) >= 3


@pytest.mark.parametrize(("users", "seed"), SIZES)
def test_orders_are_listed_by_their_user_and_hold_items_that_exist(users: int, seed: int) -> None:
    db, known = data(users, seed), variants(users, seed)
    listed = [order for user in db["users"].values() for order in user["orders"]]
    assert listed == list(db["orders"])
    for order in db["orders"].values():
        assert order["order_id"] in db["users"][order["user_id"]]["orders"]
        assert 1 <= len(order["items"]) <= 5
        assert len({item["item_id"] for item in order["items"]}) == len(order["items"])
        for item in order["items"]:
            variant = known[item["item_id"]]
            assert item["item_id"] in db["products"][item["product_id"]]["variants"]
            assert item["name"] == db["products"][item["product_id"]]["name"]
            assert (item["price"], item["options"]) == (variant["price"], variant["options"])


@pytest.mark.parametrize(("users", "seed"), SIZES)
def test_money_adds_up_and_parcels_hold_what_was_ordered(users: int, seed: int) -> None:
    db = data(users, seed)
    for order in db["orders"].values():
        total = round(sum(item["price"] for item in order["items"]), 2)
        assert {entry["amount"] for entry in order["payment_history"]} == {total}
        assert {entry["payment_method_id"] for entry in order["payment_history"]} <= set(
            db["users"][order["user_id"]]["payment_methods"]
        )
        kinds = [entry["transaction_type"] for entry in order["payment_history"]]
        assert kinds == (["payment", "refund"] if order["status"] == "cancelled" else ["payment"])
        sent = [item for parcel in order["fulfillments"] for item in parcel["item_ids"]]
        was_sent = order["status"] in ("delivered", "processed")
        assert sent == ([item["item_id"] for item in order["items"]] if was_sent else [])
    for user in db["users"].values():
        methods = user["payment_methods"].values()
        assert 1 <= len(methods) <= 5
        assert sum(method["source"] == "paypal" for method in methods) <= 1
        assert all(method["balance"] > 0 for method in methods if method["source"] == "gift_card")


def test_rows_share_nothing_and_every_call_builds_anew() -> None:
    first, second = generate(50), generate(50)
    assert nothing_shared(first, second)
    assert first == second


# -- figures -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_statistics(seed: int) -> None:
    db, known = data(seed=seed), variants(seed=seed)
    assert sum(variant["available"] for variant in known.values()) / len(known) == pytest.approx(0.65, abs=0.02)
    assert 500 <= len(known) <= 750
    count = len(db["orders"])
    assert 1.8 < count / 500 < 2.3
    share = {status: n / count for status, n in Counter(row["status"] for row in db["orders"].values()).items()}
    assert share == pytest.approx({"pending": 0.42, "delivered": 0.37, "processed": 0.1, "cancelled": 0.1}, abs=0.05)
    sizes = Counter(len(order["items"]) for order in db["orders"].values())
    assert all(sizes[n] > 0.15 * count for n in range(1, 6))
    test = sum(split_of(user) == "test" for user in db["users"]) / 500
    assert test == pytest.approx(0.3, abs=0.06)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_what_intents_need(seed: int) -> None:
    pending, delivered = orders("pending", seed=seed), orders("delivered", seed=seed)
    for group in (pending, delivered):
        assert sum(any(neighbours(item, seed) for item in order["items"]) for order in group) > 0.9 * len(group)
        assert sum(len(order["items"]) > 1 for order in group) > 0.7 * len(group)
    users = data(seed=seed)["users"].values()
    usable = [sum(method.get("balance", 600) >= 600 for method in user["payment_methods"].values()) for user in users]
    assert sum(n >= 2 for n in usable) > 0.37 * len(usable)
    open_orders = Counter(order["user_id"] for order in pending + delivered)
    assert sum(n >= 2 for n in open_orders.values()) > 0.4 * len(usable)
    doubled = [order for order in pending if len({item["name"] for item in order["items"]}) < len(order["items"])]
    assert 0.02 < len(doubled) / len(pending) < 0.12


# -- determinism and speed ---------------------------------------------------------------------------------------------
def test_same_bytes_in_every_process() -> None:
    """Other data mean other tasks: whoever changes them gives the environment a new version and pins them anew."""
    assert digest_of(generate) == PINNED
    assert digest_in_new_processes("intent_gym.envs.retail.generator") == {PINNED}


def test_few_users_are_the_beginning_of_many_and_seeds_differ() -> None:
    few, many = data(50), data(500)
    assert few["products"] == many["products"]
    for table in ("users", "orders"):
        assert list(few[table].items()) == list(many[table].items())[: len(few[table])]
    assert not set(data(500, 1)["orders"]) & set(few["orders"])


def test_is_fast() -> None:
    start = time.process_time()
    generate()
    assert time.process_time() - start < 0.5


@pytest.mark.slow
def test_the_largest(only_full: Callable[[bool], None]) -> None:
    only_full(False)
    db = generate(20_000)
    assert len(db["users"]) == 20_000
    assert retail_tables(db)["orders"]


def test_arguments_are_checked() -> None:
    with pytest.raises(OptionError, match="users: expected"):
        generate(10)


# -- loader and tools --------------------------------------------------------------------------------------------------
def test_the_loader_takes_it_and_tools_work_on_it() -> None:
    tables, box = retail_tables(data(50)), retail_toolbox()
    changed = exchanged = 0
    for order in data(50)["orders"].values():
        user = data(50)["users"][order["user_id"]]
        card = next((key for key, row in user["payment_methods"].items() if row["source"] != "gift_card"), None)
        item, better = next(((i, n[0]) for i in order["items"] if (n := neighbours(i))), (None, None))
        if card is None or item is None or better is None:
            continue
        draft = Draft(tables)
        change = {"order_id": order["order_id"], "item_ids": [item["item_id"]], "new_item_ids": [better["item_id"]]}
        change["payment_method_id"] = card
        if order["status"] == "pending":
            result = box.run(draft, Call("modify_pending_order_items", change))
            assert result.ok, result.text
            changed += 1
            cancel = Call("cancel_pending_order", {"order_id": order["order_id"], "reason": "no longer needed"})
            assert box.run(Draft(tables), cancel).ok
        elif order["status"] == "delivered":
            result = box.run(draft, Call("exchange_delivered_order_items", change))
            assert result.ok, result.text
            exchanged += 1
        else:
            assert not box.run(draft, Call("modify_pending_order_items", change)).ok
    assert min(changed, exchanged) >= 10
    by_name = {key.lower(): value for key, value in user["name"].items()} | {"zip": user["address"]["zip"]}
    assert box.run(Draft(tables), Call("find_user_id_by_name_zip", by_name)).value == user["user_id"]
