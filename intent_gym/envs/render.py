"""Rendering a dialogue: as text, and as an image of that text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from intent_gym.core.narration import Message
from intent_gym.envs.game import Game
from intent_gym.errors import MissingExtraError

__all__ = ["image", "status", "transcript"]

_WIDTH, _HEIGHT, _LINE, _MARGIN = 720, 540, 15, 12
_INDENT = "    "
_PARTS = re.compile(r"\s*\S{1,40}")
"""Where a line may break: before a word, and within one that is longer than any."""
_COLOURS = {"user": (20, 60, 140), "agent": (20, 110, 60), "host": (90, 90, 90)}


def status(game: Game) -> str:
    """Return a line on patience and turns; it tells nothing hidden."""
    ended = game.episode.end_reason
    return f"[{game.progress}]" if ended is None else f"[{game.progress}; ended: {ended}]"


def transcript(messages: Iterable[Message]) -> str:
    """Return the messages as text, a paragraph each."""
    return "\n\n".join(f"{m.role}: {m.content}" for m in messages)


def wrapped(paragraph: str, length: Callable[[str], float], room: float) -> Iterator[str]:
    """Yield the lines of a paragraph, each as long as there is room; all but the first are indented.

    >>> list(wrapped("user: a cocoa in a tall beaker", len, 16))
    ['user: a cocoa in', '    a tall', '    beaker']
    """
    line = ""
    for part in _PARTS.findall(paragraph):
        if line and length(line + part) > room:
            yield line
            line = _INDENT + part.lstrip()
        else:
            line += part
    yield line


def image(messages: Sequence[Message], last_line: str) -> NDArray[np.uint8]:
    """Draw the end of the dialogue that fits; shape (540, 720, 3), uint8.

    Raises:
        MissingExtraError: Pillow is not installed.
    """
    try:
        from PIL import Image, ImageDraw, ImageFont
    except ImportError as error:
        raise MissingExtraError(
            "rgb_array needs Pillow, the extra `render`: pip install 'intent-gym[render]' (or '.[render]' in a clone)"
        ) from error
    font = ImageFont.load_default(size=12)
    most = (_HEIGHT - 2 * _MARGIN) // _LINE
    lines: list[tuple[str, tuple[int, int, int]]] = [(last_line, (140, 60, 20)), ("", (0, 0, 0))]  # the last one first
    paragraphs = (
        (paragraph, _COLOURS[m.role])
        for m in reversed(messages)
        for paragraph in reversed(f"{m.role}: {m.content}".splitlines())
    )
    for paragraph, colour in paragraphs:
        if len(lines) >= most:
            break
        drawn = list(wrapped(paragraph, font.getlength, _WIDTH - 2 * _MARGIN))
        lines += [(line, colour) for line in reversed(drawn)]
    shown = lines[:most][::-1]
    canvas = Image.new("RGB", (_WIDTH, _HEIGHT), (255, 255, 255))
    draw = ImageDraw.Draw(canvas)
    for i, (line, colour) in enumerate(shown):
        draw.text((_MARGIN, _MARGIN + i * _LINE), line, fill=colour, font=font)
    pixels: NDArray[np.uint8] = np.array(canvas, dtype=np.uint8)
    return pixels
