"""What an airline's callers can want: every request as one tool call, and the words for what it leads to.

A kind of request is drawn as the product of what it has, within bounds that keep a caller's table to a few hundred
rows; the policy predicate throws out what the rules forbid, and the desk what the tools refuse.

Bounds. Flights: the next two trips, one direction a change, dates up to three days before or after the present one,
four flights a date (two direct, two connecting, where there are), the present cabin and one other, two payment methods.
Cabin, bags, passenger: all trips ahead, every cabin, one to six bags more, every method. Bookings: one way for one
passenger on two of the routes of past trips, six dates, three flights a date, two cabins, none or two bags, two
methods; who travels and whether insured follows flight, cabin and bags instead of being crossed with them. Dates and
bags have many values on purpose: three guesses must not be enough where one of them is left open (PROTOCOL 2).

The bounds are those of the material: verdicts read any end state, in or out of them (`airline.reading`).

A cancellation's reason leaves no trace. Where the policy needs one (only the insurance gives the right), the caller has
one, drawn by reservation; elsewhere a cancellation has no reason.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeAlias

from intent_gym.core.intent import Value
from intent_gym.core.rng import key_of
from intent_gym.envs.airline.policy import breaches, cancellation_breaches, flown, paid_bags
from intent_gym.envs.airline.rules import BAG_PRICE, CABINS, COVERED_REASONS, INSURANCE_PRICE, NOW, REASONS, Reason
from intent_gym.envs.airline.slots import CABIN_WORDS, INSURANCE_WORDS, STOPS, say_date, say_hour
from intent_gym.envs.airline.timetable import Flight, Timetable, date_key, next_day
from intent_gym.envs.desk.calls import Call
from intent_gym.envs.desk.parts import Part
from intent_gym.envs.desk.tables import Draft, Row, Tables

__all__ = [
    "BAGS",
    "BAGS_MORE",
    "BOOK",
    "CANCEL",
    "FLIGHTS",
    "PASSENGERS",
    "Leg",
    "Requests",
    "Wish",
    "directions",
    "full_name",
    "legs_of",
    "people_of",
    "rows_of",
]

Leg: TypeAlias = tuple[str, str]
"""Flight number and date."""
Wish: TypeAlias = tuple[Mapping[str, Value], Call]
"""A change of one kind: the values of its slots, and its call."""

BAGS_MORE: Final = 6
"""Bags that are added at most."""
_TRIPS = _METHODS = _ROUTES = 2
_DAYS = 3
_FLIGHTS = 4
_BOOKING_DATES = 6
_BOOKING_FLIGHTS = 3
_BOOKING_BAGS = (0, 2)
_TODAY = NOW.date().isoformat()
BOOK, CANCEL = "book_reservation", "cancel_reservation"
FLIGHTS, BAGS = "update_reservation_flights", "update_reservation_baggages"
PASSENGERS = "update_reservation_passengers"


class _Way(NamedTuple):
    """Flights of one direction."""

    legs: tuple[Leg, ...]
    departs: int
    """Minutes after midnight."""
    lasts: int
    """Minutes from the first departure to the last arrival."""


def full_name(person: Mapping[str, Any]) -> str:
    """Return a person's name as it is said."""
    return f"{person['first_name']} {person['last_name']}"


def directions(trip: Row) -> tuple[Sequence[Row], ...]:
    """Return the legs of a trip by direction: all of them, or those out and those back."""
    legs = trip["flights"]
    if trip["flight_type"] == "round_trip":
        for place, leg in enumerate(legs[:-1], 1):
            if leg["destination"] == trip["destination"]:
                return legs[:place], legs[place:]
    return (legs,)


def legs_of(rows: Sequence[Row]) -> tuple[Leg, ...]:
    """Return the legs of flights in a row."""
    return tuple((leg["flight_number"], leg["date"]) for leg in rows)


def rows_of(legs: Sequence[Leg]) -> list[dict[str, str]]:
    """Return legs as the tools take them."""
    return [{"flight_number": number, "date": date} for number, date in legs]


