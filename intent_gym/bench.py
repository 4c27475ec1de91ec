"""How fast it is: steps per CPU-second, against Gymnasium's CartPole in the same run (`scripts/bench`).

CPU time, not wall time, so that a busy machine matters less; and a ratio against something known, so that a slow one
does. Figures are printed, never asserted. Sampling actions is timed apart from stepping.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import gymnasium as gym
import numpy as np
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

import intent_gym
from intent_gym.agents.base import make_agent
from intent_gym.core.rng import key_of

if TYPE_CHECKING:
    from intent_gym.envs.base import DriftEnv
    from intent_gym.envs.desk.host import DeskHost

__all__ = ["main"]

Policy = Callable[[Any, dict[str, Any], np.random.Generator], Any]
_LABEL = re.compile(r"\[([^\[\]]+)\]")
_WORDS = "lamp shoes red dress vegan candle usb small cotton leather garden tea soap blue wireless women men".split()
_SEARCH_SHARE, _COMMIT_SHARE, _SUM_SHARE = 0.3, 0.05, 0.2
_LOOK_UP = {
    "orders": 'get_order_details(order_id="{}")',
    "reservations": 'get_reservation_details(reservation_id="{}")',
}
"""How records are looked up, by the field of a user's row that lists them."""
_DESKS = ("DriftRetail-v0", "DriftAirline-v0")
_FAMILIES = ("DriftGSM8K-v0", "DriftBFCL-v0", "DriftSpider-v0", "DriftToTTo-v0", "DriftSummHay-v0")
_SILENT = ("DriftGSM8K-v0", "DriftBFCL-v0", "DriftSpider-v0")
"""Families that are timed under the silent protocol too."""
_PROGRAMS = ("DriftHumanEval-v0", "DriftLiveCodeBench-v0")
_CALLS = 6
"""Tool calls of a timed episode at a desk."""
_CALLER = re.compile(r"[a-z]+_[a-z]+_\d+")
_LARGE = 1_200_000
_QUERIES = 200


def _cartpole(obs: object, info: dict[str, Any], rng: np.random.Generator) -> int:
    return int(rng.integers(2))


def _masked(obs: object, info: dict[str, Any], rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(info["action_mask"])))


def _shopper(obs: Any, info: dict[str, Any], rng: np.random.Generator) -> dict[str, Any]:  # noqa: ANN401
    """Search for a few words, click on what the page shows, commit now and then."""
    page = next((m["content"] for m in reversed(obs["dialogue"]) if m["role"] == "host"), "")
    labels = _LABEL.findall(page)
    u = rng.random()
    if not info["action_mask"][1] or u < _COMMIT_SHARE:
        return {"kind": 2, "content": ""}
    if u < _SEARCH_SHARE or not labels:
        return {"kind": 1, "content": f"search[{' '.join(rng.choice(_WORDS, 3))}]"}
    return {"kind": 1, "content": f"click[{labels[int(rng.integers(len(labels)))]}]"}


def _clerk(obs: Any, info: dict[str, Any], rng: np.random.Generator) -> dict[str, Any]:  # noqa: ANN401
    """Look up the caller, then one of the records that the answer names, and again; work out a sum now and then."""
    if not info["action_mask"][1]:
        return {"kind": 2, "content": ""}
    last = obs["dialogue"][-1]["content"]
    row = json.loads(last) if last.startswith('{"') else {}
    for records, call in _LOOK_UP.items():
        if row.get(records):
            return {"kind": 1, "content": call.format(row[records][int(rng.integers(len(row[records])))])}
    caller = _CALLER.search(obs["dialogue"][0]["content"])
    if caller is None or rng.random() < _SUM_SHARE:
        return {"kind": 1, "content": "calculate(expression='2 * 19.99 + 5')"}
    return {"kind": 1, "content": f'get_user_details(user_id="{caller[0]}")'}


class _Follower:
    """Let the user of an evolving dialogue go on, and commit the right answer when asked for it."""

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        self._base = cast("DriftEnv", env.unwrapped)

    def __call__(self, obs: object, info: dict[str, Any], rng: np.random.Generator) -> dict[str, Any]:
        game = self._base.game
        assert game is not None  # reset has made it
        if not game.episode.last_chance:
            return {"kind": 0, "content": "Go on, please."}
        host = self._base.host
        return {"kind": 2, "content": host.best(host.closed(game.episode.intent), frozenset()) or ""}


