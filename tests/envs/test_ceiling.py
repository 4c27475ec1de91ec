"""Guessing wins no more than the guess ceiling that every sample carries and the report prints (PROTOCOL 2, 11).

The slots interface is the guesser's best case: each commit is one step, and each is the best under the literal reading
that was not rejected. Every task is played once, without drift.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import gymnasium as gym
import pytest

from intent_gym.core.faults import FAULTS
from intent_gym.core.personas import PERSONAS
from intent_gym.envs.base import DriftEnv
from intent_gym.envs.hosts import load_host
from intent_gym.registration import ENVIRONMENTS

FAMILIES = tuple(spec.id for spec in ENVIRONMENTS if load_host(spec.host).commits_text)


def _excess(env_id: str, faults: int | list[str], persona: str, split: str = "all") -> float:
    """Return by how many standard errors success by commits alone exceeds the mean ceiling."""
    options: dict[str, Any] = {"interface": "slots", "faults": faults, "persona": persona, "drift": False}
    base: DriftEnv = gym.make(env_id, protocol="silent", split=split, **options).unwrapped  # type: ignore[assignment]
    commit = len(base.action_meanings()) - 1
    accepted, ceilings = 0, []
    for seed, task in enumerate(base.tasks()):
        base.reset(seed=seed, options={"task_id": task})
        done = False
        while not done:
            _, _, done, _, info = base.step(commit)
        accepted += info["is_success"]
        ceilings.append(base.record().guess_ceiling)
    error = math.sqrt(sum(c * (1.0 - c) for c in ceilings))
    return (accepted - sum(ceilings)) / max(error, 1e-9)


@pytest.mark.parametrize("faults", [1, 2, 4])
@pytest.mark.parametrize("persona", PERSONAS)
def test_commits_alone_stay_below_the_mean_guess_ceiling(persona: str, faults: int) -> None:
    assert _excess("DriftToy-v0", faults, persona) <= 2.0


@pytest.mark.parametrize("fault", [f for f in FAULTS if f != "syntactic_ambiguity"])
def test_commits_alone_stay_below_the_guess_ceiling_of_every_fault(fault: str) -> None:
    assert _excess("DriftToy-v0", [fault], "rational") <= 2.0


@pytest.mark.parametrize("faults", [1, 2, 4])
@pytest.mark.parametrize("desk", ["DriftRetail-v0", "DriftAirline-v0"])
def test_commits_alone_stay_below_the_mean_guess_ceiling_at_the_desks(desk: str, faults: int) -> None:
    assert _excess(desk, faults, "rational") <= 2.0


def test_commits_alone_stay_below_the_mean_guess_ceiling_in_the_shop() -> None:
    assert _excess("DriftWebShop-v0", 1, "rational") <= 2.0


@pytest.mark.parametrize("family", [pytest.param(f, marks=pytest.mark.xdist_group(f)) for f in FAMILIES])
def test_commits_alone_stay_below_the_mean_guess_ceiling_of_the_answer_families(family: str) -> None:
    assert _excess(family, 1, "rational", "test") <= 2.0


@pytest.mark.slow
@pytest.mark.parametrize("faults", [1, 2, 4])
@pytest.mark.parametrize("family", FAMILIES)
def test_commits_alone_stay_below_the_mean_guess_ceiling_over_all_tasks(
    family: str, faults: int, only_full: Callable[[bool], None]
) -> None:
    only_full(family == FAMILIES[0] and faults == 2)
    assert _excess(family, faults, "rational") <= 2.0
