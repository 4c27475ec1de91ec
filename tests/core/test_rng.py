"""Draws are pure functions of (key, purpose, index), and behave like independent uniform draws."""

from __future__ import annotations

import itertools
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from intent_gym.core.rng import Purpose, _mix, choose, integer, key_of, uniform

keys = st.integers(0, 2**64 - 1)
indices = st.integers(0, 2**48 - 1)


@given(keys, st.sampled_from(Purpose), indices)
def test_draw_is_pure_and_in_range(key: int, purpose: Purpose, index: int) -> None:
    drawn = uniform(key, purpose, index)
    assert drawn == uniform(key, purpose, index)
    assert 0.0 <= drawn < 1.0
    assert 0 <= integer(key, purpose, index) < 2**64


def test_recorded_values_never_change() -> None:
    """Recorded episodes replay with them: a change here is a new version of every environment."""
    assert integer(0, Purpose.USER, 0) == integer(0, 1, 0)
    assert [p.value for p in Purpose] == list(range(1, 15))
    assert (integer(7, Purpose.FATE, 3), integer(2**64 - 1, Purpose.WORDING, 2**40)) == (RECORDED[0], RECORDED[1])
    assert key_of("graph", 1) == RECORDED[2]


RECORDED = (7252023794230179380, 16644141005498739983, 1748593125763410529)


def test_mixing_is_splitmix64() -> None:
    """First outputs for the state 1234567, as published with the reference implementation."""
    golden, state = 0x9E3779B97F4A7C15, 1234567
    assert [_mix((state + i * golden) % 2**64) for i in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


def test_purposes_keys_and_indices_give_other_draws() -> None:
    drawn = [integer(k, p, i) for k, p, i in itertools.product(range(40), Purpose, range(40))]
    assert len(set(drawn)) == len(drawn)


@pytest.mark.parametrize("vary", ["key", "purpose", "index"])
def test_draws_are_uniform_and_uncorrelated_along_every_argument(vary: str) -> None:
    count = 4096
    if vary == "key":
        drawn = np.array([uniform(k, Purpose.HINT, 0) for k in range(count)])
    elif vary == "index":
        drawn = np.array([uniform(12345, Purpose.HINT, i) for i in range(count)])
    else:
        drawn = np.array([uniform(k, p, 5) for k in range(count // len(Purpose)) for p in Purpose])
    bins = np.bincount((drawn * 16).astype(int), minlength=16)
    expected = len(drawn) / 16
    assert float(((bins - expected) ** 2 / expected).sum()) < 44.3, "chi-square, 15 degrees, 0.01 % point"
    assert abs(float(np.corrcoef(drawn[:-1], drawn[1:])[0, 1])) < 4 / len(drawn) ** 0.5


def test_choice_is_uniform() -> None:
    found = np.bincount([choose((0, 1, 2), k, Purpose.USER, 0) for k in range(6000)])
    assert float(((found - 2000) ** 2 / 2000).sum()) < 18.4


@given(st.lists(st.integers(), min_size=1), keys)
def test_choice_is_one_of_the_options(options: list[int], key: int) -> None:
    assert choose(options, key, Purpose.TASK, 0) in options


def test_key_of_keeps_parts_apart_and_is_the_same_in_every_process() -> None:
    assert len({key_of("ab", "c"), key_of("a", "bc"), key_of("abc"), key_of("ab", "c", "")}) == 4
    program = "from intent_gym.core.rng import key_of; print(key_of('é', 3, ('x', 1.5)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert int(done.stdout) == key_of("é", 3, ("x", 1.5))
