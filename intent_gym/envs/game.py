"""One running episode on a host: the protocol's episode, the browsing session and the messages."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from intent_gym.core.evolving import EvolvingEpisode
from intent_gym.core.intent import Intent
from intent_gym.core.language.speak import neutral
from intent_gym.core.language.understand import understand
from intent_gym.core.narration import Message, agent_message, current, narrate, narrate_evolving, opening_of
from intent_gym.core.record import Step
from intent_gym.core.silent import ACT, ASK, COMMIT, SilentEpisode
from intent_gym.core.user import Understanding
from intent_gym.envs.host import Host, Outcome
from intent_gym.envs.hosts import lexicon_of

__all__ = ["Action", "EvolvingGame", "Game", "SilentGame"]


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


class Game(ABC):
    """A dialogue with a person about a host.

    Attributes:
        host: The public world.
        episode: The protocol's state.
        session: The host's browsing state.
        opening: The messages before the first action.
        messages: The dialogue so far; what followed the opening only where `wordy` is True.
        wordy: Whether text is built as the game goes on.
        key: Episode key.
    """

    episode: SilentEpisode | EvolvingEpisode

    def __init__(self, host: Host, key: int, opening: Sequence[Message], brief: str, *, wordy: bool) -> None:
        """Open the dialogue: what the host shows of the frame, then what the user says."""
        self.host = host
        self.key = key
        self.wordy = wordy
        self.session = host.open_session()
        self.opening = [*([Message("host", brief)] if brief else ()), *opening]
        self.messages = list(self.opening)

    def play(self, action: Action) -> Step:
        """Carry out an action given as text."""
        episode = self.episode
        if action.reason:
            step = episode.malformed(action.content, action.reason)
        elif action.kind == ASK and not any(c.isalnum() for c in action.content):
            step = episode.malformed(action.content, "expected a question in words, got none")
        elif action.kind == ASK:
            step = self._ask(action.content)
        elif action.kind == ACT:
            step = self._act(action.content)
        else:
            outcome = self.host.proposal(self.session, action.content)
            step = episode.commit(action.content, outcome, self.host.commit_help)
        if self.wordy:
            self.messages.append(agent_message(step))
            self.messages += self._told(step, episode.turn)
        if step.kind == COMMIT and step.events[-1]["type"] != "end":
            self._after_rejection(step)
        return step

    def propose(self, outcome: Outcome | None) -> Step:
        """Commit to an outcome, without browsing to it."""
        return self.episode.commit("", outcome, self.host.commit_help)

    @abstractmethod
    def dialogue(self) -> list[Message]:
        """Return all messages; where the interface builds no text they are told now."""

    @property
    @abstractmethod
    def progress(self) -> str:
        """Return patience and turns in a few words, for people and text agents."""

    @abstractmethod
    def facts(self) -> dict[str, Any]:
        """Return the fields of the record that depend on the protocol."""

    @abstractmethod
    def oracle(self) -> dict[str, Any]:
        """Return the privileged view (see `DriftEnv.oracle`)."""

    @abstractmethod
    def _ask(self, content: str) -> Step:
        """Say something to the user."""

    @abstractmethod
    def _told(self, step: Step, turn: int) -> Iterator[Message]:
        """Yield what the user and the host say in a step."""

    def _after_rejection(self, step: Step) -> None:
        """Let the host react to a commit that was judged and not accepted."""
        if any(e["type"] == "commit" and not e["accepted"] for e in step.events):
            self.session, said = self.host.rejected(self.session)
            if said is not None:
                self.messages.append(Message("host", said))

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


class SilentGame(Game):
    """A dialogue of the silent protocol.

    Attributes:
        supplied: Whether the current conditions are supplied at every step (oracle condition).
    """

    episode: SilentEpisode

    def __init__(
        self,
        host: Host,
        episode: SilentEpisode,
        key: int,
        *,
        wordy: bool,
        condition: str,
        length: int,
    ) -> None:
        """Open the dialogue: the request, then the neutral turns of the control condition."""
        opening = [Message("user", episode.sample.request.text)]
        for i in range(length if condition == "control" else 0):
            opening += [Message("agent", "Noted."), Message("user", neutral(key, i))]
        frame = episode.intent.frame
        shown = (host.brief(frame), host.open_values(frame)) if wordy else ()
        super().__init__(host, key, opening, "\n\n".join(filter(None, shown)), wordy=wordy)
        self.episode = episode
        self.supplied = condition == "oracle"
        if wordy:
            self.messages += self._current()

    def ask_slot(self, slot_id: str) -> Step:
        """Ask about one slot, without words."""
        step, _ = self.episode.ask(Understanding(slots=(slot_id,)), slot_id)
        return step

    def browse(self) -> Step:
        """Note a free search, without words."""
        return self.episode.act("browse")

    def _ask(self, content: str) -> Step:
        step, _ = self.episode.ask(understand(content, lexicon_of(self.host)), content)
        return step

    def _told(self, step: Step, turn: int) -> Iterator[Message]:
        yield from narrate(step, self.host.slot_table, self.episode.persona.name, self.key, turn)
        if self.wordy and self.episode.end_reason is None:
            yield from self._current()

    def _current(self) -> Iterator[Message]:
        if self.supplied:
            yield current(self.episode.oracle().intent, self.host.slot_table)

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
            messages += self._told(step, turn)
        return messages

    @property
    def progress(self) -> str:
        """Return patience and turns, each with its limit."""
        e = self.episode
        return f"patience {e.patience:g} of {e.budget:g}, turn {e.turn} of {e.turn_cap}"

    def facts(self) -> dict[str, Any]:
        """Return persona, faults, guess ceiling, opening and hidden slots."""
        episode = self.episode
        request = episode.sample.request
        return {
            "persona": episode.persona.name,
            "faults": request.faults,
            "guess_ceiling": episode.sample.guess_ceiling(episode.config.commits(episode.budget)),
            "opening": request.text,
            "hidden": request.hidden,
        }

    def oracle(self) -> dict[str, Any]:
        """Return the intent that a commit made now would be judged against, due drifts included."""
        view = self.episode.oracle()
        told = self.episode.user.told
        wanted = self.host.slot_table.wants(view.intent)
        return {
            **_shown(view.intent),
            "hidden": list(view.hidden),
            "revealed": [s for s, c in wanted.items() if s in told and told[s] == c.value],
            "drifts": view.drifts,
        }


class EvolvingGame(Game):
    """A dialogue of the evolving protocol.

    Attributes:
        restates: Whether the last user turn sums up what holds (the diagnostic option `restate`).
    """

    episode: EvolvingEpisode

    def __init__(self, host: Host, episode: EvolvingEpisode, key: int, *, wordy: bool, restates: bool = False) -> None:
        """Open the dialogue with the first edits, or with the whole intent."""
        self.restates = restates
        opening = Message("user", opening_of(episode, host.told(episode.intent.frame), host.slot_table, key, restates))
        brief = host.brief(episode.intent.frame) if wordy else ""
        super().__init__(host, key, [opening], brief, wordy=wordy)
        self.episode = episode

    def say(self, content: str) -> Step:
        """Answer the user without words that matter: they go on."""
        return self.episode.ask(content)

    def note(self, content: str) -> Step:
        """Note a step in which the user is not answered yet."""
        return self.episode.act(content)

    def _ask(self, content: str) -> Step:
        return self.episode.ask(content)

    def _told(self, step: Step, turn: int) -> Iterator[Message]:
        return narrate_evolving(step, self.episode, self.host.slot_table, self.key, turn, restates=self.restates)

    def dialogue(self) -> list[Message]:
        """Return all messages; where the interface builds no text they are told now."""
        if self.wordy:
            return list(self.messages)
        messages = list(self.opening)
        for turn, step in enumerate(self.episode.steps, 1):
            shown = (
                step.content if step.kind in (ASK, ACT) else "commit" if step.kind == COMMIT else "(malformed action)"
            )
            messages += [Message("agent", shown), *self._told(step, turn)]
        return messages

    @property
    def progress(self) -> str:
        """Return the turn alone: its limit would tell how many edits are to come."""
        return f"turn {self.episode.turn}"

    def facts(self) -> dict[str, Any]:
        """Return the plan and the opening; there are no faults and no decision style."""
        plan = self.episode.plan
        return {
            "persona": "",
            "faults": (),
            "guess_ceiling": 1.0,
            "opening": self.opening[-1].content,
            "hidden": (),
            "plan": plan.to_json(),
        }

    def oracle(self) -> dict[str, Any]:
        """Return G* and which of its goals hold already."""
        episode = self.episode
        now = episode.state
        return {
            **_shown(episode.intent),
            "hidden": [],
            "revealed": [c.slot for c in episode.intent.conditions if c in now.conditions],
            "drifts": 0,
        }


def _shown(intent: Intent) -> dict[str, Any]:
    return {"frame": intent.frame, "conditions": {c.slot: [c.op, c.value] for c in intent.conditions}}
