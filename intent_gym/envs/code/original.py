"""Frames and goals from HumanEval: a person tells the function's name and the form of its result.

The name becomes "[name]" in the task's text. What else can be told is how the result is returned (plain in the end),
and, to be taken back again, a last step and a style of the call. A program is judged by the task's own tests, through
what undoes form, step and style (`adapters`).

A right program is the task's own solution in a wrapper. A task is admitted if the grader accepts it with the true
values, and refuses it for every other value by itself; those that are not refused are left out. This takes a minute for
all of HumanEval, so the verdicts on the known file are kept in ``data/humaneval_verdicts.json``, by the hash of each
row; other rows are judged when they are loaded.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Container, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict

from intent_gym.core.intent import Condition, Intent, Slot, Value
from intent_gym.core.rng import Purpose, integer, key_of
from intent_gym.envs.answers import Assignment
from intent_gym.envs.code.adapters import FORMS, LASTS, NEUTRAL, STYLES, adapter_of
from intent_gym.envs.code.cases import HumanEvalCase, humaneval_case
from intent_gym.envs.code.data import CodeTask
from intent_gym.envs.code.data import load_humaneval as load_data
from intent_gym.envs.code.frames import Given
from intent_gym.envs.code.grade import grade_humaneval
from intent_gym.envs.code.host import CodeHost
from intent_gym.envs.host import Goal, Outcome
from intent_gym.envs.templates import Part, Template
from intent_gym.errors import DataError
from intent_gym.grading import Grade

__all__ = [
    "HELP",
    "SLOTS",
    "GivenHost",
    "HumanEvalGivenHost",
    "Verdict",
    "given",
    "goal_of",
    "humaneval_frame",
    "judged",
    "kept_verdict",
    "name_values",
    "read_humaneval",
    "row_hash",
    "true_values",
    "without",
]

OTHERS = 5
"""Other names of a function."""
PLAIN = "plain result"
"""How every task's result is returned in the end."""
_CORE = "_solution"
_TEST_SHARE = 4
"""One task in so many is for testing."""
_CACHE = 1 << 12
_VERBS = "calculate compute determine evaluate find get make obtain produce solve".split()
HELP = (
    "The person tells the name that belongs in the place of [name], and how the result is returned: plain; boxed, as "
    '[result]; doubled, as [result, result]; labeled, as {"result": result}; quoted, as repr(result); stamped, as '
    '["done", result]. Only if it is asked for, a last step is done to the returned value: a backward text is its repr '
    "reversed with a < after it, a dashed text its repr after two dashes, a starred text its repr between two stars. "
    "Only if it is asked for, the function is called in another style: with one list of the arguments, with one "
    "dictionary of them in order, or with the repr of each as a text. Answer with the whole program."
)


def _slot(name: str, word: str, synonyms: tuple[str, ...], clauses: tuple[str, ...]) -> Slot:
    vague = (f"with a sensible {word}", f"with a decent {word}", f"with a nice {word}")
    return Slot(name, word, name, "choice", synonyms=synonyms, clauses=clauses, vague=vague)


SLOTS = (
    Slot(*("task", "task", "task", "frame"), synonyms=("tasks", "exercise", "function", "which task")),
    _slot(
        *("name", "name"),
        ("names", "named", "called", "what it is called", "what to call it", "identifier"),
        ("called {value}", "named {value}", "with {value} as the name"),
    ),
    _slot(
        *("form", "result form"),
        ("result forms", "form of the result", "how the result is returned", "returned"),
        ("with a {value}", "returning a {value}", "giving a {value}"),
    ),
    _slot(
        *("last", "last step"),
        ("last steps", "final step", "what is done at the end"),
        ("ending in a {value}", "with {value} as the last step", "with {value} at the end"),
    ),
    _slot(
        *("style", "call style"),
        ("call styles", "calling style", "how it is called", "style of the call"),
        ("with {value} as the call style", "expecting {value}", "taking {value}"),
    ),
)


