"""The airline's rules, as data: what its tools enforce, and what is left to whoever serves the caller.

Sources: the policy text and the tools of tau2-bench's airline domain (Sierra Research, MIT licence), in our own words.
A rule with ``by="tool"`` is the `rule` of every `Refusal` that it causes; one with ``by="agent"`` no tool checks. Of
those, the ones about a reservation's state have a predicate in `policy`; the rest are about the conversation.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from intent_gym.envs.desk.rules import Rule

__all__ = [
    "BAG_PRICE",
    "CABINS",
    "CANCEL_WINDOW",
    "COMPENSATION",
    "COVERED_REASONS",
    "FREE_BAGS",
    "INSURANCE_PRICE",
    "MAX_METHODS",
    "MAX_PASSENGERS",
    "MEMBERSHIPS",
    "NOW",
    "REASONS",
    "RULES",
    "TRIPS",
    "Reason",
    "Rule",
    "rules_of",
]

Reason: TypeAlias = Literal["change of plan", "airline cancelled flight", "health", "weather", "other reasons"]

NOW: Final = datetime.datetime(2024, 5, 15, 15, 0, 0)
"""The fixed clock, Eastern time."""
CABINS: Final = ("basic_economy", "economy", "business")
MEMBERSHIPS: Final = ("regular", "silver", "gold")
TRIPS: Final = ("one_way", "round_trip")
REASONS: Final[tuple[Reason, ...]] = (
    "change of plan",
    "airline cancelled flight",
    "health",
    "weather",
    "other reasons",
)
COVERED_REASONS: Final = frozenset({"health", "weather"})
CANCEL_WINDOW: Final = datetime.timedelta(hours=24)
FREE_BAGS: Final[Mapping[str, Mapping[str, int]]] = MappingProxyType(
    {
        "regular": MappingProxyType({"basic_economy": 0, "economy": 1, "business": 2}),
        "silver": MappingProxyType({"basic_economy": 1, "economy": 2, "business": 3}),
        "gold": MappingProxyType({"basic_economy": 2, "economy": 3, "business": 4}),
    }
)
"""Free checked bags for each passenger, by the booking user's membership and the cabin."""
BAG_PRICE: Final = 50
"""Dollars for each bag above the allowance."""
INSURANCE_PRICE: Final = 30
"""Dollars for each passenger."""
MAX_PASSENGERS: Final = 5
MAX_METHODS: Final[Mapping[str, int]] = MappingProxyType({"certificate": 1, "credit_card": 1, "gift_card": 3})
"""How many payment methods of a kind one booking may use."""
COMPENSATION: Final[Mapping[str, int]] = MappingProxyType({"cancelled": 100, "delayed": 50})
"""Dollars for each passenger, by what is complained about."""


_BOOK = "book_reservation"
_CANCEL = "cancel_reservation"
_CERTIFICATE = "send_certificate"
_FLIGHTS = "update_reservation_flights"
_BAGS = "update_reservation_baggages"
_PEOPLE = "update_reservation_passengers"
_UPDATES = (_FLIGHTS, _BAGS, _PEOPLE)
_WRITES = (_BOOK, _CANCEL, *_UPDATES, _CERTIFICATE)


