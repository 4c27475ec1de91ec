"""What a gold query can become: its literals other values, and what may be added to it, all as templates."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from intent_gym.core.intent import Value
from intent_gym.core.rng import Purpose, choose, key_of
from intent_gym.envs.sql.database import Database
from intent_gym.envs.sql.letters import COMPARISONS, Letter, Schema, mark
from intent_gym.envs.sql.order import order_of, sqlglot_modules
from intent_gym.envs.templates import Part, Template

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["FORMS", "NEUTRAL", "Plans", "Source", "column_values", "plans_of", "sayable"]

_FILTERS = 3
"""Further conditions that are offered."""
_LONGEST = 30
NEUTRAL: Mapping[str, str] = {"filter": "no extra filter", "repeats": "repeats kept", "form": "plain rows"}
"""What leaving out means."""
FORMS: Mapping[str, tuple[str, str]] = {
    "number of rows": ("SELECT count(*) FROM (", ") AS counted"),
    "plain rows": ("", ""),
    "yes or no": ("SELECT EXISTS (", ")"),
}
"""What stands before and after the query for each form of the result."""


@dataclass(frozen=True)
class Source:
    """A database with what is known of it."""

    database: Database
    schema: Schema
    material: str


def sayable(value: str) -> bool:
    """Return whether a person can say a text, and a query hold it, without quotes and the like."""
    return bool(re.fullmatch(r"[\w][\w .&/+-]*", value)) and value == value.strip() and len(value) <= _LONGEST


def column_values(database: Database, column: tuple[str, str]) -> list[Any]:
    """Return the values that occur in a column, given as (table, column), sorted; not all of very many."""
    table, name = column
    query = f'SELECT DISTINCT "{name}" FROM "{table}" WHERE "{name}" IS NOT NULL ORDER BY 1 LIMIT 400'
    return [row[0] for row in database.run(query).rows]


class Plans:
    """The texts that a gold's tree can be rendered to, as templates.

    Args:
        text: The query with marks.
        keyed: The same with the keys of its order as further columns, "" where there are none.
        filters: SQL of further conditions by what people call them.
        distinct: Whether repeats can be dropped.
    """

    def __init__(self, text: str, keyed: str, filters: Mapping[str, str], distinct: bool) -> None:
        self._text, self._keyed, self.filters, self.distinct = text, keyed, filters, distinct

    def query(self, letters: list[Letter], domains: Mapping[str, tuple[Value, ...]] | None = None) -> Template:
        """Return the query's template, for given values only."""
        forms = [_part("form", {f: texts[i] for f, texts in FORMS.items()}, domains) for i in (0, 1)]
        return Template((forms[0], *self._pieces(self._text, letters, domains), forms[1]))

    def keyed(self, letters: list[Letter], domains: Mapping[str, tuple[Value, ...]]) -> Template | None:
        """Return the template of the query with its keys."""
        return Template(tuple(self._pieces(self._keyed, letters, domains))) if self._keyed else None

    def _pieces(
        self, text: str, letters: list[Letter], domains: Mapping[str, tuple[Value, ...]] | None
    ) -> Iterator[str | Part]:
        by_letter = {x.letter: x for x in letters}
        pattern = rf"( (?:AND|WHERE) {mark('F')})|((?<=SELECT) DISTINCT {mark('R')})|(?:(<>|[<>]=?|=) )?zq([A-D])zq"
        at = 0
        for found in re.finditer(pattern, text):
            yield text[at : found.start()]
            at = found.end()
            if found[1]:
                word = found[1].split()[0]
                texts = {k: f" {word} {sql}" if sql else "" for k, sql in self.filters.items()}
                yield _part("filter", texts, domains)
            elif found[2]:
                yield _part("repeats", {"repeats kept": "", "repeats dropped": " DISTINCT"}, domains)
            else:
                yield from self._value(by_letter[found[4]], found[3] or "", domains)
        yield text[at:]

    def _value(
        self, letter: Letter, sign: str, domains: Mapping[str, tuple[Value, ...]] | None
    ) -> Iterator[str | Part]:
        slot, compared = f"value_{letter.letter.lower()}", f"comparison_{letter.letter.lower()}"
        if sign and letter.comparison and (domains is None or compared in domains):
            yield Part((compared,), {(word,): f"{sql} " for word, sql in COMPARISONS.items()})
        elif sign:
            yield f"{sign} "
        if domains is None:
            yield Part((slot,), _Any(letter))
        elif slot in domains:
            yield Part((slot,), {(v,): letter.sql(v) for v in domains[slot]})
        else:
            yield letter.sql(letter.value)


def _part(slot: str, texts: Mapping[str, str], domains: Mapping[str, tuple[Value, ...]] | None) -> str | Part:
    """Return the piece of an optional slot, for given values only; nothing where the slot is not there."""
    if domains is not None and slot not in domains:
        return ""
    return Part((slot,), {(v,): text for v, text in texts.items() if domains is None or v in domains[slot]})


class _Any(dict[tuple[Value, ...], str]):
    """The texts of all values that a letter could have."""

    def __init__(self, letter: Letter) -> None:
        self._letter = letter

    def __missing__(self, values: tuple[Value, ...]) -> str:
        return self._letter.sql(values[0])


def plans_of(tree: exp.Expression, letters: list[Letter], source: Source) -> Plans:
    """Return what a gold's tree with marks can be rendered to."""
    _, exp = sqlglot_modules()
    filters: dict[str, str] = {NEUTRAL["filter"]: ""}
    distinct = False
    if isinstance(tree, exp.Select):
        filters |= _filters(tree, source)
        if len(filters) > 1:
            tree = tree.where(exp.Var(this=mark("F")))
        distinct = not tree.args.get("distinct") and not tree.args.get("group")
    text = tree.sql(dialect="sqlite")
    order = order_of(text) if tree.args.get("order") is not None else None
    keyed = order.with_keys if order is not None else ""
    if distinct:
        text = re.sub(r"^SELECT ", f"SELECT DISTINCT {mark('R')} ", text)
    return Plans(text, keyed, filters, distinct)


def _filters(tree: exp.Expression, source: Source) -> dict[str, str]:
    """Return further conditions on the rows that the outermost query looks at."""
    _, exp = sqlglot_modules()
    start = tree.args.get("from_") or tree.args.get("from")
    found: dict[str, str] = {}
    table = start.this if start is not None else None
    if not isinstance(table, exp.Table) or table.name.lower() not in source.schema:
        return found
    for column in source.schema[table.name.lower()].values():
        if column.lower().endswith("id") or len(found) == _FILTERS:
            continue
        values = column_values(source.database, (table.name, column))
        texts = [v for v in values if isinstance(v, str) and sayable(v)]
        if 2 <= len(texts) <= 60 and len(texts) == len(values):
            key = key_of("sql filter", source.database.name, table.name, column)
            chosen = choose(texts, key, Purpose.CONSTRUCT, 0)
            found[f"{column.replace('_', ' ').lower()}: {chosen}"] = f"{table.alias_or_name}.\"{column}\" = '{chosen}'"
    return found
