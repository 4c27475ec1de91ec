"""Grading a query by running it: Spider's execution accuracy with the faults of its evaluators corrected.

Both queries run as written on the database: DISTINCT is kept, gold values are never put in place of the answer's, and
only a blank inside ``> =`` is closed. The answer is one reading statement, alone or in a fence with any prose round it;
it runs in the sandbox, on a connection that can only read, for ten seconds at most. Its table must be the gold's: see
`tables`. The order of rows counts only if the gold's outermost query has an ORDER BY; two empty tables are equal if
they have as many columns. 1 or 0.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from intent_gym.envs.sql.order import Order, order_of
from intent_gym.envs.sql.tables import Table, same_table
from intent_gym.errors import DataError, SandboxError
from intent_gym.grading import Grade
from intent_gym.grading_fences import blocks
from intent_gym.sandbox import plain
from intent_gym.sandbox.client import Child, ChildEnded, Limits

__all__ = [
    "MOST_ROWS",
    "NO_QUERY",
    "SECONDS",
    "compare",
    "database_file",
    "gold_table",
    "grade",
    "grade_query",
    "query_of",
    "run_queries",
    "with_ties",
]

SECONDS = 10.0
"""Longest time of one query."""

MOST_ROWS = 100_000
"""A query with more rows gives no table."""

NO_QUERY = "no query"
"""What stands for the table of an empty answer."""

_NAME = re.compile(r"\w[\w.-]*")
_BLANK = re.compile(r"""('(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\])|([<>!])\s+=""")


def grade(case: Mapping[str, Any], answer: str, source: Path | None = None) -> Grade:
    """Grade an answer to a row of Spider.

    Args:
        case: `db_id` and `query`, the gold.
        answer: The raw text of the model.
        source: The folder that has the databases: ``databases/ID.sqlite`` or ``database/ID/ID.sqlite``.

    Raises:
        DataError: A field, the database or the folder is missing or damaged, or the gold does not run.
        SandboxError: The sandbox itself failed.
        MissingExtraError: sqlglot is not installed.
    """
    for name in ("db_id", "query"):
        if not isinstance(case.get(name), str):
            found = type(case[name]).__name__ if name in case else "no such field"
            raise DataError(f"case: expected a text in {name!r}, found {found}; use the original row")
    if source is None:
        raise DataError("grading SQL needs the databases: pass source=<folder with databases/>")
    return grade_query(database_file(source, case["db_id"]), case["query"], answer)


def grade_query(database: Path, gold: str, answer: str, seconds: float = SECONDS) -> Grade:
    """Grade an answer by a gold query on a database file.

    Raises:
        DataError, SandboxError, MissingExtraError: As `grade`.
    """
    wanted = gold_table(database, gold)
    query = query_of(answer)
    return compare(run_queries(database, [query], seconds)[0] if query else NO_QUERY, wanted)


def compare(found: Table | str, wanted: Table) -> Grade:
    """Grade what an answer gives, a table or why there is none, by the gold's table with its ties."""
    if found == NO_QUERY:
        return Grade(0.0, NO_QUERY)
    if isinstance(found, str):
        return Grade(0.0, f"the query {found}")
    if found.columns != wanted.columns:
        return Grade(0.0, f"{found.columns} columns for {wanted.columns}")
    if len(found.rows) != len(wanted.rows):
        return Grade(0.0, f"{len(found.rows)} rows for {len(wanted.rows)}")
    if not same_table(found, wanted):
        return Grade(0.0, "another table" if wanted.groups is None else "another table, or another order of rows")
    return Grade(1.0, f"the table of {len(found.rows)} rows")


def database_file(source: Path, name: str) -> Path:
    """Return the file of a database in a source folder.

    Raises:
        DataError: There is none, or the name is none.
    """
    if not _NAME.fullmatch(name):
        raise DataError(f"expected a database's name, found {name!r}; use the original row")
    for path in (source / "databases" / f"{name}.sqlite", source / "database" / name / f"{name}.sqlite"):
        if path.is_file():
            return path
    raise DataError(
        f"expected databases/{name}.sqlite or database/{name}/{name}.sqlite in {str(source)!r}, found neither; "
        "pass Spider's folder as source"
    )


def query_of(answer: str) -> str:
    """Return the query of an answer: the last fenced block, or the whole text; blanks in operators are closed.

    >>> query_of("Here: ```x``` no fence, so all of it")[:5], query_of("SELECT 1 WHERE 2 > = 1 AND 'a > = b'")
    ('Here:', "SELECT 1 WHERE 2 >= 1 AND 'a > = b'")
    """
    text = blocks(answer)[-1].text.strip()
    return _BLANK.sub(lambda m: m[1] or f"{m[2]}=", text)


def run_queries(database: Path, queries: Sequence[str], seconds: float = SECONDS) -> list[Table | str]:
    """Run queries one after the other; for each its table, or why there is none, as the end of a sentence.

    Raises:
        SandboxError: The sandbox itself failed.
        DataError: The file is no database.
    """
    request = {
        "database": str(database.resolve()),
        "queries": list(queries),
        "rows": MOST_ROWS,
        "seconds": seconds,
        "limit": 16 << 20,
    }
    limits = Limits(cpu_s=int(seconds) + 1, wall_s=2 * seconds + 2, requests=len(queries), memory_mb=1024)
    results: list[Table | str] = []
    with Child("query", request, limits) as child:
        try:
            child.ready()
        except SandboxError as error:
            if "DatabaseError" in str(error):
                raise DataError(f"expected an SQLite database, found another file at {str(database)!r}") from error
            raise
        for _ in queries:
            child.renew()
            try:
                reply = child.receive()
            except ChildEnded as error:
                results.append(str(error))
                break
            results.append(_table(reply))
    return results + ["was not run: an earlier one ended the process"] * (len(queries) - len(results))


def _table(reply: bytes) -> Table | str:
    if reply[:1] != b"V":
        return reply[1:].decode(errors="replace")
    columns, rows = plain.loads(reply[1:])
    return Table(columns, tuple(rows))


def gold_table(database: Path, gold: str) -> Table:
    """Return the gold's table with its ties; remembered for the file as it is now.

    Raises:
        DataError: It does not run; the message says why.
    """
    stat = database.stat()
    return _gold_table(database, stat.st_mtime_ns, stat.st_size, gold)


@lru_cache(maxsize=4096)
def _gold_table(database: Path, _mtime: int, _size: int, gold: str) -> Table:
    query = query_of(gold)
    order = order_of(query)
    asked = [query, order.with_keys] if order is not None and order.with_keys else [query]
    table, *keyed = run_queries(database, asked)
    if isinstance(table, str):
        raise DataError(f"the gold query {table}: {gold!r} on {database.name}; use the original row and database")
    return with_ties(table, keyed[0] if keyed else "", order)


def with_ties(table: Table, keyed: Table | str, order: Order | None) -> Table:
    """Return a gold's table with the tie of every row.

    Where a key cannot be had, no two rows are tied and the whole order counts.

    Args:
        table: What the gold gives.
        keyed: What it gives with the keys of its order as further columns, or why that is not known.
        order: What it asks of the order of rows.
    """
    return table if order is None else Table(table.columns, table.rows, _groups(table, keyed, order.columns))


def _groups(table: Table, keyed: Table | str, columns: tuple[int, ...]) -> tuple[int, ...]:
    inside = [column for column in columns if 0 <= column < table.columns]
    keys: list[tuple[object, ...]]
    if len(inside) == len(columns):
        keys = [tuple(row[i] for i in inside) for row in table.rows]
    elif isinstance(keyed, Table) and tuple(row[: table.columns] for row in keyed.rows) == table.rows:
        keys = [tuple(row[i] for i in inside) + tuple(row[table.columns :]) for row in keyed.rows]
    else:
        keys = [(i,) for i in range(len(table.rows))]
    groups: list[int] = []
    for i, key in enumerate(keys):
        groups.append(0 if i == 0 else groups[-1] + (key != keys[i - 1]))
    return tuple(groups)
