"""Intent graphs from goals: a relaxed root, verified neighbours, edges between every related pair (PROTOCOL 1).

Source: Drift-Bench++, "Intent graph". A source's full task nearly always has a single answer, so that nothing can be
added to it (of WebShop's own goals 5 % have a refinement that changes the answer). A graph therefore starts from a
*relaxed* root, and its refinements walk back towards the goal.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from intent_gym.construct.settings import Settings
from intent_gym.core.config import ProtocolConfig
from intent_gym.core.intent import Condition, Edge, Intent, IntentGraph, Relation, Slot, relation
from intent_gym.core.rng import Purpose, integer, key_of
from intent_gym.core.sample import hit_chance
from intent_gym.envs.host import Goal, Host

__all__ = ["Rejection", "build_graph", "derive_edges"]

_LOOK = 48
"""Answers looked at when the values of a slot are collected."""


class Rejection(NamedTuple):
    """Why a goal has no graph."""

    goal: str
    reason: str


class _Making(NamedTuple):
    """One graph under construction."""

    host: Host
    goal: Goal
    root: Intent
    settings: Settings
    key: int

    def shuffled(self, count: int, purpose: object) -> list[int]:
        """Return 0..count-1 in an order drawn by key."""
        key = key_of(self.key, purpose)
        return sorted(range(count), key=lambda i: integer(key, Purpose.CONSTRUCT, i))

    def moved(self, intent: Intent) -> bool:
        """Return whether an intent is executable and its answers differ from the root's."""
        found = self.host.answers(intent)
        return len(found) > 0 and not np.array_equal(found, self.host.answers(self.root))


def build_graph(
    host: Host, goal: Goal, settings: Settings | None = None, taken: Collection[Intent] = ()
) -> IntentGraph | Rejection:
    """Return the graph of a goal, or why there is none.

    Args:
        host: The world, which executes every node.
        goal: The full task.
        settings: Numbers of the construction.
        taken: Roots that other graphs have: two graphs never start from the same intent, in either split.
    """
    settings = settings or Settings()
    if not len(host.answers(goal.intent)):
        return Rejection(goal.id, "goal not executable")
    if len(goal.intent.conditions) < settings.min_conditions:
        return Rejection(goal.id, "goal has too few conditions")
    reason = "fewer than two conditions that matter"
    # second choices: a root of which nothing can be hidden, and one that leaves nothing to add on the way to the goal
    for hides, wide, attempt in itertools.product((True, False), (True, False), range(settings.root_tries)):
        key = key_of("graph", host.name, goal.id, attempt)
        root = _root(host, goal, settings, key)
        if root is None or (wide and _same_answers(host, root, goal.intent)) or (hides and not _hides(host, root)):
            continue
        if root in taken:
            reason = "root taken by another graph"
            continue
        nodes = _nodes(_Making(host, goal, root, settings, key))
        if len(nodes) > settings.min_neighbours:
            return IntentGraph(goal.id, nodes, derive_edges(host, nodes))
        reason = "too few neighbours"
    return Rejection(goal.id, reason)


def _same_answers(host: Host, root: Intent, goal: Intent) -> bool:
    return root != goal and len(host.answers(root)) == len(host.answers(goal))


def _hides(host: Host, root: Intent) -> bool:
    """Return whether a value can be left out so that guessing it is not too easy (`max_guess`)."""
    good, given = len(host.answers(root)), ProtocolConfig()
    wider = (len(host.answers(root.without(c.slot))) for c in root.conditions)
    return any(hit_chance(found, good, given.guesses) <= given.max_guess for found in wider)


def _root(host: Host, goal: Goal, settings: Settings, key: int) -> Intent | None:
    """Return a relaxation of the goal in which every condition matters, or None."""
    full = goal.intent.conditions
    most = min(settings.max_root, max(settings.min_conditions, len(full) - 1))
    least = min(most, max(settings.min_conditions, len(full) - settings.below_goal))
    if len(full) <= settings.min_conditions + 1:
        most = len(full)  # too few slots to spare one every time
    size = least + integer(key, Purpose.CONSTRUCT, 0) % (most - least + 1)
    table = host.slot_table.index
    order = sorted(full, key=lambda c: integer(key, Purpose.CONSTRUCT, 1 + table[c.slot]))
    root = Intent(goal.intent.frame, tuple(order[:size]))
    answers = len(host.answers(root))
    for condition in order[:size]:  # what the others imply is left out
        if len(host.answers(root.without(condition.slot))) == answers:
            root = root.without(condition.slot)
    return _packed(host, root) if len(root.conditions) >= settings.min_conditions else None


