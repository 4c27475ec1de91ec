from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from intent_gym.cli import main
from intent_gym.core.personas import PERSONAS
from intent_gym.core.record import EpisodeRecord, Step
from intent_gym.evaluation import InventoryJudge, Judge, NaiveBayes, Results, evaluate, realism
from intent_gym.evaluation.judges import Turns
from intent_gym.evaluation.realism import Score, user_turns
from intent_gym.evaluation.store import EpisodeKey

Episodes = list[tuple[EpisodeKey, EpisodeRecord]]


def record(persona: str, task: str, answers: Sequence[str], neutral: Sequence[str] = ()) -> EpisodeRecord:
    """Return a record with the opening, neutral turns before the first step, and one question an answer."""
    dialogue = [{"role": "user", "content": f"opening of {persona}"}]
    for line in neutral:
        dialogue += [{"role": "agent", "content": "Noted."}, {"role": "user", "content": line}]
    dialogue.append({"role": "host", "content": "the host speaks"})
    for line in answers:
        dialogue += [{"role": "agent", "content": "Which?"}, {"role": "user", "content": line}]
    steps = [Step(0, "Which?", 8.0) for _ in answers]
    return EpisodeRecord(
        "Fake-v0", {}, 0, f"{task}/vague/0", 0, persona, "drift", (), 0.0, "opening", (), 10.0, 30, dialogue, steps
    )


def episodes(say: Callable[[str, str], Sequence[str]], tasks: int = 12, seeds: int = 2) -> Episodes:
    """Return one episode for every style, task and seed; `say` gives the answers."""
    cases = [(seed, persona, f"t{t}") for seed in range(seeds) for t in range(tasks) for persona in PERSONAS]
    return [((seed, i), record(p, task, say(p, task))) for i, (seed, p, task) in enumerate(cases)]


@pytest.fixture(scope="module")
def played() -> Results:
    return evaluate("DriftToy-v0", "just-ask", persona="mixed", episodes=60, seeds=2)


# -- what is judged --------------------------------------------------------------------------------------------------
def test_only_answers_to_the_agent_count() -> None:
    assert user_turns(record("rational", "t", ["one", "two"], neutral=["go on"])) == ("one", "two")
    assert user_turns(record("rational", "t", [])) == ()


def test_dialogues_with_fewer_than_two_answers_are_left_out_and_counted() -> None:
    long = episodes(lambda persona, task: [persona, persona])
    short = [((0, 100 + i), record("rational", f"t{i}", ["rational"])) for i in range(7)]
    found = realism([*long, *short])
    assert found.left_out == 7
    assert found.identification.n == len(long)
    assert found.identification == realism(long).identification


# -- the judges ------------------------------------------------------------------------------------------------------
def test_distinct_styles_are_told_apart_and_alike_ones_are_not() -> None:
    distinct = realism(episodes(lambda persona, task: [f"{persona} says", f"{task} it is"]))
    assert distinct.identification[:3] == (1.0, 0.0, 120)
    assert distinct.consistency[:3] == (1.0, 0.0, 240)
    assert distinct.by_persona == dict.fromkeys(sorted(PERSONAS), 1.0)
    alike = realism(episodes(lambda persona, task: ["the same words", f"{task} it is"]))
    assert alike.identification.mean == pytest.approx(0.2)
    assert alike.consistency.mean == pytest.approx(0.5)


def test_naive_bayes_by_hand() -> None:
    judge = NaiveBayes()
    judge.learn([("a b",), ("a a",)], ["x", "y"])
    # Counts of "a" and "b": x 1, 1; y 2, 0. "< a" and "a >" also differ: "b >" is x's, "a >" is y's.
    assert judge.identify(("b",)) == "x"
    assert judge.identify(("a a a",)) == "y"
    assert judge.identify(("never heard",)) == "x", "nothing known: the first by name"
    assert not judge.same(("never heard",), ("nor this",)), "nothing known: two styles are as likely as one"


@pytest.mark.parametrize("judge", [NaiveBayes, InventoryJudge])
def test_styles_of_the_simulated_user_are_heard_above_chance(played: Results, judge: Callable[[], Judge]) -> None:
    found = realism(played.keyed_records(), judge())
    assert found.identification.mean > 0.5
    assert found.consistency.mean > 0.65
    assert found.identification.n + found.left_out == 120


def test_shuffled_personas_give_about_chance(played: Results) -> None:
    found = realism(played.keyed_records(), shuffles=30)
    assert found.identification.chance == pytest.approx(0.2)
    assert found.identification.shuffled == pytest.approx(0.2, abs=0.03)
    assert found.consistency.shuffled == pytest.approx(0.5, abs=0.03)
    blind = [(key, shuffled(rec, key)) for key, rec in played.keyed_records()]
    assert realism(blind, shuffles=0).identification.mean == pytest.approx(0.2, abs=0.12), "labels that mean nothing"


