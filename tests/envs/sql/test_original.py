"""Spider's questions with letters: how many, that golds hold and everything stale changes the verdict."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from intent_gym.construct.plans import material
from intent_gym.construct.pool import pool
from intent_gym.core.intent import Condition, Intent
from intent_gym.envs.sql.data import load as load_data
from intent_gym.envs.sql.grade import grade
from intent_gym.envs.sql.host import SqlHost, load
from intent_gym.envs.sql.tables import same_table
from intent_gym.errors import DataError
from intent_gym.testing.hosts import check_host

NOTHING: frozenset[str] = frozenset()


@pytest.fixture(scope="module")
def host(shared_data: Path) -> SqlHost:
    return load(str(shared_data / "intentflux" / "spider"))


def test_counts(host: SqlHost, capsys: pytest.CaptureFixture[str]) -> None:
    splits = Counter(g.split for g in host.goals())
    letters = Counter(len(g.intent.conditions) for g in host.goals())
    with capsys.disabled():
        print(f"\nSpider: {len(host.frames)} admitted {dict(splits)}, by goals {dict(sorted(letters.items()))}")
        for reason, count in sorted(host.rejections.items()):
            print(f"  {count} not: {reason}")
    assert len(host.goals()) == len(host.frames) >= 300
    assert len(host.frames) + sum(host.rejections.values()) == 1034
    assert min(splits.values()) >= 80


def test_conformance(host: SqlHost) -> None:
    check_host(host, trials=30)


def test_splits_have_no_database_in_common(host: SqlHost) -> None:
    databases: dict[str, set[str]] = {"train": set(), "test": set()}
    for goal in host.goals():
        databases[goal.split].add(host._frames[goal.intent.frame].database.name)
    assert not databases["train"] & databases["test"]


def test_golds_are_the_sources_own(host: SqlHost, shared_data: Path) -> None:
    """The rendered gold and the source's gold have one table, and the source's grader accepts the rendered one."""
    data = load_data(shared_data / "intentflux" / "spider")
    tasks = {str(t.id): t for t in data.tasks}
    for number, goal in enumerate(host.goals()):
        task = tasks[goal.id]
        intent = host.closed(goal.intent)
        gold = host.best(goal.intent, NOTHING)
        assert gold is not None
        assert host.accepts(intent, gold)
        own = host._frames[goal.intent.frame].database.run(task.gold)
        assert same_table(own, host.gold(int(host.answers(intent)[0])))
        if number % 10 == 0:
            assert host.accepts(intent, task.gold)
            assert grade(task.case, gold, data.folder).full_credit
            assert not grade(task.case, "", data.folder).full_credit


def test_everything_stale_changes_the_verdict(host: SqlHost) -> None:
    looked = admitted = 0
    decoys: Counter[int] = Counter()
    for goal in host.goals():
        found = material(host, goal)
        assert found is not None, goal.id
        looked, admitted = looked + found.looked, admitted + found.admitted
        decoys[len(found.decoys)] += 1
    print(f"{admitted} of {looked} stale goals are of consequence; decoys {dict(sorted(decoys.items()))}")
    assert admitted == looked > 3000


def test_letters_replace_the_values_in_the_question(host: SqlHost) -> None:
    for goal in host.goals():
        question = host.brief(goal.intent.frame).split("\n\n")[1]
        for condition in goal.intent.conditions:
            word = host.slot(condition.slot).word
            letter = f"[{word}]" if word.startswith("comparison") else f"[{word[-1]}]"
            assert question.count(letter) == 1, question
        assert question.count("[") == len(goal.intent.conditions)


def test_ties_may_come_in_any_order_and_others_not(host: SqlHost) -> None:
    ordered = [f for f in host._frames.values() if type(f.order).__name__ == "_Ordered"]
    assert ordered
    seen = 0
    for frame in ordered:
        goal = next(g for g in host.goals() if g.intent.frame == frame.name)
        gold = host.gold(int(host.answers(host.closed(goal.intent))[0]))
        assert gold.groups is not None
        if len(set(gold.rows)) > 1 and len(set(gold.groups)) == len(gold.rows):
            right = host.best(goal.intent, NOTHING)
            backwards = f"SELECT * FROM ({right}) ORDER BY row_number() OVER () DESC"
            assert not host.accepts(host.closed(goal.intent), backwards)
            seen += 1
        if seen == 5:
            break
    assert seen


def test_an_open_form_accepts_answers_of_every_width(host: SqlHost) -> None:
    goal = next(
        g
        for g in host.goals()
        if len(host.values("form", g.intent.frame)) == 3 and host.gold(int(host.answers(g.intent)[0])).columns == 1
    )
    wide = next(
        g
        for g in host.goals()
        if len(host.values("form", g.intent.frame)) == 3
        and host.gold(int(host.answers(host.closed(g.intent))[0])).columns > 1
    )
    for found in (goal, wide):
        for form in host.values("form", found.intent.frame):
            values: dict[str, Any] = {c.slot: c.value for c in host.closed(found.intent).conditions}
            text = host.solve(found.intent.frame, {**values, "form": form})
            assert host.accepts(found.intent, f"{text} -- mine")
            fixed = found.intent.having(Condition("form", "=", form))
            assert host.accepts(Intent(fixed.frame, fixed.conditions), f"{text} -- mine")


@pytest.mark.parametrize(("split", "least"), [("train", 120), ("test", 60)])
@pytest.mark.parametrize("faults", [1, 2])
def test_requests_can_be_told(host: SqlHost, faults: int, split: str, least: int) -> None:
    made = pool(host, split, faults)
    report: Any = made.report
    tried = len(made.samples) + sum(n for (step, _), n in report.rejected.items() if step in ("surface", "readers"))
    print(faults, split, len(made.samples), f"read right {len(made.samples) / tried:.3f}", dict(report.rejected))
    assert len(made.samples) >= least
    assert len(made.samples) / tried > 0.97


def test_a_folder_without_questions_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"dev\.json"):
        load(str(tmp_path))
