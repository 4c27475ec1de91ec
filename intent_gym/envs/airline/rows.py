"""What the airline's tools have in common: finding rows, or refusing with a reason; the checks on flights and payment.

Refusals name the rule that the original's tool enforces. The original's order of checks is kept everywhere, since an
agent that breaks two rules is told of the first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from intent_gym.envs.airline.rules import CABINS
from intent_gym.envs.airline.timetable import Timetable, date_key
from intent_gym.envs.desk.calls import shown
from intent_gym.envs.desk.tables import Draft, Row
from intent_gym.envs.desk.tools import Refusal

__all__ = [
    "DATE",
    "FLIGHTS",
    "PASSENGERS",
    "TEXT",
    "bad_choice",
    "check_seats",
    "debit",
    "find_reservation",
    "find_user",
    "low_balance",
    "no_flights",
    "open_day",
    "passenger_rows",
    "refuse_negative",
    "settle",
    "timetable",
    "unknown_payment",
]

TEXT: Final[Mapping[str, Any]] = {"type": "string"}
DATE: Final[Mapping[str, Any]] = {"type": "string", "description": "YYYY-MM-DD"}
FLIGHTS: Final[Mapping[str, Any]] = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {"flight_number": TEXT, "date": DATE},
        "required": ["flight_number", "date"],
    },
}
PASSENGERS: Final[Mapping[str, Any]] = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {"first_name": TEXT, "last_name": TEXT, "dob": DATE},
        "required": ["first_name", "last_name", "dob"],
    },
}


def timetable(draft: Draft) -> Timetable:
    """Return the index of the flights below a draft."""
    return draft.tables.derived(Timetable.build)


def find_user(draft: Draft, user_id: str) -> Row:
    """Return a user's row, or refuse."""
    row = draft.get("users", user_id)
    if row is None:
        raise Refusal("known_user", f"no user has the id {shown(user_id)}; ids look like 'ann_lee_1234'")
    return row


def find_reservation(draft: Draft, reservation_id: str) -> Row:
    """Return a reservation's row, or refuse."""
    row = draft.get("reservations", reservation_id)
    if row is None:
        raise Refusal(
            "known_reservation",
            f"no reservation has the id {shown(reservation_id)}; ids are six capitals or digits, "
            "and get_user_details lists a user's own",
        )
    return row


def bad_choice(rule: str, what: str, value: object, choices: tuple[str, ...]) -> Refusal:
    """Return the refusal of a value that is none of the choices."""
    return Refusal(rule, f"expected {what} to be one of {', '.join(choices)}, got {shown(value)}")


# -- flights -----------------------------------------------------------------------------------------------------------
def open_day(draft: Draft, number: str, date: str) -> Row:
    """Return a flight's day that can be booked, or refuse."""
    day = draft.get("flight_dates", date_key(number, date))
    if day is None:
        if draft.tables["flights"].get(number) is None:
            raise Refusal("known_flight", f"no flight has the number {shown(number)}; numbers look like 'HAT001'")
        raise Refusal("flight_date", f"flight {number} does not fly on {shown(date)}; write dates as 2024-05-20")
    if day["status"] != "available":
        raise Refusal(
            "available", f"flight {number} on {date} cannot be booked: it is {day['status']!r}, not 'available'"
        )
    return day


def check_seats(day: Row, number: str, date: str, cabin: str, people: int) -> None:
    """Refuse a cabin that does not exist or has too few seats left."""
    left = day["available_seats"].get(cabin)
    if left is None:
        raise bad_choice("cabin", "cabin", cabin, CABINS)
    if left < people:
        raise Refusal("enough_seats", f"{number} on {date}: {left} seats are left in {cabin}, {people} are needed")


def no_flights() -> Refusal:
    """Return the refusal of a reservation without flights."""
    return Refusal("some_flight", "a reservation needs at least one flight; list all its flights, kept ones included")


def refuse_negative(total: int, nonfree: int) -> None:
    """Refuse numbers of bags below 0."""
    if total < 0 or nonfree < 0:
        raise Refusal("not_negative", f"expected 0 or more bags, got {total} in all, {nonfree} of them paid for")


def passenger_rows(passengers: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return passengers as rows: whatever else was said of them is left out."""
    return [{key: person[key] for key in ("first_name", "last_name", "dob")} for person in passengers]


# -- money -------------------------------------------------------------------------------------------------------------
def settle(draft: Draft, user: Row, payment_id: str, amount: float) -> None:
    """Charge a change of a reservation to one method of its user, or refund it there; refuse what cannot pay.

    Args:
        draft: Where a gift card's balance changes.
        user: The reservation's user.
        payment_id: The method.
        amount: Dollars; negative for a refund.
    """
    method = user["payment_methods"].get(payment_id)
    if method is None:
        raise unknown_payment(payment_id)
    if method["source"] == "certificate":
        raise Refusal(
            "no_certificate",
            f"{payment_id} is a travel certificate, which pays only for new bookings; take a card or gift card",
        )
    if method["source"] == "gift_card":
        if method["amount"] < amount:
            raise low_balance(payment_id, method["amount"], amount)
        debit(draft, user["user_id"], payment_id, amount)


def debit(draft: Draft, user_id: str, payment_id: str, amount: float) -> None:
    """Take an amount off a gift card."""
    if amount:
        draft.edit("users", user_id)["payment_methods"][payment_id]["amount"] -= amount


def unknown_payment(payment_id: str) -> Refusal:
    """Return the refusal of a method that the user does not have."""
    return Refusal(
        "known_payment_method",
        f"the user has no payment method {shown(payment_id)}; get_user_details lists those on file",
    )


def low_balance(payment_id: str, balance: float, amount: float) -> Refusal:
    """Return the refusal of a gift card or certificate that holds too little."""
    return Refusal("balance_covers", f"{payment_id} holds {balance:g} dollars, {amount:g} are needed")
