"""`gym.make_vec`: a dispatcher, since Gymnasium takes a vector entry point wherever one is registered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium as gym
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import TimeLimit

from intent_gym.envs.base import DriftEnv
from intent_gym.errors import OptionError, suggest

__all__ = ["SlotsVectorEnv", "vector_maker"]


class SlotsVectorEnv(SyncVectorEnv):
    """Environments with the slots interface, stepped in a plain loop: the scalar transitions, bit for bit.

    Args:
        num_envs: Number of environments.
        make: Makes one environment.
        autoreset_mode: What happens after an episode's end, by name or enum.
    """

    def __init__(
        self, num_envs: int, make: Callable[[], gym.Env[Any, Any]], autoreset_mode: str | AutoresetMode
    ) -> None:
        modes = [m.value for m in AutoresetMode]
        if not isinstance(autoreset_mode, AutoresetMode) and autoreset_mode not in modes:
            raise OptionError(
                f"autoreset_mode: expected one of {', '.join(modes)}, got {autoreset_mode!r}"
                f"{suggest(autoreset_mode, modes)}"
            )
        if not isinstance(num_envs, int) or num_envs < 1:
            raise OptionError(f"num_envs: expected a whole number >= 1, got {num_envs!r}")
        super().__init__([make] * num_envs, autoreset_mode=AutoresetMode(autoreset_mode))

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:  # noqa: ANN401 - Gymnasium's signature
        """Step every environment.

        Args:
            actions: One whole number an environment, shape (num_envs,).

        Raises:
            OptionError: Another number of actions.
        """
        try:
            given = len(actions)
        except TypeError:  # a single number, or nothing
            raise OptionError(f"actions: expected a list of {self.num_envs}, got {actions!r}") from None
        if given != self.num_envs:
            raise OptionError(f"actions: expected {self.num_envs}, one for each environment, got {given}")
        return super().step(actions)


def vector_maker(env_class: type[DriftEnv]) -> Callable[..., SlotsVectorEnv]:
    """Return the vector entry point of an environment class; Gymnasium calls it with the options of `make_vec`."""

    def make_vector(
        *,
        num_envs: int,
        max_episode_steps: int | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        **options: Any,
    ) -> SlotsVectorEnv:
        """Return the vector environment of the slots interface.

        Args:
            num_envs: Number of environments.
            max_episode_steps: Truncates longer episodes; None or below 1: never.
            autoreset_mode: "NextStep", "SameStep" or "Disabled".
            **options: Options of the scalar environment.

        Raises:
            OptionError: Another interface is asked for.
        """
        if max_episode_steps is not None and not isinstance(max_episode_steps, int):
            raise OptionError(f"max_episode_steps: expected a whole number or None, got {max_episode_steps!r}")
        interface = options.get("interface", "dialogue")
        if interface != "slots":
            raise OptionError(
                f"make_vec runs interface='slots' natively, got interface={interface!r}: pass interface='slots', or "
                "vectorization_mode='sync' for dialogue and text"
            )

        def make() -> gym.Env[Any, Any]:
            env: gym.Env[Any, Any] = env_class(**options)
            return TimeLimit(env, max_episode_steps) if max_episode_steps is not None and max_episode_steps > 0 else env

        return SlotsVectorEnv(num_envs, make, autoreset_mode)

    return make_vector
