"""The slots interface of the evolving protocol: the utterance's events in, what the agent makes of them out.

Actions: set(slot i) and drop(slot i) for each of the host's public slots but the frame's, ignore, commit. The
observation holds one event at a time: which slot was spoken of, with which value, and whether it was added, replaced
or withdrawn. The beliefs are exactly what the agent applied, so waiting wins nothing: `set` takes over the event's
value if the event is about that slot, `drop` forgets what is believed of a slot, `ignore` does nothing. Each takes the
agent to the next event; when an utterance has none left, the user is let go on. `commit` proposes the host's best
answer to the beliefs. No string is built.
"""

from __future__ import annotations

import operator

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from intent_gym.core.edits import ACTS, GoalEdit, most_turns
from intent_gym.core.intent import Condition, Intent
from intent_gym.core.record import Step
from intent_gym.core.silent import ACT, COMMIT, MALFORMED
from intent_gym.envs.game import Action, EvolvingGame
from intent_gym.envs.host import Host
from intent_gym.envs.interfaces import Interface

__all__ = ["EDIT_GLOBAL_FEATURES", "EDIT_SLOT_FEATURES", "EditsInterface"]

EDIT_GLOBAL_FEATURES = (
    "turn",  # steps / the most that any plan has for the host's slots, at most 1: the plan's length is not shown
    "requested",  # the user has asked for the answer
    "final",  # exactly one more step follows
    "event",  # an event is shown
    *ACTS,  # what the event does, one of them 1
)
"""Features of the dialogue, all in [0, 1]; they come first."""
EDIT_SLOT_FEATURES = (
    "believed",  # the beliefs hold a value
    "value",  # that value's place in the frame's domain, (1 + index) / size; 0 for none
    "spoken",  # the event is about this slot
    "new",  # the value that the event gives or withdraws, as above
    "old",  # the value that the event replaces, as above
    "agrees",  # the beliefs hold the value that the event withdraws or replaces
    "mentions",  # events about this slot so far / 16, at most 1
)
"""Features of each slot, all in [0, 1]."""

_G = len(EDIT_GLOBAL_FEATURES)
_S = len(EDIT_SLOT_FEATURES)


