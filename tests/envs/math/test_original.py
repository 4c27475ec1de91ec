"""GSM8K's own problems as frames: what is admitted, that every stale item changes the verdict, and requests."""

from __future__ import annotations

import json
import re
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from intent_gym.construct.pool import default_readers
from intent_gym.construct.samples import build_graphs, build_pool
from intent_gym.construct.settings import Settings
from intent_gym.core.config import ProtocolConfig
from intent_gym.core.intent import Condition, Value
from intent_gym.envs.math.data import load_math
from intent_gym.envs.math.grade import grade
from intent_gym.envs.math.host import MathHost, load
from intent_gym.envs.math.original import OTHERS, TRAIN_ROWS
from intent_gym.errors import DataError
from intent_gym.testing.hosts import check_host

NOTHING: frozenset[str] = frozenset()
DUCKS = {
    "question": "A hen lays 16 eggs a day. Ben eats three of them and sells the rest for $2 each. What does he get?",
    "answer": "There are 16-3=<<16-3=13>>13 eggs left.\nHe gets 13*2=$<<13*2=26>>26.\n#### 26",
}


@pytest.fixture(scope="module")
def folder(shared_data: Path) -> str:
    return str(shared_data / "intentflux" / "gsm8k")


@pytest.fixture(scope="module")
def host(folder: str) -> MathHost:
    return load(folder)


def test_a_problem_by_hand(tmp_path: Path) -> None:
    for split in ("train", "test"):
        (tmp_path / f"{split}.jsonl").write_text(json.dumps(DUCKS) + "\n")
    host = load(str(tmp_path))
    check_host(host)
    goal = next(g for g in host.goals() if g.id == "test-0")
    frame = goal.intent.frame
    text = "A hen lays [A] eggs a day. Ben eats [B] of them and sells the rest for $[C] each."
    assert host.brief(frame).startswith(text)
    assert {c.slot: c.value for c in goal.intent.conditions} == {"quantity_a": 16, "quantity_b": 3, "quantity_c": 2}
    values: dict[str, Value] = {"quantity_a": 15, "quantity_b": 4, "quantity_c": 3, "last": "no last step"}
    assert host.solve(frame, values) == "33"
    assert host.solve(frame, {**values, "last": "doubling"}) == "66"
    assert host.solve(frame, {**values, "last": "subtracting seven"}) == "26"
    assert host.neutral("last", frame) == "no last step"


def test_counts(host: MathHost, folder: str) -> None:
    admitted = Counter(g.split for g in host.goals())
    rows = Counter(t.split for t in load_math(folder))
    print(dict(admitted), "rejected:")
    for reason, count in sorted(host.rejections.items()):
        print(f"  {count:4d} {reason}")
    assert admitted["test"] >= 300
    assert sum(host.rejections.values()) + len(host.goals()) == rows["test"] + min(rows["train"], TRAIN_ROWS)


def test_conformance(host: MathHost) -> None:
    check_host(host)


def test_gold_answers_are_those_of_the_file(host: MathHost, folder: str) -> None:
    tasks = {t.id: t for t in load_math(folder)}
    for goal in host.goals():
        task = tasks[goal.id]
        answer = host.best(goal.intent, NOTHING)
        assert answer is not None
        assert Fraction(answer) == task.gold
        assert grade(task.case, answer).full_credit
        assert host.accepts(host.closed(goal.intent), answer)
        assert not host.accepts(host.closed(goal.intent), "I cannot say")
        assert goal.split == task.split


def test_every_stale_item_changes_the_verdict_of_the_source(host: MathHost, folder: str) -> None:
    tasks = {t.id: t for t in load_math(folder)}
    count: Counter[str] = Counter()
    for goal in host.goals():
        final = host.closed(goal.intent)
        for slot, now in final.by_slot.items():
            kind = "decoy" if slot == "last" else "variant"
            others = [v for v in host.domain(slot, goal.intent.frame) if v != now.value]
            assert len(others) == OTHERS
            for value in others:
                stale = host.best(final.having(Condition(slot, "=", value)), NOTHING)
                assert stale is not None
                count[kind] += 1
                count[f"{kind} told apart"] += not grade(tasks[goal.id].case, stale).full_credit
    print(dict(count))
    assert count["variant told apart"] == count["variant"] > 5000
    assert count["decoy told apart"] == count["decoy"] > 1000


def test_letters_stand_in_the_text_and_their_values_do_not_tell_the_goal(host: MathHost, folder: str) -> None:
    tasks = {t.id: t for t in load_math(folder)}
    for goal in host.goals():
        brief = host.brief(goal.intent.frame)
        letters = [c.slot[-1].upper() for c in goal.intent.conditions]
        assert re.findall(r"\[([A-E])\]", brief) == sorted(letters)
        text = brief.split("\n\nA letter in brackets")[0]
        rest = re.split(r"\[[A-E]\]", text)
        assert all(part.strip() in tasks[goal.id].question for part in rest)


def test_tables_are_the_exact_answers(host: MathHost) -> None:
    for goal in host.goals()[::25]:
        frame = host._frames[goal.intent.frame]
        ids = host.answers(goal.intent.without(goal.intent.conditions[0].slot))
        first = host._first(frame.name)
        for answer in ids[:: max(1, len(ids) // 20)].tolist():
            exact = frame.work.exact(host.assignment(answer)[1])
            near = frame.table[answer - first]
            assert np.isnan(near) if exact is None else abs(near - float(exact)) <= 1e-9 * max(1.0, abs(float(exact)))


@pytest.mark.parametrize("faults", [1, 2])
def test_requests_can_be_told(host: MathHost, faults: int) -> None:
    settings = Settings()
    graphs = build_graphs(host, settings)
    made = build_pool(host, "test", faults, ProtocolConfig(), settings, graphs, default_readers())
    report: Any = made.report
    tried = len(made.samples) + sum(n for (step, _), n in report.rejected.items() if step in ("surface", "readers"))
    print(faults, len(made.samples), f"read right {len(made.samples) / tried:.3f}", dict(report.rejected))
    assert len(made.samples) >= 300
    assert len(made.samples) / tried > 0.9


def test_folders_without_problems_are_named_errors(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"test\.jsonl"):
        load(str(tmp_path))
    (tmp_path / "test.jsonl").write_text(json.dumps({"question": "How many?", "answer": "#### 1"}) + "\n")
    with pytest.raises(DataError, match="worked again"):
        load(str(tmp_path))
