"""``intent-gym construct``, ``check``, ``bench`` and ``results``."""

from __future__ import annotations

import argparse
import importlib
import shlex
from pathlib import Path
from typing import Any

from intent_gym.commands.common import env_options, known_id, make_env, names
from intent_gym.errors import OptionError, RunError
from intent_gym.registration import ENVIRONMENTS

__all__ = ["bench_command", "check_command", "construct_command", "results_command"]


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
    from intent_gym.evaluation.audit import AIM, audit

    if arguments.utterances < 1:
        raise OptionError(f"--utterances: expected at least 1, got {arguments.utterances}")
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
    from intent_gym.evaluation import tables

    runs = tables.matrix(names(arguments.ids) if arguments.ids else tables.ENVIRONMENTS)
    found = tables.play(
        runs, arguments.runs, episodes=arguments.episodes, seeds=arguments.seeds, workers=arguments.workers
    )
    shown = ["intent-gym", "results", "--episodes", str(arguments.episodes), "--seeds", str(arguments.seeds)]
    shown += ["--ids", arguments.ids] if arguments.ids else []
    out = Path(arguments.out)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(tables.page(found, shlex.join(shown)), encoding="utf-8")
    except OSError as error:
        raise RunError(f"{out} cannot be written: {error.strerror or error}") from error
    lines = tables.checks(found)
    for line in lines:
        print(line)
    print(f"written to {out}")
    return 0 if all(line.holds for line in lines) else 1
