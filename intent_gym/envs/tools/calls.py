"""The calls that a model's text holds, read without running anything.

Three forms are read, plain, in quotes, or in one code fence with prose around it or not::

    [search(city="Rome", stars=4), search(city="Oslo", stars=3)]        one call, a list, a tuple, or one a line
    [{"name": "search", "arguments": {"city": "Rome", "stars": 4}}]     one object or a list
    [{"search": {"city": "Rome", "stars": 4}}]                          one object or a list

Decisions: a value is a literal: text, number (with one sign), boolean (``True`` or ``true``), ``None`` or ``null``,
list, tuple (read as a list) or object. An expression, a variable, a nested call, a starred or positional argument and
a key given twice are faults, each with its own words: nothing is evaluated, and which of two values is meant cannot
be known. At most `MAX_TEXT` characters are read.
"""

from __future__ import annotations

import ast
import json
import math
import re
import warnings
from typing import Any, NamedTuple

__all__ = ["MAX_TEXT", "Call", "CallFault", "read_calls", "render_calls"]

MAX_TEXT = 1 << 16  # characters
MAX_DEPTH = 40  # lists and objects within each other

_FENCE = re.compile(r"```[ \t]*[\w+-]*[ \t]*\r?\n(.*?)```|```(.*?)```", re.DOTALL)
_CONSTANTS = {"true": True, "false": False, "null": None}
_FORMS = 'name(key=value), [name(key=value), ...] or [{"name": ..., "arguments": {...}}, ...]'


class Call(NamedTuple):
    """One call of a function."""

    name: str
    arguments: dict[str, Any]
    """JSON values by parameter name."""


class CallFault(ValueError):
    """What is wrong with a text, in words."""


def read_calls(text: str) -> list[Call]:
    """Return the calls of a text in order.

    Raises:
        CallFault: The text is no calls, or one of them cannot be read.

    >>> read_calls('[add(a=+5, b=(1, 2)), maths.neg(on=true)]')
    [Call(name='add', arguments={'a': 5, 'b': [1, 2]}), Call(name='maths.neg', arguments={'on': True})]
    >>> read_calls('{"name": "add", "arguments": {"a": 5}}')
    [Call(name='add', arguments={'a': 5})]
    """
    if len(text) > MAX_TEXT:
        raise CallFault(
            f"unreadable: expected at most {MAX_TEXT} characters, got {len(text)}; leave out what is no call"
        )
    body = _body(text)
    if not body:
        raise CallFault(f"unreadable: expected {_FORMS}, got an empty text")
    try:
        if body[0] in "[{" and body[-1] in "]}":
            try:
                return _from_json(body)
            except json.JSONDecodeError:
                pass  # lists of calls begin and end alike
        return _from_python(body)
    except RecursionError:
        raise _too_deep() from None


def render_calls(calls: list[Call]) -> str:
    """Return calls as a text that `read_calls` reads back.

    >>> render_calls([Call("add", {"a": 5, "unit": "m"})])
    "[add(a=5, unit='m')]"
    """
    shown = (f"{call.name}({', '.join(f'{key}={value!r}' for key, value in call.arguments.items())})" for call in calls)
    return f"[{', '.join(shown)}]"


def _body(text: str) -> str:
    """Return the text of the one code fence, or all of it, without quotes or backticks around."""
    body = text.strip()
    fences = _FENCE.findall(body)
    if len(fences) > 1:
        raise CallFault(
            f"unreadable: expected all calls in one code block, got {len(fences)} blocks; put them into one list"
        )
    if fences:
        body = (fences[0][0] or fences[0][1]).strip()
    for mark in ("`", '"', "'"):
        if len(body) > 1 and body[0] == body[-1] == mark:
            body = body[1:-1].strip()
    return body


def _too_deep() -> CallFault:
    return CallFault(f"unreadable: expected at most {MAX_DEPTH} lists and objects within each other, got more")


# -- the JSON forms ----------------------------------------------------------------------------------------------------
def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    seen: dict[str, Any] = {}
    for key, value in pairs:
        if key in seen:
            raise CallFault(f"repeated argument: expected every key once, got {key[:60]!r} twice")
        seen[key] = value
    return seen


def _constant(text: str) -> float:
    raise CallFault(f"not a literal: expected a finite number, got {text}")


def _integer(text: str) -> int:
    if len(text) > 400:
        raise CallFault(f"not a literal: expected a number, got {len(text)} digits")
    return int(text)


def _from_json(body: str) -> list[Call]:
    value = json.loads(body, object_pairs_hook=_pairs, parse_constant=_constant, parse_int=_integer)
    return _from_objects(value)


