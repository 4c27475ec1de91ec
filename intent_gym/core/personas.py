"""Decision styles: what a user says and when, never what is true (PROTOCOL 5).

Source: Drift-Bench++ appendix B.6 and the constants of its public release; the styles are those of the General
Decision-Making Style inventory (Scott and Bruce, 1995).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["PERSONAS", "Persona"]


@dataclass(frozen=True, slots=True)
class Persona:
    """One row of PROTOCOL 5's table.

    Attributes:
        name: The style.
        patience: Multiplier of the base patience b0.
        answers: Slots answered at once.
        volunteers: Probability of adding one more slot when room is left, in [0, 1].
        declines: Probability of declining an asked slot, in [0, 1].
        hint: Probability of naming the topic of a violated slot with a refusal, in [0, 1].
        suggestibility: Probability that a question on a topic triggers a drift of it, in [0, 1].
        marks: Fractions of b0 at which a drift may fall due, high to low.
    """

    name: str
    patience: float
    answers: int
    volunteers: float
    declines: float
    hint: float
    suggestibility: float
    marks: tuple[float, ...]


PERSONAS: Mapping[str, Persona] = {
    p.name: p
    for p in (
        Persona("rational", 1.0, 1, 0.10, 0.0, 0.30, 0.20, (1.0,)),
        Persona("intuitive", 0.9, 1, 0.20, 0.10, 0.30, 0.50, (1.0, 0.5)),
        Persona("dependent", 1.2, 2, 0.35, 0.0, 0.60, 0.80, (0.66, 0.33)),
        Persona("avoidant", 0.8, 1, 0.0, 0.50, 0.10, 0.10, (1.0,)),
        Persona("spontaneous", 0.7, 1, 0.30, 0.05, 0.40, 0.60, (1.0, 0.5)),
    )
}
