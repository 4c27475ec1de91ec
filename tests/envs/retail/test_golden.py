"""The recorded results of the original's tools, call by call, sequence by sequence, and whole reference solutions."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from intent_gym.envs.desk.calls import Call
from intent_gym.envs.desk.tables import Draft, Tables, normalised
from intent_gym.envs.desk.tools import UNKNOWN_TOOL, Result, Toolbox
from intent_gym.envs.retail.data import load_retail
from intent_gym.envs.retail.tools import retail_toolbox

Record: TypeAlias = dict[str, Any]

RULE_OF = {
    r"Tool '.*' not found\.": UNKNOWN_TOOL,
    "Order not found": "known_order",
    "User not found": "known_user",
    "Product not found": "known_product",
    "Item not found": "known_item",
    "Non-pending order cannot be (cancelled|modified)": "pending",
    "Non-delivered order cannot be (returned|exchanged)": "delivered",
    "Invalid reason": "cancel_reason",
    "Payment method not found": "known_payment_method",
    "There should be exactly one payment for a pending order": "single_payment",
    "The new payment method should be different from the current one": "other_payment_method",
    "Insufficient gift card balance to pay for .*": "gift_card_covers",
    r"\d+ not found|Number of \d+ not found\.|Some item not found": "item_in_order",
    r"The number of items to be exchanged should match\.?": "same_count",
    "The new item id should be different from the old item id": "other_variant",
    "Variant not found": "same_product",
    r"New item \d+ not found or available": "available",
    "Payment method should be the original payment method": "refund_method",
    "Invalid characters in expression": "bad_expression",
}
"""What the original says -> the rule of ours that must refuse. Other failures were accidents: only that they fail."""
ARGUMENT_SHAPES = {"missing_argument", "unexpected_argument", "no_arguments", "wrong_type"}
"""Cases that our tools turn away before any rule is looked at, so the reason may be another one."""
ITEM_TOOLS = ("modify_pending_order_items", "exchange_delivered_order_items", "return_delivered_order_items")


@pytest.fixture(scope="module")
def tables(shared_data: Path) -> Tables:
    return load_retail(shared_data / "tau2" / "retail").tables


@pytest.fixture(scope="module")
def recordings(shared_data: Path) -> Path:
    return shared_data / "tau2" / "golden"


def read(folder: Path, name: str) -> list[Record]:
    with gzip.open(folder / f"retail_{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def digest(value: object) -> tuple[str, int]:
    text = json.dumps(normalised(value), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest(), len(text)


def same_failure(result: Result, record: Record) -> bool:
    """Whether a call that the original refuses is refused, and for the same reason."""
    shape = ARGUMENT_SHAPES.intersection(record.get("case", "").split("+"))
    if result.ok or record["error_type"] != "ValueError" or shape:
        return not result.ok
    rules = {rule for pattern, rule in RULE_OF.items() if re.fullmatch(pattern, record["error"])}
    return rules == {result.rule}


def same_value(result: Result, record: Record) -> bool:
    if "result_sha256" in record:
        return digest(result.value) == (record["result_sha256"], record["result_len"])
    return bool(normalised(result.value) == normalised(record["result"]))


def decision(call: Record) -> str:
    """Return the documented decision by which a call differs from the recording by default, "" for none."""
    name, given = call["name"], call["arguments"]
    if not call["ok"]:
        return ""
    if name in ITEM_TOOLS and not given["item_ids"]:
        return "empty list refused"
    if name == ITEM_TOOLS[1] and any(
        old == new for old, new in zip(given["item_ids"], given["new_item_ids"], strict=True)
    ):
        return "exchange for itself refused"
    if call.get("refund_of_refund"):
        return "nothing refunded twice"
    return ""


def without_zero_rows(value: Any) -> Any:  # noqa: ANN401 - any JSON
    """Drop the original's refund rows of 0 from a recorded value."""
    if isinstance(value, dict):
        return {key: without_zero_rows(item) for key, item in value.items()}
    if isinstance(value, list):
        return [
            without_zero_rows(item)
            for item in value
            if not (isinstance(item, dict) and item.get("transaction_type") == "refund" and item["amount"] == 0)
        ]
    return value


# -- as recorded -------------------------------------------------------------------------------------------------------
def test_every_call_as_recorded(tables: Tables, recordings: Path) -> None:
    box, counts = retail_toolbox(tau2_compat=True), Counter[str]()
    for record in read(recordings, "calls"):
        draft = Draft(tables)
        result = box.run(draft, Call(record["name"], record["arguments"]))
        if record["ok"]:
            assert result.ok, (record["key"], result)
            assert same_value(result, record), record["key"]
        else:
            assert same_failure(result, record), (record["key"], record["error"], result)
        assert draft.normalised() == normalised(record.get("changed", {})), record["key"]
        counts["ok" if result.ok else "refused"] += 1
    print(f"retail calls, as recorded: {dict(counts)}")
    assert counts == {"ok": 990, "refused": 1048}


