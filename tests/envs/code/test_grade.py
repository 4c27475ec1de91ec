"""The two code graders on small tasks of our own."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from intent_gym import grade
from intent_gym.envs.code.cases import humaneval_case
from intent_gym.envs.code.grade import grade_humaneval
from intent_gym.errors import DataError
from intent_gym.grading import Grade
from intent_gym.sandbox.client import Limits

PROMPT = """from typing import List

def half(x):
    return x // 2

def twice(x: List[int]) -> List[int]:
    '''Twice.'''
"""
TEST = "def check(candidate):\n    assert candidate([1, 2]) == [2, 4]\n    assert candidate([]) == []\n"


def humaneval(answer: str, test: str = TEST) -> Grade:
    return grade("code", {"entry_point": "twice", "prompt": PROMPT, "test": test}, answer)


RIGHT = "def twice(x):\n    return [2 * v for v in x]\n"


@pytest.mark.parametrize(
    "answer",
    [
        RIGHT,
        f"So:\n```python\n{RIGHT}```\nDone.",
        "    return [2 * v for v in x]",
        "return [2 * v for v in x]",
        "```\n    return [2 * v for v in x]\n```",
        "FACTOR = 2\ndef helper(v): return v * FACTOR\ndef twice(x): return list(map(helper, x))",
        "def twice(x: List[int]):\n    return [4 * half(2 * v) // 2 for v in x]",  # names of the prompt
        f"from __future__ import annotations\n{RIGHT}",
        "import collections\ndef twice(x): return [c * 2 for c in collections.deque(x)]",
    ],
)
def test_right_programs(answer: str) -> None:
    assert humaneval(answer) == Grade(1.0, "passes with 2 calls")


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("", "no program that defines 'twice'"),
        ("I cannot.", "no program that defines 'twice'"),
        ("def other(x): return x", "no program that defines 'twice'"),
        ("def twice(x): return x", "fails: AssertionError after 1 calls"),
        ("def twice(x): return tuple(2 * v for v in x)", "fails: AssertionError after 1 calls"),  # a tuple is no list
        ("def twice(x): return (v for v in x)", "fails: RuntimeError after 1 calls"),
        ("import numpy\ndef twice(x): return x", "the program does not load: ModuleNotFoundError"),
        ("def twice(x):\n    return 1\nreturn", "the program does not load: SyntaxError"),
    ],
)
def test_wrong_programs_say_why(answer: str, reason: str) -> None:
    assert humaneval(answer) == Grade(0.0, reason)


def test_the_test_can_use_the_prompt_and_the_name() -> None:
    test = "import math\ndef check(candidate):\n    assert candidate([half(4)]) == twice([2]) == [4 * math.cos(0)]\n"
    assert humaneval(RIGHT, test).full_credit


@pytest.mark.parametrize(
    ("test", "message"),
    [
        ("def check(candidate): pass", "never calls the function"),
        ("def check(candidate): assert undefined", "NameError after 0 calls"),
        ("def chek(candidate): pass", "does not load"),
        ("def check(candidate: pass", "does not load"),
        ("def check(candidate):\n    import os\n    os._exit(0)", "ended by itself"),
        ("def check(candidate): candidate(object())", "NotPlainError after 1 calls"),
    ],
)
def test_a_broken_test_is_an_error(test: str, message: str) -> None:
    if "NotPlain" in message:
        assert humaneval(RIGHT, test).score == 0.0
        return
    with pytest.raises(DataError, match=message):
        humaneval(RIGHT, test)


def test_the_answer_never_sees_what_is_right() -> None:
    answer = (
        "import gc, sys\ndef twice(x):\n    f = sys._getframe()\n    found = []\n"
        "    while f: found.append(repr(f.f_locals) + repr(f.f_globals)); f = f.f_back\n"
        "    found.append(repr([o for o in gc.get_objects() if type(o) in (list, tuple, dict)]))\n"
        "    return ''.join(found).count(x)"
    )
    test = "def check(candidate):\n    assert candidate('no' + 'where') == candidate('need' + 'le'), 'a needle'\n"
    assert humaneval(answer, test).full_credit


def test_values_that_make_the_test_endless_score_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("intent_gym.envs.code.grade._JUDGE_LIMITS", Limits(cpu_s=1, wall_s=2.0))
    verdict = humaneval("def twice(x): return 'loop'", "def check(c):\n    v = c([1])\n    while v == 'loop': pass\n")
    assert verdict.score == 0.0
    assert verdict.reason.startswith("the test, on the values it was given, takes more than")


def test_time_is_limited() -> None:
    case = humaneval_case({"entry_point": "twice", "prompt": PROMPT, "test": TEST})
    verdict = grade_humaneval(case, "def twice(x):\n    while True: pass", Limits(cpu_s=1, wall_s=2.0))
    assert verdict.score == 0.0
    assert verdict.reason in ("the program takes more than 1 s of processor time", "the program takes more than 2 s")


def test_a_grading_takes_less_than_150_ms() -> None:
    humaneval(RIGHT)  # starts the server
    times = []
    for _ in range(11):
        start = time.perf_counter()
        assert humaneval(RIGHT).full_credit
        times.append(time.perf_counter() - start)
    assert sorted(times)[5] < 0.15  # the median: the machine may be busy


def livecodebench(answer: str, tests: list[tuple[str, str]], name: str = "") -> Grade:
    rows = [{"input": i, "output": o, "testtype": "functional" if name else "stdin"} for i, o in tests]
    case: dict[str, Any] = {
        "public_test_cases": json.dumps(rows[:1]),
        "private_test_cases": json.dumps(rows[1:]),
        "metadata": json.dumps({"func_name": name} if name else {}),
    }
    return grade("code", case, answer)


ADD = [("1\n2", "3"), ("[1]\n[2]", "[1, 2]")]


@pytest.mark.parametrize(
    "answer",
    [
        "class Solution:\n    def add(self, a, b): return a + b",
        "def add(a, b): return a + b",
        "def f(n): return n\ndef add(n, f): return n + f",  # a helper first, short names
        "class Solution:\n    def other(self): pass\ndef add(a, b): return a + b",
        "add = operator.add",  # the runner's own imports
        "def add(a: List[int], b: Optional[int]) -> Any: return reduce(lambda x, y: x + y, [a, b])",
        "```python\ndef add(a, b): return a + b\n```\n```python\ndef test_add(): assert add(1, 2) == 3\n```",
    ],
)
def test_right_functions(answer: str) -> None:
    assert livecodebench(answer, ADD, "add") == Grade(1.0, "passes 2 tests")


def test_each_call_has_a_new_object() -> None:
    answer = "class Solution:\n    def __init__(self): self.n = 0\n    def f(self, x): self.n += x; return self.n"
    assert livecodebench(answer, [("1", "1"), ("1", "1")], "f").full_credit


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("def add(a, b): return True if a == 1 else a + b", "test 1 of 2 fails: another value"),
        ("def add(a, b): return 3", "test 2 of 2 fails: another value"),
        ("def add(a): return 3", "test 1 of 2 fails: TypeError"),
        ("class Add: pass", "no program that defines 'add'"),
        ("def add(a, b):\n    import os; os._exit(0)", "the program ended by itself with status 0"),
    ],
)
def test_wrong_functions_say_why(answer: str, reason: str) -> None:
    assert livecodebench(answer, ADD, "add") == Grade(0.0, reason)


DOUBLE = [("2\n", "4\n"), ("3\n", "6\n")]


@pytest.mark.parametrize(
    "answer",
    [
        "print(int(input()) * 2)",
        "import sys\nfor line in sys.stdin: print(int(line) * 2)",
        "import sys\nr = sys.stdin.buffer.readline\nprint(int(r()) * 2, r().decode(), end='')",
        "total = 0\ndef add(x):\n    global total\n    total += x\nx = int(input())\nadd(x)\nadd(x)\nprint(total)",
        "if __name__ == '__main__':\n    print(int(stdin.read()) * 2)",
        "def main():\n    print(pow(int(input()), 1, 10**9) * 2)\nmain()",  # the builtin, not math's
    ],
)
def test_right_programs_print(answer: str) -> None:
    assert livecodebench(answer, DOUBLE) == Grade(1.0, "passes 2 tests")


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("print(4)", "test 2 of 2 fails: another output"),
        ("print(int(input()) * 2)\n1 / 0", "test 1 of 2 fails: exit status 1"),
        ("print(int(input()) * 2)\nraise SystemExit(2)", "test 1 of 2 fails: exit status 2"),
        ("Double it.", "no program"),
        ("```\n4\n```", "no program"),
    ],
)
def test_wrong_programs_print(answer: str, reason: str) -> None:
    assert livecodebench(answer, DOUBLE) == Grade(0.0, reason)


def test_a_row_of_neither_kind_is_an_error() -> None:
    with pytest.raises(DataError, match="fields of HumanEval"):
        grade("code", {"question": "?"}, "")