class Requests:
    """The requests of all callers.

    Args:
        tables: The data, shared.
    """

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.timetable = tables.derived(Timetable.build)
        self._blank = Draft(tables)
        self._ways = lru_cache(1 << 14)(self._find_ways)
        self._makers = {
            "cancel": self._cancellations,
            "flights": self._flight_changes,
            "cabin": self._cabin_changes,
            "bags": self._bag_changes,
            "passenger": self._passenger_changes,
            "booking": self._bookings,
        }

    def of(self, kind: str, caller: str) -> Iterator[Part]:
        """Yield the requests of a kind that the policy allows, in a fixed order."""
        for cells, call in self._makers[kind](self.tables["users"][caller]):
            reason: Any = cells.get("reason")  # one of the rules' reasons
            if not breaches(self._blank, call.name, call.arguments, caller=caller, reason=reason):
                yield Part(kind, cells, call)

    # -- words ---------------------------------------------------------------------------------------------------------
    def cells(self, kind: str, trip: Row) -> dict[str, Value]:
        """Return the values of a trip's slots for a kind of request, as far as they are in the trip itself."""
        out, *back = directions(trip)
        cells: dict[str, Value] = {} if kind == "booking" else {"reservation": trip["reservation_id"]}
        cells |= {"origin": trip["origin"], "destination": trip["destination"], "date": say_date(out[0]["date"])}
        if kind in ("cancel", "flights", "cabin", "booking"):
            cells["cabin"] = CABIN_WORDS[trip["cabin"]]
        if kind in ("flights", "booking"):
            cells |= {"departure": self._hour(out[0]), "stops": STOPS[len(out) > 1]}
            if back:
                cells |= {"return_date": say_date(back[0][0]["date"]), "return_departure": self._hour(back[0][0])}
        if kind in ("bags", "booking"):
            cells["bags"] = trip["total_baggages"]
        if kind == "booking":
            cells["passenger"] = " and ".join(full_name(person) for person in trip["passengers"])
            cells["insurance"] = INSURANCE_WORDS[trip["insurance"]]
        return cells

    def _hour(self, leg: Row) -> str:
        return say_hour(self.timetable.flights[leg["flight_number"]].departs_at)

    def reason(self, trip: Row) -> Reason | None:
        """Return why a caller cancels a trip: an insured reason where only that gives the right, else None."""
        table = self.timetable
        if not cancellation_breaches(table, trip, None):
            return None
        insured = [reason for reason in REASONS if reason in COVERED_REASONS]
        return insured[key_of("why cancelled", trip["reservation_id"]) % len(insured)]

    # -- trips, flights, money -----------------------------------------------------------------------------------------
    def trips(self, user: Row) -> list[Row]:
        """Return the reservations of a user."""
        rows = self.tables["reservations"]
        return [rows[key] for key in user["reservations"] if key in rows]

    def _ahead(self, user: Row) -> list[Row]:
        """Return the trips that are still to begin, the next one first."""
        found = [
            trip
            for trip in self.trips(user)
            if trip.get("status") != "cancelled"
            and trip["flights"][0]["date"] >= _TODAY
            and not flown(self.timetable, trip["flights"])
        ]
        return sorted(found, key=lambda t: (t["flights"][0]["date"], t["reservation_id"]))

    def _find_ways(self, origin: str, destination: str, date: str) -> tuple[_Way, ...]:
        """Return the flights of a route that can be booked for a date: two direct, two connecting, then the others."""
        table, after = self.timetable, next_day(date) or date
        direct = [self._way(date, flight) for flight in table.direct.get((origin, destination), ())]
        pairs = [
            self._way(date, first, (second, after if first.overnight else date))
            for first, second in table.onestop.get((origin, destination), ())
        ]
        able = [way for way in (*direct, *pairs) if all(table.on(*leg) == "available" for leg in way.legs)]
        kept: dict[tuple[int, int], _Way] = {}
        for way in sorted(able, key=lambda w: (w.lasts, w.legs)):  # of those said alike, the shortest
            kept.setdefault((len(way.legs), way.departs // 60), way)
        order = sorted(kept.values(), key=lambda w: (w.departs, w.legs))
        one, two = [w for w in order if len(w.legs) == 1], [w for w in order if len(w.legs) > 1]
        return (*one[:2], *two[:2], *one[2:], *two[2:])

    @staticmethod
    def _way(date: str, first: Flight, then: tuple[Flight, str] | None = None) -> _Way:
        if then is None:
            return _Way(((first.number, date),), first.departs_at, first.arrives_at - first.departs_at)
        second, onward = then
        arrives = second.arrives_at + (24 * 60 if onward != date else 0)
        return _Way(((first.number, date), (second.number, onward)), first.departs_at, arrives - first.departs_at)

    def _price(self, legs: Sequence[Leg], cabin: str, people: int, kept: Mapping[Leg, Any] | None = None) -> Any:  # noqa: ANN401 - a number of the data, or None
        """Return the price of flights for one person, None if they cannot be had; those kept cost what they did."""
        total, days = 0, self.tables["flight_dates"]
        for leg in legs:
            if kept and leg in kept:
                total += kept[leg]
                continue
            day = days.get(date_key(*leg))
            if day is None or day["status"] != "available" or day["available_seats"][cabin] < people:
                return None
            total += day["prices"][cabin]
        return total

    @staticmethod
    def payers(user: Row, amount: float, *, booking: bool = False) -> list[str]:
        """Return the methods that can pay an amount, or get a refund."""
        return [
            key
            for key, row in sorted(user["payment_methods"].items())
            if row["source"] == "credit_card" or ((row["source"] == "gift_card" or booking) and row["amount"] >= amount)
        ]

    def _paid(
        self, user: Row, amount: float, cells: dict[str, Value], tool: str, arguments: dict[str, Any]
    ) -> Iterator[Wish]:
        """Yield a change with each method that can pay for it; one without a price has no method to tell."""
        payers = self.payers(user, amount)
        most = _METHODS if tool == FLIGHTS else len(payers)
        for method in payers[:most] if amount else payers[:1]:
            wanted = {**cells, "payment": method} if amount else cells
            yield wanted, Call(tool, {**arguments, "payment_id": method})

    # -- kinds ---------------------------------------------------------------------------------------------------------
    def _cancellations(self, user: Row) -> Iterator[Wish]:
        for trip in self.trips(user):
            cells, reason = self.cells("cancel", trip), self.reason(trip)
            if reason is not None:
                cells["reason"] = reason
            yield cells, Call(CANCEL, {"reservation_id": trip["reservation_id"]})

    def _flight_changes(self, user: Row) -> Iterator[Wish]:
        able = [trip for trip in self._ahead(user) if trip["cabin"] != "basic_economy"]  # whose flights are fixed
        for trip in able[:_TRIPS]:
            cabins = (trip["cabin"], "business" if trip["cabin"] == "economy" else "economy")
            parts = [legs_of(part) for part in directions(trip)]
            ends = (trip["origin"], trip["destination"])
            for turn, part in enumerate(parts):
                route = ends if turn == 0 else ends[::-1]
                for date in _around(part[0][1]):
                    for cabin in cabins:
                        for way in self._seated(route, date, cabin, len(trip["passengers"])):
                            legs = way.legs + parts[1] if turn == 0 and len(parts) > 1 else way.legs
                            legs = parts[0] + legs if turn else legs
                            if way.legs != part:
                                yield from self._reflown(user, trip, legs, cabin, "flights")

    def _seated(self, route: tuple[str, str], date: str, cabin: str, people: int) -> list[_Way]:
        ways = (w for w in self._ways(*route, date) if self._price(w.legs, cabin, people) is not None)
        return [way for way, _ in zip(ways, range(_FLIGHTS), strict=False)]

    def _reflown(self, user: Row, trip: Row, legs: tuple[Leg, ...], cabin: str, kind: str) -> Iterator[Wish]:
        """Yield a change of a trip to these flights and cabin with each method that can pay it."""
        people, now = len(trip["passengers"]), trip["flights"]
        kept = {(leg["flight_number"], leg["date"]): leg["price"] for leg in reversed(now)}
        price = self._price(legs, cabin, people, kept if cabin == trip["cabin"] else None)
        if price is None:
            return
        flights = self.timetable.flights
        rows = [{"flight_number": n, "date": d, "destination": flights[n].destination} for n, d in legs]
        cells = self.cells(kind, {**trip, "flights": rows, "cabin": cabin})
        arguments = {"reservation_id": trip["reservation_id"], "cabin": cabin, "flights": rows_of(legs)}
        difference = (price - sum(leg["price"] for leg in now)) * people
        yield from self._paid(user, difference, cells, FLIGHTS, arguments)

    def _cabin_changes(self, user: Row) -> Iterator[Wish]:
        for trip in self._ahead(user):
            for cabin in CABINS:
                if cabin != trip["cabin"]:
                    yield from self._reflown(user, trip, legs_of(trip["flights"]), cabin, "cabin")

    def _bag_changes(self, user: Row) -> Iterator[Wish]:
        for trip in self._ahead(user):
            for total in range(trip["total_baggages"] + 1, trip["total_baggages"] + 1 + BAGS_MORE):
                paid = paid_bags(user["membership"], trip["cabin"], len(trip["passengers"]), total)
                price = BAG_PRICE * max(0, paid - trip["nonfree_baggages"])
                bags = {"total_baggages": total, "nonfree_baggages": paid}
                cells = self.cells("bags", {**trip, **bags})
                yield from self._paid(user, price, cells, BAGS, {"reservation_id": trip["reservation_id"], **bags})

    def _passenger_changes(self, user: Row) -> Iterator[Wish]:
        for trip in self._ahead(user):
            people = trip["passengers"]
            aboard = {full_name(p) for p in people}
            for place, old in enumerate(people):
                for new in user["saved_passengers"]:
                    if full_name(new) not in aboard:
                        cells = self.cells("passenger", trip) | {"passenger": full_name(new), "leaving": full_name(old)}
                        swapped = [*people[:place], new, *people[place + 1 :]]
                        arguments = {"reservation_id": trip["reservation_id"], "passengers": people_of(swapped)}
                        yield cells, Call(PASSENGERS, arguments)

    def _bookings(self, user: Row) -> Iterator[Wish]:
        routes = list(dict.fromkeys((trip["origin"], trip["destination"]) for trip in self.trips(user)))[:_ROUTES]
        company = [{**user["name"], "dob": user["dob"]}, *user["saved_passengers"]]
        shift = key_of("booking", user["user_id"]) % 6
        cabins = [CABINS[i] for i in range(len(CABINS)) if i != shift % len(CABINS)]
        for route in routes:
            for date in self._booking_dates(user["user_id"], route):
                for i, way in enumerate(self._ways(*route, date)[:_BOOKING_FLIGHTS]):
                    for j, cabin in enumerate(cabins):
                        fare = self._price(way.legs, cabin, 1)
                        for k, bags in enumerate(_BOOKING_BAGS) if fare is not None else ():
                            passenger = company[(i + j + shift) % len(company)]
                            insurance = ("no", "yes")[(j + k + shift) % 2]
                            yield from self._booked(user, route, way, cabin, fare, passenger, bags, insurance)

    def _booked(
        self,
        user: Row,
        route: tuple[str, str],
        way: _Way,
        cabin: str,
        fare: float,
        passenger: Row,
        bags: int,
        insurance: str,
    ) -> Iterator[Wish]:
        """Yield a booking with each method that can pay for it."""
        paid = paid_bags(user["membership"], cabin, 1, bags)
        price = fare + BAG_PRICE * paid + (INSURANCE_PRICE if insurance == "yes" else 0)
        for method in self.payers(user, price, booking=True)[:_METHODS]:
            arguments = {
                "user_id": user["user_id"],
                "origin": route[0],
                "destination": route[1],
                "flight_type": "one_way",
                "cabin": cabin,
                "flights": rows_of(way.legs),
                "passengers": people_of([passenger]),
                "payment_methods": [{"payment_id": method, "amount": price}],
                "total_baggages": bags,
                "nonfree_baggages": paid,
                "insurance": insurance,
            }
            yield self.cells("booking", arguments) | {"payment": method}, Call(BOOK, arguments)

    def _booking_dates(self, caller: str, route: tuple[str, str]) -> list[str]:
        dates = [date for date in self.tables.derived(_open_dates) if self._ways(*route, date)]
        return sorted(sorted(dates, key=lambda d: key_of("booking date", caller, d))[:_BOOKING_DATES])


def people_of(persons: Sequence[Row]) -> list[dict[str, str]]:
    """Return persons as the tools take them."""
    return [{key: person[key] for key in ("first_name", "last_name", "dob")} for person in persons]


def _around(date: str) -> list[str]:
    """Return the dates about a date that are after today."""
    day = datetime.date.fromisoformat(date)
    near = (day + datetime.timedelta(days=shift) for shift in range(-_DAYS, _DAYS + 1))
    return [d.isoformat() for d in near if d.isoformat() > _TODAY]


def _open_dates(tables: Tables) -> tuple[str, ...]:
    """Return the dates on which some flight can be booked."""
    return tuple(
        sorted({key.partition("|")[2] for key, day in tables["flight_dates"].items() if day["status"] == "available"})
    )
