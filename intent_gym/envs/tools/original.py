"""Frames and goals from the original requests of BFCL: arguments become letters that a person sets.

An argument of the right calls whose value stands in the request's text exactly once becomes a letter there: "songs from
[A]". Where several calls share it (one city for two reports) one letter sets it in all. Its values are the true one and
up to five others of the schema's kind: numbers near it, other members of its enumeration, or texts that other requests
of the data set give for a parameter of the same meaning and form. What people ask for and take back again are up to two
optional parameters of the functions called or, where there are none, a call more with another value of one letter.

Values that the grader cannot tell apart (it ignores case, blanks and some punctuation) are never values of one letter,
and whatever is admitted is tried with the grader on the source's own case first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from intent_gym.core.intent import Condition, Intent, Slot, Value
from intent_gym.core.rng import Purpose, integer, key_of
from intent_gym.envs.host import Goal
from intent_gym.envs.math.numbers import spelled
from intent_gym.envs.tools.calls import render_calls
from intent_gym.envs.tools.data import ToolTask, load_tools
from intent_gym.envs.tools.frames import OMITTED, Argument, CallPlan, Frame, canonical_value
from intent_gym.envs.tools.grade import grade
from intent_gym.envs.tools.match import normalised, possible_values
from intent_gym.envs.tools.texts import Pools, literal, numbers_like, options_of, place_of, quoted, sayable, written
from intent_gym.errors import DataError

__all__ = ["LETTERS", "SLOTS", "Original", "read_original"]

LETTERS = "ABCDE"
OPTIONS = "XY"
EXTRA = "extra"
"""Slot of a call more, with another value of one letter, where there are no options."""
OTHERS = 5
"""Other values of a letter, at most."""
LEAST = 2
"""Other values of a letter, and letters of a request, at least."""
_TEST = 3
"""One request in so many is for testing."""
_HELP = (
    "A letter in brackets stands for something that the person tells. Answer with the calls that the request needs and "
    'nothing else, in a list, as function(parameter="value", other=3). Give values as the person says them, and leave '
    "out optional parameters that nobody asks for."
)


def _letter(letter: str) -> Slot:
    word = f"argument {letter}"
    return Slot(
        *(f"argument_{letter.lower()}", word, f"argument_{letter.lower()}", "choice"),
        synonyms=(f"parameter {letter}", f"letter {letter}", f"value of {letter}", f"[{letter}]"),
        clauses=(f"with {{value}} as {word}", f"with {word} set to {{value}}", f"giving {{value}} as {word}"),
        vague=(f"with a sensible {word}", f"with a decent {word}", f"giving a nice {word}"),
    )


def _option(letter: str) -> Slot:
    word = f"option {letter}"
    return Slot(
        *(f"option_{letter.lower()}", word, f"option_{letter.lower()}", "choice"),
        synonyms=(f"setting {letter}", f"choice {letter}"),
        clauses=(f"with {{value}} as {word}", f"with {word} set to {{value}}", f"taking {{value}} as {word}"),
        vague=(f"with a sensible {word}", f"with a decent {word}", f"taking a nice {word}"),
    )


SLOTS = (
    Slot(*("request", "request", "request", "frame"), synonyms=("requests", "case", "which case")),
    *(_letter(letter) for letter in LETTERS),
    *(_option(letter) for letter in OPTIONS),
    Slot(
        *(EXTRA, "extra call", EXTRA, "choice"),
        synonyms=("extra calls", "additional call", "one more call", "another call"),
        clauses=("with {value} as the extra call", "with {value} on top", "including {value} on top"),
        vague=("with some extra call", "with a sensible extra call", "including something nice on top"),
    ),
)


class Original(NamedTuple):
    """What a folder holds."""

    frames: tuple[Frame, ...]
    goals: tuple[Goal, ...]
    rejections: Mapping[str, int]
    """Requests that are not admitted, by category and reason."""


class _Spot(NamedTuple):
    """An argument that stands in the text: where, and which parameters of which calls it sets."""

    start: int
    end: int
    users: tuple[tuple[int, str], ...]
    values: tuple[str, ...]
    """As people write them, the true one first."""
    more: tuple[str, ...]
    """Others still, for a call more."""


def read_original(folder: str) -> Original:
    """Return the admitted requests of a folder with BFCL's files.

    Raises:
        DataError: There is no file, one is damaged, or no request is admitted.
    """
    tasks = load_tools(folder)
    pools = Pools(tasks)
    frames: list[Frame] = []
    goals: list[Goal] = []
    rejections: Counter[str] = Counter()
    for number, task in enumerate(tasks):
        found = _admitted(task, number, pools)
        if isinstance(found, str):
            rejections[f"{task.category}: {found}"] += 1
        else:
            frames.append(found[0])
            goals.append(found[1])
    if not frames:
        raise DataError(f"expected requests whose arguments stand in their text in {folder!r}, found none")
    return Original(tuple(frames), tuple(goals), dict(rejections))


def _admitted(task: ToolTask, number: int, pools: Pools) -> tuple[Frame, Goal] | str:
    """Return a request's frame and goal, or why it is not admitted."""
    if not task.ground_truth:
        return "no call is right"
    plans = _plans(task)
    if isinstance(plans, str):
        return plans
    case = task.case
    if not grade(case, render_calls([p.made({}) for p in plans])).full_credit:
        return "the gold answer gets no full credit"
    spots = _spots(task, plans, pools)
    plans, letters = _lettered(plans, spots[: len(LETTERS)])
    free = tuple(s.id for s in SLOTS if s.id.startswith("option"))
    free = free[: 1 if len(letters) == len(LETTERS) else 2]  # so that the rows can be listed
    plans, options = options_of(task, plans, free, pools)
    if letters and not options:
        plans, options = _extended(plans, spots)
    domains: dict[str, tuple[Value, ...]] = {}
    for slot, values in {**letters, **options}.items():
        kept = _telling(task, plans, slot, values, {**letters, **options})
        if len(kept) > LEAST or (slot in options and len(kept) > 1):
            domains[slot] = kept
        elif slot == EXTRA:
            plans = [plan for plan in plans if plan.unless is None]
        elif slot in options:
            plans = [_without(plan, slot, values[0]) for plan in plans]
        else:
            return "a letter whose other values the grader takes for the true one"
    if len(letters) < LEAST:
        return "fewer than two arguments that stand in the text once and have other values"
    frame = _framed(task, number, plans, spots[: len(LETTERS)], domains, options)
    told = tuple(Condition(slot, "=", values[0]) for slot, values in letters.items())
    return frame, Goal(task.id, frame.split, Intent(frame.name, told))


