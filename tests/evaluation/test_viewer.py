from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

from intent_gym.core.record import EpisodeRecord, Step
from intent_gym.evaluation.viewer import Line, describe, lines, print_episode
from tests.evaluation import flux

QUESTION: dict[str, Any] = {
    "type": "question", "reply": "answer", "named": ["a", "b"], "granted": [["a", ["<=", 30]], ["c", None]],
    "declined": ["b"], "volunteered": [["d", ["=", "x"]]], "confirmed": [],
}  # fmt: skip
DRIFT: dict[str, Any] = {
    "type": "drift", "edge": 0, "target": 1, "relation": "refine", "moves": True, "invalidates": False,
    "channel": "question", "entered": ["b"], "left": [], "changed": ["b"],
}  # fmt: skip
COMMIT: dict[str, Any] = {
    "type": "commit", "outcome": "X1", "accepted": False, "score": 0.5, "final": True, "hint": "colour", "path": [],
}  # fmt: skip


def record(dialogue: bool = True) -> EpisodeRecord:
    steps = [
        Step(0, "what a?", 8.0, [QUESTION, DRIFT]),
        Step(2, "", 8.0, [COMMIT, {"type": "end", "reason": "final_answer"}]),
    ]
    said = [("user", "hello"), ("agent", "Noted."), ("user", "go on"), ("agent", "what a?"), ("user", "30 [or less]")]
    said += [("agent", "commit"), ("user", "no")]
    messages = [{"role": role, "content": text} for role, text in said] if dialogue else []
    return EpisodeRecord(
        "E-v0", {}, 1, "case", 0, "rational", "drift", ("vague",), 0.25, "hello", ("a",), 10.0, 30, messages, steps
    )


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (QUESTION, "touches a, b; granted a <= 30, c (does not matter); declined b; volunteered d = x"),
        (DRIFT, "DRIFT by question, refine (new: b; the answer moves)"),
        (COMMIT, "commit of X1: rejected, score 0.50, final, hints at colour"),
        ({**COMMIT, "score": None, "final": False, "hint": None}, "commit of X1: rejected"),
        ({"type": "act", "message": "m", "stated": [["zip", 1]]}, "the host states zip = 1"),
        ({"type": "act", "message": "m", "stated": []}, ""),
        ({"type": "end", "reason": "accepted"}, "end: accepted"),
        ({"type": "malformed", "reason": "r"}, ""),
    ],
)
def test_events_in_words(event: dict[str, Any], text: str) -> None:
    assert describe(event) == text


def test_each_steps_events_follow_what_was_said_in_it() -> None:
    found = list(lines(record()))
    assert [line.turn for line in found if line.turn] == [1, 2]
    assert found[2] == Line(None, "user", "go on"), "the neutral turns belong to the opening"
    assert found[3] == Line(1, "agent", "what a?")
    assert found[4].text == "30 [or less]"
    assert found[5].text.startswith("touches")
    assert found[-2].text == "end: the final answer was rejected"


def test_a_record_without_dialogue_shows_its_steps() -> None:
    found = list(lines(record(dialogue=False)))
    assert [line for line in found if line.who] == [Line(1, "agent", "ask what a?"), Line(2, "agent", "commit")]


def test_text_is_never_read_as_markup() -> None:
    file = io.StringIO()
    print_episode(record(), Console(file=file, width=80), heading="[b]one[/b]")
    text = file.getvalue()
    assert "30 [or less]" in text
    assert "[b]one[/b]" in text
    assert "guess ceiling 25.0 %" in text
    assert "Grounding: success 0" in text


def test_an_evolving_record_shows_edits_what_is_stale_and_what_was_obeyed() -> None:
    found = [line.text for line in lines(flux.record(False, obeyed=(0, 1), first_said=True, all_kept=True))]
    assert found[:2] == ["four", "edit: add colour = blue (variant)"], "the opening's edits are shown too"
    assert "edit: add extra = bell (decoy)" in found
    assert "edit: replace colour = blue by colour = red (holds at the end)" in found
    assert "edit: delete extra = bell" in found
    assert found[-2] == (
        "answer o: wrong, score 0.50; OBEYS the variant colour = blue, the decoy extra = bell, "
        "the first value of every goal, everything that was withdrawn"
    )
    assert not any(text.startswith("patience") for text in found), "it is constant"


def test_the_head_of_an_evolving_record() -> None:
    for condition, ending in (("drift", "4 edits"), ("clean", "4 edits, which are not told")):
        file = io.StringIO()
        print_episode(flux.record(condition=condition), Console(file=file, width=100))
        text = file.getvalue()
        assert f"condition {condition}, budget easy: 1 variants and 1 decoys in {ending}\n" in text
        assert "final intent: bike; colour = red" in text
        assert "answer o: full credit" in text
        assert ("edit: " in text) == (condition == "drift")


def test_a_draft_is_no_answer() -> None:
    assert describe({"type": "draft", "outcome": None}, flux.PLAN) == "a draft, not graded: nothing"
