"""When two result tables are equal: bags of rows under one permutation of columns, in order where order was asked for.

Rows that the gold's ORDER BY leaves tied may come in any order. Numbers are compared by value, floats to ten digits
(sums of floats depend on the order of rows); texts exactly; a text is no number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Table", "column_signatures", "joined_signatures", "same_table", "signature"]

Cell = object
"""None, int, float, str or bytes."""


@dataclass(frozen=True, slots=True)
class Table:
    """What a query gives.

    Attributes:
        columns: Their number; counts for an empty table too.
        rows: Each of `columns` cells.
        groups: For every row the number of its tie, not falling from row to row; None if the order means nothing.
    """

    columns: int
    rows: tuple[tuple[Cell, ...], ...]
    groups: tuple[int, ...] | None = None


def _cell(value: Cell) -> Cell:
    """Return a value that is equal for equal cells; kinds do not mix."""
    if isinstance(value, float):
        value = float(f"{value:.10g}")
        return int(value) if value.is_integer() else value
    return value


def same_table(found: Table, gold: Table) -> bool:
    """Return whether a table is the gold one.

    >>> gold = Table(2, ((1, "a"), (2, "b")))
    >>> same_table(Table(2, (("b", 2.0), ("a", 1))), gold), same_table(Table(2, ((1, "a"), (1, "a"))), gold)
    (True, False)
    """
    if found.columns != gold.columns or len(found.rows) != len(gold.rows):
        return False
    ties = gold.groups if gold.groups is not None else (0,) * len(gold.rows)
    wanted = [[_cell(row[i]) for row in gold.rows] for i in range(gold.columns)]
    given = [[_cell(row[i]) for row in found.rows] for i in range(found.columns)]
    return _match(list(ties), list(ties), wanted, given)


def signature(table: Table) -> int:
    """Return a number, not 0, that is the same for equal tables, whatever the order of rows and columns.

    It fits 64 bits and is of this process only.

    >>> signature(Table(2, ((1, "a"), (2, "b")))) == signature(Table(2, (("b", 2.0), ("a", 1))))
    True
    """
    columns = column_signatures(table)
    return int(joined_signatures(len(table.rows), columns, np.ones((1, len(columns)), dtype=np.bool_))[0])


def column_signatures(table: Table) -> NDArray[np.int64]:
    """Return for every column a number that is the same for equal columns, whatever the order of rows."""
    columns = zip(*table.rows, strict=True) if table.rows else ((),) * table.columns
    return np.array([hash(tuple(sorted([hash(_cell(v)) for v in column]))) for column in columns], dtype=np.int64)


def joined_signatures(rows: int, columns: NDArray[np.int64], chosen: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the `signature` of tables with so many rows and some of the columns.

    Args:
        rows: Their number.
        columns: `column_signatures`; shape (columns,).
        chosen: Which columns each table has; shape (tables, columns).
    """
    salts = np.array([hash((n, rows)) for n in range(len(columns) + 1)], dtype=np.int64)
    found = chosen @ columns + salts[chosen.sum(axis=1)]
    return np.where(found == 0, 1, found)


def _match(left: Sequence[object], right: Sequence[object], wanted: list[list[Cell]], given: list[list[Cell]]) -> bool:
    """Return whether `wanted` columns can be taken from `given`; `left` and `right` number what is matched so far."""
    if not wanted:
        return True
    target = [(a, b) for a, b in zip(left, wanted[0], strict=True)]
    bag = Counter(target)
    number = {pair: i for i, pair in enumerate(bag)}  # keeps the next step's keys small
    tried: list[list[Cell]] = []
    for i, column in enumerate(given):
        if column in tried:
            continue
        tried.append(column)
        pairs = [(a, b) for a, b in zip(right, column, strict=True)]
        if Counter(pairs) == bag and _match(
            [number[pair] for pair in target], [number[pair] for pair in pairs], wanted[1:], given[:i] + given[i + 1 :]
        ):
            return True
    return False
