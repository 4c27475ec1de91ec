from __future__ import annotations

import json
import math
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from intent_gym.core.signals import GRIP
from intent_gym.errors import FailedEpisodesWarning, OptionError, RunError
from intent_gym.evaluation import Results, evaluate
from intent_gym.evaluation.player import case_of
from intent_gym.evaluation.results import Row
from intent_gym.evaluation.store import StoredRun


def told(results: Results) -> list[Any]:
    """Return everything that a result says, its records included."""
    return [json.dumps(results.summary), [r.to_json() for r in results.records], [e.key for e in results.errors]]


def test_results_do_not_depend_on_workers_or_on_where_they_are_kept(fake: ModuleType, tmp_path: Path) -> None:
    options: dict[str, Any] = {"episodes": 7, "seeds": 2, "crash": ["task-2"]}
    alone = evaluate("Fake-v0", fake.FakeAgent, **options)
    assert len(alone.rows) + len(alone.errors) == 14
    assert told(evaluate("Fake-v0", fake.FakeAgent, workers=2, **options)) == told(alone)
    assert told(evaluate("Fake-v0", fake.FakeAgent, workers=3, out=tmp_path / "run", **options)) == told(alone)
    assert told(evaluate("Fake-v0", fake.FakeAgent, workers=3, model="some-model", **options)) == told(alone)  # threads


def test_an_episode_does_not_depend_on_how_many_are_played(fake: ModuleType) -> None:
    few = [r.to_json() for r in evaluate("Fake-v0", fake.FakeAgent, episodes=3, seeds=1).records]
    many = [r.to_json() for r in evaluate("Fake-v0", fake.FakeAgent, episodes=12, seeds=2).records]
    assert many[:3] == few


def test_every_seed_plays_the_same_tasks_with_other_randomness() -> None:
    tasks = tuple("abcde")
    order = [[case_of((seed, i), tasks, "test").reset["options"]["task_id"] for i in range(10)] for seed in range(2)]
    assert order[0] == order[1]
    assert sorted(order[0][:5]) == sorted(order[0][5:]) == list(tasks)
    assert order[0][:5] != order[0][5:]
    assert case_of((0, 0), tasks[::-1], "test") == case_of((0, 0), tasks, "test"), "the order of the ids is no matter"
    seeds = {case_of((seed, i), tasks, "test").reset["seed"] for seed in range(3) for i in range(10)}
    assert len(seeds) == 30


def test_an_exception_is_recorded_and_never_scored(fake: ModuleType, tmp_path: Path) -> None:
    results = evaluate("Fake-v0", fake.FakeAgent, episodes=5, seeds=2, crash=["task-0"], out=tmp_path)
    assert len(results.rows) == results.summary["success"]["n"] == 8
    assert {e.error for e in results.errors} == {"ValueError: no such thing as task-0"}
    assert all("fake_env.py" in e.traceback for e in results.errors)
    again = evaluate("Fake-v0", fake.FakeAgent, episodes=5, seeds=2, crash=["task-0"], out=tmp_path)
    assert told(again) == told(results)
    assert len((tmp_path / "errors.jsonl").read_text().splitlines()) == 4, "failed episodes are tried again"


def test_an_agent_that_raises_or_exits_fails_its_episode_alone(fake: ModuleType) -> None:
    class Faulty(fake.FakeAgent):  # type: ignore[misc, name-defined]
        def act(self, observation: object, info: Mapping[str, Any]) -> str:
            if self.seed % 3 == 0:
                raise SystemExit(3)
            if self.seed % 3 == 1:
                raise RecursionError
            return "fine"

    results = evaluate("Fake-v0", Faulty, episodes=20, seeds=1)
    assert results.rows
    assert {e.error for e in results.errors} == {"SystemExit: 3", "RecursionError"}


def test_a_record_that_is_no_json_is_an_error(fake: ModuleType) -> None:
    with pytest.warns(FailedEpisodesWarning, match="all 2 episodes failed.*JSON compliant"):
        results = evaluate("Fake-v0", fake.FakeAgent, episodes=2, seeds=1, nan=True)
    assert not results.rows
    assert all("JSON compliant" in e.error for e in results.errors)


