"""The search index: any query, ties, folders, forks, and the overlap with the recorded ranking of Lucene."""

from __future__ import annotations

import copy
import gzip
import json
import multiprocessing
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tantivy
from hypothesis import given
from hypothesis import strategies as st

from intent_gym.envs.webshop import search as module
from intent_gym.envs.webshop.catalogue import Catalogue, load_catalogue
from intent_gym.envs.webshop.search import FILLER, FILLER_WORD, MARKER, SearchIndex, document_text
from intent_gym.errors import DataError


def made(*names: str, **fields: Any) -> Catalogue:
    """Return a catalogue of products with these titles and asins A1, A2, ... in reverse order."""
    items = [
        {"asin": f"A{number}", "name": name, "query": "things", "category": "garden", **fields}
        for number, name in enumerate(names, 1)
    ]
    return Catalogue.from_records(reversed(items), attributes={})


def asins(catalogue: Catalogue, found: tuple[int, ...]) -> list[str]:
    return [catalogue.products[position].asin for position in found]


SMALL = made("Red wool socks", "Blue denim shirts", "Green glass lamp, 12.5 inch", "Women's running shoes", "Red lamp")
INDEX = SearchIndex.in_memory(SMALL)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("denim", ["A2"]),
        ("SHIRT", ["A2"]),  # stems and case
        ("lamp", ["A5", "A3"]),  # the shorter text first
        ("red lamp", ["A5", "A1", "A3"]),
        ("women running shoe", ["A4"]),
        ("women\u2019s", ["A4"]),
        ("12.5", ["A3"]),
        ("things", []),  # the frame is not searched
        ("the of and", []),
        ("", []),
        ("!!! \u2605 \U0001f600", []),
        ("__", []),  # the filler of every text is no word to search for
        ("a1", ["A1"]),
        (" a3 ", ["A3"]),
        ('text:red AND (+lamp OR -"socks") ^2 ~ * \\', ["A1", "A5", "A3"]),
    ],
)
def test_queries(query: str, expected: list[str]) -> None:
    assert asins(SMALL, INDEX.search(query)) == expected


def test_document_text_is_title_description_first_bullet_and_options() -> None:
    options = {"Color": [{"value": "Red"}, {"value": "Blue"}], "Size": [{"value": "L"}]}
    whole = made(
        "Shirt", full_description="Of WOOL", small_description=["Warm", "hidden"], customization_options=options
    )
    assert document_text(whole.products[0]) == "shirt of wool warm color: red, blue, and size: l"


def test_ties_go_by_asin_and_k_cuts_after_them() -> None:
    same = made(*["plain box"] * 70)
    found = asins(same, SearchIndex.in_memory(same).search("box"))
    assert found == sorted(f"A{n}" for n in range(1, 71))[:50]
    assert asins(same, SearchIndex.in_memory(same).search("box", k=3)) == found[:3]


def test_ties_across_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    same = made(*["plain box", "plain box big"] * 40)

    def fill_in_segments(index: Any, catalogue: Catalogue, progress: object) -> None:  # noqa: ANN401 - tantivy's
        order = module._asin_order(catalogue)
        # Later asins first, so that the order of segments contradicts the order of asins.
        for part in (order[60:], order[20:60], order[:20]):
            writer = index.writer(15_000_000, 1)
            for position in part:
                text = document_text(catalogue.products[position]) + f" {FILLER_WORD}" * FILLER
                writer.add_document(tantivy.Document(text=text, rank=order.index(position)))
            writer.commit()
            writer.wait_merging_threads()
        index.reload()

    whole = SearchIndex.in_memory(same).search("box")
    monkeypatch.setattr(module, "_fill", fill_in_segments)
    parts = SearchIndex.in_memory(same)
    assert parts._searcher.num_segments == 3
    assert parts.search("box") == whole


def test_a_repeated_word_counts_as_often_as_it_is_repeated() -> None:
    pair = made("red socks and socks", "red red socks")
    index = SearchIndex.in_memory(pair)
    assert asins(pair, index.search("red red red socks")) == ["A2", "A1"]
    assert asins(pair, index.search("red socks socks socks")) == ["A1", "A2"]


