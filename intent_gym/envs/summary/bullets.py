"""A summary as bullets with citations.

Every line with text is a bullet, marked or not, except headings: a line that begins with ``#``, is bold as a whole, or
ends in a colon. Citations are numbers in square brackets, alone, in lists and in ranges: ``[3]``, ``[3, 9]``,
``[3-5]``, ``[Doc 3]``. Any other text in square brackets is no citation and stays part of the bullet.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Bullet", "f1", "read_bullets"]

_BRACKETS = re.compile(r"\[([^\[\]\n]{1,20000})\]")
_NAME = r"(?:doc(?:ument)?s?|articles?|sources?)?[.\s#]*"
_CITED = re.compile(
    rf"\s*{_NAME}(\d{{1,12}})(?:\s*[-\N{{HYPHEN}}-\N{{EM DASH}}−]\s*{_NAME}(\d{{1,12}}))?\s*", re.IGNORECASE
)
_SEPARATOR = re.compile(r"[,;]|&|\band\b", re.IGNORECASE)
_MARK = re.compile(r"^\s*(?:[-*+•‣◦▪–—]\s+|\d{1,3}[.)]\s+)?")
_BOLD = re.compile(r"(\*\*|__)(?:(?!\1).)+\1:?")


@dataclass(frozen=True, slots=True)
class Bullet:
    """One bullet.

    Attributes:
        text: Its words, without list mark, citations and emphasis, single-spaced.
        cited: Ranges of document numbers, ends included, disjoint and ascending.
    """

    text: str
    cited: tuple[tuple[int, int], ...]


def read_bullets(summary: str) -> list[Bullet]:
    r"""Return the bullets of a summary in order.

    >>> read_bullets("# Trade\n\n1. Sales *fell* [3][5-7, Doc 9] by 4 [sic].")
    [Bullet(text='Sales fell by 4 [sic].', cited=((3, 3), (5, 7), (9, 9)))]
    """
    return [_bullet(line) for line in summary.splitlines() if line.strip() and not _is_heading(line.strip())]


def f1(cited: Sequence[tuple[int, int]], relevant: Sequence[int]) -> float:
    """Return the harmonic mean of precision and recall of cited ranges against document numbers; 0 without a hit.

    >>> f1([(11, 14)], [11, 12, 13])
    0.8571428571428571
    """
    hits = sum(any(low <= number <= high for low, high in cited) for number in set(relevant))
    total = sum(high - low + 1 for low, high in cited)
    return 2 * hits / (total + len(set(relevant))) if hits else 0.0


def _is_heading(line: str) -> bool:
    return line.startswith("#") or line.endswith((":", ":**", ":__")) or _BOLD.fullmatch(line) is not None


def _bullet(line: str) -> Bullet:
    ranges: list[tuple[int, int]] = []

    def take(match: re.Match[str]) -> str:
        found = [_CITED.fullmatch(part) for part in _SEPARATOR.split(match[1])]
        if not all(found):
            return match[0]
        for part in found:
            if part is not None:
                low = int(part[1])
                high = int(part[2] or part[1])
                ranges.append((min(low, high), max(low, high)))
        return " "

    text = _BRACKETS.sub(take, _MARK.sub("", line, count=1))
    text = " ".join(re.sub(r"[*`]+|__", "", text).split())
    return Bullet(re.sub(r" (?=[.,;:!?])", "", text), _merged(ranges))


def _merged(ranges: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    merged: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if merged and low <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return tuple(merged)
