"""A test that takes `env_id` runs for every registered environment; one that takes `interface`, for all three."""

from __future__ import annotations

import pytest

from intent_gym.envs.options import INTERFACES
from intent_gym.registration import ENVIRONMENTS


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "env_id" in metafunc.fixturenames:
        metafunc.parametrize("env_id", [spec.id for spec in ENVIRONMENTS])
    if "interface" in metafunc.fixturenames:
        metafunc.parametrize("interface", INTERFACES)
