"""JSON-lines files of a source folder, plain or gzipped, checked row by row."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from intent_gym.envs.desk.files import find, read_text
from intent_gym.errors import DataError

__all__ = ["complaint", "read_rows"]

Row = TypeVar("Row", bound=BaseModel)


def read_rows(folder: str | Path, name: str, row: type[Row], *, needed: bool = True) -> list[Row]:
    """Return the rows of the file `name` or `name`.gz of a folder, in order; none if it is missing and not needed.

    Raises:
        DataError: The folder or a needed file is missing, the file is damaged, or a row is not of this shape.
    """
    path = find(folder, name, needed=needed)
    if path is None:
        return []
    rows = []
    for number, line in enumerate(read_text(path).split("\n")):
        if not line.strip():
            continue
        try:
            rows.append(row.model_validate(json.loads(line)))
        except (json.JSONDecodeError, RecursionError) as error:
            raise DataError(
                f"{path.name}, line {number + 1}: expected one JSON object, found {line[:40]!r} ({error}); is it whole?"
            ) from error
        except ValidationError as error:
            raise DataError(f"{path.name}, line {number + 1}: {complaint(error)}") from error
    return rows


def complaint(error: ValidationError) -> str:
    """Return the first thing that is wrong with a row, in words."""
    first = error.errors(include_url=False)[0]
    where = ".".join(str(part) for part in first["loc"]) or "the row"
    return f"{where}: {first['msg']}, found {str(first['input'])[:60]!r}; copy the original file again"
