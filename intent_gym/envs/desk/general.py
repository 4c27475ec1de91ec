"""The two tools that every desk has: arithmetic, and handing the caller to a person.

`calculate` reads what the original's does, which evaluates the text as Python: numbers with ``+ - * / // **``, unary
signs and round brackets. Nothing is evaluated here; the grammar is walked once, with limits on length and nesting.

Decisions:

* Rounding is that of the original: a binary float rounded to two decimals and shown as Python shows it (``"351.54"``,
  ``"-0.0"``, ``"1e+25"``).
* A power is computed in whole numbers while both sides are whole and the result stays small (`MAX_BITS`), in floats
  otherwise; what does not fit a float is refused, as is a fractional power of a negative number. Only a product or
  sum of floats can overflow to ``"inf"``, as in the original.
"""

from __future__ import annotations

import re

from intent_gym.envs.desk.calls import shown
from intent_gym.envs.desk.tables import Draft
from intent_gym.envs.desk.tools import Refusal, Tool

__all__ = ["CALCULATE", "TRANSFER", "calculated"]

MAX_EXPRESSION = 1_000  # characters
MAX_NESTING = 50  # brackets and powers within each other
MAX_BITS = 4_096  # of a whole number; a float ends at 1,024

_ALLOWED = re.compile(r"[0-9+\-*/(). ]*")
_TOKEN = re.compile(r" *(?:(\d+\.\d*|\.\d+)|([1-9]\d*|0+)(?![\d.])|(\*\*|//|[-+*/()])|$)")
_SIGNS = 'digits and + - * / ( ) . and spaces, such as "2 * (3.5 + 1)"'


def calculated(expression: str) -> str:
    """Return the value of an arithmetic expression, rounded to two decimals.

    >>> calculated("2 * (3.5 + 1)"), calculated("-0.001"), calculated("2**10")
    ('9.0', '-0.0', '1024.0')
    """
    if len(expression) > MAX_EXPRESSION:
        raise _refusal(f"at most {MAX_EXPRESSION} characters", f"{len(expression)}; do it in parts")
    allowed = _ALLOWED.match(expression)
    assert allowed is not None  # matches the empty text
    if allowed.end() < len(expression):
        raise _refusal(_SIGNS, shown(expression[allowed.end()]))
    try:
        value = float(_Arithmetic(expression).value())
    except ZeroDivisionError:
        raise _refusal("an expression with a value", f"a division by zero in {shown(expression)}") from None
    except OverflowError:
        raise _refusal("a value below 1e308", f"a larger one from {shown(expression)}") from None
    return str(round(value, 2))


def _refusal(expected: str, got: str) -> Refusal:
    return Refusal("bad_expression", f"expected {expected}, got {got}")


class _Arithmetic:
    """One pass over the tokens: sums of products of signed powers, as Python groups them."""

    def __init__(self, expression: str) -> None:
        self.expression = expression
        self.at = 0
        self.depth = 0
        self.token: int | float | str = ""  # a number, an operator, or "" at the end
        self.advance()

    def value(self) -> int | float:
        total = self.sum()
        if self.token != "":
            raise self.fault()
        return total

    def advance(self) -> None:
        found = _TOKEN.match(self.expression, self.at)
        if found is None:
            raise self.fault()
        self.at = found.end()
        if found[1] is not None:
            self.token = float(found[1])
        elif found[2] is not None:
            self.token = int(found[2])
        else:
            self.token = found[3] or ""

    def sum(self) -> int | float:
        total = self.product()
        while self.token in ("+", "-"):
            sign = self.token
            self.advance()
            term = self.product()
            total = total + term if sign == "+" else total - term
        return total

    def product(self) -> int | float:
        total = self.signed()
        while self.token in ("*", "/", "//"):
            sign = self.token
            self.advance()
            factor = self.signed()
            if sign == "*":
                total = self.bounded(total * factor)
            else:
                total = total / factor if sign == "/" else total // factor
        return total

    def signed(self) -> int | float:
        negative = False
        while self.token in ("+", "-"):
            negative ^= self.token == "-"
            self.advance()
        value = self.power()
        return -value if negative else value

    def power(self) -> int | float:
        base = self.atom()
        if self.token != "**":
            return base
        self.deeper()
        exponent = self.signed()
        self.depth -= 1
        if isinstance(base, int) and isinstance(exponent, int):
            if abs(base) > 1 and exponent * base.bit_length() > MAX_BITS:
                raise OverflowError
        elif base < 0 and not float(exponent).is_integer():
            raise _refusal("a real value", f"a root of a negative number in {shown(self.expression)}")
        result: int | float = base**exponent
        return result

    def atom(self) -> int | float:
        token = self.token
        if isinstance(token, (int, float)):
            self.advance()
            return token
        if token != "(":
            raise self.fault()
        self.deeper()
        value = self.sum()
        if self.token != ")":
            raise self.fault()
        self.depth -= 1
        self.advance()
        return value

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise _refusal(f"at most {MAX_NESTING} brackets within each other", "more; do it in parts")
        self.advance()

    def bounded(self, value: int | float) -> int | float:
        if isinstance(value, int) and value.bit_length() > MAX_BITS:
            raise OverflowError
        return value

    def fault(self) -> Refusal:
        rest = self.expression[self.at :].strip()
        token = shown(self.token) if self.token != "" else "nothing"
        got = f"{token} before {shown(rest)}" if rest else f"{token} at the end"
        return _refusal("numbers with an operator between any two and every bracket closed", got)


def _calculate(draft: Draft, expression: str) -> str:
    return calculated(expression)


def _transfer(draft: Draft, summary: str) -> str:
    return "Transfer successful"


CALCULATE = Tool(
    "calculate",
    "Work out an arithmetic expression; the result has two decimals.",
    {"expression": {"type": "string", "description": f"Only {_SIGNS}."}},
    _calculate,
)
TRANSFER = Tool(
    "transfer_to_human_agents",
    "Hand the caller to a person, when what they want is beyond these tools.",
    {"summary": {"type": "string", "description": "What the caller wants, for the person who takes over."}},
    _transfer,
)
