"""What an agent believes of the intent: per topic how likely its value is right, wrong or not wanted at all.

The numbers behind it are public: the rules of faults and drift (PROTOCOL 2, 4). Faults make a stated value wrong or
needless and leave others out; a drift that may have fired blurs what was known. A decision is made over *hypotheses*:
complete intents drawn from the belief, each built around an outcome of the frame, so that all can be carried out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from intent_gym.agents.scripted.columns import FREE, columns
from intent_gym.agents.scripted.reading import Reading
from intent_gym.core.config import DriftConfig
from intent_gym.core.intent import Condition, Intent
from intent_gym.envs.host import Host, Outcome

__all__ = ["LOST", "Belief", "Prior", "Single", "Tags"]

LOST = 0.5
"""Probability that a condition of one frame does not hold of the frame that is wanted instead."""


@dataclass(frozen=True)
class Prior:
    """How far a request is trusted. Totals are shared out over the topics concerned."""

    wrong: float = 0.20
    """Some stated value is wrong."""
    needless: float = 0.12
    """Some stated value does not matter."""
    left_out: float = 0.35
    """Some topic that was not mentioned has a value."""
    doubted: float = 0.95
    """A topic in doubt has a value that was not said."""
    tag_share: float = 2.5
    """A topic of tags counts as so many topics when what was left out is shared out."""
    bound: float = 0.6
    """A modifier that may belong to another thing belongs to the one wanted."""
    told: float = 0.99
    """A value that was told in answer is right."""
    carried: float = 0.88
    """A value believed of one frame holds after the change to another."""


@dataclass(slots=True)
class Single:
    """Belief about a topic with at most one condition.

    Attributes:
        said: Code of the value believed, `FREE` where there is none.
        condition: The condition itself, None where there is none.
        right: Probability that the value believed is wanted.
        other: Probability that another value is wanted; the rest: none is.
        among: Codes that the other value is one of; () for any.
    """

    said: int = FREE
    condition: Condition | None = None
    right: float = 0.0
    other: float = 0.0
    among: tuple[int, ...] = ()


@dataclass(slots=True)
class Tags:
    """Belief about a topic whose conditions are tags.

    Attributes:
        kept: Probability that a tag is wanted, by its code, in the order told.
        conditions: The condition of each of these tags.
        more: Probability that one more is wanted.
    """

    kept: dict[int, float] = field(default_factory=dict)
    conditions: dict[int, Condition] = field(default_factory=dict)
    more: float = 0.0


class Belief:
    """The belief about one frame, and how likely another one is wanted.

    Attributes:
        frame: The frame believed.
        elsewhere: Probability that another frame is wanted.
        topics: Belief per topic position of `columns`.
        refused: (outcome, topics named with the refusal, probability that the intent has moved since).
    """

    def __init__(self, host: Host, reading: Reading, prior: Prior) -> None:
        """Believe a request."""
        self.host = host
        self.prior = prior
        self.refused: list[tuple[Outcome, tuple[str, ...], float]] = []
        self._enter(reading.frame, 0.02 if reading.sure else 0.9)
        said = [c for c in reading.said.values() if self._position(c) is not None]
        wrong = prior.wrong / max(1, len(said))
        needless = prior.needless / max(1, len(said))
        for condition in said:
            self._put(condition, 1.0 - wrong - needless, wrong)
        named = {reading_topic for reading_topic in reading.doubts if reading_topic in self.columns.index}
        shares = {t: self._share(t) for t in range(len(self.topics)) if self.columns.topics[t].name not in named}
        for t, share in shares.items():
            self._leave_open(t, min(0.9, prior.left_out * share / (sum(shares.values()) or 1.0)))
        for name in named:
            self._doubt(self.columns.index[name], reading)

    # -- reading it --------------------------------------------------------------------------------------------------
    def holds(self) -> list[tuple[str, Condition, float]]:
        """Return (topic, condition, probability that it is right) for every value believed, but the frame's."""
        found: list[tuple[str, Condition, float]] = []
        for topic, state in zip(self.columns.topics, self.topics, strict=True):
            if isinstance(state, Tags):
                found += [(topic.name, state.conditions[code], p) for code, p in state.kept.items()]
            elif state.condition is not None:
                found.append((topic.name, state.condition, state.right))
        return found

    @property
    def intent(self) -> Intent:
        """What is more likely wanted than not."""
        return Intent(self.frame, tuple(c for _, c, p in self.holds() if p >= 0.5))

    def scores(self) -> NDArray[np.float64]:
        """Return how much of what is believed each outcome meets, shape (rows,)."""
        met = np.zeros(self.columns.rows)
        for topic, state in zip(self.columns.topics, self.topics, strict=True):
            if isinstance(state, Tags):
                for code, p in state.kept.items():
                    if code >= 0:
                        met += p * topic.has[:, code]
                continue
            if state.condition is not None:
                met += state.right * topic.meets(np.array([state.said]))[0]
            if state.among:
                met += state.other * np.isin(topic.codes, state.among)
        return met

    # -- being told --------------------------------------------------------------------------------------------------
    def tell(self, condition: Condition) -> None:
        """Take in a value that the user stated."""
        t = self._position(condition)
        if t is None:
            return
        state = self.topics[t]
        if isinstance(state, Single) and state.condition is not None:
            self._compare(state.right, state.condition.value == condition.value)
        if isinstance(state, Tags):
            code = self.columns.topics[t].code(condition.value)
            if code in state.kept:
                state.more *= 0.1  # unknown ones would have been told first
            else:
                state.more *= 0.4
        self._put(condition, self.prior.told, 1.0 - self.prior.told)

    def free(self, topic: str) -> None:
        """Take in that a topic does not matter."""
        t = self.columns.index.get(topic)
        if t is not None:
            state = self.topics[t]
            if isinstance(state, Single) and state.condition is not None:
                self._compare(state.right, False)
            self.topics[t] = Tags(more=0.01) if self.columns.topics[t].kind == "tag" else Single(other=0.01)

    def drop(self, condition: Condition) -> None:
        """Take in that a value is not needed."""
        t = self._position(condition)
        if t is None:
            return
        state = self.topics[t]
        if isinstance(state, Single):
            self.free(self.columns.topics[t].name)
            return
        code = self.columns.topics[t].code(condition.value)
        self._compare(state.kept.get(code, 0.5), False)
        state.kept.pop(code, None)
        state.conditions.pop(code, None)
        state.more *= 0.3

    def confirm(self, conditions: Sequence[Condition]) -> None:
        """Take in that values read back are right."""
        for condition in conditions:
            if condition.slot == self.host.frame_slot.id:
                self.elsewhere = 0.01
            elif self._position(condition) is not None:
                self._put(condition, self.prior.told, 1.0 - self.prior.told)

    def deny(self, conditions: Sequence[Condition], more: float = 0.02) -> None:
        """Take in that not all of these tags of one topic are wanted, and how likely others are."""
        t = self._position(conditions[0])
        state = self.topics[t] if t is not None else None
        if t is None or not isinstance(state, Tags):
            return
        state.more = more
        held = {c: state.kept[c] for v in conditions if (c := self.columns.topics[t].code(v.value)) in state.kept}
        doubt = sum(1.0 - p for p in held.values()) or 1.0
        for code, p in held.items():
            state.kept[code] = max(0.02, p - (1.0 - p) / doubt)

    def turn_to(self, frame: str) -> None:
        """Take in that another frame is wanted: what can be carried over is, in slot order, while outcomes are left."""
        held = self.holds()
        self._enter(frame, 0.01)
        order = self.host.slot_table.index
        intent = Intent(frame, ())
        for _, condition, right in sorted(held, key=lambda h: order[h[1].slot]):
            more = intent.having(condition)
            if right >= 0.4 and self._position(condition) is not None and len(self.host.answers(more)):
                intent = more
                self._put(condition, self.prior.carried * right, 1.0 - self.prior.carried)
        spare = 0.9 if len(intent.conditions) < 2 else 0.25
        shares = {t: self._share(t) for t in range(len(self.topics))}
        for t, share in shares.items():
            self._leave_open(t, spare * share / (sum(shares.values()) or 1.0))

    def drift(self, config: DriftConfig | None) -> None:
        """Take in that a drift was due: it fired or it did not."""
        if config is None:
            return
        p, weights = config.fire_probability, config.weights
        total = sum(weights.values()) or 1.0
        refine, relax, swap, pivot = (
            p * weights.get(r, 0.0) / total for r in ("refine", "relax", "substitute", "pivot")
        )
        self.elsewhere += (1.0 - self.elsewhere) * pivot
        held = max(1.0, sum(self._mass(t) for t in range(len(self.topics))))
        free = max(1, sum(not self._held(t) for t in range(len(self.topics))))
        for state in self.topics:
            if isinstance(state, Tags):
                lost = sum(state.kept.values()) * swap / held
                for code in state.kept:
                    state.kept[code] *= 1.0 - (relax + swap) / held
                state.more = min(0.95, state.more + lost + (1.0 - state.more) * refine / free)
                continue
            right, other = state.right, state.other
            none = max(0.0, 1.0 - right - other)
            state.right = right * (1.0 - (relax + swap) / held)
            state.other = other * (1.0 - relax / held) + right * swap / held + none * refine / free
            if none * refine / free + right * swap / held > 0.02:
                state.among = ()
            state.other = min(state.other, 1.0 - state.right)
        moved = p * (1.0 - weights.get("refine", 0.0) / total)
        self.refused = [(o, names, m + (1.0 - m) * moved) for o, names, m in self.refused]

    def refuse(self, outcome: Outcome, topics: Sequence[str]) -> None:
        """Take in a refused commit and the topics that came with it."""
        self.refused.append((outcome, tuple(topics), 0.0))
        if self.host.frame_slot.topic in topics:
            self.elsewhere = max(self.elsewhere, 0.97)

    def _compare(self, right: float, agrees: bool) -> None:
        """Weigh whether another frame is wanted by an answer that agrees or not with what was believed right."""
        here = right if agrees else 1.0 - right
        there = self.elsewhere * (1.0 - LOST if agrees else LOST)
        self.elsewhere = there / max(1e-9, there + (1.0 - self.elsewhere) * max(0.02, here))

    # -- inside ------------------------------------------------------------------------------------------------------
    def _enter(self, frame: str, elsewhere: float) -> None:
        self.frame = frame
        self.elsewhere = elsewhere
        self.columns = columns(self.host, frame)
        self.topics: list[Single | Tags] = [Tags() if t.kind == "tag" else Single() for t in self.columns.topics]

    def _position(self, condition: Condition) -> int | None:
        if condition.slot == self.host.frame_slot.id:
            return None
        return self.columns.index.get(self.host.slot_table.topic_of[condition.slot])

    def _held(self, t: int) -> bool:
        state = self.topics[t]
        return bool(state.kept) if isinstance(state, Tags) else state.condition is not None

    def _share(self, t: int) -> float:
        """Return how many conditions more a topic can have, as a share of what was left out."""
        if self.columns.topics[t].kind == "tag":
            return self.prior.tag_share
        return 0.0 if self._held(t) else 1.0

    def _mass(self, t: int) -> float:
        state = self.topics[t]
        return sum(state.kept.values()) + state.more if isinstance(state, Tags) else state.right + state.other

    def _put(self, condition: Condition, right: float, other: float) -> None:
        t = self._position(condition)
        assert t is not None  # callers have looked
        code = self.columns.topics[t].code(condition.value)
        state = self.topics[t]
        if isinstance(state, Tags):
            state.kept[code] = right
            state.conditions[code] = condition
            state.more = min(0.95, state.more + other)
        else:
            self.topics[t] = Single(code, condition, right, other)

    def _leave_open(self, t: int, p: float) -> None:
        state = self.topics[t]
        if isinstance(state, Tags):
            state.more = max(state.more, p)
        elif p > 0.0:
            state.other = p

    def _doubt(self, t: int, reading: Reading) -> None:
        topic = self.columns.topics[t]
        kind = reading.doubts[topic.name]
        loose = [c for c in reading.loose if self.host.slot_table.topic_of[c.slot] == topic.name]
        if kind == "attached":
            for condition in loose:
                self._put(condition, self.prior.bound, 0.02)
            return
        state = self.topics[t]
        if isinstance(state, Tags):
            for code, condition in state.conditions.items():
                if condition.slot in reading.settled:
                    state.kept[code] = 0.05
            state.more = self.prior.doubted
            return
        state.right = 0.03 if state.condition is not None else 0.0
        state.other = self.prior.doubted
        pairs = [p for p in reading.senses if any(self.host.slot_table.topic_of[c.slot] == topic.name for c in p)]
        if kind == "ambiguous" and pairs:
            senses = [c for c in pairs[0] if self.host.slot_table.topic_of[c.slot] == topic.name]
            state.among = tuple(code for c in senses if (code := topic.code(c.value)) >= 0)
            if len(senses) == 1 and self.host.slot_table.topic_of[pairs[0][0].slot] in reading.doubts:
                state.other = 0.5 if self._both_open(pairs[0], reading) else self.prior.doubted

    def _both_open(self, pair: tuple[Condition, Condition], reading: Reading) -> bool:
        return all(self.host.slot_table.topic_of[c.slot] in reading.doubts for c in pair)
