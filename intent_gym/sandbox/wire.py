"""Frames on a descriptor: four bytes of length, then the content. Standard library only; both ends use it."""

from __future__ import annotations

import os
import struct

__all__ = ["HEAD", "pack", "read_frame", "write_frame"]

HEAD = struct.Struct(">I")
"""Length of what follows, in bytes."""


def pack(content: bytes) -> bytes:
    """Return a frame."""
    return HEAD.pack(len(content)) + content


def write_frame(descriptor: int, content: bytes) -> None:
    """Write one frame; blocks until it is gone.

    Raises:
        OSError: The other end is closed.
    """
    view = memoryview(pack(content))
    while view:
        view = view[os.write(descriptor, view) :]


def read_frame(descriptor: int) -> bytes:
    """Read one frame; blocks until it is there.

    Raises:
        EOFError: The other end is closed.
    """
    (length,) = HEAD.unpack(_read(descriptor, HEAD.size))
    return _read(descriptor, length)


def _read(descriptor: int, length: int) -> bytes:
    parts: list[bytes] = []
    while length:
        part = os.read(descriptor, min(length, 1 << 20))
        if not part:
            raise EOFError("the other end is closed")
        parts.append(part)
        length -= len(part)
    return b"".join(parts)
