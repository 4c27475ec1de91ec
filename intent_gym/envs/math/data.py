"""The source folder of GSM8K: ``test.jsonl`` and ``train.jsonl``, plain or gzipped, a question and its solution a row.

Source: the data of "Training Verifiers to Solve Math Word Problems" (Cobbe et al. 2021), licence MIT. Either file may
be missing. A folder is read once a process.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from intent_gym.envs.lines import read_rows
from intent_gym.envs.math.expressions import Solution, read_solution
from intent_gym.envs.math.grade import gold_number
from intent_gym.errors import DataError

__all__ = ["MathTask", "load_math"]


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class MathTask:
    """One problem.

    Attributes:
        id: The file's name and the line's number from 0, ``test-14``; other data sets count the same way.
        answer: The solution, with its annotations, ending in ``#### n``.
        gold: The number after the last ``####``.
    """

    id: str
    split: Literal["train", "test"]
    question: str
    answer: str
    gold: Fraction

    @property
    def case(self) -> dict[str, str]:
        """What the grader needs."""
        return {"question": self.question, "answer": self.answer}

    @property
    def gold_answer(self) -> str:
        """An answer with full credit."""
        return f"#### {self.gold}"

    def solution(self) -> Solution:
        """Return the solution's steps."""
        return read_solution(self.question, self.answer)


@lru_cache(maxsize=4)
def load_math(folder: str | Path) -> tuple[MathTask, ...]:
    """Return the problems of a folder, test before train, in the files' order.

    Raises:
        DataError: There is no file, one is damaged, or a row has no gold number.
    """
    tasks: list[MathTask] = []
    splits: tuple[Literal["test", "train"], ...] = ("test", "train")
    for split in splits:
        for number, row in enumerate(read_rows(folder, f"{split}.jsonl", _Row, needed=False)):
            name = f"{split}-{number}"
            try:
                gold = gold_number({"answer": row.answer})
            except DataError as error:
                raise DataError(f"{split}.jsonl, row {number}: {error}") from error
            tasks.append(MathTask(name, split, row.question, row.answer, gold))
    if not tasks:
        raise DataError(f"expected test.jsonl or train.jsonl (or .gz) with problems in {str(folder)!r}, found none")
    return tuple(tasks)
