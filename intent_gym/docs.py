"""The pages in ``docs/`` that follow from the code: one an environment, their index, and tables inside other pages.

``scripts/docs`` writes them; a test says when they are stale. An environment's page is the docstring of its class with
the facts that its spaces, host and samples tell. In other pages only what stands between two markers is written::

    <!-- faults: written by scripts/docs -->
    <!-- end of faults -->
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import gymnasium as gym

from intent_gym.agents.base import AGENTS, make_agent
from intent_gym.construct.pool import pool
from intent_gym.core.faults import FAULTS
from intent_gym.core.personas import PERSONAS
from intent_gym.core.signals import GRIP
from intent_gym.envs.options import PROTOCOLS
from intent_gym.errors import OptionError
from intent_gym.evaluation.viewer import lines
from intent_gym.registration import ENVIRONMENTS, EnvSpec

__all__ = ["HEADINGS", "Facts", "facts", "index", "main", "page", "page_of", "sections", "table_rows", "written"]

HEADINGS = (
    "Description",
    "Host and Task Source",
    "Action Space",
    "Observation Space",
    "Simulated User",
    "Rewards",
    "Episode End",
    "Arguments",
    "Version History",
)
"""Headings of an environment's docstring, in this order."""

PAGES = Path("docs") / "environments"
_MARKED = ("README.md", "docs/protocol.md", "docs/agents.md")
"""Pages that hold blocks."""
_BLOCK = re.compile(r"(<!-- (\w+): written by scripts/docs -->\n).*?(<!-- end of \2 -->)", re.DOTALL)


# -- docstrings ------------------------------------------------------------------------------------------------------
def page_of(spec: EnvSpec) -> str:
    """Return the docstring of an environment's class, without indentation.

    Raises:
        OptionError: It has none.
    """
    module, _, name = spec.entry_point.partition(":")
    text = inspect.getdoc(getattr(importlib.import_module(module), name))
    if not text:
        raise OptionError(f"{spec.entry_point} has no docstring: it is the page of {spec.id}")
    return text


def sections(text: str) -> dict[str, str]:
    r"""Return the text under each second-level heading, in order; under "" what comes first.

    >>> sections("One line.\n\n## Description\n\nA shop.\n")
    {'': 'One line.', 'Description': 'A shop.'}
    """
    parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
    return {"": parts[0].strip(), **{h.strip(): t.strip() for h, t in zip(parts[1::2], parts[2::2], strict=True)}}


def table_rows(text: str, header: str) -> list[list[str]]:
    r"""Return the rows of the Markdown table whose first column has a header, as cells; [] without such a table.

    >>> table_rows("| option | default |\n|---|---|\n| size | 3 |", "option")
    [['size', '3']]
    """
    found: list[list[str]] = []
    inside = False
    for line in text.splitlines():
        cells = [c.strip().replace(r"\\|", "|") for c in re.split(r"(?<!\\)\|", line.strip())[1:-1]]
        if inside and cells:
            found.append(cells)
        elif inside:
            break
        inside = inside or bool(cells and cells[0] == header)
    return found[1:]


# -- facts of an environment -----------------------------------------------------------------------------------------
class Facts(NamedTuple):
    """What spaces, host and samples say of an environment with its default options."""

    protocol: str
    """The one that it has where none is asked for."""
    actions: Mapping[str, int]
    """Actions of the slots interface, by protocol."""
    features: Mapping[str, int]
    """Length of the observation vector of the slots interface, by protocol."""
    slots: tuple[str, ...]
    """Ids of the slots, slot 0 being the frame."""
    turn_cap: int
    """Of the silent protocol."""
    acts: str
    """What an act is; "" where there are none."""
    faults: tuple[str, ...]
    """Faults that some request of the embedded source has in the silent protocol, as `FAULTS` lists them."""


def facts(spec: EnvSpec) -> Facts:
    """Return the facts of an environment. Building its samples can take seconds."""
    made: dict[str, Any] = {
        protocol: gym.make(spec.id, protocol=protocol, interface="slots", disable_env_checker=True).unwrapped
        for protocol in PROTOCOLS
    }
    base = made["silent"]
    found = {fault for sample in pool(base.host, "all", 1, base.config).samples for fault in sample.request.faults}
    return Facts(
        str(base.protocol),
        {protocol: int(env.action_space.n) for protocol, env in made.items()},
        {protocol: int(env.observation_space["observations"].shape[0]) for protocol, env in made.items()},
        tuple(slot.id for slot in base.host.slots),
        base.host.turn_cap,
        base.host.act_help if base.host.has_acts else "",
        tuple(name for name in FAULTS if name in found),
    )


