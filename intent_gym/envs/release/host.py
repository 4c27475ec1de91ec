"""A host over a Drift-Bench++ release: its frames, slots and intents are those of the release's trees.

Every release host shares this page; `desk` and `shop` add the world that is acted in, and what is accepted there.

Decisions.

- The samples are those of the release, word for word: none is made, none is left out for being easy to guess.
- What an intent of the release accepts is what the release recorded or computes for that node. It is not monotone: a
  node without a condition may refuse what the same node with it accepts (on the desks a payment that "does not matter"
  is still the one default method). Any other intent, such as the beliefs of an agent, is met by the recorded outcomes
  of its frame that are known to meet its conditions.
- What is known of an outcome: the conditions of every node of its frame that accepts it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from intent_gym.construct.release import (
    Names,
    Payload,
    Release,
    ReleaseSample,
    ReleaseTree,
    rename_graph,
    rename_sample,
)
from intent_gym.construct.release.layout import HostName
from intent_gym.construct.release.report import describe
from intent_gym.core.intent import Condition, Intent, Slot
from intent_gym.core.rng import key_of
from intent_gym.core.sample import Sample
from intent_gym.envs.host import Goal, Judgement, Outcome
from intent_gym.envs.table import Column, FrameTable, TableHost, Tags
from intent_gym.errors import DataError

__all__ = ["Material", "Namer", "Node", "ReleaseHost", "asserted_slots", "material"]

_BLOCK = 1 << 20
"""Outcome ids of a frame: from its number times this."""
_CACHE = 8192

Namer = Callable[[ReleaseTree, Sequence[ReleaseSample]], Sequence[Names]]
"""Gives a host's names for a tree and its samples, one a node."""


class Node(NamedTuple):
    """A node of a tree in the host's names, with what the release holds of it."""

    intent: Intent
    tree: str
    number: int
    payload: Payload


@dataclass(frozen=True)
class Material:
    """What a host plays of a release.

    Attributes:
        release: The release, loaded.
        host: "webshop", "retail" or "airline".
        nodes: Every node of every tree of the host.
        samples: Every sample of the host, in the order of the release's files.
    """

    release: Release = field(repr=False)
    host: HostName
    nodes: tuple[Node, ...] = field(repr=False)
    samples: tuple[Sample, ...] = field(repr=False)


def material(release: Release, host: HostName, namer: Namer) -> Material:
    """Return the trees and samples of one host in the host's names.

    Raises:
        DataError: The release has no sample of this host.
    """
    by_tree: dict[str, list[ReleaseSample]] = {t.id: [] for t in release.trees.values() if t.host == host}
    for sample in release.select(host, faults=None):
        by_tree[sample.tree_id].append(sample)
    if not any(by_tree.values()):
        raise DataError(
            f"{release.root}: no sample for {host} could be loaded from this release folder; it holds:\n"
            f"{release.report()}"
        )
    nodes: list[Node] = []
    renamed: dict[str, Sample] = {}
    for tree_id, samples in by_tree.items():
        tree = release.trees[tree_id]
        names = namer(tree, samples)
        graph = rename_graph(tree.graph, names)
        nodes += [Node(n, tree_id, i, release.payload[tree_id, i]) for i, n in enumerate(graph.nodes)]
        renamed |= {s.id: rename_sample(s.sample, names[0], graph) for s in samples}
    order = [s.id for s in release.select(host, faults=None)]
    return Material(release, host, tuple(nodes), tuple(renamed[i] for i in order))


class _Frame(NamedTuple):
    table: FrameTable
    outcomes: tuple[Outcome, ...]
    rows: Mapping[Outcome, int]


