"""The cases of the evolving protocol: which stale goals a task admits, and its edit plan (PROTOCOL 7).

Source: IntentFlux, section 3.2 and 3.3. A *variant* is another legal value of a goal, a *decoy* a goal beside those
that hold. Either is admitted only if it is consequential: the best answer to the intent that obeys it must not get full
credit under the intent that holds, when the host's own grader looks at it. Which are said at a budget is a prefix of
one order drawn by key, so that easy, medium and hard tell the same case with more and more stale goals.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from intent_gym.construct.store import goals_of
from intent_gym.core.edits import BUDGETS, make_plan
from intent_gym.core.evolving import PlannedCase
from intent_gym.core.intent import Condition, Intent, Value
from intent_gym.core.rng import Purpose, choose, integer, key_of
from intent_gym.envs.host import Goal, Host
from intent_gym.errors import OptionError, TaskError, suggest

__all__ = ["CasePool", "Material", "case_pool", "material"]

_MOST = max(BUDGETS.values())
_LOOK = 4
"""Candidates looked at for each stale goal that is wanted."""
_TRIES = 10_000

_lock = threading.RLock()


class Material(NamedTuple):
    """What a task can be told with."""

    final: Intent
    """G*: the goals that a person would say; what is settled by leaving it out is not among them."""
    variants: Mapping[str, tuple[Condition, ...]]
    """Admitted variants by slot, at most as many as the largest budget."""
    decoys: tuple[Condition, ...]
    """Admitted decoys, at most as many."""
    looked: int
    """Candidates looked at."""
    admitted: int
    """Of these, the consequential ones."""


def _said(host: Host, intent: Intent) -> Intent:
    """Return an intent without the conditions that leaving them out means anyway."""
    for condition in intent.conditions:
        rest = intent.without(condition.slot)
        if condition in host.closed(rest).conditions:
            intent = rest
    return intent


def _shuffled(key: int, items: list[Condition]) -> list[Condition]:
    order = sorted(range(len(items)), key=lambda i: integer(key, Purpose.CONSTRUCT, i))
    return [items[i] for i in order]


def _dealt(host: Host, goal_id: str, final: Intent, topic: str) -> dict[Value, str]:
    """Return which slot each other tag of a topic may be told for, "" for a decoy's.

    Tags of a topic share their values and their word, so one value told for two of them at a time would be said twice.
    """
    slots = host.slot_table.by_topic[topic]
    goals = [s.id for s in slots if s.id in final.by_slot]
    held = {final.by_slot[s].value for s in goals}
    others = [Condition(slots[0].id, slots[0].op, v) for v in host.domain(slots[0].id, final.frame) if v not in held]
    hands = ["", *goals]
    dealt = _shuffled(key_of("deal", host.name, goal_id, topic), others)
    return {c.value: hands[i % len(hands)] for i, c in enumerate(dealt)}


def _variants(host: Host, final: Intent, target: Condition, dealt: Mapping[Value, str]) -> list[Condition]:
    """Return the other conditions of a goal's slot that nothing else of the intent says."""
    slot = host.slot(target.slot)
    taken = {c.value for c in final.conditions if host.slot(c.slot).topic == slot.topic}
    settled = host.closed(final.without(slot.id)).by_slot.get(slot.id)
    return [
        Condition(slot.id, slot.op, v)
        for v in host.domain(slot.id, final.frame)
        if v not in taken and (settled is None or v != settled.value) and dealt.get(v, slot.id) == slot.id
    ]


def _decoys(host: Host, final: Intent, dealt: Mapping[str, Mapping[Value, str]]) -> list[Condition]:
    """Return conditions on slots that the intent leaves out; of the tags of a topic, on its next slot."""
    settled = host.closed(final)
    found: list[Condition] = []
    for slots in host.slot_table.by_topic.values():
        slot = next((s for s in slots if s.id not in final.by_slot), None)
        if slot is None or slot.kind == "frame":
            continue
        taken = {c.value for c in settled.conditions if host.slot(c.slot).topic == slot.topic}
        hands = dealt.get(slot.topic, {})
        found += [
            Condition(slot.id, slot.op, v)
            for v in host.domain(slot.id, final.frame)
            if v not in taken and not hands.get(v, "")
        ]
    return found


