"""Opening a desk on generated data or on a source folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from intent_gym.envs.desk.tables import Tables
from intent_gym.envs.desk.tasks import Task, splits_of
from intent_gym.envs.desk.tools import Toolbox

__all__ = ["open_desk"]

_Desk = TypeVar("_Desk")
Maker = Callable[[Tables, Toolbox, str, Mapping[str, str], Sequence[Task]], _Desk]


def open_desk(
    maker: Maker[_Desk],
    toolbox: Toolbox,
    source: str,
    embedded: Callable[[], Tables],
    folder: Callable[[str], tuple[Tables, Sequence[Task]]],
) -> _Desk:
    """Return a desk.

    Args:
        maker: Its class.
        toolbox: Its tools.
        source: "embedded", or a folder.
        embedded: Gives the generated data.
        folder: Reads the data and the tasks of a folder.
    """
    tables, tasks = (embedded(), ()) if source == "embedded" else folder(source)
    return maker(tables, toolbox, source, splits_of(tables, tasks), tasks)
