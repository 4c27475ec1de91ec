"""What a summary is asked for: one frame is one topic over a set of documents, with the values that can be set.

The values select documents and insights; what a summary should say and cite follows. A limit keeps the insights that
stand in the most of the selected documents; of equals, the one that comes up first when they are read by number.
"""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from intent_gym.core.intent import Value
from intent_gym.envs.summary.coverage import term_weights
from intent_gym.envs.summary.grade import Insight

__all__ = ["FULL_LENGTH", "LIMITS", "NOTHING", "Asked", "Held", "SummaryFrame", "SummaryGoal"]

FULL_LENGTH = "full length"
LIMITS: Mapping[str, int] = {"one bullet": 1, "two bullets": 2}
"""Bullets of a summary that is asked to be short."""
NOTHING = "Nothing on this in these documents."
"""The right answer where no selected document says anything on what is asked."""
_KEPT = 1 << 15
"""Sets of values of a frame whose summaries are kept."""


@dataclass(frozen=True, slots=True)
class Held:
    """A document as far as a summary is concerned.

    Attributes:
        index: Citation number.
        insights: Ids of the insights that it holds, in the order in which they come up.
    """

    index: int
    insights: tuple[str, ...]


@dataclass(frozen=True)
class Asked:
    """What a summary should say for one set of values.

    Attributes:
        bullets: The right bullets: insight id, text and the citation numbers.
        limit: The most bullets that it may have.
        documents: Numbers of the selected documents.
        aspect: Id, text and key phrases of all insights on the aspect.
    """

    bullets: tuple[tuple[str, str, tuple[int, ...]], ...]
    limit: int
    documents: tuple[int, ...]
    aspect: tuple[tuple[str, str, tuple[str, ...]], ...]

    @cached_property
    def answer(self) -> str:
        """The summary that an agent would write."""
        if not self.bullets:
            return NOTHING
        return "\n".join(f"- {text} [{', '.join(map(str, cited))}]" for _, text, cited in self.bullets)

    @cached_property
    def case(self) -> Mapping[str, Any]:
        """What the grader needs; without an insight where there is nothing to say.

        Insights of the aspect that are not asked for stand in no document; they count for the weights of terms.
        """
        return {
            "documents": [
                {"document_index": i, "insights_included": [name for name, _, cited in self.bullets if i in cited]}
                for i in self.documents
            ],
            "insights": [{"insight_id": n, "insight": text, "key_phrases": p} for n, text, p in self.aspect],
        }


@dataclass(frozen=True, eq=False)
class SummaryFrame(ABC):
    """A topic, and what a person can ask of its summary.

    Attributes:
        name: What the person needs, unique in the host.
        split: "train" or "test".
        brief: The public material: the documents, and how a summary is written.
        related: Names of the other frames with the same brief.
        domains: Legal values by slot, sorted; only the slots that the frame has.
        neutral: By optional slot, the value that asks for nothing.
        texts: What each insight says, by id.
        phrases: Key phrases by insight; empty where only the text tells.
        aspects: Ids of the insights by aspect.
        most: The most bullets that a summary of full length may have.
        held: The documents on the topic, by number.
    """

    name: str
    split: str
    brief: str
    related: tuple[str, ...]
    domains: Mapping[str, tuple[Value, ...]]
    neutral: Mapping[str, Value]
    texts: Mapping[str, str]
    phrases: Mapping[str, tuple[str, ...]]
    aspects: Mapping[str, tuple[str, ...]]
    most: int
    held: tuple[Held, ...]
    _asked: dict[tuple[Value, Value, frozenset[int]], Asked] = field(default_factory=dict, repr=False, init=False)

    @abstractmethod
    def chosen(self, values: Mapping[str, Value]) -> frozenset[int]:
        """Return the numbers of the documents that the values select."""

    @cached_property
    def insights(self) -> tuple[Insight, ...]:
        """All insights of the frame, whatever is asked, for reading answers."""
        weights: dict[str, dict[str, float]] = {}
        for names in self.aspects.values():
            weights.update(zip(names, term_weights([self.texts[name] for name in names]), strict=True))
        return tuple(
            Insight(name, text, self.phrases.get(name, ()), weights[name], ()) for name, text in self.texts.items()
        )

    @cached_property
    def selections(self) -> Mapping[frozenset[int], Sequence[Mapping[str, Value]]]:
        """The values of the slots that select documents, by what they select."""
        slots = [slot for slot in self.domains if slot not in ("aspect", "length")]
        found: dict[frozenset[int], list[Mapping[str, Value]]] = {}
        for picked in itertools.product(*(self.domains[slot] for slot in slots)):
            values = dict(zip(slots, picked, strict=True))
            found.setdefault(self.chosen(values), []).append(values)
        return found

    def citing(self, cited: frozenset[int]) -> Iterator[tuple[Value, Value, frozenset[int], Asked]]:
        """Yield what is asked, by aspect, length and selection, where these documents are to be cited and no other."""
        for aspect in self.domains["aspect"]:
            wanted = frozenset(self.aspects[str(aspect)])
            holders = frozenset(d.index for d in self.held if not wanted.isdisjoint(d.insights))
            for chosen in self.selections if cited <= holders else ():
                if cited <= chosen and (cited or chosen.isdisjoint(holders)):
                    for length in self.domains["length"]:
                        asked = self._asked_of(aspect, length, chosen)
                        if cited == {number for _, _, numbers in asked.bullets for number in numbers}:
                            yield aspect, length, chosen, asked

    def asked(self, values: Mapping[str, Value]) -> Asked:
        """Return what a summary should say for a value of every slot."""
        return self._asked_of(values["aspect"], values["length"], self.chosen(values))

    def _asked_of(self, aspect: Value, length: Value, chosen: frozenset[int]) -> Asked:
        key = (aspect, length, chosen)
        found = self._asked.get(key)
        if found is None:
            if len(self._asked) >= _KEPT:
                self._asked.clear()
            found = self._asked[key] = self._select(*key)
        return found

    def _select(self, aspect: Value, length: Value, chosen: frozenset[int]) -> Asked:
        wanted = self.aspects[str(aspect)]
        holders: dict[str, list[int]] = {}
        for document in self.held:
            if document.index in chosen:
                for name in document.insights:
                    if name in wanted:
                        holders.setdefault(name, []).append(document.index)
        limit = LIMITS.get(str(length), self.most)
        kept = set(sorted(holders, key=lambda name: -len(holders[name]))[:limit])  # stable: in reading order
        return Asked(
            tuple((name, self.texts[name], tuple(cited)) for name, cited in holders.items() if name in kept),
            limit,
            tuple(sorted(chosen)),
            tuple((name, self.texts[name], self.phrases.get(name, ())) for name in wanted),
        )


@dataclass(frozen=True)
class SummaryGoal:
    """A task: a frame with a value for each slot that must be told, and for some of the optional ones.

    Attributes:
        id: Public name, which tells nothing; of original data the source's own.
        frame: Name of the frame.
        values: Value by slot id.
    """

    id: str
    frame: str
    values: Mapping[str, Value]