def material(host: Host, goal: Goal) -> Material | None:
    """Return what a task can be told with; None where its own best answer fails or nothing stale is consequential."""
    final = _said(host, goal.intent)
    truth = host.closed(final)
    best = host.best(truth, frozenset())
    if best is None or not host.accepts(truth, best):
        return None
    looked = admitted = 0

    def consequential(stale: Condition) -> bool:
        nonlocal looked, admitted
        looked += 1
        obeying = host.best(host.closed(final.having(stale)), frozenset())
        good = obeying is not None and not host.accepts(truth, obeying)
        admitted += good
        return good

    def first(candidates: list[Condition], purpose: str) -> tuple[Condition, ...]:
        found: list[Condition] = []
        for candidate in _shuffled(key_of("stale", host.name, goal.id, purpose), candidates)[: _MOST * _LOOK]:
            if len(found) == _MOST:
                break
            if consequential(candidate):
                found.append(candidate)
        return tuple(found)

    table = host.slot_table
    dealt = {t: _dealt(host, goal.id, final, t) for t, slots in table.by_topic.items() if slots[0].kind == "tag"}
    variants = {
        c.slot: first(_variants(host, final, c, dealt.get(table.topic_of[c.slot], {})), c.slot)
        for c in final.conditions
    }
    decoys = first(_decoys(host, final, dealt), "decoys")
    return Material(final, variants, decoys, looked, admitted) if any(variants.values()) else None


class CasePool:
    """The cases of a host, split and budget; each is made when it is first played.

    Attributes:
        host: The world.
        split: "train", "test" or "all".
        budget: "easy", "medium" or "hard".
    """

    def __init__(self, host: Host, split: str, budget: str) -> None:
        """Look up the goals."""
        self.host, self.split, self.budget = host, split, budget
        self._goals = {g.id: g for g in goals_of(host) if split in (g.split, "all")}
        self._ids = tuple(self._goals)
        self._case = lru_cache(maxsize=4096)(self._made)

    def _made(self, case_id: str) -> PlannedCase | None:
        goal = self._goals[case_id]
        found = _material(self.host, goal)
        if found is None:
            return None
        most = BUDGETS[self.budget]
        plan = make_plan(
            found.final,
            {slot: conditions[:most] for slot, conditions in found.variants.items()},
            found.decoys[:most],
            lambda slot: self.host.after(slot, found.final.frame),
            key_of("plan", self.host.name, goal.id, self.budget),
        )
        return PlannedCase(goal.id, goal.split, plan)

    def case(self, case_id: str) -> PlannedCase:
        """Return a case by its task's id.

        Raises:
            TaskError: No such task in the split, or one that admits no stale goal.
        """
        if case_id not in self._goals:
            raise TaskError(
                f"no task {case_id!r} in split {self.split!r} of {self.host.name}{suggest(case_id, self._goals)}; "
                "env.unwrapped.tasks() lists them"
            )
        found = self._case(case_id)
        if found is None:
            raise TaskError(
                f"task {case_id!r} of {self.host.name} cannot be told as an evolving dialogue: no other value of its "
                "goals changes the verdict; env.unwrapped.tasks() lists those that can"
            )
        return found

    def draw(self, key: int) -> str:
        """Return the id of a case, uniformly among those that can be told.

        Raises:
            TaskError: None of many tries can be told.
        """
        for index in range(_TRIES if self._ids else 0):
            case_id = choose(self._ids, key, Purpose.TASK, index)
            if self._case(case_id) is not None:
                return case_id
        raise TaskError(
            f"no task of {self.host.name} ({self.host.source}, split {self.split!r}) can be told as an evolving "
            "dialogue: choose another split, or more data"
        )

    def ids(self) -> tuple[str, ...]:
        """Return the ids of all cases that can be told, in the order of the host's goals."""
        return tuple(i for i in self._ids if self._case(i) is not None)

    def __iter__(self) -> Iterator[PlannedCase]:
        """Yield all cases."""
        return (self.case(i) for i in self.ids())


_made: dict[tuple[str, str, str], Material | None] = {}


def _material(host: Host, goal: Goal) -> Material | None:
    """Return a task's material, made once for all splits and budgets of a process."""
    key = (host.name, host.fingerprint(), goal.id)
    with _lock:
        if key not in _made:
            _made[key] = material(host, goal)
        return _made[key]


_pools: dict[tuple[str, str, str, str], CasePool] = {}


def case_pool(host: Host, split: str = "train", budget: str = "hard") -> CasePool:
    """Return the cases of a host, shared in the process.

    Raises:
        OptionError: No such split or budget.
    """
    for name, value, choices in (("split", split, ("train", "test", "all")), ("budget", budget, tuple(BUDGETS))):
        if value not in choices:
            raise OptionError(f"{name}: expected one of {', '.join(choices)}, got {value!r}{suggest(value, choices)}")
    key = (host.name, host.fingerprint(), split, budget)
    with _lock:
        if key not in _pools:
            _pools[key] = CasePool(host, split, budget)
        return _pools[key]
