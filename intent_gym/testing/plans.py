"""Twins of plans: two evolving dialogues that are the same up to an edit and differ later (PROTOCOL 7, 11)."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import gymnasium as gym
import numpy as np

from intent_gym.construct.plans import CasePool
from intent_gym.core.edits import EditPlan, GoalEdit
from intent_gym.core.evolving import PlannedCase
from intent_gym.core.intent import Condition, Intent, Value
from intent_gym.core.record import Step
from intent_gym.envs.base import DriftEnv
from intent_gym.envs.host import Host
from intent_gym.testing.pairs import Pair

__all__ = ["only_case", "pair", "twin_plan"]

_SHORTER = 0.3
"""Share of the twins that end sooner, instead of going on with other values."""


def pair(one: gym.Env[Any, Any], two: gym.Env[Any, Any], cases: CasePool, rng: np.random.Generator) -> Pair | None:
    """Put one of some cases and a twin of it into two environments; None where the plan drawn has no twin."""
    seed = int(rng.integers(1 << 31))
    case = cases.case(cases.draw(seed))
    other = twin_plan(cases.host, case.plan, rng)
    if other is None:
        return None
    only_case(one, case)
    only_case(two, PlannedCase(case.id, case.split, other))
    return _EvolvingPair(one, two, seed, {"task_id": case.id})


def only_case(env: gym.Env[Any, Any], case: PlannedCase) -> None:
    """Make an environment play one case, whatever it was made with (until it is pickled or copied)."""
    base: DriftEnv = env.unwrapped  # type: ignore[assignment]
    cases = copy.copy(base._planned)
    cases._case = lambda _: case  # type: ignore[assignment]  # any id
    base._cases = cases


def twin_plan(host: Host, plan: EditPlan, rng: np.random.Generator) -> EditPlan | None:
    """Return a plan that begins with the same edits and goes on with others, or None.

    From a place drawn beyond the opening, either the plan ends there, with what then holds as the final intent, or the
    values of a slot that come up from there become other legal values, the same one everywhere.
    """
    if len(plan.edits) <= plan.opening:
        return None
    cut = int(rng.integers(plan.opening, len(plan.edits)))
    if rng.random() < _SHORTER:
        shorter = plan.edits[:cut]
        return EditPlan(_after(plan.final.frame, shorter), shorter, plan.opening)
    said = {e.condition for e in plan.edits[:cut]}
    later = [e.condition for e in plan.edits[cut:] if e.condition not in said]
    if not later:
        return None
    slot = later[0].slot
    taken = {c.value for c in said if c.slot == slot}
    free: list[Value] = [v for v in host.domain(slot, plan.final.frame) if v not in taken]
    names: dict[Condition, Condition] = {}
    for condition in dict.fromkeys(c for c in later if c.slot == slot):
        others = [v for v in free if v != condition.value]
        if not others:
            return None
        value = others[int(rng.integers(len(others)))]
        free.remove(value)
        names[condition] = Condition(slot, condition.op, value)
    edits = tuple(_renamed(e, names) for e in plan.edits)
    return EditPlan(_after(plan.final.frame, edits), edits, plan.opening)


def _renamed(edit: GoalEdit, names: dict[Condition, Condition]) -> GoalEdit:
    before = edit.before if edit.before is None else names.get(edit.before, edit.before)
    return GoalEdit(edit.act, names.get(edit.condition, edit.condition), before)


def _after(frame: str, edits: Sequence[GoalEdit]) -> Intent:
    """Return what holds after some edits."""
    state = Intent(frame, ())
    for edit in edits:
        state = edit.apply(state)
    return state


class _EvolvingPair(Pair):
    """Two evolving dialogues."""

    def told(self, intents: Sequence[Intent], steps: Sequence[Step]) -> str | None:
        """Return what in the steps may tell the two apart: an edit, the request, the end of one, a verdict."""
        one, two = ([e for e in step.events if e["type"] in ("edit", "request")] for step in steps)
        if one != two:
            return "request" if "request" in {e["type"] for e in (*one, *two)} else "edit"
        episodes = [b.game.episode for b in self.bases]  # type: ignore[union-attr]  # reset has been called
        if len({e.final for e in episodes}) > 1 or len({e.end_reason is None for e in episodes}) > 1:
            return "cap"
        graded = [[e["accepted"] for e in step.events if e["type"] == "commit"] for step in steps]
        return "verdict" if graded[0] != graded[1] else None