class _Asker:
    """Play the silent protocol as the scripted agent that asks once about what is open, then proposes answers."""

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        self._agent = make_agent("just-ask", cast("DriftEnv", env.unwrapped).host)

    def __call__(self, obs: object, info: dict[str, Any], rng: np.random.Generator) -> dict[str, Any]:
        if info["turn"] == 0:
            self._agent.reset(int(rng.integers(1 << 31)))
        return cast("dict[str, Any]", self._agent.act(obs, info))


def _steps_per_second(env: gym.Env[Any, Any], policy: Policy, steps: int, warm_up: int) -> tuple[float, float, float]:
    """Return steps per CPU-second without sampling, CPU microseconds a sample, CPU microseconds a reset."""
    rng = np.random.default_rng(0)
    obs, info = env.reset(seed=0)
    sampling = resetting = 0.0
    resets = 0
    start = time.process_time()
    for i in range(warm_up + steps):
        if i == warm_up:
            sampling = resetting = 0.0
            resets = 0
            start = time.process_time()
        before = time.process_time()
        action = policy(obs, info, rng)
        sampling += time.process_time() - before
        obs, _, terminated, truncated, info = env.step(action)
        if terminated or truncated:
            before = time.process_time()
            obs, info = env.reset()
            resetting += time.process_time() - before
            resets += 1
    total = time.process_time() - start
    return steps / (total - sampling), sampling / steps * 1e6, resetting / max(1, resets) * 1e6


def _stepping(console: Console, source: str | None, steps: int) -> None:
    rows: list[tuple[str, str, Policy, dict[str, Any]]] = [
        ("CartPole-v1", "", _cartpole, {}),
        ("DriftToy-v0", "slots", _masked, {"interface": "slots"}),
        ("DriftWebShop-v0", "slots", _masked, {"interface": "slots"}),
        ("DriftWebShop-v0", "dialogue", _shopper, {}),
        *((desk, "dialogue", _clerk, {}) for desk in _DESKS),
    ]
    if source is not None:
        rows += [
            ("DriftWebShop-v0", "slots, source", _masked, {"interface": "slots", "source": source}),
            ("DriftWebShop-v0", "dialogue, source", _shopper, {"source": source}),
        ]
    table = Table(title="random policies through gym.make, one process", title_justify="left", box=SIMPLE_HEAD)
    table.add_column("environment", no_wrap=True)
    table.add_column("interface", no_wrap=True)
    for name in ("steps per\nCPU-second", "of\nCartPole", "sample\nµs", "reset\nµs"):
        table.add_column(name, justify="right")
    base = 0.0
    for env_id, how, policy, options in rows:
        env = gym.make(env_id, **options)
        rate, sample, reset = _steps_per_second(env, policy, steps, steps)
        base = base or rate
        table.add_row(env_id, how, f"{rate:,.0f}", f"{rate / base:.0%}", f"{sample:.1f}", f"{reset:.1f}")
    console.print(table)


class Desk(NamedTuple):
    """CPU milliseconds at a desk, one an episode or table."""

    cold: list[float]
    """Reset, six calls, a commit and its grading, where the process has not seen the task or its records before.

    Tasks that are built instead of read from the shipped samples have been seen.
    """
    warm: list[float]
    """The same episodes again."""
    accepted: int
    """Of the cold episodes."""
    tables: list[float]
    """Building the table of a kind of request of a caller."""
    rows: list[int]
    """Of those tables."""


def _plans(env_id: str, episodes: int, options: dict[str, Any]) -> list[list[str]]:
    """Return six calls for each seed: lookups, and last those that do what the user wants."""
    env = gym.make(env_id, drift=False, **options)
    bare = cast("DriftEnv", env.unwrapped)
    host = cast("DeskHost", bare.host)
    plans = []
    for seed in range(episodes):
        env.reset(seed=seed)
        assert bare.game is not None  # reset has made it
        intent = bare.game.episode.intent
        writes = [c for c in host.steps_to(host.outcome(int(host.answers(intent)[0]))) if "reset_draft" not in c]
        caller = intent.frame.rpartition(" for ")[2]
        row = host.tables["users"][caller]
        own = [call.format(key) for records, call in _LOOK_UP.items() for key in row.get(records, ())]
        reads = [f'get_user_details(user_id="{caller}")', *own, *["calculate(expression='2 * 19.99 + 5')"] * _CALLS]
        plans.append([*reads[: max(0, _CALLS - len(writes))], *writes])
    return plans