@pytest.mark.parametrize(("name", "total"), [("sequences", 205), ("gold", 395)])
def test_every_run_of_calls_as_recorded(tables: Tables, recordings: Path, name: str, total: int) -> None:
    box, calls = retail_toolbox(tau2_compat=True), 0
    records = read(recordings, name)
    for record in records:
        draft = Draft(tables)
        for call in calls_of(record):
            result = box.run(draft, Call(call["name"], call["arguments"]))
            right = result.ok and same_value(result, call) if call["ok"] else same_failure(result, call)
            assert right, (record["key"], call["name"], result)
            calls += 1
        assert draft.normalised() == normalised(record["changed"]), record["key"]
    print(f"retail {name}, as recorded: {len(records)} with {calls} calls")
    assert len(records) == total


def calls_of(record: Record) -> list[Record]:
    if "calls" in record:
        return list(record["calls"])
    return sorted(record["writes"] + record["others"], key=lambda call: int(call["i"]))


# -- by default --------------------------------------------------------------------------------------------------------
def test_every_call_by_default(tables: Tables, recordings: Path) -> None:
    box, counts = retail_toolbox(), Counter[str]()
    for record in read(recordings, "calls"):
        draft = Draft(tables)
        result = box.run(draft, Call(record["name"], record["arguments"]))
        why = decision(record)
        if why:
            assert refused_by_decision(result), (record["key"], result)
            assert draft.changed() == {}
        elif record["ok"]:
            why = "item modification corrected" if record.get("upstream_bug_visible") else "ok"
            value = normalised(record.get("result_corrected", record["result"]))
            changed = normalised(record.get("changed_corrected", record.get("changed", {})))
            if result.value != value and without_zero_rows(value) != value:
                value, changed, why = without_zero_rows(value), without_zero_rows(changed), "no refund row of 0"
            assert result.ok, (record["key"], result)
            assert normalised(result.value) == value, record["key"]
            assert draft.normalised() == changed, record["key"]
        else:
            assert same_failure(result, record), (record["key"], record["error"], result)
            assert draft.changed() == {}
            why = "refused"
        counts[why] += 1
    print(f"retail calls, by default: {dict(counts)}")
    assert counts == {
        "ok": 878,
        "refused": 1048,
        "item modification corrected": 83,
        "no refund row of 0": 5,
        "empty list refused": 12,
        "exchange for itself refused": 12,
    }


def refused_by_decision(result: Result) -> bool:
    return not result.ok and result.rule in ("some_item", "other_variant")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("sequences", {"same": 153, "item modification corrected": 37, "empty list refused": 5,
                       "exchange for itself refused": 3, "nothing refunded twice": 7}),
        ("gold", {"same": 349, "item modification corrected": 33, "exchange for itself refused": 13}),
    ],
)  # fmt: skip
def test_every_run_of_calls_by_default(tables: Tables, recordings: Path, name: str, expected: dict[str, int]) -> None:
    box, counts = retail_toolbox(), Counter[str]()
    for record in read(recordings, name):
        counts[run_by_default(box, Draft(tables), record)] += 1
    print(f"retail {name}, by default: {dict(counts)}")
    assert counts == expected


def run_by_default(box: Toolbox, draft: Draft, record: Record) -> str:
    """Run one record and return what became of it; from its first documented difference on it is not compared."""
    for call in calls_of(record):
        result = box.run(draft, Call(call["name"], call["arguments"]))
        why = decision(call)
        if why == "nothing refunded twice":
            assert result.ok
            assert refunds_add_up(result.value)
            return why
        if why:
            assert refused_by_decision(result), (record["key"], result)
            return why
        wanted = call.get("corrected", call)
        if not wanted["ok"]:
            assert same_failure(result, wanted), (record["key"], call["name"], result)
        else:
            assert result.ok, (record["key"], call["name"], result)
            if "corrected" in call or not call.get("upstream_bug"):
                assert same_value(result, wanted), (record["key"], call["name"])
    assert draft.normalised() == normalised(record.get("changed_corrected", record["changed"])), record["key"]
    return "item modification corrected" if record.get("upstream_bug_visible") else "same"


def refunds_add_up(order: Record) -> bool:
    """Whether a cancelled order has paid back, method by method, exactly what it took."""
    left: Counter[str] = Counter()
    for row in order["payment_history"]:
        cents = round(row["amount"] * 100)
        left[row["payment_method_id"]] += cents if row["transaction_type"] == "payment" else -cents
    return not any(left.values())
