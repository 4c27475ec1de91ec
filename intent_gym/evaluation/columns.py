"""The columns of reports: which signal, under which heading, and what it means."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from intent_gym.core.signals import GRIP

__all__ = ["COLUMNS", "GROUPS", "Column", "cell", "number"]


@dataclass(frozen=True, slots=True)
class Column:
    """One column.

    Attributes:
        signal: Key of `Results.summary`.
        header: Heading, at most two lines.
        group: Key of `GROUPS`.
        share: Whether the signal lies in [0, 1] and is shown in percent.
        meaning: One line.
    """

    signal: str
    header: str
    group: str
    share: bool
    meaning: str


GROUPS: Mapping[str, str] = {
    "G": "Grounding: was the task done, and on elicited intent",
    "R": "Role-realism: does the user behave as its persona",
    "I": "Inquiry: what the questions were worth",
    "P": "Persistence: keeping up with drift",
    "O": "Others: signals without a place in GRIP",
}
"""GRIP's dimensions; they are reported side by side and never added up."""

_HEADERS: Mapping[str, tuple[str, str]] = {
    "success": ("G", "success"),
    "full_credit": ("G", "CAR"),
    "score": ("G", "score"),
    "earned": ("G", "earned"),
    "inferred": ("G", "inferred"),
    "identification": ("R", "identi-\nfication"),
    "consistency": ("R", "consis-\ntency"),
    "aim": ("I", "aim"),
    "aim_precision": ("I", "aim\nprecision"),
    "recovery": ("I", "recovery"),
    "recovery_fraction": ("I", "recovery\nfraction"),
    "ask_f1": ("I", "Ask-F1"),
    "patience": ("I", "patience"),
    "staleness": ("P", "stale"),
    "reaction": ("P", "reaction\nturns"),
    "reaction_exchanges": ("P", "reaction\nexchanges"),
    "post_shift": ("P", "post\nshift"),
    "post_shift_invalidating": ("P", "post shift\ninvalid."),
}
_MEANINGS: Mapping[str, str] = {
    **GRIP,
    "full_credit": "share of all cases with full credit (CAR); a case without a scorable answer counts 0",
    "ask_f1": "harmonic mean of a seed's mean aim and mean recovery_fraction",
    "identification": "share of dialogues whose persona a judge names; chance 20 % with all five",
    "consistency": "share of dialogue pairs judged to have one persona or two, rightly; chance 50 %",
}
_PLAIN = {"patience", "reaction", "reaction_exchanges"}

COLUMNS: tuple[Column, ...] = (
    *(
        Column(signal, header, group, signal not in _PLAIN, _MEANINGS[signal])
        for signal, (group, header) in _HEADERS.items()
    ),
    *(
        Column(name, name.replace("_", "\n", 1), "O", False, text)
        for name, text in GRIP.items()
        if name not in _HEADERS
    ),
)
"""Every column in the order shown; a signal that was added to GRIP alone has one too."""


def number(value: float, share: bool) -> str:
    """Return a number with one digit for percent and two otherwise; "-" where undefined.

    >>> number(0.5798, True), number(4.491, False), number(float("nan"), True)
    ('58.0', '4.49', '-')
    """
    if math.isnan(value):
        return "-"
    return f"{100 * value:.1f}" if share else f"{value:.2f}"


def cell(entry: Mapping[str, float] | None, share: bool) -> str:
    """Return "mean±sd" of a summary's entry; the sd is left out where there is none.

    >>> cell({"mean": 0.5798, "sd": 0.0178, "n": 600}, True)
    '58.0±1.8'
    """
    if entry is None or not entry["n"]:
        return "-"
    shown = number(entry["mean"], share)
    return shown if math.isnan(entry["sd"]) else f"{shown}±{number(entry['sd'], share)}"
