"""Statistics of evaluation results: pure functions of arrays, no file and no environment (PROTOCOL 9).

Undefined values are NaN. They are left out and the number of episodes that remain is reported beside every mean;
they are never counted as 0.

Sources: pass^k is the unbiased estimate of tau-bench (Yao et al., 2024); the interquartile mean with a stratified
bootstrap follows "Deep Reinforcement Learning at the Edge of the Statistical Precipice" (Agarwal et al., NeurIPS
2021), written here in numpy because its library is archived.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "Interval",
    "Summary",
    "ask_f1",
    "family_macro",
    "interquartile_mean",
    "iqm_interval",
    "macro_gap",
    "over_seeds",
    "paired_gap",
    "pass_hat",
]

_RESAMPLES = 10_000
_BLOCK = 1_000_000
"""Indices drawn at once by the bootstrap, at most: bounds its memory at a few tens of megabytes."""


class Summary(NamedTuple):
    """One signal over seeds and episodes."""

    mean: float
    """Mean over seeds of the seed's mean over its defined episodes; NaN if no episode defines the signal."""
    sd: float
    """Sample standard deviation of the seeds' means; NaN with fewer than two seeds that define the signal."""
    n: int
    """Episodes that define the signal, all seeds together."""


class Interval(NamedTuple):
    """An estimate with its bootstrap percentile interval."""

    estimate: float
    low: float
    high: float


def over_seeds(values: ArrayLike, seeds: ArrayLike) -> Summary:
    """Return the mean and standard deviation over seeds, and the number of defined episodes.

    Args:
        values: One number an episode, shape (n,); NaN where undefined.
        seeds: Seed index of each episode, shape (n,).

    >>> over_seeds([1.0, 0.0, 1.0, float("nan")], [0, 0, 1, 1])
    Summary(mean=0.75, sd=0.3535533905932738, n=3)
    """
    numbers, groups = np.asarray(values, dtype=float), np.asarray(seeds)
    if numbers.shape != groups.shape or numbers.ndim != 1:
        raise ValueError(f"expected two arrays of one length, got shapes {numbers.shape} and {groups.shape}")
    known = ~np.isnan(numbers)
    means = [float(numbers[known & (groups == seed)].mean()) for seed in np.unique(groups[known])]
    if not means:
        return Summary(math.nan, math.nan, 0)
    spread = float(np.std(means, ddof=1)) if len(means) > 1 else math.nan
    return Summary(float(np.mean(means)), spread, int(known.sum()))


def paired_gap(
    first: ArrayLike,
    second: ArrayLike,
    cases: Sequence[Hashable] | None = None,
    *,
    confidence: float = 0.95,
    resamples: int = _RESAMPLES,
    key: int = 0,
) -> Interval:
    """Return mean(first) - mean(second) with a paired bootstrap interval; IDG is the gap of clean over drift.

    Pairs stay together. Where one case was played several times (seeds), all its pairs are resampled together, so
    that repeats do not pass for independent evidence.

    Args:
        first: One number a pair, shape (n,), e.g. full credit in the clean run.
        second: The other number of each pair, shape (n,), e.g. full credit in the drift run.
        cases: Name of each pair's case; None: every pair is a case of its own.
        confidence: Coverage of the interval, in (0, 1).
        resamples: Bootstrap resamples, >= 1.
        key: Seed of the resampling.

    >>> paired_gap([1, 1, 1, 0], [0, 1, 0, 0])
    Interval(estimate=0.5, low=0.0, high=1.0)
    """
    gaps, group = _paired(first, second, cases)
    if not len(gaps):
        return Interval(math.nan, math.nan, math.nan)
    means = _resampled(gaps, group, resamples, np.random.default_rng(key))
    return Interval(float(gaps.mean()), *_percentiles(means, confidence))


def macro_gap(
    families: Sequence[tuple[ArrayLike, ArrayLike, Sequence[Hashable] | None]],
    *,
    confidence: float = 0.95,
    resamples: int = _RESAMPLES,
    key: int = 0,
) -> Interval:
    """Return the equal-family macro average of paired gaps, with an interval: cases are resampled within each family.

    Args:
        families: First, second and cases of each family, as in `paired_gap`; one without pairs is left out.
        confidence: Coverage of the interval, in (0, 1).
        resamples: Bootstrap resamples, >= 1.
        key: Seed of the resampling.

    >>> macro_gap([([1, 1], [0, 0], None), ([1, 1, 1, 1], [1, 1, 1, 1], None)])  # over the six cases it would be 1/3
    Interval(estimate=0.5, low=0.5, high=0.5)
    """
    paired = [found for found in (_paired(*family) for family in families) if len(found[0])]
    if not paired:
        return Interval(math.nan, math.nan, math.nan)
    rng = np.random.default_rng(key)
    means = np.mean([_resampled(gaps, group, resamples, rng) for gaps, group in paired], axis=0)
    return Interval(float(np.mean([gaps.mean() for gaps, _ in paired])), *_percentiles(means, confidence))


