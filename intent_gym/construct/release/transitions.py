"""Which node may follow which: as the release's runtime derives it, or as its trees store it.

The runtime of the release throws the stored edges away and compares every ordered pair of nodes (hosts' notes, section
7); on retail and airline the outcome differs from the stored edges. `transitions="runtime"` follows it:

- another base is a pivot, whatever the conditions; equal condition sets are no transition; a superset refines, a subset
  relaxes; other values for the same slots and operators substitute; anything else is no transition.
- Airline: no transition leads to another passenger. Whose a node is follows from the user ids in its calls and from the
  owners of the reservations in them, which only the host's database tells. Without it, nodes that share a user,
  reservation or payment id are held to be one passenger's, the others not.

`invalidates` is not in the release. WebShop: a purchase accepted before is still accepted if its product is, with no
option demanded that it lacks. tau2: the end states differ.
"""

from __future__ import annotations

import gzip
import itertools
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from intent_gym.construct.release.ids import compact
from intent_gym.construct.release.trees import FRAME_SLOT, Payload, Read
from intent_gym.core.intent import Edge, Intent, Relation
from intent_gym.errors import DataError

__all__ = ["Transitions", "Vetoed", "identifier_owners", "read_owners", "runtime_edges", "stored_edges", "users_of"]

Transitions: TypeAlias = Literal["runtime", "stored"]
Owners: TypeAlias = Mapping[str, str]
"""Passenger by reservation id; of `identifier_owners` by any identifier."""

_STORED: Mapping[str, Relation] = {
    "REFINEMENT": "refine",
    "RELAXATION": "relax",
    "SUBSTITUTION": "substitute",
    "PIVOT": "pivot",
}
_MADE = "HATHA"
"""Start of the ids of reservations that a booking makes: they are the same for everyone."""


class Vetoed(NamedTuple):
    """The transitions of a tree."""

    edges: tuple[Edge, ...]
    vetoed: int
    """How many the host took away."""


# -- relations ---------------------------------------------------------------------------------------------------------
def _relation(source: Intent, old: Payload, target: Intent, new: Payload) -> Relation | None:
    if compact(old.base) != compact(new.base):
        return "pivot"
    before, after = frozenset(source.conditions), frozenset(target.conditions)
    if after > before:
        return "refine"
    if after < before:
        return "relax"
    same_shape = {(c.slot, c.op) for c in before} == {(c.slot, c.op) for c in after}
    return "substitute" if same_shape and before != after else None


def runtime_edges(tree: Read, users: Sequence[frozenset[str]] | None) -> Vetoed:
    """Return the transitions between every ordered pair of nodes.

    Args:
        tree: The tree.
        users: The passengers of each node, where nobody drifts to another's; an unknown one forbids nothing.
    """
    edges: list[Edge] = []
    vetoed = 0
    for s, t in itertools.permutations(range(len(tree.intents)), 2):
        kind = _relation(tree.intents[s], tree.payloads[s], tree.intents[t], tree.payloads[t])
        if kind is None:
            continue
        if users is not None and users[s] and users[t] and users[s] != users[t]:
            vetoed += 1
            continue
        edges.append(_edge(tree, s, t, kind))
    return Vetoed(tuple(edges), vetoed)


def stored_edges(tree: Read) -> Vetoed:
    """Return the transitions that the tree's file holds, all from the root.

    Raises:
        ValueError: An edge names a node that the tree has not.
    """
    index = {p.intent_id: i for i, p in enumerate(tree.payloads)}
    edges = []
    for edge in tree.stored:
        for end in (edge.src, edge.dst):
            if end not in index:
                raise ValueError(f"an edge names node {end}, which the tree has not")
        made = _edge(tree, index[edge.src], index[edge.dst], _STORED[edge.operator])
        edges.append(replace(made, moves=edge.gt_moved))
    return Vetoed(tuple(sorted(edges, key=lambda e: (e.source, e.target))), 0)


def _edge(tree: Read, s: int, t: int, kind: Relation) -> Edge:
    old, new = tree.intents[s].by_slot, tree.intents[t].by_slot
    if kind == "pivot":
        entered: tuple[str, ...] = (FRAME_SLOT, *new)
    else:
        entered = tuple(slot for slot, c in new.items() if old.get(slot) != c)
    left = tuple(slot for slot in old if slot not in new)
    before, after = tree.payloads[s], tree.payloads[t]
    return Edge(s, t, kind, entered, left, before.hash != after.hash, _invalidates(before, after))


def _invalidates(before: Payload, after: Payload) -> bool:
    if before.state is not None or after.state is not None:
        return before.state != after.state
    demanded: dict[str, list[frozenset[tuple[str, str]]]] = {}
    for asin, options in after.purchases:
        demanded.setdefault(asin, []).append(frozenset(options))
    return any(
        not any(needed <= frozenset(options) for needed in demanded.get(asin, ())) for asin, options in before.purchases
    )


# -- passengers --------------------------------------------------------------------------------------------------------
def read_owners(host_data: Path) -> Owners:
    """Return the user of every reservation of tau2's airline database.

    Args:
        host_data: tau2's data folder, or its airline folder, with db.json, plain or gzip.

    Raises:
        DataError: There is no such file, or it is not tau2's database.
    """
    names = ("airline/db.json", "airline/db.json.gz", "db.json", "db.json.gz")
    path = next((host_data / n for n in names if (host_data / n).is_file()), None)
    if path is None:
        raise DataError(f"{host_data}: expected one of {', '.join(names)}, found none")
    try:
        raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        return {str(k): str(row["user_id"]) for k, row in json.loads(raw)["reservations"].items()}
    except (OSError, EOFError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise DataError(f"{path}: expected tau2's airline database with reservations, but got {error!r}") from error


def identifier_owners(trees: Iterable[Read]) -> Owners:
    """Return a passenger, under some name, for every identifier in the trees' calls: those used together are one's."""
    parent: dict[str, str] = {}

    def find(name: str) -> str:
        while parent.setdefault(name, name) != name:
            name = parent[name]
        return name

    for tree in trees:
        for payload in tree.payloads:
            found = sorted({find(name) for name in _identifiers(payload)})
            for other in found[1:]:
                parent[other] = found[0]
    return {name: find(name) for name in parent}


def users_of(payload: Payload, owners: Owners) -> frozenset[str]:
    """Return the passengers whose records a node's calls touch."""
    return frozenset(owners.get(name, name if kind == "user_id" else "") for kind, name in _named(payload)) - {""}


def _identifiers(payload: Payload) -> list[str]:
    return [name for _, name in _named(payload)]


def _named(payload: Payload) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for action in payload.actions:
        given: Mapping[str, Any] = action.arguments
        paid = given.get("payment_methods")
        payments = [p.get("payment_id") for p in paid if isinstance(p, Mapping)] if isinstance(paid, list) else []
        for kind in ("user_id", "reservation_id", "payment_id"):
            found += [(kind, v) for v in (given.get(kind),) if isinstance(v, str) and not v.startswith(_MADE)]
        found += [("payment_id", p) for p in payments if isinstance(p, str)]
    return found
