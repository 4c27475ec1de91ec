"""Grader of one sentence about the marked cells of a table, in the tasks of ToTTo: sentence BLEU.

Source: BLEU (Papineni et al. 2002) by sacrebleu, as the benchmarks that tell a table in one sentence use it: tokens of
mteval 13a, exponential smoothing, case counts, all references at once (Parikh et al., "ToTTo", 2020).

Decisions: an exact copy of a reference, blanks aside, scores 1 at any length, where plain BLEU gives 0 to fewer than
four tokens. The score is cut to 1, which sacrebleu passes by a rounding error. Nothing is taken off the answer: quotes
or a line before the sentence cost what they cost. An answer without a word scores 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from intent_gym.errors import DataError, MissingExtraError
from intent_gym.grading import Grade

if TYPE_CHECKING:
    from sacrebleu.metrics.bleu import BLEU

__all__ = ["MAX_ANSWER", "grade"]

MAX_ANSWER = 1 << 14  # characters; a longer text can only be far from a sentence


def grade(case: Mapping[str, Any], answer: str, source: Path | None = None) -> Grade:
    """Grade the text of an answer to one task.

    Args:
        case: Of its fields only "references" is used, a list of one sentence or more.
        answer: The raw text.
        source: Not needed.

    Raises:
        DataError: The case has no references.
        MissingExtraError: sacrebleu is not installed.
    """
    bleu = _bleu()
    references = _references(case)
    said = " ".join(answer.split())
    if not said:
        return Grade(0.0, "an empty answer")
    if said in (" ".join(reference.split()) for reference in references):
        return Grade(1.0, "a copy of a reference")
    if len(answer) > MAX_ANSWER:
        return Grade(0.0, f"expected one sentence, got {len(answer)} characters")
    score = bleu.corpus_score([answer], [[reference] for reference in references]).score / 100
    return Grade(score, f"BLEU {score:.3f} against {len(references)} references")


def _bleu() -> BLEU:
    try:
        from sacrebleu.metrics.bleu import BLEU
    except ImportError as error:
        raise MissingExtraError(
            "grading a sentence about a table needs sacrebleu, the extra `general`: "
            "pip install 'intent-gym[general]' (or '.[general]' in a clone)"
        ) from error
    return BLEU()


def _references(case: Mapping[str, Any]) -> list[str]:
    found = case.get("references")
    if not isinstance(found, list) or not all(isinstance(reference, str) and reference.strip() for reference in found):
        raise DataError(f"expected a case with a list of sentences in 'references', got {str(found)[:60]!r}")
    if not found:
        raise DataError("expected a case with at least one reference, got none")
    return found
