"""The embedded tables as a host: the contract, gold and empty answers, consequences of stale items, requests."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from intent_gym.construct.pool import pool
from intent_gym.core.intent import Condition
from intent_gym.envs.data_to_text.host import DataToTextHost, load
from intent_gym.errors import DataError
from intent_gym.testing.hosts import check_host

NOTHING: frozenset[str] = frozenset()


@pytest.fixture(scope="module")
def host() -> DataToTextHost:
    return load()


def test_conformance(host: DataToTextHost, full: bool) -> None:
    check_host(host, trials=60 if full else 15)


def test_gold_answers_get_full_credit_and_empty_ones_none(host: DataToTextHost) -> None:
    assert len(host.goals()) == 1000
    for goal in host.goals():
        final = host.closed(goal.intent)
        gold = host.best(goal.intent, NOTHING)
        assert gold is not None
        assert host.accepts(final, gold)
        assert host.accepts(final, f"  {gold}\n")
        assert not host.accepts(final, gold.lower())
        assert 0.0 < host.score(final, f"The sentence: {gold}") < 1.0
        assert host.proposal(None, " \n") is None
        assert host.score(final, "I do not know") == 0.0


def test_every_variant_and_decoy_changes_the_verdict(host: DataToTextHost) -> None:
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
    print(dict(count))
    assert count["variant told apart"] == count["variant"] > 4000
    assert count["decoy told apart"] == count["decoy"] > 1000


def test_equal_keys_are_equal_grades(host: DataToTextHost) -> None:
    goal = host.goals()[0]
    frame = goal.intent.frame
    values = {c.slot: c.value for c in host.closed(goal.intent).conditions}
    gold = host.solve(frame, values)
    same = [gold, f" {gold} ", gold.replace(" ", "\n", 1), gold.replace(" ", "  ")]
    assert len({host.key(frame, text) for text in same}) == 1
    assert {host.grade(frame, values, text).score for text in same} == {1.0}
    assert host.key(frame, " ") is None


def test_what_a_sentence_violates(host: DataToTextHost) -> None:
    goal = host.goals()[0]
    final = host.closed(goal.intent)
    for slot in final.by_slot:
        wrong = next(v for v in host.domain(slot, goal.intent.frame) if v != final.by_slot[slot].value)
        stale = host.best(final.having(Condition(slot, "=", wrong)), NOTHING)
        assert stale is not None
        assert host.judge(final, stale).violated == (slot,)
    assert host.judge(final, "Something else altogether.").violated == ("sentence",)


def test_splits_share_no_table(host: DataToTextHost) -> None:
    frames = {split: {g.intent.frame for g in host.goals() if g.split == split} for split in ("train", "test")}
    assert not frames["train"] & frames["test"]
    briefs = {split: {host.brief(f) for f in found} for split, found in frames.items()}
    assert not briefs["train"] & briefs["test"]
    assert {len(found) for found in briefs.values()} == {15, 5}


def test_material_tells_all_values_of_a_slot_or_none(host: DataToTextHost) -> None:
    for frame in host.frames:
        brief = host.brief(frame)
        assert all(str(v) in brief for slot in ("row", "detail", "figure", "verb") for v in host.values(slot, frame))
        assert host.noun(frame) == f"a {frame}"
        assert [host.brief(other) for other in host.related_frames(frame)] == [brief]
    assert host.brief("no such frame") == ""


@pytest.mark.parametrize("split", ["train", "test"])
@pytest.mark.parametrize("faults", [1, 2])
def test_requests_can_be_told(host: DataToTextHost, faults: int, split: str, only_full: Callable[[bool], None]) -> None:
    only_full(faults == 1 or split == "test")
    made = pool(host, split, faults)
    report: Any = made.report
    tried = len(made.samples) + sum(n for (step, _), n in report.rejected.items() if step in ("surface", "readers"))
    print(faults, split, len(made.samples), f"read right {len(made.samples) / tried:.3f}", dict(report.rejected))
    assert len(made.samples) >= 400
    assert len(made.samples) / tried > 0.97


def test_grading_is_fast(host: DataToTextHost) -> None:
    cases = [(g.intent.frame, {c.slot: c.value for c in host.closed(g.intent).conditions}) for g in host.goals()[:300]]
    start = time.process_time()
    for frame, values in cases:
        answer = host.solve(frame, values)
        host.key(frame, answer)
        host.grade(frame, values, answer)
    each = (time.process_time() - start) / len(cases)
    print(f"{each * 1e6:.0f} microseconds for solve, key and grade")
    assert each < 1e-3


def test_other_sources_are_named_errors() -> None:
    with pytest.raises(DataError):
        load("no such folder")
