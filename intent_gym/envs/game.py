"""One running episode on a host: the protocol's episode, the browsing session and the messages."""

from __future__ import annotations

from typing import NamedTuple

from intent_gym.core.language.lexicon import Lexicon
from intent_gym.core.language.speak import neutral
from intent_gym.core.language.understand import understand
from intent_gym.core.narration import Message, agent_message, current, narrate
from intent_gym.core.record import Step
from intent_gym.core.silent import ACT, ASK, COMMIT, SilentEpisode
from intent_gym.core.user import Understanding
from intent_gym.envs.host import Host, Outcome

__all__ = ["Action", "Game"]


class Action(NamedTuple):
    """A decoded action.

    Attributes:
        kind: 0 ask, 1 act, 2 commit, -1 none of them.
        content: Text as given (shortened where longer than allowed), or a slot id in slots.
        reason: Why it is malformed; "" if it is not.
    """

    kind: int
    content: str
    reason: str = ""


class Game:
    """A dialogue with a person about a host.

    Attributes:
        host: The public world.
        episode: The protocol's state.
        session: The host's browsing state.
        messages: The dialogue so far; empty where `wordy` is False.
        wordy: Whether text is built as the game goes on.
        supplied: Whether the current conditions are supplied at every step (oracle condition).
    """

    def __init__(
        self,
        host: Host,
        episode: SilentEpisode,
        lexicon: Lexicon,
        key: int,
        *,
        wordy: bool,
        condition: str,
        length: int,
    ) -> None:
        """Open the dialogue: the request, then the neutral turns of the control condition."""
        self.host = host
        self.episode = episode
        self.session = host.open_session()
        self.wordy = wordy
        self.key = key
        self._lexicon = lexicon
        self.supplied = condition == "oracle"
        self.opening = [Message("user", episode.sample.request.text)]
        for i in range(length if condition == "control" else 0):
            self.opening += [Message("agent", "Noted."), Message("user", neutral(key, i))]
        self.messages = list(self.opening)
        self._tell_current()

    def play(self, action: Action) -> Step:
        """Carry out an action given as text."""
        episode = self.episode
        if action.reason:
            step = episode.malformed(action.content, action.reason)
        elif action.kind == ASK and not any(c.isalnum() for c in action.content):
            step = episode.malformed(action.content, "expected a question in words, got none")
        elif action.kind == ASK:
            step, _ = episode.ask(understand(action.content, self._lexicon), action.content)
        elif action.kind == ACT:
            step = self._act(action.content)
        else:
            outcome = self.host.proposal(self.session, action.content)
            step = episode.commit(action.content, outcome, self.host.commit_help)
        self._tell(step)
        if step.kind == COMMIT and step.events[-1]["type"] != "end":
            self._after_rejection(step)
        return step

    def _after_rejection(self, step: Step) -> None:
        """Let the host react to a commit that was judged and not accepted."""
        if any(e["type"] == "commit" and not e["accepted"] for e in step.events):
            self.session, said = self.host.rejected(self.session)
            if said is not None:
                self.messages.append(Message("host", said))

    def ask_slot(self, slot_id: str) -> Step:
        """Ask about one slot, without words."""
        step, _ = self.episode.ask(Understanding(slots=(slot_id,)), slot_id)
        return step

    def browse(self) -> Step:
        """Note a free search, without words."""
        return self.episode.act("browse")

    def propose(self, outcome: Outcome | None) -> Step:
        """Commit to an outcome, without browsing to it."""
        return self.episode.commit("", outcome, self.host.commit_help)

    def _act(self, text: str) -> Step:
        if not self.host.has_acts:
            return self.episode.act(text, malformed="there is nothing to act on here: ask the user or commit")
        if self.episode.final:
            return self.episode.act(text)
        result = self.host.act(self.session, text)
        self.session = result.session
        if result.malformed:
            return self.episode.act(text, malformed=result.message)
        own = self.host.concerns(self.episode.intent.frame, result.owner)
        stated = result.stated if own else ()
        return self.episode.act(text, message=result.message, stated=stated, wrote=result.wrote)

    def _tell(self, step: Step) -> None:
        if not self.wordy:
            return
        self.messages.append(agent_message(step))
        self.messages += narrate(step, self.host.slot_table, self.episode.persona.name, self.key, self.episode.turn)
        if self.episode.end_reason is None:
            self._tell_current()

    def _tell_current(self) -> None:
        if self.supplied and self.wordy:
            self.messages.append(current(self.episode.oracle().intent, self.host.slot_table))

    def dialogue(self) -> list[Message]:
        """Return all messages; where the interface builds no text they are told now."""
        if self.wordy:
            return list(self.messages)
        messages = list(self.opening)
        for turn, step in enumerate(self.episode.steps, 1):
            if step.kind == ASK:
                word = self.host.slot(step.content).word
                messages.append(Message("agent", f"ask: {word}"))
            else:
                shown = {ACT: "browse", COMMIT: "commit"}.get(step.kind, "(malformed action)")
                messages.append(Message("agent", shown))
            messages += narrate(step, self.host.slot_table, self.episode.persona.name, self.key, turn)
        return messages
