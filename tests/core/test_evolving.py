"""The evolving episode, by PROTOCOL 7 to 9: what each step is answered by, what ends it, what is graded."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from intent_gym.core.edits import EditPlan, GoalEdit
from intent_gym.core.evolving import EvolvingEpisode, PlannedCase, Telling
from intent_gym.core.intent import Condition, Intent
from intent_gym.core.record import Step

RED, BLUE, TALL = Condition("color", "=", "red"), Condition("color", "=", "blue"), Condition("size", "=", "tall")
FINAL = Intent("lamp", (BLUE,))
PLAN = EditPlan(
    FINAL, (GoalEdit("add", RED), GoalEdit("add", TALL), GoalEdit("replace", BLUE, RED), GoalEdit("delete", TALL))
)
TEXT = {
    "right": FINAL,
    "old colour": FINAL.having(RED),
    "decoy obeyed": FINAL.having(TALL),
    "never updated": Intent("lamp", (RED, TALL)),
}


def meets(intents: Sequence[Intent], outcome: str) -> list[bool]:
    return [TEXT.get(outcome) == i for i in intents]


def episode(condition: str = "drift", *, cap: int = 14, acts: bool = True) -> EvolvingEpisode:
    return EvolvingEpisode(
        PlannedCase("case", "train", PLAN),
        Telling.of(condition, PLAN),
        10.0,
        lambda intent, outcome: (meets([intent], outcome)[0], ()),
        lambda intent, outcome: 0.25,
        meets,
        cap,
        acts,
    )


def kinds(step: Step) -> list[str]:
    return [e["type"] for e in step.events]


def test_each_question_is_answered_by_the_next_edit_then_by_the_request() -> None:
    play = episode()
    told = []
    while not play.requested:
        told += play.ask("go on").events
    assert [e["type"] for e in told] == ["edit", "edit", "edit", "request"]
    assert [GoalEdit.from_json(e["edit"]) for e in told[:3]] == list(PLAN.edits[1:])
    assert [e["number"] for e in told[:3]] == [1, 2, 3]
    assert kinds(play.ask("and?")) == ["waiting"]
    assert kinds(play.ask("and?")) == ["waiting"]
    assert play.end_reason is None


def test_the_state_is_what_was_said() -> None:
    play = episode()
    seen = [play.state]
    for _ in range(3):
        play.ask("go on")
        seen.append(play.state)
    assert seen == [Intent("lamp", (RED,)), Intent("lamp", (RED, TALL)), Intent("lamp", (BLUE, TALL)), FINAL]
    assert play.intent == FINAL


def test_a_commit_before_the_request_is_a_draft() -> None:
    play = episode()
    step = play.commit("right", "right", "help")
    assert kinds(step) == ["draft", "edit"]
    assert play.end_reason is None
    assert kinds(play.commit("", None, "help")) == ["draft", "edit"], "an empty draft too"


def test_acts_change_nothing_in_the_queues() -> None:
    play = episode()
    for _ in range(3):
        assert kinds(play.act("look", message="seen")) == ["act"]
    assert (play.said, play.turn) == (1, 3)
    assert kinds(play.malformed("??", "expected sense")) == ["malformed"]
    assert kinds(play.act("look", malformed="no such place")) == ["malformed"]
    assert play.said == 1


def test_patience_is_inactive() -> None:
    play = episode()
    steps = [play.ask("go on"), play.act("look"), play.malformed("?", "what"), play.commit("x", "x", "help")]
    assert [s.patience for s in steps] == [10.0] * 4
    assert play.patience == play.budget == 10.0


@pytest.mark.parametrize(
    ("answer", "obeyed", "first", "kept"),
    [
        ("right", [], False, False),
        ("old colour", [0], False, False),
        ("decoy obeyed", [1], False, True),
        ("never updated", [], True, False),
        ("nonsense", [], False, False),
    ],
)
def test_the_first_commit_after_the_request_is_graded(answer: str, obeyed: list[int], first: bool, kept: bool) -> None:
    play = episode()
    while not play.requested:
        play.ask("go on")
    graded, end = play.commit(answer, answer, "help").events
    right = answer == "right"
    assert (graded["accepted"], graded["score"]) == (right, 1.0 if right else 0.25)
    assert (graded["obeyed"], graded["first_said"], graded["all_kept"]) == (obeyed, first, kept)
    assert end == {"type": "end", "reason": "accepted" if right else "final_answer"}
    assert play.available == (False, False, False)


def test_a_commit_of_nothing_after_the_request_can_be_mended() -> None:
    play = episode()
    while not play.requested:
        play.ask("go on")
    assert kinds(play.commit("", None, "open an item first")) == ["malformed"]
    assert kinds(play.commit("right", "right", "help")) == ["commit", "end"]


@pytest.mark.parametrize("last", ["ask", "act", "malformed", "empty commit"])
def test_at_the_cap_one_more_step_follows_and_only_a_commit_counts(last: str) -> None:
    play = episode(cap=2)
    play.ask("go on")
    assert play.available == (True, True, True)
    play.ask("go on")
    assert play.final
    assert not play.requested
    assert play.available == (False, False, True)
    step = {
        "ask": lambda: play.ask("more?"),
        "act": lambda: play.act("look"),
        "malformed": lambda: play.malformed("?", "what"),
        "empty commit": lambda: play.commit("", None, "open an item first"),
    }[last]()
    assert kinds(step) == ["malformed", "end"]
    assert play.end_reason == "no_answer"


def test_the_last_step_is_graded_even_before_the_request() -> None:
    play = episode(cap=1)
    play.ask("go on")
    assert kinds(play.commit("right", "right", "help")) == ["commit", "end"]
    assert play.end_reason == "accepted"


def test_a_host_without_acts_has_none_available() -> None:
    assert episode(acts=False).available == (True, False, True)


def test_clean_tells_all_and_asks_at_once() -> None:
    play = episode("clean")
    assert play.requested
    assert play.state == FINAL
    assert kinds(play.ask("what?")) == ["waiting"]
    step = play.commit("old colour", "old colour", "help")
    assert step.events[0]["obeyed"] == [], "nothing stale was said"
    assert kinds(step) == ["commit", "end"]


def test_control_has_as_many_turns_and_no_edit() -> None:
    drift, control = episode("drift"), episode("control")
    turns = {}
    for name, play in (("drift", drift), ("control", control)):
        turns[name] = [kinds(play.ask("go on"))[0] for _ in range(4)]
    assert turns["drift"] == ["edit", "edit", "edit", "request"]
    assert turns["control"] == ["confirmation", "confirmation", "confirmation", "request"]
    assert control.state == FINAL


def test_oracle_is_drift_with_the_intent_supplied() -> None:
    play = episode("oracle")
    assert play.telling == Telling(supplied=True)
    assert kinds(play.ask("go on")) == ["edit"]


def test_availability_is_a_function_of_turn_and_phase() -> None:
    """Masks do not tell how many edits are to come."""
    long = EditPlan(FINAL, (*PLAN.edits[:2], *PLAN.edits[1:]), 1)
    masks = []
    for plan in (PLAN, long):
        play = episode()
        play.plan = plan
        masks.append([play.available] + [(play.ask("go on"), play.available)[1] for _ in range(8)])
    assert masks[0] == masks[1]
