from __future__ import annotations

import math

import gymnasium as gym
import pytest

from intent_gym.core.signals import grip
from intent_gym.envs.base import DriftEnv
from intent_gym.evaluation.results import row_of
from intent_gym.evaluation.told import Told, told_of
from tests.evaluation.flux import record


def test_a_dialogue_with_edits_by_hand() -> None:
    told = told_of(record(False, obeyed=(0,), all_kept=True))
    assert told == Told(
        turns=5,  # the opening, three edits, the request
        characters=4 + 4 * 6,
        variants=1,
        decoys=1,
        answered=True,
        variant=True,
        decoy=False,
        first_said=False,
        all_kept=True,
    )


@pytest.mark.parametrize(("condition", "turns", "stale"), [("clean", 1, 0), ("control", 5, 0), ("oracle", 5, 1)])
def test_what_is_told_at_once_says_nothing_stale(condition: str, turns: int, stale: int) -> None:
    told = told_of(record(condition=condition))
    assert told is not None
    assert (told.turns, told.variants, told.decoys) == (turns, stale, stale)


def test_without_an_answer_nothing_is_obeyed_and_the_case_counts_zero() -> None:
    row = row_of((0, 0), record(None))
    assert row.told is not None
    assert not row.told.answered
    assert (row.signals["full_credit"], row.signals["score"], row.signals["stale_obedience"]) == (0.0, 0.0, 0.0)


def test_an_interface_without_text_has_no_characters() -> None:
    told = told_of(record(words=False))
    assert told is not None
    assert math.isnan(told.characters)


def test_records_of_the_toy_and_of_the_silent_protocol() -> None:
    env = gym.make("DriftToy-v0", protocol="evolving", budget="easy")
    base: DriftEnv = env.unwrapped  # type: ignore[assignment]
    env.reset(seed=3)
    ended = False
    asks = 0
    while not ended:
        asks += 1
        _, _, ended, _, info = env.step({"kind": 0 if asks < 90 else 2, "content": "Please go on."})
    told, plan = told_of(base.record()), base.record().plan
    assert told is not None
    assert plan is not None
    assert told.turns == sum(m["role"] == "user" for m in base.record().dialogue)
    assert told.variants + told.decoys > 0
    assert info["end_reason"] == "no_answer"
    assert not told.answered
    assert grip(base.record())["success"] == 0.0

    silent = gym.make("DriftToy-v0")
    silent.reset(seed=3)
    other: DriftEnv = silent.unwrapped  # type: ignore[assignment]
    assert told_of(other.record()) is None