def page(spec: EnvSpec, known: Facts) -> str:
    """Return an environment's page."""
    intro, *_ = sections(text := page_of(spec)).values()
    rows = [
        ("make", f'`gym.make("{spec.id}")`'),
        ("protocols", " and ".join(f"`{p}`{' (default)' if p == known.protocol else ''}" for p in known.actions)),
        *(
            (f"slots interface, {p}", f"`Discrete({known.actions[p]})`, observations `Box({known.features[p]},)`")
            for p in known.actions
        ),
        ("slots", ", ".join(f"`{slot}`" for slot in known.slots)),
        ("turn cap (silent)", str(known.turn_cap)),
        *([("acts", known.acts)] if known.acts else []),
        ("faults (silent)", _fault_names(known.faults)),
        ("class", f"`{spec.entry_point.replace(':', '.')}`"),
    ]
    body = text[len(intro) :].strip()
    body = body.replace("```python\ngym.", "```python\nimport gymnasium as gym\n\nimport intent_gym\n\ngym.")
    body = re.sub(r"\(PROTOCOL (\d+)\)", r"([protocol](../protocol.md), section \1)", body)
    return f"# {spec.id}\n\n{_note()}\n\n{intro}\n\n{_table(('', ''), rows)}\n{body}\n"


def index(known: Mapping[str, Facts]) -> str:
    """Return the table of all environments."""
    rows = [
        (
            f"[{spec.id}]({spec.id}.md)",
            spec.summary.rstrip("."),
            known[spec.id].protocol,
            str(known[spec.id].actions[known[spec.id].protocol]),
            str(known[spec.id].turn_cap),
            _fault_names(known[spec.id].faults),
        )
        for spec in ENVIRONMENTS
    ]
    table = _table(("id", "task", "protocol", "actions (slots)", "turn cap", "faults that apply"), rows)
    beside = (
        "Every environment runs under both protocols; the table names the one that it has where none is asked for,\n"
        "and its number of actions. Turn caps and faults are those of the silent protocol. Options that all have:\n"
        "the table in the [README](../../README.md#options-of-gymmake). What happens in an episode:\n"
        "[the protocol](../protocol.md).\n"
    )
    return f"# Environments\n\n{_note()}\n\n{table}\n{beside}"


def _fault_names(names: Sequence[str]) -> str:
    """Return the faults, by exception where nearly all apply.

    >>> _fault_names([name for name in FAULTS if name != "factual_error"])
    'all but factual_error (10 of 11)'
    """
    missing = [name for name in FAULTS if name not in names]
    if not missing:
        return f"all {len(FAULTS)}"
    if len(missing) <= 3:
        return f"all but {', '.join(missing)} ({len(names)} of {len(FAULTS)})"
    return f"{', '.join(names)} ({len(names)} of {len(FAULTS)})"


def _note() -> str:
    return "<!-- Written by scripts/docs from the code: change the docstring there, then run it again. -->"


# -- blocks of other pages -------------------------------------------------------------------------------------------
def _faults_block() -> str:
    rows = [
        (f.family, f"`{f.name}`", _EDITS[f.edit], _EFFECTS[f.effect], "yes" if f.hides else "no")
        for f in FAULTS.values()
    ]
    return _table(("class", "fault", "what the request does", "what taking it literally must show", "hides"), rows)


_EDITS: Mapping[str, str] = {
    "oblique": "describes a situation with every value in it, and never asks",
    "noise": "talks of something else first",
    "replace": "states one value wrongly, a near miss of the same kind",
    "presuppose": "takes for granted that a requirement cannot be met, and settles for another value",
    "insist": "insists on an instrument that cannot do the job",
    "withhold": "leaves values out",
    "extra": "asks for a property that does not matter",
    "two_senses": "says a value by a word of two senses",
    "attach": "puts a modifier where it can belong to either of two things",
    "deictic": "points at a value: that one, the usual",
    "vague": "says a value by a subjective word",
}
_EFFECTS: Mapping[str, str] = {
    "same": "the same answer",
    "changes": "another answer, or none",
    "fallback": "another answer, while the truth has one",
    "fails": "no answer, or another",
    "widens": "more answers, or others",
    "narrows": "fewer answers, or others",
    "readings": "the two readings differ, and one is the truth",
}


def _personas_block() -> str:
    rows = [
        (
            p.name,
            f"{p.patience:g}",
            str(p.answers),
            f"{p.volunteers:g}",
            f"{p.declines:g}",
            f"{p.hint:g}",
            f"{p.suggestibility:g}",
            ", ".join(f"{m:g}" for m in p.marks),
        )
        for p in PERSONAS.values()
    ]
    header = ("persona", "patience x", "answers at once", "volunteers", "declines", "hints", "suggestible", "marks")
    return _table(header, rows)


