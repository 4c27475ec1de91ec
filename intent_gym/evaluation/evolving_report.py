"""Tables of evolving runs: one row a family and condition, for each agent."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from intent_gym.evaluation.columns import cell, number
from intent_gym.evaluation.conditions import Gap
from intent_gym.evaluation.evolving import Figures, Group, gaps
from intent_gym.evaluation.grids import Grid

__all__ = ["GAP_NAMES", "GLOSSARY", "NOTE", "gap_cells", "grids"]

GAP_NAMES: Mapping[str, str] = {
    "idg": "IDG",
    "length_gap": "clean - control",
    "tracking_gap": "oracle - drift",
}
NOTE = (
    "CAR, score and stale in %, CAR and score as mean±sd over seeds. A missing answer counts 0; an episode that failed "
    "is in no figure. Gaps in percentage points of CAR with a 95 % paired bootstrap interval over cases."
)
GLOSSARY: Mapping[str, str] = {
    "CAR": "share of all cases with full credit",
    "score": "mean score of the host's grader, full credit 1, without an answer 0",
    "no answer": "cases that ended without an answer to grade; they count 0",
    "stale": "share of all cases whose answer is wrong, and right for a goal that was replaced or withdrawn",
    "a variant, a decoy": "share whose wrong answer is right with one replaced value, or one withdrawn goal, obeyed",
    "first said": "share whose wrong answer is right for the first value of every goal",
    "all kept": "share whose wrong answer is right for the newest values with nothing withdrawn",
    "turns": "messages of the user, the opening and the request for the answer included",
    "characters": "of all messages of the user",
    "variants, decoys": "values that were said and replaced, goals that were said and withdrawn, per case",
    "all cases": "every case counts the same (micro)",
    "family mean": "every family counts the same (macro); its interval resamples cases within each family",
    "IDG": "CAR(clean) - CAR(drift)",
    "clean - control": "of CAR: what as many turns without changes cost",
    "oracle - drift": "of CAR: what not knowing the final state costs",
}


def grids(group: Group) -> Iterator[Grid]:
    """Yield the tables of a group, agent by agent."""
    for agent, families in group.agents.items():
        table = group.table(agent)
        head = ("family", "condition")
        yield Grid(
            f"{agent}: full credit and score",
            (*head, "cases", "errors", "no\nanswer", "CAR", "score", "stale"),
            tuple((*key, *_credit(found)) for key, found in table.items()),
            2,
        )
        yield Grid(
            f"{agent}: what was told, mean per case",
            (*head, "turns", "characters", "variants", "decoys"),
            tuple((*key, *_told(found)) for key, found in table.items()),
            2,
        )
        stale = {key: found for key, found in table.items() if key[1] in ("drift", "oracle") and found.stale}
        if stale:
            yield Grid(
                f"{agent}: what stale answers obey, % of all cases",
                (*head, "any", "a variant", "a decoy", "first said", "all kept"),
                tuple((*key, *_obeyed(found)) for key, found in stale.items()),
                2,
            )
        rows = [
            (family, GAP_NAMES[name], *gap_cells(gap), str(gap.pairs), str(gap.left_out))
            for name in GAP_NAMES
            for family, gap in gaps(families, name).items()
        ]
        if rows:
            title = f"{agent}: gaps in CAR"
            yield Grid(title, ("family", "gap", "estimate", "interval", "pairs", "left out"), tuple(rows), 2)


def _credit(found: Figures) -> tuple[str, ...]:
    counts = (str(found.cases), str(found.errors), str(found.missing))
    return (*counts, *(cell(s._asdict(), True) for s in (found.car, found.score)), number(found.stale, True))


def _told(found: Figures) -> tuple[str, ...]:
    characters = "-" if math.isnan(found.characters) else f"{found.characters:,.0f}"
    turns, *counts = ("-" if math.isnan(v) else f"{v:.1f}" for v in (found.turns, found.variants, found.decoys))
    return turns, characters, *counts


def _obeyed(found: Figures) -> tuple[str, ...]:
    shares = (found.stale, found.variant, found.decoy, found.first_said, found.all_kept)
    return tuple(number(share, True) for share in shares)


def gap_cells(gap: Gap) -> tuple[str, str]:
    """Return estimate and interval in percentage points."""
    if math.isnan(gap.interval.estimate):
        return "-", "-"
    estimate, low, high = (100 * value for value in gap.interval)
    return f"{estimate:+.1f}", f"[{low:+.1f}, {high:+.1f}]"
