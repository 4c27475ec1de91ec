"""``intent-gym run``, ``report`` and ``view``."""

from __future__ import annotations

import argparse
import importlib
import json
import re
import sys
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gymnasium as gym

from intent_gym.agents.base import AGENTS
from intent_gym.commands.common import console, env_options, known_id, names
from intent_gym.core.signals import grip
from intent_gym.errors import FailedEpisodesWarning, OptionError, RunError, suggest
from intent_gym.evaluation.conditions import CONDITIONS, compare_conditions
from intent_gym.evaluation.families import source_of
from intent_gym.evaluation.judges import JUDGES
from intent_gym.evaluation.labels import is_evolving
from intent_gym.evaluation.player import AgentSource, agent_name
from intent_gym.evaluation.report import markdown, print_report, sections, to_json
from intent_gym.evaluation.results import Results
from intent_gym.evaluation.runner import evaluate, protocol_of
from intent_gym.evaluation.store import StoredRun, find_runs
from intent_gym.evaluation.viewer import print_episode

__all__ = ["report_command", "run_command", "view_command"]

_DEFAULT_AGENTS = {"silent": ("no-ask", "just-ask"), "evolving": ("folding", "last-mention")}
"""By protocol."""


def run_command(arguments: argparse.Namespace) -> int:
    """Play agents, record, print the table. What the folder holds is not played again."""
    env_ids = [known_id(env_id) for env_id in names(arguments.id)]
    if not env_ids:
        raise OptionError("ID: expected an environment, or several with commas; `intent-gym list` shows them")
    options = env_options(arguments)
    pairs = [(env_id, agent) for env_id in env_ids for agent in _agents(arguments.agents, env_id, options)]
    if arguments.model is not None and not any(_takes_model(agent) for _, agent in pairs):
        named = dict.fromkeys(agent_name(agent) for _, agent in pairs)
        raise OptionError(f"--model: none of the agents {','.join(named)} takes a language model")
    common: dict[str, Any] = {
        "episodes": arguments.episodes,
        "seeds": arguments.seeds,
        "tasks": arguments.tasks,
        "workers": arguments.workers,
        "progress": False if arguments.quiet else None,
    }
    conditions = names(arguments.conditions) if arguments.conditions else []
    found: list[Results] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FailedEpisodesWarning)  # the report lists what failed
        for env_id, agent in pairs:
            name = re.sub(r"[^\w.-]+", "-", agent_name(agent))
            place = Path(env_id.rpartition(":")[2]) / name if len(env_ids) > 1 else Path(name)
            folder = None if arguments.out is None else Path(arguments.out) / place
            model = arguments.model if _takes_model(agent) else None
            own = dict(options)
            if len(env_ids) > 1 and isinstance(own.get("source"), str) and own["source"] != "embedded":
                own["source"] = source_of(env_id, own["source"])
            if conditions:
                compared = compare_conditions(env_id, agent, model, conditions=conditions, out=folder, **common, **own)
                found += compared.runs.values()
            else:
                found.append(evaluate(env_id, agent, model, out=folder, **common, **own))
    print_report(sections(found), console())
    if arguments.out is not None:
        print(f"recorded in {arguments.out}; `intent-gym report {arguments.out}` prints this again")
    return 1 if any(results.errors for results in found) else 0


def _agents(given: str | None, env_id: str, options: Mapping[str, Any]) -> list[AgentSource]:
    """Return the agents that are named, or two that play the environment's protocol."""
    if given is None:
        protocol = options.get("protocol") or protocol_of(gym.spec(env_id.rpartition(":")[2]))
        return list(_DEFAULT_AGENTS["evolving" if protocol == "evolving" else "silent"])
    agents = [_agent(name) for name in names(given)]
    if not agents:
        raise OptionError("--agents: expected names with commas; `intent-gym list --agents` shows them")
    return agents


def _agent(name: str) -> AgentSource:
    """Return a shipped agent's name, or what "module:name" stands for."""
    module, _, attribute = name.partition(":")
    if not module or not attribute:
        if name not in AGENTS:
            raise OptionError(
                f"there is no agent {name!r}{suggest(name, AGENTS)}; there are: {', '.join(AGENTS)}; "
                "module:name takes one of your own"
            )
        return name
    if "" not in sys.path:
        sys.path.insert(0, "")  # a module of the current folder, as with `python -m`
    try:
        agent: AgentSource = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise OptionError(f"the agent {name!r} cannot be loaded: {error}") from error
    return agent


