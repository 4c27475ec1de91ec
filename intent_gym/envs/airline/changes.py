"""The airline's tools that change a reservation: its flights and cabin, its bags, its passengers."""

from __future__ import annotations

from typing import Any

from intent_gym.envs.airline.rows import (
    check_seats,
    find_reservation,
    find_user,
    no_flights,
    open_day,
    passenger_rows,
    refuse_negative,
    settle,
    timetable,
)
from intent_gym.envs.airline.rules import BAG_PRICE
from intent_gym.envs.desk.tables import Draft, Row
from intent_gym.envs.desk.tools import Refusal

__all__ = ["update_reservation_baggages", "update_reservation_flights", "update_reservation_passengers"]


def update_reservation_flights(
    draft: Draft,
    reservation_id: str,
    cabin: str,
    flights: list[dict[str, Any]],
    payment_id: str,
    *,
    compat: bool = False,
) -> Row:
    """Give a reservation these flights in this cabin, charge or refund the difference, and return it.

    A segment that the reservation has already, in the same cabin, keeps its price and is not checked.
    """
    reservation = find_reservation(draft, reservation_id)
    people = len(reservation["passengers"])
    kept = {(leg["flight_number"], leg["date"]): leg["price"] for leg in reversed(reservation["flights"])}
    if cabin != reservation["cabin"]:
        kept = {}
    legs = []
    table = timetable(draft).flights
    for wanted in flights:
        number, date = wanted["flight_number"], wanted["date"]
        price = kept.get((number, date))
        if price is None:
            day = open_day(draft, number, date)
            check_seats(day, number, date, cabin, people)
            price = day["prices"][cabin]
        ends = {"origin": table[number].origin, "destination": table[number].destination}
        legs.append({"flight_number": number, **ends, "date": date, "price": price})
    before = sum(leg["price"] for leg in reservation["flights"])
    difference = (sum(leg["price"] for leg in legs) - before) * people
    settle(draft, find_user(draft, reservation["user_id"]), payment_id, difference)
    if not legs and not compat:
        raise no_flights()
    row = draft.edit("reservations", reservation_id)
    row["flights"], row["cabin"] = legs, cabin
    if difference:
        row["payment_history"].append({"payment_id": payment_id, "amount": difference})
    return row


def update_reservation_baggages(
    draft: Draft,
    reservation_id: str,
    total_baggages: int,
    nonfree_baggages: int,
    payment_id: str,
    *,
    compat: bool = False,
) -> Row:
    """Set a reservation's checked bags, charge those to be paid that are new, and return it."""
    reservation = find_reservation(draft, reservation_id)
    price = BAG_PRICE * max(0, nonfree_baggages - reservation["nonfree_baggages"])
    settle(draft, find_user(draft, reservation["user_id"]), payment_id, price)
    if not compat:
        refuse_negative(total_baggages, nonfree_baggages)
    row = draft.edit("reservations", reservation_id)
    row["total_baggages"], row["nonfree_baggages"] = total_baggages, nonfree_baggages
    if price:
        row["payment_history"].append({"payment_id": payment_id, "amount": price})
    return row


def update_reservation_passengers(draft: Draft, reservation_id: str, passengers: list[dict[str, Any]]) -> Row:
    """Replace a reservation's passengers by as many others, and return it."""
    rows = passenger_rows(passengers)
    reservation = find_reservation(draft, reservation_id)
    if len(rows) != len(reservation["passengers"]):
        raise Refusal(
            "passenger_number",
            f"reservation {reservation_id} is for {len(reservation['passengers'])} passengers, {len(rows)} were given; "
            "their number cannot change",
        )
    row = draft.edit("reservations", reservation_id)
    row["passengers"] = rows
    return row
