"""Transitions of the fixtures against the table of the hosts' notes on the release, section 7."""

from __future__ import annotations

import warnings
from collections import Counter
from pathlib import Path

import pytest

from intent_gym.construct.release import Release, ReleaseWarning, load_release
from intent_gym.construct.release.checks import Checks
from intent_gym.construct.release.loader import _read_trees
from intent_gym.construct.release.transitions import identifier_owners, read_owners, runtime_edges, users_of
from intent_gym.core.intent import RELATIONS, Edge, relation
from intent_gym.errors import DataError

TABLE = {  # tree: stored; from the root at run time; all ordered pairs before the veto; vetoed; moving before the veto
    "e9e72e3bb8bf1b5b": ((2, 2, 2, 2), (2, 2, 2, 2), (10, 10, 6, 30), 0, 54),
    "e31ccaa2616c0e17": ((2, 2, 2, 2), (2, 2, 2, 2), (10, 10, 6, 30), 0, 56),
    "fd33ff9adbea85c6": ((2, 2, 2, 2), (2, 2, 2, 2), (10, 10, 6, 30), 0, 56),
    "0436b07d7bd574e6": ((2, 2, 2, 2), (2, 2, 1, 0), (9, 9, 6, 30), 34, 52),
    "1a0cc1281f29259a": ((2, 2, 2, 2), (2, 2, 2, 0), (8, 8, 6, 30), 30, 50),
    "6accb9b537da61e7": ((0, 2, 0, 2), (0, 0, 0, 4), (0, 0, 2, 18), 0, 20),
}


def kinds(edges: tuple[Edge, ...], source: int | None = None) -> tuple[int, ...]:
    found = Counter(e.relation for e in edges if source in (None, e.source))
    return tuple(found[r] for r in RELATIONS)


@pytest.fixture(scope="module")
def stored(shared_data: Path) -> Release:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ReleaseWarning)
        return load_release(shared_data / "driftbench", transitions="stored")


@pytest.mark.parametrize("tree", TABLE)
def test_counts_are_those_of_the_table(tree: str, release: Release, stored: Release, shared_data: Path) -> None:
    as_stored, from_root, pairs, vetoed, moving = TABLE[tree]
    edges = release.trees[tree].graph.edges
    assert kinds(stored.trees[tree].graph.edges) == as_stored
    assert {e.source for e in stored.trees[tree].graph.edges} == {0}
    assert kinds(edges, 0) == from_root
    assert release.trees[tree].vetoed == vetoed
    read = next(r for r in _read_trees(Checks(shared_data / "driftbench", True)) if r.id == tree)
    free = runtime_edges(read, None)
    assert (kinds(free.edges), free.vetoed) == (pairs, 0)
    assert sum(e.moves for e in free.edges) == moving
    assert len(edges) == sum(pairs) - vetoed
    assert set(edges) <= set(free.edges)


def test_webshop_root_transitions_are_the_stored_edges(release: Release, stored: Release) -> None:
    for tree in ("e9e72e3bb8bf1b5b", "e31ccaa2616c0e17", "fd33ff9adbea85c6"):
        edges = release.trees[tree].graph.edges
        assert {e for e in edges if e.source == 0} == set(stored.trees[tree].graph.edges)


def test_the_stored_relax_of_a_dropped_request_is_a_pivot_at_run_time(release: Release, stored: Release) -> None:
    at = "6accb9b537da61e7"
    dropped = {e.target for e in stored.trees[at].graph.edges if e.relation == "relax"}
    assert len(dropped) == 2
    assert {e.relation for e in release.trees[at].graph.edges if e.source == 0 and e.target in dropped} == {"pivot"}


def test_relations_are_those_of_this_suite(release: Release) -> None:
    for tree in release.trees.values():
        for e in tree.graph.edges:
            assert relation(tree.graph.nodes[e.source], tree.graph.nodes[e.target]) == e.relation


def test_ids_used_together_give_the_same_veto_as_the_database(shared_data: Path) -> None:
    read = [r for r in _read_trees(Checks(shared_data / "driftbench", True)) if r.host == "airline"]
    known, guessed = read_owners(shared_data / "tau2"), identifier_owners(read)
    for tree in read:
        by_database = runtime_edges(tree, [users_of(p, known) for p in tree.payloads])
        assert by_database == runtime_edges(tree, [users_of(p, guessed) for p in tree.payloads])
        assert all(len(users_of(p, known)) == 1 for p in tree.payloads)


def test_what_enters_and_leaves(release: Release) -> None:
    graph = release.trees["6accb9b537da61e7"].graph
    for e in graph.edges:
        old, new = graph.nodes[e.source].by_slot, graph.nodes[e.target].by_slot
        if e.relation == "pivot":
            assert e.entered == ("frame", *new)
        else:
            assert set(e.entered) == {s for s in new if old[s] != new[s]}
        assert set(e.left) == old.keys() - new.keys()


def test_invalidates(release: Release) -> None:
    for tree in release.trees.values():
        for e in tree.graph.edges:
            before, after = (release.payload[tree.id, n] for n in (e.source, e.target))
            assert e.moves == (before.hash != after.hash)
            assert e.moves or not e.invalidates
            if tree.host != "webshop":
                assert e.invalidates == (before.state != after.state)
            elif not {a for a, _ in before.purchases} <= {a for a, _ in after.purchases}:
                assert e.invalidates


def test_owners_need_tau2s_database(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"expected one of airline/db.json.*found none"):
        read_owners(tmp_path)
    (tmp_path / "db.json").write_text('{"reservations": []}')
    with pytest.raises(DataError, match="tau2's airline database"):
        read_owners(tmp_path)
