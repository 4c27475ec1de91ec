"""Marks, fates, destinations, triggers and exposure, against cases computed by hand (PROTOCOL 4)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from intent_gym.core.config import DriftConfig, ProtocolConfig
from intent_gym.core.drift import fated_marks
from intent_gym.core.intent import Condition, IntentGraph
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


def channels(step: Step) -> list[str]:
    return [e["channel"] for e in step.events if e["type"] == "drift"]


def fated(persona: str, *, fires: tuple[bool, ...]) -> int:
    """Return a key whose marks have these fates."""
    marks = PERSONAS[persona].marks
    wanted = tuple(m for m, f in zip(marks, fires, strict=True) if f)
    return next(k for k in range(10_000) if fated_marks(PERSONAS[persona], DriftConfig(), "graph", k) == wanted)


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


# -- what a trigger spends and depends on ----------------------------------------------------------------------------
def test_question_that_crosses_a_mark_and_triggers_spends_that_mark(world: World) -> None:
    """Two questions about nothing leave 8; the third leaves 6, which crosses 7.92: the mark at 3.96 is kept."""
    key = next(k for k in range(100) if _suggestible(k, 2, "dependent"))
    episode = world.episode(persona="dependent", key=key, fire=1.0)
    assert [channels(ask(episode)) for _ in range(2)] == [[], []]
    assert channels(ask(episode, "color")) == ["question"]
    assert episode.drift.pool == [0.33]
    assert not channels(ask(episode)), "the mark is spent: nothing is due at 4"


def test_trigger_is_drawn_anew_with_every_question(world: World) -> None:
    for key in range(100):
        episode = world.episode(persona="dependent", key=key, fire=1.0)
        ask(episode, "price")  # no edge changes the price
        assert bool(channels(ask(episode, "color"))) == _suggestible(key, 1, "dependent")


def test_mark_that_is_met_exactly_is_crossed_whatever_the_rounding(world: World) -> None:
    """Four questions at 1.02 leave 7.92 and a rounding error, which is the first mark: it is due, and is spent."""
    config = ProtocolConfig(cost_question=1.02)
    due = world.episode(persona="dependent", config=config, fire=1.0)
    assert [channels(ask(due)) for _ in range(4)] == [[], [], [], ["patience"]]
    assert 7.92 < due.patience < 7.92 + 1e-9
    key = next(k for k in range(100) if _suggestible(k, 3, "dependent"))
    triggered = world.episode(persona="dependent", key=key, config=config, fire=1.0)
    for _ in range(3):
        ask(triggered)
    assert channels(ask(triggered, "color")) == ["question"]
    assert triggered.drift.pool == [0.33]


def test_second_destination_is_drawn_anew(world: World) -> None:
    """Refine or substitute, twice: a second draw that repeated the first would always refine after a refinement."""
    root = world.graph.root
    once = root.having(Condition("fit", "=", "slim"))
    blue = Condition("color", "=", "blue")
    nodes = (root, once, root.having(blue), once.having(Condition("price", "<=", 30.0)), once.having(blue))
    graph = world.graph_of(nodes, ((0, 1), (0, 2), (1, 3), (1, 4)))
    found: Counter[int] = Counter()
    for key in range(3000):
        episode = world.episode(persona="spontaneous", key=key, graph=graph, fire=1.0)
        for _ in range(4):
            episode.malformed("?", "what?")
        episode.commit("", "", "help")
        found[episode.drift.node] += 1
    refine, substitute = 0.25 / 0.55, 0.30 / 0.55
    _close(found, {2: substitute, 3: refine * refine, 4: refine * substitute})


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
