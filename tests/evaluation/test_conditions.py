from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from intent_gym.errors import OptionError, RunError
from intent_gym.evaluation import Comparison, Results, compare_conditions, evaluate
from intent_gym.evaluation.conditions import CONDITIONS


def credit(results: Results) -> dict[tuple[int, int], float]:
    return {row.key: row.signals["full_credit"] for row in results.rows}


def test_each_run_is_paired_with_its_own_drift_run(fake: ModuleType) -> None:
    found = compare_conditions("Fake-v0", fake.FakeAgent, episodes=10, seeds=2)
    runs = {name: dict(results.keyed_records()) for name, results in found.runs.items()}
    assert set(runs) == {"drift", "clean", "root", "control", "oracle"}
    drifted = {key for key, record in runs["drift"].items() if record.final_node == 1}
    assert 0 < len(drifted) < 20
    for key, drift in runs["drift"].items():
        for name in ("clean", "control"):
            told = runs[name][key]
            assert (told.node, told.sample_id, told.key) == (drift.final_node, drift.sample_id, drift.key)
            assert told.condition == name
        assert len(runs["control"][key].steps) == len(drift.steps)
        assert runs["oracle"][key].condition == "oracle"
    assert runs["root"].keys() == drifted
    assert all(record.node == 0 for record in runs["root"].values())


def test_the_gaps_are_means_of_paired_differences(fake: ModuleType) -> None:
    found = compare_conditions("Fake-v0", fake.FakeAgent, episodes=20, seeds=2)
    clean, drift, oracle = (credit(found.runs[name]) for name in ("clean", "drift", "oracle"))
    root = clean | credit(found.runs["root"])
    gaps = found.gaps
    assert gaps["idg"].interval.estimate == pytest.approx(sum(clean[k] - drift[k] for k in drift) / 40)
    assert gaps["drift_gap"].interval.estimate == pytest.approx(sum(root[k] - drift[k] for k in drift) / 40)
    assert gaps["tracking_gap"].interval.estimate == pytest.approx(sum(oracle[k] - drift[k] for k in drift) / 40)
    assert gaps["idg"].pairs == 40
    assert gaps["idg"].interval.low <= gaps["idg"].interval.estimate <= gaps["idg"].interval.high


def test_failed_episodes_are_left_out_of_pairs_and_counted(fake: ModuleType) -> None:
    whole = compare_conditions("Fake-v0", fake.FakeAgent, episodes=5, seeds=1, conditions=["oracle"])
    part = compare_conditions("Fake-v0", fake.FakeAgent, episodes=5, seeds=1, conditions=["oracle"], crash=["task-1"])
    mixed = Comparison({"drift": part.runs["drift"], "oracle": whole.runs["oracle"]})
    gap = mixed.gap("tracking_gap")
    assert gap is not None
    assert (gap.pairs, gap.left_out) == (4, 1)
    assert mixed.gap("idg") is None


@pytest.mark.filterwarnings("ignore::intent_gym.errors.FailedEpisodesWarning")
def test_a_gap_without_pairs_is_plain_data_too(fake: ModuleType) -> None:
    whole = compare_conditions("Fake-v0", fake.FakeAgent, episodes=1, seeds=1, conditions=["oracle"])
    every = [f"task-{i}" for i in range(5)]
    none = compare_conditions("Fake-v0", fake.FakeAgent, episodes=1, seeds=1, conditions=["oracle"], crash=every)
    mixed = Comparison({"drift": none.runs["drift"], "oracle": whole.runs["oracle"]})
    data = json.loads(json.dumps(mixed.to_json(), allow_nan=False))
    nothing = {"estimate": None, "low": None, "high": None, "pairs": 0, "left_out": 1}
    assert data["gaps"]["tracking_gap"] == nothing