def _framed(
    task: ToolTask,
    number: int,
    plans: Sequence[CallPlan],
    spots: Sequence[_Spot],
    domains: Mapping[str, tuple[Value, ...]],
    options: Mapping[str, tuple[str, ...]],
) -> Frame:
    name = f"set of calls for case {spelled(number)}"
    test = integer(key_of("tools split", task.id), Purpose.CONSTRUCT, 0) % _TEST == 0
    split: Literal["train", "test"] = "test" if test else "train"
    text = task.question
    for letter, spot in sorted(zip(LETTERS, spots, strict=False), key=lambda pair: -pair[1].start):
        text = f"{text[: spot.start]}[{letter}]{text[spot.end :]}"
    lines = ["Functions:", *(written(f) for f in task.function), f"Request: {text.strip()}"]
    if EXTRA in domains:
        letter = options[EXTRA][1][-1]
        lines.append(
            f"Extra call: the first call with [{letter}] once more, with another value there; none unless asked."
        )
    for slot in (s for s in options if s in domains and s != EXTRA):
        of = next(f"{p.function}.{a.parameter}" for p in plans for a in p.arguments if a.slot == slot)
        lines.append(
            f"Option {slot[-1].upper()}: the optional parameter {of} of all its calls, left out unless asked for."
        )
    return Frame(
        name=name,
        group=name,
        split=split,
        brief="\n".join([*lines, _HELP]),
        functions=task.function,
        domains={s.id: tuple(sorted(domains[s.id])) for s in SLOTS if s.id in domains},
        neutral={slot: options[slot][0] for slot in options if slot in domains},
        plans=tuple(plans),
    )


def _plans(task: ToolTask) -> list[CallPlan] | str:
    """Return the right calls with nothing set by a slot, or why they cannot be traced back from an answer."""
    plans = []
    for entry in task.ground_truth:
        ((function, parameters),) = entry.items()
        schema, required = task.schema(function), task.required(function)
        if required - set(parameters) or set(parameters) - set(schema):
            return "calls that disagree with their schema"
        arguments = []
        for parameter, possible in parameters.items():
            right = tuple(possible_values(possible, schema[parameter]))
            if OMITTED in possible and parameter not in required:
                right = (*right, OMITTED)
            if not right or any(_has_object(value) for value in right):
                return "an argument that is an object"
            arguments.append(Argument(parameter, "", {"": right}, schema[parameter]))
        plans.append(CallPlan(function, tuple(arguments)))
    return plans


def _has_object(value: object) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and any(_has_object(v) for v in value))


# -- letters -----------------------------------------------------------------------------------------------------------
def _spots(task: ToolTask, plans: Sequence[CallPlan], pools: Pools) -> list[_Spot]:
    """Return the arguments that become letters, in the order of the text."""
    users: dict[tuple[int, int], list[tuple[int, Argument]]] = {}
    for number, plan in enumerate(plans):
        for argument in plan.arguments:
            place = place_of(argument.possible[""], task.question)
            if place is not None:
                users.setdefault(place, []).append((number, argument))
    found: list[_Spot] = []
    said: set[str] = {normalised(task.question[start:end]) for start, end in users}
    for (start, end), using in sorted(users.items()):
        first = using[0][1]
        if any(a.parameter != first.parameter or a.possible != first.possible for _, a in using):
            continue  # one text for two meanings
        if any(start < spot.end and spot.start < end for spot in found):
            continue
        true = task.question[start:end]
        if not sayable(true):
            continue
        others = _others(task, plans[using[0][0]].function, first, true, pools, said)
        if len(others) >= LEAST:
            said.update(normalised(v) for v in others)
            told = (true, *others[:OTHERS])
            found.append(_Spot(start, end, tuple((n, a.parameter) for n, a in using), told, tuple(others[OTHERS:])))
    return found


