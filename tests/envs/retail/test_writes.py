from __future__ import annotations

import copy
from typing import Any

import pytest

from intent_gym.envs.desk.calls import Call
from intent_gym.envs.desk.tables import Draft
from intent_gym.envs.desk.tools import Result, Toolbox
from intent_gym.envs.retail.tools import retail_toolbox

BOX, COMPAT = retail_toolbox(), retail_toolbox(tau2_compat=True)
ADDRESS = {"address1": "9 Fir St", "address2": "B", "city": "Rome", "state": "GA", "country": "USA", "zip": "30162"}


def run(draft: Draft, name: str, box: Toolbox = BOX, /, **arguments: object) -> Result:
    return box.run(draft, Call(name, arguments))


def modify(draft: Draft, old: list[str], new: list[str], method: str = "credit_card_1", box: Toolbox = BOX) -> Result:
    return run(
        draft,
        "modify_pending_order_items",
        box,
        order_id="#W1",
        item_ids=old,
        new_item_ids=new,
        payment_method_id=method,
    )


def exchange(draft: Draft, old: list[str], new: list[str], method: str = "credit_card_1", box: Toolbox = BOX) -> Result:
    return run(
        draft,
        "exchange_delivered_order_items",
        box,
        order_id="#W2",
        item_ids=old,
        new_item_ids=new,
        payment_method_id=method,
    )


def items(order: dict[str, Any]) -> list[tuple[str, float, str]]:
    return [(item["item_id"], item["price"], item["options"]["colour"]) for item in order["items"]]


def balance(draft: Draft) -> float:
    user = draft.get("users", "ann_lee_1")
    assert user is not None
    return float(user["payment_methods"]["gift_card_1"]["balance"])


# -- several items at once ---------------------------------------------------------------------------------------------
def test_each_pair_replaces_its_own_item(draft: Draft) -> None:
    order = modify(draft, ["11", "21"], ["13", "22"]).value
    assert items(order) == [("13", 10.0, "green"), ("12", 10.1, "blue"), ("11", 10.0, "red"), ("22", 40.2, "white")]
    assert order["payment_history"][1:] == [
        {"transaction_type": "refund", "amount": 9.8, "payment_method_id": "credit_card_1"}
    ]
    assert order["status"] == "pending (item modified)"


def test_a_swap_and_copies_hit_the_right_items(draft: Draft) -> None:
    order = modify(draft, ["11", "12", "11"], ["12", "11", "14"]).value
    assert items(order) == [("12", 10.1, "blue"), ("11", 10.0, "red"), ("14", 200.3, "gold"), ("21", 50.0, "black")]


def test_the_order_of_the_pairs_does_not_matter(draft: Draft) -> None:
    other = draft.fork()
    modify(draft, ["12", "21"], ["14", "22"])
    modify(other, ["21", "12"], ["22", "14"])
    assert draft.normalised() == other.normalised()


def test_the_original_gives_all_items_the_last_variant(draft: Draft) -> None:
    order = modify(draft, ["11", "21"], ["13", "22"], box=COMPAT).value
    assert items(order)[0] == ("13", 40.2, "white")
    assert items(order)[3] == ("22", 40.2, "white")


def test_amounts_are_rounded_unless_as_the_original(draft: Draft) -> None:
    exact = draft.fork()
    assert modify(draft, ["12"], ["14"]).value["payment_history"][1]["amount"] == 190.2
    assert modify(exact, ["12"], ["14"], box=COMPAT).value["payment_history"][1]["amount"] == 200.3 - 10.1 != 190.2


def test_a_zero_difference_leaves_no_row(draft: Draft) -> None:
    compat = draft.fork()
    assert len(modify(draft, ["11"], ["13"]).value["payment_history"]) == 1
    assert modify(compat, ["11"], ["13"], box=COMPAT).value["payment_history"][1]["amount"] == 0
    for box, each in ((BOX, draft), (COMPAT, compat)):
        given = {"order_id": "#W1", "payment_method_id": "paypal_1"}
        assert run(each, "modify_pending_order_payment", box, **given).rule == "single_payment"


