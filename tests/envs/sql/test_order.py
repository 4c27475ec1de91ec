"""Which order a gold query asks for."""

from __future__ import annotations

import sys

import pytest

from intent_gym.envs.sql.order import order_of
from intent_gym.errors import DataError, MissingExtraError


@pytest.mark.parametrize(
    "query",
    [
        "SELECT name FROM cat",
        "SELECT name FROM cat WHERE id IN (SELECT id FROM cat ORDER BY age LIMIT 1)",
        "SELECT name FROM cat WHERE name = 'order by'",
        "SELECT rank() OVER (ORDER BY age) FROM cat",
        "WITH c AS (SELECT * FROM cat ORDER BY age) SELECT name FROM c",
        "SELECT a FROM (SELECT age AS a FROM cat ORDER BY age)",
    ],
)
def test_only_the_outermost_counts(query: str) -> None:
    assert order_of(query) is None


@pytest.mark.parametrize(
    ("query", "columns"),
    [
        ("SELECT name, age FROM cat ORDER BY age", (1,)),
        ("SELECT name, age FROM cat ORDER BY 2, 1 DESC", (1, 0)),
        ("SELECT name, age AS years FROM cat ORDER BY years", (1,)),
        ("SELECT name, count(*) FROM cat GROUP BY name ORDER BY COUNT(*) DESC", (1,)),
        ("SELECT T1.name FROM cat AS T1 ORDER BY T1.name", (0,)),
        ("SELECT name FROM cat UNION SELECT name FROM cat ORDER BY name", (0,)),
        ("SELECT DISTINCT name FROM cat ORDER BY age", (-1,)),
    ],
)
def test_keys_among_the_columns(query: str, columns: tuple[int, ...]) -> None:
    found = order_of(query)
    assert found is not None
    assert found.columns == columns
    assert found.with_keys == ""


@pytest.mark.parametrize("query", ["SELECT name FROM cat ORDER BY age", "SELECT * FROM cat ORDER BY age LIMIT 2"])
def test_other_keys_are_added(query: str) -> None:
    found = order_of(query)
    assert found is not None
    assert found.columns == (-1,)
    assert "age FROM" in found.with_keys


def test_a_gold_that_is_none_is_an_error() -> None:
    with pytest.raises(DataError, match="expected a gold query"):
        order_of("SELECT FROM WHERE (")


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sqlglot", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'intent-gym\[general\]'"):
        order_of("SELECT 1")
