"""A small database."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

pytest.importorskip("sqlglot", reason="needs the extra `general`")


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A source folder in the rebuilt layout with one database, `cats`."""
    found = tmp_path_factory.mktemp("spider")
    (found / "databases").mkdir()
    connection = sqlite3.connect(found / "databases" / "cats.sqlite")
    connection.executescript(
        "create table cat (id int, name text, age int, weight real);"
        "insert into cat values (1, 'Ada', 3, 4.5), (2, 'Bo', 3, 5.0), (3, 'Cy', 7, 5.0), (4, 'Ada', 1, 0.1),"
        " (5, 'Di', NULL, 0.2);"
    )
    connection.commit()
    connection.close()
    return found
