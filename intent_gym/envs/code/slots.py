"""The slots of the generated functions."""

from __future__ import annotations

from intent_gym.core.intent import Slot

__all__ = ["SLOTS"]


def _slot(
    name: str, word: str, synonyms: tuple[str, ...], clauses: tuple[str, ...], vague: tuple[str, ...] = ()
) -> Slot:
    told = vague or (f"with a sensible {word}", f"with a decent {word}", f"with a nice {word}")
    return Slot(name, word, name, "choice", synonyms=synonyms, clauses=clauses, vague=told)


def _each(word: str) -> tuple[str, ...]:
    plural = "s" if word == "which" else ""
    return tuple(f"{word} {thing}{plural}" for thing in ("element", "item", "value", "number", "word"))


SLOTS = (
    Slot(
        *("task", "task", "task", "frame"),
        synonyms=("tasks", "function", "functions", "kind of function", "program"),
    ),
    _slot(
        *("name", "name"),
        ("names", "named", "called", "what it is called", "what to call it", "identifier"),
        ("called {value}", "named {value}", "with {value} as the name"),
    ),
    _slot(
        *("filter", "filter"),
        ("filters", "what is kept", "which ones", "which ones to keep", "selection", *_each("which")),
        ("with {value} as the filter", "keeping the {value}", "filtered to the {value}"),
    ),
    _slot(
        *("ordering", "ordering"),
        ("orderings", "order", "sorting", "sort", "sorted", "sort order", "how to sort"),
        ("with {value} as the ordering", "in {value}", "sorted in {value}"),
    ),
    _slot(
        *("cut", "cut"),
        ("cuts", "slice", "sliced", "which stretch", "which part is taken"),
        ("with {value} as the cut", "cut to {value}", "taking {value}"),
    ),
    _slot(
        *("step", "step"),
        ("steps", "what is done to each", "change to each", "transformation", "transformed", *_each("each")),
        ("with {value} as the step", "applying {value} to each", "with {value} for each"),
    ),
    _slot(
        *("aggregate", "aggregate"),
        ("aggregates", "combine", "combined", "how to combine", "how it is combined", "kind of summary"),
        ("with {value} as the aggregate", "giving the {value}", "returning the {value}"),
    ),
    _slot(
        *("separator", "separator"),
        ("separators", "delimiter", "delimiters", "joined", "what stands between"),
        ("with {value} as the separator", "joined by {value}", "with {value} in between"),
    ),
    _slot(
        *("repeats", "repeat handling"),
        ("repeats", "duplicates", "duplicate", "what happens to duplicates"),
        ("with {value}", "having {value}", "and with {value}"),
        ("with sensible repeat handling", "with decent repeat handling", "with nice repeat handling"),
    ),
    _slot(
        *("empty", "empty case"),
        ("empty cases", "empty", "when nothing is left", "if nothing is left", "special case"),
        ("returning {value}", "with {value}", "giving {value}"),
    ),
    _slot(
        *("wrapping", "wrapping"),
        ("wrappings", "wrap", "wrapped", "form of the result", "result form", "how the result is returned"),
        ("with a {value}", "returning a {value}", "giving a {value}"),
    ),
)
