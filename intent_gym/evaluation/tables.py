"""The committed results: a fixed matrix of runs, its tables, and whether their shape is that of the paper.

Source: Drift-Bench++, Table 2 and Figures 4 and 5. Absolute numbers depend on agents and data; what must hold is the
shape: asking beats not asking, more so with more faults; drift lowers success and earned; an asker recovers more of
what is hidden than a guesser; asking gains more at the desks, where a wrong guess changes records, than in the shop.
Two checks are ours: asking everything in one message gains nothing, and nobody does better than who knows the intent.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from intent_gym.evaluation.columns import cell, number
from intent_gym.evaluation.report import markdown, sections
from intent_gym.evaluation.results import Results, Row
from intent_gym.evaluation.runner import evaluate
from intent_gym.evaluation.statistics import Interval, paired_gap

__all__ = [
    "AGENTS",
    "ASKERS",
    "CEILING",
    "FAULTS",
    "GUESSER",
    "PROBE",
    "Check",
    "Run",
    "checks",
    "matrix",
    "page",
    "play",
]

GUESSER, PROBE, CEILING = "no-ask", "ask-all", "oracle"
ASKERS = ("just-ask", "information-gain", "calibrated")
AGENTS = (GUESSER, PROBE, *ASKERS, CEILING)
FAULTS = (0, 1, 2, 4)
SHOP, DESKS = "DriftWebShop-v0", ("DriftRetail-v0", "DriftAirline-v0")
ENVIRONMENTS = (SHOP, *DESKS)


class Run(NamedTuple):
    """One cell of the matrix."""

    env_id: str
    agent: str
    faults: int
    drift: bool

    @property
    def folder(self) -> Path:
        """Where it is recorded, below the results' folder."""
        return Path(self.env_id) / f"k{self.faults}-{'drift' if self.drift else 'still'}" / self.agent


@dataclass(frozen=True, slots=True)
class Check:
    """One expectation on the shape of the results.

    Attributes:
        expects: What should hold.
        holds: Whether it does, by the estimates.
        figures: The numbers it was read from.
    """

    expects: str
    holds: bool
    figures: str

    def __str__(self) -> str:
        """Return one line."""
        return f"{'holds' if self.holds else 'FAILS'}: {self.expects}: {self.figures}"


def matrix(
    env_ids: Sequence[str] = ENVIRONMENTS, agents: Sequence[str] = AGENTS, faults: Sequence[int] = FAULTS
) -> list[Run]:
    """Return the runs: environments x agents x number of faults x drift on and off."""
    return [Run(e, a, k, drift) for e in env_ids for drift in (True, False) for k in faults for a in agents]


def play(
    runs: Sequence[Run],
    out: str | os.PathLike[str],
    *,
    episodes: int,
    seeds: int,
    workers: int = 1,
    progress: bool | None = None,
) -> dict[Run, Results]:
    """Play what the folder lacks and return all results."""
    return {
        run: evaluate(
            run.env_id,
            run.agent,
            episodes=episodes,
            seeds=seeds,
            workers=workers,
            progress=progress,
            out=Path(out) / run.folder,
            faults=run.faults,
            drift=run.drift,
        )
        for run in runs
    }


# -- the shape -------------------------------------------------------------------------------------------------------
def checks(found: Mapping[Run, Results]) -> list[Check]:
    """Return the expectations of every environment that has the runs for them."""
    lines: list[Check] = []
    for env_id in dict.fromkeys(run.env_id for run in found):
        own = {(run.agent, run.faults, run.drift): results for run, results in found.items() if run.env_id == env_id}
        for part in (_asking, _growing, _drift, _recovering, _probing, _ceiling):
            lines += part(env_id, own)
    return lines + _desks(found)


_Own = Mapping[tuple[str, int, bool], Results]


def _gap(first: Results, second: Results, signal: str, *, hiding: bool = False) -> Interval:
    """Return the paired difference of a signal over the episodes that both runs played and that define it.

    Args:
        first: The run whose signal counts.
        second: The run it is compared with.
        signal: Name of the signal.
        hiding: Only episodes whose opening hides something; `second` is then a run without drift, where that is what
            defines the recovered fraction.
    """
    rows = ({row.key: row for row in results.rows} for results in (first, second))
    left, right = ({key: row for key, row in r.items() if _defined(row, signal)} for r in rows)
    both = sorted(key for key in left.keys() & right.keys() if not hiding or _defined(right[key], "recovery_fraction"))
    values = [[rows[key].signals[signal] for key in both] for rows in (left, right)]
    return paired_gap(values[0], values[1], [left[key].case for key in both])


def _defined(row: Row, signal: str) -> bool:
    return not math.isnan(row.signals[signal])