def _from_objects(value: Any) -> list[Call]:  # noqa: ANN401 - any JSON value
    return [_object_call(entry) for entry in (value if isinstance(value, list) else [value])]


def _object_call(entry: Any) -> Call:  # noqa: ANN401 - any JSON value
    if isinstance(entry, dict):
        if set(entry) == {"name", "arguments"} and isinstance(entry["name"], str):
            arguments = entry["arguments"]
            name = entry["name"]
        elif len(entry) == 1:
            ((name, arguments),) = entry.items()
        else:
            arguments, name = None, ""
        if isinstance(arguments, dict):
            _check_depth(arguments)
            return Call(name, arguments)
    raise CallFault(f"no call: expected {_FORMS}, got the value {str(entry)[:60]!r}")


def _check_depth(value: Any, depth: int = 0) -> None:  # noqa: ANN401 - any JSON value
    if depth > MAX_DEPTH:
        raise _too_deep()
    if isinstance(value, float) and not math.isfinite(value):
        _constant(str(value))
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        _check_depth(inner, depth + 1)


# -- the Python form ---------------------------------------------------------------------------------------------------
def _from_python(body: str) -> list[Call]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of odd escapes in a model's text
            tree = ast.parse(body, mode="exec")
    except (SyntaxError, ValueError, MemoryError) as error:
        message = error.msg if isinstance(error, SyntaxError) else str(error) or type(error).__name__
        raise CallFault(f"unreadable: expected {_FORMS}, got {body[:60]!r} ({message})") from None
    nodes: list[ast.expr] = []
    if not tree.body:
        raise CallFault(f"unreadable: expected {_FORMS}, got a comment; say [] for no call")
    for statement in tree.body:
        if not isinstance(statement, ast.Expr):
            raise CallFault(f"unreadable: expected {_FORMS}, got a statement, {body[:60]!r}")
        nodes.append(statement.value)
    if len(nodes) == 1 and isinstance(nodes[0], (ast.List, ast.Tuple)):
        nodes = nodes[0].elts
    if nodes and all(isinstance(node, ast.Dict) for node in nodes):
        return _from_objects([_literal(node, 0) for node in nodes])
    return [_call(node) for node in nodes]


def _call(node: ast.expr) -> Call:
    if not isinstance(node, ast.Call):
        raise CallFault(f"no call: expected {_FORMS}, got {_source(node)}")
    name = _name(node.func)
    if node.args:
        raise CallFault(f"positional argument: expected {name}(key=value), got {_source(node.args[0])} without a key")
    arguments: dict[str, Any] = {}
    for keyword in node.keywords:
        if keyword.arg is None:
            raise CallFault(f"starred argument: expected {name}(key=value), got **{_source(keyword.value)}")
        if keyword.arg in arguments:
            raise CallFault(f"repeated argument: expected every key of {name} once, got {keyword.arg!r} twice")
        arguments[keyword.arg] = _literal(keyword.value, 0)
    return Call(name, arguments)


def _name(node: ast.expr) -> str:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        raise CallFault(f"no call: expected a function's name, got {_source(node)}")
    return ".".join([node.id, *reversed(parts)])


def _literal(node: ast.expr, depth: int) -> Any:  # noqa: ANN401 - any JSON value
    if depth > MAX_DEPTH:
        raise _too_deep()
    if isinstance(node, ast.Constant) and (node.value is None or isinstance(node.value, (str, bool, int, float))):
        if isinstance(node.value, float) and not math.isfinite(node.value):
            _constant(str(node.value))
        return node.value
    if isinstance(node, ast.Name) and node.id in _CONSTANTS:
        return _CONSTANTS[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.UAdd, ast.USub)):
        number = node.operand
        if isinstance(number, ast.Constant) and type(number.value) in (int, float):
            value = _literal(number, depth)
            return -value if isinstance(node.op, ast.USub) else value
    if isinstance(node, (ast.List, ast.Tuple)):
        return [_literal(element, depth + 1) for element in node.elts]
    if isinstance(node, ast.Dict):
        pairs: list[tuple[str, Any]] = []
        for key, value in zip(node.keys, node.values, strict=True):
            if not (isinstance(key, ast.Constant) and isinstance(key.value, str)):
                raise CallFault(f"not a literal: expected a text as key, got {'**' if key is None else _source(key)}")
            pairs.append((key.value, _literal(value, depth + 1)))
        return _pairs(pairs)
    raise CallFault(f"not a literal: expected a text, number, boolean, list or object, got {_source(node)}")


def _source(node: ast.expr) -> str:
    """Return the kind of a piece of code and its line and column; unparsing would recurse."""
    return f"{type(node).__name__} at character {node.col_offset + 1} of line {node.lineno}"
