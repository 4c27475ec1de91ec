"""A word problem with parameters: what the generator and the loader of the original data both make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from intent_gym.core.intent import Value
from intent_gym.envs.answers import Assignment

__all__ = ["Frame", "Work", "written"]


class Work(Protocol):
    """How a question is worked out."""

    def exact(self, values: Assignment) -> Fraction | None:
        """Return the answer of a complete assignment; None where it has none, a division by zero."""

    def table(self, domains: Mapping[str, tuple[Value, ...]]) -> NDArray[np.float64]:
        """Return the answers of all assignments, nearly; the last slot varies fastest, NaN where there is none."""


@dataclass(frozen=True)
class Frame:
    """One question over one story.

    Attributes:
        name: What a person says that they need, "the total cost of the class trip"; unique in its host.
        group: Frames of one story share their material.
        split: "train" or "test"; the same for all frames of a story.
        brief: The public material.
        domains: Values by slot, sorted; every slot of the frame, in the host's order.
        neutral: The value that asks for nothing, by optional slot.
        work: How it is worked out.
    """

    name: str
    group: str
    split: Literal["train", "test"]
    brief: str
    domains: Mapping[str, tuple[Value, ...]]
    neutral: Mapping[str, Value]
    work: Work

    @cached_property
    def table(self) -> NDArray[np.float64]:
        """The answers of all assignments as floats, to find an answer among many; shape (rows,)."""
        return self.work.table(self.domains)

    @cached_property
    def _sorted(self) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """The rows of the table in the order of their answers, and these answers, NaN last."""
        order = np.argsort(self.table)
        return order, self.table[order]

    def near(self, number: float, apart: float) -> NDArray[np.intp]:
        """Return the rows of the table whose answer is a number or at most so far apart from it."""
        order, answers = self._sorted
        first = int(answers.searchsorted(number - apart))
        return order[first : int(answers.searchsorted(number + apart, "right"))]


def written(number: Fraction) -> str:
    """Return a number as people write it: whole, with decimals where they end, else as a fraction.

    >>> written(Fraction(12)), written(Fraction(-5, 4)), written(Fraction(1, 3)), written(Fraction(1, 20))
    ('12', '-1.25', '1/3', '0.05')
    """
    if number.denominator == 1:
        return str(number.numerator)
    rest, places = number.denominator, 0
    while rest % 10 == 0:
        rest, places = rest // 10, places + 1
    twos = fives = 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    if rest != 1:
        return str(number)
    places += max(twos, fives)
    digits = str(abs(number.numerator) * 10**places // number.denominator).rjust(places + 1, "0")
    return f"{'-' if number < 0 else ''}{digits[:-places]}.{digits[-places:]}"
