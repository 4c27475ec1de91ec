"""Sample texts with their truth, for the authors of readers and for inspection."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from intent_gym.construct.faults import draw
from intent_gym.construct.writer import write
from intent_gym.core.faults import FAULTS
from intent_gym.core.rng import Purpose, integer, key_of
from intent_gym.envs.host import Host

__all__ = ["dump"]


def dump(host: Host, count: int, seed: int = 0) -> Iterator[dict[str, Any]]:
    """Yield texts with the true intent and the edits made: every fault in turn, clean texts and composites among them.

    Args:
        host: Whose texts.
        count: Number of texts.
        seed: Another seed, other texts.
    """
    kinds: list[int | tuple[str, ...]] = [0, *((name,) for name in FAULTS), 2, 4]
    goals, made, i = host.goals(), 0, 0
    while made < count:
        i += 1
        key = key_of("dump", host.name, seed, i)
        goal = goals[integer(key, Purpose.CONSTRUCT, 0) % len(goals)]
        intent = goal.intent
        order = sorted(
            intent.conditions, key=lambda c: integer(key, Purpose.CONSTRUCT, 1 + host.slot_table.index[c.slot])
        )
        keep = 2 + integer(key, Purpose.CONSTRUCT, 99) % max(1, len(order) - 1)
        intent = intent.without(*(c.slot for c in order[keep:]))
        draft = draw(host, intent, kinds[made % len(kinds)], key)
        if draft is None:
            made += i % 50 == 0  # a kind that this host has no place for
            continue
        made += 1
        yield {
            "frame": intent.frame,
            "conditions": {c.slot: c.value for c in intent.conditions},
            "faults": list(draft.faults),
            "edits": [[e.kind, e.slot, e.value] for e in draft.edits],
            "text": write(host, intent, draft.faults, draft.edits, key),
        }