def _packed(host: Host, intent: Intent) -> Intent:
    """Return the intent with the tags of each topic moved to the topic's first slots, in their order."""
    kept = [c for c in intent.conditions if host.slot(c.slot).kind != "tag"]
    by_topic: dict[str, list[Condition]] = {}
    for c in sorted(intent.conditions, key=lambda c: host.slot_table.index[c.slot]):
        if host.slot(c.slot).kind == "tag":
            by_topic.setdefault(host.slot(c.slot).topic, []).append(c)
    for topic, tags in by_topic.items():
        slots = host.slot_table.by_topic[topic]
        kept += [Condition(slot.id, c.op, c.value) for slot, c in zip(slots, tags, strict=False)]
    return Intent(intent.frame, tuple(kept))


# -- neighbours --------------------------------------------------------------------------------------------------------
def _nodes(making: _Making) -> tuple[Intent, ...]:
    """Return the root and its neighbours."""
    nodes = [making.root]
    for found in (_refined(making), _relaxed(making), _substituted(making), _pivoted(making)):
        fresh = (n for n in found if n not in nodes)
        nodes += itertools.islice(fresh, making.settings.per_relation)
    return tuple(nodes)


def _refined(making: _Making) -> Iterator[Intent]:
    """Yield intents with one condition more: the goal's own first, then what the root's answers offer."""
    host, root = making.host, making.root
    held = {c.value for c in root.conditions if host.slot(c.slot).kind == "tag"}
    for i in making.shuffled(len(making.goal.intent.conditions), "refine"):
        wanted = making.goal.intent.conditions[i]
        slot = _next_free(host, root, host.slot(wanted.slot))
        if slot is None or (slot.kind == "tag" and wanted.value in held):
            continue
        refined = root.having(Condition(slot.id, wanted.op, wanted.value))
        if making.moved(refined):
            yield refined
    for slot in _free_slots(making):
        for condition in _values(making, slot, root):
            if making.moved(refined := root.having(condition)):
                yield refined
                break  # one value a slot


def _next_free(host: Host, intent: Intent, slot: Slot) -> Slot | None:
    """Return the slot itself, or for a tag the first free one of its topic; None where it is taken."""
    candidates: Sequence[Slot] = host.slot_table.by_topic[slot.topic] if slot.kind == "tag" else (slot,)
    return next((s for s in candidates if s.id not in intent.by_slot), None)


def _free_slots(making: _Making) -> Iterator[Slot]:
    """Yield the slots that the root leaves free, in an order drawn by key; of tags the next position only."""
    slots = making.host.slots[1:]
    for i in making.shuffled(len(slots), "free"):
        if _next_free(making.host, making.root, slots[i]) is slots[i]:
            yield slots[i]


