"""Importing intent_gym is cheap and touches nothing: no file, no network, no random state, no heavy library."""

from __future__ import annotations

import importlib
import json
import pkgutil
import subprocess
import sys
import types
from typing import Any

import pytest

import intent_gym
from intent_gym.errors import MissingExtraError

# Light libraries are imported by those who need them, heavy ones inside the call that needs them.
HEAVY = {
    "litellm",
    "pydantic",
    "rapidfuzz",
    "requests",
    "rich",
    "sb3_contrib",
    "sqlglot",
    "stable_baselines3",
    "tantivy",
    "torch",
    "transformers",
}
HOSTS = ("webshop", "retail", "airline", "code", "math", "sql", "data_to_text", "summary", "tools", "vita", "toy")

PROBE = """
import json, logging, random, sys, time
import gymnasium, numpy

before = set(sys.modules)
handlers = list(logging.root.handlers)
random_states = random.getstate(), repr(numpy.random.get_state())
touched = []

def watch(event, arguments):
    if event == "open":
        # The import system reads sources and compiled code; whatever else is opened is ours.
        if not str(arguments[0]).endswith((".py", ".pyc", ".so", ".pyd")):
            touched.append(f"open {arguments[0]!r}")
    elif event.startswith(("socket.", "subprocess.", "urllib.", "os.system", "os.putenv")):
        touched.append(f"{event} {arguments!r}")

sys.addaudithook(watch)
start = time.process_time()
import intent_gym
seconds = time.process_time() - start

print(json.dumps({
    "seconds": seconds,
    "modules": sorted(set(sys.modules) - before),
    "touched": touched,
    "handlers": list(logging.root.handlers) != handlers,
    "drew": (random.getstate(), repr(numpy.random.get_state())) != random_states,
}))
"""


def _probe() -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-B", "-W", "error", "-c", PROBE], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr, "importing intent_gym prints nothing"
    report: dict[str, Any] = json.loads(done.stdout)
    return report


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    return _probe()


def test_import_loads_no_heavy_library_and_no_host(report: dict[str, Any]) -> None:
    modules = set(report["modules"])
    assert not modules & HEAVY
    hosts = tuple(f"intent_gym.envs.{host}" for host in HOSTS)
    assert not [m for m in modules if m.startswith(hosts)], "hosts are registered by string entry points"


def test_import_touches_no_file_network_or_environment(report: dict[str, Any]) -> None:
    assert report["touched"] == []


def test_import_leaves_logging_and_random_state_alone(report: dict[str, Any]) -> None:
    assert not report["handlers"]
    assert not report["drew"]


def test_import_takes_under_half_a_second_of_processor_time() -> None:
    seconds = min(_probe()["seconds"] for _ in range(3))  # the best of three: other work on the machine only adds
    assert seconds < 0.5


def _packages() -> list[str]:
    inner = pkgutil.walk_packages(intent_gym.__path__, prefix="intent_gym.", onerror=lambda name: None)
    return ["intent_gym", *sorted(m.name for m in inner if m.ispkg)]


def _is_public(package: str, name: str, value: object) -> bool:
    """Whether a name in a package's ``__init__`` is its own and meant for users: no module, nothing borrowed."""
    if name.startswith("_") or name in ("annotations", "TYPE_CHECKING") or isinstance(value, types.ModuleType):
        return False
    owner = str(getattr(value, "__module__", package))
    return owner == package or owner.startswith(f"{package}.")


@pytest.mark.parametrize("name", _packages())
def test_every_public_name_is_importable_and_listed(name: str) -> None:
    try:
        package = importlib.import_module(name)
    except MissingExtraError as error:
        pytest.skip(str(error))
    listed = getattr(package, "__all__", None)
    defined = {n for n, v in vars(package).items() if _is_public(package.__name__, n, v)}
    if listed is None:
        assert not defined, f"{name} has public names and no __all__"
        return
    assert len(set(listed)) == len(listed)
    assert not [n for n in listed if not hasattr(package, n)], "in __all__ but not there"
    assert defined <= set(listed), "public but not in __all__"
