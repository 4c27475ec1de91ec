"""Values of arguments as texts: where they stand in a request, which others are like them, and how JSON has them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from intent_gym.core.intent import Value
from intent_gym.core.rng import Purpose, integer
from intent_gym.envs.math.numbers import near
from intent_gym.envs.tools.data import ToolTask
from intent_gym.envs.tools.frames import OMITTED, Argument, CallPlan, canonical_value
from intent_gym.envs.tools.match import normalised, possible_values

__all__ = ["Pools", "literal", "numbers_like", "options_of", "place_of", "quoted", "sayable", "written"]

MAX_VALUE = 48  # characters of a value that a person says
_ALIKE: tuple[frozenset[str], ...] = (
    frozenset(
        "location city start_location end_location origin destination departure_location start end to from".split()
    ),
    frozenset(("company", "company_name")),
    frozenset(("artist", "artist_name", "musician", "singer")),
    frozenset(("team", "team_name", "team1", "team2")),
    frozenset(("date", "start_date", "end_date", "day", "check_in_date", "check_out_date")),
    frozenset(("museum", "museum_name")),
    frozenset(("game", "game_name", "game_title")),
    frozenset(("country", "countries", "nation")),
    frozenset(("from_unit", "to_unit", "from_currency", "to_currency", "base_currency", "target_currency")),
    frozenset(("player_name", "player", "athlete_name", "name")),
    frozenset(("color", "color1", "color2")),
    frozenset(("restaurant", "restaurant_name")),
)
"""Names of parameters of one meaning."""
_OWN = frozenset(
    "type name mode method format category status value data item text event case description title unit units start "
    "end to from key level source target function id code subject body order operation state sort_by".split()
)
"""Names of parameters that mean something else with every function."""
_EVERYDAY = frozenset(
    "all any as both default for from in it no none not of off on only or other same that the to yes".split()
)
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_QUOTED = re.compile(r"'([^']{2,30})'")
_DEFAULT = re.compile(
    r"\bdefaults?\b(?: value)?(?: is| to|:|=)? *(?:(?P<number>-?\d+(?:\.\d+)?)\b|'(?P<text>[^']+)'|(?P<word>\w+))",
    re.IGNORECASE,
)
_OPTION_VALUES = 5


def written(schema: Mapping[str, Any]) -> str:
    """Return a function's schema on one line."""
    return json.dumps(schema, ensure_ascii=False)


def literal(text: str, schema: Mapping[str, Any] | None) -> Any:  # noqa: ANN401 - any JSON value
    """Return a value that a person writes as the schema's type has it.

    >>> literal("5", {"type": "integer"}), literal("5", {"type": "float"}), literal("true", {"type": "boolean"})
    (5, 5.0, True)
    """
    kind = (schema or {}).get("type")
    if kind == "integer":
        return int(text.replace(",", ""))
    if kind in ("float", "number"):
        return float(text.replace(",", ""))
    if kind == "boolean":
        return text == "true"
    return text


def place_of(values: Sequence[Any], text: str) -> tuple[int, int] | None:
    """Return where one of the values stands in a text, the longest that does, if it stands there once and by itself.

    >>> place_of(("Rome", "Rome, Italy"), "Fly to Rome, Italy.")
    (7, 18)
    >>> place_of((5,), "5 and 5"), place_of(("Rome",), "a New Rome")
    (None, None)
    """
    forms = {form for value in values for form in _forms(value)}
    for form in sorted(forms, key=lambda f: (-len(f), f)):
        found = list(re.finditer(rf"(?<![\w.\-/]){re.escape(form)}(?!\w|[.,/:]\d|\.\w)", text))
        if not found:
            continue
        start, end = found[0].span()
        return (start, end) if len(found) == 1 and _alone(text, start, end) else None
    return None


def _forms(value: object) -> Iterator[str]:
    if isinstance(value, bool) or value == OMITTED:
        return
    if isinstance(value, float) and value.is_integer():
        yield from _forms(int(value))
    if isinstance(value, (int, float)):
        yield str(value)
        if isinstance(value, int) and value >= 1000:
            yield f"{value:,}"
    elif isinstance(value, str) and len(value) <= MAX_VALUE and value.strip() == value and "\n" not in value:
        yield value


