"""Large JSON files read one entry at a time, plain or gzipped.

The original product file holds some gigabytes in one JSON array; reading it whole would take several times that.
"""

from __future__ import annotations

import gzip
import io
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from intent_gym.errors import DataError

__all__ = ["read_array", "read_object"]

CHUNK = 1 << 20  # characters
MAX_ENTRY = 1 << 26  # characters; an entry that does not end within this many is taken to be corrupt
_GZIP_MAGIC = b"\x1f\x8b"
_DECODE = json.JSONDecoder().raw_decode


def read_array(path: Path) -> Iterator[Any]:
    """Yield the entries of the JSON array in `path`.

    Raises:
        DataError: The file is missing, truncated, corrupt or not an array.
    """
    with _Scanner(path) as scanner:
        scanner.open("[", "array")
        while scanner.more("]"):
            yield scanner.value()
        scanner.finish()


def read_object(path: Path) -> Iterator[tuple[str, Any]]:
    """Yield the pairs of the JSON object in `path`.

    Raises:
        DataError: The file is missing, truncated, corrupt or not an object.
    """
    with _Scanner(path) as scanner:
        scanner.open("{", "object")
        while scanner.more("}"):
            key = scanner.value()
            if not isinstance(key, str):
                raise scanner.corrupt(f"a key, found {key!r}")
            scanner.expect(":")
            yield key, scanner.value()
        scanner.finish()


class _Scanner:
    """A window over the text of one file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._buffer = ""
        self._at = 0
        self._before = 0  # characters dropped in front of the buffer
        self._first = True
        self._ended = False
        try:
            raw = path.open("rb")
        except OSError as error:
            raise DataError(
                f"cannot read {str(path)!r}: {error.strerror}; check the path and its permissions"
            ) from error
        self._raw = raw
        binary: Any = gzip.GzipFile(fileobj=raw) if raw.peek(2)[:2] == _GZIP_MAGIC else raw
        self._text = io.TextIOWrapper(binary, encoding="utf-8-sig")

    def __enter__(self) -> _Scanner:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._text.close()
        self._raw.close()

    def open(self, bracket: str, kind: str) -> None:
        """Step over the opening bracket."""
        found = self._peek()
        if found != bracket:
            shown = repr(found) if found else "an empty file"
            raise DataError(
                f"{str(self._path)!r}: expected a JSON {kind}, which starts with {bracket!r}, found {shown}; "
                "fetch the original file again (a stub of a large-file store is not the file)"
            )
        self._at += 1

    def more(self, closing: str) -> bool:
        """Step over a comma; False, with the closing bracket stepped over, if no entry follows."""
        found = self._peek()
        if found == closing:
            self._at += 1
            return False
        if not self._first:
            self.expect(",")
        self._first = False
        return True

    def expect(self, mark: str) -> None:
        """Step over one mark."""
        found = self._peek()
        if found != mark:
            raise self._truncated() if not found else self.corrupt(f"{mark!r}, found {found!r}")
        self._at += 1

    def value(self) -> Any:  # noqa: ANN401 - any JSON
        """Read one JSON value."""
        if not self._peek():
            raise self._truncated()
        while True:
            try:
                value, end = _DECODE(self._buffer, self._at)
            except json.JSONDecodeError as error:
                if len(self._buffer) - self._at > MAX_ENTRY:
                    raise self.corrupt(f"JSON ({error.msg})") from error
                if not self._fill():
                    if error.pos < len(self._buffer) and not error.msg.startswith("Unterminated"):
                        raise self.corrupt(f"JSON ({error.msg})", error.pos) from error
                    raise self._truncated() from error
            else:
                self._at = end
                return value

    def finish(self) -> None:
        """Check that nothing follows."""
        if found := self._peek():
            raise self.corrupt(f"the end of the file, found {found!r}")

    def corrupt(self, expected: str, at: int | None = None) -> DataError:
        """Return the error for text that is not JSON."""
        position = self._before + (self._at if at is None else at)
        return DataError(
            f"{str(self._path)!r} is corrupt at character {position}: expected {expected}; "
            "fetch the original file again"
        )

    def _truncated(self) -> DataError:
        return DataError(
            f"{str(self._path)!r} is truncated: the text ends at character {self._before + len(self._buffer)} "
            "inside an entry; fetch the original file again"
        )

    def _peek(self) -> str:
        while True:
            while self._at < len(self._buffer) and self._buffer[self._at] in " \t\r\n":
                self._at += 1
            if self._at < len(self._buffer):
                return self._buffer[self._at]
            if not self._fill():
                return ""

    def _fill(self) -> bool:
        if self._ended:
            return False
        try:
            chunk = self._text.read(CHUNK)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise DataError(
                f"{str(self._path)!r} is not a whole gzip file ({error}); fetch the original file again"
            ) from error
        except UnicodeDecodeError as error:
            raise DataError(
                f"{str(self._path)!r} is not UTF-8 text ({error}); fetch the original file again"
            ) from error
        if not chunk:
            self._ended = True
            return False
        self._before += self._at
        self._buffer = self._buffer[self._at :] + chunk
        self._at = 0
        return True
