"""intent_gym: Gymnasium environments for agents that must find out what a person wants and keep up when it changes.

>>> import gymnasium as gym, intent_gym
>>> env = gym.make("DriftToy-v0")
>>> obs, info = env.reset(seed=7)
>>> obs, reward, terminated, truncated, info = env.step({"kind": 0, "content": "Which cup would you like?"})
>>> obs["dialogue"][-1]["role"]
'user'
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from intent_gym.registration import register_envs

if TYPE_CHECKING:
    from intent_gym.core.record import EpisodeRecord
    from intent_gym.evaluation.runner import evaluate
    from intent_gym.grading import grade
    from intent_gym.helpers import chat, sample_mask

__all__ = ["EpisodeRecord", "__version__", "chat", "evaluate", "grade", "register_envs", "sample_mask"]

__version__ = "0.1.0"

_LAZY = {
    "EpisodeRecord": "intent_gym.core.record",
    "chat": "intent_gym.helpers",
    "evaluate": "intent_gym.evaluation.runner",
    "grade": "intent_gym.grading",
    "sample_mask": "intent_gym.helpers",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - several kinds of objects
    """Load public names when they are first used, so that the import stays light."""
    if name in _LAZY:
        return getattr(importlib.import_module(_LAZY[name]), name)
    raise AttributeError(f"module 'intent_gym' has no attribute {name!r}; public names: {', '.join(__all__)}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


register_envs()
