"""End states of the airline in a form that does not depend on the order of calls.

New reservations and certificates get their ids in the order in which they are made, so two bookings made in either
order differ in nothing but their ids. `canonical` names them by what they are.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from intent_gym.envs.airline.bookings import CERTIFICATE_IDS, RESERVATION_IDS

__all__ = ["canonical"]

State: TypeAlias = Mapping[str, Mapping[str, Any]]
"""Rows that changed, in normal form: table -> id -> row."""


def canonical(changed: State) -> dict[str, dict[str, Any]]:
    """Return changed rows with new reservations and certificates numbered by their content.

    Args:
        changed: As `Draft.normalised` gives it; not changed.

    >>> booked = {"HATHAT": {"reservation_id": "HATHAT", "cabin": "economy"}}
    >>> canonical({"reservations": booked})
    {'reservations': {'new_1': {'reservation_id': 'new_1', 'cabin': 'economy'}}}
    """
    state: dict[str, dict[str, Any]] = {table: dict(rows) for table, rows in changed.items()}
    new = sorted(
        (_content({k: v for k, v in row.items() if k != "reservation_id"}), key)
        for key, row in state.get("reservations", {}).items()
        if key in RESERVATION_IDS
    )
    names = {key: f"new_{number}" for number, (_, key) in enumerate(new, start=1)}
    if names:
        renamed = {names.get(key, key): row for key, row in state["reservations"].items()}
        state["reservations"] = {
            key: {**row, "reservation_id": key} for key, row in sorted(renamed.items(), key=lambda item: item[0])
        }
    if "users" in state:
        state["users"] = {key: _user(row, names) for key, row in state["users"].items()}
    return state


def _user(row: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    old = [key for key in row["reservations"] if key not in names]
    added = sorted(names[key] for key in row["reservations"] if key in names)
    return {**row, "reservations": [*old, *added], "payment_methods": dict(_methods(row["payment_methods"]))}


def _methods(methods: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield payment methods by id, new certificates last and by amount."""
    yield from ((key, row) for key, row in sorted(methods.items()) if key not in CERTIFICATE_IDS)
    amounts = sorted(row["amount"] for key, row in methods.items() if key in CERTIFICATE_IDS)
    for number, amount in enumerate(amounts, start=1):
        yield f"new_{number}", {"source": "certificate", "id": f"new_{number}", "amount": amount}


def _content(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))
