"""A run folder: what was asked for, every finished episode, every failure. It survives a kill at any moment.

===============  ======================================================================================================
file             content
===============  ======================================================================================================
config.json      the resolved configuration and the versions; written whole and renamed into place
episodes.jsonl   one line a finished episode: ``{"seed", "episode", "reset", "record"}``, in the order they finished
errors.jsonl     one line a failed attempt: ``{"seed", "episode", "error", "traceback"}``; never scored
damaged.jsonl    lines that a crash of the machine left incomplete, set aside; their episodes run again
lock             held while a process writes; says which
===============  ======================================================================================================

**What is durable when.** A line reaches the operating system in one write as soon as its episode ends, so a killed
process loses only the episodes it was playing. The files are synced to the disk when the run is closed, not after each
line: a power cut can lose or cut the last lines, which is noticed on resumption and costs playing those episodes again.

**Stale locks.** The lock is the operating system's lock on the file, which ends with the process however it dies; a
file ``lock`` that nobody holds is stale and taken over. Where the system has no such locks the file's existence is the
lock, and the message says to delete it if that process is gone.
"""

from __future__ import annotations

import errno
import json
import os
import socket
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from intent_gym.core.record import EpisodeRecord
from intent_gym.errors import RunError, StateError

try:
    import fcntl
except ImportError:  # pragma: no cover - systems without POSIX file locks
    fcntl = None  # type: ignore[assignment]

__all__ = ["EpisodeError", "EpisodeKey", "RunStore", "StoredRun", "episode_line", "find_runs"]

EpisodeKey = tuple[int, int]
"""(seed index, episode index)."""

_CONFIG, _EPISODES, _ERRORS, _DAMAGED, _LOCK = (
    "config.json", "episodes.jsonl", "errors.jsonl", "damaged.jsonl", "lock"
)  # fmt: skip
_GROWS = ("episodes", "seeds")
"""Keys of a configuration that may be raised in an existing folder: what was played stays valid."""
_INFORMS = ("versions",)
"""Keys that are written down and not compared."""


@dataclass(frozen=True, slots=True)
class EpisodeError:
    """One attempt that failed: in the environment, in the agent, or because its worker process died."""

    seed: int
    episode: int
    error: str
    """Type and message, one line."""
    traceback: str
    """Empty where no exception exists, as for a worker that was killed."""

    @property
    def key(self) -> EpisodeKey:
        """(seed index, episode index)."""
        return self.seed, self.episode


