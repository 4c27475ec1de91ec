"""Randomness of an episode: a pure function of (episode key, purpose, index) (PROTOCOL 10).

No draw depends on how many other draws were made, so an episode gives the same bytes alone, in a batch, in
another process, and whatever the agent does in between. The mixing function is SplitMix64 (Steele, Lea and
Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014), which passes BigCrush.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from enum import IntEnum
from typing import TypeVar

__all__ = ["Purpose", "choose", "integer", "key_of", "uniform"]

T = TypeVar("T")

_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15
_UNIT = 1.0 / (1 << 53)


class Purpose(IntEnum):
    """What a draw is for. Values are part of the recorded behaviour: never renumber, only append."""

    USER = 1
    FATE = 2
    DESTINATION = 3
    TRIGGER = 4
    DECLINE = 5
    VOLUNTEER = 6
    HINT = 7
    WORDING = 8
    TASK = 9
    PERSONA = 10
    CONSTRUCT = 11
    AGENT = 12
    EDIT = 13
    DECOY = 14


def _mix(z: int) -> int:
    z = (z + _GOLDEN) & _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


def integer(key: int, purpose: int, index: int) -> int:
    """Return a 64-bit unsigned integer that is a pure function of the three arguments.

    Args:
        key: Episode key, 0 <= key < 2**64.
        purpose: A `Purpose`.
        index: Counter within the purpose, 0 <= index < 2**48.
    """
    return _mix(_mix(key ^ (purpose << 48)) ^ index)


def uniform(key: int, purpose: int, index: int) -> float:
    """Return a float in [0, 1) that is a pure function of the three arguments.

    >>> uniform(7, Purpose.HINT, 0) == uniform(7, Purpose.HINT, 0)
    True
    """
    return (integer(key, purpose, index) >> 11) * _UNIT


def choose(options: Sequence[T], key: int, purpose: int, index: int) -> T:
    """Return one element of a non-empty sequence, uniformly."""
    return options[int(uniform(key, purpose, index) * len(options))]


def key_of(*parts: object) -> int:
    """Return a 64-bit key from the text of the parts, equal in every process.

    >>> key_of("graph", 1) == key_of("graph", 1) != key_of("graph", 2)
    True
    """
    text = "\x1f".join(str(part) for part in parts)
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")
