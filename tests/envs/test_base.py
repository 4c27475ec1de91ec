"""The contract of every environment in every interface, under both protocols.

The oldest Gymnasium that is promised, 1.2.2, is run by hand, in a virtual environment outside the repository::

    python -m venv elsewhere
    grep -v gymnasium constraints.txt > pins.txt
    elsewhere/bin/pip install -c pins.txt gymnasium==1.2.2 numpy pydantic rapidfuzz rich tantivy pillow
    elsewhere/bin/pip install -c pins.txt hypothesis pytest pytest-xdist
    elsewhere/bin/python -m pytest -n 2 -m "not slow" tests/envs tests/testing tests/core
"""

from __future__ import annotations

import copy
import json
import os
import pickle
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from intent_gym.core.evolving import EvolvingEpisode
from intent_gym.core.intent import Intent
from intent_gym.core.personas import PERSONAS
from intent_gym.core.record import EpisodeRecord
from intent_gym.core.signals import car, grip
from intent_gym.core.silent import SilentEpisode
from intent_gym.envs.base import DriftEnv
from intent_gym.envs.options import INTERFACES
from intent_gym.errors import OptionError, StateError, TaskError
from intent_gym.testing import Actor, check_drift_env, episode_digest
from intent_gym.testing.base import same


def _base(env: gym.Env[Any, Any]) -> DriftEnv:
    base: DriftEnv = env.unwrapped  # type: ignore[assignment]
    return base


def _mixed(protocol: str, **more: Any) -> dict[str, Any]:
    """Return the options of a protocol: all decision styles, where there are any."""
    return {"protocol": protocol, **({"persona": "mixed", **more} if protocol == "silent" else {})}


def _usual(env_id: str, protocol: str) -> bool:
    """Return whether an environment has this protocol where none is asked for."""
    return protocol == _base(gym.make(env_id, interface="slots", protocol=protocol)).protocol


def _opening(obs: Any) -> str:  # noqa: ANN401
    """Return the user's first message: the host's material may come before."""
    return str(next(m["content"] for m in obs["dialogue"] if m["role"] == "user"))


def _play(env: gym.Env[Any, Any], seed: int, hostility: float = 0.0) -> list[tuple[Any, ...]]:
    """Play an episode; return what reset and every step gave."""
    actor = Actor(env, np.random.default_rng(seed))
    obs, info = env.reset(seed=seed)
    seen: list[tuple[Any, ...]] = [(obs, info)]
    while True:
        found = env.step(actor.any(info, hostility))
        seen.append(found)
        if found[2] or found[3]:
            return seen
        info = found[4]


def test_environment_conforms(env_id: str, interface: str, protocol: str, only_full: Callable[[bool], None]) -> None:
    only_full(interface != "text" or env_id in ("DriftToy-v0", "DriftRetail-v0", "DriftGSM8K-v0"))  # texts alike
    episodes = 3 if _usual(env_id, protocol) else 1
    check_drift_env(env_id, episodes=episodes, interface=interface, **_mixed(protocol))


@pytest.mark.parametrize(
    "options",
    [
        {"condition": "clean"},
        {"condition": "control", "drift": False},
        {"condition": "oracle", "privileged": True},
        {"faults": 0, "reward": "shaped", "signals": "step"},
        {"faults": 2, "reward": "score", "drift": {"announce": True, "fire_probability": 1.0}, "persona": "mixed"},
        {"faults": 4, "reward": {"earned": 1.0, "recovery_fraction": 0.5}, "split": "test"},
        {"drift": {"channels": ["schedule", "outcome"], "outcomes": ["accepted", "rejected"], "max_outcome": 2}},
        {"config": {"patience": 3, "cost_act": 1}, "split": "all"},
        {"protocol": "evolving", "condition": "clean", "budget": "easy"},
        {"protocol": "evolving", "condition": "control", "restate": True, "signals": "step"},
        {"protocol": "evolving", "condition": "oracle", "privileged": True, "reward": "score", "split": "test"},
        {"protocol": "evolving", "reward": {"stale_obedience": -1.0, "success": 1.0}, "split": "all"},
    ],
    ids=lambda o: "-".join(o),
)
def test_environment_conforms_with_options(interface: str, options: dict[str, Any]) -> None:
    check_drift_env("DriftToy-v0", episodes=4, interface=interface, **options)


