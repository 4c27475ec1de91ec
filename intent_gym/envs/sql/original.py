"""Frames and goals from Spider's development questions: literals become letters that a person sets.

A value that the gold query compares with, and that the question says once, becomes a letter in the text: "singers from
[A]". Its other values are the column's own, or near numbers; each is kept only if it gives another table.
What people take back again are a further condition, repeats dropped, or another form of the result.

Every query is rendered from the gold's syntax tree and run; none is put together from the answer's text. A question is
admitted if the rendered query with the true values gives the gold's table, and a letter has three other values.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from intent_gym.core.intent import Condition, Intent, Slot, Value
from intent_gym.core.rng import Purpose, integer, key_of
from intent_gym.envs.answers import Assignment
from intent_gym.envs.host import Goal
from intent_gym.envs.sql.data import SpiderTask, load
from intent_gym.envs.sql.database import Database
from intent_gym.envs.sql.frames import Frame
from intent_gym.envs.sql.grade import database_file, query_of, with_ties
from intent_gym.envs.sql.letters import COMPARISONS, LETTERS, Letter, lettered, parsed
from intent_gym.envs.sql.order import Order, order_of
from intent_gym.envs.sql.rewrites import FORMS, NEUTRAL, Plans, Source, column_values, plans_of, sayable
from intent_gym.envs.sql.tables import Table, same_table
from intent_gym.envs.templates import Template
from intent_gym.errors import DataError

if TYPE_CHECKING:
    pass

__all__ = ["OTHERS", "SLOTS", "Original", "read_original"]

OTHERS = 5
"""Other values of a letter, at most."""
LEAST = 3
"""Other values of a letter, at least."""
_LOOK = 24
"""Values looked at for each letter."""
_TEST_SHARE = 4
"""One database in so many is for testing."""
_SYLLABLES = tuple(c + v for c in "bdfgklmnprstvz" for v in "aeiou")
_HELP = (
    "A letter in brackets stands for a value that the person tells, [comparison A] for how it is compared. An extra "
    "filter is one more condition on the rows that are looked at (\"country: France\" for country = 'France'). With "
    "repeats dropped, equal rows of the result are shown once. The result can also be just the number of its rows, or "
    "1 or 0 for whether it has any (yes or no). None of these is done unless it is asked for. Answer with one SELECT."
)


def _letter(letter: str) -> Slot:
    word, id_ = f"value {letter}", f"value_{letter.lower()}"
    return Slot(
        *(id_, word, id_, "choice"),
        synonyms=(f"letter {letter}", f"what {letter} is", f"[{letter}]"),
        clauses=(f"with {{value}} as {word}", f"where {word} is {{value}}", f"with {word} being {{value}}"),
        vague=(f"with a sensible {word}", f"with a decent {word}", f"with some nice {word}"),
    )


def _comparison(letter: str) -> Slot:
    word, id_ = f"comparison {letter}", f"comparison_{letter.lower()}"
    return Slot(
        *(id_, word, id_, "choice"),
        synonyms=(f"how {letter} is compared", f"[comparison {letter}]"),
        clauses=(f"with {{value}} as {word}", f"with {word} being {{value}}"),
        vague=(f"with a sensible {word}", f"with a decent {word}", f"with some nice {word}"),
    )


SLOTS = (
    Slot(*("question", "question", "question", "frame"), synonyms=("questions", "query", "which question")),
    *(_letter(letter) for letter in LETTERS),
    *(_comparison(letter) for letter in LETTERS),
    Slot(
        *("filter", "extra filter", "filter", "choice"),
        synonyms=("extra filters", "further condition", "additional condition", "filter", "filters"),
        clauses=("with {value} as the extra filter", "filtered to {value}", "only for {value}"),
        vague=("with a sensible extra filter", "with a nice extra filter", "with some decent extra filter"),
    ),
    Slot(
        *("repeats", "repeat handling", "repeats", "choice"),
        synonyms=("repeats", "duplicates", "duplicate rows", "what happens to duplicates"),
        clauses=("with {value}", "and with {value}", "having {value}"),
        vague=("with sensible repeat handling", "with decent repeat handling", "with nice repeat handling"),
    ),
    Slot(
        *("form", "result form", "form", "choice"),
        synonyms=("result forms", "form of the result", "how the result is given", "result be given", "result look"),
        clauses=("as {value}", "with {value} as the result form", "given as {value}"),
        vague=("in a useful result form", "with a sensible result form", "with some decent result form"),
    ),
)


class Original(NamedTuple):
    """What a folder holds."""

    frames: tuple[Frame, ...]
    goals: tuple[Goal, ...]
    rejections: Mapping[str, int]
    """Questions that are not admitted, by reason."""


class _RejectedError(Exception):
    """A question that is not admitted; the message is the reason."""


def read_original(folder: str) -> Original:
    """Return the admitted questions of a folder with Spider's development questions and databases.

    Raises:
        DataError: A file is missing or damaged; the message says which.
        MissingExtraError: sqlglot is not installed.
        SandboxError: The sandbox failed.
    """
    data = load(folder)
    frames: list[Frame] = []
    goals: list[Goal] = []
    rejections: Counter[str] = Counter()
    for reason in data.left_out.values():
        rejections[f"left out: {reason}"] += 1
    sources = {name: _source(name, database_file(data.folder, name)) for name in data.digests}
    for task in data.tasks:
        try:
            frame, goal = _admitted(task, sources[task.database])
        except _RejectedError as error:
            rejections[str(error)] += 1
            continue
        frames.append(frame)
        goals.append(goal)
    if not frames:
        raise DataError(f"expected questions that can be asked with other values in {folder!r}, found none")
    return Original(tuple(frames), tuple(goals), dict(rejections))


def _source(name: str, path: Any) -> Source:  # noqa: ANN401 - a path
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
            connection.text_factory = lambda data: data.decode(errors="ignore")
            query = "SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY rowid"
            made = connection.execute(query).fetchall()
            schema: dict[str, dict[str, str]] = {}
            lines: list[str] = []
            for table, sql in made:
                columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]
                schema[table.lower()] = {column.lower(): column for column in columns}
                rows = connection.execute(f'SELECT * FROM "{table}" LIMIT 2').fetchall()
                lines += [" ".join(sql.split()), *(f"-- {str(row)[:200]}" for row in rows)]
    except sqlite3.Error as error:
        raise DataError(f"expected an SQLite database, found another file at {str(path)!r} ({error})") from error
    material = "\n".join((f"The database {name} (SQLite), with the first rows of its tables:", *lines))
    return Source(Database(name, file=path), schema, material)


# -- one question ------------------------------------------------------------------------------------------------------
def _admitted(task: SpiderTask, source: Source) -> tuple[Frame, Goal]:
    gold = query_of(task.gold)
    try:
        tree = parsed(gold, source.schema)
        order = order_of(gold)
        wanted = _with_ties(source.database, gold, order)
    except DataError as error:
        raise _RejectedError("the gold cannot be parsed") from error
    letters, question = lettered(tree, task.question, source.schema)
    if not letters:
        raise _RejectedError("no value of the query stands in the question once")
    plans = plans_of(tree, letters, source)
    true: dict[str, Value] = {f"value_{x.letter.lower()}": x.value for x in letters}
    true |= {f"comparison_{x.letter.lower()}": x.comparison for x in letters if x.comparison}
    closed = {**true, **NEUTRAL}
    try:
        if not same_table(source.database.run(plans.query(letters).render(closed)), wanted):
            raise _RejectedError("the rendered query gives another table")
        kept, domains = _domains(letters, closed, plans, wanted, source)
    except DataError as error:
        raise _RejectedError("a rendered query does not run") from error
    question = _told_again(question, letters, kept)
    name = f"the answer to question {_spelled(task.id)}"
    template = plans.query(letters, domains)
    frame = Frame(
        name,
        name,
        source.database,
        _split(task.database),
        f"{source.material}\n\n{question.strip()}\n\n{_HELP}\nTry a query as {task.database}: SELECT ...",
        domains,
        {slot: value for slot, value in NEUTRAL.items() if slot in domains},
        template,
        _Ordered(plans.keyed(letters, domains), order.columns) if order is not None else _unordered,
    )
    told = (Condition(slot, "=", value) for slot, value in true.items() if slot in domains)
    return frame, Goal(str(task.id), frame.split, Intent(name, tuple(told)))


def _split(database: str) -> Any:  # noqa: ANN401 - a literal
    return "test" if key_of("sql split", database) % _TEST_SHARE == 0 else "train"


def _with_ties(database: Database, query: str, order: Order | None) -> Table:
    keyed: Table | str = database.run(order.with_keys) if order is not None and order.with_keys else ""
    return with_ties(database.run(query), keyed, order)


def _unordered(values: Assignment) -> Order | None:
    return None


@dataclass(frozen=True)
class _Ordered:
    """What an ordered query asks of the order of rows.

    Attributes:
        keyed: The query with the keys as further columns; None if they cannot be added.
    """

    keyed: Template | None
    columns: tuple[int, ...]

    def __call__(self, values: Assignment) -> Order | None:
        """Return it for an assignment: nothing where the result is one number."""
        if values.get("form", NEUTRAL["form"]) != NEUTRAL["form"]:
            return None
        if self.keyed is None or values.get("repeats", NEUTRAL["repeats"]) != NEUTRAL["repeats"]:
            return Order("", self.columns)
        return Order(self.keyed.render(values), self.columns)


def _spelled(number: int) -> str:
    """Return a name without digits: a number as syllables.

    >>> _spelled(0), _spelled(1033)
    ('bababa', 'bafuso')
    """
    found = ""
    for _ in range(3):
        number, place = divmod(number, len(_SYLLABLES))
        found = _SYLLABLES[place] + found
    return found


def _told_again(question: str, letters: list[Letter], kept: set[str]) -> str:
    """Return the question with the values of letters that are not kept put back."""
    for letter in letters:
        if letter.letter not in kept:
            if letter.comparison:
                question = question.replace(f"[comparison {letter.letter}]", letter.comparison)
            question = question.replace(f"[{letter.letter}]", str(letter.value))
    return question


# -- other values ------------------------------------------------------------------------------------------------------
def _candidates(letter: Letter, source: Source) -> list[Value]:
    """Return other values of a letter, the column's own in an order drawn by key, near numbers after them."""
    own = column_values(source.database, letter.column) if letter.column is not None else []
    key = key_of("sql values", source.database.name, letter.column, letter.value)
    order = sorted(range(len(own)), key=lambda i: integer(key, Purpose.CONSTRUCT, i))
    found: dict[Value, None] = {}
    for value in (own[i] for i in order):
        if letter.text:
            words = str(value).split() if letter.pattern != "{}" else [str(value)]
            found.update((word, None) for word in words[:1] if sayable(word))
        elif isinstance(value, (int, float)) and round(value, 2) == value and abs(value) < 1e9:
            found[int(value) if float(value).is_integer() else value] = None
    if isinstance(letter.value, (int, float)) and not letter.text:
        steps = (1, -1, 2, -2, 3, 4, 5, 6) if abs(letter.value) < 50 else (10, -10, 20, -20, 50, -50, 100, 200)
        found.update((letter.value + step, None) for step in steps if letter.value + step > 0)
    found.pop(letter.value, None)
    return list(found)[:_LOOK]


