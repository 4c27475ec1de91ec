"""Evaluation: running agents, keeping what happened, and saying what it shows."""

from intent_gym.evaluation.conditions import Comparison, compare_conditions
from intent_gym.evaluation.judges import InventoryJudge, Judge, NaiveBayes
from intent_gym.evaluation.realism import Realism, realism
from intent_gym.evaluation.results import Results, Row
from intent_gym.evaluation.runner import evaluate
from intent_gym.evaluation.statistics import Interval, Summary
from intent_gym.evaluation.store import EpisodeError, RunStore, StoredRun, find_runs

__all__ = [
    "Comparison",
    "EpisodeError",
    "Interval",
    "InventoryJudge",
    "Judge",
    "NaiveBayes",
    "Realism",
    "Results",
    "Row",
    "RunStore",
    "StoredRun",
    "Summary",
    "compare_conditions",
    "evaluate",
    "find_runs",
    "realism",
]
