"""Loads a release folder as a host: options checked, data found, the world put under the release's samples."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from intent_gym.construct.release import Release, layout, load_release
from intent_gym.construct.release.transitions import Transitions
from intent_gym.envs.hosts import RELEASE_OPTIONS
from intent_gym.envs.release.desk import AirlineRelease, DeskRelease, RetailRelease
from intent_gym.envs.release.host import ReleaseHost
from intent_gym.errors import OptionError

__all__ = ["ACCEPTANCE", "is_release", "load"]

ACCEPTANCE: Mapping[str, tuple[str, ...]] = {
    "airline": ("actions", "state"),
    "retail": ("actions", "state"),
    "webshop": ("answer_set", "reward"),
}
"""Rules of acceptance by host."""
_OWN: Mapping[str, tuple[str, ...]] = {
    "airline": (*RELEASE_OPTIONS, "writes", "tau2_compat"),
    "retail": (*RELEASE_OPTIONS, "writes", "tau2_compat"),
    "webshop": RELEASE_OPTIONS,
}


def is_release(source: str | Path) -> bool:
    """Return whether a folder holds something of the release."""
    return bool(layout.parts(Path(source)))


def load(name: str, source: str, **options: Any) -> ReleaseHost:
    """Return a host over a release.

    Args:
        name: "webshop", "retail" or "airline".
        source: The release's folder.
        **options: host_data: tau2's data folder (desks, needed), or the folder of the shop's full product files;
            transitions: "runtime" (default) or "stored"; acceptance: see `ACCEPTANCE`; desks: writes ("staged" or
            "live") and tau2_compat.

    Raises:
        OptionError: The host cannot play a release, or an option has a value it cannot have or does not go with it.
        DataError: A folder is missing, a file is corrupt, or nothing in it can be played.
    """
    if name not in _OWN:
        raise OptionError(f"source: {source} is a Drift-Bench++ release, which only {', '.join(_OWN)} can play")
    for option in options:
        if option not in _OWN[name]:
            raise OptionError(
                f"{option}: does not go with a Drift-Bench++ release as source; what goes with it: "
                f"{', '.join(_OWN[name])}"
            )
    acceptance = options.get("acceptance")
    if acceptance is not None and acceptance not in ACCEPTANCE[name]:
        raise OptionError(f"acceptance: expected one of {', '.join(ACCEPTANCE[name])}, got {acceptance!r}")
    transitions = options.get("transitions", "runtime")
    if transitions not in ("runtime", "stored"):
        raise OptionError(f"transitions: expected 'runtime' or 'stored', got {transitions!r}")
    data = options.get("host_data")
    if data is not None and not isinstance(data, str):
        raise OptionError(f"host_data: expected the path of a folder as text, got {data!r}")
    if name == "webshop":
        from intent_gym.envs.release.shop import load_shop

        return load_shop(_release(source, transitions, None), source, data, acceptance)
    if data is None:
        raise OptionError(
            f"host_data: {name} plays a release on tau2's database, so it needs host_data=<tau2's data folder>, with "
            f"{name}/db.json inside, plain or gzip"
        )
    live = options.get("writes", "staged") == "live"
    compat = bool(options.get("tau2_compat", False))
    return _desk(name, source, transitions, data, live, acceptance or ("actions" if live else "state"), compat)


def _desk(
    name: str, source: str, transitions: Transitions, data: str, live: bool, acceptance: str, compat: bool
) -> DeskRelease:
    folder = Path(data) / name if (Path(data) / name).is_dir() else Path(data)
    toolboxes: dict[str, Callable[..., Any]] = {}
    if name == "retail":
        from intent_gym.envs.retail.data import load_retail as read
        from intent_gym.envs.retail.tools import retail_toolbox

        toolboxes["retail"] = retail_toolbox
        tables = read(folder).tables
    else:
        from intent_gym.envs.airline.data import load as read_airline
        from intent_gym.envs.airline.tools import airline_toolbox

        toolboxes["airline"] = airline_toolbox
        tables = read_airline(folder).tables
    made: type[DeskRelease] = RetailRelease if name == "retail" else AirlineRelease
    release = _release(source, transitions, data if name == "airline" else None)
    return made(release, tables, toolboxes[name](tau2_compat=compat), source, live=live, acceptance=acceptance)


@lru_cache(maxsize=4)
def _release(source: str, transitions: Transitions, host_data: str | None) -> Release:
    return load_release(source, transitions=transitions, host_data=host_data)
