from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intent_gym.envs.desk.calls import MAX_CALL, Call, parse_call, render_call, shown

GOOD: dict[str, tuple[str, dict[str, Any]]] = {
    '{"name": "f", "arguments": {"a": "x", "b": [1, 2.5, null, true]}}': ("f", {"a": "x", "b": [1, 2.5, None, True]}),
    ' \n{"arguments": {}, "name": "f"}\n': ("f", {}),
    "f()": ("f", {}),
    " f ( ) ": ("f", {}),
    "f(a='x', b=\"y\")": ("f", {"a": "x", "b": "y"}),
    "f(a = 1, b=-2.5, c=1e3,)": ("f", {"a": 1, "b": -2.5, "c": 1000.0}),
    "f(a=[1, 'b', ], b=(1, 2), c={'k': [True, None], \"l\": {}})": (
        "f",
        {"a": [1, "b"], "b": [1, 2], "c": {"k": [True, None], "l": {}}},
    ),
    "f(a=true, b=False, c=null, d=None)": ("f", {"a": True, "b": False, "c": None, "d": None}),
    "f(order_id=#W123, reason=no longer needed)": ("f", {"order_id": "#W123", "reason": "no longer needed"}),
    "f(zip=02139, city=New York)": ("f", {"zip": "02139", "city": "New York"}),
    "f(a=[red, 10 inches])": ("f", {"a": ["red", "10 inches"]}),
    r"f(a='it\'s', b=\"\u00e9\ud83d\ude00\", c='\x41\d\\')".replace('\\"', '"'): (
        "f",
        {"a": "it's", "b": "é😀", "c": "A\\d\\"},
    ),
    'f(a="one, (two) {three}=four")': ("f", {"a": "one, (two) {three}=four"}),
    "f(a='f(b=1)')": ("f", {"a": "f(b=1)"}),
}

