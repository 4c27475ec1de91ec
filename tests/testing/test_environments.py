"""The suite for environments finds what it is there to find. That shipped ones pass: tests/envs/test_base.py."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from intent_gym.envs.toy.env import DriftToyEnv
from intent_gym.errors import ConformanceError
from intent_gym.testing import check_drift_env, check_env, episode_digest
from intent_gym.testing.base import canonical, same, shares


class _Base(DriftToyEnv):
    def __init__(self, **options: Any) -> None:
        super().__init__(**options)


class Reuses(_Base):
    def _info(self, signals: Any) -> dict[str, Any]:  # noqa: ANN401
        info = super()._info(signals)
        self._kept = getattr(self, "_kept", {"x": 1})
        if signals is not None:
            info["car"] = self._kept
        return info


class Extra(_Base):
    def _info(self, signals: Any) -> dict[str, Any]:  # noqa: ANN401
        info = super()._info(signals)
        return {**info, "drifts": 1} if info["turn"] == 2 else info


class Global(_Base):
    def _info(self, signals: Any) -> dict[str, Any]:  # noqa: ANN401
        return {**super()._info(signals), "patience": float(np.random.rand())}  # noqa: NPY002 - the fault


class Both(_Base):
    def step(self, action: Any) -> Any:  # noqa: ANN401
        obs, reward, terminated, _, info = super().step(action)
        return obs, reward, terminated, terminated, info


class Outside(_Base):
    def step(self, action: Any) -> Any:  # noqa: ANN401
        obs, *rest = super().step(action)
        return {**obs, "turn": obs["turn"] * 100}, *rest


class Lossy(_Base):
    def get_state(self) -> dict[str, Any]:
        return {**super().get_state(), "actions": []}


class Crashes(_Base):
    def step(self, action: Any) -> Any:  # noqa: ANN401
        action["content"].strip()
        return super().step(action)


BROKEN = (Reuses, Extra, Global, Both, Outside, Lossy, Crashes)


@pytest.fixture(params=BROKEN, ids=lambda c: c.__name__)
def broken(request: pytest.FixtureRequest) -> Iterator[str]:
    env_id = f"{request.param.__name__}Test-v0"
    gym.register(env_id, entry_point=request.param)
    yield env_id
    del gym.registry[env_id]


def test_broken_environment_is_found(broken: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("intent_gym.testing.environments._check_spec", lambda make: None)  # a class has no JSON
    with pytest.raises((AssertionError, UserWarning)):
        check_drift_env(broken, episodes=5)


def test_check_env_runs_everything() -> None:
    check_env("DriftToy-v0", faults=2, persona="mixed")


def test_digest_depends_on_what_is_seen() -> None:
    digests = {episode_digest("DriftToy-v0", seed=s, persona=p) for s in (0, 1) for p in ("rational", "avoidant")}
    assert len(digests) == 4


def test_canonical_tells_types_shapes_and_order_apart() -> None:
    kinds = [1, 1.0, True, "1", None, (1,), [1], {"a": 1, "b": 2}, {"b": 2, "a": 1}, np.float32(1), np.ones(1)]
    kinds += [np.ones((1, 1)), np.ones(1, dtype=np.float32), ("ab", "c"), ("a", "bc"), "\ud83d"]
    assert len({canonical(k) for k in kinds}) == len(kinds)


def test_same_names_the_place_that_differs() -> None:
    with pytest.raises(ConformanceError, match=r"step 3.*\['a'\]\[1\].*2 \| 3"):
        same({"a": (1, 2)}, {"a": (1, 3)}, "step 3")


def test_shared_memory_of_arrays_is_found() -> None:
    array = np.zeros(4)
    assert shares({"a": array[:2]}, {"b": array[1:]})
    assert not shares({"a": array[:2].copy()}, {"b": array})
