"""The official Drift-Bench++ release, loaded from a user's folder: trees, samples, transitions, checks."""

from __future__ import annotations

from intent_gym.construct.release.checks import Problem, ReleaseWarning
from intent_gym.construct.release.loader import Release, load_release
from intent_gym.construct.release.names import Names, plain, rename_graph, rename_sample
from intent_gym.construct.release.replay import Replayed, replay
from intent_gym.construct.release.report import Report, describe
from intent_gym.construct.release.samples import ReleaseSample
from intent_gym.construct.release.trees import FRAME_SLOT, Action, Payload, ReleaseTree

__all__ = [
    "FRAME_SLOT",
    "Action",
    "Names",
    "Payload",
    "Problem",
    "Release",
    "ReleaseSample",
    "ReleaseTree",
    "ReleaseWarning",
    "Replayed",
    "Report",
    "describe",
    "load_release",
    "plain",
    "rename_graph",
    "rename_sample",
    "replay",
]
