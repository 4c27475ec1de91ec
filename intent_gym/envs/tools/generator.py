"""The embedded requests: toolboxes with drawn values, their frames, and the goals drawn from them.

Everything is drawn from fixed keys, so every process has the same tasks. No toolbox of the test split has a function
or a request of the training split. Every value of every slot is an argument of its own, so any other value gives
another call.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any

from intent_gym.core.intent import Condition, Intent, Value
from intent_gym.core.rng import Purpose, choose, integer, key_of, uniform
from intent_gym.envs.host import Goal
from intent_gym.envs.tools.frames import OMITTED, Argument, CallPlan, Frame
from intent_gym.envs.tools.slots import NEUTRAL, OPTIONAL, POOLS, SLOTS, TYPES
from intent_gym.envs.tools.toolboxes import TEST, TOOLBOXES, Function, Toolbox

__all__ = ["GOALS", "VALUES", "make_frames", "make_goals"]

GOALS = 20
"""Goals of a frame."""
VALUES = 7
"""Values of a required slot."""
_WISHES = 0.2
"""Share of goals that ask for something optional."""
_MEANING: Mapping[str, str] = {
    "city": "Name of a city.", "destination": "Name of a city.", "day": "Day of the week.", "time": "Time of day.",
    "party": "Number of people.", "topic": "Topic.", "contact": "First name of a person.",
    "amount": "Amount in dollars.", "item": "Name of the item.", "room": "Name of the room.",
    "duration": "Time in minutes.", "priority": "How urgent it is.", "reminder": "How to be reminded.",
    "language": "Language of the result.", "payment": "How it is paid.",
}  # fmt: skip
ANSWER = (
    "Answer with the calls that the request needs and nothing else, one a line or in a list, as "
    'function(parameter="value", other=3). Give values as the person says them, and leave out optional parameters that '
    "nobody asks for."
)
"""How to answer, told with the schemas."""


def make_frames() -> tuple[Frame, ...]:
    """Return the frames of all toolboxes, sorted by name."""
    return tuple(sorted((f for box in TOOLBOXES for f in _frames_of(box)), key=lambda f: f.name))


def _frames_of(box: Toolbox) -> Iterator[Frame]:
    domains = {slot: _drawn_values(box, slot) for slot in [s.id for s in SLOTS[1:]]}
    by_name = {f.name: f for f in box.functions}
    schemas = {f.name: _schema(box, f) for f in box.functions}
    told = [json.dumps(schema) for schema in schemas.values()]
    brief = "\n".join(["Functions:", *told, ANSWER])
    requests: list[tuple[str, list[tuple[Function, Mapping[str, str]]]]] = [
        (f.request, [(f, {})]) for f in box.functions
    ]
    for pair in box.pairs:
        # where the second call swaps two slots, each stands for the other
        instead = {**{slot: own for own, slot in pair.instead.items()}, **pair.instead}
        requests.append((pair.request, [(by_name[pair.first], {}), (by_name[pair.second], instead)]))
    for request, calls in requests:
        first, _ = calls[0]
        plans = tuple(_plan(box, f, instead, first.optional, schemas[f.name], domains) for f, instead in calls)
        used = {a.slot for plan in plans for a in plan.arguments}
        yield Frame(
            name=request,
            group=box.name,
            split="test" if box.name in TEST else "train",
            brief=brief,
            functions=tuple(schemas.values()),
            domains={slot: values for slot, values in domains.items() if slot in used},
            neutral={slot: NEUTRAL[slot] for slot in OPTIONAL if slot in used},
            plans=plans,
        )


def _drawn_values(box: Toolbox, slot: str) -> tuple[Value, ...]:
    """Return a toolbox's own values of a slot, sorted."""
    if slot in OPTIONAL:
        return OPTIONAL[slot]
    pool: tuple[Value, ...] = box.items if slot == "item" else POOLS[slot]
    key = key_of("tools values", box.name, slot)
    order = sorted(range(len(pool)), key=lambda i: integer(key, Purpose.CONSTRUCT, i))
    return tuple(sorted((pool[i] for i in order[:VALUES]), key=lambda v: (isinstance(v, str), v)))


def _given(slot: str, value: Value) -> Value:
    """Return a value as an argument: "high" for "high priority"."""
    return str(value).rpartition(" ")[0] if slot in OPTIONAL and " " in str(value) else value


def _schema(box: Toolbox, function: Function) -> dict[str, Any]:
    """Return a function's schema, as the grader takes it."""
    properties: dict[str, Any] = {}
    for slot in (*function.slots, *function.optional):
        entry: dict[str, Any] = {"type": TYPES.get(slot, "string"), "description": _MEANING[slot]}
        if slot in OPTIONAL:
            entry |= {"enum": [_given(slot, v) for v in OPTIONAL[slot]], "default": _given(slot, NEUTRAL[slot])}
        properties[function.names.get(slot, slot)] = entry
    required = [function.names.get(slot, slot) for slot in function.slots]
    return {
        "name": f"{box.name}.{function.name}",
        "description": function.does,
        "parameters": {"type": "dict", "properties": properties, "required": required},
    }


def _plan(
    box: Toolbox,
    function: Function,
    instead: Mapping[str, str],
    optional: tuple[str, ...],
    schema: Mapping[str, Any],
    domains: Mapping[str, tuple[Value, ...]],
) -> CallPlan:
    """Return a call: its parameters, of the optional ones those that the request lets people set."""
    arguments = []
    for own in (*function.slots, *(s for s in function.optional if s in optional)):
        slot = instead.get(own, own)
        name = function.names.get(own, own)
        possible = {value: _possible(slot, value) for value in domains[slot]}
        arguments.append(Argument(name, slot, possible, schema["parameters"]["properties"][name]))
    return CallPlan(f"{box.name}.{function.name}", tuple(arguments))


def _possible(slot: str, value: Value) -> tuple[Value, ...]:
    given = _given(slot, value)
    return (given, OMITTED) if NEUTRAL.get(slot) == value else (given,)


# -- goals -------------------------------------------------------------------------------------------------------------
def make_goals(frames: tuple[Frame, ...]) -> tuple[Goal, ...]:
    """Return the goals of all frames, drawn by key; optional slots that ask for nothing are left out."""
    found: list[Goal] = []
    for frame in frames:
        goals: dict[Intent, None] = {}
        for attempt in count():
            if len(goals) == GOALS:
                break
            values = _drawn(frame, key_of("tools goal", frame.name, attempt))
            kept = (Condition(s, "=", v) for s, v in values.items() if frame.neutral.get(s) != v)
            goals.setdefault(Intent(frame.name, tuple(kept)))
        for number, intent in enumerate(goals):
            found.append(Goal(f"{key_of('tools task', frame.name, number):016x}", frame.split, intent))
    return tuple(sorted(found, key=lambda g: g.id))


def _drawn(frame: Frame, key: int) -> dict[str, Value]:
    values = {slot: choose(domain, key, Purpose.CONSTRUCT, i) for i, (slot, domain) in enumerate(frame.domains.items())}
    values |= frame.neutral
    if uniform(key, Purpose.CONSTRUCT, 64) < _WISHES:
        slot = choose(tuple(frame.neutral), key, Purpose.CONSTRUCT, 65)
        others = tuple(v for v in frame.domains[slot] if v != frame.neutral[slot])
        values[slot] = choose(others, key, Purpose.CONSTRUCT, 66)
    return values
