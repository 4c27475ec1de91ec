"""A desk's source folder: JSON and text files, plain or gzipped, and what to say when one is not as it should be."""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from pathlib import Path
from typing import Any, NamedTuple

from intent_gym.errors import DataError

__all__ = ["Source", "find", "read_json", "read_text"]

_GZIP_MAGIC = b"\x1f\x8b"


class Source(NamedTuple):
    """A JSON file that was read."""

    value: Any
    name: str
    """The file's name in its folder."""
    digest: str
    """Digest of the unpacked content: the same for a plain and a gzipped copy."""


def find(folder: str | Path, name: str, *, needed: bool = True) -> Path | None:
    """Return the file `name` or `name`.gz of a folder; None if there is neither and it is not needed.

    Raises:
        DataError: The folder is missing, or a needed file is.
    """
    folder = Path(folder)
    if not folder.is_dir():
        found = "a file" if folder.exists() else "nothing"
        raise DataError(
            f"expected a folder with {name} (or {name}.gz) at {str(folder)!r}, found {found}; check the path"
        )
    for candidate in (folder / name, folder / f"{name}.gz"):
        if candidate.is_file():
            return candidate
    if not needed:
        return None
    present = ", ".join(sorted(path.name for path in folder.iterdir())[:8]) or "an empty folder"
    raise DataError(f"expected {name} or {name}.gz in {str(folder)!r}, found {present}; copy it there")


def read_text(path: Path) -> str:
    """Return the text of a file, unpacked if it is gzipped, whatever its name.

    Raises:
        DataError: The file cannot be read, is truncated, or is not UTF-8.
    """
    try:
        raw = path.read_bytes()
        if raw[:2] == _GZIP_MAGIC:
            raw = gzip.decompress(raw)
        return raw.decode("utf-8-sig")
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise DataError(
            f"{path.name}: expected a whole gzip file, found a damaged one ({error}); copy it again"
        ) from error
    except UnicodeDecodeError as error:
        raise DataError(
            f"{path.name}: expected UTF-8 text, found other bytes at {error.start}; copy it again"
        ) from error
    except OSError as error:
        raise DataError(f"cannot read {str(path)!r}: {error.strerror}; check the path and its permissions") from error


def read_json(path: Path) -> Source:
    """Return the JSON value of a file.

    Raises:
        DataError: As `read_text`, or the text is not JSON.
    """
    text = read_text(path)
    try:
        value = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise DataError(
            f"{path.name}: expected JSON, found a text that is not ({error}); is the file whole?"
        ) from error
    return Source(value, path.name, hashlib.blake2b(text.encode(), digest_size=16).hexdigest())
