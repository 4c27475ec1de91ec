from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from intent_gym.construct import pool as pools
from intent_gym.construct.faults import literal
from intent_gym.construct.pool import Pool, construct, pool
from intent_gym.construct.samples import parse_faults
from intent_gym.construct.settings import Settings
from intent_gym.construct.verify import literal_chance, surface
from intent_gym.core.config import ProtocolConfig
from intent_gym.core.faults import CLASSES, FAULTS
from intent_gym.core.sample import Sample
from intent_gym.envs.toy import ToyHost
from intent_gym.errors import OptionError, TaskError

DIGEST = """
import hashlib, json
from intent_gym.construct.pool import pool
from intent_gym.envs.toy import ToyHost
found = [s.to_json() for k in (1, 4) for s in pool(ToyHost(), "test", k).samples]
print(hashlib.sha256(json.dumps(found, sort_keys=True).encode()).hexdigest())
"""


def samples(tea: ToyHost, faults: int | tuple[str, ...] = 1) -> tuple[Sample, ...]:
    return pool(tea, "all", faults).samples


@pytest.mark.parametrize("k", [0, 1, 2, 4])
def test_samples_have_the_number_of_faults_asked_for(tea: ToyHost, k: int) -> None:
    found = samples(tea, k)
    assert len(found) > 200
    assert all(len(s.request.faults) == k for s in found)


def test_classes_occur_equally_often_and_faults_inside_a_class(tea: ToyHost) -> None:
    for split in ("train", "test"):
        counts = pool(tea, split, 1).report.samples
        assert set(counts) == set(FAULTS)
        by_class = {family: [counts[name] for name in names] for family, names in CLASSES.items()}
        sums = [sum(row) for row in by_class.values()]
        assert max(sums) - min(sums) <= 3
        del by_class["parameter"]  # a full order has no free slot left for an irrelevant property
        assert all(max(row) - min(row) <= 3 for row in by_class.values())


@pytest.mark.parametrize("k", [0, 1, 2, 4])
def test_samples_are_what_they_say(tea: ToyHost, k: int) -> None:
    for s in samples(tea, k):
        assert s.request.literal == literal(tea, s.graph.root, s.request.edits)
        assert surface(tea, s.graph.root, s.request.edits, s.request.text) == ""
        assert s.id == f"{s.graph.id}/{'+'.join(s.request.faults) or 'none'}/{s.id.rsplit('/', 1)[1]}"
        if not s.request.hidden:
            assert s.guess_ceiling(3) == 1
        else:
            assert literal_chance(s.blind, 3) <= ProtocolConfig().max_guess


def test_ids_are_unique_and_samples_share_graphs(tea: ToyHost) -> None:
    found = pool(tea, "all", 1)
    assert len(found.by_id) == len(found.samples)
    assert len({id(s.graph) for s in found.samples}) == len({s.graph.id for s in found.samples}) < len(found.samples)
    other = {s.graph.id: s.graph for s in samples(tea, 2)}
    assert all(other[s.graph.id] is s.graph for s in found.samples if s.graph.id in other)


def test_splits_are_disjoint_by_goal_and_by_root(tea: ToyHost) -> None:
    split_of = {g.id: g.split for g in tea.goals()}
    train, test = pool(tea, "train", 1).samples, pool(tea, "test", 1).samples
    assert all(split_of[s.graph.id] == s.split == "train" for s in train)
    assert all(split_of[s.graph.id] == s.split == "test" for s in test)
    assert not {s.graph.root for s in train} & {s.graph.root for s in test}
    assert pool(tea, "all", 1).samples == train + test


def test_named_faults_stand_in_one_request(tea: ToyHost) -> None:
    names = ("insufficient_information", "contextual_irrelevance")
    found = samples(tea, names)
    assert len(found) > 50
    assert all(set(s.request.faults) == set(names) for s in found)
    assert pool(tea, "all", names[::-1]) is pool(tea, "all", names)


def test_a_pool_is_built_once_a_process(tea: ToyHost) -> None:
    assert pool(tea, "train", 1) is pool(ToyHost(), "train", 1)
    assert pool(tea, "train", 1, ProtocolConfig(max_guess=0.4)) is not pool(tea, "train", 1)


