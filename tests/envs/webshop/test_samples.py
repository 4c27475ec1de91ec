"""The samples that ship with the shop: those that the construction makes of the default catalogue today."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from intent_gym.construct.pool import pool, save
from intent_gym.construct.settings import Settings
from intent_gym.construct.store import read, stamp
from intent_gym.core.config import ProtocolConfig
from intent_gym.core.faults import FAULTS
from intent_gym.envs.hosts import load_host

REGENERATE = "intent-gym construct DriftWebShop-v0 --out intent_gym/envs/webshop/data/samples.jsonl.gz"


def test_stored_samples_fit_the_catalogue_and_the_construction() -> None:
    host = load_host("webshop")
    path = host.stored_samples()
    assert path is not None
    assert read(path).stamp == stamp(host, ProtocolConfig(), Settings()), f"stale: run {REGENERATE}"


@pytest.mark.parametrize("faults", [1, 2, 4])
def test_enough_samples_of_every_fault(faults: int) -> None:
    host = load_host("webshop")
    train, test = pool(host, "train", faults), pool(host, "test", faults)
    assert len(train.samples) >= 500
    assert len(test.samples) >= 200
    found = {name for s in test.samples for name in s.request.faults}
    assert found == set(FAULTS) - {"tool_capability_mismatch"}  # the shop has one instrument only
    tasks = [{(s.graph.root.frame, s.graph.root.conditions) for s in p.samples} for p in (train, test)]
    assert not tasks[0] & tasks[1]


@pytest.mark.slow
def test_stored_samples_are_what_the_construction_makes(tmp_path: Path) -> None:
    host = load_host("webshop")
    stored = host.stored_samples()
    assert stored is not None
    save(tmp_path / "samples.jsonl.gz", host)
    fresh, shipped = (gzip.decompress(p.read_bytes()) for p in (tmp_path / "samples.jsonl.gz", stored))
    assert fresh == shipped, f"stale: run {REGENERATE}"
