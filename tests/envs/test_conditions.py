"""The same case told in four ways (PROTOCOL 8), under both protocols."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from intent_gym.core.evolving import EvolvingEpisode
from intent_gym.core.intent import Intent
from intent_gym.core.silent import SilentEpisode
from intent_gym.envs.base import DriftEnv
from intent_gym.testing import Actor

CONDITIONS = ("drift", "clean", "control", "oracle")


def _made(env_id: str, protocol: str = "silent", **options: Any) -> tuple[gym.Env[Any, Any], DriftEnv]:
    env = gym.make(env_id, protocol=protocol, **options)
    base: DriftEnv = env.unwrapped  # type: ignore[assignment]
    return env, base


def _intent(base: DriftEnv) -> Intent:
    assert base.game is not None
    return base.game.episode.intent


def _material(base: DriftEnv) -> int:
    """Return how many messages come before the user's first: the host's material, or nothing."""
    return int(bool(base.host.brief(_intent(base).frame)))


def _said(obs: Any) -> str:  # noqa: ANN401
    """Return the user's first message."""
    return str(next(m["content"] for m in obs["dialogue"] if m["role"] == "user"))


def _random_end(env: gym.Env[Any, Any], seed: int) -> tuple[dict[str, Any], int]:
    actor, info, drifts = Actor(env, np.random.default_rng(seed)), {"action_mask": np.ones(3, np.int8)}, 0
    while True:
        _, _, done, _, info = env.step(actor.legal(info))
        base: DriftEnv = env.unwrapped  # type: ignore[assignment]
        drifts = sum(e["type"] == "drift" for s in base.record().steps for e in s.events)
        if done:
            return info, drifts


def test_clean_run_tells_the_intent_of_any_node_completely(env_id: str) -> None:
    env, base = _made(env_id, condition="clean")
    host = base.host
    for number, sample in enumerate(base._tasks.samples[:20]):
        for node, intent in enumerate(sample.graph.nodes):
            obs, _ = env.reset(seed=number, options={"task_id": sample.id, "node": node})
            assert _intent(base) == intent
            assert len(obs["dialogue"]) == _material(base) + 1
            text = _said(obs).casefold()
            assert all(host.slot(c.slot).say(c.value).casefold() in text for c in intent.conditions), text
            assert all(part.casefold() in text for part in host.told(intent.frame)), text
            record = base.record()
            assert (record.node, record.faults, record.hidden) == (node, (), ())


@pytest.mark.parametrize("condition", ["clean", "control"])
def test_clean_and_control_never_drift(env_id: str, condition: str) -> None:
    env, base = _made(env_id, condition=condition, persona="mixed")
    for seed in range(40):
        env.reset(seed=seed)
        start = _intent(base)
        _, drifts = _random_end(env, seed)
        assert drifts == 0
        assert _intent(base) == start


def test_clean_run_in_slots_knows_everything_from_the_request(env_id: str) -> None:
    env, _ = _made(env_id, condition="clean", interface="slots")
    for seed in range(20):
        env.reset(seed=seed)
        _, reward, done, _, _ = env.step(int(env.action_space.n) - 1)  # type: ignore[attr-defined]
        assert (reward, done) == (1.0, True)


def test_control_run_has_neutral_turns_to_the_length_asked_for() -> None:
    env, base = _made("DriftToy-v0", condition="control")
    seen: set[str] = set()
    for length in (0, 1, 6):
        obs, info = env.reset(seed=4, options={"length": length})
        roles = [m["role"] for m in obs["dialogue"]]
        assert roles == ["user"] + ["agent", "user"] * length
        assert (info["turn"], info["patience"]) == (0, 10.0), "they cost nothing"
        neutral = {m["content"] for m in obs["dialogue"][2::2]}
        assert not [t for t in neutral for c in _intent(base).conditions if str(c.value) in t]
        seen |= neutral
    assert len(seen) > 1


def test_clean_run_is_worded_anew_with_every_seed(env_id: str) -> None:
    env, base = _made(env_id, condition="clean")
    task = base.tasks()[0]
    said = {_said(env.reset(seed=seed, options={"task_id": task})[0]) for seed in range(10)}
    assert len(said) > 3


def test_control_run_can_be_as_long_as_any_drift_run(env_id: str) -> None:
    """A drift run has one step more than the turn cap: the last one."""
    drift, base = _made(env_id)
    info = drift.reset(seed=0)[1]
    done = False
    while not done:
        kind = next(k for k in (1, 0, 2) if info["action_mask"][k])  # a free act, or a question without words
        acts = base.host.steps_to(base.host.outcome(0)) if kind == 1 else ()
        _, _, done, _, info = drift.step({"kind": kind, "content": acts[0] if acts else ""})
    steps = len(base.record().steps)
    if base.host.has_acts:
        assert steps == base.host.turn_cap + 1
    control, told = _made(env_id, condition="control")
    obs, _ = control.reset(seed=0, options={"length": base.host.turn_cap + 1})
    assert len(obs["dialogue"]) == _material(told) + 1 + 2 * (base.host.turn_cap + 1)


def test_control_and_clean_tell_the_same_in_the_first_turn(env_id: str) -> None:
    clean, _ = _made(env_id, condition="clean")
    control, _ = _made(env_id, condition="control")
    for seed in range(10):
        first = [_said(env.reset(seed=seed)[0]) for env in (clean, control)]
        assert first[0] == first[1]


