"""What runs are called in reports, from their configurations."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

__all__ = ["agent_label", "condition_of", "evolving_title", "is_evolving", "title_of"]

_NOT_SHOWN = ("condition", "privileged")


def title_of(config: Mapping[str, Any]) -> str:
    """Return the environment and its options but for the condition."""
    options = {k: v for k, v in config["options"].items() if k not in _NOT_SHOWN}
    if "tasks" in config:
        options["tasks"] = config["tasks"]
        options.pop("split", None)
    return f"{config['env_id']} ({_shown(options)})"


def agent_label(config: Mapping[str, Any]) -> str:
    """Return the agent with its model and options."""
    options = ", ".join(f"{k} {v}" for k, v in sorted(config["agent_options"].items()))
    return " ".join(filter(None, (config["agent"], config["model"], f"[{options}]" if options else "")))


def condition_of(config: Mapping[str, Any]) -> str:
    """Return the condition, or the part of a paired run."""
    return str(config["pairing"] or config["options"].get("condition", "drift"))


def is_evolving(config: Mapping[str, Any]) -> bool:
    """Return whether a run is of the evolving protocol."""
    return bool(config["options"].get("protocol") == "evolving")


def evolving_title(config: Mapping[str, Any]) -> str:
    """Return what runs of several families have in common: the budget, the cases, the kind of data, other options.

    >>> evolving_title({"options": {"split": "test", "protocol": "evolving", "restate": True}})
    'Evolving dialogues, budget hard, split test, embedded data (restate true)'
    """
    options = {k: v for k, v in config["options"].items() if k not in (*_NOT_SHOWN, "protocol")}
    budget, split = options.pop("budget", "hard"), options.pop("split", "train")
    cases = f"set {config['tasks']}" if "tasks" in config else f"split {split}"
    data = "embedded" if options.pop("source", "embedded") == "embedded" else "original"
    shown = f" ({_shown(options)})" if options else ""
    return f"Evolving dialogues, budget {budget}, {cases}, {data} data{shown}"


def _shown(options: Mapping[str, Any]) -> str:
    return ", ".join(f"{k} {v if isinstance(v, str) else json.dumps(v)}" for k, v in sorted(options.items()))