def _takes_model(agent: AgentSource) -> bool:
    from intent_gym.agents.base import agent_options

    return isinstance(agent, str) and "model" in agent_options(agent)


def report_command(arguments: argparse.Namespace) -> int:
    """Print the report of every run at or below a folder."""
    runs = [Results.of_run(run) for run in sorted(find_runs(arguments.dir), key=_place)]
    if arguments.realism is not None:
        runs = [results.with_realism(JUDGES[arguments.realism]()) for results in runs]
    found = sections(runs)
    if arguments.format == "markdown":
        print(markdown(found, explain=arguments.explain), end="")
    elif arguments.format == "json":
        print(json.dumps(to_json(found), indent=2))
    else:
        print_report(found, console(), explain=arguments.explain)
    return 0


def _place(run: StoredRun) -> tuple[int, str, int]:
    """Return where a run stands in a report: agents as they are listed, then others by name; then by condition."""
    agent, condition = str(run.config["agent"]), run.config["options"].get("condition", "drift")
    listed = list(AGENTS)
    return (listed.index(agent) if agent in AGENTS else len(listed), agent, CONDITIONS.index(condition))


def view_command(arguments: argparse.Namespace) -> int:
    """List a run's episodes, or print one."""
    runs = find_runs(arguments.dir)
    if len(runs) > 1:
        inside = ", ".join(str(run.folder) for run in runs)
        raise RunError(f"{arguments.dir} holds {len(runs)} runs; name one of them: {inside}")
    if arguments.episode is None:
        _list_episodes(runs[0])
        return 0
    wanted = arguments.seed, arguments.episode
    for key, record in runs[0].records():
        if key == wanted:
            heading = f"{agent_label(runs[0])}, seed {key[0]}, episode {key[1]}"
            print_episode(record, console(), heading=heading)
            return 0
    for error in runs[0].errors():
        if error.key == wanted:
            print(f"seed {error.seed}, episode {error.episode} failed: {error.error}\n\n{error.traceback}")
            return 0
    raise RunError(f"{runs[0].folder} has no episode {wanted[1]} of seed {wanted[0]}")


def agent_label(run: StoredRun) -> str:
    """Return the agent of a run."""
    return str(run.config["agent"])


_NUMBERS = len("seed  episode  ") + len("  ") + len("  asks  commits  drifts")
"""Width of the table of episodes without the columns "case" and "end"."""
_COUNTED = {"asks": "question", "commits": "commit", "drifts": "drift"}
"""Events that are counted in the silent protocol, by column."""
_END = 24
"""Width of the column "end" at most: what failed is folded."""


def _breakable(name: str, width: int) -> str:
    r"""Return a task's id on lines of at most a width, broken after a slash, a plus sign, a hyphen or an underscore.

    >>> _breakable("order-160/insufficient_information/0", 24)
    'order-160/insufficient_\ninformation/0'
    """
    lines = [""]
    for part in re.findall(r"[^/+_-]*[/+_-]?", name):
        if lines[-1] and len(lines[-1] + part) > width:
            lines.append("")
        lines[-1] += part
    return "\n".join(lines)


def _list_episodes(run: StoredRun) -> None:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    evolving = is_evolving(run.config)
    counted = {"edits": "edit", "drafts": "draft"} if evolving else _COUNTED
    for header in ("seed", "episode", "case", "end", *counted, *(["obeys"] if evolving else [])):
        if header in ("case", "end"):
            table.add_column(header, overflow="fold", max_width=_END if header == "end" else None)
        else:
            table.add_column(header, justify="right", no_wrap=True)
    rows = []
    for key, record in run.records():
        events = [event["type"] for step in record.steps for event in step.events]
        counts = [str(events.count(kind)) for kind in counted.values()]
        if evolving:
            counts.append("stale" if grip(record)["stale_obedience"] else "-")
        rows.append((key, (record.sample_id, record.end_reason or "cut off", *counts)))
    rows += [(error.key, ("", f"failed: {error.error[:60]}", *([""] * 3))) for error in run.errors()]
    out = console()
    ends = max((len(cells[1]) for _, cells in rows), default=0)
    room = max(16, out.width - _NUMBERS - min(ends, _END))
    for key, cells in sorted(rows):
        table.add_row(str(key[0]), str(key[1]), _breakable(cells[0], room), *cells[1:])
    out.print(table)
    print(f"\n`intent-gym view {run.folder} --episode N [--seed S]` prints one")
