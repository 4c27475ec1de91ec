"""The shop's desk as a host: what its customers can want, and what is accepted."""

from __future__ import annotations

import pytest

from intent_gym.core.intent import Condition, Intent, Value
from intent_gym.envs.desk.calls import Call, render_call
from intent_gym.envs.desk.tables import Tables
from intent_gym.envs.host import Outcome
from intent_gym.envs.retail.host import RetailHost
from intent_gym.envs.retail.tools import retail_toolbox

ANN, OTHER = "ann_lee_1", "ann_lee_2"
RETURN, EXCHANGE = "return_delivered_order_items", "exchange_delivered_order_items"
CHANGE, CANCEL = "modify_pending_order_items", "cancel_pending_order"


def make(tables: Tables, *, compat: bool = False) -> RetailHost:
    return RetailHost(tables, retail_toolbox(tau2_compat=compat), "by hand", {ANN: "train", OTHER: "test"})


@pytest.fixture
def host(tables: Tables) -> RetailHost:
    return make(tables)


def after(host: RetailHost, *calls: Call) -> Outcome:
    """Return the end state after calls, all of which must succeed."""
    session = host.open_session()
    for call in calls:
        result = host.act(session, render_call(*call))
        assert not result.malformed
        assert not result.message.startswith("Error"), result.message
        session = result.session
    return host.proposal(session, "") or ""


def items(tool: str, order: str, olds: list[str], news: list[str] | None = None, method: str = "paypal_1") -> Call:
    more = {} if news is None else {"new_item_ids": news}
    return Call(tool, {"order_id": order, "item_ids": olds, **more, "payment_method_id": method})


def cells(host: RetailHost, outcome: Outcome) -> tuple[str, dict[str, Value]]:
    found = host.request_of(outcome)
    assert found is not None
    return found[0], dict(found[1].cells)


def test_items_returned_together_are_parts_of_one_call(host: RetailHost) -> None:
    for olds in (["11", "21"], ["21", "11"]):
        frame, told = cells(host, after(host, items(RETURN, "#W2", olds)))
        assert frame == f"double return for {ANN}"
        assert told == {"order": "#W2", "item": "Lamp", "payment": "paypal_1", "order_2": "#W2", "item_2": "Mug"}
    one = after(host, items(RETURN, "#W2", ["11"]))
    assert host.judge(Intent(f"return for {ANN}", (Condition("item", "=", "Mug"),)), one).accepted
    assert host.judge(Intent(f"double return for {ANN}", ()), one).violated == ("request",)


def test_what_comes_for_exchanged_items_is_told_whole_but_for_the_first(host: RetailHost) -> None:
    frame, told = cells(host, after(host, items(EXCHANGE, "#W2", ["11", "21"], ["13", "22"])))
    assert frame == f"double exchange for {ANN}"
    assert told["option_colour"] == "white"
    assert told["variant_2"] == "green"
    assert "option_colour_2" not in told
    assert "payment_2" not in told  # one call, one method


def test_a_change_without_a_difference_in_price_tells_no_method(host: RetailHost) -> None:
    same = after(host, items(CHANGE, "#W1", ["11"], ["13"]))
    frame, told = cells(host, same)
    assert frame == f"item change for {ANN}"
    assert told == {"order": "#W1", "item": "Mug", "option_colour": "green"}
    assert same == after(host, items(CHANGE, "#W1", ["11"], ["13"], "credit_card_1"))
    dearer = cells(host, after(host, items(CHANGE, "#W1", ["12"], ["14"], "credit_card_1")))[1]
    assert dearer["payment"] == "credit_card_1"


def test_changes_of_several_orders_count_whatever_their_order(host: RetailHost) -> None:
    calls = [Call(CANCEL, {"order_id": "#W3", "reason": "no longer needed"}), items(RETURN, "#W2", ["21"])]
    intent = Intent(
        f"cancellation and return for {ANN}",
        (Condition("order", "=", "#W3"), Condition("order_2", "=", "#W2"), Condition("item_2", "=", "Lamp")),
    )
    for order in (calls, calls[::-1]):
        assert host.judge(intent, after(host, *order)).accepted
    assert host.judge(intent, after(host, calls[0])).violated == ("request",)
    mug = after(host, calls[0], items(RETURN, "#W2", ["11"]))
    assert host.judge(intent, mug).violated == ("item_2",)
    assert host.score(intent, mug) == pytest.approx(0.75)


def test_records_of_two_customers_are_nobodys_wish(host: RetailHost, tables: Tables) -> None:
    address = dict(tables["users"][ANN]["address"])
    call = Call("modify_user_address", {"user_id": OTHER, **address})
    both = after(host, call, items(RETURN, "#W2", ["11"]))
    assert host.amounts_to(both) == "changed in a way that no request asks for"
    assert not any(host.judge(Intent(frame, ()), both).accepted for frame in host.frames)


def test_more_changes_than_slots_are_nobodys_wish(host: RetailHost) -> None:
    calls = [
        items(CHANGE, "#W1", ["11", "12", "21"], ["13", "14", "22"], "credit_card_1"),
        items(RETURN, "#W2", ["11", "21"]),
    ]
    assert host.amounts_to(after(host, *calls)) == "more than 4 changes"


def test_the_originals_faults_do_not_keep_a_single_change_from_being_accepted(tables: Tables) -> None:
    lax = make(tables, compat=True)
    for call in (items(CHANGE, "#W1", ["11"], ["13"]), items(EXCHANGE, "#W2", ["21"], ["22"])):
        frame, told = cells(lax, after(lax, call))
        assert lax.judge(Intent(frame, tuple(Condition(s, "=", v) for s, v in told.items())), after(lax, call)).accepted
