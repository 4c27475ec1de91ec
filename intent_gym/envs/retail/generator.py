"""The embedded data of the shop's service desk: believable products, people and orders, written by this project.

The schema is that of the retail database of tau2-bench (Barres et al. 2025, https://arxiv.org/abs/2506.07982), so one
reader serves both; every product, person and price is our own. The products come from ``data/products.json``: a base
price and, for each option, its values from cheap to dear and the share by which the last one is dearer than the first.

Decisions:

* **Variants have neighbours.** Most variants of a product are made from another by changing one option, so that an
  order can nearly always be changed in one point; no two have all options in common, and no two have the same price.
* **Words tell options apart.** Within a product no value occurs under two options or inside another value.
* **Money adds up.** An item costs what its variant costs, an order is paid once and whole; a gift card's balance is
  what is left on it. A cancelled order was refunded before it was sent, so it has no fulfilment (the original's has).
* **No item twice.** An order may hold two variants of a product but not the same item twice (seven of the original's
  thousand orders do).
* **Prefix.** The products depend on the seed alone, and the data of few users is the beginning of that of many.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final, NamedTuple

from intent_gym.envs.people import Draws, People, Serials, check_size, credit_card

__all__ = ["DEFAULT_USERS", "Kind", "Option", "generate", "load_kinds"]

DEFAULT_USERS: Final = 500

VARIANTS_MIN, VARIANTS_MAX = 5, 20  # variants of a product
AVAILABLE = 0.65  # share of a product's variants
NEIGHBOUR = 0.75  # probability that a variant is made from another by one change
STATUSES = ("pending", "delivered", "processed", "cancelled")
STATUS_WEIGHTS = (42, 37, 10, 10)
ORDERS_WEIGHTS = (8, 27, 32, 20, 9, 4)  # orders of a user: 0, 1, ...; mean 2.1
METHODS_WEIGHTS = (42, 34, 15, 6, 3)  # payment methods of a user: 1, 2, ...
SOURCES = ("credit_card", "paypal", "gift_card")
SOURCE_WEIGHTS = (44, 30, 26)
FULL_CARD = 0.45  # share of gift cards that can pay for a whole order
SAME_PRODUCT = 0.06  # share of orders with two variants of one product
OTHER_ADDRESS = 0.2  # share of orders that go elsewhere
_PRODUCTS, _USERS, _NAMES = 1, 2, 3  # streams of draws


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a kind of product."""

    name: str
    values: tuple[str, ...]
    """From cheap to dear."""
    rise: float
    """By what share of the base price the last value is dearer than the first, >= 0."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of product: what becomes one row of ``products``."""

    name: str
    price: float
    """The price with every option at its first value, dollars."""
    options: tuple[Option, ...]
    """Two to five."""

    @property
    def combinations(self) -> int:
        """How many variants could exist."""
        return math.prod(len(option.values) for option in self.options)


class _Product(NamedTuple):
    """A row of ``products`` beside its variants as a list."""

    row: dict[str, Any]
    variants: list[dict[str, Any]]


@cache
def load_kinds() -> tuple[Kind, ...]:
    """Return every kind of product, in the order of the data file.

    >>> kind = load_kinds()[0]
    >>> kind.name, kind.price, kind.options[1].values
    ('Gooseneck Kettle', 54.0, ('matte black', 'brushed steel', 'copper'))
    """
    text = (resources.files("intent_gym.envs.retail") / "data" / "products.json").read_text(encoding="utf-8")
    return tuple(
        Kind(
            name=item["name"],
            price=float(item["price"]),
            options=tuple(
                Option(name, tuple(option["values"]), float(option["rise"])) for name, option in item["options"].items()
            ),
        )
        for item in json.loads(text)
    )


def generate(users: int = DEFAULT_USERS, seed: int = 0) -> dict[str, Any]:
    """Return ``products``, ``users`` and ``orders``, each by id; a fresh copy with every call.

    Args:
        users: Number of people, `MIN_USERS` to `MAX_USERS`; about two orders each.
        seed: Any integer >= 0. Equal arguments give equal rows in every process.

    Raises:
        OptionError: An argument is out of range.

    >>> data = generate(50)
    >>> len(data["users"]), sorted({order["status"] for order in data["orders"].values()})
    (50, ['cancelled', 'delivered', 'pending', 'processed'])
    """
    check_size(users, seed)
    products = _products(seed)
    people, serials = People(seed, _NAMES), Serials()
    user_rows: dict[str, Any] = {}
    order_rows: dict[str, Any] = {}
    for number in range(users):
        draws = Draws(seed, _USERS, number)
        user = people.profile(number, draws)
        user["payment_methods"] = _payment_methods(draws, serials)
        orders = [_order(user, products, people, draws, serials) for _ in range(draws.weighted(ORDERS_WEIGHTS))]
        user["orders"] = [order["order_id"] for order in orders]
        user_rows[user["user_id"]] = user
        order_rows.update((order["order_id"], order) for order in orders)
    return {
        "products": {product.row["product_id"]: product.row for product in products},
        "users": user_rows,
        "orders": order_rows,
    }