def test_where_every_episode_failed_the_summary_is_there_and_undefined(fake: ModuleType, tmp_path: Path) -> None:
    with pytest.warns(FailedEpisodesWarning, match="seed 0, episode 0.*no such thing as task-"):
        results = evaluate("Fake-v0", fake.FakeAgent, episodes=5, seeds=1, crash=list(fake.TASKS), out=tmp_path)
    assert results.summary.keys() == {*GRIP, "full_credit", "ask_f1"}
    for entry in results.summary.values():
        assert entry["n"] == 0
        assert math.isnan(entry["mean"])
        assert math.isnan(entry["sd"])
    assert math.isnan(results.guess_ceiling)
    assert repr(results) == "Results(fake_env.FakeAgent on Fake-v0: 0 episodes, 5 errors, success nan)"


def test_running_signals_are_kept_from_agents() -> None:
    seen: list[set[str]] = []

    class Curious:
        def __init__(self, host: object) -> None:
            pass

        def reset(self, seed: int) -> None:
            pass

        def act(self, observation: object, info: Mapping[str, Any]) -> dict[str, Any]:
            seen.append(set(info))
            return {"kind": 0, "content": "Which milk would you like?"}

    evaluate("DriftToy-v0", Curious, episodes=2, seeds=1, signals="step")
    assert len(seen) > 4
    assert all(names == {"action_mask", "turn", "patience"} for names in seen)


def test_repr_is_short(fake: ModuleType) -> None:
    text = repr(evaluate("Fake-v0", fake.FakeAgent, episodes=20, seeds=2))
    assert re.fullmatch(r"Results\(fake_env.FakeAgent on Fake-v0: 40 episodes, 0 errors, success 0\.\d+\)", text)


def test_the_guess_ceiling_is_over_what_hides_something() -> None:
    rows = (Row(0, 0, "a", 0.2, 1, {}), Row(0, 1, "b", 0.4, 1, {}), Row(0, 2, "c", 1.0, 1, {}, hides=False))
    assert Results({}, rows, (), {}).guess_ceiling == pytest.approx(0.3)
    assert math.isnan(Results({}, rows[2:], (), {}).guess_ceiling)


@pytest.mark.parametrize(
    ("agent", "options", "message"),
    [
        ("no-ask", {"interface": "slots"}, "no-ask plays the dialogue interface, not slots; .* random can play slots"),
        ("just-ask", {"interface": "text"}, "just-ask plays the dialogue interface, not text"),
        (json.loads, {}, "the agent json.loads cannot be made from a host: TypeError"),
        (str, {}, r"the agent builtins.str cannot be made .* expected an object with reset\(seed\) .* got str"),
        ("no-ask", {"out": 5}, "out: expected the path of a folder or None, got 5"),
        ("no-ask", {"agent_options": 5}, "agent_options: expected a mapping from option to value, got 5"),
        ("no-ask", {"workers": 0}, "workers: expected a whole number >= 1, got 0"),
        ("no-ask", {"workers": "2"}, "workers: expected a whole number >= 1, got '2'"),
    ],
)
def test_what_cannot_be_played_is_said_before_the_first_episode(
    agent: Any,  # noqa: ANN401 - as `evaluate` is given it
    options: dict[str, Any],
    message: str,
) -> None:
    with pytest.raises(OptionError, match=message):
        evaluate("DriftToy-v0", agent, episodes=2, seeds=1, **options)


def test_an_environment_of_another_package_is_refused() -> None:
    with pytest.raises(OptionError, match="env_id: expected a registered id as text, got 5"):
        evaluate(5, "random")  # type: ignore[call-overload]
    with pytest.raises(OptionError, match="CartPole-v1 is not an environment of this suite"):
        evaluate("CartPole-v1", "random", episodes=1, seeds=1)


def test_a_worker_that_dies_takes_one_episode_along(fake: ModuleType) -> None:
    results = evaluate("Fake-v0", fake.FakeAgent, episodes=5, seeds=2, workers=2, kill=["task-3"])
    assert len(results.rows) == 8
    assert {e.error for e in results.errors} == {"the worker process died while playing this episode"}


def test_an_agent_that_cannot_be_sent_is_said(fake: ModuleType) -> None:
    with pytest.raises(OptionError, match=r"cannot be sent to worker processes .* workers=1"):
        evaluate("Fake-v0", lambda host: fake.FakeAgent(), episodes=2, seeds=1, workers=2)


