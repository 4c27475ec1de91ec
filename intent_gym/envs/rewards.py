"""Rewards over a record: success, score, shaped, or a weighting of signals.

All task reward is paid on the terminal step. "shaped" adds, at every step, the difference of the potential (share of T
in V, PROTOCOL 9), which is 0 at the end, so that the optimal policy stays the same (Ng, Harada and Russell, ICML
1999). Pitfall: that holds for undiscounted returns; a learner with a discount sees a small bonus for early questions.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from intent_gym.core.record import EpisodeRecord
from intent_gym.core.signals import potential

__all__ = ["step_reward"]


def step_reward(
    reward: str | Mapping[str, float],
    record: EpisodeRecord | None,
    signals: Mapping[str, float] | None,
    before: float,
) -> tuple[float, float]:
    """Return the reward of a step and the potential after it.

    Args:
        reward: The option.
        record: The episode so far; needed where the reward is shaped.
        signals: The finished episode's signals (undefined ones NaN), with "full_credit"; None while it runs.
        before: Potential before the step.
    """
    task = 0.0
    if signals is not None:
        if isinstance(reward, Mapping):
            task = sum(w * signals[name] for name, w in reward.items() if not math.isnan(signals[name]))
        else:
            task = signals["score" if reward == "score" else "success"]
    if reward != "shaped" or record is None:
        return task, 0.0
    after = 0.0 if signals is not None else potential(record)
    return task + after - before, after
