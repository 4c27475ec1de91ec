"""The slots of the airline's desk: what a request has beside its kind, and the words people use for it.

A slot says what the reservation is like once the request is done: the date of a flight change is the new one, that of a
baggage change the trip's own. So one reading of a reservation serves every kind, and values carry over to other kinds.

Values are words of people: "May 20" for 2024-05-20, "6am" for any departure from six to seven, "basic economy".
"""

from __future__ import annotations

from typing import Final

from intent_gym.core.intent import Slot, Value
from intent_gym.envs.airline.rules import CABINS
from intent_gym.envs.desk.parts import later_slots
from intent_gym.envs.desk.slots import REQUEST, payment_slot

__all__ = ["CABIN_WORDS", "HOURS", "INSURANCE_WORDS", "PARTS", "SLOTS", "STOPS", "rank", "say_date", "say_hour"]

_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November"),
    "December",
)
PARTS: Final = 3
"""Changes that a request has at most."""
CABIN_WORDS: Final = {cabin: cabin.replace("_", " ") for cabin in CABINS}
"""Cabin as people say it, by the tools' word."""
INSURANCE_WORDS: Final = {"yes": "insured", "no": "uninsured"}
STOPS: Final = ("direct", "connecting")
HOURS: Final = tuple(f"{hour % 12 or 12}{half}" for half in ("am", "pm") for hour in range(12))
"""The hours of a day in order, as people say them."""


def say_date(date: str) -> str:
    """Return a date as people say it.

    >>> say_date("2024-05-06")
    'May 6'
    """
    _, month, day = date.split("-")
    return f"{_MONTHS[int(month) - 1]} {int(day)}"


