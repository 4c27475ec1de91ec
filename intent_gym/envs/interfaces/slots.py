"""The slots interface: a flat vector and a Discrete action. For Stable-Baselines3, RLlib and CleanRL-style loops.

Actions: ask(slot i) for each of the host's public slots, browse, commit. The environment keeps the beliefs: the literal
request, overwritten by the newest value told. `browse` is one free search on the beliefs; `commit` proposes the
best candidate under the beliefs that was not rejected since they last changed. No string is built.
"""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from intent_gym.core.intent import Condition, Intent
from intent_gym.core.record import Event, Step
from intent_gym.core.silent import ACT, ASK, COMMIT, MALFORMED
from intent_gym.envs.game import Action, SilentGame
from intent_gym.envs.host import Host, Outcome
from intent_gym.envs.interfaces import Interface

__all__ = ["GLOBAL_FEATURES", "SLOT_FEATURES", "SlotsInterface"]

SLOT_FEATURES = (
    "known",  # the beliefs hold a value
    "from_request",  # that value comes from the opening request
    "granted",  # that value was an answer
    "volunteered",  # that value was added unasked
    "does_not_matter",  # the user said so
    "declined",  # the last ask of it was not answered
    "asked",  # asks so far / 4, at most 1
    "age",  # turns since the value was learned / (turn cap + 1)
    "values",  # log2(1 + distinct values among the candidates of the last browse) / 12, at most 1
    "hinted",  # a refusal named its topic since its value was learned
)
"""Features of each slot, all in [0, 1]."""
GLOBAL_FEATURES = (
    "patience",  # patience left / b0
    "turn",  # turns / turn cap, at most 1
    "final",  # exactly one more step follows
    "last_chance",  # a commit made now is the final answer
    "rejections",  # rejected commits / 4, at most 1
    "rejected",  # the beliefs have not changed since the last rejection
    "browsed",  # the candidates below are those of the present beliefs
    "candidates",  # log2(1 + candidates of the last browse) / 12, at most 1
)
"""Features of the dialogue, all in [0, 1]; they come first."""

_G = len(GLOBAL_FEATURES)
_S = len(SLOT_FEATURES)
_SCALE = 12.0


