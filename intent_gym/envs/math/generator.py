"""The embedded word problems: stories with drawn amounts, their frames, and the goals drawn from them.

Everything is drawn from fixed keys, so every process has the same tasks. Four stories of a kind are for training and
one is for testing. A goal is kept only where every other value of every slot changes the answer, so that whatever is
said and taken back matters.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import partial
from typing import Literal

from intent_gym.core.intent import Condition, Intent, Value
from intent_gym.core.rng import Purpose, choose, integer, key_of, uniform
from intent_gym.envs.answers import Assignment
from intent_gym.envs.host import Goal
from intent_gym.envs.math.frames import Frame
from intent_gym.envs.math.slots import DISCOUNTS, FEES, NEUTRAL, ROUNDINGS, RULES, SLOTS, UNITS
from intent_gym.envs.math.stories import KINDS, Kind, Question

__all__ = ["GOALS", "make_frames", "make_goals"]

GOALS = 11
"""Goals of a frame."""
_WISHES = 0.2
"""Share of goals that ask for something optional."""
_TRIES = 40
_BASE = {"money": "dollars", "time": "hours", "water": "liters"}
_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "discount": tuple(sorted(DISCOUNTS)),
    "fee": tuple(sorted(FEES)),
    "rounding": tuple(sorted(ROUNDINGS)),
}
_ANSWER = "Answer with one number, exactly; decimals or a fraction are fine."


def make_frames() -> tuple[Frame, ...]:
    """Return the frames of all stories, sorted by name."""
    return tuple(sorted((f for kind in KINDS for f in _frames_of(kind)), key=lambda f: f.name))


def _frames_of(kind: Kind) -> Iterator[Frame]:
    test = integer(key_of("math split", kind.id), Purpose.CONSTRUCT, 0) % len(kind.subjects)
    for number, subject in enumerate(kind.subjects):
        amounts = _amounts(kind, number)
        brief = _brief(kind, subject, amounts)
        split: Literal["train", "test"] = "test" if number == test else "train"
        for question in kind.questions:
            domains: dict[str, tuple[Value, ...]] = {slot: kind.values[slot] for slot in question.slots}
            neutral: dict[str, Value] = {}
            for slot in question.optional:
                domains[slot] = _OPTIONS[slot] if slot in _OPTIONS else tuple(sorted(UNITS[question.measure]))
                neutral[slot] = NEUTRAL[slot] if slot in NEUTRAL else _BASE[question.measure]
            domains = {s.id: domains[s.id] for s in SLOTS if s.id in domains}
            name = question.name.format(x=subject)
            work = partial(_work, question, amounts)
            yield Frame(name, f"{kind.id}-{number}", split, brief, domains, neutral, work)


def _amounts(kind: Kind, number: int) -> Mapping[str, Fraction]:
    """Return the story's amounts: for every scale, multiples of its step in an order of their own."""
    found: dict[str, Fraction] = {}
    for scale in kind.scales:
        key = key_of("math amounts", kind.id, number, scale.slot, scale.suffix)
        options = kind.values[scale.slot]
        first = integer(key, Purpose.CONSTRUCT, 99) % 4
        order = sorted(range(len(options)), key=lambda i: integer(key, Purpose.CONSTRUCT, i))
        for option, place in zip(options, order, strict=True):
            found[f"{option}{scale.suffix}"] = scale.least + scale.step * (first + place)
    return found


def _brief(kind: Kind, subject: str, amounts: Mapping[str, Fraction]) -> str:
    """Return the material of a story: what there is, what each result means, and the rules."""
    lines = [kind.intro.replace("{X}", subject[0].upper() + subject[1:])]
    for scale in kind.scales:
        told = (f"{o} {scale.unit}{float(amounts[f'{o}{scale.suffix}']):.2f}" for o in kind.values[scale.slot])
        lines.append(f"{scale.told} {', '.join(told)}.")
    lines.append("What can be worked out:")
    lines += [f"- {q.name.format(x=subject)} ({_BASE[q.measure]}): {q.told}" for q in kind.questions]
    shared = [s for s in _OPTIONS if any(s in q.optional for q in kind.questions)]
    shared += [m for m in UNITS if any("unit" in q.optional and q.measure == m for q in kind.questions)]
    lines += [RULES[name] for name in shared]
    lines.append(
        "Discount and fee concern what is paid for. Unless asked for, there is no discount, no service fee and no "
        "rounding, and the answer is in the unit in brackets."
    )
    return "\n".join([*lines, _ANSWER])


def _work(question: Question, amounts: Mapping[str, Fraction], values: Assignment) -> Fraction:
    """Return the exact answer of a question."""
    result = question.price(values, amounts)
    if "discount" in question.optional:
        result *= DISCOUNTS[str(values["discount"])]
    if "fee" in question.optional:
        result += FEES[str(values["fee"])]
    if question.rest is not None:
        result = question.rest(values, amounts) - result
    if "unit" in question.optional:
        result *= UNITS[question.measure][str(values["unit"])]
    if "rounding" in question.optional:
        step, up = ROUNDINGS[str(values["rounding"])]
        if step:
            result = Fraction(-(-result // step) if up else result // step) * step
    return result


# -- goals -------------------------------------------------------------------------------------------------------------
def make_goals(frames: tuple[Frame, ...]) -> tuple[Goal, ...]:
    """Return the goals of all frames, drawn by key; optional slots that ask for nothing are left out."""
    found: list[Goal] = []
    for frame in frames:
        goals: dict[Intent, None] = {}
        for attempt in range(GOALS * _TRIES):
            if len(goals) == GOALS:
                break
            values = _drawn(frame, key_of("math goal", frame.name, attempt))
            if _matters(frame, values):
                kept = (Condition(s, "=", v) for s, v in values.items() if frame.neutral.get(s) != v)
                goals.setdefault(Intent(frame.name, tuple(kept)))
        for number, intent in enumerate(goals):
            found.append(Goal(f"{key_of('math task', frame.name, number):016x}", frame.split, intent))
    return tuple(sorted(found, key=lambda g: g.id))


def _drawn(frame: Frame, key: int) -> dict[str, Value]:
    values = {slot: choose(domain, key, Purpose.CONSTRUCT, i) for i, (slot, domain) in enumerate(frame.domains.items())}
    values |= frame.neutral
    if frame.neutral and uniform(key, Purpose.CONSTRUCT, 64) < _WISHES:
        slot = choose(tuple(frame.neutral), key, Purpose.CONSTRUCT, 65)
        others = tuple(v for v in frame.domains[slot] if v != frame.neutral[slot])
        values[slot] = choose(others, key, Purpose.CONSTRUCT, 66)
    return values


def _matters(frame: Frame, values: Assignment) -> bool:
    """Return whether every other value of every slot, and any two values of one slot, give another answer."""
    for slot, domain in frame.domains.items():
        answers = [frame.work({**values, slot: value}) for value in domain]
        if any(a == b for a, b in itertools.combinations(answers, 2)) or min(a for a in answers if a is not None) <= 0:
            return False
    return True
