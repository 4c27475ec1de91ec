"""Slots take whole numbers, and observe what is known: the literal request, then what is told."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from intent_gym.envs.base import DriftEnv
from intent_gym.envs.interfaces.slots import GLOBAL_FEATURES, SLOT_FEATURES, SlotsInterface
from intent_gym.envs.toy import ToyHost

SLOTS = SlotsInterface(ToyHost())


@pytest.mark.parametrize("action", [0, np.int64(3), np.array(5), 4, True])
def test_numbers_of_the_space_are_read(action: Any) -> None:  # noqa: ANN401
    assert SLOTS.decode(action).reason == ""


@pytest.mark.parametrize(
    "action", [-1, 6, 10**30, 0.0, 1.5, float("nan"), None, "0", b"0", [0], {}, np.zeros(2), np.float32(1)]
)
def test_other_actions_are_malformed(action: Any) -> None:  # noqa: ANN401
    assert SLOTS.decode(action) == (-1, "", "expected a whole number from 0 to 5")


def _features(obs: dict[str, Any], slots: int) -> tuple[dict[str, float], list[dict[str, float]]]:
    vector = obs["observations"].tolist()
    rows = np.array(vector[len(GLOBAL_FEATURES) :]).reshape(slots, len(SLOT_FEATURES))
    names = dict(zip(GLOBAL_FEATURES, vector, strict=False))
    return names, [dict(zip(SLOT_FEATURES, row.tolist(), strict=True)) for row in rows]


def test_slots_observe_the_literal_request_and_then_what_is_told() -> None:
    env = gym.make("DriftToy-v0", interface="slots", faults=["insufficient_information"], drift=False)
    base: DriftEnv = env.unwrapped  # type: ignore[assignment]
    for seed in range(30):
        obs, _ = env.reset(seed=seed)
        request = base.game.episode.sample.request  # type: ignore[union-attr]  # reset has been called
        ids = [s.id for s in base.host.slots]
        before, rows = _features(obs, len(ids))
        assert (before["patience"], before["turn"], before["browsed"]) == (1.0, 0.0, 0.0)
        known = {i for i, row in zip(ids, rows, strict=True) if row["known"]}
        assert known == {ids[0], *request.literal.by_slot}
        assert all(row["from_request"] == row["known"] for row in rows)
        asked = ids.index(request.hidden[0])
        obs, *_ = env.step(asked)
        after, rows = _features(obs, len(ids))
        assert (rows[asked]["known"], rows[asked]["granted"], rows[asked]["asked"]) == (1.0, 1.0, 0.25)
        assert after["patience"] == pytest.approx(0.8)
        obs, *_ = env.step(len(ids))
        browsed, rows = _features(obs, len(ids))
        assert browsed["browsed"] == 1.0
        assert browsed["candidates"] > 0.0
        assert rows[asked]["age"] == pytest.approx(1 / 31)


def test_declined_question_is_seen_as_declined() -> None:
    env = gym.make("DriftToy-v0", interface="slots", persona="avoidant", drift=False)
    declined = 0
    for seed in range(40):
        env.reset(seed=seed)
        obs, *_ = env.step(1)
        _, rows = _features(obs, 4)
        base: DriftEnv = env.unwrapped  # type: ignore[assignment]
        event = base.record().steps[0].events[0]
        assert rows[1]["declined"] == float("cup" in event["declined"])
        declined += int(rows[1]["declined"])
    assert 8 < declined < 32


def test_answer_takes_back_a_decline() -> None:
    env = gym.make("DriftToy-v0", interface="slots", persona="avoidant", drift=False)
    declined = 0
    for seed in range(40):
        env.reset(seed=seed)
        first, second = (_features(env.step(1)[0], 4)[1][1] for _ in range(2))
        assert second["declined"] == 0.0, "the second ask in a row is never declined"
        assert (first["asked"], second["asked"]) == (0.25, 0.5)
        declined += int(first["declined"])
    assert declined


def test_news_take_back_refusals_and_hints() -> None:
    """What was refused under other beliefs may be right now; a hint is used up by the value it led to."""
    options = {"interface": "slots", "persona": "dependent", "faults": ["insufficient_information"], "drift": False}
    env = gym.make("DriftToy-v0", **options)  # type: ignore[arg-type]
    base: DriftEnv = env.unwrapped  # type: ignore[assignment]
    slots: SlotsInterface = base.interface  # type: ignore[assignment]
    hints = 0
    for seed in range(60):
        env.reset(seed=seed)
        hidden = base.host.slot_table.index[base.game.episode.sample.request.hidden[0]]  # type: ignore[union-attr]
        obs, _, done, *_ = env.step(5)
        if done:
            continue
        seen, rows = _features(obs, 4)
        assert (seen["rejected"], seen["rejections"], len(slots.rejected)) == (1.0, 0.25, 1)
        hinted = rows[hidden]["hinted"]
        assert hinted == float(base.record().steps[0].events[0]["hint"] == base.host.slots[hidden].topic)
        hints += int(hinted)
        seen, rows = _features(env.step(hidden)[0], 4)
        assert (seen["rejected"], seen["rejections"], slots.rejected) == (0.0, 0.25, set())
        assert rows[hidden]["hinted"] == 0.0
    assert hints


def test_last_step_is_seen_as_the_last_chance() -> None:
    """By patience, from less than the price of a refusal; by turns, from the turn cap on, whatever patience is left."""
    env = gym.make("DriftToy-v0", interface="slots", drift=False)
    obs, info = env.reset(seed=0)
    while info["turn"] < 30:
        seen, _ = _features(obs, 4)
        assert (seen["final"], seen["last_chance"]) == (0.0, 0.0)
        obs, *_, info = env.step(4)  # browse
    seen, _ = _features(obs, 4)
    assert (seen["final"], seen["last_chance"], seen["patience"]) == (1.0, 1.0, 1.0)
    obs, info = env.reset(seed=0)
    for left in (8.0, 6.0, 4.0, 2.0):
        obs, *_, info = env.step(1)
        assert info["patience"] == left
        assert _features(obs, 4)[0]["last_chance"] == float(left < 4.0)


def test_commit_proposes_something_new_after_each_rejection() -> None:
    env = gym.make("DriftToy-v0", interface="slots", drift=False, persona="dependent")
    base: DriftEnv = env.unwrapped  # type: ignore[assignment]
    for seed in range(20):
        env.reset(seed=seed)
        done = False
        while not done:
            _, _, done, _, _ = env.step(5)
        outcomes = [e["outcome"] for s in base.record().steps for e in s.events if e["type"] == "commit"]
        assert len(set(outcomes)) == len(outcomes)


def test_action_meanings_name_every_slot() -> None:
    assert SLOTS.meanings() == ("ask drink", "ask cup", "ask milk", "ask counter", "browse", "commit")
