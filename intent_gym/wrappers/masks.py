"""Masked actions as errors, for debugging agents."""

from __future__ import annotations

from typing import Any

import gymnasium as gym

from intent_gym.envs.base import DriftEnv
from intent_gym.errors import OptionError

__all__ = ["StrictActions"]


class StrictActions(gym.Wrapper[Any, Any, Any, Any]):
    """Raises on a masked or unreadable action, which the environment itself answers in the dialogue and prices.

    Args:
        env: An intent_gym environment with any interface.

    Example:
        >>> import gymnasium as gym, intent_gym
        >>> from intent_gym.wrappers import StrictActions
        >>> env = StrictActions(gym.make("DriftToy-v0", interface="slots"))
        >>> _ = env.reset(seed=0)
        >>> env.step(99)
        Traceback (most recent call last):
        ...
        intent_gym.errors.OptionError: malformed action: expected a whole number from 0 to 5
    """

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        super().__init__(env)
        if not isinstance(env.unwrapped, DriftEnv):
            raise OptionError(f"StrictActions wraps an intent_gym environment, got {type(env.unwrapped).__name__}")

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:  # noqa: ANN401
        """Step, or raise `OptionError` without stepping."""
        base = self.unwrapped
        assert isinstance(base, DriftEnv)  # checked when made
        decoded = base.interface.decode(action)
        if decoded.reason:
            raise OptionError(f"malformed action: {decoded.reason}")
        mask = base.action_masks()
        number = decoded.kind if len(mask) == 3 else int(action)
        if not mask[number]:
            names = [n for n, ok in zip(base.action_meanings(), mask, strict=True) if ok]
            raise OptionError(f"{base.action_meanings()[number]!r} is not available now; available: {', '.join(names)}")
        return self.env.step(action)
