"""Fenced blocks of answers."""

from __future__ import annotations

import pytest

from intent_gym.grading_fences import Block, blocks


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("x", [Block("x", "")]),
        ("", [Block("", "")]),
        ("a\n```py\nx\n```\nb\n```\ny\n```", [Block("x\n", "py"), Block("y\n", "")]),
        ("```Python\r\nx\r\ny\r\n```\r\n", [Block("x\ny\n", "python")]),
        ("```python title=x\nx\n```", [Block("x\n", "python")]),
        ("~~~\nx\n```\n~~~", [Block("x\n```\n", "")]),
        ("````\n```\nx\n```\n````", [Block("```\nx\n```\n", "")]),
        ("1. so\n   ```\n   if x:\n       y\n   ```", [Block("if x:\n    y\n", "")]),
        ("```\nnever closed", [Block("never closed\n", "")]),
        ("inline ```x``` only", [Block("inline ```x``` only", "")]),
        ("```\n```", [Block("", "")]),
    ],
)
def test_blocks(answer: str, found: list[Block]) -> None:
    assert blocks(answer) == found
