"""Every number of the construction in one frozen object."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["VERSION", "Settings"]

VERSION = 5
"""Raised with every change of graphs, draws or wordings: stored samples of another version are built anew."""


@dataclass(frozen=True)
class Settings:
    """How many graphs, neighbours and samples are made."""

    min_conditions: int = 2
    """Conditions that a root and a pivot have at least; a relaxation has one at least."""
    max_root: int = 6
    """Conditions that a root has at most; the rest of the goal is left for refinement."""
    below_goal: int = 3
    """A root has at least the goal's number of conditions less this."""
    root_tries: int = 12
    """Relaxed roots tried for a goal."""
    per_relation: int = 2
    """Neighbours of the root by each relation, where they exist."""
    min_neighbours: int = 4
    """A graph with fewer is rejected."""
    pivot_tries: int = 6
    """Other frames looked at for a pivot, those with most of the root's values."""
    value_tries: int = 12
    """Values looked at for a refinement or substitution of one slot."""
    per_graph: int = 2
    """Samples of a graph in a pool of k faults."""
    per_graph_named: int = 2
    """Samples of a graph in a pool of named faults."""
    attempts: int = 6
    """Candidates drawn for a sample before it is given up."""
