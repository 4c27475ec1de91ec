"""Samples and goals in a file: gzip JSON lines of graphs and pools, tied to a host's data by its fingerprint.

The first line says what the file was built with and names the graphs and pools; each of them has a line of its own,
parsed when it is first asked for.

A host may ship such a file (`Host.stored_samples`); pools of real data, and of hosts whose generated ones take seconds
(`Host.cache_samples`), are kept in one each under the cache folder: ``$INTENT_GYM_CACHE``, else
``$XDG_CACHE_HOME/intent_gym``, else ``~/.cache/intent_gym``. So are the goals of hosts that work seconds on them
(`Host.cache_goals`).
"""

from __future__ import annotations

import gzip
import json
import os
import tempfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from intent_gym.construct.report import Report
from intent_gym.construct.samples import Pool, Spec
from intent_gym.construct.settings import VERSION, Settings
from intent_gym.core.config import ProtocolConfig
from intent_gym.core.intent import Intent, IntentGraph
from intent_gym.core.rng import key_of
from intent_gym.core.sample import Request, Sample
from intent_gym.envs.host import Goal, Host
from intent_gym.errors import DataError

__all__ = ["Stored", "cache_path", "code_stamp", "goals_of", "pool_name", "read", "stamp", "write_pools"]

_DAMAGED = (OSError, EOFError, zlib.error, ValueError, LookupError, TypeError)
"""What reading a file raises that is missing, cut or of another format."""


def stamp(host: Host, config: ProtocolConfig, settings: Settings) -> dict[str, Any]:
    """Return what a file must have been built with to be used."""
    return {
        "version": VERSION,
        "fingerprint": host.fingerprint(),
        "guesses": config.guesses,
        "max_guess": config.max_guess,
        "settings": asdict(settings),
    }


@cache
def code_stamp() -> int:
    """Return a number that differs where the code differs that generates data and builds samples of it."""
    folder = Path(__file__).parent.parent
    found = 0
    for path in sorted(p for part in ("core", "construct", "envs") for p in (folder / part).rglob("*.py")):
        found = zlib.crc32(path.read_bytes(), found)
    return found


def pool_name(split: str, faults: Spec) -> str:
    """Return the name of a pool inside a file: "train/1", "test/factual_error"."""
    return f"{split}/{faults if isinstance(faults, int) else '+'.join(faults)}"


def cache_path(host: Host, name: str, built_with: Mapping[str, Any], kind: str = "samples") -> Path:
    """Return where a pool, or something else of a kind, is kept."""
    base = os.environ.get("INTENT_GYM_CACHE")
    xdg = os.environ.get("XDG_CACHE_HOME")
    folder = Path(base) if base else (Path(xdg) if xdg else Path.home() / ".cache") / "intent_gym"
    key = key_of(json.dumps(built_with, sort_keys=True), name)
    return folder / f"{kind}-{host.name}-{name.replace('/', '-')[:40]}-{key:016x}.json.gz"


class Stored:
    """The content of a file; graphs and pools are decoded when they are asked for.

    Attributes:
        stamp: What the file was built with.
    """

    def __init__(self, lines: Sequence[str]) -> None:
        """Read the first line and index the others."""
        head = json.loads(lines[0])
        self.stamp: dict[str, Any] = head["stamp"]
        names = [("graph", g) for g in head["graphs"]] + [("pool", p) for p in head["pools"]]
        self._lines: dict[tuple[str, str], str] = dict(zip(names, lines[1:], strict=True))
        self._graphs: dict[str, IntentGraph] = {}

    def pool(self, name: str) -> Pool | None:
        """Return a pool, or None where the file has no such pool."""
        line = self._lines.get(("pool", name))
        if line is None:
            return None
        held = json.loads(line)
        split = name.split("/", 1)[0]
        samples = tuple(
            Sample(id_, split, self._graph(graph), Request.from_json(request), tuple((n, g) for n, g in blind))
            for id_, graph, request, blind in held["samples"]
        )
        return Pool(samples, Report.from_json(held["report"]))

    def _graph(self, graph: str) -> IntentGraph:
        found = self._graphs.get(graph)
        if found is None:
            found = self._graphs[graph] = IntentGraph.from_json(json.loads(self._lines["graph", graph]))
        return found


def read(path: Path) -> Stored:
    """Return the content of a file.

    Raises:
        DataError: Where the file is missing, truncated or of another format.
    """
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            return Stored(file.read().splitlines())
    except _DAMAGED as error:
        raise DataError(
            f"{path}: expected gzip JSON lines of samples as `construct.save` writes it, but got {error!r}. "
            "Build it anew with `intent-gym construct`, or remove it."
        ) from error


def write_pools(path: Path, built_with: Mapping[str, Any], pools: Mapping[str, Pool]) -> None:
    """Write pools and the graphs they use; readers of the path see the old file or the whole new one.

    The bytes are a function of the content: no time stamp is stored.
    """
    graphs = {s.graph.id: s.graph for pool in pools.values() for s in pool.samples}
    head = {"stamp": dict(built_with), "graphs": list(graphs), "pools": list(pools)}
    lines: list[Any] = [head, *(g.to_json() for g in graphs.values())]
    for pool in pools.values():
        told = [[s.id, s.graph.id, s.request.to_json(), s.blind] for s in pool.samples]
        lines.append({"samples": told, "report": pool.report.to_json()})
    _write(path, lines)


def goals_of(host: Host) -> Sequence[Goal]:
    """Return a host's goals; costly ones (`Host.cache_goals`) from the cache folder, once they are there."""
    if not host.cache_goals or host.origin is None:
        return host.goals()
    _, (_, _, options) = host.origin
    built_with = {"code": code_stamp(), "fingerprint": host.fingerprint(), "options": options}
    path = cache_path(host, "all", built_with, "goals")
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            head, *lines = map(json.loads, file)
        if head == built_with:
            return tuple(Goal(id_, split, Intent.from_json(intent)) for id_, split, intent in lines)
    except _DAMAGED:
        pass  # not there yet, or damaged: made anew
    goals = host.goals()
    try:
        _write(path, [built_with, *([g.id, g.split, g.intent.to_json()] for g in goals)])
    except OSError:  # a cache that cannot be written (full, read-only) only costs time
        pass
    return goals


def _write(path: Path, lines: Sequence[Any]) -> None:
    """Write gzip JSON lines; readers of the path see the old file or the whole new one."""
    # JSON in ASCII has no character that ends a line
    packed = gzip.compress("\n".join(json.dumps(line, separators=(",", ":")) for line in lines).encode(), mtime=0)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(packed)
        Path(temporary).chmod(0o644)  # a temporary file is its owner's alone; this one may ship
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
