"""Hosts whose outcomes are the rows of a table: conditions are filters over columns (DriftToy, DriftWebShop).

A `FrameTable` holds the full outcomes of one frame as arrays: a code column for each choice slot, a float column for
each number slot, one bool matrix for the tags. Masks of conditions and rankings of beliefs are cached: they depend on
public data only, so all environments of a process share them.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from intent_gym.core.intent import Condition, Intent, Value
from intent_gym.envs.host import Host, Outcome

__all__ = ["Column", "FrameTable", "TableHost", "Tags"]

_CACHE = 8192
_RANKED = 64
"""Outcomes that a ranking holds: more than an episode can have rejected."""
BoolArray = NDArray[np.bool_]


@dataclass(frozen=True)
class Column:
    """One slot's value per row.

    Attributes:
        values: The distinct values, sorted.
        codes: Shape (rows,), int; index into `values`, -1 where the row has no such thing.
    """

    values: tuple[Value, ...]
    codes: NDArray[np.int32]

    @classmethod
    def of(cls, cells: Sequence[Value | None]) -> Column:
        """Build from a cell per row."""
        values = tuple(sorted({c for c in cells if c is not None}, key=lambda v: (isinstance(v, str), v)))
        index: dict[Value | None, int] = {v: i for i, v in enumerate(values)}
        return cls(values, np.array([index.get(c, -1) for c in cells], dtype=np.int32))


@dataclass(frozen=True)
class Tags:
    """The tags of a topic per row.

    Attributes:
        values: The distinct tags, sorted.
        has: Shape (rows, tags), bool.
    """

    values: tuple[str, ...]
    has: BoolArray

    @classmethod
    def of(cls, cells: Sequence[Sequence[str]]) -> Tags:
        """Build from a sequence of tags per row."""
        values = tuple(sorted({t for cell in cells for t in cell}))
        index = {t: i for i, t in enumerate(values)}
        has = np.zeros((len(cells), len(values)), dtype=np.bool_)
        for row, cell in enumerate(cells):
            for tag in cell:
                has[row, index[tag]] = True
        return cls(values, has)


@dataclass(frozen=True)
class FrameTable:
    """All full outcomes of one frame.

    Attributes:
        first: Id of row 0; row r has the outcome id first + r.
        rows: Number of rows.
        columns: Column by slot id, for choice, number and instrument slots.
        tags: Tags by topic, for tag slots.
        topics: Topic by tag slot id.
    """

    first: int
    rows: int
    columns: Mapping[str, Column]
    tags: Mapping[str, Tags]
    topics: Mapping[str, str]
    _masks: dict[Condition, BoolArray] = field(default_factory=dict, repr=False)

    def mask(self, condition: Condition) -> BoolArray:
        """Return which rows meet a condition; shape (rows,), read-only."""
        found = self._masks.get(condition)
        if found is None:
            found = self._masks[condition] = self._compute(condition)
            found.flags.writeable = False
        return found

    def _compute(self, condition: Condition) -> BoolArray:
        topic = self.topics.get(condition.slot)
        if topic is not None:
            tags = self.tags[topic]
            if condition.value in tags.values:
                column: BoolArray = tags.has[:, tags.values.index(str(condition.value))].copy()
                return column
            return np.zeros(self.rows, dtype=np.bool_)
        held = self.columns.get(condition.slot)
        if held is None:
            return np.zeros(self.rows, dtype=np.bool_)
        if condition.op == "=":
            good = [v == condition.value for v in held.values]
        elif condition.op == "<=":
            good = [v <= condition.value for v in held.values]  # type: ignore[operator]  # a number slot's column
        elif condition.op == ">=":
            good = [v >= condition.value for v in held.values]  # type: ignore[operator]  # a number slot's column
        else:
            good = [str(condition.value) in str(v) for v in held.values]
        return np.array([*good, False], dtype=np.bool_)[held.codes]

    def select(self, conditions: Sequence[Condition]) -> NDArray[np.int64]:
        """Return the rows that meet every condition, ascending."""
        if not conditions:
            return np.arange(self.rows)
        keep = self.mask(conditions[0])
        for condition in conditions[1:]:
            keep = keep & self.mask(condition)
        return np.flatnonzero(keep)


class TableHost(Host):
    """A host over one `FrameTable` a frame."""

    def __init__(self) -> None:
        """Make the per-instance caches of what beliefs select."""
        self._ranked = lru_cache(_CACHE)(self._rank)
        self._counted = lru_cache(_CACHE)(self._count)

    @abstractmethod
    def table(self, frame: str) -> FrameTable | None:
        """Return the table of a frame, or None for a frame the host does not have."""

    def answers(self, intent: Intent) -> NDArray[np.int64]:
        """Return the ids of the rows that meet every condition, sorted."""
        table = self.table(intent.frame)
        if table is None:
            return np.empty(0, dtype=np.int64)
        return table.select(intent.conditions) + table.first

    def domain(self, slot: str, frame: str | None = None) -> tuple[Value, ...]:
        """Return the legal values of a slot, sorted; of one frame, or of all when `frame` is None."""
        if slot == self.frame_slot.id:
            return self.frames
        if frame is None:
            return self._whole_domain(slot)
        table = self.table(frame)
        if table is None:
            return ()
        if slot in table.topics:
            return table.tags[table.topics[slot]].values
        return table.columns[slot].values if slot in table.columns else ()

    def _whole_domain(self, slot: str) -> tuple[Value, ...]:
        values = {v for frame in self.frames for v in self.domain(slot, frame)}
        return tuple(sorted(values, key=lambda v: (isinstance(v, str), v)))

    def best(self, beliefs: Intent, rejected: frozenset[Outcome]) -> Outcome | None:
        """Return the outcome that meets most of the believed conditions and was not rejected; ties by id."""
        for answer in self._ranked(beliefs):
            outcome = self.outcome(answer)
            if outcome not in rejected:
                return outcome
        return None

    def _rank(self, beliefs: Intent) -> tuple[int, ...]:
        table = self.table(beliefs.frame)
        if table is None:
            return ()
        met = np.zeros(table.rows, dtype=np.int8)
        for condition in beliefs.conditions:
            met += table.mask(condition)
        ranked: list[int] = []
        for level in range(len(beliefs.conditions), -1, -1):
            ranked += np.flatnonzero(met == level)[: _RANKED - len(ranked)].tolist()
            if len(ranked) >= _RANKED:
                break
        return tuple(row + table.first for row in ranked)

    def counts(self, beliefs: Intent) -> tuple[int, NDArray[np.float32]]:
        """Return the number of candidates and, per slot, their number of distinct values (see `Host.counts`)."""
        return self._counted(beliefs)

    def _count(self, beliefs: Intent) -> tuple[int, NDArray[np.float32]]:
        per_slot = np.zeros(len(self.slots), dtype=np.float32)
        table = self.table(beliefs.frame)
        rows = self.answers(beliefs) - (table.first if table is not None else 0)
        if table is not None and len(rows):
            per_slot[0] = 1.0
            per_topic = {topic: np.count_nonzero(tags.has[rows].any(axis=0)) for topic, tags in table.tags.items()}
            for i, slot in enumerate(self.slots[1:], 1):
                if slot.id in table.topics:
                    per_slot[i] = per_topic[table.topics[slot.id]]
                elif slot.id in table.columns:
                    column = table.columns[slot.id]
                    seen = np.bincount(column.codes[rows] + 1, minlength=len(column.values) + 1)
                    per_slot[i] = np.count_nonzero(seen[1:])
        per_slot.flags.writeable = False
        return len(rows), per_slot

    def values_of(self, slot: str, answers: NDArray[np.int64]) -> Sequence[tuple[Value, ...]]:
        """Return, per outcome id of one frame, the values it has for a slot."""
        if not len(answers):
            return []
        frame = self.frame_of(int(answers[0]))
        table = self.table(frame)
        if table is None:
            return [() for _ in answers]
        rows = answers - table.first
        if slot == self.frame_slot.id:
            return [(frame,) for _ in answers]
        if slot in table.topics:
            tags = table.tags[table.topics[slot]]
            return [tuple(tags.values[i] for i in np.flatnonzero(tags.has[r])) for r in rows]
        if slot not in table.columns:
            return [() for _ in answers]
        column = table.columns[slot]
        return [(column.values[c],) if c >= 0 else () for c in column.codes[rows]]

    @abstractmethod
    def frame_of(self, answer: int) -> str:
        """Return the frame that an outcome id belongs to."""
