"""The reward against recordings of the original, and against numbers computed by hand."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from intent_gym.envs.webshop.catalogue import NO_CAP, Catalogue, HumanGoal, Product, load_catalogue
from intent_gym.envs.webshop.reward import (
    ACCEPTED,
    COLOUR_WORDS,
    RewardGoal,
    human_goal,
    nouns,
    resembles,
    reward,
    synthetic_goal,
    title_score,
)

MIN_TOTALS = 0.95  # share of recorded rewards that the noun rule must reproduce


@pytest.fixture(scope="module")
def recorded(shared_data: Path) -> list[dict[str, Any]]:
    with gzip.open(shared_data / "webshop" / "golden" / "rewards.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def catalogue(shared_data: Path) -> Catalogue:
    return load_catalogue(shared_data / "webshop")


def recorded_goal(goal: Mapping[str, Any]) -> RewardGoal:
    options = goal["goal_options"]
    return RewardGoal(
        name=goal["name"],
        frame=goal["query"],
        product_category=goal["product_category"],
        attributes=tuple(goal["attributes"]),
        options=tuple(options.items() if isinstance(options, dict) else options),
        price_cap=goal["price_upper"],
    )


def test_every_part_equals_the_recording(catalogue: Catalogue, recorded: list[dict[str, Any]]) -> None:
    for row in recorded:
        info = row["info"]
        product = catalogue.get(row["asin"])
        assert product is not None
        found = reward(
            recorded_goal(row["goal"]), product, row["options"], price=row["price"], title=info["title_score"]
        )
        expected = {
            "total": row["reward"],
            "r_type": info["r_type"],
            "r_att": info["r_att"],
            "w_att": info["w_att"],
            "r_option": info.get("r_option", 1.0),
            "w_option": info.get("w_option", 0.0),
            "r_price": info["r_price"],
            "w_price": info["w_price"],
            "query_match": info["query_match"],
            "category_match": info["category_match"],
        }
        assert {name: getattr(found, name) for name in expected} == pytest.approx(expected), row["key"]
    print(f"\nall parts equal on {len(recorded)} recorded purchases, given the title score")
    assert len(recorded) > 1000


def test_noun_rule_gives_the_recorded_totals(
    catalogue: Catalogue, recorded: list[dict[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    same = same_type = 0
    error = 0.0
    for row in recorded:
        product = catalogue.get(row["asin"])
        assert product is not None
        found = reward(recorded_goal(row["goal"]), product, row["options"], price=row["price"])
        same += abs(found.total - row["reward"]) < 1e-9
        same_type += found.r_type == row["info"]["r_type"]
        error += abs(found.title_score - row["info"]["title_score"])
    count = len(recorded)
    with capsys.disabled():
        print(
            f"\nnoun rule: {same / count:.1%} of {count} totals and {same_type / count:.1%} of r_type as recorded, "
            f"mean error of the title score {error / count:.4f}"
        )
    assert same / count >= MIN_TOTALS


def product(**changes: Any) -> Product:
    record = {
        "asin": "A1",
        "name": "Oxford Shirt for Men",
        "full_description": "Woven in a mill.",
        "small_description": ["Button closure", "Machine wash"],
        "pricing": "$20.00",
        "product_category": "Clothing › Men › Shirts",
        "category": "fashion",
        "query": "men's shirts",
        "customization_options": {
            "Color": [{"value": "Light Blue"}, {"value": "Navy Blue"}, {"value": "Red"}],
            "Size": [{"value": "Large"}, {"value": "X-Large"}],
        },
        **changes,
    }
    attributes = {"A1": {"attributes": ["slim fit", "long sleeve"], "instruction": "Find me shirts"}}
    return Catalogue.from_records([record], attributes=attributes).products[0]


def goal(**changes: Any) -> RewardGoal:
    fields: dict[str, Any] = {
        "name": "Oxford Shirt for Men",
        "frame": "men's shirts",
        "product_category": "Clothing › Men › Shirts",
        "attributes": ("slim fit", "button closure"),
        "options": ("red", "large"),
        "price_cap": 30.0,
    }
    return RewardGoal(**{**fields, **changes})


def test_hand_computed_rewards() -> None:
    whole = reward(goal(), product(), {"color": "red", "size": "large"})
    assert whole.total == 1.0 >= ACCEPTED
    assert (whole.w_att, whole.w_option, whole.w_price) == (0.4, 0.4, 0.2)
    no_size = reward(goal(), product(), {"color": "red"})
    assert (no_size.total, no_size.r_option) == (0.8, 0.5)
    dear = reward(goal(price_cap=19.99), product(), [("color", "red"), ("size", "large")])
    assert (dear.total, dear.r_price) == (0.8, False)
    assert reward(goal(price_cap=20.0), product(), {}).r_price  # equal to the cap is met
    assert reward(goal(price_cap=20.0), product(), {}, price=20.01).r_price is False
    no_attribute = reward(goal(attributes=("slim fit", "steel toe")), product(), {"color": "red", "size": "large"})
    assert (no_attribute.total, no_attribute.r_att) == (0.8, 0.5)
    bare = reward(goal(attributes=(), options=()), product(), {})
    assert (bare.total, bare.r_att, bare.r_option, bare.w_price) == (1.0, 1.0, 1.0, 1.0)


def test_faults_of_the_original_are_kept() -> None:
    wrong_colour = reward(goal(options=("light blue",)), product(), {"color": "navy blue"})
    assert wrong_colour.r_option == 1.0
    wrong_name = reward(goal(options=("red",)), product(), {"size": "red"})
    assert wrong_name.r_option == 1.0
    pair = reward(goal(options=(("style", "fashion"),)), product(), {"style": "fashion"})
    assert pair.r_option == 0.0  # the purchase is cut to "ash", the pair is not
    pair_of_colour = reward(goal(options=(("color", "red"),)), product(), {"color": "red"})
    assert pair_of_colour.r_option == 1.0


@pytest.mark.parametrize(
    ("title", "same_kind", "r_type"),
    [(0.0, True, 0.0), (0.05, True, 0.1), (0.1, True, 1.0), (0.1, False, 0.5), (0.2, False, 0.5), (0.21, False, 1.0)],
)
def test_type_reward_by_thresholds(title: float, same_kind: bool, r_type: float) -> None:
    wanted = goal() if same_kind else goal(frame="tables", product_category="Home › Tables")
    assert reward(wanted, product(), {}, title=title).r_type == r_type


def test_category_match_needs_two_common_parts() -> None:
    assert reward(goal(product_category="Clothing › Men › Shoes"), product(), {}).category_match
    assert not reward(goal(product_category="Clothing › Women"), product(), {}).category_match
    assert not reward(goal(product_category=""), product(product_category=""), {}).category_match


def test_nouns_and_title_score() -> None:
    assert nouns("Large Women's T-Shirt with 2 washable pockets, 18oz") == ("large", "women", "t", "shirt", "pockets")
    assert nouns("for 2 & 3") == ()
    assert title_score("anything", "for 2 & 3") == 0.2
    assert title_score("Hair Mask Hair", "Hair Mask Hair") == pytest.approx(2 / 3)
    assert title_score("Wooden Table", "Cotton Shirt") == 0.0


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("x-large", "large", True),
        ("10 wide", "10", True),
        ("dark", "green", False),
        ("", "", False),
        ("!!!", "!!!", False),
        ("crème", "crme", True),  # thefuzz deletes é
        ("10x50 hd binoculars", "15x60 hd binoculars", True),  # 89 with Levenshtein distance, 84 with difflib
    ],
)
def test_resembles(one: str, other: str, alike: bool) -> None:
    assert resembles(one, other) is alike
    assert resembles(other, one) is alike


def test_colour_words_are_sorted_since_the_first_one_stands_for_a_value() -> None:
    assert list(COLOUR_WORDS) == sorted(set(COLOUR_WORDS))


def test_goals_of_products() -> None:
    entry = {"attributes": ["slim fit"], "instruction": "Find me", "instruction_attributes": ["slim fit"]}
    record = {"asin": "A1", "name": "Shirt", "query": "Shirts ", "category": "fashion", "pricing": "$985.00"}
    bought = Catalogue.from_records([record], attributes={"A1": entry}).products[0]
    synthetic = synthetic_goal(bought, {"size": "large"})
    assert synthetic == RewardGoal("Shirt", "shirts", "", ("slim fit",), (("size", "large"),), NO_CAP)
    human = human_goal(bought, HumanGoal("a big one", ("slim fit",), ("large",)))
    assert human == RewardGoal("Shirt", "shirts", "", ("slim fit",), ("large",), NO_CAP)


def test_buying_what_a_person_asked_for_is_a_success(catalogue: Catalogue) -> None:
    goals = [(product, goal) for product in catalogue.products for goal in product.human]
    assert len(goals) == 13
    for bought, asked in goals:
        chosen = {key: v for v in asked.options for key, values in bought.options if v in values}
        assert len(chosen) == len(asked.options)
        graded = reward(human_goal(bought, asked), bought, chosen)
        assert graded.total >= ACCEPTED or graded.title_score < 1, (bought.asin, graded)
