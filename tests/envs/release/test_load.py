"""Options that go together, and what a broken or partial folder gives."""

from __future__ import annotations

import json
import shutil
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from intent_gym.agents.scripted.oracle import OracleAgent
from intent_gym.cli import main
from intent_gym.construct.release import ReleaseWarning, ids
from intent_gym.envs.base import DriftEnv
from intent_gym.envs.hosts import load_host
from intent_gym.envs.retail.env import DriftRetailEnv
from intent_gym.envs.retail.generator import generate
from intent_gym.envs.webshop.env import DriftWebShopEnv
from intent_gym.errors import DataError, OptionError, TaskError
from tests.construct.release.conftest import Folder

SHOP_SAMPLES = "benchmarks/webshop/artifacts/samples_v2/samples/webshop"


@pytest.mark.parametrize(
    ("name", "more", "words"),
    [
        ("retail", {"host_data": None}, ["host_data: retail plays a release on tau2's database", "retail/db.json"]),
        ("airline", {"host_data": None}, ["host_data: airline", "airline/db.json"]),
        ("retail", {"host_data": 3}, ["host_data: expected the path of a folder as text", "3"]),
        ("retail", {"acceptance": "answer_set"}, ["acceptance: expected one of actions, state", "'answer_set'"]),
        ("webshop", {"acceptance": "actions"}, ["acceptance: expected one of answer_set, reward", "'actions'"]),
        ("webshop", {"transitions": "none"}, ["transitions: expected 'runtime' or 'stored'", "'none'"]),
        ("retail", {"writes": "never"}, ["writes: expected 'staged' or 'live'", "'never'"]),
        ("retail", {"users": 100}, ["users: does not go with a Drift-Bench++ release", "host_data"]),
        ("webshop", {"accept": "webshop"}, ["accept: does not go with a Drift-Bench++ release", "acceptance"]),
        ("webshop", {"size": 2000}, ["size: does not go with", "transitions"]),
    ],
)
def test_options_that_do_not_go_together(
    name: str, more: dict[str, Any], words: list[str], make: Callable[..., DriftEnv]
) -> None:
    with pytest.raises(OptionError) as error:
        make(name, **more)
    for word in words:
        assert word in str(error.value)


@pytest.mark.parametrize("option", ["host_data", "transitions", "acceptance"])
def test_options_of_a_release_need_one(option: str) -> None:
    for made in (DriftRetailEnv, DriftWebShopEnv):
        with pytest.raises(OptionError, match=f"{option}: only goes with source=<folder of the Drift-Bench"):
            made(**{option: "state"})


def test_hosts_without_a_release_refuse_one(shared_data: Path) -> None:
    with pytest.raises(OptionError, match=r"is a Drift-Bench.. release, which only airline, retail, webshop can play"):
        load_host("toy", str(shared_data / "driftbench"))


def test_a_sample_that_cannot_be_played_says_why(make: Callable[..., DriftEnv]) -> None:
    shop, airline = make("webshop"), make("airline")
    with pytest.raises(DataError, match="131a9c1eea4cdcb8: its tree cabc70b6fa81a377 is not in the folder"):
        shop.reset(options={"task_id": "131a9c1eea4cdcb8"})
    rejected = next(p.item for p in airline.host._material.release.problems if p.kind == "rejected")  # type: ignore[attr-defined]
    with pytest.raises(DataError, match="rejected: admission:reading_not_executable"):
        airline.reset(options={"task_id": rejected})
    with pytest.raises(TaskError, match="no sample 'nothing'"):
        shop.reset(options={"task_id": "nothing"})
    with pytest.raises(TaskError, match="no task '046d8e0a71a99cb2' in split 'all' with faults 1"):
        shop.reset(options={"task_id": "046d8e0a71a99cb2"})  # there is one, of two faults


