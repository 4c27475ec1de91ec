"""The airline's fourteen tools under the names of the original.

Names, arguments, checks and effects follow tau2-bench's airline domain (Sierra Research, MIT licence,
https://github.com/sierra-research/tau2-bench); code and words are our own. With ``tau2_compat`` the recorded results
of the original are reproduced: all of 1,995 single calls, 190 sequences (1,055 calls) and 31 gold replays. Without it
these faults of the original are corrected. Every correction is checked last, so that it never changes the reason of a
refusal that the original makes too. In brackets: how many of the single calls, and of the calls in sequences, it
changes; no gold replay is changed by any.

* **A certificate listed twice** in a booking is refused and changes nothing. The original fails too, but has used up
  the certificate by then (9, 1).
* **A gift card listed twice** must hold the sum of its shares; the original compares each by itself and overdraws the
  card (0, 1). Twice within the balance stays allowed, as does a credit card listed twice.
* **A flight booked twice for one day** in the same booking is refused, whether or not the seats suffice; the original
  compares seats with each by itself and oversells (13, 1).
* **No flights**, in a booking or a change, and **no passengers** in a booking are refused (22, 7).
* **Negative bags**, payments and certificates are refused, zero is not (21, 8).
* **Unknown airports** are refused in a booking (5, 0).
* **A second cancellation** is refused; the original refunds all over again, refunds included (0, 18).
* **Arguments of the wrong type** are refused before anything else, so bags are whole numbers; the original stores a
  text, null or 3.5 as it comes where no arithmetic fails (12, 0). More keys than are asked for in a flight, passenger
  or payment are ignored, as in the original.

Kept although one could do otherwise:

* New reservations get the ids HATHAT, HATHAU, HATHAV and new certificates three fixed ids, by order of calls; a fourth
  is refused. Verdicts do not depend on the order (`desk.changes`).
* Times of a connection are compared as texts, which differs from comparing times only in a change of zero minutes after
  midnight (see `timetable`): it is not found.
* Searches never fail: unknown airports and dates have no flights.
* A change of flights takes no seats, a cancellation frees none and credits no gift card at once (the refund comes
  later); a change of flights does credit its gift card at once.
* A change without a price leaves no trace of its payment method, which must still be one that could pay.
* More paid bags than bags, fewer bags than before, more than five passengers, legs that do not connect or lead
  elsewhere, flown segments, repeated segments in a change, changes of a cancelled reservation, any number of cards:
  left to the agent, as in the original. `policy` tells them.
* Any reservation may be named, whoever owns it.
"""

from __future__ import annotations

from functools import lru_cache, partial

from intent_gym.envs.airline import bookings, changes, reads
from intent_gym.envs.airline.lax import lax
from intent_gym.envs.airline.rows import DATE, FLIGHTS, PASSENGERS, TEXT
from intent_gym.envs.airline.rules import CABINS, TRIPS
from intent_gym.envs.desk.general import CALCULATE, TRANSFER
from intent_gym.envs.desk.tools import Tool, Toolbox

__all__ = ["airline_toolbox"]

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


def airline_toolbox(*, tau2_compat: bool = False) -> Toolbox:
    """Return the tools, shared by everyone who asks.

    Args:
        tau2_compat: Keep the original's faults, its laxness with types included.

    >>> list(airline_toolbox())[:3], len(airline_toolbox())
    (['book_reservation', 'calculate', 'cancel_reservation'], 14)
    """
    return _toolbox(tau2_compat)


@lru_cache(maxsize=2)
def _toolbox(compat: bool) -> Toolbox:
    tools = [*_reads(), *_writes(compat), CALCULATE, TRANSFER]
    tools.sort(key=lambda tool: tool.name)
    return Toolbox([lax(tool) for tool in tools] if compat else tools)


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
