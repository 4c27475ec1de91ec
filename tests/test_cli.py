from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from intent_gym.agents.base import AGENTS
from intent_gym.cli import main
from intent_gym.registration import ENVIRONMENTS

ROOT = Path(__file__).parents[1]
PLAYED = ["run", "DriftToy-v0", "--agents", "no-ask,just-ask", "--episodes", "4", "--seeds", "2"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with recorded runs."""
    out = tmp_path_factory.mktemp("runs") / "x"
    assert main([*PLAYED, "--out", str(out)]) == 0
    return out


def test_nothing_imports_the_command_line_and_it_starts_light() -> None:
    heavy = ["rich", "pydantic", "tantivy", "intent_gym.envs.base", "intent_gym.evaluation"]
    code = f"import sys, intent_gym.cli as cli; cli._parser(); print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    importing = re.compile(r"^\s*(from|import) intent_gym\.(cli|commands)", re.MULTILINE)
    for path in (ROOT / "intent_gym").rglob("*.py"):
        if path.name != "cli.py" and path.parent.name != "commands":
            assert not importing.search(path.read_text("utf-8")), path


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    text = capsys.readouterr().out
    assert all(spec.id in text for spec in ENVIRONMENTS)
    assert main(["list", "--agents"]) == 0
    text = capsys.readouterr().out
    assert all(name in text for name in AGENTS)


@pytest.mark.parametrize("env_id", [spec.id for spec in ENVIRONMENTS])
def test_info_prints_the_page(env_id: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", env_id]) == 0
    text = capsys.readouterr().out
    assert text.startswith(f"# {env_id}")
    assert "## Version History" in text


def test_run_records_and_a_second_run_plays_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert sorted(path.name for path in folder.iterdir()) == ["just-ask", "no-ask"]
    assert main([*PLAYED, "--out", str(folder)]) == 0
    captured = capsys.readouterr()
    assert "just-ask" in captured.out
    assert captured.err == "", "no progress bar where there is no terminal"
    assert before == {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_report_in_three_formats(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(folder), "--explain"]) == 0
    assert "What the columns mean" in capsys.readouterr().out
    assert main(["report", str(folder), "--format", "markdown"]) == 0
    assert "| just-ask | 8 | 0 |" in capsys.readouterr().out
    assert main(["report", str(folder), "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["sections"][0]["runs"]["no-ask"]["episodes"] == 8


def test_report_of_one_run(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(folder / "no-ask")]) == 0
    assert "just-ask" not in capsys.readouterr().out


def test_view(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["view", str(folder / "just-ask")]) == 0
    assert "accepted" in capsys.readouterr().out
    assert main(["view", str(folder / "just-ask"), "--episode", "2", "--seed", "1"]) == 0
    text = capsys.readouterr().out
    assert "just-ask, seed 1, episode 2" in text
    assert "hidden:" in text
    assert "end: " in text


def test_conditions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["run", "DriftToy-v0", "--agents", "no-ask", "--episodes", "4", "--seeds", "1", "--out", str(tmp_path)]
    assert main([*arguments, "--conditions", "clean,drift,control,oracle"]) == 0
    assert "IDG" in capsys.readouterr().out
    assert main(["report", str(tmp_path)]) == 0
    assert "tracking gap" in capsys.readouterr().out


def test_options_reach_the_environment(tmp_path: Path) -> None:
    arguments = ["run", "DriftToy-v0", "--agents", "no-ask", "--episodes", "1", "--seeds", "1", "--out", str(tmp_path)]
    options = ["--faults", "vagueness_subjectivity", "--persona", "mixed", "--no-drift", "--split", "train"]
    assert main([*arguments, *options, "--set", 'config={"patience": 12}', "--set", "reward=score"]) == 0
    config = json.loads((tmp_path / "no-ask" / "config.json").read_text())
    assert config["options"] == {
        "faults": ["vagueness_subjectivity"],
        "persona": "mixed",
        "drift": False,
        "split": "train",
        "config": {"patience": 12},
        "reward": "score",
    }


def test_an_agent_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.py").write_text(
        "class Mine:\n"
        "    name = 'my/agent'\n"
        "    def __init__(self, host): pass\n"
        "    def reset(self, seed): pass\n"
        "    def act(self, observation, info): return None\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [p for p in sys.path if p])
    assert main(["run", "DriftToy-v0", "--agents", "mine:Mine", "--episodes", "2", "--seeds", "1", "--out", "x"]) == 0
    record = json.loads((tmp_path / "x" / "my-agent" / "episodes.jsonl").read_text().splitlines()[0])["record"]
    assert record["steps"][-1]["events"][-1] == {"type": "end", "reason": "no_answer"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "DriftTy-v0"], "did you mean 'DriftToy-v0'"),
        (["info", "x"], "there is no environment 'x'"),
        (["run", "DriftToy-v0", "--agents", "no-ask,just-aks"], "did you mean 'just-ask'"),
        (["run", "DriftToy-v0", "--agents", ","], "expected names with commas"),
        (["run", "DriftToy-v0", "--agents", "nowhere:Agent"], "cannot be loaded"),
        (["run", "DriftToy-v0", "--set", "persna=rational"], "did you mean 'persona'"),
        (["run", "DriftToy-v0", "--set", "persona"], "expected KEY=VALUE, got 'persona'"),
        (["run", "DriftToy-v0", "--faults", "3"], "faults: expected 0, 1, 2, 4 or a list of fault names"),
        (["run", "DriftToy-v0", "--episodes", "0"], "episodes: expected a whole number >= 1"),
        (["run", "DriftToy-v0", "--conditions", "clear"], "did you mean 'clean'"),
        (["play", "DriftToy-v0", "--task", "nowhere"], "no task 'nowhere'"),
        (["play", "DriftToy-v0", "--seed", "-1"], "--seed: expected a whole number >= 0, got -1"),
        (["play", "CartPole-v1"], "CartPole-v1 is not an environment of this suite"),
        (["check", "CartPole-v1", "--interface", "slots"], "CartPole-v1 is not an environment of this suite"),
        (["play", "nowhere:X-v0"], "No module named 'nowhere'"),
        (["run", "DriftToy-v0", "--agents", ":x"], "there is no agent ':x'"),
        (["run", "DriftToy-v0", "--agents", "json:loads"], "the agent json.loads cannot be made from a host"),
        (["run", "DriftToy-v0", "--agents", "no-ask", "--interface", "slots"], "no-ask plays the dialogue interface"),
        (["run", "DriftToy-v0", "--agents", "no-ask", "--model", "m"], "none of the agents no-ask takes a language"),
        (["report", __file__], "is a file: expected the folder of a run"),
        (["report", "nowhere"], "there is no folder nowhere"),
        (["construct", "CartPole-v1"], "CartPole-v1 is not an environment of this suite"),
        (["check", "CartPole-v1"], "CartPole-v1 is not an environment of this suite"),
        (["check", "DriftToy-v0", "--set", "persna=rational"], "did you mean 'persona'"),
        (["view", "."], "holds no run"),
    ],
)
def test_an_error_is_one_line_and_exit_code_2(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("intent-gym: ")
    assert captured.err.count("\n") == 1
    assert message in captured.err
    assert "was raised from" not in captured.err


def test_another_configuration_in_the_folder_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*PLAYED, "--out", str(folder), "--persona", "avoidant"]) == 2
    assert "it differs in options.persona (there nothing, asked 'avoidant')" in capsys.readouterr().err


def test_view_of_several_runs_and_of_no_episode(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["view", str(folder)]) == 2
    assert "holds 2 runs; name one of them" in capsys.readouterr().err
    assert main(["view", str(folder / "no-ask"), "--episode", "99"]) == 2
    assert "has no episode 99 of seed 0" in capsys.readouterr().err


# -- tools -----------------------------------------------------------------------------------------------------------
def test_construct_counts_and_writes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["construct", "DriftToy-v0", "--out", str(tmp_path / "samples"), "--stats"]) == 0
    assert re.search(r"^samples +\d+$", capsys.readouterr().out, re.MULTILINE)
    assert (tmp_path / "samples").stat().st_size


def test_check(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "DriftToy-v0", "--interface", "slots"]) == 0
    assert "DriftToy-v0, interface slots: conforms" in capsys.readouterr().out


def test_bench_takes_its_own_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["bench", "--help"])
    assert caught.value.code == 0
    assert "--steps" in capsys.readouterr().out
    for steps in ("0", "-5", "many"):
        with pytest.raises(SystemExit) as caught:
            main(["bench", "--steps", steps])
        assert caught.value.code == 2
        assert f"expected a whole number >= 1, got '{steps}'" in capsys.readouterr().err
    with pytest.raises(SystemExit) as caught:
        main(["list", "--steps", "3"])
    assert caught.value.code == 2
    assert "unrecognized arguments: --steps 3" in capsys.readouterr().err


@pytest.mark.slow
def test_results_writes_the_page_and_says_whether_the_shape_holds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["results", "--ids", "DriftToy-v0", "--episodes", "2", "--seeds", "1", "--runs", str(tmp_path / "runs")]
    code = main([*arguments, "--out", str(tmp_path / "docs" / "results.md")])
    text = capsys.readouterr().out
    assert code == ("FAILS" in text)
    assert text.count("DriftToy-v0, ") == 7
    page = (tmp_path / "docs" / "results.md").read_text()
    assert "Regenerate with `intent-gym results --episodes 2 --seeds 1 --ids DriftToy-v0`" in page


# -- play ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("interface", "typed"),
    [
        ("dialogue", "ask Which cup?\nwhat now\n\nact menu[cocoa]\nact pick[C170]\ncommit\ncommit\ncommit\ncommit\n"),
        ("text", "ask[Which cup?]\nwhat now\nact[pick[C170]]\ncommit[]\ncommit[]\ncommit[]\ncommit[]\n"),
        ("slots", "1\nask milk\n99\ncommit\n5\ncommit\ncommit\ncommit\n"),
    ],
)
def test_play_to_the_end(
    interface: str, typed: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    assert main(["play", "DriftToy-v0", "--seed", "3", "--interface", interface]) == 0
    text = capsys.readouterr().out
    assert "[turn 0, patience 10] you can " in text
    assert "What happened, with what was hidden" in text
    assert text.count("user: ") >= 3
    before_the_end = text.partition("What happened")[0]
    assert "DRIFT" not in before_the_end
    assert "hidden" not in before_the_end


@pytest.mark.parametrize(
    ("interface", "line", "why"),
    [
        ("dialogue", "what now", "expected ask, act or commit as the first word, got 'what'"),
        ("dialogue", "ask[a] commit[]", "expected one action at a time"),
        ("dialogue", "buy[it]", "expected ask[your question]"),
        ("slots", "99", "expected a number from 0 to 5 or a name from the list"),
    ],
)
def test_play_says_what_an_act_is_and_why_a_line_is_not_played(
    interface: str, line: str, why: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{line}\n"))
    assert main(["play", "DriftToy-v0", "--seed", "3", "--interface", interface]) == 0
    text = capsys.readouterr().out
    assert f"not played: {why}" in text
    assert ("Acts here: menu[drink], pick[code]" in text) == (interface != "slots")


def test_play_takes_an_answer_of_several_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = "ask Go on.\\\nPlease.\ncommit def f(items):\\\n    return items\ncommit\\\ndef f(items): pass\\\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    assert main(["play", "DriftHumanEval-v0", "--seed", "3", "--set", "budget=easy"]) == 0
    text = capsys.readouterr().out
    assert "Type: ask QUESTION, or commit ANSWER (ask[...], commit[...] do too). A line that ends with \\" in text
    for said in ("agent: Go on.\nPlease.", "commit: def f(items):\n    return items", "commit: def f(items): pass"):
        assert said in text


def test_play_ends_at_the_end_of_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("ask Which cup?\n"))
    assert main(["play", "DriftToy-v0"]) == 0
    text = capsys.readouterr().out
    assert "left before the end" in text
    assert "hidden" not in text


# -- signals and pipes -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_leaves_a_run_that_resumes_and_says_how(tmp_path: Path, workers: str) -> None:
    command = [sys.executable, "-m", "intent_gym.cli", "run", "DriftToy-v0", "--agents", "random", "--workers", workers]
    command += ["--episodes", "400", "--seeds", "3", "--out", "out"]
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs inherit "ignore"
    try:
        process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True, start_new_session=True)
    finally:
        signal.signal(signal.SIGINT, before)
    path = tmp_path / "out" / "random" / "episodes.jsonl"
    while process.poll() is None and not (path.exists() and path.stat().st_size):
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the whole group
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors.strip() == (
        "intent-gym: stopped. What is finished is kept in out; the same command goes on from there."
    )
    lines = path.read_text().splitlines()
    assert 0 < len(lines) < 1200
    assert all(json.loads(line) for line in lines)
    assert not (path.parent / "lock").exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_output_that_cannot_be_written_is_one_line_and_loses_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "intent_gym.cli", "run", "DriftToy-v0", "--agents", "no-ask", "--episodes", "2"]
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*command, "--seeds", "1", "--out", "x"], stdout=full, stderr=subprocess.PIPE, text=True, cwd=tmp_path
        )
    assert done.returncode == 2
    assert done.stderr.startswith("intent-gym: the output cannot be written: No space left on device. ")
    assert done.stderr.count("\n") == 1
    assert len((tmp_path / "x" / "no-ask" / "episodes.jsonl").read_text().splitlines()) == 2


def test_a_reader_that_has_seen_enough_is_no_error(folder: Path) -> None:
    command = f"{sys.executable} -m intent_gym.cli report {folder} --format json | head -n 1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_check_reads_the_utterances_of_evolving_dialogues(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "DriftToy-v0", "--audit", "--utterances", "120", "--set", "budget=easy"]) == 0
    text = capsys.readouterr().out
    assert "toy (embedded): 1" in text
    assert "fidelity 100.00%, coherence 100.00%" in text
    assert "fidelity and coherence of at least 99%: yes" in text
    assert main(["check", "DriftToy-v0", "--audit", "--utterances", "0"]) == 2
    assert "--utterances: expected at least 1, got 0" in capsys.readouterr().err
    assert main(["check", "DriftToy-v0", "--audit", "--persona", "intuitive", "--set", "protocol=silent"]) == 2
    assert "leave persona, protocol out" in capsys.readouterr().err
