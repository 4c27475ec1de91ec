"""Grader of a summary with citations, in the tasks of SummHay, without a model.

Source: the joint score of Laban et al., "Summary of a Haystack" (2024): the mean over insights of coverage times the F1
of the citations. Coverage comes from the words (`intent_gym.envs.summary.coverage`), and citations are judged against
the documents that were *shown*: those that hold the insight count, all others are false, also where the collection
holds the insight in a document that was not shown. So a perfect summary scores 1.

Decisions: of several bullets that cover an insight alike, the one with the best citations counts. An insight that no
shown document holds cannot be known and is left out. Nothing is cut off: a limit on words would take the citations
first. No bullet and no covered insight score 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from intent_gym.envs.summary.bullets import Bullet, f1, read_bullets
from intent_gym.envs.summary.coverage import phrase_coverage, term_coverage, term_weights
from intent_gym.errors import DataError
from intent_gym.grading import Grade

__all__ = ["MAX_BULLETS", "Insight", "grade", "insights_of"]

MAX_BULLETS = 500  # of a summary that are looked at


@dataclass(frozen=True, slots=True)
class Insight:
    """What a summary should say, and where it stands.

    Attributes:
        phrases: Key phrases; empty where only the text tells.
        weights: Terms of the text with their weights.
        documents: Numbers of the shown documents that hold it, ascending.
    """

    id: str
    text: str
    phrases: tuple[str, ...]
    weights: Mapping[str, float]
    documents: tuple[int, ...]

    def coverage(self, bullet: Bullet) -> float:
        """Return how far a bullet covers the insight: 0, 0.5 or 1."""
        if self.phrases:
            return phrase_coverage(bullet.text, self.phrases)
        return term_coverage(bullet.text, self.weights)


def grade(case: Mapping[str, Any], answer: str, source: Path | None = None) -> Grade:
    """Grade the text of a summary.

    Args:
        case: "documents", the shown ones, each with "document_index" and "insights_included" (ids), and "insights",
            each with "insight_id", "insight" and, where there are any, "key_phrases".
        answer: The raw text.
        source: Not needed.

    Raises:
        DataError: The case lacks a field, or no shown document holds an insight.

    >>> case = {
    ...     "documents": [{"document_index": 3, "insights_included": ["i"]}],
    ...     "insights": [{"insight_id": "i", "insight": "Ferries make 96 trips.", "key_phrases": ["96 trips"]}],
    ... }
    >>> grade(case, "- Now 96 trips a day [3].")
    Grade(score=1.0, reason='1 of 1 insights covered, coverage 1.00, citations 1.00')
    """
    insights = insights_of(case)
    bullets = read_bullets(answer)[:MAX_BULLETS]
    best = [max(((i.coverage(b), f1(b.cited, i.documents)) for b in bullets), default=(0.0, 0.0)) for i in insights]
    covered = [cited for coverage, cited in best if coverage]
    score = sum(coverage * cited for coverage, cited in best) / len(best)
    reason = (
        f"{len(covered)} of {len(best)} insights covered, coverage {sum(c for c, _ in best) / len(best):.2f}, "
        f"citations {sum(covered) / len(covered) if covered else 0:.2f}"
    )
    return Grade(score, reason)


def insights_of(case: Mapping[str, Any]) -> tuple[Insight, ...]:
    """Return the insights of a case that a shown document holds.

    Raises:
        DataError: The case lacks a field, or no shown document holds an insight.
    """
    try:
        holders: dict[str, list[int]] = {}
        for document in case["documents"]:
            for held in document["insights_included"]:
                holders.setdefault(held, []).append(int(document["document_index"]))
        rows = [(row["insight_id"], row["insight"], tuple(row.get("key_phrases", ()))) for row in case["insights"]]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise DataError(
            "expected a case with documents (document_index, insights_included) and insights (insight_id, insight), "
            f"got one where {error} is wrong or missing"
        ) from error
    weights = term_weights([text for _, text, _ in rows])
    found = tuple(
        Insight(name, text, phrases, weight, tuple(sorted(set(holders[name]))))
        for (name, text, phrases), weight in zip(rows, weights, strict=True)
        if name in holders
    )
    if not found:
        raise DataError("expected a shown document that holds an insight of the case, got none; show others")
    return found
