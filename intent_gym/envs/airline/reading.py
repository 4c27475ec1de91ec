"""What an end state of the airline amounts to: the changes that its reservations show.

It tells dates, flights, passengers and payments beyond those that are drawn for the tables: verdicts never depend on
the bounds of `airline.requests`.

Decisions: of the amounts newly paid for a reservation that has both other flights and more bags, the price of the bags
is that of the bags. Who may travel: the user, those saved in the profile, and whoever is in a reservation of theirs.
How an amount is split among several methods is free; the methods together are one value ("card_1 and card_2").
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from intent_gym.core.intent import Value
from intent_gym.envs.airline.bookings import RESERVATION_IDS
from intent_gym.envs.airline.requests import (
    BAGS,
    BOOK,
    CANCEL,
    FLIGHTS,
    PASSENGERS,
    Requests,
    full_name,
    legs_of,
    people_of,
    rows_of,
)
from intent_gym.envs.airline.rules import BAG_PRICE
from intent_gym.envs.desk.calls import Call
from intent_gym.envs.desk.changes import State
from intent_gym.envs.desk.parts import Part
from intent_gym.envs.desk.tables import Row

__all__ = ["Reading"]

_FIELDS: Final = frozenset(
    (
        *("reservation_id", "user_id", "origin", "destination", "flight_type", "cabin", "flights", "passengers"),
        *("payment_history", "total_baggages", "nonfree_baggages", "insurance"),
    )
)
"""Of a reservation."""
_NOT_BOOKED: Final = ("reservation_id", "created_at", "payment_history", "status")
"""Fields of a reservation that are no arguments of a booking."""


class Reading:
    """Reads end states back.

    Args:
        requests: The words for trips.
    """

    def __init__(self, requests: Requests) -> None:
        self.requests = requests
        self.tables = requests.tables

    def read(self, changed: State) -> tuple[str, Sequence[Part]] | None:
        """Return whose reservations changed and the changes that they look like, None if like none."""
        rows = changed.get("reservations", {})
        owners = {row["user_id"] for row in rows.values()}
        if len(owners) != 1:
            return None
        caller = owners.pop()
        user = self.tables["users"].get(caller)
        parts: list[Part] = []
        for key, after in rows.items():
            if user is None or not _FIELDS <= after.keys() or not after["flights"] or not after["passengers"]:
                return None  # what only the original's laxness lets pass
            before = self.tables["reservations"].get(key)
            found = [self._booking(user, key, after)] if before is None else list(self._changes(user, before, after))
            read = [part for part in found if part is not None]
            if not found or len(read) < len(found):
                return None
            parts += read
        return caller, parts

    def _booking(self, user: Row, key: str, after: Row) -> Part | None:
        """Return a booking, None if it is for strangers."""
        if key not in RESERVATION_IDS or not self._known(user, after["passengers"]):
            return None
        arguments = {field: value for field, value in after.items() if field not in _NOT_BOOKED}
        arguments |= {"flights": rows_of(legs_of(after["flights"])), "payment_methods": after["payment_history"]}
        methods = sorted({str(paid["payment_id"]) for paid in after["payment_history"]})
        cells = self.requests.cells("booking", after) | {"payment": " and ".join(methods)}
        return Part("booking", cells, Call(BOOK, arguments))

    def _known(self, user: Row, persons: Sequence[Row]) -> bool:
        company = [{**user["name"], "dob": user["dob"]}, *user["saved_passengers"]]
        company += [person for trip in self.requests.trips(user) for person in trip["passengers"]]
        known = people_of(company)
        return all(person in known for person in persons)

    def _changes(self, user: Row, before: Row, after: Row) -> Iterator[Part | None]:
        """Yield the changes of a reservation in the order in which they are made; None for one that nobody asks for."""
        base = {"reservation_id": before["reservation_id"]}
        cancelled = after.get("status") == "cancelled"
        paid = _newly_paid(before, after, cancelled=cancelled)
        if before["passengers"] != after["passengers"]:
            yield self._passenger(user, before, after, base)
        more_bags = before["total_baggages"] != after["total_baggages"]
        due = BAG_PRICE * max(0, after["nonfree_baggages"] - before["nonfree_baggages"])
        for_bags = next((entry for entry in reversed(paid) if more_bags and due and entry["amount"] == due), None)
        for_flights = next((entry for entry in paid if entry is not for_bags), None)
        same_legs = legs_of(before["flights"]) == legs_of(after["flights"])
        if not same_legs or before["cabin"] != after["cabin"]:
            told, method = self._method(user, for_flights)
            change = {"cabin": after["cabin"], "flights": rows_of(legs_of(after["flights"])), "payment_id": method}
            kind = "cabin" if same_legs else "flights"
            yield Part(kind, self.requests.cells(kind, after) | told, Call(FLIGHTS, base | change))
        if more_bags:
            told, method = self._method(user, for_bags)
            bags = {key: after[key] for key in ("total_baggages", "nonfree_baggages")}
            call = Call(BAGS, base | bags | {"payment_id": method})
            yield Part("bags", self.requests.cells("bags", after) | told, call)
        if cancelled:
            cells = self.requests.cells("cancel", after)
            reason = self.requests.reason({key: value for key, value in after.items() if key != "status"})
            yield Part("cancel", cells | ({"reason": reason} if reason else {}), Call(CANCEL, base))

    def _passenger(self, user: Row, before: Row, after: Row, base: Mapping[str, Any]) -> Part | None:
        """Return the change of one passenger, None if it is no such thing."""
        pairs = list(zip(before["passengers"], after["passengers"], strict=False))
        swapped = [(old, new) for old, new in pairs if old != new]
        if len(swapped) != 1 or not self._known(user, [swapped[0][1]]):
            return None
        cells = self.requests.cells("passenger", after)
        cells |= {"passenger": full_name(swapped[0][1]), "leaving": full_name(swapped[0][0])}
        return Part("passenger", cells, Call(PASSENGERS, {**base, "passengers": after["passengers"]}))

    def _method(self, user: Row, entry: Row | None) -> tuple[dict[str, Value], str]:
        """Return what is told of a payment, and the method for the call: any will do where nothing was paid."""
        if entry is not None:
            return {"payment": entry["payment_id"]}, entry["payment_id"]
        return {}, next(iter(self.requests.payers(user, 0)), "")


def _newly_paid(before: Row, after: Row, *, cancelled: bool) -> Sequence[Row]:
    """Return the payments for changes; a cancellation pays every payment back, those for changes too."""
    old, now = before["payment_history"], after["payment_history"]
    end = len(now) // 2 if cancelled else len(now)
    paid: Sequence[Row] = now[len(old) : end]
    return paid
