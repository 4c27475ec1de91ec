"""What a gold query asks of the order of rows: read from its syntax tree (sqlglot), never from its text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from intent_gym.errors import DataError, MissingExtraError

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["Order", "order_of", "sqlglot_modules"]


class Order(NamedTuple):
    """A top-level ORDER BY.

    Attributes:
        with_keys: The query with its keys as further columns at the end; empty if they cannot be added.
        columns: Places of the keys among the output columns, -1 for one that is not there.
    """

    with_keys: str
    columns: tuple[int, ...]


def sqlglot_modules() -> tuple[Any, Any]:
    """Return `sqlglot` and `sqlglot.exp`.

    Raises:
        MissingExtraError: sqlglot is not installed.
    """
    try:
        import sqlglot
        from sqlglot import exp
    except ImportError as error:
        raise MissingExtraError(
            "the SQL family needs sqlglot, the extra `general`: pip install 'intent-gym[general]' "
            "(or '.[general]' in a clone)"
        ) from error
    return sqlglot, exp


def order_of(query: str) -> Order | None:
    """Return what a query asks of the order, or None if its rows may come in any.

    Only the outermost ORDER BY counts: one in a sub-query, a common table expression, a window or a text does not.

    Raises:
        DataError: The query cannot be parsed.
        MissingExtraError: sqlglot is not installed.
    """
    sqlglot, exp = sqlglot_modules()
    try:
        tree = sqlglot.parse_one(query, read="sqlite")
    except (sqlglot.errors.SqlglotError, RecursionError) as error:
        raise DataError(f"expected a gold query in SQLite's dialect, found {query[:200]!r} ({error})") from error
    order = tree.args.get("order")
    if order is None:
        return None
    keys = [ordered.this for ordered in order.expressions]
    outputs = list(tree.selects)
    columns = tuple(_place(key, outputs, exp) for key in keys)
    plain = isinstance(tree, exp.Select) and not tree.args.get("distinct")
    return Order(_with_keys(tree, keys, columns) if plain else "", columns)


def _place(key: exp.Expression, outputs: list[exp.Expression], module: Any) -> int:  # noqa: ANN401 - sqlglot.exp
    """Return the output column that a key is: by position, by alias, or by being the same expression."""
    if any(isinstance(output, module.Star) or output.is_star for output in outputs):
        return -1  # places are not known
    if isinstance(key, module.Literal) and not key.is_string and key.name.isdigit():
        return int(key.name) - 1
    for i, output in enumerate(outputs):
        if isinstance(key, module.Column) and not key.table and output.alias.lower() == key.name.lower():
            return i
    for i, output in enumerate(outputs):
        if output.unalias().sql(dialect="sqlite").lower() == key.sql(dialect="sqlite").lower():
            return i
    bare = isinstance(key, module.Column) and not key.table
    for i, output in enumerate(outputs):
        if bare and isinstance(output, module.Column) and output.name.lower() == key.name.lower():
            return i
    return -1


def _with_keys(tree: exp.Expression, keys: list[exp.Expression], columns: tuple[int, ...]) -> str:
    missing = [key.copy() for key, column in zip(keys, columns, strict=True) if column < 0]
    text: str = tree.copy().select(*missing, append=True).sql(dialect="sqlite") if missing else ""  # type: ignore[attr-defined]
    return text
