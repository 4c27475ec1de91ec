from __future__ import annotations

import pytest

from intent_gym.envs.toy import ToyHost


@pytest.fixture(scope="session")
def tea() -> ToyHost:
    """Return the tea shop."""
    return ToyHost()
