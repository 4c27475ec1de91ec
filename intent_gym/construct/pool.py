"""The samples that episodes are drawn from: built once a process, read from a file where there is one.

In this order: the pools of this process; the file that ships with the host, if its fingerprint fits the data; for real
data, and where building takes seconds, the cache folder; else built, in a few milliseconds a sample.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from intent_gym.construct.readers import Reader
from intent_gym.construct.report import Report
from intent_gym.construct.samples import (
    COUNTS,
    SPLITS,
    Graphs,
    Pool,
    Spec,
    build_graphs,
    build_pool,
    empty_reason,
    parse_faults,
)
from intent_gym.construct.settings import Settings
from intent_gym.construct.store import Stored, cache_path, code_stamp, pool_name, read, stamp, write_pools
from intent_gym.core.config import ProtocolConfig
from intent_gym.core.sample import Sample
from intent_gym.envs.host import Host
from intent_gym.errors import DataError, OptionError, TaskError, suggest

__all__ = ["Pool", "construct", "default_readers", "pool", "save"]

_lock = threading.RLock()
_pools: dict[tuple[str, str], Pool] = {}
_graphs: dict[str, Graphs] = {}
_files: dict[Path, Stored] = {}


def pool(
    host: Host,
    split: str = "train",
    faults: int | Sequence[str] = 1,
    config: ProtocolConfig | None = None,
    settings: Settings | None = None,
) -> Pool:
    """Return the samples of a host.

    Args:
        host: The world.
        split: "train", "test", or "all" for both.
        faults: Number of faults a request has (0, 1, 2 or 4), or the names of the faults that every request has.
        config: Its `guesses` and `max_guess` are used.
        settings: Numbers of the construction.

    Raises:
        OptionError: For a split or fault that does not exist.
        TaskError: If no task can be told with these faults.
    """
    config, settings = config or ProtocolConfig(), settings or Settings()
    spec = parse_faults(faults)
    if split not in (*SPLITS, "all"):
        raise OptionError(f"split: expected 'train', 'test' or 'all', got {split!r}{suggest(split, (*SPLITS, 'all'))}")
    own = host.own_samples()
    if own is not None:
        return _chosen(host, own, split, spec, config)
    with _lock:
        parts = [_pool(host, s, spec, config, settings) for s in (SPLITS if split == "all" else (split,))]
        found = parts[0] if len(parts) == 1 else _joined(host, spec, parts, config, settings)
    if not found.samples:
        raise empty_reason(host, split, spec, found.report)
    return found


def _chosen(host: Host, own: Sequence[Sample], split: str, spec: Spec, config: ProtocolConfig) -> Pool:
    """Return the source's own samples of a split with so many faults, or with exactly these."""
    if config.max_guess != ProtocolConfig().max_guess:
        raise OptionError(f"max_guess: the samples of {host.source} are played as they are: leave max_guess out")
    key = (host.fingerprint(), pool_name(split, spec))
    with _lock:
        if key not in _pools:
            found = [s for s in own if split in (s.split, "all") and _has(s, spec)]
            if not found:
                held = Counter((s.split, len(s.request.faults)) for s in own)
                told = ", ".join(f"{n} in {part} with {k} faults" for (part, k), n in sorted(held.items()))
                asked = f"{spec} faults" if isinstance(spec, int) else ", ".join(spec)
                raise TaskError(f"no sample of {host.source}, split {split!r}, has {asked}; it holds {told}")
            report = Report()
            report.add_graphs({s.graph.id: s.graph for s in found}.values(), {})
            for sample in found:
                report.add_sample(sample, config.guesses)
            _pools[key] = Pool(tuple(found), report)
        return _pools[key]


def _has(sample: Sample, spec: Spec) -> bool:
    faults = sample.request.faults
    return len(faults) == spec if isinstance(spec, int) else set(faults) == set(spec)


def _joined(host: Host, spec: Spec, parts: Sequence[Pool], config: ProtocolConfig, settings: Settings) -> Pool:
    key = (repr(stamp(host, config, settings)), pool_name("all", spec))
    if key not in _pools:
        report = Report()
        for part in parts:
            report.merge(part.report)
        _pools[key] = Pool(tuple(s for part in parts for s in part.samples), report)
    return _pools[key]


