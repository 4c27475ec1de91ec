"""Every number of the protocol in one frozen object (PROTOCOL 2-6). None is a literal elsewhere."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from intent_gym.core.intent import Relation

__all__ = ["Channel", "DriftConfig", "EvolvingConfig", "ProtocolConfig"]

_ANY_NUMBER = 1 << 30
_EPSILON = 1e-9

Channel: TypeAlias = Literal["patience", "question", "schedule", "outcome"]


@dataclass(frozen=True)
class DriftConfig:
    """When and where the hidden intent moves (PROTOCOL 4)."""

    channels: tuple[Channel, ...] = ("patience", "question")
    """Which causes are active. "patience" (crossed marks) and "question" (suggestible users) are the silent
    protocol; "schedule" (by turn) and "outcome" (after a judged commit) express earlier benchmarks."""
    announce: bool = False
    """Whether the user says what changed when it changes."""
    fire_probability: float = 0.6
    """Probability that a mark is fated to fire, in [0, 1]."""
    weights: Mapping[Relation, float] = field(
        default_factory=lambda: {"refine": 0.25, "relax": 0.25, "substitute": 0.30, "pivot": 0.20}
    )
    """Category of a due drift's edge, renormalised over the categories at hand."""
    turns: tuple[int, ...] = (3,)
    """Channel "schedule": turns after which a drift fires, whatever the patience."""
    outcomes: tuple[Literal["accepted", "rejected"], ...] = ("rejected",)
    """Channel "outcome": judged commits after which a drift fires. After "accepted" the episode goes on with the
    next intent while unvisited edges remain and `max_outcome` is not reached."""
    max_outcome: int = 1
    """Channel "outcome": number of drifts at most."""


@dataclass(frozen=True)
class EvolvingConfig:
    """Numbers of the evolving protocol (PROTOCOL 7)."""

    budgets: Mapping[str, int] = field(default_factory=lambda: {"easy": 1, "medium": 3, "hard": 5})
    """Variants per goal, and decoys, at most (IntentFlux, section 3.3)."""
    spare_turns: int = 10
    """Steps beyond the planned turns before the last one; the acts that the host allows come on top."""


@dataclass(frozen=True)
class ProtocolConfig:
    """Costs, caps and limits of the silent protocol (PROTOCOL 2-6)."""

    patience: float = 10.0
    """Base patience b0 before the persona's multiplier."""
    cost_question: float = 2.0
    cost_rejection: float = 4.0
    """A commit made with less patience than this is the final answer."""
    cost_malformed: float = 1.0
    cost_act: float = 0.0
    max_topics: int = 3
    """A question over more topics is answered "one thing at a time", and charged."""
    insist_after: int = 2
    """The consecutive ask of a slot that is never declined."""
    insist_total: int = 4
    """The ask of a slot, counted in all, that is never declined."""
    unmatched_volunteer: int = 3
    """The unmatched question in a row at which the user volunteers the next unrevealed slot."""
    guesses: int = 3
    """Distinct commits that `max_guess` counts."""
    max_guess: float = 0.5
    """Samples whose literal reading this many distinct commits hit more often than this are left out."""
    drift: DriftConfig | None = field(default_factory=DriftConfig)
    """None switches drift off."""

    def commits(self, budget: float) -> int:
        """Return how many commits a budget pays for when nothing else is done, the last one included.

        >>> [ProtocolConfig().commits(b) for b in (3.9, 4.0, 7.0, 8.0, 10.0, 12.0)]
        [1, 2, 2, 3, 3, 4]
        """
        if self.cost_rejection <= 0.0:
            return _ANY_NUMBER
        return 1 + math.floor(budget / self.cost_rejection + _EPSILON)
