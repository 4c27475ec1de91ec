"""A result as a small table of text."""

from __future__ import annotations

from intent_gym.envs.sql.tables import Table

__all__ = ["MOST_SHOWN", "shown"]

MOST_SHOWN = 20
"""Rows that are shown."""
_WIDEST = 60
_MOST_COLUMNS = 30


def shown(table: Table) -> str:
    r"""Return a table as lines of cells; long cells, columns and rows are cut.

    >>> shown(Table(2, ((1, "a"), (None, "b"))))
    '2 rows:\n1 | a\nNULL | b'
    """
    count = len(table.rows)
    lines = [f"{count} row{'' if count == 1 else 's'}{':' if count else ''}"]
    for row in table.rows[:MOST_SHOWN]:
        cells = [_cell(value) for value in row[:_MOST_COLUMNS]]
        lines.append(" | ".join([*cells, "..."] if len(row) > _MOST_COLUMNS else cells))
    if count > MOST_SHOWN:
        lines.append(f"... and {count - MOST_SHOWN} more")
    return "\n".join(lines)


def _cell(value: object) -> str:
    text = "NULL" if value is None else f"x'{value.hex()}'" if isinstance(value, bytes) else str(value)
    text = " ".join(text.split())
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 3]}..."
