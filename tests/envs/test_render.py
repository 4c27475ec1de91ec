"""The image of a dialogue: every line is as long as there is room, and nothing is drawn over the edge."""

from __future__ import annotations

import numpy as np
import pytest

from intent_gym.core.narration import Message
from intent_gym.envs.render import image, wrapped


def test_lines_are_filled_and_none_is_too_long() -> None:
    text = "user: " + " ".join(f"word{i}" for i in range(60)) + " " + "x" * 200
    lines = list(wrapped(text, len, 50))
    assert all(len(line) <= 50 for line in lines)
    assert all(len(line) > 40 for line in lines[:-6]), "the next word would not have fitted"
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert list(wrapped("", len, 50)) == [""]


def test_the_image_uses_its_whole_width() -> None:
    pytest.importorskip("PIL", reason="needs the extra `render`")
    pixels = image([Message("user", "Could you find me a cocoa in a tall beaker? " * 8)], "[turn 1]")
    inked = np.flatnonzero((pixels != 255).any(axis=(0, 2)))
    assert pixels.shape == (540, 720, 3)
    assert 640 < inked.max() < 720 - 10
