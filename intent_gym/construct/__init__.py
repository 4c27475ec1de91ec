"""From a host's goals to verified samples: graphs, faults, texts, three-step verification, pools (PROTOCOL 1, 2)."""

from __future__ import annotations

from intent_gym.construct.pool import construct, save
from intent_gym.construct.report import Report
from intent_gym.construct.samples import Pool
from intent_gym.construct.settings import Settings

__all__ = ["Pool", "Report", "Settings", "construct", "save"]
