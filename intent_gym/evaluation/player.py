"""Playing one episode: an environment and an agent of one worker, and where each failure goes.

An episode is a pure function of (environment options, task, seed index, episode index): the seeds of the reset and of
the agent come from the two indices alone, and the agent is reset before it. An exception in either is caught here and
only here; it becomes an `EpisodeError`, which is recorded and never scored, and both are made anew.
"""

from __future__ import annotations

import copy
import json
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeAlias, cast

import gymnasium as gym
from gymnasium.envs.registration import EnvSpec

from intent_gym.agents.base import AGENTS, Agent, agent_options, make_agent
from intent_gym.core.record import EpisodeRecord
from intent_gym.core.rng import key_of
from intent_gym.errors import IntentGymError, OptionError
from intent_gym.evaluation.store import EpisodeError, EpisodeKey, episode_line

__all__ = ["AgentSource", "Case", "Finished", "Job", "Player", "agent_name", "case_of", "check_agent", "make_env"]

AgentSource: TypeAlias = "str | Agent | Callable[[Any], Agent]"
"""A name of `agents.AGENTS`, an agent, or something that makes one from a host."""

_SEED_BITS = 31
_NOT_FOR_AGENTS = ("grip",)
"""Keys of `info` that tell what is hidden as it is found: for rewards and training (``signals="step"``)."""


