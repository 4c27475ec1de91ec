"""Forms of a result, last steps and styles of a call that an original task can be asked for with.

Each is three things: lines of a wrapper round the task's own solution; what undoes it, so that the task's own tests can
judge what a program returns; and, for tests that are plain pairs, a function. What undoes a form runs in the process
of the tests, for it reads texts that a program has made.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from intent_gym.core.intent import Value

__all__ = ["FORMS", "LASTS", "NEUTRAL", "STYLES", "Adapter", "adapter_of", "called_with", "expected_of"]


class Adapter(NamedTuple):
    """One way.

    Attributes:
        wrapper: Lines in the wrapper, indented by four.
        undo: Lines in the adapter of the tests.
        function: What it does to a result, or to the list of arguments.
    """

    wrapper: str
    undo: str
    function: Callable[[Any], Any]


FORMS: Mapping[str, Adapter] = {
    "boxed result": Adapter(
        "    result = [result]\n",
        "    (value,) = of(value, list)\n",
        lambda result: [result],
    ),
    "doubled result": Adapter(
        "    result = [result, result]\n",
        "    first, value = of(value, list)\n    same(repr(first), repr(value))\n",
        lambda result: [result, result],
    ),
    "labeled result": Adapter(
        '    result = {"result": result}\n',
        '    same(list(of(value, dict)), ["result"])\n    value = value["result"]\n',
        lambda result: {"result": result},
    ),
    "plain result": Adapter("", "", lambda result: result),
    "quoted result": Adapter(
        "    result = repr(result)\n",
        "    value = ast.literal_eval(of(value, str))\n",
        repr,
    ),
    "stamped result": Adapter(
        '    result = ["done", result]\n',
        '    stamp, value = of(value, list)\n    same(stamp, "done")\n',
        lambda result: ["done", result],
    ),
}
"""How the result is returned."""

LASTS: Mapping[str, Adapter] = {
    "backward text": Adapter(
        '    result = repr(result)[::-1] + "<"\n',
        '    same(of(value, str)[-1:], "<")\n    value = ast.literal_eval(value[-2::-1])\n',
        lambda result: repr(result)[::-1] + "<",
    ),
    "dashed text": Adapter(
        '    result = "--" + repr(result)\n',
        '    same(of(value, str)[:2], "--")\n    value = ast.literal_eval(value[2:])\n',
        lambda result: "--" + repr(result),
    ),
    "no last step": Adapter("", "", lambda result: result),
    "starred text": Adapter(
        '    result = "*" + repr(result) + "*"\n',
        '    same(of(value, str)[:1] + value[-1:], "**")\n    value = ast.literal_eval(value[1:-1])\n',
        lambda result: "*" + repr(result) + "*",
    ),
}
"""What is done to the returned value at the end."""

STYLES: Mapping[str, Adapter] = {
    "arguments as texts": Adapter(
        "    import ast\n\n    arguments = [ast.literal_eval(argument) for argument in arguments]\n",
        "    arguments = [repr(argument) for argument in arguments]\n",
        lambda arguments: [repr(argument) for argument in arguments],
    ),
    "direct call": Adapter("", "", lambda arguments: arguments),
    "one dictionary of arguments": Adapter(
        "    arguments = list(arguments[0].values())\n",
        '    arguments = [{f"a{number}": argument for number, argument in enumerate(arguments)}]\n',
        lambda arguments: [{f"a{number}": argument for number, argument in enumerate(arguments)}],
    ),
    "one list of arguments": Adapter(
        "    (arguments,) = arguments\n",
        "    arguments = [arguments]\n",
        lambda arguments: [arguments],
    ),
}
"""How the function is called."""

NEUTRAL: Mapping[str, str] = {"last": "no last step", "style": "direct call"}
"""What leaving out means."""

_PROGRAM = """import ast

def of(value, kind):
    if type(value) is not kind:
        raise ValueError("another form")
    return value

def same(found, wanted):
    if found != wanted:
        raise ValueError("another form")

def sent(arguments):
{style}    return arguments

def got(value):
{last}{form}    return value
"""


def adapter_of(values: Mapping[str, Value]) -> str:
    """Return the program that stands between a task's tests and a function, see `grade.grade_humaneval`.

    Args:
        values: Of the slots "form", "last" and "style".
    """
    parts = {"form": FORMS, "last": LASTS, "style": STYLES}
    return _PROGRAM.format(**{slot: table[str(values[slot])].undo for slot, table in parts.items()})


def called_with(values: Mapping[str, Value], arguments: list[Any]) -> list[Any]:
    """Return what a function is called with."""
    found: list[Any] = STYLES[str(values["style"])].function(arguments)
    return found


def expected_of(values: Mapping[str, Value], result: Any) -> Any:  # noqa: ANN401 - any plain value
    """Return what is expected of a function whose plain result is known.

    >>> expected_of({"form": "boxed result", "last": "starred text"}, 3)
    '*[3]*'
    """
    return LASTS[str(values["last"])].function(FORMS[str(values["form"])].function(result))
