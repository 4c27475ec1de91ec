"""The text interface over an environment that was made with the dialogue interface."""

from __future__ import annotations

from typing import Any, SupportsFloat

import gymnasium as gym

from intent_gym.envs.interfaces.text import TextInterface, parse_text
from intent_gym.wrappers._checks import needs_interface

__all__ = ["TextDialogue"]


class TextDialogue(gym.Wrapper[Any, Any, Any, Any]):
    """One string in, one string out: ``ask[...]``, ``act[...]``, ``commit[...]``.

    The same as ``gym.make(..., interface="text")``, for environments that are made elsewhere.

    Args:
        env: An environment with the dialogue interface.

    Example:
        >>> import gymnasium as gym, intent_gym
        >>> from intent_gym.wrappers import TextDialogue
        >>> env = TextDialogue(gym.make("DriftToy-v0"))
        >>> text, info = env.reset(seed=0)
        >>> text, *_ = env.step("ask[Which milk would you like?]")
    """

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        super().__init__(env)
        self._base = needs_interface(env, "dialogue", type(self).__name__)
        self._text = TextInterface()
        self.observation_space = self._text.observation_space
        self.action_space = self._text.action_space

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Start a new dialogue and return its transcript."""
        _, info = self.env.reset(seed=seed, options=options)
        return self._observe(), info

    def step(self, action: Any) -> tuple[str, SupportsFloat, bool, bool, dict[str, Any]]:  # noqa: ANN401
        """Carry out one of the three forms; anything else is malformed."""
        decoded = parse_text(action)
        _, reward, terminated, truncated, info = self.env.step(
            decoded if decoded.reason else {"kind": decoded.kind, "content": decoded.content}
        )
        return self._observe(), reward, terminated, truncated, info

    def _observe(self) -> str:
        assert self._base.game is not None  # reset has been called
        return self._text.observe(self._base.game)
