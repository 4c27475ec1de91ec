"""The embedded catalogue: its data files, its schema, its determinism and the figures it was made for."""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import os
import re
import subprocess
import sys
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from intent_gym.envs.webshop import generator
from intent_gym.envs.webshop.catalogue import load_catalogue
from intent_gym.envs.webshop.generator import (
    DEFAULT_SIZE,
    DEPARTMENTS,
    FEATURE,
    MAX_SIZE,
    MIN_SIZE,
    Frame,
    generate,
    load_ambiguous_words,
    load_frames,
    stream,
)
from intent_gym.errors import OptionError

FRAMES = {frame.query: frame for frame in load_frames()}
GARMENT_SIZES = {"hoodies", "sweaters", "rain jackets", "leggings", "pajama sets"}  # "large" beside "x-large"
DIGEST = "import hashlib, json; from intent_gym.envs.webshop.generator import generate; "
DIGEST += "print(hashlib.sha256(json.dumps(generate(1300, 5)).encode()).hexdigest())"


class Product(NamedTuple):
    """What a condition can be about."""

    features: frozenset[str]
    options: dict[str, list[str]]
    price: float

    @property
    def skus(self) -> int:
        """The number of combinations of option values."""
        return math.prod(len(values) for values in self.options.values())


@cache
def catalogue() -> tuple[list[dict[str, Any]], dict[str, dict[str, Any]]]:
    return generate()


@cache
def products() -> dict[str, list[Product]]:
    records, labels = catalogue()
    by_frame: dict[str, list[Product]] = defaultdict(list)
    for record in records:
        options = {
            key.lower(): [entry["value"] for entry in values] for key, values in record["customization_options"].items()
        }
        price = float(record["pricing"].removeprefix("$"))
        by_frame[record["query"]].append(Product(frozenset(labels[record["asin"]]["attributes"]), options, price))
    return by_frame


def says(text: str, words: str) -> bool:
    """Whether `text` contains `words` as whole words."""
    return re.search(rf"(?<![a-z0-9]){re.escape(words)}(?![a-z0-9])", text) is not None


def slots(frame: Frame) -> dict[str, tuple[str, ...]]:
    return {FEATURE: frame.features, **dict(frame.options)}


# Data files


def test_there_are_enough_frames_in_five_departments() -> None:
    assert len(FRAMES) == len(load_frames()) >= 60
    assert set(Counter(frame.category for frame in FRAMES.values())) == set(DEPARTMENTS)
    assert min(Counter(frame.category for frame in FRAMES.values()).values()) >= 12
    assert len({key for frame in FRAMES.values() for key, _ in frame.options}) <= 10


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_the_pools_of_a_frame_are_clean(frame: Frame) -> None:
    assert 8 <= len(frame.features) <= generator.MAX_POOL
    assert 1 <= len(frame.options) <= 3
    assert len(frame.path) >= 2
    assert len(frame.traits) >= 2
    assert len(frame.parts) >= 2
    assert 0 < frame.price[0] * 2 < frame.price[1]
    for key, pool in frame.options:
        assert 6 <= len(pool) <= 12, key
    values = [(key, value) for key, pool in slots(frame).items() for value in pool]
    assert len({value for _, value in values}) == len(values)
    for _, value in values:
        assert re.fullmatch(r"[a-z0-9][a-z0-9.-]*( [a-z0-9.-]+)*", value), value
        assert not any(says(text.lower(), value) for text in (frame.query, *frame.nouns, *frame.uses)), value
    for (key, value), (other_key, other) in itertools.permutations(values, 2):
        if not (key == other_key == "size" and frame.query in GARMENT_SIZES):
            assert not says(other, value), (value, other)


def test_no_feature_is_an_option_value_of_any_frame() -> None:
    features = {feature for frame in FRAMES.values() for feature in frame.features}
    values = {value for frame in FRAMES.values() for _, pool in frame.options for value in pool}
    assert features.isdisjoint(values)


def test_title_nouns_tell_frames_apart() -> None:
    nouns = [(noun.lower(), frame.query) for frame in FRAMES.values() for noun in frame.nouns]
    for (noun, frame), (other, other_frame) in itertools.permutations(nouns, 2):
        assert frame == other_frame or (noun != other and not noun.endswith(f" {other}"))


def test_invented_names_are_unique_and_are_no_values() -> None:
    names = json.loads(generator._read("names.json"))
    brands = [head + tail for head in names["heads"] for tail in names["tails"]]
    assert len(set(brands)) == len(brands)
    assert len(set(names["series"])) == len(names["series"])
    largest_frame = math.ceil(MAX_SIZE / len(FRAMES))
    groups = len(brands) // len(DEPARTMENTS) // generator.BRAND_GROUP
    assert groups * generator.BRAND_GROUP * len(names["series"]) >= largest_frame
    words = {word for f in FRAMES.values() for pool in slots(f).values() for value in pool for word in value.split()}
    assert words.isdisjoint(name.lower() for name in [*brands, *names["series"]])


