"""Fixtures shared by all tests."""

from __future__ import annotations

import os
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
    """Return whether full sizes are asked for: ``INTENT_GYM_FULL=1 pytest -m slow -s`` plays them, and takes hours."""
    return bool(os.environ.get("INTENT_GYM_FULL"))