def test_items_are_changed_once_and_then_only_the_address(draft: Draft) -> None:
    assert modify(draft, ["11"], ["13"]).ok
    assert modify(draft, ["12"], ["13"]).rule == "pending"
    assert run(draft, "cancel_pending_order", order_id="#W1", reason="no longer needed").rule == "pending"
    assert run(draft, "modify_pending_order_address", order_id="#W1", **ADDRESS).value["address"] == ADDRESS


# -- refusals ----------------------------------------------------------------------------------------------------------
REFUSED: list[tuple[list[str], list[str], str, str]] = [
    (["99"], ["11"], "credit_card_1", "item_in_order"),
    (["12", "12"], ["11", "11"], "credit_card_1", "item_in_order"),
    (["11"], [], "credit_card_1", "same_count"),
    (["11"], ["22"], "credit_card_1", "same_product"),
    (["11"], ["P1"], "credit_card_1", "same_product"),
    (["11"], ["15"], "credit_card_1", "available"),
    (["11"], ["13"], "paypal_2", "known_payment_method"),
    (["11"], ["14"], "gift_card_1", "gift_card_covers"),
    ([], [], "credit_card_1", "some_item"),
    ([], [], "nothing", "known_payment_method"),
    (["11"], ["11"], "credit_card_1", "other_variant"),
]


@pytest.mark.parametrize(("old", "new", "method", "rule"), REFUSED)
def test_item_changes_are_refused_and_change_nothing(
    draft: Draft, old: list[str], new: list[str], method: str, rule: str
) -> None:
    for act in (modify, exchange):
        if act is exchange and "12" in old:
            continue
        result = act(draft, old, new, method)
        assert (result.ok, result.rule) == (False, rule)
        assert "expected" in result.value
        assert "got" in result.value
    assert draft.changed() == {}


def test_the_original_takes_empty_lists_and_exchanges_for_the_same(draft: Draft) -> None:
    assert modify(draft.fork(), [], [], box=COMPAT).ok
    assert exchange(draft.fork(), [], [], box=COMPAT).ok
    assert exchange(draft.fork(), ["11"], ["11"], box=COMPAT).ok
    given = {"order_id": "#W2", "item_ids": [], "payment_method_id": "paypal_1"}
    assert run(draft.fork(), "return_delivered_order_items", COMPAT, **given).ok
    assert run(draft.fork(), "return_delivered_order_items", **given).rule == "some_item"


@pytest.mark.parametrize(
    ("name", "arguments", "rule"),
    [
        ("cancel_pending_order", {"order_id": "W1", "reason": "no longer needed"}, "known_order"),
        ("cancel_pending_order", {"order_id": "#W2", "reason": "x"}, "pending"),
        ("cancel_pending_order", {"order_id": "#W1", "reason": "x"}, "cancel_reason"),
        ("modify_pending_order_address", {"order_id": "#W2", **ADDRESS}, "pending"),
        ("modify_user_address", {"user_id": "ann", **ADDRESS}, "known_user"),
        ("modify_pending_order_payment", {"order_id": "#W2", "payment_method_id": "x"}, "pending"),
        ("modify_pending_order_payment", {"order_id": "#W1", "payment_method_id": "x"}, "known_payment_method"),
        ("modify_pending_order_payment", {"order_id": "#W1", "payment_method_id": "gift_card_1"}, "gift_card_covers"),
        (
            "modify_pending_order_payment",
            {"order_id": "#W1", "payment_method_id": "credit_card_1"},
            "other_payment_method",
        ),
        (
            "return_delivered_order_items",
            {"order_id": "#W1", "item_ids": ["11"], "payment_method_id": "paypal_1"},
            "delivered",
        ),
        (
            "return_delivered_order_items",
            {"order_id": "#W2", "item_ids": ["99"], "payment_method_id": "credit_card_1"},
            "refund_method",
        ),
        (
            "return_delivered_order_items",
            {"order_id": "#W2", "item_ids": ["11", "11"], "payment_method_id": "paypal_1"},
            "item_in_order",
        ),
    ],
)
def test_other_refusals(draft: Draft, name: str, arguments: dict[str, Any], rule: str) -> None:
    for box in (BOX, COMPAT):
        result = run(draft, name, box, **arguments)
        assert (result.ok, result.rule) == (False, rule)
    assert draft.changed() == {}


