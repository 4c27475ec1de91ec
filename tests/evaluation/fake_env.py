"""An environment of three steps for tests of the runner: it records, and it fails where it is told to."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from typing import Any

import gymnasium as gym

from intent_gym.core.record import EpisodeRecord, Step
from intent_gym.core.rng import uniform

TASKS = tuple(f"task-{i}" for i in range(5))


class FakeHost:
    name = "fake"

    @property
    def public(self) -> FakeHost:
        return self

    def fingerprint(self) -> str:
        return "fake:1"


class FakeEnv(gym.Env[str, object]):
    """Accepts a commit with the probability 0.5; "ask" is recorded as a question."""

    metadata = {"render_modes": []}  # noqa: RUF012 - as gymnasium declares it
    observation_space = gym.spaces.Text(100)
    action_space = gym.spaces.Text(100)

    def __init__(
        self,
        split: str = "train",
        condition: str = "drift",
        privileged: bool = False,
        crash: tuple[str, ...] = (),
        kill: tuple[str, ...] = (),
        pause: float = 0.0,
        nan: bool = False,
    ) -> None:
        self.options = {"split": split, "condition": condition}
        self.crash, self.kill, self.pause, self.nan = crash, kill, pause, nan
        self.host = FakeHost()

    def tasks(self) -> tuple[str, ...]:
        return TASKS

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        super().reset(seed=seed)
        given = dict(options or {})
        self.task = given.get("task_id", TASKS[0])
        if self.task in self.kill:
            os._exit(9)
        node = given.get("node", 0)
        self._record = EpisodeRecord(
            env_id="Fake-v0", options=self.options, key=seed or 0, sample_id=self.task, node=node,
            persona=given.get("persona", "rational"), condition=self.options["condition"], faults=("vague",),
            guess_ceiling=0.25, opening="hello", hidden=("a", "b"), patience=10.0, turn_cap=30,
        )  # fmt: skip
        self.left = given.get("length", 3)
        return "hello", {}

    def step(self, action: object) -> tuple[str, float, bool, bool, dict[str, Any]]:
        time.sleep(self.pause)
        if self.task in self.crash:
            raise ValueError(f"no such thing as {self.task}")
        self.left -= 1
        record = self._record
        step = Step(0, str(action), 8.0)
        if self.left:
            step.events.append({
                "type": "question", "reply": "answer", "named": ["a"], "granted": [["a", ["=", "x"]]],
                "declined": [], "volunteered": [], "confirmed": [],
            })  # fmt: skip
            drifts = self.options["condition"] == "drift" and record.key % 2 and not record.steps
            if drifts:
                step.events.append({
                    "type": "drift", "edge": 0, "target": 1, "relation": "substitute", "moves": True,
                    "invalidates": True, "channel": "patience", "entered": ["b"], "left": [], "changed": ["b"],
                })  # fmt: skip
        else:
            step.kind = 2
            accepted = uniform(record.key, 1, 0) < (0.3 if self.options["condition"] == "drift" else 0.7)
            score = float("nan") if self.nan else 0.5
            step.events.append({
                "type": "commit", "outcome": "o", "accepted": accepted, "score": score, "final": True, "hint": None,
                "path": [],
            })  # fmt: skip
            step.events.append({"type": "end", "reason": "accepted" if accepted else "final_answer"})
        record.steps.append(step)
        return "go on", 0.0, not self.left, False, {}

    def record(self) -> EpisodeRecord:
        return self._record


class PlainEnv(gym.Env[str, object]):
    """An environment that is none of this suite's."""

    def __init__(self, split: str = "train") -> None:
        self.split = split


class FakeAgent:
    """Says a number that follows from its seed."""

    def __init__(self, host: object = None) -> None:
        self.seed = -1

    def reset(self, seed: int) -> None:
        self.seed = seed

    def act(self, observation: object, info: Mapping[str, Any]) -> str:
        return f"say {self.seed}"


class Learner(FakeAgent):
    """Says how many episodes it has learned from, and which."""

    def __init__(self, host: object = None) -> None:
        super().__init__(host)
        self.seen: list[str] = []

    def act(self, observation: object, info: Mapping[str, Any]) -> str:
        return " ".join(self.seen)

    def learn(self, record: EpisodeRecord) -> None:
        self.seen.append(record.sample_id)


def register() -> None:
    if "Fake-v0" not in gym.registry:
        gym.register("Fake-v0", entry_point="fake_env:FakeEnv")
