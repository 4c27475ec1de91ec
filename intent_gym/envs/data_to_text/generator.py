"""The embedded tables: invented pages with two tables each, and an exact form for the sentence about a row.

The words come from ``data/themes.json``, written by this project: ten kinds of page (regattas, film festivals, railways
and so on) with the rows and columns of their tables, and pools of names, places, firms and things. A page draws its
rows, cells and figures from them by key, so a page is the same in every process. The shape is that of ToTTo (Parikh et
al. 2020, https://arxiv.org/abs/2004.14373): a page title, a section title, a table, cells to be described.

Decisions:

* The form of the sentence is told in full, so that the right one can be written and any other loses BLEU.
* Within a table no two cells of a kind are equal, and no figure is a multiple of ten: another row, column or way to
  write a number always gives another sentence.
* Both tables of a page are shown whichever is asked about. Pages are split, three quarters for training.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any

from intent_gym.core.intent import Slot, Value
from intent_gym.core.rng import Purpose, choose, integer, key_of, uniform
from intent_gym.envs.data_to_text.frames import TextFrame, TextGoal

__all__ = ["SLOTS", "TableFrame", "generate", "goals_of", "in_words"]

ROWS = 7
GOALS_PER_TABLE = 25
_ASKED = 1 / 3
"""Share of goals that ask for something optional."""
_TEST_EVERY = 4
_VERBS = ("claims", "counts", "posts", "records", "reports", "shows")
_NO_CITATION, _NO_EXTRA, _DIGITS = "no citation", "nothing else", "plain digits"
_CITED = ("the page name", "the section name", "the table number")
_WRITTEN = ("rounded tens", "spelled-out words")

SLOTS: tuple[Slot, ...] = (
    Slot(
        "sentence",
        "sentence",
        "sentence",
        "frame",
        synonyms=("sentences", "description", "text", "table", "which sentence", "line"),
    ),
    Slot(
        "row",
        "row",
        "row",
        "choice",
        synonyms=(
            *("rows", "subject", "table row", "which row", "who or what it is about", "is it about"),
            *("it be about", "sentence about", "sentence be about", "should i write about"),
        ),
        clauses=("about {value}", "featuring {value}", "devoted to {value}"),
        vague=("about some fitting row", "about one of the better rows", "about a row worth reading of"),
    ),
    Slot(
        "detail",
        "detail",
        "detail",
        "choice",
        synonyms=(
            *("details", "bracketed detail", "detail in brackets", "which detail", "column should be mentioned"),
            *("column should i mention", "column to mention", "what should be in brackets"),
            *("what should be in the brackets", "what goes in brackets", "what goes in the brackets"),
            "the brackets say",
        ),
        clauses=("mentioning the {value}", "that names the {value}", "with the {value} in brackets"),
        vague=("with a telling detail", "with some good detail", "with a popular detail"),
    ),
    Slot(
        "figure",
        "figure",
        "figure",
        "choice",
        synonyms=(
            *("figures", "statistic", "statistics", "quantity", "which figure", "which number", "what number"),
            *("number should be mentioned", "number should i mention", "number do you want"),
        ),
        clauses=("stating the {value}", "that gives the {value}", "quoting the number of {value}"),
        vague=("with an impressive figure", "with a decent figure", "with a figure that catches the eye"),
    ),
    Slot(
        "verb",
        "verb",
        "verb",
        "choice",
        synonyms=(
            *("verbs", "predicate", "which verb", "word should it be built on"),
            "word should the sentence be built on",
        ),
        clauses=("with the verb {value}", "built on the verb {value}", "using the verb {value}"),
        vague=("with a lively verb", "with a verb that sounds right", "with some decent verb"),
    ),
    Slot(
        "citation",
        "citation",
        "citation",
        "choice",
        synonyms=(
            *("citations", "source", "credit", "attribution", "should i cite", "be cited", "reference"),
            *("references", "sentence end", "it end"),
        ),
        clauses=("with {value} at the end", "closing with {value}", "ending on {value}"),
        vague=("with a proper citation", "with a citation of a sensible kind", "with a decent citation"),
    ),
    Slot(
        "number_form",
        "number form",
        "number form",
        "choice",
        synonyms=(
            *("number forms", "form of the number", "number format", "notation", "number formats"),
            *("which number form", "which number format", "what number form", "what number format", "number be"),
            *("write the number", "format the number", "spell out", "number written", "in digits"),
        ),
        clauses=("with its number in {value}", "with the number written in {value}", "putting the number in {value}"),
        vague=("with a number that reads well", "with its number nicely written", "with the number in a handy form"),
    ),
    Slot(
        "extra",
        "extra cell",
        "extra cell",
        "choice",
        synonyms=(
            *("extra cells", "additional cell", "second cell", "further cell", "another cell", "one more cell"),
            *("what should be appended", "should i append", "add another cell"),
        ),
        clauses=("with {value} added", "adding {value}", "that has {value} appended"),
        vague=("with some nice extra cell", "with an extra cell that fits", "with a fitting extra cell"),
    ),
)

_HOW = """How to write the sentence

