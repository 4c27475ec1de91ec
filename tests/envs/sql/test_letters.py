"""Literals of a gold query become letters."""

from __future__ import annotations

from typing import Any

import pytest

from intent_gym.envs.sql.letters import Letter, lettered, mark, parsed
from intent_gym.errors import DataError

SCHEMA = {"cat": {"name": "Name", "age": "age", "owner": "owner"}, "dog": {"name": "name"}}


def letters(query: str, question: str) -> tuple[list[Letter], str, str]:
    tree: Any = parsed(query, SCHEMA)
    found, told = lettered(tree, question, SCHEMA)
    return found, told, tree.sql(dialect="sqlite")


def test_a_text_and_a_number() -> None:
    found, told, sql = letters(
        'SELECT age FROM cat AS c WHERE c.name = "Ada" AND c.age > 3;', "How old is ADA if she is more than three?"
    )
    assert told == "How old is [A] if she is [comparison B] [B]?"
    assert sql == "SELECT age FROM cat AS c WHERE c.name = zqAzq AND c.age > zqBzq"
    assert found == [
        Letter("A", "Ada", True, "{}", ("cat", "Name"), ""),
        Letter("B", 3, False, "{}", ("cat", "age"), "more than"),
    ]
    assert [x.sql(x.value) for x in found] == ["'Ada'", "3"]


def test_a_quoted_column_is_a_column() -> None:
    found, told, sql = letters('SELECT "age" FROM cat', "What age?")
    assert (found, told, sql) == ([], "What age?", 'SELECT "age" FROM cat')


def test_a_comparison_with_another_sign_is_left_alone() -> None:
    _, told, _ = letters("SELECT 1 FROM cat WHERE age >= 7", "Cats more than 7?")
    assert told == "Cats more than [A]?"


def test_a_value_that_stands_twice_or_not_at_all_is_no_letter() -> None:
    for question in ("Ada or Ada?", "Who?", "Adair?"):
        found, told, _ = letters("SELECT 1 FROM cat WHERE name = 'Ada'", question)
        assert (found, told) == ([], question)


def test_one_literal_in_two_places_is_one_letter() -> None:
    query = "SELECT age FROM cat WHERE name = 'Bo' UNION SELECT age FROM cat WHERE name = 'Bo'"
    found, told, sql = letters(query, "How old is Bo?")
    assert (len(found), told, sql.count(mark("A"))) == (1, "How old is [A]?", 2)


def test_a_pattern_keeps_its_signs() -> None:
    found, told, _ = letters("SELECT 1 FROM cat WHERE name LIKE '%da%'", "Names with 'da'?")
    assert told == "Names with [A]?"
    assert found[0].sql("bo") == "'%bo%'"


def test_a_limit_is_a_value_of_no_column() -> None:
    found, told, sql = letters("SELECT name FROM cat ORDER BY age LIMIT 3", "The three youngest?")
    assert (told, sql) == ("The [A] youngest?", "SELECT name FROM cat ORDER BY age LIMIT zqAzq")
    assert found[0].column is None


def test_what_is_no_query_is_an_error() -> None:
    with pytest.raises(DataError, match="expected a gold query in SQLite's dialect"):
        parsed("SELECT FROM WHERE", SCHEMA)
