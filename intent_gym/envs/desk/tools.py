"""Tools of a desk: what each is called, what it takes, and how a call is checked and run.

A call goes through the same three gates everywhere: the tool exists, its arguments have the right names and types,
the tool's own rules allow it. A call that fails at any of them changes nothing.

Of a parameter's JSON schema `type` (one name), `items`, `properties`, `required` and `additionalProperties: false` are
enforced. Everything else in it (`enum`, `description`, ...) is there for the reader: those rules belong to the tool,
which checks them in its own order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from intent_gym.envs.desk.calls import Call, shown
from intent_gym.envs.desk.tables import Draft, as_text
from intent_gym.errors import suggest

__all__ = ["BAD_ARGUMENTS", "UNKNOWN_TOOL", "Refusal", "Result", "Tool", "Toolbox"]

UNKNOWN_TOOL = "unknown_tool"
BAD_ARGUMENTS = "bad_arguments"

_TYPES: dict[str, tuple[tuple[type, ...], str]] = {
    "string": ((str,), "a text in quotes"),
    "number": ((int, float), "a number"),
    "integer": ((int,), "a whole number"),
    "boolean": ((bool,), "true or false"),
    "array": ((list,), "a list: [...]"),
    "object": ((dict,), 'an object: {"key": value}'),
}


class Refusal(Exception):
    """A tool's rule forbids the call. Raised by a tool's function, answered by `Toolbox.run`, never seen beyond.

    Args:
        rule: Id of the rule, a stable snake_case word: why, for programs.
        text: Why, in words for the agent: what is wrong and what would be right.
        keep: Keep what the tool changed before it refused (only to reproduce a fault of an original).
    """

    def __init__(self, rule: str, text: str, *, keep: bool = False) -> None:
        super().__init__(text)
        self.rule = rule
        self.keep = keep


class Result(NamedTuple):
    """What a call gave."""

    ok: bool
    value: Any
    """JSON value of the tool, not to be changed; if not ok, the reason in words."""
    rule: str = ""
    """If not ok: the id of the rule that refused, `UNKNOWN_TOOL` or `BAD_ARGUMENTS`."""

    @property
    def text(self) -> str:
        """What the agent is shown: a text as it is, any other value as JSON, a failure after "Error: "."""
        if not self.ok:
            return f"Error: {self.value}"
        return as_text(self.value)


@dataclass(frozen=True)
class Tool:
    """One tool.

    Attributes:
        name: As it is called.
        description: One line.
        parameters: JSON schema by parameter name.
        function: Called as ``function(draft, **arguments)``; returns a JSON value or raises `Refusal`.
        writes: Whether it may change the draft. One that does not must not.
        optional: Parameters that may be left out; the function has defaults for them.
    """

    name: str
    description: str
    parameters: Mapping[str, Mapping[str, Any]]
    function: Callable[..., Any] = field(repr=False)
    writes: bool = False
    optional: frozenset[str] = frozenset()

    @property
    def schema(self) -> dict[str, Any]:
        """The tool as the usual function-calling interfaces take it, newly built."""
        return {
            "type": "function",
            "function": {
                "name": self.name,
                "description": self.description,
                "parameters": {
                    "type": "object",
                    "properties": {name: dict(schema) for name, schema in self.parameters.items()},
                    "required": [name for name in self.parameters if name not in self.optional],
                    "additionalProperties": False,
                },
            },
        }

    def fault(self, arguments: Mapping[str, Any]) -> str:
        """Return what is wrong with the names and types of arguments, "" if nothing is.

        >>> Tool("wash", "Wash a cup.", {"cup": {"type": "string"}}, print).fault({"cup": 3})
        "wash: expected 'cup' to be a text in quotes, got 3"
        """
        for name in arguments:
            if name not in self.parameters:
                return (
                    f"{self.name}: expected only {self._signature()}, got {shown(name)} as well"
                    f"{suggest(name[:100], [p for p in self.parameters if p not in arguments])}; leave it out"
                )
        for name, schema in self.parameters.items():
            if name in arguments:
                value = arguments[name]
                if type(value) is str and schema["type"] == "string":
                    continue
                if fault := _mismatch(value, schema, name):
                    return f"{self.name}: {fault}"
            elif name not in self.optional:
                given = ", ".join(arguments) or "none"
                return f"{self.name}: expected {self._signature()}, got {given}; {name!r} is missing"
        return ""

    def _signature(self) -> str:
        return ", ".join(self.parameters) or "no arguments"


class Toolbox(Mapping[str, Tool]):
    """Tools by name, in a fixed order.

    >>> def wash(draft, cup):
    ...     if cup != "mug":
    ...         raise Refusal("no_cup", f"there is no {cup}")
    ...     return {"clean": cup}
    >>> box = Toolbox([Tool("wash", "Wash a cup.", {"cup": {"type": "string"}}, wash)])
    >>> from intent_gym.envs.desk.tables import Tables
    >>> draft = Draft(Tables({}))
    >>> box.run(draft, Call("wash", {"cup": "mug"})).text
    '{"clean": "mug"}'
    >>> box.run(draft, Call("wash", {"cup": "jug"}))
    Result(ok=False, value='there is no jug', rule='no_cup')
    >>> box.run(draft, Call("wahs", {})).text
    "Error: expected one of the 1 tools, got 'wahs'; did you mean 'wash'?"
    """

    def __init__(self, tools: Sequence[Tool]) -> None:
        self._tools = {tool.name: tool for tool in tools}
        if len(self._tools) < len(tools):
            raise ValueError("expected every tool once; two have the same name")

    def __getitem__(self, name: str) -> Tool:
        """Return the tool with this name."""
        return self._tools[name]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names, in order."""
        return iter(self._tools)

    def __len__(self) -> int:
        """Return the number of tools."""
        return len(self._tools)

    def schemas(self) -> list[dict[str, Any]]:
        """Return the tools as the usual function-calling interfaces take them, newly built."""
        return [tool.schema for tool in self._tools.values()]

    def unknown(self, name: str, others: Sequence[str] = ()) -> str:
        """Return what is wrong with a name that no tool has; `others` are tools that are kept elsewhere."""
        known = [*self._tools, *others]
        near = suggest(name[:100], known) or f"; they are {', '.join(known)}"
        return f"expected one of the {len(known)} tools, got {shown(name)}{near}"

    def run(self, draft: Draft, call: Call) -> Result:
        """Run a call on a draft, which is changed only if the call succeeds."""
        tool = self._tools.get(call.name)
        if tool is None:
            return Result(False, self.unknown(call.name), UNKNOWN_TOOL)
        if fault := tool.fault(call.arguments):
            return Result(False, fault, BAD_ARGUMENTS)
        trial = draft.fork() if tool.writes else draft
        try:
            value = tool.function(trial, **call.arguments)
        except Refusal as refusal:
            if refusal.keep:
                draft.adopt(trial)
            return Result(False, str(refusal), refusal.rule)
        if tool.writes:
            draft.adopt(trial)
        return Result(True, value)


def _mismatch(value: object, schema: Mapping[str, Any], where: str) -> str:
    """Return how a value breaks a schema, "" if it does not."""
    if type(value) is str and schema["type"] == "string":
        return ""
    kinds, words = _TYPES[schema["type"]]
    right = isinstance(value, kinds) and (bool in kinds or not isinstance(value, bool))
    if not right:
        return f"expected {where!r} to be {words}, got {shown(value)}"
    if isinstance(value, list) and "items" in schema:
        for place, item in enumerate(value):
            if fault := _mismatch(item, schema["items"], f"{where}[{place}]"):
                return fault
    elif isinstance(value, dict) and "properties" in schema:
        properties = schema["properties"]
        for key in schema.get("required", ()):
            if key not in value:
                return f"expected {where!r} to hold {', '.join(properties)}, got {shown(value)}; {key!r} is missing"
        for key, item in value.items():
            if key in properties:
                if fault := _mismatch(item, properties[key], f"{where}.{key}"):
                    return fault
            elif schema.get("additionalProperties") is False:
                return f"expected {where!r} to hold only {', '.join(properties)}, got {shown(key)} too; leave it out"
    return ""
