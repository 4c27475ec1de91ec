"""Patience, phases and drift of the silent episode, against cases computed by hand (PROTOCOL 3, 4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from intent_gym.core.config import DriftConfig, ProtocolConfig
from intent_gym.core.drift import fated_marks
from intent_gym.core.personas import PERSONAS
from intent_gym.core.record import Step
from intent_gym.core.silent import SilentEpisode
from intent_gym.core.user import Understanding

if TYPE_CHECKING:
    from tests.core.conftest import World

COLOR = Understanding(topics=("color",))
NOTHING = Understanding()


def ask(episode: SilentEpisode, *topics: str) -> Step:
    return episode.ask(Understanding(topics=topics), "?")[0]


def kinds(step: Step) -> list[str]:
    return [e["type"] for e in step.events]


def drifts(episode: SilentEpisode) -> list[dict[str, Any]]:
    return [e for s in episode.steps for e in s.events if e["type"] == "drift"]


def fated(persona: str, *, fires: tuple[bool, ...]) -> int:
    """Return a key whose marks have these fates."""
    marks = PERSONAS[persona].marks
    wanted = tuple(m for m, f in zip(marks, fires, strict=True) if f)
    return next(k for k in range(10_000) if fated_marks(PERSONAS[persona], DriftConfig(), "graph", k) == wanted)


# -- patience --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("persona", "budget"),
    [("rational", 10.0), ("intuitive", 9.0), ("dependent", 12.0), ("avoidant", 8.0), ("spontaneous", 7.0)],
)
def test_patience_starts_at_ten_times_the_persona(world: World, persona: str, budget: float) -> None:
    assert world.episode(persona=persona).patience == pytest.approx(budget, abs=1e-12)


def test_costs_of_every_action(world: World) -> None:
    episode = world.episode(drift=False)
    assert ask(episode, "color").patience == 8.0
    assert episode.ask(NOTHING, "hm")[0].patience == 6.0, "an unmatched question costs the same"
    assert episode.act("look", message="a page").patience == 6.0
    assert episode.act("buy", malformed="only commit buys").patience == 5.0
    assert episode.malformed("?", "what?").patience == 4.0
    assert episode.commit("", "", "help").patience == 0.0
    assert episode.final


def test_patience_is_never_negative(world: World) -> None:
    episode = world.episode(drift=False, config=ProtocolConfig(patience=0.5))
    assert episode.malformed("?", "what?").patience == 0.0


def test_price_of_an_act_is_charged_where_it_has_one(world: World) -> None:
    assert world.episode(drift=False, config=ProtocolConfig(cost_act=0.5)).act("look", message="a page").patience == 9.5


def test_patience_that_is_spent_exactly_is_spent_whatever_the_rounding(world: World) -> None:
    """In tenths, 0.3 - 0.1 - 0.1 is a little less than 0.1, and 1 less ten tenths a little more than 0."""
    tenths = ProtocolConfig(patience=0.3, cost_question=0.1, cost_malformed=0.1, cost_rejection=0.1)
    asked, committed = (world.episode(drift=False, config=tenths) for _ in range(2))
    for episode in (asked, committed):
        ask(episode, "color")
        ask(episode, "size")
        assert episode.patience < 0.1
    assert asked.available == (True, True, True)
    assert not committed.last_chance
    assert kinds(committed.commit("", "", "help")) == ["commit"], "it can be paid for, so it is not the final answer"
    spent = world.episode(drift=False, config=replace(tenths, patience=1.0))
    for _ in range(10):
        spent.malformed("?", "what?")
    assert spent.patience > 0.0
    assert spent.available == (False, False, True)


def test_commit_with_exactly_four_left_is_charged_and_one_below_is_final(world: World) -> None:
    four = world.episode(drift=False, config=ProtocolConfig(patience=4))
    step = four.commit("", "", "help")
    assert (kinds(step), step.events[0]["final"], step.patience, four.end_reason) == (["commit"], False, 0.0, None)
    less = world.episode(drift=False, config=ProtocolConfig(patience=3.9))
    step = less.commit("", "", "help")
    assert (kinds(step), step.events[0]["final"]) == (["commit", "end"], True)
    assert (step.patience, less.end_reason) == (3.9, "final_answer"), "judged once, not charged"


def test_accepted_commit_ends_and_is_not_charged(world: World) -> None:
    for left in (10, 1):
        episode = world.episode(drift=False, config=ProtocolConfig(patience=left))
        step = episode.commit("", "0", "help")
        assert (episode.end_reason, step.patience) == ("accepted", left)
        assert episode.available == (False, False, False)


def test_rejection_after_which_nothing_is_left_opens_the_final_phase(world: World) -> None:
    episode = world.episode(drift=False, config=ProtocolConfig(patience=8))
    episode.commit("", "", "help")
    assert episode.available == (True, True, True)
    episode.commit("", "", "help")
    assert (episode.patience, episode.available) == (0.0, (False, False, True))
    episode.commit("", "0", "help")
    assert episode.end_reason == "accepted"


def test_score_is_by_the_intent_that_the_commit_was_judged_by(world: World) -> None:
    episode = world.episode(config=ProtocolConfig(drift=DriftConfig(channels=("outcome",))))
    before = episode.intent
    episode._score = lambda intent, outcome: 0.7 if intent == before else 0.2
    assert kinds(episode.commit("", "", "help")) == ["commit", "drift"]
    while episode.end_reason is None:
        episode.malformed("?", "what?")
    assert episode.intent != before
    assert episode.steps[0].events[0]["score"] == 0.7


def test_commit_notes_every_intent_of_the_path_that_it_satisfies(world: World) -> None:
    episode = world.episode(graph=world.graph_of(world.graph.nodes, ((0, 3),)), fire=1.0)
    paths = [episode.commit("", outcome, "help").events for outcome in ("0", "5", "0,3")]
    assert [e["path"] for events in paths for e in events if e["type"] == "commit"] == [[0], [], [0, 3]]
    assert episode.end_reason == "accepted"


def test_final_answer_that_is_rejected_gets_no_hint(world: World) -> None:
    for key in range(20):
        episode = world.episode(persona="dependent", key=key, drift=False, config=ProtocolConfig(patience=3))
        assert episode.commit("", "", "help").events[0]["hint"] is None


def test_rejected_commit_may_be_made_again_and_is_judged_anew(world: World) -> None:
    episode = world.episode(drift=False)
    first, second = (episode.commit("", "3", "help").events[0] for _ in range(2))
    assert (first["accepted"], second["accepted"]) == (False, False)
    moved = world.episode(persona="avoidant", key=fated("avoidant", fires=(False,)), drift=True)
    assert not moved.commit("", "3", "help").events[0]["accepted"]
    moved.drift.path.append(3)
    assert moved.commit("", "3", "help").events[0]["accepted"]


# -- what is available, and the last step ----------------------------------------------------------------------------
def test_question_that_cannot_be_paid_for_is_masked_and_opens_the_final_phase(world: World) -> None:
    episode = world.episode(drift=False, config=ProtocolConfig(patience=1.9))
    assert episode.available == (False, True, True)
    step = ask(episode, "color")
    assert (kinds(step), step.patience, episode.end_reason) == (["malformed"], 1.9, None)
    assert episode.available == (False, False, True)
    assert kinds(episode.commit("", "0", "help")) == ["commit", "end"]


def test_question_that_takes_the_last_patience_is_answered(world: World) -> None:
    episode = world.episode(drift=False, config=ProtocolConfig(patience=2))
    assert kinds(ask(episode, "color")) == ["question"]
    assert episode.available == (False, False, True)


@pytest.mark.parametrize("last", ["ask", "act", "malformed", "empty commit"])
def test_anything_but_a_judgeable_commit_in_the_final_phase_ends_with_no_answer(world: World, last: str) -> None:
    episode = world.episode(drift=False, config=ProtocolConfig(patience=2))
    ask(episode, "color")
    ways: dict[str, Callable[[], Step]] = {
        "ask": lambda: ask(episode, "size"),
        "act": lambda: episode.act("look", message="a page"),
        "malformed": lambda: episode.malformed("?", "what?"),
        "empty commit": lambda: episode.commit("", None, "open something first"),
    }
    step = ways[last]()
    assert (kinds(step), episode.end_reason) == (["malformed", "end"], "no_answer")
    assert step.events[-1] == {"type": "end", "reason": "no_answer"}


def test_final_commit_that_is_rejected_is_the_final_answer(world: World) -> None:
    episode = world.episode(drift=False, config=ProtocolConfig(patience=2))
    ask(episode, "color")
    episode.commit("", "", "help")
    assert episode.end_reason == "final_answer"


def test_commit_with_nothing_to_judge_is_malformed_and_costs_one(world: World) -> None:
    episode = world.episode(drift=False)
    step = episode.commit("", None, "open something first")
    assert (step.events, step.patience) == ([{"type": "malformed", "reason": "open something first"}], 9.0)


def test_turn_cap_leaves_exactly_one_more_step(world: World) -> None:
    episode = world.episode(drift=False, turn_cap=3)
    for _ in range(3):
        assert not episode.final
        episode.act("look", message="a page")
    assert episode.available == (False, False, True)
    episode.commit("", "", "help")
    assert (episode.end_reason, episode.turn) == ("final_answer", 4)


def test_mask_follows_whether_the_host_has_acts(world: World) -> None:
    assert world.episode(acts=False).available == (True, False, True)


def test_score_is_that_of_the_last_judged_commit(world: World) -> None:
    episode = world.episode(drift=False)
    episode.commit("", "", "help")
    episode.malformed("?", "what?")
    episode.commit("", "", "help")
    for _ in range(3):
        episode.malformed("?", "what?")
    assert episode.end_reason == "no_answer"
    commits = [e for s in episode.steps for e in s.events if e["type"] == "commit"]
    assert [e["score"] for e in commits][-1] == 0.4


# -- other channels --------------------------------------------------------------------------------------------------
def test_scheduled_drift_fires_after_its_turn_whatever_the_patience(world: World) -> None:
    config = ProtocolConfig(drift=DriftConfig(channels=("schedule",), turns=(2, 3)))
    episode = world.episode(config=config)
    found = [kinds(episode.act("look", message="a page")) for _ in range(4)]
    assert found == [["act"], ["act", "drift"], ["act", "drift"], ["act"]]
    assert [e["channel"] for e in drifts(episode)] == ["schedule", "schedule"]


def test_outcome_drift_after_a_rejection(world: World) -> None:
    config = ProtocolConfig(drift=DriftConfig(channels=("outcome",), max_outcome=1))
    episode = world.episode(config=config)
    assert kinds(episode.commit("", "", "help")) == ["commit", "drift"]
    assert kinds(episode.commit("", "", "help")) == ["commit"], "max_outcome is reached"


def test_outcome_drift_after_acceptance_goes_on_with_the_next_intent(world: World) -> None:
    config = ProtocolConfig(drift=DriftConfig(channels=("outcome",), outcomes=("accepted",), max_outcome=1))
    episode = world.episode(config=config)
    step = episode.commit("", "0", "help")
    assert (kinds(step), episode.end_reason) == (["commit", "drift"], None)
    episode.commit("", str(episode.drift.node), "help")
    assert episode.end_reason == "accepted"


def test_final_answer_that_is_accepted_ends_in_any_channel(world: World) -> None:
    config = ProtocolConfig(patience=3, drift=DriftConfig(channels=("outcome",), outcomes=("accepted",)))
    episode = world.episode(config=config)
    assert kinds(episode.commit("", "0", "help")) == ["commit", "end"]
    assert episode.end_reason == "accepted"


def test_announced_drift_tells_what_changed_and_it_counts_as_told(world: World) -> None:
    drift = DriftConfig(announce=True, fire_probability=1.0)
    graph = world.graph_of(world.graph.nodes, ((0, 3),))
    episode = world.episode(graph=graph, config=ProtocolConfig(drift=drift))
    (event,) = [e for e in episode.ask(NOTHING, "hm")[0].events if e["type"] == "drift"]
    assert event["announced"] == [["color", ["=", "blue"]]]
    assert episode.user.told["color"] == "blue"


def test_silent_drift_tells_nothing(world: World) -> None:
    graph = world.graph_of(world.graph.nodes, ((0, 3),))
    episode = world.episode(graph=graph, fire=1.0)
    (event,) = [e for e in episode.ask(NOTHING, "hm")[0].events if e["type"] == "drift"]
    assert "announced" not in event
    assert "color" not in episode.user.told


def test_no_drift_where_it_is_switched_off(world: World) -> None:
    episode = world.episode(persona="spontaneous", config=replace(ProtocolConfig(), drift=None))
    while episode.end_reason is None:
        episode.commit("", "", "help")
    assert not drifts(episode)
    assert episode.oracle().drifts == 0


def test_oracle_looks_ahead_without_changing_anything(world: World) -> None:
    episode = world.episode(persona="intuitive", fire=1.0)
    before = (list(episode.drift.path), list(episode.drift.pool), episode.turn)
    first, second = episode.oracle(), episode.oracle()
    assert first == second
    assert (list(episode.drift.path), list(episode.drift.pool), episode.turn) == before
    assert first.drifts == 1
