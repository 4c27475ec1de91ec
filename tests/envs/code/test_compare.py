"""LiveCodeBench's comparisons, with the right values where the original has faults."""

from __future__ import annotations

import math
from typing import Any

import pytest

from intent_gym.envs.code.compare import same_output, same_value


@pytest.mark.parametrize(
    ("found", "expected", "same"),
    [
        ([(1, 2)], [[1, 2]], True),
        (0.1 + 0.2, 0.3, True),
        (1, True, False),
        (True, 1, False),
        (True, True, True),
        (4.0, 4, True),
        (4, 4.0, True),
        (1e18, 10**18 + 1, False),
        (10**18, 10**18 + 1, False),
        (10**400, 1.5, False),
        (1.33, 4 / 3, False),
        (math.nan, 1.0, False),
        (math.inf, 1.0, False),
        ("a", "A", False),
        ("1", 1, False),
        (None, None, True),
        (None, 0, False),
        ([], [], True),
        ([1], [1, 1], False),
        ({1}, [1], False),
        ({"a": (1,)}, {"a": [1]}, True),
        ({"a": 1}, {"b": 1}, False),
        ("ab", ["a", "b"], False),
    ],
)
def test_values(found: Any, expected: Any, same: bool) -> None:  # noqa: ANN401
    assert same_value(found, expected) is same


@pytest.mark.parametrize(
    ("found", "expected", "same"),
    [
        ("1 2\n", "1 2", True),
        ("1 2 \n\n", " 1 2\n", True),
        ("1\r\n2", "1\n2", True),
        ("1\n\n2", "1\n2", False),
        ("1 2", "12", False),
        ("1.0", "1", True),
        ("1.50", "1.5", True),
        ("0.30000000000000004", "0.3", True),
        ("1.33", "1.3333333333", False),
        ("1000000000000000000", "1000000000000000001", False),
        ("1e18", "1000000000000000001", False),
        ("1.0000001", "1", False),
        ("yes", "Yes", False),
        ("nan", "NaN", False),
        ("inf", "1e999", False),
        ("", "", True),
        ("0", "", False),
        ("٣", "3", False),
    ],
)
def test_outputs(found: str, expected: str, same: bool) -> None:
    assert same_output(found, expected) is same
