"""The oracle: knows the intent, so it shows what execution alone can reach.

Privileged: it reads ``env.unwrapped.oracle()`` and is for tests and the ceiling row of a table. That view is of the
intent that a commit made now would be judged against, drifts that are due included, so it is read again right before
the commit.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium as gym

from intent_gym.agents.base import Action, Observation
from intent_gym.core.intent import Condition, Intent
from intent_gym.core.silent import ACT, COMMIT
from intent_gym.envs.host import Host
from intent_gym.errors import OptionError

__all__ = ["OracleAgent"]


class OracleAgent:
    """Opens an outcome that the current intent accepts, and commits.

    Args:
        host: The host.
        env: The environment it plays, made with ``privileged=True``; dialogue interface.
    """

    def __init__(self, host: Host, env: gym.Env[Any, Any] | None = None) -> None:
        if env is None:
            raise OptionError("expected the environment that the oracle reads, got None: pass env=...")
        self.host = host
        self.env = env
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Forget the episode before."""
        self._open = -1
        self._queue: list[str] = []

    def act(self, observation: Observation, info: Mapping[str, Any]) -> Action:
        """Return the next act, or the commit once the outcome is open and still right."""
        if self._queue:
            return {"kind": ACT, "content": self._queue.pop(0)}
        view = self.env.unwrapped.oracle()  # type: ignore[attr-defined]  # of every environment of this suite
        conditions = tuple(Condition(s, op, value) for s, (op, value) in view["conditions"].items())
        frame = self.host.frame_slot.id
        intent = Intent(view["frame"], tuple(c for c in conditions if c.slot != frame))
        if self.env.unwrapped.options.protocol == "evolving":  # type: ignore[attr-defined]  # the same
            intent = self.host.closed(intent)
        answers = self.host.answers(intent)
        if self._open in answers:
            return {"kind": COMMIT, "content": "" if self.host.has_acts else self.host.outcome(self._open)}
        self._open = int(answers[0])
        self._queue = list(self.host.steps_to(self.host.outcome(self._open)))
        return self.act(observation, info)
