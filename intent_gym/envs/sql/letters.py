"""Letters in the place of a query's literals: what of a gold query a person can set, by its syntax tree (sqlglot).

A literal is taken if it is compared with a column or an expression and stands once in the question, as it is or, a
small number, in words. Double-quoted texts that are no columns are literals too, as SQLite has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from intent_gym.core.intent import Value
from intent_gym.envs.sql.order import sqlglot_modules
from intent_gym.errors import DataError

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["COMPARISONS", "LETTERS", "Letter", "Schema", "lettered", "mark", "parsed", "tables_of"]

LETTERS = "ABCD"
COMPARISONS: Mapping[str, str] = {
    "at least": ">=",
    "at most": "<=",
    "less than": "<",
    "more than": ">",
    "other than": "<>",
}
"""What a comparison can be, as SQL."""
_PHRASES: Mapping[str, str] = {
    **dict.fromkeys(("more than", "greater than", "larger than", "higher than", "bigger than", "above", "over"), ">"),
    **dict.fromkeys(("less than", "smaller than", "lower than", "fewer than", "below", "under"), "<"),
    **dict.fromkeys(("at least",), ">="),
    **dict.fromkeys(("at most",), "<="),
}
_NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split()
Schema = Mapping[str, Mapping[str, str]]
"""Columns by table, with their own spelling, all by their small letters."""


class Letter(NamedTuple):
    """A literal that a letter stands for.

    Attributes:
        letter: Of `LETTERS`.
        value: The true value, as a person says it.
        text: Whether it is a text in the query, and not a number.
        pattern: With "{}" for the value: that of a LIKE.
        column: (table, column) that it is compared with, in their own spelling; None where that is an expression.
        comparison: The word of `COMPARISONS` that the question says before it; "" where there is none.
    """

    letter: str
    value: Value
    text: bool
    pattern: str
    column: tuple[str, str] | None
    comparison: str

    def sql(self, value: Value) -> str:
        """Return a value as it stands in the query."""
        return f"'{self.pattern.format(value)}'" if self.text else str(value)


def mark(letter: str) -> str:
    """Return what stands for a letter in a query.

    >>> mark("A")
    'zqAzq'
    """
    return f"zq{letter}zq"


def parsed(query: str, schema: Schema) -> exp.Expression:
    """Return the tree of a query, in which quoted texts that are no columns are literals.

    Raises:
        DataError: It cannot be parsed.
    """
    sqlglot, module = sqlglot_modules()
    try:
        tree: Any = sqlglot.parse_one(query.strip().rstrip(";"), read="sqlite")
    except (sqlglot.errors.SqlglotError, RecursionError) as error:
        raise DataError(f"expected a gold query in SQLite's dialect, found {query[:200]!r} ({error})") from error
    columns = {name for table in schema.values() for name in table}
    for node in list(tree.find_all(module.Column)):
        if node.this.args.get("quoted") and not node.table and node.name.lower() not in columns:
            node.replace(module.Literal.string(node.name))
    return cast("exp.Expression", tree)


def tables_of(tree: exp.Expression) -> dict[str, str]:
    """Return the tables of a query by the names they go by, in small letters."""
    _, exp = sqlglot_modules()
    return {table.alias_or_name.lower(): table.name.lower() for table in tree.find_all(exp.Table)}


def lettered(tree: exp.Expression, question: str, schema: Schema) -> tuple[list[Letter], str]:
    """Put letters in the place of a tree's literals and of their words in the question.

    Returns:
        What the letters stand for, and the question with letters in brackets.
    """
    found: list[Letter] = []
    nodes: dict[tuple[str, bool], list[Any]] = {}
    for node in _compared(tree):
        nodes.setdefault((node.this, node.is_string), []).append(node)
    for (literal, text), same in nodes.items():
        columns = {_column(node, tree, schema) for node in same}
        if len(columns) > 1 or len(found) == len(LETTERS):
            continue
        value, pattern = _said(literal, text, same)
        place = _place(value, question) if value is not None else None
        if value is None or place is None:
            continue
        letter = LETTERS[len(found)]
        comparison, start = _comparison(question, place, same)
        told = f"[comparison {letter}] [{letter}]" if comparison else f"[{letter}]"
        question = question[:start] + told + question[place[1] :]
        found.append(Letter(letter, value, text, pattern, columns.pop(), comparison))
        _, exp = sqlglot_modules()
        for node in same:
            node.replace(exp.Var(this=mark(letter)))
    return found, question


def _compared(tree: exp.Expression) -> Iterator[Any]:
    """Yield the literals that are compared with something, in the order of the text, and those of a LIMIT."""
    _, exp = sqlglot_modules()
    kinds = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Like, exp.Between)
    for node in list(tree.find_all(exp.Literal, bfs=False)):
        if isinstance(node.parent, (exp.Limit, *kinds)) and node.parent.this is not node:
            yield node


def _said(literal: str, text: bool, nodes: list[Any]) -> tuple[Value | None, str]:
    """Return a literal as a person says it, and its pattern."""
    _, exp = sqlglot_modules()
    if not text:
        number = float(literal)
        return (int(number) if number.is_integer() else round(number, 2) if round(number, 2) == number else None), "{}"
    if any(isinstance(node.parent, exp.Like) for node in nodes):
        inner = literal.strip("%")
        return (inner if inner and not set(inner) & set("%_{}'") else None), literal.replace(inner, "{}")
    return (literal if literal.strip() == literal and literal and "'" not in literal else None), "{}"


def _place(value: Value, question: str) -> tuple[int, int] | None:
    """Return where a value stands in a question; None if nowhere or more than once."""
    forms = [re.escape(str(value))]
    if isinstance(value, int) and 0 <= value < len(_NUMBERS):
        forms.append(_NUMBERS[value])
    places = list(re.finditer(rf"(?<![\w\[])['\"]?(?:{'|'.join(forms)})['\"]?(?![\w\]])", question, re.I))
    return places[0].span() if len(places) == 1 else None


def _comparison(question: str, place: tuple[int, int], nodes: list[Any]) -> tuple[str, int]:
    """Return the comparison that is said right before a value, and where the words begin."""
    _, exp = sqlglot_modules()
    signs = {exp.GT: ">", exp.GTE: ">=", exp.LT: "<", exp.LTE: "<="}
    sign = signs.get(type(nodes[0].parent), "")
    for phrase, stands_for in _PHRASES.items():
        before = re.search(rf"\b{phrase} $", question[: place[0]], re.I)
        if before and stands_for == sign and len(nodes) == 1:
            return next(word for word, sql in COMPARISONS.items() if sql == sign), before.start()
    return "", place[0]


def _column(node: Any, tree: exp.Expression, schema: Schema) -> tuple[str, str] | None:  # noqa: ANN401 - a literal
    """Return the table and column that a literal is compared with; None where it is something else."""
    _, exp = sqlglot_modules()
    other = node.parent.this
    if not isinstance(other, exp.Column):
        return None
    names = tables_of(tree)
    tables = [names[other.table.lower()]] if other.table.lower() in names else list(names.values())
    for table in tables:
        if other.name.lower() in schema.get(table, {}):
            return table, schema[table][other.name.lower()]
    return None
