"""What an agent is, and the table of those that ship.

An agent is anything with ``reset(seed)`` and ``act(observation, info) -> action`` and, if it learns across tasks,
``learn(record)``. It sees what the environment shows and may be handed the `Host`, which is public knowledge; it never
holds an episode. The one exception is marked privileged: the ceiling row of a table.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, runtime_checkable

from intent_gym.core.record import EpisodeRecord
from intent_gym.envs.host import Host
from intent_gym.errors import OptionError, suggest

__all__ = [
    "AGENTS",
    "Action",
    "Agent",
    "AgentSpec",
    "LearningAgent",
    "Observation",
    "agent_options",
    "make_agent",
]

Observation: TypeAlias = Any
"""What an environment shows: a dict (dialogue, slots) or a text."""
Action: TypeAlias = Any
"""What an environment takes: a dict (dialogue), a text, or a whole number (slots)."""


@runtime_checkable
class Agent(Protocol):
    """Something that plays: `reset` before each episode, then `act` once a step.

    An agent that learns across tasks also has ``learn(record: EpisodeRecord) -> None`` (see `LearningAgent`), which is
    called after each episode.
    """

    def reset(self, seed: int) -> None:
        """Forget the episode before; every random draw of the next one comes from this seed."""

    def act(self, observation: Observation, info: Mapping[str, Any]) -> Action:
        """Return the action for what is observed; `info` is what came with it."""


@runtime_checkable
class LearningAgent(Agent, Protocol):
    """An agent that learns across tasks."""

    def learn(self, record: EpisodeRecord) -> None:
        """Take in a finished episode."""


@dataclass(frozen=True, slots=True)
class AgentSpec:
    """A row of the table of agents.

    Attributes:
        name: What `make_agent` takes.
        factory: "module:callable"; called with the host and the options.
        doc: One line.
        privileged: Reads the hidden intent; a ceiling, never a competitor.
        interfaces: What it plays.
        protocols: Which of the two protocols it plays.
    """

    name: str
    factory: str
    doc: str
    privileged: bool = False
    interfaces: tuple[str, ...] = ("dialogue",)
    protocols: tuple[str, ...] = ("silent",)


_SCRIPTED = "intent_gym.agents.scripted"
AGENTS: dict[str, AgentSpec] = {
    spec.name: spec
    for spec in (
        AgentSpec(
            "random",
            f"{_SCRIPTED}.random_agent:RandomAgent",
            "Acts at random within the mask; all interfaces.",
            interfaces=("dialogue", "text", "slots"),
            protocols=("silent", "evolving"),
        ),
        AgentSpec("no-ask", f"{_SCRIPTED}.no_ask:NoAskAgent", "Commits to its literal reading, then to the next best."),
        AgentSpec("just-ask", f"{_SCRIPTED}.just_ask:JustAskAgent", "One question about what is open, then acts."),
        AgentSpec("ask-all", f"{_SCRIPTED}.ask_all:AskAllAgent", "Asks everything in one message, then acts."),
        AgentSpec(
            "information-gain",
            f"{_SCRIPTED}.information_gain:InformationGainAgent",
            "Asks the question whose answer says most about which outcomes are right.",
        ),
        AgentSpec(
            "calibrated",
            f"{_SCRIPTED}.calibrated:CalibratedAgent",
            "Asks while the rejections it expects to save cost more than the question.",
        ),
        AgentSpec(
            "oracle",
            f"{_SCRIPTED}.oracle:OracleAgent",
            "Knows the intent: the ceiling of execution.",
            privileged=True,
            protocols=("silent", "evolving"),
        ),
        *(
            AgentSpec(
                name,
                f"{_SCRIPTED}.evolving:{factory}",
                doc,
                interfaces=("dialogue", "slots"),
                protocols=("evolving",),
            )
            for name, factory, doc in (
                ("folding", "FoldingAgent", "Carries out every edit: the ceiling; miss=0.05 overlooks some."),
                ("last-mention", "LastMentionAgent", "Keeps the newest value of each goal."),
                ("first-mention", "FirstMentionAgent", "Keeps the first value of each goal: the stale floor."),
                ("keep-everything", "KeepEverythingAgent", "Takes in new values and ignores withdrawals."),
            )
        ),
    )
}
"""Every agent that ships, by name."""


def agent_options(name: str) -> dict[str, Any]:
    """Return the options of an agent with their defaults.

    >>> agent_options("oracle")
    {'env': None}
    """
    parameters = list(inspect.signature(_factory(name)).parameters.values())[1:]
    return {p.name: p.default for p in parameters if p.kind is not p.VAR_KEYWORD}


def make_agent(name: str, host: Host, **options: object) -> Agent:
    """Return a new agent.

    Args:
        name: A key of `AGENTS`.
        host: The host it will play, public knowledge.
        **options: The agent's own; see `agent_options`.

    Raises:
        OptionError: An unknown agent or option.

    >>> from intent_gym.envs.toy import ToyHost
    >>> make_agent("no-asks", ToyHost())
    Traceback (most recent call last):
    intent_gym.errors.OptionError: expected an agent of ..., got 'no-asks'; did you mean 'no-ask'?
    """
    factory = _factory(name)
    valid = agent_options(name)
    for option in options:
        if option not in valid:
            raise OptionError(
                f"expected an option of agent {name!r} ({', '.join(sorted(valid)) or 'it has none'}), "
                f"got {option!r}{suggest(option, valid)}"
            )
    agent: Agent = factory(host.public, **options)
    return agent


def _factory(name: str) -> Callable[..., Agent]:
    if name not in AGENTS:
        raise OptionError(f"expected an agent of {', '.join(sorted(AGENTS))}, got {name!r}{suggest(name, AGENTS)}")
    module, attribute = AGENTS[name].factory.split(":")
    factory: Callable[..., Agent] = getattr(importlib.import_module(module), attribute)
    return factory
