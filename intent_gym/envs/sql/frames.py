"""A question to a database with parameters: what the generator and the loader of the original data both make."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from intent_gym.core.intent import Value
from intent_gym.envs.answers import Assignment
from intent_gym.envs.sql.database import Database
from intent_gym.envs.sql.order import Order
from intent_gym.envs.templates import Template

__all__ = ["Frame", "every_row", "no_order"]


def no_order(values: Assignment) -> Order | None:
    """Return what queries ask of the order of rows that ask for none: nothing."""
    return None


def every_row(values: Assignment) -> Order | None:
    """Return what ordered queries ask of the order of rows where no two rows can be tied: each has its place."""
    return Order("", (-1,))


@dataclass(frozen=True)
class Frame:
    """One question.

    Attributes:
        name: What a person says that they need, "the list of bikes"; unique in its host.
        group: Frames of one group share their material.
        database: What is asked.
        split: "train" or "test"; of the embedded data the same for all frames of a database.
        brief: The public material: the schema, some rows, what the words mean, how to answer.
        domains: Values by slot, sorted; every slot of the frame, in the host's order.
        neutral: The value that asks for nothing, by optional slot.
        query: The right query.
        order: What the right query of an assignment asks of the order of rows.
        shown: Slots that only choose columns of the outermost SELECT, in pieces of their own that each stand for one
            column, or none where they are empty; all other columns come before these.
    """

    name: str
    group: str
    database: Database
    split: Literal["train", "test"]
    brief: str
    domains: Mapping[str, tuple[Value, ...]]
    neutral: Mapping[str, Value]
    query: Template
    order: Callable[[Assignment], Order | None] = no_order
    shown: tuple[str, ...] = ()
