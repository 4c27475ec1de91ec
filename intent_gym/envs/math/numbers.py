"""Numbers for tasks made from original data: others like a given one, and names without digits."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

__all__ = ["near", "spelled"]

_REACH = 40
_SYLLABLES = tuple(c + v for c in "bdfgklmnprstvz" for v in "aeiou")


def near(value: Fraction, percent: bool = False) -> Iterator[Fraction]:
    """Yield numbers above 1 like a given one, the nearest first: round where it is round.

    Args:
        value: The number, above 0.
        percent: Whether it is a share below a hundred that others should not exceed.

    >>> from itertools import islice
    >>> [[str(n) for n in islice(near(Fraction(v)), 4)] for v in ("16", "200", "2.5")]
    [['17', '15', '18', '14'], ['210', '190', '220', '180'], ['3', '2', '7/2', '3/2']]
    """
    if value.denominator > 1:
        step = Fraction(1, 2) if 2 % value.denominator else Fraction(1, value.denominator)
    else:
        step = next((Fraction(s) for s in (1000, 100, 10, 5) if value % s == 0 and value >= 5 * s), Fraction(1))
    for distance in range(1, _REACH + 1):
        for other in (value + distance * step, value - distance * step):
            fits = other > 1 and value <= 4 * other and other <= 4 * value + 6
            if fits and not (percent and value < 100 <= other):
                yield other


def spelled(number: int) -> str:
    """Return a number below 343,000 as three syllables: a name without digits, which could be taken for a value.

    >>> spelled(28), spelled(29)
    ('babalo', 'babalu')
    """
    found = ""
    for _ in range(3):
        number, place = divmod(number, len(_SYLLABLES))
        found = _SYLLABLES[place] + found
    return found