def test_a_forgotten_sign_is_hinted_at(draft: Draft) -> None:
    result = run(draft, "get_order_details", order_id="W1")
    assert result.text == "Error: expected the id of an order on file, got 'W1'; did you mean '#W1'?"


# -- money -------------------------------------------------------------------------------------------------------------
def test_a_cancellation_pays_back_what_was_paid(draft: Draft) -> None:
    order = run(draft, "cancel_pending_order", order_id="#W3", reason="no longer needed").value
    assert (order["status"], order["cancel_reason"]) == ("cancelled", "no longer needed")
    assert order["payment_history"][1] == {
        "transaction_type": "refund",
        "amount": 50.0,
        "payment_method_id": "gift_card_1",
    }
    assert balance(draft) == 125.0
    assert run(draft, "cancel_pending_order", order_id="#W3", reason="no longer needed").rule == "pending"


def test_after_a_change_of_payment_only_the_new_method_is_paid_back(draft: Draft) -> None:
    compat = draft.fork()
    for box, each, final in ((BOX, draft, 125.0), (COMPAT, compat, 225.0)):
        moved = run(each, "modify_pending_order_payment", box, order_id="#W3", payment_method_id="paypal_1").value
        assert [row["transaction_type"] for row in moved["payment_history"]] == ["payment", "payment", "refund"]
        assert balance(each) == 125.0
        order = run(each, "cancel_pending_order", box, order_id="#W3", reason="ordered by mistake").value
        assert len(order["payment_history"]) == (4 if box is BOX else 6)
        assert balance(each) == final
    assert draft.changed()["orders"]["#W3"]["payment_history"][3]["payment_method_id"] == "paypal_1"


def test_a_gift_card_pays_and_is_paid_a_difference_at_once(draft: Draft) -> None:
    assert modify(draft, ["21"], ["22"], "gift_card_1").ok
    assert balance(draft) == 84.8


def test_an_exchange_is_recorded_sorted_and_moves_no_money(draft: Draft) -> None:
    order = exchange(draft, ["21", "11"], ["22", "12"], "gift_card_1").value
    assert order["exchange_items"] == ["11", "21"]
    assert order["exchange_new_items"] == ["12", "22"]
    assert order["exchange_price_difference"] == -9.7
    assert order["status"] == "exchange requested"
    assert items(order) == [("11", 10.0, "red"), ("21", 50.0, "black")]
    assert set(draft.changed()) == {"orders"}


def test_a_return_is_recorded(draft: Draft) -> None:
    given = {"order_id": "#W2", "item_ids": ["21", "11"], "payment_method_id": "gift_card_1"}
    order = run(draft, "return_delivered_order_items", **given).value
    assert (order["status"], order["return_items"]) == ("return requested", ["11", "21"])
    assert order["return_payment_method_id"] == "gift_card_1"
    assert exchange(draft, ["11"], ["12"]).rule == "delivered"


def test_nothing_shared_is_ever_changed(draft: Draft) -> None:
    before = copy.deepcopy({table: dict(draft.tables[table]) for table in draft.tables})
    run(draft, "modify_user_address", user_id="ann_lee_1", **ADDRESS)
    modify(draft, ["11", "12"], ["14", "13"])
    exchange(draft, ["11"], ["12"])
    run(draft, "cancel_pending_order", order_id="#W3", reason="no longer needed")
    assert set(draft.changed()["orders"]) == {"#W1", "#W2", "#W3"}
    assert {table: dict(draft.tables[table]) for table in draft.tables} == before
    new = modify(draft.fork(), ["13"], ["12"])
    assert not new.ok
