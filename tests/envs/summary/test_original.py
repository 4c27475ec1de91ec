"""SummHay's haystacks as a host."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from intent_gym.construct.pool import pool
from intent_gym.core.intent import Condition
from intent_gym.envs.spaces import MAX_MESSAGE
from intent_gym.envs.summary.data import load_haystacks
from intent_gym.envs.summary.host import SummaryHost, load
from intent_gym.envs.summary.original import read_original
from intent_gym.testing.hosts import check_host

NOTHING: frozenset[str] = frozenset()


@pytest.fixture(scope="module")
def folder(shared_data: Path) -> Path:
    return shared_data / "intentflux" / "summhay"


@pytest.fixture(scope="module")
def host(folder: Path) -> SummaryHost:
    return load(str(folder))


def test_conformance(host: SummaryHost) -> None:
    check_host(host)


def test_all_subtopics_are_admitted(folder: Path, host: SummaryHost) -> None:
    print(len(host.goals()), dict(host.rejections), Counter(g.split for g in host.goals()))
    assert not host.rejections
    assert [g.id for g in host.goals()] == [task.id for task in load_haystacks(folder)]
    assert len(host.goals()) == 42
    assert len(host.frames) == 5
    splits = {g.intent.frame: g.split for g in host.goals()}
    assert Counter(splits.values()) == {"train": 4, "test": 1}
    assert all(splits[g.intent.frame] == g.split for g in host.goals())


def test_gold_re_derives_from_the_folders(folder: Path, host: SummaryHost) -> None:
    tasks = {task.id: task for task in load_haystacks(folder)}
    said = []
    for goal in host.goals():
        task, final = tasks[goal.id], host.closed(goal.intent)
        best = host.best(goal.intent, NOTHING)
        assert best is not None
        assert host.accepts(final, best)
        assert host.score(final, "No idea.") == 0.0
        numbers = {int(n) for line in best.splitlines() for n in line.rpartition("[")[2].rstrip("]").split(", ")}
        documents = [d for d in task.documents if d.index in numbers]
        wanted = task.gold_answer(documents)
        assert sorted(best.splitlines()) == sorted(wanted.splitlines()), "as the task's own gold on these documents"
        said.append(len(best.splitlines()))
    print(sorted(said))
    assert min(said) >= 2


def test_stale_items(host: SummaryHost) -> None:
    """Every aspect changes the verdict; of folders those do that hold other insights, at least three a task."""
    count: Counter[str] = Counter()
    told: Counter[str] = Counter()
    for goal in host.goals():
        final = host.closed(goal.intent)
        for slot, now in final.by_slot.items():
            moved = 0
            for value in host.domain(slot, goal.intent.frame):
                if value != now.value:
                    stale = host.best(final.having(Condition(slot, "=", value)), NOTHING)
                    assert stale is not None
                    count[slot] += 1
                    moved += not host.accepts(final, stale)
            told[slot] += moved
            assert moved >= {"first": 3, "second": 3, "spare": 0}.get(slot, 2), (goal.id, slot)
    print({slot: f"{told[slot]}/{count[slot]}" for slot in count})
    assert told["aspect"] == count["aspect"]
    assert told["length"] == count["length"]
    assert told["spare"] > 0.3 * count["spare"]


def test_documents_are_shown_whole_and_fit_into_a_message(folder: Path, host: SummaryHost) -> None:
    tasks = {task.topic: task for task in load_haystacks(folder)}
    for frame in host.frames:
        brief = host.brief(frame)
        assert len(brief) < MAX_MESSAGE
        inside = [d for d in tasks[frame.removeprefix("summary on ")].documents if d.text.strip() in brief]
        assert 10 <= len(inside) <= 12
        assert host.related_frames(frame) == ()


def test_requests_can_be_told(host: SummaryHost) -> None:
    made = pool(host, "all", 1)
    report: Any = made.report
    print(len(made.samples), dict(report.rejected))
    assert len(made.samples) >= 60


def topic(subtopics: list[list[str]], documents: list[list[str]]) -> dict[str, Any]:
    return {
        "topic_id": "t",
        "topic": "Trade",
        "subtopics": [
            {
                "subtopic_id": str(i),
                "subtopic": f"subject {'abcdef'[i]}",
                "query": "?",
                "insights": [
                    {"insight_id": name, "insight": f"Insight {name} tells {n + 3}."} for n, name in enumerate(names)
                ],
            }
            for i, names in enumerate(subtopics)
        ],
        "documents": [
            {"document_id": f"d{i}", "document_text": "Text.", "insights_included": held, "document_index": i + 1}
            for i, held in enumerate(documents)
        ],
    }


def test_tasks_that_cannot_be_told_are_counted(tmp_path: Path) -> None:
    documents = [["x"] if i % 2 else ["y"] for i in range(12)]
    alone = topic([["x", "y"]], documents)
    for name, content in (("alone", alone), ("pair", topic([["x"], ["y"]], documents))):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"topic_{name}.json").write_text(json.dumps(content))
    found = read_original(tmp_path / "alone")
    assert found.goals == ()
    assert found.rejections == {"task: no other aspect changes the verdict": 1}
    found = read_original(tmp_path / "pair")
    assert [goal.id for goal in found.goals] == ["pair-0", "pair-1"]
    assert not found.rejections
    assert {frame.split for frame in found.frames} == {"train"}
