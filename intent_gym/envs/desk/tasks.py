"""The tasks of a desk's source: whom they are about, and what their reference solution leads to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from intent_gym.envs.desk.calls import Call
from intent_gym.envs.desk.tables import Draft, Tables
from intent_gym.envs.desk.tools import Toolbox
from intent_gym.envs.people import split_of

__all__ = ["Task", "callers_of", "end_of", "splits_of"]


class Task(NamedTuple):
    """A task as its author wrote it."""

    id: str
    split: str
    """"train" or "test"; "" where the source has no splits."""
    calls: tuple[Call, ...]
    """The reference solution, reads included; some calls may fail, as in the original."""
    told: str
    """What the original's simulated user is told."""


def callers_of(task: Task, tables: Tables) -> Iterator[str]:
    """Yield the users that a task may be about: named in it or in its solution, or owning a record of the solution."""
    users = tables["users"]
    for user, profile in users.items():
        name = profile["name"]
        if user in task.told or f"{name['first_name']} {name['last_name']}" in task.told:
            yield user
    for call in task.calls:
        for value in call.arguments.values():
            if not isinstance(value, str):
                continue
            if value in users:
                yield value
            for table in tables:
                row = tables[table].get(value)
                if row is not None and row.get("user_id") in users:
                    yield str(row["user_id"])


def splits_of(tables: Tables, tasks: Sequence[Task]) -> Mapping[str, str]:
    """Return the split of every user: whoever a task of the test split is about is in "test"."""
    asked = {user for task in tasks if task.split == "test" for user in callers_of(task, tables)}
    return {user: "test" if user in asked else split_of(user) for user in tables["users"]}


def end_of(task: Task, tables: Tables, toolbox: Toolbox) -> Draft | None:
    """Return the draft that a task's solution leads to, None if none of its calls is a write.

    Calls that fail are passed over, as the original does.
    """
    draft, writes = Draft(tables), False
    for call in task.calls:
        if call.name in toolbox and toolbox[call.name].writes:
            writes = True
            toolbox.run(draft, call)
    return draft if writes else None
