from __future__ import annotations

import errno
import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from intent_gym.core.record import EpisodeRecord
from intent_gym.errors import RunError
from intent_gym.evaluation.store import EpisodeError, RunStore, StoredRun, episode_line, find_runs

CONFIG = {"agent": "a", "options": {"persona": "rational"}, "episodes": 3, "seeds": 1, "versions": {"numpy": "1"}}


def record(sample: str = "task") -> EpisodeRecord:
    return EpisodeRecord("E-v0", {}, 1, sample, 0, "rational", "drift", (), 0.1, "hello", (), 10.0, 30)


def line(episode: int, text: str = "task") -> str:
    return episode_line((0, episode), {"seed": 1, "options": {}}, record(text))


def fill(folder: Path, episodes: int = 3) -> None:
    with RunStore(folder, CONFIG) as store:
        for i in range(episodes):
            store.add_episode((0, i), line(i))


def test_what_was_written_is_read(tmp_path: Path) -> None:
    with RunStore(tmp_path / "run", CONFIG) as store:
        store.add_episode((0, 1), line(1, "späte \ud800 \U0001f9c3"))
        store.add_error(EpisodeError(0, 2, "ValueError: no", "trace\nback"))
    run = StoredRun.open(tmp_path / "run")
    assert run.config == CONFIG
    (key, found), *none = run.records()
    assert (key, none) == ((0, 1), [])
    assert found == record("späte \ud800 \U0001f9c3")
    assert run.errors() == [EpisodeError(0, 2, "ValueError: no", "trace\nback")]
    assert sorted(p.name for p in run.folder.iterdir()) == ["config.json", "episodes.jsonl", "errors.jsonl"]


def test_an_error_is_gone_once_its_episode_finished(tmp_path: Path) -> None:
    with RunStore(tmp_path, CONFIG) as store:
        store.add_error(EpisodeError(0, 0, "one", ""))
        store.add_error(EpisodeError(0, 1, "two", ""))
        store.add_error(EpisodeError(0, 1, "two again", ""))
        store.add_episode((0, 0), line(0))
    assert [e.error for e in StoredRun.open(tmp_path).errors()] == ["two again"]


@pytest.mark.parametrize("cut", [1, 2, 40, 200])
def test_a_cut_line_is_set_aside_and_its_episode_is_not_done(tmp_path: Path, cut: int) -> None:
    fill(tmp_path)
    path = tmp_path / "episodes.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    assert [key for key, _ in StoredRun.open(tmp_path).records()] == [(0, 0), (0, 1)]
    with RunStore(tmp_path, CONFIG) as store:
        assert sorted(store.done) == [(0, 0), (0, 1)]
        store.add_episode((0, 2), line(2))
    assert path.read_bytes() == whole
    assert (tmp_path / "damaged.jsonl").read_bytes().rstrip(b"\n") == whole.split(b"\n")[2][: 1 - cut or None]


def test_a_line_overwritten_by_zeros_is_set_aside_wherever_it_is(tmp_path: Path) -> None:
    fill(tmp_path)
    path = tmp_path / "episodes.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + b"\0" * 50 + b"\n" + lines[2])
    with RunStore(tmp_path, CONFIG) as store:
        assert sorted(store.done) == [(0, 0), (0, 2)]
    assert path.read_bytes() == lines[0] + lines[2]


def test_another_configuration_is_refused_and_the_keys_are_named(tmp_path: Path) -> None:
    fill(tmp_path)
    other = CONFIG | {"agent": "b", "options": {"persona": "mixed", "drift": False}}
    with pytest.raises(RunError) as caught:
        RunStore(tmp_path, other)
    message = str(caught.value)
    assert "agent (there 'a', asked 'b')" in message
    assert "options.persona (there 'rational', asked 'mixed')" in message
    assert "options.drift (there nothing, asked False)" in message
    assert "versions" not in message
    fill_again = RunStore(tmp_path, CONFIG | {"versions": {"numpy": "2"}})  # the refusal left no lock
    fill_again.close()