BAD = {
    "": "expected one tool call, got nothing",
    "   ": "got nothing",
    "What is my order?": "expected one tool call, got 'What is my order?'",
    "f": "expected one tool call",
    "I will do it: f(a=1)": "got other text before it ('I will do it: ')",
    '```json\n{"name": "f", "arguments": {}}\n```': "got a code fence",
    '<call>{"name": "f", "arguments": {}}</call>': "got other text before it ('<call>')",
    "functions.f(a=1)": "got other text before it ('functions.')",
    "f(a=g(b=1))": "expected ',' or ')'",
    "f(**{'a': 1})": "name every argument",
    "f(a: 1)": "name every argument",
    "f(a=x\x00)": "expected ',' or ')', got '\\x00)'",
    '{"name": "f", "arguments": {"a": "x\ny"}}': "write line breaks and control characters in a text as escapes",
    '{"tool": "f", "args": {}}': "got 'tool', 'args'; write",
    '{"type": "function", "function": {"name": "f", "arguments": "{}"}}': "got 'type', 'function'; write",
    "f(a=1) please": "got text after the closing bracket ('please')",
    '{"name": "f", "arguments": {}} thanks': "got text after the closing brace ('thanks')",
    "f(a=1)\ng(b=2)": "got a second one after the closing bracket",
    "f(a=1); f(a=1)": "got a second one after the closing bracket",
    '{"name": "f", "arguments": {}}\n{"name": "g", "arguments": {}}': "got a second one after the closing brace",
    '[{"name": "f", "arguments": {}}]': "got a list of calls",
    "f(1)": "expected key=value, got '1)' at character 2; name every argument",
    "f(a=1, 'x')": "name every argument",
    "f(a)": "name every argument",
    "f(a==1)": "name every argument",
    "f(a=1": "expected ',' or ')', got the end of the text",
    "f(a=[1)": "close the list",
    "f(a={'b': 1)": "close the object",
    "f(a={'b' 1})": "expected ':'",
    "f(a={b: 1})": "expected a key in quotes",
    "f(a='x)": "close the quote",
    "f(a=)": "expected a value",
    "f(a=,b=1)": "expected a value",
    "f(a=b c 'd')": "expected ',' or ')'",
    "f(a=1, a=2)": "expected 'a' once",
    "f(a={'b': 1, 'b': 2})": "'b' came twice",
    "f(a=1e999)": "expected a finite number",
    f"f(a={'1' * 16})": "at most 15 digits",
    '{"name": "f"}': "expected the keys 'name' and 'arguments' and no other, got 'name'",
    '{"name": "f", "arguments": {}, "id": 1}': "and no other",
    "{}": "got none",
    '{"name": 3, "arguments": {}}': "expected 'name' to be the tool's name in quotes, got 3",
    '{"name": "f", "arguments": [1]}': "expected 'arguments' to be an object, got [1]",
    '{"name": "f", "arguments": "{}"}': "expected 'arguments' to be an object",
    '{"name": "f", "name": "g", "arguments": {}}': "expected every key once, got 'name' twice",
    '{"name": "f", "arguments": {"a": 1, "a": 1}}': "got 'a' twice",
    '{"name": "f", "arguments": {"a": NaN}}': "expected a finite number, got NaN",
    '{"name": "f", "arguments": {"a": 1e999}}': "expected a finite number",
    '{"name": "f", "arguments": {"a": -12345678901234567}}': "at most 15 digits",
    '{"name": "f", "arguments": {"a": "b"}': "JSON that breaks at character 37",
    "{'name': 'f', 'arguments': {}}": "double quotes",
    '{"name": "f", "arguments": {"a": "\\ud800"}}': "lone surrogate U+D800",
    "f(a='\ud800')": "lone surrogate",
    "f(a='\\udfff')": "lone surrogate",
    f"f(a={'[' * 30}{']' * 30})": "at most 24 lists and objects",
    json.dumps(
        {"name": "f", "arguments": {"a": [[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]}}
    ): "at most 24",
}


@pytest.mark.parametrize("text", GOOD, ids=lambda text: text[:40])
def test_both_forms_are_read(text: str) -> None:
    assert parse_call(text) == Call(*GOOD[text])


@pytest.mark.parametrize("text", BAD, ids=lambda text: ascii(text[:40]))
def test_everything_else_is_answered_with_its_fault(text: str) -> None:
    answer = parse_call(text)
    assert isinstance(answer, str)
    assert BAD[text] in answer
    assert "expected" in answer
    assert answer.encode()  # printable, whatever came
    assert len(answer) < 500


HOSTILE = {
    "megabyte": "x" * 1_000_000,
    "brackets": "(" * MAX_CALL,
    "calls": "f(a=" * (MAX_CALL // 4),
    "opened lists": "f(a=" + "[" * (MAX_CALL - 10),
    "opened objects": '{"a":' * (MAX_CALL // 5),
    "backslashes": 'f(a="' + "\\" * (MAX_CALL - 10),
    "escaped quotes": 'f(a="' + '\\"' * (MAX_CALL // 2 - 10),
    "digits": f"f(a={'1' * (MAX_CALL - 10)})",
    "letters": "a" * MAX_CALL,
    "words": "a (" * (MAX_CALL // 3),
    "spaces": "f(" + " " * (MAX_CALL - 2),
    "many values": f"f(a=[{'1,' * (MAX_CALL // 2 - 10)}])",
    "many calls": '{"name"' * (MAX_CALL // 7),
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_takes_little_time(text: str) -> None:
    start = time.process_time()
    parse_call(text)
    assert time.process_time() - start < 0.5  # seconds; a quadratic reader takes minutes


@given(st.text(max_size=60))
def test_never_raises(text: str) -> None:
    for candidate in (text, f"f({text})", f"f(a={text})", f'f(a="{text}")', f'{{"name": "f", "arguments": {text}}}'):
        assert isinstance(parse_call(candidate), (Call, str))


@given(st.text("{}[]()\"'=,:\\ abu01.e-#\nTrue", max_size=40))
def test_never_raises_on_signs(text: str) -> None:
    for candidate in (text, f"f({text})", f'{{"name": "f", "arguments": {text}}}'):
        assert isinstance(parse_call(candidate), (Call, str))


_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**14), 10**14)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc'\"\\", max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["a", "b_c", "d1"]), _VALUES))
def test_what_is_written_is_read_back_in_both_forms(arguments: dict[str, Any]) -> None:
    assert parse_call(render_call("f", arguments)) == Call("f", arguments)
    for write in (repr, json.dumps):
        text = ", ".join(f"{key}={write(value)}" for key, value in arguments.items())
        assert parse_call(f"f({text})") == Call("f", arguments)


def test_shown_is_short() -> None:
    assert shown("x" * 1000) == "'" + "x" * 59 + "…"
    assert shown([1] * 1000).endswith("…")
    assert shown("a\n") == r"'a\n'"
