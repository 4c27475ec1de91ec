from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from intent_gym.envs.retail.data import load_retail, retail_tables
from intent_gym.errors import DataError

TASK = {
    "id": "7",
    "user_scenario": {"instructions": {"reason_for_call": "a mug", "known_info": "Ann", "domain": "retail"}},
    "evaluation_criteria": {"actions": [{"name": "calculate", "arguments": {"expression": "1"}, "info": None}]},
}


def write(folder: Path, name: str, value: object, *, packed: bool = False) -> None:
    text = value if isinstance(value, str) else json.dumps(value)
    if packed:
        (folder / f"{name}.gz").write_bytes(gzip.compress(text.encode()))
    else:
        (folder / name).write_text(text)


@pytest.mark.parametrize("packed", [False, True])
def test_a_folder_is_read_plain_or_packed_and_once(tmp_path: Path, database: dict[str, Any], packed: bool) -> None:
    write(tmp_path, "db.json", database, packed=packed)
    write(tmp_path, "tasks.json", [TASK], packed=packed)
    write(tmp_path, "split_tasks.json", {"train": [], "test": ["7"]}, packed=packed)
    write(tmp_path, "policy.md", "Be kind.", packed=packed)
    data = load_retail(tmp_path)
    assert load_retail(str(tmp_path)) is data
    assert data.tables["orders"]["#W1"] == database["orders"]["#W1"]
    task = data.tasks[0]
    assert (task.id, task.split, task.reason, task.known, task.unknown) == ("7", "test", "a mug", "Ann", "")
    assert task.actions[0].name == "calculate"
    assert data.splits == {"train": (), "test": ("7",)}
    assert data.policy == "Be kind."
    assert data.tables.fingerprint


def test_a_database_alone_will_do(tmp_path: Path, database: dict[str, Any]) -> None:
    write(tmp_path, "db.json", database)
    data = load_retail(tmp_path)
    assert (data.tasks, data.splits, data.policy) == ((), {}, "")


def test_the_original(shared_data: Path) -> None:
    data = load_retail(shared_data / "tau2" / "retail")
    assert {table: len(data.tables[table]) for table in data.tables} == {"products": 50, "users": 500, "orders": 1000}
    assert [task.split for task in data.tasks].count("train") == 74
    assert [task.split for task in data.tasks].count("test") == 40
    assert sum(len(task.actions) for task in data.tasks) == 550
    assert data.policy.startswith("# Retail agent policy")


def test_no_folder_and_no_database(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="found nothing"):
        load_retail(tmp_path / "no")
    with pytest.raises(DataError, match=r"expected db.json or db.json.gz"):
        load_retail(tmp_path)


def test_a_damaged_database_and_damaged_tasks(tmp_path: Path, database: dict[str, Any]) -> None:
    write(tmp_path, "db.json", json.dumps(database)[:-3])
    with pytest.raises(DataError, match=r"db.json: expected JSON"):
        load_retail(tmp_path)
    write(tmp_path, "db.json", database)
    write(tmp_path, "tasks.json", [{"id": 7}])
    with pytest.raises(DataError, match=r"tasks.json: .* fault at 0.id"):
        load_retail(tmp_path)
    write(tmp_path, "tasks.json", [TASK, TASK])
    with pytest.raises(DataError, match="found 1 twice"):
        load_retail(tmp_path)
    write(tmp_path, "tasks.json", [TASK])
    write(tmp_path, "split_tasks.json", {"train": ["8"]})
    with pytest.raises(DataError, match=r"ids of tasks in tasks.json, found 8"):
        load_retail(tmp_path)


FAULTS: list[tuple[list[str | int], Any, str]] = [
    (["users"], [], "fault at users"),
    (["orders", "#W1", "status"], "lost", "fault at orders.#W1.status"),
    (["orders", "#W1", "payment_history"], [], "fault at orders.#W1.payment_history"),
    (["orders", "#W1", "items", 0, "price"], "10", "fault at orders.#W1.items.0.price"),
    (["orders", "#W1", "colour"], "red", "fault at orders.#W1.colour"),
    (["users", "ann_lee_1", "payment_methods", "paypal_1", "source"], "cash", "payment_methods.paypal_1"),
    (["products", "P1", "variants", "11", "price"], -1.0, "fault at products.P1.variants.11.price"),
    (["products", "P1", "product_id"], "P9", "product P1: expected its own id"),
    (["products", "P1", "variants", "11", "item_id"], "9", "variant 11: expected its own id"),
    (["orders", "#W1", "order_id"], "#W9", "order #W1: expected its own id"),
    (["orders", "#W1", "user_id"], "bob", "found owner 'bob'"),
    (["users", "ann_lee_2", "orders"], ["#W1"], "order '#W1' to exist and be theirs"),
    (["users", "ann_lee_1", "orders"], ["#W1", "#W2"], "order #W3: expected its user"),
    (["users", "ann_lee_1", "user_id"], "ann", "user ann_lee_1: expected its own id"),
    (["users", "ann_lee_1", "payment_methods", "paypal_1", "id"], "x", "payment method 'paypal_1' under its own id"),
    (["orders", "#W1", "items", 0, "product_id"], "P9", "product 'P9' to exist"),
    (["orders", "#W1", "payment_history", 0, "payment_method_id"], "x", "'x' to be a method of ann_lee_1"),
]


@pytest.mark.parametrize(("path", "value", "words"), FAULTS, ids=lambda part: str(part)[:40])
def test_a_wrong_row_is_named(database: dict[str, Any], path: list[str | int], value: object, words: str) -> None:
    at: Any = database
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    with pytest.raises(DataError) as error:
        retail_tables(database, name="db.json")
    assert words in str(error.value)
    assert str(error.value).startswith("db.json: ")
