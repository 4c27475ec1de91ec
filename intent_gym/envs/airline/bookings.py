"""The airline's tools that make and unmake: book, cancel, send a certificate."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from intent_gym.envs.airline.rows import (
    bad_choice,
    check_seats,
    debit,
    find_reservation,
    find_user,
    low_balance,
    no_flights,
    open_day,
    passenger_rows,
    refuse_negative,
    timetable,
    unknown_payment,
)
from intent_gym.envs.airline.rules import BAG_PRICE, CABINS, INSURANCE_PRICE, NOW, TRIPS
from intent_gym.envs.airline.timetable import date_key
from intent_gym.envs.desk.calls import shown
from intent_gym.envs.desk.tables import Draft, Row
from intent_gym.envs.desk.tools import Refusal

__all__ = ["CERTIFICATE_IDS", "RESERVATION_IDS", "book_reservation", "cancel_reservation", "send_certificate"]

RESERVATION_IDS: Final = ("HATHAT", "HATHAU", "HATHAV")
"""Ids of new reservations, in the order they are given out."""
CERTIFICATE_IDS: Final = ("certificate_3221322", "certificate_3221323", "certificate_3221324")
"""Ids of new certificates, in the order each user gets them."""


def book_reservation(
    draft: Draft,
    user_id: str,
    origin: str,
    destination: str,
    flight_type: str,
    cabin: str,
    flights: list[dict[str, Any]],
    passengers: list[dict[str, Any]],
    payment_methods: list[dict[str, Any]],
    total_baggages: int,
    nonfree_baggages: int,
    insurance: str,
    *,
    compat: bool = False,
) -> Row:
    """Book a trip and return the new reservation."""
    payments = [
        {"payment_id": row["payment_id"], "amount": _whole(row["payment_id"], row["amount"])} for row in payment_methods
    ]
    user = find_user(draft, user_id)
    new_id = _next_id(draft)
    for rule, what, value, choices in (
        ("flight_type", "flight_type", flight_type, TRIPS),
        ("cabin", "cabin", cabin, CABINS),
        ("insurance", "insurance", insurance, ("yes", "no")),
    ):
        if value not in choices:
            raise bad_choice(rule, what, value, choices)
    people = len(passengers)
    legs = _new_legs(draft, flights, cabin, people)
    price = sum(leg["price"] for leg in legs) * people + BAG_PRICE * nonfree_baggages
    price += INSURANCE_PRICE * people if insurance == "yes" else 0
    _check_payments(user, payments, price)
    if not compat:
        _check_booking(draft, (origin, destination), legs, people, total_baggages, nonfree_baggages)
        _check_shares(user, payments)
    _pay(draft, user_id, payments)
    for leg in legs:
        day = draft.edit("flight_dates", date_key(leg["flight_number"], leg["date"]))
        day["available_seats"][cabin] -= people
    reservation = {
        "reservation_id": new_id,
        "user_id": user_id,
        "origin": origin,
        "destination": destination,
        "flight_type": flight_type,
        "cabin": cabin,
        "flights": legs,
        "passengers": passenger_rows(passengers),
        "payment_history": payments,
        "created_at": NOW.isoformat(),
        "total_baggages": total_baggages,
        "nonfree_baggages": nonfree_baggages,
        "insurance": insurance,
    }
    draft.put("reservations", new_id, reservation)
    draft.edit("users", user_id)["reservations"].append(new_id)
    return reservation


def cancel_reservation(draft: Draft, reservation_id: str, *, compat: bool = False) -> Row:
    """Cancel a whole reservation, refund all that was paid, and return it."""
    reservation = find_reservation(draft, reservation_id)
    if reservation.get("status") == "cancelled" and not compat:
        raise Refusal("cancelled_once", f"reservation {reservation_id} is cancelled and refunded already")
    row = draft.edit("reservations", reservation_id)
    row["payment_history"] += [
        {"payment_id": paid["payment_id"], "amount": -paid["amount"]} for paid in row["payment_history"]
    ]
    row["status"] = "cancelled"
    return row


def send_certificate(draft: Draft, user_id: str, amount: float, *, compat: bool = False) -> str:
    """Give a user a travel certificate."""
    user = find_user(draft, user_id)
    free = [key for key in CERTIFICATE_IDS if key not in user["payment_methods"]]
    if not free:
        raise Refusal(
            "three_certificates",
            f"{user_id} already has all {len(CERTIFICATE_IDS)} certificates that can be given; no more can be sent",
        )
    worth = float(amount)
    if worth < 0 and not compat:
        raise Refusal("not_negative", f"a certificate cannot be worth less than 0 dollars, got {amount:g}")
    certificate = {"source": "certificate", "id": free[0], "amount": worth}
    draft.edit("users", user_id)["payment_methods"][free[0]] = certificate
    return f"Certificate {free[0]} added to user {user_id} with amount {amount}."


# -- booking, step by step ---------------------------------------------------------------------------------------------
def _whole(payment_id: str, amount: Any) -> int:  # noqa: ANN401 - texts of digits pass where nothing was validated
    """Return an amount of whole dollars, or refuse."""
    number = float(amount)
    if not number.is_integer():
        raise Refusal("whole_dollars", f"expected whole dollars for {shown(payment_id)}, got {shown(amount)}")
    return int(number)


def _next_id(draft: Draft) -> str:
    for new_id in RESERVATION_IDS:
        if draft.get("reservations", new_id) is None:
            return new_id
    raise Refusal(
        "three_bookings",
        f"{len(RESERVATION_IDS)} trips were booked in this conversation, which is the most that can be",
    )


def _new_legs(draft: Draft, flights: list[dict[str, Any]], cabin: str, people: int) -> list[dict[str, Any]]:
    """Return the segments of a booking with their prices, or refuse the first that cannot be had."""
    legs = []
    table = timetable(draft).flights
    for wanted in flights:
        number, date = wanted["flight_number"], wanted["date"]
        day = open_day(draft, number, date)
        check_seats(day, number, date, cabin, people)
        flight = table[number]
        legs.append(
            {
                "flight_number": number,
                "origin": flight.origin,
                "destination": flight.destination,
                "date": date,
                "price": day["prices"][cabin],
            }
        )
    return legs


def _check_payments(user: Row, payments: list[dict[str, Any]], price: float) -> None:
    """Refuse methods that the user lacks or that hold too little, and shares that do not make up the price."""
    for payment in payments:
        method = user["payment_methods"].get(payment["payment_id"])
        if method is None:
            raise unknown_payment(payment["payment_id"])
        if method["source"] != "credit_card" and method["amount"] < payment["amount"]:
            raise low_balance(payment["payment_id"], method["amount"], payment["amount"])
    paid = sum(payment["amount"] for payment in payments)
    if paid != price:
        raise Refusal("exact_sum", f"the trip costs {price:g} dollars in all, the payments add up to {paid:g}")


def _check_booking(
    draft: Draft, ends: tuple[str, str], legs: list[dict[str, Any]], people: int, total: int, nonfree: int
) -> None:
    """Refuse a booking that contradicts itself, which the original lets pass."""
    for code in ends:
        if code not in draft.tables["airports"]:
            raise Refusal("known_airport", f"no airport has the code {shown(code)}; list_all_airports has them")
    if not legs:
        raise no_flights()
    if len({(leg["flight_number"], leg["date"]) for leg in legs}) < len(legs):
        raise Refusal("flight_once", "one flight is listed twice for the same day; list it once")
    if not people:
        raise Refusal("some_passenger", "a booking needs at least one passenger")
    refuse_negative(total, nonfree)


def _check_shares(user: Row, payments: list[dict[str, Any]]) -> None:
    """Refuse negative shares, a certificate used twice, and a gift card that all its shares together overdraw."""
    shares: Counter[str] = Counter()
    for payment in payments:
        key, amount = payment["payment_id"], payment["amount"]
        method = user["payment_methods"][key]
        if amount < 0:
            raise Refusal("not_negative", f"expected 0 or more dollars from {key}, got {amount}")
        if key in shares and method["source"] == "certificate":
            raise Refusal("certificate_once", f"{key} is used up by one payment and is listed twice; list it once")
        shares[key] += amount
        if method["source"] == "gift_card" and method["amount"] < shares[key]:
            raise low_balance(key, method["amount"], shares[key])


def _pay(draft: Draft, user_id: str, payments: list[dict[str, Any]]) -> None:
    """Debit gift cards and use up certificates."""
    methods = draft.edit("users", user_id)["payment_methods"]
    for payment in payments:
        key = payment["payment_id"]
        if key not in methods:  # a certificate listed twice, where nothing has refused it: the first is gone for good
            raise Refusal("certificate_once", f"{key} is used up already", keep=True)
        if methods[key]["source"] == "certificate":
            del methods[key]
        elif methods[key]["source"] == "gift_card":
            debit(draft, user_id, key, payment["amount"])
