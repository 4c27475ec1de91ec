"""What an evolving dialogue told and what its answer obeyed, as numbers: a function of the record (PROTOCOL 7 and 9).

Source: IntentFlux, section 5 and appendix B. Turns are the user's, the opening and the request for the answer included.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from intent_gym.core.edits import EditPlan
from intent_gym.core.record import EpisodeRecord

__all__ = ["Told", "told_of"]

_USER_TURNS = ("edit", "confirmation", "request", "waiting")


@dataclass(frozen=True, slots=True)
class Told:
    """One evolving episode in numbers.

    Attributes:
        turns: User turns, >= 1.
        characters: Of all user messages; NaN where the interface builds no text.
        variants: Stale values that were said.
        decoys: Goals that were said and withdrawn.
        answered: Whether an answer was graded; without one the case counts 0.
        variant: The answer is wrong and right for a variant.
        decoy: The answer is wrong and right for a decoy.
        first_said: The answer is wrong and right for who never updates.
        all_kept: The answer is wrong and right for who ignores withdrawals.
    """

    turns: int
    characters: float
    variants: int
    decoys: int
    answered: bool
    variant: bool
    decoy: bool
    first_said: bool
    all_kept: bool


def told_of(record: EpisodeRecord) -> Told | None:
    """Return an episode's numbers; None of the silent protocol."""
    if record.plan is None:
        return None
    events = [event for step in record.steps for event in step.events]
    plan = EditPlan.from_json(record.plan)
    said = {e.condition for e in plan.edits[: plan.opening]} if record.condition in ("drift", "oracle") else set()
    said |= {plan.edits[e["number"]].condition for e in events if e["type"] == "edit"}
    kinds = [s.kind for s in plan.stale if s.condition in said]
    graded = next((e for e in reversed(events) if e["type"] == "commit"), None)
    obeyed = set() if graded is None else {plan.stale[i].kind for i in graded["obeyed"]}
    users = [m["content"] for m in record.dialogue if m["role"] == "user"]
    return Told(
        turns=1 + sum(e["type"] in _USER_TURNS for e in events),
        characters=float(sum(map(len, users))) if users else math.nan,
        variants=kinds.count("variant"),
        decoys=kinds.count("decoy"),
        answered=graded is not None,
        variant="variant" in obeyed,
        decoy="decoy" in obeyed,
        first_said=graded is not None and bool(graded["first_said"]),
        all_kept=graded is not None and bool(graded["all_kept"]),
    )
