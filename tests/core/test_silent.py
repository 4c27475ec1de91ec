"""Patience, phases and drift of the silent episode, against cases computed by hand (PROTOCOL 3, 4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from intent_gym.core.config import DriftConfig, ProtocolConfig
from intent_gym.core.drift import fated_marks
from intent_gym.core.intent import IntentGraph
from intent_gym.core.personas import PERSONAS
from intent_gym.core.record import Step
from intent_gym.core.rng import Purpose, uniform
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


# -- marks and their fate --------------------------------------------------------------------------------------------
def test_fate_is_a_function_of_graph_and_key_alone() -> None:
    persona = PERSONAS["intuitive"]
    drawn = [fated_marks(persona, DriftConfig(), "graph", k) for k in range(3000)]
    assert drawn == [fated_marks(persona, DriftConfig(), "graph", k) for k in range(3000)]
    assert drawn != [fated_marks(persona, DriftConfig(), "other", k) for k in range(3000)]
    count = Counter(m for marks in drawn for m in marks)
    for mark in persona.marks:  # 3,000 fates at 0.6: within four standard errors
        assert abs(count[mark] / 3000 - 0.6) < 4 * (0.24 / 3000) ** 0.5
    both = sum(len(marks) == 2 for marks in drawn) / 3000
    assert abs(both - 0.36) < 4 * (0.36 * 0.64 / 3000) ** 0.5, "the marks' fates are independent"


@pytest.mark.parametrize(("probability", "marks"), [(0.0, ()), (1.0, (0.66, 0.33))])
def test_fire_probability_bounds(probability: float, marks: tuple[float, ...]) -> None:
    config = DriftConfig(fire_probability=probability)
    assert {fated_marks(PERSONAS["dependent"], config, "graph", k) for k in range(50)} == {marks}


@pytest.mark.parametrize("persona", PERSONAS)
def test_mark_at_one_is_due_with_the_first_exchange_or_before_the_first_commit(world: World, persona: str) -> None:
    marks = PERSONAS[persona].marks
    asked, committed = (world.episode(persona=persona, fire=1.0) for _ in range(2))
    step = asked.ask(NOTHING, "hm")[0]
    assert kinds(step) == (["question", "drift"] if marks[0] == 1.0 else ["question"])
    step = committed.commit("", "", "help")
    assert kinds(step)[:1] == (["drift"] if marks[0] == 1.0 else ["commit"])


def test_acts_fire_nothing(world: World) -> None:
    episode = world.episode(fire=1.0)
    assert kinds(episode.act("look", message="a page")) == ["act"]
    assert kinds(episode.malformed("?", "what?")) == ["malformed"]


def test_dependent_marks_are_crossed_at_six_and_two(world: World) -> None:
    """b0 = 12: marks at 7.92 and 3.96; questions leave 10, 8, 6 (first), 4, 2 (second), 0."""
    episode = world.episode(persona="dependent", fire=1.0)
    found = [kinds(episode.ask(NOTHING, "hm")[0]).count("drift") for _ in range(6)]
    assert found == [0, 0, 1, 0, 1, 0]


def test_commits_of_the_dependent_cross_the_same_marks(world: World) -> None:
    """b0 = 12: rejections leave 8, 4 (first mark crossed), 0 (second); each fires after its exchange."""
    episode = world.episode(persona="dependent", fire=1.0)
    found = [kinds(episode.commit("", "", "help")) for _ in range(4)]
    assert found == [["commit"], ["commit", "drift"], ["commit", "drift"], ["commit", "end"]]


def test_all_due_drifts_fire_before_a_commit_is_judged(world: World) -> None:
    """b0 = 7, marks 7 and 3.5: malformed actions leave 3, both are due, and the commit is judged after both."""
    episode = world.episode(persona="spontaneous", fire=1.0)
    for _ in range(4):
        episode.malformed("?", "what?")
    before = episode.oracle()
    assert before.drifts == 2
    step = episode.commit("", "0", "help")
    assert kinds(step) == ["drift", "drift", "commit", "end"]
    assert not step.events[2]["accepted"], "judged against the intent after both drifts"
    assert episode.intent == before.intent


def test_at_most_one_drift_fires_after_an_exchange(world: World) -> None:
    episode = world.episode(persona="spontaneous", fire=1.0)
    for _ in range(3):
        episode.malformed("?", "what?")
    assert kinds(episode.ask(NOTHING, "hm")[0]) == ["question", "drift"]
    assert episode.drift.pool, "the other one is still to come"


def test_question_is_answered_from_the_intent_before_the_drift_that_follows_it(world: World) -> None:
    episode = world.episode(graph=world.graph_of(world.graph.nodes, ((0, 3),)), fire=1.0)
    told = [episode.ask(COLOR, "colour?")[0].events[0]["granted"] for _ in range(2)]
    assert told == [[["color", ["=", "red"]]], [["color", ["=", "blue"]]]]


def test_fate_not_to_fire_means_no_drift_whatever_happens(world: World) -> None:
    key = fated("spontaneous", fires=(False, False))
    for topics in (("color", "size", "fit"), ("feature",), ()):
        episode = world.episode(persona="spontaneous", key=key)
        while episode.end_reason is None:
            episode.ask(Understanding(topics=topics), "?")
        assert not drifts(episode)


def test_rejection_fires_at_most_one_drift_after_it_but_due_ones_before_it(world: World) -> None:
    """b0 = 9, marks 9 and 4.5: the first is due before the commit at 9, the second once 1 is left."""
    episode = world.episode(persona="intuitive", fire=1.0)
    assert kinds(episode.commit("", "", "help")) == ["drift", "commit"]
    assert kinds(episode.commit("", "", "help")) == ["commit", "drift"]
    assert kinds(episode.commit("", "", "help")) == ["commit", "end"]


def test_drift_with_nowhere_to_go_stays_due_and_does_no_harm(world: World) -> None:
    lonely = world.graph_of(world.graph.nodes, ((1, 0),))
    episode = world.episode(graph=lonely, fire=1.0)
    episode.ask(NOTHING, "hm")
    assert episode.commit("", "0", "help").events[0]["accepted"]
    assert not drifts(episode)


def test_visited_nodes_are_not_entered_again(world: World) -> None:
    for key in range(200):
        episode = world.episode(persona="spontaneous", key=key, fire=1.0)
        while episode.end_reason is None:
            episode.ask(COLOR, "?")
        path = episode.drift.path
        assert len(set(path)) == len(path) <= 3


# -- where a drift goes ----------------------------------------------------------------------------------------------
def _first_targets(world: World, graph: IntentGraph, count: int = 4000) -> Counter[int]:
    found: Counter[int] = Counter()
    for key in range(count):
        episode = world.episode(graph=graph, key=key, fire=1.0)
        episode.commit("", "", "help")
        found[drifts(episode)[0]["target"]] += 1
    return found


def _close(found: Counter[int], expected: dict[int, float]) -> None:
    """Chi-square by hand: below the 0.1 % point of up to four degrees of freedom."""
    count = sum(found.values())
    assert set(found) == set(expected)
    assert sum((found[k] - count * p) ** 2 / (count * p) for k, p in expected.items()) < 18.5


def test_category_is_drawn_first_and_then_the_edge_inside_it(world: World) -> None:
    """Root: one refine, one relax, two substitutes, one pivot."""
    _close(_first_targets(world, world.graph), {1: 0.25, 2: 0.25, 3: 0.15, 4: 0.15, 5: 0.20})


def test_weights_are_renormalised_over_the_categories_at_hand(world: World) -> None:
    graph = world.graph_of(world.graph.nodes, ((0, 1), (0, 5)))
    _close(_first_targets(world, graph), {1: 0.25 / 0.45, 5: 0.20 / 0.45})


def test_own_weights_are_used_and_a_weight_of_zero_is_never_taken(world: World) -> None:
    drift = DriftConfig(fire_probability=1.0, weights={"refine": 3.0, "relax": 1.0, "substitute": 0.0})
    found: Counter[str] = Counter()
    for key in range(2000):
        episode = world.episode(key=key, config=ProtocolConfig(drift=drift))
        episode.commit("", "", "help")
        found[drifts(episode)[0]["relation"]] += 1
    assert set(found) == {"refine", "relax"}
    assert abs(found["refine"] / 2000 - 0.75) < 4 * (0.75 * 0.25 / 2000) ** 0.5


def test_drift_event_tells_what_changed(world: World) -> None:
    graph = world.graph_of(world.graph.nodes, ((0, 5),))
    episode = world.episode(graph=graph, fire=1.0)
    (event,) = [e for e in episode.commit("", "", "help").events if e["type"] == "drift"]
    assert event == {
        "type": "drift",
        "edge": 0,
        "target": 5,
        "relation": "pivot",
        "moves": True,
        "invalidates": True,
        "channel": "patience",
        "entered": ["thing", "color", "fit"],
        "left": ["feature_1", "size"],
        "changed": ["thing", "feature_1", "size", "fit"],
    }


# -- triggered drifts ------------------------------------------------------------------------------------------------
def _suggestible(key: int, number: int, persona: str) -> bool:
    return uniform(key, Purpose.TRIGGER, 2 * number) < PERSONAS[persona].suggestibility


def test_triggered_drift_changes_what_was_asked_about_and_is_never_a_pivot(world: World) -> None:
    seen: Counter[int] = Counter()
    for key in range(400):
        episode = world.episode(persona="dependent", key=key, fire=1.0)  # no mark is due before 7.92
        step = ask(episode, "color")
        event = next((e for e in step.events if e["type"] == "drift"), None)
        assert (event is not None) == _suggestible(key, 0, "dependent")
        if event is not None:
            assert (event["channel"], event["target"]) == ("question", 3), "the one non-pivot edge that changes colour"
            seen[event["target"]] += 1
    assert abs(seen[3] / 400 - 0.8) < 4 * (0.16 / 400) ** 0.5


def test_triggered_drift_is_drawn_uniformly_among_the_edges_of_the_topic(world: World) -> None:
    found: Counter[int] = Counter()
    for key in range(3000):
        episode = world.episode(persona="dependent", key=key, fire=1.0)
        event = next((e for e in ask(episode, "size").events if e["type"] == "drift"), None)
        if event is not None:
            found[event["target"]] += 1
    _close(found, {2: 0.5, 4: 0.5})


def test_question_on_another_topic_triggers_nothing(world: World) -> None:
    for key in range(100):
        episode = world.episode(persona="dependent", key=key, fire=1.0)
        assert kinds(ask(episode, "price")) == ["question"]
        assert kinds(ask(episode, "thing")) == ["question"], "a pivot changes the frame, and is never triggered"


def test_triggered_drift_spends_the_lowest_mark_where_none_is_due(world: World) -> None:
    key = next(k for k in range(100) if _suggestible(k, 0, "dependent"))
    episode = world.episode(persona="dependent", key=key, fire=1.0)
    ask(episode, "color")
    assert episode.drift.pool == [0.66]


def test_triggered_drift_spends_a_due_mark_first(world: World) -> None:
    key = next(k for k in range(100) if _suggestible(k, 0, "spontaneous"))
    episode = world.episode(persona="spontaneous", key=key, fire=1.0)
    step = ask(episode, "color")
    assert [e["channel"] for e in step.events if e["type"] == "drift"] == ["question"]
    assert episode.drift.pool == [0.5]


def test_spent_pool_triggers_nothing_more(world: World) -> None:
    for key in range(60):
        episode = world.episode(persona="dependent", key=key, fire=1.0)
        for topic in ("color", "size", "feature", "fit", "color", "size"):
            ask(episode, topic)
        assert len(drifts(episode)) <= 2
        assert len(drifts(episode)) + len(episode.drift.pool) == 2


def test_triggers_can_be_switched_off(world: World) -> None:
    config = ProtocolConfig(drift=DriftConfig(channels=("patience",), fire_probability=1.0))
    for key in range(50):
        episode = world.episode(persona="dependent", key=key, config=config)
        assert kinds(ask(episode, "color")) == ["question"]


# -- exposure --------------------------------------------------------------------------------------------------------
def _exposure(world: World, persona: str, keys: int, *, talks: bool) -> float:
    total = 0
    topics = ("color", "size", "feature", "fit", "price", "thing")
    for key in range(keys):
        episode = world.episode(persona=persona, key=key)
        for turn in range(30):
            if talks and episode.available[0]:
                ask(episode, topics[turn % len(topics)])
            else:
                episode.commit("", "", "help")
            if episode.end_reason is not None:
                break
        assert episode.end_reason in ("final_answer", "no_answer")
        total += len(drifts(episode))
    return total / keys


@pytest.mark.parametrize("persona", PERSONAS)
def test_silent_and_talkative_agents_meet_equally_many_drifts(world: World, persona: str) -> None:
    """Both spend all patience; expected exposure is fire probability x marks, whatever was said (PROTOCOL 4)."""
    silent = _exposure(world, persona, 3000, talks=False)
    talkative = _exposure(world, persona, 3000, talks=True)
    expected = 0.6 * len(PERSONAS[persona].marks)
    assert abs(silent - talkative) <= 0.02 * silent
    assert abs(silent - expected) < 4 * (0.24 * len(PERSONAS[persona].marks) / 3000) ** 0.5


@pytest.mark.parametrize("persona", PERSONAS)
def test_drifts_never_exceed_the_marks_fated_to_fire(world: World, persona: str) -> None:
    for key in range(300):
        episode = world.episode(persona=persona, key=key)
        fate = len(episode.drift.pool)
        while episode.end_reason is None:
            if key % 3 == 0 or not episode.available[0]:
                episode.commit("", "", "help")
            else:
                ask(episode, ("color", "size", "fit", "feature")[episode.turn % 4])
        assert len(drifts(episode)) <= fate


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
