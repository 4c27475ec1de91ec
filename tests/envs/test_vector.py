"""`gym.make_vec`: slots equal to the scalar environment bit for bit; text never wrong, it raises or is right."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import RecordEpisodeStatistics

import intent_gym
from intent_gym.errors import OptionError
from intent_gym.testing.base import same


def _masked(rng: np.random.Generator, masks: np.ndarray) -> np.ndarray:
    """One available action a row; 0 where nothing is (an episode that is over)."""
    return np.array([int(rng.choice(np.flatnonzero(m))) if m.any() else 0 for m in masks])


def _same_info(scalar: dict[str, Any], vector: dict[str, Any], i: int) -> None:
    """Every key of a scalar info stands in the vector's, with the mask that says so; no other does."""
    for name, value in scalar.items():
        assert vector[f"_{name}"][i], name
        if isinstance(value, dict):
            _same_info(value, vector[name], i)
        else:
            assert np.array_equal(vector[name][i], value), name
    for name in vector:
        if not name.startswith("_") and name not in scalar:
            assert not vector[f"_{name}"][i], name


@pytest.mark.parametrize(("name", "value"), [("num_envs", 0), ("num_envs", -1), ("max_episode_steps", "x")])
def test_wrong_numbers_are_errors_with_a_name(name: str, value: Any) -> None:  # noqa: ANN401
    with pytest.raises(OptionError, match=f"{name}: expected a whole number"):
        gym.make_vec("DriftToy-v0", **{"num_envs": 2, "interface": "slots", name: value})


@pytest.mark.parametrize("actions", [[0, 0], [0, 0, 0, 0], np.zeros(2, dtype=int), 1, None, np.int64(1)], ids=repr)
def test_another_number_of_actions_is_an_error(actions: Any) -> None:  # noqa: ANN401
    vector = gym.make_vec("DriftToy-v0", num_envs=3, interface="slots")
    vector.reset(seed=0)
    with pytest.raises(OptionError, match=r"actions: expected .*3"):
        vector.step(actions)
    vector.step([0, 1, 2])


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_slots_are_those_of_the_scalar_environment(env_id: str, protocol: str, mode: str) -> None:
    count, rng = 3, np.random.default_rng(0)
    options: dict[str, Any] = {"interface": "slots", "protocol": protocol}
    options |= {"persona": "mixed", "faults": 2} if protocol == "silent" else {"budget": "easy"}
    vector = gym.make_vec(env_id, num_envs=count, autoreset_mode=mode, **options)
    assert vector.metadata["autoreset_mode"] is AutoresetMode(mode)
    scalars = [gym.make(env_id, **options) for _ in range(count)]
    seen, infos = vector.reset(seed=7)
    starts = [env.reset(seed=7 + i) for i, env in enumerate(scalars)]
    for i, (obs, info) in enumerate(starts):
        same({k: seen[k][i] for k in obs}, obs, f"reset of {i}")
        _same_info(info, infos, i)
    over = [False] * count
    ended = 0
    for _ in range(120):
        actions = _masked(rng, seen["action_mask"] > 0)
        if mode == "Disabled" and any(over):
            again = np.array(over)
            seen, infos = vector.reset(options={"reset_mask": again})
            for i in np.flatnonzero(again).tolist():
                obs, _ = scalars[i].reset()
                same({k: seen[k][i] for k in obs}, obs, f"reset of {i}")
            over = [False] * count
            continue
        seen, rewards, terminated, truncated, infos = vector.step(actions)
        assert rewards.dtype == np.float64
        assert not truncated.any()
        for i, env in enumerate(scalars):
            if over[i]:  # NextStep: this step resets and ignores the action
                obs, info = env.reset()
                gained, end = 0.0, False
            else:
                obs, reward, end, _, info = env.step(int(actions[i]))
                gained = float(reward)
            ended += end
            assert (rewards[i], terminated[i]) == (gained, end)
            if mode == "SameStep" and end:
                same({k: infos["final_obs"][i][k] for k in obs}, obs, f"final observation of {i}")
                _same_info(info, infos["final_info"], i)
                obs, info = env.reset()
            same({k: seen[k][i] for k in obs}, obs, f"observation of {i}")
            if mode != "SameStep":
                _same_info(info, infos, i)
            over[i] = end and mode != "SameStep"
    assert ended > 10
    vector.close()


def test_sync_mode_of_gymnasium_gives_the_same_slots() -> None:
    native = gym.make_vec("DriftToy-v0", num_envs=4, interface="slots")
    sync = gym.make_vec("DriftToy-v0", num_envs=4, vectorization_mode="sync", interface="slots")
    rng = np.random.default_rng(1)
    one: tuple[Any, ...] = native.reset(seed=3)
    two: tuple[Any, ...] = sync.reset(seed=3)
    for _ in range(60):
        same(one[0], two[0], "observations")
        actions = _masked(rng, one[0]["action_mask"] > 0)
        one, two = native.step(actions), sync.step(actions)
        same(one[1:4], two[1:4], "rewards and ends")


@pytest.mark.parametrize(
    "options", [{}, {"interface": "dialogue"}, {"interface": "text"}], ids=["default", "dialogue", "text"]
)
def test_text_is_refused_by_the_native_environment(env_id: str, options: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match="vectorization_mode='sync'"):
        gym.make_vec(env_id, num_envs=2, **options)


