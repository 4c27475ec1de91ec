"""The annotated steps of a GSM8K solution as a small graph of expressions that can be worked again.

A row's solution marks its arithmetic, ``<<48/2=24>>24``, step by step. Here every number of a step is traced to where
it comes from: the result of an earlier step, a number of the question, or a constant. Changing a number of the question
and working the steps again then gives the new answer, exactly (`Solution.answer`).

A trace by value can be wrong: two numbers may be equal, and 7 may be a count or the days of a week. So every number of
a step keeps all its possible origins, and a number of the question is *free* (`Solution.free`) only where they do not
matter:

* every step is exact, and the last one gives the answer of the row;
* every number of the steps is accounted for: an earlier result, a number of the question, 0, 1, 100, or a constant that
  a word of the question stands for (`IMPLIED`: "half" for 2, "week" for 7);
* when the number is changed, all possible origins of every number of the steps still agree;
* the answer depends on it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal, NoReturn, TypeAlias

from intent_gym.envs.math.grade import gold_number
from intent_gym.errors import DataError

__all__ = [
    "IMPLIED",
    "Binary",
    "Expression",
    "Number",
    "Operand",
    "Origin",
    "Solution",
    "Step",
    "leaves",
    "numbers_of",
    "read_solution",
]

IMPLIED: Mapping[str, tuple[str, ...]] = {
    "half": ("2", "1/2"), "halves": ("2", "1/2"), "halved": ("2", "1/2"), "twice": ("2",), "double": ("2",),
    "doubled": ("2",), "doubles": ("2",), "pair": ("2",), "pairs": ("2",), "couple": ("2",), "both": ("2",),
    "third": ("3", "1/3", "2/3"), "thirds": ("3", "1/3", "2/3"), "thrice": ("3",), "triple": ("3",),
    "tripled": ("3",), "triples": ("3",), "quarter": ("4", "1/4", "3/4", "25"), "quarters": ("4", "1/4", "3/4", "25"),
    "fourth": ("4", "1/4", "3/4"), "fourths": ("4", "1/4", "3/4"), "fifth": ("5", "1/5"), "fifths": ("5", "1/5"),
    "week": ("7", "5", "2"), "weeks": ("7", "5", "2"), "weekly": ("7",), "daily": ("7", "365", "30"),
    "day": ("7", "24", "365", "30"), "days": ("7", "24", "365", "30"), "weekend": ("2",), "weekends": ("2",),
    "dozen": ("12",), "dozens": ("12",), "year": ("12", "52", "365"), "years": ("12", "52", "365"),
    "yearly": ("12", "52", "365"), "annual": ("12", "52", "365"), "annually": ("12", "52", "365"),
    "month": ("12", "4", "30"), "months": ("12", "4", "30"), "monthly": ("12", "4", "30"),
    "hour": ("60", "24"), "hours": ("60", "24"), "hourly": ("60", "24"), "minute": ("60",), "minutes": ("60",),
    "second": ("60", "2"), "seconds": ("60",), "decade": ("10",), "decades": ("10",), "century": ("100",),
    "foot": ("12", "3"), "feet": ("12", "3"), "inches": ("12",), "yard": ("3", "36"), "yards": ("3", "36"),
    "nickel": ("5",), "nickels": ("5",), "dime": ("10",), "dimes": ("10",), "gallon": ("4", "128"),
    "pound": ("16",), "pounds": ("16",), "ounces": ("16",), "quart": ("4",), "kilometer": ("1000",),
    "kilometers": ("1000",), "kg": ("1000",), "kilograms": ("1000",), "km": ("1000",), "square": ("4",),
    "triangle": ("2", "3"), "rectangle": ("2",), "rectangular": ("2",), "perimeter": ("2",), "average": ("2",),
}  # fmt: skip
"""Constants that a solution may use because of a word of the question, as fractions."""

_CARDINALS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
).split()
_TENS = {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
_WORDS = {word: number for number, word in enumerate(_CARDINALS)} | _TENS
_HUNDRED = Fraction(100)
_NUDGE = Fraction(1, 97)  # a change after which no two numbers agree by chance

_NUMBER = re.compile(
    r"(?<![\w.])(?P<digits>[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[0-9]{1,15})(?P<decimals>\.[0-9]{1,9})?"
    r"(?:/(?P<denominator>[1-9][0-9]{0,5})(?![0-9/]))?(?P<percent>\s?%|\s?percent\b)?"
    r"|(?<![\w.])(?P<point>\.[0-9]{1,9})(?P<percent2>\s?%|\s?percent\b)?"
    rf"|(?<![-\w])(?P<word>{'|'.join(_WORDS)})\b(?![-\s](?:{'|'.join(_CARDINALS[1:10])}|hundred|thousand|million|half)\b)"
    r"(?P<percent3>\s?percent\b)?",
    re.IGNORECASE,
)
_STEP = re.compile(r"<<([^<>]*)>>")
_TOKEN = re.compile(r"\s*(?:([0-9]+(?:\.[0-9]*)?|\.[0-9]+)|(//|[-+*/()]))")
MAX_STEP = 400  # characters of one step; the longest of the original has 92


@dataclass(frozen=True, slots=True)
class Number:
    """A number of the question.

    Attributes:
        start, end: Where its digits or word stand, without a per cent sign.
        percent: Whether it is given in per cent, so that 20 may be used as 20 or as 1/5.
        ordinal: Position among the numbers of the question, from 0.
    """

    ordinal: int
    start: int
    end: int
    value: Fraction
    percent: bool


@dataclass(frozen=True, slots=True)
class Origin:
    """`scale` times the result of the step, or the number of the question, `index`; or a constant of this value."""

    kind: Literal["step", "question", "constant"]
    index: int = 0
    scale: Fraction = Fraction(1)


@dataclass(frozen=True, slots=True)
class Operand:
    """A number in a step, and where it may come from, the likeliest first; nowhere if nothing accounts for it."""

    value: Fraction
    origins: tuple[Origin, ...] = ()


@dataclass(frozen=True, slots=True)
class Binary:
    """Two expressions and one of ``+ - * /``."""

    sign: str
    left: Expression
    right: Expression


Expression: TypeAlias = "Operand | Binary"


@dataclass(frozen=True, slots=True)
class Step:
    """One annotation: an expression and the result that the solution states for it."""

    expression: Expression
    result: Fraction


@dataclass(frozen=True)
class Solution:
    """The steps of one row, in order, with the numbers of its question."""

    question: str
    numbers: tuple[Number, ...]
    steps: tuple[Step, ...]
    gold: Fraction

    def answer(self, changes: Mapping[int, Fraction] | None = None) -> Fraction | None:
        r"""Return the last step's result with numbers of the question changed, by ordinal; None on a division by zero.

        >>> row = "She sold 48/2 = <<48/2=24>>24, in all 48+24 = <<48+24=72>>72.\n#### 72"
        >>> solution = read_solution("Natalia sold 48 clips in April and half as many in May. How many?", row)
        >>> solution.answer(), solution.answer({0: Fraction(50)})
        (Fraction(72, 1), Fraction(75, 1))
        """
        results = self.results(changes)
        return results[-1] if results else None

    def results(self, changes: Mapping[int, Fraction] | None = None) -> tuple[Fraction, ...] | None:
        """Return every step's result with numbers of the question changed; None on a division by zero.

        Raises:
            ValueError: A key of `changes` is no number of the question.
        """
        values = self._values(changes or {})
        if len(values) > len(self.numbers):
            unknown = sorted(set(values) - {number.ordinal for number in self.numbers})
            raise ValueError(f"expected ordinals below {len(self.numbers)}, got {unknown}; see Solution.numbers")
        done: list[Fraction] = []
        try:
            for step in self.steps:
                done.append(_work(step.expression, values, done))
        except ZeroDivisionError:
            return None
        return tuple(done)

    @cached_property
    def fault(self) -> str:
        """Why the steps cannot be worked again with other numbers; empty if they can."""
        if not self.steps:
            return "no annotated step"
        results = self.results()
        if results is None:
            return "a division by zero"
        for number, (step, result) in enumerate(zip(self.steps, results, strict=True), 1):
            if step.result != result:
                return f"step {number} is not exact"
        if results[-1] != self.gold:
            return "the last step is not the answer"
        if not all(leaf.origins for step in self.steps for leaf in leaves(step.expression)):
            return "a number that nothing accounts for"
        return ""

    @cached_property
    def free(self) -> tuple[int, ...]:
        """Ordinals of the question's numbers that may be changed, the answer following (see the module's rules)."""
        if self.fault:
            return ()
        return tuple(number.ordinal for number in self.numbers if self._is_free(number))

    def _is_free(self, number: Number) -> bool:
        changed = {number.ordinal: number.value + _NUDGE}
        results = self.results(changed)
        if results is None or results[-1] == self.gold:
            return False
        values = self._values(changed)
        return all(
            len({_from(origin, leaf.value, values, results) for origin in leaf.origins}) == 1
            for step in self.steps
            for leaf in leaves(step.expression)
        )

    def _values(self, changes: Mapping[int, Fraction]) -> dict[int, Fraction]:
        return {number.ordinal: number.value for number in self.numbers} | dict(changes)


def leaves(expression: Expression) -> tuple[Operand, ...]:
    """Return the operands of an expression from left to right."""
    if isinstance(expression, Operand):
        return (expression,)
    return leaves(expression.left) + leaves(expression.right)


def read_solution(question: str, answer: str) -> Solution:
    """Read one row of GSM8K.

    Raises:
        DataError: A step is not arithmetic, or the answer has no ``#### n``.
    """
    numbers = numbers_of(question)
    implied = _implied(question, numbers)
    steps: list[Step] = []
    for match in _STEP.finditer(answer):
        left, equals, right = match[1].rpartition("=")
        if not equals or len(match[1]) > MAX_STEP:
            raise DataError(f"expected an annotation <<expression=result>>, found {match[0][:60]!r}")
        reader = _Reader(left, numbers, [step.result for step in steps], implied)
        steps.append(Step(reader.expression(), _work(_Reader(right).expression(), {}, ())))
    return Solution(question, numbers, tuple(steps), gold_number({"answer": answer}))


def numbers_of(text: str) -> tuple[Number, ...]:
    """Return the numbers of a text in order: digits, fractions, per cent, and words up to ninety.

    >>> [(str(n.value), n.percent) for n in numbers_of("Three of 1,200 cups, 1/2 full, at 5% and $2.50")]
    [('3', False), ('1200', False), ('1/2', False), ('5', True), ('5/2', False)]
    """
    found: list[Number] = []
    for match in _NUMBER.finditer(text):
        if match["word"]:
            value, end = Fraction(_WORDS[match["word"].lower()]), match.end("word")
        elif match["point"]:
            value, end = Fraction(match["point"]), match.end("point")
        else:
            value = Fraction(match["digits"].replace(",", "") + (match["decimals"] or ""))
            end = match.end("decimals") if match["decimals"] else match.end("digits")
            if match["denominator"]:
                value, end = value / int(match["denominator"]), match.end("denominator")
        percent = bool(match["percent"] or match["percent2"] or match["percent3"])
        found.append(Number(len(found), match.start(), end, value, percent))
    return tuple(found)


def _implied(text: str, numbers: Sequence[Number]) -> frozenset[Fraction]:
    """Return the constants that a solution of this question may use."""
    words = set(re.findall(r"[a-z]+", text.lower()))
    found = {Fraction(value) for word in words & set(IMPLIED) for value in IMPLIED[word]} | {Fraction(0), Fraction(1)}
    given = {number.value for number in numbers}
    if "%" in text or words & {"percent", "cent", "cents"} or _HUNDRED not in given:
        found |= {_HUNDRED, 1 / _HUNDRED}
    return frozenset(found)


def _from(origin: Origin, constant: Fraction, values: Mapping[int, Fraction], done: Sequence[Fraction]) -> Fraction:
    if origin.kind == "step":
        return done[origin.index] * origin.scale
    return values[origin.index] * origin.scale if origin.kind == "question" else constant


def _work(expression: Expression, values: Mapping[int, Fraction], done: Sequence[Fraction]) -> Fraction:
    if isinstance(expression, Binary):
        left, right = _work(expression.left, values, done), _work(expression.right, values, done)
        if expression.sign == "/":
            return left / right
        if expression.sign == "*":
            return left * right
        return left + right if expression.sign == "+" else left - right
    return _from(expression.origins[0], expression.value, values, done) if expression.origins else expression.value


class _Reader:
    """A reader of one step by descent: sums of products of numbers, brackets and signs."""

    def __init__(
        self,
        text: str,
        numbers: Sequence[Number] = (),
        done: Sequence[Fraction] = (),
        implied: frozenset[Fraction] = frozenset(),
    ) -> None:
        self.text, self.numbers, self.done, self.implied = text, numbers, done, implied
        self.tokens: list[tuple[str, str]] = []
        position = 0
        text = text.rstrip()
        while position < len(text):
            match = _TOKEN.match(text, position)
            if match is None:
                self._fail()
            self.tokens.append((match[1] or "", match[2] or ""))
            position = match.end()
        self.at = 0

    def expression(self) -> Expression:
        found = self._sum()
        if self.at < len(self.tokens):
            self._fail()
        return found

    def _fail(self) -> NoReturn:
        raise DataError(f"expected arithmetic with numbers, brackets and + - * /, found {self.text[:60]!r}")

    def _next(self, *signs: str) -> str:
        """Return the next sign if it is one of these, and go past it."""
        if self.at < len(self.tokens) and (sign := self.tokens[self.at][1]) in signs:
            self.at += 1
            return sign
        return ""

    def _sum(self) -> Expression:
        found = self._product()
        while sign := self._next("+", "-"):
            found = Binary(sign, found, self._product())
        return found

    def _product(self) -> Expression:
        found = self._factor()
        while True:
            if sign := self._next("*", "/", "//"):
                found = Binary(sign[0], found, self._factor())
            elif self.at < len(self.tokens) and self.tokens[self.at][1] == "(":  # 2(3+4)
                found = Binary("*", found, self._factor())
            else:
                return found

    def _factor(self) -> Expression:
        if sign := self._next("+", "-"):
            inner = self._factor()
            return inner if sign == "+" else Binary("-", Operand(Fraction(0), (Origin("constant"),)), inner)
        if self._next("("):
            inner = self._sum()
            if not self._next(")"):
                self._fail()
            return inner
        if self.at == len(self.tokens) or not self.tokens[self.at][0]:
            self._fail()
        self.at += 1
        return self._operand(Fraction(self.tokens[self.at - 1][0].rstrip(".")))

    def _operand(self, value: Fraction) -> Operand:
        """Trace a number: earlier results from the latest on, numbers of the question, constants."""
        origins = [Origin("step", index) for index in reversed(range(len(self.done))) if self.done[index] == value]
        origins += [Origin("question", number.ordinal) for number in self.numbers if number.value == value]
        for number in self.numbers:
            if number.percent and value and number.value == value * 100:
                origins.append(Origin("question", number.ordinal, 1 / _HUNDRED))
        if value in self.implied:
            origins.append(Origin("constant"))
        return Operand(value, tuple(origins))
