"""SummHay's own haystacks: aspects and folders of documents are what can be set.

Source: Laban et al., "Summary of a Haystack" (2024), read by `data.load_haystacks`; IntentFlux, section 3.1: other
values of a goal and withdrawn goals must change the verdict. No language model is involved:

* A frame is a topic. Its aspects are the subtopics of the source, so subtopics of one topic are each other's variants.
* Of the hundred documents `DOCUMENTS` are shown, chosen so that every aspect is in several of them and that they fit
  into one message. They lie in named folders, some in several; the person says which two folders are to be used, and
  perhaps a third.
* The right summary has the insights' own texts, each with the documents of these folders that hold it. A bullet is
  graded against these documents alone.
* There is one task a subtopic. Its folders are such that of each slot several others would change the citations, and
  then hold as many of its insights as can be; among equals drawn by key. It is admitted if
  its right summary has full credit and, in every slot, some other value changes the verdict.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from intent_gym.core.intent import Slot, Value
from intent_gym.core.rng import Purpose, integer, key_of
from intent_gym.envs.spaces import MAX_MESSAGE
from intent_gym.envs.summary.data import Document, SummaryTask, load_haystacks
from intent_gym.envs.summary.frames import FULL_LENGTH, LIMITS, Held, SummaryFrame, SummaryGoal
from intent_gym.envs.summary.grade import grade

__all__ = ["ORIGINAL_SLOTS", "FolderFrame", "Original", "read_original"]

DOCUMENTS = 12
"""Documents shown of a haystack: about as many as the sharded benchmark built on these data shows."""
_ROOM = MAX_MESSAGE - 6_000
"""Characters for the documents' texts: the brief is one message."""
_ENOUGH = 3
"""Shown documents that hold an insight, after which more of them count little."""
_WORTH = 3
"""Other folders of a slot that should change a task's citations, where there are such."""
_NO_SPARE = "no spare folder"
_FOLDERS: Mapping[str, tuple[int, tuple[str, ...]]] = {
    "first": (3, ("east", "lower", "north", "south", "upper", "west")),
    "second": (3, ("black", "blue", "green", "red", "white", "yellow")),
    "spare": (3, ("chalk", "clay", "flint", "marl", "slate")),
}
"""By slot: documents a folder, and the folders' names."""


def _folder(slot: str, synonyms: tuple[str, ...]) -> Slot:
    word = f"{slot} folder"
    clauses = (f"with {{value}} as the {word}", f"with {{value}} for the {word}", f"taking {{value}} as the {word}")
    vague = (f"with a good {word}", f"with some fitting {word}", f"taking a sensible {word}")
    return Slot(slot, word, word, "choice", synonyms=synonyms, clauses=clauses, vague=vague)


ORIGINAL_SLOTS: tuple[Slot, ...] = (
    Slot("summary", "summary", "summary", "frame", synonyms=("summaries", "topic", "subject", "overview")),
    Slot(
        "aspect",
        "aspect",
        "aspect",
        "choice",
        synonyms=(*("aspects", "question", "angle", "which aspect", "subtopic", "focus", "it cover", "summary cover"),),
        clauses=("with {value} as the aspect", "with {value} for the aspect", "taking {value} as the aspect"),
        vague=("with some interesting aspect", "taking the usual aspect", "with a sensible aspect"),
    ),
    _folder("first", ("first folders", "folder one", "main folder")),
    _folder("second", ("second folders", "folder two", "other folder")),
    _folder("spare", ("spare folders", "third folder", "additional folder")),
    Slot(
        "length",
        "length",
        "length",
        "choice",
        synonyms=(
            *("lengths", "size", "how long", "how many bullets", "number of bullets", "how short"),
            "how many points",
        ),
        clauses=("kept to {value}", "told in {value}", "held to {value}"),
        vague=("of a handy length", "of a sensible length", "of a length that suits busy people"),
    ),
)

_HOW = """How to write the summary

Use the documents of the first folder and of the second folder that are asked for, and of the spare folder if there is
one. Write one bullet for each insight on the aspect asked for that these documents hold. Behind it, cite in square
brackets all of these documents that hold it, as in "[3, 17]", and no other.
At full length a summary has at most {most} bullets. Asked for one or two bullets, keep the insights that stand in the
most of these documents; of equals, the one that comes first when they are read by number. If these documents say
nothing on the aspect, answer "Nothing." Every line is a bullet unless it ends in a colon. Each bullet beyond the length
lowers the score, which is coverage times citation F1."""


