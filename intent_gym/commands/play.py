"""``intent-gym play ID``: a person is the agent."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from intent_gym.commands.common import console, env_options, make_env
from intent_gym.envs.interfaces.dialogue import KINDS
from intent_gym.envs.interfaces.text import parse_text
from intent_gym.errors import OptionError
from intent_gym.evaluation.viewer import print_episode

__all__ = ["play_command"]

_HELP = {
    "dialogue": "Type: ask QUESTION, {act}or {commit} ({brackets} do too).",
    "text": "Type: {brackets}.",
    "slots": "Type the number or the name of an action.",
}
_LONG = "A line that ends with \\ goes on in the next."
_END = "End with Ctrl-D."


def play_command(arguments: argparse.Namespace) -> int:
    """Play an episode from standard input, one line a turn."""
    if arguments.seed is not None and arguments.seed < 0:
        raise OptionError(f"--seed: expected a whole number >= 0, got {arguments.seed}")
    options = env_options(arguments)
    interface = options.get("interface", "dialogue")
    env = make_env(arguments.id, options)
    base: Any = env.unwrapped
    task = {} if arguments.task is None else {"task_id": arguments.task}
    _, info = env.reset(seed=arguments.seed, options=task)
    out = console()
    print(_help(base, interface))
    if interface != "slots" and base.host.has_acts:
        print(f"Acts here: {base.host.act_help}")
    shown, ended = 0, False
    while not ended:
        shown = _show_new(base, shown)
        print(f"\n[turn {info['turn']}, patience {info['patience']:g}] {_available(base, info, interface)}")
        action = _read(base, interface)
        if action is None:
            print("\nleft before the end")
            return 0
        _, _, terminated, truncated, info = env.step(action)
        ended = terminated or truncated
    _show_new(base, shown)
    print()
    dialogue = [message._asdict() for message in base.dialogue()]
    print_episode(base.record(), out, heading="What happened, with what was hidden", dialogue=dialogue)
    return 0


def _help(base: Any, interface: str) -> str:  # noqa: ANN401 - any environment of the suite
    acts, texts = base.host.has_acts, base.host.commits_text
    known = {
        "act": "act COMMAND, " if acts else "",
        "commit": "commit ANSWER" if texts else "commit",
        "brackets": ", ".join(["ask[...]", *(["act[...]"] if acts else []), "commit[...]" if texts else "commit[]"]),
    }
    long = [_LONG] if texts and interface != "slots" else []
    return " ".join([_HELP[interface].format(**known), *long, _END])


def _show_new(base: Any, shown: int) -> int:  # noqa: ANN401 - any environment of the suite
    messages = base.dialogue()
    for message in messages[shown:]:
        print(f"\n{message.role}: {message.content}")
    return len(messages)


def _available(base: Any, info: dict[str, Any], interface: str) -> str:  # noqa: ANN401
    meanings = base.action_meanings() if interface == "slots" else KINDS
    open_now = [i for i, allowed in enumerate(info["action_mask"]) if allowed]
    return "you can " + ", ".join(f"{i} {meanings[i]}" if interface == "slots" else meanings[i] for i in open_now)


def _read(base: Any, interface: str) -> Any:  # noqa: ANN401
    """Return the next action; None at the end of input."""
    while True:
        line = _line()
        if line is None:
            return None
        if not line:
            continue
        if interface == "text":
            return line
        if interface == "slots":
            meanings = list(base.action_meanings())
            if line.isdigit() and int(line) < len(meanings):
                return int(line)
            if line in meanings:
                return meanings.index(line)
            why = f"expected a number from 0 to {len(meanings) - 1} or a name from the list"
        else:
            bracketed = parse_text(line)
            if not bracketed.reason:
                return {"kind": bracketed.kind, "content": bracketed.content}
            word, *rest = line.split(maxsplit=1)
            if word.lower() in KINDS:
                return {"kind": KINDS.index(word.lower()), "content": "".join(rest)}
            why = bracketed.reason if "[" in word else f"expected ask, act or commit as the first word, got {word!r}"
        print(f"not played: {why}. {_help(base, interface)}")


def _line() -> str | None:
    """Return what is typed, lines that end with a backslash joined to the next; None at the end of input."""
    line = _typed("> ")
    while line is not None and line.endswith("\\"):
        line = f"{line[:-1]}\n{_typed('. ') or ''}"
    return None if line is None else line.strip()


def _typed(prompt: str) -> str | None:
    if sys.stdin.isatty():
        try:
            return input(prompt)
        except EOFError:
            return None
    line = sys.stdin.readline()
    return line.rstrip("\r\n") if line else None
