"""The three interfaces of an environment: how observations are shown and actions taken."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Generic, TypeVar

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from intent_gym.core.record import Step
from intent_gym.envs.game import Action, Game

__all__ = ["Interface"]

_GameT = TypeVar("_GameT", bound=Game)


class Interface(ABC, Generic[_GameT]):
    """One form of observations and actions over a game.

    Attributes:
        observation_space: Never changes.
        action_space: Never changes.
        wordy: Whether text is built as the game goes on.
    """

    observation_space: spaces.Space[Any]
    action_space: spaces.Space[Any]
    wordy: bool

    @abstractmethod
    def decode(self, action: object) -> Action:
        """Return what an action stands for. Never raises: what it cannot read is malformed, with the reason."""

    @abstractmethod
    def play(self, action: Action, game: _GameT) -> Step:
        """Carry out a decoded action."""

    @abstractmethod
    def reset(self, game: _GameT) -> None:
        """Start on a new game."""

    @abstractmethod
    def observe(self, game: _GameT) -> Any:  # noqa: ANN401 - the spaces differ
        """Return a new observation that shares nothing with earlier ones."""

    @abstractmethod
    def mask(self, game: _GameT) -> NDArray[np.int8]:
        """Return a new array of what is available; shape (number of actions,)."""

    @abstractmethod
    def meanings(self) -> tuple[str, ...]:
        """Return the names of the actions, in order."""
