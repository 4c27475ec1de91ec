"""Hosts are loaded once a process, whoever asks first."""

from __future__ import annotations

import sys
import time
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType

import pytest

from intent_gym.envs import hosts
from intent_gym.envs.toy import ToyHost
from intent_gym.errors import OptionError


def test_threads_that_ask_at_the_same_time_get_one_host(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def load(source: str) -> ToyHost:
        time.sleep(0.05)
        made.append(ToyHost())
        return made[-1]

    module = ModuleType("slow_host")
    module.load = load  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "slow_host", module)
    monkeypatch.setattr(hosts, "HOSTS", {"slow": "slow_host:load"})
    monkeypatch.setattr(hosts, "_loaded", {})
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda _: hosts.load_host("slow"), range(4)))
    assert len(made) == 1
    assert all(host is found[0] for host in found)


def test_options_make_hosts_of_their_own() -> None:
    small, again = (hosts.load_host("webshop", options={"size": 1000}) for _ in range(2))
    assert small is again
    assert small is not hosts.load_host("webshop", options={"size": 1001})


def test_unknown_host_names_the_known_ones() -> None:
    with pytest.raises(OptionError, match="no host 'webshp'; did you mean 'webshop'"):
        hosts.load_host("webshp")
