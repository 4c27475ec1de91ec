"""Chat messages as observations, for language models with a chat template."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
from gymnasium import spaces

from intent_gym.envs.spaces import MAX_MESSAGE, UnicodeText
from intent_gym.helpers import chat
from intent_gym.wrappers._checks import needs_interface

__all__ = ["ChatObservation"]

_HOST_PREFIX = 16


class ChatObservation(gym.ObservationWrapper[Any, Any, Any]):
    """Turns a dialogue observation into chat messages ``{"role": "user" | "assistant", "content"}``.

    What the host shows is a user message marked "[host]". Patience, turn and mask stay in `info`.

    Args:
        env: An environment with the dialogue interface.

    Example:
        >>> import gymnasium as gym, intent_gym
        >>> from intent_gym.wrappers import ChatObservation
        >>> obs, info = ChatObservation(gym.make("DriftToy-v0")).reset(seed=0)
        >>> obs[0]["role"]
        'user'
    """

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        super().__init__(env)
        needs_interface(env, "dialogue", type(self).__name__)
        message = spaces.Dict(
            {"role": UnicodeText(9, min_length=4), "content": UnicodeText(MAX_MESSAGE + _HOST_PREFIX)}
        )
        self.observation_space = spaces.Sequence(message)

    def observation(self, observation: Any) -> tuple[dict[str, str], ...]:  # noqa: ANN401 - Gymnasium's signature
        """Return the messages, all new."""
        return tuple(chat(observation))