@pytest.mark.slow
def test_environment_conforms_over_many_episodes(
    env_id: str, interface: str, protocol: str, full: bool, only_full: Callable[[bool], None]
) -> None:
    only_full(env_id == "DriftToy-v0" and interface == "dialogue")
    check_drift_env(env_id, episodes=200 if full else 50, interface=interface, **_mixed(protocol, faults=2))


def test_infos_have_one_type_and_shape_over_many_episodes(env_id: str, interface: str, protocol: str) -> None:
    env = gym.make(env_id, interface=interface, **_mixed(protocol))
    kinds: defaultdict[str, set[Any]] = defaultdict(set)
    for seed in range(60 if env_id == "DriftToy-v0" else 15 if _usual(env_id, protocol) else 6):
        for found in _play(env, seed):
            for name, value in found[-1].items():
                shape = (value.dtype, value.shape) if isinstance(value, np.ndarray) else None
                kinds[name].add((type(value), shape))
                if isinstance(value, dict):
                    kinds[name] |= {("inner", type(v)) for v in value.values()}
                    kinds[name] -= {(dict, None)}
    wrong = {name: found for name, found in kinds.items() if len(found) != 1}
    assert not wrong
    assert "episode" not in kinds, "RecordEpisodeStatistics owns this key"


_REPEATED = 4  # episodes, per interface


# -- determinism -----------------------------------------------------------------------------------------------------
def _digests(env_id: str, protocol: str) -> dict[str, str]:
    return {
        interface: episode_digest(env_id, episodes=_REPEATED, seed=5, interface=interface, **_mixed(protocol))
        for interface in INTERFACES
    }


