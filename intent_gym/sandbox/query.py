"""Read-only SQLite queries with limits, for the process that runs them. Standard library only.

The database is opened read-only and unchangeable, temporary tables stay in memory, an authorizer allows reading and
nothing else (no pragma, no attachment, no extension), one statement counts, and a progress handler
stops it when its time is over. The process around it is limited and filtered besides.
"""

from __future__ import annotations

import pathlib
import sqlite3
import time

__all__ = ["QueryError", "connect", "run"]

_HEAP_BYTES = 512 << 20
_STEPS = 20_000
"""Instructions of SQLite's machine between two looks at the clock: about a millisecond."""
_ALLOWED = {
    sqlite3.SQLITE_SELECT,
    sqlite3.SQLITE_READ,
    sqlite3.SQLITE_FUNCTION,
    sqlite3.SQLITE_RECURSIVE,
}


class QueryError(Exception):
    """A query that gives no result; the message says why, in words for a reader."""


def connect(path: str, *, own_process: bool = True) -> sqlite3.Connection:
    """Open a database for reading; everything that needs a right is done here.

    Args:
        path: The file.
        own_process: Whether the process is there for these queries alone. If not, its SQLite memory is not limited and
            any thread may use the connection, one at a time.

    Raises:
        sqlite3.Error: It is no database.
    """
    uri = f"{pathlib.Path(path).absolute().as_uri()}?mode=ro&immutable=1"
    connection = sqlite3.connect(
        uri, uri=True, isolation_level=None, cached_statements=0, check_same_thread=own_process
    )
    connection.text_factory = lambda data: data.decode(errors="ignore")
    pragmas = ["temp_store = MEMORY", "query_only = ON", "trusted_schema = OFF"]
    for pragma in [*pragmas, f"hard_heap_limit = {_HEAP_BYTES}"] if own_process else pragmas:
        connection.execute(f"PRAGMA {pragma}")
    connection.execute("SELECT count(*) FROM sqlite_master").fetchone()  # reads the schema: fails on another file
    connection.set_authorizer(_authorize)
    return connection


def _authorize(action: int, _first: str | None, second: str | None, *_rest: str | None) -> int:
    if action == sqlite3.SQLITE_FUNCTION and second is not None and second.lower() == "load_extension":
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK if action in _ALLOWED else sqlite3.SQLITE_DENY


def run(
    connection: sqlite3.Connection, query: str, most_rows: int, seconds: float
) -> tuple[int, list[tuple[object, ...]]]:
    """Return the number of columns and the rows of a query.

    Raises:
        QueryError: It is no single reading statement, takes too long, or gives too much.
    """
    end = time.monotonic() + seconds
    late = False

    def tick() -> int:
        nonlocal late
        late = time.monotonic() > end
        return int(late)

    connection.set_progress_handler(tick, _STEPS)
    try:
        cursor = connection.execute(query)
        rows = cursor.fetchmany(most_rows + 1)
        columns = len(cursor.description or ())
        cursor.close()
    except (sqlite3.Error, sqlite3.Warning, ValueError, MemoryError, OverflowError) as error:
        if late:
            raise QueryError(f"takes more than {seconds:g} s") from error
        raise QueryError(f"does not run: {error}") from error
    finally:
        connection.set_progress_handler(None, 0)
    if len(rows) > most_rows:
        raise QueryError(f"gives more than {most_rows} rows")
    if not columns:
        raise QueryError("gives no table: no SELECT")
    return columns, rows