@given(st.text() | st.text(alphabet="\"'()[]{}+-*~^:\\/ANDORT red\x00\ud800\U0001f600", max_size=80))
def test_any_text_is_a_query(query: str) -> None:
    found = INDEX.search(query)
    assert len(found) == len(set(found)) <= len(SMALL)
    assert found == INDEX.search(query)


@pytest.mark.parametrize("query", ["red " * 4096, "x" * 16_384, "\U0001f600" * 16_384, "a.b-c'd " * 2048])
def test_long_queries(query: str) -> None:
    assert set(INDEX.search(query)) <= set(range(len(SMALL)))


def test_shared_not_pickled() -> None:
    assert copy.deepcopy(INDEX) is INDEX
    with pytest.raises(TypeError, match="cannot be pickled; pickle what uses it without it"):
        pickle.dumps(INDEX)


def _in_child(send: Callable[[Any], None]) -> None:
    send(INDEX.search("red lamp"))


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="this system cannot fork")
def test_works_after_a_fork() -> None:
    context = multiprocessing.get_context("fork")
    receive, send = context.Pipe(duplex=False)
    child = context.Process(target=_in_child, args=(send.send,))
    child.start()
    assert receive.poll(60)
    assert receive.recv() == INDEX.search("red lamp")
    child.join(60)
    assert child.exitcode == 0


def test_folder_is_built_once_and_again_when_stale(tmp_path: Path) -> None:
    calls: list[tuple[int, int]] = []

    def progress(done: int, total: int) -> None:
        calls.append((done, total))

    path = tmp_path / "deep" / "index"
    first = SearchIndex.open_or_build(path, SMALL, progress)
    assert calls == [(5, 5)]
    assert first.search("red lamp") == INDEX.search("red lamp")
    assert SearchIndex.open_or_build(path, SMALL, progress).search("red lamp") == INDEX.search("red lamp")
    assert len(calls) == 1
    other = made("Red hat")
    assert asins(other, SearchIndex.open_or_build(path, other, progress).search("red")) == ["A1"]
    assert calls[1:] == [(1, 1)]
    assert [entry.name for entry in path.parent.iterdir()] == ["index"]


def test_damaged_folder_is_rebuilt(tmp_path: Path) -> None:
    path = tmp_path / "index"
    SearchIndex.open_or_build(path, SMALL)
    (path / "meta.json").write_text("{", encoding="utf-8")
    assert SearchIndex.open_or_build(path, SMALL).search("denim") == INDEX.search("denim")
    (path / MARKER).write_text("{", encoding="utf-8")
    assert SearchIndex.open_or_build(path, SMALL).search("denim") == INDEX.search("denim")


def test_foreign_files_are_never_touched(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(DataError, match="found other files in it; name another folder"):
        SearchIndex.open_or_build(tmp_path, SMALL)
    with pytest.raises(DataError, match="found a file; name another folder"):
        SearchIndex.open_or_build(tmp_path / "thesis.txt", SMALL)
    with pytest.raises(DataError, match="cannot write a search index"):
        SearchIndex.open_or_build(tmp_path / "thesis.txt" / "index", SMALL)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_broken_off_build_leaves_nothing(tmp_path: Path) -> None:
    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        SearchIndex.open_or_build(tmp_path / "index", SMALL, stop)
    assert list(tmp_path.iterdir()) == []


def test_overlap_with_the_recorded_ranking(shared_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    catalogue = load_catalogue(shared_data / "webshop")
    index = SearchIndex.in_memory(catalogue)
    first = ten = fifty = 0.0
    hits = empty = 0
    with gzip.open(shared_data / "webshop" / "golden" / "search.jsonl.gz", "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            found, expected = asins(catalogue, index.search(row["query"])), row["asins"]
            if not expected:
                assert found == [], row["query"]
                empty += 1
                continue
            hits += 1
            first += found[:1] == expected[:1]
            ten += len(set(found[:10]) & set(expected[:10])) / len(expected[:10])
            fifty += len(set(found) & set(expected)) / len(expected)
    with capsys.disabled():
        print(
            f"\nsearch: of {hits} recorded queries {first / hits:.1%} have the same first hit; overlap of the first "
            f"ten {ten / hits:.1%}, of all {fifty / hits:.1%}; {empty} without hits agree"
        )
    assert first / hits >= 0.9
    assert ten / hits >= 0.9