def test_the_guess_limit_is_obeyed(tea: ToyHost) -> None:
    strict = pool(tea, "train", ("vagueness_subjectivity",), ProtocolConfig(max_guess=0.45))
    assert all(literal_chance(s.blind, 3) <= 0.45 for s in strict.samples)
    assert len(strict.samples) < len(pool(tea, "train", ("vagueness_subjectivity",)).samples)


@pytest.mark.parametrize(
    ("faults", "message"),
    [
        (3, "expected 0, 1, 2, 4 or a list of fault names"),
        (True, "expected 0, 1, 2, 4"),
        (1.5, "expected 0, 1, 2, 4"),
        ((), "expected 0, 1, 2, 4"),
        ((["factual_error"],), "unknown fault"),
        ("factual_eror", "did you mean 'factual_error'"),
        (("factual_eror",), "did you mean 'factual_error'"),
        (("factual_error", "factual_error"), "distinct"),
        (("vagueness_subjectivity", "lexical_ambiguity"), "at most one"),
        (("false_presupposition", "irrelevant_information"), "excludes"),
    ],
)
def test_bad_choices_of_faults_are_errors(tea: ToyHost, faults: object, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        pool(tea, "train", faults)  # type: ignore[arg-type]


def test_a_bad_split_is_an_error(tea: ToyHost) -> None:
    with pytest.raises(OptionError, match="did you mean 'train'"):
        pool(tea, "trian", 1)


class NoInstruments(ToyHost):
    """The tea shop where the way of handing over is a choice like others, and no word has two senses."""

    def __init__(self) -> None:
        super().__init__()
        counter = self.slots[3]
        plain = type(counter)(counter.id, counter.word, counter.topic, "choice", clauses=counter.clauses)
        self.slots = (*self.slots[:3], plain)

    def senses(self, frame: str) -> tuple[()]:
        return ()

    def fingerprint(self) -> str:
        return "no instruments"


@pytest.mark.parametrize(
    ("name", "why"),
    [("tool_capability_mismatch", "needs a slot of kind 'instrument'"), ("lexical_ambiguity", "words of two senses")],
)
def test_faults_without_a_place_are_errors_that_say_why(name: str, why: str) -> None:
    with pytest.raises(TaskError, match=why) as caught:
        pool(NoInstruments(), "train", (name,))
    assert "graphs were tried" in str(caught.value)


def test_faults_without_a_place_are_left_out_of_single_faults() -> None:
    counts = pool(NoInstruments(), "train", 1).report.samples
    assert set(counts) == set(FAULTS) - {"tool_capability_mismatch", "lexical_ambiguity"}


def test_parse_faults_puts_names_in_the_order_of_the_table() -> None:
    assert parse_faults("factual_error") == ("factual_error",), "one name may stand by itself"
    assert parse_faults(["factual_error", "indirect_intent"]) == ("indirect_intent", "factual_error")


def test_the_readers_accept_nearly_every_candidate(tea: ToyHost) -> None:
    report = construct(tea)
    made = sum(n for name, n in report.samples.items() if name != "none")
    assert report.steps.get("readers", 0) < 0.05 * made
    assert report.graphs > 230 and report.mean_ceiling < 0.6
    table = str(report)
    for row in ("edges: pivot", "composites of 4", "mean guess ceiling", "candidates turned away"):
        assert row in table


def test_pools_are_equal_in_every_process(tea: ToyHost) -> None:
    env = {**os.environ, "PYTHONHASHSEED": "1", "PYTHONPATH": str(Path(pools.__file__).parents[2])}
    ran = subprocess.run([sys.executable, "-c", DIGEST], capture_output=True, text=True, check=True, env=env)
    found = [s.to_json() for k in (1, 4) for s in pool(tea, "test", k).samples]
    assert ran.stdout.strip() == hashlib.sha256(json.dumps(found, sort_keys=True).encode()).hexdigest()


def test_settings_bound_the_samples_of_a_graph(tea: ToyHost) -> None:
    one: Pool = pool(tea, "train", 1, None, Settings(per_graph=1))
    assert len(one.samples) == len({s.graph.id for s in one.samples})
