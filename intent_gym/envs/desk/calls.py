"""One tool call read from an action's text.

Two forms are read, with nothing before or after::

    {"name": "cancel_order", "arguments": {"order_id": "#W1", "count": 2}}
    cancel_order(order_id="#W1", count=2)

The first is strict JSON. In the second a value is a JSON value, a Python literal (either quote, ``True``, ``None``, a
tuple) or bare words, which are a number if they look like one and a text otherwise. `parse_call` answers everything
else with a sentence that says what was expected, what came and what to do. It never raises, evaluates nothing, and
takes time linear in the length of the text, of which it reads at most `MAX_CALL` characters.

Decisions:

* One action is one call and nothing else: a call inside prose, a code fence, a list or another call is answered and
  never run, nor is the first of several. Which call was meant, and whether it was meant at all, is the agent's to say.
* Bare words end at a comma or closing bracket, so ``city=New York`` is one text; they may not hold quotes, brackets,
  control characters or an equals sign. A number with leading zeros (``zip=02139``) is a text, and so is ``NaN``.
* An integer has at most `MAX_DIGITS` digits and a number is finite; beyond that nothing downstream is exact.
* Two equal keys, at any depth, are a fault: which of the two is meant cannot be known.
* A text that cannot be encoded (a lone surrogate) is a fault.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, NamedTuple

__all__ = ["MAX_CALL", "MAX_DIGITS", "Call", "parse_call", "render_call", "shown"]

MAX_CALL = 1 << 16  # characters
MAX_DIGITS = 15  # of an integer: exact as a float too
MAX_DEPTH = 24  # lists and objects within each other
FORMS = '{"name": "tool", "arguments": {"key": "value"}} or tool(key="value")'

_ENCODE = json.JSONEncoder(ensure_ascii=False).encode
_HEAD = re.compile(r"([A-Za-z_]\w{0,99})\s*\(")
_CALL_INSIDE = re.compile(r"\b[A-Za-z_]\w{0,63}\((?=\s*(?:\)|\w{1,64}\s*=))|\{\s*\"name\"")
_KEY = re.compile(r"\s*([A-Za-z_]\w*)\s*=(?!=)\s*")
_SPACE = re.compile(r"\s*")
_BARE = re.compile(r"[^,()\[\]{}\"'=\x00-\x08\x0b-\x1f\x7f]+")
_NUMBER = re.compile(r"[-+]?(?:0|[1-9]\d*)(\.\d*)?([eE][-+]?\d+)?")
_STRINGS = {quote: re.compile(rf"[^{quote}\\]*(?:\\.[^{quote}\\]*)*{quote}", re.DOTALL) for quote in "\"'"}
_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|U00[01][0-9a-fA-F]{5}|x[0-9a-fA-F]{2}|.)", re.DOTALL)
_ESCAPES = {
    "n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "/": "/", "\\": "\\", "'": "'", '"': '"', "\n": "",
}  # fmt: skip
_WORDS: dict[str, Any] = {"true": True, "True": True, "false": False, "False": False, "null": None, "None": None}
_CLOSING = {"[": "]", "(": ")"}


class Call(NamedTuple):
    """One tool call."""

    name: str
    arguments: dict[str, Any]
    """JSON values by parameter name."""


class _Fault(ValueError):
    """What is wrong with a text, in words."""


def parse_call(text: str) -> Call | str:
    """Read one tool call, or return what is wrong with the text.

    >>> parse_call('cancel(order_id="#W1", count=2, tags=[a, "b"])')
    Call(name='cancel', arguments={'order_id': '#W1', 'count': 2, 'tags': ['a', 'b']})
    >>> parse_call('{"name": "list_all", "arguments": {}}')
    Call(name='list_all', arguments={})
    >>> print(parse_call('cancel("#W1")'))
    cancel(...): expected key=value, got '"#W1")' at character 7; name every argument
    """
    if len(text) > MAX_CALL:
        return f"expected one tool call of at most {MAX_CALL} characters, got {len(text)}; shorten it"
    try:
        if not text.isascii():
            _encodable(text)
        body = text.strip()
        if body.startswith("{"):
            call = _json_call(body)
        elif (head := _HEAD.match(body)) is not None:
            call = _Reader(body, head.end(), head[1]).call()
        else:
            return _neither(body)
        if "\\" in body:
            _encodable(_ENCODE(call.arguments))
    except _Fault as fault:
        return str(fault)
    except RecursionError:
        return f"expected at most {MAX_DEPTH} lists and objects within each other, got more; flatten the arguments"
    return call


def render_call(name: str, arguments: dict[str, Any]) -> str:
    """Return a call as text that `parse_call` reads back.

    >>> render_call("cancel", {"order_id": "#W1"})
    '{"name": "cancel", "arguments": {"order_id": "#W1"}}'
    """
    return _ENCODE({"name": name, "arguments": arguments})


def shown(value: object, limit: int = 60) -> str:
    """Return a value as it stands in a message: its repr, cut after `limit` characters."""
    text = repr(value[: limit + 1] if isinstance(value, (str, list, tuple)) else value)
    return text if len(text) <= limit + 2 else f"{text[:limit]}…"


def _encodable(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        code = ord(text[error.start])
        raise _Fault(f"expected Unicode text, got the lone surrogate U+{code:04X}; leave it out") from None


# -- the JSON form -----------------------------------------------------------------------------------------------------
def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _Fault(f"expected every key once, got {shown(key)} twice; keep one of them")
            seen.add(key)
    return out


def _constant(text: str) -> float:
    raise _Fault(f"expected a finite number, got {text}; give digits")


def _integer(text: str) -> int:
    if len(text) > MAX_DIGITS and len(text.lstrip("-+")) > MAX_DIGITS:
        raise _Fault(
            f"expected an integer of at most {MAX_DIGITS} digits, got {shown(text)}; is it a text that needs quotes?"
        )
    return int(text)


def _float(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        _constant(shown(text))
    return number


_DECODE = json.JSONDecoder(
    object_pairs_hook=_pairs, parse_constant=_constant, parse_float=_float, parse_int=_integer
).raw_decode


def _json_call(body: str) -> Call:
    try:
        value, end = _DECODE(body)
    except json.JSONDecodeError as error:
        rest = shown(body[error.pos : error.pos + 40]) if error.pos < len(body) else "the end of the text"
        raise _Fault(
            f"expected a JSON object such as {FORMS}, got JSON that breaks at character {error.pos} ({error.msg}: "
            f"{rest}); {_advice(error.msg)}"
        ) from None
    if end < len(body):
        raise _after(body[end:], "the closing brace")
    return _named(value)


def _advice(fault: str) -> str:
    if fault.startswith("Invalid control character"):
        return r"write line breaks and control characters in a text as escapes, such as \n"
    return "close every bracket and quote, with double quotes"


def _named(value: dict[str, Any]) -> Call:
    """Return the call that an object stands for."""
    name, arguments = value.get("name"), value.get("arguments")
    if value.keys() != {"name", "arguments"}:
        keys = ", ".join(shown(key, 30) for key in list(value)[:8]) or "none"
        raise _Fault(f"expected the keys 'name' and 'arguments' and no other, got {keys}; write {FORMS}")
    if not isinstance(name, str):
        raise _Fault(f"expected 'name' to be the tool's name in quotes, got {shown(name)}; write {FORMS}")
    if not isinstance(arguments, dict):
        raise _Fault(
            f"{shown(name, 100)}: expected 'arguments' to be an object, got {shown(arguments)}; "
            'write "arguments": {"key": "value"}, or {} for none'
        )
    _depth(arguments)
    return Call(name, arguments)


def _depth(value: object, depth: int = 0) -> None:
    if depth > MAX_DEPTH:
        raise RecursionError
    if isinstance(value, dict):
        for item in value.values():
            if type(item) is not str:
                _depth(item, depth + 1)
    elif isinstance(value, list):
        for item in value:
            if type(item) is not str:
                _depth(item, depth + 1)


# -- neither form, or more than one call -------------------------------------------------------------------------------
def _neither(body: str) -> str:
    if not body:
        return f"expected one tool call, got nothing; write {FORMS}"
    inside = _CALL_INSIDE.search(body)
    if inside is None:
        return f"expected one tool call, got {shown(body)}; write {FORMS}"
    if body.startswith("["):
        return f"expected one tool call, got a list of calls ({shown(body)}); send one call an action, without the list"
    if body.startswith("```"):
        return f"expected a tool call and nothing else, got a code fence ({shown(body)}); send the call without it"
    return (
        f"expected a tool call and nothing else, got other text before it ({shown(body[: inside.start()])}); "
        "send the call alone"
    )


def _after(rest: str, where: str) -> _Fault:
    tail = rest.lstrip(" \t\r\n,;")
    if _CALL_INSIDE.match(tail) is not None or _HEAD.match(tail) is not None:
        return _Fault(
            f"expected one tool call, got a second one after {where} ({shown(tail)}); send one call an action"
        )
    return _Fault(
        f"expected a tool call and nothing else, got text after {where} ({shown(rest.strip())}); send the call alone"
    )


# -- the tool(key=value) form ------------------------------------------------------------------------------------------
class _Reader:
    """Reads ``key=value, ...)`` from a position of a text."""

    def __init__(self, text: str, at: int, name: str) -> None:
        self.text, self.at, self.name = text, at, name

    def call(self) -> Call:
        arguments: dict[str, Any] = {}
        self.space()
        while not self.take(")"):
            key = _KEY.match(self.text, self.at)
            if key is None:
                raise self.fault("key=value", "name every argument")
            if key[1] in arguments:
                raise self.fault(f"{shown(key[1])} once", "keep one of the two")
            self.at = key.end()
            arguments[key[1]] = self.value(0)
            self.space()
            if not self.take(","):
                if self.take(")"):
                    break
                raise self.fault("',' or ')'", "close the bracket, and put a text with signs in it in quotes")
            self.space()
        if self.at < len(self.text):
            raise _after(self.text[self.at :], "the closing bracket")
        return Call(self.name, arguments)

    def value(self, depth: int) -> Any:  # noqa: ANN401 - a JSON value
        if depth > MAX_DEPTH:
            raise RecursionError
        sign = self.text[self.at : self.at + 1]
        if sign in _STRINGS:
            return self.string(sign)
        if sign == "{":
            return self.object(depth)
        if sign in _CLOSING:
            return self.list(_CLOSING[sign], depth)
        bare = _BARE.match(self.text, self.at)
        word = bare[0].strip() if bare else ""
        if bare is None or not word:
            raise self.fault("a value", "give a value, in quotes if it is a text")
        self.at = bare.end()
        if word in _WORDS:
            return _WORDS[word]
        number = _NUMBER.fullmatch(word)
        if number is None:
            return word
        return _float(word) if number[1] or number[2] else _integer(word)

    def string(self, quote: str) -> str:
        found = _STRINGS[quote].match(self.text, self.at + 1)
        if found is None:
            raise self.fault(f"a text that ends with {quote}", "close the quote")
        self.at = found.end()
        body = found[0][:-1]
        if "\\" not in body:
            return body
        plain = _ESCAPE.sub(_unescaped, body)
        if _SURROGATE.search(plain) is None:
            return plain
        return plain.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")  # joins pairs

    def list(self, closing: str, depth: int) -> list[Any]:
        self.at += 1
        items: list[Any] = []
        self.space()
        while not self.take(closing):
            items.append(self.value(depth + 1))
            self.space()
            if not self.take(","):
                if self.take(closing):
                    break
                raise self.fault(f"',' or '{closing}'", "close the list")
            self.space()
        return items

    def object(self, depth: int) -> dict[str, Any]:
        self.at += 1
        out: dict[str, Any] = {}
        self.space()
        while not self.take("}"):
            quote = self.text[self.at : self.at + 1]
            if quote not in _STRINGS:
                raise self.fault("a key in quotes", 'write {"key": value}')
            key = self.string(quote)
            if key in out:
                raise self.fault(f"every key once, and {shown(key)} came twice", "keep one of the two")
            self.space()
            if not self.take(":"):
                raise self.fault("':'", 'write {"key": value}')
            self.space()
            out[key] = self.value(depth + 1)
            self.space()
            if not self.take(","):
                if self.take("}"):
                    break
                raise self.fault("',' or '}'", "close the object")
            self.space()
        return out

    def space(self) -> None:
        found = _SPACE.match(self.text, self.at)
        assert found is not None  # matches the empty text
        self.at = found.end()

    def take(self, sign: str) -> bool:
        if self.text.startswith(sign, self.at):
            self.at += 1
            return True
        return False

    def fault(self, expected: str, advice: str) -> _Fault:
        rest = self.text[self.at : self.at + 61]
        got = f"{shown(rest)} at character {self.at}" if rest else "the end of the text"
        return _Fault(f"{self.name}(...): expected {expected}, got {got}; {advice}")


def _unescaped(match: re.Match[str]) -> str:
    code = match[1]
    if len(code) == 1:
        return _ESCAPES.get(code, match[0])
    point = int(code[1:], 16)
    return chr(point) if point < 0x110000 else match[0]
