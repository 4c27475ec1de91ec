"""DriftAirline's host: what an airline's callers can want, on its fourteen tools."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar

from intent_gym.core.intent import Intent, Value
from intent_gym.envs.airline.data import load as load_data
from intent_gym.envs.airline.data import tables_of
from intent_gym.envs.airline.generator import DEFAULT_USERS, generate
from intent_gym.envs.airline.policy import breaches
from intent_gym.envs.airline.reading import Reading
from intent_gym.envs.airline.requests import BAGS_MORE, Requests, full_name
from intent_gym.envs.airline.rules import COVERED_REASONS
from intent_gym.envs.airline.slots import CABIN_WORDS, HOURS, INSURANCE_WORDS, PARTS, SLOTS, STOPS, rank, say_date
from intent_gym.envs.airline.tools import airline_toolbox
from intent_gym.envs.desk.calls import Call
from intent_gym.envs.desk.changes import State
from intent_gym.envs.desk.host import DeskHost
from intent_gym.envs.desk.loading import open_desk
from intent_gym.envs.desk.parts import Part
from intent_gym.envs.desk.tables import Draft, Tables
from intent_gym.envs.desk.tasks import Task
from intent_gym.envs.desk.tools import Toolbox

__all__ = ["KINDS", "AirlineHost", "load"]

KINDS: Mapping[str, str] = {
    "passenger": "passenger change",
    "flights": "flight change",
    "cabin": "cabin change",
    "bags": "baggage change",
    "cancel": "cancellation",
    "booking": "booking",
}
"""Words of each kind of request."""


class AirlineHost(DeskHost):
    """The airline's service desk over one database.

    Args:
        tables: Tables users, reservations, flights, flight_dates, airports.
        toolbox: The fourteen tools.
        source: "embedded", or the folder read.
        split_of: Split of a user.
        tasks: Of the source.
    """

    name = "airline"
    kinds = KINDS
    record = "reservation"
    most_parts = PARTS
    written: ClassVar[Mapping[str, str]] = {"payment_id": "payment", "reservation_id": "reservation"}
    slots = SLOTS
    turn_cap = 100

    def __init__(
        self, tables: Tables, toolbox: Toolbox, source: str, split_of: Mapping[str, str], tasks: Sequence[Task] = ()
    ) -> None:
        self._requests = Requests(tables)
        self._reading = Reading(self._requests)
        super().__init__(tables, toolbox, source, split_of, tasks)

    def callers(self) -> Sequence[str]:
        """Return the ids of all users, sorted."""
        return sorted(self.tables["users"])

    def requests(self, kind: str, caller: str) -> Iterator[Part]:
        """Yield every change of a kind that the policy allows, within the bounds of `airline.requests`."""
        return self._requests.of(kind, caller)

    def read(self, changed: State) -> tuple[str, Sequence[Part]] | None:
        """Return whose rows changed and the changes that they look like, None if like none."""
        return self._reading.read(changed)

    @property
    def judging(self) -> Toolbox:
        """The corrected tools, whichever are played: an end state that takes a fault to reach is nobody's wish."""
        return airline_toolbox()

    def permits(self, before: Draft, call: Call, caller: str) -> bool:
        """Return whether the policy allows a call; a reservation is cancelled for the reason that its user has."""
        key = call.arguments.get("reservation_id")
        trip = before.get("reservations", key) if key is not None else None
        reason = self._requests.reason(trip) if trip is not None else None
        return not breaches(before, call.name, call.arguments, caller=caller, reason=reason)

    # -- records -----------------------------------------------------------------------------------------------------
    def stated(self, call: Call, value: Any) -> tuple[str, tuple[tuple[str, Value], ...]]:  # noqa: ANN401
        """Return what a user's own row tells as a single value: the only payment method, the only reservation."""
        if call.name != "get_user_details" or not isinstance(value, Mapping):
            return "", ()
        found: list[tuple[str, Value]] = []
        if len(value["payment_methods"]) == 1:
            found += self.in_every_part("payment", next(iter(value["payment_methods"])))
        if len(value["reservations"]) == 1:
            found += self.in_every_part("reservation", value["reservations"][0])
        return str(value["user_id"]), tuple(found)

    # -- words and material ------------------------------------------------------------------------------------------
    def values(self, slot: str) -> tuple[Value, ...]:
        """Return the values that a slot can have at all, sorted."""
        users, trips = self.tables["users"].values(), self.tables["reservations"].values()
        if slot in ("date", "return_date"):
            days = {key.partition("|")[2] for key in self.tables["flight_dates"]}
            return tuple(sorted({say_date(d) for d in days | {leg["date"] for t in trips for leg in t["flights"]}}))
        if slot == "bags":
            return tuple(range(max((t["total_baggages"] for t in trips), default=0) + BAGS_MORE + 1))
        if slot == "passenger":
            return tuple(sorted({full_name(p) for u in users for p in (u["name"], *u["saved_passengers"])}))
        if slot == "leaving":
            return tuple(sorted({full_name(p) for t in trips for p in t["passengers"]}))
        if slot == "payment":
            return tuple(sorted({method for u in users for method in u["payment_methods"]}))
        if slot in ("origin", "destination"):
            return tuple(sorted(self.tables["airports"]))
        if slot == "reservation":
            return tuple(sorted(self.tables["reservations"]))
        return tuple(sorted(_FIXED[slot]))

    def near_misses(self, intent: Intent, slot: str) -> tuple[Value, ...]:
        """Return the other values of a condition's slot, the nearest dates, hours and numbers first."""
        others, place = super().near_misses(intent, slot), rank(intent.by_slot[slot].value)
        if place is None:
            return others
        return tuple(sorted(others, key=lambda value: abs((rank(value) or 0.0) - place)))


_FIXED: Mapping[str, Sequence[str]] = {
    "departure": HOURS,
    "return_departure": HOURS,
    "stops": STOPS,
    "cabin": tuple(CABIN_WORDS.values()),
    "insurance": tuple(INSURANCE_WORDS.values()),
    "reason": tuple(COVERED_REASONS),
}


# -- loading ---------------------------------------------------------------------------------------------------------
def load(
    source: str = "embedded", users: int = DEFAULT_USERS, data_seed: int = 0, tau2_compat: bool = False
) -> AirlineHost:
    """Return the desk.

    Args:
        source: "embedded", or a folder with tau2's airline files.
        users: Users of the embedded data, 50 to 20,000.
        data_seed: Seed of the embedded data.
        tau2_compat: Whether the tools keep the original's faults.

    Raises:
        OptionError: A value out of range.
        DataError: The folder cannot be read.
    """
    toolbox = airline_toolbox(tau2_compat=tau2_compat)
    return open_desk(AirlineHost, toolbox, source, lambda: _embedded(users, data_seed), _folder)


@lru_cache(maxsize=2)
def _embedded(users: int, seed: int) -> Tables:
    return tables_of(generate(users, seed), "embedded airline data", f"embedded {users} {seed}")


def _folder(source: str) -> tuple[Tables, Sequence[Task]]:
    data = load_data(source)
    tasks = (Task(task.id, task.split, task.gold, json.dumps(task.instructions)) for task in data.tasks)
    return data.tables, tuple(tasks)
