"""A test that takes `env_id` runs for every registered environment; `interface` and `protocol` run over all there are.

Sizes: what is the same code for all ids is played longest where it is cheap, on the toy, and each id often enough to
find what its host does wrong. ``INTENT_GYM_FULL=1 pytest -m slow -rP tests/envs tests/agents`` plays full sizes of
every id and prints the figures; it takes hours.
"""

from __future__ import annotations

import pytest

from intent_gym.envs.options import INTERFACES, PROTOCOLS
from intent_gym.registration import ENVIRONMENTS


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "env_id" in metafunc.fixturenames:
        # One worker takes all tests of an id, so that its cases are made once.
        ids = [pytest.param(s.id, marks=pytest.mark.xdist_group(s.id)) for s in ENVIRONMENTS]
        metafunc.parametrize("env_id", ids)
    if "interface" in metafunc.fixturenames:
        metafunc.parametrize("interface", INTERFACES)
    if "protocol" in metafunc.fixturenames:
        metafunc.parametrize("protocol", PROTOCOLS)