@pytest.fixture
def copied(shared_data: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "release"
    shutil.copytree(shared_data / "driftbench", folder, copy_function=shutil.copyfile)
    for path in folder.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    return folder


def test_a_corrupt_file_stops_the_loading_by_name(copied: Path) -> None:
    broken = copied / SHOP_SAMPLES / "27926cf72e256f5c.json"
    text = broken.read_text(encoding="utf-8")
    broken.write_text(text[: len(text) // 2], encoding="utf-8")
    with pytest.raises(DataError, match=r"27926cf72e256f5c\.json: file: expected JSON, but it cannot be read"):
        DriftWebShopEnv(source=str(copied), split="test")
    broken.write_text(text.replace('"deictic"', '"vague"'), encoding="utf-8")
    with pytest.raises(DataError, match=r"27926cf72e256f5c.*expected '\w+' from the content, found"):
        DriftWebShopEnv(source=str(copied), split="test")


def test_a_folder_without_samples_of_the_host_says_what_it_holds(copied: Path, shared_data: Path) -> None:
    shutil.rmtree(copied / "data")
    (copied / "benchmarks/tau2/artifacts/retail_samples_release.json").unlink()
    with pytest.warns(ReleaseWarning), pytest.raises(DataError, match=r"no sample for retail(?s:.)*webshop +4 +1,780"):
        DriftRetailEnv(source=str(copied), host_data=str(shared_data / "tau2"), split="test")


def test_another_database_is_told(shared_data: Path, tmp_path: Path) -> None:
    release = str(shared_data / "driftbench")
    with pytest.raises(DataError, match=r"db\.json"):
        load_host("retail", release, {"host_data": str(tmp_path)})
    (tmp_path / "db.json").write_text(json.dumps(generate(50, 0)))
    with pytest.raises(DataError, match=r"the golden calls of node \w+ of tree 6accb9b537da61e7 fail on the data"):
        load_host("retail", release, {"host_data": str(tmp_path)})


def test_both_spellings_of_a_trees_id(copied: Path) -> None:
    for path in (copied / "benchmarks/webshop").rglob("*.json"):
        path.write_text(path.read_text(encoding="utf-8").replace('"tree_id"', '"graph_id"'), encoding="utf-8")
    with pytest.warns(ReleaseWarning):
        env = DriftWebShopEnv(source=str(copied), split="test")
    assert len(env.tasks()) == 4


def test_construct_prints_what_a_folder_holds(shared_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["construct", "DriftWebShop-v0", "--source", str(shared_data / "driftbench"), "--stats"]
    with pytest.warns(ReleaseWarning, match="holds a part of the release"):
        assert main(arguments) == 0
    told = capsys.readouterr().out
    for line in ("webshop                            4  1,780", "retail                             4    555"):
        assert line in told
    assert "airline                            8    208" in told
    assert "its tree cabc70b6fa81a377 is not in the folder" in told
    assert main([*arguments, "--out", "x"]) == 2
    assert "--out: a Drift-Bench++ release holds its own samples" in capsys.readouterr().err


def test_composites_of_every_size_are_chosen_by_number(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    tree = folder.shop_tree()
    four = ("contextual_irrelevance", "factual_error", "indirect_intent", "insufficient_information")
    folder.shop_sample(tree)
    for names in (four[:2], four):
        made = folder.shop_sample(
            tree,
            **{"strategy_id": "+".join(names), "withheld": ["option:0"], "hidden_slots": ["option:0"], "noise": True},
            **{"family": "any", "governing_kind": "composite", "literal_readings": [[["price_upper", "<=", 20]]]},
            **{"substituted": [], "presupposed": [], "marked": [], "ambiguous": [], "extras": [], "oblique": True},
        )
        file = tmp_path / SHOP_SAMPLES / f"{made['sample_id']}.json"
        name = ids.sample_id(tree["tree_id"], names, made["mask"]["spec_id"])
        made |= {"strategy_ids": list(names), "misalignments": len(names), "sample_id": name}
        file.unlink()
        place = "benchmarks/webshop/artifacts/samples_composite/samples/webshop"
        folder.write(f"{place}/{name}.json", made)
    for k in (1, 2, 4):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ReleaseWarning)
            env = DriftWebShopEnv(source=str(tmp_path), split="test", faults=k, privileged=True)
        (task,) = env.tasks()
        assert len(env._tasks.by_id[task].request.faults) == k
        obs, info = env.reset(seed=0)
        agent, done = OracleAgent(env.host, env), False
        while not done:
            obs, _, done, _, info = env.step(agent.act(obs, info))
        assert info["is_success"]
