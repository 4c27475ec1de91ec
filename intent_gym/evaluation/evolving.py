"""Figures of evolving runs: per family, over all cases (micro) and as equal-family average (macro).

Source: IntentFlux, section 4 (CAR, mean score, IDG) and appendix B. A missing answer counts 0 and stays in the number
of cases; an episode that failed is in no figure and is counted apart.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from intent_gym.envs.options import CONDITIONS
from intent_gym.evaluation.conditions import GAPS, Comparison, Gap
from intent_gym.evaluation.families import FAMILIES, family_name
from intent_gym.evaluation.labels import agent_label, condition_of, evolving_title, is_evolving
from intent_gym.evaluation.results import Results
from intent_gym.evaluation.statistics import Summary, macro_gap, over_seeds, paired_gap

__all__ = ["ALL", "MEAN", "Figures", "Group", "figures", "gaps", "groups", "mean_figures", "to_json"]

ALL, MEAN = "all cases", "family mean"
"""Names of the micro and the macro row."""
_PLAIN = ("cases", "errors", "missing")
_SUMMARIES = ("car", "score")


class Figures(NamedTuple):
    """What runs of one condition show; NaN where there is no case."""

    cases: int
    """Episodes scored, missing answers included."""
    errors: int
    """Episodes that failed; in nothing else here."""
    missing: int
    """Cases without a graded answer."""
    car: Summary
    """Full credit, over seeds."""
    score: Summary
    """Mean score, over seeds."""
    stale: float
    """Share of cases whose answer is wrong, and right for something that no longer holds."""
    variant: float
    """Share that obeys a replaced value."""
    decoy: float
    """Share that obeys a withdrawn goal."""
    first_said: float
    """Share that is right for who never updates."""
    all_kept: float
    """Share that is right for who ignores withdrawals."""
    turns: float
    """Mean user turns."""
    characters: float
    """Mean characters of the user's messages."""
    variants: float
    """Mean number of variants said."""
    decoys: float
    """Mean number of decoys said."""


def figures(runs: Sequence[Results]) -> Figures:
    """Return the figures of all episodes of some runs together."""
    rows = [row for results in runs for row in results.rows]
    seeds = [row.seed for row in rows]
    told = [row.told for row in rows if row.told is not None]

    def mean(values: Iterable[float]) -> float:
        known = [v for v in values if not math.isnan(v)]
        return float(np.mean(known)) if known else math.nan

    return Figures(
        cases=len(rows),
        errors=sum(len(results.errors) for results in runs),
        missing=sum(not t.answered for t in told),
        car=over_seeds([row.signals["full_credit"] for row in rows], seeds),
        score=over_seeds([row.signals["score"] for row in rows], seeds),
        stale=mean(row.signals["stale_obedience"] for row in rows),
        variant=mean(t.variant for t in told),
        decoy=mean(t.decoy for t in told),
        first_said=mean(t.first_said for t in told),
        all_kept=mean(t.all_kept for t in told),
        turns=mean(t.turns for t in told),
        characters=mean(t.characters for t in told),
        variants=mean(t.variants for t in told),
        decoys=mean(t.decoys for t in told),
    )


def mean_figures(families: Sequence[Figures]) -> Figures:
    """Return the mean over families, each counting the same; numbers of cases are added up, spreads left out."""
    mean: dict[str, Any] = {}
    for name in Figures._fields:
        values = [getattr(f, name) for f in families]
        if name in _PLAIN:
            mean[name] = sum(values)
        elif name in _SUMMARIES:
            mean[name] = Summary(_mean([v.mean for v in values]), math.nan, sum(v.n for v in values))
        else:
            mean[name] = _mean(values)
    return Figures(**mean)


def _mean(values: Sequence[float]) -> float:
    known = [v for v in values if not math.isnan(v)]
    return float(np.mean(known)) if known else math.nan


