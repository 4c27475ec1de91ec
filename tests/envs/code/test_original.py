"""HumanEval's tasks and LiveCodeBench's samples with names and forms: how many, and that verdicts are the grader's."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import intent_gym
from intent_gym.construct.plans import material
from intent_gym.construct.pool import pool
from intent_gym.core.intent import Condition
from intent_gym.envs.code import original
from intent_gym.envs.code.data import load_humaneval as load_data
from intent_gym.envs.code.host import load_humaneval, load_livecodebench
from intent_gym.envs.code.original import (
    GivenHost,
    humaneval_frame,
    judged,
    kept_verdict,
    name_values,
    row_hash,
    true_values,
)
from intent_gym.errors import DataError
from intent_gym.testing.hosts import check_host

NOTHING: frozenset[str] = frozenset()


@pytest.fixture(scope="module")
def humaneval(shared_data: Path) -> GivenHost:
    found: Any = load_humaneval(str(shared_data / "intentflux" / "humaneval"))
    assert isinstance(found, GivenHost)
    return found


@pytest.fixture(scope="module")
def samples(shared_data: Path) -> GivenHost:
    found: Any = load_livecodebench(str(shared_data / "intentflux" / "livecodebench"))
    assert isinstance(found, GivenHost)
    return found


def test_counts(humaneval: GivenHost, samples: GivenHost, capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        for host in (humaneval, samples):
            splits = dict(Counter(g.split for g in host.goals()))
            print(f"\n{host.name}: {len(host.frames)} admitted {splits}")
            for reason, count in sorted(host.rejections.items()):
                print(f"  {count} not: {reason}")
    assert len(humaneval.goals()) >= 120
    assert len(humaneval.goals()) + sum(humaneval.rejections.values()) == 164
    assert (len(samples.goals()), sum(samples.rejections.values())) == (2, 2)


def test_conformance(humaneval: GivenHost, samples: GivenHost) -> None:
    check_host(humaneval)
    check_host(samples)


def test_every_variant_and_decoy_changes_the_verdict(humaneval: GivenHost, samples: GivenHost) -> None:
    for host in (humaneval, samples):
        looked = admitted = 0
        for goal in host.goals():
            found = material(host, goal)
            assert found is not None
            looked, admitted = looked + found.looked, admitted + found.admitted
            assert len(found.decoys) == 5
            assert all(len(v) == 5 for v in found.variants.values())
        print(f"{host.name}: {admitted} of {looked} stale goals are of consequence")
        assert looked == admitted > 0


def _verify(shared_data: Path, step: int) -> int:
    """Judge every so many rows again and compare with the verdicts that are kept."""
    data = load_data(shared_data / "intentflux" / "humaneval")
    seen = 0
    for number, task in list(enumerate(data.tasks))[::step]:
        kept = kept_verdict(task)
        assert kept is not None, task.id
        assert judged(humaneval_frame(task, number), str(task.case["entry_point"])) == kept, task.id
        seen += 1
    return seen


def test_kept_verdicts_are_the_graders(shared_data: Path) -> None:
    assert _verify(shared_data, 30) == 6


@pytest.mark.slow
def test_all_kept_verdicts_are_the_graders(shared_data: Path, only_full: Callable[[bool], None]) -> None:
    only_full(False)
    assert _verify(shared_data, 1) == 153


def test_the_sources_own_solution_is_accepted(humaneval: GivenHost, shared_data: Path) -> None:
    """The source's text goes through the sandbox; the host's own gold passes the source's grader as it is."""
    data = load_data(shared_data / "intentflux" / "humaneval")
    for task, goal in list(zip(data.tasks, humaneval.goals(), strict=True))[::15]:
        assert goal.id == task.id
        intent = humaneval.closed(goal.intent)
        gold = humaneval.best(goal.intent, NOTHING)
        assert gold is not None
        assert humaneval.accepts(intent, gold)
        assert humaneval.accepts(intent, task.gold)
        assert humaneval.accepts(goal.intent, task.gold)
        assert intent_gym.grade("code", task.case, gold).full_credit
        for text in ("", "no program"):
            assert not intent_gym.grade("code", task.case, text).full_credit
        form = humaneval.closed(goal.intent.having(Condition("form", "=", "boxed result")))
        assert not humaneval.accepts(form, task.gold)


