from __future__ import annotations

from pathlib import Path

import pytest

from intent_gym.cli import main
from intent_gym.evaluation import evolving_results
from intent_gym.evaluation.evolving_results import FIRST, FOLDING, KEEP, LAST, MISSING, Run, checks, matrix, page, play
from intent_gym.evaluation.results import Results
from tests.evaluation.flux import cases, record, results

ENV = "DriftGSM8K-v0"


def runs(car: dict[str, dict[str, int]], turns: dict[str, int] | None = None) -> dict[Run, Results]:
    """Return results of four cases each; `car` says how many are right, by agent and budget."""
    found = {}
    for agent, own in car.items():
        for budget, right in own.items():
            told = cases(*[i < right for i in range(4)])
            found[Run(ENV, agent, budget, "drift")] = results(told, agent=agent, budget=budget)
    return found


GOOD = {
    FIRST: {"easy": 1, "medium": 0, "hard": 0},
    KEEP: {"easy": 2, "medium": 0, "hard": 0},
    LAST: {"easy": 4, "medium": 3, "hard": 3},
    MISSING: {"easy": 3, "medium": 2, "hard": 1},
    FOLDING: {"easy": 4, "medium": 4, "hard": 4},
}


def told(found: dict[Run, Results]) -> dict[str, bool]:
    return {check.expects.partition(", ")[2]: check.holds for check in checks(found)}


def test_the_shape_is_read_from_the_runs() -> None:
    found = runs(GOOD)
    for condition in ("clean", "control", "oracle"):
        for budget in GOOD[FOLDING]:
            whole = results(cases(True, True, True, True, condition=condition), condition, budget=budget)
            found[Run(ENV, FOLDING, budget, condition)] = whole
    assert told(found) == {
        "first-mention is below last-mention": True,
        "keep-everything is below last-mention": True,
        "last-mention is at most folding": True,
        "folding = clean = control = oracle = 1": True,
        "IDG of folding is 0": True,
        "folding that misses .05 falls from easy to medium to hard": True,
        "mean user turns grow with the budget": False,  # these dialogues are all of one length
    }
    lines = {check.expects.partition(", ")[2]: check.figures for check in checks(found)}
    assert (
        lines["folding that misses .05 falls from easy to medium to hard"] == "CAR: easy 75.0, medium 50.0, hard 25.0"
    )
    assert lines["IDG of folding is 0"].startswith("points: easy +0.0 [+0.0, +0.0]")


@pytest.mark.parametrize(
    ("agent", "budget", "right", "line"),
    [
        (FIRST, "hard", 3, "first-mention is below last-mention"),
        (KEEP, "easy", 4, "keep-everything is below last-mention"),
        (FOLDING, "medium", 2, "last-mention is at most folding"),
        (MISSING, "medium", 3, "folding that misses .05 falls from easy to medium to hard"),
    ],
)
def test_a_shape_that_does_not_hold_is_said(agent: str, budget: str, right: int, line: str) -> None:
    assert told(runs(GOOD))[line]
    assert not told(runs({**GOOD, agent: {**GOOD[agent], budget: right}}))[line]


def test_a_lost_clean_case_breaks_two_lines() -> None:
    found = runs({FOLDING: {"hard": 4}})
    for condition in ("clean", "control", "oracle"):
        right = [True, True, True, condition == "clean"]
        found[Run(ENV, FOLDING, "hard", condition)] = results(cases(*right, condition=condition), condition)
    lines = told(found)
    assert not lines["folding = clean = control = oracle = 1"]
    assert lines["IDG of folding is 0"]
    found[Run(ENV, FOLDING, "hard", "clean")] = results(cases(True, True, True, False, condition="clean"), "clean")
    assert not told(found)["IDG of folding is 0"]


def test_stale_obedience_is_told_per_agent() -> None:
    stale = results([record(False, first_said=True), record(True)], agent=FIRST)
    (line,) = evolving_results.stale_lines({Run(ENV, FIRST, "easy", "drift"): stale})
    assert line == f"{ENV}, stale obedience of first-mention: easy 50.0 % of all cases"


def test_the_page_has_every_cell_and_both_averages() -> None:
    found = runs(GOOD)
    found[Run("DriftBFCL-v0", LAST, "hard", "drift")] = results(cases(True), env_id="DriftBFCL-v0", agent=LAST)
    text = page(found, "intent-gym results --protocol evolving")
    assert "| last-mention | GSM8K | 100.0 | 75.0 | 75.0 |" in text
    assert "| last-mention | BFCL |  |  | 100.0 |" in text
    assert "| last-mention | all cases |  |  | 80.0 |" in text
    assert "| last-mention | family mean |  |  | 87.5 |" in text
    assert "Regenerate with `intent-gym results --protocol evolving`" in text
    assert "nan" not in text


def test_the_matrix_is_every_agent_under_drift_and_folding_under_all() -> None:
    found = matrix(["E-v0"])
    assert len(found) == len(set(found)) == len({run.folder for run in found}) == 5 * 3 + 5 * 3 + 2 * 3
    assert {(r.budget, r.condition) for r in found if r.agent == LAST and r.condition != "drift"} == {
        ("hard", "clean"), ("hard", "control"), ("hard", "oracle"),
    }  # fmt: skip


def test_playing_records_each_run_and_the_toy_has_the_shape(tmp_path: Path) -> None:
    wanted = [r for r in matrix(["DriftToy-v0"]) if r.agent in (FIRST, KEEP, LAST, FOLDING)]
    found = play(wanted, tmp_path, episodes=8, seeds=1)
    assert all((tmp_path / run.folder / "episodes.jsonl").exists() for run in wanted)
    failing = [check.expects.partition(", ")[2] for check in checks(found) if not check.holds]
    assert failing == ["keep-everything is below last-mention"], "the toy's tasks leave no slot over for a decoy"
    assert found.keys() == play(wanted, tmp_path, episodes=8, seeds=1).keys()


def test_the_command_writes_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "page.md"
    arguments = ["--episodes", "3", "--seeds", "1", "--ids", "DriftToy-v0", "--runs", str(tmp_path / "runs")]
    code = main(["results", "--protocol", "evolving", *arguments, "--out", str(out)])
    text = capsys.readouterr().out
    assert code == int("FAILS" in text), "a line that does not hold is an exit code"
    assert "DriftToy-v0, stale obedience of keep-everything: " in text
    assert "Regenerate with `intent-gym results --protocol evolving --episodes 3 --seeds 1 --ids DriftToy-v0`" in (
        out.read_text()
    )
    assert main(["results", "--source", str(tmp_path)]) == 2
    assert "go with --protocol evolving" in capsys.readouterr().err
