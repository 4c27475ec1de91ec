"""Grader of function calls in the tasks of BFCL: the right calls, each once, in any order.

The original gives each expected call the first unused output that fits; this one looks for an assignment (bipartite
matching), so the order of the calls never matters. An answer is right or wrong, there is no score between.

Decisions: in the category "irrelevance" no function serves the question, and the right answer is an empty list of
calls, ``[]``. A text that cannot be read is no abstention and scores 0 there too. Function names are compared exactly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from intent_gym.envs.tools.calls import CallFault, read_calls
from intent_gym.envs.tools.match import Complaint, Entry, mismatch
from intent_gym.errors import DataError
from intent_gym.grading import Grade

__all__ = ["grade"]

_NEARNESS = ("wrong function", "unexpected parameter", "missing parameter", "wrong type", "wrong slot", "wrong value")
"""Complaints from the most to the least distant call."""


def grade(case: Mapping[str, Any], answer: str, source: Path | None = None) -> Grade:
    """Grade the text of an answer to one task.

    Args:
        case: "function", the schemas, and "ground_truth", a list of ``{function: {parameter: [possible values]}}``;
            empty or None where no call is right.
        answer: The raw text.
        source: Not needed.

    Raises:
        DataError: The case lacks a field or has another shape.

    >>> case = {
    ...     "function": [{"name": "add", "parameters": {"properties": {"a": {"type": "integer"}}, "required": ["a"]}}],
    ...     "ground_truth": [{"add": {"a": [1, 2]}}, {"add": {"a": [1]}}],
    ... }
    >>> grade(case, "[add(a=1), add(a=2)]").score
    1.0
    >>> grade(case, "[add(a=2), add(a=2)]").reason
    'wrong value: add: expected a=1, got 2'
    """
    functions, expected = _case(case)
    try:
        calls = read_calls(answer)
    except CallFault as fault:
        return Grade(0.0, str(fault))
    if len(calls) != len(expected):
        return Grade(0.0, f"wrong count: expected {len(expected)} calls, got {len(calls)}")
    table = [[mismatch(call, entry, functions) for call in calls] for entry in expected]
    given = _assignment([[complaint is None for complaint in row] for row in table])
    if None not in given:
        return Grade(1.0, f"all {len(expected)} calls are right" if expected else "no call, rightly")
    left = [number for number in range(len(calls)) if number not in given]
    complaints = [complaint for number in left if (complaint := table[given.index(None)][number])]
    return Grade(0.0, _nearest(complaints))


def _case(case: Mapping[str, Any]) -> tuple[dict[str, Mapping[str, Any]], Sequence[Entry]]:
    functions, expected = case.get("function"), case.get("ground_truth") or []
    if not isinstance(functions, list) or not all(isinstance(f, Mapping) and "name" in f for f in functions):
        raise DataError(f"expected a case with a list of schemas in 'function', got {str(functions)[:60]!r}")
    if not isinstance(expected, list):
        raise DataError(f"expected a list of calls in 'ground_truth', got {str(expected)[:60]!r}")
    for entry in expected:
        if not (isinstance(entry, Mapping) and len(entry) == 1):
            raise DataError(f"ground_truth: expected {{function: parameters}}, got {str(entry)[:60]!r}")
        ((_, parameters),) = entry.items()
        if not isinstance(parameters, Mapping) or not all(isinstance(v, list) and v for v in parameters.values()):
            raise DataError(f"ground_truth: expected a list of possible values each, got {str(parameters)[:60]!r}")
    if "ground_truth" not in case and case.get("category") != "irrelevance":
        raise DataError("expected a case with 'ground_truth', got none; only the category irrelevance has none")
    return {function["name"]: function for function in functions}, expected


def _assignment(fit: Sequence[Sequence[bool]]) -> list[int | None]:
    """Return for every row a column of its own that fits, as many rows as possible (Kuhn's augmenting paths)."""
    row_of: dict[int, int] = {}

    def place(row: int, tried: set[int]) -> bool:
        for column, fits in enumerate(fit[row]):
            if fits and column not in tried:
                tried.add(column)
                if column not in row_of or place(row_of[column], tried):
                    row_of[column] = row
                    return True
        return False

    for row in range(len(fit)):
        place(row, set())
    given: list[int | None] = [None] * len(fit)
    for column, row in row_of.items():
        given[row] = column
    return given


def _nearest(complaints: Sequence[Complaint]) -> str:
    """Return the complaint about the call that comes nearest, and whether its value belongs to another slot."""
    if not complaints:
        return "wrong call: the calls fit the same expected call twice"
    kind, text = max(complaints, key=lambda complaint: _NEARNESS.index(complaint.kind))
    return f"{kind}: {text}"
