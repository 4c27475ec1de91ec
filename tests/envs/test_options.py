"""Options are checked in one place, and every message names what is valid."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

from intent_gym.construct.plans import case_pool
from intent_gym.core.config import DriftConfig, ProtocolConfig
from intent_gym.core.faults import FAULTS
from intent_gym.core.personas import PERSONAS
from intent_gym.core.signals import GRIP
from intent_gym.envs.hosts import load_host
from intent_gym.envs.options import EnvOptions, drift_config, parse
from intent_gym.envs.toy.env import DriftToyEnv
from intent_gym.errors import DataError, OptionError, TaskError
from intent_gym.registration import ENVIRONMENTS

HOST_OF = {spec.id: spec.host for spec in ENVIRONMENTS}
WRONG: list[tuple[dict[str, Any], list[str]]] = [
    ({"persone": "rational"}, ["'persone'", "did you mean 'persona'", "interface", "max_guess", "split"]),
    ({"persona": "rationl"}, [*PERSONAS, "mixed", "'rationl'", "did you mean 'rational'"]),
    ({"split": "dev"}, ["train", "test", "all", "'dev'"]),
    ({"protocol": "loud"}, ["silent", "evolving", "'loud'"]),
    ({"condition": "drifting"}, ["drift", "clean", "control", "oracle"]),
    ({"interface": "json"}, ["dialogue", "text", "slots"]),
    ({"user": "gpt"}, ["template"]),
    ({"privileged": "yes"}, ["True", "False"]),
    ({"privileged": 1}, ["True", "False"]),
    ({"signals": "always"}, ["end", "step"]),
    ({"faults": 3}, ["0", "1", "2", "4", "got 3"]),
    ({"faults": True}, ["0", "1", "2", "4", "got True"]),
    ({"faults": 1.0}, ["0", "1", "2", "4", "got 1.0"]),
    ({"faults": []}, ["0", "1", "2", "4", *FAULTS]),
    ({"faults": ["vague"]}, ["'vague'", *FAULTS]),
    ({"faults": ["lexical_ambiguity", "vagueness_subjectivity"]}, ["cannot stand in one request"]),
    ({"faults": ["factual_error", "factual_error"]}, ["distinct"]),
    ({"reward": "money"}, ["success", "score", "shaped"]),
    ({"reward": {"sucess": 1.0}}, [*GRIP, "full_credit", "did you mean 'success'"]),
    ({"reward": {"success": "1"}}, ["number", "'success'"]),
    ({"reward": {"success": float("nan")}}, ["finite", "'success'", "nan"]),
    ({"reward": {}}, ["reward", "one signal or more"]),
    ({"faults": "vaguenes"}, ["did you mean 'vagueness_subjectivity'"]),
    ({"drift": "off"}, ["True", "False", "mapping"]),
    ({"drift": {"chanels": []}}, ["'chanels'", "did you mean 'channels'", "announce", "fire_probability", "weights"]),
    ({"drift": {"channels": ["time"]}}, ["patience", "question", "schedule", "outcome"]),
    ({"drift": {"channels": "patience"}}, ["channels", "list"]),
    ({"drift": {"fire_probability": 1.5}}, ["[0, 1]", "1.5"]),
    ({"drift": {"fire_probability": True}}, ["[0, 1]", "True"]),
    ({"drift": {"fire_probability": float("nan")}}, ["[0, 1]", "nan"]),
    ({"drift": {"weights": {"jump": 1.0}}}, ["refine", "relax", "substitute", "pivot"]),
    ({"drift": {"weights": {"refine": -1.0}}}, ["weights", "refine", "-1.0"]),
    ({"drift": {"weights": {"refine": "much"}}}, ["weights", "refine", "'much'"]),
    ({"drift": {"weights": 3}}, ["weights", "mapping"]),
    ({"drift": {"announce": "yes"}}, ["announce", "True", "False"]),
    ({"drift": {"turns": 3}}, ["turns", "3"]),
    ({"drift": {"turns": ["three"]}}, ["turns", "whole", "three"]),
    ({"drift": {"outcomes": ["won"]}}, ["outcomes", "accepted", "rejected"]),
    ({"drift": {"max_outcome": "many"}}, ["max_outcome", "'many'"]),
    ({"config": 5}, ["mapping", "ProtocolConfig"]),
    ({"config": {"patiance": 5}}, ["'patiance'", "did you mean 'patience'", "cost_question"]),
    ({"config": {"drift": None}}, ["'drift'"]),
    ({"config": {"patience": -1}}, ["patience", "> 0", "-1"]),
    ({"config": {"patience": "ten"}}, ["patience", "'ten'"]),
    ({"config": {"patience": float("inf")}}, ["patience", "inf"]),
    ({"config": {"patience": float("nan")}}, ["patience", "nan"]),
    ({"config": {"patience": 0}}, ["patience", "> 0"]),
    ({"config": {"max_topics": 1.5}}, ["max_topics", "1.5"]),
    ({"source": 3}, ["source", "embedded", "folder"]),
    ({"accept": "loose"}, ["strict", "webshop", "'loose'"]),
    ({"max_guess": 2.0}, ["max_guess", "[0, 1]", "2.0"]),
    ({"max_guess": "half"}, ["max_guess", "'half'"]),
    ({"size": 10}, ["size", "1,000", "10"]),
    ({"size": "big"}, ["size", "'big'"]),
    ({"catalogue_seed": "x"}, ["catalogue_seed: expected", "'x'"]),
]


@pytest.mark.parametrize(("options", "words"), WRONG, ids=lambda p: json.dumps(p)[:50] if isinstance(p, dict) else "")
def test_wrong_option_is_an_error_that_names_the_valid_ones(options: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(OptionError) as caught:
        gym.make("DriftWebShop-v0", **options)
    message = str(caught.value)
    assert not [w for w in words if w not in message], message


def test_wrong_render_mode_names_the_modes() -> None:
    with pytest.raises(OptionError, match="None or one of human, ansi, rgb_array, got 'rgb'"):
        DriftToyEnv(render_mode="rgb")


def test_option_errors_are_value_and_type_errors() -> None:
    for kind in (ValueError, TypeError):
        with pytest.raises(kind):
            gym.make("DriftToy-v0", persona="nobody")


def test_missing_folder_names_the_folder(env_id: str) -> None:
    with pytest.raises(DataError, match=r"no-such-folder|only the source 'embedded'"):
        gym.make(env_id, source="no-such-folder")


def test_missing_folder_is_named_in_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DataError, match=re.escape(str(tmp_path / "data" / "webshop"))):
        gym.make("DriftWebShop-v0", source="data/webshop")


def test_faults_that_no_task_can_have_are_an_error_of_making() -> None:
    with pytest.raises(TaskError, match="tool_capability_mismatch"):
        gym.make("DriftWebShop-v0", faults=["tool_capability_mismatch"])


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_can_be_chosen_by_name(fault: str) -> None:
    env = gym.make("DriftToy-v0", faults=[fault])
    env.reset(seed=0)
    assert env.unwrapped.record().faults == (fault,)  # type: ignore[attr-defined]


def test_defaults_are_those_of_the_design() -> None:
    options = parse({}, {}, "X")
    expected = {"source": "embedded", "split": "train", "protocol": "silent", "condition": "drift", "faults": 1}
    expected |= {"persona": "rational", "drift": True, "interface": "dialogue", "reward": "success"}
    expected |= {"user": "template", "privileged": False}
    assert {k: getattr(options, k) for k in expected} == expected


def test_options_survive_json() -> None:
    given = {
        "faults": ("factual_error",),
        "reward": {"earned": 1},
        "drift": {"turns": (2, 4), "channels": ["schedule"]},
    }
    options = parse(given, {"size": None}, "X")
    again = parse(json.loads(json.dumps(options.to_json())), {"size": None}, "X")
    assert again.protocol_config == options.protocol_config
    assert again.to_json() == options.to_json()


def test_drift_option_becomes_a_configuration() -> None:
    assert drift_config(True) == DriftConfig()
    assert drift_config(False) is None
    assert drift_config({"announce": True}) == DriftConfig(announce=True)
    assert drift_config({"channels": ["outcome"], "outcomes": ["accepted"]}) == DriftConfig(
        channels=("outcome",), outcomes=("accepted",)
    )


def test_conditions_decide_drift_and_own_options_reach_the_protocol() -> None:
    assert parse({"condition": "clean"}, {}, "X").protocol_config.drift is None
    assert parse({"condition": "control"}, {}, "X").protocol_config.drift is None
    assert parse({"condition": "oracle"}, {}, "X").protocol_config.drift == DriftConfig()
    assert parse({"max_guess": 0.2}, {"max_guess": None}, "X").protocol_config.max_guess == 0.2
    assert parse({"config": {"patience": 6}}, {}, "X").protocol_config == ProtocolConfig(patience=6)


def test_options_are_immutable_and_not_shared_with_the_caller() -> None:
    drift = {"turns": [3]}
    env = gym.make("DriftToy-v0", drift=drift)
    state = env.unwrapped.get_state() if env.reset(seed=0) else {}  # type: ignore[attr-defined]
    drift["turns"].append(9)
    drift["announce"] = True  # type: ignore[assignment]
    assert env.unwrapped.get_state()["options"] == state["options"]  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):
        EnvOptions().split = "test"  # type: ignore[misc]  # frozen


def test_splits_are_disjoint(env_id: str) -> None:
    bases: dict[str, Any] = {s: gym.make(env_id, split=s, protocol="silent").unwrapped for s in ("train", "test")}
    tasks = {s: base._tasks.samples for s, base in bases.items()}
    assert not {s.graph.id for s in tasks["train"]} & {s.graph.id for s in tasks["test"]}
    assert not {s.graph.root for s in tasks["train"]} & {s.graph.root for s in tasks["test"]}
    both = gym.make(env_id, split="all", protocol="silent").unwrapped.tasks()  # type: ignore[attr-defined]
    assert len(both) == len(tasks["train"]) + len(tasks["test"])


def test_splits_of_evolving_cases_are_disjoint(env_id: str) -> None:
    pools = {s: case_pool(load_host(HOST_OF[env_id]), s) for s in ("train", "test", "all")}
    drawn = {s: {found.draw(key) for key in range(30)} for s, found in pools.items()}
    assert len(drawn["train"]) > 20
    finals = {s: {pools[s].case(i).plan.final for i in ids} for s, ids in drawn.items()}
    assert not drawn["train"] & drawn["test"]
    assert not finals["train"] & finals["test"]
    for split in ("train", "test"):
        assert {pools[split].case(i).split for i in drawn[split]} == {split}
        assert {pools["all"].case(i) for i in drawn[split]} == {pools[split].case(i) for i in drawn[split]}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"protocol": "evolving", "faults": 2}, "faults: an option of the silent protocol, and DriftToy"),
        ({"protocol": "evolving", "persona": "mixed"}, "persona: an option of the silent protocol"),
        ({"protocol": "evolving", "drift": False}, "drift: an option of the silent protocol"),
        ({"protocol": "evolving", "config": {}}, "config: an option of the silent protocol"),
        ({"budget": "easy"}, "budget: an option of the evolving protocol.*or pass protocol='evolving'"),
        ({"restate": True}, "restate: an option of the evolving protocol"),
        ({"protocol": "evolving", "budget": "hrad"}, "budget: .*'easy', 'medium', 'hard'.*did you mean 'hard'"),
        ({"protocol": "evolving", "restate": 1}, "restate: .*False, True, got 1"),
        ({"protocol": "evolving", "reward": "shaped"}, "'shaped' follows what was elicited"),
    ],
    ids=str,
)
def test_options_of_the_other_protocol_are_errors(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        gym.make("DriftToy-v0", **options)


def test_every_environment_has_its_own_protocol_where_none_is_asked_for(env_id: str) -> None:
    env = gym.make(env_id, interface="slots")
    base: Any = env.unwrapped
    assert base.options.protocol == base.protocol == ("evolving" if base.host.commits_text else "silent")
    assert env.spec is not None
    assert "protocol" not in env.spec.kwargs
    other = "silent" if base.protocol == "evolving" else "evolving"
    made: Any = gym.make(env_id, interface="slots", protocol=other).unwrapped
    assert made.options.protocol == other
