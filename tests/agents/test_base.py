from __future__ import annotations

import pytest

from intent_gym.agents import AGENTS, Agent, agent_options, make_agent
from intent_gym.envs.toy import ToyHost
from intent_gym.errors import OptionError


@pytest.mark.parametrize("name", [n for n in AGENTS if not AGENTS[n].privileged])
def test_every_agent_of_the_table_is_made_with_its_defaults(name: str) -> None:
    agent = make_agent(name, ToyHost(), **agent_options(name))
    assert isinstance(agent, Agent)
    assert AGENTS[name].doc.endswith(".")


def test_unknown_agent_names_the_nearest() -> None:
    with pytest.raises(OptionError, match=r"'infomation-gain'; did you mean 'information-gain'\?"):
        make_agent("infomation-gain", ToyHost())


def test_unknown_option_names_the_valid_ones() -> None:
    with pytest.raises(OptionError, match=r"'priors'; did you mean 'prior'\?"):
        make_agent("calibrated", ToyHost(), priors=None)


def test_the_oracle_needs_the_environment() -> None:
    with pytest.raises(OptionError, match="env="):
        make_agent("oracle", ToyHost())
