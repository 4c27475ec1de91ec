"""The embedded questions: databases filled by key, their frames, and the goals drawn from them.

Everything is drawn from fixed keys, so every process has the same databases and tasks. A category at a place has twelve
things, spread over all statuses and over all stretches between two thresholds, and no two things have an equal number:
so nearly every other value gives another table, and no ordering leaves two rows tied.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

from intent_gym.core.intent import Condition, Intent, Value
from intent_gym.core.rng import Purpose, choose, integer, key_of, uniform
from intent_gym.envs.host import Goal
from intent_gym.envs.sql.database import Database, Row
from intent_gym.envs.sql.domains import DOMAINS, TEST, Domain
from intent_gym.envs.sql.frames import Frame, every_row, no_order
from intent_gym.envs.sql.slots import AGGREGATES, FIGURE_EXTRAS, NEUTRAL, ROW_EXTRAS, SLOTS
from intent_gym.envs.templates import Part, Template

__all__ = ["GOALS", "make_frames", "make_goals"]

GOALS = 16
"""Goals of a frame."""
CELL = 12
"""Things of one category at one place."""
LIMITS = (3, 4, 5, 6, 7, 8)
_ORDERED = 3
_SHOWN = ("column", "measure", "aggregate", "extra")
"""Slots that only choose what is shown."""
_SAMPLES = 3
_WISHES = 0.2
"""Share of goals that ask for something optional."""
_SYLLABLES = tuple(c + v for c in "bdfgklmnprstvz" for v in "aeiou")


# -- databases ---------------------------------------------------------------------------------------------------------
def _label(column: str) -> str:
    """Return a column as people say it."""
    return column.replace("_", " ")


def _shuffled(key: int, count: int) -> list[int]:
    return sorted(range(count), key=lambda i: integer(key, Purpose.CONSTRUCT, i))


def _schema(domain: Domain) -> str:
    texts = [domain.kind, *domain.texts, "status", "serial_code", "shelf_mark"]
    columns = ["id INTEGER PRIMARY KEY", "name TEXT", f"{domain.place}_id INTEGER REFERENCES {domain.place} (id)"]
    columns += [f"{column} TEXT" for column in texts]
    columns += [f"{column} {'INTEGER' if _whole(scale) else 'REAL'}" for column, scale in domain.measures.items()]
    return (
        f"CREATE TABLE {domain.place} (id INTEGER PRIMARY KEY, {domain.town} TEXT, keeper TEXT);\n"
        f"CREATE TABLE {domain.thing} ({', '.join(columns)});"
    )


def _whole(scale: tuple[float, float]) -> bool:
    return scale[0].is_integer() and scale[1].is_integer()


def _name(key: int) -> str:
    return "".join(choose(_SYLLABLES, key, Purpose.CONSTRUCT, i) for i in range(4)).capitalize()


def _steps(domain: Domain) -> list[int]:
    """Return how many steps above the least the first measure of every thing is.

    The values of a cell lie two and two in six equal stretches, and all are distinct.
    """
    count = len(domain.kinds) * len(domain.places) * CELL
    stretch, each = count // 6, CELL // 6
    order = [_shuffled(key_of("sql stretch", domain.name, s), stretch) for s in range(6)]
    return [
        s * stretch + order[s][cell * each + i] for cell in range(count // CELL) for s in range(6) for i in range(each)
    ]


def _rows(domain: Domain) -> dict[str, list[Row]]:
    cells = list(itertools.product(domain.kinds, range(1, len(domain.places) + 1)))
    count = len(cells) * CELL
    first = _steps(domain)
    steps = {m: _shuffled(key_of("sql measure", domain.name, m), count) for m in domain.measures}
    steps[next(iter(domain.measures))] = first
    rows: list[Row] = []
    for number in range(count):
        kind, place = cells[number // CELL]
        key = key_of("sql thing", domain.name, number)
        status = domain.statuses[(number // 2 + number % 2 + integer(key, Purpose.CONSTRUCT, 9) % 2) % 3]
        texts = [choose(values, key, Purpose.CONSTRUCT, 16 + i) for i, values in enumerate(domain.texts.values())]
        codes = [
            f"{_name(key_of('sql code', key))[:3].upper()}-{number + 100}",
            f"{_name(key_of('sql mark', key))[:4]}",
        ]
        numbers = [_number(scale, steps[m][number]) for m, scale in domain.measures.items()]
        rows.append((number + 1, f"{_name(key)} {number % 7 + 2}", place, kind, *texts, status, *codes, *numbers))
    keepers = [_name(key_of("sql keeper", domain.name, place)) for place in domain.places]
    return {
        domain.place: [
            (i, town, keeper) for i, (town, keeper) in enumerate(zip(domain.places, keepers, strict=True), 1)
        ],
        domain.thing: rows,
    }


def _number(scale: tuple[float, float], step: int) -> int | float:
    found = round(scale[0] + step * scale[1], 3)
    return int(found) if _whole(scale) else found


# -- frames ------------------------------------------------------------------------------------------------------------
def make_frames() -> tuple[Frame, ...]:
    """Return the questions to all databases, four to each."""
    return tuple(frame for domain in DOMAINS for frame in _frames(domain))


def _frames(domain: Domain) -> Iterator[Frame]:
    t, p = domain.thing, domain.place
    index = f"CREATE INDEX cells ON {t} ({domain.kind}, {p}_id)"
    database = Database(domain.name, _schema(domain), _rows(domain), indices=index)
    joined = f" FROM {t} JOIN {p} ON {p}.id = {t}.{p}_id WHERE "
    parts = _parts(domain)
    brief = _brief(domain, database, parts["threshold"])
    cell = (parts["category"], " AND ", parts["place"])
    status = parts["status"]
    questions: tuple[tuple[str, tuple[str | Part, ...]], ...] = (
        (
            f"the list of {domain.things}",
            ("SELECT ", parts["column"], parts["row extra"], joined, *cell, " AND ", parts["threshold"], status),
        ),
        (
            f"the ranking of {domain.things}",
            (
                *("SELECT ", parts["column"], parts["row extra"], f" FROM {t} WHERE ", parts["category"], status),
                *(" ORDER BY ", parts["ordering"], " LIMIT ", parts["limit"]),
            ),
        ),
        (
            f"the key figure of the {domain.things}",
            ("SELECT ", parts["figure"], parts["figure extra"], joined, *cell, status),
        ),
        (
            f"the breakdown of the {domain.things}",
            (
                *("SELECT ", parts["grouping"], ", ", parts["figure"], parts["figure extra"], joined),
                *(parts["threshold"], status, " GROUP BY ", parts["grouping"]),
            ),
        ),
    )
    for name, pieces in questions:
        domains = _domains(pieces)
        yield Frame(
            name,
            domain.name,
            database,
            "test" if domain.name in TEST else "train",
            brief,
            domains,
            {slot: value for slot, value in NEUTRAL.items() if slot in domains},
            Template(pieces),
            every_row if "ordering" in domains else no_order,
            tuple(slot for slot in _SHOWN if slot in domains),
        )


def _domains(pieces: tuple[str | Part, ...]) -> dict[str, tuple[Value, ...]]:
    found: dict[str, set[Value]] = {}
    for part in (p for p in pieces if isinstance(p, Part)):
        for i, slot in enumerate(part.slots):
            found[slot] = {values[i] for values in part.texts}
    order = [s.id for s in SLOTS]
    return {slot: tuple(sorted(found[slot])) for slot in sorted(found, key=order.index)}


def _parts(domain: Domain) -> dict[str, Part]:
    """Return what depends on values, as SQL."""
    t, p = domain.thing, domain.place
    measures = list(domain.measures)
    count = len(domain.kinds) * len(domain.places) * CELL
    thresholds = [_number(domain.measures[measures[0]], count // 6 * i) for i in range(6)]
    groups = {"category": f"{t}.{domain.kind}", "place": f"{p}.{domain.town}", "status": f"{t}.status"}
    texts = {_label(c): f"{t}.{c}" for c in domain.texts}
    figures: dict[tuple[Value, ...], str] = {
        (name, _label(m)): sql.format(f"{t}.{m}") for name, sql in AGGREGATES.items() for m in measures
    }
    orderings = {f"lowest {_label(m)} first": f"{t}.{m}" for m in measures[:_ORDERED]}
    orderings |= {f"highest {_label(m)} first": f"{t}.{m} DESC" for m in measures[:_ORDERED]}
    statuses = {"any status": ""} | {s: f" AND {t}.status = '{s}'" for s in domain.statuses}
    plain: dict[str, tuple[str, Mapping[Any, str]]] = {
        "category": ("category", {k: f"{t}.{domain.kind} = '{k}'" for k in domain.kinds}),
        "place": ("place", {v: f"{p}.{domain.town} = '{v}'" for v in domain.places}),
        "threshold": ("threshold", {v: f"{t}.{measures[0]} >= {v}" for v in thresholds}),
        "status": ("status", statuses),
        "column": ("column", {"name": f"{t}.name"} | texts | {_label(m): f"{t}.{m}" for m in measures[_ORDERED:-1]}),
        "grouping": ("grouping", {f"{k} group": v for k, v in groups.items()} | texts),
        "ordering": ("ordering", orderings),
        "limit": ("limit", {n: str(n) for n in LIMITS}),
        "row extra": ("extra", {k: v.format(t) for k, v in ROW_EXTRAS.items()}),
        "figure extra": ("extra", {k: v.format(t) for k, v in FIGURE_EXTRAS.items()}),
    }
    found = {name: Part((slot,), {(v,): text for v, text in texts.items()}) for name, (slot, texts) in plain.items()}
    found["figure"] = Part(("aggregate", "measure"), figures)
    return found


def _brief(domain: Domain, database: Database, threshold: Part) -> str:
    t, p, first = domain.thing, domain.place, next(iter(domain.measures))
    rows = [f"{table}: {'; '.join(str(row) for row in found[:_SAMPLES])}" for table, found in database.rows.items()]
    return "\n".join(
        (
            f"The database {domain.name} (SQLite):",
            database.schema,
            "Its first rows:",
            *rows,
            "What the words mean:",
            f"- category: {t}.{domain.kind} ({', '.join(domain.kinds)}); place: {p}.{domain.town} "
            f"({', '.join(domain.places)}); status: {t}.status ({', '.join(domain.statuses)}; any unless one is asked "
            "for)",
            f"- threshold: {t}.{first} is at least that",
            f"- column: one of {t}; grouping: likewise, or the category group, the place group or the status group",
            "- measure: a number column; aggregate: how it is combined (the midrange is half of the largest plus the "
            "smallest value, the spread the largest less the smallest)",
            "- ordering and row limit: which rows come first, and how many are shown",
            "- extra: one more column after the others: a column of that name (the bare id is id), or of a result that "
            "combines rows its number of rows, lowest id or highest id; none unless one is asked for",
            f"A list shows the column of all {domain.things} that fit, a ranking the first ones, a key figure one "
            "number, a breakdown each group with its number. Repeated rows stay.",
            f"Try a query on the database as {domain.name}: SELECT ...; the answer is one SELECT. Its columns may come "
            "in any order, and its rows too, but for a ranking's.",
        )
    )


# -- goals -------------------------------------------------------------------------------------------------------------
def make_goals(frames: tuple[Frame, ...]) -> tuple[Goal, ...]:
    """Return the goals of all frames, drawn by key; optional slots that ask for nothing are left out.

    The right query of every goal gives rows.
    """
    found: list[Goal] = []
    for frame in frames:
        goals: dict[Intent, None] = {}
        for attempt in itertools.count():
            if len(goals) == GOALS:
                break
            values = _drawn(frame, key_of("sql goal", frame.name, attempt))
            kept = (Condition(s, "=", v) for s, v in values.items() if frame.neutral.get(s) != v)
            if frame.database.run(frame.query.render(values)).rows:
                goals.setdefault(Intent(frame.name, tuple(kept)))
        for number, intent in enumerate(goals):
            found.append(Goal(f"{key_of('sql task', frame.name, number):016x}", frame.split, intent))
    return tuple(sorted(found, key=lambda g: g.id))


def _drawn(frame: Frame, key: int) -> dict[str, Value]:
    values = {slot: choose(domain, key, Purpose.CONSTRUCT, i) for i, (slot, domain) in enumerate(frame.domains.items())}
    values |= frame.neutral
    if uniform(key, Purpose.CONSTRUCT, 64) < _WISHES:
        slot = choose(tuple(frame.neutral), key, Purpose.CONSTRUCT, 65)
        others = tuple(v for v in frame.domains[slot] if v != frame.neutral[slot])
        values[slot] = choose(others, key, Purpose.CONSTRUCT, 66)
    return values