def _paired(
    first: ArrayLike, second: ArrayLike, cases: Sequence[Hashable] | None
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the difference of each pair, shape (n,), and the index of its case, shape (n,)."""
    gaps = np.asarray(first, dtype=float) - np.asarray(second, dtype=float)
    if gaps.ndim != 1 or (cases is not None and len(cases) != len(gaps)):
        raise ValueError(f"expected one number a pair and one case a pair, got {gaps.shape} and {cases!r:.80}")
    if np.isnan(gaps).any():
        raise ValueError("a pair has an undefined member: leave such pairs out before, and report their number")
    return gaps, np.arange(len(gaps)) if cases is None else _codes(cases)


def _resampled(
    gaps: NDArray[np.float64], group: NDArray[np.int64], resamples: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Return the mean gap of each resample of cases, shape (resamples,)."""
    sums, sizes = np.bincount(group, weights=gaps), np.bincount(group)
    means = np.empty(resamples)
    block = max(1, _BLOCK // len(sums))
    for start in range(0, resamples, block):
        drawn = rng.integers(len(sums), size=(min(block, resamples - start), len(sums)))
        means[start : start + block] = sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    return means


def _codes(cases: Sequence[Hashable]) -> NDArray[np.int64]:
    index: dict[Hashable, int] = {}
    return np.array([index.setdefault(case, len(index)) for case in cases], dtype=np.int64)


def _percentiles(values: NDArray[np.float64], confidence: float) -> tuple[float, float]:
    if not 0 < confidence < 1:
        raise ValueError(f"confidence lies in (0, 1), got {confidence}")
    low, high = np.quantile(values, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(low), float(high)


def interquartile_mean(values: ArrayLike) -> float:
    """Return the mean of the middle half: a quarter of the values, rounded down, is cut on each side.

    >>> interquartile_mean([0, 1, 2, 3, 4, 5, 6, 100])
    3.5
    """
    numbers = np.sort(np.asarray(values, dtype=float).ravel())
    numbers = numbers[~np.isnan(numbers)]
    cut = len(numbers) // 4
    return float(numbers[cut : len(numbers) - cut].mean()) if len(numbers) else math.nan


def iqm_interval(runs: ArrayLike, *, confidence: float = 0.95, resamples: int = 2_000, key: int = 0) -> Interval:
    """Return the interquartile mean over runs and tasks with a stratified bootstrap interval.

    Runs are resampled within each task, tasks are kept: the interval speaks of these tasks, not of a population.

    Args:
        runs: Scores, shape (runs, tasks).
        confidence: Coverage of the interval, in (0, 1).
        resamples: Bootstrap resamples, >= 1.
        key: Seed of the resampling.

    >>> iqm_interval([[0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0]])
    Interval(estimate=1.5, low=1.5, high=1.5)
    """
    scores = np.asarray(runs, dtype=float)
    if scores.ndim != 2:
        raise ValueError(f"expected scores of shape (runs, tasks), got shape {scores.shape}")
    rng = np.random.default_rng(key)
    columns = np.arange(scores.shape[1])
    means = np.empty(resamples)
    for i in range(resamples):
        means[i] = interquartile_mean(scores[rng.integers(scores.shape[0], size=scores.shape), columns])
    return Interval(interquartile_mean(scores), *_percentiles(means, confidence))


def pass_hat(successes: ArrayLike, k: int) -> float:
    """Return pass^k: the probability that k repeats of a case, drawn from those made, all succeed; mean over cases.

    Cases with fewer than k repeats are left out; NaN if none is left.

    Args:
        successes: 1 or 0 (NaN: not played), shape (cases, repeats).
        k: Repeats that must all succeed, >= 1.

    >>> pass_hat([[1, 1, 0], [1, 1, 1]], 2)  # 1 of 3 pairs, 3 of 3 pairs
    0.6666666666666666
    """
    table = np.asarray(successes, dtype=float)
    if table.ndim != 2 or k < 1:
        raise ValueError(f"expected shape (cases, repeats) and k >= 1, got shape {table.shape} and k={k}")
    played = (~np.isnan(table)).sum(axis=1)
    won = np.nansum(table, axis=1).astype(int)
    shares = [math.comb(int(w), k) / math.comb(int(n), k) for w, n in zip(won, played, strict=True) if n >= k]
    return float(np.mean(shares)) if shares else math.nan


def ask_f1(aim: float, recovery_fraction: float) -> float:
    """Return Ask-F1, the harmonic mean of aim and recovery_fraction; 0 if both are 0, NaN if one is undefined.

    >>> ask_f1(1.0, 0.5)
    0.6666666666666666
    """
    total = aim + recovery_fraction
    return 2 * aim * recovery_fraction / total if total else (0.0 if total == 0 else math.nan)


def family_macro(values: Mapping[str, float], families: Mapping[str, str]) -> float:
    """Return the equal-family macro average: the mean over families of the mean over the family's members.

    Args:
        values: One number an environment; an undefined one (NaN) is left out.
        families: Family of each environment.

    >>> family_macro({"HumanEval": 1.0, "LiveCodeBench": 0.0, "GSM8K": 1.0},
    ...              {"HumanEval": "code", "LiveCodeBench": "code", "GSM8K": "math"})
    0.75
    """
    grouped: dict[str, list[float]] = {}
    for name, value in values.items():
        if not math.isnan(value):
            grouped.setdefault(families[name], []).append(value)
    return float(np.mean([np.mean(members) for members in grouped.values()])) if grouped else math.nan
