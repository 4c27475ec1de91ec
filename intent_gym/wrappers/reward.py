"""Any weighting of the signals as reward."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, SupportsFloat

import gymnasium as gym

from intent_gym.core.signals import GRIP
from intent_gym.errors import OptionError, suggest

__all__ = ["SignalReward"]


class SignalReward(gym.Wrapper[Any, Any, Any, Any]):
    """Replaces the reward by a weighted sum of the finished episode's signals; an undefined signal counts 0.

    The same as ``gym.make(..., reward=weights)``, for environments that are made elsewhere.

    Args:
        env: An intent_gym environment.
        weights: Weight by signal: a GRIP signal or "full_credit".

    Example:
        >>> import gymnasium as gym, intent_gym
        >>> from intent_gym.wrappers import SignalReward
        >>> env = SignalReward(gym.make("DriftToy-v0"), {"success": 1.0, "patience": 0.05})
    """

    def __init__(self, env: gym.Env[Any, Any], weights: Mapping[str, float]) -> None:
        super().__init__(env)
        valid = (*GRIP, "full_credit")
        for name in weights:
            if name not in valid:
                raise OptionError(f"no signal {name!r}{suggest(name, valid)}; signals: {', '.join(valid)}")
        self._weights = dict(weights)

    def step(self, action: Any) -> tuple[Any, SupportsFloat, bool, bool, dict[str, Any]]:  # noqa: ANN401
        """Step with the weighted signals as reward."""
        observation, _, terminated, truncated, info = self.env.step(action)
        reward = 0.0
        if "car" in info:
            signals = {**info["grip"], "full_credit": info["car"]["full_credit"]}
            reward = sum(w * signals.get(name, 0.0) for name, w in self._weights.items())
        return observation, float(reward), terminated, truncated, info
