"""The release's samples are played as they are, and whoever knows the intent is always accepted."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from intent_gym import testing
from intent_gym.agents.base import make_agent
from intent_gym.agents.scripted.oracle import OracleAgent
from intent_gym.construct.release import load_release
from intent_gym.core.intent import Condition, Intent, IntentGraph
from intent_gym.core.personas import PERSONAS
from intent_gym.core.sample import Sample
from intent_gym.envs.base import DriftEnv
from intent_gym.envs.host import Host
from intent_gym.envs.release.host import ReleaseHost
from intent_gym.errors import OptionError, TaskError
from intent_gym.testing import interference

COUNTS = {("webshop", 1): 4, ("webshop", 2): 1, ("retail", 1): 5, ("airline", 1): 8}
VARIANTS: list[tuple[str, dict[str, Any]]] = [
    ("webshop", {}),
    ("webshop", {"transitions": "stored"}),
    *((name, more) for name in ("retail", "airline") for more in (
        {},
        {"acceptance": "actions"},
        {"transitions": "stored"},
        {"tau2_compat": True},
        {"writes": "live"},
        {"writes": "live", "acceptance": "state"},
    )),
]  # fmt: skip


@pytest.mark.parametrize(("name", "more"), VARIANTS, ids=lambda v: str(v).replace(" ", ""))
def test_the_oracle_is_accepted_on_every_sample(
    name: str, more: dict[str, Any], make: Callable[..., DriftEnv], capsys: pytest.CaptureFixture[str]
) -> None:
    ends: Counter[str] = Counter()
    drifts: Counter[str] = Counter()
    fired = 0
    for k in (1, 2):
        if (name, k) not in COUNTS:
            continue
        for drift in (True, False):
            env = make(name, faults=k, drift=drift, privileged=True, **more)
            assert len(env.tasks()) == COUNTS[name, k]
            for task in env.tasks():
                for seed, persona in enumerate((*PERSONAS, *PERSONAS)):
                    obs, info = env.reset(seed=seed, options={"task_id": task, "persona": persona})
                    agent, done = OracleAgent(env.host, env), False
                    for _ in range(seed % 4):  # patience that is spent lets the intent drift
                        obs, _, done, _, info = env.step({"kind": 0, "content": "Anything else?"})
                    while not done:
                        obs, _, done, _, info = env.step(agent.act(obs, info))
                    ends[info["end_reason"]] += 1
                    drifts.update(e["relation"] for s in env.record().steps for e in s.events if e["type"] == "drift")
            assert drift or sum(drifts.values()) == fired
            fired = sum(drifts.values())
    with capsys.disabled():
        print(f"\n{name} {more}: {dict(ends)}, drifts {dict(sorted(drifts.items()))}", end=" ")
    assert set(ends) == {"accepted"}
    assert sum(drifts.values()) > 0


@pytest.mark.parametrize("name", ["webshop", "retail", "airline"])
def test_samples_are_the_releases_word_for_word(name: str, host: Callable[..., ReleaseHost]) -> None:
    found = host(name)
    release = found._material.release
    own = {s.id: s for s in found.own_samples()}
    theirs = {s.id: s for s in release.select(found._material.host, faults=None)}
    assert own.keys() == theirs.keys()
    for sample_id, sample in own.items():
        stored = theirs[sample_id]
        assert sample.request.text == stored.sample.request.text
        assert sample.request.faults == stored.strategies
        assert len(sample.request.hidden) == len(stored.hidden)
        assert len(sample.request.literal.conditions) == len(stored.sample.request.literal.conditions)
        tree = release.trees[stored.tree_id]
        assert [len(n.conditions) for n in sample.graph.nodes] == [len(n.conditions) for n in tree.graph.nodes]
        for mine, given in zip(sample.graph.edges, tree.graph.edges, strict=True):
            assert (mine.source, mine.target, mine.relation, mine.moves, mine.invalidates) == (
                *(given.source, given.target, given.relation, given.moves, given.invalidates),
            )
        slots = found.slot_table.index.keys()
        assert all(c.slot in slots for n in (*sample.graph.nodes, sample.request.literal) for c in n.conditions)


@pytest.mark.parametrize(("name", "stored"), [("webshop", 24), ("retail", 4), ("airline", 16)])
def test_transitions_are_derived_or_those_of_the_files(
    name: str, stored: int, host: Callable[..., ReleaseHost]
) -> None:
    def count(found: ReleaseHost) -> int:
        return sum(len(g.edges) for g in {s.graph.id: s.graph for s in found.own_samples()}.values())

    assert count(host(name)) == {"webshop": 168, "retail": 20, "airline": 42}[name]
    assert count(host(name, transitions="stored")) == stored


@pytest.mark.parametrize("name", ["webshop", "retail", "airline"])
@pytest.mark.parametrize("acceptance", ["default", "other"])
def test_hosts_conform(name: str, acceptance: str, host: Callable[..., ReleaseHost]) -> None:
    if name == "webshop" and acceptance == "other":
        pytest.skip("grading by reward needs the products; see test_shop")
    more = {} if acceptance == "default" else {"acceptance": "actions"}
    testing.check_host(host(name, **more), recorded=True)


@pytest.mark.parametrize("name", ["webshop", "retail", "airline"])
def test_environments_conform(
    name: str,
    interface: str,
    host: Callable[..., ReleaseHost],
    options: Callable[..., dict[str, Any]],
    registered: Callable[[str], str],
) -> None:
    host(name)  # the warning that it is a part comes here
    testing.check_drift_env(registered(name), episodes=2, interface=interface, **options(name))


@pytest.fixture
def registered() -> Callable[[str], str]:
    """Return the id of a host's environment."""
    ids = {"webshop": "DriftWebShop-v0", "retail": "DriftRetail-v0", "airline": "DriftAirline-v0"}
    return lambda name: ids[name]


