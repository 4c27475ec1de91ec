"""The fenced blocks of an answer in Markdown: programs and queries. Nothing is parsed or judged here."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["Block", "blocks"]

_FENCE = re.compile(r"(?P<indent>[ \t]*)(?P<mark>`{3,}|~{3,})[ \t]*(?P<tag>[\w+#.-]*)[^`]*")


class Block(NamedTuple):
    """A code block.

    Attributes:
        text: Its lines without the fences' own indentation; lines end in a newline character alone.
        tag: The language named at the fence, in lower case; empty if there is none.
    """

    text: str
    tag: str


def blocks(answer: str) -> list[Block]:
    r"""Return the fenced blocks in their order, an unclosed last one included; without a fence, the whole text.

    >>> blocks("So:\n```python\nx = 1\n```\nDone.")
    [Block(text='x = 1\n', tag='python')]
    >>> blocks("x = 1")
    [Block(text='x = 1', tag='')]
    """
    text = answer.replace("\r\n", "\n").replace("\r", "\n")
    found: list[Block] = []
    lines: list[str] = []
    opened: re.Match[str] | None = None
    for line in text.split("\n"):
        fence = _FENCE.fullmatch(line)
        if opened is None:
            opened, lines = fence, []
        elif fence and not fence["tag"] and fence["mark"].startswith(opened["mark"]):
            found.append(Block("".join(lines), opened["tag"].lower()))
            opened = None
        else:
            lines.append(line.removeprefix(opened["indent"]) + "\n")
    if opened is not None:
        found.append(Block("".join(lines), opened["tag"].lower()))
    return found or [Block(text, "")]
