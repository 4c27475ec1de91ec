"""GRIP and CAR on records small enough to compute by hand, undefined cases included (PROTOCOL 9)."""

from __future__ import annotations

import math
from typing import Any

import pytest

from intent_gym.core.record import EpisodeRecord, Event, Step
from intent_gym.core.signals import GRIP, Tracker, car, full_credit, grip, potential

NAN = math.nan
RED = ["=", "red"]


def question(*named: str, granted: tuple[str, ...] = (), free: tuple[str, ...] = (), **more: Any) -> Event:
    told = [[s, RED] for s in granted] + [[s, None] for s in free]
    event = {"type": "question", "reply": "answer", "named": list(named), "granted": told}
    return {**event, "declined": [], "volunteered": [], "confirmed": [], **more}


def commit(accepted: bool, score: float = 0.4, path: tuple[int, ...] = (), **more: Any) -> Event:
    event = {"type": "commit", "outcome": "x", "accepted": accepted, "score": 1.0 if accepted else score}
    return {**event, "final": False, "hint": None, "path": list(path), **more}


def drift(
    target: int,
    entered: tuple[str, ...] = (),
    left: tuple[str, ...] = (),
    changed: tuple[str, ...] | None = None,
    relation: str = "substitute",
    moves: bool = True,
    invalidates: bool = True,
) -> Event:
    event = {"type": "drift", "edge": 0, "target": target, "relation": relation, "moves": moves}
    event |= {"invalidates": invalidates, "channel": "patience", "entered": list(entered), "left": list(left)}
    return {**event, "changed": list(entered + left if changed is None else changed)}


def end(reason: str) -> Event:
    return {"type": "end", "reason": reason}


def record(*steps: list[Event], hidden: tuple[str, ...] = ("color",), left: float = 3.0) -> EpisodeRecord:
    made = [Step(0, "", left + len(steps) - i, events) for i, events in enumerate(steps, 1)]
    return EpisodeRecord(
        *(
            "Test-v0",
            {},
            0,
            "sample",
            0,
            "rational",
            "drift",
            ("factual_error",),
            0.2,
            "I want a lamp.",
            hidden,
            10.0,
            30,
        ),
        steps=made,
    )


def check(made: EpisodeRecord, **expected: float) -> None:
    """Compare every signal; those not given must be 0, or NaN if nothing defines them."""
    found = grip(made)
    assert list(found) == list(GRIP)
    undefined = {"staleness", "reaction", "reaction_exchanges", "post_shift", "post_shift_invalidating"}
    undefined |= {"aim", "aim_precision", "recovery_fraction", "stale_obedience"}
    wanted = {name: NAN if name in undefined else 0.0 for name in GRIP} | {"patience": 3.0} | expected
    assert found == pytest.approx(wanted, nan_ok=True)


# -- nothing happened ------------------------------------------------------------------------------------------------
def test_empty_record_has_all_patience_and_nothing_else_defined() -> None:
    check(record(), patience=10.0, recovery_fraction=0.0)
    check(record(hidden=()), patience=10.0)


def test_no_answer_scores_zero() -> None:
    check(record([{"type": "malformed", "reason": "?"}, end("no_answer")]), recovery_fraction=0.0)


# -- grounding -------------------------------------------------------------------------------------------------------
def test_success_after_asking_is_earned() -> None:
    made = record([question("color", granted=("color",))], [commit(True), end("accepted")])
    check(made, success=1, score=1, earned=1, aim=1, aim_precision=1, recovery=1, recovery_fraction=1)
    assert car(made) == {"full_credit": 1.0, "score": 1.0}


def test_success_without_asking_is_inferred() -> None:
    check(record([commit(True), end("accepted")]), success=1, score=1, inferred=1, recovery_fraction=0)


def test_success_with_nothing_hidden_is_neither() -> None:
    made = record([question("color", granted=("color",))], [commit(True), end("accepted")], hidden=())
    check(made, success=1, score=1, aim=0, aim_precision=0)


def test_half_of_what_is_hidden_is_not_earned() -> None:
    made = record([question("color", granted=("color",))], [commit(True), end("accepted")], hidden=("color", "size"))
    check(made, success=1, score=1, inferred=1, aim=1, aim_precision=1, recovery_fraction=0.5)


@pytest.mark.parametrize("how", ["declined", "volunteered", "confirmed", "free"])
def test_only_a_grant_elicits(how: str) -> None:
    ways: dict[str, dict[str, Any]] = {
        "declined": {"declined": ["color"]},
        "volunteered": {"volunteered": [["color", RED]]},
        "confirmed": {"confirmed": ["color"]},
        "free": {"free": ("color",)},
    }
    made = record([question("color", **ways[how])], [commit(True), end("accepted")])
    check(made, success=1, score=1, inferred=1, aim=1, aim_precision=1, recovery_fraction=0)


