"""Grading queries by running them on a small database."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from intent_gym import grade
from intent_gym.envs.sql.grade import grade_query, query_of, run_queries
from intent_gym.errors import DataError
from intent_gym.grading import Grade


def graded(folder: Path, gold: str, answer: str) -> Grade:
    return grade("sql", {"db_id": "cats", "query": gold}, answer, folder)


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        ("SELECT name FROM cat", "select NAME from CAT order by age desc;"),
        ("SELECT name, age FROM cat", "Here:\n```sql\n-- all\nSELECT age, name\nFROM cat;\n```\nDone"),
        ("SELECT name FROM cat WHERE age > = 3", "SELECT name FROM cat WHERE age > = 3"),
        ("SELECT name FROM cat ORDER BY age", "SELECT name FROM cat ORDER BY age, name DESC"),
        ("SELECT name FROM cat ORDER BY weight DESC", "SELECT name FROM cat ORDER BY weight DESC, id DESC"),
        ("SELECT * FROM cat ORDER BY weight", "SELECT * FROM cat ORDER BY weight, id DESC"),
        ("SELECT DISTINCT name FROM cat", "SELECT name FROM cat GROUP BY name"),
        ("SELECT name FROM cat WHERE age > 99", "SELECT name FROM cat WHERE 0"),
        ("SELECT avg(weight) FROM cat", "SELECT sum(weight) / 5 FROM (SELECT * FROM cat ORDER BY weight)"),
    ],
)
def test_right_answers(folder: Path, gold: str, answer: str) -> None:
    assert graded(folder, gold, answer).full_credit


@pytest.mark.parametrize(
    ("gold", "answer", "reason"),
    [
        ("SELECT name FROM cat WHERE age > 3", "SELECT name FROM cat WHERE age > 2", "3 rows for 1"),  # no plug_value
        ("SELECT DISTINCT name FROM cat", "SELECT name FROM cat", "5 rows for 4"),
        (
            "SELECT name FROM cat ORDER BY age",
            "SELECT name FROM cat ORDER BY age DESC",
            "another table, or another order",
        ),
        ("SELECT name FROM cat ORDER BY name", "SELECT name FROM cat", "another table, or another order"),
        ("SELECT name FROM cat WHERE age > 99", "SELECT name, age FROM cat WHERE 0", "2 columns for 1"),
        ("SELECT count(*) FROM cat", "", "no query"),
        ("SELECT count(*) FROM cat", "Five.", "the query does not run"),
        ("SELECT count(*) FROM cat", "SELECT '5'", "another table"),
        ("SELECT count(*) FROM cat", "SELECT 5; SELECT 5", "the query does not run: You can only execute one"),
        ("SELECT count(*) FROM cat", "DROP TABLE cat", "not authorized"),
        ("SELECT count(*) FROM cat", "DELETE FROM cat RETURNING 5", "not authorized"),
        ("SELECT count(*) FROM cat", "PRAGMA query_only = OFF", "not authorized"),
        ("SELECT count(*) FROM cat", "ATTACH ':memory:' AS x", "not authorized"),
        ("SELECT count(*) FROM cat", "BEGIN", "not authorized"),
        ("SELECT count(*) FROM cat", "EXPLAIN SELECT 5", "columns for 1"),
        ("SELECT count(*) FROM cat", "SELECT load_extension('x')", "not authorized"),
        ("SELECT count(*) FROM cat", "SELECT writefile('x', 'y')", "no such function"),
        ("SELECT count(*) FROM cat", "SELECT zeroblob(900000000)", "the query"),
        ("SELECT count(*) FROM cat", "SELECT '\ud800'", "the query does not run"),
        ("SELECT count(*) FROM cat", "SELECT 5\0", "the query does not run"),
        ("SELECT count(*) FROM cat", "SELECT " + "(" * 4000 + "5" + ")" * 4000, "the query does not run"),
        ("SELECT count(*) FROM cat", "-- nothing", "no SELECT"),
    ],
)
def test_wrong_answers_say_why(folder: Path, gold: str, answer: str, reason: str) -> None:
    before = (folder / "databases" / "cats.sqlite").read_bytes()
    verdict = graded(folder, gold, answer)
    assert verdict.score == 0.0
    assert reason in verdict.reason
    assert (folder / "databases" / "cats.sqlite").read_bytes() == before
    assert [path.name for path in (folder / "databases").iterdir()] == ["cats.sqlite"]


@pytest.mark.parametrize(
    "answer",
    [
        "WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n) SELECT count(*) FROM n",
        "WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n) SELECT k FROM n ORDER BY -k",
        "SELECT length(replace(hex(zeroblob(99999999)), '0', 'abcdefgh'))",
    ],
)
def test_endless_queries_are_stopped(folder: Path, answer: str) -> None:
    start = time.monotonic()
    verdict = grade_query(folder / "databases" / "cats.sqlite", "SELECT count(*) FROM cat", answer, seconds=1.0)
    assert verdict.score == 0.0
    assert time.monotonic() - start < 8


def test_too_many_rows_are_no_table(folder: Path) -> None:
    query = "WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n) SELECT k FROM n"
    assert graded(folder, "SELECT count(*) FROM cat", query).reason == "the query gives more than 100000 rows"


def test_after_an_ended_process_the_other_queries_are_said_not_to_have_run(folder: Path) -> None:
    blob = "SELECT " + " || ".join(["replace(hex(zeroblob(99999999)), '0', 'abcdefgh')"] * 2)
    results = run_queries(folder / "databases" / "cats.sqlite", ["SELECT 1", blob, "SELECT 2"], seconds=1.0)
    assert not isinstance(results[0], str)
    assert isinstance(results[1], str)


@pytest.mark.parametrize(
    ("case", "source", "message"),
    [
        ({"db_id": "cats"}, True, "a text in 'query', found no such field"),
        ({"db_id": 3, "query": ""}, True, "a text in 'db_id', found int"),
        ({"db_id": "cats", "query": "SELECT 1"}, False, "pass source="),
        ({"db_id": "dogs", "query": "SELECT 1"}, True, "databases/dogs.sqlite"),
        ({"db_id": "../cats", "query": "SELECT 1"}, True, "a database's name"),
        ({"db_id": "cats", "query": "SELECT x FROM cat"}, True, "the gold query does not run: no such column"),
        ({"db_id": "cats", "query": "SELECT a FROM cat ORDER BY a INTERSECT SELECT a"}, True, "gold query"),
    ],
)
def test_faults_of_the_data_are_errors(folder: Path, case: dict[str, Any], source: bool, message: str) -> None:
    with pytest.raises(DataError, match=message):
        grade("sql", case, "SELECT 1", folder if source else None)


def test_another_file_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "databases").mkdir()
    (tmp_path / "databases" / "cats.sqlite").write_text("no database, " * 100, encoding="utf-8")
    with pytest.raises(DataError, match="expected an SQLite database"):
        graded(tmp_path, "SELECT 1", "SELECT 1")


def test_a_changed_database_is_read_again(folder: Path, tmp_path: Path) -> None:
    import sqlite3

    path = tmp_path / "databases" / "cats.sqlite"
    path.parent.mkdir()
    path.write_bytes((folder / "databases" / "cats.sqlite").read_bytes())
    assert graded(tmp_path, "SELECT count(*) FROM cat", "SELECT 5").full_credit
    connection = sqlite3.connect(path)
    connection.execute("create table more as select 1 union select 2")
    connection.execute("delete from cat where id > 2")
    connection.commit()
    connection.close()
    assert graded(tmp_path, "SELECT count(*) FROM cat", "SELECT 2").full_credit


def test_operators_are_closed_outside_texts_only() -> None:
    assert query_of("a < = b AND c ! = 'x > = y' AND \"p > = q\"") == "a <= b AND c != 'x > = y' AND \"p > = q\""
