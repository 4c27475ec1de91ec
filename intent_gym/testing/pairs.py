"""Two environments in lockstep: the same actions, and the same bytes until something may tell the two apart."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium as gym
import numpy as np

from intent_gym.core.intent import Intent
from intent_gym.core.record import Step
from intent_gym.envs.base import DriftEnv
from intent_gym.testing.actions import Actor
from intent_gym.testing.base import canonical, require, same

__all__ = ["Pair"]

_ADDRESS = re.compile(r"0x[0-9a-fA-F]+")


class Pair(ABC):
    """Two episodes that differ in what is hidden.

    Attributes:
        envs: The environments, made with ``render_mode="ansi"``.
        bases: The same, unwrapped.
        steps: Steps compared so far.
        drifts: Silent drifts in them.
    """

    def __init__(
        self, one: gym.Env[Any, Any], two: gym.Env[Any, Any], seed: int, options: Mapping[str, Any] | None = None
    ) -> None:
        """Take two environments that will play one case each.

        Args:
            one: Plays the case.
            two: Plays its twin.
            seed: Of both, and of the actions.
            options: Of reset.
        """
        self.envs = one, two
        self.bases: tuple[DriftEnv, DriftEnv] = (one.unwrapped, two.unwrapped)  # type: ignore[assignment]
        self.seed, self.options = seed, dict(options or {})
        self.steps = self.drifts = 0

    @abstractmethod
    def told(self, intents: Sequence[Intent], steps: Sequence[Step]) -> str | None:
        """Return what in a step of each may tell the two apart, or None.

        Args:
            intents: What a commit would have been judged against before the step, one an episode.
            steps: What happened, one an episode.
        """

    def play(self) -> str:
        """Return what ended the comparison.

        Raises:
            ConformanceError: Something that an agent sees differs before.
        """
        starts = [env.reset(seed=self.seed, options=self.options) for env in self.envs]
        same(starts[0], starts[1], "reset")
        self._outside("reset")
        rng = np.random.default_rng(self.seed)
        actor, info = Actor(self.envs[0], rng), starts[0][1]
        weights = (1.0, float(rng.choice([0.5, 2.0, 6.0])), float(rng.choice([0.0, 0.3, 1.0])))
        hostility = float(rng.choice([0.0, 0.0, 0.3]))
        while True:
            intents = [b.game.episode.intent for b in self.bases]  # type: ignore[union-attr]  # reset has been called
            hostile = rng.random() < hostility
            action = actor.hostile() if hostile else actor.legal(info, weights)
            found = [env.step(action) for env in self.envs]
            done = [b.game.episode.steps[-1] for b in self.bases]  # type: ignore[union-attr]
            told = self.told(intents, done)
            if told is not None:
                return told
            self.steps += 1
            what = f"step {self.steps} after {action!r:.200}"
            ended = found[0][2] or found[1][2]
            judged = ended and any(
                e["type"] == "commit" for b in self.bases for s in b.record().steps for e in s.events
            )
            same(_seen(found[0], judged), _seen(found[1], judged), what)
            self._outside(what)
            info = found[0][4]
            if ended:
                return "end"

    def _outside(self, what: str) -> None:
        """Compare what can be seen without a step."""
        one, two = self.envs
        shown = [_ADDRESS.sub("", f"{env} {env!r} {env.unwrapped} {env.unwrapped!r}") for env in self.envs]
        require(shown[0] == shown[1], f"{what}: repr or str differs: {shown}")
        masks = [canonical(b.action_masks()) for b in self.bases]
        require(masks[0] == masks[1], f"{what}: action_masks() differs")
        same(one.render(), two.render(), f"{what}, render")


def _seen(found: tuple[Any, ...], judged: bool) -> tuple[Any, ...]:
    """Return what a step gave; signals of the end tell of the verdicts, so they go where one was made."""
    obs, reward, terminated, truncated, info = found
    if judged:
        info = {k: v for k, v in info.items() if k not in ("grip", "car")}
    return obs, reward, terminated, truncated, info
