"""Twins differ in what is hidden and in nothing else, and a leak of any kind is found."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from intent_gym.core.evolving import EvolvingEpisode
from intent_gym.core.intent import Intent, relation
from intent_gym.core.rng import key_of
from intent_gym.core.user import Reply, Understanding, User
from intent_gym.envs import base
from intent_gym.envs.base import DriftEnv
from intent_gym.envs.hosts import load_host
from intent_gym.errors import ConformanceError
from intent_gym.testing import check_non_interference, twin, twin_plan


@pytest.mark.parametrize("faults", [1, 2])
@pytest.mark.parametrize("env_id", ["DriftToy-v0", "DriftWebShop-v0"])
def test_twin_differs_only_in_hidden_values(env_id: str, faults: int) -> None:
    env: DriftEnv = gym.make(env_id, faults=faults).unwrapped  # type: ignore[assignment]
    host, rng = env.host, np.random.default_rng(3)
    found = 0
    for i in rng.permutation(len(env._tasks.samples))[:60]:
        sample = env._tasks.samples[int(i)]
        other = twin(host, sample, rng)
        if other is None:
            continue
        found += 1
        assert other.request == sample.request
        assert (other.id, other.split, other.graph.id) == (sample.id, sample.split, sample.graph.id)
        old, new = sample.graph.root.by_slot, other.graph.root.by_slot
        assert old.keys() == new.keys()
        assert {s for s in old if old[s] != new[s]} == set(sample.request.hidden)
        for edge in other.graph.edges:
            assert relation(other.graph.nodes[edge.source], other.graph.nodes[edge.target]) == edge.relation
        for a, b in zip(sample.graph.nodes, other.graph.nodes, strict=True):
            assert [(c.slot, c.op) for c in a.conditions] == [(c.slot, c.op) for c in b.conditions]
            assert host.answers(b).size
    assert found >= 45


def _leak_in_info(self: DriftEnv, signals: Any) -> dict[str, Any]:  # noqa: ANN401
    info = _INFO(self, signals)
    assert self.game is not None
    return {**info, "patience": info["patience"] + key_of(self.game.episode.intent) / 1e30}


_INFO = DriftEnv._info


def test_leak_in_info_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DriftEnv, "_info", _leak_in_info)
    # where the intents of a pair part: at once, or with the first drift
    with pytest.raises(ConformanceError, match=r"(reset|step \d+ ).*difference.*patience"):
        check_non_interference("DriftToy-v0", pairs=3)


def test_leak_in_render_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "status", lambda game: f"[{len(str(game.episode.intent))} {hash(game.episode.intent)}]")
    with pytest.raises(ConformanceError, match="render"):
        check_non_interference("DriftToy-v0", pairs=3)


def test_leak_in_repr_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DriftEnv, "__repr__", lambda self: f"<{self.game and self.game.episode.intent}>", raising=False)
    with pytest.raises(ConformanceError, match="repr"):
        check_non_interference("DriftToy-v0", pairs=3)


def test_leak_in_what_a_user_does_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A user who answers or not depending on the value tells something of it."""
    answer = User.answer

    def shy(self: User, question: Understanding, intent: Intent, *, again: bool = False) -> Reply:
        reply = answer(self, question, intent, again=again)
        return Reply("one_thing", named=reply.named) if key_of(intent) % 2 else reply

    monkeypatch.setattr(User, "answer", shy)
    with pytest.raises(ConformanceError):
        check_non_interference("DriftToy-v0", pairs=40, interface="slots")


def test_host_is_not_told_which_sample_it_serves() -> None:
    """A host is shared and public: it has no way to know the intent of an episode."""
    host = load_host("toy")
    before = {k: repr(v)[:2000] for k, v in vars(host).items() if not k.startswith("_")}
    check_non_interference("DriftToy-v0", pairs=3)
    assert before == {k: repr(v)[:2000] for k, v in vars(host).items() if not k.startswith("_")}


# -- evolving dialogues ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("env_id", ["DriftToy-v0", "DriftWebShop-v0", "DriftGSM8K-v0", "DriftSpider-v0"])
def test_twin_of_a_plan_differs_only_in_edits_to_come(env_id: str) -> None:
    env: DriftEnv = gym.make(env_id, protocol="evolving").unwrapped  # type: ignore[assignment]
    rng = np.random.default_rng(4)
    found = shorter = 0
    for seed in range(60):
        plan = env._planned.case(env._planned.draw(seed)).plan
        other = twin_plan(env.host, plan, rng)
        if other is None:
            continue
        found += 1
        shorter += len(other.edits) < len(plan.edits)
        assert (other.opening, other.final.frame) == (plan.opening, plan.final.frame)
        assert other.edits != plan.edits
        assert other.edits[: plan.opening] == plan.edits[: plan.opening]
        state = Intent(plan.final.frame, ())
        for edit in other.edits:
            held = state.by_slot.get(edit.condition.slot)
            assert held == {"add": None, "replace": edit.before, "delete": edit.condition}[edit.act]
            state = edit.apply(state)
            assert edit.condition.value in env.host.domain(edit.condition.slot, plan.final.frame)
        assert state == other.final
    assert found > 30
    assert 0 < shorter < found


def _tells_the_length(self: DriftEnv, signals: Any) -> dict[str, Any]:  # noqa: ANN401
    info = _INFO(self, signals)
    assert self.game is not None
    assert isinstance(self.game.episode, EvolvingEpisode)
    return {**info, "patience": float(len(self.game.episode.plan.edits))}


def _tells_the_end(self: DriftEnv, signals: Any) -> dict[str, Any]:  # noqa: ANN401
    info = _INFO(self, signals)
    assert self.game is not None
    last = self.game.episode.turn == 2 and key_of(self.game.episode.intent) % 2
    return {**info, "patience": info["patience"] + float(last)}


@pytest.mark.parametrize("leak", [_tells_the_length, _tells_the_end])
@pytest.mark.parametrize("interface", ["dialogue", "text", "slots"])
def test_leak_of_edits_to_come_is_found(interface: str, leak: Any, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ANN401
    monkeypatch.setattr(DriftEnv, "_info", leak)
    with pytest.raises(ConformanceError, match=r"reset|step"):
        check_non_interference("DriftGSM8K-v0", pairs=20, interface=interface)
