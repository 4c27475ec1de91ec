"""The surface of the user: a question's text to topics, a decision to words. Nothing here decides anything."""

from __future__ import annotations

from intent_gym.core.language.lexicon import Lexicon
from intent_gym.core.language.speak import accept, announce, current, neutral, refuse, speak
from intent_gym.core.language.understand import understand

__all__ = ["Lexicon", "accept", "announce", "current", "neutral", "refuse", "speak", "understand"]
