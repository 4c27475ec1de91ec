"""The shop of a release: by its answer sets, and by products that a user has."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from intent_gym.agents.scripted.oracle import OracleAgent
from intent_gym.construct.release import ReleaseWarning
from intent_gym.core.personas import PERSONAS
from intent_gym.envs.host import Host
from intent_gym.envs.hosts import load_host
from intent_gym.envs.release.host import Node, ReleaseHost
from intent_gym.envs.release.shop import WebShopRelease
from intent_gym.envs.webshop.env import DriftWebShopEnv
from intent_gym.errors import DataError, OptionError

TEA = "e9e72e3bb8bf1b5b"  # alcoholic beverages


def shop(host: Host) -> WebShopRelease:
    assert isinstance(host, WebShopRelease)
    return host


def node(host: ReleaseHost, number: int = 0, tree: str = TEA) -> Node:
    return next(n for n in host._material.nodes if (n.tree, n.number) == (tree, number))


def bought(asin: str, **options: str) -> str:
    chosen = sorted([k.replace("_", " "), v] for k, v in options.items())
    return json.dumps([asin, chosen], separators=(",", ":"))


def test_answer_sets_accept_their_products_with_the_options_or_none(host: Callable[..., ReleaseHost]) -> None:
    found = shop(host("webshop"))
    root = node(found).intent
    good = [
        bought("B07CZLVZ7X", flavor_name="citrus"),
        bought("B07CZLVZ7X"),
        bought("B005Z6LGYS", flavor_name="citrus", size="6.8 fl oz (pack of 24)"),
    ]
    for outcome in good:
        assert found.judge(root, outcome).accepted, outcome
    partial = bought("B005Z6LGYS", size="6.8 fl oz (pack of 24)")
    assert found.judge(root, partial).violated == ("flavor",)
    unknown = found.judge(root, bought("B003EWPKGA"))
    assert not unknown.accepted and set(unknown.violated) == {"price", "feature_1", "flavor"}
    assert found.score(root, partial) == pytest.approx(0.75)


def test_slots_are_what_the_shop_calls_them(host: Callable[..., ReleaseHost]) -> None:
    found = host("webshop")
    assert node(found).intent.by_slot.keys() == {"feature_1", "flavor", "price"}
    assert node(found, 6).intent.by_slot.keys() == {"feature_1", "size", "price"}
    shirt = node(found, 1, "e31ccaa2616c0e17").intent
    assert {s: c.value for s, c in shirt.by_slot.items()} == {
        **{"feature_3": "cotton heather", "color": "navy", "fit": "men", "size": "medium", "price": 30},
    }
    assert [node(found, i).intent.frame for i in range(3)] == [
        *("alcoholic beverages", "sparkling juice", "flavor syrups"),
    ]


def test_what_the_trees_tell_can_be_browsed_and_names_no_target(host: Callable[..., ReleaseHost]) -> None:
    found = shop(host("webshop"))
    result = found.act(found.open_session(), "search[alcoholic beverages citrus]")
    assert "b07czlvz7x" in result.message
    names = {p.name for p in found.catalogue.products}
    assert not any("Fever-Tree" in name or "Better Booch" in name for name in names)


@pytest.fixture(scope="session")
def products(shared_data: Path, host: Callable[..., ReleaseHost], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A product file in which every purchase of one tree's answer sets can be made."""
    records: dict[str, dict[str, Any]] = {}
    attributes: dict[str, dict[str, Any]] = {}
    for each in (n for n in host("webshop")._material.nodes if n.tree == TEA):
        goal = each.payload.recipe["goal"]
        for asin, options in each.payload.purchases:
            record = records.setdefault(
                asin,
                {
                    **{"asin": asin, "name": goal["name"], "query": "alcoholic beverages", "category": "grocery"},
                    **{"product_category": goal["product_category"], "pricing": "$9.00", "customization_options": {}},
                },
            )
            for key, value in options:
                held = record["customization_options"].setdefault(key, [])
                if {"value": value} not in held:
                    held.append({"value": value})
            known = attributes.setdefault(asin, {"attributes": []})["attributes"]
            known += [a for a in goal["attributes"] if a not in known]
    folder = tmp_path_factory.mktemp("products")
    (folder / "items_shuffle.json").write_text(json.dumps(list(records.values())))
    (folder / "items_ins_v2.json").write_text(json.dumps(attributes))
    return folder


def test_with_products_the_original_reward_decides(shared_data: Path, products: Path) -> None:
    with pytest.warns(ReleaseWarning, match="2 of 5 samples are left out"):
        found = shop(load_host("webshop", str(shared_data / "driftbench"), {"host_data": str(products)}))
    assert found.acceptance == "reward"
    root = node(found).intent
    assert found.judge(root, bought("B07CZLVZ7X", flavor_name="citrus")).accepted
    assert found.judge(root, bought("B07CZLVZ7X")).accepted  # the best options are filled in
    assert not found.judge(root, bought("B005Z6LGYS", size="6.8 fl oz (pack of 24)")).accepted
    score = found.score(root, bought("B005Z6LGYS", size="6.8 fl oz (pack of 24)"))
    assert score == pytest.approx(2 / 3)
    with pytest.raises(DataError, match=r"sample 0020601ac2670baa: no purchase that node .* accepts is in the product"):
        found.explain("0020601ac2670baa")
    options = {"host_data": str(products), "acceptance": "answer_set"}
    with pytest.warns(ReleaseWarning, match="2 of 5 samples are left out"):
        member = load_host("webshop", str(shared_data / "driftbench"), options)
    assert shop(member).acceptance == "answer_set"
    assert member.fingerprint() != found.fingerprint()


@pytest.mark.parametrize("acceptance", ["reward", "answer_set"])
def test_the_oracle_is_accepted_with_products(acceptance: str, shared_data: Path, products: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ReleaseWarning)
        env = DriftWebShopEnv(
            source=str(shared_data / "driftbench"),
            host_data=str(products),
            acceptance=acceptance,
            split="test",
            privileged=True,
        )
    assert len(env.tasks()) == 3
    for task in env.tasks():
        for seed, persona in enumerate((*PERSONAS, *PERSONAS)):
            obs, info = env.reset(seed=seed, options={"task_id": task, "persona": persona})
            agent, done = OracleAgent(env.host, env), False
            while not done:
                obs, _, done, _, info = env.step(agent.act(obs, info))
            assert info["is_success"]


def test_files_without_the_products_are_told(shared_data: Path) -> None:
    release = str(shared_data / "driftbench")
    with pytest.raises(DataError, match="holds the products of no sample of the release"):
        load_host("webshop", release, {"host_data": str(shared_data / "webshop")})
    with pytest.raises(OptionError, match="'reward' grades a purchase by its product"):
        load_host("webshop", release, {"acceptance": "reward"})
