"""The slots of the generated word problems, and the few rules that all stories share: discount, fee, rounding, unit."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from intent_gym.core.intent import Slot

__all__ = ["DISCOUNTS", "FEES", "NEUTRAL", "OPTIONAL", "ROUNDINGS", "RULES", "SLOTS", "UNITS"]


def _number(name: str, synonyms: tuple[str, ...], *heads: str, unit: str = "") -> Slot:
    clauses = tuple(f"{head} a {name} of {{value}}" for head in heads)
    vague = (f"{heads[0]} a sensible {name}", f"{heads[-1]} a decent {name}", f"{heads[0]} a modest {name}")
    return Slot(name, name, name, "number", synonyms=synonyms, unit=unit, clauses=clauses, vague=vague)


SLOTS = (
    Slot(
        *("task", "calculation", "calculation", "frame"),
        synonyms=(
            *("calculations", "result", "sum", "problem", "kind of calculation", "calculate", "work out"),
            "compute",
        ),
    ),
    _number("quantity", ("quantities", "amount", "how many", "number of people", "number of items"), "for", "with"),
    _number(
        "duration",
        (
            *("durations", "number of days", "number of weeks", "how many days", "how many weeks"),
            *("for how long", "how long will it take", "how long does it take", "how long does it last"),
        ),
        *("over", "with", "for"),
    ),
    _number(
        "budget",
        (
            *("budgets", "funds", "how much can be spent", "spending limit", "how much money", "spend"),
            "money to spend",
        ),
        *("on", "with", "from"),
        unit="$",
    ),
    _number("pace", ("paces", "speed", "how fast", "how quickly"), "at", "with"),
    _number("length", ("lengths", "how far"), "with", "at"),
    _number("width", ("widths", "how wide", "breadth"), "at", "with"),
    Slot(
        *("destination", "destination", "destination", "choice"),
        synonyms=(
            *("destinations", "place to visit", "place to go", "where to go", "where it goes", "where to"),
            *("where are you going", "where do you want to go", "where are you headed"),
            *("where are you traveling", "where are you travelling", "where are they going"),
            *("where are they headed", "where is it going", "where does it go", "where is the trip going"),
            *("where does the trip go", "which city"),
        ),
        clauses=("with the {value} as the destination", "to the {value}", "going to the {value}"),
        vague=("with a nice destination", "to a lovely place", "going to some pleasant place"),
    ),
    Slot(
        *("product", "product", "product", "choice"),
        synonyms=(
            *("products", "article", "articles", "goods", "which product", "what is made", "merchandise"),
            *("what is sold", "being sold", "what do you buy", "what are you buying", "what are they making"),
            "which item",
        ),
        clauses=("for the product {value}", "with {value} as the product", "with the product {value}"),
        vague=("for a nice product", "with a decent product", "with a product that suits"),
    ),
    Slot(
        *("material", "material", "material", "choice"),
        synonyms=(
            *("materials", "substance", "made of what", "what it is made of", "what is it made of"),
            *("what are they made of", "what should it be made of", "what is it made from", "made from what"),
        ),
        clauses=("made of {value}", "with {value} as the material", "built of {value}"),
        vague=("made of something decent", "with a nice material", "built of something respectable"),
    ),
    Slot(
        *("transport", "transport", "transport", "choice"),
        synonyms=(
            *("vehicle", "vehicles", "means of transport", "how to get there", "conveyance", "get there"),
            *("getting there", "how do you travel", "how are you traveling", "how are you travelling"),
            "how do they travel",
        ),
        clauses=("by {value}", "with {value} as the transport", "with transport by {value}"),
        vague=("by some handy vehicle", "with a convenient transport", "brought there in a convenient way"),
    ),
    Slot(
        *("discount", "discount", "discount", "choice"),
        synonyms=(
            *("discounts", "reduction", "reductions", "rebate", "price cut", "money off", "off the price"),
            "percent off",
        ),
        clauses=("with {value}", "at {value}", "priced with {value}"),
        vague=("with a nice discount", "with a fair discount", "priced at a decent discount"),
    ),
    Slot(
        *("fee", "service fee", "fee", "choice"),
        synonyms=(
            *("service fees", "fee", "fees", "service charge", "surcharge", "service charges", "charge"),
            "charges",
        ),
        clauses=("with {value}", "including {value}", "charged with {value}"),
        vague=("with a fair service fee", "including a modest service fee", "with a reasonable service fee"),
    ),
    Slot(
        *("rounding", "rounding", "rounding", "choice"),
        synonyms=(
            *("rounded", "round it", "rounding rule", "should i round", "do i round", "how to round"),
            *("round the answer", "round the result", "round up", "round down"),
        ),
        clauses=("with {value}", "after {value}", "given with {value}"),
        vague=("with a sensible rounding", "after a decent rounding", "given with some handy rounding"),
    ),
    Slot(
        *("unit", "answer unit", "unit", "choice"),
        synonyms=(*("answer units", "unit", "units", "currency", "unit of the answer", "currencies", "measured in"),),
        clauses=("in {value}", "stated in {value}", "expressed in {value}"),
        vague=("in a handy unit", "stated in a sensible unit", "expressed in a convenient unit"),
    ),
)
OPTIONAL = ("discount", "fee", "rounding", "unit")

DISCOUNTS: Mapping[str, Fraction] = {
    "loyalty discount": Fraction(95, 100),
    "member discount": Fraction(80, 100),
    "no discount": Fraction(1),
    "student discount": Fraction(90, 100),
}
"""What a price is multiplied by."""
FEES: Mapping[str, Fraction] = {
    "large service fee": Fraction(75, 2),
    "no service fee": Fraction(0),
    "small service fee": Fraction(35, 4),
}
"""What is added to a price, in dollars."""
ROUNDINGS: Mapping[str, tuple[int, int]] = {
    "no rounding": (0, 0),
    "rounding down to tens": (10, 0),
    "rounding up to hundreds": (100, 1),
    "rounding up to tens": (10, 1),
}
"""The step of the result, and 1 where it goes up."""
UNITS: Mapping[str, Mapping[str, Fraction]] = {
    "money": {"cents": Fraction(100), "dollars": Fraction(1), "euros": Fraction(4, 5)},
    "time": {"hours": Fraction(1), "minutes": Fraction(60), "seconds": Fraction(3600)},
    "water": {"gallons": Fraction(1, 4), "hectoliters": Fraction(1, 100), "liters": Fraction(1)},
}
"""What a result is multiplied by, by what it measures; a gallon is taken as four liters."""
NEUTRAL: Mapping[str, str] = {"discount": "no discount", "fee": "no service fee", "rounding": "no rounding"}
"""Of the unit it depends on what is measured: dollars, hours, liters."""

RULES: Mapping[str, str] = {
    "discount": (
        "A loyalty discount takes five percent off a price, a student discount ten percent, a member discount twenty "
        "percent."
    ),
    "fee": "A small service fee adds $8.75 to a price and a large one $37.50, after any discount.",
    "rounding": (
        "Rounding up to tens gives the next whole ten (a whole ten stays), rounding down to tens the ten below, "
        "rounding up to hundreds the next whole hundred; it comes last, in the unit of the answer."
    ),
    "money": "One euro is worth $1.25.",
    "time": "An hour is sixty minutes of sixty seconds.",
    "water": "A gallon is taken as four liters; a hectoliter is a hundred liters.",
}
"""What the material says of them."""
