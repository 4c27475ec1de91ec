"""Answers are traced back to the assignments that they are right for, as if all had been worked out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from intent_gym.core.intent import Intent
from intent_gym.envs.answers import TracedHost
from intent_gym.envs.hosts import load_host

HOSTS = {"data_to_text": "totto", "summary": "summhay", "tools": "bfcl"}


@pytest.mark.parametrize("name", HOSTS)
@pytest.mark.parametrize("original", [False, True], ids=["embedded", "original"])
def test_traced_assignments_are_those_with_the_same_answer(
    name: str, original: bool, request: pytest.FixtureRequest
) -> None:
    folder: Path | None = request.getfixturevalue("shared_data") / "intentflux" / HOSTS[name] if original else None
    host = load_host(name, "embedded" if folder is None else str(folder))
    assert isinstance(host, TracedHost)
    rng = np.random.default_rng(0)
    several = 0
    for frame in rng.choice(np.array(host.frames), 3):
        rows = host.answers(Intent(str(frame), ()))
        for row in rng.choice(rows, 10).tolist():
            key = host.key(frame, host.outcome(row))
            assert key is not None
            found = [dict(a) for a in host.traced(frame, key)]
            assert dict(host.assignment(row)[1]) in found
            assert all(host.key(frame, host.solve(frame, a)) == key for a in found)
            assert len({tuple(sorted(a.items())) for a in found}) == len(found)
            several += len(found) > 1
    assert several or name != "summary"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("summary", "- Something else [1, 2]."),
        ("summary", "- Something else [1-999999999999]."),
        ("summary", "- No citation."),
        ("data_to_text", "A sentence (about: nothing) is no 12 figure."),
        ("tools", "[unknown(a=1)]"),
    ],
)
def test_foreign_answers_are_right_for_nothing(name: str, text: str) -> None:
    host = load_host(name)
    assert isinstance(host, TracedHost)
    frame = host.frames[0]
    assert list(host.traced(frame, host.key(frame, text))) == []
    assert host.judge(Intent(frame, ()), text).violated == (host.frame_slot.id,)
