"""The host of calls: the contract, gold and empty answers, consequences of every stale item, requests."""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from intent_gym.construct.pool import pool
from intent_gym.core.intent import Condition, Intent
from intent_gym.envs.answers import AnswerHost
from intent_gym.envs.tools.host import ToolsHost, load
from intent_gym.testing.hosts import check_host

NOTHING: frozenset[str] = frozenset()


@pytest.fixture(scope="module")
def host() -> ToolsHost:
    return load()


def test_conformance(host: ToolsHost) -> None:
    check_host(host)


def test_gold_answers_get_full_credit_and_empty_ones_none(host: ToolsHost) -> None:
    for goal in host.goals():
        intent = host.closed(goal.intent)
        gold = host.best(goal.intent, NOTHING)
        assert gold is not None
        assert host.accepts(intent, gold)
        assert host.accepts(intent, f"```python\n{gold}\n```")
        assert host.proposal(None, "  ") is None
        for text in ("[]", "I do not know"):
            assert not host.accepts(intent, text)
            assert host.score(intent, text) == 0.0


def test_every_variant_and_decoy_changes_the_verdict(host: ToolsHost) -> None:
    count: Counter[str] = Counter()
    for goal in host.goals()[::4]:
        final = host.closed(goal.intent)
        for slot, now in final.by_slot.items():
            kind = "variant" if slot in goal.intent.by_slot else "decoy"
            for value in host.domain(slot, goal.intent.frame):
                if value != now.value:
                    stale = host.best(host.closed(goal.intent.having(Condition(slot, "=", value))), NOTHING)
                    assert stale is not None
                    count[kind] += 1
                    count[f"{kind} told apart"] += not host.accepts(final, stale)
                    assert host.judge(final, stale).violated == (slot,)
    print(dict(count))
    assert count["variant told apart"] == count["variant"] > 3000
    assert count["decoy told apart"] == count["decoy"] > 1000


def test_equal_keys_are_equal_grades(host: ToolsHost) -> None:
    frame = "train search in either direction"
    values: dict[str, Any] = {
        s: host.domain(s, frame)[0] for s in (x.id for x in host.slots[1:]) if host.domain(s, frame)
    }
    values |= {s: host.neutral(s, frame) for s in values if host.neutral(s, frame) is not None}
    gold = host.solve(frame, values)
    there, back = gold.strip("[]").split(", transit")
    swapped = f"[transit{back}, {there}]"
    spelled = gold.replace(str(values["city"]), str(values["city"]).upper())
    assert gold != swapped
    assert host.key(frame, gold) == host.key(frame, swapped) == host.key(frame, spelled)
    assert all(host.grade(frame, values, text).full_credit for text in (gold, swapped, spelled))
    assert host.key(frame, "what?") is None
    told = gold.replace(")", ", language='English')")
    assert host.key(frame, told) != host.key(frame, gold)
    assert host.grade(frame, values, told).full_credit


def test_answers_are_traced_back_to_what_they_leave_open(host: ToolsHost) -> None:
    """Looking an answer up agrees with working out every completion."""
    frame = "table booking"
    city, day = host.domain("city", frame), host.domain("day", frame)
    intent = Intent(frame, (Condition("city", "=", city[0]), Condition("day", "=", day[0])))
    within = {host.outcome(int(a)) for a in host.answers(intent)}
    everything = host.answers(Intent(frame, ()))
    for answer in itertools.islice(everything, 0, None, 37):
        outcome = host.outcome(int(answer))
        assert host.accepts(intent, outcome) == (outcome in within)


def test_related_requests_share_their_material(host: ToolsHost) -> None:
    for frame in host.frames:
        related = host.related_frames(frame)
        assert related
        assert {host.brief(other) for other in related} == {host.brief(frame)}
    assert host.brief("no such frame") == ""
    assert host.related_frames("no such frame") == ()


@pytest.mark.parametrize("split", ["train", "test"])
@pytest.mark.parametrize("faults", [1, 2])
def test_requests_can_be_told(host: ToolsHost, faults: int, split: str, only_full: Callable[[bool], None]) -> None:
    only_full(faults == 1 or split == "test")
    made = pool(host, split, faults)
    report: Any = made.report
    tried = len(made.samples) + sum(n for (step, _), n in report.rejected.items() if step in ("surface", "readers"))
    print(faults, split, len(made.samples), f"read right {len(made.samples) / tried:.3f}", dict(report.rejected))
    assert len(made.samples) >= 400
    assert len(made.samples) / tried > 0.95


def test_grading_is_fast(host: ToolsHost) -> None:
    goals = host.goals()[:300]
    cases = [(g.intent.frame, {c.slot: c.value for c in host.closed(g.intent).conditions}) for g in goals]
    start = time.process_time()
    for frame, values in cases:
        answer = host.solve(frame, values)
        host.key(frame, answer)
        host.grade(frame, values, answer)
    each = (time.process_time() - start) / len(cases)
    print(f"{each * 1e6:.0f} microseconds for solve, key and grade")
    assert each < 2e-3


def test_all_slots_at_once_tell_the_same_as_one_after_the_other(host: ToolsHost) -> None:
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