@dataclass(frozen=True, slots=True)
class Case:
    """One episode to play.

    Attributes:
        key: (seed index, episode index).
        reset: Arguments of the environment's reset: ``{"seed": int, "options": {...}}``, plain data.
    """

    key: EpisodeKey
    reset: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished episode as its line of ``episodes.jsonl``, so that it crosses processes as text."""

    key: EpisodeKey
    line: str


def case_of(key: EpisodeKey, tasks: Sequence[str], split: str, extra: dict[str, Any] | None = None) -> Case:
    """Return the case of a pair of indices.

    The order of the tasks is a function of (split, episode index) alone: every seed plays the same tasks, so that the
    standard deviation over seeds is that of repeats and pass^k is defined. After the last task they are shuffled anew.

    Args:
        key: (seed index, episode index).
        tasks: Task ids of the split, in any order.
        split: Name of the split.
        extra: Further reset options.
    """
    seed, episode = key
    cycle, place = divmod(episode, len(tasks))
    task = _task_order(tuple(tasks), split, cycle)[place]
    reset_seed = key_of("reset", seed, episode) >> (64 - _SEED_BITS)
    return Case(key, {"seed": reset_seed, "options": {"task_id": task, **(extra or {})}})


@lru_cache(maxsize=8)
def _task_order(tasks: tuple[str, ...], split: str, cycle: int) -> tuple[str, ...]:
    return tuple(sorted(tasks, key=lambda task: (key_of("task order", split, cycle, task), task)))


def agent_name(agent: AgentSource) -> str:
    """Return what an agent is called in configurations and tables."""
    if isinstance(agent, str):
        return agent
    named = getattr(agent, "name", None)
    if isinstance(named, str) and named:
        return named
    kind = agent if hasattr(agent, "__qualname__") else type(agent)
    return f"{kind.__module__}.{kind.__qualname__}"


@dataclass(frozen=True)
class Job:
    """What a worker needs to play any case; crosses to worker processes by pickle.

    Attributes:
        spec: The environment's spec, so that an id registered only in the calling process is known to workers.
        options: Options of `gym.make`.
        agent: Who plays.
        agent_options: Options of a named agent.
    """

    spec: EnvSpec
    options: dict[str, Any]
    agent: AgentSource
    agent_options: dict[str, Any] = field(default_factory=dict)

    def make_env(self) -> gym.Env[Any, Any]:
        """Return a new environment."""
        gym.registry.setdefault(self.spec.id, self.spec)
        return make_env(self.spec, copy.deepcopy(self.options))

    def make_agent(self, env: gym.Env[Any, Any]) -> Agent:
        """Return a new agent for an environment."""
        if not isinstance(self.agent, str):
            if not isinstance(self.agent, type) and isinstance(self.agent, Agent):
                return copy.deepcopy(self.agent)
            factory = cast("Callable[[Any], Agent]", self.agent)
            return _made(agent_name(self.agent), factory, env.unwrapped.host.public)  # type: ignore[attr-defined]
        options = dict(self.agent_options)
        if self.agent in AGENTS and "env" in agent_options(self.agent):
            options.setdefault("env", env)
        return make_agent(self.agent, env.unwrapped.host, **options)  # type: ignore[attr-defined]


def _made(name: str, factory: Callable[[Any], Agent], host: Any) -> Agent:  # noqa: ANN401 - any host
    """Return what a factory makes of a host, if it is an agent.

    Raises:
        OptionError: It raises, or makes something else.
    """
    try:
        agent = factory(host)
    except IntentGymError:
        raise
    except Exception as error:  # whatever it is, there is no agent
        raise OptionError(f"the agent {name} cannot be made from a host: {_one_line(error)}") from error
    if not isinstance(agent, Agent):
        raise OptionError(
            f"the agent {name} cannot be made from a host: expected an object with reset(seed) and act(observation, "
            f"info), got {type(agent).__name__}"
        )
    return agent


def make_env(spec: EnvSpec | str, options: dict[str, Any]) -> gym.Env[Any, Any]:
    """Return a new environment.

    Raises:
        OptionError: An option is wrong; without what Gymnasium adds to the message of every TypeError.
    """
    try:
        env: gym.Env[Any, Any] = gym.make(spec, disable_env_checker=True, **options)
    except OptionError as error:
        raise OptionError(_of_creator(error)) from None
    except TypeError as error:  # an environment of another package, which has not these options
        name = spec if isinstance(spec, str) else spec.id
        raise OptionError(
            f"{name} is not an environment of this suite, or has not these options: {_of_creator(error)}"
        ) from error
    return env


def _of_creator(error: Exception) -> str:
    return str(error).partition(" was raised from the environment creator")[0]


class Player:
    """An environment and an agent, made when first needed and made anew after a failure."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self._env: gym.Env[Any, Any] | None = None
        self._agent: Agent | None = None

    @property
    def env(self) -> gym.Env[Any, Any]:
        """The environment."""
        if self._env is None:
            self._env = self.job.make_env()
        return self._env

    @property
    def agent(self) -> Agent:
        """The agent."""
        if self._agent is None:
            self._agent = self.job.make_agent(self.env)
        return self._agent

    @property
    def learns(self) -> bool:
        """Whether the agent learns across tasks."""
        return callable(getattr(self.agent, "learn", None))

    def play(self, case: Case) -> Finished | EpisodeError:
        """Play one episode; a failure of any kind is returned, not raised."""
        try:
            record = self._episode(case)
            if self.learns:
                self.agent.learn(record)  # type: ignore[attr-defined]
            return Finished(case.key, episode_line(case.key, case.reset, record))
        except (Exception, SystemExit) as error:  # the boundary: what went wrong belongs to this episode alone
            text = traceback.format_exc()
            self._drop_env()
            if not self._learned:
                self._agent = None
            return EpisodeError(*case.key, _one_line(error), text)

    def replay(self, line: str) -> None:
        """Let a learning agent take in an episode that was recorded before."""
        self.agent.learn(EpisodeRecord.from_json(json.loads(line)["record"]))  # type: ignore[attr-defined]

    def start_over(self) -> None:
        """Forget the agent, so that the next episode gets a new one."""
        self._agent = None

    def close(self) -> None:
        """Close the environment."""
        self._drop_env()

    @property
    def _learned(self) -> bool:
        return self._agent is not None and callable(getattr(self._agent, "learn", None))

    def _episode(self, case: Case) -> EpisodeRecord:
        env, agent = self.env, self.agent
        observation, info = env.reset(seed=case.reset["seed"], options=dict(case.reset["options"]))
        agent.reset(key_of("agent", *case.key) >> (64 - _SEED_BITS))
        ended = False
        while not ended:
            action = agent.act(observation, {k: v for k, v in info.items() if k not in _NOT_FOR_AGENTS})
            observation, _, terminated, truncated, info = env.step(action)
            ended = terminated or truncated
        record: EpisodeRecord = env.unwrapped.record()  # type: ignore[attr-defined]
        return record

    def _drop_env(self) -> None:
        env, self._env = self._env, None
        if env is not None:
            try:
                env.close()
            except Exception:  # it is thrown away after a failure, which is what is reported
                pass


def _one_line(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def check_agent(agent: object) -> None:
    """Refuse what can be no agent.

    Raises:
        OptionError: It is neither a name, an agent nor something that makes one.
    """
    if not (isinstance(agent, str | Agent) or callable(agent)):
        raise OptionError(
            "agent: expected a name, an object with reset(seed) and act(observation, info), or a function that makes "
            f"one from a host; got {type(agent).__name__}"
        )
