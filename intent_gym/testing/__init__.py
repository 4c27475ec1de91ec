"""The public conformance suite: what every host and every environment must do.

For a new host or environment, and for tests of one's own::

    from intent_gym.envs.hosts import load_host
    from intent_gym.testing import check_drift_env, check_host, check_non_interference

    check_host(load_host("toy"))
    check_drift_env("DriftToy-v0", interface="slots")
    check_non_interference("DriftToy-v0", pairs=20)

Every environment runs under both protocols, and so do the checks: ``check_drift_env(id, protocol="evolving")``. Each
raises `ConformanceError` at the first thing that breaks the contract. `check_env` runs all three; from the command
line: ``intent-gym check DriftToy-v0``.
"""

from __future__ import annotations

from typing import Any

import gymnasium as gym

from intent_gym.errors import ConformanceError
from intent_gym.testing.actions import HOSTILE_TEXTS, Actor
from intent_gym.testing.environments import check_drift_env, episode_digest
from intent_gym.testing.hosts import check_host
from intent_gym.testing.interference import Interference, check_non_interference, only, twin
from intent_gym.testing.plans import only_case, twin_plan

__all__ = [
    "HOSTILE_TEXTS",
    "Actor",
    "ConformanceError",
    "Interference",
    "check_drift_env",
    "check_env",
    "check_host",
    "check_non_interference",
    "episode_digest",
    "only",
    "only_case",
    "twin",
    "twin_plan",
]


def check_env(env_id: str, **options: Any) -> None:
    """Check an environment with the options given, its host, and that nothing hidden shows.

    Args:
        env_id: Registered id.
        **options: As `gym.make` takes them.

    Raises:
        ConformanceError: The first thing that breaks the contract.
    """
    base = gym.make(env_id, **options).unwrapped
    check_host(base.host, exact=base.options.host.get("accept", "strict") == "strict")  # type: ignore[attr-defined]
    check_drift_env(env_id, **options)
    if options.get("condition", "drift") == "drift":
        check_non_interference(env_id, **{**options, "reward": "success", "signals": "end"})
