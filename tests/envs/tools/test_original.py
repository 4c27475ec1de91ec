"""BFCL's own requests as frames: what is admitted, that every stale item changes the verdict, and requests."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from intent_gym.construct.pool import default_readers
from intent_gym.construct.samples import build_graphs, build_pool
from intent_gym.construct.settings import Settings
from intent_gym.core.config import ProtocolConfig
from intent_gym.core.intent import Condition
from intent_gym.envs.tools.data import load_tools
from intent_gym.envs.tools.grade import grade
from intent_gym.envs.tools.host import ToolsHost, load
from intent_gym.envs.tools.match import normalised
from intent_gym.errors import DataError
from intent_gym.testing.hosts import check_host

NOTHING: frozenset[str] = frozenset()


@pytest.fixture(scope="module")
def folder(shared_data: Path) -> str:
    return str(shared_data / "intentflux" / "bfcl")


@pytest.fixture(scope="module")
def host(folder: str) -> ToolsHost:
    return load(folder)


def test_counts(host: ToolsHost, folder: str) -> None:
    admitted = Counter(g.split for g in host.goals())
    decoys = sum(any(host.neutral(s.id, g.intent.frame) for s in host.slots[1:]) for g in host.goals())
    print(dict(admitted), f"{decoys} with decoys; rejected:")
    for reason, count in sorted(host.rejections.items()):
        print(f"  {count:4d} {reason}")
    assert len(host.goals()) >= 300
    assert sum(host.rejections.values()) + len(host.goals()) == len(load_tools(folder))


def test_conformance(host: ToolsHost) -> None:
    check_host(host)


def test_gold_answers_are_right_for_the_source(host: ToolsHost, folder: str) -> None:
    tasks = {t.id: t for t in load_tools(folder)}
    for goal in host.goals():
        answer = host.best(goal.intent, NOTHING)
        assert answer is not None
        assert grade(tasks[goal.id].case, answer).full_credit
        assert host.accepts(host.closed(goal.intent), answer)
        assert host.accepts(goal.intent, answer), "traced back to what it comes from"
        assert not host.accepts(host.closed(goal.intent), "[]")


def test_every_stale_item_changes_the_verdict_of_the_source(host: ToolsHost, folder: str) -> None:
    tasks = {t.id: t for t in load_tools(folder)}
    count: Counter[str] = Counter()
    for goal in host.goals():
        final = host.closed(goal.intent)
        for slot, now in final.by_slot.items():
            kind = "variant" if slot in goal.intent.by_slot else "decoy"
            values = host.domain(slot, goal.intent.frame)
            assert len(values) >= (3 if kind == "variant" else 2)
            assert len({normalised(str(v)) for v in values}) == len(values) or all(
                re.search(r"\d", str(v)) for v in values
            )
            for value in values:
                if value != now.value:
                    stale = host.best(final.having(Condition(slot, "=", value)), NOTHING)
                    assert stale is not None
                    count[kind] += 1
                    told = not grade(tasks[goal.id].case, stale).full_credit and not host.accepts(final, stale)
                    count[f"{kind} told apart"] += told
    print(dict(count))
    assert count["variant told apart"] == count["variant"] > 5000
    assert count["decoy told apart"] == count["decoy"] > 300


def test_letters_stand_in_the_text(host: ToolsHost) -> None:
    for goal in host.goals():
        brief = host.brief(goal.intent.frame)
        request = re.search(r"^Request: (.*?)^(?:Option |Extra |A letter in brackets)", brief, re.MULTILINE | re.DOTALL)
        assert request is not None
        letters = {c.slot[-1].upper() for c in goal.intent.conditions}
        assert letters <= set(re.findall(r"\[([A-E])\]", request[1]))


@pytest.mark.parametrize("faults", [1, 2])
def test_requests_can_be_told(host: ToolsHost, faults: int) -> None:
    settings = Settings()
    graphs = build_graphs(host, settings)
    made = build_pool(host, "test", faults, ProtocolConfig(), settings, graphs, default_readers())
    report: Any = made.report
    tried = len(made.samples) + sum(n for (step, _), n in report.rejected.items() if step in ("surface", "readers"))
    print(faults, len(made.samples), f"read right {len(made.samples) / tried:.3f}", dict(report.rejected))
    assert len(made.samples) >= 150
    assert len(made.samples) / tried > 0.85


def test_folders_without_requests_are_named_errors(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="BFCL"):
        load(str(tmp_path))
