"""Readers recover from a text what its writer did to the true intent: step 1 of the verification (PROTOCOL 2).

Source: Drift-Bench++, "three-step verification": two independent judges recover the structured edit from the query and
the root intent, and a sample is kept only where both agree with what was intended. A reader knows the host's public
slots and the true intent; it never sees how the text was made. A language model fits the same interface.
"""

from __future__ import annotations

from typing import Protocol

from intent_gym.core.faults import Edit
from intent_gym.core.intent import Intent
from intent_gym.envs.host import Host

__all__ = ["Reader"]


class Reader(Protocol):
    """Recovers the edits of a request."""

    def read(self, host: Host, intent: Intent, text: str) -> frozenset[Edit] | None:
        """Return the edits that lead from the true intent to the text, or None where the text cannot be read.

        The empty set says that the text tells the intent completely and asks for it.
        """
        ...