def _shown(gap: Interval) -> str:
    return f"{100 * gap.estimate:+.1f} [{100 * gap.low:+.1f}, {100 * gap.high:+.1f}]"


def _asking(env_id: str, own: _Own) -> list[Check]:
    guesser = own.get((GUESSER, 1, True))
    askers = {a: own[a, 1, True] for a in ASKERS if (a, 1, True) in own}
    if guesser is None or not askers:
        return []
    gaps = {agent: _gap(results, guesser, "success") for agent, results in askers.items()}
    figures = "; ".join(f"{agent} {_shown(gap)}" for agent, gap in gaps.items())
    base = number(guesser.summary["success"]["mean"], True)
    text = f"success over {GUESSER} ({base}), points: {figures}"
    return [Check(f"{env_id}, asking beats not asking", all(g.estimate > 0 for g in gaps.values()), text)]


def _growing(env_id: str, own: _Own) -> list[Check]:
    gaps: dict[str, list[float]] = {}
    for agent in ASKERS:
        pairs = [(own.get((agent, k, True)), own.get((GUESSER, k, True))) for k in (1, 4)]
        if all(a is not None and b is not None for a, b in pairs):
            gaps[agent] = [_gap(a, b, "success").estimate for a, b in pairs if a is not None and b is not None]
    if not gaps:
        return []
    figures = "; ".join(f"{agent} {100 * one:+.1f} to {100 * four:+.1f}" for agent, (one, four) in gaps.items())
    best = max(gaps, key=lambda agent: gaps[agent][1])
    holds = gaps[best][1] > gaps[best][0]
    text = f"success over {GUESSER}, points: {figures} (judged by the best at k=4, {best})"
    return [Check(f"{env_id}, the gap grows from k=1 to k=4", holds, text)]


def _drift(env_id: str, own: _Own) -> list[Check]:
    """Return what drift does to success, over all cases, and to earned, over the cases whose opening hides something.

    A case that hides nothing cannot be earned without drift, and can with it, since drift hides something: over all
    cases the two effects mix, so that figure is printed beside.
    """
    lines = []
    for signal in ("success", "earned"):
        agents = [a for a in (GUESSER, *ASKERS) if (a, 1, True) in own and (a, 1, False) in own]
        agents = [a for a in agents if signal == "success" or a != GUESSER]
        pairs = {agent: (own[agent, 1, True], own[agent, 1, False]) for agent in agents}
        gaps = {agent: _gap(*pair, signal, hiding=signal == "earned") for agent, pair in pairs.items()}
        if gaps:
            figures = "with drift - without, points: " + "; ".join(f"{a} {_shown(gap)}" for a, gap in gaps.items())
            if signal == "earned":
                over_all = "; ".join(f"{a} {_shown(_gap(*pair, signal))}" for a, pair in pairs.items())
                figures += f" (cases that hide something at the opening; over all cases: {over_all})"
            holds = all(gap.estimate < 0 for gap in gaps.values())
            lines.append(Check(f"{env_id}, drift lowers {signal}", holds, figures))
    return lines


def _recovering(env_id: str, own: _Own) -> list[Check]:
    shares = {a: own[a, 1, True].summary["recovery"]["mean"] for a in (GUESSER, *ASKERS) if (a, 1, True) in own}
    if GUESSER not in shares or len(shares) < 2:
        return []
    holds = all(share > shares[GUESSER] for agent, share in shares.items() if agent != GUESSER)
    figures = ", ".join(f"{agent} {number(share, True)}" for agent, share in shares.items())
    return [Check(f"{env_id}, an asker recovers more than a guesser", holds, f"recovery in %: {figures}")]


def _probing(env_id: str, own: _Own) -> list[Check]:
    probe, guesser = own.get((PROBE, 1, True)), own.get((GUESSER, 1, True))
    if probe is None or guesser is None:
        return []
    gap = _gap(probe, guesser, "success")
    expects = f"{env_id}, asking everything in one message gains nothing"
    return [Check(expects, gap.low <= 0, f"success over {GUESSER}, points: {PROBE} {_shown(gap)}")]


def _ceiling(env_id: str, own: _Own) -> list[Check]:
    pairs = [(own[CEILING, k, d], run) for (a, k, d), run in own.items() if a != CEILING and (CEILING, k, d) in own]
    if not pairs:
        return []
    least = min(_gap(ceiling, run, "success").estimate for ceiling, run in pairs)
    lowest = min(ceiling.summary["success"]["mean"] for ceiling, _ in pairs)
    figures = f"lowest success of {CEILING} {number(lowest, True)}, smallest lead {100 * least:+.1f} points"
    return [Check(f"{env_id}, nobody does better than who knows the intent", least >= 0, figures)]


