from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from intent_gym.construct.release import Release, ReleaseWarning, ids, load_release

SHOP = "benchmarks/webshop/artifacts"
TAU2 = "benchmarks/tau2/artifacts"
NOTHING: dict[str, Any] = {
    **{key: [] for key in ("substituted", "presupposed", "withheld", "marked", "ambiguous", "extras")},
    "hidden_slots": [],
    "noise": False,
    "oblique": False,
    "literal_readings": [],
}


class Folder:
    """A small release folder, made from nothing, with right hashes.

    Attributes:
        root: The folder.
        id_key: How files spell the id of a tree.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.id_key = "tree_id"

    def write(self, path: str, data: object) -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
        return file

    def node(self, adapter: str, environment: str, conditions: Sequence[Sequence[Any]], **more: Any) -> dict[str, Any]:
        base = more.pop("base")
        value, kind = more.pop("truth"), "purchaseset" if adapter == "webshop" else "statehash"
        return {
            "intent_id": ids.intent_id(adapter, "1", environment, base, conditions),
            "conditions": sorted(conditions, key=ids.compact),
            "base": base,
            "ground_truth": {"kind": kind, "value": value, "hash": ids.truth_hash(kind, value)},
            "recipe": {},
            "source_record": None,
            **more,
        }

    def tree(self, path: str, adapter: str, spec: dict[str, Any], nodes: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """Write a tree below a folder of trees and return it."""
        root, *children = nodes
        config = {"seed": 7, "workers": 3}
        name = ids.tree_id(spec["env_id"], root["intent_id"], [c["intent_id"] for c in children], config)
        tree = {
            self.id_key: name,
            **{"adapter": adapter, "adapter_version": "1", "env_id": spec["env_id"], "env_spec": spec},
            **{"root": root, "children": children, "edges": [], "config": config},
        }
        self.write(f"{path}/{name}.json", tree)
        return {**tree, "tree_id": name}

    def shop_tree(self) -> dict[str, Any]:
        """Write a tree of three tea intents: the root, one with a condition more, one of another product."""
        env = ids.env_id("tea")

        def node(asin: str, conditions: Sequence[Sequence[Any]], *purchases: str) -> dict[str, Any]:
            base = {"asin": asin, "cluster": "tea", "name": f"tea {asin}"}
            return self.node("webshop", env, conditions, base=base, truth=list(purchases))

        wanted: list[list[Any]] = [["option:0", "=", "green"], ["price_upper", "<=", 20]]
        root = node("B1", wanted, '["B1",[["kind","green"]]]', '["B2",[["kind","dark green"]]]')
        root["source_record"] = ids.source_record("B1", "green tea, please")
        more = node("B1", [*wanted, ["attr:organic", "=", "organic"]], '["B2",[["kind","dark green"]]]')
        other = node("B3", [["option:0", "=", "black"]], '["B3",[]]')
        spec = {"cluster": "tea", "env_id": env, "kind": "webshop"}
        return self.tree(f"{SHOP}/trees/webshop/{env}", "webshop", spec, [root, more, other])

    def shop_sample(self, tree: dict[str, Any], **mask: Any) -> dict[str, Any]:
        """Write a sample of a shop tree; it leaves the option out, unless a mask is given."""
        given = mask or {"withheld": ["option:0"], "hidden_slots": ["option:0"]}
        root = tree["root"]
        readings = [[c for c in root["conditions"] if c[0] not in given.get("hidden_slots", ())]]
        made = self.mask("insufficient_information", literal_readings=readings) | given
        made["spec_id"] = ids.spec_id(made)
        name = ids.sample_id(tree["tree_id"], [made["strategy_id"]], made["spec_id"])
        sample = {
            "sample_id": name,
            self.id_key: tree["tree_id"],
            **{"cluster": "tea", "goal_idx": 3, "split": "test", "source_instruction": "green tea, please"},
            **{"query": "I need tea under $20.", "strategy_ids": [made["strategy_id"]], "misalignments": 1},
            "mask": made,
            "signature": {"rule": "withheld", "verdict": "ok", "true_card": 2, "lit_card": 8},
            "hidden_intent": {
                **{"intent_id": root["intent_id"], "conditions": root["conditions"]},
                "hidden_slots": made["hidden_slots"],
            },
            "ground_truth": root["ground_truth"],
        }
        self.write(f"{SHOP}/samples_v2/samples/webshop/{name}.json", sample)
        return sample

    def mask(self, strategy: str, **fields: Any) -> dict[str, Any]:
        made = {**NOTHING, "strategy_id": strategy, "family": "any", "governing_kind": "any", **fields}
        return {**made, "spec_id": ids.spec_id(made)}

    def retail_tree(self, path: str = f"{TAU2}/trees/tau2_retail/trees/tau2_retail/tau2_retail_shop") -> dict[str, Any]:
        """Write a tree of one retail request."""
        tool, env = "cancel_pending_order", "tau2_retail_shop"
        node = self.node(
            "tau2_retail",
            env,
            [[f"arg:0:{tool}:order_id", "=", '"#W1"'], [f"arg:0:{tool}:reason", "=", '"no longer needed"']],
            base={"kind": "retail_request", "reads": [], "writes": [tool]},
            truth=json.dumps({"db": "0" * 64, "errors": []}),
            recipe={"actions": [{"name": tool, "arguments": {"order_id": "#W1"}}], "reads": []},
            source_record="7",
        )
        return self.tree(path, "tau2_retail", {"domain": "retail", "env_id": env}, [node])

    def row(self, tree: dict[str, Any], strategy: str = "indirect_intent", **more: Any) -> dict[str, Any]:
        return {
            **{"status": "admitted", "tree": tree["tree_id"], "strategy": strategy, "query": "About order #W1."},
            "mask": self.mask(strategy, oblique=strategy == "indirect_intent"),
            "signature": {"rule": "oblique", "verdict": "ok", "lit_card": 1, "true_card": 1},
            "root_conditions": tree["root"]["conditions"],
            **more,
        }

    def load(self, **options: Any) -> Release:
        """Load the folder; that it is a part is expected, any other warning is an error."""
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "(?s).*holds a part of the release", ReleaseWarning)
            return load_release(self.root, **options)


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """An empty folder for release files."""
    return Folder(tmp_path)


@pytest.fixture(scope="session")
def release(shared_data: Path) -> Release:
    """The fixtures of the release, with tau2's data."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ReleaseWarning)  # it is a subset
        return load_release(shared_data / "driftbench", host_data=shared_data / "tau2")
