"""When two result tables are equal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intent_gym.envs.sql.tables import Table, same_table


def table(*rows: tuple[object, ...], groups: tuple[int, ...] | None = None) -> Table:
    return Table(len(rows[0]), rows, groups)


@pytest.mark.parametrize(
    ("found", "gold", "same"),
    [
        (table((1,), (2,)), table((2,), (1,)), True),
        (table((1,), (1,), (2,)), table((1,), (2,), (2,)), False),  # a bag, no set
        (table((1,), (1,)), table((1,)), False),
        (table((1, "a")), table(("a", 1)), True),
        (table((1, 1)), table((1, 2)), False),  # a column twice hides none
        (table((1, 2), (2, 1)), table((1, 1), (2, 2)), False),  # one permutation for all rows
        (table((1, 2, 9), (2, 1, 9)), table((9, 2, 1), (9, 1, 2)), True),
        (table((1,)), table((1.0,)), True),
        (table(("1",)), table((1,)), False),
        (table((None,)), table((0,)), False),
        (table((b"a",)), table(("a",)), False),
        (table((0.1 + 0.2,)), table((0.3,)), True),
        (table((0.30001,)), table((0.3,)), False),
        (Table(1, ()), Table(1, ()), True),
        (Table(1, ()), Table(2, ()), False),  # both empty, other columns
        (table((2,), (1,)), table((1,), (2,), groups=(0, 1)), False),
        (table((2,), (1,)), table((1,), (2,), groups=(0, 0)), True),
        (table((1, "x"), (3, "z"), (2, "y")), table(("y", 2), ("x", 1), ("z", 3), groups=(0, 0, 1)), False),
        (table((1, "x"), (2, "y"), (3, "z")), table(("y", 2), ("x", 1), ("z", 3), groups=(0, 0, 1)), True),
    ],
)
def test_tables(found: Table, gold: Table, same: bool) -> None:
    assert same_table(found, gold) is same


_CELL = st.none() | st.integers(0, 2) | st.sampled_from(["a", "b", 0.5])


@given(st.integers(1, 4).flatmap(lambda n: st.lists(st.tuples(*[_CELL] * n), max_size=6)), st.randoms())
def test_rows_and_columns_may_be_exchanged_and_no_cell_changed(
    rows: list[tuple[object, ...]], draw: st.DataObject
) -> None:
    width = len(rows[0]) if rows else 1
    places = list(range(width))
    draw.shuffle(places)  # type: ignore[attr-defined]
    mixed = [tuple(row[i] for i in places) for row in rows]
    draw.shuffle(mixed)  # type: ignore[attr-defined]
    gold = Table(width, tuple(rows))
    assert same_table(Table(width, tuple(mixed)), gold)
    if mixed:
        spoilt = [("other", *mixed[0][1:]), *mixed[1:]]
        assert not same_table(Table(width, tuple(spoilt)), gold)


def test_many_equal_columns_take_no_time() -> None:
    wide = Table(30, tuple((i % 2,) * 30 for i in range(50)))
    assert same_table(wide, wide)
    assert not same_table(Table(30, ((1,) * 29 + (0,),) * 50), wide)
