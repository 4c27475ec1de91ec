"""Stable-Baselines3 and sb3-contrib train on the slots interface unchanged, in processes too."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

pytestmark = pytest.mark.train
sb3 = pytest.importorskip("stable_baselines3")
contrib = pytest.importorskip("sb3_contrib")
torch = pytest.importorskip("torch")

from sb3_contrib import MaskablePPO  # noqa: E402 - skipped above where it is not installed
from sb3_contrib.common.maskable.evaluation import evaluate_policy  # noqa: E402
from sb3_contrib.common.maskable.utils import get_action_masks  # noqa: E402
from stable_baselines3.common.env_util import make_vec_env  # noqa: E402
from stable_baselines3.common.monitor import Monitor  # noqa: E402
from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv  # noqa: E402


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def _train(env_id: str, vec_env_cls: type[Any], steps: int, **options: Any) -> list[dict[str, Any]]:
    """Train with masks; return the infos of the ends of episodes."""
    ends: list[dict[str, Any]] = []

    def collect(local: dict[str, Any], _: dict[str, Any]) -> bool:
        ends.extend(info for info in local["infos"] if "episode" in info)
        return True

    options = {"interface": "slots", **options}  # make_vec_env asks for rgb_array: it is there
    venv = make_vec_env(f"intent_gym:{env_id}", n_envs=2, seed=0, vec_env_cls=vec_env_cls, env_kwargs=options)
    try:
        seen: Any = venv.reset()
        assert np.array_equal(get_action_masks(venv), seen["action_mask"].astype(bool))
        model = MaskablePPO("MultiInputPolicy", venv, n_steps=64, batch_size=64, n_epochs=2, seed=0, device="cpu")
        model.learn(steps, callback=collect)
        mean, _ = evaluate_policy(model, venv, n_eval_episodes=4, warn=False)
        assert 0.0 <= float(np.asarray(mean)) <= 1.0
    finally:
        venv.close()
    return ends


@pytest.mark.parametrize("options", [{"persona": "mixed"}, {"protocol": "evolving"}], ids=str)
def test_one_update_runs_without_a_warning_in_every_protocol(options: dict[str, Any]) -> None:
    assert _train("DriftToy-v0", DummyVecEnv, 128, **options)


def test_one_update_runs_without_a_warning(env_id: str) -> None:
    ends = _train(env_id, DummyVecEnv, 128)
    assert ends
    for info in ends:
        assert isinstance(info["is_success"], bool), "SB3 logs its success rate from this key"
        assert info["TimeLimit.truncated"] is False
        assert {"r", "l"} <= set(info["episode"])
        assert "terminal_observation" in info


@pytest.mark.slow
def test_maskable_ppo_trains_in_subprocesses(env_id: str, only_full: Callable[[bool], None]) -> None:
    only_full(env_id in ("DriftToy-v0", "DriftGSM8K-v0"))
    ends = _train(env_id, SubprocVecEnv, 2048)
    assert len(ends) > 20


@pytest.mark.slow
def test_two_trainings_with_one_seed_are_the_same() -> None:
    one, two = (_train("DriftToy-v0", DummyVecEnv, 512) for _ in range(2))
    assert [e["episode"]["r"] for e in one] == [e["episode"]["r"] for e in two]
    assert [e["episode"]["l"] for e in one] == [e["episode"]["l"] for e in two]


def test_masks_are_found_through_wrappers(env_id: str) -> None:
    env = Monitor(gym.make(env_id, interface="slots"))
    _, info = env.reset(seed=0)
    assert np.array_equal(get_action_masks(env), info["action_mask"].astype(bool))
    assert get_action_masks(env).dtype == np.bool_


def test_text_interfaces_are_refused_with_a_reason() -> None:
    """Documented: SB3 has no text policies; the message is its own."""
    from stable_baselines3.common.env_checker import check_env

    with pytest.raises(AssertionError, match="must be a numpy array"):
        check_env(gym.make("DriftToy-v0", interface="text"))
