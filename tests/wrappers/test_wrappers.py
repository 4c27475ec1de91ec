"""The wrappers: each does what its page says, and refuses what it is not for."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest

import intent_gym
from intent_gym.errors import OptionError
from intent_gym.wrappers import ChatObservation, FlatObservation, SignalReward, StrictActions, TextDialogue


def play(env: gym.Env[Any, Any], actions: list[Any], seed: int = 3) -> list[Any]:
    observation, info = env.reset(seed=seed)
    seen = [observation]
    for action in actions:
        observation, reward, terminated, _, info = env.step(action)
        seen += [observation, reward]
        assert observation in env.observation_space
        if terminated:
            break
    return [*seen, info]


def test_text_wrapper_equals_the_text_interface() -> None:
    actions = ["ask[Which milk?]", "hello", "act[menu[cocoa]]", "ask[Which cup?] please", "commit[]"]
    wrapped = play(TextDialogue(gym.make("DriftToy-v0")), actions)
    direct = play(gym.make("DriftToy-v0", interface="text"), actions)
    assert wrapped[:-1] == direct[:-1]
    assert wrapped[-1]["patience"] == direct[-1]["patience"]


def test_chat_messages_are_those_of_the_helper() -> None:
    action = {"kind": 1, "content": "menu[cocoa]"}
    wrapped = play(ChatObservation(gym.make("DriftToy-v0")), [action])
    plain = play(gym.make("DriftToy-v0"), [action])
    assert list(wrapped[1]) == intent_gym.chat(plain[1])
    assert wrapped[1][-1]["content"].startswith("[host] Menu, cocoa")


def test_flat_observation_is_features_then_mask() -> None:
    flat = play(FlatObservation(gym.make("DriftToy-v0", interface="slots")), [1])
    plain = play(gym.make("DriftToy-v0", interface="slots"), [1])
    np.testing.assert_array_equal(flat[1], np.concatenate([plain[1]["observations"], plain[1]["action_mask"]]))


@pytest.mark.parametrize("weights", [{"success": 2.0}, {"patience": 0.1, "full_credit": 1.0, "reaction": 5.0}])
def test_signal_reward_equals_the_option(weights: dict[str, float]) -> None:
    actions = [5, 5, 5, 5]
    wrapped = play(SignalReward(gym.make("DriftToy-v0", interface="slots"), weights), actions)
    direct = play(gym.make("DriftToy-v0", interface="slots", reward=weights), actions)
    assert wrapped[2::2] == pytest.approx(direct[2::2])
    assert wrapped[-1]["end_reason"] in ("accepted", "final_answer", "no_answer")


def test_strict_actions_raise_without_stepping() -> None:
    env = StrictActions(gym.make("DriftToy-v0"))
    env.reset(seed=0)
    for _ in range(5):
        env.step({"kind": 0, "content": "Which milk?"})
    with pytest.raises(OptionError, match="'ask' is not available now; available: commit"):
        env.step({"kind": 0, "content": "Which cup?"})
    with pytest.raises(OptionError, match="malformed action: expected"):
        env.step("ask")
    assert env.unwrapped.record().steps[-1].content == "Which milk?"  # type: ignore[attr-defined]


def test_wrong_interface_and_foreign_environment_are_named() -> None:
    with pytest.raises(OptionError, match="needs interface='slots'"):
        FlatObservation(gym.make("DriftToy-v0"))
    with pytest.raises(OptionError, match="wraps an intent_gym environment"):
        TextDialogue(gym.make("CartPole-v1"))
    with pytest.raises(OptionError, match="did you mean 'success'"):
        SignalReward(gym.make("DriftToy-v0"), {"sucess": 1.0})
