from __future__ import annotations

import io
import json
import math
import re
from types import ModuleType

import gymnasium as gym
import pytest
from rich.console import Console

from intent_gym.core.signals import GRIP
from intent_gym.envs.base import DriftEnv
from intent_gym.evaluation import Results, compare_conditions, evaluate
from intent_gym.evaluation.columns import COLUMNS
from intent_gym.evaluation.report import markdown, print_report, sections, to_json
from intent_gym.evaluation.results import Row, row_of


class Named:
    """A fake agent under a name as long as the longest that ships."""

    name = "information-gain"

    def __init__(self, fake: ModuleType) -> None:
        self._agent = fake.FakeAgent()

    def reset(self, seed: int) -> None:
        self._agent.reset(seed)

    def act(self, observation: object, info: object) -> object:
        return self._agent.act(observation, info)


@pytest.fixture
def runs(fake: ModuleType) -> list[Results]:
    found = compare_conditions("Fake-v0", Named(fake), episodes=15, seeds=3, crash=["task-2"])
    return [*found.runs.values(), evaluate("Fake-v0", fake.FakeAgent, episodes=15, seeds=1)]


def printed(runs: list[Results], width: int, explain: bool = False) -> str:
    file = io.StringIO()
    print_report(sections(runs), Console(file=file, width=width), explain=explain)
    return file.getvalue()


@pytest.mark.parametrize("width", [80, 100, 120])
def test_tables_fit_and_nothing_is_cut(runs: list[Results], width: int) -> None:
    text = printed(runs, width)
    assert max(map(len, text.splitlines())) <= width
    assert "…" not in text
    for column in COLUMNS:
        if column.group in ("G", "I", "P") and column.signal != "full_credit":
            assert column.header.partition("\n")[0] in text


def test_every_signal_has_a_column_and_every_column_is_explained(runs: list[Results]) -> None:
    assert set(GRIP) <= {column.signal for column in COLUMNS}
    text = printed(runs, 200, explain=True)
    for column in COLUMNS:
        assert column.meaning in text


def test_a_cell_shows_mean_sd_and_number_of_episodes(runs: list[Results]) -> None:
    drift = runs[0].summary["success"]
    text = printed(runs[:1], 80)
    assert f"{100 * drift['mean']:.1f}±{100 * drift['sd']:.1f}" in text
    n = int(runs[0].summary["reaction"]["n"])
    assert 0 < n < 36
    assert re.search(rf"\b{n}\b", text)
    assert "25.0" in text, "the mean guess ceiling is printed"


def test_errors_are_listed_apart_and_not_scored(runs: list[Results]) -> None:
    text = printed(runs[:1], 80)
    assert "information-gain: 9 failed, not scored" in text
    assert "9x ValueError: no such thing as task-2 (first: seed 0, episode" in text
    assert runs[0].summary["success"]["n"] == 36


def test_runs_under_other_options_stand_apart(runs: list[Results]) -> None:
    found = sections(runs)
    assert [section.title for section in found] == [
        'Fake-v0 (crash ["task-2"], split test)',
        "Fake-v0 (split test)",
    ]
    assert list(found[0].comparisons) == ["information-gain"]
    assert "information-gain\nroot" not in found[0].runs, "a part of a run has no row"
    assert "IDG" in printed(runs, 80)


def test_markdown_has_one_row_a_run_and_equal_columns(runs: list[Results]) -> None:
    rows = [line for line in markdown(sections(runs)).splitlines() if line.startswith("|")]
    tables = [row.count(" | ") for row in rows]
    assert set(tables[:6]) == {tables[0]}
    assert len([row for row in rows if row.startswith("| information-gain, ")]) == 4


def test_json_is_strict_and_complete(runs: list[Results]) -> None:
    data = json.loads(json.dumps(to_json(sections(runs)), allow_nan=False))
    run = data["sections"][0]["runs"]["information-gain, clean"]
    assert run["summary"]["post_shift"] == {"mean": None, "sd": None, "n": 0}
    assert data["sections"][0]["gaps"]["information-gain"]["idg"]["pairs"] == 36


def test_summary_names_every_signal(runs: list[Results]) -> None:
    summary = runs[0].summary
    assert set(GRIP) | {"full_credit", "ask_f1"} <= set(summary)
    assert all(set(entry) == {"mean", "sd", "n"} for entry in summary.values())
    assert summary["ask_f1"]["mean"] == pytest.approx(0.5)  # aim 1/2, recovery_fraction 1/2 in every episode
    assert math.isnan(runs[-1].summary["success"]["sd"]), "one seed has no spread"


def test_only_what_was_put_to_the_user_counts_as_a_question() -> None:
    env = gym.make("DriftToy-v0", config={"patience": 3})
    base: DriftEnv = env.unwrapped  # type: ignore[assignment]
    env.reset(seed=0)
    for _ in range(2):  # the second cannot be paid for
        env.step({"kind": 0, "content": "Which cup would you like?"})
    assert [step.kind for step in base.record().steps] == [0, 0]
    assert row_of((0, 0), base.record()).questions == 1


def test_ask_f1_is_of_a_seeds_means() -> None:
    """Aims 1 and 0, recovery fractions 1 and 1: their means are 1/2 and 1, so F1 is 2/3; NaN is left out."""
    signals = [{"aim": 1.0, "recovery_fraction": 1.0}, {"aim": 0.0, "recovery_fraction": 1.0}]
    signals.append({"aim": math.nan, "recovery_fraction": 1.0})
    rows = tuple(Row(0, i, "case", 0.5, 1, s) for i, s in enumerate(signals))
    entry = Results({}, rows, (), {}).summary["ask_f1"]
    assert entry["mean"] == pytest.approx(2 / 3)
    assert entry["n"] == 2


@pytest.mark.filterwarnings("ignore::intent_gym.errors.FailedEpisodesWarning")
def test_iqm_and_pass_hat_are_over_the_repeats_of_cases(fake: ModuleType) -> None:
    results = evaluate("Fake-v0", fake.FakeAgent, episodes=10, seeds=2)
    iqm = results.iqm("score")
    assert iqm.low <= iqm.estimate <= iqm.high
    cases: dict[str, list[float]] = {}
    for row in results.rows:
        cases.setdefault(row.case, []).append(row.signals["full_credit"])
    assert {len(wins) for wins in cases.values()} == {4}, "two seeds, each playing the five tasks twice"
    shares = [sum(wins) * (sum(wins) - 1) / 12 for wins in cases.values()]
    assert results.pass_hat(2) == pytest.approx(sum(shares) / 5)
    assert math.isnan(results.pass_hat(5))
    assert math.isnan(
        evaluate(
            "Fake-v0", fake.FakeAgent, episodes=1, seeds=1, crash=["task-0", "task-1", "task-2", "task-3", "task-4"]
        )
        .iqm()
        .estimate
    )
