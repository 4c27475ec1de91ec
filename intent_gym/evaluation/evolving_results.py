"""The committed results of the evolving protocol: a matrix of runs, its tables, and whether their shape is as expected.

Source: IntentFlux, section 5. The agents are four memories of what was said (`agents.scripted.evolving`) and a folder
that overlooks each later edit with a small probability. What must hold: who never updates or never forgets does worse
than who keeps the newest, and nobody better than exact folding; folding loses nothing to the way a case is told; more
edits are more to overlook; more stale items are more turns.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from intent_gym.core.edits import BUDGETS
from intent_gym.evaluation.columns import cell, number
from intent_gym.evaluation.conditions import Comparison
from intent_gym.evaluation.evolving import ALL, MEAN, Group, figures, gaps, groups, mean_figures
from intent_gym.evaluation.evolving_report import GLOSSARY, NOTE, gap_cells, grids
from intent_gym.evaluation.families import FAMILIES, family_name, source_of
from intent_gym.evaluation.grids import Grid, markdown_lines
from intent_gym.evaluation.results import Results
from intent_gym.evaluation.runner import evaluate
from intent_gym.evaluation.tables import Check
from intent_gym.registration import ENVIRONMENTS

__all__ = ["AGENTS", "Run", "checks", "families", "matrix", "page", "play", "stale_lines"]

FOLDING, MISSING = "folding", "folding that misses .05"
LAST, FIRST, KEEP = "last-mention", "first-mention", "keep-everything"
AGENTS: Mapping[str, tuple[str, Mapping[str, float]]] = {
    FIRST: (FIRST, {}),
    KEEP: (KEEP, {}),
    LAST: (LAST, {}),
    MISSING: (FOLDING, {"miss": 0.05}),
    FOLDING: (FOLDING, {}),
}
"""Agent and its options by name in tables."""
_CONDITIONS = ("drift", "clean", "control", "oracle")


class Run(NamedTuple):
    """One cell of the matrix."""

    env_id: str
    agent: str
    """Key of `AGENTS`."""
    budget: str
    condition: str

    @property
    def folder(self) -> Path:
        """Where it is recorded, below the results' folder."""
        return Path(self.env_id) / self.budget / self.agent.replace(" ", "-").replace(".", "0.") / self.condition


_Found = Mapping[Run, Results]


def families() -> tuple[str, ...]:
    """Return the environments of the seven families that this version has."""
    there = {spec.id for spec in ENVIRONMENTS}
    return tuple(f.env_id for f in FAMILIES if f.env_id in there)


def matrix(env_ids: Sequence[str], agents: Sequence[str] = tuple(AGENTS)) -> list[Run]:
    """Return the runs: every agent with drift at every budget, the other conditions at the hard one.

    Folding, which the conditions must not part, plays them at every budget.
    """
    return [
        Run(env_id, agent, budget, condition)
        for env_id in env_ids
        for agent in agents
        for budget in BUDGETS
        for condition in _CONDITIONS
        if condition == "drift" or budget == "hard" or agent == FOLDING
    ]


def play(
    runs: Sequence[Run],
    out: str | os.PathLike[str],
    *,
    episodes: int,
    seeds: int,
    workers: int = 1,
    progress: bool | None = None,
    source: str | None = None,
    tasks: str | None = None,
) -> dict[Run, Results]:
    """Play what the folder lacks and return all results.

    Args:
        runs: Of `matrix`.
        out: Folder of the runs.
        episodes: As in `evaluate`.
        seeds: As in `evaluate`.
        workers: As in `evaluate`.
        progress: As in `evaluate`.
        source: Folder with a folder of original files for each family; None: embedded data.
        tasks: A named set, which then says how many episodes a seed has.
    """
    found = {}
    for run in runs:
        agent, options = AGENTS[run.agent]
        found[run] = evaluate(
            run.env_id,
            agent,
            episodes=episodes if tasks is None else None,
            seeds=seeds,
            condition=run.condition,
            tasks=tasks,
            workers=workers,
            progress=progress,
            out=Path(out) / run.folder,
            agent_options=dict(options) or None,
            protocol="evolving",
            budget=run.budget,
            source="embedded" if source is None else source_of(run.env_id, source),
        )
    return found