def test_oracle_run_is_the_drift_run_with_the_current_conditions_beside_it(env_id: str) -> None:
    drift, _ = _made(env_id, persona="mixed")
    oracle, told = _made(env_id, persona="mixed", condition="oracle")
    lines = 0
    for seed in range(30):
        obs, info = drift.reset(seed=seed)
        beside, _ = oracle.reset(seed=seed)
        actor = Actor(drift, np.random.default_rng(seed))
        done = False
        while not done:
            supplied = [m for m in beside["dialogue"] if m["content"].startswith("Wanted at this moment: ")]
            assert {m["role"] for m in supplied} == {"host"}
            rest = [m for m in beside["dialogue"] if m not in supplied]
            assert rest == list(obs["dialogue"])
            assert told.game is not None
            assert isinstance(told.game.episode, SilentEpisode)
            current = told.game.episode.oracle().intent
            values = [told.host.slot(c.slot).say(c.value) for c in current.conditions]
            assert all(v in supplied[-1]["content"] for v in [current.frame, *values])
            lines += 1
            action = actor.legal(info)
            obs, _, done, _, info = drift.step(action)
            beside = oracle.step(action)[0]
    assert lines > 100


def test_oracle_run_in_slots_commits_right_at_once(env_id: str) -> None:
    env, _ = _made(env_id, condition="oracle", interface="slots", persona="mixed", faults=2)
    for seed in range(40):
        info = env.reset(seed=seed)[1]
        for _ in range(seed % 3):
            info = env.step(int(np.flatnonzero(info["action_mask"])[0]))[4]
        _, reward, done, _, _ = env.step(int(env.action_space.n) - 1)  # type: ignore[attr-defined]
        assert (reward, done) == (1.0, True)


def test_runs_of_one_seed_meet_the_same_case_in_every_condition(env_id: str) -> None:
    for seed in range(5):
        cases = set()
        for condition in ("drift", "clean", "control", "oracle"):
            env, base = _made(env_id, condition=condition, persona="mixed")
            env.reset(seed=seed)
            record = base.record()
            cases.add((record.key, record.sample_id, record.persona))
        assert len(cases) == 1


# -- evolving dialogues ----------------------------------------------------------------------------------------------
def _dialogue(env: gym.Env[Any, Any], base: DriftEnv, seed: int) -> tuple[list[str], dict[str, Any]]:
    """Let the user speak to the request, commit the right answer; return the user's lines and the last info."""
    obs, info = env.reset(seed=seed)
    assert base.game is not None
    episode = base.game.episode
    assert isinstance(episode, EvolvingEpisode)
    while not episode.requested:
        obs, *_ = env.step({"kind": 0, "content": "Noted. Please go on."})
    lines = [m["content"] for m in obs["dialogue"] if m["role"] == "user"]
    outcome = base.host.best(base.host.closed(episode.intent), frozenset())
    assert outcome is not None
    for text in base.host.steps_to(outcome):
        env.step({"kind": 1, "content": text})
    info = env.step({"kind": 2, "content": "" if base.host.has_acts else outcome})[4]
    return lines, info


def test_evolving_conditions_tell_one_case(env_id: str) -> None:
    """The right answer is accepted in each; clean and control tell all in the first turn, and are of fitting length."""
    made = {c: _made(env_id, "evolving", condition=c, budget="easy") for c in CONDITIONS}
    for seed in range(8):
        lines = {}
        cases = set()
        for condition, (env, base) in made.items():
            lines[condition], info = _dialogue(env, base, seed)
            assert info["is_success"], condition
            record = base.record()
            cases.add((record.key, record.sample_id, _intent(base)))
        assert len(cases) == 1
        host, intent = made["clean"][1].host, _intent(made["clean"][1])
        for condition in ("clean", "control"):
            first = lines[condition][0].casefold()
            assert all(host.slot(c.slot).say(c.value).casefold() in first for c in intent.conditions)
        assert len(lines["clean"]) == 1
        assert len(lines["control"]) == len(lines["drift"])
        assert lines["oracle"] == lines["drift"], "what is supplied is no line of the user's"
        told, neutral = (sum(map(len, lines[c][1:-1])) for c in ("drift", "control"))
        assert abs(told - neutral) <= 0.3 * told + 40


def test_evolving_oracle_is_supplied_with_the_intent_at_the_request_and_not_before(env_id: str) -> None:
    env, base = _made(env_id, "evolving", condition="oracle", budget="easy")
    for seed in range(8):
        obs, _ = env.reset(seed=seed)
        episode = base.game.episode  # type: ignore[union-attr]  # reset has been called
        assert isinstance(episode, EvolvingEpisode)
        while not episode.requested:
            assert not [m for m in obs["dialogue"] if m["content"].startswith("Wanted at this moment: ")]
            obs, *_ = env.step({"kind": 0, "content": "Noted. Please go on."})
        supplied = [m["content"] for m in obs["dialogue"] if m["content"].startswith("Wanted at this moment: ")]
        assert len(supplied) == 1
        intent = _intent(base)
        values = [base.host.slot(c.slot).say(c.value) for c in intent.conditions]
        assert all(v in supplied[0] for v in [intent.frame, *values])


def test_evolving_slots_know_everything_at_once_where_all_is_told(env_id: str) -> None:
    clean, base = _made(env_id, "evolving", condition="clean", interface="slots")
    names = base.action_meanings()
    for seed in range(8):
        clean.reset(seed=seed)
        for condition in sorted(_intent(base).conditions, key=lambda c: base.host.slot_table.index[c.slot]):
            clean.step(names.index(f"set {condition.slot}"))
        _, reward, done, _, _ = clean.step(len(names) - 1)
        assert (reward, done) == (1.0, True)
