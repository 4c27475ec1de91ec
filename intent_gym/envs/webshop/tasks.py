"""Full tasks of the shop, sampled by product: what one person could want of it.

The original makes a goal of every combination of a product's options, so a few products have most of its goals
(hosts' notes, 4.3). Here a product makes one task: from its instruction where the source has one, else from a draw.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from intent_gym.core.intent import Condition, Intent
from intent_gym.core.rng import Purpose, integer, key_of, uniform
from intent_gym.envs.host import Goal
from intent_gym.envs.webshop.catalogue import NO_CAP, Catalogue, Product, price_cap
from intent_gym.envs.webshop.slots import FEATURES, SLOTS

__all__ = ["MANY", "OPTION_SLOTS", "SLOT_ORDER", "goals_of", "options_of"]

OPTION_SLOTS: Mapping[str, str] = {
    "color": "color",
    "size": "size",
    "style": "style",
    "style name": "style",
    "flavor name": "flavor",
    "flavor": "flavor",
    "scent": "scent",
    "scent name": "scent",
    "fit type": "fit",
    "material type": "material",
    "material": "material",
    "pattern name": "pattern",
    "number of items": "count",
    "item package quantity": "count",
    "item shape": "shape",
}
"""Slot of each option name that people can have a wish about; other options are never conditions."""

SLOT_ORDER: tuple[str, ...] = tuple(s.id for s in SLOTS)
MANY = 200_000
"""A catalogue of more products than this makes fewer tasks a frame, so that the tables it needs stay in memory."""
_TEST_SHARE = 0.3
_PER_FRAME, _PER_FRAME_OF_MANY, _MOST = 18, 2, 1200


def options_of(product: Product) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Return the product's options that are slots: slot -> (option name, values), in slot order."""
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    for key, values in product.options:
        slot = OPTION_SLOTS.get(key)
        if slot is not None and slot not in found:
            found[slot] = (key, values)
    return {s: found[s] for s in SLOT_ORDER if s in found}


@lru_cache(maxsize=8)
def goals_of(catalogue: Catalogue, *, generated: bool) -> tuple[Goal, ...]:
    """Return the tasks of a catalogue in a fixed order.

    Args:
        catalogue: The products.
        generated: Whether to draw tasks for some products of every frame, or to take the source's instructions.
    """
    if not generated:
        return tuple(g for p in catalogue.products for g in _instructed(p))
    goals: list[Goal] = []
    frames = sorted(catalogue.by_frame, key=lambda f: key_of("frame", f))
    per_frame = _PER_FRAME_OF_MANY if len(catalogue) > MANY else min(_PER_FRAME, _MOST // len(frames))
    for frame in frames:
        positions = sorted(catalogue.by_frame[frame], key=lambda i: key_of(catalogue.products[i].asin))
        goals += [_generated(catalogue.products[position]) for position in positions[:per_frame]]
    return tuple(goals)


def _split(name: str) -> str:
    return "test" if uniform(key_of("split", name), Purpose.CONSTRUCT, 0) < _TEST_SHARE else "train"


def _generated(product: Product) -> Goal:
    """Return a full task for a product: 2-4 of its features, one value an option, the cap of its price."""
    key = key_of("goal", product.asin)
    pool = sorted(product.attributes, key=lambda a: key_of(key, a))
    wanted = pool[: 2 + integer(key, Purpose.CONSTRUCT, 0) % 3]
    conditions = [Condition(f"feature_{i}", "contains", a) for i, a in enumerate(sorted(wanted), 1)]
    for i, (slot, (_, values)) in enumerate(options_of(product).items()):
        conditions.append(Condition(slot, "=", values[integer(key, Purpose.CONSTRUCT, 1 + i) % len(values)]))
    return _goal(product, conditions, price_cap(product.price))


def _instructed(product: Product) -> list[Goal]:
    """Return the tasks that a source's instructions make of a product: the synthetic one, else a person's."""
    if product.instruction is not None:
        key = key_of("goal", product.asin)
        conditions = _features(product.instruction_attributes)
        for i, (slot, (_, values)) in enumerate(options_of(product).items()):
            conditions.append(Condition(slot, "=", values[integer(key, Purpose.CONSTRUCT, i) % len(values)]))
        return [_goal(product, conditions, price_cap(product.price))]
    for written in product.human:
        if written.attributes:
            conditions = _features(tuple(a for a in written.attributes if a in product.attributes))
            for slot, (_, values) in options_of(product).items():
                named = [v for v in values if v in written.options]
                conditions += [Condition(slot, "=", v) for v in named[:1]]
            return [_goal(product, conditions, price_cap(product.price))] if conditions else []
    return []


def _features(attributes: Sequence[str]) -> list[Condition]:
    wanted = sorted(dict.fromkeys(attributes))[:FEATURES]
    return [Condition(f"feature_{i}", "contains", a) for i, a in enumerate(wanted, 1)]


def _goal(product: Product, conditions: list[Condition], cap: float) -> Goal:
    if cap < NO_CAP:
        conditions = [*conditions, Condition("price", "<=", float(cap))]
    name = f"{key_of('task', product.asin):016x}"  # public, so it must not name the product
    return Goal(name, _split(product.asin), Intent(product.frame, tuple(conditions)))