def shuffled(found: EpisodeRecord, key: EpisodeKey) -> EpisodeRecord:
    found.persona = list(PERSONAS)[(7 * key[1] + 3 * key[0]) % 5]
    return found


class Spy:
    """Notes the tasks learned from, and that it is never asked about one of them."""

    def __init__(self) -> None:
        self.learned: set[str] = set()
        self.asked: set[str] = set()
        self.pairs: list[bool] = []

    def learn(self, dialogues: Sequence[Turns], personas: Sequence[str]) -> None:
        self.learned = {turns[1] for turns in dialogues}

    def identify(self, turns: Turns) -> str:
        assert turns[1] not in self.learned
        self.asked.add(turns[1])
        return turns[0]

    def same(self, first: Turns, second: Turns) -> bool:
        assert first[1] != second[1], "two tasks"
        assert not {first[1], second[1]} & self.learned
        self.pairs.append(first[0] == second[0])
        return True


def test_no_task_is_learned_from_and_judged_and_half_of_the_pairs_are_of_one_style() -> None:
    spy = Spy()
    found = realism(episodes(lambda persona, task: [persona, task]), spy, shuffles=0)
    assert len(spy.asked) == 12
    assert found.identification.mean == 1.0
    assert math.isnan(found.identification.shuffled)
    assert sum(spy.pairs) * 2 == len(spy.pairs) == found.consistency.n
    assert found.consistency.mean == 0.5, "a judge that always says yes is right half the time"


def test_the_inventory_judge_favours_no_style_where_it_hears_nothing() -> None:
    named = {InventoryJudge().identify((f"word {i}",)) for i in range(60)}
    assert named == set(PERSONAS)


def test_the_same_records_give_the_same_scores(played: Results) -> None:
    assert realism(played.keyed_records()) == realism(played.keyed_records())


# -- undefined -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "found",
    [
        [],
        [((0, i), record("rational", f"t{i}", ["a", "b"])) for i in range(20)],
        episodes(lambda persona, task: [persona, persona], tasks=3),
    ],
    ids=["nothing", "one style", "three tasks"],
)
def test_undefined_is_nan_never_0(found: Episodes) -> None:
    for score in (realism(found).identification, realism(found).consistency):
        assert math.isnan(score.mean)
        assert math.isnan(score.shuffled)
        assert score.n == 0


def test_a_style_that_was_not_learned_is_not_judged() -> None:
    once = ((0, 999), record("avoidant", "t0", ["avoidant", "avoidant"]))
    rest = [(k, r) for k, r in episodes(lambda persona, task: [persona, persona]) if r.persona != "avoidant"]
    found = realism([*rest, once])
    assert found.identification.n == len(rest)
    assert math.isnan(found.by_persona["avoidant"])
    assert found.identification.chance == pytest.approx(0.2)


def test_slots_have_no_user_turns() -> None:
    results = evaluate("DriftToy-v0", "random", persona="mixed", interface="slots", episodes=10, seeds=1)
    found = results.with_realism().summary
    assert found["identification"]["n"] == found["consistency"]["n"] == 0


# -- in reports ------------------------------------------------------------------------------------------------------
def test_summary_has_both_signals_only_when_asked_for(played: Results) -> None:
    assert "identification" not in played.summary
    summary = played.with_realism().summary
    assert set(summary["identification"]) == set(summary["consistency"]) == set(Score._fields)
    assert summary["success"] == played.summary["success"]


def test_report_prints_both_with_what_they_must_be_held_against(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for persona in ("mixed", "rational"):
        evaluate("DriftToy-v0", "just-ask", persona=persona, episodes=20, seeds=1, out=tmp_path / persona)
    assert main(["report", str(tmp_path), "--realism"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "Role-realism" in text
    assert "just-ask: identification by persona: avoidant 100.0, " in text
    assert "; with the personas shuffled: identification" in text
    assert "(chance 20.0), consistency" in text
    assert "just-ask: no role-realism, too few styles or tasks; left out:" in text
    assert main(["report", str(tmp_path), "--realism", "inventory", "--format", "markdown"]) == 0
    assert "identification" in capsys.readouterr().out
    assert main(["report", str(tmp_path), "--realism", "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out, parse_constant=lambda name: pytest.fail(name))
    runs = [section["runs"]["just-ask"]["summary"]["identification"] for section in data["sections"]]
    assert sorted(run["n"] > 0 for run in runs) == [False, True]
