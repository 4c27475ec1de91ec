"""From events to messages: what the user and the host say about what happened (PROTOCOL 6.3).

Text is a function of (event, episode key, turn): it is built when somebody reads it, and a recorded episode can be told
again word for word.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from intent_gym.core.intent import Condition, Intent, SlotTable
from intent_gym.core.language.speak import accept, announce, refuse, speak
from intent_gym.core.language.speak import current as state_current
from intent_gym.core.record import Event, Step
from intent_gym.core.silent import ACT, ASK, COMMIT
from intent_gym.core.user import Reply

__all__ = ["Message", "agent_message", "narrate"]


class Message(NamedTuple):
    """One message of a dialogue; role is "user", "agent" or "host"."""

    role: str
    content: str


def agent_message(step: Step) -> Message:
    """Return how the dialogue shows an action: questions and acts as written, a commit as such."""
    if step.kind in (ASK, ACT):
        return Message("agent", step.content)
    if step.kind == COMMIT:
        return Message("agent", f"commit: {step.content}" if step.content else "commit")
    return Message("agent", step.content or "(nothing)")


def narrate(step: Step, table: SlotTable, persona: str, key: int, turn: int) -> Iterator[Message]:
    """Yield what the user and the host say in a step, in order.

    Args:
        step: A finished step.
        table: The host's slots.
        persona: The user's manner.
        key: Episode key.
        turn: Number of the step, from 1; the wording's index.
    """
    for event in step.events:
        kind = event["type"]
        if kind == "question":
            yield Message("user", speak(_reply(event), table.by_id, persona, key, turn))
        elif kind == "commit":
            if event["accepted"]:
                yield Message("user", accept(persona, key, turn))
            else:
                hint = event["hint"]
                hinted = () if hint is None else table.by_topic[hint]
                word = hinted[0].word if hinted else None
                yield Message("user", refuse(word, persona, key, turn, several=len(hinted) > 1))
        elif kind == "drift" and "announced" in event:
            yield Message("user", _announcement(event, table, persona, key, turn))
        elif kind == "malformed":
            yield Message("host", event["reason"])
        elif kind == "act" and event["message"] is not None:
            yield Message("host", event["message"])


def current(intent: Intent, table: SlotTable) -> Message:
    """Return the plain statement of the current conditions that the oracle condition supplies."""
    return Message("host", state_current(intent.frame, intent.conditions, table.by_id))


def _announcement(event: Event, table: SlotTable, persona: str, key: int, turn: int) -> str:
    told = {s: _condition(s, c) for s, c in event["announced"]}
    frame = told.pop(table.frame, None)
    entered = [c for c in told.values() if c is not None]
    left = [table[s] for s, c in told.items() if c is None]
    name = None if frame is None else str(frame.value)
    return announce(event["relation"], entered, left, name, table.by_id, persona, key, turn)


def _condition(slot: str, told: list[object] | None) -> Condition | None:
    return None if told is None else Condition(slot, told[0], told[1])  # type: ignore[arg-type]  # as recorded


def _reply(event: Event) -> Reply:
    return Reply(
        event["reply"],
        tuple((s, _condition(s, c)) for s, c in event["granted"]),
        tuple(event["declined"]),
        tuple(c for s, told in event["volunteered"] if (c := _condition(s, told)) is not None),
        tuple(event["confirmed"]),
        tuple((s, v) for s, v in event["unwanted"]),
        tuple(event["named"]),
    )
