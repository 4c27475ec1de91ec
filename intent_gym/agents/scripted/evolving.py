"""Scripted agents of the evolving protocol: four memories of what the user said (IntentFlux, section 5).

They let the user speak until the answer is asked for, then commit to the host's best answer to what they remember. They
differ only in how they take in an edit, so what separates them is the memory and nothing else:

- `FoldingAgent` carries out every edit: the ceiling; with `miss` it overlooks some of them. A replacement or withdrawal
  of what it does not hold does not fit and is not carried out, so an edit missed in a chain loses the rest of it.
- `LastMentionAgent` keeps the newest value of every goal, and takes a withdrawal to be about the newest value under its
  word. Features share a word, so one that is withdrawn later stays; where every goal has a word of its own it is exact.
- `FirstMentionAgent` keeps the first value of every goal and is deaf to whatever follows: the stale floor.
- `KeepEverythingAgent` takes in new values and ignores withdrawals, so all decoys stay.

In the oracle condition all of them go by what is supplied. In the slots interface they take in the events shown instead
of reading, by the same rules.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np

from intent_gym.agents.base import Action, Observation
from intent_gym.construct.readers.edits import Heard, read_frame, read_statement, read_utterance
from intent_gym.construct.readers.ledger import Ledger
from intent_gym.core.edits import ACTS
from intent_gym.core.intent import Value
from intent_gym.core.silent import ACT, ASK, COMMIT
from intent_gym.envs.host import Host
from intent_gym.envs.interfaces.edits import EDIT_GLOBAL_FEATURES, EDIT_SLOT_FEATURES
from intent_gym.errors import OptionError

__all__ = ["EvolvingAgent", "FirstMentionAgent", "FoldingAgent", "KeepEverythingAgent", "LastMentionAgent"]

_GO_ON = "Noted. Please go on."
_EVENT = EDIT_GLOBAL_FEATURES.index("event")
_FIRST_ACT = EDIT_GLOBAL_FEATURES.index(ACTS[0])
_REQUESTED = EDIT_GLOBAL_FEATURES.index("requested")
_SPOKEN = EDIT_SLOT_FEATURES.index("spoken")
_AGREES = EDIT_SLOT_FEATURES.index("agrees")
_BELIEVED = EDIT_SLOT_FEATURES.index("believed")


class EvolvingAgent(ABC):
    """Base of the agents that differ in how they take in an edit: a subclass answers `keeps`, and may change `take`.

    Args:
        host: The host to play, public knowledge.
    """

    def __init__(self, host: Host) -> None:
        self.host = host
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Forget the episode before."""
        self.memory: Ledger | None = None
        self.asked = False
        self._seen = 0
        self._acts: list[str] | None = None

    # -- what a subclass answers -------------------------------------------------------------------------------------
    @abstractmethod
    def keeps(self, act: str, held: bool, fits: bool, later: bool) -> bool:
        """Return whether an edit is taken in.

        Args:
            act: "add", "replace" or "delete".
            held: Something is remembered of the slot already.
            fits: What is replaced or withdrawn is remembered; True for an addition.
            later: It was not said in the opening.
        """

    def take(self, memory: Ledger, heard: Heard, later: bool) -> None:
        """Take in an edit that was read."""
        old = heard.value if heard.act == "delete" else heard.before
        fits = old is None or memory.holds(heard.slot, old)
        if self.keeps(heard.act, self._has(memory, heard), fits, later):
            memory.apply(heard)

    def _has(self, memory: Ledger, heard: Heard) -> bool:
        """Return whether an added goal is remembered already; of tags, that very one."""
        if self.host.slot(heard.slot).kind == "tag":
            return memory.holds(heard.slot, heard.value)
        return bool(memory.held(heard.slot))

    # -- playing -----------------------------------------------------------------------------------------------------
    def act(self, observation: Observation, info: Mapping[str, Any]) -> Action:
        """Return the next action of the dialogue interface, or of the slots interface."""
        if "observations" in observation:
            return self._apply_event(np.asarray(observation["observations"]))
        mask = [bool(m) for m in observation["action_mask"]]
        self._listen(observation["dialogue"])
        if not self.asked and mask[ASK]:
            return {"kind": ASK, "content": _GO_ON}
        outcome = None
        if self.memory is not None:
            outcome = self.host.best(self.host.closed(self.memory.intent), frozenset())
        if self._acts is None:
            self._acts = [] if outcome is None else list(self.host.steps_to(outcome))
        if self._acts and mask[ACT]:
            return {"kind": ACT, "content": self._acts.pop(0)}
        return {"kind": COMMIT, "content": (outcome or "") if self.host.commits_text else ""}

    def _listen(self, dialogue: tuple[Mapping[str, str], ...]) -> None:
        """Read the messages that are new."""
        new, first = dialogue[self._seen :], self._seen == 0
        self._seen = len(dialogue)
        for message in new:
            if message["role"] == "user":
                self._hear(message["content"], later=not first)
            elif message["role"] == "host" and self.asked and self._acts is None:
                supplied = read_statement(self.host, message["content"])
                if supplied is not None:
                    self.memory = Ledger(self.host, supplied.frame, supplied.conditions)

    def _hear(self, text: str, *, later: bool) -> None:
        if self.memory is None:
            frame = read_frame(self.host, text)
            if frame is None:
                raise OptionError(
                    "expected an opening of protocol='evolving', which names what is needed; got "
                    f"{text[:200]!r}: this agent plays no other protocol"
                )
            self.memory = Ledger(self.host, frame)
        said = read_utterance(self.host, self.memory.frame, text, opening=not later)
        for heard in said.edits:
            self.take(self.memory, heard, later)
        self.asked = self.asked or said.asks

    def _apply_event(self, vector: np.ndarray[Any, np.dtype[np.float32]]) -> int:
        """Return the number of set, drop, ignore or commit for the event that is shown."""
        count = len(self.host.slots) - 1
        if not vector[_EVENT]:
            return 2 * count + (1 if vector[_REQUESTED] else 0)
        table = vector[len(EDIT_GLOBAL_FEATURES) :].reshape(count, len(EDIT_SLOT_FEATURES))
        slot = int(np.argmax(table[:, _SPOKEN]))
        act = ACTS[int(np.argmax(vector[_FIRST_ACT : _FIRST_ACT + len(ACTS)]))]
        later = self._seen > 0
        self._seen += 1
        fits = act == "add" or bool(table[slot, _AGREES])
        if not self.keeps(act, bool(table[slot, _BELIEVED]), fits, later):
            return 2 * count
        return count + slot if act == "delete" else slot


