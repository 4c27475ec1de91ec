"""Which mark a drift spends, what a trigger depends on, and marks that are met exactly (PROTOCOL 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from intent_gym.core.config import ProtocolConfig
from intent_gym.core.personas import PERSONAS
from intent_gym.core.rng import Purpose, uniform
from intent_gym.core.silent import SilentEpisode
from intent_gym.core.user import Understanding

if TYPE_CHECKING:
    from tests.core.conftest import World

DEPENDENT = PERSONAS["dependent"]  # b0 = 12, marks at 7.92 and 3.96


def ask(episode: SilentEpisode, *topics: str) -> list[dict[str, Any]]:
    """Ask and return the drifts that followed."""
    step, _ = episode.ask(Understanding(topics=topics), "?")
    return [e for e in step.events if e["type"] == "drift"]


def suggestible(key: int, number: int) -> bool:
    return uniform(key, Purpose.TRIGGER, 2 * number) < DEPENDENT.suggestibility


def test_question_that_crosses_a_mark_and_triggers_spends_that_mark(world: World) -> None:
    """Two questions about nothing leave 8; the third leaves 6, which crosses 7.92: the mark at 3.96 is kept."""
    key = next(k for k in range(100) if suggestible(k, 2))
    episode = world.episode(persona="dependent", key=key, fire=1.0)
    assert [ask(episode), ask(episode)] == [[], []]
    assert [d["channel"] for d in ask(episode, "color")] == ["question"]
    assert episode.drift.pool == [0.33]
    assert not ask(episode), "the mark is spent: nothing is due at 4"


def test_trigger_is_drawn_anew_with_every_question(world: World) -> None:
    key = next(k for k in range(100) if not suggestible(k, 0) and suggestible(k, 1))
    episode = world.episode(persona="dependent", key=key, fire=1.0)
    assert not ask(episode, "color")
    assert [d["channel"] for d in ask(episode, "color")] == ["question"]
    for key in range(100):
        episode = world.episode(persona="dependent", key=key, fire=1.0)
        ask(episode, "price")  # no edge changes the price
        assert bool(ask(episode, "color")) == suggestible(key, 1)


def test_mark_that_is_met_exactly_is_crossed_whatever_the_rounding(world: World) -> None:
    """Four questions at 1.02 leave 7.92 and a rounding error, which is the first mark: it is due, and is spent."""
    config = ProtocolConfig(cost_question=1.02)
    due = world.episode(persona="dependent", config=config, fire=1.0)
    assert [bool(ask(due)) for _ in range(4)] == [False, False, False, True]
    assert 7.92 < due.patience < 7.92 + 1e-9
    key = next(k for k in range(100) if suggestible(k, 3))
    triggered = world.episode(persona="dependent", key=key, config=config, fire=1.0)
    for _ in range(3):
        ask(triggered)
    assert [d["channel"] for d in ask(triggered, "color")] == ["question"]
    assert triggered.drift.pool == [0.33]