class _Among(Container[object]):
    """The programs that answer an intent, whatever it leaves out."""

    def __init__(self, host: GivenHost, intent: Intent) -> None:
        self._host, self._intent = host, intent
        self._wanted = {(c.slot, c.value) for c in intent.conditions}

    def __contains__(self, key: object) -> bool:
        if isinstance(key, frozenset):
            return self._wanted <= key
        return isinstance(key, str) and any(
            self._host.passes(int(answer), key) for answer in self._host.answers(self._intent)
        )


class GivenHost(CodeHost[Given]):
    """Original tasks. A program that the host renders is known by the assignment that it is for; others are run."""

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        """Prepare the caches."""
        self._own = lru_cache(_CACHE)(self._own_now)
        super().__init__(*arguments, **keywords)

    def solve(self, frame: str, values: Assignment) -> Outcome:
        """Return the task's own solution in a wrapper."""
        return self._frames[frame].source.render(values)

    def _own_now(self, frame: str, answer: str) -> dict[str, Value] | None:
        """Return the assignment that the host renders to a text, None for any other text."""
        return self._frames[frame].source.read(answer)

    def key(self, frame: str, answer: str) -> Hashable:
        """Return the assignment that a program is for, else its text."""
        own = self._own(frame, answer)
        return answer if own is None else frozenset(own.items())

    def _keys_now(self, intent: Intent) -> Container[object]:
        """Return the programs that answer an intent, without running all."""
        return _Among(self, intent)

    def passes(self, answer: int, outcome: Outcome) -> bool:
        """Return whether a text is right for an outcome id."""
        _, values = self.assignment(answer)
        return str(values["name"]) in outcome and self._graded(answer, outcome).full_credit

    def _violated(self, intent: Intent, outcome: Outcome) -> tuple[str, ...]:
        """Return the slot whose other value a program is for; of somebody else's program, the name if it has none."""
        own = self._own(intent.frame, outcome)
        if own is not None:
            others = [c.slot for c in intent.conditions if own[c.slot] != c.value]
            return (others[0],) if len(others) == 1 else (self.frame_slot.id,)
        name = intent.by_slot.get("name")
        return (self.frame_slot.id,) if name is None or str(name.value) in outcome else ("name",)

    def grade(self, frame: str, values: Assignment, answer: str) -> Grade:
        """Grade a program by the task's tests; of the host's own it is known what they are for."""
        own = self._own(frame, answer)
        if own is None:
            return self._frames[frame].verdict(values, answer)
        if own == dict(values):
            return Grade(1.0, "the task's own solution in the form that is asked for")
        wrong = ", ".join(slot for slot in own if own[slot] != values[slot])
        return Grade(0.0, f"the task's own solution, with another {wrong}")


class HumanEvalGivenHost(GivenHost):
    """HumanEval's tasks."""

    name = "humaneval"


class Verdict(NamedTuple):
    """What the grader said of a task.

    Attributes:
        reason: Why it is not admitted, "" if it is.
        without: Values that are left out, for the grader takes them for the true one, as "slot: value".
    """

    reason: str
    without: tuple[str, ...] = ()


class _Kept(BaseModel):
    """The verdicts kept on the rows of a file, by task; ``rows`` has the hash of each."""

    model_config = ConfigDict(extra="forbid")
    about: str
    rows: dict[str, str]
    reasons: dict[str, str]
    without: dict[str, list[str]]


