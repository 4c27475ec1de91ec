"""Which block of an answer is the program."""

from __future__ import annotations

import pytest

from intent_gym.sandbox.programs import find_function, find_script

HEAD = 'import math\n\ndef f(x):\n    """Say x."""\n'


@pytest.mark.parametrize(
    "source",
    [
        "def f(x): return x",
        "async def f(x): return x",
        "f = lambda x: x",
        "g, (f, h) = 1, (2, 3)",
        "f: object = abs",
        "from math import sqrt as f",
        "if True:\n    def f(x): return x",
        "try:\n    import f\nexcept ImportError:\n    pass",
        "try:\n    pass\nexcept ImportError:\n    f = abs",
        "class f: pass",
        "(f := abs)",
    ],
)
def test_any_binding_at_the_top_defines_it(source: str) -> None:
    assert find_function([source], ["f"]) == (["", source], "f")


@pytest.mark.parametrize("source", ["def g():\n    f = 1", "f(1)", "class A:\n    f = 1", "'def f(): 0'", "def f(:"])
def test_other_mentions_do_not(source: str) -> None:
    assert find_function([source], ["f"]) is None


def test_the_last_block_that_defines_it_counts() -> None:
    blocks = ["f = 1", "f = 2", "f(3)", "no program", "def test_f(): pass"]
    assert find_function(blocks, ["f"]) == (["", "f = 2"], "f")


def test_a_method_comes_before_a_function() -> None:
    source = "def f(): 0\nclass Solution:\n    def f(self): 1"
    assert find_function([source], ["Solution.f", "f"]) == (["", source], "Solution.f")
    assert find_function(["class Solution: pass\ndef f(): 0"], ["Solution.f", "f"]) is not None


@pytest.mark.parametrize(
    ("body", "program"),
    [
        ("    return x\n", HEAD + "    return x\n"),
        ("y = x\n    return y\n", HEAD + "    y = x\n    return y\n"),  # the first line was stripped
    ],
)
def test_a_body_continues_the_prompt(body: str, program: str) -> None:
    assert find_function([body], ["f"], HEAD) == ([program], "f")


@pytest.mark.parametrize("text", ["", "  \n", "I cannot say.", "return (x"])
def test_prose_is_no_body(text: str) -> None:
    assert find_function([text], ["f"], HEAD) is None


def test_a_script_does_something() -> None:
    assert find_script(["print(1)", "6", "Yes"]) == "print(1)"
    assert find_script(["6", "not a program"]) is None
