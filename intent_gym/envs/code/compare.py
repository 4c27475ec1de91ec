"""When a value or an output of a program is the expected one: LiveCodeBench's rules with its faults corrected.

Values: a bool is no number, tuples equal lists at any depth, integers are exact, floats may differ by 1e-6 of the
larger one (or by 1e-6). Outputs: the same number of lines without blanks at their ends, each equal as text or word by
word; words that are numbers by value (integers exactly, others with the same tolerance), other words as they are.
"""

from __future__ import annotations

import math
import re
from decimal import Decimal
from typing import Any

__all__ = ["TOLERANCE", "same_output", "same_value"]

TOLERANCE = 1e-6
"""Largest difference of two floats, relative or absolute: what contests allow."""

_INTEGER = re.compile(r"[+-]?\d+", re.ASCII)
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,4})?", re.ASCII)


def same_value(found: Any, expected: Any) -> bool:  # noqa: ANN401 - any plain value
    """Return whether a plain value is the expected one, which was read from JSON.

    >>> same_value((1, 0.1 + 0.2), [1, 0.3]), same_value(True, 1), same_value(2**60, 2**60 + 1)
    (True, False, False)
    """
    if isinstance(expected, bool) or isinstance(found, bool):
        return found is expected
    if isinstance(expected, (int, float)):
        return isinstance(found, (int, float)) and _same_number(found, expected)
    if isinstance(expected, list):
        if not isinstance(found, (list, tuple)) or len(found) != len(expected):
            return False
        return all(same_value(f, e) for f, e in zip(found, expected, strict=True))
    if isinstance(expected, dict):
        if not isinstance(found, dict) or found.keys() != expected.keys():
            return False
        return all(same_value(found[key], value) for key, value in expected.items())
    return type(found) is type(expected) and bool(found == expected)


def _same_number(found: float, expected: float) -> bool:
    if found == expected:  # exact between int and float too
        return True
    if isinstance(expected, int) or not math.isfinite(expected):
        return False
    try:
        return math.isclose(found, expected, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    except OverflowError:  # an int beyond all floats
        return False


def same_output(found: str, expected: str) -> bool:
    r"""Return whether a program's output is the expected one.

    >>> same_output("1.0 a\n", "1 a"), same_output("A", "a"), same_output("1\n\n2", "1\n2")
    (True, False, False)
    """
    lines, wanted = _lines(found), _lines(expected)
    return len(lines) == len(wanted) and all(_same_line(f, e) for f, e in zip(lines, wanted, strict=True))


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().split("\n")]


def _same_line(found: str, expected: str) -> bool:
    if found == expected:
        return True
    words, wanted = found.split(), expected.split()
    return len(words) == len(wanted) and all(_same_word(f, e) for f, e in zip(words, wanted, strict=True))


def _same_word(found: str, expected: str) -> bool:
    if found == expected:
        return True
    if not (_NUMBER.fullmatch(found) and _NUMBER.fullmatch(expected)):
        return False
    one, other = Decimal(found), Decimal(expected)
    if one == other or _INTEGER.fullmatch(expected):
        return one == other
    return math.isclose(float(one), float(other), rel_tol=TOLERANCE, abs_tol=TOLERANCE)
