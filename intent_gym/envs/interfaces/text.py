"""The text interface: one string in, one string out. For language models behind a plain text channel."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from intent_gym.core.record import Step
from intent_gym.core.silent import MALFORMED
from intent_gym.envs.game import Action, Game
from intent_gym.envs.interfaces import Interface
from intent_gym.envs.interfaces.dialogue import KINDS, check_content
from intent_gym.envs.spaces import MAX_CONTENT, MAX_MESSAGE, MAX_TRANSCRIPT, UnicodeText

__all__ = ["TextInterface", "parse_text"]

_FORM = re.compile(r"\s*(ask|act|commit)\s*\[(.*)\]\s*", re.DOTALL | re.IGNORECASE)
_TWO = re.compile(r"\]\s*(?:ask|act|commit)\s*\[", re.IGNORECASE)
_EXPECTED = "expected ask[your question], act[an action in the host] or commit[]"
_OVERHEAD = 64


def parse_text(text: object) -> Action:
    """Read ``ask[...]``, ``act[...]`` or ``commit[...]``, in capitals or not; anything else is malformed.

    One text is one action: where a bracket closes and another action follows (``ask[a] commit[]``) it is malformed.

    >>> parse_text("ask[Which colour?]")
    Action(kind=0, content='Which colour?', reason='')
    """
    if not isinstance(text, str):
        return Action(MALFORMED, "", f"{_EXPECTED}, got {type(text).__name__}")
    if len(text) > MAX_CONTENT + _OVERHEAD:
        return check_content(MALFORMED, text)
    match = _FORM.fullmatch(text)
    if match is None:
        shown = check_content(MALFORMED, text[:200])
        return Action(MALFORMED, shown.content, f"{_EXPECTED}, and nothing before or after it; got {shown.content!r}")
    if _TWO.search(match[2]):
        shown = check_content(MALFORMED, text[:200])
        return Action(MALFORMED, shown.content, "expected one action at a time, got two or more in one text")
    return check_content(KINDS.index(match[1].lower()), match[2])


class TextInterface(Interface[Game]):
    """Observation: the transcript, ending with a line on patience, turn and what is available. Action: a string."""

    wordy = True

    def __init__(self) -> None:
        """Make the spaces."""
        self.observation_space = UnicodeText(MAX_TRANSCRIPT)
        self.action_space = UnicodeText(MAX_CONTENT + _OVERHEAD)

    def decode(self, action: object) -> Action:
        """Read one of the three forms."""
        return parse_text(action)

    def play(self, action: Action, game: Game) -> Step:
        """Carry out an action given as text."""
        return game.play(action)

    def reset(self, game: Game) -> None:
        """Nothing is kept between steps."""

    def observe(self, game: Game) -> str:
        """Return the transcript."""
        episode = game.episode
        names = [n for n, ok in zip(KINDS, episode.available, strict=True) if ok]
        status = (
            f"[{game.progress}; available: {', '.join(f'{n}[...]' for n in names) or 'nothing, the dialogue is over'}]"
        )
        return "\n\n".join([*(f"{m.role}: {m.content[:MAX_MESSAGE]}" for m in game.messages), status])

    def mask(self, game: Game) -> NDArray[np.int8]:
        """Return which of ask, act, commit are available; shape (3,)."""
        return np.array(game.episode.available, dtype=np.int8)

    def meanings(self) -> tuple[str, ...]:
        """Return "ask", "act", "commit"."""
        return KINDS
