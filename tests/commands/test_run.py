from __future__ import annotations

import json
from pathlib import Path

import pytest

from intent_gym.cli import main

EVOLVING = ["--episodes", "3", "--seeds", "1", "--set", "protocol=evolving", "--set", "budget=easy", "--quiet"]


def test_several_environments_make_a_table_of_families(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["run", "DriftToTTo-v0,DriftToy-v0", "--agents", "folding", "--conditions", "clean,drift", *EVOLVING]
    assert main([*command, "--out", str(tmp_path)]) == 0
    text = capsys.readouterr().out
    for row in ("ToTTo        drift          3", "Toy          drift          3", "all cases    drift          6"):
        assert row in text
    assert "family mean  IDG" in text
    assert sorted(p.name for p in tmp_path.iterdir()) == ["DriftToTTo-v0", "DriftToy-v0"]
    assert main(["report", str(tmp_path), "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert list(data["evolving"][0]["agents"]["folding"]["figures"]) == ["ToTTo", "Toy", "all cases", "family mean"]


def test_each_family_reads_its_own_folder_below_the_source(
    shared_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["run", "DriftToTTo-v0,DriftSummHay-v0", "--agents", "folding", *EVOLVING, "--out", str(tmp_path)]
    assert main([*command, "--source", str(shared_data / "intentflux")]) == 0
    assert "original data" in capsys.readouterr().out
    config = json.loads((tmp_path / "DriftToTTo-v0" / "folding" / "config.json").read_text())
    assert config["options"]["source"] == str(shared_data / "intentflux" / "totto")


def test_agents_that_play_the_protocol_are_the_default(capsys: pytest.CaptureFixture[str]) -> None:
    short = ["--episodes", "2", "--seeds", "1", "--quiet"]
    assert main(["run", "DriftToTTo-v0", *short, "--set", "budget=easy"]) == 0
    text = capsys.readouterr().out
    assert "folding: full credit" in text
    assert "last-mention: full credit" in text
    assert main(["run", "intent_gym:DriftToy-v0", *short]) == 0
    assert "just-ask" in capsys.readouterr().out
    assert main(["run", "DriftToy-v0", *short, "--agents", ","]) == 2
    assert "--agents: expected names with commas" in capsys.readouterr().err


def test_the_list_and_the_view_of_an_evolving_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "DriftToy-v0", "--agents", "first-mention", *EVOLVING, "--out", str(tmp_path)]) == 0
    capsys.readouterr()
    assert main(["view", str(tmp_path)]) == 0
    text = capsys.readouterr().out
    assert text.split("\n")[0].split() == ["seed", "episode", "case", "end", "edits", "drafts", "obeys"]
    assert "stale" in text
    assert main(["view", str(tmp_path), "--episode", "0"]) == 0
    text = capsys.readouterr().out
    assert "budget easy" in text
    assert "(variant)" in text
    assert "OBEYS" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", ","], "ID: expected an environment"),
        (["run", "DriftToy-v0,DriftTy-v0"], "did you mean 'DriftToy-v0'"),
        (["run", "DriftToy-v0", "--tasks", "general-test"], "pass that too"),
        (["run", "DriftToy-v0", "--agents", "folding", *EVOLVING, "--tasks", "general"], "expected a named set"),
        (["results", "--tasks", "training"], "go with --protocol evolving"),
    ],
)
def test_errors(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert message in capsys.readouterr().err
