"""Grading one answer of one task, outside any dialogue: the right grader of each family by itself.

The contract of every grader: the score is a float in [0, 1]; full credit is a score of at least 1 - 1e-9; an answer
that cannot be read scores 0 and says why; whatever goes wrong in the grader itself, its data or its sandbox is an
exception and never a score.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from intent_gym.errors import OptionError, suggest
from intent_gym.grading_table import GRADERS

__all__ = ["FULL_CREDIT", "Grade", "Grader", "grade"]

FULL_CREDIT = 1 - 1e-9
"""The least score that counts as full credit: sums of floats end a little under or over 1."""


@dataclass(frozen=True, slots=True)
class Grade:
    """A verdict.

    Attributes:
        score: In [0, 1]; a float a little over 1, as BLEU gives, is cut.
        reason: Why, in a few words for a reader; never needed to know the score.

    Raises:
        ValueError: The score is not a number: a fault of the grader.
    """

    score: float
    reason: str = ""

    def __post_init__(self) -> None:
        score = float(self.score)
        if not math.isfinite(score):
            raise ValueError(f"expected a finite score, found {self.score!r}; the grader is at fault")
        object.__setattr__(self, "score", min(1.0, max(0.0, score)))

    @property
    def full_credit(self) -> bool:
        """Whether the answer is wholly right.

        >>> Grade(1 - 1e-12).full_credit, Grade(0.999).full_credit, Grade(1.0000000000000004).score
        (True, False, 1.0)
        """
        return self.score >= FULL_CREDIT


Grader = Callable[[Mapping[str, Any], str, "Path | None"], Grade]
"""``grader(case, answer, source)``: `case` as in the recordings, `source` the data folder or None."""


def grade(host: str, case: Mapping[str, Any], answer: str, source: str | Path | None = None) -> Grade:
    """Return what an answer scores on a case.

    Args:
        host: The family's folder name in `envs/`, "code" for example.
        case: The task with all that its grader needs, in the fields of the original data set.
        answer: The raw text of the model.
        source: The folder of the original data, where the grader needs one: databases for "sql".

    Raises:
        OptionError: No such family, or an argument of the wrong kind.
        DataError: The case lacks a field, or its own reference is broken.
        SandboxError: The child process that untrusted code runs in failed by itself.
        MissingExtraError: The family's grader needs an extra that is not installed.
    """
    if host not in GRADERS:
        raise OptionError(f"no grader for {host!r}{suggest(host, GRADERS)}; families: {', '.join(sorted(GRADERS))}")
    if not isinstance(case, Mapping):
        raise OptionError(f"case: expected a mapping with the task's fields, found {type(case).__name__}")
    if not isinstance(answer, str):
        raise OptionError(
            f"answer: expected the model's text, found {type(answer).__name__}; grade no answer as an empty text"
        )
    if source is not None and not isinstance(source, (str, Path)):
        raise OptionError(f"source: expected a folder or None, found {type(source).__name__}")
    module, function = GRADERS[host].split(":")
    grader: Grader = getattr(importlib.import_module(module), function)
    return grader(case, answer, None if source is None else Path(source))
