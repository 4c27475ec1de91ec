"""Live writes at the desks that build their own requests."""

from __future__ import annotations

import pytest

from intent_gym.agents.scripted.oracle import OracleAgent
from intent_gym.core.personas import PERSONAS
from intent_gym.envs.base import DriftEnv
from intent_gym.envs.desk.host import DeskHost
from intent_gym.envs.hosts import load_host
from intent_gym.errors import OptionError
from tests.envs.release.conftest import ENVS


@pytest.mark.parametrize("name", ["retail", "airline"])
def test_a_write_stands_at_once_and_nothing_empties_it(name: str) -> None:
    host, staged = load_host(name, "embedded", {"writes": "live"}), load_host(name)
    assert isinstance(host, DeskHost) and isinstance(staged, DeskHost)
    assert host.live and not staged.live
    goal = host.goals()[0]
    outcome = host.outcome(int(host.answers(goal.intent)[0]))
    session = host.open_session()
    for text in host.steps_to(outcome):
        result = host.act(session, text)
        assert not result.malformed
        session = result.session
    assert host.proposal(session, "") == outcome
    assert host.judge(goal.intent, outcome).accepted
    assert host.rejected(session) == (session, None)
    reset = host.act(session, "reset_draft()")
    assert reset.malformed and reset.session == session
    assert len(staged.tool_schemas()) == len(host.tool_schemas()) + 1
    assert staged.rejected(session)[0] == staged.open_session()


@pytest.mark.parametrize("name", ["retail", "airline"])
def test_the_oracle_is_accepted_with_live_writes(name: str) -> None:
    made: type[DriftEnv] = ENVS[name]
    env = made(writes="live", privileged=True)
    for seed in range(20):
        obs, info = env.reset(seed=seed, options={"persona": list(PERSONAS)[seed % 5]})
        agent, done = OracleAgent(env.host, env), False
        while not done:
            obs, _, done, _, info = env.step(agent.act(obs, info))
        assert info["end_reason"] == "accepted"


def test_only_desks_write() -> None:
    with pytest.raises(OptionError, match="writes: toy is no service desk"):
        load_host("toy", "embedded", {"writes": "live"})
