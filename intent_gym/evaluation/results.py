"""What an evaluation found: one row of signals an episode, their summary, the records, and what failed."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from intent_gym.core import signals
from intent_gym.core.record import EpisodeRecord
from intent_gym.evaluation.judges import Judge
from intent_gym.evaluation.realism import Realism, realism
from intent_gym.evaluation.statistics import Interval, Summary, ask_f1, iqm_interval, over_seeds, pass_hat
from intent_gym.evaluation.store import EpisodeError, EpisodeKey, StoredRun
from intent_gym.evaluation.told import Told, told_of

__all__ = ["Results", "Row", "SignalSummary", "row_of"]

SignalSummary = dict[str, float]
"""``{"mean", "sd", "n"}`` of one signal; role-realism has "chance" and "shuffled" beside them."""


@dataclass(frozen=True, slots=True)
class Row:
    """One finished episode in numbers.

    Attributes:
        seed: Seed index.
        episode: Episode index within the seed.
        case: Sample that was played.
        guess_ceiling: Of the sample, in [0, 1].
        questions: Questions asked.
        signals: Every GRIP and CAR signal; NaN where undefined.
        hides: Whether the request hides something; where it does not, the ceiling is 1 and says nothing.
        told: What an evolving dialogue told and its answer obeyed; None in the silent protocol.
    """

    seed: int
    episode: int
    case: str
    guess_ceiling: float
    questions: int
    signals: dict[str, float]
    hides: bool = True
    told: Told | None = None

    @property
    def key(self) -> EpisodeKey:
        """(seed index, episode index)."""
        return self.seed, self.episode


def row_of(key: EpisodeKey, record: EpisodeRecord) -> Row:
    """Return an episode's row: a function of its record alone."""
    values = {name: float(value) for name, value in (signals.grip(record) | signals.car(record)).items()}
    questions = sum(event["type"] == "question" for step in record.steps for event in step.events)
    return Row(*key, record.sample_id, record.guess_ceiling, questions, values, bool(record.hidden), told_of(record))


