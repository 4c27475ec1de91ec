"""The release's graphs and samples in a host's own names.

A release slot can give its value away ("attr:gluten free"), and its values are JSON texts. A host that plays the
release gives its names for slots, values and frames, for a whole graph or node by node; what relates two nodes, and
whether a drift moves the answer, stays as derived.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from intent_gym.construct.release.trees import FRAME_SLOT
from intent_gym.core.faults import Edit
from intent_gym.core.intent import Condition, Intent, IntentGraph, Value
from intent_gym.core.sample import Request, Sample

__all__ = ["Names", "plain", "rename_graph", "rename_sample"]


class Names(NamedTuple):
    """A host's names."""

    slot: Callable[[str], str]
    """Slot id by the release's; of `FRAME_SLOT`, the host's slot 0. Two slots of a node must not become one."""
    value: Callable[[str, Value], Value]
    """Value by the release's slot and value."""
    frame: Callable[[str], str]
    """Frame by the release graph's."""


def plain(value: Value) -> str:
    """Return a stored tau2 value as a person would write it.

    >>> plain('"#W3947049"'), plain("2"), plain('["3358616356","8573379326"]')
    ('#W3947049', '2', '3358616356, 8573379326')
    >>> plain('[{"date":"2024-05-27","flight_number":"HAT078"}]')
    'HAT078 2024-05-27'
    >>> plain('{"reservation_id":"OI5L9G"}'), plain("dark green")
    ('OI5L9G', 'dark green')
    """
    try:
        return _said(json.loads(value)) if isinstance(value, str) else _said(value)
    except ValueError:
        return str(value)


_FIRST = ("flight_number", "first_name", "last_name", "payment_id")
"""Keys that a person would say first, the others after them in the order of the alphabet."""


def _said(found: object) -> str:
    if isinstance(found, Mapping):
        order = sorted(found, key=lambda k: (_FIRST.index(k) if k in _FIRST else len(_FIRST), k))
        return " ".join(_said(found[k]) for k in order)
    if isinstance(found, list):
        return ", ".join(_said(v) for v in found) or "none"
    return str(found)


def _renamed(intent: Intent, names: Names) -> Intent:
    return Intent(
        names.frame(intent.frame),
        tuple(Condition(names.slot(c.slot), c.op, names.value(c.slot, c.value)) for c in intent.conditions),
    )


def rename_graph(graph: IntentGraph, names: Names | Sequence[Names]) -> IntentGraph:
    """Return a graph in a host's names.

    Args:
        graph: The graph.
        names: The host's names: for all nodes, or one a node.

    Raises:
        ValueError: Two slots of a node or two nodes of the graph would become one.
    """
    by_node = [names] * len(graph.nodes) if isinstance(names, Names) else list(names)
    for node, own in zip(graph.nodes, by_node, strict=True):
        slots = [FRAME_SLOT, *node.by_slot]
        if len({own.slot(s) for s in slots}) != len(slots):
            raise ValueError(f"graph {graph.id}: two slots would become one: {[(s, own.slot(s)) for s in slots]}")
    nodes = tuple(_renamed(n, own) for n, own in zip(graph.nodes, by_node, strict=True))
    if len(set(nodes)) != len(set(graph.nodes)):
        raise ValueError(f"graph {graph.id}: two nodes would become one: their frames or values get the same name")
    edges = []
    for edge in graph.edges:
        old, new = nodes[edge.source].by_slot, nodes[edge.target].by_slot
        changed = tuple(new) if edge.relation == "pivot" else tuple(s for s, c in new.items() if old.get(s) != c)
        frame = (by_node[edge.target].slot(FRAME_SLOT),) if edge.relation == "pivot" else ()
        edges.append(replace(edge, entered=(*frame, *changed), left=tuple(s for s in old if s not in new)))
    return IntentGraph(graph.id, nodes, tuple(edges))


def rename_sample(sample: Sample, names: Names, graph: IntentGraph) -> Sample:
    """Return a sample in a host's names.

    Args:
        sample: The sample.
        names: The host's names at the root.
        graph: The sample's graph as `rename_graph` returns it, so that samples go on sharing it.

    Raises:
        ValueError: The literal reading asks two things of one slot in these names.
    """
    edits = [
        Edit(
            e.kind, names.slot(e.slot), names.value(e.slot, e.value) if e.kind in _VALUED and e.value != "" else e.value
        )
        if e.slot
        else e
        for e in sample.request.edits
    ]
    request = Request(
        sample.request.text,
        sample.request.faults,
        tuple(sorted(edits, key=lambda e: (e.kind, e.slot, str(e.value)))),
        _renamed(sample.request.literal, names),
    )
    return replace(sample, graph=graph, request=request)


_VALUED = ("replace", "presuppose", "extra")