@dataclass(frozen=True, eq=False)
class FolderFrame(SummaryFrame):
    """A topic of SummHay.

    Attributes:
        folders: Numbers of the documents by slot and folder.
    """

    folders: Mapping[tuple[str, Value], frozenset[int]]

    def chosen(self, values: Mapping[str, Value]) -> frozenset[int]:
        """Return the documents of the folders asked for."""
        return frozenset[int]().union(*(self.folders[slot, values[slot]] for slot in _FOLDERS))


class Original(NamedTuple):
    """What a folder gives."""

    frames: tuple[FolderFrame, ...]
    goals: tuple[SummaryGoal, ...]
    rejections: Mapping[str, int]


def read_original(folder: Path) -> Original:
    """Return the topics of a folder, with a task for each of their subtopics that can be told.

    Raises:
        DataError: There is no file, or one is damaged.
    """
    topics: dict[str, list[SummaryTask]] = {}
    for task in load_haystacks(folder):
        topics.setdefault(task.id.rpartition("-")[0], []).append(task)
    tested = min(topics, key=lambda topic: key_of("summhay", "split", topic))
    frames: list[FolderFrame] = []
    goals: list[SummaryGoal] = []
    rejections: Counter[str] = Counter()
    for topic, tasks in topics.items():
        frame = _frame(topic, tasks, "test" if topic == tested and len(topics) > 1 else "train")
        frames.append(frame)
        for task in tasks:
            goal = _goal(frame, task)
            if reason := _rejected(frame, goal):
                rejections[reason] += 1
            else:
                goals.append(goal)
    return Original(tuple(frames), tuple(goals), MappingProxyType(dict(rejections)))


# -- the documents shown ---------------------------------------------------------------------------------------------
def _chosen(topic: str, tasks: Sequence[SummaryTask]) -> list[Document]:
    """Return the documents shown, by number: the ones that add most, as long as there is room."""
    count: Counter[str] = Counter()
    room = _ROOM
    aspect_of = {name: task.id for task in tasks for name, _ in task.insights}
    left = sorted(tasks[0].documents, key=lambda d: key_of("summhay", topic, d.index))
    chosen: list[Document] = []
    by_aspect: Counter[str] = Counter()
    while left and len(chosen) < DOCUMENTS:
        fitting = [d for d in left if len(d.text) <= room]
        if not fitting:
            break

        def gain(document: Document) -> float:
            known = [name for name in document.insights if name in aspect_of]
            return sum((1.0 if count[n] < _ENOUGH else 0.1) / (1 + by_aspect[aspect_of[n]]) for n in sorted(known))

        best = max(fitting, key=gain)  # the first of equals, in the drawn order
        left.remove(best)
        chosen.append(best)
        room -= len(best.text)
        for name in best.insights:
            if name in aspect_of:
                count[name] += 1
                by_aspect[aspect_of[name]] += 1
    return sorted(chosen, key=lambda d: d.index)


def _folders(topic: str, documents: Sequence[Document]) -> dict[tuple[str, Value], frozenset[int]]:
    """Return the folders: no two of a slot hold the same documents, and every document lies in one of each slot."""
    found: dict[tuple[str, Value], frozenset[int]] = {("spare", _NO_SPARE): frozenset()}
    for slot, (size, names) in _FOLDERS.items():
        lots = list(itertools.combinations([d.index for d in documents], size))
        lots.sort(key=lambda lot: integer(key_of("summhay", topic, slot), Purpose.TASK, key_of(*lot) % (1 << 48)))
        used: Counter[int] = Counter()
        for name in names:
            lot = min(lots, key=lambda lot: sum(used[i] ** 2 for i in lot))  # the first of equals, in the drawn order
            lots.remove(lot)
            used.update(lot)
            found[slot, name] = frozenset(lot)
    return found


