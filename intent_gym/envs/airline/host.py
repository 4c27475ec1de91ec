"""DriftAirline's host: the requests that an airline's callers can have, on its fourteen tools."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from intent_gym.core.intent import Intent, Value
from intent_gym.envs.airline.data import AirlineData, tables_of
from intent_gym.envs.airline.data import load as load_data
from intent_gym.envs.airline.generator import DEFAULT_USERS, generate
from intent_gym.envs.airline.policy import breaches
from intent_gym.envs.airline.requests import BAGS_MORE, Requests, full_name
from intent_gym.envs.airline.rules import COVERED_REASONS
from intent_gym.envs.airline.slots import CABIN_WORDS, HOURS, INSURANCE_WORDS, SLOTS, STOPS, rank, say_date
from intent_gym.envs.airline.tools import airline_toolbox
from intent_gym.envs.desk.calls import Call, render_call
from intent_gym.envs.desk.host import DeskHost, Request
from intent_gym.envs.desk.tables import Draft, Tables
from intent_gym.envs.desk.tools import Toolbox
from intent_gym.envs.host import Judgement, Outcome
from intent_gym.envs.people import split_of

__all__ = ["KINDS", "AirlineHost", "load"]

KINDS: Mapping[str, str] = {
    "cancel": "cancellation",
    "flights": "flight change",
    "cabin": "cabin change",
    "bags": "baggage change",
    "passenger": "passenger change",
    "booking": "booking",
}
"""Words of each kind of request."""
_GOALS_A_FRAME = 2
_FEWEST_ROWS = 3
"""A kind with fewer outcomes for a caller leaves nothing to find out."""


class AirlineHost(DeskHost):
    """The airline's service desk over one database.

    A verdict reads the request back from the end state (`Requests.read`), so it holds for dates, flights and payments
    beyond those that the tables list: whatever one call reaches, within the policy, as one of the kinds.

    Args:
        tables: Tables users, reservations, flights, flight_dates, airports.
        toolbox: The fourteen tools.
        source: "embedded", or the folder read.
        split_of: Split of a user.

    Attributes:
        request_of: The frame and the request that lead to an end state, None if no allowed one does; cached.
    """

    name = "airline"
    kinds = KINDS
    slots = SLOTS
    turn_cap = 100

    def __init__(self, tables: Tables, toolbox: Toolbox, source: str, split_of: Mapping[str, str]) -> None:
        self._split_of = split_of
        self._requests = Requests(tables)
        self._kinds = lru_cache(maxsize=None)(self._find_kinds)
        self.request_of = lru_cache(maxsize=4096)(self._find_request)
        super().__init__(tables, toolbox, source)

    def callers(self) -> Sequence[str]:
        """Return the ids of all users, sorted."""
        return sorted(self.tables["users"])

    def kinds_of(self, caller: str) -> Sequence[str]:
        """Return the kinds of which the policy and the tools allow the caller at least one request."""
        return self._kinds(caller)

    def _find_kinds(self, caller: str) -> tuple[str, ...]:
        blank = Draft(self.tables)
        return tuple(
            kind
            for kind in KINDS
            if any(self.toolbox.run(blank.fork(), request.call).ok for request in self.requests(kind, caller))
        )

    def requests(self, kind: str, caller: str) -> Iterator[Request]:
        """Yield every request of a kind that the policy allows, within the bounds of `airline.requests`."""
        return self._requests.of(kind, caller)

    # -- verdicts ----------------------------------------------------------------------------------------------------
    def judge(self, intent: Intent, outcome: Outcome) -> Judgement:
        """Judge an end state: one allowed call of the intent's kind must lead to it, and every condition hold."""
        found = self.request_of(outcome)
        if found is None or found[0] != intent.frame:
            return Judgement(False, (self.frame_slot.id,))
        cells = found[1].cells
        wrong = {c.slot for c in intent.conditions if c.slot not in cells or cells[c.slot] != c.value}
        return Judgement(not wrong, tuple(s.id for s in self.slots if s.id in wrong))

    def _find_request(self, outcome: Outcome) -> tuple[str, Request] | None:
        """Return the frame and the request that lead to an end state, None if no allowed one does."""
        found = self._requests.read(json.loads(outcome))
        if found is None:
            return None
        kind, caller, request = found
        draft = Draft(self.tables)
        reason: Any = request.cells.get("reason")  # one of the rules' reasons
        # the corrected tools, whichever are played: an end state that takes a fault to reach is nobody's wish
        if not airline_toolbox().run(draft, request.call).ok or self.proposal(draft, "") != outcome:
            return None
        blank = Draft(self.tables)
        if breaches(blank, request.call.name, request.call.arguments, caller=caller, reason=reason):
            return None
        return f"{KINDS[kind]} for {caller}", request

    def steps_to(self, outcome: Outcome) -> tuple[str, ...]:
        """Return the calls after which the draft is exactly this end state."""
        found = self.request_of(outcome)
        return ("reset_draft()", render_call(*found[1].call)) if found else ("reset_draft()",)

    # -- records -----------------------------------------------------------------------------------------------------
    def caller_of(self, changed: Mapping[str, Mapping[str, Any]]) -> str:
        """Return the user whose rows an end state changes."""
        for row in changed.get("reservations", {}).values():
            return str(row["user_id"])
        return next(iter(changed.get("users", {"": None})))

    def stated(self, call: Call, value: Any, caller: str | None) -> tuple[tuple[str, Value], ...]:  # noqa: ANN401
        """Return what a user's own row tells as a single value: the only payment method, the only reservation."""
        if call.name != "get_user_details" or not isinstance(value, Mapping):
            return ()
        found: list[tuple[str, Value]] = []
        if len(value["payment_methods"]) == 1:
            found.append(("payment", next(iter(value["payment_methods"]))))
        if len(value["reservations"]) == 1:
            found.append(("reservation", value["reservations"][0]))
        return tuple(found)

    # -- words and material ------------------------------------------------------------------------------------------
    def domain(self, slot: str, frame: str | None = None) -> tuple[Value, ...]:
        """Return the legal values of a slot; over all frames they are read from the tables."""
        whole = frame is None and slot != self.frame_slot.id
        return self._all_values(slot) if whole else super().domain(slot, frame)

    @lru_cache(maxsize=64)  # noqa: B019 - hosts live as long as the process
    def _all_values(self, slot: str) -> tuple[Value, ...]:
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
    if source == "embedded":
        tables = _embedded(users, data_seed)
        return AirlineHost(tables, toolbox, source, {u: split_of(u) for u in tables["users"]})
    data = load_data(source)
    asked = _test_users(data)
    splits = {u: "test" if u in asked else split_of(u) for u in data.tables["users"]}
    return AirlineHost(data.tables, toolbox, source, splits)


@lru_cache(maxsize=2)
def _embedded(users: int, seed: int) -> Tables:
    return tables_of(generate(users, seed), "embedded airline data", f"embedded {users} {seed}")


def _test_users(data: AirlineData) -> set[str]:
    """Return the users whom the tasks of the test split are about: those named in a task, or whose trips are."""
    users, trips = data.tables["users"], data.tables["reservations"]
    found: set[str] = set()
    for task in data.tasks:
        if task.split != "test":
            continue
        arguments = [call.arguments for call in task.gold]
        found.update(str(a["user_id"]) for a in arguments if a.get("user_id") in users)
        found.update(str(trips[a["reservation_id"]]["user_id"]) for a in arguments if a.get("reservation_id") in trips)
        told = json.dumps(task.instructions)
        found.update(user for user in users if user in told)
    return found
