"""The embedded airline's airports, routes and flights: what does not depend on the number of users.

Airports, hubs and further direct routes come from ``data/network.json``. Every airport has flights to and from each
hub, so any two are connected directly or with one stop, nearly always in several ways a day.

Status and times of a flight's day agree with the clock of `intent_gym.envs.airline.rules`: before its day a flight
has landed or was cancelled; on its day each of the six states occurs that its times allow; later it is available, with
seats and a price for each cabin.
"""

from __future__ import annotations

import datetime
import json
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, Final, NamedTuple, TypeAlias

from intent_gym.envs.airline.rules import CABINS, NOW
from intent_gym.envs.airline.timetable import DAY, minutes
from intent_gym.envs.people import Draws

__all__ = ["DATES", "PREFIX", "Airport", "Network", "Planned", "Trip", "find_trips", "load_network", "make_flights"]

PREFIX: Final = "LRK"
"""The letters before a flight's three digits."""
DATES: Final = tuple(f"2024-05-{day:02}" for day in range(1, 31))
"""The days that every flight flies."""

# Earliest and latest departures of the flights of a route, minutes after midnight: two, or four between hubs.
DEPARTURES: Final = {
    2: ((330, 630), (800, 1260)),
    4: ((360, 540), (600, 750), (840, 1020), (1080, 1260)),
}
STOPOVER: Final = (30, 360)  # minutes: the shortest and the longest wait between two flights
CANCELLED = 0.09  # share of past days without a flight
CANCELLED_TODAY = 0.05
LATE, LATE_TODAY = 0.12, 0.3  # shares of flights that leave late
SOLD_OUT = 0.08  # share of cabins without a seat
SEATS_MAX = 20
CABIN_FACTORS = (1.0, 1.7, 3.6)  # of the fare, one for each cabin; the spreads below never let two cabins meet
FARE_SPREAD = (0.9, 1.15)  # of a flight, about its route's
PRICE_SPREAD = (0.84, 1.16)  # of a day, about its flight's
_FLIGHTS, _NUMBERS = 1, 2  # streams of draws
_TODAY = NOW.date().isoformat()
_CLOCK = NOW.hour * 60 + NOW.minute


class Airport(NamedTuple):
    """An airport: its code, its city and roughly where it is."""

    code: str
    city: str
    latitude: float
    longitude: float


class Network(NamedTuple):
    """The content of ``data/network.json``."""

    airports: tuple[Airport, ...]
    hubs: tuple[str, ...]
    """Codes of the airports that have direct flights to and from all others."""
    direct: tuple[tuple[str, str], ...]
    """Further pairs with direct flights, both ways."""

    @property
    def routes(self) -> list[tuple[Airport, Airport, int]]:
        """Every direct route as (from, to, flights a day)."""
        at = {airport.code: airport for airport in self.airports}
        pairs = [(hub, code) for hub in self.hubs for code in at if code != hub]
        pairs += [(code, hub) for hub in self.hubs for code in at if code not in self.hubs]
        pairs += [pair for one, other in self.direct for pair in ((one, other), (other, one))]
        hubs = set(self.hubs)
        return [(at[one], at[other], 4 if {one, other} <= hubs else 2) for one, other in pairs]


class Planned(NamedTuple):
    """A flight."""

    row: dict[str, Any]
    """The row of ``flights``."""
    fares: dict[str, float]
    """What a seat usually costs in each cabin, dollars."""

    @property
    def route(self) -> tuple[str, str]:
        """Codes of the airports that it connects."""
        return self.row["origin"], self.row["destination"]

    @property
    def hours(self) -> tuple[int, int]:
        """Departure and arrival, minutes after midnight of the day of departure."""
        return minutes(self.row["scheduled_departure_time_est"]), minutes(self.row["scheduled_arrival_time_est"])


Trip: TypeAlias = tuple[Planned, ...]
"""One flight, or two that connect on the same day."""


@cache
def load_network() -> Network:
    """Return the airports and routes.

    >>> network = load_network()
    >>> network.airports[0].city, network.hubs, sum(flights for _, _, flights in network.routes)
    ('Albuquerque', ('BNA', 'MCI', 'SLC'), 300)
    """
    text = (resources.files("intent_gym.envs.airline") / "data" / "network.json").read_text(encoding="utf-8")
    data = json.loads(text)
    return Network(
        airports=tuple(
            Airport(item["code"], item["city"], float(item["latitude"]), float(item["longitude"]))
            for item in data["airports"]
        ),
        hubs=tuple(data["hubs"]),
        direct=tuple((one, other) for one, other in data["direct"]),
    )