def test_another_process_with_other_text_hashes_gives_the_same_bytes(
    env_id: str, protocol: str, only_full: Callable[[bool], None]
) -> None:
    """This process hashes text by a seed of its own and has done other things."""
    only_full(_usual(env_id, protocol) or env_id in ("DriftToy-v0", "DriftSpider-v0"))
    program = (
        "import json, sys\n"
        "from intent_gym.envs.options import INTERFACES\n"
        "from intent_gym.testing import episode_digest\n"
        "options = json.loads(sys.argv[2])\n"
        f"print(json.dumps({{i: episode_digest(sys.argv[1], episodes={_REPEATED}, seed=5, interface=i, **options)"
        " for i in INTERFACES}))"
    )
    other = "4242" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    command = [sys.executable, "-c", program, env_id, json.dumps(_mixed(protocol))]
    environ = {**os.environ, "PYTHONHASHSEED": other}
    done = subprocess.run(command, capture_output=True, text=True, env=environ, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == _digests(env_id, protocol)


def test_other_seed_gives_another_dialogue(env_id: str, protocol: str) -> None:
    env = gym.make(env_id, protocol=protocol)
    assert len({_opening(env.reset(seed=s)[0]) for s in range(20)}) > 10


def test_global_random_state_is_neither_used_nor_touched(env_id: str, interface: str, protocol: str) -> None:
    random = __import__("random")  # the global generator under test
    env = gym.make(env_id, interface=interface, protocol=protocol)
    plain = _play(env, 3, 0.2)
    random.seed(99)
    np.random.seed(99)  # noqa: NPY002, TID251 - the global state under test
    states = random.getstate(), repr(np.random.get_state())  # noqa: NPY002 - the global state under test
    again = _play(gym.make(env_id, interface=interface, protocol=protocol), 3, 0.2)
    assert (random.getstate(), repr(np.random.get_state())) == states  # noqa: NPY002 - the global state under test
    same(plain, again, "with another global random state")


def test_seed_alone_decides_the_episode_whatever_came_before(protocol: str) -> None:
    env = gym.make("DriftToy-v0", protocol=protocol)
    first = _play(env, 11)
    for seed in range(5):
        _play(env, seed, 0.5)
    same(first, _play(env, 11), "after other episodes")


def test_group_of_one_seed_shares_drift_whatever_is_done() -> None:
    """Rollouts of one seed are compared with each other: the same case, the same user, the same fated drifts."""
    pools = set()
    for agent in range(8):
        env = gym.make("DriftToy-v0", persona="intuitive")
        obs, _ = env.reset(seed=21)
        game = _base(env).game
        assert game is not None
        assert isinstance(game.episode, SilentEpisode)
        pools.add((tuple(game.episode.drift.pool), obs["dialogue"][0]["content"], game.key))
        actor = Actor(env, np.random.default_rng(agent))
        env.step(actor.legal({"action_mask": np.ones(3, np.int8)}))
    assert len(pools) == 1


def test_copies_and_pickles_hold_no_data_of_the_host(env_id: str, protocol: str) -> None:
    env = gym.make(env_id, **_mixed(protocol))
    _play(env, 1)
    assert len(pickle.dumps(env)) < 200_000
    game, other = _base(env).game, _base(copy.deepcopy(env)).game
    assert game is not None
    assert other is not None
    assert other.host is game.host
    assert other.episode is not game.episode
    assert getattr(other.session, "tables", None) is getattr(game.session, "tables", None)
    again: Any = pickle.loads(pickle.dumps(env))
    assert getattr(again.unwrapped.game.session, "tables", None) is getattr(game.session, "tables", None)


# -- reset options, records, states ----------------------------------------------------------------------------------
def test_reset_picks_case_and_persona(env_id: str) -> None:
    env = gym.make(env_id, protocol="silent")
    for number, persona in enumerate(PERSONAS):
        task = _base(env).tasks()[number * 7]
        obs, info = env.reset(seed=number, options={"task_id": task, "persona": persona})
        record = _base(env).record()
        assert (record.sample_id, record.persona) == (task, persona)
        assert info["patience"] == pytest.approx(10 * PERSONAS[persona].patience)
        assert _opening(obs) == record.opening


def test_reset_picks_the_case_of_an_evolving_dialogue(env_id: str) -> None:
    env = gym.make(env_id, protocol="evolving")
    for number in range(5):
        task = _base(env)._planned.draw(number)
        obs, info = env.reset(seed=99, options={"task_id": task})
        record = _base(env).record()
        assert (record.sample_id, record.persona) == (task, "")
        assert record.plan == _base(env)._planned.case(record.sample_id).plan.to_json()
        assert info["patience"] == 10.0
        assert _opening(obs) == record.opening


def test_record_tells_the_whole_episode(env_id: str, interface: str, protocol: str) -> None:
    env = gym.make(env_id, interface=interface, signals="end", **_mixed(protocol))
    for seed in range(15):
        seen = _play(env, seed, 0.2)
        record = _base(env).record()
        read = EpisodeRecord.from_json(json.loads(json.dumps(record.to_json())))
        assert read == record
        assert len(record.steps) == len(seen) - 1
        assert record.reward == sum(found[1] for found in seen[1:])
        info = seen[-1][4]
        assert info["grip"] == {k: v for k, v in grip(read).items() if v == v}
        assert info["car"] == car(read)
        assert info["end_reason"] == read.end_reason
        if interface == "dialogue":
            assert tuple(record.dialogue) == seen[-1][0]["dialogue"]


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"task_id": "no-such-task"}, TaskError, r"no task 'no-such-task'.*tasks\(\) lists them"),
        ({"persona": "rationl"}, OptionError, "expected one of rational, .*did you mean 'rational'"),
        ({"persona": ["rational"]}, OptionError, "persona: expected one of rational"),
        ({"persona": ""}, OptionError, "persona: expected one of rational"),
        ({"persona": 0}, OptionError, "persona: expected one of rational"),
        ({"task_id": ""}, TaskError, "no task ''"),
        ({"task_id": ["x"]}, OptionError, "task_id: expected text"),
        ("abc", OptionError, "reset: expected a mapping"),
        ([], OptionError, "reset: expected a mapping"),
        ({"node": 1}, OptionError, "only the conditions clean and control"),
        (
            {"nod": 1},
            OptionError,
            "no option 'nod'; did you mean 'node'.*valid options: task_id, persona, node, length",
        ),
    ],
    ids=repr,
)
def test_wrong_reset_option_is_an_error(options: Any, error: type[Exception], message: str) -> None:  # noqa: ANN401
    with pytest.raises(error, match=message):
        gym.make("DriftToy-v0").reset(seed=0, options=options)


