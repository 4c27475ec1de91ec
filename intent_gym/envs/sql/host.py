"""DriftSpider-v0's host: questions to databases, whose conditions and columns a person sets.

A query that the host renders itself is run in this process; any other text runs in the sandbox, on a connection that
can only read.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Container, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from intent_gym.core.intent import Intent, Slot, Value
from intent_gym.envs.answers import Assignment, Axis
from intent_gym.envs.framed import GroupedHost
from intent_gym.envs.host import ActResult, Goal, Outcome
from intent_gym.envs.sql.database import Database
from intent_gym.envs.sql.frames import Frame
from intent_gym.envs.sql.generator import make_frames, make_goals
from intent_gym.envs.sql.grade import NO_QUERY, compare, query_of, run_queries, with_ties
from intent_gym.envs.sql.show import shown
from intent_gym.envs.sql.slots import SLOTS
from intent_gym.envs.sql.tables import Table, column_signatures, joined_signatures, same_table, signature
from intent_gym.envs.templates import Part, Template
from intent_gym.grading import Grade

__all__ = ["Meaning", "SqlHost", "SqlSession", "load"]

_CACHE = 1 << 14
_FOREIGN = 1 << 10
_ACT = re.compile(r"\s*(\w+)\s*:\s*(.*\S)\s*", re.S)


class SqlSession(NamedTuple):
    """What has been tried.

    Attributes:
        query: The last query; what a commit without text proposes.
    """

    query: str = ""


class Meaning(NamedTuple):
    """What a query comes to.

    Attributes:
        table: What it gives.
        sign: The table's `signature`.
        values: The assignment, sorted, that the host renders to it; None for a text of somebody else's.
    """

    table: Table
    sign: int
    values: tuple[tuple[str, Value], ...] | None


class _Wide:
    """All columns that the answers of a frame can show, by one query for those that differ in nothing else.

    Args:
        frame: The frame; its `shown` names slots.
        axes: All axes of the frame.
    """

    def __init__(self, frame: Frame, axes: Sequence[Axis]) -> None:
        self._axes = [a for a in axes if a.slot in frame.shown]
        pieces: list[str | Part] = []
        columns: list[tuple[Part, tuple[Value, ...]]] = []
        """For each column that can be shown the part and the values that show it."""
        for piece in frame.query.pieces:
            if isinstance(piece, Part) and set(piece.slots) <= set(frame.shown):
                texts = {values: text for values, text in piece.texts.items() if text}
                columns += [(piece, values) for values in texts]
                pieces.append(", " if all(text.startswith(", ") for text in texts.values()) else "")
                pieces.append(", ".join(text.removeprefix(", ") for text in texts.values()))
            else:
                pieces.append(piece)
        self._query, self._database = Template(pieces), frame.database
        self.offsets = np.zeros(1, dtype=np.int64)
        for axis in self._axes:
            self.offsets = (self.offsets[:, None] + axis.offsets).ravel()
        chosen = []
        for values in itertools.product(*(a.values for a in self._axes)):
            by_slot = dict(zip((a.slot for a in self._axes), values, strict=True))
            chosen.append([all(by_slot[s] == v for s, v in zip(part.slots, vs, strict=True)) for part, vs in columns])
        self._chosen = np.array(chosen, dtype=np.bool_)
        """Which columns are shown for each of `offsets`; shape (offsets, columns)."""

    def alike(self, rows: NDArray[np.int64]) -> list[int]:
        """Return for rows of the frame, whatever they show, the rows to which `offsets` are added to get them all."""
        for axis in self._axes:
            rows = rows - axis.offsets[rows // axis.step % len(axis.values)]
        return [int(row) for row in np.unique(rows)]

    def signatures(self, values: Assignment) -> NDArray[np.int64]:
        """Return the signatures of the tables at `offsets` from an assignment."""
        table = self._database.run(self._query.render(values))
        always = np.ones((len(self._chosen), table.columns - self._chosen.shape[1]), dtype=np.bool_)
        return joined_signatures(len(table.rows), column_signatures(table), np.hstack((always, self._chosen)))


class _Signatures:
    """Signatures of a frame's right tables, worked out when they are first wanted."""

    def __init__(self, host: SqlHost, frame: str, wide: _Wide | None) -> None:
        everything = host.answers(Intent(frame, ()))
        self.first = int(everything[0])
        self._host = host
        self._known = np.zeros(len(everything), dtype=np.int64)
        self._wide = wide
        self._forms = host.values_of("form", everything) if wide is None else []
        self._widths: dict[tuple[Value, ...], int] = {}

    def rows(self, answers: NDArray[np.int64], table: Table, sign: int) -> list[int]:
        """Return those of some outcomes whose tables have a table's signature."""
        rows = answers - self.first
        unknown = rows[self._known[rows] == 0]
        if self._wide is not None:
            for row in self._wide.alike(unknown):
                _, values = self._host.assignment(row + self.first)
                self._known[row + self._wide.offsets] = self._wide.signatures(values)
        else:
            for row in unknown.tolist():
                self._look_at(row, table.columns)
        return [int(answer) for answer in answers[self._known[rows] == sign]]

    def _look_at(self, row: int, columns: int) -> None:
        """Work out the signature of a row, unless its form is known to have another number of columns."""
        form = self._forms[row]
        if self._widths.get(form, columns) == columns:
            gold = self._host.right(*self._host.assignment(row + self.first))
            self._widths[form] = gold.columns
            self._known[row] = signature(gold)


