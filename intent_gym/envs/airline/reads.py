"""The airline's tools that only look things up: users, reservations, flights, airports."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from intent_gym.envs.airline.rows import find_reservation, find_user, timetable
from intent_gym.envs.airline.timetable import Flight, date_key, next_day
from intent_gym.envs.desk.calls import shown
from intent_gym.envs.desk.tables import Draft, Row
from intent_gym.envs.desk.tools import Refusal

__all__ = [
    "CITIES",
    "get_flight_status",
    "get_reservation_details",
    "get_user_details",
    "list_all_airports",
    "search_direct_flight",
    "search_onestop_flight",
]

CITIES: Final[Mapping[str, str]] = {
    "SFO": "San Francisco",
    "JFK": "New York",
    "LAX": "Los Angeles",
    "ORD": "Chicago",
    "DFW": "Dallas",
    "DEN": "Denver",
    "SEA": "Seattle",
    "ATL": "Atlanta",
    "MIA": "Miami",
    "BOS": "Boston",
    "PHX": "Phoenix",
    "IAH": "Houston",
    "LAS": "Las Vegas",
    "MCO": "Orlando",
    "EWR": "Newark",
    "CLT": "Charlotte",
    "MSP": "Minneapolis",
    "DTW": "Detroit",
    "PHL": "Philadelphia",
    "LGA": "LaGuardia",
}
"""The cities of the original's airports, in its order; tables with other airports bring a table `airports`."""


def get_user_details(draft: Draft, user_id: str) -> Row:
    """Return a user's row."""
    return find_user(draft, user_id)


def get_reservation_details(draft: Draft, reservation_id: str) -> Row:
    """Return a reservation's row."""
    return find_reservation(draft, reservation_id)


def get_flight_status(draft: Draft, flight_number: str, date: str) -> str:
    """Return the status of a flight on a date."""
    table = timetable(draft)
    days = table.status.get(flight_number)
    if days is None:
        raise Refusal("known_flight", f"no flight has the number {shown(flight_number)}; numbers look like 'HAT001'")
    if date not in days:
        raise Refusal("flight_date", f"flight {flight_number} does not fly on {shown(date)}; write dates as 2024-05-20")
    return days[date]


def list_all_airports(draft: Draft) -> list[dict[str, str]]:
    """Return the codes and cities of all airports."""
    return [{"iata": code, "city": row["city"]} for code, row in draft.tables["airports"].items()]


def search_direct_flight(draft: Draft, origin: str, destination: str, date: str) -> list[dict[str, Any]]:
    """Return the flights of a route that can be booked on a date; none for places and dates unknown."""
    found = (_offer(draft, flight, date) for flight in timetable(draft).direct.get((origin, destination), ()))
    return [offer for offer in found if offer is not None]


def search_onestop_flight(draft: Draft, origin: str, destination: str, date: str) -> list[list[dict[str, Any]]]:
    """Return the pairs of flights with one change on the way that can be booked, the first leaving on a date.

    The second leaves the day after if the first arrives only then.
    """
    pairs = timetable(draft).onestop.get((origin, destination), ())
    after = next_day(date) if pairs and date else None
    found: list[list[dict[str, Any]]] = []
    offers: dict[str, dict[str, Any] | None] = {}  # a first flight stands in many pairs
    for first, second in pairs:
        if first.number not in offers:
            offers[first.number] = _offer(draft, first, date, dated=True)
        start = offers[first.number]
        onward = after if first.overnight else date
        if start is None or onward is None:
            continue
        end = _offer(draft, second, onward, dated=True)
        if end is not None:
            found.append([start, end])
    return found


def _offer(draft: Draft, flight: Flight, date: str, *, dated: bool = False) -> dict[str, Any] | None:
    """Return a flight as a search shows it, None if it cannot be booked on that date."""
    day = draft.get("flight_dates", date_key(flight.number, date))
    if day is None or day["status"] != "available":
        return None
    offer = {
        "flight_number": flight.number,
        "origin": flight.origin,
        "destination": flight.destination,
        "status": "available",
        "scheduled_departure_time_est": flight.departs,
        "scheduled_arrival_time_est": flight.arrives,
        "available_seats": day["available_seats"],
        "prices": day["prices"],
    }
    if dated:
        offer["date"] = date
    return offer
