from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from intent_gym.construct.release import ReleaseWarning
from intent_gym.envs.airline.env import DriftAirlineEnv
from intent_gym.envs.base import DriftEnv
from intent_gym.envs.hosts import load_host
from intent_gym.envs.release.host import ReleaseHost
from intent_gym.envs.retail.env import DriftRetailEnv
from intent_gym.envs.webshop.env import DriftWebShopEnv

ENVS: dict[str, type[DriftEnv]] = {
    "airline": DriftAirlineEnv,
    "retail": DriftRetailEnv,
    "webshop": DriftWebShopEnv,
}
Options = dict[str, Any]


@pytest.fixture(scope="session")
def options(shared_data: Path) -> Callable[..., Options]:
    """Return what makes a host's environment play the fixtures of the release."""

    def of(name: str, **more: Any) -> Options:
        data = {} if name == "webshop" else {"host_data": str(shared_data / "tau2")}
        return {"source": str(shared_data / "driftbench"), "split": "all", **data, **more}

    return of


@pytest.fixture(scope="session")
def host(options: Callable[..., Options]) -> Callable[..., ReleaseHost]:
    """Return a host over the fixtures; that they are a part of the release warns, once."""

    def of(name: str, **more: Any) -> ReleaseHost:
        given = options(name, **more)
        del given["split"]
        source = given.pop("source")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ReleaseWarning)
            found = load_host(name, source, given)
        assert isinstance(found, ReleaseHost)
        return found

    return of


@pytest.fixture(scope="session")
def make(options: Callable[..., Options]) -> Callable[..., DriftEnv]:
    """Return an environment over the fixtures."""

    def of(name: str, **more: Any) -> DriftEnv:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ReleaseWarning)
            return ENVS[name](**options(name, **more))

    return of
