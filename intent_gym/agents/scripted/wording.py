"""How scripted agents put a question: by the host's type words, in plain sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from intent_gym.core.intent import Condition
from intent_gym.envs.host import Host

__all__ = ["question", "read_back", "word_of"]


def word_of(host: Host, topic: str) -> str:
    """Return the type word of a topic."""
    return host.slot_table.by_topic[topic][0].word


def question(host: Host, topics: Sequence[str]) -> str:
    """Return a question about topics, in their order.

    >>> from intent_gym.envs.toy import ToyHost
    >>> question(ToyHost(), ["milk", "cup"])
    'What milk and what cup size would you like?'
    """
    return f"{_listed([f'what {word_of(host, t)}' for t in topics])} would you like?".capitalize()


def read_back(host: Host, conditions: Iterable[Condition]) -> str:
    """Return a question whether the values of some conditions are right.

    >>> from intent_gym.envs.toy import ToyHost
    >>> read_back(ToyHost(), [Condition("milk", "=", "oat milk"), Condition("cup", "=", "paper cup")])
    'To be sure: milk oat milk and cup size paper cup, is that right?'
    """
    said = [f"{host.slot(c.slot).word} {host.slot(c.slot).say(c.value)}" for c in conditions]
    return f"To be sure: {_listed(said)}, is that right?"


def _listed(parts: Sequence[str]) -> str:
    if len(parts) == 1:
        return parts[0]
    return f"{', '.join(parts[:-1])} and {parts[-1]}"
