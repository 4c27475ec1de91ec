"""A small database: asked in this process by queries that are trusted, and a file for the sandbox.

Trusted queries are those that a host renders itself. Anything else is run by `grade.run_queries`, on the file.
"""

from __future__ import annotations

import atexit
import os
import shutil
import sqlite3
import tempfile
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

from intent_gym.envs.sql.grade import MOST_ROWS, SECONDS
from intent_gym.envs.sql.tables import Table
from intent_gym.errors import DataError
from intent_gym.sandbox import query

__all__ = ["Database", "Row"]

Row = tuple[str | int | float, ...]

_lock = threading.RLock()
_folders: dict[int, Path] = {}


class Database:
    """A database, either rows of this project's own or a file.

    Args:
        name: Letters, digits and underscores.
        schema: ``CREATE TABLE`` statements; not needed with a file.
        rows: By table.
        file: An SQLite file, read only.
        indices: ``CREATE INDEX`` statements, for this process's copy.
    """

    def __init__(
        self,
        name: str,
        schema: str = "",
        rows: Mapping[str, Sequence[Row]] | None = None,
        file: Path | None = None,
        indices: str = "",
    ) -> None:
        self.name = name
        self.schema = schema
        self.rows: Mapping[str, Sequence[Row]] = rows or {}
        self._file = file
        self._indices = indices
        self._open: tuple[int, sqlite3.Connection] | None = None

    def _connection(self) -> sqlite3.Connection:
        """Return this process's connection: one that was open before a fork is left to the parent."""
        if self._open is None or self._open[0] != os.getpid():
            if self._file is not None:
                connection = query.connect(str(self._file), own_process=False)
            else:
                connection = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
                self._fill(connection)
                connection.executescript(self._indices)
            self._open = os.getpid(), connection
        return self._open[1]

    def _fill(self, connection: sqlite3.Connection) -> None:
        connection.executescript(self.schema)
        connection.execute("BEGIN")
        for table, rows in self.rows.items():
            marks = ", ".join("?" * len(rows[0]))
            connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)
        connection.execute("COMMIT")

    def run(self, text: str) -> Table:
        """Return the table of a trusted query, run in this process.

        Raises:
            DataError: It does not run.
        """
        with _lock:
            try:
                columns, rows = query.run(self._connection(), text, MOST_ROWS, SECONDS)
            except query.QueryError as error:
                raise DataError(f"the query {text!r} on {self.name} {error}; are these the original files?") from error
        return Table(columns, tuple(rows))

    def path(self) -> Path:
        """Return the database as a file, written when it is first wanted and removed when the process ends."""
        if self._file is not None:
            return self._file
        with _lock:
            path = _folder() / f"{self.name}.sqlite"
            if not path.exists():
                unfinished = path.with_suffix(".part")
                connection = sqlite3.connect(unfinished, isolation_level=None)
                try:
                    self._fill(connection)
                finally:
                    connection.close()
                unfinished.rename(path)
            return path


def _folder() -> Path:
    """Return this process's folder of databases."""
    pid = os.getpid()
    if pid not in _folders:
        _folders[pid] = Path(tempfile.mkdtemp(prefix="intent-gym-sql-"))
        atexit.register(_remove, pid)
    return _folders[pid]


def _remove(pid: int) -> None:
    if pid == os.getpid():
        shutil.rmtree(_folders[pid], ignore_errors=True)


def _after_fork() -> None:
    """The lock may have been held by a thread that a forked process does not have."""
    global _lock
    _lock = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
