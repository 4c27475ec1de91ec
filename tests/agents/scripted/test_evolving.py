"""Scripted agents of the evolving protocol: who keeps up with the edits, and who does not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from intent_gym.agents import AGENTS, make_agent
from intent_gym.agents.scripted.evolving import FoldingAgent, LastMentionAgent
from intent_gym.construct.readers.edits import Heard
from intent_gym.construct.readers.ledger import Ledger
from intent_gym.core.record import EpisodeRecord
from intent_gym.envs.hosts import load_host
from intent_gym.errors import OptionError
from intent_gym.evaluation.runner import evaluate
from intent_gym.registration import ENVIRONMENTS

IDS = tuple(spec.id for spec in ENVIRONMENTS)
FAMILIES = tuple(spec.id for spec in ENVIRONMENTS if load_host(spec.host).commits_text)
NAMES = ("folding", "last-mention", "first-mention", "keep-everything")


def grouped(ids: Sequence[str]) -> list[Any]:
    """Return ids as parameters whose tests one worker takes, so that an id's cases are made once."""
    return [pytest.param(env_id, marks=pytest.mark.xdist_group(env_id)) for env_id in ids]


def make(env_id: str, **options: Any) -> gym.Env[Any, Any]:
    return gym.make(env_id, **{"protocol": "evolving", "budget": "medium", "split": "all", **options})


def play(
    played: gym.Env[Any, Any],
    name: str,
    seed: int,
    **own: Any,
) -> tuple[Mapping[str, Any], EpisodeRecord]:
    agent = make_agent(name, played.unwrapped.host, **own)  # type: ignore[attr-defined]  # of this suite
    obs, info = played.reset(seed=seed)
    agent.reset(seed)
    done = False
    while not done:
        obs, _, done, _, info = played.step(agent.act(obs, info))
    return info, played.unwrapped.record()  # type: ignore[attr-defined]


def share(env: gym.Env[Any, Any], name: str, episodes: int = 12, **own: Any) -> float:
    return float(np.mean([play(env, name, seed, **own)[0]["is_success"] for seed in range(episodes)]))


@pytest.mark.parametrize("condition", ["drift", "clean", "control", "oracle"])
@pytest.mark.parametrize("env_id", grouped(IDS))
def test_folding_is_right_in_every_condition(env_id: str, condition: str) -> None:
    assert share(make(env_id, condition=condition), "folding", 8) == 1.0


@pytest.mark.parametrize("env_id", grouped(IDS))
def test_the_order_of_the_memories(env_id: str) -> None:
    env = make(env_id)
    got = {name: share(env, name, 25) for name in NAMES}
    assert got["folding"] == 1.0
    assert got["first-mention"] < got["last-mention"] <= got["folding"]
    assert got["keep-everything"] <= got["last-mention"]
    if env_id in FAMILIES:
        assert got["keep-everything"] < got["last-mention"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("condition", ["clean", "control", "oracle"])
def test_where_nothing_is_stale_every_memory_will_do(name: str, condition: str) -> None:
    for env_id in ("DriftToy-v0", "DriftWebShop-v0"):
        assert share(make(env_id, condition=condition), name, 10) == 1.0


@pytest.mark.parametrize("env_id", grouped(IDS))
def test_the_oracle_plays_too(env_id: str) -> None:
    env = make(env_id, privileged=True)
    for seed in range(5):
        info, _ = play(env, "oracle", seed, env=env)
        assert info["is_success"]


@pytest.mark.parametrize("env_id", grouped(("DriftToy-v0", *FAMILIES)))
def test_a_folder_that_misses_falls_with_the_budget(env_id: str) -> None:
    got = [share(make(env_id, budget=b), "folding", 60, miss=0.05) for b in ("easy", "medium", "hard")]
    assert got[0] > got[1] > got[2]
    assert share(make(env_id, condition="clean"), "folding", 10, miss=1.0) == 1.0, "nothing to miss"


def test_an_edit_missed_in_a_chain_loses_the_rest_of_it() -> None:
    host = load_host("toy")
    agent, memory = FoldingAgent(host), Ledger(host, host.frames[0])
    for heard in (
        Heard("add", "milk", "oat milk"),
        Heard("replace", "milk", "rice milk", "soy milk"),
        Heard("delete", "milk", "rice milk"),
    ):
        agent.take(memory, heard, True)
    assert [c.value for c in memory.intent.conditions] == ["oat milk"]


def test_missing_is_a_function_of_the_seed() -> None:
    env = make("DriftToy-v0")
    records = [play(env, "folding", 3, miss=0.5)[1] for _ in range(2)]
    assert records[0] == records[1]


@pytest.mark.parametrize("miss", [-0.1, 1.1, "0.05", True, float("nan")])
def test_a_bad_probability_is_a_named_error(miss: object) -> None:
    with pytest.raises(OptionError, match="miss: expected a probability from 0 to 1"):
        make_agent("folding", load_host("toy"), miss=miss)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("env_id", ["DriftToy-v0", "DriftWebShop-v0"])
def test_slots_are_played_by_the_same_rules(env_id: str, name: str) -> None:
    env = make(env_id, interface="slots")
    got = share(env, name, 15)
    assert got == 1.0 if name in ("folding", "last-mention") else True
    if name == "first-mention":
        assert got == 0.0
    assert share(make(env_id, interface="slots", condition="oracle"), name, 5) == 1.0


def test_what_a_memory_answers_is_noted_as_such() -> None:
    env = make("DriftGSM8K-v0")
    for seed in range(10):
        for name, field in (("first-mention", "first_said"), ("keep-everything", "all_kept")):
            _, record = play(env, name, seed)
            verdict = next(e for e in record.steps[-1].events if e["type"] == "commit")
            assert verdict["accepted"] != verdict[field]


def test_the_last_mention_withdraws_only_the_newest_under_a_word() -> None:
    host = load_host("webshop")
    agent = LastMentionAgent(host)
    memory = Ledger(host, host.frames[0])
    for act, value in (("add", "a"), ("add", "b"), ("delete", "a"), ("delete", "b")):
        agent.take(memory, Heard(act, "feature_1", value), True)  # type: ignore[arg-type]  # an act
    assert [c.value for c in memory.intent.conditions] == ["a"]


def test_an_opening_of_another_protocol_is_a_named_error() -> None:
    env = gym.make("DriftToy-v0", faults=["indirect_intent"])
    agent = FoldingAgent(env.unwrapped.host)  # type: ignore[attr-defined]
    obs, info = env.reset(seed=1)
    dialogue = ({"role": "user", "content": "Good morning."},)
    with pytest.raises(OptionError, match="plays no other protocol"):
        agent.act({**obs, "dialogue": dialogue}, info)


def test_the_table_says_who_plays_what() -> None:
    for name in NAMES:
        assert AGENTS[name].protocols == ("evolving",)
        assert AGENTS[name].interfaces == ("dialogue", "slots")
    assert AGENTS["no-ask"].protocols == ("silent",)
    assert AGENTS["oracle"].protocols == ("silent", "evolving")


@pytest.mark.parametrize(("name", "protocol"), [("folding", "silent"), ("no-ask", "evolving")])
def test_the_runner_refuses_an_agent_of_the_other_protocol(name: str, protocol: str) -> None:
    other = "evolving" if protocol == "silent" else "silent"
    with pytest.raises(OptionError, match=f"{name} plays the {other} protocol, not the {protocol} one; .* can play"):
        evaluate("DriftToy-v0", name, episodes=1, seeds=1, protocol=protocol)