def time_desk(env_id: str, episodes: int, **options: Any) -> Desk:
    """Time episodes of six calls and the building of tables.

    The calls are planned in another process, so that nothing is known here when the first episode starts.

    Args:
        env_id: A desk.
        episodes: Episodes, and tables, that are timed.
        **options: Of `gym.make`.
    """
    with multiprocessing.get_context("spawn").Pool(1) as helper:
        plans = helper.apply(_plans, (env_id, episodes, options))
    env = gym.make(env_id, drift=False, **options)
    env.reset(seed=episodes)  # what is made once for a process: word lists
    spent: list[list[float]] = []
    accepted = 0
    for again in (False, True):
        spent.append([])
        for seed, plan in enumerate(plans):
            start = time.process_time()
            env.reset(seed=seed)
            for call in plan:
                env.step({"kind": 1, "content": call})
            _, reward, *_ = env.step({"kind": 2, "content": ""})
            spent[-1].append((time.process_time() - start) * 1e3)
            accepted += 0 if again else int(float(reward))
    host = cast("DeskHost", cast("DriftEnv", env.unwrapped).host)
    tables, rows = [], []
    for frame in sorted(host.frames, key=lambda f: key_of("bench", f))[:episodes]:
        start = time.process_time()
        table = host.table(frame)
        tables.append((time.process_time() - start) * 1e3)
        rows.append(table.rows if table is not None else 0)
    env.close()
    return Desk(spent[0], spent[1], accepted, tables, rows)


def _desks(console: Console, episodes: int) -> None:
    table = Table(title="service desks: ms of CPU (in brackets 95 %)", title_justify="left", box=SIMPLE_HEAD)
    table.add_column("environment", no_wrap=True)
    for name in ("first time", "again", "building a table", "its rows"):
        table.add_column(name, justify="right", no_wrap=True)
    accepted = []
    for env_id in _DESKS:
        desk = time_desk(env_id, episodes)
        cold, warm, tables = (
            f"{np.mean(v):.2f} ({np.percentile(v, 95):.2f})" for v in (desk.cold, desk.warm, desk.tables)
        )
        table.add_row(env_id, cold, warm, tables, f"{np.mean(desk.rows):.1f}")
        accepted.append(desk.accepted)
    console.print(table)
    console.print(
        f"first time, again: reset, {_CALLS} tool calls, a commit and its grading, of a task that the process has not "
        f"seen or has ({' and '.join(map(str, accepted))} of {episodes} accepted)\n"
        "a table: what a caller can want of one kind"
    )


class Family(NamedTuple):
    """Speed of an answer family in the dialogue interface."""

    first: float
    """Steps per CPU-second of episodes that the process has not seen; loading and building tasks is not counted."""
    again: float
    """Steps per CPU-second of the same episodes again."""
    answer: float
    """CPU microseconds that the agent takes for an action."""
    reset: float
    """CPU microseconds of a reset."""


def time_family(env_id: str, protocol: str, steps: int) -> Family:
    """Time episodes of an answer family, played by an agent that asks, acts and commits, and again.

    Args:
        env_id: An environment whose outcomes are answers in text.
        protocol: "evolving" or "silent".
        steps: Steps timed, each time.
    """
    env = gym.make(env_id, protocol=protocol)
    policy: Policy = _Follower(env) if protocol == "evolving" else _Asker(env)
    first, *_ = _steps_per_second(env, policy, steps, 0)
    again, answer, reset = _steps_per_second(env, policy, steps, 0)
    return Family(first, again, answer, reset)


def _families(console: Console, steps: int) -> None:
    """Print steps per CPU-second of both protocols, in the dialogue interface."""
    title = "dialogues: evolving with right answers, silent with the agent just-ask"
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD)
    table.add_column("environment", no_wrap=True)
    table.add_column("protocol", no_wrap=True)
    for name in ("first steps per\nCPU-second", "the same\nagain", "answer\nµs", "reset\nµs"):
        table.add_column(name, justify="right")
    for protocol, ids in (("evolving", _FAMILIES), ("silent", _SILENT)):
        for env_id in ids:
            timed = time_family(env_id, protocol, steps)
            figures = (f"{timed.first:,.0f}", f"{timed.again:,.0f}", f"{timed.answer:.1f}", f"{timed.reset:.1f}")
            table.add_row(env_id, protocol, *figures)
    console.print(table)


