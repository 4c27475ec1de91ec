"""The command line: ``intent-gym COMMAND ...``. Nothing imports this module; a command loads what it needs.

An error of this suite is one line on standard error and exit code 2; Ctrl-C is exit code 130.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from intent_gym import __version__
from intent_gym.commands.common import add_env_options
from intent_gym.errors import IntentGymError

if TYPE_CHECKING:
    _Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"

__all__ = ["main"]

_INTERRUPTED = 130
_BENCH = "tools:bench_command"


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code.

    Args:
        argv: Arguments; None: those of the process.
    """
    parser = _parser()
    arguments, rest = parser.parse_known_args(argv)
    if rest and arguments.command != _BENCH:  # the measurement has a parser of its own
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    arguments.rest = rest
    module, function = arguments.command.split(":")
    try:
        code: int = getattr(importlib.import_module(f"intent_gym.commands.{module}"), function)(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except IntentGymError as error:
        print(f"intent-gym: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"\nintent-gym: stopped. {_how_to_resume(arguments)}", file=sys.stderr)
        return _INTERRUPTED
    except BrokenPipeError:  # the reader of a pipe, such as `head`, has seen enough
        _drop_output()
        return 0
    except OSError as error:  # standard output on a full disk, for one
        _drop_output()
        what = f"{error.filename}: " if error.filename else "the output cannot be written: "
        print(f"intent-gym: {what}{error.strerror or error}. {_how_to_resume(arguments)}", file=sys.stderr)
        return 2


def _drop_output() -> None:
    """Write what is left in the buffer of standard output to nowhere, or the interpreter complains at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _how_to_resume(arguments: argparse.Namespace) -> str:
    folder = getattr(arguments, "runs", None) or getattr(arguments, "out", None)
    if arguments.command == "tools:results_command":
        folder = arguments.runs or "its folder of runs"
    if arguments.command in ("run:run_command", "tools:results_command") and folder:
        return f"What is finished is kept in {folder}; the same command goes on from there."
    if arguments.command == "run:run_command":
        return "Nothing was kept; with --out DIR a run can be resumed."
    return "Nothing is left half done."


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="intent-gym",
        description="Environments for agents that must find out what a person wants and keep up when it changes.",
    )
    parser.add_argument("--version", action="version", version=f"intent-gym {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    _add_looking(commands)
    _add_running(commands)
    _add_tools(commands)
    return parser


def _add(commands: _Commands, name: str, command: str, text: str, *, add_help: bool = True) -> argparse.ArgumentParser:
    """Add a command whose help and description are one text."""
    description = f"{text[0].upper()}{text[1:]}."
    parser: argparse.ArgumentParser = commands.add_parser(name, help=text, description=description, add_help=add_help)
    parser.set_defaults(command=command)
    return parser


def _add_looking(commands: _Commands) -> None:
    add = _add(commands, "list", "browse:list_command", "list the environments")
    add.add_argument("--agents", action="store_true", help="list the agents instead")

    add = _add(commands, "info", "browse:info_command", "print an environment's page")
    add.add_argument("id", metavar="ID")

    add = _add(commands, "play", "play:play_command", "be the agent, one line a turn")
    add.add_argument("id", metavar="ID")
    add.add_argument("--seed", type=int, help="the same seed gives the same person")
    add.add_argument("--task", help="a task's id; default: drawn by the seed")
    add_env_options(add)

    add = _add(commands, "view", "run:view_command", "list the episodes of a run, or print one with what was hidden")
    add.add_argument("dir", metavar="DIR")
    add.add_argument("--episode", type=int)
    add.add_argument("--seed", type=int, default=0, help="seed index of the episode (default: 0)")


def _add_running(commands: _Commands) -> None:
    add = _add(commands, "run", "run:run_command", "play agents and print what they achieved")
    add.add_argument(
        "id",
        metavar="ID",
        help="an environment, or several with commas: a folder of --source with a family's usual name is then its own",
    )
    add.add_argument(
        "--agents",
        help="names with commas, or module:name (default: no-ask,just-ask; evolving protocol: folding,last-mention)",
    )
    add.add_argument("--model", help="language model of the agents that have one")
    add.add_argument("--episodes", type=int, help="episodes a seed (default: 200, or all of --tasks)")
    add.add_argument(
        "--tasks", metavar="SET", help="a named set of the evolving protocol: general-test, training or calibration"
    )
    add.add_argument("--seeds", type=int, default=3, help="repeats with other randomness (default: %(default)s)")
    add.add_argument("--out", metavar="DIR", help="record here; the same command resumes")
    add.add_argument("--workers", type=int, default=1, help="processes; results do not depend on it (default: 1)")
    add.add_argument("--conditions", help="of drift, clean, control, oracle, with commas: paired case by case")
    add.add_argument("--quiet", action="store_true", help="no progress bar")
    add_env_options(add)

    add = _add(commands, "report", "run:report_command", "print the table of every run in a folder")
    add.add_argument("dir", metavar="DIR")
    add.add_argument("--format", choices=("table", "markdown", "json"), default="table")
    add.add_argument("--explain", action="store_true", help="say what each column means")
    add.add_argument(
        "--realism",
        nargs="?",
        const="learned",
        choices=("learned", "inventory"),
        help="add identification and consistency, by a judge that learns from other tasks (learned, the default) or "
        "knows the inventory's words (inventory)",
    )


def _add_tools(commands: _Commands) -> None:
    add = _add(commands, "construct", "tools:construct_command", "build a host's samples and count them")
    add.add_argument("id", metavar="ID")
    add.add_argument("--source", metavar="DIR", help="folder with the host's original files (default: embedded data)")
    add.add_argument("--out", metavar="FILE", help="write the samples to a file")
    add.add_argument("--stats", action="store_true", help="print the counts also when a file is written")

    add = _add(commands, "check", "tools:check_command", "run the conformance suite on an environment")
    add.add_argument("id", metavar="ID")
    add.add_argument("--audit", action="store_true", help="read the utterances of the evolving protocol instead")
    add.add_argument(
        "--utterances", type=int, default=2000, help="how many the audit reads at least (default: %(default)s)"
    )
    add_env_options(add)

    _add(commands, "bench", _BENCH, "measure steps per second", add_help=False)

    add = _add(commands, "results", "tools:results_command", "play the matrix of runs behind the committed results")
    add.add_argument("--protocol", choices=("silent", "evolving"), default="silent")
    add.add_argument("--ids", help="environments with commas")
    add.add_argument("--source", metavar="DIR", help="evolving: folder with a folder of original files for each family")
    add.add_argument("--tasks", metavar="SET", help="evolving: a named set in place of --episodes")
    add.add_argument("--episodes", type=int, default=200)
    add.add_argument("--seeds", type=int, default=3)
    add.add_argument("--workers", type=int, default=1)
    add.add_argument("--runs", metavar="DIR", help="where runs are recorded (default: runs/results[-evolving])")
    add.add_argument("--out", metavar="FILE", help="the page (default: docs/results[-evolving].md)")

    add = _add(commands, "sets", "tools:sets_command", "count the named sets of cases, or draw them anew")
    add.add_argument("--source", metavar="DIR", help="folder with a folder of original files for each family")
    add.add_argument("--write", metavar="FILE", help="draw the sets anew and write them to a file")


if __name__ == "__main__":
    sys.exit(main())
