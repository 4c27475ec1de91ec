"""What wrappers check of the environment they get."""

from __future__ import annotations

from typing import Any

import gymnasium as gym

from intent_gym.envs.base import DriftEnv
from intent_gym.errors import OptionError

__all__ = ["needs_interface"]


def needs_interface(env: gym.Env[Any, Any], interface: str, wrapper: str) -> DriftEnv:
    """Return the unwrapped environment.

    Raises:
        OptionError: It is none of ours, or has another interface.
    """
    base = env.unwrapped
    if not isinstance(base, DriftEnv):
        raise OptionError(f"{wrapper} wraps an intent_gym environment, got {type(base).__name__}")
    if base.options.interface != interface:
        raise OptionError(
            f"{wrapper} needs interface={interface!r}, got {base.options.interface!r}: "
            f"gym.make(..., interface={interface!r})"
        )
    return base