def _alone(text: str, start: int, end: int) -> bool:
    """Return whether a name is not a part of a longer one: no capital right before or after it."""
    if not text[start].isupper():
        return True
    before = re.search(r"(^|[.?!:]\s+)?\b([A-Z][\w']*) $", text[:start])
    part = before is not None and before[1] is None
    return not part and re.match(r",? [A-Z0-9]", text[end:]) is None


class Pools:
    """Texts that the requests of a data set give for parameters, by the meaning of the parameter's name."""

    def __init__(self, tasks: Sequence[ToolTask]) -> None:
        """Collect the first right value of every text argument."""
        found: dict[str, dict[str, str]] = {}
        for task in tasks:
            for entry in task.ground_truth:
                ((function, parameters),) = entry.items()
                schema = task.schema(function)
                for parameter, possible in parameters.items():
                    shape = schema.get(parameter, {})
                    values = possible_values(possible, shape)
                    if shape.get("type") != "string" or shape.get("enum") or not values:
                        continue
                    if isinstance(values[0], str) and sayable(values[0]):
                        found.setdefault(_meaning(function, parameter), {}).setdefault(normalised(values[0]), values[0])
        self._texts = {meaning: tuple(texts.values()) for meaning, texts in found.items()}
        by_name: dict[str, dict[str, str]] = {}
        for meaning, texts in found.items():
            by_name.setdefault(meaning.rpartition(".")[2], {}).update(texts)
        self._named = {name: tuple(texts.values()) for name, texts in by_name.items()}

    def like(self, function: str, parameter: str, text: str, key: int) -> Iterator[str]:
        """Yield other texts for a parameter, of the same form, in an order drawn by key."""
        texts = self._texts.get(_meaning(function, parameter), ())
        for place in sorted(range(len(texts)), key=lambda i: integer(key, Purpose.CONSTRUCT, i)):
            if _form(texts[place]) == _form(text) and normalised(texts[place]) != normalised(text):
                yield texts[place]

    def named(self, parameter: str) -> tuple[str, ...]:
        """Return texts for a parameter of this name, whatever the function."""
        return self._named.get(next((min(names) for names in _ALIKE if parameter in names), parameter), ())


def _meaning(function: str, parameter: str) -> str:
    if parameter in _OWN:
        return f"{function}.{parameter}"
    return next((min(names) for names in _ALIKE if parameter in names), parameter)


def quoted(schema: Mapping[str, Any]) -> list[str]:
    """Return the values that a parameter's description names in quotation marks.

    >>> quoted({"description": "Kind of room, 'single' or 'double'. Default 'single'."})
    ['single', 'double']
    """
    return list(dict.fromkeys(_QUOTED.findall(str(schema.get("description", "")))))


def sayable(text: str) -> bool:
    """Return whether a value can be told in a sentence and be told from the words around it.

    >>> [sayable(t) for t in ("New York", "9.8", "Washington D.C.", "all", "f(x) = 3")]
    [True, True, False, False, False]
    """
    if _NUMBER.fullmatch(text):
        return True
    plain = 1 < len(text) <= MAX_VALUE and not re.search(r"[\n\"{}\[\]<>=]|[.!?](?: |\w|$)|[,;:]$", text)
    return plain and text.casefold() not in _EVERYDAY


def _form(text: str) -> tuple[object, ...]:
    """Return what texts of one form share: digits for digits in codes, else capitals and a comma."""
    if any(c.isdigit() for c in text):
        return (re.sub(r"[A-Za-z]+", "a", re.sub(r"\d", "9", text)),)
    return (text[0].isupper(), "," in text)


