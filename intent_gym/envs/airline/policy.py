"""The airline's rules that no tool checks, as predicates over rows (`rules` has all of them as data).

The tools of the original let an agent cancel, change and book against the policy text, and say so. Graph building and
acceptance must not: an end state that the policy forbids is no goal, and an agent that reaches one has done wrong.

Every function here is pure: rows as the tables hold them and the timetable in, rule ids out. `RULES` gives each id a
sentence. An empty answer means that nothing forbids it. `breaches` is the one entry for a whole tool call; it does not
repeat what the tools themselves refuse (unknown ids, seats, sums).

Decisions where the policy text leaves room:

* "Within the last 24 hours" includes the booking made exactly 24 hours ago.
* "Any portion flown" is a segment whose day says "flying" or "landed". A cancelled or delayed one is not flown.
* "Cancelled by the airline" is met by one cancelled segment.
* The reasons that insurance covers are the two that the text names: health and weather.
* The airports and the trip type of a reservation are kept when its flights lead from its origin to its destination
  and, for a round trip, back, every leg from where the one before ended, and not before it arrives.
* Flown segments are kept as they are: not in the text, but nobody can fly yesterday.
* Checked bags are free up to the allowance, so the paid ones are exactly those above it (all 2,000 reservations of the
  original keep to this).
* A method listed twice in a booking counts once. Kinds are counted, not rows.
"""

from __future__ import annotations

import datetime
import itertools
from collections import Counter
from collections.abc import Sequence
from typing import Final

from intent_gym.envs.airline.rules import (
    CANCEL_WINDOW,
    COMPENSATION,
    COVERED_REASONS,
    FREE_BAGS,
    MAX_METHODS,
    MAX_PASSENGERS,
    NOW,
    RULES,
    Reason,
)
from intent_gym.envs.airline.timetable import DAY, Timetable, minutes
from intent_gym.envs.desk.tables import Draft, Row

__all__ = [
    "baggage_breaches",
    "booking_breaches",
    "breaches",
    "cancellation_breaches",
    "compensation",
    "flight_breaches",
    "flown",
    "free_bags",
    "itinerary_breaches",
    "paid_bags",
    "passenger_breaches",
]


# -- allowances ------------------------------------------------------------------------------------------------------
def free_bags(membership: str, cabin: str, passengers: int) -> int:
    """Return how many checked bags a reservation has for free.

    >>> free_bags("regular", "basic_economy", 2), free_bags("gold", "business", 2)
    (0, 8)
    """
    return FREE_BAGS[membership][cabin] * passengers


def paid_bags(membership: str, cabin: str, passengers: int, total: int) -> int:
    """Return how many of all checked bags have to be paid for.

    >>> paid_bags("silver", "economy", 1, 3)
    1
    """
    return max(0, total - free_bags(membership, cabin, passengers))


# -- state of a trip -------------------------------------------------------------------------------------------------
def flown(timetable: Timetable, legs: Sequence[Row]) -> bool:
    """Return whether any of the segments has taken off."""
    return any(_is_flown(timetable, leg) for leg in legs)


def _is_flown(timetable: Timetable, leg: Row) -> bool:
    return timetable.on(leg["flight_number"], leg["date"]) in ("flying", "landed")


def _span(timetable: Timetable, leg: Row) -> tuple[int, int]:
    """Return departure and arrival of a segment in minutes since a fixed day."""
    flight = timetable.flights[leg["flight_number"]]
    start = datetime.date.fromisoformat(leg["date"]).toordinal() * DAY
    return start + minutes(flight.departs), start + minutes(flight.arrives)


# -- one rule after another ------------------------------------------------------------------------------------------
def itinerary_breaches(
    timetable: Timetable, origin: str, destination: str, trip: str, legs: Sequence[Row]
) -> tuple[str, ...]:
    """Return what is wrong with a sequence of flights as a trip of one kind.

    Args:
        timetable: The flights.
        origin: Where the trip starts.
        destination: Where it leads.
        trip: "one_way" or "round_trip".
        legs: Rows with `flight_number` and `date`, all of them in the timetable.
    """
    flights = [timetable.flights[leg["flight_number"]] for leg in legs]
    ends = [flight.destination for flight in flights]
    goal = destination if trip == "one_way" else origin
    broken: list[str] = []
    if (
        not flights
        or flights[0].origin != origin
        or ends[-1] != goal
        or (trip == "round_trip" and destination not in ends[:-1])
    ):
        broken.append("route")
    spans = [_span(timetable, leg) for leg in legs]
    joined = all(after.origin == end for end, after in zip(ends, flights[1:], strict=False))
    if not joined or any(after[0] < before[1] for before, after in itertools.pairwise(spans)):
        broken.append("connection")
    return tuple(broken)