def _values(making: _Making, slot: Slot, within: Intent) -> Iterator[Condition]:
    """Yield conditions on a slot that some answer of an intent meets, in an order drawn by key."""
    host = making.host
    if not host.domain(slot.id, within.frame):
        return
    answers = host.answers(within)
    step = max(1, len(answers) // _LOOK)
    used = {c.value for c in within.conditions if host.slot(c.slot).topic == slot.topic}
    pool = {v for values in host.values_of(slot.id, answers[::step]) for v in values if v not in used}
    found = sorted(pool, key=lambda v: (isinstance(v, str), v))
    if slot.kind == "number":
        legal = host.domain(slot.id, within.frame)
        found = [v for v in found if v in legal]
    for i in making.shuffled(len(found), slot.id)[: making.settings.value_tries]:
        yield Condition(slot.id, slot.op, found[i])


def _relaxed(making: _Making) -> Iterator[Intent]:
    """Yield intents with one condition less."""
    conditions = making.root.conditions
    if len(conditions) < 2:
        return
    for i in making.shuffled(len(conditions), "relax"):
        relaxed = making.root.without(conditions[i].slot)
        if making.moved(relaxed):
            yield relaxed


def _substituted(making: _Making) -> Iterator[Intent]:
    """Yield intents with another value for one slot, slot by slot."""
    host, root = making.host, making.root
    for i in making.shuffled(len(root.conditions), "substitute"):
        condition = root.conditions[i]
        near = [v for v in host.near_misses(root, condition.slot) if v not in {c.value for c in root.conditions}]
        for j in making.shuffled(len(near), condition.slot)[: making.settings.value_tries]:
            changed = root.having(Condition(condition.slot, condition.op, near[j]))
            if making.moved(changed):
                yield changed
                break


def _pivoted(making: _Making) -> Iterator[Intent]:
    """Yield intents of other frames, those first that carry over most of the root's conditions."""
    host, root = making.host, making.root
    frames = host.related_frames(root.frame)
    order = [
        (-_shared_values(host, root, frames[i]), rank, frames[i])
        for rank, i in enumerate(making.shuffled(len(frames), "pivot"))
    ]
    tried: list[tuple[int, int, Intent]] = []
    for _, rank, frame in sorted(order)[: making.settings.pivot_tries]:
        carried = _carried(host, root, frame)
        tried.append((-len(carried.conditions), rank, carried))
    for _, _, carried in sorted(tried, key=lambda t: t[:2]):
        filled = _filled(making, carried)
        if filled is not None and making.moved(filled):
            yield filled


def _shared_values(host: Host, root: Intent, frame: str) -> int:
    """Return how many of the root's values another frame has too, each by itself."""
    return sum(c.value in host.domain(c.slot, frame) for c in root.conditions if host.slot(c.slot).kind != "number")


def _carried(host: Host, root: Intent, frame: str) -> Intent:
    """Return as many of the root's conditions as some outcome of the frame meets together, taken in slot order."""
    intent = Intent(frame, ())
    for condition in sorted(root.conditions, key=lambda c: host.slot_table.index[c.slot]):
        if len(host.answers(more := intent.having(condition))):
            intent = more
    return intent


def _filled(making: _Making, intent: Intent) -> Intent | None:
    """Return an intent of another frame with conditions added until it has enough, or None."""
    host = making.host
    slots = host.slots[1:]
    for i in making.shuffled(len(slots), intent.frame):
        if len(intent.conditions) >= making.settings.min_conditions:
            break
        if slots[i].id in intent.by_slot:
            continue
        count = len(host.answers(intent))
        for condition in _values(making, slots[i], intent):
            if 0 < len(host.answers(more := intent.having(condition))) < count:
                intent = more
                break
    return intent if len(intent.conditions) >= making.settings.min_conditions else None


# -- edges -------------------------------------------------------------------------------------------------------------
def derive_edges(host: Host, nodes: Sequence[Intent]) -> tuple[Edge, ...]:
    """Return an edge for every ordered pair of nodes that is related."""
    answers = [frozenset(host.answers(n).tolist()) for n in nodes]
    edges = []
    for s, t in itertools.permutations(range(len(nodes)), 2):
        kind = relation(nodes[s], nodes[t])
        if kind is not None:
            edges.append(_edge(host, nodes, answers, s, t, kind))
    return tuple(edges)


def _edge(
    host: Host, nodes: Sequence[Intent], answers: Sequence[frozenset[int]], s: int, t: int, kind: Relation
) -> Edge:
    old, new = nodes[s].by_slot, nodes[t].by_slot
    if kind == "pivot":
        entered: tuple[str, ...] = (host.frame_slot.id, *new)
    else:
        entered = tuple(slot for slot, c in new.items() if old.get(slot) != c)
    return Edge(
        source=s,
        target=t,
        relation=kind,
        entered=entered,
        left=tuple(slot for slot in old if slot not in new),
        moves=answers[s] != answers[t],
        invalidates=not answers[s] <= answers[t],
    )