def time_code(env_id: str, answers: int) -> list[float]:
    """Return milliseconds by the clock of grading right answers that the host has not seen, in a child process.

    Args:
        env_id: An environment whose answers are programs.
        answers: Gradings timed, after one that starts the sandbox.
    """
    base = cast("DriftEnv", gym.make(env_id, protocol="evolving").unwrapped)
    spent = []
    for number in range(answers + 1):
        base.reset(seed=number)
        assert base.game is not None  # reset has made it
        truth = base.host.closed(base.game.episode.intent)
        foreign = f"{base.host.best(truth, frozenset())}\n# written by somebody else, {number}\n"
        start = time.perf_counter()
        accepted = base.host.accepts(truth, foreign)
        spent.append((time.perf_counter() - start) * 1e3)
        if not accepted:
            raise RuntimeError(f"{env_id}: a right answer with a comment was not accepted")
    return spent[1:]


def _code(console: Console, answers: int) -> None:
    for env_id in _PROGRAMS:
        spent = time_code(env_id, answers)
        console.print(
            f"{env_id}: grading a program takes {np.median(spent):.0f} ms by the clock "
            f"(95 %: {np.percentile(spent, 95):.0f} ms) in a child process"
        )


def _large(console: Console, folder: Path) -> None:
    """Build the index of 1.2 million products on disk, open it again, and search it."""
    import resource  # not on every system

    from intent_gym.envs.webshop.catalogue import Catalogue
    from intent_gym.envs.webshop.generator import stream
    from intent_gym.envs.webshop.search import SearchIndex

    start = time.perf_counter()
    labels: dict[str, Any] = {}

    def records() -> Any:  # noqa: ANN401 - a generator
        for item in stream(_LARGE):
            labels[item.record["asin"]] = item.labels
            yield item.record

    catalogue = Catalogue.from_records(records(), attributes=labels)
    labels.clear()
    console.print(f"{len(catalogue):,} products generated and read in {time.perf_counter() - start:.0f} s")
    start = time.perf_counter()
    SearchIndex.open_or_build(folder / "index", catalogue)
    console.print(f"index built in {time.perf_counter() - start:.0f} s")
    start = time.perf_counter()
    index = SearchIndex.open_or_build(folder / "index", catalogue)
    console.print(f"index opened from disk in {time.perf_counter() - start:.2f} s")
    rng = np.random.default_rng(0)
    for kind, words in (("short queries", None), ("whole titles", catalogue)):
        spent = []
        for _ in range(_QUERIES):
            name = catalogue.products[int(rng.integers(len(catalogue)))].name
            query = name if words is not None else " ".join(rng.choice(_WORDS, 3))
            before = time.process_time()
            index.search(query)
            spent.append((time.process_time() - before) * 1e3)
        console.print(f"{kind}: mean {np.mean(spent):.1f} ms, 95 % {np.percentile(spent, 95):.1f} ms of CPU a query")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    console.print(f"peak memory of the process {peak:.2f} GiB")


def _number(text: str) -> int:
    """Return a whole number >= 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number >= 1, got {text!r}")
    return int(text)


def main(argv: Sequence[str] | None = None) -> int:
    """Print the figures; see ``--help``."""
    parser = argparse.ArgumentParser(prog="intent-gym bench", description=__doc__)
    parser.add_argument("--source", help="folder with the original WebShop files, to time the real products as well")
    parser.add_argument("--steps", type=_number, default=20_000, help="steps timed a row, after as many to warm up")
    parser.add_argument("--episodes", type=_number, default=300, help="episodes timed at each service desk, and tables")
    parser.add_argument("--answers", type=_number, default=50, help="programs graded for each code environment")
    parser.add_argument("--large", action="store_true", help="time search over 1.2 million products too (minutes)")
    args = parser.parse_args(argv)
    console = Console()
    console.print(f"intent_gym {intent_gym.__version__}, gymnasium {gym.__version__}, numpy {np.__version__}")
    _stepping(console, args.source, args.steps)
    _desks(console, args.episodes)
    _families(console, args.steps)
    _code(console, args.answers)
    if args.large:
        folder = Path(tempfile.mkdtemp(prefix="intent-gym-bench-"))
        try:
            _large(console, folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    return 0
