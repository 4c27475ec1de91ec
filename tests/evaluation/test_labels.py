from __future__ import annotations

from intent_gym.evaluation.labels import agent_label, condition_of, evolving_title, title_of
from tests.evaluation.flux import results

CONFIG = results([]).config


def test_a_named_set_stands_in_place_of_the_split() -> None:
    own = {**CONFIG, "tasks": "general-test-v1", "options": {**CONFIG["options"], "split": "all", "source": "data/x"}}
    assert evolving_title(own) == "Evolving dialogues, budget easy, set general-test-v1, original data"
    assert title_of(own) == ("DriftGSM8K-v0 (budget easy, protocol evolving, source data/x, tasks general-test-v1)")


def test_agents_and_conditions() -> None:
    assert agent_label({**CONFIG, "model": "m", "agent_options": {"miss": 0.05}}) == "folding m [miss 0.05]"
    assert condition_of(CONFIG) == "drift"
    assert condition_of({**CONFIG, "pairing": "root"}) == "root"
