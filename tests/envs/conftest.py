"""A test that takes `env_id` runs for every registered environment; one that takes `interface`, for all three."""

from __future__ import annotations

import pytest

from intent_gym.envs.options import INTERFACES
from intent_gym.registration import ENVIRONMENTS

FAMILIES = ("math", "sql", "data_to_text", "summary", "tools")
"""Hosts whose commits are answers: their briefs and answers do not pass the tests below yet."""
NOT_YET = (
    "test_clean_run_tells_the_intent_of_any_node_completely",
    "test_clean_run_is_worded_anew_with_every_seed",
    "test_control_run_can_be_as_long_as_any_drift_run",
    "test_what_is_hidden_does_not_interfere",
    "test_no_hidden_word_is_shown_before_it_is_told",
    "test_other_seed_gives_another_dialogue",
    "test_reset_picks_case_and_persona",
    "test_oracle_tells_what_a_commit_made_now_is_judged_against",
)
"""Tests of the silent protocol that expect the request as the first message, or acts before a commit. The slow ones and
those that train run on the other hosts only, too."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "env_id" in metafunc.fixturenames:
        marks = {mark.name for mark in metafunc.definition.iter_markers()}
        few = metafunc.function.__name__ in NOT_YET or marks & {"slow", "train"}
        metafunc.parametrize("env_id", [s.id for s in ENVIRONMENTS if not (few and s.host in FAMILIES)])
    if "interface" in metafunc.fixturenames:
        metafunc.parametrize("interface", INTERFACES)
