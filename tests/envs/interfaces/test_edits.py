"""The slots interface of the evolving protocol, and what holds of that protocol in every interface."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from intent_gym.core.edits import EditPlan
from intent_gym.core.evolving import PlannedCase
from intent_gym.envs.base import DriftEnv
from intent_gym.envs.interfaces.edits import EDIT_GLOBAL_FEATURES, EDIT_SLOT_FEATURES, EditsInterface
from intent_gym.envs.toy import ToyHost
from intent_gym.testing.base import canonical

CONDITIONS = ("drift", "clean", "control", "oracle")


def make(interface: str, env_name: str = "DriftToy-v0", **options: Any) -> gym.Env[Any, Any]:
    given = {"protocol": "evolving", "interface": interface, "render_mode": "ansi", **options}
    return gym.make(env_name, **given)


def base(env: gym.Env[Any, Any]) -> DriftEnv:
    return env.unwrapped  # type: ignore[return-value]


def actions(interface: str, rng: np.random.Generator, env: gym.Env[Any, Any]) -> Any:  # noqa: ANN401
    """Return a random action that never ends the episode before the request."""
    if interface == "slots":
        return int(rng.integers(env.action_space.n - 1))  # type: ignore[attr-defined]
    kind = int(rng.choice([0, 0, 0, 1, 2]))
    content = ["go on", "menu[green tea]", ""][kind]
    return (
        {"kind": kind, "content": content}
        if interface == "dialogue"
        else f"{('ask', 'act', 'commit')[kind]}[{content}]"
    )


# -- the numbers -----------------------------------------------------------------------------------------------------
def rows(env: gym.Env[Any, Any], obs: dict[str, Any]) -> tuple[dict[str, float], dict[str, dict[str, float]]]:
    vector = obs["observations"]
    slots = [s.id for s in base(env).host.slots[1:]]
    table = vector[len(EDIT_GLOBAL_FEATURES) :].reshape(len(slots), len(EDIT_SLOT_FEATURES))
    shown = dict(zip(EDIT_GLOBAL_FEATURES, vector.tolist(), strict=False))
    return shown, {
        s: dict(zip(EDIT_SLOT_FEATURES, row.tolist(), strict=True)) for s, row in zip(slots, table, strict=True)
    }


def test_one_event_is_shown_at_a_time_and_beliefs_are_what_was_applied() -> None:
    env = make("slots")
    obs, _ = env.reset(seed=4)
    meanings = base(env).action_meanings()
    edits = iter(base(env).game.episode.plan.edits)  # type: ignore[union-attr]  # reset has been called
    believed: dict[str, Any] = {}
    for step, edit in enumerate(edits):
        shown, table = rows(env, obs)
        slot = edit.condition.slot
        assert shown["event"] == 1.0
        assert shown[edit.act] == 1.0
        assert [s for s, row in table.items() if row["spoken"]] == [slot]
        values = base(env).host.domain(slot, base(env).game.episode.intent.frame)  # type: ignore[union-attr]
        assert table[slot]["new"] == pytest.approx((1 + values.index(edit.condition.value)) / len(values))
        assert {s for s, row in table.items() if row["believed"]} == set(believed)
        if edit.act == "replace":
            assert table[slot]["agrees"] == float(believed.get(slot) == edit.before)
        if step % 3 == 2:
            action = "ignore"
        elif edit.act == "delete":
            action = f"drop {slot}"
            believed.pop(slot, None)
        else:
            action = f"set {slot}"
            believed[slot] = edit.condition
        obs, *_ = env.step(meanings.index(action))
    shown, _ = rows(env, obs)
    assert (shown["event"], shown["requested"]) == (0.0, 1.0)
    assert base(env).interface.beliefs.by_slot == believed  # type: ignore[attr-defined]


def test_setting_another_slot_than_the_event_is_about_changes_nothing() -> None:
    env = make("slots")
    env.reset(seed=4)
    first = base(env).game.episode.plan.edits[0].condition.slot  # type: ignore[union-attr]
    other = next(i for i, m in enumerate(base(env).action_meanings()) if m.startswith("set") and m != f"set {first}")
    env.step(other)
    assert base(env).interface.beliefs.conditions == ()  # type: ignore[attr-defined]


def test_the_oracle_condition_supplies_the_intent_at_the_request() -> None:
    env = make("slots", condition="oracle")
    obs, _ = env.reset(seed=4)
    ignore = base(env).action_meanings().index("ignore")
    while not rows(env, obs)[0]["requested"]:
        assert base(env).interface.beliefs.conditions == ()  # type: ignore[attr-defined]
        obs, *_ = env.step(ignore)
    *_, info = env.step(env.action_space.n - 1)  # type: ignore[attr-defined]
    assert info["is_success"]


@pytest.mark.parametrize("action", [-1, 8, 10**30, 0.5, None, "0", [0]])
def test_other_actions_are_malformed(action: object) -> None:
    assert EditsInterface(ToyHost()).decode(action)[2] == "expected a whole number from 0 to 7"


@pytest.mark.parametrize("env_name", ["DriftToy-v0", "DriftWebShop-v0"])
def test_checkers_of_gymnasium_and_of_stable_baselines_accept_it(env_name: str) -> None:
    check_env(make("slots", env_name, render_mode=None).unwrapped, skip_render_check=True)
    pytest.importorskip("stable_baselines3")
    from stable_baselines3.common.env_checker import check_env as check_sb3

    check_sb3(make("slots", env_name, render_mode=None), warn=False)


# -- every interface ---------------------------------------------------------------------------------------------------
def shown(env: gym.Env[Any, Any], obs: Any, info: dict[str, Any]) -> bytes:  # noqa: ANN401
    """Return the bytes of all that an agent can see."""
    spaces = (repr(env.observation_space), repr(env.action_space))
    return canonical([obs, info, env.render(), base(env).action_masks(), spaces, repr(env)])


def with_case(env: gym.Env[Any, Any], case: PlannedCase) -> None:
    pool = base(env)._planned
    pool._case = lambda _: case  # type: ignore[assignment]  # whichever is drawn


@pytest.mark.parametrize("condition", ["drift", "oracle"])
@pytest.mark.parametrize("env_name", ["DriftToy-v0", "DriftGSM8K-v0"])
def test_later_edits_do_not_show_before_they_are_said(
    env_name: str, interface: str, condition: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two episodes whose plans agree up to an edit: equal bytes until then, though one is longer and ends elsewhere."""
    one, two = (make(interface, env_name, condition=condition, split="all") for _ in range(2))
    one.reset(seed=0)
    pool = base(one)._planned
    made = pool._made
    compared = 0
    for seed in range(12):
        case = made(pool.draw(seed))
        assert case is not None
        edits = case.plan.edits
        cut = 1 + seed % (len(edits) - 1)
        state = case.plan.final
        for number, edit in enumerate(edits[:cut]):
            state = edit.apply(state if number else type(state)(state.frame, ()))
        shorter = PlannedCase(case.id, case.split, EditPlan(state, edits[:cut]))
        monkeypatch.setattr(pool, "_case", lambda _, c=case: c)
        first = shown(one, *one.reset(seed=seed, options={"task_id": case.id}))
        state_one = base(one).get_state()
        monkeypatch.setattr(pool, "_case", lambda _, c=shorter: c)
        assert first == shown(two, *two.reset(seed=seed, options={"task_id": case.id}))
        assert state_one["case"] == base(two).get_state()["case"]
        rng = np.random.default_rng(seed)
        while True:
            action = actions(interface, rng, one)
            obs_one, r_one, end_one, _, info_one = one.step(action)
            obs_two, r_two, end_two, _, info_two = two.step(action)
            episode = base(two).game.episode  # type: ignore[union-attr]
            if episode.requested:  # type: ignore[union-attr]  # an evolving one
                break
            assert not end_one
            assert not end_two
            assert (r_one, shown(one, obs_one, info_one)) == (r_two, shown(two, obs_two, info_two))
            compared += 1
    assert compared > 40


