r"""Grader of word problems with one number as their answer, in the rows of GSM8K.

Source: Cobbe et al., "Training Verifiers to Solve Math Word Problems" (2021), whose rows end in ``#### n``. The
original compares the first marker's text as a string; this one compares numbers, exactly.

The number of an answer is read from the first of these that is there:

1. the last ``####`` (a heading "#### Step 2" is none),
2. the last ``\boxed{}``,
3. the last "answer is", "answer:" or "answer =",
4. the last number of the text.

Decisions: after a mark the first number counts, in an equation its result (an aside in brackets is left out). Currency,
thousands commas, per cent signs and units are dropped: 60% is 60. Fractions, decimals and powers of ten are compared as
numbers. Zero denominators, exponents above `MAX_EXPONENT` and more than `MAX_DIGITS` digits are no number. A mark
without a number scores 0, whatever stands before it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from intent_gym.errors import DataError
from intent_gym.grading import Grade

__all__ = ["MAX_DIGITS", "MAX_EXPONENT", "gold_number", "grade", "grade_number", "read_number"]

MAX_DIGITS = 1000  # of a number: far above any gold, far below what makes arithmetic slow
MAX_EXPONENT = 300  # of a power of ten, either sign

_SIGNS = str.maketrans({"−": "-", "–": "-", "\N{FRACTION SLASH}": "/", "\N{NO-BREAK SPACE}": " "})
_VULGAR = {"½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅕": "1/5", "⅖": "2/5", "⅛": "1/8"}
_CURRENCY = r"\\?[$£€¥₹]"
_CODE = re.compile(r"\b(?:USD|EUR|GBP|US|Rs\.?)(?= ?[$£€¥₹0-9])")
_THIN_SPACE = re.compile("(?<=[0-9])[\N{THIN SPACE}\N{NARROW NO-BREAK SPACE}](?=[0-9]{3})")
_TEX_FRACTION = re.compile(r"\\[dtc]?frac\s*(?:\{([^{}]{0,40})\}|(\d))\s*(?:\{([^{}]{0,40})\}|(\d))")

_DIGITS = r"(?:[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[0-9]+)(?:\.[0-9]+)?|\.[0-9]+"
_NUMBER = re.compile(
    r"(?<![0-9A-Za-z^])(?<![0-9]\.)(?<![A-Za-z]_)"  # not inside a number, a word, a power or an index
    r"(?P<sign>(?<![0-9A-Za-z)])[-+])?"
    rf"(?P<digits>{_DIGITS})"
    r"(?:[eE](?P<exponent>[-+]?[0-9]+)(?![0-9A-Za-z]))?"
    rf"(?:\s?/\s?(?P<denominator>{_DIGITS})(?!\s?/))?"
    r"(?!(?:st|nd|rd|th)\b)"
)
_MIXED = re.compile(r"(?<![0-9.,/=])([0-9]{1,9}) (?:and )?([0-9]{1,9})\s?/\s?([0-9]{1,9})(?![0-9/])")
_LOOSE_SIGN = re.compile(r"(^\W*|=\s*)([-+])\s+(?=[.0-9])")  # "#### - 3", "= - 3"

_HASHES = re.compile(r"####+(?!#)[ \t]*(?!\W*step\b)", re.IGNORECASE)
_BOX = re.compile(r"\\boxed\s*\{")
_PHRASE = re.compile(r"\banswer\b[*_\"'`]*\s*(?:is\b|[:=])[*_\"'`]*:?", re.IGNORECASE)
_ASIDE = re.compile(r"\([^()]*[A-Za-z][^()]*\)")


class _Found(NamedTuple):
    value: Fraction | None
    where: str
    """What the number was read from, as a message says it."""


def grade(case: Mapping[str, Any], answer: str, source: Path | None = None) -> Grade:
    r"""Grade the text of an answer to one problem.

    Args:
        case: A GSM8K row; of its fields only "answer" is used, a text that ends in ``#### n``.
        answer: The raw text, of any length.
        source: Not needed.

    Returns:
        Score 1 if the number read from the answer equals the gold number, else 0.

    Raises:
        DataError: The case has no gold number.

    >>> case = {"answer": "25 * 4 = <<25*4=100>>100\n#### 100"}
    >>> grade(case, "It costs $100.00.").score, grade(case, r"\boxed{1}").reason
    (1.0, 'expected 100, got 1 from the last \\boxed{}')
    """
    return grade_number(gold_number(case), answer)


def grade_number(gold: Fraction, answer: str) -> Grade:
    """Grade the text of an answer against a number, as `grade`."""
    found = _find(answer)
    if found.value is None:
        return Grade(0.0, f"expected {_shown(gold)}, got no number in {found.where}")
    if found.value == gold:
        return Grade(1.0, f"{_shown(gold)}, from {found.where}")
    return Grade(0.0, f"expected {_shown(gold)}, got {_shown(found.value)} from {found.where}")


def gold_number(case: Mapping[str, Any]) -> Fraction:
    """Return the number after the last ``####`` of a row's "answer".

    Raises:
        DataError: There is no such field, mark or number.
    """
    solution = case.get("answer")
    if not isinstance(solution, str) or "####" not in solution:
        raise DataError(f"expected a case with an answer that ends in '#### n', got {str(solution)[-60:]!r}")
    number = _first(_plain(solution.rpartition("####")[2]))
    if number is None:
        raise DataError(f"expected a number after '####' in the case's answer, got {solution[-60:]!r}")
    return number


def read_number(text: str) -> Fraction | None:
    r"""Return the number that a text gives as its answer, or None.

    >>> read_number("He keeps 1,250 of 2,000. So the answer is 2000 - 750 = 1,250 (in euros, of 2,000).")
    Fraction(1250, 1)
    >>> read_number(r"\boxed{\frac{1}{2}}"), read_number("#### inf")
    (Fraction(1, 2), None)
    """
    return _find(text).value


def _find(answer: str) -> _Found:
    text = _plain(answer)
    if marks := list(_HASHES.finditer(text)):
        return _Found(_first(_lines(text[marks[-1].end() :])), "the last ####")
    if boxes := list(_BOX.finditer(text)):
        return _Found(_first(_braced(text, boxes[-1].end())), "the last \\boxed{}")
    if phrases := list(_PHRASE.finditer(text)):
        number = _first(_lines(text[phrases[-1].end() :]))
        if number is not None:
            return _Found(number, "the last 'answer is'")
    number = _last(text)
    return _Found(number, "the text" if number is None else "the last number")


def _plain(text: str) -> str:
    """Return the text with one spelling of signs, fractions, separators and no currency."""
    text = text.translate(_SIGNS)
    for sign, spelled in _VULGAR.items():
        if sign in text:
            text = text.replace(sign, f" {spelled}")
    text = text.replace("{,}", ",").replace("\\,", " ").replace("\\!", "").replace("\\%", "%")
    text = _TEX_FRACTION.sub(lambda m: f" {m[1] or m[2]}/{m[3] or m[4]} ", text)
    text = _MIXED.sub(lambda m: f"{int(m[1]) * int(m[3]) + int(m[2])}/{m[3]}", text)
    text = _CODE.sub("", _THIN_SPACE.sub("", text))
    text = re.sub(rf"(?<![0-9]){_CURRENCY} ?", "", text)
    return re.sub(_CURRENCY, " ", text)


def _lines(text: str) -> str:
    """Return the first line that is not blank; if it holds no digit, the next one that does."""
    lines = [line for line in text.split("\n", 20)[:20] if line.strip()]
    return next((line for line in lines[:2] if re.search(r"[0-9]", line)), "")


def _braced(text: str, start: int) -> str:
    depth = 1
    for position in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[position], 0)
        if depth == 0:
            return text[start:position]
    return text[start:]


def _first(segment: str) -> Fraction | None:
    """Return the first number of a marked piece of text, or the result of the equation that it is."""
    segment = segment.strip()
    if "=" in segment:
        without = _ASIDE.sub(" ", segment)
        left, equals, right = without.rpartition("=")
        if equals and any(c.isdigit() for c in right):
            segment = f"={right}" if left else right
    segment = _LOOSE_SIGN.sub(r"\1\2", segment)
    number = _NUMBER.search(segment)
    return _value(number) if number else None


def _last(text: str) -> Fraction | None:
    found = None
    for match in _NUMBER.finditer(_LOOSE_SIGN.sub(r"\1\2", text)):
        found = match
    return _value(found) if found else None


def _value(match: re.Match[str]) -> Fraction | None:
    number = _decimal(match["digits"])
    if number is None:
        return None
    if match["exponent"] is not None:
        exponent = match["exponent"]
        if len(exponent) > 5 or abs(int(exponent)) > MAX_EXPONENT:
            return None
        number *= Fraction(10) ** int(exponent)
    if match["denominator"] is not None:
        denominator = _decimal(match["denominator"])
        if not denominator:
            return None
        number /= denominator
    return -number if match["sign"] == "-" else number


def _decimal(digits: str) -> Fraction | None:
    return None if len(digits) > MAX_DIGITS else Fraction(digits.replace(",", ""))


def _shown(number: Fraction) -> str:
    text = str(number)
    return text if len(text) <= 40 else f"{text[:40]}…"
