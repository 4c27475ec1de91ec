"""Scripted agents against the environments: what they reach, and that they play by the rules."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

import intent_gym  # noqa: F401 - registers the environments
from intent_gym.agents import AGENTS, make_agent
from intent_gym.core.faults import FAULTS
from intent_gym.core.personas import PERSONAS
from intent_gym.core.record import EpisodeRecord
from intent_gym.envs.base import DriftEnv
from intent_gym.errors import TaskError

OTHERS = ("random", "no-ask", "just-ask", "ask-all", "calibrated")
SCRIPTED = (*OTHERS, "information-gain")
ENV_IDS = ("DriftAirline-v0", "DriftRetail-v0", "DriftToy-v0", "DriftWebShop-v0")
LACKS = {  # faults that no task of a host can have: the shop has one instrument, the desks have no word of two senses
    "DriftWebShop-v0": "tool_capability_mismatch",
    "DriftRetail-v0": "lexical_ambiguity",
    "DriftAirline-v0": "lexical_ambiguity",
}
REAL = {"DriftWebShop-v0": "webshop", "DriftRetail-v0": "tau2/retail", "DriftAirline-v0": "tau2/airline"}


def make(env_id: str, **options: Any) -> gym.Env[Any, Any]:
    env: gym.Env[Any, Any] = gym.make(env_id, **{"split": "test", "disable_env_checker": True, **options})
    return env


def play(env: gym.Env[Any, Any], name: str, seed: int) -> EpisodeRecord:
    options = {"env": env} if name == "oracle" else {}
    agent = make_agent(name, env.unwrapped.host, **options)  # type: ignore[attr-defined]  # a DriftEnv
    observation, info = env.reset(seed=seed)
    agent.reset(seed)
    done = False
    while not done:
        action = agent.act(observation, info)
        assert action in env.action_space
        observation, _, terminated, truncated, info = env.step(action)
        done = terminated or truncated
    record: EpisodeRecord = env.unwrapped.record()  # type: ignore[attr-defined]
    return record


def accepted(env: gym.Env[Any, Any], name: str, episodes: int) -> float:
    return sum(play(env, name, seed).end_reason == "accepted" for seed in range(episodes)) / episodes


@pytest.mark.parametrize("env_id", ENV_IDS)
@pytest.mark.parametrize("persona", sorted(PERSONAS))
def test_the_oracle_is_always_accepted(env_id: str, persona: str) -> None:
    for faults in (1, 2, 4):
        for drift in (True, False):
            env = make(env_id, persona=persona, faults=faults, drift=drift, privileged=True)
            assert accepted(env, "oracle", 8) == 1.0


def swept(env_id: str, source: str, full: bool) -> tuple[int, int]:
    """Return how many episodes the oracle played over faults, personas and drift, and how many were accepted.

    In full every fault has samples of its own; the samples of 1, 2 and 4 faults hold all of them too.
    """
    played = won = 0
    for faults in (0, 1, 2, 4, *([name] for name in FAULTS if full)):
        if faults == [LACKS.get(env_id)]:
            continue
        for drift in (True, False):
            env = make(env_id, source=source, split="all", faults=faults, drift=drift, privileged=True)
            base: DriftEnv = env.unwrapped  # type: ignore[assignment]
            agent = make_agent("oracle", base.host, env=env)
            tasks = base.tasks()
            for number, persona in enumerate(PERSONAS):
                for seed, task in enumerate(tasks[number :: max(1, len(tasks) // (40 if full else 8))]):
                    observation, info = env.reset(seed=seed, options={"task_id": task, "persona": persona})
                    agent.reset(seed)
                    done = False
                    while not done:
                        observation, _, done, _, info = env.step(agent.act(observation, info))
                    played += 1
                    won += info["is_success"]
    print(f"oracle on {env_id}, {'embedded' if source == 'embedded' else 'real'} data: accepted in {won} of {played}")
    return played, won


@pytest.mark.slow
@pytest.mark.parametrize("env_id", ENV_IDS)
def test_the_oracle_is_accepted_over_every_fault_persona_and_drift(env_id: str, full: bool) -> None:
    played, won = swept(env_id, "embedded", full)
    assert played > (5_000 if full else 300)
    assert won == played


@pytest.mark.slow
@pytest.mark.parametrize("env_id", sorted(REAL))
def test_the_oracle_is_accepted_on_the_real_data(
    env_id: str, shared_data: Path, full: bool, only_full: Callable[[bool], None]
) -> None:
    only_full(env_id == "DriftWebShop-v0")  # graphs of the desks alone take a minute
    played, won = swept(env_id, str(shared_data / REAL[env_id]), full)
    assert played > (5_000 if full else 300)
    assert won == played


@pytest.mark.parametrize("name", SCRIPTED)
@pytest.mark.parametrize("env_id", ENV_IDS)
def test_same_seed_same_episode(env_id: str, name: str) -> None:
    env, again = make(env_id, persona="mixed"), make(env_id, persona="mixed")
    for seed in range(3):
        assert play(env, name, seed).to_json() == play(again, name, seed).to_json()


@pytest.mark.parametrize("name", [n for n in SCRIPTED if n != "random"])
@pytest.mark.parametrize("env_id", ENV_IDS)
def test_no_action_is_malformed_and_every_episode_is_answered(env_id: str, name: str) -> None:
    env = make(env_id, persona="mixed", faults=2)
    for seed in range(12):
        record = play(env, name, seed)
        assert record.end_reason in ("accepted", "final_answer")
        assert not [e for s in record.steps for e in s.events if e["type"] == "malformed"]


@pytest.mark.parametrize("interface", ["dialogue", "text", "slots"])
@pytest.mark.parametrize("env_id", ENV_IDS)
def test_random_plays_every_interface(env_id: str, interface: str) -> None:
    env = make(env_id, interface=interface)
    for seed in range(5):
        assert play(env, "random", seed).end_reason is not None


@pytest.mark.parametrize("condition", ["clean", "control", "oracle"])
@pytest.mark.parametrize("name", [n for n in SCRIPTED if n != "random"])
def test_told_completely_every_agent_succeeds(name: str, condition: str) -> None:
    assert accepted(make("DriftToy-v0", condition=condition, faults=2), name, 12) == 1.0


def test_asking_beats_not_asking_and_more_so_with_more_faults() -> None:
    gaps = []
    for faults in (1, 2):
        env = make("DriftToy-v0", faults=faults)
        asking, silent = accepted(env, "information-gain", 60), accepted(env, "no-ask", 60)
        assert accepted(env, "just-ask", 60) > silent
        gaps.append(asking - silent)
    assert gaps[0] > 0.25
    assert gaps[1] > gaps[0]


@pytest.mark.slow
@pytest.mark.parametrize("env_id", sorted(REAL))
@pytest.mark.parametrize("faults", [1, 2, 4])
def test_information_gain_is_the_best_of_the_unprivileged(
    faults: int, env_id: str, only_full: Callable[[bool], None]
) -> None:
    only_full(faults == 2)
    env = make(env_id, faults=faults)
    best = accepted(env, "information-gain", 60)
    assert all(best >= accepted(env, name, 60) for name in OTHERS)


@pytest.mark.slow
@pytest.mark.parametrize("env_id", sorted(REAL))
@pytest.mark.parametrize("persona", sorted(PERSONAS))
def test_asking_pays_with_every_persona(persona: str, env_id: str, only_full: Callable[[bool], None]) -> None:
    only_full(persona == "avoidant")
    env = make(env_id, faults=2, persona=persona)
    assert accepted(env, "information-gain", 60) > accepted(env, "no-ask", 60) + 0.1


@pytest.mark.parametrize("env_id", sorted(LACKS))
def test_what_the_oracle_is_not_asked_to_play_cannot_be_told(env_id: str, only_full: Callable[[bool], None]) -> None:
    only_full(env_id == "DriftWebShop-v0")
    with pytest.raises(TaskError, match=LACKS[env_id]):
        make(env_id, faults=[LACKS[env_id]])


def test_the_table_lists_what_is_tested_here() -> None:
    assert {"oracle", *SCRIPTED} <= set(AGENTS)


@pytest.fixture
def clock() -> Callable[[], float]:
    import time

    return time.process_time


def test_deciding_takes_milliseconds(clock: Callable[[], float]) -> None:
    env = make("DriftWebShop-v0")
    play(env, "information-gain", 0)
    start, steps = clock(), 0
    for seed in range(1, 9):
        steps += len(play(env, "information-gain", seed).steps)
    assert (clock() - start) / steps < 0.1
