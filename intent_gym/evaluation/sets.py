"""Named sets: frozen, versioned lists of cases of the evolving protocol, for comparisons that everybody can repeat.

============  =========================================================================================================
set           cases
============  =========================================================================================================
general-test  split "test", stratified over the seven families in the paper's proportions, each source task once
training      split "train", none of whose source tasks is in general-test
calibration   both together, as the paper's 627 are its 125 and 502: for measuring how hard the budgets are
============  =========================================================================================================

Source: IntentFlux, section 3.2. The file holds ids alone, of the families' original data and of the embedded data, and
the fingerprint of each host that they were drawn from: on other data a set is an error that says what differs. A source
task is a frame of the host. Where the data do not reach the paper's number, what there is is taken (`shortfall`).
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

import gymnasium as gym
from pydantic import BaseModel, ConfigDict, ValidationError

from intent_gym.construct.plans import CasePool, case_pool
from intent_gym.core.rng import key_of
from intent_gym.envs.host import Goal, Host
from intent_gym.errors import DataError, IntentGymError, OptionError, TaskError, suggest
from intent_gym.evaluation.families import FAMILIES, Family, source_of
from intent_gym.evaluation.player import make_env

__all__ = [
    "SETS",
    "VERSION",
    "Made",
    "Part",
    "SetsFile",
    "Short",
    "canonical",
    "make_sets",
    "members",
    "read_sets",
    "shortfall",
    "wanted",
    "written",
]

Data: TypeAlias = Literal["embedded", "original"]

SETS = ("general-test", "training", "calibration")
VERSION = 1
"""The version played where a name has none."""
_FOLDER = Path(__file__).parent / "data"
_SHOWN = 3
"""Missing ids that a message names."""


class Part(BaseModel):
    """One family on one kind of data."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    fingerprint: str
    """Of the host that the ids were drawn from."""
    tasks: dict[str, int]
    """Its number of tasks by split."""
    sets: dict[str, tuple[str, ...]]
    """Ids by set, in the host's order."""


class SetsFile(BaseModel):
    """A file of named sets."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    version: int
    protocol: Literal["evolving"]
    data: dict[Data, dict[str, Part]]
    """By kind of data and environment id."""


class Short(NamedTuple):
    """A family of a set that the data do not fill."""

    data: Data
    env_id: str
    name: str
    found: int
    wanted: int


class Made(NamedTuple):
    """What `make_sets` made."""

    file: SetsFile
    left_out: tuple[str, ...]
    """Families without a case, and why."""


def wanted(family: Family, name: str) -> int:
    """Return the paper's number of cases of a family in a set."""
    return {"general-test": family.test, "training": family.pool - family.test, "calibration": family.pool}[name]


# -- reading -----------------------------------------------------------------------------------------------------------
def canonical(name: str) -> str:
    """Return a set's name with its version.

    Raises:
        OptionError: There is no such set.

    >>> canonical("general-test")
    'general-test-v1'
    """
    return "{}-v{}".format(*_parsed(name))


def _parsed(name: object) -> tuple[str, int]:
    found = re.fullmatch(r"(.+?)(?:-v(\d+))?", name) if isinstance(name, str) else None
    if found is None or found[1] not in SETS:
        raise OptionError(
            f"tasks: expected a named set ({', '.join(SETS)}), got {name!r}{suggest(name, SETS)}; one task is played "
            "with reset(options={'task_id': ...})"
        )
    version = VERSION if found[2] is None else int(found[2])
    if not _path(version).is_file():
        versions = sorted(p.stem.removeprefix("sets-") for p in _FOLDER.glob("sets-v*.json"))
        raise OptionError(f"tasks: there is no version {version} of the named sets; there are: {', '.join(versions)}")
    return found[1], version


def _path(version: int) -> Path:
    return _FOLDER / f"sets-v{version}.json"


@lru_cache(maxsize=8)
def read_sets(path: Path | None = None) -> SetsFile:
    """Return a file of named sets.

    Args:
        path: The file; None: the one that ships.

    Raises:
        DataError: It cannot be read.
    """
    path = path or _path(VERSION)
    try:
        return SetsFile.model_validate_json(path.read_text("utf-8"))
    except (OSError, ValidationError) as error:
        raise DataError(
            f"{path} is no file of named sets: {error}; `intent-gym sets --write FILE` makes one"
        ) from error


def members(name: str, env_id: str, host: Host, file: SetsFile | None = None) -> tuple[str, ...]:
    """Return the ids of a set's cases that an environment plays.

    Args:
        name: Of `SETS`, with or without a version.
        env_id: Registered id.
        host: The environment's host.
        file: Where the sets are read from; None: the file that ships.

    Raises:
        OptionError: There is no such set.
        DataError: The set has no case of the environment, or was drawn from other data; the message says what differs.
    """
    stem, version = _parsed(name)
    file = read_sets(_path(version)) if file is None else file
    kind: Data = "embedded" if host.source == "embedded" else "original"
    part = file.data.get(kind, {}).get(env_id)
    ids = () if part is None else part.sets.get(stem, ())
    if part is None or not ids:
        there = [e for e, p in file.data.get(kind, {}).items() if p.sets.get(stem)]
        raise DataError(
            f"the set {stem} (version {file.version}) has no case of {env_id} on {kind} data; it has cases of: "
            f"{', '.join(there) or 'nothing'}"
        )
    now = host.fingerprint()
    if now != part.fingerprint:
        raise DataError(_differing(f"{stem} (version {file.version}) of {env_id}", part, ids, host))
    return ids


