"""The samples that ship with the shop: those that the construction makes of the default catalogue today."""

from __future__ import annotations

import pytest

from intent_gym.construct.pool import pool
from intent_gym.core.faults import FAULTS
from intent_gym.envs.hosts import load_host


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
