"""The contract of an environment: Gymnasium's, Stable-Baselines3's, and this suite's own."""

from __future__ import annotations

import copy
import importlib
import importlib.util
import json
import pickle
import warnings
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO
from typing import Any

import gymnasium as gym
import numpy as np

from intent_gym.envs.base import DriftEnv
from intent_gym.errors import ConformanceError
from intent_gym.helpers import sample_mask
from intent_gym.testing.actions import Actor
from intent_gym.testing.base import canonical, digest, require, same, shares

__all__ = ["check_drift_env", "episode_digest"]

_ALWAYS = {"action_mask": "ndarray", "turn": "int", "patience": "float"}
_AT_END = {"is_success": "bool", "end_reason": "str", "grip": "dict", "car": "dict"}
_REASONS = ("accepted", "final_answer", "no_answer")


def check_drift_env(env_id: str, *, episodes: int = 20, seed: int = 0, **options: Any) -> None:
    """Run the conformance suite on a registered environment; any warning is a failure.

    Args:
        env_id: Registered id.
        episodes: Random and hostile episodes of each check.
        seed: Of the first episode.
        **options: As `gym.make` takes them; ``protocol`` chooses which of the two is checked.

    Raises:
        ConformanceError: What of this suite's contract is broken.
        AssertionError: What of Gymnasium's or Stable-Baselines3's contract is broken.
        Warning: What they warn of.

    >>> check_drift_env("DriftToy-v0", episodes=2, interface="slots")
    >>> check_drift_env("DriftToy-v0", episodes=2, interface="slots", protocol="evolving")
    """

    def make(**more: Any) -> gym.Env[Any, Any]:
        return gym.make(env_id, **{**options, **more})

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _check_gymnasium(make)
        _check_stable_baselines3(make)
        _check_spec(make)
        for number in range(episodes):
            _check_episode(make(), seed + number, hostility=0.0)
            _check_episode(make(), seed + number, hostility=0.5)
        _check_repeats(make, seed, min(episodes, 5))
        _check_copies(make, seed, min(episodes, 5))
        _check_render(make, seed)
        _check_ends(make, seed)


def episode_digest(env_id: str, *, episodes: int = 10, seed: int = 0, **options: Any) -> str:
    """Return a digest of everything that an agent sees in some episodes, the same in every process.

    Args:
        env_id: Registered id.
        episodes: Number of episodes, half of the actions hostile in every other one.
        seed: Of the first episode; the following ones are not seeded.
        **options: As `gym.make` takes them.
    """
    env = gym.make(env_id, **options)
    actor = Actor(env, np.random.default_rng(seed))
    seen: list[Any] = []
    for number in range(episodes):
        obs, info = env.reset(seed=seed if number == 0 else None)
        seen.append(digest(obs, info))
        done = False
        while not done:
            obs, reward, terminated, truncated, info = env.step(actor.any(info, 0.5 * (number % 2)))
            seen.append(digest(obs, reward, terminated, truncated, info))
            done = terminated or truncated
    return digest(seen)


# -- the checkers of others ------------------------------------------------------------------------------------------
def _check_gymnasium(make: Callable[..., gym.Env[Any, Any]]) -> None:
    from gymnasium.utils.env_checker import check_env

    with redirect_stdout(StringIO()):  # it renders in every mode
        check_env(make(disable_env_checker=True).unwrapped)


def _check_stable_baselines3(make: Callable[..., gym.Env[Any, Any]]) -> None:
    env = make()
    base: DriftEnv = env.unwrapped  # type: ignore[assignment]
    if base.options.interface == "slots" and importlib.util.find_spec("stable_baselines3") is not None:
        importlib.import_module("stable_baselines3.common.env_checker").check_env(env)


# -- ours ------------------------------------------------------------------------------------------------------------
def _check_spec(make: Callable[..., gym.Env[Any, Any]]) -> None:
    env = make()
    require(env.spec is not None, "env.spec is None: some option is not plain data")
    assert env.spec is not None
    again = gym.make(gym.envs.registration.EnvSpec.from_json(env.spec.to_json()))
    assert again.spec is not None
    require(again.spec == env.spec, f"spec: expected {env.spec} back from its JSON, got {again.spec}")
    require(again.observation_space == env.observation_space, "spec: another observation space after its JSON")
    base: DriftEnv = env.unwrapped  # type: ignore[assignment]
    require(len(base.action_meanings()) == len(set(base.action_meanings())), "action_meanings: expected distinct names")
    env.close()
    env.close()


