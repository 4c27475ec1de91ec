"""What a question is worth: the entropy of its answers, and the commits it saves.

`Planner.options` values each question that can be put over hypotheses drawn from the belief: its expected information
gain, and the probability that one of the commits that patience still allows is accepted, now or after the answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from intent_gym.agents.scripted.belief import Belief, Tags
from intent_gym.agents.scripted.hypotheses import Hypotheses, draw, drifted
from intent_gym.agents.scripted.play import Ask
from intent_gym.core.config import ProtocolConfig
from intent_gym.core.intent import Condition
from intent_gym.core.personas import PERSONAS, Persona

__all__ = ["Option", "Planner", "Prospect", "commits_left", "persona_of"]

CANDIDATES = 160
"""Outcomes looked at in a decision."""
SPOILS = 0.2
"""Probability that a drift spoils what is known, and no later question finds it out."""


@dataclass(frozen=True, slots=True)
class Option:
    """A question that could be put.

    Attributes:
        ask: The question.
        gain: Expected information gain about the intent that commits will be judged by, in bits.
        value: Probability that a commit is accepted if this question is put and the rest are commits, in [0, 1].
        saved: Refused commits that it is expected to save, of those that patience allows now.
    """

    ask: Ask
    gain: float
    value: float
    saved: float


@dataclass(frozen=True, slots=True)
class Prospect:
    """What lies ahead at a decision.

    Attributes:
        row: Row of the best commit now.
        hit: Probability that it is accepted.
        value: Probability that one of the commits left is accepted if nothing more is asked.
        later: The same if it is tried first and, when refused, the best question is put then.
        options: The questions.
    """

    row: int
    hit: float
    value: float
    later: float
    options: tuple[Option, ...]


def commits_left(patience: float, config: ProtocolConfig) -> int:
    """Return how many different outcomes can still be proposed when nothing is asked.

    A refused commit that takes the last patience leaves only the open outcome to propose again.

    >>> [commits_left(b, ProtocolConfig()) for b in (12.0, 10.0, 8.0, 4.0, 2.0)]
    [3, 3, 2, 1, 1]
    """
    found = 1
    while patience > config.cost_rejection > 0.0 and found < 50:
        patience -= config.cost_rejection
        found += 1
    return found


def persona_of(full: float, config: ProtocolConfig) -> Persona:
    """Return the persona that has this much patience at the start; the first where none has."""
    return min(PERSONAS.values(), key=lambda p: abs(p.patience * config.patience - full))


class Planner:
    """Values questions and commits for one belief.

    Args:
        belief: The belief.
        config: Costs, public.
        persona: The style that the patience at the start tells, public.
        rng: The agent's own generator.
        patience: Patience left.
        marks: Patience at which the drifts to come fall due, high to low. One that is due already may fire after the
            next exchange and does before the next commit.
    """

    def __init__(
        self,
        belief: Belief,
        config: ProtocolConfig,
        persona: Persona,
        rng: np.random.Generator,
        patience: float,
        marks: Sequence[float],
    ) -> None:
        self.belief = belief
        self.config = config
        self.persona = persona
        self.patience = patience
        due = bool(marks) and marks[0] >= patience
        self._marks = [m for m in marks if m < patience]
        self._now = draw(belief, rng)
        self._then = drifted(self._now, rng, config.drift) if due else self._now
        self._rows, self._accepts = self._candidates()

    def prospect(self, barred: Sequence[str] = ()) -> Prospect:
        """Return what lies ahead; topics in `barred` are not asked about."""
        now, then, accepts = self._now, self._then, self._accepts
        weight = then.weight
        chances = (weight[:, None] * accepts).sum(axis=0)
        first = int(chances.argmax())
        whole = np.zeros(len(weight), dtype=np.int64)
        commits = commits_left(self.patience, self.config)
        value, refused = _cover(whole, weight, accepts, commits)
        hit = float(chances[first])
        value = hit + (value - hit) * self._spared(self.patience - self.config.cost_rejection)
        after_ask = self.patience - self.config.cost_question
        asks = [a for a in self._asks() if not set(a.topics) & set(barred)]
        options = []
        for ask in asks if after_ask > 0.0 else ():
            labels = self._labels(ask, now)
            final = labels if now is then else self._labels(ask, then)
            options.append(
                Option(
                    ask,
                    _information(labels, final, weight),
                    self._spared(after_ask) * _cover(labels, weight, accepts, commits_left(after_ask, self.config))[0]
                    + self._found((ask,), weight, after_ask),
                    refused - _cover(labels, weight, accepts, commits)[1],
                )
            )
        later = self._later(asks, first)
        return Prospect(int(self._rows[first]), hit, value, later, tuple(options))

    def pair(self, one: Ask, two: Ask) -> float:
        """Return the probability of success if both questions are put and the rest are commits."""
        left = self.patience - 2.0 * self.config.cost_question
        if left <= 0.0:
            return 0.0
        labels = _joined(self._labels(one, self._now), self._labels(two, self._then))
        weight = self._then.weight
        covered: float = _cover(labels, weight, self._accepts, commits_left(left, self.config))[0]
        return self._spared(left) * covered + self._found((one, two), weight, left)

    def _later(self, asks: Sequence[Ask], first: int) -> float:
        """Return the probability of success if the best commit is tried now, and the best question put on a refusal."""
        left = self.patience - self.config.cost_rejection - self.config.cost_question
        hit = float(self._then.weight[self._accepts[:, first]].sum())
        if left <= 0.0:
            return hit
        weight = self._then.weight * ~self._accepts[:, first]
        commits = commits_left(left, self.config)
        values = (
            _cover(self._labels(a, self._then), weight, self._accepts, commits)[0]
            + self._found((a,), weight, left, self._then)
            for a in asks
        )
        return hit + self._spared(left) * max(values, default=0.0)

    def _spared(self, left: float) -> float:
        """Return the probability that no drift on the way to this patience spoils what is known."""
        drift = self.config.drift
        if drift is None:
            return 1.0
        return float((1.0 - SPOILS * drift.fire_probability) ** sum(m >= left for m in self._marks))

    def _found(
        self, asks: Sequence[Ask], weight: NDArray[np.float64], left: float, heard: Hypotheses | None = None
    ) -> float:
        """Return what finding out that another frame is wanted is worth: the chance to succeed there afterwards.

        The first question is answered by the intent before a drift that is due, unless `heard` says otherwise.
        """
        then, frame = self._then, self.belief.host.frame_slot
        found = np.zeros(len(weight), dtype=np.bool_)
        first = heard if heard is not None else self._now
        for i, ask in enumerate(asks):
            elsewhere = then.elsewhere if i else first.elsewhere
            if frame.topic in ask.topics[: self.persona.answers]:
                found |= elsewhere
            slots = [c.slot for c in ask.conditions]
            if frame.id in slots:
                before = ask.conditions[: slots.index(frame.id)] if self.persona.answers == 1 else ()
                found |= elsewhere & ~then.wrong(before, frame.id)
        return float(weight[found].sum()) * min(0.75, 0.35 + 0.05 * left)

    def _candidates(self) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Return rows worth proposing, ascending, and which hypotheses accept them, shape (n, len(rows))."""
        then = self._then
        rows = np.unique(then.rows[: CANDIDATES // 2])
        scores = self.belief.scores()
        most = CANDIDATES - len(rows)
        best = np.argpartition(-scores, most)[:most] if most < len(scores) else np.arange(len(scores))
        rows = np.unique(np.concatenate([rows, best]))
        return rows, then.accepts(rows)

    # -- questions ---------------------------------------------------------------------------------------------------
    def _asks(self) -> list[Ask]:
        """Return the questions worth looking at: each topic, several where the user answers several, and read-backs."""
        then = self._then
        frame = self.belief.host.frame_slot
        topics = [frame.topic, *(t.name for t in then.columns.topics)]
        entropy = {t: _entropy(self._labels(Ask((t,)), then), then.weight) for t in topics}
        ranked = [t for t in sorted(topics, key=lambda t: -entropy[t]) if entropy[t] > 0.01]
        asks = [Ask((t,)) for t in ranked]
        if self.persona.answers > 1:
            asks += [Ask((a, b)) for i, a in enumerate(ranked[:4]) for b in ranked[i + 1 : 4]]
        return asks + self._read_backs()

    def _read_backs(self) -> list[Ask]:
        """Return read-backs of the values most likely wrong, the likeliest first, up to what a user takes at once."""
        then = self._then
        frame = self.belief.host.frame_slot
        groups: dict[str, list[Condition]] = {frame.topic: [Condition(frame.id, "=", self.belief.frame)]}
        for topic, condition, _ in self.belief.holds():
            groups.setdefault(topic, []).append(condition)
        doubt = {t: float(then.weight[then.wrong(g, frame.id)].sum()) for t, g in groups.items()}
        ranked = [t for t in sorted(groups, key=lambda t: -doubt[t]) if doubt[t] < 0.9]
        most = min(len(ranked), self.config.max_topics)
        orders = [ranked[:m] for m in range(1, most + 1)]
        orders += [[frame.topic, *(t for t in ranked if t != frame.topic)][:m] for m in (2, most) if 1 < m <= most]
        distinct = {tuple(o): None for o in orders}
        return [Ask((), tuple(c for t in o for c in groups[t])) for o in distinct]

    def _labels(self, ask: Ask, hypotheses: Hypotheses) -> NDArray[np.int64]:
        """Return the class of each hypothesis by its answer to a question."""
        if not ask.conditions:
            asked = ask.topics[: self.persona.answers]
            labels = hypotheses.answer(asked[0], self._known(asked[0]))
            for topic in asked[1:]:
                labels = _joined(labels, hypotheses.answer(topic, self._known(topic)))
            return labels
        table = self.belief.host.slot_table
        groups: dict[str, list[Condition]] = {}
        for condition in ask.conditions:
            groups.setdefault(table.topic_of[condition.slot], []).append(condition)
        labels = np.zeros(len(hypotheses.weight), dtype=np.int64)
        settled = np.zeros(len(labels), dtype=np.int64)
        for i, (topic, group) in enumerate(groups.items()):
            wrong = hypotheses.wrong(group, table.frame) & (settled < self.persona.answers)
            told = (i + 1) * 100_000 + hypotheses.answer(topic, self._known(topic))
            labels = np.where(wrong, labels * 1_000_003 + told, labels)
            settled += wrong
        return labels

    def _known(self, topic: str) -> tuple[int, ...]:
        t = self.belief.columns.index.get(topic)
        state = self.belief.topics[t] if t is not None else None
        return tuple(state.kept) if isinstance(state, Tags) else ()


def _joined(one: NDArray[np.int64], two: NDArray[np.int64]) -> NDArray[np.int64]:
    return one * 1_000_003 + two


def _dense(labels: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
    values, dense = np.unique(labels, return_inverse=True)
    return dense.reshape(-1), len(values)


def _entropy(labels: NDArray[np.int64], weight: NDArray[np.float64]) -> float:
    dense, n = _dense(labels)
    p = np.bincount(dense, weights=weight, minlength=n)
    p = p[p > 0.0]
    return float(-(p * np.log2(p)).sum())


def _information(heard: NDArray[np.int64], true: NDArray[np.int64], weight: NDArray[np.float64]) -> float:
    """Return what an answer given now tells of the one that will count, in bits; its entropy if they are the same."""
    if heard is true:
        return _entropy(heard, weight)
    return _entropy(heard, weight) + _entropy(true, weight) - _entropy(_joined(heard, true), weight)


def _by_class(
    labels: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return an order that sorts by class, where each class starts in it, and the class number along it."""
    order = np.argsort(labels, kind="stable")
    new = np.concatenate([[True], np.diff(labels[order]) != 0])
    return order, np.flatnonzero(new), np.cumsum(new) - 1


def _cover(
    labels: NDArray[np.int64], weight: NDArray[np.float64], accepts: NDArray[np.bool_], commits: int
) -> tuple[float, float]:
    """Return the probability that one of some commits is accepted, chosen greedily a class, and how many are not.

    The second number is that of the commits expected to be refused on the way.
    """
    order, starts, classes = _by_class(labels)
    accepted = accepts[order]
    left = weight[order].astype(np.float32)
    index = np.arange(len(order))
    total = refused = 0.0
    for _ in range(commits):
        chances = np.add.reduceat(left[:, None] * accepted, starts, axis=0)
        best = chances.argmax(axis=1)
        total += float(chances.max(axis=1).sum())
        left = left * ~accepted[index, best[classes]]
        refused += float(left.sum())
    return total, refused
