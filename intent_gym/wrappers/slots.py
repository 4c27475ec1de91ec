"""The slots interface as one flat vector."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from intent_gym.wrappers._checks import needs_interface

__all__ = ["FlatObservation"]


class FlatObservation(gym.ObservationWrapper[Any, Any, Any]):
    """Joins the slots observation and its mask to one Box, for learners that take no Dict.

    Args:
        env: An environment with the slots interface.

    Example:
        >>> import gymnasium as gym, intent_gym
        >>> from intent_gym.wrappers import FlatObservation
        >>> FlatObservation(gym.make("DriftToy-v0", interface="slots")).observation_space.shape
        (54,)
    """

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        super().__init__(env)
        base = needs_interface(env, "slots", type(self).__name__)
        space = base.observation_space
        assert isinstance(space, spaces.Dict)  # the slots interface
        size = sum(int(np.prod(space[name].shape or ())) for name in ("observations", "action_mask"))
        self.observation_space = spaces.Box(0.0, 1.0, (size,), np.float32)

    def observation(self, observation: Any) -> NDArray[np.float32]:  # noqa: ANN401 - Gymnasium's signature
        """Return the features, then the mask."""
        return np.concatenate([observation["observations"], observation["action_mask"]])
