"""The dialogue interface: messages in, (kind, content) out. For scripted and language-model agents."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from intent_gym.core.record import Step
from intent_gym.core.silent import MALFORMED
from intent_gym.envs.game import Action, Game
from intent_gym.envs.interfaces import Interface
from intent_gym.envs.spaces import MAX_CONTENT, MAX_MESSAGE, dialogue_action, dialogue_observation

__all__ = ["KINDS", "DialogueInterface", "check_content"]

KINDS = ("ask", "act", "commit")
_SHOWN = 200


class DialogueInterface(Interface[Game]):
    """Observation ``{"dialogue", "patience", "turn", "action_mask"}``, action ``{"kind", "content"}``."""

    wordy = True

    def __init__(self, budget: float, turn_cap: int) -> None:
        """Make the spaces.

        Args:
            budget: Largest b0 of any persona.
            turn_cap: Steps before the last one.
        """
        self.observation_space = dialogue_observation(budget, turn_cap)
        self.action_space = dialogue_action()
        self._shown: list[dict[str, str]] = []

    def decode(self, action: object) -> Action:
        """Read ``{"kind": 0 | 1 | 2, "content": text}``."""
        if isinstance(action, Action) and action.reason:  # found malformed by a wrapper
            return action
        expected = 'expected {"kind": 0 (ask), 1 (act) or 2 (commit), "content": text}'
        if not isinstance(action, dict):
            return Action(MALFORMED, _shown(action), f"{expected}; got {_shown(action)}")
        missing = [name for name in ("kind", "content") if name not in action]
        if missing:
            return Action(MALFORMED, _shown(action), f"{expected}; {' and '.join(missing)} missing")
        kind, content = action["kind"], action["content"]
        if isinstance(kind, str | bytes):
            reason = f"{expected}; expected a number as kind, got text: {_shown(kind)!r}"
            return Action(MALFORMED, _shown(content), reason)
        try:
            number = int(kind) if int(kind) == kind else MALFORMED
        except (TypeError, ValueError, OverflowError):
            number = MALFORMED
        if number not in (0, 1, 2):
            return Action(MALFORMED, _shown(content), f"{expected}; got kind {_shown(kind)}")
        return check_content(number, content)

    def play(self, action: Action, game: Game) -> Step:
        """Carry out an action given as text."""
        return game.play(action)

    def reset(self, game: Game) -> None:
        """Forget the messages of the dialogue before."""
        self._shown = []

    def observe(self, game: Game) -> dict[str, Any]:
        """Return the dialogue so far as a tuple of new dicts, with patience, turn and mask."""
        episode, shown = game.episode, self._shown
        shown += [{"role": role, "content": text[:MAX_MESSAGE]} for role, text in game.messages[len(shown) :]]
        return {
            "dialogue": tuple(map(dict.copy, shown)),
            "patience": np.array([episode.patience], dtype=np.float32),
            "turn": np.array([episode.turn], dtype=np.int64),
            "action_mask": self.mask(game),
        }

    def mask(self, game: Game) -> NDArray[np.int8]:
        """Return which of ask, act, commit are available; shape (3,)."""
        return np.array(game.episode.available, dtype=np.int8)

    def meanings(self) -> tuple[str, ...]:
        """Return "ask", "act", "commit"."""
        return KINDS


def check_content(kind: int, content: object) -> Action:
    """Return the action, malformed if its content is no text, too long or not encodable."""
    if not isinstance(content, str):
        return Action(MALFORMED, _shown(content), f"expected text as content, got {type(content).__name__}")
    if len(content) > MAX_CONTENT:
        reason = f"expected at most {MAX_CONTENT} characters, got {len(content)}: say it shorter"
        return Action(MALFORMED, _clean(content[:_SHOWN]) + "...", reason)
    if not content.isascii() and _clean(content) != content:
        return Action(MALFORMED, _clean(content[:_SHOWN]), "expected text that UTF-8 can encode, got a lone surrogate")
    return Action(kind, content)


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")


def _shown(value: object) -> str:
    """Return a short, encodable form of anything, without trusting its repr."""
    if isinstance(value, str):
        return _clean(value[:_SHOWN])
    if isinstance(value, int | float | bool | type(None)):
        return repr(value)[:_SHOWN]
    return f"an object of type {type(value).__name__}"
