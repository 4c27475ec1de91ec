"""Complete intents drawn from a belief, and what each would accept and answer.

Each is built around an outcome of the frame, so that all can be carried out. Given a hypothesis, the user's answer
to a question is certain; so a question cuts the hypotheses into classes, and what it tells is the entropy of the cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from intent_gym.agents.scripted.belief import LOST, Belief, Single, Tags
from intent_gym.agents.scripted.columns import FREE, NOWHERE, Columns, Topic
from intent_gym.core.config import DriftConfig
from intent_gym.core.intent import Condition

__all__ = ["DRAWN", "Hypotheses", "draw", "drifted"]

DRAWN = 320
"""Hypotheses drawn for a decision."""
POOL = 1000
"""Outcomes that hypotheses are built around."""
_DOUBTED_HINT = 0.03
"""Weight left to a hypothesis whose topics do not fit those named with a refusal."""


@dataclass
class Hypotheses:
    """Intents drawn from a belief; index h below.

    Attributes:
        weight: Shape (n,), probabilities, sum 1.
        elsewhere: Shape (n,), whether another frame is wanted.
        single: Per topic position, shape (n,) codes of the condition.
        tags: Per topic position, shape (n, values) flags of the tags wanted.
        rows: Shape (n,), the outcome that the hypothesis was built around.
        lost: Shape (n, topics), which topics another frame, where it is wanted, has changed.
    """

    columns: Columns
    weight: NDArray[np.float64]
    elsewhere: NDArray[np.bool_]
    single: dict[int, NDArray[np.int64]]
    tags: dict[int, NDArray[np.bool_]]
    rows: NDArray[np.int64]
    lost: NDArray[np.bool_]

    def copy(self) -> Hypotheses:
        """Return a copy whose arrays are its own."""
        return Hypotheses(
            self.columns,
            self.weight.copy(),
            self.elsewhere.copy(),
            {t: a.copy() for t, a in self.single.items()},
            {t: a.copy() for t, a in self.tags.items()},
            self.rows,
            self.lost,
        )

    def accepts(self, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which of the outcomes in `rows` each hypothesis accepts, shape (n, len(rows))."""
        ok = np.repeat(~self.elsewhere[:, None], len(rows), axis=1)
        for t in self.single:
            ok &= self.meets(t, rows)
        for t in self.tags:
            ok &= self.meets(t, rows)
        return ok

    def meets(self, t: int, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return where the outcomes meet what a hypothesis wants of one topic, shape (n, len(rows))."""
        topic = self.columns.topics[t]
        if t in self.tags:
            ok = np.ones((len(self.weight), len(rows)), dtype=np.bool_)
            has = topic.has[rows]
            for tag in np.flatnonzero(self.tags[t].any(axis=0)):
                ok &= ~self.tags[t][:, tag, None] | has[None, :, tag]
            return ok
        return topic.meets(self.single[t], rows)

    # -- what a user would answer ------------------------------------------------------------------------------------
    def answer(self, topic: str, known: Sequence[int] = ()) -> NDArray[np.int64]:
        """Return the class of each hypothesis by its answer about a topic, shape (n,).

        Args:
            topic: The topic asked about; the frame's own gives two classes.
            known: Codes of tags that the user takes as known: an unknown one is told first.
        """
        t = self.columns.index.get(topic)
        if t is None:
            return self.elsewhere.astype(np.int64)
        if t in self.single:
            return self.single[t]
        wanted = self.tags[t]
        fresh = wanted.copy()
        fresh[:, [k for k in known if k >= 0]] = False
        return np.where(fresh.any(axis=1), fresh.argmax(axis=1), np.where(wanted.any(axis=1), NOWHERE, FREE))

    def wrong(self, conditions: Sequence[Condition], frame_slot: str) -> NDArray[np.bool_]:
        """Return whether each hypothesis contradicts one of the conditions of a topic, shape (n,)."""
        wrong: NDArray[np.bool_] = np.zeros(len(self.weight), dtype=np.bool_)
        for condition in conditions:
            if condition.slot == frame_slot:
                wrong |= self.elsewhere
                continue
            t = self.columns.index[self.columns.host.slot_table.topic_of[condition.slot]]
            code = self.columns.topics[t].code(condition.value)
            if t in self.single:
                wrong |= self.single[t] != code
            elif code >= 0:
                wrong |= ~self.tags[t][:, code]
            wrong |= self.elsewhere & self.lost[:, t]
        return wrong


def draw(belief: Belief, rng: np.random.Generator, n: int = DRAWN) -> Hypotheses:
    """Draw hypotheses from a belief: the intents as they may be now."""
    table = belief.columns
    pool = _pool(belief, rng)
    ok = np.ones((n, len(pool)), dtype=np.bool_)
    states: dict[int, NDArray[np.int64]] = {}
    keeps: dict[int, NDArray[np.bool_]] = {}
    for t, (topic, state) in enumerate(zip(table.topics, belief.topics, strict=True)):
        if isinstance(state, Tags):
            has = topic.has[pool]
            codes = [c for c in state.kept if c >= 0]
            keep = np.empty((n, len(codes)), dtype=np.bool_)
            for i, code in enumerate(codes):
                keep[:, i] = rng.random(n) < state.kept[code]
                ok &= has[None, :, code] | ~keep[:, i, None]
            keeps[t] = keep
            states[t] = (rng.random(n) < state.more).astype(np.int64)
            ok &= np.logical_or.outer(states[t] == 0, np.delete(has, codes, axis=1).any(axis=1))
        else:
            u = rng.random(n)
            states[t] = np.where(u < state.right, 1, np.where(u < state.right + state.other, 2, 0))
            ok &= _possible(topic, state, pool)[states[t]]
    counts = ok.sum(axis=1)
    picks = (rng.random(n) * counts).astype(np.int64)
    order = np.cumsum(ok, axis=1, dtype=np.int32)
    rows = pool[np.minimum((order <= picks[:, None]).sum(axis=1), len(pool) - 1)]
    lost = rng.random((n, len(table.topics))) < LOST
    weight = (counts > 0).astype(np.float64)
    hypotheses = Hypotheses(table, weight, rng.random(n) < belief.elsewhere, {}, {}, rows, lost)
    for t, state in enumerate(belief.topics):
        if isinstance(state, Tags):
            hypotheses.tags[t] = _tags(table, t, state, keeps[t], states[t], rows, rng)
        else:
            hypotheses.single[t] = _codes(table, t, state, states[t], rows, rng)
    _weigh(hypotheses, belief)
    return hypotheses


def _pool(belief: Belief, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return the rows to build around: those that meet most of what is believed, and some of the rest."""
    scores = belief.scores()
    if len(scores) <= POOL:
        return np.arange(len(scores))
    near = np.argpartition(-(scores + 1e-3 * rng.random(len(scores))), POOL - POOL // 5)[: POOL - POOL // 5]
    return np.unique(np.concatenate([near, rng.integers(len(scores), size=POOL // 5)]))


def _possible(topic: Topic, state: Single, pool: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which rows can be where a topic is free (0), as believed (1) or otherwise (2), shape (3, len(pool))."""
    masks = np.ones((3, len(pool)), dtype=np.bool_)
    codes = topic.codes[pool]
    if state.condition is not None:
        masks[1] = topic.meets(np.array([state.said]), pool)[0]
    if state.among:
        masks[2] = np.isin(codes, state.among)
    elif topic.kind != "number":
        masks[2] = (codes >= 0) & (codes != state.said)
    return masks


def _codes(
    table: Columns, t: int, state: Single, drawn: NDArray[np.int64], rows: NDArray[np.int64], rng: np.random.Generator
) -> NDArray[np.int64]:
    topic = table.topics[t]
    own = topic.codes[rows]
    if topic.kind == "number" and topic.slots[0].op in ("<=", ">="):
        another = topic.codes[rng.integers(table.rows, size=len(rows))]
        own = np.maximum(own, another) if topic.slots[0].op == "<=" else np.minimum(own, another)
    return np.where(drawn == 1, state.said, np.where(drawn == 2, own, FREE))


def _tags(
    table: Columns,
    t: int,
    state: Tags,
    keep: NDArray[np.bool_],
    more: NDArray[np.int64],
    rows: NDArray[np.int64],
    rng: np.random.Generator,
) -> NDArray[np.bool_]:
    has = table.topics[t].has
    wanted = np.zeros((len(rows), has.shape[1]), dtype=np.bool_)
    codes = [c for c in state.kept if c >= 0]
    wanted[:, codes] = keep
    spare = has[rows].copy()
    spare[:, codes] = False
    pick = (rng.random(spare.shape) * spare).argmax(axis=1)
    found = (more == 1) & spare.any(axis=1)
    wanted[np.flatnonzero(found), pick[found]] = True
    return wanted


def _weigh(hypotheses: Hypotheses, belief: Belief) -> None:
    """Take the refused commits into account: what accepts one of them is wrong, unless the intent has moved since."""
    weight = hypotheses.weight
    for outcome, topics, moved in belief.refused:
        row = hypotheses.columns.row(outcome)
        if row < 0:
            continue
        rows = np.array([row])
        factor = np.where(hypotheses.accepts(rows)[:, 0], moved, 1.0)
        named = [hypotheses.columns.index[t] for t in topics if t in hypotheses.columns.index]
        if named:
            fits = np.zeros(len(weight), dtype=np.bool_)
            for t in named:
                fits |= ~hypotheses.meets(t, rows)[:, 0]
            factor = np.where(fits & ~hypotheses.elsewhere, factor, factor * max(_DOUBTED_HINT, moved))
        weight *= factor
    total = weight.sum()
    if total > 0.0:
        weight /= total
    else:
        weight[:] = 1.0 / len(weight)


def drifted(now: Hypotheses, rng: np.random.Generator, config: DriftConfig | None) -> Hypotheses:
    """Return the hypotheses as they may be after a drift that is due."""
    after = now.copy()
    if config is None:
        return after
    n = len(now.weight)
    kinds = ("refine", "relax", "substitute", "pivot")
    shares = np.array([config.weights.get(k, 0.0) for k in kinds])  # type: ignore[call-overload]  # the four relations
    shares = shares / shares.sum() if shares.sum() > 0.0 else np.full(4, 0.25)
    fires = rng.random(n) < config.fire_probability
    kind = rng.choice(4, size=n, p=shares)
    after.elsewhere |= fires & (kind == 3)
    parts = [*after.single, *after.tags]
    held = np.zeros((n, len(parts)), dtype=np.bool_)
    for i, t in enumerate(parts):
        held[:, i] = after.single[t] != FREE if t in after.single else after.tags[t].any(axis=1)
    for which, mask in ((0, ~held | np.array([t in after.tags for t in parts])), (1, held), (2, held)):
        chosen = (rng.random(mask.shape) * mask).argmax(axis=1)
        hit = fires & (kind == which) & mask.any(axis=1)
        for i, t in enumerate(parts):
            who = np.flatnonzero(hit & (chosen == i))
            if len(who):
                _change(after, t, who, which, rng)
    return after


def _change(after: Hypotheses, t: int, who: NDArray[np.int64], which: int, rng: np.random.Generator) -> None:
    """Add (0), remove (1) or replace (2) a condition of a topic in some hypotheses."""
    topic = after.columns.topics[t]
    other = rng.integers(after.columns.rows, size=len(who))
    if t in after.single:
        source = after.rows[who] if which == 0 else other
        after.single[t][who] = FREE if which == 1 else topic.codes[source]
        return
    wanted = after.tags[t]
    if which:
        wanted[who, (rng.random((len(who), wanted.shape[1])) * wanted[who]).argmax(axis=1)] = False
    if which != 1:
        spare = topic.has[after.rows[who] if which == 0 else other] & ~wanted[who]
        pick = (rng.random(spare.shape) * spare).argmax(axis=1)
        able = spare.any(axis=1)
        wanted[who[able], pick[able]] = True
