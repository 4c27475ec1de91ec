"""What the environments of service desks share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from intent_gym.envs.base import DriftEnv
from intent_gym.envs.desk.host import DeskHost
from intent_gym.envs.release.desk import DeskRelease

__all__ = ["DeskEnv"]


class DeskEnv(DriftEnv):
    """A dialogue at a service desk whose acts are tool calls."""

    host_options: ClassVar[Mapping[str, Any]] = {
        "tau2_compat": False,
        "max_guess": None,
        "users": None,
        "data_seed": None,
        "writes": "staged",
        "host_data": None,
        "transitions": None,
        "acceptance": None,
    }
    loader_options = ("tau2_compat", "users", "data_seed", "writes", "host_data", "transitions", "acceptance")

    @property
    def tools(self) -> list[dict[str, Any]]:
        """The tools as function-calling interfaces take them: a new list of JSON schemas."""
        assert isinstance(self.host, DeskHost | DeskRelease)  # the subclass names one
        return self.host.tool_schemas()