def test_a_script_without_a_guard_is_told_so(fake: ModuleType, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import fake_env; fake_env.register()\nfrom intent_gym.evaluation import evaluate\n"
        "evaluate('Fake-v0', fake_env.FakeAgent, episodes=4, seeds=1, workers=2)\n"
    )
    done = subprocess.run([sys.executable, str(script)], env=_env(), capture_output=True, text=True, check=False)
    assert "RunError: a worker process died at its start" in done.stderr


def test_an_agent_that_learns_plays_in_order_and_anew_with_each_seed(fake: ModuleType, tmp_path: Path) -> None:
    whole = evaluate("Fake-v0", fake.Learner, episodes=4, seeds=2, workers=2)
    said = [record.steps[0].content for record in whole.records]
    tasks = [record.sample_id for record in whole.records]
    assert said == [" ".join(tasks[:i]) for i in range(4)] * 2

    out = tmp_path / "run"
    evaluate("Fake-v0", fake.Learner, episodes=4, seeds=2, out=out)
    lines = (out / "episodes.jsonl").read_text().splitlines(keepends=True)
    (out / "episodes.jsonl").write_text("".join(lines[:2] + lines[5:7]))  # resumed: it is told what was played before
    assert told(evaluate("Fake-v0", fake.Learner, episodes=4, seeds=2, out=out)) == told(whole)


def test_an_instance_is_copied(fake: ModuleType) -> None:
    agent = fake.Learner()
    results = evaluate("Fake-v0", agent, episodes=2, seeds=2)
    assert agent.seen == []
    assert results.config["agent"] == "fake_env.Learner"