def test_wrong_reset_option_leaves_the_running_episode_as_it_was() -> None:
    env = gym.make("DriftToy-v0")
    env.reset(seed=0)
    before = _base(env).record().to_json()
    with pytest.raises(TaskError):
        env.reset(options={"task_id": "none"})
    assert _base(env).record().to_json() == before
    env.step({"kind": 0, "content": "Which cup?"})


@pytest.mark.parametrize("node", [-1, 99, 1.5, "1", None, True])
def test_wrong_node_of_a_clean_run_is_an_error(node: object) -> None:
    env = gym.make("DriftToy-v0", condition="clean")
    with pytest.raises(OptionError, match="node: expected 0 to "):
        env.reset(seed=0, options={"node": node})


@pytest.mark.parametrize("length", [-1, 1.5, "3", None])
def test_wrong_length_of_a_control_run_is_an_error(length: object) -> None:
    env = gym.make("DriftToy-v0", condition="control")
    with pytest.raises(OptionError, match="length: expected"):
        env.reset(seed=0, options={"length": length})


def test_state_of_another_environment_is_refused() -> None:
    env, other = gym.make("DriftToy-v0"), gym.make("DriftToy-v0", persona="avoidant")
    env.reset(seed=0)
    with pytest.raises(StateError, match=r"state of another options.*make the environment with"):
        _base(other).set_state(_base(env).get_state())
    with pytest.raises(StateError, match="version"):
        _base(env).set_state({**_base(env).get_state(), "version": 99})


def test_refused_state_changes_nothing() -> None:
    env = gym.make("DriftToy-v0")
    env.reset(seed=0)
    before = _base(env).get_state()
    with pytest.raises(StateError):
        _base(env).set_state({**before, "env": "DriftWebShopEnv"})
    assert _base(env).get_state() == before


@pytest.mark.parametrize("name", ["rng", "case", "actions"])
def test_incomplete_state_is_refused(name: str) -> None:
    env = gym.make("DriftToy-v0")
    env.reset(seed=0)
    state = {k: v for k, v in _base(env).get_state().items() if k != name}
    with pytest.raises(StateError):
        _base(env).set_state(state)


def test_oracle_is_refused_unless_privileged() -> None:
    env = gym.make("DriftToy-v0")
    env.reset(seed=0)
    with pytest.raises(OptionError, match="privileged=True"):
        _base(env).oracle()


def _wanted(base: DriftEnv) -> Intent:
    told = base.oracle()
    return Intent.from_json({"frame": told["frame"], "conditions": [[s, *c] for s, c in told["conditions"].items()]})


def _commit(env: gym.Env[Any, Any], intent: Intent) -> tuple[Any, ...]:
    """Go to the host's best outcome for an intent and commit to it."""
    host = _base(env).host
    outcome = host.best(intent, frozenset())
    assert outcome is not None
    for text in host.steps_to(outcome):
        env.step({"kind": 1, "content": text})
    return env.step({"kind": 2, "content": "" if host.has_acts else outcome})


