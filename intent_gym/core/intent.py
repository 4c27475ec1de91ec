"""Slots, conditions, intents, relations and intent graphs (PROTOCOL 1).

Source: Drift-Bench++, section "Intent graph": a task is mapped to a frame and a set of conditions, and verified
tasks of the same environment are its neighbours by refine, relax, substitute or pivot.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, Literal, TypeAlias, get_args

__all__ = [
    "RELATIONS",
    "Condition",
    "Edge",
    "Intent",
    "IntentGraph",
    "Op",
    "Relation",
    "Slot",
    "SlotKind",
    "SlotTable",
    "Value",
    "relation",
]

Value: TypeAlias = str | int | float
Op: TypeAlias = Literal["=", "<=", ">=", "contains"]
SlotKind: TypeAlias = Literal["frame", "choice", "tag", "number", "instrument"]
Relation: TypeAlias = Literal["refine", "relax", "substitute", "pivot"]
_WANTS = 4096

RELATIONS: tuple[Relation, ...] = get_args(Relation)


@dataclass(frozen=True, slots=True)
class Slot:
    """One thing a person can want something of. Public: it never carries a hidden value.

    Attributes:
        id: Opaque, stable name inside a host ("color", "feature_2").
        word: The word a person would use for it ("colour", "budget").
        topic: Slots of one topic are asked about together (all wanted features have the topic "feature").
        kind: "frame" (slot 0 only), "choice" (one of a list), "tag" (its name is its value), "number",
            "instrument" (a means or channel, which tool_capability_mismatch is about).
        op: The operator that conditions of this slot use.
        synonyms: Other words for it, singular and plural, spellings included.
        unit: Put before a number, e.g. "$".
        clauses: Forms that say a condition inside a request after a noun, each with "{value}"; ("in {value}",).
        vague: Subjective wordings that convey no value ("a nice colour").
        examples: Typical values by which a question shows that it is about this slot ("oak or pine?"), whether the
            domain has them or not.
    """

    id: str
    word: str
    topic: str
    kind: SlotKind
    op: Op = "="
    synonyms: tuple[str, ...] = ()
    unit: str = ""
    clauses: tuple[str, ...] = ()
    vague: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()

    def say(self, value: Value) -> str:
        """Return a value as a person writes it.

        >>> Slot("price", "budget", "price", "number", "<=", unit="$").say(30.0)
        '$30'
        """
        if isinstance(value, float):
            value = int(value) if value.is_integer() else f"{value:.2f}"
        return f"{self.unit}{value}"


class SlotTable:
    """A host's slots, indexed; immutable and shared.

    Attributes:
        slots: The slots in order, the frame's first.
        frame: Id of slot 0.
        by_id: Slot by id.
        index: Position by slot id.
        topic_of: Topic by slot id.
        by_topic: Slots by topic, in order.
        wants: Conditions of an intent by slot, in slot order, the frame as a condition on slot 0 first; cached.
    """

    def __init__(self, slots: Sequence[Slot]) -> None:
        """Index the slots."""
        self.slots = tuple(slots)
        self.frame = self.slots[0].id
        self.by_id: dict[str, Slot] = {s.id: s for s in self.slots}
        self.index: dict[str, int] = {s.id: i for i, s in enumerate(self.slots)}
        self.topic_of: dict[str, str] = {s.id: s.topic for s in self.slots}
        self.by_topic: dict[str, tuple[Slot, ...]] = {}
        for s in self.slots:
            self.by_topic[s.topic] = (*self.by_topic.get(s.topic, ()), s)
        self.wants: Callable[[Intent], Mapping[str, Condition]] = lru_cache(_WANTS)(self._wants)

    def __getitem__(self, slot_id: str) -> Slot:
        """Return a slot by id."""
        return self.by_id[slot_id]

    def __len__(self) -> int:
        """Return the number of slots."""
        return len(self.slots)

    def __deepcopy__(self, memo: dict[int, Any]) -> SlotTable:
        """A copy is the same object: it never changes."""
        return self

    def _wants(self, intent: Intent) -> Mapping[str, Condition]:
        """Return the conditions of an intent by slot, in slot order, the frame as a condition on slot 0 first."""
        found = {self.frame: Condition(self.frame, "=", intent.frame)}
        for c in sorted(intent.conditions, key=lambda c: self.index[c.slot]):
            found[c.slot] = c
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        return SlotTable, (self.slots,)


@dataclass(frozen=True, slots=True, order=True)
class Condition:
    """(slot, op, value): what is wanted of one slot."""

    slot: str
    op: Op
    value: Value

    def to_json(self) -> list[Value]:
        """Return ``[slot, op, value]``."""
        return [self.slot, self.op, self.value]


@dataclass(frozen=True)
class Intent:
    """A frame and conditions over distinct slots, kept in slot order.

    Attributes:
        frame: What kind of thing is wanted; the value of slot 0.
        conditions: Sorted by slot id.
    """

    frame: str
    conditions: tuple[Condition, ...]

    def __post_init__(self) -> None:
        """Put the conditions in slot order and refuse two for one slot."""
        slots = [c.slot for c in self.conditions]
        if not any(map(operator.ge, slots, slots[1:])):  # distinct and in order, as nearly always
            return
        if len(set(slots)) != len(slots):
            raise ValueError(f"an intent has at most one condition a slot, got {sorted(slots)}")
        object.__setattr__(self, "conditions", tuple(sorted(self.conditions, key=lambda c: c.slot)))

    def __deepcopy__(self, memo: dict[int, Any]) -> Intent:
        """A copy is the same object: it never changes."""
        return self

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is computed: text hashes differ between processes."""
        return {"frame": self.frame, "conditions": self.conditions}

    @cached_property
    def _hash(self) -> int:
        return hash((self.frame, self.conditions))

    def __hash__(self) -> int:
        """Return a hash that is computed once: intents key the hosts' caches."""
        return self._hash

    @cached_property
    def by_slot(self) -> dict[str, Condition]:
        """Conditions by slot id."""
        return {c.slot: c for c in self.conditions}

    def without(self, *slots: str) -> Intent:
        """Return the intent without the conditions of these slots."""
        return Intent(self.frame, tuple(c for c in self.conditions if c.slot not in slots))

    def having(self, condition: Condition) -> Intent:
        """Return the intent with one condition added, or put in the place of its slot's."""
        return Intent(self.frame, (*(c for c in self.conditions if c.slot != condition.slot), condition))

    def to_json(self) -> dict[str, Any]:
        """Return ``{"frame", "conditions": [[slot, op, value], ...]}``."""
        return {"frame": self.frame, "conditions": [c.to_json() for c in self.conditions]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Intent:
        """Inverse of `to_json`."""
        return cls(data["frame"], tuple(Condition(*c) for c in data["conditions"]))


def relation(source: Intent, target: Intent) -> Relation | None:
    """Return how `target` relates to `source`, decided in the order of PROTOCOL 1, or None.

    >>> a = Intent("mug", (Condition("color", "=", "red"),))
    >>> relation(a, a.having(Condition("size", "=", "large")))
    'refine'
    >>> relation(a, a.having(Condition("color", "=", "blue")))
    'substitute'
    """
    if source.frame != target.frame:
        return "pivot"
    old, new = frozenset(source.conditions), frozenset(target.conditions)
    if new > old:
        return "refine"
    if new < old:
        return "relax"
    same_shape = {(c.slot, c.op) for c in old} == {(c.slot, c.op) for c in new}
    return "substitute" if same_shape and new != old else None


@dataclass(frozen=True, slots=True)
class Edge:
    """A possible drift from one node of a graph to another.

    Attributes:
        source: Index of the node left.
        target: Index of the node entered.
        relation: How the target relates to the source.
        entered: Slots whose wanted value is new in the target: added or changed; for a pivot the frame's slot
            and every slot of the target. These enter the target set T (PROTOCOL 9).
        left: Slots that have a condition in the source and none in the target.
        moves: The set of accepted outcomes differs.
        invalidates: Some outcome accepted at the source is not accepted at the target.
    """

    source: int
    target: int
    relation: Relation
    entered: tuple[str, ...]
    left: tuple[str, ...]
    moves: bool
    invalidates: bool


@dataclass(frozen=True)
class IntentGraph:
    """A root intent, its verified neighbours, and the edges between every pair that is related.

    Attributes:
        id: Stable name, public (it tells nothing of the values).
        nodes: Executable intents; node 0 is the root.
        edges: Derived edges, sorted by (source, target).
    """

    id: str
    nodes: tuple[Intent, ...]
    edges: tuple[Edge, ...]
    _out: dict[int, tuple[int, ...]] = field(default_factory=dict, repr=False, compare=False, init=False)

    def __post_init__(self) -> None:
        """Index the edges by source."""
        for i, edge in enumerate(self.edges):
            self._out[edge.source] = (*self._out.get(edge.source, ()), i)

    def __deepcopy__(self, memo: dict[int, Any]) -> IntentGraph:
        """A copy is the same object: it never changes."""
        return self

    @property
    def root(self) -> Intent:
        """The intent that the opening request is about."""
        return self.nodes[0]

    def out(self, node: int) -> tuple[int, ...]:
        """Return the indices of the edges that leave a node."""
        return self._out.get(node, ())

    def to_json(self) -> dict[str, Any]:
        """Return plain data; edges as ``[source, target, relation, entered, left, moves, invalidates]``."""
        return {
            "id": self.id,
            "nodes": [n.to_json() for n in self.nodes],
            "edges": [
                [e.source, e.target, e.relation, list(e.entered), list(e.left), e.moves, e.invalidates]
                for e in self.edges
            ],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> IntentGraph:
        """Inverse of `to_json`."""
        edges = tuple(Edge(s, t, r, tuple(i), tuple(o), m, v) for s, t, r, i, o, m, v in data["edges"])
        return cls(data["id"], tuple(Intent.from_json(n) for n in data["nodes"]), edges)
