"""The embedded haystacks as a host: the contract, gold and empty answers, consequences of stale items, requests."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from intent_gym.construct.pool import pool
from intent_gym.core.intent import Condition, Intent
from intent_gym.core.rng import Purpose, integer, key_of
from intent_gym.envs.summary.frames import NOTHING as SILENT
from intent_gym.envs.summary.frames import Held
from intent_gym.envs.summary.generator import SLOTS, StoryFrame, generate
from intent_gym.envs.summary.host import SummaryHost, load
from intent_gym.errors import DataError
from intent_gym.testing.hosts import check_host

NOTHING: frozenset[str] = frozenset()


@pytest.fixture(scope="module")
def host() -> SummaryHost:
    return load()


def values_of(host: SummaryHost, intent: Intent) -> dict[str, str | int | float]:
    return {c.slot: c.value for c in host.closed(intent).conditions}


def test_conformance(host: SummaryHost, full: bool) -> None:
    check_host(host, trials=60 if full else 15)


def test_gold_answers_get_full_credit_and_empty_ones_none(host: SummaryHost) -> None:
    assert len(host.goals()) == 1008
    for goal in host.goals():
        final = host.closed(goal.intent)
        gold = host.best(goal.intent, NOTHING)
        assert gold is not None
        assert host.accepts(final, gold)
        assert host.accepts(final, f"## Summary\nHere it is:\n\n{gold}\n")
        assert host.proposal(None, " \n") is None
        for text in ("I do not know.", SILENT):
            assert not host.accepts(final, text)
            assert host.score(final, text) == 0.0


def test_every_other_value_nearly_always_changes_the_verdict(host: SummaryHost) -> None:
    count: Counter[str] = Counter()
    told: Counter[str] = Counter()
    fewest = 99
    for goal in host.goals()[::4]:
        final = host.closed(goal.intent)
        decoys = 0
        for slot, now in final.by_slot.items():
            kind = "variant" if slot in goal.intent.by_slot else "decoy"
            for value in host.domain(slot, goal.intent.frame):
                if value != now.value:
                    stale = host.best(host.closed(goal.intent.having(Condition(slot, "=", value))), NOTHING)
                    assert stale is not None
                    moved = not host.accepts(final, stale)
                    count[f"{kind} {slot}"] += 1
                    told[f"{kind} {slot}"] += moved
                    decoys += moved and kind == "decoy"
        fewest = min(fewest, decoys)
    print({name: f"{told[name]}/{n}" for name, n in sorted(count.items())})
    assert all(told[name] >= 0.85 * n for name, n in count.items())
    assert told.total() >= 0.97 * count.total()
    assert fewest >= 3


def test_equal_keys_are_equal_grades(host: SummaryHost) -> None:
    goal = host.goals()[0]
    frame, values = goal.intent.frame, values_of(host, goal.intent)
    gold = host.solve(frame, values)
    lines = gold.splitlines()
    same = [
        gold,
        "\n".join(lines[::-1]),
        f"Summary:\n{gold}",
        gold.replace("- ", "* ").replace(", ", "]["),
        gold.replace("- ", "").upper(),
    ]
    assert len({host.key(frame, text) for text in same}) == 1
    assert {host.grade(frame, values, text).score for text in same} == {1.0}
    assert host.key(frame, "\n## Summary\n") is None


def test_grades_follow_keys_on_damaged_answers(host: SummaryHost) -> None:
    """Lines of several right summaries are mixed: the key alone decides the grade, in whatever order they stand."""
    for number, goal in enumerate(host.goals()[::50]):
        frame, values = goal.intent.frame, values_of(host, goal.intent)
        others = [g for g in host.goals() if g.intent.frame == frame][:8]
        lines = [line for g in others for line in host.solve(frame, values_of(host, g.intent)).splitlines()]
        key = key_of("mixed", number)
        picked = sorted(lines, key=lambda line: integer(key, Purpose.TASK, key_of(line) % (1 << 48)))[:4]
        seen = {
            (host.key(frame, "\n".join(p)), host.grade(frame, values, "\n".join(p)).score)
            for p in (picked, picked[::-1])
        }
        assert len(seen) == 1


def test_bullets_beyond_the_length_lower_the_score(host: SummaryHost) -> None:
    goal = next(g for g in host.goals() if len(values_of(host, g.intent)) == len(g.intent.conditions) + 3)
    frame, values = goal.intent.frame, values_of(host, goal.intent)
    short = {**values, "length": "one bullet"}
    full, one = host.solve(frame, values), host.solve(frame, short)
    count = len(full.splitlines())
    assert count > 1
    assert host.grade(frame, short, one).full_credit
    assert host.grade(frame, short, full).score == pytest.approx(1 / count)
    everything = "\n".join(host.solve(frame, {**values, "aspect": a}) for a in host.values("aspect", frame))
    assert host.grade(frame, values, everything).score == pytest.approx(3 / len(everything.splitlines()))
    assert host.grade(frame, values, one).score == pytest.approx(1 / count)


def test_what_a_summary_violates(host: SummaryHost) -> None:
    goal = host.goals()[0]
    final = host.closed(goal.intent)
    wrong = next(v for v in host.domain("aspect", goal.intent.frame) if v != final.by_slot["aspect"].value)
    stale = host.best(final.having(Condition("aspect", "=", wrong)), NOTHING)
    assert stale is not None
    assert host.judge(final, stale).violated == ("aspect",)
    assert host.judge(final, "Something else altogether.").violated == ("summary",)


def test_where_the_documents_are_silent_nothing_is_the_answer() -> None:
    made = generate()[0]
    silent = StoryFrame(
        **{name: getattr(made, name) for name in made.__dataclass_fields__ if name not in ("_asked", "held")},
        held=tuple(Held(d.index, ()) for d in made.held),
    )
    host = SummaryHost(SLOTS, [silent], [])
    values = {slot: domain[0] for slot, domain in silent.domains.items()}
    assert host.solve(silent.name, values) == SILENT
    for answer, score in (
        (SILENT, 1.0),
        ("Nothing.", 1.0),
        ("Nothing [3].", 0.0),
        ("- Costs rose [3].", 0.0),
        ("", 0.0),
    ):
        assert host.grade(silent.name, values, answer).score == score, answer
    assert host.key(silent.name, SILENT) == host.key(silent.name, "There is nothing.")
    assert host.key(silent.name, SILENT) != host.key(silent.name, "There is something.")


def test_splits_share_no_haystack(host: SummaryHost) -> None:
    frames = {split: {g.intent.frame for g in host.goals() if g.split == split} for split in ("train", "test")}
    assert not frames["train"] & frames["test"]
    briefs = {split: {host.brief(f) for f in found} for split, found in frames.items()}
    assert not briefs["train"] & briefs["test"]


def test_material_tells_all_values_of_a_slot_or_none(host: SummaryHost) -> None:
    for frame in host.frames:
        brief = host.brief(frame)
        for slot in ("outlet", "month", "district"):
            assert all(brief.count(str(v)) >= 2 for v in host.values(slot, frame))
        assert host.noun(frame) == f"a {frame}"
        assert [host.brief(other) for other in host.related_frames(frame)] == [brief]
    assert host.brief("no such frame") == ""
    assert host.related_frames("no such frame") == ()


@pytest.mark.parametrize("split", ["train", "test"])
@pytest.mark.parametrize("faults", [1, 2])
def test_requests_can_be_told(host: SummaryHost, faults: int, split: str, only_full: Callable[[bool], None]) -> None:
    only_full(faults == 1 or split == "test")
    made = pool(host, split, faults)
    report: Any = made.report
    tried = len(made.samples) + sum(n for (step, _), n in report.rejected.items() if step in ("surface", "readers"))
    print(faults, split, len(made.samples), f"read right {len(made.samples) / tried:.3f}", dict(report.rejected))
    assert len(made.samples) >= 400
    assert len(made.samples) / tried > 0.97


def test_grading_is_fast(host: SummaryHost) -> None:
    cases = [(g.intent.frame, values_of(host, g.intent)) for g in host.goals()[:300]]
    start = time.process_time()
    for frame, values in cases:
        answer = host.solve(frame, values)
        host.key(frame, answer)
        host.grade(frame, values, answer)
    each = (time.process_time() - start) / len(cases)
    print(f"{each * 1e6:.0f} microseconds for solve, key and grade")
    assert each < 4e-3


def test_other_sources_are_named_errors() -> None:
    with pytest.raises(DataError):
        load("no such folder")