@pytest.mark.parametrize("condition", CONDITIONS)
def test_equal_seed_and_actions_give_equal_bytes(interface: str, condition: str) -> None:
    seen = []
    for _ in range(2):
        env = make(interface, condition=condition)
        told = [shown(env, *env.reset(seed=11))]
        rng = np.random.default_rng(1)
        done = False
        while not done:
            obs, reward, done, _, info = env.step(actions(interface, rng, env))
            told += [shown(env, obs, info), canonical(reward)]
        seen.append(told)
    assert seen[0] == seen[1]


@pytest.mark.parametrize("way", ["get_state", "pickle", "deepcopy"])
@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_copy_goes_on_identically(interface: str, condition: str, way: str) -> None:
    env = make(interface, condition=condition)
    env.reset(seed=5)
    rng = np.random.default_rng(2)
    for _ in range(3):
        if env.step(actions(interface, rng, env))[2]:
            break
    if way == "get_state":
        other = make(interface, condition=condition)
        other.reset(seed=0)
        base(other).set_state(json.loads(json.dumps(base(env).get_state())))
    elif way == "pickle":
        other = pickle.loads(pickle.dumps(env))
    else:
        other = copy.deepcopy(env)
    assert env.render() == other.render()
    while base(env).game.episode.end_reason is None:  # type: ignore[union-attr]
        action = actions(interface, rng, env)
        one, two = env.step(action), other.step(action)
        assert canonical(one[:4]) == canonical(two[:4])
        assert shown(env, one[0], one[4]) == shown(other, two[0], two[4])
    assert base(env).record() == base(other).record()
    assert canonical(env.reset()) == canonical(other.reset()), "and the generators stand at the same place"


def test_no_limit_tells_how_many_edits_are_to_come(interface: str) -> None:
    env = make(interface)
    plain = set()
    for seed in range(15):
        _, info = env.reset(seed=seed)
        plain.add((repr(env.observation_space), canonical(info), str(env.render()).rpartition("\n")[2]))
    assert len(plain) == 1