# -- HumanEval ---------------------------------------------------------------------------------------------------------
def read_humaneval(folder: str) -> HumanEvalGivenHost:
    """Return the admitted tasks of a folder with ``HumanEval.jsonl``.

    Raises:
        DataError: The file is missing or damaged.
        SandboxError: A row that is not known has to be judged, and the sandbox failed.
    """
    data = load_data(folder)
    frames: list[Given] = []
    goals: list[Goal] = []
    rejections: Counter[str] = Counter(f"left out: {reason}" for reason in data.left_out.values())
    for number, task in enumerate(data.tasks):
        frame = humaneval_frame(task, number)
        entry = str(task.case["entry_point"])
        verdict = kept_verdict(task) or judged(frame, entry)
        if verdict.reason:
            rejections[verdict.reason] += 1
            continue
        frame = without(frame, verdict.without)
        frames.append(frame)
        goals.append(goal_of(task.id, frame, entry))
    if not frames:
        raise DataError(f"expected tasks that can be asked for in other forms in {folder!r}, found none")
    return HumanEvalGivenHost(SLOTS, frames, goals, folder, rejections)


def row_hash(task: CodeTask) -> str:
    """Return the hash of a row, by which kept verdicts are found."""
    return hashlib.sha256(json.dumps(dict(task.case), sort_keys=True).encode()).hexdigest()[:16]


@lru_cache(maxsize=1)
def _kept() -> _Kept:
    return _Kept.model_validate_json((Path(__file__).parent / "data" / "humaneval_verdicts.json").read_bytes())


def kept_verdict(task: CodeTask) -> Verdict | None:
    """Return the verdict that is kept on a row, None for a row that is not known."""
    if _kept().rows.get(task.id) != row_hash(task):
        return None
    return Verdict(_kept().reasons.get(task.id, ""), tuple(_kept().without.get(task.id, ())))


def humaneval_frame(task: CodeTask, number: int) -> Given:
    """Return a task with all its values, admitted or not."""
    case = humaneval_case(task.case)
    name = case.entry_point
    told = re.sub(rf"\b{name}\b", "[name]", case.prompt.strip())
    brief = f"{told}\n\n{HELP}"
    core = re.sub(rf"\b{name}\b", _CORE, task.gold.strip())
    pieces = (f"{core}\n\n\ndef ", "(*arguments):\n", f"    result = {_CORE}(*arguments)\n", "    return result")
    split: Literal["train", "test"] = "test" if key_of("code split", task.id) % _TEST_SHARE == 0 else "train"
    return given(number, task.id, name, brief, pieces, _HumanEvalVerdict(case), split)


@dataclass(frozen=True)
class _HumanEvalVerdict:
    """The tests of a task, for a function of any name and form."""

    case: HumanEvalCase

    def __call__(self, values: Assignment, answer: str) -> Grade:
        """Grade a text under an assignment."""
        name = str(values["name"])
        prompt = re.sub(rf"\b{self.case.entry_point}\b", name, self.case.prompt)
        plain = values["form"] == PLAIN and all(values.get(slot, value) == value for slot, value in NEUTRAL.items())
        test = re.sub(rf"\b{self.case.entry_point}\b", name, self.case.test)
        case = HumanEvalCase(prompt, name, test)
        return grade_humaneval(case, answer, adapter="" if plain else adapter_of({**NEUTRAL, **values}))


# -- what all tasks share ----------------------------------------------------------------------------------------------
def name_values(name: str, key: int) -> tuple[str, ...]:
    """Return a function's name and others like it, sorted, in the style that it is written in.

    >>> name_values("has_close_elements", 7)[:2], len(name_values("add", 7))
    (('compute_close_elements', 'find_close_elements'), 6)
    """
    camel = "_" not in name and name != name.lower()
    words = re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])", name) if camel else [w for w in name.split("_") if w]
    rest = words[1:] if len(words) > 1 else words
    found: list[str] = []
    for i in sorted(range(len(_VERBS)), key=lambda i: integer(key, Purpose.CONSTRUCT, i)):
        verb = _VERBS[i]
        other = verb + "".join(w[:1].upper() + w[1:] for w in rest) if camel else "_".join((verb, *rest))
        if other != name and len(found) < OTHERS:
            found.append(other)
    return tuple(sorted((name, *found)))


