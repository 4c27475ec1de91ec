"""The original's ways with arguments of the wrong type, for `tau2_compat`: some pass, the others are accidents.

The original checks only the names of arguments. Types matter where a row is built (a text of digits becomes a number
in a booking) or arithmetic fails; nowhere else, so a change of bags stores a text or nothing at all as it came.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from intent_gym.envs.desk.tables import Draft
from intent_gym.envs.desk.tools import Refusal, Tool

__all__ = ["ACCIDENT", "LaxTool", "lax"]

ACCIDENT = "accident"
"""The rule of a refusal that the original never meant."""


@dataclass(frozen=True)
class LaxTool(Tool):
    """A tool that checks the names of its arguments, not their types."""

    def fault(self, arguments: Mapping[str, Any]) -> str:
        """Return what is wrong with the names of arguments, "" if nothing is."""
        untyped = replace(self, parameters=dict.fromkeys(self.parameters, _ANYTHING))
        return Tool.fault(untyped, dict.fromkeys(arguments, ""))


_ANYTHING = {"type": "string"}


def lax(tool: Tool) -> LaxTool:
    """Return a tool as the original has it."""
    prepare = _PREPARE.get(tool.name)

    def function(draft: Draft, **arguments: Any) -> Any:  # noqa: ANN401 - JSON
        try:
            return tool.function(draft, **(prepare(arguments) if prepare else arguments))
        except (ArithmeticError, AttributeError, KeyError, TypeError, ValueError) as error:
            raise Refusal(ACCIDENT, f"{type(error).__name__}: {error}") from error

    return LaxTool(tool.name, tool.description, tool.parameters, function, tool.writes, tool.optional)


def _text(value: Any) -> str:  # noqa: ANN401 - JSON
    if not isinstance(value, str):
        raise TypeError(f"expected a text, got {value!r}")
    return value


def _integer(value: Any) -> int:  # noqa: ANN401 - JSON
    """Return a whole number, or a text of one, as an integer."""
    number = float(value) if isinstance(value, str) else value
    if number != int(number):
        raise ValueError(f"expected a whole number, got {value!r}")
    return int(number)


def _rows(rows: list[Any], fields: tuple[str, ...]) -> list[dict[str, Any]]:
    return [{field: _text(row[field]) for field in fields} for row in rows]


def _flights(arguments: dict[str, Any]) -> dict[str, Any]:
    return {**arguments, "flights": _rows(arguments["flights"], ("flight_number", "date"))}


def _passengers(arguments: dict[str, Any]) -> dict[str, Any]:
    return {**arguments, "passengers": _rows(arguments["passengers"], ("first_name", "last_name", "dob"))}


def _booking(arguments: dict[str, Any]) -> dict[str, Any]:
    paid = arguments["nonfree_baggages"]
    if isinstance(paid, str):
        raise TypeError("a text cannot be multiplied with a price")
    return {
        **_passengers(_flights(arguments)),
        "total_baggages": _integer(arguments["total_baggages"]),
        "nonfree_baggages": _integer(paid),
    }


_PREPARE: Mapping[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "book_reservation": _booking,
    "update_reservation_flights": _flights,
    "update_reservation_passengers": _passengers,
}
