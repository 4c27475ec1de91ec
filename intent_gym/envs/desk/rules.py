"""A rule of a desk's policy, as data."""

from __future__ import annotations

from typing import Literal, NamedTuple

__all__ = ["Rule"]


class Rule(NamedTuple):
    """One rule."""

    text: str
    """One sentence."""
    tools: tuple[str, ...]
    """The tools that it is about; () for the conversation as a whole."""
    by: Literal["tool", "agent"] = "tool"
    """Who keeps it: a tool refuses, or it is up to the agent."""
