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

__all__ = ["HOSTS", "lexicon_of", "load_host"]

HOSTS: Mapping[str, str] = {
    "airline": "intent_gym.envs.airline.host:load",
    "retail": "intent_gym.envs.retail.host:load",
    "toy": "intent_gym.envs.toy.host:load",
    "webshop": "intent_gym.envs.webshop.host:load",
}
"""Where each host's ``load(source, **options) -> Host`` is."""

_lock = threading.RLock()
_loaded: dict[tuple[str, str, str], Host] = {}
_lexicons: dict[Host, Lexicon] = {}


def load_host(name: str, source: str = "embedded", options: Mapping[str, Any] | None = None) -> Host:
    """Return the process's instance of a host, loading it on the first call.

    Raises:
        OptionError: No such host.
        DataError: The source cannot be read; the message says which file and why.
    """
    if name not in HOSTS:
        raise OptionError(f"no host {name!r}{suggest(name, HOSTS)}; hosts: {', '.join(HOSTS)}")
    given = dict(options or {})
    if source != "embedded":
        source = os.path.abspath(source)  # messages say where they looked, and a process may change its folder
    key = (name, source, json.dumps(given, sort_keys=True))
    with _lock:  # threads that make environments side by side share the host too
        if key not in _loaded:
            module, function = HOSTS[name].split(":")
            host: Host = getattr(importlib.import_module(module), function)(source, **given)
            host.origin = (load_host, (name, source, given))
            _loaded[key] = host
        return _loaded[key]


def lexicon_of(host: Host) -> Lexicon:
    """Return the lexicon of a host's slots and domains, built once."""
    with _lock:
        found = _lexicons.get(host)
        if found is None:
            found = _lexicons[host] = Lexicon(host.slots, host.domain)
        return found
