"""Calibrate-then-act: asks while the rejections it expects to save cost more than the question.

Source: Ding, Tomlin and Durrett, "Calibrate-Then-Act: Cost-Aware Exploration in LLM Agents" (arXiv 2602.16699): the
agent is given a prior about what is hidden and the price of looking. The rule is ours: ask if (refused commits saved) *
(price of a rejection) > (price of a question), and only if a rejection can still be paid for afterwards. Pitfall: a
prior that trusts requests too much never asks, one that trusts them too little spends all patience on questions.
"""

from __future__ import annotations

from intent_gym.agents.scripted.believer import BelievingAgent
from intent_gym.agents.scripted.play import Move

__all__ = ["CalibratedAgent"]


class CalibratedAgent(BelievingAgent):
    """Asks by price: the question that saves most refused commits, if that pays."""

    def decide(self) -> Move:
        """Return the next question or commit."""
        _, prospect = self.plan()
        patience, config = self.view.patience, self.config
        affordable = patience - config.cost_question >= config.cost_rejection
        if not prospect.options or not self.view.may_ask or not affordable:
            return self.commit_to(prospect)
        option = max(prospect.options, key=lambda o: (o.saved, o.gain))
        return option.ask if option.saved * config.cost_rejection > config.cost_question else self.commit_to(prospect)
