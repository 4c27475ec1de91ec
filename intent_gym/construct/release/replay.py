"""Whether a host's engine reaches the end states that the release stores for its tau2 nodes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from intent_gym.construct.release.layout import HostName
from intent_gym.construct.release.trees import Action

if TYPE_CHECKING:
    from intent_gym.construct.release.loader import Release

__all__ = ["Replayed", "Run", "replay"]

Run: TypeAlias = Callable[[HostName, Sequence[Action]], str]
"""Carries out calls on the pristine database of a domain ("retail", "airline") and returns the hash of the whole
database afterwards: SHA-256 of ``json.dumps(dump, sort_keys=True, default=str)`` with tau2's rows, absent optional
fields as nulls."""


class Replayed(NamedTuple):
    """One node, played."""

    tree_id: str
    node: int
    host: HostName
    expected: str
    found: str

    @property
    def agrees(self) -> bool:
        """Whether the end state is the stored one."""
        return self.expected == self.found


def replay(release: Release, run: Run) -> tuple[Replayed, ...]:
    """Play the golden calls of every tau2 node and compare the end states.

    Args:
        release: A release, loaded.
        run: The engine. What it raises is not caught: a golden call that fails is a fault of the engine or the data.
    """
    played = []
    for (tree, node), payload in release.payload.items():
        host = release.trees[tree].host
        if payload.state is not None:
            played.append(Replayed(tree, node, host, payload.state, run(host, payload.actions)))
    return tuple(played)
