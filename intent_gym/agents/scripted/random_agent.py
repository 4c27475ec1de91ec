"""The floor: legal actions at random, in all three interfaces.

In dialogue and text it asks about random topics and makes acts that lead to random outcomes, so that its commits are
mostly judged. Pitfall: an agent that is only masked commits to nothing, and its floor is too low to mean anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from intent_gym.agents.base import Action, Observation
from intent_gym.agents.scripted.wording import question
from intent_gym.core.intent import Intent
from intent_gym.core.silent import ACT, ASK, COMMIT
from intent_gym.envs.host import Host
from intent_gym.envs.interfaces.dialogue import KINDS

__all__ = ["RandomAgent"]


class RandomAgent:
    """Draws among the available actions.

    Args:
        host: The host to play, public knowledge.
    """

    def __init__(self, host: Host) -> None:
        self.host = host
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Forget the episode before."""
        self._rng = np.random.default_rng(seed)
        self._path: list[str] = []

    def act(self, observation: Observation, info: Mapping[str, Any]) -> Action:
        """Return a random available action of the interface that the observation is of."""
        mask = np.asarray(info["action_mask"], dtype=np.bool_)
        if isinstance(observation, Mapping) and "observations" in observation:
            return int(self._rng.choice(np.flatnonzero(mask)))
        kind = int(self._rng.choice(np.flatnonzero(mask)))
        content = self._content(kind)
        if isinstance(observation, str):
            return f"{KINDS[kind]}[{content}]"
        return {"kind": kind, "content": content}

    def _content(self, kind: int) -> str:
        topics = tuple(self.host.slot_table.by_topic)
        if kind == ASK:
            return question(self.host, [topics[int(self._rng.integers(len(topics)))]])
        if kind == ACT:
            if not self._path:
                self._path = list(self.host.steps_to(self._outcome()))
            return self._path.pop(0)
        return "" if kind == COMMIT and self.host.has_acts else self._outcome()

    def _outcome(self) -> str:
        frame = self.host.frames[int(self._rng.integers(len(self.host.frames)))]
        answers = self.host.answers(Intent(frame, ()))
        return self.host.outcome(int(answers[int(self._rng.integers(len(answers)))]))
