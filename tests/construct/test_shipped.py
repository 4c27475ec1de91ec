"""The samples that ship with the package: those that the construction makes today.

``intent-gym construct DriftRetail-v0 --out intent_gym/envs/retail/data/samples.jsonl.gz`` makes a file anew.
"""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from intent_gym.construct.graphs import Rejection, build_graph
from intent_gym.construct.pool import default_readers, save
from intent_gym.construct.samples import COUNTS, SPLITS, Graphs, build_pool
from intent_gym.construct.settings import Settings
from intent_gym.construct.store import Stored, goals_of, pool_name, read, stamp
from intent_gym.core.config import ProtocolConfig
from intent_gym.core.intent import Intent, IntentGraph
from intent_gym.envs.host import Host
from intent_gym.envs.hosts import load_host

NAMES = ("webshop", "retail", "airline")
GOALS = 30


def shipped(host: Host) -> Path:
    path = host.stored_samples()
    assert path is not None
    return path


def stored(host: Host) -> Stored:
    found = read(shipped(host))
    assert found.stamp == stamp(host, ProtocolConfig(), Settings()), f"{shipped(host)} is stale: make it anew"
    return found


@pytest.mark.parametrize("name", NAMES)
def test_samples_of_the_first_goals_are_made_again_as_stored(name: str) -> None:
    host = load_host(name)
    taken: set[Intent] = set()
    graphs: dict[str, list[IntentGraph]] = {split: [] for split in SPLITS}
    for goal in goals_of(host)[:GOALS]:
        found = build_graph(host, goal, Settings(), taken)
        if not isinstance(found, Rejection):
            taken.add(found.root)
            graphs[goal.split].append(found)
    some = Graphs({split: tuple(made) for split, made in graphs.items()}, {split: Counter() for split in SPLITS})
    compared = 0
    for split in SPLITS:
        for faults in COUNTS:
            pool = stored(host).pool(pool_name(split, faults))
            assert pool is not None
            made = build_pool(host, split, faults, ProtocolConfig(), Settings(), some, default_readers())
            kept = [sample for sample in pool.samples if sample.graph in graphs[split]]
            assert kept == list(made.samples), "made otherwise today: make the file anew"
            compared += len(kept)
    assert compared >= 30


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_files_are_made_again_to_the_byte(name: str, tmp_path: Path, only_full: Callable[[bool], None]) -> None:
    only_full(False)
    host = load_host(name)
    save(tmp_path / "samples.jsonl.gz", host)
    fresh, kept = (gzip.decompress(p.read_bytes()) for p in (tmp_path / "samples.jsonl.gz", shipped(host)))
    assert fresh == kept, "made otherwise today: make the file anew"