def _check_episode(env: gym.Env[Any, Any], seed: int, hostility: float) -> None:
    """Play an episode: space, types, infos, masks, nothing shared, no crash on any action."""
    actor = Actor(env, np.random.default_rng(seed))
    action_space, observation_space = repr(env.action_space), repr(env.observation_space)
    base: DriftEnv = env.unwrapped  # type: ignore[assignment]
    obs, info = env.reset(seed=seed)
    _check_seen(env, obs, info, turn=0, end=False)
    before, kept = (obs, info), canonical((obs, info))
    assert base.game is not None  # reset has made it
    limit, turn = base.game.episode.turn_cap + 1, 0
    while True:
        if base.options.interface != "text":
            drawn = env.action_space.sample(mask=sample_mask(info))
            kind = drawn if isinstance(drawn, int | np.integer) else drawn["kind"]
            require(info["action_mask"][kind], f"action_space.sample(mask=...) drew {drawn!r}, which is masked")
        action = actor.any(info, hostility)
        try:
            obs, reward, terminated, truncated, info = env.step(action)
        except Exception as error:
            raise ConformanceError(f"step({action!r:.200}): expected an answer to any action, got {error!r}") from error
        turn += 1
        require(type(reward) is float and np.isfinite(reward), f"reward: expected a finite float, got {reward!r}")
        require(type(terminated) is bool and type(truncated) is bool, "terminated and truncated: expected bools")
        require(not truncated, "truncated: only a limit that the user set truncates")
        require(turn <= limit, f"expected the episode to end by step {limit}")
        _check_seen(env, obs, info, turn, terminated)
        require(not shares(before, (obs, info)), f"step {turn}: shares an object with the step before")
        require(canonical(before) == kept, f"step {turn}: changed what the step before returned")
        before, kept = (obs, info), canonical((obs, info))
        if terminated:
            break
    require(repr(env.action_space) == action_space, "the action space changed during an episode")
    require(repr(env.observation_space) == observation_space, "the observation space changed during an episode")
    try:
        env.step(actor.legal({"action_mask": np.ones_like(info["action_mask"])}))
    except gym.error.ResetNeeded:
        return
    require(False, "a step after the end: expected gymnasium.error.ResetNeeded")


def _check_seen(env: gym.Env[Any, Any], obs: Any, info: dict[str, Any], turn: int, end: bool) -> None:  # noqa: ANN401
    base: DriftEnv = env.unwrapped  # type: ignore[assignment]
    require(obs in env.observation_space, f"step {turn}: the observation is not in the observation space: {obs!r:.500}")
    json.dumps(_plain(obs)).encode("utf-8")  # text that no file can hold would break every log
    expected = dict(_ALWAYS)
    if base.options.signals == "step" and turn:
        expected["grip"] = "dict"
    expected |= _AT_END if end else {}
    found = {name: type(value).__name__ for name, value in info.items()}
    require(found == expected, f"step {turn}: expected info {expected}, got {found}")
    mask = info["action_mask"]
    require(mask.dtype == np.int8, f"step {turn}: expected an int8 mask, got {mask.dtype}")
    require(mask.shape == (len(base.action_meanings()),), f"step {turn}: mask of shape {mask.shape}")
    require(bool(mask.any()) != end, f"step {turn}: expected an available action exactly while the episode runs")
    require(np.array_equal(base.action_masks(), mask.astype(bool)), "action_masks(): differs from the mask in info")
    if isinstance(obs, dict):
        require(np.array_equal(obs["action_mask"], mask), "the mask in the observation differs from the one in info")
    require(info["turn"] == turn, f"info['turn']: expected {turn}, got {info['turn']}")
    require(info["patience"] >= 0.0, f"info['patience']: expected it never negative, got {info['patience']}")
    if "grip" in info:
        wrong = {k: v for k, v in info["grip"].items() if type(v) is not float or not np.isfinite(v)}
        require(not wrong, f"info['grip']: expected finite floats, undefined ones left out, got {wrong}")
    if end:
        require(info["end_reason"] in _REASONS, f"info['end_reason']: {info['end_reason']!r}")
        require(info["is_success"] == (info["end_reason"] == "accepted"), "info['is_success']: not as end_reason says")
        kinds = {name: type(value) for name, value in info["car"].items()}
        require(kinds == {"full_credit": float, "score": float}, f"info['car']: {info['car']}")


def _plain(data: Any) -> Any:  # noqa: ANN401
    if isinstance(data, dict):
        return {k: _plain(v) for k, v in data.items()}
    if isinstance(data, tuple | list):
        return [_plain(v) for v in data]
    return data.tolist() if isinstance(data, np.ndarray) else data


def _play(env: gym.Env[Any, Any], actor: Actor, steps: int | None, info: dict[str, Any]) -> list[Any]:
    """Go on for some steps, or to the end; return what came back."""
    seen: list[Any] = []
    while steps is None or len(seen) < steps:
        found = env.step(actor.any(info, 0.2))
        info = found[4]
        seen.append(found)
        if found[2] or found[3]:
            break
    return seen


