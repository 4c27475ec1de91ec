"""A test that takes `env_id` runs for every environment that is silent by default; one that takes `interface`, for all."""

from __future__ import annotations

import pytest

from intent_gym.envs.options import INTERFACES
from intent_gym.registration import ENVIRONMENTS

FAMILIES = ("math", "sql", "data_to_text", "summary", "tools")
"""Hosts that are evolving by default. The tests here pass options of the silent protocol and expect its signals, so they
do not run on these hosts yet; what covers them is in their own folders and in `tests/agents/scripted/test_evolving.py`.
"""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "env_id" in metafunc.fixturenames:
        metafunc.parametrize("env_id", [spec.id for spec in ENVIRONMENTS if spec.host not in FAMILIES])
    if "interface" in metafunc.fixturenames:
        metafunc.parametrize("interface", INTERFACES)
