"""An episode as a person reads it: the dialogue, and between the lines what the agent could not see."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from intent_gym.core.edits import EditPlan, GoalEdit
from intent_gym.core.intent import Condition
from intent_gym.core.record import EpisodeRecord, Event, Step
from intent_gym.core.signals import grip
from intent_gym.evaluation.columns import COLUMNS, GROUPS, number

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["Line", "describe", "lines", "print_episode"]

_KINDS = {0: "ask", 1: "act", 2: "commit", -1: "(none)"}
_ENDS = {
    "accepted": "accepted",
    "final_answer": "the final answer was rejected",
    "no_answer": "no answer was given",
    None: "not ended",
}


class Line(NamedTuple):
    """One line of the view."""

    turn: int | None
    """Number of the step that a line begins; None inside a step."""
    who: str
    """"user", "agent", "host", or "" for what was hidden."""
    text: str


def lines(record: EpisodeRecord, dialogue: Sequence[dict[str, str]] | None = None) -> Iterator[Line]:
    """Yield the dialogue with its hidden events; each step's events follow what was said in it.

    Args:
        record: The episode.
        dialogue: Messages to use where the record has none, as after the slots interface.
    """
    messages = list(record.dialogue or dialogue or ())
    steps = _grouped(messages, len(record.steps))
    plan = None if record.plan is None else EditPlan.from_json(record.plan)
    for message in steps[0]:
        yield Line(None, message["role"], message["content"])
    if plan is not None and record.condition in ("drift", "oracle"):
        for edit in plan.edits[: plan.opening]:
            yield Line(None, "", _edit(edit, plan))
    for turn, step in enumerate(record.steps, 1):
        said = steps[turn] or [{"role": "agent", "content": f"{_KINDS[step.kind]} {step.content}".strip()}]
        for i, message in enumerate(said):
            yield Line(None if i else turn, message["role"], message["content"])
        for text in _hidden(step, plan):
            yield Line(None, "", text)


def _grouped(messages: Sequence[dict[str, str]], steps: int) -> list[list[dict[str, str]]]:
    """Return the messages of the opening and of each step; a step begins with the agent's message."""
    starts = [i for i, message in enumerate(messages) if message["role"] == "agent"][-steps:] if steps else []
    if len(starts) < steps:
        return [list(messages), *([] for _ in range(steps))]
    bounds = [0, *starts, len(messages)]
    return [list(messages[a:b]) for a, b in itertools.pairwise(bounds)]


def _hidden(step: Step, plan: EditPlan | None) -> Iterator[str]:
    for event in step.events:
        text = describe(event, plan)
        if text:
            yield text
    if plan is None:
        yield f"patience {step.patience:g}"


def describe(event: Event, plan: EditPlan | None = None) -> str:
    """Return an event in words; empty where the dialogue already says it.

    Args:
        event: Of a record.
        plan: The record's, in the evolving protocol.

    >>> describe({"type": "end", "reason": "no_answer"})
    'end: no answer was given'
    """
    kind = event["type"]
    if kind == "question":
        return _question(event)
    if kind == "edit" and plan is not None:
        return _edit(GoalEdit.from_json(event["edit"]), plan)
    if kind == "draft":
        return f"a draft, not graded: {event['outcome'] or 'nothing'}"
    if kind == "commit" and plan is not None:
        return _graded(event, plan)
    if kind == "commit":
        score = "" if event["score"] is None else f", score {event['score']:.2f}"
        verdict = "accepted" if event["accepted"] else f"rejected{score}"
        hint = f", hints at {event['hint']}" if event["hint"] else ""
        return f"commit of {event['outcome']}: {verdict}{', final' if event['final'] else ''}{hint}"
    if kind == "drift":
        effect = "the answer moves" if event["moves"] else "the answer stays"
        changes = [
            f"{word} {', '.join(event[key])}" for key, word in (("entered", "new:"), ("left", "gone:")) if event[key]
        ]
        return f"DRIFT by {event['channel']}, {event['relation']} ({'; '.join([*changes, effect])})"
    if kind == "act" and event["stated"]:
        return "the host states " + ", ".join(f"{slot} = {value}" for slot, value in event["stated"])
    if kind == "end":
        return f"end: {_ENDS[event['reason']]}"
    return ""


