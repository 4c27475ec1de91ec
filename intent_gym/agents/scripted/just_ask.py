"""Just Ask: one question about what its reading leaves open, then acts.

Source: the baseline A0 of Drift-Bench++, after Li, Tamkin, Goodman and Andreas, "Eliciting Human Preferences with
Language Models" (ICLR 2025, arXiv 2310.11589); there a model asks freely, here a rule picks the one question. Pitfall:
it asks before the first commit, where a drift that is due makes the answer old at once.
"""

from __future__ import annotations

from intent_gym.agents.scripted.lexicon import lexicon
from intent_gym.agents.scripted.play import Ask, Commit, Move, ScriptedAgent

__all__ = ["JustAskAgent"]


class JustAskAgent(ScriptedAgent):
    """Asks once: about a topic in doubt, else the unmentioned one with most values among the candidates."""

    def reset(self, seed: int) -> None:
        """Forget the episode before."""
        super().reset(seed)
        self._asked = False

    def decide(self) -> Move:
        """Return the one question, then commits."""
        if not self._asked and self.view.may_ask:
            self._asked = True
            topic = self._open_topic()
            if topic is not None:
                return Ask((topic,))
        return Commit(self.best() or self.view.rejected[-1])

    def _open_topic(self) -> str | None:
        if not self.reading.sure:
            return self.host.frame_slot.topic
        if self.reading.doubts:
            return next(iter(self.reading.doubts))
        table = self.host.slot_table
        _, values = self.host.counts(self.literal)
        held = {table.topic_of[s] for s in self.reading.said}
        spread = {t: max(float(values[table.index[s.id]]) for s in table.by_topic[t]) for t in self._topics()}
        unsaid = {t: n for t, n in spread.items() if t not in held and n > 1.0}
        return max(unsaid, key=lambda t: unsaid[t]) if unsaid else None

    def _topics(self) -> tuple[str, ...]:
        return lexicon(self.host, self.reading.frame).topics_of_frame()[1:]
