"""The embedded word problems: stories with drawn amounts, their frames, and the goals drawn from them.

Everything is drawn from fixed keys, so every process has the same tasks. Four stories of a kind are for training and
one is for testing. A goal is kept only where every other value of every slot changes the answer, so that whatever is
said and taken back matters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from intent_gym.core.intent import Condition, Intent, Value
from intent_gym.core.rng import Purpose, choose, integer, key_of, uniform
from intent_gym.envs.answers import Assignment
from intent_gym.envs.host import Goal
from intent_gym.envs.math.frames import Frame
from intent_gym.envs.math.kinds import Kind, Question
from intent_gym.envs.math.slots import DISCOUNTS, FEES, NEUTRAL, ROUNDINGS, RULES, SLOTS, UNITS
from intent_gym.envs.math.stories import KINDS

__all__ = ["GOALS", "make_frames", "make_goals"]

GOALS = 11
"""Goals of a frame."""
_WISHES = 0.2
"""Share of goals that ask for something optional."""
_TRIES = 40
_NEAR = 1e-9
"""Floats this near a whole step are on it."""
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
            terms: dict[str, Mapping[Value, Fraction]] = {**amounts, **_numbers(domains), **_rules(question)}
            work = _Working(question, terms)
            yield Frame(name, f"{kind.id}-{number}", split, brief, domains, neutral, work)


def _amounts(kind: Kind, number: int) -> Mapping[str, Mapping[Value, Fraction]]:
    """Return the story's amounts by name and option: multiples of a step, in an order of their own."""
    found: dict[str, Mapping[Value, Fraction]] = {}
    for scale in kind.scales:
        key = key_of("math amounts", kind.id, number, scale.slot, scale.suffix)
        options = kind.values[scale.slot]
        first = integer(key, Purpose.CONSTRUCT, 99) % 4
        order = sorted(range(len(options)), key=lambda i: integer(key, Purpose.CONSTRUCT, i))
        found[f"{scale.slot}{scale.suffix}"] = {
            option: scale.least + scale.step * (first + place) for option, place in zip(options, order, strict=True)
        }
    return found


def _numbers(domains: Mapping[str, tuple[Value, ...]]) -> Mapping[str, Mapping[Value, Fraction]]:
    """Return the numbers that are set, by slot."""
    return {s: {v: Fraction(v) for v in values} for s, values in domains.items() if not isinstance(values[0], str)}


def _rules(question: Question) -> Mapping[str, Mapping[Value, Fraction]]:
    """Return the factors and sums that the shared slots stand for."""
    rules = {"discount": DISCOUNTS, "fee": FEES, "unit": UNITS[question.measure]}
    return {name: {word: number for word, number in rule.items()} for name, rule in rules.items()}


def _brief(kind: Kind, subject: str, amounts: Mapping[str, Mapping[Value, Fraction]]) -> str:
    """Return the material of a story: what there is, what each result means, and the rules."""
    lines = [kind.intro.replace("{X}", subject[0].upper() + subject[1:])]
    for scale in kind.scales:
        drawn = amounts[f"{scale.slot}{scale.suffix}"]
        told = (f"{option} {scale.unit}{float(amount):.2f}" for option, amount in drawn.items())
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


@dataclass(frozen=True)
class _Working:
    """How a question is worked out.

    Attributes:
        terms: What each value stands for, by the name that formulas use ("product/cost").
    """

    question: Question
    terms: Mapping[str, Mapping[Value, Fraction]]

    def exact(self, values: Assignment) -> Fraction:
        """Return the exact answer."""
        question, terms = self.question, self.terms

        def stands_for(name: str) -> Fraction:
            return terms[name][values[name.partition("/")[0]]]

        result: Fraction = question.price(stands_for)
        if "discount" in question.optional:
            result = result * stands_for("discount")
        if "fee" in question.optional:
            result = result + stands_for("fee")
        if question.rest is not None:
            result = question.rest(stands_for) - result
        if "unit" in question.optional:
            result = result * stands_for("unit")
        if "rounding" in question.optional:
            step, up = ROUNDINGS[str(values["rounding"])]
            if step:
                result = Fraction(-(-result // step) if up else result // step) * step
        return result

    def table(self, domains: Mapping[str, tuple[Value, ...]]) -> NDArray[np.float64]:
        """Return the answers of all assignments, nearly: every slot is an axis of its own."""
        question, axes = self.question, {slot: i for i, slot in enumerate(domains)}

        def along(slot: str, numbers: list[float]) -> NDArray[np.float64]:
            shape = [1] * len(axes)
            shape[axes[slot]] = -1
            return np.array(numbers).reshape(shape)

        def stands_for(name: str) -> NDArray[np.float64]:
            slot = name.partition("/")[0]
            return along(slot, [float(self.terms[name][value]) for value in domains[slot]])

        result: NDArray[np.float64] = question.price(stands_for)
        if "discount" in question.optional:
            result = result * stands_for("discount")
        if "fee" in question.optional:
            result = result + stands_for("fee")
        if question.rest is not None:
            result = question.rest(stands_for) - result
        if "unit" in question.optional:
            result = result * stands_for("unit")
        if "rounding" in question.optional:
            rules = [ROUNDINGS[str(value)] for value in domains["rounding"]]
            step = along("rounding", [float(step or 1) for step, _ in rules])
            down, up = np.floor(result / step + _NEAR) * step, np.ceil(result / step - _NEAR) * step
            upward = along("rounding", [float(up) for _, up in rules]) > 0
            plain = along("rounding", [float(not step) for step, _ in rules]) > 0
            result = np.where(plain, result, np.where(upward, up, down))
        return np.broadcast_to(result, [len(values) for values in domains.values()]).ravel()


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
        answers = {frame.work.exact({**values, slot: value}) for value in domain}
        if len(answers) < len(domain) or any(a is None or a <= 0 for a in answers):
            return False
    return True