def make_flights(seed: int) -> list[Planned]:
    """Return every flight, by number.

    Args:
        seed: Any integer >= 0.
    """
    places = [
        (origin, destination, window)
        for origin, destination, flights in load_network().routes
        for window in DEPARTURES[flights]
    ]
    places = Draws(seed, _NUMBERS).sample(places, len(places))
    return [
        _flight(f"{PREFIX}{number:03}", *place, Draws(seed, _FLIGHTS, number)) for number, place in enumerate(places, 1)
    ]


def find_trips(
    flights: Sequence[Planned],
) -> tuple[Mapping[tuple[str, str], Sequence[Trip]], Mapping[tuple[str, str], Sequence[Trip]]]:
    """Return the direct trips and those with one stop, by route.

    Two flights connect if the second leaves on the day on which the first arrives and left, after a `STOPOVER`.
    """
    direct: dict[tuple[str, str], list[Trip]] = defaultdict(list)
    onestop: dict[tuple[str, str], list[Trip]] = defaultdict(list)
    leaving: dict[str, list[tuple[Planned, int]]] = defaultdict(list)
    for flight in flights:
        direct[flight.route].append((flight,))
        leaving[flight.route[0]].append((flight, flight.hours[0]))
    shortest, longest = STOPOVER
    for first in flights:
        origin, stop = first.route
        arrives = first.hours[1]
        for second, departs in leaving[stop]:
            if shortest <= departs - arrives <= longest and second.route[1] != origin:
                onestop[origin, second.route[1]].append((first, second))
    return dict(direct), dict(onestop)


def _flight(number: str, origin: Airport, destination: Airport, window: tuple[int, int], draws: Draws) -> Planned:
    miles = _miles(origin, destination)
    first, last = window
    departs = 5 * draws.between(first // 5, last // 5)
    arrives = departs + 5 * round((40 + miles / 7.7) / 5)
    fare = (39 + 0.055 * miles) * _spread(FARE_SPREAD, draws)
    fares = {cabin: fare * factor for cabin, factor in zip(CABINS, CABIN_FACTORS, strict=True)}
    row = {
        "origin": origin.code,
        "destination": destination.code,
        "flight_number": number,
        "scheduled_departure_time_est": _time(departs),
        "scheduled_arrival_time_est": _time(arrives),
        "dates": {date: _day(date, departs, arrives, fares, draws) for date in DATES},
    }
    return Planned(row, fares)


def _day(date: str, departs: int, arrives: int, fares: dict[str, float], draws: Draws) -> dict[str, Any]:
    """Return a flight's day as the original's rows have it."""
    if date > _TODAY:
        return {
            "status": "available",
            "available_seats": {
                cabin: 0 if draws.chance(SOLD_OUT) else draws.between(1, SEATS_MAX) for cabin in CABINS
            },
            "prices": {cabin: round(fare * _spread(PRICE_SPREAD, draws)) for cabin, fare in fares.items()},
        }
    today = date == _TODAY
    if draws.chance(CANCELLED_TODAY if today else CANCELLED):
        return {"status": "cancelled"}
    late = draws.chance(LATE_TODAY if today else LATE)
    delay = draws.between(30, 150) if late else draws.between(-8, 14)
    left, landed = departs + delay, arrives + delay + draws.between(-10, 6)
    if not today or landed < _CLOCK:
        status, start, end = "landed", "actual", "actual"
    elif left < _CLOCK:
        status, start, end = "flying", "actual", "estimated"
    else:
        status, start, end = "delayed" if late else "on time", "estimated", "estimated"
    return {
        "status": status,
        f"{start}_departure_time_est": _moment(date, left),
        f"{end}_arrival_time_est": _moment(date, landed),
    }


def _miles(one: Airport, other: Airport) -> float:
    """Return the distance, near enough for a fare and a duration."""
    north = one.latitude - other.latitude
    east = (one.longitude - other.longitude) * math.cos(math.radians((one.latitude + other.latitude) / 2))
    return 69.1 * math.hypot(north, east)


def _spread(bounds: tuple[float, float], draws: Draws) -> float:
    low, high = bounds
    return low + (high - low) * draws.uniform()


def _time(minutes: int) -> str:
    """Write minutes after midnight as the original does.

    >>> _time(390), _time(1530)
    ('06:30:00', '01:30:00+1')
    """
    days, rest = divmod(minutes, DAY)
    return f"{rest // 60:02}:{rest % 60:02}:00" + (f"+{days}" if days else "")


def _moment(date: str, minutes: int) -> str:
    return (datetime.datetime.fromisoformat(date) + datetime.timedelta(minutes=minutes)).isoformat()
