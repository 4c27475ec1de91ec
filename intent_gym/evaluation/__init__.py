"""Evaluation: running agents, keeping what happened, and saying what it shows."""

from intent_gym.evaluation.results import Results, Row
from intent_gym.evaluation.runner import evaluate
from intent_gym.evaluation.statistics import Interval, Summary
from intent_gym.evaluation.store import EpisodeError, RunStore, StoredRun, find_runs

__all__ = [
    "EpisodeError",
    "Interval",
    "Results",
    "Row",
    "RunStore",
    "StoredRun",
    "Summary",
    "evaluate",
    "find_runs",
]
