"""The same cases told in different ways: drift, clean, control, oracle, and the gaps between them (PROTOCOL 8).

============  =========================================================================================================
run           what is played
============  =========================================================================================================
drift         the environment's own condition
clean         told completely, on *the intent that the drift run ended with*
root          told completely, on the intent that the drift run began with; where no drift fired it is the clean run's
              episode, which is not played twice
control       as clean, with neutral turns to the length of the drift run
oracle        drift, with the current conditions supplied at every step
============  =========================================================================================================

In the evolving protocol all runs are over the same grid of cases and keys, so that none waits for another, and there is
no root: an edit plan ends on the intent that is told at once.

IDG = CAR(clean) - CAR(drift), drift_gap = CAR(root) - CAR(drift), length_gap = CAR(clean) - CAR(control) (what the mere
length of the dialogue costs), tracking_gap = CAR(oracle) - CAR(drift) (what not knowing the intent costs).
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from intent_gym.core.record import EpisodeRecord
from intent_gym.envs.options import CONDITIONS
from intent_gym.errors import OptionError, suggest
from intent_gym.evaluation.player import AgentSource
from intent_gym.evaluation.results import Results, Row
from intent_gym.evaluation.runner import evaluate, evaluate_cases
from intent_gym.evaluation.statistics import Interval, paired_gap
from intent_gym.evaluation.store import EpisodeKey, StoredRun

__all__ = ["CONDITIONS", "GAPS", "Comparison", "Gap", "Pairs", "compare_conditions"]

GAPS: Mapping[str, tuple[str, str]] = {
    "idg": ("clean", "drift"),
    "drift_gap": ("root", "drift"),
    "length_gap": ("clean", "control"),
    "tracking_gap": ("oracle", "drift"),
}
"""Gap by name: the first run's share minus the second's."""


class Gap(NamedTuple):
    """A paired difference of full credit."""

    interval: Interval
    """Estimate and 95 % paired bootstrap interval, over cases."""
    pairs: int
    """Episodes that both runs finished."""
    left_out: int
    """Episodes that only one of them finished, the other having failed."""

    def to_json(self) -> dict[str, float | None]:
        """Return plain data; undefined numbers are None."""
        numbers = {**self.interval._asdict(), "pairs": self.pairs, "left_out": self.left_out}
        return {name: None if math.isnan(value) else value for name, value in numbers.items()}


class Pairs(NamedTuple):
    """Full credit of the episodes that two runs finished."""

    first: list[float]
    """Of the first run, one an episode."""
    second: list[float]
    """Of the second run, in the same order."""
    cases: list[str]
    """Case of each pair."""
    left_out: int
    """Episodes that only one of them finished, the other having failed."""


@dataclass(frozen=True)
class Comparison:
    """Runs of one agent on one set of cases under several conditions.

    Attributes:
        runs: Results by run name (see the module's table).
    """

    runs: Mapping[str, Results]

    @classmethod
    def of_folder(cls, folder: str | os.PathLike[str]) -> Comparison:
        """Read the folder that `compare_conditions` wrote.

        Raises:
            RunError: A run in it cannot be read.
        """
        names = [name for name in (*CONDITIONS, "root") if (Path(folder) / name / "config.json").exists()]
        return cls({name: Results.of_run(StoredRun.open(Path(folder) / name)) for name in names})

    def gap(self, name: str) -> Gap | None:
        """Return a gap of `GAPS`; None where one of its runs was not made."""
        pairs = self.pairs(name)
        if pairs is None:
            return None
        return Gap(paired_gap(pairs.first, pairs.second, pairs.cases), len(pairs.cases), pairs.left_out)

    def pairs(self, name: str) -> Pairs | None:
        """Return the pairs of a gap of `GAPS`; None where one of its runs was not made."""
        first, second = (self._rows(run) for run in GAPS[name])
        if first is None or second is None:
            return None
        both = sorted(first.keys() & second.keys())
        credit = ([rows[key].signals["full_credit"] for key in both] for rows in (first, second))
        return Pairs(next(credit), next(credit), [first[key].case for key in both], len(first.keys() ^ second.keys()))

    @property
    def gaps(self) -> dict[str, Gap]:
        """Every gap whose two runs were made."""
        found = {name: self.gap(name) for name in GAPS}
        return {name: gap for name, gap in found.items() if gap is not None}

    def _rows(self, name: str) -> dict[EpisodeKey, Row] | None:
        if name not in self.runs:
            return None
        rows = {row.key: row for row in self.runs[name].rows}
        if name == "root":  # the rest are the clean run's episodes
            drifted = {key for key, record in self.runs["drift"].keyed_records() if record.final_node != record.node}
            rows |= {row.key: row for row in self.runs["clean"].rows if row.key not in drifted}
        return rows

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        gaps = {name: gap.to_json() for name, gap in self.gaps.items()}
        return {"runs": {name: results.to_json() for name, results in self.runs.items()}, "gaps": gaps}


def compare_conditions(
    env_id: str,
    agent: AgentSource = "just-ask",
    model: str | None = None,
    *,
    conditions: Sequence[str] = CONDITIONS,
    episodes: int | None = None,
    seeds: int = 3,
    tasks: str | None = None,
    out: str | os.PathLike[str] | None = None,
    workers: int = 1,
    progress: bool | None = None,
    agent_options: Mapping[str, Any] | None = None,
    **env_options: Any,
) -> Comparison:
    """Play an agent under several conditions, case by case paired with its own drift run.

    Args:
        env_id: As in `evaluate`.
        agent: As in `evaluate`.
        model: As in `evaluate`.
        conditions: Of `CONDITIONS`; "drift" is always played, the others are paired with it.
        episodes: As in `evaluate`.
        seeds: As in `evaluate`.
        tasks: As in `evaluate`.
        out: Folder with one run folder a condition; None keeps everything in memory.
        workers: As in `evaluate`.
        progress: As in `evaluate`.
        agent_options: As in `evaluate`.
        **env_options: As in `evaluate`, without "condition".

    Raises:
        OptionError: An unknown condition, or what `evaluate` raises.
        RunError: As in `evaluate`.
    """
    for name in conditions:
        if name not in CONDITIONS:
            raise OptionError(
                f"conditions: expected some of {', '.join(CONDITIONS)}, got {name!r}{suggest(name, CONDITIONS)}"
            )
    if "condition" in env_options:
        given = env_options["condition"]
        raise OptionError(f"condition: {given!r} is one of the conditions to compare; give it in conditions alone")
    common: dict[str, Any] = {"tasks": tasks, "workers": workers, "progress": progress, "agent_options": agent_options}
    whole: dict[str, Any] = {**common, "episodes": episodes, "seeds": seeds, **env_options}
    runs = {"drift": evaluate(env_id, agent, model, condition="drift", out=_below(out, "drift"), **whole)}
    if runs["drift"].config["options"].get("protocol") == "evolving":
        for name in (n for n in CONDITIONS if n in conditions and n != "drift"):
            runs[name] = evaluate(env_id, agent, model, condition=name, out=_below(out, name), **whole)
        return Comparison(runs)
    records = dict(runs["drift"].keyed_records())
    size = {name: runs["drift"].config[name] for name in ("episodes", "seeds")}

    def paired(name: str, extra: Mapping[EpisodeKey, dict[str, Any]]) -> Results:
        condition = "clean" if name == "root" else name
        return evaluate_cases(
            env_id,
            agent,
            model,
            keys=sorted(extra),
            size=size,
            options={"split": "test", **env_options, "condition": condition},
            extra=extra,
            pairing=name,
            out=_below(out, name),
            **common,
        )

    if "clean" in conditions:
        runs["clean"] = paired("clean", {key: _final(record) for key, record in records.items()})
        drifted = {key: record for key, record in records.items() if record.final_node != record.node}
        runs["root"] = paired("root", {key: _same(record) for key, record in drifted.items()})
    if "control" in conditions:
        lengths = {key: {**_final(record), "length": len(record.steps)} for key, record in records.items()}
        runs["control"] = paired("control", lengths)
    if "oracle" in conditions:
        runs["oracle"] = evaluate(env_id, agent, model, condition="oracle", out=_below(out, "oracle"), **whole)
    return Comparison(runs)


def _below(out: str | os.PathLike[str] | None, name: str) -> Path | None:
    return None if out is None else Path(out) / name


def _same(record: EpisodeRecord) -> dict[str, Any]:
    return {"persona": record.persona}


def _final(record: EpisodeRecord) -> dict[str, Any]:
    """Reset options that tell the intent which the drift run ended with."""
    moved = record.final_node != record.node
    return {**_same(record), "node": record.final_node} if moved else _same(record)