class SlotsInterface(Interface[SilentGame]):
    """Observation ``{"observations": Box, "action_mask": Box}``, action Discrete(number of slots + 2).

    Attributes:
        beliefs: What the dialogue has said so far; None before the first reset.
        rejected: Outcomes rejected since the beliefs last changed.
    """

    wordy = False

    def __init__(self, host: Host) -> None:
        """Make the spaces over a host's public slots."""
        self._host = host
        self._slots = len(host.slots)
        self._n = self._slots + 2
        self.observation_space = spaces.Dict(
            {
                "observations": spaces.Box(0.0, 1.0, (_G + _S * self._slots,), np.float32),
                "action_mask": spaces.Box(0.0, 1.0, (self._n,), np.float32),
            }
        )
        self.action_space = spaces.Discrete(self._n)
        masks: dict[tuple[bool, bool, bool], NDArray[np.int8]] = {}
        for can_ask in (False, True):
            for can_act in (False, True):
                for can_commit in (False, True):
                    mask = [can_ask] * self._slots + [can_act, can_commit]
                    masks[can_ask, can_act, can_commit] = np.array(mask, dtype=np.int8)
        self._masks = masks
        self._float_masks = {k: v.astype(np.float32) for k, v in masks.items()}
        self._vector = np.zeros(_G + _S * self._slots, dtype=np.float32)
        self._table = self._vector[_G:].reshape(self._slots, _S)  # a view
        self._learned = np.zeros(self._slots, dtype=np.float32)
        self._age = np.zeros(self._slots, dtype=np.float32)
        self.beliefs: Intent | None = None
        self.rejected: set[Outcome] = set()
        self._rejections = 0
        self._asked = [0] * self._slots

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the view, which a pickle or a copy would make a second array."""
        return {k: v for k, v in self.__dict__.items() if k != "_table"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._table = self._vector[_G:].reshape(self._slots, _S)

    # -- the interface -----------------------------------------------------------------------------------------------
    def decode(self, action: object) -> Action:
        """Read a whole number below ``action_space.n``."""
        try:
            number = operator.index(action)  # type: ignore[arg-type]  # what is no whole number has no index
        except TypeError:
            number = -1
        if 0 <= number < self._slots:
            return Action(ASK, self._host.slots[number].id)
        if number == self._slots:
            return Action(ACT, "browse")
        if number == self._slots + 1:
            return Action(COMMIT, "")
        return Action(MALFORMED, "", f"expected a whole number from 0 to {self._n - 1}")

    def play(self, action: Action, game: SilentGame) -> Step:
        """Carry out an action and bring the beliefs up to date."""
        if action.reason:
            step = game.episode.malformed(action.content, action.reason)
        elif action.kind == ASK:
            step = game.ask_slot(action.content)
        elif action.kind == ACT:
            step = game.browse()
        else:
            assert self.beliefs is not None  # reset has been called
            step = game.propose(self._host.best(self.beliefs, frozenset(self.rejected)))
        for event in step.events:
            self._learn(event, game)
        return step

    def reset(self, game: SilentGame) -> None:
        """Believe the literal request."""
        self._vector[:] = 0.0
        self._learned[:] = 0.0
        self._asked = [0] * self._slots
        self.rejected = set()
        self._rejections = 0
        request = game.episode.sample.request
        self.beliefs = request.literal
        self._table[0, :2] = 1.0
        index = self._host.slot_table.index
        for condition in request.literal.conditions:
            self._table[index[condition.slot], :2] = 1.0
        self._supply(game)

    def observe(self, game: SilentGame) -> dict[str, NDArray[np.float32]]:
        """Return the vector and the mask, both new."""
        episode = game.episode
        v, table = self._vector, self._table
        v[:6] = (
            episode.patience / episode.budget,
            min(1.0, episode.turn / episode.turn_cap),
            episode.final,
            episode.last_chance,
            min(1.0, self._rejections / 4),
            bool(self.rejected),
        )
        age = np.subtract(episode.turn, self._learned, out=self._age)
        age *= 1.0 / (episode.turn_cap + 1)
        np.multiply(age, table[:, 0], out=table[:, 7])
        return {"observations": v.copy(), "action_mask": self._float_masks[episode.available].copy()}

    def mask(self, game: SilentGame) -> NDArray[np.int8]:
        """Return which actions are available; shape (number of slots + 2,)."""
        mask: NDArray[np.int8] = self._masks[game.episode.available].copy()
        return mask

    def meanings(self) -> tuple[str, ...]:
        """Return "ask <slot id>" for every slot, "browse", "commit"."""
        return (*(f"ask {s.id}" for s in self._host.slots), "browse", "commit")

    # -- beliefs -----------------------------------------------------------------------------------------------------
    def _learn(self, event: Event, game: SilentGame) -> None:
        kind = event["type"]
        if kind == "question":
            index = self._host.slot_table.index
            for slot in event["named"]:
                i = index[slot]
                self._asked[i] += 1
                self._table[i, 5:7] = (0.0, min(1.0, self._asked[i] / 4))
            for slot in event["declined"]:
                self._table[index[slot], 5] = 1.0
            for slot, told in event["granted"]:
                self._told(slot, told, 2, game.episode.turn)
            for slot, told in event["volunteered"]:
                self._told(slot, told, 3, game.episode.turn)
        elif kind == "act":
            self._browse()
        elif kind == "commit" and not event["accepted"]:
            self._rejections += 1
            self.rejected.add(event["outcome"])
            if event["hint"] is not None:
                for slot in self._host.slot_table.by_topic[event["hint"]]:
                    self._table[self._host.slot_table.index[slot.id], 9] = 1.0
        elif kind == "drift":
            for slot, told in event.get("announced", ()):
                self._told(slot, told, 3, game.episode.turn)
        self._supply(game)

    def _told(self, slot: str, told: list[object] | None, source: int, turn: int) -> None:
        """Overwrite a belief with what was told of a slot; None: it does not matter."""
        assert self.beliefs is not None  # reset has been called
        row = self._table[self._host.slot_table.index[slot]]
        row[:5] = 0.0
        row[9] = 0.0
        if told is None:
            row[4] = 1.0
            after = self.beliefs.without(slot) if slot in self.beliefs.by_slot else self.beliefs
        else:
            row[0] = row[source] = 1.0
            if slot == self._host.frame_slot.id:
                after = Intent(str(told[1]), self.beliefs.conditions)
            else:
                after = self.beliefs.having(Condition(slot, told[0], told[1]))  # type: ignore[arg-type]  # as recorded
        self._learned[self._host.slot_table.index[slot]] = turn
        if after is not self.beliefs and after != self.beliefs:
            self._believe(after)

    def _believe(self, beliefs: Intent) -> None:
        self.beliefs = beliefs
        self.rejected.clear()
        self._vector[6] = 0.0

    def _supply(self, game: SilentGame) -> None:
        """In the oracle condition the current conditions are supplied at every step."""
        if not game.supplied:
            return
        intent = game.episode.oracle().intent
        if intent != self.beliefs:
            self._table[:, :5] = 0.0
            for slot in self._host.slot_table.wants(intent):
                self._table[self._host.slot_table.index[slot], [0, 3]] = 1.0
            self._learned[:] = game.episode.turn
            self._believe(intent)

    def _browse(self) -> None:
        assert self.beliefs is not None  # reset has been called
        candidates, values = self._host.counts(self.beliefs)
        self._vector[6] = 1.0
        self._vector[7] = min(1.0, math.log2(1 + candidates) / _SCALE)
        self._table[:, 8] = np.minimum(np.log2(1.0 + values) / _SCALE, 1.0)
