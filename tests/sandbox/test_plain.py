"""Plain values survive the way; nothing else gets on it."""

from __future__ import annotations

import collections
import enum
import math
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intent_gym.sandbox import plain

_LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary()
_KEYS = st.recursive(st.integers() | st.text(), lambda inner: st.tuples(inner, inner), max_leaves=3)
_VALUES = st.recursive(
    _LEAVES,
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(_KEYS, inner) | st.sets(_KEYS),
    max_leaves=20,
)


def _same(one: object, other: object) -> bool:
    return bool(one == other) and repr(one) == repr(other)  # repr tells 1, 1.0 and True apart


@given(_VALUES)
def test_values_come_back_with_their_types(value: object) -> None:
    back = plain.loads(plain.dumps(value))
    assert back == value
    assert type(back) is type(value)
    if not isinstance(value, (set, dict, list, tuple)):
        assert _same(back, value)


@pytest.mark.parametrize(
    "value", [16**3000, -(2**63), 1 + 2j, Fraction(1, 3), Decimal("1.50"), "\ud800", frozenset("a")]
)
def test_unusual_values_come_back(value: object) -> None:
    assert _same(plain.loads(plain.dumps(value)), value)


def test_not_a_number_comes_back() -> None:
    assert math.isnan(plain.loads(plain.dumps(math.nan)))


class _Liar(int):
    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0

    def __int__(self) -> int:
        return 42

    def __str__(self) -> str:
        return "42"


class _Level(enum.IntEnum):
    LOW = 1


_Pair = collections.namedtuple("_Pair", "a b")


@pytest.mark.parametrize(
    ("value", "read"),
    [
        (_Liar(7), 7),
        (_Level.LOW, 1),
        (_Pair(1, 2), (1, 2)),
        (collections.Counter("aab"), {"a": 2, "b": 1}),
        (collections.OrderedDict(a=1), {"a": 1}),
    ],
)
def test_a_subclass_is_read_as_what_it_extends(value: object, read: object) -> None:
    back = plain.loads(plain.dumps(value))
    assert _same(back, read)
    assert type(back) is type(read)


def _endless() -> list[object]:
    value: list[object] = []
    value.append(value)
    return value


@pytest.mark.parametrize("value", [object(), len, range(3), iter([1]), int, _endless(), {"a": object()}])
def test_other_objects_are_refused(value: object) -> None:
    with pytest.raises(plain.NotPlainError):
        plain.dumps(value)


@pytest.mark.parametrize(
    "data",
    [
        *(
            b"",
            b"[",
            b"\xff",
            b'{"x": 1}',
            b'{"i": 1}',
            b'{"t": [1], "s": []}',
            b'{"s": [[1]]}',
            b'{"d": [[1]]}',
            b"{}",
        ),
        *(b"[" * 5000 + b"]" * 5000, b'{"q": ["1", "0"]}', b'{"m": "x"}', b"1" * 5000, b'{"b": "zz"}'),
    ],
)
def test_other_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(plain.NotPlainError):
        plain.loads(data)