def test_ambiguous_words_have_two_senses_that_meet_in_a_frame() -> None:
    words = load_ambiguous_words()
    assert len({entry.word for entry in words}) == len(words)
    for entry in words:
        assert len(set(entry.senses)) == 2
        meeting = [f for f in FRAMES.values() if all(value in f.pool(key) for key, value in entry.senses)]
        assert meeting, entry
        for key, value in entry.senses:
            assert value != entry.word
            assert any(token.startswith(entry.word) for token in value.split()), (key, value)
        for frame in meeting:  # nothing else in the frame is a third sense
            others = {(key, value) for key, pool in slots(frame).items() for value in pool} - set(entry.senses)
            texts = [value for _, value in others] + [text.lower() for text in (frame.query, *frame.nouns)]
            assert not any(token.startswith(entry.word) for text in texts for token in text.split()), entry


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_every_frame_has_ambiguous_words_that_many_products_satisfy(frame: Frame) -> None:
    def satisfying(key: str, value: str) -> int:
        return sum(value in (p.features if key == FEATURE else p.options.get(key, ())) for p in products()[frame.query])

    present = [e for e in load_ambiguous_words() if all(value in frame.pool(key) for key, value in e.senses)]
    assert len(present) >= 3
    for entry in present:
        assert any(key != FEATURE for key, _ in entry.senses)
        assert all(satisfying(key, value) >= 6 for key, value in entry.senses), entry


def test_counts() -> None:
    records, labels = catalogue()
    assert len(records) == len(labels) == DEFAULT_SIZE
    assert len({record["name"] for record in records}) == DEFAULT_SIZE
    assert {record["asin"] for record in records} == set(labels)
    per_frame = Counter(record["query"] for record in records)
    assert set(per_frame) == set(FRAMES)
    assert max(per_frame.values()) - min(per_frame.values()) <= 1
    assert 20 <= min(per_frame.values()) <= max(per_frame.values()) <= 50


def test_records_have_the_schema_of_the_original() -> None:
    records, labels = catalogue()
    for record in records:
        frame = FRAMES[record["query"]]
        assert list(record) == [
            "asin",
            "name",
            "full_description",
            "small_description",
            "pricing",
            "images",
            "product_category",
            "category",
            "query",
            "average_rating",
            "customization_options",
        ]
        assert re.fullmatch(r"B0[0-9A-Z]{8}", record["asin"])
        assert re.fullmatch(r"\$\d+\.\d\d", record["pricing"])
        assert frame.price[0] <= float(record["pricing"][1:]) < frame.price[1] + 1
        assert record["images"] == []
        assert record["category"] == frame.category
        assert record["product_category"].split(" › ") == list(frame.path)
        rating = record["average_rating"]
        assert rating == "" or (isinstance(rating, float) and 1 <= rating <= 5)
        assert record["customization_options"]
        assert all(isinstance(point, str) and point for point in record["small_description"])
        entry = labels[record["asin"]]
        assert set(entry) == {"attributes", "instruction", "instruction_attributes"}
        assert set(entry["instruction_attributes"]) <= set(entry["attributes"]) <= set(frame.features)
        assert all(feature in entry["instruction"] for feature in entry["instruction_attributes"])


def test_texts_name_every_feature_of_the_product_and_nothing_that_it_lacks() -> None:
    records, labels = catalogue()
    for record in records:
        frame = FRAMES[record["query"]]
        attributes = set(labels[record["asin"]]["attributes"])
        title = record["name"].lower()
        text = "\n".join([title, record["full_description"].lower(), *map(str.lower, record["small_description"])])
        assert {feature for feature in frame.features if says(text, feature)} == attributes, record
        assert 1 <= sum(says(title, feature) for feature in attributes) < len(attributes)
        own = [entry["value"] for values in record["customization_options"].values() for entry in values]
        for value in sorted(own, key=len, reverse=True):  # "x-large" first, then "large"
            text = text.replace(value, "")
        assert not [value for _, pool in frame.options for value in pool if value not in own and says(text, value)]


def test_the_reader_of_the_original_files_takes_the_generated_ones(tmp_path: Path) -> None:
    records, labels = catalogue()
    (tmp_path / "items_shuffle.json").write_text(json.dumps(records))
    (tmp_path / "items_ins_v2.json").write_text(json.dumps(labels))
    loaded = load_catalogue(tmp_path)
    assert len(loaded.products) == DEFAULT_SIZE
    for record, product in zip(records, loaded.products, strict=True):
        assert product.asin == record["asin"]
        assert product.frame == record["query"]
        assert product.attributes == tuple(labels[record["asin"]]["attributes"])
        assert product.price_tag == record["pricing"]
        assert [(key, list(values)) for key, values in product.options] == [
            (key.lower(), [entry["value"] for entry in entries])
            for key, entries in record["customization_options"].items()
        ]