_KEPT_BY_TOOLS: Final[Mapping[str, Rule]] = {
    "known_user": Rule("The user must be on file.", ("get_user_details", _BOOK, _CERTIFICATE)),
    "known_reservation": Rule("The reservation must be on file.", ("get_reservation_details", _CANCEL, *_UPDATES)),
    "three_bookings": Rule("At most three trips are booked in one conversation.", (_BOOK,)),
    "three_certificates": Rule("At most three certificates are sent to one user.", (_CERTIFICATE,)),
    "flight_type": Rule("A trip is one_way or round_trip.", (_BOOK,)),
    "insurance": Rule("Insurance is yes or no.", (_BOOK,)),
    "known_flight": Rule("The flight must exist.", ("get_flight_status", _BOOK, _FLIGHTS)),
    "flight_date": Rule("The flight must fly on that date.", ("get_flight_status", _BOOK, _FLIGHTS)),
    "available": Rule("A new flight must be available on its date.", (_BOOK, _FLIGHTS)),
    "cabin": Rule("The cabin is basic_economy, economy or business, one for all flights.", (_BOOK, _FLIGHTS)),
    "enough_seats": Rule("A new flight must have a seat for every passenger.", (_BOOK, _FLIGHTS)),
    "known_payment_method": Rule("A payment method must be one of the user's own.", (_BOOK, _FLIGHTS, _BAGS)),
    "no_certificate": Rule("A certificate pays only for a new booking.", (_FLIGHTS, _BAGS)),
    "balance_covers": Rule("A gift card or certificate must hold all that it is to pay.", (_BOOK, _FLIGHTS, _BAGS)),
    "whole_dollars": Rule("Each share of a payment is in whole dollars.", (_BOOK,)),
    "exact_sum": Rule("The shares of a payment make up exactly the price.", (_BOOK,)),
    "passenger_number": Rule("The number of passengers never changes.", (_PEOPLE,)),
    "known_airport": Rule("A trip starts and ends at airports that exist.", (_BOOK,)),
    "some_flight": Rule("A reservation has at least one flight.", (_BOOK, _FLIGHTS)),
    "flight_once": Rule("No flight is booked twice for the same day.", (_BOOK,)),
    "some_passenger": Rule("A booking has at least one passenger.", (_BOOK,)),
    "not_negative": Rule("Bags and amounts are not below 0.", (_BOOK, _BAGS, _CERTIFICATE)),
    "certificate_once": Rule("A certificate is used up by one payment.", (_BOOK,)),
    "cancelled_once": Rule("A reservation is cancelled and refunded once.", (_CANCEL,)),
    "bad_expression": Rule("The expression must be plain arithmetic with a value.", ("calculate",)),
}
_LEFT_TO_AGENTS: Final[Mapping[str, Rule]] = {
    "own_records": Rule("Serve one caller, and touch no one else's records.", _WRITES, "agent"),
    "not_cancelled": Rule("A cancelled reservation stays as it is.", (_CANCEL, *_UPDATES), "agent"),
    "not_flown": Rule(
        "Once part of a trip is flown, it is not cancelled and keeps its cabin.", (_CANCEL, _FLIGHTS), "agent"
    ),
    "right_to_cancel": Rule(
        "Only a booking of the last 24 hours, a flight that the airline cancelled, business class or an insured "
        "reason gives a right to cancel.",
        (_CANCEL,),
        "agent",
    ),
    "basic_economy": Rule(
        "Basic economy flights are fixed; their cabin can change while the flights stay.", (_FLIGHTS,), "agent"
    ),
    "route": Rule(
        "A trip leads from its origin to its destination and, if a round trip, back again.", (_BOOK, _FLIGHTS), "agent"
    ),
    "connection": Rule(
        "Each leg starts where the one before ended, and not before that has arrived.", (_BOOK, _FLIGHTS), "agent"
    ),
    "flown_kept": Rule("Segments already flown stay in the reservation.", (_FLIGHTS,), "agent"),
    "one_method": Rule(
        "A change is paid or refunded with one gift card or credit card of the user's profile.",
        (_FLIGHTS, _BAGS),
        "agent",
    ),
    "payment_mix": Rule(
        "A booking takes one certificate, one credit card and three gift cards at most, all of the user's profile.",
        (_BOOK,),
        "agent",
    ),
    "five_passengers": Rule("A booking is for one to five passengers.", (_BOOK,), "agent"),
    "bags_only_added": Rule("Checked bags can be added, not taken off.", (_BAGS,), "agent"),
    "bags_paid": Rule("Exactly the bags above the free allowance are paid for.", (_BOOK, _BAGS), "agent"),
    "compensation": Rule(
        "A certificate is due only to people with status, insurance or a business seat who ask: 100 dollars a "
        "passenger for a cancelled flight, 50 for a delayed one whose trip was then changed or cancelled.",
        (_CERTIFICATE,),
        "agent",
    ),
    "insurance_at_booking": Rule("Insurance is bought with the booking and never later.", (), "agent"),
    "identified": Rule("Get the user id, and for a change the reservation id, before anything else.", (), "agent"),
    "confirmed": Rule("Read a change back and get a plain yes before it is made.", _WRITES, "agent"),
    "one_call": Rule("One tool call at a time, and never together with a message to the caller.", (), "agent"),
    "only_facts": Rule("Say only what the caller or the tools have given, and give no opinions.", (), "agent"),
    "in_scope": Rule("Turn down what these rules do not allow.", (), "agent"),
    "transfer_last": Rule(
        "Hand over to a person exactly when the request is beyond the tools.", ("transfer_to_human_agents",), "agent"
    ),
}
RULES: Final[Mapping[str, Rule]] = MappingProxyType({**_KEPT_BY_TOOLS, **_LEFT_TO_AGENTS})
"""Rules by id: those the tools keep, then those left to the agent."""


def rules_of(tool: str) -> tuple[str, ...]:
    """Return the ids of the rules about a tool.

    >>> rules_of("cancel_reservation")[:3], rules_of("list_all_airports")
    (('known_reservation', 'cancelled_once', 'own_records'), ())
    """
    return tuple(rule for rule, entry in RULES.items() if tool in entry.tools)
