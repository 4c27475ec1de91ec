"""A shop small enough to check by hand."""

from __future__ import annotations

from typing import Any

import pytest

from intent_gym.envs.desk.tables import Draft, Tables
from intent_gym.envs.retail.data import retail_tables

Database = dict[str, dict[str, Any]]


def _address(street: str) -> dict[str, str]:
    return {"address1": street, "address2": "", "city": "Rome", "country": "USA", "state": "GA", "zip": "30161"}


def _variant(item: str, colour: str, price: float, available: bool = True) -> dict[str, Any]:
    return {"item_id": item, "options": {"colour": colour}, "available": available, "price": price}


def _item(product: str, item: str, colour: str, price: float) -> dict[str, Any]:
    name = {"P1": "Mug", "P2": "Lamp"}[product]
    return {"name": name, "product_id": product, "item_id": item, "price": price, "options": {"colour": colour}}


def _order(order: str, status: str, items: list[dict[str, Any]], method: str) -> dict[str, Any]:
    total = round(sum(item["price"] for item in items), 2)
    return {
        "order_id": order,
        "user_id": "ann_lee_1",
        "address": _address("1 Elm St"),
        "items": items,
        "status": status,
        "fulfillments": [],
        "payment_history": [{"transaction_type": "payment", "amount": total, "payment_method_id": method}],
    }


@pytest.fixture
def database() -> Database:
    """Return a new database: two products, two users, three orders."""
    mug, blue, lamp = (
        _item("P1", "11", "red", 10.0),
        _item("P1", "12", "blue", 10.1),
        _item("P2", "21", "black", 50.0),
    )
    methods: dict[str, dict[str, Any]] = {
        "credit_card_1": {"source": "credit_card", "id": "credit_card_1", "brand": "visa", "last_four": "1234"},
        "paypal_1": {"source": "paypal", "id": "paypal_1"},
        "gift_card_1": {"source": "gift_card", "id": "gift_card_1", "balance": 75.0},
    }
    return {
        "products": {
            "P1": {
                "name": "Mug",
                "product_id": "P1",
                "variants": {
                    "11": _variant("11", "red", 10.0),
                    "12": _variant("12", "blue", 10.1),
                    "13": _variant("13", "green", 10.0),
                    "14": _variant("14", "gold", 200.3),
                    "15": _variant("15", "pink", 9.0, available=False),
                },
            },
            "P2": {
                "name": "Lamp",
                "product_id": "P2",
                "variants": {"21": _variant("21", "black", 50.0), "22": _variant("22", "white", 40.2)},
            },
        },
        "users": {
            "ann_lee_1": {
                "user_id": "ann_lee_1",
                "name": {"first_name": "Ann", "last_name": "Lee"},
                "address": _address("1 Elm St"),
                "email": "ann@example.com",
                "payment_methods": methods,
                "orders": ["#W1", "#W2", "#W3"],
            },
            "ann_lee_2": {
                "user_id": "ann_lee_2",
                "name": {"first_name": "Ann", "last_name": "Lee"},
                "address": {**_address("2 Oak St"), "zip": "10001"},
                "email": "Ann.Two@example.com",
                "payment_methods": {"paypal_2": {"source": "paypal", "id": "paypal_2"}},
                "orders": [],
            },
        },
        "orders": {
            "#W1": _order("#W1", "pending", [dict(mug), dict(blue), dict(mug), dict(lamp)], "credit_card_1"),
            "#W2": _order("#W2", "delivered", [dict(mug), dict(lamp)], "paypal_1"),
            "#W3": _order("#W3", "pending", [dict(lamp)], "gift_card_1"),
        },
    }


@pytest.fixture
def tables(database: Database) -> Tables:
    """Return the database as tables."""
    return retail_tables(database)


@pytest.fixture
def draft(tables: Tables) -> Draft:
    """Return a draft without changes."""
    return Draft(tables)
