from __future__ import annotations

from typing import Any, cast

import gymnasium as gym
import numpy as np
import pytest

from intent_gym import bench
from intent_gym.envs.base import DriftEnv

SMALL: dict[str, Any] = {"users": 50, "faults": 0, "split": "all"}


@pytest.mark.parametrize("desk", ["DriftRetail-v0", "DriftAirline-v0"])
def test_the_timed_episodes_of_a_desk_do_what_the_user_wants(desk: str) -> None:
    timed = bench.time_desk(desk, 5, **SMALL)
    assert timed.accepted == 5
    assert [len(part) for part in (timed.cold, timed.warm, timed.tables, timed.rows)] == [5] * 4
    assert min(*timed.cold, *timed.warm) > 0
    assert sum(timed.rows) > 0


@pytest.mark.parametrize("desk", ["DriftRetail-v0", "DriftAirline-v0"])
def test_the_clerk_looks_records_up_and_is_never_refused(desk: str) -> None:
    env = gym.make(desk, **SMALL)
    rng = np.random.default_rng(0)
    obs, info = env.reset(seed=1)
    tools = set()
    for _ in range(20):
        action = bench._clerk(obs, info, rng)
        tools.add(action["content"].partition("(")[0])
        obs, _, over, _, info = env.step(action)
        assert not over
        assert not obs["dialogue"][-1]["content"].startswith("Error")
    steps = cast(DriftEnv, env.unwrapped).record().steps
    assert {event["type"] for step in steps for event in step.events} == {"act"}
    assert len(tools) == 3


@pytest.mark.parametrize("protocol", ["silent", "evolving"])
def test_the_timed_episodes_of_a_family_are_played_to_their_end(protocol: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kinds: set[int] = set()
    ends: list[bool] = []
    step = DriftEnv.step

    def watched(env: DriftEnv, action: Any) -> Any:  # noqa: ANN401
        found = step(env, action)
        kinds.add(action["kind"])
        if found[2]:
            ends.append(found[4]["is_success"])
        return found

    monkeypatch.setattr(DriftEnv, "step", watched)
    timed = bench.time_family("DriftGSM8K-v0", protocol, 60)
    assert min(timed) > 0
    assert kinds == {0, 2}
    assert any(ends) if protocol == "silent" else ends and all(ends)
