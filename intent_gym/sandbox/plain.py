"""Plain values as bytes: what passes between a grader and the process that runs untrusted code.

A value is None, a bool, int, float, complex, str, bytes, Fraction, Decimal, or a list, tuple, set, frozenset or dict of
values. A subclass counts as the type that it extends (a Counter is a dict, a named tuple a tuple), read through that
type and not through methods that it overrides; anything else is no plain value, an object with an `__eq__` of its own
in the first place. Reading bytes back makes plain values and nothing else, whoever wrote them.

The form is JSON: lists are arrays, other types objects with one key. Standard library only.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

__all__ = ["MAX_DEPTH", "NotPlainError", "dumps", "loads"]

MAX_DEPTH = 100
"""Deepest nesting of lists, tuples, sets and dicts."""
_JSON_INT = 2**63
"""Larger numbers are written in base 16: Python limits the digits of decimal ones."""


class NotPlainError(ValueError):
    """A value that is not plain, or bytes that are not the form of one."""


def dumps(value: object) -> bytes:
    """Return the bytes of a plain value.

    Raises:
        NotPlainError: It is not plain, or nested too deeply.

    >>> dumps({"a": (1, 2.5)})
    b'{"d":[["a",{"t":[1,2.5]}]]}'
    """
    return json.dumps(_out(value, MAX_DEPTH), separators=(",", ":")).encode()


def loads(data: bytes) -> Any:  # noqa: ANN401 - any plain value
    """Return the value of some bytes.

    Raises:
        NotPlainError: They are not the form of a plain value.

    >>> loads(dumps([{1, 2}, None, 10**30]))
    [{1, 2}, None, 1000000000000000000000000000000]
    """
    try:
        return _in(json.loads(data), MAX_DEPTH)
    except NotPlainError:
        raise
    except (ValueError, TypeError, RecursionError, ArithmeticError) as error:
        raise NotPlainError(f"expected the bytes of a plain value, found others ({error})") from error


def _out(value: object, depth: int) -> object:
    if value is None or value is True or value is False:
        return value
    if depth == 0:
        raise NotPlainError(f"expected a plain value, found one nested more than {MAX_DEPTH} deep")
    depth -= 1
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        number = int.__int__(value)
        return number if -_JSON_INT < number < _JSON_INT else {"i": hex(number)}
    if isinstance(value, float):
        return float.__pos__(value)
    if isinstance(value, list):
        return [_out(v, depth) for v in list.__iter__(value)]
    if isinstance(value, tuple):
        return {"t": [_out(v, depth) for v in tuple.__iter__(value)]}
    if isinstance(value, dict):
        return {"d": [[_out(k, depth), _out(v, depth)] for k, v in dict.items(value)]}
    if isinstance(value, set):
        return {"s": [_out(v, depth) for v in set.__iter__(value)]}
    if isinstance(value, frozenset):
        return {"z": [_out(v, depth) for v in frozenset.__iter__(value)]}
    if isinstance(value, bytes):
        return {"b": bytes.hex(value)}
    if type(value) is complex:
        return {"c": [value.real, value.imag]}
    if type(value) is Fraction:
        return {"q": [hex(value.numerator), hex(value.denominator)]}
    if type(value) is Decimal:
        return {"m": str(value)}
    raise NotPlainError(f"expected a plain value, found an object of type {type(value).__name__!r}")


_READERS: dict[str, Callable[[Any, int], object]] = {
    "i": lambda v, _: int(v, 16),
    "t": lambda v, depth: tuple(_in(x, depth) for x in v),
    "d": lambda v, depth: {_in(k, depth): _in(x, depth) for k, x in v},
    "s": lambda v, depth: {_in(x, depth) for x in v},
    "z": lambda v, depth: frozenset(_in(x, depth) for x in v),
    "b": lambda v, _: bytes.fromhex(v),
    "c": lambda v, _: complex(float(v[0]), float(v[1])),
    "q": lambda v, _: Fraction(int(v[0], 16), int(v[1], 16)),
    "m": lambda v, _: Decimal(v),
}


def _in(value: object, depth: int) -> object:
    if depth < 0:
        raise NotPlainError(f"expected a plain value, found one nested more than {MAX_DEPTH} deep")
    if isinstance(value, list):
        return [_in(v, depth - 1) for v in value]
    if not isinstance(value, dict):
        return value
    if len(value) != 1:
        raise NotPlainError(f"expected an object with one key, found {len(value)}")
    ((kind, inner),) = value.items()
    if kind not in _READERS:
        raise NotPlainError(f"expected a kind of value out of {''.join(_READERS)}, found {str(kind)[:20]!r}")
    return _READERS[kind](inner, depth - 1)