class _Among(Container[object]):
    """The tables that answer an intent, whatever it leaves out."""

    def __init__(self, host: SqlHost, intent: Intent, signatures: _Signatures) -> None:
        self._host, self._signatures = host, signatures
        self._wanted = {c.slot: c.value for c in intent.conditions}.items()
        self._answers = host.answers(intent)

    def __contains__(self, meaning: object) -> bool:
        if not isinstance(meaning, Meaning):
            return False
        if meaning.values is not None and self._wanted <= set(meaning.values):
            return True
        near = self._signatures.rows(self._answers, meaning.table, meaning.sign)
        return any(same_table(meaning.table, self._host.gold(answer)) for answer in near)


class SqlHost(GroupedHost[Frame]):
    """Questions to databases: a frame is one question, its slots set what is filtered, shown, combined and sorted.

    Args:
        slots: The frame's slot first.
        frames: All questions.
        goals: Complete tasks.
        source: "embedded" or the folder read.
        rejections: Tasks of the source that are not admitted, by reason.
    """

    name = "sql"
    has_acts = True
    act_help = "database: SELECT ... to try a query; bikes: SELECT count(*) FROM bike"
    commit_help = "put one SELECT into the commit, or try it first and commit without text"

    def __init__(
        self,
        slots: Sequence[Slot],
        frames: Sequence[Frame],
        goals: Sequence[Goal],
        source: str = "embedded",
        rejections: Mapping[str, int] | None = None,
    ) -> None:
        """Index the frames."""
        super().__init__(slots, frames, goals, source, rejections)
        self._databases = {f.database.name: f.database for f in self._frames.values()}
        self.gold = lru_cache(_CACHE)(self._gold_now)
        self._table = lru_cache(_CACHE)(self._table_now)
        self._foreign = lru_cache(_FOREIGN)(self._foreign_now)
        self._own = lru_cache(_CACHE)(self._own_now)
        self._meaning = lru_cache(_CACHE)(self._meaning_now)
        self._signatures = lru_cache(maxsize=None)(self._signatures_of)

    def solve(self, frame: str, values: Assignment) -> Outcome:
        """Return the right query."""
        return self._frames[frame].query.render(values)

    def _signatures_of(self, frame: str) -> _Signatures:
        found = self._frames[frame]
        return _Signatures(self, frame, _Wide(found, self._axes(frame)) if found.shown else None)

    # -- what queries give -------------------------------------------------------------------------------------------
    def _gold_now(self, answer: int) -> Table:
        """Return the right table of an outcome id, with its ties."""
        return self.right(*self.assignment(answer))

    def right(self, frame: str, values: Assignment) -> Table:
        """Return the right table of a complete assignment, with its ties."""
        found = self._frames[frame]
        query = found.query.render(values)
        order = found.order(values)
        table = found.database.run(query)
        keyed: Table | str = found.database.run(order.with_keys) if order is not None and order.with_keys else ""
        return with_ties(table, keyed, order)

    def _table_now(self, database: str, query: str) -> Table | str:
        """Return what a query gives, or why it gives nothing: in this process if it is one that this host renders."""
        own = self._own(query)
        if own is not None and own.name == database:
            return own.run(query)
        return self._foreign(database, query)

    def _foreign_now(self, database: str, query: str) -> Table | str:
        return run_queries(self._databases[database].path(), [query])[0] if query else NO_QUERY

    def _own_now(self, query: str) -> Database | None:
        """Return the database of a query that this host renders, None for any other text."""
        for frame in self._frames.values():
            values = frame.query.read(query)
            if values is not None:
                return frame.database
        return None

    def key(self, frame: str, answer: str) -> Meaning | None:
        """Return what a query comes to; None where it gives no table."""
        return self._meaning(frame, answer)

    def _meaning_now(self, frame: str, answer: str) -> Meaning | None:
        query = query_of(answer)
        table = self._table(self._frames[frame].database.name, query)
        if isinstance(table, str):
            return None
        values = self._frames[frame].query.read(query)
        return Meaning(table, signature(table), None if values is None else tuple(sorted(values.items())))

    def _violated(self, intent: Intent, outcome: Outcome) -> tuple[str, ...]:
        """Return the slot whose other value an answer would be right for, as `AnswerHost`.

        A query that the host renders tells by itself which value that is.
        """
        own = self._own(outcome)
        if own is None:
            return super()._violated(intent, outcome)
        values = self._frames[intent.frame].query.read(outcome)
        if values is None:
            return (self.frame_slot.id,)
        others = [c.slot for c in intent.conditions if values[c.slot] != c.value]
        return (others[0],) if len(others) == 1 else (self.frame_slot.id,)

    def _keys_now(self, intent: Intent) -> Container[object]:
        """Return the tables that answer an intent, without asking for all of them."""
        return _Among(self, intent, self._signatures(intent.frame))

    def grade(self, frame: str, values: Assignment, answer: str) -> Grade:
        """Grade a query by its table; see `grade.grade`."""
        found = self._table(self._frames[frame].database.name, query_of(answer))
        return compare(found, self.right(frame, values))

    def _grade_row(self, answer: int, outcome: Outcome) -> Grade:
        """Grade by the remembered table of an outcome id."""
        frame, _ = self.assignment(answer)
        return compare(self._table(self._frames[frame].database.name, query_of(outcome)), self.gold(answer))

    # -- trying queries ------------------------------------------------------------------------------------------------
    def open_session(self) -> SqlSession:
        """Return the state in which nothing has been tried."""
        return SqlSession()

    def act(self, session: SqlSession, text: str) -> ActResult:
        """Run one reading query: "database: SELECT ..."."""
        found = _ACT.fullmatch(text)
        if found is None or found[1] not in self._databases:
            some = ", ".join([*list(self._databases)[:3], *(["..."] if len(self._databases) > 3 else [])])
            return ActResult(
                session,
                f"expected a database's name, a colon and a query, as in {next(iter(self._databases))}: SELECT ...; "
                f"found {' '.join(text[:60].split())!r}; databases: {some}",
                True,
            )
        query = query_of(found[2])
        table = self._table(found[1], query)
        message = shown(table) if isinstance(table, Table) else f"The query {table}."
        return ActResult(SqlSession(found[2]), message, False)

    def proposal(self, session: SqlSession, content: str) -> Outcome | None:
        """Return the commit's text, else the last query tried, or None where there is none."""
        return content.strip() or session.query or None

    def steps_to(self, outcome: Outcome) -> tuple[str, ...]:
        """Return the one act that tries the query."""
        database = self._own(outcome) or next(iter(self._databases.values()))
        return (f"{database.name}: {outcome}",)

    # -- material ------------------------------------------------------------------------------------------------------
    def noun(self, frame: str) -> str:
        """Return the frame: its name comes with its article."""
        return frame


def load(source: str = "embedded") -> SqlHost:
    """Return the questions.

    Args:
        source: "embedded": generated by this project; else a folder with Spider's development questions and databases.

    Raises:
        DataError: The folder cannot be read, or a file is damaged.
        MissingExtraError: Spider's own questions need sqlglot.
    """
    if source != "embedded":
        from intent_gym.envs.sql.original import SLOTS as LETTER_SLOTS
        from intent_gym.envs.sql.original import read_original

        found = read_original(source)
        return SqlHost(LETTER_SLOTS, found.frames, found.goals, source, found.rejections)
    frames = make_frames()
    return SqlHost(SLOTS, frames, make_goals(frames))
