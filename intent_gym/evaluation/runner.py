"""`evaluate`: an agent on an environment, over episodes and seeds, resumable, in parallel, with failures apart."""

from __future__ import annotations

import importlib
import json
import os
import platform
import warnings
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, overload

import gymnasium as gym
from gymnasium.envs.registration import EnvSpec, load_env_creator

from intent_gym import __version__
from intent_gym.agents.base import AGENTS
from intent_gym.envs.options import INTERFACES, PROTOCOLS
from intent_gym.errors import FailedEpisodesWarning, OptionError, RunError
from intent_gym.evaluation.player import AgentSource, Case, Finished, Job, Player, agent_name, case_of, check_agent
from intent_gym.evaluation.pool import Outcome, play_in_processes, play_in_threads, play_in_turn
from intent_gym.evaluation.progress import Bar, progress_bar
from intent_gym.evaluation.results import Results
from intent_gym.evaluation.sets import canonical, members
from intent_gym.evaluation.store import EpisodeError, EpisodeKey, RunStore

if TYPE_CHECKING:
    from intent_gym.evaluation.conditions import Comparison

__all__ = ["evaluate", "evaluate_cases", "protocol_of"]

_EPISODES = 200
"""Episodes a seed where no number is given."""
_SCHEMA = 1
"""Version of the configuration's layout and of how seeds and tasks follow from the indices."""


@overload
def evaluate(
    env_id: str,
    agent: AgentSource = ...,
    model: str | None = ...,
    *,
    episodes: int | None = ...,
    seeds: int = ...,
    condition: str | None = ...,
    conditions: None = ...,
    tasks: str | None = ...,
    out: str | os.PathLike[str] | None = ...,
    workers: int = ...,
    progress: bool | None = ...,
    agent_options: Mapping[str, Any] | None = ...,
    **env_options: Any,
) -> Results: ...


@overload
def evaluate(
    env_id: str,
    agent: AgentSource = ...,
    model: str | None = ...,
    *,
    episodes: int | None = ...,
    seeds: int = ...,
    condition: None = ...,
    conditions: Sequence[str],
    tasks: str | None = ...,
    out: str | os.PathLike[str] | None = ...,
    workers: int = ...,
    progress: bool | None = ...,
    agent_options: Mapping[str, Any] | None = ...,
    **env_options: Any,
) -> Comparison: ...


def evaluate(
    env_id: str,
    agent: AgentSource = "just-ask",
    model: str | None = None,
    *,
    episodes: int | None = None,
    seeds: int = 3,
    condition: str | None = None,
    conditions: Sequence[str] | None = None,
    tasks: str | None = None,
    out: str | os.PathLike[str] | None = None,
    workers: int = 1,
    progress: bool | None = None,
    agent_options: Mapping[str, Any] | None = None,
    **env_options: Any,
) -> Results | Comparison:
    """Play an agent on an environment and return what it achieved.

    Every episode is a pure function of (options, task, seed index, episode index): the result does not depend on the
    number of workers, on interruptions, or on other episodes. An exception in the environment or the agent is recorded
    in `Results.errors` and never scored; a second call with the same folder tries those episodes again.

    Args:
        env_id: Registered id, "DriftWebShop-v0" or "module:Id-v0".
        agent: A name (`intent-gym list --agents`), an agent, or a function that makes one from a host. An agent that
            learns across tasks gets each seed's episodes in order and starts anew with each seed; it is played in
            this process whatever `workers` says.
        model: Name of the language model of a model-driven agent.
        episodes: Episodes a seed; the tasks of the split in a fixed order, shuffled anew after the last. None: 200, or
            every task of a named set once.
        seeds: Repeats of the same tasks with other randomness.
        condition: "drift", "clean", "control" or "oracle" (PROTOCOL 8); None: the environment's default.
        conditions: Several of them, paired case by case: the result is then that of `compare_conditions`.
        tasks: A named set of cases of the evolving protocol (`evaluation.sets`), in place of a split.
        out: Run folder. What is recorded there is not played again; None keeps everything in memory.
        workers: Processes; threads where a language model plays.
        progress: Whether to show a bar; None: on a terminal.
        agent_options: Options of a named agent.
        **env_options: Options of `gym.make`; `split` is "test" unless given. With ``signals="step"`` the running
            signals are kept from the agent: they are for rewards and training, and would tell what is hidden.

    Raises:
        OptionError: An option, agent or number that cannot be.
        DataError: The named set was made from other data.
        RunError: The folder cannot be written or holds another run.

    Warns:
        FailedEpisodesWarning: Every episode failed.
    """
    if conditions is not None:
        return _compared(
            env_id,
            agent,
            model,
            condition,
            conditions=conditions,
            episodes=episodes,
            seeds=seeds,
            tasks=tasks,
            out=out,
            workers=workers,
            progress=progress,
            agent_options=agent_options,
            **env_options,
        )
    options = split_of(tasks, env_options)
    if condition is not None:
        options["condition"] = condition
    return evaluate_cases(
        env_id,
        agent,
        model,
        keys=None,
        size={"episodes": episodes, "seeds": seeds},
        tasks=tasks,
        out=out,
        workers=workers,
        progress=progress,
        agent_options=agent_options,
        options=options,
    )