@dataclass(frozen=True)
class Results:
    """The outcome of `evaluate`.

    Attributes:
        config: Resolved configuration, as in a run folder's ``config.json``.
        rows: One a finished episode, sorted by seed and episode, whatever order they finished in.
        errors: What failed, sorted; failed episodes are in no row and no mean.
        realism: Role-realism, where it was asked for (`with_realism`).
    """

    config: dict[str, Any]
    rows: tuple[Row, ...]
    errors: tuple[EpisodeError, ...]
    _source: StoredRun | Mapping[EpisodeKey, str] = field(repr=False)
    realism: Realism | None = None

    def __repr__(self) -> str:
        success = self.summary.get("success", {"mean": math.nan})["mean"]
        return (
            f"Results({self.config.get('agent')} on {self.config.get('env_id')}: {len(self.rows)} episodes, "
            f"{len(self.errors)} errors, success {success:.3g})"
        )

    @classmethod
    def of_run(cls, run: StoredRun) -> Results:
        """Read a run folder.

        Raises:
            RunError: The folder cannot be read.
        """
        return cls(run.config, _sorted_rows(run.records()), tuple(run.errors()), run)

    @classmethod
    def of_lines(
        cls, config: dict[str, Any], lines: Mapping[EpisodeKey, str], errors: Iterable[EpisodeError]
    ) -> Results:
        """Build from lines made by `store.episode_line`, kept in memory."""
        rows = _sorted_rows((key, _record_of(line)) for key, line in lines.items())
        return cls(config, rows, tuple(sorted(errors, key=lambda e: e.key)), lines)

    def with_realism(self, judge: Judge | None = None) -> Results:
        """Return the same with identification and consistency in the summary (see `evaluation.realism`).

        Args:
            judge: Who judges; None: one that learns from the run's other tasks.
        """
        return replace(self, realism=realism(self.keyed_records(), judge))

    @property
    def records(self) -> Iterator[EpisodeRecord]:
        """Every finished episode's record, by seed and episode; read from disk where a folder was given."""
        return (record for _, record in self.keyed_records())

    def keyed_records(self) -> Iterator[tuple[EpisodeKey, EpisodeRecord]]:
        """Yield ((seed, episode), record), by seed and episode."""
        if isinstance(self._source, StoredRun):
            # Records can be large and lie in the order they finished: sort the raw lines, build one record at a time.
            for key, _, data in sorted(self._source.lines(), key=lambda line: line[0]):
                yield key, EpisodeRecord.from_json(data)
        else:
            for key in sorted(self._source):
                yield key, _record_of(self._source[key])

    @cached_property
    def summary(self) -> dict[str, SignalSummary]:
        """``{"mean", "sd", "n"}`` over seeds and episodes of every GRIP and CAR signal, and of ask_f1.

        A signal that no episode defines has n = 0 and NaN as mean and sd; so all have where every episode failed.
        """
        seeds = [row.seed for row in self.rows]
        names = dict.fromkeys(name for row in self.rows for name in row.signals) or (*signals.GRIP, "full_credit")
        found = {name: over_seeds([row.signals[name] for row in self.rows], seeds) for name in names}
        if {"aim", "recovery_fraction"} <= found.keys():
            found["ask_f1"] = self._ask_f1()
        summary: dict[str, SignalSummary] = {n: {"mean": s.mean, "sd": s.sd, "n": s.n} for n, s in found.items()}
        return summary if self.realism is None else summary | self.realism.summary()

    def _ask_f1(self) -> Summary:
        """Ask-F1 of each seed's mean aim and mean recovery_fraction; n: episodes that define both."""
        scores = []
        for seed in sorted({row.seed for row in self.rows}):
            rows = [row.signals for row in self.rows if row.seed == seed]
            aim, recovery = (over_seeds([r[n] for r in rows], [0] * len(rows)) for n in ("aim", "recovery_fraction"))
            scores.append(ask_f1(aim.mean, recovery.mean))
        both = sum(not math.isnan(r.signals["aim"] + r.signals["recovery_fraction"]) for r in self.rows)
        pooled = over_seeds(scores, range(len(scores)))
        return Summary(pooled.mean, pooled.sd, both)

    @property
    def guess_ceiling(self) -> float:
        """Mean guess ceiling of the episodes whose request hides something; NaN without any."""
        ceilings = [r.guess_ceiling for r in self.rows if r.hides]
        return over_seeds(ceilings, [0] * len(ceilings)).mean

    def pass_hat(self, k: int, signal: str = "full_credit") -> float:
        """Return pass^k over the repeats of each case; NaN if no case was played k times."""
        repeats: dict[str, list[float]] = {}
        for row in self.rows:
            repeats.setdefault(row.case, []).append(row.signals[signal])
        width = max((len(r) for r in repeats.values()), default=1)
        table = [r + [math.nan] * (width - len(r)) for r in repeats.values()]
        return pass_hat(table, k) if table else math.nan

    def iqm(self, signal: str = "score") -> Interval:
        """Return the interquartile mean of a signal with a bootstrap interval, over the cases that every seed finished.

        Seeds are the runs that are resampled, episodes the tasks that are kept (see `statistics.iqm_interval`).
        """
        values = {row.key: row.signals[signal] for row in self.rows if not math.isnan(row.signals[signal])}
        seeds = range(self.config["seeds"])
        whole = [e for e in range(self.config["episodes"]) if all((seed, e) in values for seed in seeds)]
        if not whole:
            return Interval(math.nan, math.nan, math.nan)
        return iqm_interval([[values[seed, e] for e in whole] for seed in seeds])

    def to_json(self) -> dict[str, Any]:
        """Return the configuration and the summary as plain data; undefined numbers are None."""
        clean = {
            name: {key: None if math.isnan(value) else value for key, value in entry.items()}
            for name, entry in self.summary.items()
        }
        ceiling = self.guess_ceiling
        return {
            "config": self.config,
            "episodes": len(self.rows),
            "errors": len(self.errors),
            "guess_ceiling": None if math.isnan(ceiling) else ceiling,
            "summary": clean,
        }


def _record_of(line: str) -> EpisodeRecord:
    return EpisodeRecord.from_json(json.loads(line)["record"])


def _sorted_rows(records: Iterable[tuple[EpisodeKey, EpisodeRecord]]) -> tuple[Row, ...]:
    return tuple(sorted((row_of(key, record) for key, record in records), key=lambda row: row.key))