def test_limit_of_the_user_truncates_in_both() -> None:
    native = gym.make_vec("DriftToy-v0", num_envs=2, interface="slots", max_episode_steps=2)
    native.reset(seed=0)
    ask = np.zeros(2, dtype=np.int64)
    assert not native.step(ask)[3].any()
    assert native.step(ask)[3].all()
    unlimited = gym.make_vec("DriftToy-v0", num_envs=2, interface="slots", max_episode_steps=-1)
    unlimited.reset(seed=0)
    assert not any(unlimited.step(ask)[3].any() for _ in range(4))


def test_unknown_autoreset_mode_and_option_are_errors() -> None:
    with pytest.raises(OptionError, match=r"autoreset_mode: expected one of .*NextStep.*got 'next'"):
        gym.make_vec("DriftToy-v0", num_envs=1, interface="slots", autoreset_mode="next")
    with pytest.raises(OptionError, match="no option 'persone'; did you mean 'persona'"):
        gym.make_vec("DriftToy-v0", num_envs=1, interface="slots", persone="rational")


# -- text in Gymnasium's own vector environments ---------------------------------------------------------------------
@pytest.mark.parametrize("mode", ["sync", "async"])
def test_dialogue_in_batches_is_that_of_the_scalar_environment(interface: str, mode: str) -> None:
    if interface == "slots":
        pytest.skip("above")
    kwargs = {"shared_memory": False} if mode == "async" else None
    vector = gym.make_vec("DriftToy-v0", 2, vectorization_mode=mode, vector_kwargs=kwargs, interface=interface)
    scalars = [gym.make("DriftToy-v0", interface=interface) for _ in range(2)]
    seen, _ = vector.reset(seed=5)
    for i, env in enumerate(scalars):
        obs, _ = env.reset(seed=5 + i)
        same(_part(seen, i, obs), obs, "reset")
    lines = ("Which cup would you like?", "请问 milk 🥛?", "Anything else?", "So oat milk, right?", "pick-up?")
    try:
        for line in lines:
            if interface == "text":
                actions: Any = (f"ask[{line}]",) * 2
                each: list[Any] = list(actions)
            else:
                actions = {"kind": np.array([0, 0]), "content": (line, line)}
                each = [{"kind": 0, "content": line}] * 2
            seen, rewards, terminated, _, _ = vector.step(actions)
            for i, env in enumerate(scalars):
                obs, reward, end, _, _ = env.step(each[i])
                same(_part(seen, i, obs), obs, f"step of {i}")
                assert (rewards[i], terminated[i]) == (reward, end)
            assert not terminated.any()
    finally:
        vector.close()


def _part(seen: Any, i: int, like: Any) -> Any:  # noqa: ANN401 - by interface
    """Return one environment's part of a batch, its keys in the order of another observation."""
    return seen[i] if isinstance(seen, tuple) else {k: seen[k][i] for k in like}


def test_shared_memory_raises_for_text(env_id: str, interface: str) -> None:
    """Gymnasium's default would return the first text for ever, without an error."""
    if interface == "slots":
        pytest.skip("arrays may be shared")
    makers = [lambda: gym.make(env_id, interface=interface)] * 2
    with pytest.raises((ValueError, TypeError), match="shared_memory"):
        AsyncVectorEnv(makers)


def test_shared_memory_is_right_for_slots() -> None:
    makers = [lambda: gym.make("DriftToy-v0", interface="slots")] * 2
    shared, sync = AsyncVectorEnv(makers), SyncVectorEnv(makers)
    try:
        one: tuple[Any, ...] = shared.reset(seed=2)
        two: tuple[Any, ...] = sync.reset(seed=2)
        for action in (0, 1, 4, 5, 2, 5, 5, 5):
            same(one[0], two[0], "observations")
            one, two = shared.step(np.array([action] * 2)), sync.step(np.array([action] * 2))
            same(one[1:4], two[1:4], "rewards and ends")
    finally:
        shared.close()


@pytest.mark.slow
@pytest.mark.parametrize("context", ["spawn", "forkserver"])
def test_fresh_processes_find_the_environment_by_its_module(context: str) -> None:
    """Nothing is registered in a process that was not forked: the id names the module."""
    options: dict[str, Any] = {"vectorization_mode": "async", "interface": "dialogue"}
    kwargs = {"context": context, "shared_memory": False}
    vector = gym.make_vec("intent_gym:DriftToy-v0", 2, vector_kwargs=kwargs, **options)
    try:
        seen, _ = vector.reset(seed=9)
        same(seen["dialogue"][1], gym.make("DriftToy-v0").reset(seed=10)[0]["dialogue"], "dialogue")
    finally:
        vector.close()


def test_statistics_wrapper_counts_returns_and_lengths() -> None:
    env = RecordEpisodeStatistics(gym.make("DriftToy-v0", interface="slots"))
    for seed in range(5):
        _, info = env.reset(seed=seed)
        total, steps, done = 0.0, 0, False
        while not done:
            _, reward, done, _, info = env.step(env.action_space.sample(mask=intent_gym.sample_mask(info)))
            total, steps = total + float(reward), steps + 1
        assert (info["episode"]["r"], info["episode"]["l"]) == (total, steps)
