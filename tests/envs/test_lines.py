from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from pydantic import BaseModel, ConfigDict

from intent_gym.envs.lines import read_rows
from intent_gym.errors import DataError


class Row(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    n: int


def test_plain_and_packed_files_and_blank_lines(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"n": 1}\n\n{"n": 2}\n')
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(b'{"n": 3}'))
    assert [row.n for row in read_rows(tmp_path, "a.jsonl", Row)] == [1, 2]
    assert [row.n for row in read_rows(tmp_path, "b.jsonl", Row)] == [3]


def test_a_file_that_is_not_needed_has_no_rows(tmp_path: Path) -> None:
    assert read_rows(tmp_path, "a.jsonl", Row, needed=False) == []
    with pytest.raises(DataError, match=r"expected a\.jsonl"):
        read_rows(tmp_path, "a.jsonl", Row)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"n": 1', "line 2: expected one JSON object"),
        ('{"n": "1"}', "line 2: n: .*found '1'"),
        ('{"n": 1, "m": 2}', "line 2: m: Extra inputs"),
        ("[1]", "line 2: the row: "),
    ],
)
def test_a_bad_row_is_named(tmp_path: Path, line: str, message: str) -> None:
    (tmp_path / "a.jsonl").write_text(f'{{"n": 1}}\n{line}\n')
    with pytest.raises(DataError, match=message):
        read_rows(tmp_path, "a.jsonl", Row)
