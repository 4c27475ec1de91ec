from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intent_gym.envs.desk.calls import Call
from intent_gym.envs.desk.general import CALCULATE, MAX_EXPRESSION, TRANSFER, calculated
from intent_gym.envs.desk.tables import Draft, Tables
from intent_gym.envs.desk.tools import Refusal, Toolbox

# By hand: Python's own grouping, a binary float rounded to two decimals.
VALUES = {
    "1 + 2 * 3": "7.0",
    "(1 + 2) * 3": "9.0",
    "-2**2": "-4.0",
    "2**3**2": "512.0",
    "2**-1": "0.5",
    "7//2": "3.0",
    "-7//2": "-4.0",
    "8/2/2": "2.0",
    "10 - 4 - 3": "3.0",
    "--5": "5.0",
    "5.": "5.0",
    ".5": "0.5",
    "00": "0.0",
    "2.675": "2.67",
    "-0.001": "-0.0",
    " 1+1 ": "2.0",
    "-" * 200 + "5": "5.0",
    "(" * 40 + "1" + ")" * 40: "1.0",
}
REFUSED = {
    "": "got nothing at the end",
    "1 +": "at the end",
    "()": "got ')'",
    "1 2": "got 2",
    "1.2.3": "got 0.3",
    "007": "every bracket closed",
    "(1+2": "got nothing at the end",
    "1+2)": "got ')'",
    "(1)(2)": "got '('",
    "1/0": "a division by zero",
    "0**-1": "a division by zero",
    "9.0**999": "below 1e308",
    "9**9**9**9": "below 1e308",
    "9" * 400: "below 1e308",
    "(-8)**0.5": "a root of a negative number",
    "1e5": "got 'e'",
    "5%": "got '%'",
    "10\n": r"got '\n'",
    "½": "got '½'",
    "__import__": "got '_'",
    "(" * 60 + "1" + ")" * 60: "at most 50 brackets",
    "1+" * 600 + "1": f"at most {MAX_EXPRESSION} characters",
}


@pytest.mark.parametrize("expression", VALUES, ids=lambda text: text[:20])
def test_values(expression: str) -> None:
    assert calculated(expression) == VALUES[expression]


@pytest.mark.parametrize("expression", REFUSED, ids=lambda text: ascii(text[:20]))
def test_refusals(expression: str) -> None:
    start = time.process_time()
    with pytest.raises(Refusal) as refusal:
        calculated(expression)
    assert REFUSED[expression] in str(refusal.value)
    assert refusal.value.rule == "bad_expression"
    assert time.process_time() - start < 0.5


@given(st.text("0123456789.+-*/() ", max_size=30))
def test_any_text_gives_a_value_or_a_refusal(expression: str) -> None:
    try:
        float(calculated(expression))
    except Refusal:
        pass


def test_both_are_tools() -> None:
    box, draft = Toolbox([CALCULATE, TRANSFER]), Draft(Tables({}))
    assert box.run(draft, Call("calculate", {"expression": "1+1"})).text == "2.0"
    assert box.run(draft, Call("transfer_to_human_agents", {"summary": "x"})).text == "Transfer successful"
    assert not box.run(draft, Call("calculate", {"expression": "1+"})).ok