# -- frames and goals ------------------------------------------------------------------------------------------------
def _frame(topic: str, tasks: Sequence[SummaryTask], split: str) -> FolderFrame:
    shown = _chosen(topic, tasks)
    aspects = {task.subtopic: tuple(name for name, _ in task.insights) for task in tasks}
    texts = {name: " ".join(text.split()) for task in tasks for name, text in task.insights}
    folders = _folders(topic, shown)
    domains: dict[str, tuple[str, ...]] = {"aspect": tuple(sorted(aspects))}
    domains |= {slot: names for slot, (_, names) in _FOLDERS.items()}
    domains["spare"] = tuple(sorted((*domains["spare"], _NO_SPARE)))
    domains["length"] = tuple(sorted((FULL_LENGTH, *LIMITS)))
    most = max(map(len, aspects.values()))
    return FolderFrame(
        name=f"summary on {tasks[0].topic}",
        split=split,
        brief=_brief(shown, folders, most),
        related=(),
        domains=MappingProxyType(domains),
        neutral=MappingProxyType({"spare": _NO_SPARE, "length": FULL_LENGTH}),
        texts=texts,
        phrases={},
        aspects=aspects,
        most=most,
        held=tuple(Held(d.index, _in_order(d, texts)) for d in shown),
        folders=MappingProxyType(folders),
    )


def _in_order(document: Document, texts: Mapping[str, str]) -> tuple[str, ...]:
    """Return the insights that a document holds, in the order of the source."""
    return tuple(name for name in texts if name in document.insights)


def _brief(documents: Sequence[Document], folders: Mapping[tuple[str, Value], frozenset[int]], most: int) -> str:
    lines = []
    for slot, (_, names) in _FOLDERS.items():
        lots = (f"{name}: {', '.join(map(str, sorted(folders[slot, name])))}" for name in names)
        lines.append(f"{slot.capitalize()} folders: {'; '.join(lots)}")
    texts = (f"[{d.index}]\n{d.text.strip()}" for d in documents)
    return "\n\n".join(("Documents", *texts, "Documents by folder\n" + "\n".join(lines), _HOW.format(most=most)))


def _goal(frame: FolderFrame, task: SummaryTask) -> SummaryGoal:
    """Return the task's goal: its aspect, and the folders that matter for it and hold most of its insights."""
    key = key_of("summhay", "goal", task.id)
    pairs = list(itertools.product(frame.domains["first"], frame.domains["second"]))
    pairs.sort(key=lambda pair: integer(key, Purpose.TASK, key_of(*pair) % (1 << 48)))

    def worth(pair: tuple[Value, Value]) -> tuple[int, int, int]:
        values = _values(frame, task.subtopic, pair)
        right = frame.asked(values).bullets
        first, second, spare = (
            min(
                _WORTH, sum(not set(right) <= set(frame.asked(stale).bullets) for stale in _others(frame, values, slot))
            )
            for slot in _FOLDERS
        )
        return min(first, second), spare, len(right)

    first, second = max(pairs, key=worth)
    return SummaryGoal(
        task.id, frame.name, MappingProxyType({"aspect": task.subtopic, "first": first, "second": second})
    )


def _values(frame: FolderFrame, aspect: str, pair: tuple[Value, Value]) -> dict[str, Value]:
    return {**frame.neutral, "aspect": aspect, "first": pair[0], "second": pair[1]}


def _rejected(frame: FolderFrame, goal: SummaryGoal) -> str:
    """Return why a goal cannot be told, or ""."""
    values = {**frame.neutral, **goal.values}
    right = frame.asked(values)
    if not right.bullets:
        return "task: no shown document holds an insight"
    if not grade(right.case, right.answer).full_credit:
        return "task: its own summary has no full credit"
    for slot in goal.values:
        if not any(_moves(frame, stale, right.case) for stale in _others(frame, values, slot)):
            return f"task: no other {slot} changes the verdict"
    return ""


def _others(frame: FolderFrame, values: Mapping[str, Value], slot: str) -> Iterator[dict[str, Value]]:
    yield from ({**values, slot: other} for other in frame.domains[slot] if other != values[slot])


def _moves(frame: FolderFrame, stale: Mapping[str, Value], case: Mapping[str, object]) -> bool:
    return not grade(case, frame.asked(stale).answer).full_credit
