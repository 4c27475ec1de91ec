"""Frames and goals from the original problems of GSM8K: numbers become letters that a person sets.

A number of the question that the solution's annotations use, and that the answer follows when it is changed
(`Solution.free`), becomes a letter in the text: "lay [A] eggs a day". Its values are the true one and five others near
it, of the same kind, that keep every step of the solution a plausible quantity (whole where it was whole, not negative,
not far larger) and change the answer. An optional last step on the answer ("doubling") is what people take back again.

A problem is admitted with at least two letters; at most five are taken. Left out are problems that compare (the
cheaper plan, a limit) and those with a number that the steps do not use ("6 of the ten packets, and 4"): with another
value a comparison could turn round, or the text contradict itself, and the solution's steps would not follow.

Of the training file only the first rows are read (`TRAIN_ROWS`), so that loading takes seconds.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from intent_gym.core.intent import Condition, Intent, Slot, Value
from intent_gym.envs.answers import Assignment
from intent_gym.envs.host import Goal
from intent_gym.envs.math.data import MathTask, load_math
from intent_gym.envs.math.expressions import Binary, Expression, Number, Origin, Solution, leaves
from intent_gym.envs.math.frames import Frame
from intent_gym.envs.math.numbers import near, spelled
from intent_gym.errors import DataError

__all__ = ["LETTERS", "SLOTS", "TRAIN_ROWS", "Original", "read_original"]

LETTERS = "ABCDE"
TRAIN_ROWS = 1500
"""Rows of the training file that are looked at."""
OTHERS = 5
"""Other values of a letter."""
_GROWTH = 10
"""A step's result may grow by this factor."""
_LAST: Mapping[str, tuple[Fraction, Fraction]] = {
    "adding eleven": (Fraction(1), Fraction(11)),
    "doubling": (Fraction(2), Fraction(0)),
    "halving": (Fraction(1, 2), Fraction(0)),
    "no last step": (Fraction(1), Fraction(0)),
    "subtracting seven": (Fraction(1), Fraction(-7)),
    "tripling": (Fraction(3), Fraction(0)),
}
"""What the answer is multiplied by, and what is added."""
_NEUTRAL = "no last step"
_COMPARES = re.compile(
    r"\b(?:maximi[sz]e|minimi[sz]e|maximum|minimum|cheap(?:er|est)|best|better|which(?:ever)?|whoever|larg(?:er|est)|"
    r"small(?:er|est)|high(?:er|est)|low(?:er|est)|fewest|least|overtime|exceed\w*|limit|if \w+ \w+ more)\b",
    re.IGNORECASE,
)
"""Words of questions whose solution may take the other branch when a number is changed."""
_SHARE = re.compile(r"(?:percent|percentage|%)[^.?]*\?\s*$", re.IGNORECASE)
"""Questions for a share of a hundred."""
_HELP = (
    "A letter in brackets stands for a quantity that the person tells. A last step is done to the answer at the end, "
    "where one is asked for. Answer with one number, exactly."
)


def _letter(letter: str) -> Slot:
    word = f"quantity {letter}"
    return Slot(
        *(f"quantity_{letter.lower()}", word, f"quantity_{letter.lower()}", "number"),
        synonyms=(f"number {letter}", f"letter {letter}", f"value of {letter}", f"[{letter}]"),
        clauses=(f"with {word} equal to {{value}}", f"for {word} being {{value}}", f"with {{value}} for {word}"),
        vague=(f"with a sensible {word}", f"for a decent {word}", f"with a modest {word}"),
    )


SLOTS = (
    Slot(*("task", "problem", "problem", "frame"), synonyms=("problems", "exercise", "which problem")),
    *(_letter(letter) for letter in LETTERS),
    Slot(
        *("last", "last step", "last step", "choice"),
        synonyms=(
            *("last steps", "final step", "what is done at the end", "what should i do at the end"),
            "what comes last",
        ),
        clauses=("with {value} at the end", "with {value} as the final step", "after {value}"),
        vague=("with something simple at the end", "with a nice last step", "after some easy last step"),
    ),
)


