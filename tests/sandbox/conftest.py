"""Calls of untrusted functions, as a grader makes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from intent_gym.sandbox import plain
from intent_gym.sandbox.client import Child, Limits
from intent_gym.sandbox.server import Zygote

Outcome = tuple[str, Any]
"""A letter of the protocol and a value (V) or words."""

QUICK = Limits(cpu_s=1, wall_s=3.0)


def call_f(source: str, *arguments: object, limits: Limits = QUICK, zygote: Zygote | None = None) -> Outcome:
    """Load a program and call its function `f`."""
    request = {"blocks": [source], "names": ["f"], "prompt": "", "preamble": "", "limit": limits.output_mb << 20}
    with Child("functions", request, limits, zygote=zygote) as child:
        if not child.ready():
            return "N", ""
        loaded = child.receive()
        if loaded[:1] != b"L":
            return loaded[:1].decode(), loaded[1:].decode()
        child.send(plain.dumps([list(arguments), {}]))
        reply = child.receive()
    letter = reply[:1].decode()
    return letter, plain.loads(reply[1:]) if letter == "V" else reply[1:].decode(errors="replace")


@pytest.fixture
def call() -> Callable[..., Outcome]:
    return call_f