@dataclass(frozen=True)
class Group:
    """Evolving runs that stand in one report: the same budget, kind of cases and options, several families and agents.

    Attributes:
        title: What they have in common.
        agents: Runs by agent and family.
    """

    title: str
    agents: Mapping[str, Mapping[str, Comparison]]

    def table(self, agent: str) -> dict[tuple[str, str], Figures]:
        """Return an agent's figures by (family, condition), with the rows `ALL` and `MEAN` where families are two."""
        families = self.agents[agent]
        found = {
            (family, condition): figures([own.runs[condition]])
            for family, own in families.items()
            for condition in CONDITIONS
            if condition in own.runs
        }
        if len(families) < 2:
            return found
        for condition in CONDITIONS:
            runs = [own.runs[condition] for own in families.values() if condition in own.runs]
            if runs:
                found[ALL, condition] = figures(runs)
        for condition in CONDITIONS:
            own_figures = [found[family, condition] for family in families if (family, condition) in found]
            if own_figures:
                found[MEAN, condition] = mean_figures(own_figures)
        return found


def groups(runs: Iterable[Results]) -> list[Group]:
    """Sort the evolving ones of some runs into groups; a family is one environment."""
    found: dict[str, dict[str, dict[str, dict[str, Results]]]] = {}
    for results in runs:
        config = results.config
        if not is_evolving(config):
            continue
        agents = found.setdefault(evolving_title(config), {})
        family, condition = family_name(config["env_id"]), condition_of(config)
        name, again = agent_label(config), 2
        while condition in agents.get(name, {}).get(family, {}):
            name, again = f"{agent_label(config)} ({again})", again + 1
        agents.setdefault(name, {}).setdefault(family, {})[condition] = results
    order = [f.name for f in FAMILIES]
    return [
        Group(
            title,
            {
                agent: {
                    family: Comparison(families[family])
                    for family in sorted(families, key=lambda f: (order.index(f) if f in order else len(order), f))
                }
                for agent, families in agents.items()
            },
        )
        for title, agents in found.items()
    ]


def gaps(families: Mapping[str, Comparison], name: str) -> dict[str, Gap]:
    """Return a gap of `GAPS` for each family that has its runs, with the rows `ALL` and `MEAN` where these are two."""
    pairs = {family: own.pairs(name) for family, own in families.items()}
    known = {family: found for family, found in pairs.items() if found is not None}
    rows = {
        family: Gap(paired_gap(p.first, p.second, p.cases), len(p.cases), p.left_out) for family, p in known.items()
    }
    if len(known) > 1:
        count, left_out = sum(g.pairs for g in rows.values()), sum(g.left_out for g in rows.values())
        first = [credit for p in known.values() for credit in p.first]
        second = [credit for p in known.values() for credit in p.second]
        cases = [(family, case) for family, p in known.items() for case in p.cases]
        rows[ALL] = Gap(paired_gap(first, second, cases), count, left_out)
        rows[MEAN] = Gap(macro_gap([(p.first, p.second, p.cases) for p in known.values()]), count, left_out)
    return rows


def to_json(group: Group) -> dict[str, Any]:
    """Return a group's figures and gaps as plain data; undefined numbers are None."""
    agents: dict[str, Any] = {}
    for agent, families in group.agents.items():
        by_family: dict[str, Any] = {}
        for (family, condition), found in group.table(agent).items():
            by_family.setdefault(family, {})[condition] = _plain(found)
        named = {name: {f: gap.to_json() for f, gap in gaps(families, name).items()} for name in GAPS}
        agents[agent] = {"figures": by_family, "gaps": {name: rows for name, rows in named.items() if rows}}
    return {"title": group.title, "agents": agents}


def _plain(found: Figures) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for name, value in found._asdict().items():
        if name in _SUMMARIES:
            data[name] = {k: None if math.isnan(v) else v for k, v in value._asdict().items()}
        else:
            data[name] = None if math.isnan(value) else value
    return data
