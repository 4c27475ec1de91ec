"""What the contract tests are parametrised over: every registered environment, every interface."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from intent_gym.envs.base import DriftEnv
from intent_gym.envs.options import INTERFACES
from intent_gym.registration import ENVIRONMENTS
from intent_gym.testing import Actor

IDS = tuple(spec.id for spec in ENVIRONMENTS)
every_id = pytest.mark.parametrize("env_id", IDS)
every_interface = pytest.mark.parametrize("interface", INTERFACES)


def base_of(env: gym.Env[Any, Any]) -> DriftEnv:
    base: DriftEnv = env.unwrapped  # type: ignore[assignment]
    return base


def episodes(
    env: gym.Env[Any, Any], count: int, seed: int, hostility: float = 0.0
) -> Iterator[tuple[int, list[tuple[Any, ...]]]]:
    """Play episodes; yield the seed and what reset and every step gave."""
    for number in range(seed, seed + count):
        actor = Actor(env, np.random.default_rng(number))
        obs, info = env.reset(seed=number)
        seen: list[tuple[Any, ...]] = [(obs, info)]
        done = False
        while not done:
            found = env.step(actor.any(info, hostility))
            seen.append(found)
            info, done = found[4], found[2] or found[3]
        yield number, seen
