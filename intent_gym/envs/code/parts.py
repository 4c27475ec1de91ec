"""The parts of the generated functions, each an expression over `items`, and `k` where there is one.

The same expressions make the source text of an answer and, evaluated once as functions when this module is loaded, the
values that are expected of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Literal, TypeAlias

__all__ = ["EMPTY", "NEUTRAL", "POOLS", "REPEATS", "WRAPPINGS", "Kind", "function_of"]

Kind: TypeAlias = Literal["numbers", "words"]


def _where(conditions: Mapping[str, str]) -> dict[str, str]:
    return {label: f"[x for x in items if {condition}]" for label, condition in conditions.items()}


def _each(results: Mapping[str, str]) -> dict[str, str]:
    return {label: f"[{result} for x in items]" for label, result in results.items()}


def _joined(separators: Mapping[str, str]) -> dict[str, str]:
    return {label: f'"{separator}".join(str(x) for x in items)' for label, separator in separators.items()}


_CUTS = {
    "all but the first": "items[1:]",
    "all but the last": "items[:-1]",
    "every other one": "items[::2]",
    "the first three": "items[:3]",
    "the last two": "items[-2:]",
    "the middle without both ends": "items[1:-1]",
}
_CUTS_BY_K = {
    "the first k": "items[:k]",
    "the last k": "items[-k:]",
    "k dropped in front": "items[k:]",
    "k dropped at the end": "items[:-k]",
}
_SEPARATORS = _joined(
    {"colons": ":", "commas": ",", "dashes": "-", "dots": ".", "semicolons": ";", "slashes": "/", "bars": "|"}
)

POOLS: Mapping[tuple[Kind, str], tuple[Mapping[str, str], Mapping[str, str]]] = {
    ("numbers", "filter"): (
        _where(
            {
                "even values": "x % 2 == 0",
                "odd values": "x % 2 == 1",
                "multiples of three": "x % 3 == 0",
                "negative values": "x < 0",
                "positive values": "x > 0",
                "values above twenty": "x > 20",
                "values below ten": "x < 10",
                "two-digit values": "10 <= abs(x) <= 99",
                "values not divisible by four": "x % 4 != 0",
            }
        ),
        _where(
            {
                "values above k": "x > k",
                "values below minus k": "x < -k",
                "values with remainder one by k": "x % (k + 1) == 1",
                "values within five of k": "abs(x - k) <= 5",
            }
        ),
    ),
    ("numbers", "step"): (
        _each(
            {
                "digit sum": "sum(int(d) for d in str(abs(x)))",
                "doubling": "2 * x",
                "negation": "-x",
                "plus eleven": "x + 11",
                "squaring": "x * x",
                "less four": "x - 4",
                "tripling": "3 * x",
                "halving rounded down": "x // 2",
            }
        ),
        _each(
            {
                "plus k": "x + k",
                "remainder after k": "x % (k + 1)",
                "times k": "x * (k + 1)",
                "distance from k": "abs(x - k)",
            }
        ),
    ),
    ("numbers", "ordering"): (
        {
            "rising order": "sorted(items)",
            "falling order": "sorted(items, reverse=True)",
            "backward order": "items[::-1]",
            "last-digit order": "sorted(items, key=lambda x: abs(x) % 10)",
            "nearest-to-zero order": "sorted(items, key=abs)",
            "remainder-of-seven order": "sorted(items, key=lambda x: x % 7)",
            "given order": "list(items)",
        },
        {
            "nearest-to-k order": "sorted(items, key=lambda x: abs(x - k))",
            "rotated-by-k order": "items[k:] + items[:k]",
        },
    ),
    ("numbers", "aggregate"): (
        {
            "plain total": "sum(items)",
            "largest value": "max(items, default=0)",
            "smallest value": "min(items, default=0)",
            "twice the largest": "2 * max(items, default=0)",
            "span": "max(items, default=0) - min(items, default=0)",
            "alternating sum": "sum(items[::2]) - sum(items[1::2])",
            "sum of squares": "sum(x * x for x in items)",
        },
        {"sum modulo k": "sum(items) % (k + 2)", "number above k": "sum(x > k for x in items)"},
    ),
    ("words", "filter"): (
        _where(
            {
                "words with an a": '"a" in x',
                "words with an o": '"o" in x',
                "short words": "len(x) < 5",
                "long words": "len(x) > 6",
                "words starting with a vowel": 'x[:1] in "aeiou"',
                "words ending in n": 'x[-1:] == "n"',
                "words of even length": "len(x) % 2 == 0",
                "words without an e": '"e" not in x',
            }
        ),
        _where(
            {
                "words of k letters or more": "len(x) >= k",
                "words of fewer than k letters": "len(x) < k",
                "words whose length differs from k": "len(x) != k",
            }
        ),
    ),
    ("words", "step"): (
        _each(
            {
                "capitals": "x.upper()",
                "reversed letters": "x[::-1]",
                "first letter only": "x[:1]",
                "last two letters": "x[-2:]",
                "twice in a row": "x + x",
                "vowels dropped": '"".join(c for c in x if c not in "aeiou")',
                "star in front": '"*" + x',
                "an s at the end": 'x + "s"',
            }
        ),
        _each({"up to k letters": "x[:k]", "letters after k": "x[k:]", "k as a prefix": "str(k) + x"}),
    ),
    ("words", "ordering"): (
        {
            "alphabetical order": "sorted(items)",
            "backward order": "items[::-1]",
            "shortest-first order": "sorted(items, key=len)",
            "longest-first order": "sorted(items, key=lambda x: -len(x))",
            "last-letter order": "sorted(items, key=lambda x: x[-1:])",
            "given order": "list(items)",
            "second-letter order": "sorted(items, key=lambda x: x[1:2])",
        },
        {
            "nearest-length-to-k order": "sorted(items, key=lambda x: abs(len(x) - k))",
            "rotated-by-k order": "items[k:] + items[:k]",
        },
    ),
    ("words", "aggregate"): (
        {
            "longest word": 'max(items, key=len, default="")',
            "shortest word": 'min(items, key=len, default="")',
            "letters in all": "sum(len(x) for x in items)",
            "first in the alphabet": 'min(items, default="")',
            "last in the alphabet": 'max(items, default="")',
            "final letters": '"".join(x[-1:] for x in items)',
            "initials": '"".join(x[:1] for x in items)',
        },
        {
            "words above k letters": "sum(len(x) > k for x in items)",
            "letters at place k": '"".join(x[k:k + 1] for x in items)',
        },
    ),
    ("numbers", "cut"): (_CUTS, _CUTS_BY_K),
    ("words", "cut"): (_CUTS, _CUTS_BY_K),
    ("numbers", "separator"): (_SEPARATORS, {}),
    ("words", "separator"): (_SEPARATORS, {}),
}
"""Expressions by what people call them, for each kind of items and slot: those over `items`, and those with `k`."""

REPEATS: Mapping[str, str] = {
    "repeats dropped": "list(dict.fromkeys(items))",
    "repeats kept": "items",
    "only repeated ones": "[x for x in items if items.count(x) > 1]",
    "only unrepeated ones": "[x for x in items if items.count(x) == 1]",
}
EMPTY: Mapping[str, str] = {
    "minus one if empty": "-1",
    "no exception if empty": "",
    "None if empty": "None",
    "question mark if empty": '"?"',
}
"""What is returned if nothing is left, as source text; "" where nothing special is."""
WRAPPINGS: Mapping[str, str] = {
    "boxed result": "[result]",
    "labeled result": '{"result": result}',
    "paired result": "[result, len(items)]",
    "plain result": "result",
}
"""What is returned, over `result` and the `items` that it was made from."""
NEUTRAL: Mapping[str, str] = {
    "repeats": "repeats kept",
    "empty": "no exception if empty",
    "wrapping": "plain result",
}
"""What leaving out means."""


@lru_cache(maxsize=512)
def function_of(expression: str) -> Callable[..., Any]:
    """Return the function (items, k=0, result=None) of an expression of this module; it is not for other texts.

    >>> function_of("sorted(items)")([3, 1])
    [1, 3]
    """
    found: Callable[..., Any] = eval(f"lambda items, k=0, result=None: {expression}", {})
    return found
