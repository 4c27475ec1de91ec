"""Guessing wins no more than the guess ceiling that every sample carries and the report prints (PROTOCOL 2, 11).

Three guessers, without drift. By the slots interface each commit is one step, and each is the best under the literal
reading that was not rejected. One sees what is hidden and commits to another value of it each time. The last is the
best agent, which learns from refusals and is kept from asking.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from numpy.typing import NDArray

from intent_gym.agents import make_agent
from intent_gym.construct.faults import readings
from intent_gym.construct.pool import pool
from intent_gym.core.faults import FAULTS
from intent_gym.core.intent import Value
from intent_gym.core.personas import PERSONAS
from intent_gym.core.sample import Sample
from intent_gym.envs.base import DriftEnv
from intent_gym.envs.host import Host
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
    return _errors(accepted, ceilings)


def _errors(accepted: int, ceilings: list[float]) -> float:
    error = math.sqrt(sum(c * (1.0 - c) for c in ceilings))
    return (accepted - sum(ceilings)) / max(error, 1e-9)


@pytest.mark.parametrize("faults", [1, 2, 4])
@pytest.mark.parametrize("persona", PERSONAS)
def test_commits_alone_stay_below_the_mean_guess_ceiling(persona: str, faults: int) -> None:
    assert _excess("DriftToy-v0", faults, persona) <= 2.0


@pytest.mark.parametrize("fault", FAULTS)
def test_commits_alone_stay_below_the_guess_ceiling_of_every_fault(fault: str) -> None:
    assert _excess("DriftToy-v0", [fault], "rational") <= 2.0


@pytest.mark.parametrize("faults", [1, 2, 4])
@pytest.mark.parametrize("desk", ["DriftRetail-v0", "DriftAirline-v0"])
def test_commits_alone_stay_below_the_mean_guess_ceiling_at_the_desks(desk: str, faults: int) -> None:
    assert _excess(desk, faults, "rational") <= 2.0


def test_commits_alone_stay_below_the_mean_guess_ceiling_in_the_shop() -> None:
    assert _excess("DriftWebShop-v0", 1, "rational") <= 2.0


@pytest.mark.parametrize("family", [pytest.param(f, marks=pytest.mark.xdist_group(f)) for f in FAMILIES])
def test_commits_alone_stay_below_the_mean_guess_ceiling_of_the_answer_families(
    family: str, only_full: Callable[[bool], None]
) -> None:
    only_full(family not in ("DriftSummHay-v0", "DriftToTTo-v0"))  # a refusal looks at thousands of texts
    assert _excess(family, 1, "rational", "test") <= 2.0


@pytest.mark.slow
@pytest.mark.parametrize("faults", [1, 2, 4])
@pytest.mark.parametrize("family", FAMILIES)
def test_commits_alone_stay_below_the_mean_guess_ceiling_over_all_tasks(
    family: str, faults: int, only_full: Callable[[bool], None]
) -> None:
    only_full(family == FAMILIES[0] and faults == 2)
    assert _excess(family, faults, "rational") <= 2.0


# -- one value at a time -----------------------------------------------------------------------------------------------
def _value_by_value(host: Host, sample: Sample, commits: int, rng: np.random.Generator) -> bool:
    """Return whether commits are accepted that each meet the most values of the hidden slots not tried before."""
    truth, request = sample.graph.root, sample.request
    unbound = [e for e in request.edits if e.kind in ("attach", "two_senses")]
    told_as = readings(host, truth, request.edits)
    if unbound and unbound[0].kind == "attach":
        told_as = told_as[:1]  # whoever binds a modifier errs in neither reading
    open_slots = [s for s in request.hidden if s not in {e.slot for e in unbound}]
    options: list[tuple[int, frozenset[tuple[int | Value, ...]]]] = []
    for number, reading in enumerate(told_as):
        rows = host.answers(reading.without(*open_slots))
        known = {c.value for c in reading.conditions}  # told beside it, or told falsely
        cells: list[Sequence[Sequence[Value]]] = []
        order: list[NDArray[np.float64]] = [rng.random(len(rows))]
        for slot in open_slots:
            held = host.values_of(slot, rows)
            if host.slot(slot).op == "<=":  # what is cheapest is within every budget
                order.append(np.array([v for (v,) in held], dtype=np.float64))
                held = [(0.0,)] * len(rows)
            cells.append([[v for v in cell if v not in known] for cell in held])
        for i in np.lexsort(order):
            options.append((int(rows[i]), frozenset(itertools.product((number,), *(cell[i] for cell in cells)))))
    good, tried = set(host.answers(truth).tolist()), frozenset[tuple[int | Value, ...]]()
    for _ in range(commits):
        row, values = max(options, key=lambda o: len(o[1] - tried))
        if row in good:
            return True
        tried |= values
    return False


@pytest.mark.parametrize("name", ["toy", "webshop", "retail", "airline"])
def test_one_value_at_a_time_stays_below_the_guess_ceiling_of_every_fault(name: str) -> None:
    host, rng = load_host(name), np.random.default_rng(0)
    found: dict[str, list[tuple[bool, float]]] = {}
    for sample in pool(host, "all", 1).samples:
        if sample.request.hidden:
            hit = _value_by_value(host, sample, 3, rng)
            found.setdefault(sample.request.faults[0], []).append((hit, sample.guess_ceiling(3)))
    assert len(found) >= 7
    for fault, rows in found.items():
        hits, ceilings = sum(hit for hit, _ in rows), [c for _, c in rows]
        print(f"{name}, {fault}: {hits / len(rows):.3f} against {sum(ceilings) / len(rows):.3f} of {len(rows)}")
        assert _errors(hits, ceilings) <= 2.0, fault


@pytest.mark.slow
@pytest.mark.parametrize("fault", [f for f in FAULTS if FAULTS[f].hides and f != "lexical_ambiguity"])
@pytest.mark.parametrize("desk", ["DriftRetail-v0", "DriftAirline-v0"])
def test_the_best_agent_kept_from_asking_stays_below_the_guess_ceiling_at_the_desks(
    desk: str, fault: str, full: bool
) -> None:
    env: gym.Env[Any, Any] = gym.make(desk, split="all", faults=1, drift=False, disable_env_checker=True)
    base: DriftEnv = env.unwrapped  # type: ignore[assignment]
    agent = make_agent("information-gain", base.host)
    accepted, ceilings = 0, []
    for seed, task in enumerate([t for t in base.tasks() if f"/{fault}/" in t][: 100 if full else 25]):
        observation, info = env.reset(seed=seed, options={"task_id": task})
        agent.reset(seed)
        done = False
        while not done:
            silent = observation["action_mask"] * [0, 1, 1]
            observation, _, done, _, info = env.step(agent.act({**observation, "action_mask": silent}, info))
        accepted += info["is_success"]
        ceilings.append(base.record().guess_ceiling)
    assert len(ceilings) >= (80 if full else 25)
    assert _errors(accepted, ceilings) <= 2.0