def _signals_block() -> str:
    return _table(("signal", "meaning"), [(f"`{name}`", meaning) for name, meaning in GRIP.items()])


def _agents_block() -> str:
    return _table(("agent", "policy"), [(f"`{a.name}`", a.doc.rstrip(".")) for a in AGENTS.values()])


_EXAMPLE_CASE = {"task_id": "order-002/insufficient_information/0", "persona": "rational"}
_EXAMPLE_SEED = 3
_EXAMPLE = (
    (0, "What milk would you like?"),
    (1, "pick[C134]"),
    (2, ""),
    (0, "Which cup should it be?"),
    (1, "pick[C164]"),
    (2, ""),
)


def _dialogue_block() -> str:
    """Return an episode on the tea shop with fixed actions, as the viewer shows it; patience where it changes."""
    env = gym.make("DriftToy-v0", split="all", disable_env_checker=True)
    env.reset(seed=_EXAMPLE_SEED, options=dict(_EXAMPLE_CASE))
    for kind, content in _EXAMPLE:
        env.step({"kind": kind, "content": content})
    return _shown(env)


_TELLING_SEED = 0
_LONGEST = 330
"""Characters of a message that a page shows."""


def _telling_block() -> str:
    """Return an evolving dialogue whose agent carries out every edit."""
    env = gym.make("DriftGSM8K-v0", protocol="evolving", budget="easy", disable_env_checker=True)
    base: Any = env.unwrapped
    agent = make_agent("folding", base.host)
    obs, info = env.reset(seed=_TELLING_SEED)
    agent.reset(_TELLING_SEED)
    done = False
    while not done:
        obs, _, done, _, info = env.step(agent.act(obs, info))
    return _shown(env)


def _shown(env: gym.Env[Any, Any]) -> str:
    """Return a finished episode as the viewer shows it, long messages cut."""
    base: Any = env.unwrapped
    shown: list[str] = []
    patience = ""
    for line in lines(base.record()):
        if line.text.startswith("patience ") and not line.who:
            if line.text == patience:
                continue
            patience = line.text
        text = textwrap.shorten(line.text, _LONGEST, placeholder=" ...")
        shown.append(f"{line.who + ':':<7}{text}" if line.who else f"       ({text})")
    wrapped = [textwrap.fill(text, 110, subsequent_indent=" " * 7) for text in shown]
    return "```text\n" + "\n".join(wrapped) + "\n```\n"


_BLOCKS: Mapping[str, Callable[[], str]] = {
    "faults": _faults_block,
    "personas": _personas_block,
    "signals": _signals_block,
    "agents": _agents_block,
    "dialogue": _dialogue_block,
    "telling": _telling_block,
}


def _filled(text: str) -> str:
    return _BLOCK.sub(lambda found: f"{found[1]}\n{_BLOCKS[found[2]]()}\n{found[3]}", text)


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    cells = [header, ["---"] * len(header), *([c.replace("|", r"\|") for c in row] for row in rows)]
    return "".join(f"| {' | '.join(row)} |\n" for row in cells)


# -- files -----------------------------------------------------------------------------------------------------------
def written(root: Path) -> dict[Path, str]:
    """Return every page that follows from the code, by its path below the root of the repository."""
    known = {spec.id: facts(spec) for spec in ENVIRONMENTS}
    found = {PAGES / f"{spec.id}.md": page(spec, known[spec.id]) for spec in ENVIRONMENTS}
    found[PAGES / "README.md"] = index(known)
    for name in _MARKED:
        found[Path(name)] = _filled((root / name).read_text(encoding="utf-8"))
    return found


def main(argv: Sequence[str] | None = None) -> int:
    """Write the pages, or with ``--check`` name the stale ones and return 1 if there are any.

    Args:
        argv: Arguments; None: those of the process.
    """
    parser = argparse.ArgumentParser(prog="scripts/docs", description="Write the pages that follow from the code.")
    parser.add_argument("--check", action="store_true", help="write nothing; name the stale pages")
    arguments = parser.parse_args(argv)
    root = Path.cwd()
    stale = []
    for path, text in written(root).items():
        target = root / path
        if target.is_file() and target.read_text(encoding="utf-8") == text:
            continue
        stale.append(path)
        if not arguments.check:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
    for path in stale:
        print(f"{'stale' if arguments.check else 'written'}: {path.as_posix()}")
    return int(arguments.check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
