"""The shop's read tools, and the look-ups that its other tools share."""

from __future__ import annotations

import json
from collections.abc import Mapping

from intent_gym.envs.desk.calls import shown
from intent_gym.envs.desk.tables import Draft, Row, Tables
from intent_gym.envs.desk.tools import Refusal

__all__ = [
    "find_user_id_by_email",
    "find_user_id_by_name_zip",
    "get_item_details",
    "get_order_details",
    "get_product_details",
    "get_user_details",
    "list_all_product_types",
    "variants",
]


# -- indices, built once a source; nothing in them is ever changed by a tool -------------------------------------------
def _by_email(tables: Tables) -> Mapping[str, str]:
    out: dict[str, str] = {}
    for key, user in tables["users"].items():
        out.setdefault(user["email"].lower(), key)
    return out


def _by_name(tables: Tables) -> Mapping[tuple[str, str], tuple[str, ...]]:
    out: dict[tuple[str, str], tuple[str, ...]] = {}
    for key, user in tables["users"].items():
        name = (user["name"]["first_name"].lower(), user["name"]["last_name"].lower())
        out[name] = (*out.get(name, ()), key)
    return out


def _by_item(tables: Tables) -> Mapping[str, Row]:
    return {item: row for product in tables["products"].values() for item, row in product["variants"].items()}


def _product_types(tables: Tables) -> str:
    names = {product["name"]: product["product_id"] for product in tables["products"].values()}
    return json.dumps(names, sort_keys=True, ensure_ascii=False)


def variants(draft: Draft, product_id: str) -> Mapping[str, Row]:
    """Return the variants of a product by item id; {} if there is no such product."""
    product = draft.get("products", product_id)
    if product is None:
        return {}
    found: Mapping[str, Row] = product["variants"]
    return found


# -- tools -------------------------------------------------------------------------------------------------------------
def find_user_id_by_email(draft: Draft, email: str) -> str:
    """Return the id of the user with an e-mail address, in any case of letters."""
    found = draft.tables.derived(_by_email).get(email.lower())
    if found is None:
        raise Refusal(
            "known_user",
            f"expected the e-mail address of a user on file, got {shown(email)}; ask for name and zip code",
        )
    return found


def find_user_id_by_name_zip(draft: Draft, first_name: str, last_name: str, zip: str) -> str:  # the original's name
    """Return the id of the first user with a name, in any case of letters, and a zip code."""
    for key in draft.tables.derived(_by_name).get((first_name.lower(), last_name.lower()), ()):
        if get_user_details(draft, key)["address"]["zip"] == zip:
            return key
    raise Refusal(
        "known_user",
        f"expected first name, last name and zip code of a user on file, got {shown(first_name)}, {shown(last_name)}, "
        f"{shown(zip)}; check the spelling, or ask for the e-mail address",
    )


def get_user_details(draft: Draft, user_id: str) -> Row:
    """Return a user's row."""
    row = draft.get("users", user_id)
    if row is None:
        raise Refusal(
            "known_user", f"expected the id of a user on file, got {shown(user_id)}; find it by e-mail or name"
        )
    return row


def get_order_details(draft: Draft, order_id: str) -> Row:
    """Return an order's row."""
    row = draft.get("orders", order_id)
    if row is None:
        hint = f"; did you mean {'#' + order_id!r}?" if draft.get("orders", f"#{order_id}") is not None else ""
        raise Refusal(
            "known_order",
            f"expected the id of an order on file, got {shown(order_id)}{hint or '; a user lists theirs, with the #'}",
        )
    return row


def get_product_details(draft: Draft, product_id: str) -> Row:
    """Return a product's row, with all its variants."""
    row = draft.get("products", product_id)
    if row is None:
        hint = (
            "that is an item's id"
            if product_id in draft.tables.derived(_by_item)
            else "list_all_product_types has them"
        )
        raise Refusal("known_product", f"expected the id of a product, got {shown(product_id)}; {hint}")
    return row


def get_item_details(draft: Draft, item_id: str) -> Row:
    """Return a variant's row."""
    row = draft.tables.derived(_by_item).get(item_id)
    if row is None:
        hint = (
            "that is a product's id" if draft.get("products", item_id) is not None else "get_product_details has them"
        )
        raise Refusal("known_item", f"expected the id of an item, got {shown(item_id)}; {hint}")
    return row


def list_all_product_types(draft: Draft) -> str:
    """Return the products' ids by name, as JSON text, sorted by name."""
    return draft.tables.derived(_product_types)