class FoldingAgent(EvolvingAgent):
    """Carries out every edit, or misses some.

    Args:
        host: The host to play, public knowledge.
        miss: Probability that an edit after the opening is overlooked, drawn from the episode's seed, in [0, 1].
    """

    def __init__(self, host: Host, miss: float = 0.0) -> None:
        if isinstance(miss, bool) or not isinstance(miss, int | float) or not 0.0 <= miss <= 1.0:
            raise OptionError(f"miss: expected a probability from 0 to 1, got {miss!r}")
        self.miss = float(miss)
        super().__init__(host)

    def reset(self, seed: int) -> None:
        """Forget the episode before."""
        super().reset(seed)
        self._rng = np.random.default_rng(seed)

    def keeps(self, act: str, held: bool, fits: bool, later: bool) -> bool:
        """Return whether an edit fits and is not missed."""
        missed = later and float(self._rng.random()) < self.miss
        return fits and not missed


class LastMentionAgent(EvolvingAgent):
    """Keeps the newest value of every goal; only the newest value under a word can be withdrawn."""

    def reset(self, seed: int) -> None:
        """Forget the episode before."""
        super().reset(seed)
        self._newest: dict[str, Value] = {}

    def keeps(self, act: str, held: bool, fits: bool, later: bool) -> bool:
        """Return True: the newest event about a goal counts."""
        return True

    def take(self, memory: Ledger, heard: Heard, later: bool) -> None:
        """Take over a value; forget a withdrawn one if nothing newer was said under its word."""
        if heard.act != "delete":
            memory.put(heard)
            self._newest[heard.slot] = heard.value
        elif self._newest.get(heard.slot) == heard.value:
            memory.drop(heard.slot, heard.value)


class FirstMentionAgent(EvolvingAgent):
    """Keeps the first value of every goal."""

    def keeps(self, act: str, held: bool, fits: bool, later: bool) -> bool:
        """Return whether a goal is new."""
        return act == "add" and not held


class KeepEverythingAgent(EvolvingAgent):
    """Takes in new values and ignores withdrawals."""

    def keeps(self, act: str, held: bool, fits: bool, later: bool) -> bool:
        """Return whether nothing is withdrawn."""
        return act != "delete"
