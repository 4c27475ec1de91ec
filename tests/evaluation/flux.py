"""Evolving records and results made by hand, for tests of figures and tables."""

from __future__ import annotations

from typing import Any

from intent_gym.core.edits import EditPlan, GoalEdit
from intent_gym.core.intent import Condition, Intent
from intent_gym.core.record import EpisodeRecord, Step
from intent_gym.evaluation.results import Results, row_of
from intent_gym.evaluation.store import EpisodeError

RED, BLUE = Condition("colour", "=", "red"), Condition("colour", "=", "blue")
BELL = Condition("extra", "=", "bell")
PLAN = EditPlan(
    Intent("bike", (RED,)),
    (
        GoalEdit("add", BLUE),
        GoalEdit("add", BELL),
        GoalEdit("replace", RED, BLUE),
        GoalEdit("delete", BELL),
    ),
)
"""Blue is a variant (position 0 of what is stale), the bell a decoy (1)."""


def record(
    right: bool | None = True,
    *,
    condition: str = "drift",
    case: str = "case",
    obeyed: tuple[int, ...] = (),
    first_said: bool = False,
    all_kept: bool = False,
    score: float = 0.5,
    words: bool = True,
) -> EpisodeRecord:
    """Return a record of an episode; `right` None: without an answer."""
    steps = []
    if condition != "clean":
        for number in range(1, 4):
            edit = {"type": "edit", "number": number, "edit": PLAN.edits[number].to_json()}
            quiet = {"type": "confirmation", "number": number}
            steps.append(Step(0, "go on", 10.0, [edit if condition in ("drift", "oracle") else quiet]))
        steps.append(Step(0, "go on", 10.0, [{"type": "request"}]))
    events: list[dict[str, Any]] = []
    if right is not None:
        events.append({
            "type": "commit", "outcome": "o", "accepted": right, "score": 1.0 if right else score, "final": True,
            "hint": None, "path": [], "obeyed": list(obeyed), "first_said": first_said, "all_kept": all_kept,
        })  # fmt: skip
    reason = "no_answer" if right is None else "accepted" if right else "final_answer"
    steps.append(Step(2, "", 10.0, [*events, {"type": "end", "reason": reason}]))
    dialogue = [{"role": "user", "content": "four"}]
    for _ in steps[:-1]:
        dialogue += [{"role": "agent", "content": "go on"}, {"role": "user", "content": "sixsix"}]
    dialogue += [{"role": "agent", "content": "commit"}]
    return EpisodeRecord(
        env_id="E-v0", options={"budget": "easy"}, key=1, sample_id=case, node=0, persona="", condition=condition,
        faults=(), guess_ceiling=1.0, opening="four", hidden=(), patience=10.0, turn_cap=30,
        dialogue=dialogue if words else [], steps=steps, plan=PLAN.to_json(),
    )  # fmt: skip


def results(
    records: list[EpisodeRecord],
    condition: str = "drift",
    *,
    env_id: str = "DriftGSM8K-v0",
    agent: str = "folding",
    budget: str = "easy",
    errors: int = 0,
) -> Results:
    """Return results of one seed; `errors` episodes after the records failed."""
    config = {
        "env_id": env_id, "agent": agent, "model": None, "agent_options": {}, "pairing": None, "seeds": 1,
        "options": {"split": "test", "protocol": "evolving", "budget": budget, "condition": condition},
        "episodes": len(records) + errors, "intent_gym": "0",
    }  # fmt: skip
    rows = tuple(row_of((0, i), record) for i, record in enumerate(records))
    failed = tuple(EpisodeError(0, len(records) + i, "ValueError: dead", "") for i in range(errors))
    return Results(config, rows, failed, {})


def cases(*right: bool | None, condition: str = "drift") -> list[EpisodeRecord]:
    """Return one record a verdict."""
    return [record(verdict, condition=condition, case=f"case-{i}") for i, verdict in enumerate(right)]
