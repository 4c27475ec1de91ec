"""The content hashes of the Drift-Bench++ release, recomputed from the content.

Source: the release's files (hosts' notes on the release, section 2). Every id is the start of a SHA-256 over a
canonical JSON text, so a loader can verify everything that it reads.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

__all__ = [
    "canonical",
    "compact",
    "digest",
    "env_id",
    "intent_id",
    "sample_id",
    "source_record",
    "spec_id",
    "tree_id",
    "truth_hash",
]

_SPEC = (
    *("strategy_id", "substituted", "presupposed", "withheld", "marked"),
    *("ambiguous", "extras", "noise", "oblique"),
)
_UNHASHED = ("paths", "workers")
"""Keys of a tree's configuration that say where it was made, not how."""


def canonical(value: Any) -> Any:  # noqa: ANN401 - plain JSON data
    """Return JSON data with text keys, whole floats as integers and other floats as their text.

    >>> canonical({2: [30.0, 28.7, True]})
    {'2': [30, '28.7', True]}
    """
    if isinstance(value, Mapping):
        return {str(k): canonical(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [canonical(v) for v in value]
    if isinstance(value, float):
        return int(value) if value.is_integer() else repr(value)
    return value


def compact(value: Any) -> str:  # noqa: ANN401 - plain JSON data
    """Return the canonical JSON text: keys sorted, no spaces, characters as they are.

    >>> compact({"b": 1.0, "a": "é"})
    '{"a":"é","b":1}'
    """
    return json.dumps(canonical(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def digest(*parts: Any, length: int = 16) -> str:
    """Return the first hexadecimal digits of the hash of some parts."""
    return _sha(compact(parts), length)


def _sha(text: str, length: int) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:length]


def intent_id(
    adapter: str, version: str, environment: str, base: Mapping[str, Any], conditions: Iterable[Sequence[Any]]
) -> str:
    """Return the id of a node."""
    return digest(adapter, version, environment, base, sorted(conditions, key=compact))


def truth_hash(kind: str, value: Any) -> str:  # noqa: ANN401 - a list of texts or a text
    """Return the hash of a ground truth."""
    return digest(kind, value, length=32)


def tree_id(environment: str, root: str, children: Iterable[str], config: Mapping[str, Any]) -> str:
    """Return the id of a tree from the ids of its nodes and the configuration it was made with."""
    kept = {k: v for k, v in config.items() if k not in _UNHASHED}
    return digest(environment, root, sorted(children), digest(kept))


def spec_id(mask: Mapping[str, Any]) -> str:
    """Return the id of what a request does to the truth.

    >>> nothing = dict.fromkeys(("substituted", "presupposed", "withheld", "marked", "ambiguous", "extras"), [])
    >>> spec_id({"strategy_id": "indirect_intent", **nothing, "noise": False, "oblique": True})
    '8d9ebde1bce95b92'
    """
    return digest(*(mask[key] for key in _SPEC))


def sample_id(tree: str, strategies: Sequence[str], spec: str) -> str:
    """Return the id of a WebShop sample."""
    return digest(tree, strategies, "", spec)


def env_id(cluster: str) -> str:
    """Return the environment id of a WebShop cluster.

    >>> env_id("alcoholic beverages")
    'webshop_2096303a8868b9fa'
    """
    return f"webshop_{_sha(cluster, 16)}"


def source_record(asin: str, instruction: str) -> str:
    """Return the record id of a WebShop goal."""
    return _sha(f"{asin}||{instruction}", 16)
