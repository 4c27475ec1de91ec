"""Ask all: everything in one message, then acts.

The probe that a protocol must withstand: a user who answered it in full would make asking free. Users here answer one
thing, or say that it is too much at once (PROTOCOL 6), and the question is paid for.
"""

from __future__ import annotations

from intent_gym.agents.scripted.lexicon import lexicon
from intent_gym.agents.scripted.play import Ask, Commit, Move, ScriptedAgent

__all__ = ["AskAllAgent"]


class AskAllAgent(ScriptedAgent):
    """Asks about every topic of the frame in one message, once, then commits as its reading says."""

    def reset(self, seed: int) -> None:
        """Forget the episode before."""
        super().reset(seed)
        self._asked = False

    def decide(self) -> Move:
        """Return the one long question, then commits."""
        if not self._asked and self.view.may_ask:
            self._asked = True
            return Ask(lexicon(self.host, self.reading.frame).topics_of_frame())
        return Commit(self.best() or self.view.rejected[-1])