def _differing(label: str, part: Part, ids: Sequence[str], host: Host) -> str:
    goals = host.goals()
    here, known = _by_split(goals), {g.id for g in goals}
    counts = [", ".join(f"{n:,} {split}" for split, n in sorted(tasks.items())) for tasks in (part.tasks, here)]
    missing = [i for i in ids if i not in known]
    if missing:
        more = f" and {len(missing) - _SHOWN} more" if len(missing) > _SHOWN else ""
        what = f"{len(missing)} of its {len(ids)} cases are not there ({', '.join(missing[:_SHOWN])}{more})"
    elif part.tasks != here:
        what = f"all its {len(ids)} cases are there, the number of tasks differs"
    else:
        what = f"all its {len(ids)} cases are there, what the tasks say differs"
    return (
        f"the set {label} was drawn from the data {part.fingerprint} ({counts[0]} tasks), and {host.source} is "
        f"{host.fingerprint()} ({counts[1]} tasks): {what}. Name the folder with those files, or make the sets anew "
        "with `intent-gym sets --write FILE`"
    )


def shortfall(file: SetsFile) -> Iterator[Short]:
    """Yield the families of each set that the data do not fill."""
    for kind, parts in file.data.items():
        for family in FAMILIES:
            part = parts.get(family.env_id)
            for name in SETS:
                found = 0 if part is None else len(part.sets.get(name, ()))
                if found < wanted(family, name):
                    yield Short(kind, family.env_id, name, found, wanted(family, name))


# -- making ------------------------------------------------------------------------------------------------------------
def make_sets(root: str, families: Iterable[Family] = FAMILIES) -> Made:
    """Draw the sets anew.

    Args:
        root: Folder with a folder of original files for each family.
        families: Which.
    """
    data: dict[Data, dict[str, Part]] = {"embedded": {}, "original": {}}
    left_out = []
    for family in families:
        for kind, source in (("embedded", "embedded"), ("original", source_of(family.env_id, root))):
            try:
                data[kind][family.env_id] = _part(family, source)  # type: ignore[index]  # one of the two
            except (IntentGymError, gym.error.Error) as error:
                left_out.append(f"{family.name}, {kind} data: {' '.join(str(error).split())}")
    return Made(SetsFile(version=VERSION, protocol="evolving", data=data), tuple(left_out))


def _part(family: Family, source: str) -> Part:
    env = make_env(family.env_id, {"source": source, "protocol": "evolving", "split": "all"})
    host: Host = env.unwrapped.host  # type: ignore[attr-defined]
    env.close()
    goals = host.goals()
    pool = case_pool(host, "all")
    test = _drawn(pool, [g for g in goals if g.split == "test"], wanted(family, "general-test"), "general-test")
    used = {g.intent.frame for g in test}
    others = [g for g in goals if g.split == "train" and g.intent.frame not in used]
    training = _drawn(pool, others, wanted(family, "training"), "training")
    chosen = {"general-test": test, "training": training, "calibration": [*test, *training]}
    places = {g.id: i for i, g in enumerate(goals)}
    return Part(
        fingerprint=host.fingerprint(),
        tasks=_by_split(goals),
        sets={name: tuple(sorted((g.id for g in chosen[name]), key=places.__getitem__)) for name in SETS},
    )


def _by_split(goals: Iterable[Goal]) -> dict[str, int]:
    return dict(sorted(Counter(g.split for g in goals).items()))


def _drawn(pool: CasePool, goals: Sequence[Goal], count: int, name: str) -> list[Goal]:
    """Return tasks that can be told, in an order that follows from their ids; every frame once before any twice.

    Args:
        pool: Knows what can be told.
        goals: What is drawn from.
        count: At most so many.
        name: Of the set.
    """
    order = sorted(goals, key=lambda g: (key_of("named set", VERSION, name, g.id), g.id))
    seen: Counter[str] = Counter()
    ranks: dict[str, int] = {}
    for goal in order:
        ranks[goal.id] = seen[goal.intent.frame]
        seen[goal.intent.frame] += 1
    found: list[Goal] = []
    for goal in sorted(order, key=lambda g: ranks[g.id]):
        if len(found) == count:
            break
        try:
            pool.case(goal.id)
        except TaskError:
            continue
        found.append(goal)
    return found


def written(file: SetsFile) -> str:
    """Return the text of a file of named sets, in a fixed order."""
    return json.dumps(file.model_dump(mode="json"), indent=1, sort_keys=True) + "\n"