def test_a_run_can_grow_and_not_shrink(tmp_path: Path) -> None:
    fill(tmp_path)
    RunStore(tmp_path, CONFIG | {"episodes": 5, "seeds": 2}).close()
    assert StoredRun.open(tmp_path).config == CONFIG | {"episodes": 5, "seeds": 2}
    with pytest.raises(RunError, match=r"episodes \(there 5, asked 3; it can only be raised\)"):
        RunStore(tmp_path, CONFIG | {"seeds": 2})


def test_two_processes_on_one_folder_are_refused(tmp_path: Path) -> None:
    with RunStore(tmp_path, CONFIG), pytest.raises(RunError, match=f"being written by process {os.getpid()} on"):
        RunStore(tmp_path, CONFIG)
    RunStore(tmp_path, CONFIG).close()


def test_the_lock_of_a_killed_process_is_stale(tmp_path: Path) -> None:
    code = (
        "import os, sys; from intent_gym.evaluation.store import RunStore;"
        f"store = RunStore({str(tmp_path)!r}, {CONFIG!r}); os.kill(os.getpid(), 9)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -9
    assert (tmp_path / "lock").exists()
    RunStore(tmp_path, CONFIG).close()
    assert not (tmp_path / "lock").exists()


def _full(*_: object) -> int:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_is_said_and_keeps_what_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with RunStore(tmp_path, CONFIG) as store:
        store.add_episode((0, 0), line(0))
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", _full)
            with pytest.raises(RunError, match=r"disk is full.*recorded before is intact; free some space and run"):
                store.add_episode((0, 1), line(1))
    assert [key for key, _ in StoredRun.open(tmp_path).records()] == [(0, 0)]


def test_a_line_that_fits_only_in_part_is_taken_back(tmp_path: Path) -> None:
    """With a real limit on the size of files, in a process of its own."""
    code = f"""
import resource
from pathlib import Path
from intent_gym.errors import RunError
from intent_gym.evaluation.store import RunStore
store = RunStore({str(tmp_path)!r}, {CONFIG!r})
line = {line(0)!r}
store.add_episode((0, 0), line)
resource.setrlimit(resource.RLIMIT_FSIZE, (len(line) + 100, resource.RLIM_INFINITY))
try:
    store.add_episode((0, 1), line)
except RunError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "size limit is reached" in done.stdout
    assert (tmp_path / "episodes.jsonl").read_text() == line(0) + "\n"


def test_a_full_disk_at_the_start_leaves_no_half_configuration(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (70, hard))
    try:
        with pytest.raises(RunError, match="size limit"):
            RunStore(tmp_path, CONFIG)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    fill(tmp_path)


def test_what_is_no_run_folder_is_said(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"holds no config\.json"):
        StoredRun.open(tmp_path)
    with pytest.raises(RunError, match="holds no run"):
        find_runs(tmp_path)
    with pytest.raises(RunError, match="there is no folder"):
        find_runs(tmp_path / "none")
    (tmp_path / "config.json").write_text("{")
    with pytest.raises(RunError, match="cannot be read"):
        StoredRun.open(tmp_path)
    (tmp_path / "config.json").write_text("[]")
    with pytest.raises(RunError, match="expected an object, got list"):
        StoredRun.open(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match="cannot be created"):
        RunStore(tmp_path / "file", CONFIG)


def test_episodes_without_a_configuration_are_not_written_to(tmp_path: Path) -> None:
    (tmp_path / "episodes.jsonl").write_text("")
    with pytest.raises(RunError, match=r"without config\.json"):
        RunStore(tmp_path, CONFIG)


def test_a_record_of_another_version_is_said(tmp_path: Path) -> None:
    fill(tmp_path, 1)
    data: dict[str, Any] = json.loads((tmp_path / "episodes.jsonl").read_text())
    data["record"]["schema"] = 99
    (tmp_path / "episodes.jsonl").write_text(json.dumps(data) + "\n")
    with pytest.raises(RunError, match="seed 0, episode 0: expected an episode record of schema"):
        list(StoredRun.open(tmp_path).records())


def test_a_record_with_a_nan_is_not_written() -> None:
    bad = record()
    bad.reward = float("nan")
    with pytest.raises(ValueError, match="JSON compliant"):
        episode_line((0, 0), {}, bad)
