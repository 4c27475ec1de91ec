"""The embedded functions: themes, their frames, and the goals drawn from them.

Everything is drawn from fixed keys, so every process has the same tasks. A theme is a list of numbers or of words; four
functions over it are asked for. In the style of HumanEval a function has the list alone, in that of LiveCodeBench it is
a method of a class and has a number `k` besides, on which half of its parts depend.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias

from intent_gym.core.intent import Condition, Intent, Value
from intent_gym.core.rng import Purpose, choose, integer, key_of, uniform
from intent_gym.envs.code.frames import Made, Stage
from intent_gym.envs.code.parts import EMPTY, NEUTRAL, POOLS, REPEATS, WRAPPINGS, Kind, function_of
from intent_gym.envs.code.slots import SLOTS
from intent_gym.envs.host import Goal
from intent_gym.envs.templates import Part, Template

__all__ = ["GOALS", "THEMES", "Style", "Theme", "make_frames", "make_goals"]

Style: TypeAlias = Literal["humaneval", "livecodebench"]

GOALS = 20
"""Goals of a frame."""
VALUES = 6
"""Values of a required slot."""
_CALLS = 9
_WISHES = 0.2
"""Share of goals that ask for something optional."""
_WORDS = (
    "acorn amber anchor apple arrow basin beacon button canal candle copper cotton dawn dune ember fern fountain "
    "garden harbor island ivy jacket kettle lantern lemon linen marble meadow needle oak oven ox pebble pepper pigeon "
    "plum quill raven ribbon river saddle salmon sea spoon tea thimble tin turnip umbrella urn velvet violin willow "
    "window wren yarn"
).split()


class Theme(NamedTuple):
    """What a list holds.

    Attributes:
        style: How the function is written.
        things: The items, in the plural.
        kind: What they are.
        test: Whether its functions are for testing.
    """

    style: Style
    things: str
    kind: Kind
    test: bool


THEMES = (
    Theme("humaneval", "temperatures", "numbers", False),
    Theme("humaneval", "scores", "numbers", False),
    Theme("humaneval", "offsets", "numbers", False),
    Theme("humaneval", "balances", "numbers", False),
    Theme("humaneval", "cities", "words", False),
    Theme("humaneval", "nicknames", "words", False),
    Theme("humaneval", "depths", "numbers", True),
    Theme("humaneval", "surnames", "words", True),
    Theme("livecodebench", "profits", "numbers", False),
    Theme("livecodebench", "heights", "numbers", False),
    Theme("livecodebench", "moves", "numbers", False),
    Theme("livecodebench", "shifts", "numbers", False),
    Theme("livecodebench", "labels", "words", False),
    Theme("livecodebench", "passwords", "words", False),
    Theme("livecodebench", "delays", "numbers", True),
    Theme("livecodebench", "herbs", "words", True),
)
"""All themes; of each style six for training and two for testing."""


class _Plan(NamedTuple):
    frame: str
    told: str
    verbs: str
    stages: tuple[str, ...]


_PLANS = (
    _Plan(
        "the picker of {x}",
        "the picker keeps what the filter says, handles repeats, orders, and applies the step to each",
        "pick choose collect gather select take",
        ("filter", "repeats", "ordering", "step", "empty"),
    ),
    _Plan(
        "the digest of {x}",
        "the digest keeps what the filter says, handles repeats, applies the step to each, and combines them",
        "digest reduce fold condense evaluate assess",
        ("filter", "repeats", "step", "aggregate", "wrapping"),
    ),
    _Plan(
        "the excerpt of {x}",
        "the excerpt handles repeats, orders, cuts, and applies the step to each",
        "excerpt extract sample trim clip crop",
        ("repeats", "ordering", "cut", "step", "wrapping"),
    ),
    _Plan(
        "the line of {x}",
        "the line keeps what the filter says, handles repeats, orders, and joins them to one text with the separator",
        "line print format render write show",
        ("filter", "repeats", "ordering", "empty", "separator"),
    ),
)


# -- frames ------------------------------------------------------------------------------------------------------------
def make_frames(style: Style) -> tuple[Made, ...]:
    """Return the functions of a style, four to each theme."""
    return tuple(frame for theme in THEMES if theme.style == style for frame in _frames(theme))


def _shuffled(key: int, items: list[str]) -> list[str]:
    return [items[i] for i in sorted(range(len(items)), key=lambda i: integer(key, Purpose.CONSTRUCT, i))]


def _drawn_parts(theme: Theme, slot: str) -> dict[str, str]:
    """Return the expressions that a slot of a theme stands for, by value."""
    plain, with_k = POOLS[theme.kind, slot]
    key = key_of("code parts", theme.things, slot)
    chosen = _shuffled(key, list(with_k))[: VALUES // 2] if theme.style == "livecodebench" else []
    chosen += _shuffled(key, list(plain))[: VALUES - len(chosen)]
    return {value: ({**plain, **with_k})[value] for value in sorted(chosen)}


def _names(theme: Theme, plan: _Plan) -> tuple[str, ...]:
    if theme.style == "humaneval":
        return tuple(sorted(f"{verb}_{theme.things}" for verb in plan.verbs.split()))
    return tuple(sorted(f"{verb}{theme.things.capitalize()}" for verb in plan.verbs.split()))


def _frames(theme: Theme) -> Iterator[Made]:
    calls = _calls(theme)
    drawn = {slot: _drawn_parts(theme, slot) for kind, slot in POOLS if kind == theme.kind}
    brief = _brief(theme, drawn)
    for plan in _PLANS:
        tables: dict[str, Mapping[str, str]] = {
            **{slot: drawn[slot] for slot in plan.stages if slot in drawn},
            **{s: t for s, t in (("repeats", REPEATS), ("empty", EMPTY), ("wrapping", WRAPPINGS)) if s in plan.stages},
        }
        names = _names(theme, plan)
        order = [s.id for s in SLOTS]
        domains: dict[str, tuple[Value, ...]] = {"name": names}
        domains |= {slot: tuple(sorted(tables[slot])) for slot in sorted(plan.stages, key=order.index)}
        yield Made(
            plan.frame.format(x=theme.things),
            theme.things,
            "test" if theme.test else "train",
            brief,
            domains,
            {slot: value for slot, value in NEUTRAL.items() if slot in domains},
            _source(theme, names, plan, tables),
            tuple(_stage(slot, tables[slot]) for slot in plan.stages),
            calls,
        )


def _stage(slot: str, table: Mapping[str, str]) -> Stage:
    kind: Literal["items", "result", "empty", "return"] = "items"
    if slot in ("aggregate", "separator"):
        kind = "result"
    elif slot == "empty":
        kind = "empty"
    elif slot == "wrapping":
        kind = "return"
    return Stage(slot, kind, {value: function_of(text) if text else None for value, text in table.items()})


def _source(theme: Theme, names: tuple[str, ...], plan: _Plan, tables: Mapping[str, Mapping[str, str]]) -> Template:
    """Return the text of a function."""
    pad = "    " if theme.style == "humaneval" else "        "
    name = Part(("name",), {(n,): n for n in names})
    pieces: list[str | Part] = ["def ", name, "(items):\n"]
    if theme.style == "livecodebench":
        pieces = ["class Solution:\n    def ", name, "(self, items, k):\n"]
    result = "items"
    for slot in plan.stages:
        texts: dict[tuple[Value, ...], str] = {}
        for value, text in tables[slot].items():
            if slot == "empty":
                texts[(value,)] = f"{pad}if not items:\n{pad}    return {text}\n" if text else ""
            elif slot == "wrapping":
                texts[(value,)] = text.replace("result", result) if result == "items" else text
                texts[(value,)] = texts[(value,)].replace('"items"', '"result"')
            elif text == "items":
                texts[(value,)] = ""
            else:
                result = "result" if slot in ("aggregate", "separator") else result
                texts[(value,)] = f"{pad}{result} = {text}\n"
        part = Part((slot,), texts)
        pieces += [f"{pad}return ", part] if slot == "wrapping" else [part]
    if "wrapping" not in plan.stages:
        pieces.append(f"{pad}return {result}")
    return Template(tuple(pieces))


def _calls(theme: Theme) -> tuple[tuple[Any, ...], ...]:
    """Return the arguments of the tests: no items, one, and lists in which some come again."""
    found: list[tuple[Any, ...]] = []
    for number in range(_CALLS):
        key = key_of("code call", theme.style, theme.things, number)
        length = min(number, 1) if number < 2 else 9 + integer(key, Purpose.CONSTRUCT, 0) % 6
        pool = _shuffled(key, list(_WORDS))[:9] if theme.kind == "words" else []
        items: list[Any] = []
        for i in range(length):
            draw = integer(key, Purpose.CONSTRUCT, 16 + i)
            items.append(pool[draw % len(pool)] if pool else _number(key_of("code value", key, draw % 8)))
        k = 1 + integer(key, Purpose.CONSTRUCT, 1) % 5
        found.append((items, k) if theme.style == "livecodebench" else (items,))
    return tuple(found)


def _number(key: int) -> int:
    wide = integer(key, Purpose.CONSTRUCT, 0) % 4 == 0
    return integer(key, Purpose.CONSTRUCT, 1) % (260 if wide else 70) - (90 if wide else 20)


def _brief(theme: Theme, drawn: Mapping[str, Mapping[str, str]]) -> str:
    """Return what a programmer must know of all functions of a theme."""
    what = "whole numbers" if theme.kind == "numbers" else "words in small letters"
    if theme.style == "humaneval":
        head = f"Write a Python function of one argument: `items`, a list of {theme.things}, which are {what}."
    else:
        head = (
            f"Write a Python method of `class Solution` with the arguments `items`, a list of {theme.things}, which "
            f"are {what}, and `k`, a whole number from 1 to 5."
        )
    lines = [head, f"There are four kinds: {'; '.join(plan.told for plan in _PLANS)}.", "In Python, the words mean:"]
    for slot in SLOTS[1:]:
        if slot.id in drawn:
            lines.append(f"- {slot.word}: {'; '.join(f'{label} = {text}' for label, text in drawn[slot.id].items())}")
    lines += [
        f"- repeat handling: {'; '.join(f'{label} = {text}' for label, text in REPEATS.items())}; repeats are kept "
        "unless something else is asked for",
        "- empty case: what is returned if nothing is left (after the ordering and, where there is one, the step)",
        "- wrapping: what is returned: a boxed result is [result], a labeled one {'result': result}, a paired one "
        "[result, number of items that it was made from]",
        "What is not asked for is not done. The function must have exactly the name that is asked for. Answer with the "
        "whole program; it is run on lists that you do not see, empty ones among them.",
    ]
    return "\n".join(lines)


# -- goals -------------------------------------------------------------------------------------------------------------
def make_goals(style: Style, frames: tuple[Made, ...]) -> tuple[Goal, ...]:
    """Return the goals of all frames, drawn by key; optional slots that ask for nothing are left out.

    Hardly any other value of a slot that must be told makes a function that returns the same.
    """
    found: list[Goal] = []
    for frame in frames:
        goals: dict[Intent, None] = {}
        for attempt in itertools.count():
            if len(goals) == GOALS:
                break
            values = _drawn(frame, key_of("code goal", style, frame.name, attempt))
            if _matters(frame, values):
                kept = (Condition(s, "=", v) for s, v in values.items() if frame.neutral.get(s) != v)
                goals.setdefault(Intent(frame.name, tuple(kept)))
        for number, intent in enumerate(goals):
            found.append(Goal(f"{key_of('code task', style, frame.name, number):016x}", frame.split, intent))
    return tuple(sorted(found, key=lambda g: g.id))


def _matters(frame: Made, values: Mapping[str, Value]) -> bool:
    """Return whether, of every slot that must be told, most other values give another function."""
    right = frame.outputs(values)
    for slot in (s for s in frame.domains if s != "name" and s not in frame.neutral):
        same = sum(frame.outputs({**values, slot: value}) == right for value in frame.domains[slot])
        if same > 2:  # itself and another one
            return False
    return True


def _drawn(frame: Made, key: int) -> dict[str, Value]:
    values = {slot: choose(domain, key, Purpose.CONSTRUCT, i) for i, (slot, domain) in enumerate(frame.domains.items())}
    values |= frame.neutral
    if uniform(key, Purpose.CONSTRUCT, 64) < _WISHES:
        slot = choose(tuple(frame.neutral), key, Purpose.CONSTRUCT, 65)
        others = tuple(v for v in frame.domains[slot] if v != frame.neutral[slot])
        values[slot] = choose(others, key, Purpose.CONSTRUCT, 66)
    return values