def _desks(found: Mapping[Run, Results]) -> list[Check]:
    """Return whether asking gains more at each desk than in the shop, by the mean over the askers at k = 1.

    A gain has no more room than the guesser leaves, so the share of that room which was won is printed beside it.
    """
    gains: dict[str, dict[str, float]] = {}
    rooms: dict[str, float] = {}
    for env_id in (SHOP, *DESKS):
        guesser = found.get(Run(env_id, GUESSER, 1, True))
        askers = {a: found.get(Run(env_id, a, 1, True)) for a in ASKERS}
        own = {a: r for a, r in askers.items() if r is not None}
        if guesser is not None and own:
            gains[env_id] = {a: _gap(results, guesser, "success").estimate for a, results in own.items()}
            rooms[env_id] = 1.0 - guesser.summary["success"]["mean"]
    means = {env_id: sum(own.values()) / len(own) for env_id, own in gains.items()}
    ceilings = {env_id: found[Run(env_id, GUESSER, 1, True)].guess_ceiling for env_id in gains}
    lines = []
    for desk in (d for d in DESKS if SHOP in means and d in means):
        parts = [f"mean {100 * means[desk]:+.1f} against {100 * means[SHOP]:+.1f}"]
        parts += [f"{a} {100 * g:+.1f} against {100 * gains[SHOP][a]:+.1f}" for a, g in gains[desk].items()]
        shares = [number(means[e] / rooms[e] if rooms[e] else math.nan, True) for e in (desk, SHOP)]
        figures = f"success over {GUESSER}, points: {'; '.join(parts)}"
        figures += f"; mean in % of what {GUESSER} leaves to win: {shares[0]} against {shares[1]}"
        figures += f"; guess ceiling in %: {' against '.join(number(ceilings[e], True) for e in (desk, SHOP))}"
        lines.append(Check(f"{desk}, asking gains more than on {SHOP}", means[desk] > means[SHOP], figures))
    return lines


# -- the page --------------------------------------------------------------------------------------------------------
_WHY = (
    "Why asking gains no more at the desks here, while it does in the paper (its best agents over no-ask, points: "
    "WebShop 5.4, Retail 21.7, Airline 12.9; in % of what no-ask leaves to win: 11, 43, 24): presumably a model also "
    "loses by searching and buying the wrong thing, which no question mends and which weighs most in the shop. These "
    "agents carry out what they believe without a mistake (see `oracle`), so all they lose is intent, and asking can "
    "win what the guesser leaves. At a desk that is less: what is hidden has few values there (see the guess "
    "ceilings), so a few commits find it."
)
_BY_FAULTS = (("success", "Success"), ("earned", "Earned"), ("recovery", "Recovery"))


def page(found: Mapping[Run, Results], command: str) -> str:
    """Return the page of results as Markdown.

    Args:
        found: Results of the matrix.
        command: What regenerates the page.
    """
    first = next(iter(found.values())).config
    lines = [
        "# Results",
        "",
        f"Scripted agents, embedded data, split test, persona rational, {first['episodes']} episodes x "
        f"{first['seeds']} seeds a cell, version {first['intent_gym']}. Regenerate with `{command}`.",
        "",
        "Means over seeds ± standard deviation over seeds, in %. `oracle` knows the intent: the ceiling of execution.",
        "",
        "## Shape",
        "",
        *(f"- {check}" for check in checks(found)),
        "",
        *([] if all(check.holds for check in _desks(found)) else [_WHY, ""]),
    ]
    for env_id in dict.fromkeys(run.env_id for run in found):
        own = {(run.agent, run.faults, run.drift): results for run, results in found.items() if run.env_id == env_id}
        lines += [f"## {env_id}", ""]
        for signal, name in _BY_FAULTS:
            lines += _by_faults(own, signal, name)
        default = [results for (_, k, drift), results in own.items() if k == 1 and drift]
        if default:
            lines += ["Every signal at k = 1 with drift, with the number of episodes that define it:", ""]
            lines += [markdown(sections(default))]
    return "\n".join(lines)


def _by_faults(own: _Own, signal: str, name: str) -> list[str]:
    """Return a table of one signal: agents by number of faults, with and without drift."""
    columns = sorted({(not drift, k) for _, k, drift in own})
    heads = [f"k={k}{'' if not still else ', no drift'}" for still, k in columns]
    lines = [f"| {name} | " + " | ".join(heads) + " |", "| --- |" + " ---: |" * len(columns)]
    for agent in dict.fromkeys(agent for agent, _, _ in own):
        runs = (own.get((agent, k, not still)) for still, k in columns)
        cells = ("" if results is None else cell(results.summary.get(signal), True) for results in runs)
        lines.append(f"| {agent} | " + " | ".join(cells) + " |")
    return [*lines, ""]
