"""One string in: three forms are read, and anything else is told what is expected."""

from __future__ import annotations

from typing import Any

import pytest

from intent_gym.envs.interfaces.text import parse_text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ask[Which colour?]", (0, "Which colour?")),
        (" act[search[red mug]] ", (1, "search[red mug]")),
        ("commit[]", (2, "")),
        ("commit[ x ]", (2, " x ")),
        ("ask[two\nlines]", (0, "two\nlines")),
        ("ASK[x]", (0, "x")),
        ("Commit []", (2, "")),
        ("ask[should I ask [a] or [b]?]", (0, "should I ask [a] or [b]?")),
    ],
)
def test_three_forms_are_read(text: str, expected: tuple[int, str]) -> None:
    assert parse_text(text)[:2] == expected


@pytest.mark.parametrize(
    "text", ["", "ask", "ask[x", "I ask[x]", "ask[x] now", "buy[x]", None, 3, b"ask[x]", ["ask[x]"]]
)
def test_anything_else_is_malformed_and_told_what_is_expected(text: Any) -> None:  # noqa: ANN401
    decoded = parse_text(text)
    assert decoded.kind == -1
    assert "ask[" in decoded.reason
    assert "commit[]" in decoded.reason


@pytest.mark.parametrize("text", ["ask[a] commit[]", "ask[a]ask[b]", "act[pick[C1]]\nCOMMIT []"])
def test_two_actions_in_one_text_are_malformed(text: str) -> None:
    decoded = parse_text(text)
    assert decoded.kind == -1
    assert decoded.reason == "expected one action at a time, got two or more in one text"
