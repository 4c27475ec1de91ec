"""The embedded data of the airline's service desk: flights, people and reservations, written by this project.

The schema is that of the airline database of tau2-bench (Barres et al. 2025, https://arxiv.org/abs/2506.07982), so one
reader serves both; every flight, person and price is our own. `intent_gym.envs.airline.network` makes the flights.

Decisions:

* **The rules hold.** Bags above the allowance are exactly the paid ones; what was paid is the seats' prices, insurance
  and paid bags; nobody booked after the clock, or after the trip began; legs connect with half an hour to spare.
* **Prices are those of the day of booking**, about the flight's usual fare. A booking of the last 24 hours paid what
  the flight costs now.
* **One method paid.** Certificates are only in the profile: a used one would be gone from it. Everybody has a credit
  card or a gift card.
* **Seats are what is left** after these reservations.
* **Airports are in the data**, under ``airports``: code to city. The original's tool has its twenty in its code.
* **Prefix.** The flights depend on the seed alone, and the data of few users is the beginning of that of many.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from intent_gym.envs.airline.network import DATES, PREFIX, Planned, Trip, find_trips, load_network, make_flights
from intent_gym.envs.airline.rules import (
    BAG_PRICE,
    CABINS,
    CANCEL_WINDOW,
    FREE_BAGS,
    INSURANCE_PRICE,
    MEMBERSHIPS,
    NOW,
)
from intent_gym.envs.people import Draws, People, Serials, check_size, credit_card

__all__ = ["DEFAULT_USERS", "generate"]

DEFAULT_USERS: Final = 500

RESERVATIONS_WEIGHTS = (8, 6, 14, 16, 18, 14, 10, 7, 4, 3)  # reservations of a user: 0, 1, ...; mean 3.9
METHODS_WEIGHTS = (20, 32, 24, 14, 7, 3)  # payment methods of a user: 1, 2, ...
SOURCES = ("credit_card", "gift_card", "certificate")
SOURCE_WEIGHTS = (38, 34, 28)
CERTIFICATES = (100, 150, 200, 250, 300, 500)  # dollars
FULL_CARD = 0.45  # share of gift cards that can pay for a trip
SAVED_WEIGHTS = (55, 30, 15)  # saved passengers of a user: 1, 2, 3
PASSENGERS_WEIGHTS = (46, 33, 16, 5)  # passengers of a reservation: 1, 2, ...
USER_TRAVELS = 0.85  # share of reservations on which the user flies
SAVED_TRAVELS = 0.5  # probability that a further passenger is a saved one
ROUND_TRIP = 0.48
DIRECT_ROUTE, DIRECT = 0.5, 0.75  # share of trips between airports with direct flights, and of these on one
AHEAD, TODAY = 0.62, 0.04  # shares of trips that begin after the clock's day, and on it
BOOKED_NOW = 0.15  # share of trips ahead that were booked within the last 24 hours
BOOKED_BEFORE = 15  # days: the longest time between another booking and its trip, or the clock
PAID_BAGS, NO_BAGS = 0.15, 0.4  # shares of reservations with paid bags, and of the others without any
BOOKED_SPREAD = (0.85, 1.15)  # of a price on the day of booking, about the flight's fare
LAST_DAY = len(DATES)
_USERS, _NAMES = 3, 4  # streams of draws; the network has 1 and 2
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


class _Airline(NamedTuple):
    """What reservations are made from."""

    flights: Sequence[Planned]
    direct: Mapping[tuple[str, str], Sequence[Trip]]
    onestop: Mapping[tuple[str, str], Sequence[Trip]]
    routes: list[tuple[str, str]]
    """Every pair of airports with a trip there and one back."""
    people: People


def generate(users: int = DEFAULT_USERS, seed: int = 0) -> dict[str, Any]:
    """Return ``flights``, ``users``, ``reservations`` and ``airports``, each by id; a fresh copy with every call.

    Args:
        users: Number of people, `MIN_USERS` to `MAX_USERS`; about four reservations each.
        seed: Any integer >= 0. Equal arguments give equal rows in every process.

    Raises:
        OptionError: An argument is out of range.

    >>> data = generate(50)
    >>> len(data["flights"]), len(data["users"]), sorted({row["cabin"] for row in data["reservations"].values()})
    (300, 50, ['basic_economy', 'business', 'economy'])
    """
    check_size(users, seed)
    airline = _airline(seed)
    serials, ids = Serials(), set[str]()
    user_rows: dict[str, Any] = {}
    reservation_rows: dict[str, Any] = {}
    for number in range(users):
        draws = Draws(seed, _USERS, number)
        user = _user(number, airline.people, draws, serials)
        for _ in range(draws.weighted(RESERVATIONS_WEIGHTS)):
            reservation = _reservation(_code(ids, draws), user, airline, draws)
            user["reservations"].append(reservation["reservation_id"])
            reservation_rows[reservation["reservation_id"]] = reservation
        user_rows[user["user_id"]] = user
    return {
        "airports": {airport.code: {"city": airport.city} for airport in load_network().airports},
        "flights": {flight.row["flight_number"]: flight.row for flight in airline.flights},
        "users": user_rows,
        "reservations": reservation_rows,
    }


def _airline(seed: int) -> _Airline:
    flights = make_flights(seed)
    direct, onestop = find_trips(flights)
    routes = {*direct, *onestop}
    both_ways = sorted(route for route in routes if route[::-1] in routes)
    return _Airline(flights, direct, onestop, both_ways, People(seed, _NAMES))


def _user(number: int, people: People, draws: Draws, serials: Serials) -> dict[str, Any]:
    user = people.profile(number, draws)
    user["dob"] = people.birthday(draws)
    user["payment_methods"] = _payment_methods(draws, serials)
    user["saved_passengers"] = _travellers([], [user["name"]], 1 + draws.weighted(SAVED_WEIGHTS), people, draws)
    user["membership"] = draws.pick(MEMBERSHIPS)
    user["reservations"] = []
    return user


def _payment_methods(draws: Draws, serials: Serials) -> dict[str, dict[str, Any]]:
    """Return one to six methods, the first a credit card or a gift card, by id."""
    methods: dict[str, dict[str, Any]] = {}
    for place in range(1 + draws.weighted(METHODS_WEIGHTS)):
        n = 3 if place else 2
        source = SOURCES[draws.weighted(SOURCE_WEIGHTS[:n])]
        number = serials.digits(7, draws)
        if source == "credit_card":
            method = credit_card(number, draws)
        else:
            if source == "certificate":
                amount = draws.pick(CERTIFICATES)
            else:
                amount = draws.between(60, 200) * 10 if draws.chance(FULL_CARD) else draws.between(15, 300)
            method = {"source": source, "id": f"{source}_{number}", "amount": float(amount)}
        methods[method["id"]] = method
    return methods


def _travellers(
    known: Sequence[Mapping[str, str]], taken: Sequence[Mapping[str, str]], count: int, people: People, draws: Draws
) -> list[dict[str, str]]:
    """Return `count` people of different names: some of `known`, the others new, none of `taken`."""
    left = [dict(person) for person in known]
    names = {(person["first_name"], person["last_name"]) for person in (*known, *taken)}
    chosen: list[dict[str, str]] = []
    while len(chosen) < count:
        if left and draws.chance(SAVED_TRAVELS):
            chosen.append(left.pop(draws.between(0, len(left) - 1)))
            continue
        person = people.traveller(draws)
        name = person["first_name"], person["last_name"]
        if name not in names:
            names.add(name)
            chosen.append(person)
    return chosen


def _reservation(reservation_id: str, user: Mapping[str, Any], airline: _Airline, draws: Draws) -> dict[str, Any]:
    trips = _trips(airline, draws)
    cabin = draws.pick(CABINS)
    recent, created_at = _booked(trips[0][0], draws)
    legs = [_leg(flight, day, cabin, recent, draws) for day, trip in trips for flight in trip]
    passengers = _passengers(user, airline.people, draws)
    total, paid = _bags(FREE_BAGS[user["membership"]][cabin], len(passengers), draws)
    insured = draws.chance(0.5)
    amount = len(passengers) * (sum(leg["price"] for leg in legs) + INSURANCE_PRICE * insured) + BAG_PRICE * paid
    methods = [key for key, method in user["payment_methods"].items() if method["source"] != "certificate"]
    outward = trips[0][1]
    return {
        "reservation_id": reservation_id,
        "user_id": user["user_id"],
        "origin": outward[0].route[0],
        "destination": outward[-1].route[1],
        "flight_type": "round_trip" if len(trips) > 1 else "one_way",
        "cabin": cabin,
        "flights": legs,
        "passengers": passengers,
        "payment_history": [{"payment_id": draws.pick(methods), "amount": amount}],
        "created_at": created_at,
        "total_baggages": total,
        "nonfree_baggages": paid,
        "insurance": "yes" if insured else "no",
    }


def _trips(airline: _Airline, draws: Draws) -> list[tuple[int, Trip]]:
    """Return the way there and, for a round trip, back: pairs (day of May, flights)."""
    when = draws.uniform()
    round_trip = draws.chance(ROUND_TRIP)
    if when < AHEAD:
        day = draws.between(NOW.day + 1, LAST_DAY - (2 if round_trip else 0))
    else:
        day = NOW.day if when < AHEAD + TODAY else draws.between(1, NOW.day - 1)
    routes = list(airline.direct) if draws.chance(DIRECT_ROUTE) else airline.routes
    route = draws.pick(routes)
    trips = [(day, _way(route, airline, draws))]
    if round_trip:
        back = min(day + draws.between(1, 6), LAST_DAY)
        trips.append((back, _way((route[1], route[0]), airline, draws)))
    return trips


def _way(route: tuple[str, str], airline: _Airline, draws: Draws) -> Trip:
    direct, onestop = airline.direct.get(route), airline.onestop.get(route)
    if direct and (draws.chance(DIRECT) or not onestop):
        return draws.pick(direct)
    return draws.pick(onestop or [])


def _booked(day: int, draws: Draws) -> tuple[bool, str]:
    """Return whether a trip that begins on `day` was booked within the last 24 hours, and when exactly."""
    if day > NOW.day and draws.chance(BOOKED_NOW):
        at = NOW - datetime.timedelta(seconds=draws.between(60, int(CANCEL_WINDOW.total_seconds()) - 60))
        return True, at.isoformat()
    latest = min(datetime.datetime(NOW.year, NOW.month, day), NOW - CANCEL_WINDOW)
    at = latest - datetime.timedelta(seconds=draws.between(60, BOOKED_BEFORE * 86_400))
    return False, at.isoformat()


def _leg(flight: Planned, day: int, cabin: str, recent: bool, draws: Draws) -> dict[str, Any]:
    date = DATES[day - 1]
    low, high = BOOKED_SPREAD
    price = round(flight.fares[cabin] * (low + (high - low) * draws.uniform()))
    return {
        "origin": flight.route[0],
        "destination": flight.route[1],
        "flight_number": flight.row["flight_number"],
        "date": date,
        "price": flight.row["dates"][date]["prices"][cabin] if recent else price,
    }


def _passengers(user: Mapping[str, Any], people: People, draws: Draws) -> list[dict[str, str]]:
    count = 1 + draws.weighted(PASSENGERS_WEIGHTS)
    first = [{**user["name"], "dob": user["dob"]}] if draws.chance(USER_TRAVELS) else []
    return first + _travellers(user["saved_passengers"], [user["name"]], count - len(first), people, draws)


def _bags(free: int, passengers: int, draws: Draws) -> tuple[int, int]:
    """Return how many bags are checked, and how many of them are paid for."""
    allowance = free * passengers
    if draws.chance(PAID_BAGS):
        paid = draws.between(1, 2)
        return allowance + paid, paid
    return 0 if draws.chance(NO_BAGS) else draws.between(0, min(allowance, 2 * passengers)), 0


def _code(taken: set[str], draws: Draws) -> str:
    """Return a new id of six letters and digits, of both at least one, that looks like no flight number."""
    while True:
        code = "".join(draws.pick(_LETTERS) for _ in range(6))
        if code not in taken and not code.isdigit() and not code.isalpha() and not code.startswith((PREFIX, "HAT")):
            taken.add(code)
            return code