def episode_line(key: EpisodeKey, reset: Mapping[str, Any], record: EpisodeRecord) -> str:
    """Return the line of a finished episode, without line end.

    Raises:
        ValueError: The record holds a NaN or an infinity.
        TypeError: The record holds something that is no JSON value.
    """
    data = {"seed": key[0], "episode": key[1], "reset": reset, "record": record.to_json()}
    return json.dumps(data, allow_nan=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A run folder opened for reading; it may be one that another process is writing."""

    folder: Path
    config: dict[str, Any]

    @classmethod
    def open(cls, folder: str | os.PathLike[str]) -> StoredRun:
        """Open a folder.

        Raises:
            RunError: It is no run folder, or its configuration cannot be read.
        """
        path = Path(folder)
        try:
            config = json.loads((path / _CONFIG).read_text("utf-8"))
        except FileNotFoundError:
            raise RunError(f"{path} is not a run folder: it holds no {_CONFIG}") from None
        except (OSError, ValueError) as error:
            raise RunError(f"{path / _CONFIG} cannot be read: {error}") from error
        if not isinstance(config, dict):
            raise RunError(f"{path / _CONFIG} holds no configuration: expected an object, got {type(config).__name__}")
        return cls(path, config)

    def lines(self) -> Iterator[tuple[EpisodeKey, dict[str, Any], dict[str, Any]]]:
        """Yield (key, reset arguments, record as plain data) of each finished episode, in file order.

        Incomplete lines and repeats of an episode are left out.
        """
        seen: set[EpisodeKey] = set()
        for raw in _raw_lines(self.folder / _EPISODES):
            line = _parse(raw)
            if line is None or line[0] in seen:
                continue
            seen.add(line[0])
            yield line

    def raw_lines(self) -> dict[EpisodeKey, str]:
        """Return every finished episode's line, all in memory."""
        found: dict[EpisodeKey, str] = {}
        for raw in _raw_lines(self.folder / _EPISODES):
            line = _parse(raw)
            if line is not None:
                found.setdefault(line[0], raw.decode("ascii"))
        return found

    def records(self) -> Iterator[tuple[EpisodeKey, EpisodeRecord]]:
        """Yield every finished episode's record, in file order.

        Raises:
            RunError: A record was written by another version of the layout.
        """
        for key, _, data in self.lines():
            try:
                yield key, EpisodeRecord.from_json(data)
            except StateError as error:
                raise RunError(f"{self.folder / _EPISODES}, seed {key[0]}, episode {key[1]}: {error}") from error

    def errors(self) -> list[EpisodeError]:
        """Return the last failure of every episode that has not finished since, sorted."""
        last: dict[EpisodeKey, EpisodeError] = {}
        for raw in _raw_lines(self.folder / _ERRORS):
            try:
                error = EpisodeError(**json.loads(raw))
            except (ValueError, TypeError):
                continue  # cut by a crash; the episode counts as not played
            last[error.key] = error
        if last:
            for key, _, _ in self.lines():
                last.pop(key, None)
        return sorted(last.values(), key=lambda e: e.key)


class RunStore:
    """A run folder opened for writing, by one process at a time.

    Attributes:
        run: The same folder for reading.
        done: Reset arguments of the finished episodes.

    Args:
        folder: Created if missing.
        config: Resolved configuration, plain data with at least "episodes" and "seeds".

    Raises:
        RunError: The folder cannot be written, is in use, or holds a run of another configuration.
    """

    def __init__(self, folder: str | os.PathLike[str], config: Mapping[str, Any]) -> None:
        path = Path(folder)
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RunError(f"the run folder {path} cannot be created: {error.strerror or error}") from error
        self._lock = _Lock(path / _LOCK)
        try:
            config = _settle_config(path, json.loads(json.dumps(config)))
            self.run = StoredRun(path, config)
            _set_damage_aside(path)
            self.done = {key: reset for key, reset, _ in self.run.lines()}
            self._episodes = _Appender(path / _EPISODES)
            self._errors = _Appender(path / _ERRORS)
        except BaseException:
            self._lock.release()
            raise

    def add_episode(self, key: EpisodeKey, line: str) -> None:
        """Append a finished episode, as made by `episode_line`."""
        if key in self.done:
            raise RunError(f"seed {key[0]}, episode {key[1]} is already recorded in {self.run.folder}")
        self._episodes.append(line)
        self.done[key] = {}

    def add_error(self, error: EpisodeError) -> None:
        """Append a failed attempt."""
        self._errors.append(json.dumps(asdict(error)))

    def close(self) -> None:
        """Sync the files to the disk and give the folder free. Harmless when repeated."""
        self._episodes.close()
        self._errors.close()
        self._lock.release()

    def __enter__(self) -> RunStore:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


def find_runs(folder: str | os.PathLike[str]) -> list[StoredRun]:
    """Return the run folders at or below a folder, by path.

    Raises:
        RunError: There is none.
    """
    top = Path(folder)
    if top.exists() and not top.is_dir():
        raise RunError(f"{top} is a file: expected the folder of a run, or one with runs in it")
    if not top.is_dir():
        raise RunError(f"there is no folder {top}; `intent-gym run ID --out {top}` makes one")
    runs = [StoredRun.open(path.parent) for path in sorted(top.rglob(_CONFIG)) if (path.parent / _EPISODES).exists()]
    if not runs:
        raise RunError(f"{top} holds no run: no folder in it has {_CONFIG} and {_EPISODES}")
    return runs


# -- reading lines ---------------------------------------------------------------------------------------------------
def _raw_lines(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
            yield from file
    except FileNotFoundError:
        return
    except OSError as error:
        raise RunError(f"{path} cannot be read: {error.strerror or error}") from error


def _parse(raw: bytes) -> tuple[EpisodeKey, dict[str, Any], dict[str, Any]] | None:
    if not raw.endswith(b"\n"):
        return None
    try:
        line = json.loads(raw)
        return (line["seed"], line["episode"]), line["reset"], line["record"]
    except (ValueError, KeyError, TypeError):
        return None


def _set_damage_aside(folder: Path) -> None:
    """Move lines that are not complete records to `damaged.jsonl`, so that their episodes run again."""
    path = folder / _EPISODES
    damaged = [raw for raw in _raw_lines(path) if _parse(raw) is None]
    if not damaged:
        return
    whole = b"".join(raw for raw in _raw_lines(path) if _parse(raw) is not None)
    try:
        with (folder / _DAMAGED).open("ab") as file:
            file.writelines(raw.rstrip(b"\n") + b"\n" for raw in damaged)
        _write_whole(path, whole)
    except OSError as error:
        raise _failed_write(path, error) from error


# -- the configuration -----------------------------------------------------------------------------------------------
def _settle_config(folder: Path, config: dict[str, Any]) -> dict[str, Any]:
    """Return the configuration in force: the folder's own, grown where more is asked; written if it is new."""
    path = folder / _CONFIG
    if path.exists():
        known = StoredRun.open(folder).config
        differing = [
            f"{name} (there {old}, asked {new})"
            for name, old, new in _differences(known, config)
            if name.partition(".")[0] not in _INFORMS and name not in _GROWS
        ]
        differing += [
            f"{name} (there {known[name]}, asked {config[name]}; it can only be raised)"
            for name in _GROWS
            if known.get(name, 0) > config[name]
        ]
        if differing:
            raise RunError(
                f"{folder} holds a run of another configuration; it differs in {', '.join(differing)}. "
                "Choose another folder, or ask for the same"
            )
        if all(known.get(name) == config[name] for name in _GROWS):
            return known
        config = {**known, **{name: config[name] for name in _GROWS}}
    elif (folder / _EPISODES).exists():
        raise RunError(f"{folder} has {_EPISODES} without {_CONFIG}: not a run of this program, or part of one")
    try:
        _write_whole(path, json.dumps(config, indent=2).encode() + b"\n")
    except OSError as error:
        raise _failed_write(path, error) from error
    return config


def _differences(old: Mapping[str, Any], new: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str, str]]:
    for name in sorted({*old, *new}):
        here, there = old.get(name), new.get(name)
        if isinstance(here, dict) and isinstance(there, dict):
            yield from _differences(here, there, f"{prefix}{name}.")
        elif here != there or (name in old) != (name in new):
            shown = (repr(m[name]) if name in m else "nothing" for m in (old, new))
            yield (prefix + name, *shown)  # type: ignore[misc]


# -- writing ---------------------------------------------------------------------------------------------------------
def _write_whole(path: Path, data: bytes) -> None:
    """Write a file so that it is seen whole or not at all."""
    part = path.with_name(path.name + ".part")
    try:
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def _failed_write(path: Path, error: OSError) -> RunError:
    full = error.errno in (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC))  # not on Windows
    reason = "the disk is full, or a quota or size limit is reached" if full else (error.strerror or str(error))
    advice = "free some space" if full else "make it writable"
    return RunError(
        f"{path} cannot be written: {reason}. Everything recorded before is intact; {advice} and run the same "
        "command again to go on from there"
    )


