"""Fixtures shared by all tests."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

DATA = Path(os.environ.get("INTENT_GYM_DATA") or Path(__file__).resolve().parents[2] / "shared" / "data")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Return the folder of recorded data, or skip: it is not part of the repository."""
    if not DATA.is_dir():
        pytest.skip(f"needs the recorded data, found no folder {DATA}; set INTENT_GYM_DATA to it")
    return DATA


@pytest.fixture
def full() -> bool:
    """Return whether full sizes are asked for: ``INTENT_GYM_FULL=1 pytest -m slow`` plays them, and takes hours."""
    return bool(os.environ.get("INTENT_GYM_FULL"))


@pytest.fixture
def only_full(full: bool) -> Callable[[bool], None]:
    """Return what skips a test where full sizes are not asked for, unless told that this case always runs."""

    def check(always: bool) -> None:
        if not (full or always):
            pytest.skip("a smaller size of this runs in another test; INTENT_GYM_FULL=1 runs this one")

    return check
