"""Role-realism: does the simulated user speak as its decision style, so that a judge can tell (PROTOCOL 9).

Source: Drift-Bench++, section "GRIP" and appendix B.7. *Identification*: a judge reads what the user said in one
dialogue and names the style, chance 1 in the number of styles (.2 for five). *Consistency*: a judge reads two dialogues
about different tasks and says whether one style spoke, chance .5. Both are over user turns only, and of these only over
answers to the agent: the opening request is the same for every style, and so are the neutral turns of the control
condition.

The paper's judge is a language model; those of `judges` need none. One that learns does so from dialogues about
*other* tasks of the same run (cross-fitted: a task is in one fold only, and the two dialogues of a pair are of one
fold, so that neither task was learned from). Pitfalls: a judge that has learned from the same user hears fixed phrases
again, so a high score says that styles are distinct and steady across tasks, not that a person would find them natural;
and a judge may learn something else than style. Hence every score comes with the same score after the styles were
shuffled over the dialogues, which must be about chance.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from intent_gym.core.record import EpisodeRecord
from intent_gym.core.rng import key_of
from intent_gym.evaluation.judges import Judge, NaiveBayes, Turns
from intent_gym.evaluation.statistics import over_seeds
from intent_gym.evaluation.store import EpisodeKey

__all__ = ["FOLDS", "MIN_TURNS", "SHUFFLES", "Realism", "Score", "realism", "user_turns"]

MIN_TURNS = 2
"""Answers that a dialogue must have to be judged."""
FOLDS = 5
"""Parts that the tasks are divided into."""
SHUFFLES = 10
"""Times that the styles are shuffled."""


class Score(NamedTuple):
    """One of the two signals."""

    mean: float
    """Share of right verdicts: mean over seeds of the seed's mean, in [0, 1]; NaN if nothing could be judged."""
    sd: float
    """Standard deviation over seeds; NaN with fewer than two."""
    n: int
    """Verdicts: dialogues for identification, pairs for consistency (of the seed of their first dialogue)."""
    chance: float
    """Expected share of a judge that knows nothing."""
    shuffled: float
    """Mean share of the same judge when the styles are shuffled over the dialogues, for learning and for scoring."""


@dataclass(frozen=True)
class Realism:
    """How well the user's style is recognised.

    Attributes:
        identification: Dialogues whose style the judge names.
        consistency: Pairs of dialogues, half of one style and half of two, that the judge sees rightly as such.
        by_persona: Identification by style.
        left_out: Dialogues with fewer than `MIN_TURNS` answers.
    """

    identification: Score
    consistency: Score
    by_persona: Mapping[str, float]
    left_out: int

    def summary(self) -> dict[str, dict[str, float]]:
        """Return both scores as entries of `Results.summary`, which have "chance" and "shuffled" beside the others."""
        scores = {"identification": self.identification, "consistency": self.consistency}
        return {name: dict(score._asdict()) for name, score in scores.items()}


def user_turns(record: EpisodeRecord) -> Turns:
    """Return what the user answered to the agent's steps; () where the interface built no text.

    The opening request and the neutral turns of the control condition come before the first step and are left out.
    """
    steps, messages = len(record.steps), record.dialogue
    starts = [i for i, message in enumerate(messages) if message["role"] == "agent"]
    if not steps or len(starts) < steps:
        return ()
    return tuple(m["content"] for m in messages[starts[-steps] :] if m["role"] == "user")


# -- the two signals -------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class _Dialogue:
    seed: int
    task: str
    turns: Turns


class _Verdicts(NamedTuple):
    """Verdicts on every dialogue and every pair, 1.0 right, 0.0 wrong, NaN not judged, with the seed of each."""

    named: list[float]
    paired: list[float]
    pair_seeds: list[int]


