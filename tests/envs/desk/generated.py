"""What the tests of both desks' generators look at."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Set
from typing import Any

__all__ = ["digest_in_new_processes", "digest_of", "nothing_shared", "shape"]


def shape(value: object, maps: Set[str], kinds: tuple[str, ...], at: str = "") -> Iterator[tuple[str, str]]:
    """Yield (path, type) of everything within a JSON value.

    Args:
        value: The JSON value.
        maps: Names of objects whose keys are data.
        kinds: Fields of a row whose value is part of its path, the first that is there.
        at: Path of the value.
    """
    if isinstance(value, dict):
        kind = next((f"({value[field]})" for field in kinds if value.get(field)), "")
        for key, item in value.items():
            yield from shape(item, maps, kinds, f"{at}{kind}.{'*' if at.rpartition('.')[2] in maps else key}")
    elif isinstance(value, list):
        for item in value:
            yield from shape(item, maps, kinds, f"{at}[]")
    else:
        yield at, type(value).__name__


def nothing_shared(*values: object) -> bool:
    """Return whether no list or object stands in two places of some JSON values."""
    seen: set[int] = set()

    def walk(value: object) -> bool:
        if not isinstance(value, (dict, list)):
            return True
        if id(value) in seen:
            return False
        seen.add(id(value))
        return all(walk(item) for item in (value.values() if isinstance(value, dict) else value))

    return all(walk(value) for value in values)


def digest_of(generate: Callable[[int, int], Any]) -> str:
    """Return a digest of the data of 60 users with seed 5."""
    return hashlib.sha256(json.dumps(generate(60, 5)).encode()).hexdigest()


def digest_in_new_processes(module: str) -> set[str]:
    """Return the digests that processes with other hash seeds give for a generator."""
    code = f"import hashlib, json; from {module} import generate; "
    code += "print(hashlib.sha256(json.dumps(generate(60, 5)).encode()).hexdigest())"
    found = set()
    for seed in ("0", "1"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", code]
        run = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
        found.add(run.stdout.strip())
    return found
