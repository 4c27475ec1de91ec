"""The hosts by name. One instance per (name, source, options) is shared by all environments of a process."""

from __future__ import annotations

import importlib
import json
import os
import threading
from collections.abc import Mapping
from typing import Any

from intent_gym.core.language.lexicon import Lexicon
from intent_gym.envs.host import Host
from intent_gym.errors import OptionError, suggest

__all__ = ["HOSTS", "RELEASE_OPTIONS", "lexicon_of", "load_host"]

HOSTS: Mapping[str, str] = {
    "airline": "intent_gym.envs.airline.host:load",
    "data_to_text": "intent_gym.envs.data_to_text.host:load",
    "humaneval": "intent_gym.envs.code.host:load_humaneval",
    "livecodebench": "intent_gym.envs.code.host:load_livecodebench",
    "math": "intent_gym.envs.math.host:load",
    "retail": "intent_gym.envs.retail.host:load",
    "sql": "intent_gym.envs.sql.host:load",
    "summary": "intent_gym.envs.summary.host:load",
    "tools": "intent_gym.envs.tools.host:load",
    "toy": "intent_gym.envs.toy.host:load",
    "webshop": "intent_gym.envs.webshop.host:load",
}
"""Where each host's ``load(source, **options) -> Host`` is."""

RELEASE_OPTIONS = ("host_data", "transitions", "acceptance")
"""Options that only a Drift-Bench++ release as source has."""

_lock = threading.RLock()
_loaded: dict[tuple[str, str, str], Host] = {}
_lexicons: dict[Host, Lexicon] = {}


def load_host(name: str, source: str = "embedded", options: Mapping[str, Any] | None = None) -> Host:
    """Return the process's instance of a host, loading it on the first call.

    Raises:
        OptionError: No such host, or options that do not go with the source.
        DataError: The source cannot be read; the message says which file and why.
    """
    if name not in HOSTS:
        raise OptionError(f"no host {name!r}{suggest(name, HOSTS)}; hosts: {', '.join(HOSTS)}")
    given = dict(options or {})
    if source != "embedded":
        source = os.path.abspath(source)  # messages say where they looked, and a process may change its folder
    if given.get("host_data") is not None:
        if not isinstance(given["host_data"], str):
            raise OptionError(f"host_data: expected the path of a folder as text, got {given['host_data']!r}")
        given["host_data"] = os.path.abspath(given["host_data"])
    key = (name, source, json.dumps(given, sort_keys=True))
    with _lock:  # threads that make environments side by side share the host too
        if key not in _loaded:
            host = _load(name, source, given)
            host.origin = (load_host, (name, source, given))
            _loaded[key] = host
        return _loaded[key]


def _load(name: str, source: str, options: Mapping[str, Any]) -> Host:
    """Load a host over its own data, or over a Drift-Bench++ release where the folder is one."""
    given = dict(options)
    writes = given.pop("writes", "staged")
    if writes not in ("staged", "live"):
        raise OptionError(f"writes: expected 'staged' or 'live', got {writes!r}")
    if source != "embedded":
        if importlib.import_module("intent_gym.construct.release.layout").is_release(source):
            release = importlib.import_module("intent_gym.envs.release.load")
            played: Host = release.load(name, source, **options)
            return played
    for option in RELEASE_OPTIONS:
        if option in given:
            raise OptionError(
                f"{option}: only goes with source=<folder of the Drift-Bench++ release>; {source!r} is none: leave "
                f"{option} out, or name the folder that holds the release's benchmarks/"
            )
    module, function = HOSTS[name].split(":")
    host: Host = getattr(importlib.import_module(module), function)(source, **given)
    if writes == "live":
        if not hasattr(host, "live"):
            raise OptionError(f"writes: {name} is no service desk, so it has no writes")
        host.live = True
    return host


def lexicon_of(host: Host) -> Lexicon:
    """Return the lexicon of a host's slots and domains, built once."""
    with _lock:
        found = _lexicons.get(host)
        if found is None:
            found = _lexicons[host] = Lexicon(host.slots, host.domain)
        return found
