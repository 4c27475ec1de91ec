from __future__ import annotations

import math

import numpy as np
import pytest

from intent_gym.evaluation.statistics import (
    Interval,
    ask_f1,
    family_macro,
    interquartile_mean,
    iqm_interval,
    macro_gap,
    over_seeds,
    paired_gap,
    pass_hat,
)

NAN = math.nan


def test_mean_and_sd_are_over_the_seeds_means() -> None:
    # seed 0: 1, 0, undefined -> 0.5; seed 1: 1, 1, 0 -> 2/3; seed 2: undefined only -> left out
    found = over_seeds([1, 0, NAN, 1, 1, 0, NAN], [0, 0, 0, 1, 1, 1, 2])
    assert found.mean == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert found.sd == pytest.approx(abs(2 / 3 - 1 / 2) / math.sqrt(2))
    assert found.n == 5


def test_one_seed_has_no_sd_and_no_episode_no_mean() -> None:
    one = over_seeds([1, 0], [0, 0])
    assert (one.mean, one.n) == (0.5, 2)
    assert math.isnan(one.sd)
    none = over_seeds([NAN], [0])
    assert math.isnan(none.mean)
    assert none.n == 0


def test_arrays_of_different_length_are_refused() -> None:
    with pytest.raises(ValueError, match="one length"):
        over_seeds([1.0, 2.0], [0])


def test_paired_gap_of_a_constant_difference_has_no_width() -> None:
    assert paired_gap([1, 0, 1], [0.5, -0.5, 0.5]) == (0.5, 0.5, 0.5)


def test_paired_gap_equals_the_bootstrap_done_in_full() -> None:
    # Gaps 1, 0: the means of the four equally likely resamples are 1, 1/2, 1/2, 0.
    gap = paired_gap([1, 1], [0, 1], confidence=0.4, resamples=20_000)
    assert gap == (0.5, 0.5, 0.5)  # the middle 40 % lie inside the half that is 1/2
    assert paired_gap([1, 1], [0, 1], confidence=0.6) == (0.5, 0.0, 1.0)  # 20 % and 80 % lie in the outer quarters


def test_repeats_of_a_case_are_resampled_together() -> None:
    first, second = [1.0] * 10 + [0.0] * 10, [0.0] * 20
    alone = paired_gap(first, second)
    together = paired_gap(first, second, ["a"] * 10 + ["b"] * 10)
    assert together.estimate == alone.estimate == 0.5
    assert (together.low, together.high) == (0.0, 1.0)
    assert alone.high - alone.low < 0.6


def test_paired_gap_is_reproducible_and_refuses_undefined_pairs() -> None:
    rng = np.random.default_rng(3)
    first, second = rng.random(30), rng.random(30)
    assert paired_gap(first, second) == paired_gap(first, second)
    with pytest.raises(ValueError, match="undefined"):
        paired_gap([1.0, NAN], [0.0, 0.0])
    assert all(math.isnan(x) for x in paired_gap([], []))


def test_paired_gap_covers_the_truth_about_as_often_as_it_says() -> None:
    rng = np.random.default_rng(0)
    covered = 0
    for i in range(200):
        second = (rng.random(60) < 0.4).astype(float)
        first = np.maximum(second, rng.random(60) < 0.5)  # P(gap) = 0.6 * 0.5
        gap = paired_gap(first, second, resamples=500, key=i)
        covered += gap.low <= 0.3 <= gap.high
    assert 175 <= covered <= 199


def test_macro_gap_by_hand() -> None:
    """Family a: gaps 1, 0 (mean 1/2); family b: gaps 0, 0, 0, -1 (mean -1/4); each counts once: 1/8."""
    a = ([1.0, 1.0], [0.0, 1.0], None)
    b = ([1.0, 0.0, 1.0, 0.0], [1.0, 0.0, 1.0, 1.0], None)
    gap = macro_gap([a, b])
    assert gap.estimate == pytest.approx(0.125)
    assert gap.low == pytest.approx(-0.25), "a 0, b -1/2: below it lies 1/4 of 13/256"
    assert gap.high == pytest.approx(0.5), "a 1, b 0 with probability 1/4 of 81/256"
    assert macro_gap([a, b, ([], [], None)]) == gap, "a family without pairs is left out"
    assert all(math.isnan(x) for x in macro_gap([]))


def test_macro_gap_resamples_cases_within_a_family() -> None:
    """Two repeats of each case stay together, and no case of one family stands in for one of the other."""
    steady = ([1.0] * 4, [0.0] * 4, ["x", "x", "y", "y"])
    nothing = ([0.0] * 4, [0.0] * 4, ["x", "x", "y", "y"])
    assert macro_gap([steady, nothing]) == Interval(0.5, 0.5, 0.5)
    repeats = ([1.0, 1.0, 0.0, 0.0], [0.0] * 4, ["x", "x", "y", "y"])
    assert macro_gap([repeats]) == paired_gap(*repeats) == Interval(0.5, 0.0, 1.0)


def test_interquartile_mean_by_hand() -> None:
    assert interquartile_mean([5, 1, 9, 3]) == 4  # 1 and 9 are cut
    assert interquartile_mean([1, 2, 3]) == 2  # a quarter of three, rounded down, is none
    assert interquartile_mean([[NAN, 4], [2, NAN]]) == 3
    assert math.isnan(interquartile_mean([]))


def test_iqm_interval_resamples_runs_within_tasks() -> None:
    same = iqm_interval([[0.1, 0.9, 0.4], [0.1, 0.9, 0.4]])
    assert same.low == same.estimate == same.high
    spread = iqm_interval([[0.0, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0]])
    assert spread.low < spread.estimate == 0.5 < spread.high
    with pytest.raises(ValueError, match="shape"):
        iqm_interval([1.0, 2.0])


def test_pass_hat_by_hand() -> None:
    table: list[list[float]] = [[1, 1, 1, 0], [1, 0, 0, 0], [1, 1, 1, 1]]
    assert pass_hat(table, 1) == pytest.approx((3 / 4 + 1 / 4 + 1) / 3)
    assert pass_hat(table, 2) == pytest.approx((3 / 6 + 0 + 1) / 3)
    assert pass_hat(table, 4) == pytest.approx(1 / 3)
    assert pass_hat([[1.0, 1.0, NAN], [1.0, 1.0, 1.0]], 3) == 1  # a case with two repeats has no pass^3
    assert math.isnan(pass_hat(table, 5))


@pytest.mark.parametrize(
    ("aim", "recovery", "expected"), [(0.5, 0.5, 0.5), (1.0, 0.25, 0.4), (0.0, 0.0, 0.0), (0.0, 1.0, 0.0)]
)
def test_ask_f1_by_hand(aim: float, recovery: float, expected: float) -> None:
    assert ask_f1(aim, recovery) == pytest.approx(expected)


def test_ask_f1_is_undefined_where_a_part_is() -> None:
    assert math.isnan(ask_f1(NAN, 0.5))
    assert math.isnan(ask_f1(0.5, NAN))


def test_every_family_counts_once() -> None:
    families = {"a1": "a", "a2": "a", "b": "b", "c": "c"}
    assert family_macro({"a1": 1.0, "a2": 0.5, "b": 0.25, "c": NAN}, families) == pytest.approx(0.5)
    assert math.isnan(family_macro({}, families))
