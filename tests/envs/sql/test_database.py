"""Databases in this process and as files."""

from __future__ import annotations

import multiprocessing
import sqlite3
from pathlib import Path

import pytest

from intent_gym.envs.sql.database import Database
from intent_gym.envs.sql.grade import run_queries
from intent_gym.envs.sql.show import MOST_SHOWN, shown
from intent_gym.envs.sql.tables import Table
from intent_gym.errors import DataError

ROWS = {"cat": [(1, "Ada"), (2, "Bo")]}


@pytest.fixture
def cats() -> Database:
    return Database("cats", "CREATE TABLE cat (id INTEGER, name TEXT);", ROWS)


def test_the_file_has_what_the_process_has(cats: Database) -> None:
    query = "SELECT * FROM cat ORDER BY id"
    assert run_queries(cats.path(), [query]) == [cats.run(query)]
    assert cats.path() == cats.path()


def test_a_query_that_does_not_run_is_an_error(cats: Database) -> None:
    with pytest.raises(DataError, match="on cats does not run: no such table: dog"):
        cats.run("SELECT * FROM dog")


def test_a_file_is_only_read(tmp_path: Path) -> None:
    path = tmp_path / "dogs.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE dog (id INTEGER)")
    connection.commit()
    connection.close()
    dogs = Database("dogs", file=path)
    assert dogs.path() == path
    assert dogs.run("SELECT count(*) FROM dog").rows == ((0,),)
    with pytest.raises(DataError, match=r"not authorized|readonly"):
        dogs.run("INSERT INTO dog VALUES (1)")


def _child(database: Database, sender: object) -> None:
    sender.send((database.run("SELECT count(*) FROM cat").rows, str(database.path())))  # type: ignore[attr-defined]


def test_a_forked_process_has_its_own(cats: Database) -> None:
    cats.run("SELECT 1")
    path = cats.path()
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe()
    child = context.Process(target=_child, args=(cats, sender))
    child.start()
    rows, other = receiver.recv()
    child.join()
    assert rows == ((2,),)
    assert other != str(path)
    assert path.exists()


def test_long_tables_are_cut() -> None:
    text = shown(Table(1, tuple((i,) for i in range(50))))
    assert text.count("\n") == MOST_SHOWN + 1
    assert text.endswith("... and 30 more")
    assert shown(Table(2, ())) == "0 rows"
    assert shown(Table(1, (("x" * 100,),))).endswith("...")
    assert shown(Table(1, ((b"\x01",),))) == "1 row:\nx'01'"
