"""A test that takes `env_id` runs for every registered environment; `interface` and `protocol` run over all there are.

Sizes: the ids have few lines of their own (a host), so what is the same code for all of them is played longest where it
is cheap, and each id often enough to find what its host does wrong. ``INTENT_GYM_FULL=1 pytest -m slow -s tests/envs``
plays the full sizes, hours of them, and prints the figures.
"""

from __future__ import annotations

import pytest

from intent_gym.envs.options import INTERFACES, PROTOCOLS
from intent_gym.registration import ENVIRONMENTS


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "env_id" in metafunc.fixturenames:
        metafunc.parametrize("env_id", [spec.id for spec in ENVIRONMENTS])
    if "interface" in metafunc.fixturenames:
        metafunc.parametrize("interface", INTERFACES)
    if "protocol" in metafunc.fixturenames:
        metafunc.parametrize("protocol", PROTOCOLS)