def _domains(
    letters: list[Letter], closed: Mapping[str, Value], plans: Plans, wanted: Table, source: Source
) -> tuple[set[str], dict[str, tuple[Value, ...]]]:
    """Return the letters that have enough other values, and the values by slot, each of consequence."""
    template = plans.query(letters)

    def differs(slot: str, value: Value) -> bool:
        return not same_table(source.database.run(template.render({**closed, slot: value})), wanted)

    taken = [str(x.value) for x in letters]
    found: dict[str, tuple[Value, ...]] = {}
    for letter in letters:
        slot = f"value_{letter.letter.lower()}"
        others: list[Value] = []
        for value in _candidates(letter, source):
            if len(others) < OTHERS and not _clashes(str(value), taken) and differs(slot, value):
                others.append(value)
                taken.append(str(value))
        if len(others) >= LEAST:
            found[slot] = _sorted([letter.value, *others])
    kept = {x.letter for x in letters if f"value_{x.letter.lower()}" in found}
    if not kept:
        raise _RejectedError(f"fewer than {LEAST} other values that change the table")
    for letter in letters:
        slot = f"comparison_{letter.letter.lower()}"
        if letter.comparison and letter.letter in kept:
            others = [w for w in COMPARISONS if w != letter.comparison and differs(slot, w)]
            found[slot] = tuple(sorted([letter.comparison, *map(str, others)]))
    optional = {"filter": tuple(plans.filters), "repeats": _REPEATS if plans.distinct else (), "form": tuple(FORMS)}
    for slot, values in optional.items():
        neutral = NEUTRAL[slot]
        wishes = [v for v in values if v != neutral and not _clashes(v, taken) and differs(slot, v)]
        if wishes:
            found[slot] = tuple(sorted([neutral, *wishes]))
    order = [s.id for s in SLOTS]
    return kept, {slot: found[slot] for slot in sorted(found, key=order.index)}


_REPEATS = ("repeats dropped", "repeats kept")


def _sorted(values: list[Value]) -> tuple[Value, ...]:
    return tuple(sorted(values, key=lambda v: (isinstance(v, str), v)))


def _clashes(text: str, taken: list[str]) -> bool:
    """Return whether one of the texts holds another as words."""
    for other in taken:
        for short, long in ((text, other), (other, text)):
            if re.search(rf"(?<!\w){re.escape(short)}(?!\w)", long, re.I):
                return True
    return False
