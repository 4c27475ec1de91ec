from __future__ import annotations

import gzip
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from intent_gym.construct import pool as pools
from intent_gym.construct import save
from intent_gym.construct.pool import Pool, pool
from intent_gym.construct.samples import COUNTS, SPLITS
from intent_gym.construct.store import code_stamp, goals_of, pool_name, read, write_pools
from intent_gym.core.sample import Sample
from intent_gym.envs.host import Goal
from intent_gym.envs.toy import ToyHost
from intent_gym.errors import DataError


class Shipped(ToyHost):
    """The tea shop with a file of samples."""

    def __init__(self, path: Path, mark: str = "one") -> None:
        super().__init__()
        self.path, self.mark = path, mark

    def stored_samples(self) -> Path | None:
        return self.path

    def fingerprint(self) -> str:
        return f"toy {self.mark}"


class Real(ToyHost):
    """The tea shop as if it were read from a folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.source = str(folder)


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Forget the pools of this process, and keep the cache in a folder of the test."""
    for name in ("_pools", "_files"):
        monkeypatch.setattr(pools, name, {})
    monkeypatch.setenv("INTENT_GYM_CACHE", str(tmp_path / "cache"))
    yield


@pytest.fixture
def builds(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that grows with every pool of requests with faults that is built; plain ones keep the graphs."""
    made: list[str] = []
    real = pools._build

    def count(host: ToyHost, split: str, faults: object, *rest: object) -> Pool:
        if faults != 0:
            made.append(split)
        return real(host, split, faults, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(pools, "_build", count)
    return made


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("stored") / "samples.json.gz"
    save(path, Shipped(path))
    return path


def test_a_stored_file_gives_the_samples_that_would_be_built(stored: Path, builds: list[str]) -> None:
    host = Shipped(stored)
    for k in (1, 4):
        assert pool(host, "test", k) == pool(ToyHost(), "test", k)
    assert len(builds) == 2  # those of the host without a file


def test_stored_samples_share_graphs(stored: Path) -> None:
    host = Shipped(stored)
    graphs = {s.graph.id: s.graph for s in pool(host, "train", 1).samples}
    assert all(graphs[s.graph.id] is s.graph for s in pool(host, "train", 2).samples if s.graph.id in graphs)


def test_a_stale_fingerprint_means_building_anew(stored: Path, builds: list[str]) -> None:
    assert pool(Shipped(stored, "two"), "test", 1).samples
    assert builds == ["test"]


def test_named_faults_are_built_where_the_file_lacks_them(stored: Path, builds: list[str]) -> None:
    assert pool(Shipped(stored), "test", ("factual_error",)).samples
    assert builds == ["test"]


def test_loading_is_fast(stored: Path) -> None:
    start = time.perf_counter()
    count = sum(len(pool(Shipped(stored), split, k).samples) for split in ("train", "test") for k in (0, 1, 2, 4))
    assert count > 1500
    assert time.perf_counter() - start < 1.0  # about 0.15 s; other work may share the processor


def test_a_file_is_a_function_of_its_content(stored: Path, tmp_path: Path) -> None:
    held, again = read(stored), tmp_path / "again.json.gz"
    names = [pool_name(split, k) for split in SPLITS for k in COUNTS]
    write_pools(again, held.stamp, {name: found for name in names if (found := held.pool(name)) is not None})
    assert again.read_bytes() == stored.read_bytes()


def test_a_damaged_stored_file_is_an_error_with_its_name(stored: Path, tmp_path: Path) -> None:
    for content in (b"", b"not gzip", stored.read_bytes()[:200], gzip.compress(b"[]"), gzip.compress(b"{}")):
        broken = tmp_path / "broken.json.gz"
        broken.write_bytes(content)
        with pytest.raises(DataError, match=r"broken.json.gz: expected gzip JSON lines.*remove it"):
            read(broken)


def test_real_data_are_built_once_and_then_read(
    tmp_path: Path, builds: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    host = Real(tmp_path)
    first = pool(host, "test", 1)
    assert sorted(f.name[:17] for f in (tmp_path / "cache").iterdir()) == [
        *("samples-toy-test-", "samples-toy-test-", "samples-toy-train"),
    ]
    monkeypatch.setattr(pools, "_pools", {})
    again = pool(host, "test", 1)
    assert again.samples == first.samples and again.report == first.report
    assert builds == ["test"]


@pytest.mark.parametrize(
    "damage",
    [b"", b"nonsense", gzip.compress(b'{"stamp": 1, "graphs": [], "pools": {}}')],
    ids=["empty", "no gzip", "another stamp"],
)
def test_a_damaged_cache_file_is_built_anew(
    tmp_path: Path, builds: list[str], monkeypatch: pytest.MonkeyPatch, damage: bytes
) -> None:
    host = Real(tmp_path)
    first = pool(host, "test", 1)
    (file,) = (tmp_path / "cache").glob("samples-toy-test-1-*")
    kept = len(list((tmp_path / "cache").iterdir()))
    whole = file.read_bytes()
    file.write_bytes(damage)
    monkeypatch.setattr(pools, "_pools", {})
    assert pool(host, "test", 1).samples == first.samples
    assert builds == ["test", "test"]
    assert file.read_bytes() == whole and len(list((tmp_path / "cache").iterdir())) == kept


def test_a_cache_that_cannot_be_written_only_costs_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("INTENT_GYM_CACHE", str(tmp_path / "file"))
    assert pool(Real(tmp_path), "test", 0).samples


def test_generated_data_whose_samples_take_seconds_are_kept_until_the_code_changes(
    tmp_path: Path, builds: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    host = ToyHost()
    monkeypatch.setattr(ToyHost, "cache_samples", True)
    first = pool(host, "test", 1)
    monkeypatch.setattr(pools, "_pools", {})
    assert pool(host, "test", 1).samples == first.samples
    assert builds == ["test"]
    assert len(list((tmp_path / "cache").glob("samples-toy-test-1-*"))) == 1
    monkeypatch.setattr(pools, "_pools", {})
    monkeypatch.setattr(pools, "code_stamp", lambda: code_stamp() + 1)
    assert pool(host, "test", 1).samples == first.samples
    assert builds == ["test", "test"]


def test_the_tea_shop_writes_no_cache(tmp_path: Path) -> None:
    pool(ToyHost(), "test", 1)
    assert not (tmp_path / "cache").exists()


def test_a_sample_round_trips_through_json(stored: Path) -> None:
    for sample in pool(ToyHost(), "test", 4).samples:
        assert Sample.from_json(sample.to_json()) == sample


class Slow(ToyHost):
    """The tea shop as if its goals took long."""

    cache_goals = True

    def __init__(self) -> None:
        super().__init__()
        self.origin = (Slow, ("toy", "embedded", {}))
        self.asked = 0

    def goals(self) -> Sequence[Goal]:
        self.asked += 1
        return super().goals()


@pytest.mark.parametrize("damage", ["none", "cut", "of something else", "no folder"])
def test_goals_that_take_long_are_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str) -> None:
    made = goals_of(Slow())
    assert list(made) == list(ToyHost().goals())
    (path,) = (tmp_path / "cache").iterdir()
    if damage == "cut":
        path.write_bytes(path.read_bytes()[:-20])
    elif damage == "of something else":
        path.write_bytes(gzip.compress(b'{"code": 0}\n'))
    elif damage == "no folder":
        monkeypatch.setenv("INTENT_GYM_CACHE", str(path))  # a file where the folder should be
    host = Slow()
    assert list(goals_of(host)) == list(made)
    assert host.asked == (0 if damage == "none" else 1)


def test_graphs_are_not_made_again_for_other_faults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built = pool(ToyHost(), "test", 2)
    pool(Real(tmp_path), "test", 1)
    for name in ("_pools", "_graphs"):
        monkeypatch.setattr(pools, name, {})
    monkeypatch.setattr(pools, "build_graphs", None)
    assert pool(Real(tmp_path), "test", 2).samples == built.samples


def test_goals_of_a_host_made_by_hand_are_not_kept(tmp_path: Path) -> None:
    host = Slow()
    host.origin = None  # nothing says with which options it was made
    assert list(goals_of(host)) == list(ToyHost().goals())
    assert not (tmp_path / "cache").exists()