class Original(NamedTuple):
    """What a folder holds."""

    frames: tuple[Frame, ...]
    goals: tuple[Goal, ...]
    rejections: Mapping[str, int]
    """Problems that are not admitted, by split and reason."""


def read_original(folder: str) -> Original:
    """Return the admitted problems of a folder with ``test.jsonl``, ``train.jsonl`` or both.

    Raises:
        DataError: There is neither, or one is damaged.
    """
    frames: list[Frame] = []
    goals: list[Goal] = []
    rejections: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    for task in load_math(folder):
        seen[task.split] += 1
        if task.split == "train" and seen["train"] > TRAIN_ROWS:
            continue
        found = _admitted(task)
        if isinstance(found, str):
            rejections[f"{task.split}: {found}"] += 1
        else:
            frames.append(found[0])
            goals.append(found[1])
    if not frames:
        raise DataError(f"expected problems that can be worked again with other numbers in {folder!r}, found none")
    return Original(tuple(frames), tuple(goals), dict(rejections))


def _admitted(task: MathTask) -> tuple[Frame, Goal] | str:
    """Return a problem's frame and goal, or why it is not admitted."""
    try:
        solution = task.solution()
    except DataError:
        return "an annotation that is no arithmetic"
    if solution.fault:
        return solution.fault
    if not all(isinstance(step.expression, Binary) for step in solution.steps):
        return "a step that hides what was worked out"
    if _COMPARES.search(task.question):
        return "a comparison that other numbers may turn round"
    if not _used(solution):
        return "a number that the steps do not use"
    if len(solution.free) < 2:
        return "fewer than two numbers that the answer follows"
    if solution.gold <= 0:
        return "an answer that is not positive"
    taken: set[Value] = {_value(n.value) for n in solution.numbers if n.ordinal in solution.free}
    letters: dict[str, tuple[Number, tuple[Value, ...]]] = {}
    for number in (n for n in solution.numbers if n.ordinal in solution.free):
        others = _others(solution, number, taken)
        if len(others) == OTHERS and len(letters) < len(LETTERS):
            values = tuple(sorted((_value(number.value), *others)))
            taken.update(others)
            letters[SLOTS[1 + len(letters)].id] = (number, values)
    if len(letters) < 2:
        return "fewer than two numbers with five other values"
    return _framed(task, solution, letters)


def _used(solution: Solution) -> bool:
    """Return whether the steps use every number of the question but "one"."""
    origins = (o for step in solution.steps for leaf in leaves(step.expression) for o in leaf.origins)
    used = {o.index for o in origins if o.kind == "question"}
    return all(number.ordinal in used or number.value == 1 for number in solution.numbers)


def _framed(
    task: MathTask, solution: Solution, letters: Mapping[str, tuple[Number, tuple[Value, ...]]]
) -> tuple[Frame, Goal]:
    name = f"the answer to problem {spelled(_number_of(task))}"
    text = task.question
    for slot, (number, _) in reversed(tuple(letters.items())):
        text = f"{text[: number.start]}[{slot[-1].upper()}]{text[number.end :]}"
    domains: dict[str, tuple[Value, ...]] = {slot: values for slot, (_, values) in letters.items()}
    domains["last"] = tuple(_LAST)
    ordinals = {slot: number.ordinal for slot, (number, _) in letters.items()}
    work = _Working(solution, ordinals)
    frame = Frame(name, name, task.split, f"{text.strip()}\n\n{_HELP}", domains, {"last": _NEUTRAL}, work)
    told = (Condition(slot, "=", _value(number.value)) for slot, (number, _) in letters.items())
    return frame, Goal(task.id, task.split, Intent(name, tuple(told)))


def _number_of(task: MathTask) -> int:
    """Return a number of its own for each row of both files."""
    return int(task.id.rpartition("-")[2]) * 2 + (task.split == "train")


