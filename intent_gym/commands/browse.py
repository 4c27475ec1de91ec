"""``intent-gym list`` and ``intent-gym info ID``."""

from __future__ import annotations

import argparse
import importlib
import inspect

import gymnasium as gym

from intent_gym.agents.base import AGENTS
from intent_gym.commands.common import console, known_id
from intent_gym.registration import ENVIRONMENTS

__all__ = ["info_command", "list_command"]


def list_command(arguments: argparse.Namespace) -> int:
    """Print the environments, or the agents."""
    from rich.table import Table

    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column()
    if arguments.agents:
        for agent in AGENTS.values():
            grid.add_row(agent.name, agent.doc)
    else:
        for spec in ENVIRONMENTS:
            grid.add_row(spec.id, spec.summary)
    console().print(grid)
    return 0


def info_command(arguments: argparse.Namespace) -> int:
    """Print an environment's page: the docstring of its class."""
    entry = gym.spec(known_id(arguments.id)).entry_point
    if isinstance(entry, str):
        module, _, name = entry.partition(":")
        entry = getattr(importlib.import_module(module), name)
    page = inspect.getdoc(entry) or "(no page)"
    out = console()
    if out.is_terminal:
        from rich.markdown import Markdown

        out.print(Markdown(f"# {arguments.id}\n\n{page}"))
    else:
        print(f"# {arguments.id}\n\n{page}")
    return 0
