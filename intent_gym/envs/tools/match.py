"""Whether one call is one of the calls that an expected entry allows, and if not, why.

Source: the rules of the Berkeley Function Calling Leaderboard's AST checker (Patil et al., ICML 2025), with its defects
corrected. An expected entry is ``{function: {parameter: [possible values]}}``; an empty string among the possible
values means that the parameter may be left out, and never that it may be an empty string.

Values are compared by the type of the schema:

* integer: an int; float and number: an int or a float; boolean: only a boolean, which is no number either;
* string: without case, blanks and ``,./-_*^``, quotes alike (`normalised`);
* array and tuple: element by element in order; dict: key by key, each with its possible values;
* any, or a part that the schema leaves open: by the kind of the expected value, where an int fits a float.

A possible value that is not of the schema's type is read in that type where that is certain ("1" for an integer);
otherwise it is expected as it stands (a variable's name for an array).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

from intent_gym.envs.desk.calls import shown
from intent_gym.envs.tools.calls import Call

__all__ = ["Complaint", "Entry", "fits", "is_of_type", "mismatch", "normalised", "possible_values"]

Entry: TypeAlias = Mapping[str, Mapping[str, list[Any]]]
"""One function's name to its parameters' possible values."""

_IGNORED = re.compile(r"[\s,./\-_*^]+")
_NUMERIC = re.compile(r"[-+]?\d{1,15}(\.\d{1,15})?")
_TYPES: Mapping[str, tuple[type, ...]] = {
    "integer": (int,), "float": (int, float), "number": (int, float), "boolean": (bool,), "string": (str,),
    "array": (list,), "tuple": (list,), "dict": (dict,), "object": (dict,),
}  # fmt: skip


class Complaint(NamedTuple):
    """Why a call does not fit."""

    kind: str
    """"wrong function", "missing parameter", "unexpected parameter", "wrong type", "wrong value" or "wrong slot"."""
    text: str


def normalised(text: str) -> str:
    """Return a text as the comparison sees it. Different values can collide: "1.5" and "15".

    >>> normalised("New York, N.Y."), normalised("1.5") == normalised("15")
    ('newyorkny', True)
    """
    return _IGNORED.sub("", text).lower().replace("'", '"')


def is_of_type(value: object, kind: str | None) -> bool:
    """Return whether a value is of a schema type; every value is of "any", None and unknown types."""
    types = _TYPES.get(kind or "")
    if types is None:
        return True
    return isinstance(value, types) and (isinstance(value, bool) == (kind == "boolean"))


def possible_values(possible: object, schema: Mapping[str, Any] | None) -> list[Any]:
    """Return a parameter's possible values in the schema's type, without the mark that it may be left out."""
    values = possible if isinstance(possible, list) else [possible]
    return [_coerced(value, (schema or {}).get("type")) for value in values if value != ""]


def mismatch(call: Call, expected: Entry, functions: Mapping[str, Mapping[str, Any]]) -> Complaint | None:
    """Return why a call is not one that the entry allows, or None if it is.

    Args:
        call: What was called.
        expected: One function with its parameters' possible values.
        functions: Schemas by function name, as in the original's "function" field.
    """
    ((name, possible),) = expected.items()
    if call.name != name:
        return Complaint("wrong function", f"expected {name}, got {call.name[:60]}")
    parameters = functions[name]["parameters"] if name in functions else {}
    properties: Mapping[str, Any] = parameters.get("properties", {})
    for parameter in parameters.get("required", ()):
        if parameter not in call.arguments:
            return Complaint("missing parameter", f"{name}: expected {parameter}, which is required")
    for parameter, values in possible.items():
        if parameter not in call.arguments and "" not in values:
            return Complaint("missing parameter", f"{name}: expected {parameter}={shown(values[0])}")
    for parameter, value in call.arguments.items():
        if parameter not in possible:
            return Complaint("unexpected parameter", f"{name}: got {parameter[:60]}, which nobody asked for")
        schema = properties.get(parameter)
        if not fits(value, possible[parameter], schema):
            return _value_complaint(name, parameter, value, possible, properties)
    return None


def fits(value: object, possible: object, schema: Mapping[str, Any] | None) -> bool:
    """Return whether a value is one of the possible ones."""
    return any(_equal(value, wanted, schema or {}) for wanted in possible_values(possible, schema))


def _value_complaint(
    name: str, parameter: str, value: object, possible: Mapping[str, list[Any]], properties: Mapping[str, Any]
) -> Complaint:
    wanted = possible_values(possible[parameter], properties.get(parameter))
    if not wanted:
        return Complaint("unexpected parameter", f"{name}: got {parameter}, which was to be left out")
    text = f"{name}: expected {parameter}={shown(wanted[0])}, got {shown(value)}"
    kind = (properties.get(parameter) or {}).get("type")
    if not is_of_type(value, kind):
        return Complaint("wrong type", f"{text}, which is no {kind}")
    for other, values in possible.items():
        if other != parameter and fits(value, values, properties.get(other)):
            return Complaint("wrong slot", f"{text}, the value of {other}")
    return Complaint("wrong value", text)


def _coerced(value: object, kind: str | None) -> object:
    if isinstance(value, str) and kind in ("integer", "float", "number") and (match := _NUMERIC.fullmatch(value)):
        return float(value) if match[1] else int(value)
    if isinstance(value, str) and kind == "boolean" and value.lower() in ("true", "false"):
        return value.lower() == "true"
    return value


def _equal(value: object, wanted: object, schema: Mapping[str, Any]) -> bool:
    kind = schema.get("type")
    if isinstance(wanted, dict):
        return isinstance(value, dict) and _equal_dict(value, wanted, schema.get("properties") or {})
    if isinstance(wanted, list):
        items = schema.get("items") or {}
        return (
            isinstance(value, list)
            and len(value) == len(wanted)
            and all(_equal(v, w, items) for v, w in zip(value, wanted, strict=True))
        )
    if isinstance(wanted, bool) or isinstance(value, bool) or wanted is None or value is None:
        return value is wanted
    if isinstance(wanted, str) or isinstance(value, str):
        return (
            isinstance(wanted, str)
            and isinstance(value, str)
            and (value == wanted or normalised(value) == normalised(wanted))
        )
    if isinstance(value, float) and (kind == "integer" or (kind not in _TYPES and isinstance(wanted, int))):
        return False
    return isinstance(value, (int, float)) and value == wanted


def _equal_dict(value: Mapping[str, Any], wanted: Mapping[str, Any], properties: Mapping[str, Any]) -> bool:
    for key, possible in wanted.items():
        if key not in value:
            if not (isinstance(possible, list) and "" in possible):
                return False
            continue
        schema = properties.get(key) or {}
        listed = isinstance(possible, list) and schema.get("type") in ("array", "tuple")
        if not (fits(value[key], possible, schema) or (listed and _equal(value[key], possible, schema))):
            return False
    return set(value) <= set(wanted)