def cancellation_breaches(timetable: Timetable, reservation: Row, reason: Reason | None) -> tuple[str, ...]:
    """Return what forbids cancelling a reservation.

    Args:
        timetable: The flights.
        reservation: The row.
        reason: Why the user wants to cancel; None if it was not told, which no insurance covers.
    """
    if reservation.get("status") == "cancelled":
        return ("not_cancelled",)
    legs = reservation["flights"]
    if flown(timetable, legs):
        return ("not_flown",)
    allowed = (
        NOW - datetime.datetime.fromisoformat(reservation["created_at"]) <= CANCEL_WINDOW
        or any(timetable.on(leg["flight_number"], leg["date"]) == "cancelled" for leg in legs)
        or reservation["cabin"] == "business"
        or (reservation["insurance"] == "yes" and reason in COVERED_REASONS)
    )
    return () if allowed else ("right_to_cancel",)


def flight_breaches(
    timetable: Timetable, user: Row, reservation: Row, cabin: str, legs: Sequence[Row], payment_id: str
) -> tuple[str, ...]:
    """Return what forbids giving a reservation these flights and this cabin.

    Args:
        timetable: The flights.
        user: The row of the reservation's user.
        reservation: The row as it is now.
        cabin: The cabin after the change.
        legs: All segments after the change, kept ones included, with `flight_number` and `date`.
        payment_id: What pays or is refunded.
    """
    now = [(leg["flight_number"], leg["date"]) for leg in reservation["flights"]]
    then = [(leg["flight_number"], leg["date"]) for leg in legs]
    broken: list[str] = ["not_cancelled"] if reservation.get("status") == "cancelled" else []
    if cabin != reservation["cabin"] and flown(timetable, reservation["flights"]):
        broken.append("not_flown")
    if now != then:
        if reservation["cabin"] == "basic_economy":
            broken.append("basic_economy")
        trip = (reservation["origin"], reservation["destination"], reservation["flight_type"])
        broken.extend(itinerary_breaches(timetable, *trip, legs))
        gone = [leg for leg in reservation["flights"] if (leg["flight_number"], leg["date"]) not in then]
        if flown(timetable, gone):
            broken.append("flown_kept")
    return (*broken, *_payment(user, payment_id))


def baggage_breaches(user: Row, reservation: Row, total: int, nonfree: int, payment_id: str) -> tuple[str, ...]:
    """Return what forbids giving a reservation this many bags, of which so many are paid for."""
    broken: list[str] = ["not_cancelled"] if reservation.get("status") == "cancelled" else []
    if total < reservation["total_baggages"]:
        broken.append("bags_only_added")
    if nonfree != paid_bags(user["membership"], reservation["cabin"], len(reservation["passengers"]), total):
        broken.append("bags_paid")
    return (*broken, *_payment(user, payment_id))


def passenger_breaches(reservation: Row, passengers: Sequence[Row]) -> tuple[str, ...]:
    """Return what forbids giving a reservation these passengers."""
    broken: list[str] = ["not_cancelled"] if reservation.get("status") == "cancelled" else []
    if len(passengers) != len(reservation["passengers"]):
        broken.append("passenger_number")
    return tuple(broken)


