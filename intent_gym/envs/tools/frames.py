"""A request that is answered by calls, with parameters: what the generator and the loader of original data make."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias

from intent_gym.core.intent import Value
from intent_gym.envs.answers import Assignment
from intent_gym.envs.tools.calls import Call
from intent_gym.envs.tools.match import Entry, normalised

__all__ = ["OMITTED", "Argument", "CallPlan", "Frame", "Key", "canonical", "canonical_value"]

OMITTED = ""
"""Among the possible values of a parameter: it may be left out."""
Key: TypeAlias = "tuple[tuple[str, tuple[tuple[str, Hashable], ...]], ...]"
"""Calls as they are compared: sorted, each a function's name and its sorted arguments."""


@dataclass(frozen=True)
class Argument:
    """One parameter of a call that is to be made.

    Attributes:
        parameter: Its name.
        slot: What sets it; "" where nothing does.
        possible: The values that are right, by the slot's value; by "" where no slot sets it. The first one is given;
            if `OMITTED` is among them, the parameter is left out.
        schema: The parameter's own, or None.
    """

    parameter: str
    slot: str
    possible: Mapping[Value, tuple[Any, ...]]
    schema: Mapping[str, Any] | None = None

    def right(self, values: Assignment) -> tuple[Any, ...]:
        """Return the values that are right under an assignment."""
        return self.possible[values[self.slot] if self.slot else ""]

    @cached_property
    def meanings(self) -> Mapping[Hashable, Value]:
        """The slot's value ("" without slot) by what an answer may give; None stands for a parameter left out."""
        found: dict[Hashable, Value] = {}
        for value, right in self.possible.items():
            for given in right:
                found[None if given == OMITTED else canonical_value(given, self.schema)] = value
        return found


@dataclass(frozen=True)
class CallPlan:
    """One call that is to be made.

    Attributes:
        unless: A slot and the value of it at which the call is not asked for; None where it always is asked for.
    """

    function: str
    arguments: tuple[Argument, ...]
    unless: tuple[str, Value] | None = None

    def wanted(self, values: Assignment) -> bool:
        """Return whether the call is asked for under an assignment."""
        return self.unless is None or values[self.unless[0]] != self.unless[1]

    def made(self, values: Assignment) -> Call:
        """Return the call under an assignment."""
        right = ((a.parameter, a.right(values)) for a in self.arguments)
        return Call(self.function, {name: given[0] for name, given in right if OMITTED not in given})

    def entry(self, values: Assignment) -> Entry:
        """Return what the grader expects under an assignment."""
        return {self.function: {a.parameter: list(a.right(values)) for a in self.arguments}}

    def meant(self, arguments: Mapping[str, Hashable]) -> dict[str, Value] | None:
        """Return the slots' values that the arguments of a call come from; None where they fit no assignment."""
        found: dict[str, Value] = {}
        known = 0
        for argument in self.arguments:
            given = arguments.get(argument.parameter)
            known += argument.parameter in arguments
            value = argument.meanings.get(given)
            if value is None or (argument.slot and found.setdefault(argument.slot, value) != value):
                return None
        return found if known == len(arguments) else None


@dataclass(frozen=True)
class Frame:
    """One request.

    Attributes:
        name: What a person says that they need, "table booking"; unique in its host.
        group: Frames of one toolbox share their material.
        split: "train" or "test"; the same for all frames of a toolbox.
        brief: The public material: schemas, and how to answer.
        functions: The schemas, as the grader takes them.
        domains: Values by slot, sorted; every slot of the frame, in the host's order.
        neutral: The value that asks for nothing, by optional slot.
        plans: The calls to be made; together they use every slot.
    """

    name: str
    group: str
    split: Literal["train", "test"]
    brief: str
    functions: tuple[Mapping[str, Any], ...]
    domains: Mapping[str, tuple[Value, ...]]
    neutral: Mapping[str, Value]
    plans: tuple[CallPlan, ...]

    @cached_property
    def schemas(self) -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
        """The parameters' schemas by function and name."""
        return {f["name"]: f["parameters"].get("properties", {}) for f in self.functions}

    def calls(self, values: Assignment) -> list[Call]:
        """Return the right calls under an assignment."""
        return [plan.made(values) for plan in self.plans if plan.wanted(values)]

    def case(self, values: Assignment) -> dict[str, Any]:
        """Return what the grader needs to judge an answer under an assignment."""
        expected = [plan.entry(values) for plan in self.plans if plan.wanted(values)]
        return {"function": list(self.functions), "ground_truth": expected}

    def meant(self, key: Key) -> Iterator[dict[str, Value]]:
        """Yield the assignments that calls are right for: each call is one of the plans, whichever."""
        always = tuple(plan for plan in self.plans if plan.unless is None)
        if len(key) == len(self.plans):
            yield from _match(self.plans, key, (), {})
        if len(key) == len(always) < len(self.plans):
            yield from _match(always, key, (), {p.unless[0]: p.unless[1] for p in self.plans if p.unless is not None})


def _match(
    plans: Sequence[CallPlan], key: Key, used: tuple[int, ...], found: dict[str, Value]
) -> Iterator[dict[str, Value]]:
    if not plans:
        yield found
        return
    for place, (function, arguments) in enumerate(key):
        if place in used or function != plans[0].function:
            continue
        meant = plans[0].meant(dict(arguments))
        if meant is not None and all(found.get(slot, value) == value for slot, value in meant.items()):
            yield from _match(plans[1:], key, (*used, place), {**found, **meant})


def canonical(calls: list[Call], schemas: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> Key:
    """Return calls as they are compared: in no order, texts normalised, integers as numbers where those are wanted."""
    found = []
    for call in calls:
        schema = schemas.get(call.name, {})
        arguments = ((name, canonical_value(value, schema.get(name))) for name, value in call.arguments.items())
        found.append((call.name, tuple(sorted(arguments, key=lambda pair: pair[0]))))
    return tuple(sorted(found, key=repr))


def canonical_value(value: object, schema: Mapping[str, Any] | None) -> Hashable:
    """Return a JSON value so that equal ones are the same to the grader.

    >>> canonical_value("New York", {"type": "string"}) == canonical_value("new-york", {"type": "string"})
    True
    >>> canonical_value(5, {"type": "float"}) == canonical_value(5.0, {"type": "float"})
    True
    >>> canonical_value(5, {"type": "integer"}) == canonical_value(5.0, {"type": "integer"})
    False
    """
    kind = (schema or {}).get("type")
    if isinstance(value, bool) or value is None:
        return ("constant", value)
    if isinstance(value, int) and kind in ("float", "number"):
        return ("float", float(value)) if abs(value) < 1 << 53 else ("int", value)
    if isinstance(value, (int, float)):
        return (type(value).__name__, value)
    if isinstance(value, str):
        return ("text", normalised(value))
    items = (schema or {}).get("items")
    if isinstance(value, (list, tuple)):
        return ("list", tuple(canonical_value(v, items) for v in value))
    if isinstance(value, dict):
        inner = (schema or {}).get("properties", {})
        return ("object", tuple(sorted((k, canonical_value(v, inner.get(k))) for k, v in value.items())))
    return ("other", repr(value))
