"""Whether the possible answers of a task agree with the schemas that the model is shown.

An answer that breaks its own schema makes a task unfair or ungradable. What the original's files hold is kept, with
the reason why the grader copes, in ``data/bfcl_exceptions.json``; anything else that `lint` finds is news.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

from intent_gym.envs.tools.data import ToolTask
from intent_gym.envs.tools.match import is_of_type, possible_values

__all__ = ["Finding", "known_exceptions", "lint"]


class Finding(NamedTuple):
    """One disagreement."""

    task: str
    kind: str
    """"required omittable", "not in schema", "number as text", "another type", "not in enum" or "required missing"."""
    where: str
    """``function.parameter``."""
    value: Any


def lint(task: ToolTask) -> list[Finding]:
    """Return the disagreements of a task's possible answers with its schemas, in order, each once."""
    found: list[Finding] = []
    for entry in task.ground_truth:
        ((name, parameters),) = entry.items()
        schema, required = task.schema(name), task.required(name)
        for parameter in sorted(required - set(parameters)):
            found.append(Finding(task.id, "required missing", f"{name}.{parameter}", None))
        for parameter, possible in parameters.items():
            where = f"{name}.{parameter}"
            if parameter not in schema:
                found.append(Finding(task.id, "not in schema", where, possible))
                continue
            if "" in possible and parameter in required:
                found.append(Finding(task.id, "required omittable", where, possible))
            for kind, value in _values(possible, schema[parameter]):
                found.append(Finding(task.id, kind, where, value))
    once: list[Finding] = []
    for finding in found:
        if finding not in once:
            once.append(finding)
    return once


@lru_cache(maxsize=1)
def known_exceptions() -> Mapping[str, str]:
    """Return the known findings of the original's files: ``task: kind: where`` to the reason why it is no harm."""
    text = (files("intent_gym.envs.tools") / "data" / "bfcl_exceptions.json").read_text(encoding="utf-8")
    found: dict[str, str] = json.loads(text)
    return found


def _values(possible: list[Any], schema: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    given = [value for value in possible if value != ""]
    for raw, value in zip(given, possible_values(possible, schema), strict=True):
        if not is_of_type(value, schema.get("type")):
            yield "another type", raw
        elif type(raw) is not type(value):
            yield "number as text", raw
        elif schema.get("enum") and isinstance(value, str) and value not in schema["enum"]:
            yield "not in enum", raw
        if isinstance(value, list) and schema.get("items"):
            for element in value:
                if not isinstance(element, dict):  # of objects the possible answers list possible values
                    yield from _values([element], schema["items"])
