"""The airline's 14 tools: names, arguments, checks in order and effects of the original (tau2-bench)."""

from __future__ import annotations

from functools import partial

from intent_gym.envs.airline import bookings, changes, reads
from intent_gym.envs.airline.lax import lax
from intent_gym.envs.airline.policy import CABINS, TRIPS
from intent_gym.envs.airline.rows import DATE, FLIGHTS, PASSENGERS, TEXT
from intent_gym.envs.desk.general import CALCULATE, TRANSFER
from intent_gym.envs.desk.tools import Tool, Toolbox

__all__ = ["toolbox"]

_CABIN = {"type": "string", "enum": list(CABINS), "description": "The same for all flights."}
_PAYMENTS = {
    "type": "array",
    "description": "Who pays which share; together exactly the price.",
    "items": {
        "type": "object",
        "properties": {"payment_id": TEXT, "amount": {"type": "number", "description": "Whole dollars."}},
        "required": ["payment_id", "amount"],
    },
}
_BAGS = {
    "total_baggages": {"type": "integer", "description": "All checked bags, free ones included."},
    "nonfree_baggages": {"type": "integer", "description": "Those of them that are paid for, 50 dollars each."},
}
_ROUTE = {
    "origin": {"type": "string", "description": "Airport code, such as SFO."},
    "destination": {"type": "string", "description": "Airport code, such as JFK."},
}
_PAID_BY = {"type": "string", "description": "Gift card or credit card that pays, or is refunded."}
_RESERVATION = {"type": "string", "description": "Six capitals or digits."}


def toolbox(*, tau2_compat: bool = False) -> Toolbox:
    """Return the tools.

    Args:
        tau2_compat: Keep the original's faults, its laxness with types included.
    """
    tools = [*_reads(), *_writes(tau2_compat), CALCULATE, TRANSFER]
    tools.sort(key=lambda tool: tool.name)
    return Toolbox([lax(tool) for tool in tools] if tau2_compat else tools)


def _reads() -> list[Tool]:
    return [
        Tool("get_user_details", "Look up a user.", {"user_id": TEXT}, reads.get_user_details),
        Tool(
            "get_reservation_details",
            "Look up a reservation.",
            {"reservation_id": _RESERVATION},
            reads.get_reservation_details,
        ),
        Tool(
            "get_flight_status",
            "Look up the status of a flight on a date.",
            {"flight_number": TEXT, "date": DATE},
            reads.get_flight_status,
        ),
        Tool("list_all_airports", "List all airports with their cities.", {}, reads.list_all_airports),
        Tool(
            "search_direct_flight",
            "Find the flights of a route that can be booked on a date.",
            {**_ROUTE, "date": DATE},
            reads.search_direct_flight,
        ),
        Tool(
            "search_onestop_flight",
            "Find pairs of flights with one change on the way that can be booked for a date.",
            {**_ROUTE, "date": DATE},
            reads.search_onestop_flight,
        ),
    ]


def _writes(compat: bool) -> list[Tool]:
    booking = {
        "user_id": TEXT,
        **_ROUTE,
        "flight_type": {"type": "string", "enum": list(TRIPS)},
        "cabin": _CABIN,
        "flights": FLIGHTS,
        "passengers": PASSENGERS,
        "payment_methods": _PAYMENTS,
        **_BAGS,
        "insurance": {"type": "string", "enum": ["yes", "no"], "description": "30 dollars a passenger."},
    }
    change = {"reservation_id": _RESERVATION}
    flights = {"cabin": _CABIN, "flights": {**FLIGHTS, "description": "All flights, kept ones included."}}
    return [
        Tool("book_reservation", "Book a trip.", booking, partial(bookings.book_reservation, compat=compat), True),
        Tool(
            "cancel_reservation",
            "Cancel a whole reservation and refund it.",
            change,
            partial(bookings.cancel_reservation, compat=compat),
            True,
        ),
        Tool(
            "send_certificate",
            "Give a user a travel certificate.",
            {"user_id": TEXT, "amount": {"type": "number", "description": "Dollars."}},
            partial(bookings.send_certificate, compat=compat),
            True,
        ),
        Tool(
            "update_reservation_flights",
            "Change the flights or the cabin of a reservation.",
            {**change, **flights, "payment_id": _PAID_BY},
            partial(changes.update_reservation_flights, compat=compat),
            True,
        ),
        Tool(
            "update_reservation_baggages",
            "Change the checked bags of a reservation.",
            {**change, **_BAGS, "payment_id": _PAID_BY},
            partial(changes.update_reservation_baggages, compat=compat),
            True,
        ),
        Tool(
            "update_reservation_passengers",
            "Change who travels on a reservation, not how many.",
            {**change, "passengers": PASSENGERS},
            changes.update_reservation_passengers,
            True,
        ),
    ]
