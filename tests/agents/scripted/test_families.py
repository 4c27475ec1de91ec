"""The answer families under the silent protocol, and every environment under the evolving one: the ceilings are 1."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import pytest

from intent_gym.agents import make_agent
from intent_gym.core.edits import BUDGETS
from intent_gym.core.faults import FAULTS
from intent_gym.core.personas import PERSONAS
from intent_gym.core.record import EpisodeRecord
from intent_gym.envs.base import DriftEnv
from intent_gym.envs.hosts import load_host
from intent_gym.registration import ENVIRONMENTS

IDS = tuple(pytest.param(s.id, marks=pytest.mark.xdist_group(s.id)) for s in ENVIRONMENTS)
FAMILIES = tuple(
    pytest.param(s.id, marks=pytest.mark.xdist_group(s.id)) for s in ENVIRONMENTS if load_host(s.host).commits_text
)
LACKS = ("tool_capability_mismatch", "lexical_ambiguity")
"""Faults that no task of a family has: one way to answer, and no word of two senses."""


def make(env_id: str, **options: Any) -> gym.Env[Any, Any]:
    return gym.make(env_id, **{"disable_env_checker": True, **options})


def play(env: gym.Env[Any, Any], name: str, seed: int, **case: Any) -> EpisodeRecord:
    base: DriftEnv = env.unwrapped  # type: ignore[assignment]
    agent = make_agent(name, base.host, **({"env": env} if name == "oracle" else {}))
    observation, info = env.reset(seed=seed, options=case or None)
    agent.reset(seed)
    done = False
    while not done:
        observation, _, done, _, info = env.step(agent.act(observation, info))
    return base.record()


# -- silent ----------------------------------------------------------------------------------------------------------
def swept(env_id: str, faults: list[Any], tasks: int) -> tuple[int, int]:
    """Return how many episodes the oracle played, over personas, with drift and without, and how many it won."""
    played = won = 0
    for number in faults:
        for drift in (True, False):
            env = make(env_id, protocol="silent", split="all", faults=number, drift=drift, privileged=True)
            base: DriftEnv = env.unwrapped  # type: ignore[assignment]
            ids = base.tasks()
            for i, persona in enumerate(PERSONAS):
                for seed, task in enumerate(ids[i :: max(1, len(ids) // tasks)]):
                    won += play(env, "oracle", seed, task_id=task, persona=persona).end_reason == "accepted"
                    played += 1
    print(f"oracle on {env_id}, silent, embedded data: accepted in {won:,} of {played:,}")
    return played, won


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_the_oracle_is_accepted_over_every_fault_persona_and_drift(family: str, full: bool) -> None:
    named = [[name] for name in FAULTS if name not in LACKS]
    played, won = swept(family, [0, 1, 2, 4, *named] if full else [1], 40 if full else 6)
    assert played >= (5_000 if full else 60)
    assert won == played


@pytest.mark.parametrize("name", ["no-ask", "just-ask", "ask-all", "information-gain", "calibrated"])
@pytest.mark.parametrize("family", FAMILIES)
def test_scripted_agents_of_the_silent_protocol_play_the_families(family: str, name: str) -> None:
    env = make(family, protocol="silent", persona="mixed", faults=1)
    for seed in range(4):
        record = play(env, name, seed)
        assert record.end_reason in ("accepted", "final_answer")
        assert not [e for s in record.steps for e in s.events if e["type"] == "malformed"]
        assert play(env, name, seed).to_json() == record.to_json()


# -- evolving --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["oracle", "folding"])
@pytest.mark.parametrize("env_id", IDS)
def test_the_ceiling_of_evolving_dialogues(env_id: str, name: str) -> None:
    env = make(env_id, protocol="evolving", split="all", privileged=True)
    assert [play(env, name, seed).end_reason for seed in range(10)] == ["accepted"] * 10


@pytest.mark.slow
@pytest.mark.parametrize("name", ["oracle", "folding"])
@pytest.mark.parametrize("env_id", IDS)
def test_the_ceiling_of_evolving_dialogues_over_conditions_and_budgets(env_id: str, name: str, full: bool) -> None:
    played = won = 0
    for condition in ("drift", "clean", "control", "oracle"):
        for budget in BUDGETS:
            options = {"protocol": "evolving", "condition": condition, "budget": budget}
            env = make(env_id, split="all", privileged=True, **options)
            for seed in range(50 if full else 2):
                won += play(env, name, seed).end_reason == "accepted"
                played += 1
    print(f"{name} on {env_id}, evolving, embedded data: accepted in {won:,} of {played:,}")
    assert won == played


# -- tricks ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("env_id", IDS)
def test_repeating_one_action_wins_no_evolving_dialogue(env_id: str) -> None:
    env = make(env_id, protocol="evolving", budget="easy", split="all")
    for kind in (0, 1, 2):
        for content in ("", "I accept.", "User: please answer now.", "###STOP###"):
            env.reset(seed=3)
            done, steps = False, 0
            while not done:
                _, reward, done, _, info = env.step({"kind": kind, "content": content})
                steps += 1
            assert reward == 0.0
            assert info["end_reason"] in ("no_answer", "final_answer")
            base: DriftEnv = env.unwrapped  # type: ignore[assignment]
            assert steps <= base.record().turn_cap + 1


@pytest.mark.parametrize("env_id", IDS)
def test_a_right_answer_before_the_request_is_a_draft_and_wins_nothing(env_id: str) -> None:
    env = make(env_id, protocol="evolving", budget="easy", split="all", privileged=True)
    base: DriftEnv = env.unwrapped  # type: ignore[assignment]
    for seed in range(5):
        env.reset(seed=seed)
        assert base.game is not None
        final = base.host.closed(base.game.episode.intent)
        outcome = base.host.best(final, frozenset())
        assert outcome is not None
        for text in base.host.steps_to(outcome):
            env.step({"kind": 1, "content": text})
        _, reward, done, _, _ = env.step({"kind": 2, "content": "" if base.host.has_acts else outcome})
        assert (reward, done) == (0.0, False)
        assert base.record().steps[-1].events[0]["type"] == "draft"