# -- the shape -------------------------------------------------------------------------------------------------------
def checks(found: _Found) -> list[Check]:
    """Return the expectations of every environment that has the runs for them."""
    lines: list[Check] = []
    for env_id in dict.fromkeys(run.env_id for run in found):
        for part in (_below, _ceiling, _alike, _overlooking, _turns):
            lines += part(env_id, found)
    return lines


def _car(found: _Found, env_id: str, agent: str, condition: str = "drift") -> dict[str, float]:
    """Return CAR by budget, of the budgets that were played."""
    runs = {b: found.get(Run(env_id, agent, b, condition)) for b in BUDGETS}
    return {b: figures([results]).car.mean for b, results in runs.items() if results is not None}


def _shares(shares: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {number(share, True)}" for name, share in shares.items())


def _below(env_id: str, found: _Found) -> Iterator[Check]:
    last = _car(found, env_id, LAST)
    for agent in (FIRST, KEEP):
        own = _car(found, env_id, agent)
        both = [b for b in own if b in last]
        if both:
            text = f"CAR of {agent}: {_shares(own)}; of {LAST}: {_shares(last)}"
            yield Check(f"{env_id}, {agent} is below {LAST}", all(own[b] < last[b] for b in both), text)


def _ceiling(env_id: str, found: _Found) -> Iterator[Check]:
    last, folding = _car(found, env_id, LAST), _car(found, env_id, FOLDING)
    both = [b for b in last if b in folding]
    if both:
        text = f"CAR of {LAST}: {_shares(last)}; of {FOLDING}: {_shares(folding)}"
        yield Check(f"{env_id}, {LAST} is at most {FOLDING}", all(last[b] <= folding[b] for b in both), text)


def _alike(env_id: str, found: _Found) -> Iterator[Check]:
    cars = {condition: _car(found, env_id, FOLDING, condition) for condition in _CONDITIONS}
    if all(cars.values()):
        text = "; ".join(f"CAR {condition}: {_shares(own)}" for condition, own in cars.items())
        whole = all(share == 1.0 for own in cars.values() for share in own.values())
        yield Check(f"{env_id}, {FOLDING} = clean = control = oracle = 1", whole, text)
    idg = {b: _comparison(found, env_id, FOLDING, b).gap("idg") for b in BUDGETS}
    known = {b: gap for b, gap in idg.items() if gap is not None}
    if known:
        text = ", ".join(f"{b} {' '.join(gap_cells(gap))}" for b, gap in known.items())
        nothing = all(gap.interval.estimate == 0 for gap in known.values())
        yield Check(f"{env_id}, IDG of {FOLDING} is 0", nothing, f"points: {text}")


def _overlooking(env_id: str, found: _Found) -> Iterator[Check]:
    own = _car(found, env_id, MISSING)
    if len(own) == len(BUDGETS):
        falls = own["easy"] > own["medium"] > own["hard"]
        yield Check(f"{env_id}, {MISSING} falls from easy to medium to hard", falls, f"CAR: {_shares(own)}")


def _turns(env_id: str, found: _Found) -> Iterator[Check]:
    runs = {b: found.get(Run(env_id, FOLDING, b, "drift")) for b in BUDGETS}
    turns = {b: figures([results]).turns for b, results in runs.items() if results is not None}
    if len(turns) == len(BUDGETS):
        text = ", ".join(f"{b} {mean:.1f}" for b, mean in turns.items())
        grow = turns["easy"] < turns["medium"] < turns["hard"]
        yield Check(f"{env_id}, mean user turns grow with the budget", grow, text)


def stale_lines(found: _Found) -> Iterator[str]:
    """Yield what share of its answers under drift obeys something stale, one line an agent and environment."""
    for env_id, agent in dict.fromkeys((run.env_id, run.agent) for run in found):
        runs = {b: found.get(Run(env_id, agent, b, "drift")) for b in BUDGETS}
        own = {b: figures([results]).stale for b, results in runs.items() if results is not None}
        if own:
            yield f"{env_id}, stale obedience of {agent}: {_shares(own)} % of all cases"


def _comparison(found: _Found, env_id: str, agent: str, budget: str) -> Comparison:
    runs = {c: found.get(Run(env_id, agent, budget, c)) for c in _CONDITIONS}
    return Comparison({c: results for c, results in runs.items() if results is not None})


# -- the page --------------------------------------------------------------------------------------------------------
def page(found: _Found, command: str, note: str = "") -> str:
    """Return the page of results as Markdown.

    Args:
        found: Results of the matrix.
        command: What regenerates the page.
        note: What was played, where it is not the embedded data.
    """
    first = next(iter(found.values())).config
    size = f"{first['episodes']} episodes" if "tasks" not in first else f"the set {first['tasks']}"
    lines = [
        "# Results of the evolving protocol",
        "",
        f"Scripted agents, {note or 'embedded data, split test'}, {size} x {first['seeds']} seeds a cell, version "
        f"{first['intent_gym']}. Regenerate with `{command}`.",
        "",
        NOTE,
        "",
        f"`{FOLDING}` carries out every edit; `{MISSING}` overlooks each edit after the opening with probability .05; "
        f"`{LAST}` takes a withdrawal to be about the newest value under its word; `{FIRST}` never updates; `{KEEP}` "
        "ignores withdrawals.",
        "",
        "## Shape",
        "",
        *(f"- {check}" for check in checks(found)),
        "",
        "## CAR, score and stale obedience by family and budget",
        "",
    ]
    for grid in _overviews(found):
        lines += markdown_lines(grid)
    lines += ["## What was told", "", *markdown_lines(_told(found))]
    lines += ["## IDG at the hard budget", "", *markdown_lines(_gaps(found))]
    hard = groups(results for run, results in found.items() if run.budget == "hard")
    for group in hard:
        lines += ["## Every figure at the hard budget", "", *_whole(group)]
    lines += ["What the columns mean:", "", *(f"- {name}: {text}" for name, text in GLOSSARY.items())]
    return "\n".join(lines) + "\n"


def _whole(group: Group) -> list[str]:
    return [line for grid in grids(group) for line in markdown_lines(grid)]


def _env_ids(found: _Found) -> list[str]:
    return list(dict.fromkeys(run.env_id for run in found))


def _overviews(found: _Found) -> Iterator[Grid]:
    """Yield a table of each signal under drift: family and agent by budget."""
    shown = (("CAR, %", "car"), ("Mean score, %", "score"), ("Stale obedience, % of all cases", "stale"))
    agents = list(dict.fromkeys(run.agent for run in found))
    for title, name in shown:
        rows = []
        for agent in agents:
            by_budget = {b: _figures_of(found, agent, b) for b in BUDGETS}
            for family in dict.fromkeys(f for own in by_budget.values() for f in own):
                cells = (getattr(own[family], name) if family in own else None for own in by_budget.values())
                rows.append((agent, family, *(_cell(value) for value in cells)))
        yield Grid(title, ("agent", "family", *BUDGETS), tuple(rows), 2)


def _figures_of(found: _Found, agent: str, budget: str) -> dict[str, Any]:
    own = {e: found[run] for e in _env_ids(found) if (run := Run(e, agent, budget, "drift")) in found}
    rows = {family_name(env_id): figures([results]) for env_id, results in own.items()}
    if len(rows) > 1:
        rows |= {ALL: figures(list(own.values())), MEAN: mean_figures(list(rows.values()))}
    return rows


def _cell(value: object) -> str:
    if value is None:
        return ""
    return number(value, True) if isinstance(value, float) else cell(value._asdict(), True)  # type: ignore[attr-defined]


def _told(found: _Found) -> Grid:
    """Return user turns, characters and stale items of drift by budget, beside the control at the hard budget."""
    rows = []
    for env_id in _env_ids(found):
        for budget in BUDGETS:
            for condition in _CONDITIONS:
                run = Run(env_id, FOLDING, budget, condition)
                if run in found and (condition == "drift" or budget == "hard"):
                    f = figures([found[run]])
                    counts = (f"{f.turns:.1f}", f"{f.characters:,.0f}", f"{f.variants:.1f}", f"{f.decoys:.1f}")
                    rows.append((family_name(env_id), budget, condition, *counts))
    headers = ("family", "budget", "condition", "turns", "characters", "variants", "decoys")
    return Grid("Mean per case, as told to the folding agent", headers, tuple(rows), 3)


def _gaps(found: _Found) -> Grid:
    rows = []
    for agent in dict.fromkeys(run.agent for run in found):
        own = {family_name(e): _comparison(found, e, agent, "hard") for e in _env_ids(found)}
        for family, gap in gaps(own, "idg").items():
            rows.append((agent, family, *gap_cells(gap), str(gap.pairs)))
    return Grid("CAR(clean) - CAR(drift), points", ("agent", "family", "IDG", "interval", "pairs"), tuple(rows), 2)
