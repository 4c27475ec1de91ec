"""No Ask: reads the request literally and buys its way through what fits.

Source: the baseline B0 of Drift-Bench++, which has no clarifying action. Pitfall: with nothing hidden it is hard to
beat, so a comparison needs complete requests beside faulted ones.
"""

from __future__ import annotations

from intent_gym.agents.scripted.play import Commit, Move, ScriptedAgent

__all__ = ["NoAskAgent"]


class NoAskAgent(ScriptedAgent):
    """Commits to the best outcome of its literal reading, and after a refusal to the next."""

    def decide(self) -> Move:
        """Return the commit to the best outcome that was not refused."""
        return Commit(self.best() or self.view.rejected[-1])