class EditsInterface(Interface[EvolvingGame]):
    """Observation ``{"observations": Box, "action_mask": Box}``, action Discrete(2 x (number of slots - 1) + 2).

    Attributes:
        beliefs: What the agent has applied so far; None before the first reset.
        events: What the last utterance said that was not looked at yet.
    """

    wordy = False

    def __init__(self, host: Host) -> None:
        """Make the spaces over a host's public slots."""
        self._host = host
        self._slots = tuple(s.id for s in host.slots[1:])
        self._count = len(self._slots)
        self._most = most_turns(self._count)
        self._n = 2 * self._count + 2
        self._index = {s: i for i, s in enumerate(self._slots)}
        width = _G + _S * self._count
        self.observation_space = spaces.Dict(
            {
                "observations": spaces.Box(0.0, 1.0, (width,), np.float32),
                "action_mask": spaces.Box(0.0, 1.0, (self._n,), np.float32),
            }
        )
        self.action_space = spaces.Discrete(self._n)
        self.beliefs: Intent | None = None
        self.events: list[GoalEdit] = []
        self._mentions = [0] * self._count
        self._meanings = (
            *(f"set {s}" for s in self._slots),
            *(f"drop {s}" for s in self._slots),
            *("ignore", "commit"),
        )

    # -- the interface -----------------------------------------------------------------------------------------------
    def decode(self, action: object) -> Action:
        """Read a whole number below ``action_space.n``."""
        try:
            number = operator.index(action)  # type: ignore[arg-type]  # what is no whole number has no index
        except TypeError:
            number = -1
        if 0 <= number < self._n - 1:
            return Action(ACT, self._meanings[number])
        if number == self._n - 1:
            return Action(COMMIT, "")
        return Action(MALFORMED, "", f"expected a whole number from 0 to {self._n - 1}")

    def play(self, action: Action, game: EvolvingGame) -> Step:
        """Carry out an action and show the next event."""
        if action.reason:
            return game.episode.malformed(action.content, action.reason)
        assert self.beliefs is not None  # reset has been called
        if action.kind == COMMIT:
            step = game.propose(self._host.best(self._host.closed(self.beliefs), frozenset()))
            self.events = []
        else:
            self._apply(action.content)
            last = len(self.events) <= 1
            self.events = self.events[1:]
            step = game.say(action.content) if last else game.note(action.content)
        self._hear(step, game)
        return step

    def reset(self, game: EvolvingGame) -> None:
        """Believe nothing but the frame, and show the opening's first event."""
        episode = game.episode
        self.beliefs = Intent(episode.intent.frame, ())
        self._mentions = [0] * self._count
        self.events = []
        if episode.telling.evolves:
            self._show(list(episode.plan.edits[: episode.plan.opening]))
        else:
            order = self._host.slot_table.index
            told = sorted(episode.intent.conditions, key=lambda c: order[c.slot])
            self._show([GoalEdit("add", c) for c in told])

    def observe(self, game: EvolvingGame) -> dict[str, NDArray[np.float32]]:
        """Return the vector and the mask, both new."""
        assert self.beliefs is not None  # reset has been called
        episode = game.episode
        vector = np.zeros(_G + _S * self._count, dtype=np.float32)
        vector[:4] = (min(1.0, episode.turn / self._most), episode.requested, episode.final, bool(self.events))
        table = vector[_G:].reshape(self._count, _S)
        for condition in self.beliefs.conditions:
            table[self._index[condition.slot], :2] = (1.0, self._place(condition))
        if self.events:
            event = self.events[0]
            vector[4 + ACTS.index(event.act)] = 1.0
            row = table[self._index[event.condition.slot]]
            row[2:4] = (1.0, self._place(event.condition))
            row[4] = 0.0 if event.before is None else self._place(event.before)
            stale = event.condition if event.act == "delete" else event.before
            row[5] = stale is not None and stale in self.beliefs.conditions
        table[:, 6] = np.minimum(np.array(self._mentions, dtype=np.float32) / 16.0, 1.0)
        return {"observations": vector, "action_mask": self.mask(game).astype(np.float32)}

    def mask(self, game: EvolvingGame) -> NDArray[np.int8]:
        """Return which actions are available; shape (2 x (number of slots - 1) + 2,)."""
        can_ask, _, can_commit = game.episode.available
        return np.array([can_ask] * (self._n - 1) + [can_commit], dtype=np.int8)

    def meanings(self) -> tuple[str, ...]:
        """Return "set <slot id>" and "drop <slot id>" for every slot but the frame, "ignore", "commit"."""
        return self._meanings

    # -- inside ------------------------------------------------------------------------------------------------------
    def _place(self, condition: Condition) -> float:
        """Return where a value stands in the frame's domain, in (0, 1]."""
        assert self.beliefs is not None  # reset has been called
        values = self._host.domain(condition.slot, self.beliefs.frame)
        return (1 + values.index(condition.value)) / len(values) if condition.value in values else 0.0

    def _apply(self, meaning: str) -> None:
        assert self.beliefs is not None  # reset has been called
        verb, _, slot = meaning.partition(" ")
        if verb == "drop":
            self.beliefs = self.beliefs.without(slot)
        elif verb == "set" and self.events and self.events[0].condition.slot == slot:
            self.beliefs = self.beliefs.having(self.events[0].condition)

    def _hear(self, step: Step, game: EvolvingGame) -> None:
        heard = [GoalEdit.from_json(e["edit"]) for e in step.events if e["type"] == "edit"]
        if heard:
            self._show(heard)
        if game.episode.telling.supplied and any(e["type"] == "request" for e in step.events):
            self.beliefs = game.episode.intent

    def _show(self, events: list[GoalEdit]) -> None:
        self.events = [*self.events, *events]
        for event in events:
            self._mentions[self._index[event.condition.slot]] += 1
