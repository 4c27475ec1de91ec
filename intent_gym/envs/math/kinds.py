"""What a kind of generated story consists of: values, amounts, questions and the formulas behind them.

A formula takes a function that gives what each name stands for: the number that is set for "quantity", what the story
charges for the product chosen under "product", what it costs to make under "product/cost". So one formula serves exact
numbers and whole arrays. The slots that all stories share are applied to its result afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

__all__ = ["Formula", "Kind", "Question", "Scale"]

Formula: TypeAlias = Callable[[Callable[[str], Any]], Any]


@dataclass(frozen=True)
class Question:
    """One question of a kind of story.

    Attributes:
        name: With "{x}" for the story.
        told: How the material explains the result.
        slots: What must be told.
        optional: Shared slots that may be told.
        price: What discount and fee are applied to, in dollars or another unit.
        rest: Where given, the result is this less the price: what is left of something.
        measure: Key of `slots.UNITS`.
    """

    name: str
    told: str
    slots: tuple[str, ...]
    optional: tuple[str, ...]
    price: Formula
    rest: Formula | None = None
    measure: str = "money"


@dataclass(frozen=True)
class Scale:
    """Amounts that the options of a slot have in a story.

    Attributes:
        slot: Whose values they are.
        suffix: After the slot, in the name that formulas use.
        told: How the material introduces them.
        unit: Before the amounts, "$".
        least: The smallest amount.
        step: Amounts are `least` and multiples of this above it, no two alike.
    """

    slot: str
    suffix: str
    told: str
    unit: str
    least: Fraction
    step: Fraction


@dataclass(frozen=True)
class Kind:
    """One kind of story.

    Attributes:
        id: Stable name.
        subjects: The stories: what "{x}" stands for.
        intro: First sentence of the material.
        values: Values of the required slots.
        scales: Amounts drawn for every story.
        questions: What is asked.
    """

    id: str
    subjects: tuple[str, ...]
    intro: str
    values: Mapping[str, tuple[Any, ...]]
    scales: tuple[Scale, ...]
    questions: tuple[Question, ...]