class ReleaseHost(TableHost):
    """A host that plays a release.

    Args:
        found: What is played.
        slots: The public slots, the frame's first.
        source: The release's folder.
    """

    def __init__(self, found: Material, slots: Sequence[Slot], source: str) -> None:
        super().__init__()
        self.source = source
        self.slots = tuple(slots)
        self._material = found
        self._by_frame: dict[str, list[Node]] = {}
        self._by_intent: dict[Intent, tuple[Node, ...]] = {}
        for node in found.nodes:
            self._by_frame.setdefault(node.intent.frame, []).append(node)
            self._by_intent[node.intent] = (*self._by_intent.get(node.intent, ()), node)
        self.frames = tuple(sorted(self._by_frame))
        self._number = {frame: i for i, frame in enumerate(self.frames)}
        self._said = self._asserted(found.samples)
        self._build = lru_cache(maxsize=None)(self._make)
        self._found = lru_cache(_CACHE)(self._find)
        self._judged = lru_cache(1 << 16)(self._judge)

    # -- what a subclass answers -------------------------------------------------------------------------------------
    @abstractmethod
    def _recorded(self, node: Node) -> Sequence[Outcome]:
        """Return the outcomes that the release records for a node and that this world can reach."""

    @abstractmethod
    def _accepts(self, node: Node, outcome: Outcome) -> bool:
        """Return whether a node accepts an outcome."""

    @abstractmethod
    def _unmet(self, node: Node, outcome: Outcome) -> Iterable[str]:
        """Return the slots whose condition an outcome that was not accepted fails; none where that is not known."""

    # -- outcomes ----------------------------------------------------------------------------------------------------
    def _asserted(self, samples: Iterable[Sample]) -> dict[tuple[str, str], set[str]]:
        """Return the values that requests assert, by frame and topic: true ones would be known by being legal."""
        found: dict[tuple[str, str], set[str]] = {}
        topics = {s.id: s.topic for s in self.slots if s.kind != "number"}
        for sample in samples:
            for c in sample.request.literal.conditions:
                if c.slot in topics:
                    found.setdefault((sample.graph.root.frame, topics[c.slot]), set()).add(str(c.value))
        return found

    def table(self, frame: str) -> FrameTable | None:
        """Return the table of a frame: a row for each outcome that the release records in it."""
        return self._build(frame).table if frame in self._by_frame else None

    def _make(self, frame: str) -> _Frame:
        met: dict[Outcome, set[Condition]] = {}
        for node in self._by_frame[frame]:
            for outcome in self._recorded(node):
                met.setdefault(outcome, set()).update(node.intent.conditions)
        cells = list(met.values())
        columns: dict[str, Column] = {}
        for slot in (s for s in self.slots if s.kind == "number"):
            caps = [min((c.value for c in cell if c.slot == slot.id), default=None, key=float) for cell in cells]
            columns[slot.id] = Column.of(caps)
        topic_of = {s.id: s.topic for s in self.slots[1:] if s.kind != "number"}
        tags: dict[str, Tags] = {}
        for topic in dict.fromkeys(topic_of.values()):
            held = [{str(c.value) for c in cell if topic_of.get(c.slot) == topic} for cell in cells]
            made = Tags.of([sorted(h) for h in [*held, self._said.get((frame, topic), set())]])
            if made.values:
                tags[topic] = Tags(made.values, made.has[:-1])
        topics = {s: t for s, t in topic_of.items() if t in tags}
        table = FrameTable(self._number[frame] * _BLOCK, len(cells), columns, tags, topics)
        return _Frame(table, tuple(met), {o: i for i, o in enumerate(met)})

    def frame_of(self, answer: int) -> str:
        """Return the frame that an outcome id belongs to."""
        return self.frames[answer // _BLOCK]

    def outcome(self, answer: int) -> Outcome:
        """Return the outcome with this id."""
        return self._build(self.frame_of(answer)).outcomes[answer % _BLOCK]

    def answers(self, intent: Intent) -> NDArray[np.int64]:
        """Return the recorded outcomes of a frame that an intent accepts (see the module's decisions)."""
        return self._found(intent)

    def _find(self, intent: Intent) -> NDArray[np.int64]:
        nodes = self._by_intent.get(intent)
        if nodes is None:
            found = super().answers(intent)
        else:
            frame = self._build(intent.frame)
            rows = [r for r, o in enumerate(frame.outcomes) if any(self._accepts(n, o) for n in nodes)]
            found = np.array(rows, dtype=np.int64) + frame.table.first
        found.flags.writeable = False
        return found

    def _rank(self, beliefs: Intent) -> tuple[int, ...]:
        ranked = super()._rank(beliefs)
        first = self.answers(beliefs).tolist()[: len(ranked)] if beliefs in self._by_intent else []
        return tuple(dict.fromkeys((*first, *ranked)))

    # -- verdicts ----------------------------------------------------------------------------------------------------
    def judge(self, intent: Intent, outcome: Outcome) -> Judgement:
        """Judge an outcome, recorded or not."""
        return self._judged(intent, outcome)

    def _judge(self, intent: Intent, outcome: Outcome) -> Judgement:
        nodes = self._by_intent.get(intent, ())
        if any(self._accepts(n, outcome) for n in nodes):
            return Judgement(True, ())
        wrong = {s for n in nodes[:1] for s in self._unmet(n, outcome)}
        if not nodes and intent.frame in self._by_frame:
            frame = self._build(intent.frame)
            row = frame.rows.get(outcome)
            if row is not None:
                wrong = {c.slot for c in intent.conditions if not frame.table.mask(c)[row]}
                if not wrong:
                    return Judgement(True, ())
        wrong = wrong or {self.frame_slot.id}
        return Judgement(False, tuple(s.id for s in self.slots if s.id in wrong))

    def score(self, intent: Intent, outcome: Outcome) -> float:
        """Return the share of conditions met, 0 for an outcome of something else."""
        violated = self.judge(intent, outcome).violated
        if self.frame_slot.id in violated:
            return 0.0
        return 1.0 - len(violated) / (1 + len(intent.conditions))

    # -- material ----------------------------------------------------------------------------------------------------
    def own_samples(self) -> Sequence[Sample]:
        """Return the release's samples."""
        return self._material.samples

    def explain(self, sample_id: str) -> None:
        """Raise what is known of a sample that the folder holds and that cannot be played.

        Raises:
            DataError: Its tree is missing, the release turned it away, or its file is broken.
            TaskError: The release has no such sample.
        """
        self._material.release.sample(sample_id)

    def goals(self) -> Sequence[Goal]:
        """Return the roots of the trees that some sample plays."""
        roots = {s.graph.id: Goal(s.graph.id, s.split, s.graph.root) for s in self._material.samples}
        return tuple(roots[i] for i in sorted(roots))

    def runs(self) -> tuple[dict[str, Any], ...]:
        """Return the runs of the release's manifests that can be played: arguments of an environment's `reset`."""
        own = {s.id for s in self._material.samples}
        rows = (row for rows in self._material.release.manifests.values() for row in rows)
        return tuple(
            {"seed": row.episode_seed, "options": {"task_id": row.sample_id, "persona": row.persona}}
            for row in rows
            if row.sample_id in own
        )

    def report(self) -> str:
        """Return what was found of the release against the whole, what was not loaded and why, as a table."""
        return describe(self._material.release)

    def fingerprint(self) -> str:
        """Return a text that differs where the release or what is accepted differs."""
        release = self._material.release
        told = [(n.tree, n.payload.intent_id) for n in self._material.nodes], [s.id for s in self._material.samples]
        return f"{self.name}:release:{release.transitions}:{key_of(repr(told)):016x}"


def asserted_slots(samples: Iterable[ReleaseSample]) -> set[str]:
    """Return the release's slots that requests speak of, whether the intent has them or not."""
    found: set[str] = set()
    for sample in samples:
        request = sample.sample.request
        found.update(c.slot for c in request.literal.conditions)
        found.update(e.slot for e in request.edits if e.slot)
    return found