def test_a_foreign_program_in_another_form(humaneval: GivenHost) -> None:
    """Several changes at once, judged by the tests and not by what the host knows of its own text."""
    for goal in humaneval.goals()[::40]:
        frame = humaneval._frames[goal.intent.frame]
        values = {
            **true_values(frame, str(goal.intent.by_slot["name"].value)),
            "name": frame.domains["name"][0],
            "form": "labeled result",
            "last": "backward text",
            "style": "one dictionary of arguments",
        }
        text = f"```python\n{frame.source.render(values)}\n```"
        assert frame.source.read(text) is None
        assert humaneval.grade(frame.name, values, text).full_credit
        for slot in ("form", "last", "style", "name"):
            other = next(v for v in frame.domains[slot] if v != values[slot])
            assert not humaneval.grade(frame.name, {**values, slot: other}, text).full_credit, slot


def test_names_of_wrong_programs(humaneval: GivenHost) -> None:
    goal = humaneval.goals()[0]
    intent = humaneval.closed(goal.intent)
    assert humaneval.judge(intent, "def f(): pass").violated == ("name",)
    name = str(intent.by_slot["name"].value)
    assert humaneval.judge(intent, f"def {name}(*a): return 7").violated == (humaneval.frame_slot.id,)
    assert humaneval.score(intent, f"def {name}(*a): return 7") == 0.0


def test_an_unknown_row_is_judged_when_it_is_loaded(
    shared_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = load_data(shared_data / "intentflux" / "humaneval")
    task = data.tasks[0]
    changed = {**task.case, "prompt": task.case["prompt"].replace("any two numbers", "two numbers")}
    broken = {**task.case, "task_id": "own/1", "canonical_solution": "    return None\n"}
    (tmp_path / "HumanEval.jsonl").write_text("\n".join(map(json.dumps, (changed, broken))))
    found = load_humaneval(str(tmp_path))
    assert len(found.frames) == 1
    assert isinstance(found, GivenHost)
    assert found.rejections == {"the solution in a wrapper fails the tests": 1}
    assert row_hash(task) != row_hash(load_data(tmp_path).tasks[0])
    monkeypatch.setattr(original, "judged", None)
    assert kept_verdict(task) is not None


def test_names_are_in_the_style_of_the_task() -> None:
    assert len(set(name_values("unequalTriplets", 3))) == 6
    assert all(n.endswith("Triplets") and "_" not in n for n in name_values("unequalTriplets", 3))
    assert all(n.endswith("add") for n in name_values("add", 3))
    assert all(n.endswith("_zero") for n in name_values("find_zero", 3))
    assert "find_zero" in name_values("find_zero", 3)


@pytest.mark.parametrize(("split", "least"), [("train", 200), ("test", 60)])
@pytest.mark.parametrize("faults", [1, 2])
def test_requests_can_be_told(humaneval: GivenHost, faults: int, split: str, least: int) -> None:
    made = pool(humaneval, split, faults)
    report: Any = made.report
    tried = len(made.samples) + sum(n for (step, _), n in report.rejected.items() if step in ("surface", "readers"))
    print(faults, split, len(made.samples), f"read right {len(made.samples) / tried:.3f}")
    assert len(made.samples) >= least
    assert len(made.samples) / tried > 0.97


def test_damaged_samples_are_named(shared_data: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"few_shot_func\.json"):
        load_livecodebench(str(tmp_path))
    with pytest.raises(DataError, match=r"HumanEval\.jsonl"):
        load_humaneval(str(tmp_path))
    path = tmp_path / "few_shot_func.json"
    path.write_text('[{"question": 3}]')
    with pytest.raises(DataError, match="is it the original file"):
        load_livecodebench(str(tmp_path))
    shutil.copy(shared_data / "intentflux" / "livecodebench" / "few_shot_func.json", path)
    path.chmod(0o600)
    path.write_text(path.read_text().replace("Output: 3", "Output: 4"))
    with pytest.raises(DataError, match="the solution in a wrapper fails the tests"):
        load_livecodebench(str(tmp_path))