def say_hour(minutes: int) -> str:
    """Return the hour that minutes after midnight are in.

    >>> say_hour(0), say_hour(6 * 60 + 59), say_hour(12 * 60), say_hour(23 * 60)
    ('12am', '6am', '12pm', '11pm')
    """
    return HOURS[minutes // 60 % 24]


def rank(value: Value) -> float | None:
    """Return where a date, an hour or a number stands among its like, None for other values.

    >>> rank("May 6") < rank("May 20"), rank("6am") < rank("1pm"), rank(3), rank("economy")
    (True, True, 3.0, None)
    """
    if not isinstance(value, str):
        return float(value)
    if value in HOURS:
        return float(HOURS.index(value))
    month, _, day = value.partition(" ")
    return 31.0 * _MONTHS.index(month) + int(day) if month in _MONTHS and day.isdigit() else None


_RESERVATION = Slot(
    "reservation",
    "reservation",
    "reservation",
    "choice",
    synonyms=(
        *("reservations", "reservation number", "reservation id", "reservation code", "confirmation number"),
        *("booking number", "booking code", "record locator", "which trip"),
    ),
    clauses=("on reservation {value}", "concerning reservation {value}", "where the reservation is {value}"),
    vague=("on a recent reservation", "on one of my reservations", "concerning a reservation of mine"),
)
_ORIGIN = Slot(
    "origin",
    "origin",
    "origin",
    "choice",
    synonyms=(
        *("origins", "departure airport", "airport of departure", "departure city", "where from", "from where"),
        *("flying from", "leaving from", "departing from", "starting point", "start of the trip"),
    ),
    clauses=("with {value} as the origin", "starting out at {value}", "with the origin {value}"),
    vague=("starting out close to home", "with a handy origin", "starting out somewhere convenient"),
)
_DESTINATION = Slot(
    "destination",
    "destination",
    "destination",
    "choice",
    synonyms=(
        *("destinations", "arrival airport", "airport of arrival", "arrival city", "where to", "to where"),
        *("flying to", "going to", "heading to", "end of the trip"),
    ),
    clauses=("with {value} as the destination", "bound for {value}", "with the destination {value}"),
    vague=("bound for somewhere nice", "with a pleasant destination", "bound for the usual sort of place"),
)
_DATE = Slot(
    "date",
    "date",
    "date",
    "choice",
    synonyms=(
        *("dates", "day", "days", "travel date", "departure date", "outbound date", "day of travel", "when"),
        *("which day", "what day", "day of departure"),
    ),
    clauses=("on the date {value}", "with {value} as the date", "dated {value}"),
    vague=("on a day that suits me", "on some convenient day", "with a sensible date"),
)
_DEPARTURE = Slot(
    "departure",
    "departure time",
    "departure",
    "choice",
    synonyms=(
        *("departure times", "time", "times", "hour", "time of day", "time of departure", "takeoff", "take off"),
        *("what time", "which time", "departure"),
    ),
    clauses=("leaving around {value}", "with departure around {value}", "setting off around {value}"),
    vague=("leaving at a decent time", "setting off at a comfortable time", "with a reasonable departure"),
)
_STOPS = Slot(
    "stops",
    "number of stops",
    "stops",
    "choice",
    synonyms=("stops", "stop", "stopover", "stopovers", "layover", "layovers", "connection", "connections", "nonstop"),
    clauses=("by way of {value} flights", "taking {value} flights", "with {value} flights only"),
    vague=("with a comfortable way of getting there", "without too much fuss on the way", "with bearable stops"),
)
_RETURN_DATE = Slot(
    "return_date",
    "return date",
    "return_date",
    "choice",
    synonyms=(
        "return dates",
        "return day",
        "day of return",
        "date of return",
        "inbound date",
        "coming back",
        "way back",
    ),
    clauses=("returning on {value}", "with the return on {value}", "coming back on {value}"),
    vague=("returning on a day that suits me", "with the return when convenient", "returning in good time"),
)
_RETURN_DEPARTURE = Slot(
    "return_departure",
    "return time",
    "return_departure",
    "choice",
    synonyms=("return times", "time of return", "return departure", "return departure time", "hour of return"),
    clauses=("with the return leaving around {value}", "returning around {value}"),
    vague=("with the return at a decent time", "returning at a comfortable time"),
)
_CABIN = Slot(
    "cabin",
    "cabin",
    "cabin",
    "choice",
    synonyms=(
        "cabins",
        "class",
        "classes",
        "cabin class",
        "travel class",
        "class of travel",
        "seat class",
        "fare class",
    ),
    clauses=("in {value}", "with {value} as the cabin", "in the cabin {value}"),
    vague=("in a comfortable cabin", "in a decent cabin", "in a cabin that is good value"),
)
_PASSENGER = Slot(
    "passenger",
    "passenger",
    "passenger",
    "choice",
    synonyms=(
        "passengers",
        "traveler",
        "travelers",
        "flyer",
        "who is flying",
        "who flies",
        "who travels",
        "new passenger",
    ),
    clauses=("for the passenger {value}", "with {value} as the passenger", "with {value} on board"),
    vague=("for somebody in the family", "for someone dear to me", "with one of us on board"),
)
_LEAVING = Slot(
    "leaving",
    "person to replace",
    "leaving",
    "choice",
    synonyms=("replaced person", "replaced passenger", "replace", "removed passenger", "taken off", "who drops out"),
    clauses=("instead of {value}", "in place of {value}", "replacing {value}"),
    vague=("instead of someone who cannot come", "in place of somebody who has changed plans"),
)
_BAGS = Slot(
    "bags",
    "number of bags",
    "bags",
    "number",
    synonyms=(
        *(
            "bags",
            "bag",
            "checked bags",
            "baggage",
            "baggages",
            "luggage",
            "suitcases",
            "suitcase",
            "pieces of baggage",
        ),
        *("pieces of luggage", "how many bags"),
    ),
    clauses=("with {value} checked bags in all", "with a total of {value} bags", "with a bag count of {value}"),
    vague=("with a sensible amount of luggage", "with luggage enough for the trip", "with a reasonable bag count"),
)
_INSURANCE = Slot(
    "insurance",
    "insurance",
    "insurance",
    "choice",
    synonyms=("travel insurance", "trip insurance", "coverage", "cover", "protection"),
    clauses=("going {value}", "traveling {value}", "booked {value}"),
    vague=("with sensible protection", "with whatever protection is reasonable"),
)
_REASON = Slot(
    "reason",
    "reason",
    "reason",
    "choice",
    synonyms=("reasons", "why", "cause", "grounds"),
    clauses=("for {value} reasons", "with {value} as the reason", "on {value} grounds"),
    vague=("for a good reason", "for the usual sort of reason", "on sensible grounds"),
)
_PAYMENT = payment_slot("certificate", "travel certificate", "voucher")
SLOTS: Final = (
    *(REQUEST, _RESERVATION, _ORIGIN, _DESTINATION, _DATE, _DEPARTURE, _STOPS, _RETURN_DATE, _RETURN_DEPARTURE),
    *(_CABIN, _PASSENGER, _LEAVING, _BAGS, _INSURANCE, _REASON, _PAYMENT),
    *later_slots((_RESERVATION, _DATE, _DEPARTURE, _CABIN, _PASSENGER, _BAGS, _REASON, _PAYMENT), PARTS),
)
"""All slots: the frame's, those of a request's first change, and those of later ones, which are told more briefly."""