def _products(seed: int) -> list[_Product]:
    serials = Serials()
    return [_product(kind, Draws(seed, _PRODUCTS, number), serials) for number, kind in enumerate(load_kinds())]


def _product(kind: Kind, draws: Draws, serials: Serials) -> _Product:
    product_id = serials.digits(10, draws)
    most = min(VARIANTS_MAX, kind.combinations * 3 // 4)
    places = _combinations(kind, draws.between(VARIANTS_MIN, most), draws)
    # The share is met in each product: a part of a variant is rounded up or down by chance.
    count = int(AVAILABLE * len(places) + draws.uniform())
    available = set(draws.sample(range(len(places)), count))
    prices: set[float] = set()
    variants = []
    for index, place in enumerate(places):
        price = _price(kind, place, draws)
        while price in prices:
            price = round(price + 0.01, 2)
        prices.add(price)
        variants.append(
            {
                "item_id": serials.digits(10, draws),
                "options": {option.name: option.values[i] for option, i in zip(kind.options, place, strict=True)},
                "available": index in available,
                "price": price,
            }
        )
    by_id = {variant["item_id"]: variant for variant in variants}
    return _Product({"name": kind.name, "product_id": product_id, "variants": by_id}, variants)


def _combinations(kind: Kind, count: int, draws: Draws) -> list[tuple[int, ...]]:
    """Return `count` different choices of one value for each option, as indices."""
    chosen: dict[tuple[int, ...], None] = {}
    while len(chosen) < count:
        if chosen and draws.chance(NEIGHBOUR):
            place = list(draws.pick(list(chosen)))
            k = draws.between(0, len(place) - 1)
            place[k] = draws.between(0, len(kind.options[k].values) - 1)
        else:
            place = [draws.between(0, len(option.values) - 1) for option in kind.options]
        chosen[tuple(place)] = None
    return list(chosen)


def _price(kind: Kind, place: Sequence[int], draws: Draws) -> float:
    rise = sum(
        option.rise * index / (len(option.values) - 1) for option, index in zip(kind.options, place, strict=True)
    )
    return round(kind.price * (1.0 + rise) * (0.96 + 0.08 * draws.uniform()), 2)


def _payment_methods(draws: Draws, serials: Serials) -> dict[str, dict[str, Any]]:
    """Return one to five methods, at most one of them PayPal, by id."""
    methods: dict[str, dict[str, Any]] = {}
    count = 1 + draws.weighted(METHODS_WEIGHTS)
    while len(methods) < count:
        source = SOURCES[draws.weighted(SOURCE_WEIGHTS)]
        if source == "paypal" and any(method["source"] == "paypal" for method in methods.values()):
            continue
        number = serials.digits(7, draws)
        if source == "credit_card":
            method = credit_card(number, draws)
        elif source == "paypal":
            method = {"source": source, "id": f"paypal_{number}"}
        else:
            balance = draws.between(60, 150) * 10 if draws.chance(FULL_CARD) else draws.between(3, 120)
            method = {"source": source, "id": f"gift_card_{number}", "balance": float(balance)}
        methods[method["id"]] = method
    return methods


def _order(
    user: Mapping[str, Any], products: Sequence[_Product], people: People, draws: Draws, serials: Serials
) -> dict[str, Any]:
    status = STATUSES[draws.weighted(STATUS_WEIGHTS)]
    items = _items(products, draws)
    amount = round(sum(item["price"] for item in items), 2)
    method = draws.pick(list(user["payment_methods"]))
    kinds = ("payment", "refund") if status == "cancelled" else ("payment",)
    fulfillments = []
    if status in ("delivered", "processed"):
        tracking_id = serials.digits(12, draws)
        fulfillments = [{"tracking_id": [tracking_id], "item_ids": [item["item_id"] for item in items]}]
    return {
        "order_id": f"#W{serials.digits(7, draws)}",
        "user_id": user["user_id"],
        "address": people.address(draws) if draws.chance(OTHER_ADDRESS) else dict(user["address"]),
        "items": items,
        "status": status,
        "fulfillments": fulfillments,
        "payment_history": [
            {"transaction_type": kind, "amount": amount, "payment_method_id": method} for kind in kinds
        ],
    }


def _items(products: Sequence[_Product], draws: Draws) -> list[dict[str, Any]]:
    """Return one to five different items, as in the original's orders."""
    chosen = draws.sample(products, draws.between(1, 5))
    if len(chosen) > 1 and draws.chance(SAME_PRODUCT * 5 / 4):
        chosen[-1] = chosen[0]
    items: dict[str, dict[str, Any]] = {}
    for product in chosen:
        variant = draws.pick([variant for variant in product.variants if variant["item_id"] not in items])
        items[variant["item_id"]] = {
            "name": product.row["name"],
            "product_id": product.row["product_id"],
            "item_id": variant["item_id"],
            "price": variant["price"],
            "options": dict(variant["options"]),
        }
    return list(items.values())
