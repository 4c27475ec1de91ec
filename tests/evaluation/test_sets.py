from __future__ import annotations

import json
from pathlib import Path

import gymnasium as gym
import pytest

from intent_gym.cli import main
from intent_gym.envs.base import DriftEnv
from intent_gym.envs.host import Host
from intent_gym.errors import DataError, OptionError
from intent_gym.evaluation import Results, evaluate
from intent_gym.evaluation.families import FAMILIES, Family, source_of
from intent_gym.evaluation.sets import (
    SETS,
    Part,
    SetsFile,
    Short,
    canonical,
    make_sets,
    members,
    read_sets,
    shortfall,
    wanted,
    written,
)
from intent_gym.registration import ENVIRONMENTS

TOY = "DriftToy-v0"
FAMILY = Family("Toy", TOY, "toy", 6, 20)
THERE = [f for f in FAMILIES if f.env_id in {spec.id for spec in ENVIRONMENTS}]


@pytest.fixture(scope="module")
def toy() -> Host:
    env: DriftEnv = gym.make(TOY, protocol="evolving").unwrapped  # type: ignore[assignment]
    return env.host


@pytest.fixture(scope="module")
def made() -> SetsFile:
    """Return sets of the toy; its frames are few, so that a training task seldom has one of its own."""
    return make_sets("nowhere", [FAMILY]).file