# Determinism


def test_equal_arguments_give_equal_bytes_in_every_process() -> None:
    digests = [
        subprocess.run(
            [sys.executable, "-c", DIGEST],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for hash_seed in ("1", "2")
    ]
    assert digests[0] == digests[1] == hashlib.sha256(json.dumps(generate(1300, 5)).encode()).hexdigest()


def test_a_smaller_catalogue_begins_a_larger_one_and_another_seed_gives_another() -> None:
    records, _ = catalogue()
    assert generate(1_111)[0] == records[:1_111]
    other, _ = generate(MIN_SIZE, seed=1)
    assert {record["name"] for record in other}.isdisjoint(record["name"] for record in records)
    assert {record["asin"] for record in other}.isdisjoint(record["asin"] for record in records)


def test_generating_leaves_global_random_state_alone() -> None:
    before = np.random.get_state(legacy=False)  # noqa: NPY002 - reads the global state to show that it is untouched
    generate(MIN_SIZE)
    after = np.random.get_state(legacy=False)  # noqa: NPY002 - see above
    assert str(before) == str(after)


def test_a_large_catalogue_streams_with_unique_names() -> None:
    names: set[str] = set()
    asins: set[str] = set()
    for item in stream(100_000):
        names.add(item.record["name"])
        asins.add(item.record["asin"])
    assert len(names) == len(asins) == 100_000


@pytest.mark.parametrize("size", [0, MIN_SIZE - 1, MAX_SIZE + 1, 2_400.0, True, "2400", None])
def test_an_impossible_size_is_an_error_at_the_call(size: Any) -> None:  # noqa: ANN401 - any wrong type
    with pytest.raises(OptionError, match=r"size: expected .* from 1,000 to 1,200,000, got"):
        stream(size)
    with pytest.raises(OptionError, match="size"):
        generate(size)


@pytest.mark.parametrize("seed", [-1, 0.5, True, None])
def test_an_impossible_seed_is_an_error_at_the_call(seed: Any) -> None:  # noqa: ANN401 - any wrong type
    with pytest.raises(OptionError, match="seed: expected an integer >= 0, got"):
        stream(MIN_SIZE, seed)


# Statistics


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_features_options_and_prices_split_a_frame(frame: Frame) -> None:
    group = products()[frame.query]
    n = len(group)
    for product in group:
        assert 3 <= len(product.features) <= 6
        assert all(3 <= len(values) <= 8 for values in product.options.values())
    for feature in frame.features:
        assert 0.2 <= sum(feature in product.features for product in group) / n <= 0.6, feature
    for key, pool in frame.options:
        assert 0.7 <= sum(key in product.options for product in group) / n <= 1
        for value in pool:
            assert 0.2 <= sum(value in product.options.get(key, ()) for product in group) / n <= 0.9, value
    prices = sorted(product.price for product in group)
    assert prices[n // 4] * 1.4 < prices[n // 2]
    assert prices[n // 2] * 1.4 < prices[3 * n // 4]
    assert len({price // 10 for price in prices}) >= 4


def count(frame: str, features: set[str], options: dict[str, str], cap: float) -> int:
    """The number of SKUs that satisfy a goal."""
    return sum(
        math.prod(len(values) for key, values in product.options.items() if key not in options)
        for product in products()[frame]
        if features <= product.features
        and product.price <= cap
        and all(value in product.options.get(key, ()) for key, value in options.items())
    )


def test_goals_are_narrow_and_widen_when_an_option_is_dropped() -> None:
    rng = np.random.default_rng(7)
    sizes, widest, dropped = [], [], []
    for frame in list(FRAMES) * 8:
        group = products()[frame]
        target = group[rng.integers(len(group))]
        features = set(rng.permutation(sorted(target.features))[: rng.integers(2, 4)].tolist())
        keys = rng.permutation(list(target.options))[: rng.integers(1, 4)].tolist()
        options = {key: str(rng.choice(target.options[key])) for key in keys}
        cap = 10 * (target.price // 10 + 2)
        size = count(frame, features, options, cap)
        without = [count(frame, features, {k: v for k, v in options.items() if k != key}, cap) / size for key in keys]
        sizes.append(size)
        dropped += without
        widest.append(max(without))
    assert np.mean(np.array(sizes) <= 20) >= 0.6
    assert np.median(sizes) <= 12
    assert np.median(dropped) >= 5.0
    assert np.mean(np.array(widest) >= 6) >= 0.6
