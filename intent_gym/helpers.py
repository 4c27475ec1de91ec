"""Small helpers for agents and training loops."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["chat", "sample_mask"]

_CHAT_ROLES = {"user": "user", "agent": "assistant", "host": "user"}


def chat(observation: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return a dialogue observation as chat messages ``{"role": "user" | "assistant", "content"}``.

    What the host shows comes as a user message marked "[host]", since chat models know no third role.

    >>> chat({"dialogue": ({"role": "host", "content": "Menu"},)})
    [{'role': 'user', 'content': '[host] Menu'}]
    """
    return [
        {
            "role": _CHAT_ROLES[m["role"]],
            "content": f"[host] {m['content']}" if m["role"] == "host" else m["content"],
        }
        for m in observation["dialogue"]
    ]


def sample_mask(info: Mapping[str, Any]) -> NDArray[np.int8] | dict[str, Any]:
    """Return ``info["action_mask"]`` in the form that ``action_space.sample(mask=...)`` takes.

    Example:
        ``action = env.action_space.sample(mask=intent_gym.sample_mask(info))``

    Returns:
        The mask itself for the slots interface; ``{"kind": mask, "content": None}`` for the dialogue interface.
    """
    mask: NDArray[np.int8] = info["action_mask"]
    return {"kind": mask, "content": None} if mask.shape == (3,) else mask
