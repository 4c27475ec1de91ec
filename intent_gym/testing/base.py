"""What the checks have in common: failing with a message, comparing data byte by byte, finding what is shared."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from intent_gym.errors import ConformanceError

__all__ = ["canonical", "digest", "require", "same", "shares"]


def require(condition: object, message: str) -> None:
    """Raise `ConformanceError` unless the condition holds."""
    if not condition:
        raise ConformanceError(message)


def canonical(data: Any) -> bytes:  # noqa: ANN401 - observations and infos of any kind
    """Return bytes that are equal exactly where two observations or infos are: types, shapes, order and content.

    >>> canonical({"a": np.float32(1)}) == canonical({"a": 1.0})
    False
    """
    if isinstance(data, np.ndarray):
        return b"".join((f"array {data.dtype} {data.shape} ".encode(), np.ascontiguousarray(data).tobytes(), b";"))
    if isinstance(data, str):
        text = data.encode("utf-8", "surrogatepass")
        return b"".join((f"{type(data).__name__} {len(text)} ".encode(), text, b";"))
    if isinstance(data, Mapping):
        inner = b"".join(canonical(k) + canonical(v) for k, v in data.items())
        return b"".join((f"{type(data).__name__} {len(data)} ".encode(), inner, b";"))
    if isinstance(data, tuple | list):
        return b"".join((f"{type(data).__name__} {len(data)} ".encode(), *map(canonical, data), b";"))
    return f"{type(data).__name__} {data!r};".encode("utf-8", "surrogatepass")


def digest(*data: Any) -> str:
    """Return a short text that is the same for the same data, in every process."""
    return hashlib.sha256(canonical(data)).hexdigest()


def same(one: Any, other: Any, what: str) -> None:  # noqa: ANN401 - observations and infos of any kind
    """Raise `ConformanceError` unless two pieces of data are equal byte by byte; name the part that differs."""
    if canonical(one) == canonical(other):
        return
    where, left, right = _difference(one, other, "")
    raise ConformanceError(
        f"{what}: expected the same bytes, got a difference at {where or 'the top'}: {left} | {right}"
    )


def _difference(one: Any, other: Any, where: str) -> tuple[str, str, str]:  # noqa: ANN401
    if type(one) is type(other):
        if isinstance(one, Mapping) and list(one) == list(other):
            parts = [(f"{where}[{k!r}]", one[k], other[k]) for k in one]
        elif isinstance(one, tuple | list) and len(one) == len(other):
            parts = [(f"{where}[{i}]", a, b) for i, (a, b) in enumerate(zip(one, other, strict=True))]
        else:
            parts = []
        for place, a, b in parts:
            if canonical(a) != canonical(b):
                return _difference(a, b, place)
    return where, repr(one)[:300], repr(other)[:300]


def shares(one: Any, other: Any) -> bool:  # noqa: ANN401 - observations and infos of any kind
    """Return whether two pieces of data share something that can be changed: a dict, a list, memory of an array.

    >>> part = {"role": "user"}
    >>> shares((part,), (part,)), shares((dict(part),), (part,))
    (True, False)
    """
    first, second = list(_changeable(one)), list(_changeable(other))
    if {id(x) for x in first} & {id(x) for x in second}:
        return True
    arrays: list[NDArray[Any]] = [x for x in first if isinstance(x, np.ndarray)]
    others: list[NDArray[Any]] = [x for x in second if isinstance(x, np.ndarray)]
    return any(np.shares_memory(a, b) for a in arrays for b in others)


def _changeable(data: Any) -> Iterator[Any]:  # noqa: ANN401
    if isinstance(data, Mapping):
        yield data
        for value in data.values():
            yield from _changeable(value)
    elif isinstance(data, tuple | list):
        if isinstance(data, list):
            yield data
        for value in data:
            yield from _changeable(value)
    elif isinstance(data, np.ndarray | set | bytearray):
        yield data
