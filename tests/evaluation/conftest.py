"""Makes `fake_env` importable, in worker processes too, and registers Fake-v0."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import gymnasium as gym
import pytest


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    module = importlib.import_module("fake_env")
    module.register()
    yield module
    gym.registry.pop("Fake-v0", None)
    sys.modules.pop("fake_env", None)