@pytest.fixture
def shipped(made: SetsFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put the toy's sets in place of those that ship."""
    path = tmp_path / "sets-v1.json"
    path.write_text(written(made))
    monkeypatch.setattr("intent_gym.evaluation.sets._FOLDER", tmp_path)
    return path


def changed(made: SetsFile, **fields: object) -> SetsFile:
    part = made.data["embedded"][TOY].model_copy(update=fields)
    return made.model_copy(update={"data": {"embedded": {TOY: part}}})


# -- what ships --------------------------------------------------------------------------------------------------------
def test_the_file_that_ships_holds_ids_alone_and_fits_the_definition() -> None:
    file = read_sets()
    assert file.version == 1
    assert set(file.data) == {"embedded", "original"}
    short = {(s.data, s.env_id, s.name): s.found for s in shortfall(file)}
    for kind, parts in file.data.items():
        for env_id, part in parts.items():
            family = next(f for f in FAMILIES if f.env_id == env_id)
            sets = {name: set(part.sets[name]) for name in SETS}
            assert sets["general-test"].isdisjoint(sets["training"])
            assert sets["calibration"] == sets["general-test"] | sets["training"]
            for name in SETS:
                assert len(sets[name]) == len(part.sets[name]), "no id twice"
                assert len(sets[name]) == short.get((kind, env_id, name), wanted(family, name))


@pytest.mark.parametrize("family", THERE, ids=[f.name for f in THERE])
def test_the_embedded_sets_are_of_the_embedded_data(family: Family) -> None:
    env: DriftEnv = gym.make(family.env_id, protocol="evolving", split="test").unwrapped  # type: ignore[assignment]
    goals = {g.id: g for g in env.host.goals()}
    test = members("general-test", family.env_id, env.host)
    training = members("training", family.env_id, env.host)
    assert {goals[i].split for i in test} == {"test"}
    assert {goals[i].split for i in training} == {"train"}
    frames = [{goals[i].intent.frame for i in ids} for ids in (test, training)]
    assert frames[0].isdisjoint(frames[1]), "no source task in both"


@pytest.mark.parametrize("env_id", ["DriftToTTo-v0", "DriftBFCL-v0"])
def test_the_original_sets_are_of_the_original_data(env_id: str, shared_data: Path) -> None:
    source = source_of(env_id, str(shared_data / "intentflux"))
    env: DriftEnv = gym.make(env_id, protocol="evolving", source=source, split="all").unwrapped  # type: ignore[assignment]
    known = set(env.tasks())
    for name in SETS:
        assert set(members(name, env_id, env.host)) <= known, "all of them can be told"


# -- making ------------------------------------------------------------------------------------------------------------
def test_sets_follow_from_the_data_alone(made: SetsFile, toy: Host) -> None:
    assert written(make_sets("nowhere", [FAMILY]).file) == written(made)
    part = made.data["embedded"][TOY]
    assert part.fingerprint == toy.fingerprint()
    assert sum(part.tasks.values()) == len(toy.goals())
    goals = {g.id: g for g in toy.goals()}
    frames = [goals[i].intent.frame for i in part.sets["general-test"]]
    every = {g.intent.frame for g in toy.goals() if g.split == "test"}
    assert len(frames) == 6
    assert len(set(frames)) == min(6, len(every)), "every frame once before any twice"


def test_what_cannot_be_had_is_said() -> None:
    made = make_sets("nowhere", [Family("None", "DriftNone-v0", "none", 3, 9), FAMILY])
    assert list(made.file.data["embedded"]) == [TOY]
    assert any(line.startswith("None, embedded data: Environment `DriftNone`") for line in made.left_out)
    assert any(line.startswith("Toy, original data: ") for line in made.left_out)


def test_shortfall_by_hand() -> None:
    ids = tuple(f"t{i}" for i in range(20))
    part = Part(fingerprint="f", tasks={"test": 20}, sets={"general-test": ids, "training": (), "calibration": ids})
    file = SetsFile(version=1, protocol="evolving", data={"original": {"DriftGSM8K-v0": part}})
    own = [s for s in shortfall(file) if s.env_id == "DriftGSM8K-v0"]
    assert own == [
        Short("original", "DriftGSM8K-v0", "general-test", 20, 21),
        Short("original", "DriftGSM8K-v0", "training", 0, 82),
        Short("original", "DriftGSM8K-v0", "calibration", 20, 103),
    ]
    assert sum(s.wanted for s in shortfall(file) if s.name == "general-test") == 125


# -- reading -----------------------------------------------------------------------------------------------------------
def test_names_and_versions() -> None:
    assert canonical("general-test") == canonical("general-test-v1") == "general-test-v1"
    with pytest.raises(OptionError, match=r"expected a named set .*; did you mean 'general-test'"):
        canonical("general-tests")
    with pytest.raises(OptionError, match="no version 7 of the named sets; there are: v1"):
        canonical("training-v7")
    with pytest.raises(OptionError, match="got 3"):
        canonical(3)  # type: ignore[arg-type]


def test_other_data_are_refused_and_the_difference_is_said(made: SetsFile, toy: Host) -> None:
    counts = made.data["embedded"][TOY].tasks
    assert members("general-test", TOY, toy, made) == made.data["embedded"][TOY].sets["general-test"]
    with pytest.raises(DataError, match=r"was drawn from the data toy:other .* what the tasks say differs"):
        members("general-test", TOY, toy, changed(made, fingerprint="toy:other"))
    more = {**counts, "test": counts["test"] + 1}
    with pytest.raises(DataError, match="the number of tasks differs"):
        members("general-test", TOY, toy, changed(made, fingerprint="toy:other", tasks=more))
    sets = {"general-test": ("gone-1", "gone-2", "gone-3", "gone-4")}
    with pytest.raises(DataError, match=r"4 of its 4 cases are not there \(gone-1, gone-2, gone-3 and 1 more\)"):
        members("general-test", TOY, toy, changed(made, fingerprint="toy:other", sets=sets))
    with pytest.raises(DataError, match="has no case of DriftRetail-v0 on embedded data; it has cases of: DriftToy-v0"):
        members("general-test", "DriftRetail-v0", toy, made)


def test_a_damaged_file_is_said(tmp_path: Path) -> None:
    path = tmp_path / "sets.json"
    path.write_text(json.dumps({"version": 1, "protocol": "silent", "data": {}}))
    with pytest.raises(DataError, match="is no file of named sets"):
        read_sets(path)


# -- playing -----------------------------------------------------------------------------------------------------------
def test_a_set_is_played_whole_and_once(shipped: Path, made: SetsFile) -> None:
    found = evaluate(TOY, "folding", seeds=2, tasks="general-test", protocol="evolving", budget="easy")
    assert isinstance(found, Results)
    for seed in range(2):
        played = [row.case for row in found.rows if row.seed == seed]
        assert sorted(played) == sorted(made.data["embedded"][TOY].sets["general-test"])
    assert found.config["tasks"] == "general-test-v1"
    assert len(evaluate(TOY, "folding", seeds=1, episodes=2, tasks="general-test", protocol="evolving").rows) == 2


def test_a_set_goes_with_the_evolving_protocol_and_without_a_split(shipped: Path) -> None:
    with pytest.raises(OptionError, match="holds cases of protocol='evolving'"):
        evaluate(TOY, "no-ask", tasks="general-test")
    with pytest.raises(OptionError, match="leave split or tasks out"):
        evaluate(TOY, "folding", tasks="general-test", protocol="evolving", split="test")


def test_the_commands(shipped: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = ["run", TOY, "--agents", "folding", "--seeds", "1", "--set", "protocol=evolving", "--tasks", "general-test"]
    assert main([*run, "--conditions", "clean,drift", "--out", str(tmp_path / "x")]) == 0
    text = capsys.readouterr().out
    assert "set general-test-v1, embedded data" in text
    assert "Toy     drift          6       0       0" in text
    assert main(["sets", "--write", str(tmp_path / "s.json")]) == 2
    assert "--write needs --source" in capsys.readouterr().err
    assert main(["sets", "--source", str(tmp_path)]) == 2
    assert "--source goes with --write" in capsys.readouterr().err


def test_the_counts_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sets"]) == 0
    text = capsys.readouterr().out
    assert "version 1, embedded data" in text
    assert "version 1, original data" in text
    assert "LiveCodeBench" in text