It is about one row of one table and has exactly this form:
  ROW (DETAIL: CELL) VERB NUMBER FIGURE.
ROW is the row's name. DETAIL and FIGURE are headings of columns; CELL and NUMBER are what the row has in them.
VERB is one of: {verbs}.
On request:
- an extra cell stands in the brackets behind the detail: (DETAIL: CELL; EXTRA: CELL)
- a citation comes before the full stop: ", according to" and the page name, the section name, or "table" and its
  number
- a number form: rounded tens are "about" and the nearest ten, a final 5 going up; spelled-out words are like "one
  thousand two hundred thirty-four". Otherwise, plain digits without commas.
Write the sentence only. It is compared by BLEU with the right one."""

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS = "zero ten twenty thirty forty fifty sixty seventy eighty ninety".split()


def in_words(number: int) -> str:
    """Return a number from 0 to 9,999 in words.

    >>> in_words(1234), in_words(40), in_words(7015)
    ('one thousand two hundred thirty-four', 'forty', 'seven thousand fifteen')
    """
    parts = []
    for size, word in ((1000, "thousand"), (100, "hundred")):
        if number >= size:
            parts.append(f"{_ONES[number // size]} {word}")
            number %= size
    if number >= 20:
        parts.append(_TENS[number // 10] + (f"-{_ONES[number % 10]}" if number % 10 else ""))
    elif number or not parts:
        parts.append(_ONES[number])
    return " ".join(parts)


@dataclass(frozen=True, eq=False)
class TableFrame(TextFrame):
    """A table of a page.

    Attributes:
        page: The page's name.
        section: The section's name.
        number: The table's number on the page, from 1.
        cells: By row and heading.
    """

    page: str
    section: str
    number: int
    cells: Mapping[str, Mapping[str, str | int]]

    def references(self, values: Mapping[str, Value]) -> tuple[str, ...]:
        """Return the one right sentence."""
        row, detail, figure = (str(values[s]) for s in ("row", "detail", "figure"))
        cells = self.cells[row]
        bracket = f"{detail}: {cells[detail]}"
        if values["extra"] != _NO_EXTRA:
            heading = str(values["extra"]).removeprefix("the ")
            bracket += f"; {heading}: {cells[heading]}"
        number = int(cells[figure])
        written = {
            _DIGITS: str(number),
            "rounded tens": f"about {(number + 5) // 10 * 10}",
            "spelled-out words": in_words(number),
        }[str(values["number_form"])]
        cited = {
            _NO_CITATION: "",
            "the page name": f", according to {self.page}",
            "the section name": f", according to {self.section}",
            "the table number": f", according to table {self.number}",
        }[str(values["citation"])]
        return (f"{row} ({bracket}) {values['verb']} {written} {figure}{cited}.",)

    def suits(self, slot: str, value: Value, text: str) -> bool:
        """Return whether the part that a value sets stands in a text."""
        if slot == "row":
            return text.startswith(f"{value} (")
        if slot == "extra" and value != _NO_EXTRA:
            return f"; {str(value).removeprefix('the ')}: " in text
        form = {"detail": "({}: ", "figure": " {}", "verb": " {} "}.get(slot, "")
        return form.format(value) in text


@cache
def _data() -> dict[str, Any]:
    path = resources.files("intent_gym.envs.data_to_text").joinpath("data/themes.json")
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data


def _shuffled(options: Sequence[str], key: int) -> list[str]:
    return sorted(options, key=lambda option: integer(key, Purpose.TASK, key_of(option) % (1 << 48)))


def _column(kind: str, key: int, left_out: str) -> list[str]:
    """Return a cell for each row of a column, no two equal."""
    pools = _data()["pools"]
    if kind == "person":
        given, family = _shuffled(pools["given"], key), _shuffled(pools["family"], key_of(key, "family"))
        return [f"{a} {b}" for a, b in zip(given[:ROWS], family[:ROWS], strict=True)]
    return _shuffled([value for value in pools[kind] if value != left_out], key)[:ROWS]


def _figures(low: int, high: int, key: int) -> list[int]:
    """Return a figure for each row, distinct, none a multiple of ten."""
    found: list[int] = []
    for i in range(64 * ROWS):
        number = low + integer(key, Purpose.TASK, i) % (high - low + 1)
        if number % 10 and number not in found:
            found.append(number)
            if len(found) == ROWS:
                break
    return found


def _table(section: Mapping[str, Any], page_key: int, town: str, half: int) -> Mapping[str, Mapping[str, str | int]]:
    """Return the cells of a table by row and heading; columns of a kind share no cell of a row."""
    key = key_of(page_key, section["section"])
    rows = _shuffled(section["rows"], key_of("rows", section["section"]))[half * ROWS : (half + 1) * ROWS]
    columns: dict[str, Sequence[str | int]] = {}
    for heading, kind in (*section["details"].items(), *section["extras"].items()):
        columns[heading] = _column(kind, key_of(key, heading), town)
    for heading, (low, high) in section["figures"].items():
        columns[heading] = _figures(low, high, key_of(key, heading))
    return {row: {heading: cells[i] for heading, cells in columns.items()} for i, row in enumerate(rows)}


def _shown(section: Mapping[str, Any], number: int, cells: Mapping[str, Mapping[str, str | int]]) -> str:
    headings = (*section["details"], *section["figures"], *section["extras"])
    lines = [f'Table {number}, section "{section["section"]}"', " | ".join((section["row"], *headings))]
    lines += [" | ".join((row, *(str(cells[row][h]) for h in headings))) for row in cells]
    return "\n".join(lines)


@cache
def generate() -> tuple[TableFrame, ...]:
    """Return the embedded tables, two a page, in a fixed order."""
    frames: list[TableFrame] = []
    data = _data()
    towns = iter(data["pools"]["pagetown"])
    number = 0
    for theme in data["themes"]:
        for half, kind in enumerate(theme["pages"]):
            town = next(towns)
            page = f"{town} {kind}"
            key = key_of("data_to_text", "page", page)
            tables = [_table(section, key, town, half) for section in theme["sections"]]
            shown = [_shown(s, i + 1, t) for i, (s, t) in enumerate(zip(theme["sections"], tables, strict=True))]
            brief = "\n\n".join((f"Page: {page}", *shown, _HOW.format(verbs=", ".join(_VERBS))))
            names = [f"sentence on the {section['section']} of the {page}" for section in theme["sections"]]
            split = "test" if number % _TEST_EVERY == 2 else "train"
            number += 1
            for i, (section, cells) in enumerate(zip(theme["sections"], tables, strict=True)):
                related = tuple(n for n in names if n != names[i])
                domains, neutral = _domains(section, cells)
                frames.append(
                    TableFrame(
                        *(names[i], split, brief, related, domains, neutral),
                        *(page, section["section"], i + 1, MappingProxyType(cells)),
                    )
                )
    return tuple(frames)


def _domains(
    section: Mapping[str, Any], cells: Mapping[str, Mapping[str, str | int]]
) -> tuple[Mapping[str, tuple[Value, ...]], Mapping[str, Value]]:
    """Return the legal values of every slot of a table, and the neutral ones."""
    domains = {
        "row": cells,
        "detail": section["details"],
        "figure": section["figures"],
        "verb": _VERBS,
        "citation": (_NO_CITATION, *_CITED),
        "number_form": (_DIGITS, *_WRITTEN),
        "extra": (_NO_EXTRA, *(f"the {heading}" for heading in section["extras"])),
    }
    neutral = {"citation": _NO_CITATION, "number_form": _DIGITS, "extra": _NO_EXTRA}
    return MappingProxyType({s: tuple(sorted(v)) for s, v in domains.items()}), MappingProxyType(neutral)


def goals_of(frame: TextFrame) -> list[TextGoal]:
    """Return the tasks of an embedded table: values drawn by key, no two tasks alike."""
    goals: list[TextGoal] = []
    seen: set[tuple[Value, ...]] = set()
    number = 0
    while len(goals) < GOALS_PER_TABLE:
        key = key_of("data_to_text", "goal", frame.name, number)
        number += 1
        slots = list(frame.domains)
        asked = ""
        if uniform(key, Purpose.TASK, 100) < _ASKED:
            asked = choose(sorted(frame.neutral), key, Purpose.TASK, 101)
        values: dict[str, Value] = {}
        for i, slot in enumerate(slots):
            legal = [v for v in frame.domains[slot] if v != frame.neutral.get(slot)]
            if slot not in frame.neutral or slot == asked:
                values[slot] = choose(legal, key, Purpose.TASK, i)
        told = (asked, *values.values())
        if told not in seen:
            seen.add(told)
            goals.append(TextGoal(f"{key:016x}", frame.name, MappingProxyType(values)))
    return goals
