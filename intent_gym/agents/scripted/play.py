"""How a scripted agent plays the dialogue interface: it decides to ask or to commit, the rest is done here.

Browsing is taken care of by `Host.steps_to`: before a commit the acts that open the outcome are made, one a step. New
messages are read as they come. Only what is public is used: the observation and the host.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from intent_gym.agents.base import Action, Observation
from intent_gym.agents.scripted.reading import Reading, Told, read_reply, read_request
from intent_gym.agents.scripted.wording import question, read_back
from intent_gym.core.config import ProtocolConfig
from intent_gym.core.intent import Condition, Intent
from intent_gym.core.silent import ACT, ASK, COMMIT
from intent_gym.envs.host import Host, Outcome

__all__ = ["Ask", "Commit", "Move", "ScriptedAgent", "View"]


@dataclass(frozen=True, slots=True)
class Ask:
    """The decision to ask: about topics, or whether conditions are right.

    Attributes:
        topics: Asked plainly, in this order.
        conditions: Read back, in this order.
    """

    topics: tuple[str, ...] = ()
    conditions: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Commit:
    """The decision to propose an outcome."""

    outcome: Outcome


Move: TypeAlias = Ask | Commit


@dataclass(slots=True)
class View:
    """What an agent knows at a step beside what it has read.

    Attributes:
        patience: Patience left.
        full: Patience at the start.
        steps: Steps left before the turn cap, this one included.
        may_ask: A question is available.
        rejected: Outcomes refused so far, in order.
    """

    patience: float = 0.0
    full: float = 0.0
    steps: int = 0
    may_ask: bool = False
    rejected: list[Outcome] = field(default_factory=list)


class ScriptedAgent(ABC):
    """Base of the agents that play by a plan; a subclass answers `decide`.

    Args:
        host: The host to play, public knowledge.
        config: Costs and limits, public knowledge.
    """

    def __init__(self, host: Host, config: ProtocolConfig | None = None) -> None:
        self.host = host
        self.config = config if config is not None else ProtocolConfig()
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Forget the episode before."""
        self.rng = np.random.default_rng(seed)
        self.view = View()
        self.reading = Reading(self.host.frames[0], False)
        self._seen = 0
        self._queue: list[str] = []
        self._open: Outcome | None = None
        self._last: Move | None = None
        self._proposed = False
        self._supplied = False

    def act(self, observation: Observation, info: Mapping[str, Any]) -> Action:
        """Return the next action of the dialogue interface."""
        mask = [bool(m) for m in observation["action_mask"]]
        self._look(observation, mask)
        self._proposed = False
        if not (mask[ASK] or mask[ACT]):
            return self._commit(None if self.host.has_acts else self.best())
        if self._queue and mask[ACT]:
            return {"kind": ACT, "content": self._queue.pop(0)}
        if not isinstance(self._last, Commit):
            move = self.decide()
            if isinstance(move, Ask) and mask[ASK]:
                self._last = move
                text = read_back(self.host, move.conditions) if move.conditions else question(self.host, move.topics)
                return {"kind": ASK, "content": text}
            outcome = move.outcome if isinstance(move, Commit) else self.best()
            self._last = Commit(outcome) if outcome is not None else None
            if outcome is not None and outcome != self._open and mask[ACT]:
                self._queue = list(self.host.steps_to(outcome))[: max(0, self.view.steps - 1)]
                self._open = outcome
                if self._queue:
                    return {"kind": ACT, "content": self._queue.pop(0)}
        return self._commit(self._last.outcome if isinstance(self._last, Commit) else None)

    # -- what a subclass answers -------------------------------------------------------------------------------------
    @abstractmethod
    def decide(self) -> Move:
        """Return what to do next: called when nothing is under way."""

    def on_request(self) -> None:  # noqa: B027  # a hook: nothing to do is a fine answer
        """Take note of the request, which `reading` holds."""

    def on_supplied(self) -> None:  # noqa: B027  # a hook
        """Take note that `reading` holds what is wanted now (oracle condition)."""

    def on_told(self, told: Told, ask: Ask) -> None:
        """Take note of a reply; the default overwrites the reading by what was told."""
        self.apply(told)

    def on_rejected(self, outcome: Outcome, topics: Sequence[str]) -> None:  # noqa: B027  # a hook
        """Take note of a refusal and the topics it names."""

    # -- for subclasses ----------------------------------------------------------------------------------------------
    def best(self) -> Outcome | None:
        """Return the outcome that meets most of the reading and was not refused."""
        return self.host.best(self.reading.intent, frozenset(self.view.rejected))

    def apply(self, told: Told) -> None:
        """Overwrite the reading by what was told."""
        reading, table = self.reading, self.host.slot_table
        if told.frame is not None:
            if told.frame != reading.frame:
                self._turn_to(told.frame)
            reading.sure = True
        for condition in told.values:
            self.put(condition)
        for condition in told.unwanted:
            for slot in table.by_topic[table.topic_of[condition.slot]]:
                if slot.id in reading.said and reading.said[slot.id].value == condition.value:
                    del reading.said[slot.id]
        for topic in told.free:
            for slot in table.by_topic[topic]:
                reading.said.pop(slot.id, None)
            reading.doubts.pop(topic, None)

    def put(self, condition: Condition) -> None:
        """Put a told value into the reading; a tag goes beside the other tags of its topic."""
        reading, table = self.reading, self.host.slot_table
        topic = table.topic_of[condition.slot]
        slots = table.by_topic[topic]
        if slots[0].kind == "tag":
            held = [reading.said[s.id].value for s in slots if s.id in reading.said]
            free = [s for s in slots if s.id not in reading.said]
            if condition.value not in held and free:
                reading.said[free[0].id] = Condition(free[0].id, free[0].op, condition.value)
        else:
            reading.said[condition.slot] = condition
        reading.doubts.pop(topic, None)

    def _turn_to(self, frame: str) -> None:
        reading = self.reading
        reading.frame = frame
        reading.doubts.clear()
        reading.said = {
            s: c
            for s, c in reading.said.items()
            if c.value in (domain := self.host.domain(s, frame)) or (self.host.slot(s).kind == "number" and len(domain))
        }

    @property
    def literal(self) -> Intent:
        """The reading as an intent."""
        return self.reading.intent

    # -- inside ------------------------------------------------------------------------------------------------------
    def _commit(self, outcome: Outcome | None) -> Action:
        if outcome is None and not isinstance(self._last, Commit):
            self._last = Commit(self._open or "")
        content = "" if self.host.has_acts or outcome is None else outcome
        self._proposed = True
        return {"kind": COMMIT, "content": content}

    def _look(self, observation: Observation, mask: Sequence[bool]) -> None:
        """Read the messages that are new."""
        dialogue = observation["dialogue"]
        new = dialogue[self._seen :]
        self.view.patience = float(observation["patience"][0])
        self.view.steps = max(1, self.host.turn_cap - int(observation["turn"][0]))
        self.view.may_ask = mask[ASK]
        if not self._seen:
            self.view.full = self.view.patience
            spoken = [m["role"] for m in new].index("user") if any(m["role"] == "user" for m in new) else len(new)
            self.reading = read_request(self.host, new[spoken]["content"] if spoken < len(new) else "")
            self._supplied = any(m["role"] == "host" for m in new[spoken:])  # before it stands the host's material
            self.on_request()
            new = ()
        self._seen = len(dialogue)
        for message in new:
            if message["role"] == "user":
                self._hear(message["content"])
            elif message["role"] == "host" and self._proposed:
                self._last = self._open = None  # nothing was judged
        if self._supplied and dialogue[-1]["role"] == "host":
            self.reading = read_request(self.host, dialogue[-1]["content"])
            self.reading.doubts.clear()
            self.on_supplied()

    def _hear(self, text: str) -> None:
        last, self._last = self._last, None
        if isinstance(last, Commit):
            self.view.rejected.append(last.outcome)
            self.on_rejected(last.outcome, read_reply(self.host, text, self.reading.frame).topics)
            return
        ask = last if last is not None else Ask()
        topics = ask.topics or tuple(dict.fromkeys(self.host.slot_table.topic_of[c.slot] for c in ask.conditions))
        stated = {c.slot: c for c in ask.conditions}
        self.on_told(read_reply(self.host, text, self.reading.frame, topics, stated), ask)
