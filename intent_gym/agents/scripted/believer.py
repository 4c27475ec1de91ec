"""Base of the agents that keep a belief: it follows replies, refusals and the drifts that fall due."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from intent_gym.agents.scripted.belief import Belief, Prior
from intent_gym.agents.scripted.planner import Planner, Prospect, persona_of
from intent_gym.agents.scripted.play import Ask, Commit, Move, ScriptedAgent
from intent_gym.agents.scripted.reading import Told
from intent_gym.core.config import ProtocolConfig
from intent_gym.core.personas import Persona
from intent_gym.envs.host import Host, Outcome

__all__ = ["BelievingAgent"]


class BelievingAgent(ScriptedAgent):
    """An agent that decides by a `Belief`.

    Args:
        host: The host to play, public knowledge.
        config: Costs and limits, public knowledge.
        prior: How far requests are trusted.
    """

    def __init__(self, host: Host, config: ProtocolConfig | None = None, prior: Prior | None = None) -> None:
        self.prior = prior if prior is not None else Prior()
        super().__init__(host, config)

    def reset(self, seed: int) -> None:
        """Forget the episode before."""
        super().reset(seed)
        self.belief = Belief(self.host, self.reading, self.prior)
        self.persona: Persona = persona_of(self.config.patience, self.config)
        self._marks: list[float] = []
        self._fruitless: dict[str, int] = {}

    # -- what happens ------------------------------------------------------------------------------------------------
    def on_request(self) -> None:
        """Believe the request."""
        self.persona = persona_of(self.view.full, self.config)
        self._marks = [m * self.view.full for m in self.persona.marks] if self.config.drift is not None else []
        self.belief = Belief(self.host, self.reading, self.prior)

    def on_supplied(self) -> None:
        """Believe what is said to be wanted now."""
        self._marks = []
        self.belief = Belief(self.host, self.reading, Prior(wrong=0.01, needless=0.01, left_out=0.02))

    def on_told(self, told: Told, ask: Ask) -> None:
        """Take in a reply, then the drift that may have followed it."""
        self.apply(told)
        belief, table = self.belief, self.host.slot_table
        if told.frame is not None:
            if told.frame != belief.frame:
                belief.turn_to(told.frame)
            belief.elsewhere = 0.01
        for condition in told.values:
            self._contradicted(ask, table.topic_of[condition.slot])
            belief.tell(condition)
        for condition in told.unwanted:
            belief.drop(condition)
        for topic in told.free:
            held = [c for c in ask.conditions if table.topic_of[c.slot] == topic]
            if held and table.by_topic[topic][0].kind == "tag":
                belief.deny(held)
            else:
                belief.free(topic)
        if told.confirmed:
            belief.confirm(ask.conditions)
        if told.foreign:
            belief.elsewhere = max(belief.elsewhere, 0.97)
        answered = told.frame is not None or told.values or told.free or told.confirmed or told.foreign or told.unwanted
        for topic in ask.topics:
            self._fruitless[topic] = 0 if answered or told.declined else self._fruitless.get(topic, 0) + 1
        self._exchange()

    def _contradicted(self, ask: Ask, topic: str) -> None:
        """Take in that a value was told against a read-back: what was read back before it is right."""
        table = self.host.slot_table
        wrong = [c for c in ask.conditions if table.topic_of[c.slot] == topic]
        if not wrong:
            return
        if table.by_topic[topic][0].kind == "tag":
            self.belief.deny(wrong, more=0.15)
        if self.persona.answers == 1:
            self.belief.confirm(list(itertools.takewhile(lambda c: c is not wrong[0], ask.conditions)))

    def on_rejected(self, outcome: Outcome, topics: Sequence[str]) -> None:
        """Take in a refusal: due drifts fired before it, another may follow."""
        while self._marks and self._marks[0] >= self.view.patience + self.config.cost_rejection:
            self._marks.pop(0)
            self.belief.drift(self.config.drift)
        self.belief.refuse(outcome, topics)
        self._exchange()

    def _exchange(self) -> None:
        if self._marks and self._marks[0] >= self.view.patience:
            self._marks.pop(0)
            self.belief.drift(self.config.drift)

    # -- deciding ----------------------------------------------------------------------------------------------------
    def plan(self) -> tuple[Planner, Prospect]:
        """Return what lies ahead."""
        planner = Planner(self.belief, self.config, self.persona, self.rng, self.view.patience, self._marks)
        return planner, planner.prospect([t for t, n in self._fruitless.items() if n > 0])

    def commit_to(self, prospect: Prospect) -> Move:
        """Return the commit to the likeliest outcome."""
        return Commit(self.belief.columns.outcome(prospect.row))
