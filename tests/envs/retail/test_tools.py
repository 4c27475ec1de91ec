from __future__ import annotations

import inspect
import json
import re
import time
from pathlib import Path

import pytest

from intent_gym.envs.desk.calls import Call, parse_call, render_call
from intent_gym.envs.desk.tables import Draft
from intent_gym.envs.desk.tools import BAD_ARGUMENTS, UNKNOWN_TOOL
from intent_gym.envs.retail import reads, writes
from intent_gym.envs.retail.data import load_retail
from intent_gym.envs.retail.policy import CANCEL_REASONS, RULES, rules_of
from intent_gym.envs.retail.tools import retail_toolbox

BOX = retail_toolbox()
WRITES = {name for name, tool in BOX.items() if tool.writes}


def test_there_are_sixteen_tools_seven_of_which_write() -> None:
    assert len(BOX) == len(BOX.schemas()) == 16
    assert len(WRITES) == 7
    assert retail_toolbox() is BOX
    assert retail_toolbox(tau2_compat=False) is BOX
    assert retail_toolbox(tau2_compat=True) is not BOX


@pytest.mark.parametrize("name", BOX)
def test_a_schema_is_json_and_names_what_the_function_takes(name: str) -> None:
    tool = BOX[name]
    assert json.loads(json.dumps(tool.schema)) == tool.schema
    taken = set(inspect.signature(tool.function).parameters) - {"draft", "compat"}
    assert taken == set(tool.parameters)
    assert all(schema["description"].endswith(".") for schema in tool.parameters.values())
    assert "\n" not in tool.description


def test_every_refusal_names_a_rule_about_that_tool() -> None:
    source = inspect.getsource(reads) + inspect.getsource(writes)
    raised = set(re.findall(r'Refusal\(\s*"(\w+)"', source))
    kept = {rule for rule, entry in RULES.items() if entry.by == "tool"}
    assert raised | {"bad_expression"} == kept
    assert {name for entry in RULES.values() for name in entry.tools} <= set(BOX)
    assert all(entry.text.endswith(".") for entry in RULES.values())
    assert "cancel_reason" in rules_of("cancel_pending_order")
    assert all(reason in BOX["cancel_pending_order"].description for reason in CANCEL_REASONS)


READS = {
    "find_user_id_by_email(email=ANN@example.com)": "ann_lee_1",
    "find_user_id_by_email(email=ann.two@example.com)": "ann_lee_2",
    "find_user_id_by_name_zip(first_name=ann, last_name=LEE, zip='10001')": "ann_lee_2",
    "list_all_product_types()": '{"Lamp": "P2", "Mug": "P1"}',
    "get_item_details(item_id='22')": (
        '{"item_id": "22", "options": {"colour": "white"}, "available": true, "price": 40.2}'
    ),
    "calculate(expression='2 * 3')": "6.0",
    "transfer_to_human_agents(summary='wants a teapot')": "Transfer successful",
}
FAILURES = {
    "find_user_id_by_email(email='x')": "known_user",
    "find_user_id_by_name_zip(first_name=Ann, last_name=Lee, zip='1')": "known_user",
    "find_user_id_by_name_zip(first_name=Ann, last_name=Lee, zip=10001)": BAD_ARGUMENTS,
    "get_user_details(user_id=ann)": "known_user",
    "get_order_details(order_id='#W9')": "known_order",
    "get_product_details(product_id='11')": "known_product",
    "get_product_details(product_id='nothing')": "known_product",
    "get_item_details(item_id=P1)": "known_item",
    "get_item_details(item_id='99')": "known_item",
    "calculate(expression='1/0')": "bad_expression",
    "get_order(order_id='#W1')": UNKNOWN_TOOL,
    "list_all_product_types(page=1)": BAD_ARGUMENTS,
}


@pytest.mark.parametrize("text", READS)
def test_reads(draft: Draft, text: str) -> None:
    call = parse_call(text)
    assert isinstance(call, Call)
    assert BOX.run(draft, call).text == READS[text]
    assert draft.changed() == {}


@pytest.mark.parametrize("text", FAILURES)
def test_failures_of_reads(draft: Draft, text: str) -> None:
    call = parse_call(text)
    assert isinstance(call, Call)
    result = BOX.run(draft, call)
    assert (result.ok, result.rule) == (False, FAILURES[text])
    assert result.text.startswith("Error: ")


def test_a_moved_user_is_found_at_the_new_address(draft: Draft) -> None:
    address = {"address1": "", "address2": "", "city": "", "state": "", "country": "", "zip": "99999"}
    BOX.run(draft, Call("modify_user_address", {"user_id": "ann_lee_1", **address}))
    found = Call("find_user_id_by_name_zip", {"first_name": "Ann", "last_name": "Lee", "zip": "99999"})
    assert BOX.run(draft, found).value == "ann_lee_1"
    assert BOX.run(draft, found._replace(arguments={**found.arguments, "zip": "30161"})).rule == "known_user"


def test_a_step_and_a_draft_are_cheap(shared_data: Path) -> None:
    """Goals: 60 microseconds a step from text to text, 5 for a draft; here with room for a busy machine."""
    data = load_retail(shared_data / "tau2" / "retail")
    texts = [render_call(action.name, dict(action.arguments)) for task in data.tasks for action in task.actions]
    step = draft = float("inf")
    for _ in range(5):
        start = time.process_time()
        drafts = [Draft(data.tables) for _ in texts]
        draft = min(draft, (time.process_time() - start) / len(texts))
        start = time.process_time()
        for each, text in zip(drafts, texts, strict=True):
            call = parse_call(text)
            assert isinstance(call, Call)
            assert BOX.run(each, call).text
        step = min(step, (time.process_time() - start) / len(texts))
    print(f"retail: {step * 1e6:.1f} us a step, {draft * 1e6:.2f} us a draft")
    assert step < 180e-6
    assert draft < 15e-6