def _others(task: ToolTask, function: str, argument: Argument, true: str, pools: Pools, said: set[str]) -> list[str]:
    """Return up to ten other values of an argument, as people write them."""
    schema = argument.schema or {}
    taken = {canonical_value(v, schema) for v in argument.possible[""] if v != OMITTED}
    found: list[str] = []
    asked = task.question.casefold()
    for other in _like(task, function, argument, true, pools):
        meaning = canonical_value(literal(other, schema), schema)
        if (
            not sayable(other)
            or meaning in taken
            or normalised(other) in said
            or (not other[0].isdigit() and other.casefold() in asked)
        ):
            continue
        taken.add(meaning)
        found.append(other)
        if len(found) == 2 * OTHERS:
            break
    return found


def _like(task: ToolTask, function: str, argument: Argument, true: str, pools: Pools) -> Iterator[str]:
    """Yield other values of the schema's kind, as people write them."""
    schema = argument.schema or {}
    if schema.get("type") in ("integer", "float", "number"):
        for other in numbers_like(Fraction(true.replace(",", ""))):
            if other.denominator == 1 or schema["type"] != "integer":
                yield str(other) if other.denominator == 1 else str(float(other))
    elif schema.get("enum"):
        yield from (str(v) for v in schema["enum"])
    else:
        named = quoted(schema)
        if normalised(true) in {normalised(v) for v in named} and len(named) > LEAST:
            yield from named
        else:
            yield from pools.like(function, argument.parameter, true, key_of(task.id, argument.parameter))


def _lettered(plans: Sequence[CallPlan], spots: Sequence[_Spot]) -> tuple[list[CallPlan], dict[str, tuple[str, ...]]]:
    """Return the calls with letters as slots, and each letter's values, the true one first."""
    letters: dict[str, tuple[str, ...]] = {}
    found = list(plans)
    for letter, spot in zip(LETTERS, spots, strict=False):
        slot = f"argument_{letter.lower()}"
        letters[slot] = spot.values
        for number, parameter in spot.users:
            found[number] = replace(
                found[number],
                arguments=tuple(
                    _set_by(a, slot, spot.values) if a.parameter == parameter else a for a in found[number].arguments
                ),
            )
    return found, letters


def _extended(plans: Sequence[CallPlan], spots: Sequence[_Spot]) -> tuple[list[CallPlan], dict[str, tuple[str, ...]]]:
    """Return the calls with one more that nobody needs, and what it is asked for with, "none" first."""
    for letter, spot in zip(LETTERS, spots, strict=False):
        if not spot.more:
            continue
        number, parameter = spot.users[0]
        neutral = "no extra call"
        said = {f"one with {value} as {letter}": value for value in spot.more}
        arguments = []
        for a in plans[number].arguments:
            if a.parameter == parameter:
                a = replace(a, slot=EXTRA, possible={t: (literal(v, a.schema),) for t, v in said.items()})
            arguments.append(a)
        extra = CallPlan(plans[number].function, tuple(arguments), (EXTRA, neutral))
        return [*plans, extra], {EXTRA: (neutral, *said)}
    return list(plans), {}


def _set_by(argument: Argument, slot: str, values: Sequence[str]) -> Argument:
    possible: dict[Value, tuple[Any, ...]] = {values[0]: argument.possible[""]}
    possible |= {other: (literal(other, argument.schema),) for other in values[1:]}
    return replace(argument, slot=slot, possible=possible)


def _telling(
    task: ToolTask,
    plans: Sequence[CallPlan],
    slot: str,
    values: Sequence[str],
    everything: Mapping[str, Sequence[str]],
) -> tuple[Value, ...]:
    """Return the true value and those others whose calls the grader refuses on the source's own case."""
    true: dict[str, Value] = {s: v[0] for s, v in everything.items()}
    case = task.case
    kept: list[Value] = [values[0]]
    for other in values[1:]:
        values_now = {**true, slot: other}
        calls = [plan.made(values_now) for plan in plans if plan.wanted(values_now)]
        if not grade(case, render_calls(calls)).full_credit:
            kept.append(other)
    return tuple(kept)


def _without(plan: CallPlan, slot: str, neutral: Value) -> CallPlan:
    """Return a call with the option's parameter as the source has it."""
    arguments = (
        replace(a, slot="", possible={"": a.possible[neutral]}) if a.slot == slot else a for a in plan.arguments
    )
    return replace(plan, arguments=tuple(arguments))
