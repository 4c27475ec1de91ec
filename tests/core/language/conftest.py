"""The two worlds that the hand-written questions are about: public slots and domains, no intent."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from intent_gym.core.intent import Slot, Value
from intent_gym.core.language import Lexicon
from intent_gym.envs.toy import ToyHost
from intent_gym.envs.webshop.slots import SLOTS

SHOP: Mapping[str, tuple[Value, ...]] = {
    "product": (
        "desk lamps",
        "running shoes",
        "t-shirts",
        "scented candles",
        "coffee tables",
        "backpacks",
        "protein bars",
    ),
    "price": tuple(float(p) for p in range(10, 200, 10)),
    "feature": (
        *("machine washable", "cruelty free", "dimmable", "long lasting", "easy to clean", "usb port", "gluten free"),
        *("water resistant", "non slip", "high quality", "hand wash", "wireless", "foldable", "eco friendly"),
    ),
    "color": (
        *(
            "black",
            "white",
            "red",
            "blue",
            "navy blue",
            "forest green",
            "green",
            "grey",
            "pink",
            "beige",
            "c-navy blue",
        ),
        *("b-black | white", "a", "b", "silver", "brown", "yellow", "purple", "orange"),
    ),
    "size": (
        "small",
        "medium",
        "large",
        "x-large",
        "xx-large",
        "x-small",
        "8",
        "9",
        "9.5",
        "10 wide",
        "one size",
        "16 oz",
    ),
    "style": ("modern", "traditional", "rustic", "vintage", "contemporary", "classic", "industrial", "casual"),
    "flavor": ("vanilla", "chocolate", "strawberry", "lemon", "mint", "peanut butter"),
    "scent": ("lavender", "rose", "unscented", "citrus", "vanilla", "sandalwood", "jasmine", "floral"),
    "fit": ("slim", "regular", "relaxed", "loose", "slim fit"),
    "material": ("cotton", "linen", "wool", "polyester", "oak", "pine", "leather", "steel", "stainless steel", "glass"),
    "pattern": ("striped", "floral", "solid", "checkered", "polka dots", "plaid", "camouflage"),
    "count": ("1", "2 pack", "pack of 6", "12", "24"),
    "shape": ("round", "square", "rectangular", "oval", "heart"),
}
TEA: Mapping[str, tuple[Value, ...]] = {
    "drink": ("black coffee", "chai latte", "cocoa", "green tea", "lemonade", "mint tea"),
    "cup": ("large", "medium", "small"),
    "milk": ("almond", "coconut", "none", "oat", "rice", "soy", "whole"),
    "counter": ("courier", "front counter", "locker", "table service"),
}


def shop_domain(slot: str) -> tuple[Value, ...]:
    return SHOP["feature" if slot.startswith("feature") else slot]


def tea_domain(slot: str) -> tuple[Value, ...]:
    return TEA[slot]


@pytest.fixture(scope="session")
def shop() -> Lexicon:
    return Lexicon(SLOTS, shop_domain)


@pytest.fixture(scope="session")
def tea() -> Lexicon:
    return Lexicon(ToyHost().slots, tea_domain)


@pytest.fixture(scope="session")
def worlds(shop: Lexicon, tea: Lexicon) -> Mapping[str, Lexicon]:
    return {"shop": shop, "tea": tea}


@pytest.fixture(scope="session")
def slots() -> Mapping[str, Mapping[str, Slot]]:
    return {"shop": {s.id: s for s in SLOTS}, "tea": {s.id: s for s in ToyHost().slots}}


@pytest.fixture(scope="session")
def domains() -> Mapping[str, Mapping[str, tuple[Value, ...]]]:
    return {"shop": {s.id: shop_domain(s.id) for s in SLOTS}, "tea": TEA}