def booking_breaches(timetable: Timetable, user: Row, booking: Row) -> tuple[str, ...]:
    """Return what forbids a booking.

    Args:
        timetable: The flights.
        user: The row of the user who books.
        booking: The arguments of `book_reservation`.
    """
    people, total = len(booking["passengers"]), booking["total_baggages"]
    trip = (booking["origin"], booking["destination"], booking["flight_type"])
    broken = list(itinerary_breaches(timetable, *trip, booking["flights"]))
    if not 1 <= people <= MAX_PASSENGERS:
        broken.append("five_passengers")
    if booking["nonfree_baggages"] != paid_bags(user["membership"], booking["cabin"], people, total):
        broken.append("bags_paid")
    methods = user["payment_methods"]
    used = {payment["payment_id"] for payment in booking["payment_methods"]}
    kinds = Counter(methods[method]["source"] for method in used if method in methods)
    if not used <= set(methods) or any(count > MAX_METHODS[kind] for kind, count in kinds.items()):
        broken.append("payment_mix")
    return tuple(broken)


def _payment(user: Row, payment_id: str) -> tuple[str, ...]:
    method = user["payment_methods"].get(payment_id)
    return () if method is not None and method["source"] in ("gift_card", "credit_card") else ("one_method",)


def compensation(timetable: Timetable, user: Row, reservation: Row, *, changed: bool) -> int:
    """Return the dollars that a complaint about a reservation's flights is worth, 0 if none is due.

    Args:
        timetable: The flights; a complaint that they do not bear out is worth nothing.
        user: The row of the reservation's user.
        reservation: The row, as it was when the complaint was made.
        changed: Whether the reservation has since been changed or cancelled at the user's wish.
    """
    entitled = (
        user["membership"] != "regular" or reservation["insurance"] == "yes" or reservation["cabin"] == "business"
    )
    seen = {timetable.on(leg["flight_number"], leg["date"]) for leg in reservation["flights"]}
    if not entitled:
        return 0
    people = len(reservation["passengers"])
    if "cancelled" in seen:
        return COMPENSATION["cancelled"] * people
    return COMPENSATION["delayed"] * people if "delayed" in seen and changed else 0


# -- a whole call ----------------------------------------------------------------------------------------------------
def breaches(
    draft: Draft,
    name: str,
    arguments: Row,
    *,
    caller: str | None = None,
    reason: Reason | None = None,
    due: int | None = None,
) -> tuple[str, ...]:
    """Return the rules that a tool call would break, in the order of `RULES`; () for a read.

    Args:
        draft: The tables as they are before the call.
        name: The tool.
        arguments: Its arguments, of which the tool itself would refuse none.
        caller: The id of the user on the line; None to let ownership pass.
        reason: Why the user wants to cancel.
        due: What `compensation` says a certificate may be worth; None or 0: none is due.
    """
    table = draft.tables.derived(Timetable.build)
    if name == "book_reservation":
        owner = arguments["user_id"]
        broken = booking_breaches(table, _known(draft, "users", owner), arguments)
    elif name == "send_certificate":
        owner = arguments["user_id"]
        broken = () if due and arguments["amount"] == due else ("compensation",)
    elif name in ("cancel_reservation", *_UPDATES):
        reservation = _known(draft, "reservations", arguments["reservation_id"])
        owner = reservation["user_id"]
        user = _known(draft, "users", owner)
        broken = _change_breaches(table, user, reservation, name, arguments, reason)
    else:
        return ()
    found = {*broken, *(("own_records",) if caller not in (None, owner) else ())}
    return tuple(rule for rule in RULES if rule in found)


def _known(draft: Draft, table: str, key: str) -> Row:
    row = draft.get(table, key)
    if row is None:
        raise KeyError(f"no row {key!r} in {table}; the tool itself refuses such a call")
    return row


_UPDATES: Final = ("update_reservation_flights", "update_reservation_baggages", "update_reservation_passengers")


def _change_breaches(
    timetable: Timetable, user: Row, reservation: Row, name: str, arguments: Row, reason: Reason | None
) -> tuple[str, ...]:
    if name == "cancel_reservation":
        return cancellation_breaches(timetable, reservation, reason)
    if name == "update_reservation_flights":
        change = (arguments["cabin"], arguments["flights"], arguments["payment_id"])
        return flight_breaches(timetable, user, reservation, *change)
    if name == "update_reservation_baggages":
        bags = (arguments["total_baggages"], arguments["nonfree_baggages"], arguments["payment_id"])
        return baggage_breaches(user, reservation, *bags)
    return passenger_breaches(reservation, arguments["passengers"])
