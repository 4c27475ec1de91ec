"""Every recorded vector of Spider gets its right score, and hostile queries change no database."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path

import pytest

from intent_gym.envs.sql.grade import database_file, grade_query


@pytest.mark.slow
def test_vectors(shared_data: Path) -> None:
    source = shared_data / "intentflux" / "spider"
    with gzip.open(shared_data / "intentflux" / "golden" / "spider.jsonl.gz", "rt", encoding="utf-8") as file:
        vectors = [json.loads(line) for line in file]
    files = {vector["case"]["db_id"]: database_file(source, vector["case"]["db_id"]) for vector in vectors}
    before = {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in files.items()}
    wrong = []
    for vector in vectors:
        seconds = 10.0 if vector["score"] else 2.0  # wrong answers that never end need not be waited for as long
        verdict = grade_query(files[vector["case"]["db_id"]], vector["case"]["query"], vector["answer"], seconds)
        if (verdict.score, verdict.full_credit) != (vector["score"], vector["full"]):
            wrong.append((vector["id"], vector["why"], verdict))
    assert not wrong
    assert len(vectors) == 253
    assert before == {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in files.items()}
    assert not [path for v in vectors for path in v["case"].get("must_not_exist", ()) if Path(path).exists()]