def _check_repeats(make: Callable[..., gym.Env[Any, Any]], seed: int, episodes: int) -> None:
    """Same seed and actions, same bytes: in a second environment, in the same one again, and interleaved."""
    one, two = make(), make()
    first: list[Any] = []
    for round_ in range(2):
        actor = Actor(one, np.random.default_rng(seed))
        seen: list[Any] = []
        for number in range(episodes):
            start = one.reset(seed=seed if number == 0 else None)
            seen += [start, *_play(one, actor, None, start[1])]
        if round_ == 0:
            first = seen
    same(first, seen, "the same environment, seeded again")
    actor, other = (Actor(env, np.random.default_rng(seed)) for env in (one, two))
    position = 0
    for number in range(episodes):
        info, info_two = (env.reset(seed=seed if number == 0 else None)[1] for env in (one, two))
        position += 1
        done = False
        while not done:
            found, found_two = one.step(actor.any(info, 0.2)), two.step(other.any(info_two, 0.2))
            same(found, found_two, "two interleaved environments")
            same(found, first[position], "an environment beside another")
            info, info_two, done = found[4], found_two[4], found[2]
            position += 1


def _check_copies(make: Callable[..., gym.Env[Any, Any]], seed: int, episodes: int) -> None:
    """An environment saved in the middle of an episode goes on identically, and into the next one."""
    for number in range(episodes):
        env = make()
        rng = np.random.default_rng(seed + number)
        info = env.reset(seed=seed + number)[1]
        played = _play(env, Actor(env, rng), 2, info)
        if played[-1][2]:
            continue
        base: DriftEnv = env.unwrapped  # type: ignore[assignment]
        state = json.loads(json.dumps(base.get_state()))
        restored = make()
        restored.reset(seed=999)
        restored.unwrapped.set_state(state)  # type: ignore[attr-defined]
        copies = {
            "deepcopy": copy.deepcopy(env),
            "pickle": pickle.loads(pickle.dumps(env)),
            "get_state and set_state": restored,
        }
        rest = _to_the_next(env, seed, played[-1][4])
        for name, twin in copies.items():
            same(rest, _to_the_next(twin, seed, played[-1][4]), f"{name} after {len(played)} steps")


def _to_the_next(env: gym.Env[Any, Any], seed: int, info: dict[str, Any]) -> list[Any]:
    actor = Actor(env, np.random.default_rng(seed))
    rest = _play(env, actor, None, info)
    base: DriftEnv = env.unwrapped  # type: ignore[assignment]
    return [rest, base.record().to_json(), base.get_state(), env.reset()]


def _check_render(make: Callable[..., gym.Env[Any, Any]], seed: int) -> None:
    for mode in make().metadata["render_modes"]:
        if mode == "rgb_array" and importlib.util.find_spec("PIL") is None:
            continue
        env = make(render_mode=mode)
        with redirect_stdout(StringIO()) as printed:
            info = env.reset(seed=seed)[1]
            actor = Actor(env, np.random.default_rng(seed))
            images = [env.render()]
            while not env.step(actor.any(info, 0.3))[2]:
                images.append(env.render())
                info = {"action_mask": env.unwrapped.action_masks()}  # type: ignore[attr-defined]
            images.append(env.render())
        for image in images:
            if mode == "ansi":
                require(isinstance(image, str) and image, f"render 'ansi': expected a text, got {type(image).__name__}")
            elif mode == "human":
                require(image is None, f"render 'human': expected None, got {type(image).__name__}")
                require(printed.getvalue(), "render 'human': expected the dialogue to be printed")
            else:
                require(
                    isinstance(image, np.ndarray)
                    and image.dtype == np.uint8
                    and image.ndim == 3
                    and image.shape[2] == 3,
                    "render 'rgb_array': expected an uint8 array (height, width, 3)",
                )
        env.close()
        env.close()


def _check_ends(make: Callable[..., gym.Env[Any, Any]], seed: int) -> None:
    """Before reset nothing can be done; a limit of the user's truncates, and never together with terminated."""
    env = make(disable_env_checker=True).unwrapped
    try:
        env.step(None)
        require(False, "a step before reset: expected gymnasium.error.ResetNeeded")
    except gym.error.ResetNeeded:
        pass
    limited = make(max_episode_steps=3)
    for number in range(10):
        info = limited.reset(seed=seed + number)[1]
        actor = Actor(limited, np.random.default_rng(seed + number))
        found = _play(limited, actor, 4, info)
        require(len(found) <= 3, "max_episode_steps=3: expected three steps at most")
        base: DriftEnv = limited.unwrapped  # type: ignore[assignment]
        require(found[-1][2] or found[-1][3], "max_episode_steps=3: expected the episode to end")
        require(found[-1][2] == (base.record().end_reason is not None), "terminated: not as the record says")
