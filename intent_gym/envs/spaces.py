"""Spaces for dialogue: text of any alphabet, and the spaces of the three interfaces."""

from __future__ import annotations

import string
from typing import Any, NoReturn

import numpy as np
from gymnasium import spaces
from gymnasium.error import CustomSpaceError
from gymnasium.vector.utils.shared_memory import create_shared_memory

__all__ = ["MAX_CONTENT", "MAX_MESSAGE", "MAX_TRANSCRIPT", "UnicodeText", "dialogue_action", "dialogue_observation"]

MAX_CONTENT = 16_384
"""Characters of an action's content; longer is malformed."""
MAX_MESSAGE = 65_536
"""Characters of one message of the dialogue."""
MAX_TRANSCRIPT = 16_777_216
"""Characters of a whole transcript (text interface)."""
_SAMPLE_LENGTH = 64


class UnicodeText(spaces.Text):
    """Any string up to a length. Gymnasium's `Text` lists its characters, which leaves out most of the world's.

    Args:
        max_length: Characters at most.
        min_length: Characters at least.
        seed: Seed of `sample`, which draws printable ASCII of at most 64 characters.
    """

    def __init__(self, max_length: int, *, min_length: int = 0, seed: int | np.random.Generator | None = None) -> None:
        super().__init__(max_length, min_length=min_length, charset=string.printable, seed=seed)

    def contains(self, x: Any) -> bool:  # noqa: ANN401 - Gymnasium's signature
        """Return whether x is a string of a legal length."""
        return isinstance(x, str) and self.min_length <= len(x) <= self.max_length

    def sample(self, mask: Any = None, probability: Any = None) -> str:  # noqa: ANN401 - Gymnasium's signature
        """Return a random printable string."""
        n = int(self.np_random.integers(self.min_length, min(self.max_length, _SAMPLE_LENGTH) + 1))
        return "".join(self.character_list[i] for i in self.np_random.integers(len(self.character_list), size=n))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UnicodeText) and (self.min_length, self.max_length) == (
            other.min_length,
            other.max_length,
        )

    __hash__ = None  # type: ignore[assignment]  # as Gymnasium's spaces

    def __repr__(self) -> str:
        return f"UnicodeText({self.min_length}, {self.max_length})"

    @property
    def is_np_flattenable(self) -> bool:
        """Text of any alphabet has no flat form."""
        return False


@create_shared_memory.register(UnicodeText)
def _no_shared_memory(space: UnicodeText, n: int = 1, ctx: Any = None) -> NoReturn:  # noqa: ANN401
    raise CustomSpaceError(
        "text cannot be kept in shared memory (Gymnasium would return wrong text): pass "
        "vector_kwargs={'shared_memory': False}, or use vectorization_mode='sync'"
    )


def dialogue_observation(budget: float, turn_cap: int) -> spaces.Dict:
    """Return the observation space of the dialogue interface."""
    message = spaces.Dict({"role": UnicodeText(8, min_length=4), "content": UnicodeText(MAX_MESSAGE)})
    return spaces.Dict(
        {
            "dialogue": spaces.Sequence(message),
            "patience": spaces.Box(0.0, budget, (1,), np.float32),
            "turn": spaces.Box(0, turn_cap + 1, (1,), np.int64),
            "action_mask": spaces.MultiBinary(3),
        }
    )


def dialogue_action() -> spaces.Dict:
    """Return the action space of the dialogue interface: kind 0 ask, 1 act, 2 commit."""
    return spaces.Dict({"kind": spaces.Discrete(3), "content": UnicodeText(MAX_CONTENT)})
