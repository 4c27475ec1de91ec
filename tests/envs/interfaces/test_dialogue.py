"""Dialogue actions are read strictly; what cannot be read is malformed, with a reason that can be written down."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from intent_gym.envs.interfaces.dialogue import DialogueInterface
from intent_gym.envs.spaces import MAX_CONTENT

DIALOGUE = DialogueInterface(12.0, 30)


@pytest.mark.parametrize("kind", [0, 1, 2, np.int64(2), np.array(1), True, 1.0])
def test_kinds_are_whole_numbers(kind: Any) -> None:  # noqa: ANN401
    assert DIALOGUE.decode({"kind": kind, "content": "x"}) == (int(kind), "x", "")


@pytest.mark.parametrize(
    "action",
    [
        *(None, 0, "ask", [], (0, "x"), {}, {"kind": 0}, {"content": "x"}, frozenset()),
        *({"kind": k, "content": "x"} for k in (3, -1, 0.5, "0", b"1", None, float("nan"), float("inf"), 10**30, [0])),
        *({"kind": 0, "content": c} for c in (None, 3, b"x", ["x"], {"x": 1}, "x" * (MAX_CONTENT + 1), "\ud800")),
    ],
    ids=lambda a: repr(a)[:40],
)
def test_anything_else_is_malformed_with_a_reason_that_can_be_written_down(action: Any) -> None:  # noqa: ANN401
    decoded = DIALOGUE.decode(action)
    assert (decoded.kind, decoded.reason[:8]) == (-1, "expected")
    (decoded.content + decoded.reason).encode("utf-8")
    assert len(decoded.content) + len(decoded.reason) < 1000, "recorded shortened"


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        ({"kind": 0}, "content missing"),
        ({"content": "x"}, "kind missing"),
        ({"kind": "0", "content": "x"}, "expected a number as kind, got text: '0'"),
    ],
)
def test_the_reason_says_what_is_wrong(action: Any, reason: str) -> None:  # noqa: ANN401
    assert DIALOGUE.decode(action).reason.endswith(reason)


def test_content_of_exactly_the_limit_is_taken() -> None:
    assert DIALOGUE.decode({"kind": 0, "content": "é" * MAX_CONTENT}).reason == ""