def test_oracle_tells_what_a_commit_made_now_is_judged_against(env_id: str) -> None:
    """Committing to the best outcome under the oracle's intent is always accepted, due drifts and all."""
    options: dict[str, Any] = {"protocol": "silent", "persona": "mixed", "drift": {"fire_probability": 1.0}}
    env = gym.make(env_id, privileged=True, **options)
    drifts = 0
    for seed in range(40):
        actor = Actor(env, np.random.default_rng(seed))
        info = env.reset(seed=seed)[1]
        for _ in range(seed % 4):
            found = env.step(actor.legal(info, (1.0, 0.0, 0.0)))
            info = found[4]
        base = _base(env)
        told = base.oracle()
        assert _commit(env, _wanted(base))[4]["is_success"]
        assert sum(e["type"] == "drift" for s in base.record().steps for e in s.events) == told["drifts"]
        drifts += told["drifts"]
    assert drifts > 20


def test_oracle_tells_the_intent_that_an_evolving_dialogue_ends_with(env_id: str) -> None:
    env = gym.make(env_id, privileged=True, protocol="evolving", split="all")
    for seed in range(20):
        env.reset(seed=seed)
        base = _base(env)
        assert base.game is not None
        episode = base.game.episode
        assert isinstance(episode, EvolvingEpisode)
        wanted = _wanted(base)
        while not episode.requested:
            env.step({"kind": 0, "content": "Noted. Please go on."})
            assert _wanted(base) == wanted, "it is there from the start"
        assert episode.state == wanted
        assert base.oracle()["revealed"] == [c.slot for c in wanted.conditions]
        assert _commit(env, base.host.closed(wanted))[4]["is_success"]


def test_oracle_keys_and_shapes() -> None:
    env = gym.make("DriftToy-v0", privileged=True)
    env.reset(seed=0)
    told = json.loads(json.dumps(_base(env).oracle()))
    assert list(told) == ["frame", "conditions", "hidden", "revealed", "drifts"]
    assert all(len(c) == 2 for c in told["conditions"].values())
    assert not set(told["hidden"]) & set(told["revealed"])


# -- rewards ---------------------------------------------------------------------------------------------------------
def test_all_task_reward_is_paid_on_the_last_step(env_id: str, protocol: str) -> None:
    for reward in ("success", "score", {"earned": 2.0, "reaction": 1.0, "full_credit": 0.5}):
        env = gym.make(env_id, interface="slots", reward=reward, **_mixed(protocol))
        for seed in range(20):
            seen = _play(env, seed)
            assert all(found[1] == 0.0 for found in seen[1:-1])
            signals = {**seen[-1][4]["grip"], "full_credit": seen[-1][4]["car"]["full_credit"]}
            weights = reward if isinstance(reward, dict) else {reward: 1.0}
            assert seen[-1][1] == pytest.approx(sum(w * signals.get(k, 0.0) for k, w in weights.items()))


def test_shaped_rewards_sum_to_success(env_id: str, interface: str) -> None:
    """Potential-based shaping with potential 0 at both ends... at the start it is the share of nothing, 0."""
    answers = _base(gym.make(env_id)).host.commits_text  # nothing is looked up there: chance alone elicits little
    options = _mixed("silent", faults=1 if answers else 2)
    env = gym.make(env_id, interface=interface, reward="shaped", **options)
    shaped = 0
    for seed in range(10 if answers else 40):
        seen = _play(env, seed)
        assert sum(found[1] for found in seen[1:]) == pytest.approx(seen[-1][4]["grip"]["success"])
        shaped += any(found[1] != 0.0 for found in seen[1:-1])
    assert shaped > 2 or answers


def test_asking_alone_earns_nothing() -> None:
    """A question is never rewarded for being asked: in sum, over a whole episode, in any reward that ships."""
    for reward in ("success", "score", "shaped"):
        env = gym.make("DriftToy-v0", interface="slots", reward=reward, persona="mixed")
        for seed in range(20):
            info = env.reset(seed=seed)[1]
            total, done = 0.0, False
            while not done:
                action = seed % 4 if info["action_mask"][0] else len(info["action_mask"]) - 2
                _, gained, done, _, info = env.step(action)
                total += float(gained)
            assert total == pytest.approx(0.0)
