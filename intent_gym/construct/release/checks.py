"""What is wrong with a release folder: raised, or warned of and counted."""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from pydantic import BaseModel, ValidationError

from intent_gym.errors import DataError

__all__ = ["Checks", "Problem", "ProblemKind", "ReleaseWarning"]

M = TypeVar("M", bound=BaseModel)

ProblemKind: TypeAlias = Literal[
    "hash",  # an id or hash that its content does not give
    "corrupt",  # a file or row that cannot be read; not loaded
    "missing tree",  # a sample whose tree is not in the folder; not loaded
    "rejected",  # a row that the release's own verification turned away; not loaded
    "note",  # two places of the release disagree; the tree's word counts
]


class ReleaseWarning(UserWarning):
    """A release folder that is incomplete, or that differs from what its own hashes say."""


class Problem(NamedTuple):
    """Something of the folder that is not as it should be, or that was not loaded."""

    kind: ProblemKind
    file: str
    """Path below the release's folder."""
    item: str
    """The sample, tree or field concerned."""
    reason: str


@dataclass
class Checks:
    """Collects problems; what is broken raises where `strict`.

    Attributes:
        root: The release's folder.
        strict: Whether a wrong hash or a corrupt file raises.
        problems: What was found, in order.
        verified: Number of hashes that agreed.
    """

    root: Path
    strict: bool
    problems: list[Problem] = field(default_factory=list)
    verified: int = 0

    def name(self, path: Path) -> str:
        """Return a path as the release names it."""
        return path.relative_to(self.root).as_posix()

    def same(self, file: str, item: str, stored: str, computed: str) -> None:
        """Compare a stored hash with the one that the content gives.

        Raises:
            DataError: They differ, and `strict`.
        """
        if stored == computed:
            self.verified += 1
            return
        reason = f"expected {computed!r} from the content, found {stored!r}"
        self._broken(Problem("hash", file, item, reason))

    def corrupt(self, file: str, item: str, reason: str) -> None:
        """Note a file or row that cannot be used.

        Raises:
            DataError: Where `strict`.
        """
        self._broken(Problem("corrupt", file, item, reason))

    def _broken(self, problem: Problem) -> None:
        told = f"{self.root / problem.file}: {problem.item}: {problem.reason}"
        if self.strict:
            raise DataError(
                f"{told}. Get the file anew from the release, or pass strict=False to go on without this check."
            )
        self.problems.append(problem)
        warnings.warn(told, ReleaseWarning, stacklevel=2)

    def note(self, kind: ProblemKind, file: str, item: str, reason: str) -> None:
        """Note something that does not stop the loading; notes of disagreement warn."""
        self.problems.append(Problem(kind, file, item, reason))
        if kind == "note":
            warnings.warn(f"{self.root / file}: {item}: {reason}", ReleaseWarning, stacklevel=2)

    def read(self, path: Path) -> Mapping[str, Any] | None:
        """Return the JSON object of a file, or None where it cannot be read and not `strict`."""
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:  # JSON and UTF-8 errors are ValueErrors
            self.corrupt(self.name(path), "file", f"expected JSON, but it cannot be read: {error}")
            return None
        if not isinstance(found, dict):
            self.corrupt(self.name(path), "file", f"expected a JSON object, found a {type(found).__name__}")
            return None
        return found

    def parse(self, model: type[M], data: object, file: str, item: str) -> M | None:
        """Return data as a model, or None where they do not fit and not `strict`."""
        try:
            return model.model_validate(data)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            where = ".".join(str(part) for part in first["loc"]) or "the whole"
            more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
            self.corrupt(file, item, f"{where}: {first['msg']}{more}")
            return None
