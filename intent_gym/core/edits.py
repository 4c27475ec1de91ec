"""Edit plans: how an intent evolves over a dialogue (PROTOCOL 7).

Source: IntentFlux, section 3.1 and 4. Goals are conditions, so an intent state is an `Intent`. A plan is made first,
its text last. One queue holds the edits of each goal, its variants in order and then the target, one queue the decoys;
each user turn takes the next edit of one feasible queue.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias, get_args

from intent_gym.core.config import EvolvingConfig
from intent_gym.core.intent import Condition, Intent
from intent_gym.core.rng import Purpose, integer

__all__ = ["ACTS", "BUDGETS", "EditAct", "EditPlan", "GoalEdit", "Stale", "interleave", "make_plan", "most_turns"]

EditAct: TypeAlias = Literal["add", "replace", "delete"]
ACTS: tuple[str, ...] = get_args(EditAct)

BUDGETS: Mapping[str, int] = EvolvingConfig().budgets
"""Variants per goal, and decoys, at most."""


def most_turns(goals: int) -> int:
    """Return the user turns with edits that a plan over so many goals has at most.

    >>> most_turns(5)
    40
    """
    most = max(BUDGETS.values())
    return goals * (most + 1) + 2 * most


@dataclass(frozen=True, slots=True)
class GoalEdit:
    """One edit of the intent state.

    Attributes:
        act: What is done.
        condition: The goal added, the new goal of a replacement, or the goal withdrawn.
        before: The goal replaced; None for the other acts.
    """

    act: EditAct
    condition: Condition
    before: Condition | None = None

    def apply(self, intent: Intent) -> Intent:
        """Return the state after the edit."""
        if self.act == "delete":
            return intent.without(self.condition.slot)
        return intent.having(self.condition)

    def to_json(self) -> list[Any]:
        """Return ``[act, [slot, op, value], [slot, op, value] | None]``."""
        return [self.act, self.condition.to_json(), None if self.before is None else self.before.to_json()]

    @classmethod
    def from_json(cls, data: Sequence[Any]) -> GoalEdit:
        """Inverse of `to_json`."""
        act, condition, before = data
        return cls(act, Condition(*condition), None if before is None else Condition(*before))


@dataclass(frozen=True, slots=True)
class Stale:
    """A goal that is said and does not hold in the end.

    Attributes:
        kind: A variant, replaced later, or a decoy, withdrawn later.
        condition: The goal.
        obeyed: The final intent with this goal obeyed: what an agent that missed its replacement or withdrawal answers.
    """

    kind: Literal["variant", "decoy"]
    condition: Condition
    obeyed: Intent


@dataclass(frozen=True)
class EditPlan:
    """One case told as an evolving dialogue.

    Attributes:
        final: G*, the intent that holds at the end.
        edits: In the order they are said; the first ones make G0.
        opening: Number of edits said in the first user turn, >= 1.
    """

    final: Intent
    edits: tuple[GoalEdit, ...]
    opening: int = 1

    @cached_property
    def stale(self) -> tuple[Stale, ...]:
        """What is said and does not hold in the end, in the order it is first said."""
        targets = set(self.final.conditions)
        said = dict.fromkeys(e.condition for e in self.edits if e.act != "delete" and e.condition not in targets)
        return tuple(
            Stale("variant" if c.slot in self.final.by_slot else "decoy", c, self.final.having(c)) for c in said
        )

    @property
    def turns(self) -> int:
        """User turns up to the last edit, the request for the answer not counted."""
        return 1 + len(self.edits) - self.opening

    @cached_property
    def first_said(self) -> Intent:
        """What somebody answers who never updates: the first value of every goal, decoys included."""
        state = Intent(self.final.frame, ())
        for edit in self.edits:
            if edit.act == "add" and edit.condition.slot not in state.by_slot:
                state = state.having(edit.condition)
        return state

    @cached_property
    def all_kept(self) -> Intent:
        """What somebody answers who takes in new values and ignores withdrawals."""
        state = Intent(self.final.frame, ())
        for edit in self.edits:
            if edit.act != "delete":
                state = edit.apply(state)
        return state

    def variants(self) -> int:
        """Return the number of variants realised."""
        return sum(s.kind == "variant" for s in self.stale)

    def decoys(self) -> int:
        """Return the number of decoys realised."""
        return len(self.stale) - self.variants()

    def to_json(self) -> dict[str, Any]:
        """Return ``{"final", "edits", "opening"}``; what is stale follows from them."""
        return {
            "final": self.final.to_json(),
            "edits": [e.to_json() for e in self.edits],
            "opening": self.opening,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> EditPlan:
        """Inverse of `to_json`."""
        edits = tuple(GoalEdit.from_json(e) for e in data["edits"])
        return cls(Intent.from_json(data["final"]), edits, data["opening"])


def interleave(queues: Sequence[Sequence[GoalEdit]], after: Callable[[str], Sequence[str]], key: int) -> list[GoalEdit]:
    """Return the edits of all queues in one order: each turn a feasible queue is drawn, and only that one advances.

    A queue is feasible if it has edits left and every slot that its next edit depends on has been spoken of. The draw
    weighs a queue by its edits left, so that no queue is regularly the last.

    Args:
        queues: Edits of each goal in order; one queue of decoys.
        after: Slots that must have been spoken of before a slot can be.
        key: Of the draws.

    Raises:
        ValueError: The dependencies leave no queue feasible.
    """
    places = [0] * len(queues)
    spoken: set[str] = set()
    wanted = {e.condition.slot for queue in queues for e in queue}
    order: list[GoalEdit] = []
    for turn in range(sum(map(len, queues))):
        weights = []
        for queue, place in zip(queues, places, strict=True):
            left = len(queue) - place
            ready = left and all(s in spoken or s not in wanted for s in after(queue[place].condition.slot))
            weights.append(left if ready else 0)
        if not any(weights):
            raise ValueError("the dependencies between goals leave no edit that can be said next")
        drawn = integer(key, Purpose.EDIT, turn) % sum(weights)
        chosen = 0
        while drawn >= weights[chosen]:
            drawn -= weights[chosen]
            chosen += 1
        edit = queues[chosen][places[chosen]]
        places[chosen] += 1
        spoken.add(edit.condition.slot)
        order.append(edit)
    return order


def make_plan(
    final: Intent,
    variants: Mapping[str, Sequence[Condition]],
    decoys: Sequence[Condition],
    after: Callable[[str], Sequence[str]],
    key: int,
) -> EditPlan:
    """Return a plan from the stale goals that were admitted.

    Args:
        final: G*.
        variants: Other conditions of a goal by slot, in the order they are said.
        decoys: Goals beside G*, in the order they are said; each is withdrawn before the next of its slot comes.
        after: See `interleave`.
        key: Of the draws.
    """
    queues: list[list[GoalEdit]] = []
    for target in final.conditions:
        said = [*variants.get(target.slot, ()), target]
        edits = [GoalEdit("add", said[0])]
        edits += [GoalEdit("replace", new, old) for old, new in itertools.pairwise(said)]
        queues.append(edits)
    queues.append(_decoy_queue(decoys, key))
    return EditPlan(final, tuple(interleave([q for q in queues if q], after, key)))


def _decoy_queue(decoys: Sequence[Condition], key: int) -> list[GoalEdit]:
    """Return the edits of the decoys: each is added in turn and withdrawn some edits later."""
    queue: list[GoalEdit] = []
    live: list[Condition] = []
    for number, decoy in enumerate(decoys):
        waits = [
            c for c in live if c.slot != decoy.slot and integer(key, Purpose.DECOY, number * 64 + live.index(c)) % 2
        ]
        for old in (c for c in live if c not in waits):
            queue.append(GoalEdit("delete", old))
        live = [*waits, decoy]
        queue.append(GoalEdit("add", decoy))
    return queue + [GoalEdit("delete", old) for old in live]
