"""Grader of one sentence about the marked cells of a table, in the tasks of ToTTo: sentence BLEU.

Source: BLEU (Papineni et al. 2002), as the benchmarks that tell a table in one sentence use it: tokens of mteval 13a,
exponential smoothing, case counts, all references at once (Parikh et al., "ToTTo", 2020). `bleu` computes it.

Decisions: an exact copy of a reference, blanks aside, scores 1 at any length, where plain BLEU gives 0 to fewer than
four tokens. The score is cut to 1, which BLEU passes by a rounding error. Nothing is taken off the answer: quotes or a
line before the sentence cost what they cost. An answer without a word scores 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from intent_gym.envs.data_to_text.bleu import grade_sentence
from intent_gym.errors import DataError
from intent_gym.grading import Grade

__all__ = ["grade"]


def grade(case: Mapping[str, Any], answer: str, source: Path | None = None) -> Grade:
    """Grade the text of an answer to one task.

    Args:
        case: Of its fields only "references" is used, a list of one sentence or more.
        answer: The raw text.
        source: Not needed.

    Raises:
        DataError: The case has no references.
    """
    return grade_sentence(answer, _references(case))


def _references(case: Mapping[str, Any]) -> list[str]:
    found = case.get("references")
    if not isinstance(found, list) or not all(isinstance(reference, str) and reference.strip() for reference in found):
        raise DataError(f"expected a case with a list of sentences in 'references', got {str(found)[:60]!r}")
    if not found:
        raise DataError("expected a case with at least one reference, got none")
    return found
