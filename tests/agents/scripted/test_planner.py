from __future__ import annotations

import numpy as np
import pytest

from intent_gym.agents.scripted import planner
from intent_gym.agents.scripted.belief import Belief, Prior, Single, Tags
from intent_gym.agents.scripted.hypotheses import draw, drifted
from intent_gym.agents.scripted.planner import Planner, commits_left, persona_of
from intent_gym.agents.scripted.reading import read_request
from intent_gym.core.config import DriftConfig, ProtocolConfig
from intent_gym.core.intent import Condition
from intent_gym.core.personas import PERSONAS
from intent_gym.envs.toy import ToyHost

HOST = ToyHost()
CONFIG = ProtocolConfig()


def believed(text: str) -> Belief:
    return Belief(HOST, read_request(HOST, text), Prior())


def planned(text: str, patience: float = 10.0, marks: tuple[float, ...] = ()) -> Planner:
    return Planner(believed(text), CONFIG, PERSONAS["rational"], np.random.default_rng(3), patience, marks)


def test_entropy_and_cover_by_hand() -> None:
    labels = np.array([0, 0, 1, 2])
    weight = np.array([0.25, 0.25, 0.25, 0.25])
    assert planner._entropy(labels, weight) == pytest.approx(1.5)
    assert planner._information(labels, np.array([0, 0, 0, 0]), weight) == pytest.approx(0.0)
    accepts = np.array([[1, 0], [1, 0], [0, 1], [0, 1]], dtype=np.bool_)
    whole = np.zeros(4, dtype=np.int64)
    assert planner._cover(whole, weight, accepts, 1) == pytest.approx((0.5, 0.5))
    assert planner._cover(whole, weight, accepts, 2) == pytest.approx((1.0, 0.5))
    assert planner._cover(labels, weight, accepts, 1) == pytest.approx((1.0, 0.0))


@pytest.mark.parametrize(
    ("patience", "commits"), [(12.0, 3), (10.0, 3), (9.0, 3), (8.0, 2), (7.0, 2), (4.0, 1), (0.0, 1)]
)
def test_commits_left(patience: float, commits: int) -> None:
    assert commits_left(patience, CONFIG) == commits


@pytest.mark.parametrize("name", sorted(PERSONAS))
def test_patience_tells_the_persona(name: str) -> None:
    assert persona_of(10.0 * PERSONAS[name].patience, CONFIG).name == name


def test_a_topic_in_doubt_tells_most() -> None:
    prospect = planned("A cocoa with soy milk, in the usual cup.").prospect()
    plain = [o for o in prospect.options if o.ask.topics]
    assert max(plain, key=lambda o: o.gain).ask.topics == ("cup",)
    assert max(plain, key=lambda o: o.value).ask.topics == ("cup",)


def test_a_drift_that_is_due_makes_an_answer_tell_less() -> None:
    text = "A cocoa with soy milk, in the usual cup."
    gain = {
        marks: next(o.gain for o in planned(text, marks=marks).prospect().options if o.ask.topics == ("cup",))
        for marks in ((), (10.0,))
    }
    assert gain[(10.0,)] < gain[()]


def test_what_was_told_is_committed_to() -> None:
    belief = believed("A cocoa with soy milk, in the usual cup.")
    belief.tell(Condition("cup", "=", "paper cup"))
    belief.free("counter")
    prospect = Planner(belief, CONFIG, PERSONAS["rational"], np.random.default_rng(0), 10.0, ()).prospect()
    row = HOST.outcome(int(belief.columns.answers[prospect.row]))
    assert HOST.judge(belief.intent, row).accepted
    assert prospect.hit > 0.7


def test_hypotheses_can_all_be_carried_out_and_sum_to_one() -> None:
    hypotheses = draw(believed("A cocoa with something nutty, by front counter."), np.random.default_rng(1))
    assert hypotheses.weight.sum() == pytest.approx(1.0)
    rows = np.arange(hypotheses.columns.rows)
    likely = (hypotheses.weight > 0.0) & ~hypotheses.elsewhere
    assert hypotheses.accepts(rows)[likely].any(axis=1).all()


def test_drifts_have_the_configured_frequency() -> None:
    now = draw(believed("A cocoa with soy milk in a paper cup, by front counter."), np.random.default_rng(1), 4000)
    after = drifted(now, np.random.default_rng(2), DriftConfig(weights={"pivot": 1.0}))
    assert (after.elsewhere & ~now.elsewhere).mean() == pytest.approx(0.6, abs=0.03)
    still = drifted(now, np.random.default_rng(2), None)
    assert all((still.single[t] == now.single[t]).all() for t in now.single)


def test_a_refused_commit_is_not_proposed_again() -> None:
    belief = believed("A cocoa with soy milk in a paper cup, by front counter.")
    first = Planner(belief, CONFIG, PERSONAS["rational"], np.random.default_rng(0), 10.0, ()).prospect().row
    belief.refuse(belief.columns.outcome(first), ("milk",))
    second = Planner(belief, CONFIG, PERSONAS["rational"], np.random.default_rng(0), 6.0, ()).prospect().row
    assert first != second
    milk = belief.columns.topics[belief.columns.index["milk"]]
    assert milk.codes[first] != milk.codes[second]


def test_beliefs_stay_probabilities_through_anything() -> None:
    rng = np.random.default_rng(5)
    belief = believed("A cocoa with soy milk in a paper cup, by front counter.")
    for _ in range(300):
        slot = HOST.slots[int(rng.integers(1, len(HOST.slots)))]
        values = HOST.domain(slot.id)
        condition = Condition(slot.id, slot.op, values[int(rng.integers(len(values)))])
        step = int(rng.integers(7))
        if step == 0:
            belief.tell(condition)
        elif step == 1:
            belief.free(slot.topic)
        elif step == 2:
            belief.confirm([condition])
        elif step == 3:
            belief.drop(condition)
        elif step == 4:
            belief.turn_to(HOST.frames[int(rng.integers(len(HOST.frames)))])
        elif step == 5:
            belief.drift(DriftConfig())
        else:
            belief.refuse(belief.columns.outcome(int(rng.integers(belief.columns.rows))), ())
        assert 0.0 <= belief.elsewhere <= 1.0
        for state in belief.topics:
            if isinstance(state, Single):
                assert 0.0 <= state.right <= 1.0
                assert 0.0 <= state.other <= 1.0 + 1e-9
                assert state.right + state.other <= 1.0 + 1e-9
            else:
                assert isinstance(state, Tags)
        draw(belief, rng, 16)
