"""The host of word problems: the contract, gold and empty answers, consequences of every stale item, requests."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from intent_gym.construct.pool import pool
from intent_gym.core.intent import Condition, Intent
from intent_gym.envs.answers import AnswerHost
from intent_gym.envs.math.host import MathHost, load
from intent_gym.testing.hosts import check_host

NOTHING: frozenset[str] = frozenset()


@pytest.fixture(scope="module")
def host() -> MathHost:
    return load()


def test_conformance(host: MathHost) -> None:
    check_host(host)


def test_gold_answers_get_full_credit_and_empty_ones_none(host: MathHost) -> None:
    for goal in host.goals():
        intent = host.closed(goal.intent)
        gold = host.best(goal.intent, NOTHING)
        assert gold is not None
        assert host.accepts(intent, gold)
        assert host.accepts(intent, f"Let me see.\n#### {gold}")
        assert host.proposal(None, "  ") is None
        for text in ("I do not know", "#### ?"):
            assert not host.accepts(intent, text)
            assert host.score(intent, text) == 0.0


def test_every_variant_and_decoy_changes_the_verdict(host: MathHost) -> None:
    count: Counter[str] = Counter()
    for goal in host.goals()[::3]:
        final = host.closed(goal.intent)
        frame = goal.intent.frame
        for slot, now in final.by_slot.items():
            kind = "variant" if slot in goal.intent.by_slot else "decoy"
            for value in host.domain(slot, frame):
                if value != now.value:
                    stale = host.best(host.closed(goal.intent.having(Condition(slot, "=", value))), NOTHING)
                    assert stale is not None
                    count[kind] += 1
                    count[f"{kind} told apart"] += not host.accepts(final, stale)
    print(dict(count))
    assert count["variant told apart"] == count["variant"] > 5000
    assert count["decoy told apart"] == count["decoy"] > 1000


def test_equal_keys_are_equal_grades(host: MathHost) -> None:
    goal = host.goals()[0]
    frame, intent = goal.intent.frame, host.closed(goal.intent)
    values = {c.slot: c.value for c in intent.conditions}
    gold = host.solve(frame, values)
    same = [gold, f"${gold}", f"The answer is {gold}.", f"\\boxed{{{gold}}}"]
    assert len({host.key(frame, text) for text in same}) == 1
    assert all(host.grade(frame, values, text).full_credit for text in same)
    assert host.key(frame, "none") is None
    assert host.key(frame, gold) == Fraction(gold)


def test_what_an_answer_violates(host: MathHost) -> None:
    goal = next(g for g in host.goals() if "product" in g.intent.by_slot)
    final = host.closed(goal.intent)
    wrong = next(v for v in host.domain("product", goal.intent.frame) if v != final.by_slot["product"].value)
    stale = host.best(final.having(Condition("product", "=", wrong)), NOTHING)
    assert stale is not None
    verdict = host.judge(final, stale)
    assert not verdict.accepted
    assert len(verdict.violated) == 1
    assert host.judge(final, "#### 123456789").violated == ("task",)


def test_related_questions_share_their_material(host: MathHost) -> None:
    for frame in host.frames:
        related = host.related_frames(frame)
        assert related
        assert {host.brief(other) for other in related} == {host.brief(frame)}
    assert host.brief("no such frame") == ""
    assert host.related_frames("no such frame") == ()


def test_briefs_tell_no_goal(host: MathHost) -> None:
    """The material lists all values of a choice or none of them, and no number that a person sets."""
    for frame in host.frames[::5]:
        brief = host.brief(frame)
        for slot in host.slots[1:]:
            values = host.values(slot.id, frame)
            told = {v for v in values if isinstance(v, str) and v in brief}
            if slot.id in ("destination", "product", "material", "transport") and told:
                assert told == set(values)


@pytest.mark.parametrize("split", ["train", "test"])
@pytest.mark.parametrize("faults", [1, 2])
def test_requests_can_be_told(host: MathHost, faults: int, split: str, only_full: Callable[[bool], None]) -> None:
    only_full(faults == 1 or split == "test")
    made = pool(host, split, faults)
    report: Any = made.report
    tried = len(made.samples) + sum(n for (step, _), n in report.rejected.items() if step in ("surface", "readers"))
    print(faults, split, len(made.samples), f"read right {len(made.samples) / tried:.3f}", dict(report.rejected))
    assert len(made.samples) >= 400
    assert len(made.samples) / tried > 0.9


def test_grading_is_fast(host: MathHost) -> None:
    goals = host.goals()[:300]
    cases = [(g.intent.frame, {c.slot: c.value for c in host.closed(g.intent).conditions}) for g in goals]
    start = time.process_time()
    for frame, values in cases:
        answer = host.solve(frame, values)
        host.key(frame, answer)
        host.grade(frame, values, answer)
    each = (time.process_time() - start) / len(cases)
    print(f"{each * 1e6:.0f} microseconds for solve, key and grade")
    assert each < 1e-3


def test_all_slots_at_once_tell_the_same_as_one_after_the_other(host: MathHost) -> None:
    rng = np.random.default_rng(0)
    told: Counter[bool] = Counter()
    for goal in rng.permutation(np.array(host.goals(), dtype=object))[:60]:
        frame, conditions = goal.intent.frame, goal.intent.conditions
        answer = host.outcome(int(rng.choice(host.answers(Intent(frame, ())))))
        near = host.outcome(int(rng.choice(host.answers(goal.intent.without(conditions[0].slot)))))
        for outcome in (answer, near, "no answer"):
            for intent in (goal.intent, goal.intent.without(conditions[-1].slot), host.closed(goal.intent)):
                expected = AnswerHost._violated(host, intent, outcome)
                assert host._violated(intent, outcome) == expected
                told[expected == (host.frame_slot.id,)] += 1
    assert min(told.values()) > 20
