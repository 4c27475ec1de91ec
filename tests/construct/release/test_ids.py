from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from intent_gym.construct.release import ids


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": 1.0, "a": [28.7, None, True]}, '{"a":["28.7",null,true],"b":1}'),
        ({1: "é"}, '{"1":"é"}'),
        (("x", 2), '["x",2]'),
        (1e16, "10000000000000000"),
    ],
)
def test_compact_text(value: object, text: str) -> None:
    assert ids.compact(value) == text


def test_conditions_are_hashed_in_the_order_of_their_text() -> None:
    conditions: list[list[Any]] = [
        ["price_upper", "<=", 120],
        ["option:0", "=", "citrus"],
        ["attr:high fructose", "=", "high fructose"],
    ]
    base = {"asin": "B1"}
    assert ids.intent_id("webshop", "1", "e", base, conditions) == ids.intent_id(
        "webshop", "1", "e", base, conditions[::-1]
    )


def test_paths_and_workers_of_a_configuration_do_not_count() -> None:
    plain = ids.tree_id("e", "r", ["b", "a"], {"seed": 7})
    assert plain == ids.tree_id("e", "r", ["a", "b"], {"seed": 7, "paths": ["x"], "workers": 4})
    assert plain != ids.tree_id("e", "r", ["a", "b"], {"seed": 8})


def test_every_hash_of_the_fixtures_comes_from_its_content(shared_data: Path) -> None:
    trees = masks = samples = 0
    for path in sorted((shared_data / "driftbench").rglob("*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        if "root" in data:
            nodes = [data["root"], *data["children"]]
            for n in nodes:
                given = (data["adapter"], data["adapter_version"], data["env_id"], n["base"], n["conditions"])
                assert n["intent_id"] == ids.intent_id(*given)
                truth = n["ground_truth"]
                assert truth["hash"] == ids.truth_hash(truth["kind"], truth["value"])
            children = [n["intent_id"] for n in nodes[1:]]
            assert data["tree_id"] == ids.tree_id(data["env_id"], nodes[0]["intent_id"], children, data["config"])
            trees += 1
        for row in data.get("results", [data]):
            if "mask" in row:
                assert row["mask"]["spec_id"] == ids.spec_id(row["mask"])
                masks += 1
        if "goal_idx" in data:
            assert data["sample_id"] == ids.sample_id(data["tree_id"], data["strategy_ids"], data["mask"]["spec_id"])
            samples += 1
    assert (trees, masks, samples) == (6, 25, 6)
