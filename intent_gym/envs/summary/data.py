"""The source folder of SummHay: haystacks of a hundred documents, plain or gzipped.

Source: Laban et al., "Summary of a Haystack" (2024), licence Apache-2.0: ``topic_<name>.json`` or, without the stored
summaries, ``topic_<name>.trimmed.json``. A file is one topic; each of its subtopics is one task: what the documents say
about one question. A folder is read once a process.

The original scores a summary of some documents against all hundred, so that no summary can be perfect. Here a task
shows a fixed choice of `SHOWN` documents (`choose`), and only these are judged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from intent_gym.core.rng import key_of
from intent_gym.envs.desk.files import read_json
from intent_gym.envs.lines import complaint
from intent_gym.errors import DataError

__all__ = ["SHOWN", "Document", "SummaryTask", "choose", "load_haystacks"]

SHOWN = 14
"""Documents that a task shows: about as many as the sharded benchmark built on these data does."""
HOLDERS = 2
"""Documents chosen for every insight, where there are that many, before others are added."""


class _Document(BaseModel):
    model_config = ConfigDict(extra="allow")

    document_id: str
    document_text: str
    insights_included: list[str]
    document_index: int


class _Insight(BaseModel):
    model_config = ConfigDict(extra="allow")

    insight_id: str
    insight: str


class _Subtopic(BaseModel):
    model_config = ConfigDict(extra="allow")

    subtopic_id: str
    subtopic: str
    query: str
    insights: list[_Insight]


class _Topic(BaseModel):
    model_config = ConfigDict(extra="allow")

    topic_id: str
    topic: str
    subtopics: list[_Subtopic]
    documents: list[_Document]


@dataclass(frozen=True, slots=True)
class Document:
    """One document of a haystack; `index` is its citation number, from 1."""

    id: str
    index: int
    text: str
    insights: frozenset[str]


@dataclass(frozen=True)
class SummaryTask:
    """One question about one haystack.

    Attributes:
        id: The file's name and the subtopic's number from 0, ``news1-3``.
        documents: The whole haystack, by citation number; shared by the tasks of a topic.
        insights: Id and text of what the haystack says about the question.
    """

    id: str
    topic: str
    subtopic: str
    query: str
    documents: tuple[Document, ...]
    insights: tuple[tuple[str, str], ...]

    def shown(self) -> tuple[Document, ...]:
        """Return the documents that the task shows, by citation number."""
        return choose(self.id, self.documents, [name for name, _ in self.insights])

    def case(self, documents: Sequence[Document] | None = None) -> dict[str, Any]:
        """Return what the grader needs, with these documents shown instead of the task's own choice."""
        shown = self.shown() if documents is None else documents
        holders = _holders(self.documents, [name for name, _ in self.insights])
        return {
            "topic": self.topic,
            "query": self.query,
            "domain": "news",
            "documents": [
                {
                    "document_id": document.id,
                    "document_index": document.index,
                    "document_text": document.text,
                    "insights_included": sorted(document.insights),
                }
                for document in shown
            ],
            "insights": [{"insight_id": name, "insight": text} for name, text in self.insights],
            "insightid2ref_citations": {name: [d.index for d in held] for name, held in holders.items()},
        }

    def gold_answer(self, documents: Sequence[Document] | None = None) -> str:
        """Return an answer with full credit: the insights' own texts, each with all shown documents that hold it."""
        shown = self.shown() if documents is None else documents
        lines = []
        for name, text in self.insights:
            if held := [document.index for document in shown if name in document.insights]:
                lines.append(f"- {' '.join(text.split())} [{', '.join(map(str, held))}]")
        return "\n".join(lines)


def choose(
    key: str, documents: Sequence[Document], insights: Sequence[str], count: int = SHOWN
) -> tuple[Document, ...]:
    """Return `count` documents, by citation number: a pure function of the arguments.

    Every insight in turn gets a document that holds it, then a second one, in an order drawn from the key; what is left
    is filled with documents that hold none of the insights, and then with any.
    """
    ranked = sorted(documents, key=lambda document: key_of("summary", key, document.index))
    chosen: dict[int, Document] = {}
    for wanted in range(1, HOLDERS + 1):
        for name in insights:
            held = [document for document in ranked if name in document.insights]
            have = sum(document.index in chosen for document in held)
            for document in held:
                if have >= wanted or len(chosen) >= count:
                    break
                have += document.index not in chosen
                chosen[document.index] = document
    names = set(insights)
    for document in sorted(ranked, key=lambda document: bool(document.insights & names)):
        if len(chosen) >= count:
            break
        chosen.setdefault(document.index, document)
    return tuple(chosen[index] for index in sorted(chosen))


@lru_cache(maxsize=4)
def load_haystacks(folder: str | Path) -> tuple[SummaryTask, ...]:
    """Return the tasks of a folder, file by file in the order of their names.

    Raises:
        DataError: There is no file, one is damaged, or its documents do not hold an insight.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise DataError(
            f"expected a folder with topic_<name>.json files at {str(folder)!r}, found none; check the path"
        )
    tasks: list[SummaryTask] = []
    for path in sorted([*folder.glob("topic_*.json"), *folder.glob("topic_*.json.gz")]):
        tasks += _topic(path)
    if not tasks:
        raise DataError(
            f"expected topic_<name>.json (or .gz) in {str(folder)!r}, found none; copy SummHay's files there"
        )
    return tuple(tasks)


def _topic(path: Path) -> list[SummaryTask]:
    try:
        topic = _Topic.model_validate(read_json(path).value)
    except ValidationError as error:
        raise DataError(f"{path.name}: {complaint(error)}") from error
    documents = tuple(
        Document(row.document_id, row.document_index, row.document_text, frozenset(row.insights_included))
        for row in sorted(topic.documents, key=lambda row: row.document_index)
    )
    if len({document.index for document in documents}) < len(documents):
        raise DataError(f"{path.name}: expected a citation number of its own for every document, found one twice")
    name = path.name.removeprefix("topic_").split(".")[0]
    tasks = []
    for number, row in enumerate(topic.subtopics):
        insights = tuple((insight.insight_id, insight.insight) for insight in row.insights)
        held = _holders(documents, [identity for identity, _ in insights])
        if missing := [identity for identity, where in held.items() if not where]:
            raise DataError(f"{path.name}: expected a document that holds insight {missing[0]!r}, found none")
        tasks.append(SummaryTask(f"{name}-{number}", topic.topic, row.subtopic, row.query, documents, insights))
    return tasks


def _holders(documents: Sequence[Document], insights: Sequence[str]) -> Mapping[str, list[Document]]:
    return {name: [document for document in documents if name in document.insights] for name in insights}
