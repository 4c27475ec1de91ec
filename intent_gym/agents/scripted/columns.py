"""The outcomes of one frame as arrays, read once from the host's public answers and kept for the process.

Works for every `Host`: only `answers`, `values_of` and `outcome` are asked; a `TableHost` is read column by column.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from intent_gym.core.intent import Intent, Slot, Value
from intent_gym.envs.host import Host, Outcome
from intent_gym.envs.table import FrameTable, TableHost

__all__ = ["FREE", "NOWHERE", "Columns", "Topic", "columns"]

MAX_ROWS = 4096
"""Outcomes looked at where a host is asked one by one; of larger frames an even selection."""

FREE, NOWHERE = -1, -2
"""Codes of a condition: none at all, and one that no outcome of the frame meets."""

Codes = NDArray[np.int32] | NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Topic:
    """What the outcomes of a frame have for one topic.

    Attributes:
        name: The topic.
        slots: Its slots; several for tags.
        values: The distinct values, sorted.
        codes: Shape (rows,), index into `values`, -1 where an outcome has none. Not used for tags.
        has: Shape (rows, values), which tags an outcome has. Empty for other kinds.
    """

    name: str
    slots: tuple[Slot, ...]
    values: tuple[Value, ...]
    codes: Codes
    has: Flags

    @property
    def kind(self) -> str:
        """The kind of its slots."""
        return self.slots[0].kind

    def code(self, value: Value) -> int:
        """Return the index of a value (of a number: of the extreme that its bound allows), or `NOWHERE`."""
        if self.kind == "number" and self.slots[0].op in ("<=", ">="):
            if isinstance(value, str):
                return NOWHERE
            if self.slots[0].op == "<=":
                found = int(np.searchsorted(self.numbers, float(value), side="right")) - 1
            else:
                found = int(np.searchsorted(self.numbers, float(value), side="left"))
            return found if 0 <= found < len(self.values) else NOWHERE
        return self.values.index(value) if value in self.values else NOWHERE

    def meets(self, codes: Codes, rows: Codes | None = None) -> Flags:
        """Return which rows meet which conditions.

        Args:
            codes: Shape (n,), the conditions: index into `values`, `FREE` or `NOWHERE`.
            rows: Rows looked at, shape (m,); all where None.

        Returns:
            Shape (n, m).
        """
        held = (self.codes if rows is None else self.codes[rows])[None, :]
        wanted = codes[:, None]
        met: Flags
        if self.slots[0].op == "<=":
            met = (held <= wanted) & (held >= 0)
        elif self.slots[0].op == ">=":
            met = (held >= wanted) & (wanted >= 0)
        else:
            met = (held == wanted) & (wanted != NOWHERE)
        met |= wanted == FREE
        return met

    @property
    def numbers(self) -> NDArray[np.float64]:
        """The values of a number topic, ascending."""
        return np.array([v for v in self.values if not isinstance(v, str)], dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Columns:
    """One frame.

    Attributes:
        frame: The frame.
        answers: Shape (rows,), outcome ids, ascending.
        topics: Topics that the frame's outcomes differ in or have, in slot order, without the frame's own.
        index: Position in `topics` by name.
    """

    host: Host
    frame: str
    answers: NDArray[np.int64]
    topics: tuple[Topic, ...]
    index: dict[str, int]
    _rows: dict[Outcome, int] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        """Number of outcomes."""
        return len(self.answers)

    def row(self, outcome: Outcome) -> int:
        """Return the row of an outcome that `outcome` gave out, -1 for others."""
        return self._rows.get(outcome, -1)

    def outcome(self, row: int) -> Outcome:
        """Return the outcome of a row."""
        found = self.host.outcome(int(self.answers[row]))
        self._rows[found] = row
        return found


@lru_cache(maxsize=256)
def columns(host: Host, frame: str) -> Columns:
    """Return the columns of a frame."""
    answers = host.answers(Intent(frame, ()))
    table = host.table(frame) if isinstance(host, TableHost) else None
    if table is None and len(answers) > MAX_ROWS:
        answers = answers[np.linspace(0, len(answers) - 1, MAX_ROWS).astype(np.int64)]
    topics: list[Topic] = []
    for name, slots in host.slot_table.by_topic.items():
        if slots[0].kind == "frame":
            continue
        topic = _told(host, name, slots, answers) if table is None else _copied(table, name, slots)
        if topic.values:
            topics.append(topic)
    return Columns(host, frame, answers, tuple(topics), {t.name: i for i, t in enumerate(topics)})


def _copied(table: FrameTable, name: str, slots: tuple[Slot, ...]) -> Topic:
    """Take a topic from a host that keeps its outcomes in columns already."""
    none, nothing = np.full(table.rows, -1, dtype=np.int32), np.zeros((table.rows, 0), dtype=np.bool_)
    if name in table.tags:
        return Topic(name, slots, table.tags[name].values, none, table.tags[name].has)
    column = table.columns.get(slots[0].id)
    if column is None:
        return Topic(name, slots, (), none, nothing)
    return Topic(name, slots, column.values, column.codes, nothing)


def _told(host: Host, name: str, slots: tuple[Slot, ...], answers: NDArray[np.int64]) -> Topic:
    """Ask the host for the values of every outcome."""
    cells = host.values_of(slots[0].id, answers)
    values = tuple(sorted({v for cell in cells for v in cell}, key=lambda v: (isinstance(v, str), v)))
    index: dict[Any, int] = {v: i for i, v in enumerate(values)}
    codes = np.full(len(cells), -1, dtype=np.int64)
    has = np.zeros((len(cells), len(values) if slots[0].kind == "tag" else 0), dtype=np.bool_)
    for row, cell in enumerate(cells):
        if slots[0].kind == "tag":
            has[row, [index[v] for v in cell]] = True
        elif cell:
            codes[row] = index[cell[0]]
    return Topic(name, slots, values, codes, has)