class _Appender:
    """Appends whole lines; a line that could not be written whole is taken back."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
        except OSError as error:
            raise _failed_write(path, error) from error
        self._open = True

    def append(self, line: str) -> None:
        data = line.encode("ascii") + b"\n"
        before = os.fstat(self._file).st_size
        try:
            written = 0
            while written < len(data):
                written += os.write(self._file, data[written:])
        except OSError as error:
            os.ftruncate(self._file, before)
            raise _failed_write(self._path, error) from error

    def close(self) -> None:
        if self._open:
            self._open = False
            try:
                os.fsync(self._file)
            except OSError as error:
                raise _failed_write(self._path, error) from error
            finally:
                os.close(self._file)


class _Lock:
    """The right to write a folder (see the module's text for the rule on stale locks)."""

    def __init__(self, path: Path) -> None:
        self._path = path
        while True:
            try:
                flags = os.O_RDWR | os.O_CREAT | (0 if fcntl else os.O_EXCL)
                self._file = os.open(path, flags, 0o666)
            except FileExistsError:
                raise self._in_use() from None
            except OSError as error:
                raise _failed_write(path, error) from error
            if fcntl is None or self._acquire():
                break
        self._held = True
        try:
            os.ftruncate(self._file, 0)
            os.write(self._file, json.dumps({"pid": os.getpid(), "host": socket.gethostname()}).encode())
        except OSError as error:
            self.release()
            raise _failed_write(path, error) from error

    def _acquire(self) -> bool:
        """Take the system's lock; False if the file was replaced meanwhile, by a holder that just ended."""
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(self._file), os.stat(self._path)):
                return True
        except FileNotFoundError:
            pass
        except OSError as error:
            os.close(self._file)
            if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
                raise self._in_use() from None
            raise RunError(f"{self._path} cannot be locked: {error.strerror or error}") from error
        os.close(self._file)
        return False

    def _in_use(self) -> RunError:
        try:
            holder = json.loads(self._path.read_text("utf-8"))
            who = f"process {holder['pid']} on {holder['host']}"
        except (OSError, ValueError, KeyError, TypeError):
            who = "another process"
        wait = "wait for it, stop it, or choose another folder"
        if fcntl is None:  # pragma: no cover - systems without POSIX file locks
            wait += f"; if it is gone, delete {self._path}"
        return RunError(f"{self._path.parent} is being written by {who}: {wait}")

    def release(self) -> None:
        if self._held:
            self._held = False
            if fcntl is None:  # pragma: no cover - a system that may not remove open files
                os.close(self._file)
                self._path.unlink(missing_ok=True)
            else:  # removed while the lock is held, so that nobody takes over a file that is about to go
                self._path.unlink(missing_ok=True)
                os.close(self._file)
