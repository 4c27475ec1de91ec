"""From events to messages: what the user and the host say about what happened (PROTOCOL 6.3).

Text is a function of (event, episode key, turn): it is built when somebody reads it, and a recorded episode can be told
again word for word.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from intent_gym.core.edits import GoalEdit
from intent_gym.core.evolving import EvolvingEpisode
from intent_gym.core.intent import Condition, Intent, SlotTable
from intent_gym.core.language import edits as words
from intent_gym.core.language.speak import accept, announce, refuse, speak
from intent_gym.core.language.speak import current as state_current
from intent_gym.core.record import Event, Step
from intent_gym.core.silent import ACT, ASK, COMMIT
from intent_gym.core.user import Reply

__all__ = ["Message", "agent_message", "current", "narrate", "narrate_evolving", "opening_of"]

_MANNER = "rational"
"""The decision style in which the user of an evolving dialogue takes a verdict."""
_REQUESTS = 1 << 12
"""Wording index of the first request for the answer: beyond that of any edit."""


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


def opening_of(episode: EvolvingEpisode, told: tuple[str, str], table: SlotTable, key: int, restates: bool) -> str:
    """Return the first user turn of an evolving dialogue.

    Args:
        episode: As it starts.
        told: Who speaks ("" for nobody) and what is needed, as `Host.told` gives them.
        table: The host's slots.
        key: Episode key.
        restates: Whether a request for the answer sums up what holds.
    """
    who, np = told
    plan = episode.plan
    if episode.telling.evolves:
        said = words.say_opening(np, plan.edits[: plan.opening], table, key)
    else:
        said = words.say_all(np, plan.final.conditions, table, key)
    parts = [f"This is {who}." if who else "", said]
    if episode.requested:
        parts.append(_request(episode, table, key, 0, restates))
    return " ".join(p for p in parts if p)


def narrate_evolving(
    step: Step, episode: EvolvingEpisode, table: SlotTable, key: int, turn: int, *, restates: bool
) -> Iterator[Message]:
    """Yield what the user and the host say in a step of an evolving dialogue, in order.

    Args:
        step: A finished step.
        episode: Its episode.
        table: The host's slots.
        key: Episode key.
        turn: Number of the step, from 1; the wording's index.
        restates: Whether the request for the answer sums up what holds.
    """
    for event in step.events:
        kind = event["type"]
        if kind == "edit":
            yield Message("user", words.say_edit(GoalEdit.from_json(event["edit"]), table, key, event["number"]))
        elif kind == "confirmation":
            yield Message("user", _confirmation(episode, table, key, event["number"]))
        elif kind == "request":
            yield Message("user", _request(episode, table, key, turn, restates))
            if episode.telling.supplied:
                yield current(episode.intent, table)
        elif kind == "waiting":
            yield Message("user", words.say_waiting(key, _REQUESTS + turn))
        elif kind == "commit":
            said = accept(_MANNER, key, turn) if event["accepted"] else refuse(None, _MANNER, key, turn)
            yield Message("user", said)
        elif kind == "malformed":
            yield Message("host", event["reason"])
        elif kind == "act" and event["message"] is not None:
            yield Message("host", event["message"])


def _request(episode: EvolvingEpisode, table: SlotTable, key: int, turn: int, restates: bool) -> str:
    index = _REQUESTS + turn
    asked = words.say_request(key, index)
    return f"{words.restate(episode.intent.conditions, table, key, index)} {asked}" if restates else asked


def _confirmation(episode: EvolvingEpisode, table: SlotTable, key: int, number: int) -> str:
    """Return neutral sentences about as long as the edit that the drift condition has in this turn."""
    plan = episode.plan
    edit = plan.opening + number - 1
    return words.confirm(len(words.say_edit(plan.edits[edit], table, key, edit)), key, number)


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
