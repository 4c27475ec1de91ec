from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intent_gym.core.rng import key_of
from intent_gym.envs.desk.host import DeskHost
from intent_gym.envs.desk.tables import Draft, Tables, normalised
from intent_gym.envs.hosts import load_host

FRAMES, ROWS = 200, 40


@pytest.fixture
def tables() -> Tables:
    return Tables(
        {"cups": {"1": {"name": "mug", "marks": [{"kind": "chip"}]}, "2": {"name": "jug", "marks": []}}, "pots": {}}
    )


def test_an_edit_copies_one_row_and_leaves_the_data_alone(tables: Tables) -> None:
    before = copy.deepcopy({table: dict(tables[table]) for table in tables})
    draft = Draft(tables)
    draft.edit("cups", "1")["marks"][0]["kind"] = "crack"
    assert draft.edit("cups", "1") is draft.get("cups", "1")
    assert draft.get("cups", "2") is tables["cups"]["2"]
    assert {table: dict(tables[table]) for table in tables} == before


def test_forks_are_independent_both_ways(tables: Tables) -> None:
    first = Draft(tables)
    first.edit("cups", "1")["name"] = "a"
    second = first.fork()
    second.edit("cups", "1")["name"] = "b"
    first.edit("cups", "1")["name"] = "c"
    third = copy.deepcopy(first)
    first.edit("cups", "1")["name"] = "d"
    names = [d.changed()["cups"]["1"]["name"] for d in (first, second, third)]
    assert names == ["d", "b", "c"]
    assert Draft(tables).changed() == {}


def test_a_row_that_was_read_stays_as_it_was_after_a_fork(tables: Tables) -> None:
    draft = Draft(tables)
    draft.edit("cups", "1")["name"] = "a"
    seen = draft.get("cups", "1")
    draft.fork()
    draft.edit("cups", "1")["name"] = "b"
    assert seen is not None
    assert seen["name"] == "a"


def test_adopting_a_fork_takes_its_changes(tables: Tables) -> None:
    draft = Draft(tables)
    trial = draft.fork()
    trial.edit("cups", "1")["name"] = "a"
    trial.put("pots", "9", {"name": "pan"})
    assert draft.changed() == {}
    draft.adopt(trial)
    assert draft.changed()["pots"] == {"9": {"name": "pan"}}
    assert draft.ids("pots") == ["9"]
    assert draft.ids("cups") == ["1", "2"]


def test_changed_names_only_rows_that_differ_and_is_json(tables: Tables) -> None:
    draft = Draft(tables)
    draft.edit("cups", "2")
    assert draft.changed() == {}
    assert draft == Draft(tables)
    draft.edit("cups", "2")["name"] = "x"
    draft.edit("cups", "1")["name"] = "y"
    again = Draft(tables, json.loads(json.dumps(draft.changed())))
    assert again == draft
    assert list(again.changed()["cups"]) == ["1", "2"]
    assert draft != Draft(tables)
    assert (draft == 3) is False


def test_a_missing_row(tables: Tables) -> None:
    draft = Draft(tables)
    assert draft.get("cups", "7") is None
    with pytest.raises(KeyError):
        draft.edit("cups", "7")
    assert repr(draft) == "Draft()"


def test_normal_form_hides_what_means_the_same(tables: Tables) -> None:
    draft = Draft(tables)
    draft.edit("cups", "1")["note"] = None
    assert draft.changed() != {}
    assert draft.normalised() == {}
    draft.edit("cups", "2")["price"] = 0.1 + 0.2
    assert draft.normalised() == {"cups": {"2": {"name": "jug", "marks": [], "price": 0.3}}}


def plainly(value: Any) -> Any:  # noqa: ANN401
    """Return the normal form, said in the simplest way."""
    if isinstance(value, float):
        rounded = round(value, 6)
        return int(rounded) if rounded.is_integer() else rounded
    if isinstance(value, dict):
        return {key: plainly(item) for key, item in value.items() if item is not None}
    return [plainly(item) for item in value] if isinstance(value, list) else value


def plain_text(draft: Draft) -> str:
    """Return a draft's end state with every row that it holds worked out whole."""
    out: dict[str, dict[str, Any]] = {}
    for table, rows in draft.changed().items():
        for key, row in rows.items():
            before, after = draft.tables[table].get(key), plainly(row)
            if after != plainly(before):
                out.setdefault(table, {})[key] = after
    return json.dumps(out, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(-1e9, 1e9) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
)


@given(_JSON)
def test_normal_form_is_stable_json(value: Any) -> None:  # noqa: ANN401
    form = normalised(value)
    assert normalised(form) == form
    assert json.loads(json.dumps(form)) == form
    assert type(normalised(2.0)) is int
    assert normalised(True) is True


def test_an_index_is_built_once(tables: Tables) -> None:
    built = []

    def index(source: Tables) -> list[str]:
        built.append(source)
        return sorted(source["cups"])

    assert tables.derived(index) is tables.derived(index)
    assert built == [tables]
    assert copy.deepcopy(tables) is tables


_LEAVES = st.none() | st.integers(-3, 3) | st.floats(-1e9, 1e9) | st.text(max_size=3)
_ROWS = st.dictionaries(
    st.sampled_from("abcd"),
    st.recursive(
        _LEAVES,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from('ab\\"é'), inner, max_size=3),
    ),
)


@given(_ROWS, _ROWS, st.sampled_from("abcd"), _ROWS)
def test_the_text_of_a_state_is_that_of_its_rows_worked_out_whole(
    row: dict[str, Any], other: dict[str, Any], key: str, new: dict[str, Any]
) -> None:
    draft = Draft(Tables({"rows": {"1": row, "2": other}}))
    edited = draft.edit("rows", "1")
    edited[key] = other.get(key)
    draft.edit("rows", "2")
    draft.put("rows", "3", new)
    assert draft.text() == plain_text(draft)
    assert draft.normalised() == json.loads(plain_text(draft))


def test_one_change_deep_in_a_row_shows() -> None:
    rows = {"1": {"a": [{"b": [1, {"c": "x"}]}, {"b": []}], "d": 0.5, "e": None}}
    draft = Draft(Tables({"rows": rows}))
    draft.edit("rows", "1")["a"][0]["b"][1]["c"] = "y"
    assert draft.text() == '{"rows":{"1":{"a":[{"b":[1,{"c":"y"}]},{"b":[]}],"d":0.5}}}'
    draft.edit("rows", "1")["a"][0]["b"][1]["c"] = "x"
    assert draft.text() == "{}"


@pytest.mark.parametrize("name", ["retail", "airline"])
@pytest.mark.parametrize("source", ["embedded", "tau2"])
def test_end_states_of_200_frames_read_as_if_worked_out_whole(
    name: str, source: str, request: pytest.FixtureRequest
) -> None:
    if source == "tau2":
        source = str(request.getfixturevalue("shared_data") / "tau2" / name)
    host = load_host(name, source, {})
    assert isinstance(host, DeskHost)
    states = set()
    for frame in sorted(host.frames, key=lambda f: key_of("outcomes", f))[:FRAMES]:
        table = host.table(frame)
        assert table is not None
        for row in range(min(ROWS, table.rows)):
            outcome, draft = host.outcome(table.first + row), host.open_session()
            for call in host.steps_to(outcome):
                draft = host.act(draft, call).session
            assert draft.text() == plain_text(draft) == outcome
            states.add(outcome)
    assert len(states) > 10 * FRAMES