def _compared(
    env_id: str,
    agent: AgentSource,
    model: str | None,
    condition: str | None,
    **rest: Any,
) -> Comparison:
    if condition is not None:
        raise OptionError(f"condition: {condition!r} is one of the conditions to compare; give it in conditions alone")
    from intent_gym.evaluation.conditions import compare_conditions  # it builds on this module

    return compare_conditions(env_id, agent, model, **rest)


def split_of(tasks: str | None, env_options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of `gym.make` with the split: "test" unless given, all tasks where a named set chooses.

    Raises:
        OptionError: Both a split and a named set.
    """
    if tasks is None:
        return {"split": "test", **env_options}
    if "split" in env_options:
        raise OptionError(f"split: the set {tasks!r} says which tasks are played; leave split or tasks out")
    return {**env_options, "split": "all"}


def evaluate_cases(
    env_id: str,
    agent: AgentSource,
    model: str | None,
    *,
    keys: Sequence[EpisodeKey] | None,
    size: Mapping[str, Any],
    options: Mapping[str, Any],
    tasks: str | None = None,
    extra: Mapping[EpisodeKey, dict[str, Any]] | None = None,
    pairing: str | None = None,
    out: str | os.PathLike[str] | None = None,
    workers: int = 1,
    progress: bool | None = None,
    agent_options: Mapping[str, Any] | None = None,
) -> Results:
    """Play chosen episodes, with further reset options for each; `evaluate` is this on the whole grid.

    Args:
        env_id: As in `evaluate`.
        agent: As in `evaluate`.
        model: As in `evaluate`.
        keys: Episodes to play, sorted; None: the whole grid.
        size: "episodes" (None: see `evaluate`) and "seeds" of the grid that the keys are of.
        options: Options of `gym.make`, with "split".
        tasks: As in `evaluate`.
        extra: Further reset options by episode.
        pairing: What the further options pair this run with; part of the configuration.
        out: As in `evaluate`.
        workers: As in `evaluate`.
        progress: As in `evaluate`.
        agent_options: As in `evaluate`.
    """
    if agent_options is not None and not isinstance(agent_options, Mapping):
        raise OptionError(f"agent_options: expected a mapping from option to value, got {agent_options!r}")
    job = _job(env_id, agent, model, dict(options), dict(agent_options or {}))
    _whole("workers", workers)
    if out is not None and (not isinstance(out, str | os.PathLike) or out == ""):
        raise OptionError(f"out: expected the path of a folder or None, got {out!r}")
    player = Player(job)
    try:
        known = _tasks(player, env_id, job.options["split"], tasks)
        _ = player.agent  # an unknown name or a missing extra is an error here, not in every episode
        episodes = size["episodes"]
        if episodes is None:
            episodes = _EPISODES if tasks is None else len(known)
        grid = {"episodes": episodes, "seeds": size["seeds"]}
        keys = _grid(episodes, size["seeds"]) if keys is None else keys
        cases = [case_of(key, known, tasks or job.options["split"], (extra or {}).get(key)) for key in keys]
        config = _config(job, model, grid, pairing, player)
        if tasks is not None:
            config["tasks"] = canonical(tasks)
        label = f"{agent_name(agent)} on {job.spec.id}"
        if out is None:
            results = _in_memory(player, cases, config, model, workers, progress_bar(progress, label))
        else:
            with RunStore(out, config) as store:
                _into(store, player, cases, model, workers, progress_bar(progress, label))
                results = Results.of_run(store.run)
    finally:
        player.close()
    if results.errors and not results.rows:
        first = results.errors[0]
        warnings.warn(
            f"{label}: all {len(results.errors)} episodes failed, there is nothing to score; the first (seed "
            f"{first.seed}, episode {first.episode}): {first.error}. `Results.errors` has the tracebacks",
            FailedEpisodesWarning,
            stacklevel=3,
        )
    return results


def _grid(episodes: int, seeds: int) -> list[EpisodeKey]:
    _whole("episodes", episodes)
    _whole("seeds", seeds)
    return [(seed, episode) for seed in range(seeds) for episode in range(episodes)]


def _whole(name: str, number: object) -> None:
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise OptionError(f"{name}: expected a whole number >= 1, got {number!r}")


# -- setting up ------------------------------------------------------------------------------------------------------
def _job(env_id: str, agent: AgentSource, model: str | None, options: dict[str, Any], own: dict[str, Any]) -> Job:
    check_agent(agent)
    if not isinstance(env_id, str):
        raise OptionError(f"env_id: expected a registered id as text, got {env_id!r}")
    try:
        json.dumps(options)
    except (TypeError, ValueError) as error:
        raise OptionError(f"options of gym.make are plain data (text, numbers, lists, mappings): {error}") from error
    try:
        module, _, name = env_id.rpartition(":")
        if module:
            importlib.import_module(module)
        spec = gym.spec(name)
    except (gym.error.Error, ModuleNotFoundError) as error:
        raise OptionError(f"{error} `intent-gym list` shows the environments") from error
    if "protocol" not in options and (default := protocol_of(spec)) != "silent":
        options = {**options, "protocol": default}
    if own and not isinstance(agent, str):
        raise OptionError("agent_options belong to an agent given by name; give the agent its options itself")
    if model is not None:
        own = {**own, "model": model}
    if isinstance(agent, str) and agent in AGENTS:
        interface, protocol = options.get("interface", "dialogue"), options.get("protocol", "silent")
        plays, told = AGENTS[agent].interfaces, AGENTS[agent].protocols
        able = ", ".join(a.name for a in AGENTS.values() if protocol in a.protocols and interface in a.interfaces)
        if protocol in PROTOCOLS and protocol not in told:
            raise OptionError(
                f"{agent} plays the {told[0]} protocol, not the {protocol} one; of the agents that ship, {able} can "
                f"play protocol={protocol!r}"
            )
        if interface in INTERFACES and interface not in plays:
            raise OptionError(
                f"{agent} plays the {' or '.join(plays)} interface, not {interface}; of the agents that ship, {able} "
                f"can play {interface}"
            )
        if AGENTS[agent].privileged:
            options = {**options, "privileged": True}
    return Job(spec, options, agent, own)


def protocol_of(spec: EnvSpec) -> str:
    """Return the protocol that an environment has where none is asked for."""
    creator = load_env_creator(spec.entry_point) if isinstance(spec.entry_point, str) else spec.entry_point
    return str(getattr(creator, "protocol", "silent"))


def _tasks(player: Player, env_id: str, split: str, named: str | None) -> Sequence[str]:
    env = player.env.unwrapped
    tasks = getattr(env, "tasks", None)
    if not callable(tasks):
        raise OptionError(f"{env_id} is not an environment of this suite: it has no tasks() and no record()")
    if named is not None:
        if player.job.options.get("protocol", "silent") != "evolving":
            raise OptionError(f"tasks: the set {named!r} holds cases of protocol='evolving'; pass that too")
        return members(named, player.job.spec.id, env.host)  # type: ignore[attr-defined]
    found: Sequence[str] = tasks()
    if not found:
        raise OptionError(f"{env_id} has no task in split {split!r} with these options")
    return found


def _config(
    job: Job, model: str | None, size: Mapping[str, Any], pairing: str | None, player: Player
) -> dict[str, Any]:
    host = player.env.unwrapped.host  # type: ignore[attr-defined]
    versions = {name: version(name) for name in ("gymnasium", "numpy")}
    return {
        "schema": _SCHEMA,
        "env_id": job.spec.id,
        "agent": agent_name(job.agent),
        "model": model,
        "agent_options": {name: value for name, value in job.agent_options.items() if name != "model"},
        "options": job.options,
        "pairing": pairing,
        "data": host.fingerprint(),
        "intent_gym": __version__,
        "episodes": size["episodes"],
        "seeds": size["seeds"],
        "versions": {"python": platform.python_version(), **versions},
    }


# -- playing ---------------------------------------------------------------------------------------------------------
def _outcomes(
    player: Player, cases: Sequence[Case], recorded: Mapping[EpisodeKey, str], model: str | None, workers: int
) -> Iterator[Outcome]:
    """Play the cases that are not recorded."""
    if player.learns:
        return _learn_in_order(player, cases, recorded)
    left = [case for case in cases if case.key not in recorded]
    if workers == 1 or len(left) < 2:
        return play_in_turn(player, left)
    threads = model is not None or player.job.options.get("user", "template") != "template"
    return (play_in_threads if threads else play_in_processes)(player.job, left, min(workers, len(left)))


def _learn_in_order(player: Player, cases: Sequence[Case], recorded: Mapping[EpisodeKey, str]) -> Iterator[Outcome]:
    """Play an agent that learns: each seed in order with a new agent, which is told of the recorded episodes."""
    seed: int | None = None
    for case in cases:
        if case.key[0] != seed:
            seed = case.key[0]
            player.start_over()
        if case.key in recorded:
            player.replay(recorded[case.key])
        else:
            yield player.play(case)


def _in_memory(
    player: Player, cases: Sequence[Case], config: dict[str, Any], model: str | None, workers: int, bar: Bar
) -> Results:
    lines: dict[EpisodeKey, str] = {}
    errors: list[EpisodeError] = []
    with bar(len(cases), 0) as advance:
        for outcome in _outcomes(player, cases, {}, model, workers):
            if isinstance(outcome, Finished):
                lines[outcome.key] = outcome.line
            else:
                errors.append(outcome)
            advance()
    return Results.of_lines(config, lines, errors)


def _into(store: RunStore, player: Player, cases: Sequence[Case], model: str | None, workers: int, bar: Bar) -> None:
    """Play what the folder lacks and record it there."""
    resets = {case.key: case.reset for case in cases}
    for key, reset in store.done.items():
        if key in resets and resets[key] != reset:
            raise RunError(
                f"{store.run.folder}: seed {key[0]}, episode {key[1]} was played on another case ({reset}) than this "
                f"run asks for ({resets[key]}): the tasks, or the run it is paired with, changed. Choose another folder"
            )
    # Only an agent that learns needs what was recorded, and then all of it.
    recorded = dict.fromkeys(store.done, "")
    if player.learns:
        recorded = store.run.raw_lines()
    with bar(len(cases), sum(case.key in store.done for case in cases)) as advance:
        for outcome in _outcomes(player, cases, recorded, model, workers):
            if isinstance(outcome, Finished):
                store.add_episode(outcome.key, outcome.line)
            else:
                store.add_error(outcome)
            advance()