def test_volunteered_value_counts_once_it_was_asked_for() -> None:
    first = question("fit", free=("fit",), volunteered=[["color", RED]])
    made = record([first], [question("color", granted=("color",))], [commit(True), end("accepted")])
    check(made, success=1, score=1, earned=1, aim=0.5, aim_precision=0.5, recovery=1, recovery_fraction=1)


def test_value_of_the_users_own_records_counts() -> None:
    act = {"type": "act", "message": "Your profile: red.", "stated": [["color", "red"]]}
    check(record([act], [commit(True), end("accepted")]), success=1, score=1, earned=1, recovery=1, recovery_fraction=1)


def test_what_the_agent_wrote_itself_is_no_elicitation() -> None:
    read = {"type": "act", "message": "Your profile: red.", "stated": [["color", "red"]]}
    wrote = {"type": "act", "message": "Done.", "stated": [], "wrote": [["color", "red"]]}
    other = {**wrote, "wrote": [["color", "blue"]]}
    won = [commit(True), end("accepted")]
    check(record([wrote], [read], won), success=1, score=1, inferred=1, recovery_fraction=0)
    for events in ([read], [wrote]), ([other], [read]):
        check(record(*events, won), success=1, score=1, earned=1, recovery=1, recovery_fraction=1)


def test_a_value_that_drift_has_changed_since_it_was_read_counts_no_more() -> None:
    read = {"type": "act", "message": "Your profile: red.", "stated": [["color", "red"]]}
    made = record([read], [drift(1, ("color",))], [end("no_answer")])
    check(made, recovery_fraction=0, post_shift=0, post_shift_invalidating=0, staleness=0)


def test_what_is_learned_after_the_last_judged_commit_does_not_count() -> None:
    steps = [[commit(False, 0.7)], [question("color", granted=("color",))]]
    check(record(*steps, [end("no_answer")]), score=0.7, aim=1, aim_precision=1, recovery_fraction=0)


def test_score_is_that_of_the_last_judged_commit_even_if_lower() -> None:
    made = record([commit(False, 0.7)], [commit(False, 0.2), end("final_answer")])
    check(made, score=0.2, recovery_fraction=0)
    assert car(made) == {"full_credit": 0.0, "score": 0.2}


# -- aim -------------------------------------------------------------------------------------------------------------
def test_aim_counts_questions_and_precision_counts_slots() -> None:
    made = record(
        [question("size", "color", granted=("size",))],  # aimed: colour is hidden; 1 of 2 slots
        [question("fit", free=("fit",))],  # not aimed; 0 of 1
        [question(reply="unmatched")],  # not aimed; touches nothing
        [question("color", granted=("color",))],  # aimed; 1 of 1
        [question("color", granted=("color",))],  # already elicited: not aimed; 0 of 1
        [commit(True), end("accepted")],
    )
    check(made, success=1, score=1, earned=1, aim=2 / 5, aim_precision=2 / 5, recovery=1, recovery_fraction=1)


def test_aim_precision_is_undefined_where_questions_touch_nothing() -> None:
    check(record([question(reply="unmatched")], [end("no_answer")]), aim=0, recovery_fraction=0)


# -- drift -----------------------------------------------------------------------------------------------------------
def test_changed_value_must_be_elicited_again() -> None:
    """Colour is granted, then drifts: T = {colour}, V = {}."""
    steps = [[question("color", granted=("color",)), drift(1, ("color",))], [commit(True), end("accepted")]]
    check(
        record(*steps),
        **{"success": 1, "score": 1, "inferred": 1, "aim": 1, "aim_precision": 1, "recovery_fraction": 0},
        **{"reaction": 1, "reaction_exchanges": 0, "post_shift": 1, "post_shift_invalidating": 1},
    )


def test_drift_edits_what_is_to_be_found_out() -> None:
    """T: colour -> colour, size (refine) -> size (relax takes colour) ; V = {size}."""
    made = record(
        [question("color", granted=("color",)), drift(1, ("size",), relation="refine")],
        [question("size", granted=("size",)), drift(2, (), ("color",), relation="relax", invalidates=False)],
        [commit(True), end("accepted")],
    )
    check(
        made,
        **{"success": 1, "score": 1, "earned": 1, "aim": 1, "aim_precision": 1, "recovery": 1, "recovery_fraction": 1},
        **{"reaction": 1, "reaction_exchanges": 0, "post_shift": 1, "post_shift_invalidating": 1},
    )


def test_pivot_replaces_everything() -> None:
    """T: frame, colour, fit. Colour was granted before and keeps its value across the pivot: it stays elicited."""
    pivot = drift(5, ("thing", "color", "fit"), ("size",), ("thing", "size", "fit"), "pivot")
    made = record(
        [question("color", granted=("color",)), pivot], [commit(False), end("final_answer")], hidden=("size",)
    )
    found = grip(made)
    assert found["recovery_fraction"] == pytest.approx(1 / 3)
    assert (found["aim"], found["aim_precision"]) == (0.0, 0.0), "at the time of the question only size was hidden"