# -- other values ------------------------------------------------------------------------------------------------------
def _value(number: Fraction) -> Value:
    return number.numerator if number.denominator == 1 else float(number)


def _others(solution: Solution, number: Number, taken: set[Value]) -> list[Value]:
    """Return up to five other values of a number, the nearest first, each with an answer of its own."""
    plain = solution.results()
    if plain is None or 100 % number.value.denominator or number.value <= 0:
        return []
    answers = {solution.gold}
    found: list[Value] = []
    share = solution.gold <= 100 and _SHARE.search(solution.question) is not None
    for other in near(number.value, number.percent):
        if len(found) == OTHERS:
            break
        results = solution.results({number.ordinal: other})
        if results is None or results[-1] in answers or _value(other) in taken:
            continue
        if share and results[-1] > 100:
            continue
        if all(_plausible(new, old) for new, old in zip(results, plain, strict=True)):
            answers.add(results[-1])
            found.append(_value(other))
    return found


def _plausible(new: Fraction, old: Fraction) -> bool:
    """Return whether a step's result is a quantity like the original's."""
    if new.denominator > max(1, old.denominator, 100 * (old.denominator > 1)):
        return False
    return (new > 0) == (old > 0) and (new < 0) == (old < 0) and abs(new) <= _GROWTH * abs(old)


# -- working the steps again -------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class _Working:
    """How a problem is worked out.

    Attributes:
        ordinals: Position among the question's numbers, by letter slot.
    """

    solution: Solution
    ordinals: Mapping[str, int]

    def exact(self, values: Assignment) -> Fraction | None:
        """Return the exact answer, None on a division by zero."""
        changes = {ordinal: _fraction(values[slot]) for slot, ordinal in self.ordinals.items()}
        answer = self.solution.answer(changes)
        if answer is None:
            return None
        factor, more = _LAST[str(values["last"])]
        return answer * factor + more

    def table(self, domains: Mapping[str, tuple[Value, ...]]) -> NDArray[np.float64]:
        """Return the answers of all assignments, nearly: every letter is an axis of its own, the last step the last."""
        axes = {slot: i for i, slot in enumerate(domains)}

        def along(slot: str, numbers: Sequence[float]) -> NDArray[np.float64]:
            shape = [1] * len(axes)
            shape[axes[slot]] = -1
            return np.array(numbers, dtype=np.float64).reshape(shape)

        given = {n.ordinal: np.array(float(n.value)) for n in self.solution.numbers}
        given |= {o: along(slot, [float(v) for v in domains[slot]]) for slot, o in self.ordinals.items()}
        done: list[NDArray[np.float64]] = []
        with np.errstate(divide="ignore", invalid="ignore"):
            for step in self.solution.steps:
                done.append(_near_result(step.expression, given, done))
            rules = [_LAST[str(value)] for value in domains["last"]]
            result = done[-1] * along("last", [float(f) for f, _ in rules]) + along(
                "last", [float(m) for _, m in rules]
            )
        result = np.where(np.isfinite(result), result, np.nan)
        return np.broadcast_to(result, [len(values) for values in domains.values()]).ravel()


def _fraction(value: Value) -> Fraction:
    return Fraction(str(value))


def _near_result(
    expression: Expression, given: Mapping[int, NDArray[np.float64]], done: Sequence[NDArray[np.float64]]
) -> NDArray[np.float64]:
    """Return the results of an expression for arrays of numbers, with the origins that the exact work takes."""
    if isinstance(expression, Binary):
        left, right = _near_result(expression.left, given, done), _near_result(expression.right, given, done)
        if expression.sign == "/":
            return left / right
        if expression.sign == "*":
            return left * right
        return left + right if expression.sign == "+" else left - right
    origin = expression.origins[0] if expression.origins else Origin("constant")
    if origin.kind == "constant":
        return np.array(float(expression.value))
    return (done if origin.kind == "step" else given)[origin.index] * float(origin.scale)