def _pool(host: Host, split: str, spec: Spec, config: ProtocolConfig, settings: Settings) -> Pool:
    """Return the pool of one split from the nearest place that has it."""
    built_with = stamp(host, config, settings)
    name = pool_name(split, spec)
    key = (repr(built_with), name)
    if key not in _pools:
        found = _shipped(host, name, built_with)
        _pools[key] = found if found is not None else _cached(host, split, spec, config, settings)
    return _pools[key]


def _shipped(host: Host, name: str, built_with: dict[str, object]) -> Pool | None:
    """Return a pool of the file that ships with the host, or None where it is stale or lacks the pool."""
    path = host.stored_samples()
    if path is None:
        return None
    if path not in _files:
        _files[path] = read(path)
    return _files[path].pool(name) if _files[path].stamp == built_with else None


def _cached(host: Host, split: str, spec: Spec, config: ProtocolConfig, settings: Settings) -> Pool:
    """Return a pool of the cache folder, or build it."""
    name, built_with = pool_name(split, spec), stamp(host, config, settings)
    if host.source == "embedded":
        if not host.cache_samples:
            return _build(host, split, spec, config, settings)
        built_with["code"] = code_stamp()  # which makes the data too
    path = cache_path(host, name, built_with)
    try:
        stored = read(path) if path.is_file() else None
        found = stored.pool(name) if stored is not None and stored.stamp == built_with else None
    except (DataError, LookupError, TypeError, ValueError):  # a cache file that was damaged is built anew
        found = None
    if found is None:
        found = _build(host, split, spec, config, settings)
        try:
            write_pools(path, built_with, {name: found})
        except OSError:  # a cache that cannot be written (full, read-only) only costs time
            pass
    return found


def _build(host: Host, split: str, spec: Spec, config: ProtocolConfig, settings: Settings) -> Pool:
    graphs = _new_graphs(host, settings) if spec == 0 else _kept_graphs(host, settings)
    return build_pool(host, split, spec, config, settings, graphs, default_readers())


def _new_graphs(host: Host, settings: Settings) -> Graphs:
    key = repr((host.name, host.fingerprint(), settings))
    if key not in _graphs:
        _graphs[key] = build_graphs(host, settings)
    return _graphs[key]


def _kept_graphs(host: Host, settings: Settings) -> Graphs:
    """Return the graphs of the requests without faults, of which every graph has one: kept wherever pools are."""
    plain = {split: _pool(host, split, 0, ProtocolConfig(), settings) for split in SPLITS}
    by_split = {split: tuple(s.graph for s in found.samples) for split, found in plain.items()}
    return Graphs(by_split, {split: found.report.goals for split, found in plain.items()})


def default_readers() -> tuple[Reader, Reader]:
    """Return the two readers that come with the package, imported only where something is built."""
    from intent_gym.construct.readers.first import FirstReader
    from intent_gym.construct.readers.second import SecondReader

    return FirstReader(), SecondReader()


def construct(
    host: Host,
    settings: Settings | None = None,
    config: ProtocolConfig | None = None,
    readers: Sequence[Reader] | None = None,
) -> Report:
    """Build every pool of counted faults of a host and return what was made and turned away."""
    return _build_all(host, settings or Settings(), config or ProtocolConfig(), readers)[1]


def save(
    path: Path,
    host: Host,
    settings: Settings | None = None,
    config: ProtocolConfig | None = None,
    readers: Sequence[Reader] | None = None,
) -> Report:
    """Build every pool of counted faults and write them to a file that the host can ship (`Host.stored_samples`)."""
    settings, config = settings or Settings(), config or ProtocolConfig()
    pools, report = _build_all(host, settings, config, readers)
    write_pools(path, stamp(host, config, settings), pools)
    return report


def _build_all(
    host: Host, settings: Settings, config: ProtocolConfig, readers: Sequence[Reader] | None
) -> tuple[dict[str, Pool], Report]:
    graphs = build_graphs(host, settings)
    readers = readers if readers is not None else default_readers()
    pools: dict[str, Pool] = {}
    report = Report()
    for split in SPLITS:
        for faults in COUNTS:
            made = build_pool(host, split, faults, config, settings, graphs, readers)
            pools[pool_name(split, faults)] = made
            report.merge(made.report, graphs=faults == COUNTS[0])
    return pools, report
