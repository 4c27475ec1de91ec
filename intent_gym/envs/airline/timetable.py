"""The airline's flights, their dates' status, and which flights connect: immutable and indexed for searches.

The source holds 300 flights on 30 dates. No tool ever changes a time, a route or a status, so all of that lives here,
built once for a process; only seats change, and they are rows of the table `flight_dates`.

Times are the source's texts ("13:00:00", "01:30:00+1" for the day after). Two flights connect if the second departs no
earlier than the first arrives, on that day. The times are compared as texts, as the original does, which differs from
comparing times in one case: a change of zero minutes is found by day, and is not after midnight. Since a flight
departs at the same hour every day, the pairs that connect are known per route, whatever the date.
"""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from intent_gym.envs.desk.tables import Tables

__all__ = ["Flight", "Pair", "Timetable", "date_key", "minutes", "next_day"]

DAY = 24 * 60


def date_key(number: str, date: str) -> str:
    """Return the id of a flight's day in the table `flight_dates`.

    >>> date_key("HAT001", "2024-05-20")
    'HAT001|2024-05-20'
    """
    return f"{number}|{date}"


def minutes(time: str) -> int:
    """Return a time of the source as minutes after midnight of the day of departure.

    >>> minutes("06:30:00"), minutes("01:30:00+1")
    (390, 1530)
    """
    clock, plus, days = time.partition("+")
    hour, minute, *_ = clock.split(":")
    return int(hour) * 60 + int(minute) + (int(days) * DAY if plus else 0)


@lru_cache(maxsize=1024)
def next_day(date: str) -> str | None:
    """Return the date after a date, or None for what is not a date.

    >>> next_day("2024-05-31"), next_day("May 20")
    ('2024-06-01', None)
    """
    try:
        return (datetime.date.fromisoformat(date) + datetime.timedelta(days=1)).isoformat()
    except ValueError:
        return None


class Flight(NamedTuple):
    """A flight without its dates."""

    number: str
    origin: str
    destination: str
    departs: str
    """Local time, as the source writes it."""
    arrives: str
    """Local time, as the source writes it, with "+1" if on the day after."""
    departs_at: int
    """Minutes after midnight."""
    arrives_at: int
    """Minutes after midnight of the day of departure."""

    @property
    def overnight(self) -> bool:
        """Whether it arrives on the day after."""
        return self.arrives_at >= DAY


class Pair(NamedTuple):
    """Two flights that connect."""

    first: Flight
    second: Flight


@dataclass(frozen=True, slots=True)
class Timetable:
    """All flights of a source.

    Attributes:
        flights: By flight number, in the source's order.
        status: By flight number, then date: "available", "on time", "delayed", "flying", "landed" or "cancelled".
        direct: By (origin, destination).
        onestop: By (origin, destination), ordered by the first flight, then the second.
        airports: All codes, sorted.
    """

    flights: Mapping[str, Flight]
    status: Mapping[str, Mapping[str, str]]
    direct: Mapping[tuple[str, str], tuple[Flight, ...]]
    onestop: Mapping[tuple[str, str], tuple[Pair, ...]]
    airports: tuple[str, ...]

    @classmethod
    def build(cls, tables: Tables) -> Timetable:
        """Index the tables `flights` and `flight_dates` (use `tables.derived(Timetable.build)`: built once)."""
        flights: dict[str, Flight] = {}
        for number, row in tables["flights"].items():
            departs, arrives = row["scheduled_departure_time_est"], row["scheduled_arrival_time_est"]
            times = minutes(departs), minutes(arrives)
            flights[number] = Flight(number, row["origin"], row["destination"], departs, arrives, *times)
        status: dict[str, dict[str, str]] = {number: {} for number in flights}
        for key, day in tables["flight_dates"].items():
            number, _, date = key.partition("|")
            status[number][date] = day["status"]
        direct: dict[tuple[str, str], list[Flight]] = defaultdict(list)
        leaving: dict[str, list[Flight]] = defaultdict(list)
        for flight in flights.values():
            direct[flight.origin, flight.destination].append(flight)
            leaving[flight.origin].append(flight)
        return cls(
            flights,
            status,
            {route: tuple(found) for route, found in direct.items()},
            _onestop(flights.values(), leaving),
            tuple(sorted({code for route in direct for code in route})),
        )

    def on(self, number: str, date: str) -> str | None:
        """Return the status of a flight on a date, or None if it does not fly then."""
        return self.status.get(number, {}).get(date)


def _onestop(
    flights: Iterable[Flight], leaving: Mapping[str, list[Flight]]
) -> Mapping[tuple[str, str], tuple[Pair, ...]]:
    """Return every pair of flights that connects, by route."""
    found: dict[tuple[str, str], list[Pair]] = defaultdict(list)
    for first in flights:
        for second in leaving.get(first.destination, ()):
            if second.departs >= first.arrives:
                found[first.origin, second.destination].append(Pair(first, second))
    return {route: tuple(pairs) for route, pairs in found.items()}