def test_a_second_call_plays_nothing(fake: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = evaluate("Fake-v0", fake.FakeAgent, episodes=3, seeds=2, out=tmp_path)
    monkeypatch.setattr(fake.FakeEnv, "step", None)
    assert told(evaluate("Fake-v0", fake.FakeAgent, episodes=3, seeds=2, out=tmp_path)) == told(first)


def test_a_folder_played_on_other_cases_is_refused(fake: ModuleType, tmp_path: Path) -> None:
    evaluate("Fake-v0", fake.FakeAgent, episodes=2, seeds=1, out=tmp_path)
    path = tmp_path / "episodes.jsonl"
    path.write_text(path.read_text().replace('"task_id":"task-', '"task_id":"other-'))
    with pytest.raises(RunError, match="was played on another case"):
        evaluate("Fake-v0", fake.FakeAgent, episodes=2, seeds=1, out=tmp_path)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"episodes": 0}, "episodes: expected a whole number >= 1, got 0"),
        ({"seeds": 1.5}, "seeds: expected a whole number"),
        ({"workers": 0}, "workers: expected a whole number >= 1"),
        ({"agent": 3}, "agent: expected a name, an object with reset"),
        ({"agent": "no-aks"}, "did you mean 'no-ask'"),
        ({"env_id": "Drift-v0"}, "intent-gym list"),
        ({"env_id": "Plain"}, "not an environment of this suite"),
        ({"crash": {1}}, "plain data"),
        ({"agent_options": {"a": 1}}, "given by name"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_played(
    fake: ModuleType, arguments: dict[str, Any], message: str
) -> None:
    given = {"env_id": "Fake-v0", "agent": fake.FakeAgent, "episodes": 1, "seeds": 1} | arguments
    if given["env_id"] == "Plain":
        fake.gym.register("Plain-v0", entry_point="fake_env:PlainEnv")
        given["env_id"] = "Plain-v0"
    with pytest.raises(OptionError, match=message):
        evaluate(**given)
    fake.gym.registry.pop("Plain-v0", None)


# -- on a real environment -------------------------------------------------------------------------------------------
class Odd:
    """Does what no agent should."""

    actions: tuple[object, ...] = (
        None, b"bytes", 3, "text", "x" * 1_000_000, {}, {"kind": 9, "content": ""}, {"kind": 0, "content": b"what?"},
        {"kind": 0, "content": "\ud800"}, {"kind": 1, "content": "y" * 100_000}, {"kind": None, "content": None}, [],
        object(),
    )  # fmt: skip

    def __init__(self, host: object) -> None:
        self.turn = 0

    def reset(self, seed: int) -> None:
        self.turn = seed

    def act(self, observation: object, info: Mapping[str, Any]) -> object:
        self.turn += 1
        return self.actions[self.turn % len(self.actions)]


def test_odd_actions_are_answered_by_the_environment_and_recorded(tmp_path: Path) -> None:
    results = evaluate("DriftToy-v0", Odd, episodes=13, seeds=1, out=tmp_path)
    assert results.errors == ()
    assert results.summary["success"] == {"mean": 0.0, "sd": pytest.approx(float("nan"), nan_ok=True), "n": 13}
    assert all(record.end_reason == "no_answer" for record in results.records)


@pytest.mark.parametrize("agent", ["random", "just-ask", "oracle"])
def test_scripted_agents_play_the_same_with_any_number_of_workers(agent: str) -> None:
    options: dict[str, Any] = {"episodes": 6, "seeds": 2, "persona": "mixed", "faults": 2}
    assert told(evaluate("DriftToy-v0", agent, workers=2, **options)) == told(
        evaluate("intent_gym:DriftToy-v0", agent, **options)
    )


# -- killed ----------------------------------------------------------------------------------------------------------
_SCRIPT = """
import sys
import fake_env; fake_env.register()
from intent_gym.evaluation import evaluate
if __name__ == "__main__":
    out, workers = sys.argv[1], int(sys.argv[2])
    evaluate("Fake-v0", fake_env.FakeAgent, episodes=10, seeds=2, pause=0.004, out=out, workers=workers)
"""


def _env() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_killed_at_any_moment_and_resumed_nothing_is_lost_or_played_twice(
    fake: ModuleType, tmp_path: Path, workers: int
) -> None:
    script, out = tmp_path / "script.py", tmp_path / "run"
    script.write_text(_SCRIPT)
    path = out / "episodes.jsonl"
    kept = b""
    for lines in (0, 1, 6, 13):
        process = subprocess.Popen([sys.executable, str(script), str(out), str(workers)], env=_env())
        while process.poll() is None and (path.read_bytes().count(b"\n") if path.exists() else -1) < lines:
            time.sleep(0.001)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert path.read_bytes().startswith(kept), "what was recorded stays"
        kept = path.read_bytes()
    subprocess.run([sys.executable, str(script), str(out), str(workers)], env=_env(), check=True)
    keys = [(d["seed"], d["episode"]) for d in map(json.loads, path.read_text().splitlines())]
    assert sorted(keys) == [(seed, episode) for seed in range(2) for episode in range(10)]
    whole = evaluate("Fake-v0", fake.FakeAgent, episodes=10, seeds=2, pause=0.004)
    assert told(Results.of_run(StoredRun.open(out))) == told(whole)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads the process table of Linux")
def test_workers_end_with_the_process_that_started_them(fake: ModuleType, tmp_path: Path) -> None:
    script, out = tmp_path / "script.py", tmp_path / "run"
    script.write_text(_SCRIPT)
    process = subprocess.Popen([sys.executable, str(script), str(out), "2"], env=_env())
    while not (out / "episodes.jsonl").exists() or not (out / "episodes.jsonl").read_text():
        time.sleep(0.005)
    children = [entry for entry in Path("/proc").glob("[0-9]*/stat") if _state(entry)[1] == str(process.pid)]
    process.kill()
    process.wait()
    assert children
    deadline = time.monotonic() + 20
    while any(_state(child)[0] not in "ZX" for child in children):
        assert time.monotonic() < deadline, "a worker outlives its parent"
        time.sleep(0.02)


def _state(stat: Path) -> list[str]:
    """Return the state and the parent of a process; X where it is gone."""
    try:
        return stat.read_text().rpartition(") ")[2].split()[:2]
    except OSError:
        return ["X", ""]


def test_the_protocol_is_the_environments_own_where_none_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("intent_gym.envs.toy.env.DriftToyEnv.protocol", "evolving")
    found = evaluate("DriftToy-v0", "folding", episodes=2, seeds=1, budget="easy")
    assert found.config["options"]["protocol"] == "evolving"
    assert found.summary["success"]["mean"] == 1.0
    with pytest.raises(OptionError, match="no-ask plays the silent protocol, not the evolving one"):
        evaluate("DriftToy-v0", "no-ask", episodes=2, seeds=1)


def test_two_hundred_episodes_a_seed_unless_said(fake: ModuleType) -> None:
    assert evaluate("Fake-v0", fake.FakeAgent, seeds=1).config["episodes"] == 200
