"""Where each family's grader is: ``module:function`` by folder name in `envs/`. A new family is one row here.

A grader is ``grade(case, answer, source) -> Grade``; see `intent_gym.grading`.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["GRADERS"]

GRADERS: Mapping[str, str] = {
    "code": "intent_gym.envs.code.grade:grade",
    "data_to_text": "intent_gym.envs.data_to_text.grade:grade",
    "math": "intent_gym.envs.math.grade:grade",
    "sql": "intent_gym.envs.sql.grade:grade",
    "summary": "intent_gym.envs.summary.grade:grade",
    "tools": "intent_gym.envs.tools.grade:grade",
}