def test_a_folder_keeps_every_run_and_resumes(fake: ModuleType, tmp_path: Path) -> None:
    found = compare_conditions("Fake-v0", fake.FakeAgent, episodes=6, seeds=1, out=tmp_path)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["clean", "control", "drift", "oracle", "root"]
    assert Comparison.of_folder(tmp_path).to_json() == found.to_json()
    again = compare_conditions("Fake-v0", fake.FakeAgent, episodes=6, seeds=1, out=tmp_path)
    assert again.to_json() == found.to_json()


def test_pairs_with_another_drift_run_are_refused(fake: ModuleType, tmp_path: Path) -> None:
    compare_conditions("Fake-v0", fake.FakeAgent, episodes=6, seeds=1, out=tmp_path, conditions=["control"])
    path = tmp_path / "drift" / "episodes.jsonl"
    path.write_text(path.read_text().replace('"target":1', '"target":2'))
    with pytest.raises(RunError, match="the run it is paired with, changed"):
        compare_conditions("Fake-v0", fake.FakeAgent, episodes=6, seeds=1, out=tmp_path, conditions=["control"])


def test_an_unknown_condition_is_refused(fake: ModuleType) -> None:
    with pytest.raises(OptionError, match="did you mean 'clean'"):
        compare_conditions("Fake-v0", fake.FakeAgent, conditions=["clear"])


# -- evolving protocol -------------------------------------------------------------------------------------------------
EVOLVING: dict[str, Any] = {"protocol": "evolving", "budget": "easy", "episodes": 4, "seeds": 2}


def test_evolving_runs_are_paired_by_case_and_key(tmp_path: Path) -> None:
    found = evaluate("DriftToy-v0", "keep-everything", conditions=list(CONDITIONS), out=tmp_path, **EVOLVING)
    assert isinstance(found, Comparison)
    assert list(found.runs) == ["drift", "clean", "control", "oracle"], "no root: the plan ends on what clean tells"
    runs = {name: dict(results.keyed_records()) for name, results in found.runs.items()}
    for key, drift in runs["drift"].items():
        for name, own in runs.items():
            told = own[key]
            assert (told.sample_id, told.key, told.plan) == (drift.sample_id, drift.key, drift.plan)
            assert told.condition == name
    rows = {name: {r.key: r.told for r in results.rows} for name, results in found.runs.items()}
    for key in runs["drift"]:
        turns = {name: own[key].turns for name, own in rows.items()}  # type: ignore[union-attr]  # all are evolving
        assert turns["control"] == turns["oracle"] == turns["drift"] > turns["clean"] == 1
    assert set(found.gaps) == {"idg", "length_gap", "tracking_gap"}
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.jsonl")}
    again = evaluate("DriftToy-v0", "keep-everything", conditions=list(CONDITIONS), out=tmp_path, **EVOLVING)
    assert again.to_json() == found.to_json() == Comparison.of_folder(tmp_path).to_json()
    assert before == {path: path.read_bytes() for path in tmp_path.rglob("*.jsonl")}, "nothing is played again"


def test_evolving_gaps_by_hand() -> None:
    """The folding agent loses nothing; one that never updates loses every case and is right when told at once."""
    folding = evaluate("DriftToy-v0", "folding", conditions=["clean", "drift"], **EVOLVING)
    assert folding.gaps["idg"].interval == (0.0, 0.0, 0.0)
    first = evaluate("DriftToy-v0", "first-mention", conditions=["clean"], **EVOLVING)
    credit = [row.signals["full_credit"] for row in first.runs["drift"].rows]
    assert first.gaps["idg"].interval.estimate == 1 - sum(credit) / len(credit)
    assert first.gaps["idg"].pairs == 8


def test_one_condition_or_several(fake: ModuleType) -> None:
    with pytest.raises(OptionError, match="give it in conditions alone"):
        evaluate("Fake-v0", fake.FakeAgent, condition="clean", conditions=["clean"])  # type: ignore[call-overload]
    with pytest.raises(OptionError, match="give it in conditions alone"):
        compare_conditions("Fake-v0", fake.FakeAgent, condition="clean", conditions=["clean"])