@pytest.mark.parametrize("name", ["webshop", "retail", "airline"])
def test_nothing_hidden_shows_before_it_is_told(
    name: str,
    interface: str,
    make: Callable[..., DriftEnv],
    options: Callable[..., dict[str, Any]],
    registered: Callable[[str], str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(interference, "twin", _twin)
    make(name)
    found = testing.check_non_interference(registered(name), pairs=20, interface=interface, **options(name))
    assert found.pairs == 20
    assert found.steps > 20


def _twin(host: Host, sample: Sample, rng: np.random.Generator) -> Sample | None:
    """Return a sample with other values in the hidden slots of every node; the release has none that is executable."""
    if not sample.request.hidden:
        return None
    root = sample.graph.root.by_slot
    told = sample.request.text + str([c.value for c in sample.request.literal.conditions])
    swapped: dict[str, Any] = {}
    for slot in sample.request.hidden:
        legal = [v for v in host.domain(slot) if v != root[slot].value and str(v) not in told]
        if not legal:
            return None
        swapped[slot] = legal[int(rng.integers(len(legal)))]

    def other(node: Intent) -> Intent:
        return Intent(
            node.frame,
            tuple(
                Condition(c.slot, c.op, swapped[c.slot]) if c.slot in swapped and c == root.get(c.slot) else c
                for c in node.conditions
            ),
        )

    graph = IntentGraph(sample.graph.id, tuple(other(n) for n in sample.graph.nodes), sample.graph.edges)
    return Sample(sample.id, sample.split, graph, sample.request, sample.blind)


@pytest.mark.parametrize("condition", ["clean", "control", "oracle"])
@pytest.mark.parametrize("name", ["webshop", "retail", "airline"])
def test_other_conditions_play(name: str, condition: str, make: Callable[..., DriftEnv]) -> None:
    env = make(name, condition=condition)
    agent = make_agent("no-ask", env.host)
    for seed in range(3):
        obs, info = env.reset(seed=seed)
        agent.reset(seed)
        done = False
        while not done:
            obs, _, done, _, info = env.step(agent.act(obs, info))
        assert info["end_reason"] in ("accepted", "final_answer", "no_answer")


@pytest.mark.parametrize("name", ["webshop", "retail", "airline"])
def test_scripted_agents_play_and_asking_is_possible(name: str, make: Callable[..., DriftEnv]) -> None:
    env = make(name, drift=False)
    won = 0
    for agent_name in ("no-ask", "just-ask", "ask-all", "information-gain", "calibrated"):
        agent = make_agent(agent_name, env.host)
        for task in env.tasks():
            obs, info = env.reset(seed=1, options={"task_id": task})
            agent.reset(0)
            done = False
            while not done:
                obs, _, done, _, info = env.step(agent.act(obs, info))
            won += info["is_success"]
    assert won > 0


def test_a_question_about_a_hidden_slot_is_answered_in_the_releases_words(make: Callable[..., DriftEnv]) -> None:
    cases = [
        ("webshop", "27926cf72e256f5c", "What flavor would you like?", "citrus"),
        ("airline", "1a0cc1281f29259a__insufficient_information", "Which cabin would you like?", "economy"),
        ("airline", "1a0cc1281f29259a__insufficient_information", "How many bags?", "2"),
        ("retail", "0213288d7b8709be__factual_error", "Which new item would you like?", "7082455361"),
        ("retail", "0213288d7b8709be__syntactic_ambiguity", "Which payment method?", "credit_card_7901829"),
    ]
    for name, task, question, value in cases:
        env = make(name, drift=False)
        env.reset(seed=0, options={"task_id": task})
        obs, *_ = env.step({"kind": 0, "content": question})
        answer = obs["dialogue"][-1]["content"]
        assert value in answer, (task, question, answer)
        granted = next(e["granted"] for s in env.record().steps for e in s.events if e["type"] == "question")
        assert granted[0][0] in env.record().hidden


def test_faults_choose_samples_and_say_what_there_is(make: Callable[..., DriftEnv]) -> None:
    pair = ["insufficient_information", "vagueness_subjectivity"]
    assert make("webshop", faults=pair).tasks() == ("046d8e0a71a99cb2",)
    assert make("airline", faults="factual_error", split="train").tasks() == ("1a0cc1281f29259a__factual_error",)
    with pytest.raises(
        TaskError, match=r"split 'all', has 4 faults; it holds 4 in test with 1 faults, 1 in test with 2"
    ):
        make("webshop", faults=4)
    with pytest.raises(TaskError, match="split 'train', has 1 faults"):
        make("webshop", split="train")
    with pytest.raises(OptionError, match=r"max_guess: the samples of .* are played as they are"):
        make("webshop", max_guess=0.3)


def test_runs_of_the_manifests_can_be_played(make: Callable[..., DriftEnv], host: Callable[..., ReleaseHost]) -> None:
    runs = host("webshop").runs()
    assert list(runs) == [{"seed": 888891594, "options": {"task_id": "27d2cdc9987cd141", "persona": "rational"}}]
    obs, _ = make("webshop").reset(**runs[0])
    assert obs["dialogue"][0]["content"].startswith("I’ve heard that alcoholic beverages")
    assert host("retail").runs() == ()


def test_a_host_travels_by_name(host: Callable[..., ReleaseHost]) -> None:
    for name in ("webshop", "retail", "airline"):
        found = host(name)
        assert pickle.loads(pickle.dumps(found)) is found
    assert host("retail").fingerprint() != host("retail", transitions="stored").fingerprint()
    assert host("retail").fingerprint() != host("retail", writes="live").fingerprint()


def test_agents_are_handed_no_samples(host: Callable[..., ReleaseHost]) -> None:
    public: Any = host("retail").public
    for name in ("own_samples", "explain", "report", "runs", "goals", "_material"):
        with pytest.raises(AttributeError):
            getattr(public, name)


def test_ids_of_the_registry_take_the_options(options: Callable[..., dict[str, Any]], host: Callable[..., Any]) -> None:
    host("webshop")
    env = gym.make("DriftWebShop-v0", **options("webshop"))
    assert env.spec is not None
    again = gym.make(gym.envs.registration.EnvSpec.from_json(env.spec.to_json()))
    assert again.unwrapped.tasks() == env.unwrapped.tasks()  # type: ignore[attr-defined]


def test_the_whole_fixtures_agree_with_the_loader(shared_data: Path, host: Callable[..., ReleaseHost]) -> None:
    with pytest.warns(UserWarning, match="4 of 1780 webshop, 4 of 555 retail, 8 of 208 airline"):
        release = load_release(shared_data / "driftbench")
    assert sum(len(host(name).own_samples()) for name in ("webshop", "retail", "airline")) == len(release.samples)
    assert "webshop                            4  1,780       4" in host("webshop").report()
