from __future__ import annotations

import io
import json

import pytest
from rich.console import Console

from intent_gym.evaluation.evolving import groups
from intent_gym.evaluation.evolving_report import GLOSSARY, NOTE, grids
from intent_gym.evaluation.report import markdown, print_report, sections, to_json
from intent_gym.evaluation.results import Results
from tests.evaluation.flux import cases, record, results

BFCL = "DriftBFCL-v0"


@pytest.fixture
def runs() -> list[Results]:
    stale = [record(False, obeyed=(1,), case="case-0"), record(True, case="case-1")]
    return [
        results(stale, agent="keep-everything"),
        results(cases(True, True, condition="clean"), "clean", agent="keep-everything"),
        results(cases(True, None), env_id=BFCL, agent="keep-everything", errors=2),
        results(cases(True, True, condition="clean"), "clean", env_id=BFCL, agent="keep-everything"),
    ]


def printed(runs: list[Results], width: int = 80, *, explain: bool = False) -> str:
    file = io.StringIO()
    print_report(sections(runs), Console(file=file, width=width), explain=explain)
    return file.getvalue()


def test_a_row_a_family_and_condition_and_both_averages(runs: list[Results]) -> None:
    (group,) = groups(runs)
    credit, told, stale, gap = grids(group)
    assert credit.rows[0] == ("GSM8K", "drift", "2", "0", "0", "50.0", "75.0", "50.0")
    assert ("BFCL", "drift", "2", "2", "1", "50.0", "50.0", "0.0") in credit.rows
    assert ("all cases", "drift", "4", "2", "1", "50.0", "62.5", "25.0") in credit.rows
    assert ("family mean", "drift", "4", "2", "1", "50.0", "62.5", "25.0") in credit.rows
    assert ("GSM8K", "clean", "1.0", "4", "0.0", "0.0") in told.rows
    assert ("GSM8K", "drift", "50.0", "0.0", "50.0", "0.0", "0.0") in stale.rows
    assert "BFCL" not in {row[0] for row in stale.rows}, "nothing stale was obeyed there"
    assert gap.rows[0][:3] == ("GSM8K", "IDG", "+50.0")


def test_tables_fit_and_nothing_is_cut(runs: list[Results]) -> None:
    text = printed(runs)
    assert max(map(len, text.splitlines())) <= 80
    assert "…" not in text
    assert "2 failed, not scored" in text
    assert "guess" not in text, "the tables of the silent protocol are not for these runs"


def test_markdown_and_json(runs: list[Results]) -> None:
    text = markdown(sections(runs), explain=True)
    assert "| GSM8K | drift | 2 | 0 | 0 | 50.0 | 75.0 | 50.0 |" in text
    assert NOTE in text
    assert all(f"- {name}: {meaning}" in text for name, meaning in GLOSSARY.items())
    data = json.loads(json.dumps(to_json(sections(runs)), allow_nan=False))
    assert data["evolving"][0]["agents"]["keep-everything"]["gaps"]["idg"]["all cases"]["pairs"] == 4


def test_columns_are_explained(runs: list[Results]) -> None:
    text = printed(runs, 200, explain=True)
    assert all(meaning in text for meaning in GLOSSARY.values())
    assert "…" not in printed(runs, 80, explain=True)
