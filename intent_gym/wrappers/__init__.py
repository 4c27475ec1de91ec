"""Wrappers over the environments, one a module."""

from __future__ import annotations

from intent_gym.wrappers.chat import ChatObservation
from intent_gym.wrappers.masks import StrictActions
from intent_gym.wrappers.reward import SignalReward
from intent_gym.wrappers.slots import FlatObservation
from intent_gym.wrappers.text import TextDialogue

__all__ = ["ChatObservation", "FlatObservation", "SignalReward", "StrictActions", "TextDialogue"]
