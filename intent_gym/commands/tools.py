"""``intent-gym construct``, ``check``, ``bench``, ``results`` and ``sets``."""

from __future__ import annotations

import argparse
import importlib
import shlex
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from intent_gym.commands.common import console, env_options, known_id, make_env, names
from intent_gym.errors import OptionError, RunError
from intent_gym.registration import ENVIRONMENTS

if TYPE_CHECKING:
    from intent_gym.evaluation.tables import Check

__all__ = ["bench_command", "check_command", "construct_command", "results_command", "sets_command"]


def construct_command(arguments: argparse.Namespace) -> int:
    """Build every pool of a host; print what was made and turned away, or write it to a file.

    Of a Drift-Bench++ release nothing is built: what the folder holds is printed against the whole release.
    """
    from intent_gym.construct import construct, save
    from intent_gym.construct.release import describe, load_release
    from intent_gym.construct.release.layout import is_release
    from intent_gym.envs.hosts import load_host

    env_id = known_id(arguments.id).rpartition(":")[2]
    hosts = {spec.id: spec.host for spec in ENVIRONMENTS}
    if env_id not in hosts:
        raise OptionError(f"{env_id} is not an environment of this suite; there are: {', '.join(hosts)}")
    if arguments.source is not None and is_release(arguments.source):
        if arguments.out is not None:
            raise OptionError("--out: a Drift-Bench++ release holds its own samples, so there is none to build")
        print(describe(load_release(arguments.source)))
        return 0
    host = load_host(hosts[env_id], arguments.source or "embedded")
    if arguments.out is None:
        print(construct(host))
        return 0
    try:
        report = save(Path(arguments.out), host)
    except OSError as error:
        raise RunError(f"{arguments.out} cannot be written: {error.strerror or error}") from error
    print(report if arguments.stats else f"{sum(report.samples.values())} samples in {arguments.out}")
    return 0


def check_command(arguments: argparse.Namespace) -> int:
    """Run the conformance suite on an environment and its host: each interface, or the one that is named."""
    from intent_gym import testing
    from intent_gym.envs.base import DriftEnv

    options = env_options(arguments)
    if arguments.audit:
        return _audit(arguments, options)
    if not isinstance(make_env(arguments.id, options).unwrapped, DriftEnv):
        raise OptionError(f"{arguments.id} is not an environment of this suite: there is nothing to check")
    interfaces = [options.pop("interface")] if "interface" in options else ["dialogue", "text", "slots"]
    for interface in interfaces:
        testing.check_env(arguments.id, interface=interface, **options)
        print(f"{arguments.id}, interface {interface}: conforms, and shows nothing hidden")
    return 0


def _audit(arguments: argparse.Namespace, options: dict[str, Any]) -> int:
    """Print what an independent reader finds in the utterances of an environment's evolving dialogues."""
    from intent_gym.envs.base import DriftEnv
    from intent_gym.envs.options import EnvOptions
    from intent_gym.evaluation.audit import AIM, audit

    if arguments.utterances < 1:
        raise OptionError(f"--utterances: expected at least 1, got {arguments.utterances}")
    idle = sorted(set(options) & ({f.name for f in fields(EnvOptions)} - {"source", "split", "budget", "config"}))
    if idle:
        raise OptionError(
            f"--audit takes source, split, budget and the host's own options: leave {', '.join(idle)} out"
        )
    env = make_env(arguments.id, {"split": "all", "budget": "hard", **options, "protocol": "evolving"})
    drift = env.unwrapped
    assert isinstance(drift, DriftEnv)  # make_env has looked
    found = audit(drift.host, arguments.utterances, drift.options.split, drift.options.budget)
    print(found)
    print(f"fidelity and coherence of at least {AIM:.0%}: {'yes' if found.holds else 'no'}")
    return 0 if found.holds else 1


def bench_command(arguments: argparse.Namespace) -> int:
    """Measure steps per second."""
    bench = importlib.import_module("intent_gym.bench")
    code: int = bench.main(arguments.rest)
    return code


