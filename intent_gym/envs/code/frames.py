"""A function to write, with parameters: what the generator and the loader of the original data both make."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from intent_gym.core.intent import Value
from intent_gym.envs.answers import Assignment
from intent_gym.envs.templates import Template
from intent_gym.grading import Grade

__all__ = ["Frame", "Given", "Made", "Stage"]


@dataclass(frozen=True)
class Frame:
    """One function.

    Attributes:
        name: What a person says that they need, "the picker of temperatures"; unique in its host.
        group: Frames of one group share their material.
        split: "train" or "test".
        brief: The public material.
        domains: Values by slot, sorted; every slot of the frame, in the host's order.
        neutral: The value that asks for nothing, by optional slot.
    """

    name: str
    group: str
    split: Literal["train", "test"]
    brief: str
    domains: Mapping[str, tuple[Value, ...]]
    neutral: Mapping[str, Value]


@dataclass(frozen=True)
class Given(Frame):
    """An original task.

    Attributes:
        source: A right program.
        verdict: Grades any text under an assignment, by the task's own tests.
    """

    source: Template
    verdict: Callable[[Assignment, str], Grade]


@dataclass(frozen=True)
class Stage:
    """One part of a function.

    Attributes:
        slot: What sets it.
        kind: "items" makes items of items, "result" a result of items, "empty" ends it if no items are left, "return"
            makes what is returned of both.
        functions: By value; None where nothing is done.
    """

    slot: str
    kind: Literal["items", "result", "empty", "return"]
    functions: Mapping[Value, Callable[..., Any] | None]


@dataclass(frozen=True)
class Made(Frame):
    """A function put together from parts.

    Attributes:
        source: Its text.
        stages: What it does.
        calls: Arguments of its tests.
    """

    source: Template
    stages: tuple[Stage, ...]
    calls: Sequence[tuple[Any, ...]]

    def outputs(self, values: Assignment) -> list[Any]:
        """Return the value of every call under a complete assignment."""
        return self._outputs(values, self.calls)

    def last_output(self, values: Assignment) -> Any:  # noqa: ANN401 - any plain value
        """Return the value of the last call, by which most assignments are told apart already."""
        return self._outputs(values, self.calls[-1:])[0]

    def _outputs(self, values: Assignment, calls: Sequence[tuple[Any, ...]]) -> list[Any]:
        functions = [(stage.kind, stage.functions[values[stage.slot]]) for stage in self.stages]
        return [_run(functions, call) for call in calls]


def _run(functions: Sequence[tuple[str, Callable[..., Any] | None]], call: tuple[Any, ...]) -> Any:  # noqa: ANN401
    items, *rest = call
    k = rest[0] if rest else 0
    result: Any = None
    for kind, function in functions:
        if function is None:
            continue
        if kind == "items":
            items = result = function(items, k)
        elif kind == "result":
            result = function(items, k)
        elif kind == "return":
            result = function(items, k, result)
        elif not items:
            return function(items, k)
    return result
