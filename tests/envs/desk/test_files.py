from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from intent_gym.envs.desk.files import find, read_json, read_text
from intent_gym.errors import DataError


def test_plain_and_gzip_are_the_same(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"k": "é"}')
    (tmp_path / "b.json.gz").write_bytes(gzip.compress('{"k": "é"}'.encode()))
    first, second = find(tmp_path, "a.json"), find(str(tmp_path), "b.json")
    assert first is not None
    assert second is not None
    one, two = read_json(first), read_json(second)
    assert one.value == two.value == {"k": "é"}
    assert one.digest == two.digest
    assert (one.name, two.name) == ("a.json", "b.json.gz")


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"expected a folder with a.json .* found nothing"):
        find(tmp_path / "no", "a.json")
    with pytest.raises(DataError, match="an empty folder"):
        find(tmp_path, "a.json")
    (tmp_path / "x").write_text("")
    with pytest.raises(DataError, match="found x; copy it there"):
        find(tmp_path, "a.json")
    with pytest.raises(DataError, match="found a file"):
        find(tmp_path / "x", "a.json")
    assert find(tmp_path, "a.json", needed=False) is None
    with pytest.raises(DataError, match="cannot read"):
        read_text(tmp_path / "no")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (gzip.compress(b'{"a": 1}' * 100)[:-12], "a damaged one"),
        (b"\x1f\x8b\x08\x00rubbish-rubbish", "a damaged one"),
        (b"\xff\xfe{}", "other bytes at 0"),
        (b'{"a": ', "is the file whole"),
        (b"[" * 100_000, "is the file whole"),
    ],
    ids=["cut gzip", "no gzip", "no utf-8", "cut json", "too deep"],
)
def test_a_damaged_file_is_named(tmp_path: Path, content: bytes, words: str) -> None:
    (tmp_path / "a.json").write_bytes(content)
    with pytest.raises(DataError, match=words):
        read_json(tmp_path / "a.json")
