"""Loads a release folder as a host: options checked, data found, the world put under the release's samples."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from intent_gym.construct.release import Release, load_release
from intent_gym.construct.release.transitions import Transitions
from intent_gym.envs.desk.tables import Tables
from intent_gym.envs.desk.tools import Toolbox
from intent_gym.envs.hosts import RELEASE_OPTIONS
from intent_gym.envs.release.desk import AirlineRelease, DeskRelease, RetailRelease
from intent_gym.envs.release.host import ReleaseHost
from intent_gym.errors import OptionError

__all__ = ["ACCEPTANCE", "load"]

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
    release = _release(source, transitions, data if name == "airline" else None)
    if name == "webshop":
        from intent_gym.envs.release.shop import load_shop

        return load_shop(release, source, data, acceptance)
    if data is None:
        raise OptionError(
            f"host_data: {name} plays a release on tau2's database, so it needs host_data=<tau2's data folder>, with "
            f"{name}/db.json inside, plain or gzip"
        )
    live = options.get("writes", "staged") == "live"
    made, tables, toolbox = _desk(name, Path(data), bool(options.get("tau2_compat", False)))
    rule = acceptance or ("actions" if live else "state")
    return made(release, tables, toolbox, source, live=live, acceptance=rule)


def _desk(name: str, data: Path, compat: bool) -> tuple[type[DeskRelease], Tables, Toolbox]:
    """Return a desk's class, its data and its tools."""
    folder = data / name if (data / name).is_dir() else data
    if name == "retail":
        from intent_gym.envs.retail.data import load_retail
        from intent_gym.envs.retail.tools import retail_toolbox

        return RetailRelease, load_retail(folder).tables, retail_toolbox(tau2_compat=compat)
    from intent_gym.envs.airline.data import load as load_airline
    from intent_gym.envs.airline.tools import airline_toolbox

    return AirlineRelease, load_airline(folder).tables, airline_toolbox(tau2_compat=compat)


@lru_cache(maxsize=4)
def _release(source: str, transitions: Transitions, host_data: str | None) -> Release:
    return load_release(source, transitions=transitions, host_data=host_data)