def results_command(arguments: argparse.Namespace) -> int:
    """Play the matrix of runs behind the committed results and write their page."""
    evolving = arguments.protocol == "evolving"
    play = _evolving_results if evolving else _silent_results
    out = Path(arguments.out or ("docs/results-evolving.md" if evolving else "docs/results.md"))
    shown = ["intent-gym", "results", *(["--protocol", "evolving"] if evolving else [])]
    if arguments.tasks is None:
        shown += ["--episodes", str(arguments.episodes)]
    shown += ["--seeds", str(arguments.seeds)]
    shown += ["--ids", arguments.ids] if arguments.ids else []
    shown += ["--tasks", arguments.tasks] if arguments.tasks else []
    shown += ["--source", "DIR"] if arguments.source else []
    text, lines, beside = play(arguments, shlex.join(shown))
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise RunError(f"{out} cannot be written: {error.strerror or error}") from error
    for line in (*lines, *beside):
        print(line)
    print(f"written to {out}")
    return 0 if all(line.holds for line in lines) else 1


def _silent_results(arguments: argparse.Namespace, command: str) -> tuple[str, list[Check], list[str]]:
    """Return the page of the silent protocol, its checks, and no more figures."""
    from intent_gym.evaluation import tables

    if arguments.tasks is not None or arguments.source is not None:
        raise OptionError("--tasks and --source go with --protocol evolving")
    runs = tables.matrix(names(arguments.ids) if arguments.ids else tables.ENVIRONMENTS)
    found = tables.play(
        runs,
        arguments.runs or "runs/results",
        episodes=arguments.episodes,
        seeds=arguments.seeds,
        workers=arguments.workers,
    )
    return tables.page(found, command), tables.checks(found), []


def _evolving_results(arguments: argparse.Namespace, command: str) -> tuple[str, list[Check], list[str]]:
    """Return the page of the evolving protocol, its checks, and the stale obedience of each agent."""
    from intent_gym.evaluation import evolving_results

    env_ids = [known_id(e) for e in names(arguments.ids)] if arguments.ids else evolving_results.families()
    found = evolving_results.play(
        evolving_results.matrix(env_ids),
        arguments.runs or "runs/results-evolving",
        episodes=arguments.episodes,
        seeds=arguments.seeds,
        workers=arguments.workers,
        source=arguments.source,
        tasks=arguments.tasks,
    )
    data = "original data" if arguments.source else "embedded data"
    note = data if arguments.tasks else f"{data}, split test"
    text = evolving_results.page(found, command, note)
    return text, evolving_results.checks(found), list(evolving_results.stale_lines(found))


def sets_command(arguments: argparse.Namespace) -> int:
    """Print how many cases each family has in the named sets, or draw them anew and write them to a file."""
    from intent_gym.evaluation import sets
    from intent_gym.evaluation.families import FAMILIES
    from intent_gym.evaluation.grids import Grid, print_grid

    if arguments.write is None:
        if arguments.source is not None:
            raise OptionError(
                "--source goes with --write FILE, which draws the sets anew; without both they are counted"
            )
        file = sets.read_sets()
    elif arguments.source is None:
        raise OptionError("--write needs --source DIR, a folder with a folder of original files for each family")
    else:
        made = sets.make_sets(arguments.source)
        file = made.file
        try:
            Path(arguments.write).write_text(sets.written(file), encoding="utf-8")
        except OSError as error:
            raise RunError(f"{arguments.write} cannot be written: {error.strerror or error}") from error
        for line in made.left_out:
            print(f"left out: {line}")
        print(f"written to {arguments.write}")
    short = {(s.data, s.env_id, s.name): s for s in sets.shortfall(file)}
    for data, parts in file.data.items():
        rows = []
        for family in FAMILIES:
            known = parts[family.env_id].sets if family.env_id in parts else {}
            cells = []
            for name in sets.SETS:
                missing = short.get((data, family.env_id, name))
                count = str(len(known.get(name, ())))
                cells.append(count if missing is None else f"{count} of {missing.wanted}")
            rows.append((family.name, *cells))
        totals = [sum(len(p.sets.get(name, ())) for p in parts.values()) for name in sets.SETS]
        rows.append(("all", *map(str, totals)))
        print_grid(Grid(f"version {file.version}, {data} data", ("family", *sets.SETS), tuple(rows)), console())
    return 0