def given(
    number: int,
    task: str,
    name: str,
    brief: str,
    pieces: tuple[str, str, str, str],
    verdict: Callable[[Assignment, str], Grade],
    split: Literal["train", "test"],
) -> Given:
    """Return a task with all its values.

    Args:
        number: Its place in the source.
        task: Its id in the source.
        name: The function's true name.
        brief: The public material.
        pieces: The text of a right program before the name, between name and body, and round what the form adds.
        verdict: Grades any text.
        split: Where it belongs.
    """
    names = name_values(name, key_of("code names", task))
    head, arguments, call, end = pieces
    pad = end[: len(end) - len(end.lstrip()) - 4]

    def part(slot: str, table: Mapping[str, Any]) -> Part:
        return Part((slot,), {(v,): re.sub(r"(?m)^(?=.)", pad, a.wrapper) for v, a in table.items()})

    template = Template(
        (
            *(head, Part(("name",), {(n,): n for n in names}), arguments, part("style", STYLES), call),
            *(part("form", FORMS), part("last", LASTS), end),
        )
    )
    title = f"the program for task {_spelled(number)}"
    domains: dict[str, tuple[Value, ...]] = {"name": names, "form": tuple(FORMS), "last": tuple(LASTS)}
    domains["style"] = tuple(STYLES)
    return Given(title, title, split, brief, domains, NEUTRAL, template, verdict)


def _spelled(number: int) -> str:
    """Return a name without digits: a number as syllables.

    >>> _spelled(0), _spelled(163)
    ('bababa', 'babiko')
    """
    syllables = [c + v for c in "bdfgklmnprstvz" for v in "aeiou"]
    found = ""
    for _ in range(3):
        number, place = divmod(number, len(syllables))
        found = syllables[place] + found
    return found


def true_values(frame: Given, name: str) -> dict[str, Value]:
    """Return the values that hold in the end."""
    return {"name": name, "form": PLAIN, **frame.neutral}


def goal_of(task: str, frame: Given, name: str) -> Goal:
    """Return a task's goal."""
    told = (Condition("name", "=", name), Condition("form", "=", PLAIN))
    return Goal(task, frame.split, Intent(frame.name, told))


def judged(frame: Given, name: str) -> Verdict:
    """Return what the grader says of a task: of its solution, and of its solution with each other value."""
    true = true_values(frame, name)
    if not frame.verdict(true, frame.source.render(true)).full_credit:
        return Verdict("the solution in a wrapper fails the tests")
    refused: list[str] = []
    for slot, values in frame.domains.items():
        for value in values:
            other = {**true, slot: value}
            text = frame.source.render(other)
            if value == true[slot]:
                continue
            if frame.verdict(true, text).full_credit or not frame.verdict(other, text).full_credit:
                refused.append(f"{slot}: {value}")
    for slot in ("name", "form"):
        if sum(item.startswith(f"{slot}: ") for item in refused) == len(frame.domains[slot]) - 1:
            return Verdict(f"no other {slot} changes the verdict")
    return Verdict("", tuple(refused))


def without(frame: Given, items: Sequence[str]) -> Given:
    """Return a task without some values."""
    domains = {slot: tuple(v for v in values if f"{slot}: {v}" not in items) for slot, values in frame.domains.items()}
    domains = {slot: values for slot, values in domains.items() if len(values) > 1}
    pieces: list[str | Part] = []
    for piece in frame.source.pieces:
        if isinstance(piece, str):
            pieces.append(piece)
            continue
        (slot,) = piece.slots
        kept = {v: text for v, text in piece.texts.items() if slot in domains and v[0] in domains[slot]}
        pieces.append(Part(piece.slots, kept) if kept else piece.texts[(NEUTRAL[slot],)])
    neutral = {slot: value for slot, value in frame.neutral.items() if slot in domains}
    return replace(frame, domains=domains, neutral=neutral, source=Template(tuple(pieces)))
