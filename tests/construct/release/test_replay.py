"""The engines of the retail and airline hosts reach the end states that the release stores."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from intent_gym.construct.release import Action, Release, replay
from intent_gym.envs.airline.data import load as load_airline
from intent_gym.envs.airline.tools import airline_toolbox
from intent_gym.envs.desk.calls import Call
from intent_gym.envs.desk.tables import Draft, Tables
from intent_gym.envs.desk.tools import Toolbox
from intent_gym.envs.retail.data import load_retail
from intent_gym.envs.retail.tools import retail_toolbox

PRISTINE = {  # SOURCE.md of the fixtures, check 4
    "retail": "b25c9cb211f5efcaee5dd646054a73c4a9f43f4f5acc32c10713cd9f9ac20e9c",
    "airline": "124e39a664b56402bcd09cb8a6a9cece6acb8462337c969799d5658e3250f263",
}
OPTIONAL = {  # fields that tau2 dumps as null where a row has none
    "orders": (
        *("cancel_reason", "exchange_items", "exchange_new_items", "exchange_payment_method_id"),
        *("exchange_price_difference", "return_items", "return_payment_method_id"),
    ),
    "reservations": ("status",),
}


class Engine(NamedTuple):
    toolbox: Toolbox
    tables: Tables
    raw: dict[str, Any]
    """tau2's database as its file has it: keys sorted by the dump, so only the rows matter."""

    def run(self, actions: Sequence[Action]) -> Draft:
        draft = Draft(self.tables)
        for action in actions:
            result = self.toolbox.run(draft, Call(action.name, dict(action.arguments)))
            assert result.ok, (action, result.value)
        return draft

    def hash(self, draft: Draft) -> str:
        """Return tau2's hash of the whole database: the raw rows, the changed ones over them."""
        whole = {table: dict(rows) for table, rows in self.raw.items()}
        for table, rows in draft.changed().items():
            for key, row in rows.items():
                if table == "flight_dates":
                    flight, day = key.split("|")
                    whole["flights"][flight] = {**whole["flights"][flight]}
                    whole["flights"][flight]["dates"] = {**whole["flights"][flight]["dates"], day: row}
                else:
                    whole[table][key] = row
        for table, names in OPTIONAL.items():
            if table in whole:
                whole[table] = {key: {**dict.fromkeys(names), **row} for key, row in whole[table].items()}
        return hashlib.sha256(json.dumps(whole, sort_keys=True, default=str).encode()).hexdigest()


@pytest.fixture(scope="module")
def engines(shared_data: Path) -> dict[str, Engine]:
    folder = shared_data / "tau2"

    def raw(domain: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(gzip.decompress((folder / domain / "db.json.gz").read_bytes()))
        return found

    return {
        "retail": Engine(retail_toolbox(tau2_compat=True), load_retail(folder / "retail").tables, raw("retail")),
        "airline": Engine(airline_toolbox(tau2_compat=True), load_airline(folder / "airline").tables, raw("airline")),
    }


@pytest.mark.parametrize("domain", PRISTINE)
def test_the_dump_of_untouched_data_has_tau2s_hash(domain: str, engines: dict[str, Engine]) -> None:
    assert engines[domain].hash(engines[domain].run(())) == PRISTINE[domain]


def test_all_tau2_nodes_of_the_fixtures_replay_to_the_stored_end_states(
    release: Release, engines: dict[str, Engine]
) -> None:
    played = replay(release, lambda domain, actions: engines[domain].hash(engines[domain].run(actions)))
    assert len(played) == 23
    assert [p for p in played if not p.agrees] == []


def test_the_corrected_engines_reach_states_that_mean_the_same(release: Release, shared_data: Path) -> None:
    folder = shared_data / "tau2"
    retail, airline = load_retail(folder / "retail").tables, load_airline(folder / "airline").tables
    for (tree, _), payload in release.payload.items():
        if payload.actions:
            on_retail = release.trees[tree].host == "retail"
            made = retail_toolbox if on_retail else airline_toolbox
            original, corrected = (
                Engine(made(tau2_compat=compat), retail if on_retail else airline, {}).run(payload.actions).normalised()
                for compat in (True, False)
            )
            assert original == corrected != {}  # the amounts' last digits may differ


def test_a_wrong_end_state_is_told(release: Release) -> None:
    nothing: Callable[[str, Sequence[Action]], str] = lambda domain, actions: PRISTINE[domain]  # noqa: E731
    played = replay(release, nothing)
    assert len(played) == 23 and not any(p.agrees for p in played)
