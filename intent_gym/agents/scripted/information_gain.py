"""Information gain: asks what tells most about which outcomes are right, as long as commits can still use it.

Source: Choudhury, Williamson, Golinski, Miao, Bickford Smith, Kirchhof, Zhang and Rainforth, "BED-LLM: Intelligent
Information Gathering with LLMs and Bayesian Experimental Design" (ICLR 2026, arXiv 2508.21184). There a model proposes
hypotheses and answers; here hypotheses are drawn from the host's own outcomes and an answer is certain given one, so
that the gain of a question is the entropy of the cut it makes. Differences: questions may read values back, a drift
that is due makes an answer tell less, and a question is dropped where the commit it costs is worth more.
Pitfall: entropy alone loves topics with many values that do not matter; hypotheses leave such topics free.
"""

from __future__ import annotations

from intent_gym.agents.scripted.belief import Prior
from intent_gym.agents.scripted.believer import BelievingAgent
from intent_gym.agents.scripted.play import Move
from intent_gym.core.config import ProtocolConfig
from intent_gym.envs.host import Host

__all__ = ["InformationGainAgent"]

LOOK_AHEAD = 3
"""Questions that are looked at in pairs."""
MARGIN = 0.02
"""Chance of success for which no question is put."""
_TIE = 0.01


class InformationGainAgent(BelievingAgent):
    """Puts the question of highest gain among those that raise the chance of success most.

    Args:
        host: The host to play, public knowledge.
        config: Costs and limits, public knowledge.
        prior: How far requests are trusted.
        margin: Chance of success for which no question is put; more keeps more patience.
    """

    def __init__(
        self, host: Host, config: ProtocolConfig | None = None, prior: Prior | None = None, margin: float = MARGIN
    ) -> None:
        super().__init__(host, config, prior)
        self.margin = margin

    def decide(self) -> Move:
        """Return the next question or commit."""
        planner, prospect = self.plan()
        if not prospect.options or not self.view.may_ask:
            return self.commit_to(prospect)
        ranked = sorted(prospect.options, key=lambda o: (-o.value, -o.gain))[:LOOK_AHEAD]
        pairs = {
            (i, j): planner.pair(ranked[i].ask, ranked[j].ask)
            for i in range(len(ranked))
            for j in range(len(ranked))
            if i != j
        }
        worth = [max([ranked[i].value, *(v for (a, _), v in pairs.items() if a == i)]) for i in range(len(ranked))]
        best = max(worth)
        if max(prospect.value, prospect.later) > best - self.margin:
            return self.commit_to(prospect)
        good = [o for o, w in zip(ranked, worth, strict=True) if w >= best - _TIE]
        return max(good, key=lambda o: o.gain).ask
