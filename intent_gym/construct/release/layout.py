"""Where the official release keeps its files, and how many samples it has (hosts' notes on the release, section 1)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

__all__ = [
    "COMPOSITES",
    "EXPECTED",
    "MANIFESTS",
    "PACKAGED",
    "PACKAGED_SKIPPED",
    "REMAP",
    "ROWS",
    "SAMPLES",
    "TREES",
    "HostName",
    "Place",
    "is_release",
    "parts",
]

HostName: TypeAlias = Literal["webshop", "retail", "airline"]

_SHOP = "benchmarks/webshop/artifacts"
_TAU2 = "benchmarks/tau2/artifacts"


class Place(NamedTuple):
    """Files of one kind."""

    part: str
    """Name of the kind in the report."""
    host: HostName
    path: str
    """A folder, or a pattern of files, below the release's folder."""


TREES: tuple[Place, ...] = (
    Place("webshop trees", "webshop", f"{_SHOP}/trees/webshop"),
    Place("retail trees", "retail", f"{_TAU2}/trees/tau2_retail"),
    # in this order: where both airline folders hold a tree, the selected one counts
    Place("airline trees (selected)", "airline", f"{_TAU2}/trees/tau2_airline_sel"),
    Place("airline trees (composites)", "airline", f"{_TAU2}/trees/tau2_airline"),
)
SAMPLES: tuple[Place, ...] = (
    Place("webshop", "webshop", f"{_SHOP}/samples_v2/samples/webshop"),
    Place("webshop composite", "webshop", f"{_SHOP}/samples_composite/samples/webshop"),
)
"""One file a sample."""
ROWS: tuple[tuple[Place, str | None], ...] = (
    # the two parts first: they say which split a row belongs to
    (Place("airline", "airline", f"{_TAU2}/airline_samples_eval.json"), "test"),
    (Place("airline", "airline", f"{_TAU2}/airline_samples_learn.json"), "train"),
    (Place("airline", "airline", f"{_TAU2}/airline_samples_full.json"), None),
    (Place("retail", "retail", f"{_TAU2}/retail_samples_release.json"), "test"),
)
"""Files of many rows, with the split of those rows where it is known."""
COMPOSITES: tuple[Place, ...] = (
    Place("airline composite", "airline", f"{_TAU2}/airline_composite_k*.json"),
    Place("retail composite", "retail", f"{_TAU2}/retail_composite_k*.json"),
)
REMAP = f"{_TAU2}/retail_tree_id_remap.json"
PACKAGED = Place("retail packaged", "retail", "data/tau2/retail/*__*.json")
PACKAGED_SKIPPED = "data/tau2/telecom/*__*.json"
MANIFESTS = "benchmarks/webshop/experiments/*/views/p500_*.json"

EXPECTED: Mapping[str, int | None] = {
    "webshop": 1780,
    "retail": 555,
    "airline": 208,
    "webshop composite k=2": 515,
    "webshop composite k=4": 501,
    "airline composite k=2": 200,
    "airline composite k=4": None,
    "retail composite k=2": None,
    "retail composite k=4": 201,
    "retail packaged": 734,
    "webshop trees": 257,
    "retail trees": 98,
    "airline trees (selected)": 40,
    "airline trees (composites)": 24,
}
"""Size of every part of the complete release; None where it is not known."""


def parts(root: Path) -> tuple[str, ...]:
    """Return the paths of this page that exist below a folder."""
    places = (*TREES, *SAMPLES, *(p for p, _ in ROWS), *COMPOSITES, PACKAGED)
    return tuple(p.path for p in places if any(root.glob(p.path)))


def is_release(root: str | Path) -> bool:
    """Return whether a folder holds something of the release."""
    return bool(parts(Path(root)))
