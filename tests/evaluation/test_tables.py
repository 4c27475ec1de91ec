from __future__ import annotations

import math
from pathlib import Path

from intent_gym.evaluation import tables
from intent_gym.evaluation.results import Results, Row
from intent_gym.evaluation.tables import Run


def results(
    success: list[float], earned: list[float] | None = None, recovery: float = 0.0, open_cases: tuple[int, ...] = ()
) -> Results:
    rows = tuple(
        Row(
            0,
            i,
            f"case-{i}",
            0.2,
            1,
            {
                "success": s,
                "full_credit": s,
                "earned": e,
                "recovery": recovery,
                "recovery_fraction": math.nan if i in open_cases else recovery,
            },
        )
        for i, (s, e) in enumerate(zip(success, earned or success, strict=True))
    )
    config = {
        "env_id": "E-v0", "agent": "a", "model": None, "agent_options": {}, "options": {"split": "test"},
        "pairing": None, "episodes": len(rows), "seeds": 1, "intent_gym": "0",
    }  # fmt: skip
    return Results(config, rows, (), {})


FOUND = {
    Run("E-v0", "no-ask", 1, True): results([1, 0, 0, 0]),
    Run("E-v0", "no-ask", 1, False): results([1, 1, 0, 0]),
    Run("E-v0", "no-ask", 4, True): results([0, 0, 0, 0]),
    Run("E-v0", "just-ask", 1, True): results([1, 1, 0, 0], [1, 0, 0, 0], recovery=0.5),
    Run("E-v0", "just-ask", 1, False): results([1, 1, 1, 0], [1, 1, 0, 0]),
    Run("E-v0", "just-ask", 4, True): results([1, 1, 1, 0]),
    Run("E-v0", "ask-all", 1, True): results([0, 0, 1, 0]),
    Run("E-v0", "oracle", 1, True): results([1, 1, 1, 1]),
}


def test_the_shape_is_read_from_paired_differences() -> None:
    found = {check.expects.partition(", ")[2]: check for check in tables.checks(FOUND)}
    assert all(check.holds for check in found.values())
    assert "(25.0), points: just-ask +25.0 [" in found["asking beats not asking"].figures
    assert "just-ask +25.0 to +75.0" in found["the gap grows from k=1 to k=4"].figures
    assert "no-ask -25.0" in found["drift lowers success"].figures
    assert found["drift lowers earned"].figures.startswith("with drift - without, points: just-ask -25.0")
    assert "no-ask 0.0, just-ask 50.0" in found["an asker recovers more than a guesser"].figures
    assert "ask-all +0.0 [" in found["asking everything in one message gains nothing"].figures
    ceiling = found["nobody does better than who knows the intent"].figures
    assert ceiling == "lowest success of oracle 100.0, smallest lead +50.0 points"


def test_cases_that_hide_nothing_are_left_out_of_what_drift_does_to_earned() -> None:
    mixed = {
        **FOUND,
        Run("E-v0", "just-ask", 1, True): results([1, 1, 0, 1], [1, 0, 0, 1], recovery=0.5),
        Run("E-v0", "just-ask", 1, False): results([1, 1, 1, 1], [1, 1, 0, 0], open_cases=(3,)),
    }
    found = {check.expects.partition(", ")[2]: check for check in tables.checks(mixed)}
    figures = found["drift lowers earned"].figures
    assert figures.startswith("with drift - without, points: just-ask -33.3 [")
    assert "over all cases: just-ask +0.0 [" in figures
    assert found["drift lowers earned"].holds


def test_a_shape_that_does_not_hold_is_said() -> None:
    turned = {
        **FOUND,
        Run("E-v0", "no-ask", 1, True): results([1, 1, 1, 1], recovery=0.5),
        Run("E-v0", "oracle", 1, True): results([1, 1, 1, 0]),
    }
    lines = [str(check) for check in tables.checks(turned)]
    assert [line.partition(":")[0] for line in lines] == ["FAILS", "holds", "FAILS", "holds", "FAILS", "holds", "FAILS"]


def test_desks_are_compared_with_the_shop() -> None:
    shop, retail, airline = tables.SHOP, *tables.DESKS
    runs = {
        Run(shop, "no-ask", 1, True): results([1, 1, 0, 0]),
        Run(shop, "just-ask", 1, True): results([1, 1, 1, 0]),
        Run(retail, "no-ask", 1, True): results([1, 0, 0, 0]),
        Run(retail, "just-ask", 1, True): results([1, 1, 1, 0]),
        Run(airline, "no-ask", 1, True): results([1, 1, 1, 0]),
        Run(airline, "just-ask", 1, True): results([1, 1, 1, 1]),
    }
    lines = {c.expects: c for c in tables.checks(runs) if "asking gains more than on" in c.expects}
    assert [c.holds for c in lines.values()] == [True, False], "as much is not more"
    more, less = (lines[f"{desk}, asking gains more than on {shop}"].figures for desk in (retail, airline))
    assert "mean +50.0 against +25.0; just-ask +50.0 against +25.0" in more
    assert "mean in % of what no-ask leaves to win: 66.7 against 50.0; guess ceiling in %: 20.0 against 20.0" in more
    assert "mean in % of what no-ask leaves to win: 100.0 against 50.0" in less
    assert "Why asking gains no more" in tables.page(runs, "intent-gym results")
    assert "Why asking gains no more" not in tables.page(FOUND, "intent-gym results")
    alone = {run: found for run, found in runs.items() if run.env_id == retail}
    assert not [c for c in tables.checks(alone) if "gains more" in c.expects], "nothing to compare with"


def test_the_page_has_every_cell() -> None:
    text = tables.page(FOUND, "intent-gym results")
    assert "| Success | k=1 | k=4 | k=1, no drift |" in text
    assert "| just-ask | 50.0 | 75.0 | 75.0 |" in text
    assert "Regenerate with `intent-gym results`" in text
    assert "nan" not in text


def test_the_matrix_is_agents_by_faults_by_drift() -> None:
    runs = tables.matrix(["E-v0"])
    assert len(runs) == len(set(runs)) == len(tables.AGENTS) * 4 * 2
    assert len({run.folder for run in runs}) == len(runs)


def test_playing_records_each_run(tmp_path: Path) -> None:
    runs = [Run("DriftToy-v0", "no-ask", 0, False), Run("DriftToy-v0", "no-ask", 2, True)]
    found = tables.play(runs, tmp_path, episodes=2, seeds=1)
    assert all((tmp_path / run.folder / "episodes.jsonl").exists() for run in runs)
    assert found[runs[0]].summary["success"]["mean"] == 1.0, "told completely and still: the literal reading is right"