def realism(
    episodes: Iterable[tuple[EpisodeKey, EpisodeRecord]],
    judge: Judge | None = None,
    *,
    shuffles: int = SHUFFLES,
    key: int = 0,
) -> Realism:
    """Return identification and consistency over the episodes of one run.

    Undefined (NaN, n = 0) with dialogues of fewer than two styles or four tasks, and for episodes without text, as
    those of the slots interface. A dialogue whose style is not among those learned from is not judged. `Results`
    calls this with the records of a run (`with_realism`).

    Args:
        episodes: ((seed, episode), record), as `Results.keyed_records` yields them.
        judge: Who judges; None: a new `NaiveBayes`.
        shuffles: Times the styles are shuffled for `Score.shuffled`; 0: NaN. For a judge that costs money.
        key: Seed of the pairs and of the shuffling.
    """
    judge = judge if judge is not None else NaiveBayes()
    dialogues, personas, left_out = [], [], 0
    for (seed, _), record in episodes:
        turns = user_turns(record)
        if len(turns) < MIN_TURNS:
            left_out += 1
            continue
        dialogues.append(_Dialogue(seed, _task(record.sample_id), turns))
        personas.append(record.persona)
    styles = sorted(set(personas))
    folds = _folds([d.task for d in dialogues])
    if len(styles) < 2 or not folds:
        nothing = Score(math.nan, math.nan, 0, 1 / len(styles) if len(styles) > 1 else math.nan, math.nan)
        return Realism(nothing, nothing._replace(chance=0.5), {}, left_out)
    rng = np.random.default_rng(key)
    found = _judge(judge, dialogues, personas, folds, rng)
    controls = []
    for _ in range(shuffles):
        mixed = [personas[i] for i in rng.permutation(len(personas))]
        controls.append(_judge(judge, dialogues, mixed, folds, rng))
    named = over_seeds(found.named, [d.seed for d in dialogues])
    paired = over_seeds(found.paired, found.pair_seeds)
    return Realism(
        Score(*named, 1 / len(styles), _mean([_mean(c.named) for c in controls])),
        Score(*paired, 0.5, _mean([_mean(c.paired) for c in controls])),
        {s: _mean([v for v, p in zip(found.named, personas, strict=True) if p == s]) for s in styles},
        left_out,
    )


def _task(sample_id: str) -> str:
    """Return the task behind a sample, whose faults and number stand after it.

    >>> _task("order-003/factual_error/0"), _task("order-003")
    ('order-003', 'order-003')
    """
    return sample_id.rsplit("/", 2)[0]


def _folds(tasks: Sequence[str]) -> list[list[int]]:
    """Return the dialogues of each fold: every task in one, at least two tasks in each; [] where that cannot be."""
    order = sorted(set(tasks), key=lambda task: (key_of("realism", task), task))
    count = min(FOLDS, len(order) // 2)
    if count < 2:
        return []
    fold_of = {task: i % count for i, task in enumerate(order)}
    return [[i for i, task in enumerate(tasks) if fold_of[task] == fold] for fold in range(count)]


def _judge(
    judge: Judge,
    dialogues: Sequence[_Dialogue],
    personas: Sequence[str],
    folds: Sequence[Sequence[int]],
    rng: np.random.Generator,
) -> _Verdicts:
    """Judge every fold by what the other folds teach."""
    verdicts = _Verdicts([math.nan] * len(dialogues), [], [])
    for fold in folds:
        inside = set(fold)
        rest = [i for i in range(len(dialogues)) if i not in inside]
        known = {personas[i] for i in rest}
        judge.learn([dialogues[i].turns for i in rest], [personas[i] for i in rest])
        for i in fold:
            if personas[i] in known:
                verdicts.named[i] = float(judge.identify(dialogues[i].turns) == personas[i])
        judged = [i for i in fold if personas[i] in known]
        for i, j in _pairs(judged, [d.task for d in dialogues], personas, rng):
            said = judge.same(dialogues[i].turns, dialogues[j].turns)
            verdicts.paired.append(float(said == (personas[i] == personas[j])))
            verdicts.pair_seeds.append(dialogues[i].seed)
    return verdicts


def _pairs(
    fold: Sequence[int], tasks: Sequence[str], personas: Sequence[str], rng: np.random.Generator
) -> Iterator[tuple[int, int]]:
    """Yield two pairs a dialogue, of other tasks: one with the same style and one with another; both or none."""
    for i in fold:
        others = [j for j in fold if tasks[j] != tasks[i]]
        alike = [j for j in others if personas[j] == personas[i]]
        unlike = [j for j in others if personas[j] != personas[i]]
        if alike and unlike:
            yield i, alike[int(rng.integers(len(alike)))]
            yield i, unlike[int(rng.integers(len(unlike)))]


def _mean(values: Sequence[float]) -> float:
    known = [v for v in values if not math.isnan(v)]
    return sum(known) / len(known) if known else math.nan
