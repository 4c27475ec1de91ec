"""Non-interference: what is hidden cannot be seen before it is told (PROTOCOL 11).

Two episodes that differ only in hidden values are driven by the same actions. What an agent sees must be equal byte by
byte until one of the two users tells a value that differs, or a verdict differs. What is hidden in an evolving dialogue
are the edits to come: see `intent_gym.testing.plans` for its twins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import gymnasium as gym
import numpy as np

from intent_gym.construct.samples import Pool
from intent_gym.core.intent import Condition, Intent, IntentGraph, Value
from intent_gym.core.personas import PERSONAS
from intent_gym.core.record import Event, Step
from intent_gym.core.sample import Sample
from intent_gym.envs.base import DriftEnv
from intent_gym.envs.host import Host
from intent_gym.testing import plans
from intent_gym.testing.base import require
from intent_gym.testing.pairs import Pair

__all__ = ["Interference", "check_non_interference", "only", "twin"]

_TRIES = 30


class Interference(NamedTuple):
    """What a run of the check has covered."""

    pairs: int
    """Pairs of episodes played."""
    steps: int
    """Steps compared."""
    drifts: int
    """Silent drifts inside the compared steps."""
    ends: Mapping[str, int]
    """Pairs by what ended the comparison: "granted", "volunteered", "confirmed", "declined" (a read-back that is wrong
    in one of the two), "verdict", "hint", or "end"; in the evolving protocol "edit", "request", "cap" (one of the two
    dialogues is over, or in its last step), "verdict", or "end"."""
    without_twin: int
    """Samples, or plans, drawn for which no twin was found."""


def check_non_interference(env_id: str, *, pairs: int = 50, seed: int = 0, **options: Any) -> Interference:
    """Play pairs of episodes that differ only in hidden values, or whose plans differ only in edits to come.

    Args:
        env_id: Registered id.
        pairs: Number of pairs; in the silent protocol personas take turns unless one is given.
        seed: Of samples, twins and actions.
        **options: As `gym.make` takes them; "condition" stays "drift", since the others tell on purpose.

    Raises:
        ConformanceError: Something that an agent sees differs before the difference was told.

    >>> check_non_interference("DriftToy-v0", pairs=5).pairs
    5
    >>> check_non_interference("DriftToy-v0", pairs=5, protocol="evolving").drifts
    0
    """
    rng = np.random.default_rng(seed)
    one, two = (gym.make(env_id, **{"render_mode": "ansi", **options}) for _ in range(2))
    base: DriftEnv = one.unwrapped  # type: ignore[assignment]
    given = options.get("persona", "mixed")
    personas = tuple(PERSONAS) if given == "mixed" else (given,)
    ends: Counter[str] = Counter()
    played = steps = drifts = missing = 0
    cases = base._planned if base.options.protocol == "evolving" else None  # as they are before pairs replace them
    samples = base._tasks.samples if cases is None else ()
    while played < pairs:
        pair: Pair | None
        if cases is not None:
            pair = plans.pair(one, two, cases, rng)
        else:
            pair = _silent_pair(one, two, samples, rng, personas[played % len(personas)])
        if pair is None:
            missing += 1
            require(missing < 20 + 20 * pairs, f"{env_id}: hardly any sample has a twin")
            continue
        end = pair.play()
        ends[end], played, steps, drifts = ends[end] + 1, played + 1, steps + pair.steps, drifts + pair.drifts
    return Interference(played, steps, drifts, dict(ends), missing)


def _silent_pair(
    one: gym.Env[Any, Any],
    two: gym.Env[Any, Any],
    samples: Sequence[Sample],
    rng: np.random.Generator,
    persona: str,
) -> _SilentPair | None:
    """Return a sample and its twin in two environments, or None where no twin was found."""
    base: DriftEnv = one.unwrapped  # type: ignore[assignment]
    sample = samples[int(rng.integers(len(samples)))]
    other = twin(base.host, sample, rng)
    if other is None:
        return None
    only(one, sample)
    only(two, other)
    return _SilentPair(one, two, int(rng.integers(1 << 31)), {"persona": persona})


def only(env: gym.Env[Any, Any], sample: Sample) -> None:
    """Make an environment play one sample, whatever it was made with (until it is pickled or copied)."""
    base: DriftEnv = env.unwrapped  # type: ignore[assignment]
    base._pool = Pool((sample,), base._tasks.report)


class _SilentPair(Pair):
    """Two episodes of the silent protocol."""

    def told(self, intents: Sequence[Intent], steps: Sequence[Step]) -> str | None:
        """Return what in the steps may tell the two apart."""
        self.drifts += sum(e["type"] == "drift" for e in steps[0].events)
        return _told(self.bases[0].host, intents, steps)


def _told(host: Host, nodes: Sequence[Intent], steps: Sequence[Step]) -> str | None:
    """Return what in a step may tell two episodes apart, or None: a value that differs, a verdict, a hint.

    A value read back is judged too: a user who does not wish to correct it declines, one who has nothing to correct
    does not.
    """
    wants = [host.slot_table.wants(n) for n in nodes]
    differs = {s for s in {*wants[0], *wants[1]} if wants[0].get(s) != wants[1].get(s)}
    for step in steps:
        for event in step.events:
            if event["type"] == "question":
                for name in ("granted", "volunteered", "confirmed"):
                    if any((s if name == "confirmed" else s[0]) in differs for s in event[name]):
                        return name
    declined = [{s for e in step.events for s in e.get("declined", ())} for step in steps]
    if (declined[0] ^ declined[1]) & differs:
        return "declined"
    one, two = (_commit(step) for step in steps)
    if one is not None and two is not None:
        if one["accepted"] != two["accepted"]:
            return "verdict"
        if one["hint"] != two["hint"]:
            return "hint"
    return None


def _commit(step: Step) -> Event | None:
    return next((e for e in step.events if e["type"] == "commit"), None)


# -- twins -----------------------------------------------------------------------------------------------------------
def twin(host: Host, sample: Sample, rng: np.random.Generator) -> Sample | None:
    """Return a sample that an agent cannot tell from this one before it is told something, or None.

    The text, its literal reading, the edges, and which values are equal to which stay; every value that the text does
    not convey becomes another legal one, the same one everywhere in the graph. All nodes stay executable.
    """
    for _ in range(_TRIES):
        nodes = _Renaming(host, sample, rng).nodes()
        if nodes is not None and all(host.answers(n).size for n in nodes):
            graph = IntentGraph(sample.graph.id, nodes, sample.graph.edges)
            return Sample(sample.id, sample.split, graph, sample.request, sample.blind)
    return None


class _Renaming:
    """One attempt: a one-to-one renaming of the values of every topic that leaves what was told as it is."""

    def __init__(self, host: Host, sample: Sample, rng: np.random.Generator) -> None:
        self._host, self._sample, self._rng = host, sample, rng
        self._table = host.slot_table
        self._names: dict[str, dict[Value, Value]] = {}
        self._barred: dict[str, set[Value]] = {}
        literal = self._table.wants(sample.request.literal)
        for slot, condition in literal.items():
            topic = self._table.topic_of[slot]
            if slot in sample.request.hidden:
                self._barred.setdefault(topic, set()).add(condition.value)
            else:
                self._names.setdefault(topic, {})[condition.value] = condition.value

    def nodes(self) -> tuple[Intent, ...] | None:
        """Return the renamed nodes, or None if this attempt has led nowhere."""
        order = sorted(
            range(len(self._sample.graph.nodes)), key=lambda i: self._sample.graph.nodes[i].frame != self._root.frame
        )
        found: dict[int, Intent] = {}
        for i in order:
            renamed = self._node(self._sample.graph.nodes[i])
            if renamed is None:
                return None
            found[i] = renamed
        nodes = tuple(found[i] for i in range(len(order)))
        hidden = [s for s in self._sample.request.hidden if self._wants(nodes[0], s) == self._wants(self._root, s)]
        return None if hidden or nodes == self._sample.graph.nodes else nodes

    @property
    def _root(self) -> Intent:
        return self._sample.graph.root

    def _wants(self, intent: Intent, slot: str) -> Condition | None:
        return self._table.wants(intent).get(slot)

    def _node(self, node: Intent) -> Intent | None:
        """Rename a node: known values as before, the others to those of an outcome that has the known ones."""
        for frame in self._frames(node.frame):
            known = [c for c in node.conditions if c.value in self._named(c.slot)]
            kept = Intent(frame, tuple(Condition(c.slot, c.op, self._named(c.slot)[c.value]) for c in known))
            answers = self._host.answers(kept)
            if not len(answers):
                continue
            draft = {t: dict(names) for t, names in self._names.items()}
            draft.setdefault(self._host.frame_slot.topic, {})[node.frame] = frame
            intent = self._fill(node, kept, answers, draft)
            if intent is not None:
                self._names = draft
                return intent
        return None

    def _fill(
        self, node: Intent, kept: Intent, answers: np.ndarray, names: dict[str, dict[Value, Value]]
    ) -> Intent | None:
        answer = answers[int(self._rng.integers(len(answers)))]
        intent = kept
        for c in node.conditions:
            if c.slot in intent.by_slot:
                continue
            topic = self._table.topic_of[c.slot]
            taken = {*names.get(topic, {}).values(), *self._barred.get(topic, ())}
            legal = [v for v in self._values(c, kept.frame, int(answer)) if v not in taken]
            others = [v for v in legal if v != c.value] or legal
            if not others:
                return None
            value = others[int(self._rng.integers(len(others)))]
            names.setdefault(topic, {})[c.value] = value
            intent = intent.having(Condition(c.slot, c.op, value))
        return intent

    def _values(self, condition: Condition, frame: str, answer: int) -> Iterator[Value]:
        """Yield the values with which an outcome still meets a condition on a slot."""
        held = self._host.values_of(condition.slot, np.array([answer]))[0]
        if condition.op in ("<=", ">="):
            for v in self._host.domain(condition.slot, frame):
                if all((h <= v) if condition.op == "<=" else (h >= v) for h in held):  # type: ignore[operator]
                    yield v
        else:
            yield from held

    def _frames(self, frame: str) -> list[str]:
        """Return the frames that a node's frame may become, in the order to try them."""
        named = self._names.setdefault(self._host.frame_slot.topic, {})
        if frame in named:
            return [str(named[frame])]
        free = [f for f in self._host.frames if f not in named.values() and f != frame]
        return [
            *(free[int(i)] for i in self._rng.permutation(len(free))[:8]),
            *([frame] if frame not in named.values() else []),
        ]

    def _named(self, slot: str) -> Mapping[Value, Value]:
        return self._names.get(self._table.topic_of[slot], {})