def _edit(edit: GoalEdit, plan: EditPlan) -> str:
    """Return an edit with what becomes of the goal: a variant, a decoy, or one that holds at the end."""
    goal = edit.condition
    if edit.act == "delete":
        return f"edit: delete {_goal(goal)}"
    kind = next((s.kind for s in plan.stale if s.condition == goal), "holds at the end")
    before = "" if edit.before is None else f"{_goal(edit.before)} by "
    return f"edit: {edit.act} {before}{_goal(goal)} ({kind})"


def _graded(event: Event, plan: EditPlan) -> str:
    if event["accepted"]:
        return f"answer {event['outcome']}: full credit"
    obeyed = [f"the {plan.stale[i].kind} {_goal(plan.stale[i].condition)}" for i in event["obeyed"]]
    obeyed += ["the first value of every goal"] if event["first_said"] else []
    obeyed += ["everything that was withdrawn"] if event["all_kept"] else []
    stale = f"; OBEYS {', '.join(obeyed)}" if obeyed else ""
    return f"answer {event['outcome']}: wrong, score {event['score']:.2f}{stale}"


def _goal(condition: Condition) -> str:
    return f"{condition.slot} {condition.op} {condition.value}"


def _question(event: Event) -> str:
    parts = [
        ("granted", ", ".join(_told(slot, condition) for slot, condition in event["granted"])),
        ("declined", ", ".join(event["declined"])),
        ("volunteered", ", ".join(_told(slot, condition) for slot, condition in event["volunteered"])),
        ("confirmed", ", ".join(event["confirmed"])),
    ]
    told = "; ".join(f"{name} {what}" for name, what in parts if what)
    return f"touches {', '.join(event['named']) or 'nothing'}{'; ' + told if told else ''}"


def _told(slot: str, condition: Sequence[Any] | None) -> str:
    return f"{slot} (does not matter)" if condition is None else f"{slot} {condition[0]} {condition[1]}"


def print_episode(
    record: EpisodeRecord,
    console: Console,
    *,
    heading: str = "",
    dialogue: Sequence[dict[str, str]] | None = None,
    start: int = 0,
) -> None:
    """Print an episode, its hidden events and its signals.

    Args:
        record: The episode.
        console: Where to.
        heading: First line.
        dialogue: As in `lines`.
        start: Lines to leave out at the beginning.
    """
    from rich.table import Table
    from rich.text import Text

    for text in filter(None, (heading, f"{record.env_id}, {record.sample_id}", *_facts(record))):
        console.print(Text(text, style="bold" if text is heading else "dim"))
    console.print()
    grid = Table.grid(padding=(0, 1))
    grid.add_column(justify="right", style="dim", no_wrap=True)
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for line in list(lines(record, dialogue))[start:]:
        turn = "" if line.turn is None else str(line.turn)
        style = {"user": "green", "agent": "bold", "host": "", "": "dim italic"}[line.who]
        grid.add_row(turn, Text(line.who, style=style), Text(line.text, style=style))
    console.print(grid)
    console.print()
    for text in _signal_lines(record):
        console.print(Text(text))


def _facts(record: EpisodeRecord) -> Iterator[str]:
    if record.plan is not None:
        plan = EditPlan.from_json(record.plan)
        told = "" if record.condition in ("drift", "oracle") else ", which are not told"
        yield (
            f"condition {record.condition}, budget {record.options.get('budget', 'hard')}: {plan.variants()} variants "
            f"and {plan.decoys()} decoys in {len(plan.edits)} edits{told}"
        )
        yield f"final intent: {plan.final.frame}; {', '.join(map(_goal, plan.final.conditions)) or 'no goals'}"
        return
    yield f"condition {record.condition}, persona {record.persona}, patience {record.patience:g}"
    ceiling = f"; guess ceiling {number(record.guess_ceiling, True)} %" if record.hidden else ""
    faults, hidden = ", ".join(record.faults) or "none", ", ".join(record.hidden) or "nothing"
    yield f"faults: {faults}; hidden: {hidden}{ceiling}"


def _signal_lines(record: EpisodeRecord) -> Iterator[str]:
    values = {name: value for name, value in grip(record).items() if not math.isnan(value)}
    for group, meaning in GROUPS.items():
        shown = [f"{c.signal} {values[c.signal]:.3g}" for c in COLUMNS if c.group == group and c.signal in values]
        if shown:
            yield f"{meaning.partition(':')[0]}: {', '.join(shown)}"