def test_target_may_become_empty() -> None:
    relax = drift(2, (), ("color",), relation="relax")
    made = record([question(reply="unmatched"), relax], [commit(True), end("accepted")])
    check(
        made,
        **{"success": 1, "score": 1, "aim": 0, "reaction": 1, "reaction_exchanges": 0, "post_shift": 1},
        post_shift_invalidating=1,
    )


def test_staleness_is_a_final_commit_that_fits_an_earlier_intent() -> None:
    stale = record([drift(3, ("color",)), commit(False, path=(0,)), end("final_answer")])
    check(stale, score=0.4, recovery_fraction=0, staleness=1, post_shift=0, post_shift_invalidating=0)
    wrong = record([drift(3, ("color",)), commit(False), end("final_answer")])
    check(wrong, score=0.4, recovery_fraction=0, staleness=0, post_shift=0, post_shift_invalidating=0)


def test_staleness_looks_at_the_final_commit_only() -> None:
    made = record([drift(3, ("color",)), commit(False, path=(0,))], [commit(False), end("final_answer")])
    assert grip(made)["staleness"] == 0.0


def test_staleness_without_a_judged_commit_is_not_stale() -> None:
    assert grip(record([drift(3, ("color",))], [end("no_answer")]))["staleness"] == 0.0


def test_commit_before_the_drift_that_fitted_then_is_stale_at_the_end() -> None:
    """Rejected at node 3 although it fits node 0; then a drift to 4 and no answer: what was last proposed is stale."""
    made = record([drift(3, ("color",)), commit(False, path=(0,)), drift(4, ("size",))], [end("no_answer")])
    assert grip(made)["staleness"] == 1.0


def test_drift_that_does_not_move_the_answer_defines_nothing() -> None:
    still = drift(1, ("color",), moves=False, invalidates=False)
    check(record([still, commit(False, path=(0,)), end("final_answer")]), score=0.4, recovery_fraction=0)
    check(record([still, commit(True), end("accepted")]), success=1, score=1, inferred=1, recovery_fraction=0)


def test_drift_that_moves_but_invalidates_nothing_leaves_the_narrower_signal_undefined() -> None:
    made = record([drift(2, (), ("color",), relation="relax", invalidates=False), commit(True), end("accepted")])
    found = grip(made)
    assert (found["post_shift"], found["reaction"]) == (1.0, 0.0), "it fired at that commit"
    assert math.isnan(found["post_shift_invalidating"])


def test_reaction_counts_turns_and_exchanges_from_the_last_drift_that_moved() -> None:
    act = {"type": "act", "message": "a page", "stated": []}
    made = record(
        [question("fit", free=("fit",)), drift(1, ("size",), relation="refine")],
        [question("size", granted=("size",)), drift(3, ("color",))],  # turn 2
        [act],
        [question("color", granted=("color",)), drift(4, ("fit",), moves=False, invalidates=False)],
        [{"type": "malformed", "reason": "?"}],
        [commit(False)],
        [commit(True), end("accepted")],  # turn 7
    )
    found = grip(made)
    assert (found["reaction"], found["reaction_exchanges"]) == (5.0, 2.0)
    assert math.isnan(found["staleness"])


def test_drift_after_a_rejection_counts_from_after_that_exchange() -> None:
    made = record([commit(False), drift(3, ("color",))], [commit(True), end("accepted")])
    assert (grip(made)["reaction"], grip(made)["reaction_exchanges"]) == (1.0, 0.0)


def test_announced_value_is_known() -> None:
    event = {**drift(3, ("color",)), "announced": [["color", RED]]}
    assert grip(record([event, commit(True), end("accepted")]))["earned"] == 1.0


# -- helpers ---------------------------------------------------------------------------------------------------------
def test_potential_is_the_share_found_out_and_zero_where_there_is_nothing() -> None:
    assert potential(record(hidden=())) == 0.0
    asked = [question("color", granted=("color",))]
    assert potential(record(asked, hidden=("color", "size"))) == 0.5
    assert potential(record([*asked, drift(3, ("color",))], hidden=("color", "size"))) == 0.0


def test_tracker_share_is_undefined_for_an_empty_target() -> None:
    assert math.isnan(Tracker(set()).share)


def test_full_credit_is_acceptance() -> None:
    assert full_credit({"success": 1.0}) == 1.0
    assert car(record()) == {"full_credit": 0.0, "score": 0.0}


def test_undefined_signals_of_a_running_episode_are_nan_not_zero() -> None:
    running = record([commit(False, score=NAN)])
    running.steps[0].events[0]["score"] = None
    assert math.isnan(grip(running)["score"])