# -- options -----------------------------------------------------------------------------------------------------------
def options_of(
    task: ToolTask, plans: Sequence[CallPlan], slots: Sequence[str], pools: Pools
) -> tuple[list[CallPlan], dict[str, tuple[str, ...]]]:
    """Return the calls with optional parameters as slots, and each slot's values, the one that leaves out first."""
    found = list(plans)
    options: dict[str, tuple[str, ...]] = {}
    for function in dict.fromkeys(plan.function for plan in plans):
        for parameter, schema in task.schema(function).items():
            if len(options) == len(slots):
                return found, options
            mine = [i for i, plan in enumerate(found) if plan.function == function]
            held = [a for i in mine for a in found[i].arguments if a.parameter == parameter]
            if parameter in task.required(function) or any(a.slot or OMITTED not in a.possible[""] for a in held):
                continue
            right = {canonical_value(v, schema) for a in held for v in a.possible[""] if v != OMITTED}
            if schema.get("default") is not None:
                right.add(canonical_value(schema["default"], schema))
            options_seen = dict.fromkeys(_option_values(parameter, schema, pools))
            values = _apart(
                (v for v in options_seen if canonical_value(literal(v, schema), schema) not in right), schema
            )
            if not values:
                continue
            slot = slots[len(options)]
            options[slot] = (f"the default of {slot[-1].upper()}", *values)
            for i in mine:
                found[i] = _with_option(found[i], parameter, schema, slot, options[slot])
    return found, options


def _apart(values: Iterator[str], schema: Mapping[str, Any]) -> list[str]:
    """Return the first values that the grader tells apart."""
    found: dict[object, str] = {}
    for value in values:
        found.setdefault(canonical_value(literal(value, schema), schema), value)
        if len(found) == _OPTION_VALUES:
            break
    return list(found.values())


def _option_values(parameter: str, schema: Mapping[str, Any], pools: Pools) -> Iterator[str]:
    """Yield values of an optional parameter, as people write them; of texts those that the schema names first."""
    kind, default = schema.get("type"), schema.get("default", _told_default(schema))
    if kind == "string":
        named = schema.get("enum") or quoted(schema)
        usual = str(default) if default is not None else ""
        yield from (str(v) for v in named if sayable(str(v)) and normalised(str(v)) != normalised(usual))
        if len(named) < 2:
            yield from (v for v in pools.named(parameter) if normalised(v) != normalised(usual))
    elif kind == "boolean":
        yield from (v for v in ("true", "false") if v != str(default).lower())
    elif kind in ("integer", "float", "number"):
        usual_number = Fraction(str(default)) if _is_number(default) else Fraction(1)
        for other in numbers_like(usual_number):
            if other.denominator == 1 or kind != "integer":
                yield str(other) if other.denominator == 1 else str(float(other))


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _told_default(schema: Mapping[str, Any]) -> str | float | None:
    """Return the default that a description tells, or None."""
    found = _DEFAULT.search(str(schema.get("description", "")))
    if found is None:
        return None
    return float(found["number"]) if found["number"] else found["text"] or found["word"]


def numbers_like(value: Fraction) -> Iterator[Fraction]:
    """Yield numbers like one, the nearest first: years are whole, of a share of one its last digit is changed.

    >>> [str(n) for n in numbers_like(Fraction("0.05"))][:3], next(numbers_like(Fraction(2020)))
    (['3/50', '1/25', '7/100'], Fraction(2021, 1))
    """
    if 1900 <= value <= 2100 and value.denominator == 1:
        yield from (value + more for more in (1, -1, 2, -2, 3, -3, 4, -4, 5, -5))
    elif value >= 1:
        yield from near(value)
    elif value > 0:
        step = Fraction(1, 10)
        while value % step and step > Fraction(1, 10**9):
            step /= 10
        yield from (value + more * step for more in (1, -1, 2, -2, 3, 4, 5) if 0 < value + more * step)


def _with_option(
    plan: CallPlan, parameter: str, schema: Mapping[str, Any], slot: str, values: Sequence[str]
) -> CallPlan:
    """Return a call with a parameter that a slot sets; the first value leaves it as the source has it."""
    held = next((a for a in plan.arguments if a.parameter == parameter), None)
    possible: dict[Value, tuple[Any, ...]] = {values[0]: held.possible[""] if held is not None else (OMITTED,)}
    possible |= {value: (literal(value, schema),) for value in values[1:]}
    argument = Argument(parameter, slot, possible, schema)
    others = tuple(a for a in plan.arguments if a.parameter != parameter)
    return replace(plan, arguments=(*others, argument))
