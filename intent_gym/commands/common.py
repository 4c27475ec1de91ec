"""What several commands share: options of an environment, the console, running by id."""

from __future__ import annotations

import argparse
import importlib
import json
from typing import TYPE_CHECKING, Any

import gymnasium as gym

from intent_gym.errors import OptionError, suggest
from intent_gym.registration import ENVIRONMENTS

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["add_env_options", "console", "env_options", "known_id", "make_env", "names"]


def add_env_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `gym.make` that are used most; ``--set`` takes any."""
    group = parser.add_argument_group("options of the environment")
    group.add_argument("--source", metavar="DIR", help="folder with the host's original files (default: embedded data)")
    group.add_argument("--split", help="train, test or all")
    group.add_argument("--faults", help="0, 1, 2, 4, or names with commas")
    group.add_argument("--persona", help="a decision style, or mixed")
    group.add_argument("--no-drift", action="store_true", help="the intent stays")
    group.add_argument("--interface", help="dialogue, text or slots")
    group.add_argument(
        "--set", metavar="KEY=VALUE", action="append", default=[], help="any option; VALUE is JSON, or text as it is"
    )


def env_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the options of `gym.make` that were given.

    Raises:
        OptionError: A ``--set`` without "=".
    """
    given = {name: getattr(arguments, name) for name in ("source", "split", "persona", "interface")}
    options: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    if arguments.faults is not None:
        faults = arguments.faults
        options["faults"] = int(faults) if faults.isdigit() else names(faults)
    if arguments.no_drift:
        options["drift"] = False
    for text in arguments.set:
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise OptionError(f"--set: expected KEY=VALUE, got {text!r}")
        try:
            options[key] = json.loads(value)
        except ValueError:
            options[key] = value
    return options


def names(text: str) -> list[str]:
    """Return the names in a list with commas."""
    return [name.strip() for name in text.split(",") if name.strip()]


def console(*, error: bool = False) -> Console:
    """Return a console on standard output or standard error; plain text where it is no terminal."""
    from rich.console import Console

    return Console(stderr=error, highlight=False, soft_wrap=False)


def known_id(env_id: str) -> str:
    """Return a registered id.

    Raises:
        OptionError: There is no such environment.
    """
    module, _, name = env_id.rpartition(":")
    if module:
        try:
            importlib.import_module(module)
        except ImportError as error:
            raise OptionError(f"{env_id}: {error}; module:Id takes a module that registers the environment") from error
    if name in gym.registry:
        return env_id
    ids = [spec.id for spec in ENVIRONMENTS]
    raise OptionError(f"there is no environment {env_id!r}{suggest(env_id, ids)}; there are: {', '.join(ids)}")


def make_env(env_id: str, options: dict[str, Any]) -> gym.Env[Any, Any]:
    """Return an environment.

    Raises:
        OptionError: There is no such environment of this suite, or an option is wrong.
    """
    from intent_gym.envs.base import DriftEnv
    from intent_gym.evaluation import player

    env = player.make_env(known_id(env_id), options)
    if not isinstance(env.unwrapped, DriftEnv):
        raise OptionError(f"{env_id} is not an environment of this suite; `intent-gym list` shows them")
    return env
