"""The catalogue: the recorded products, the rules of this project, and every broken file."""

from __future__ import annotations

import copy
import gzip
import json
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from intent_gym.envs.webshop import jsonstream
from intent_gym.envs.webshop.catalogue import (
    MISSING_PRICE,
    NO_CAP,
    Catalogue,
    HumanGoal,
    load_catalogue,
    price_cap,
)
from intent_gym.errors import DataError

SHIRT: dict[str, Any] = {
    "asin": "b000000001",
    "name": "Oxford Shirt",
    "full_description": "Woven ★ in a mill.",
    "small_description": ["Button closure ", "Machine wash"],
    "pricing": "$19.99$1,027.50",
    "product_category": "Clothing › Men › Shirts",
    "average_rating": 4.5,
    "category": "fashion",
    "query": " Men's Shirts ",
    "customization_options": {
        "Size": [{"value": " Large "}, {"value": "W/ Pocket"}, {"value": "large"}, {"value": " "}],
        "Color": None,
        "Fit": [],
    },
    "images": ["https://example.org/1.jpg"],
}
LAMP: dict[str, Any] = {"asin": "B000000002", "name": "", "query": "lamps", "category": "garden"}
ENTRIES: dict[str, Any] = {
    "B000000001": {"attributes": ["slim fit"], "instruction": "Find me", "instruction_attributes": ["slim fit"]},
    "B000000002": {"attributes": []},
}
HUMAN: dict[str, Any] = {
    "B000000001": [
        {
            "asin": "B000000001",
            "instruction": "a big one",
            "attributes": ["slim fit"],
            "options": ["size: large"],
            "instruction_attributes": ["slim fit"],
            "instruction_options": ["large"],
        }
    ]
}


def records(*items: dict[str, Any]) -> Catalogue:
    return Catalogue.from_records(items or (SHIRT, LAMP), attributes=ENTRIES, human=HUMAN)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "items_shuffle_1000.json").write_text(json.dumps([SHIRT, LAMP]), encoding="utf-8")
    (tmp_path / "items_ins_v2_1000.json").write_text(json.dumps(ENTRIES), encoding="utf-8")
    (tmp_path / "items_human_ins.json").write_text(json.dumps(HUMAN), encoding="utf-8")
    return tmp_path


def test_fields_of_a_full_record() -> None:
    shirt = records().products[0]
    assert (shirt.asin, shirt.name, shirt.frame, shirt.category) == (
        "B000000001",
        "Oxford Shirt",
        "men's shirts",
        "fashion",
    )
    assert shirt.description == "Woven ★ in a mill."
    assert shirt.bullets == ("Button closure ", "Machine wash")
    assert shirt.options == (("size", ("large", "w |  pocket")),)
    assert (shirt.price, shirt.price_high, shirt.price_tag) == (19.99, 1027.5, "$19.99 to $1027.50")
    assert (shirt.attributes, shirt.rating) == (("slim fit",), 4.5)
    assert (shirt.instruction, shirt.instruction_attributes) == ("Find me", ("slim fit",))
    assert shirt.human == (HumanGoal("a big one", ("slim fit",), ("large",)),)
    assert shirt.values("size") == ("large", "w |  pocket")
    assert shirt.values("color") == ()


def test_fields_of_a_bare_record() -> None:
    lamp = records().products[1]
    assert (lamp.description, lamp.bullets, lamp.options, lamp.attributes) == ("", ("",), (), ())
    assert (lamp.price, lamp.price_tag, lamp.rating) == (MISSING_PRICE, "$100.00", None)
    assert (lamp.instruction, lamp.human) == (None, ())


@pytest.mark.parametrize(
    ("pricing", "low", "high"),
    [("$5", 5.0, 5.0), ("$27.99$9.5", 9.5, 27.99), ("", 100.0, 100.0), (None, 100.0, 100.0), ("$.99", 0.99, 0.99)],
)
def test_price_is_the_low_end(pricing: str | None, low: float, high: float) -> None:
    bought = records({**SHIRT, "pricing": pricing}).products[0]
    assert (bought.price, bought.price_high) == (low, high)


def test_cap_is_the_second_step_above_the_price() -> None:
    steps = [float(step) for step in range(10, 1000, 10)]
    for cents in range(0, 120_000, 37):
        price = cents / 100
        above = [step for step in steps if step > price]
        assert price_cap(price) == (above[1] if len(above) > 1 else NO_CAP)


def test_skipped_records_are_counted() -> None:
    found = records(SHIRT, {**SHIRT, "name": "again"}, {**LAMP, "asin": "nan"}, {**LAMP, "asin": "B0123456789"}, LAMP)
    assert [p.name for p in found.products] == ["Oxford Shirt", ""]
    assert found.skipped == 3


def test_lookups() -> None:
    found = records()
    assert dict(found.by_asin) == {"B000000001": 0, "B000000002": 1}
    assert dict(found.by_frame) == {"men's shirts": (0,), "lamps": (1,)}
    assert found.get("b000000002") is found.products[1]
    assert found.get("B000000003") is None
    assert len(found) == 2


def test_frames_filter() -> None:
    kept = Catalogue.from_records([SHIRT, LAMP], attributes=ENTRIES, frames={"lamps"})
    assert [p.asin for p in kept.products] == ["B000000002"]
    with pytest.raises(DataError, match="frames asked for"):
        Catalogue.from_records([SHIRT], attributes=ENTRIES, frames={"boats"})


def test_fingerprint_changes_with_anything_read() -> None:
    same = records().fingerprint
    assert same == records().fingerprint
    changes: tuple[dict[str, Any], ...] = (
        {"pricing": "$2"},
        {"name": "x"},
        {"small_description": []},
        {"query": "x"},
        {"average_rating": 1},
    )
    for change in changes:
        assert records({**SHIRT, **change}, LAMP).fingerprint != same
    assert records(LAMP, SHIRT).fingerprint != same


def test_immutable_and_shared() -> None:
    found = records()
    assert copy.deepcopy(found) is found
    assert copy.deepcopy({"x": [found]})["x"][0] is found
    with pytest.raises(AttributeError):
        found.products[0].price = 1.0  # type: ignore[misc]
    again = pickle.loads(pickle.dumps(found.products[0]))
    assert again == found.products[0]


@pytest.mark.parametrize("suffix", ["", ".gz"])
@pytest.mark.parametrize("small", ["", "_1000"])
def test_folder_under_every_name(folder: Path, small: str, suffix: str) -> None:
    for kind in ("items_shuffle", "items_ins_v2"):
        text = (folder / f"{kind}_1000.json").read_bytes()
        (folder / f"{kind}_1000.json").unlink()
        (folder / f"{kind}{small}.json{suffix}").write_bytes(gzip.compress(text) if suffix else text)
    found = load_catalogue(folder)
    assert found.products == records().products
    (folder / "items_human_ins.json").unlink()
    assert load_catalogue(folder).products[0].human == ()


def test_pretty_printed_file_with_byte_order_mark(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "\ufeff" + json.dumps([SHIRT, LAMP], indent=2, ensure_ascii=False) + "\n"
    (folder / "items_shuffle_1000.json").write_text(text, encoding="utf-8")
    for chunk in (1, 7, 1 << 20):
        monkeypatch.setattr(jsonstream, "CHUNK", chunk)
        assert load_catalogue(folder).products == records().products


def _edit(name: str, change: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        path = folder / name
        path.write_bytes(change(path.read_bytes()))

    return edit


def _product(**changes: Any) -> Callable[[Path], None]:
    return _edit("items_shuffle_1000.json", lambda _: json.dumps([{**SHIRT, **changes}]).encode())


PRODUCTS, EXTRA = "items_shuffle_1000.json", "items_ins_v2_1000.json"


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (shutil.rmtree, "expected a folder with WebShop's files at .* found nothing"),
        (lambda folder: (folder / PRODUCTS).unlink(), "expected the file of products .* found items_human_ins.json"),
        (lambda folder: (folder / EXTRA).unlink(), "expected the file of attributes"),
        (_edit(PRODUCTS, lambda b: b[:-40]), "is truncated: the text ends at character"),
        (_edit(PRODUCTS, lambda b: b[:-1]), "is truncated"),
        (_edit(EXTRA, lambda b: b[:-30]), "is truncated"),
        (_edit(PRODUCTS, lambda b: gzip.compress(b)[:-20]), "is not a whole gzip file"),
        (_edit(PRODUCTS, lambda b: gzip.compress(b)[:60] + b"??" + gzip.compress(b)[62:]), "is not a whole gzip file"),
        (_edit(PRODUCTS, lambda b: b.replace(b'"pricing":', b'"pricing"')), "is corrupt at character"),
        (_edit(PRODUCTS, lambda b: b + b"x"), "is corrupt at character .* end of the file"),
        (_edit(PRODUCTS, lambda b: b.replace(b"}, {", b"} {")), "is corrupt at character .* ','"),
        (_edit(PRODUCTS, lambda b: b.replace(b"Oxford", b"Ox\xfford")), "is not UTF-8"),
        (_edit(PRODUCTS, lambda _: b""), "expected a JSON array, .* an empty file"),
        (_edit(PRODUCTS, lambda _: b"version https://git-lfs"), "expected a JSON array, .* found 'v'"),
        (_edit(PRODUCTS, lambda _: b"[]"), "expected at least one product, found none"),
        (_edit(PRODUCTS, lambda _: b"[1]"), "record 0: expected a JSON object, found int 1"),
        (_edit(EXTRA, lambda _: b"[]"), "expected a JSON object, .* found '\\['"),
        (_edit(EXTRA, lambda _: b'{"B000000001": 1}'), "attributes of B000000001: expected a JSON object"),
        (_edit(EXTRA, lambda _: b'{"B000000001": {"attributes": "slim"}}'), "'attributes' to be a list of texts"),
        (_edit("items_human_ins.json", lambda _: b'{"B000000001": 3}'), "human instructions of .* expected a list"),
        (_edit("items_human_ins.json", lambda _: b'{"B000000001": [{}]}'), "expected 'instruction' to be a text"),
        (_product(asin=None), "record 0: expected 'asin' to be a text, found NoneType null"),
        (_product(name=None), r"record 0 \(asin B000000001\): expected 'name' to be a text"),
        (_product(pricing=5), "expected 'pricing' to be"),
        (_product(average_rating="good"), "expected 'average_rating' to be"),
        (_product(small_description=[1]), "expected 'small_description' to be a list of texts"),
        (_product(customization_options=[]), "customization_options: expected a JSON object"),
        (_product(customization_options={"Size": "L"}), "expected .*Size.* a list or null"),
        (_product(customization_options={"Size": [{}]}), "option 'Size': expected 'value' to be a text"),
    ],
)
def test_broken_sources(folder: Path, spoil: Callable[[Path], None], message: str) -> None:
    spoil(folder)
    with pytest.raises(DataError, match=message):
        load_catalogue(folder)


def test_file_instead_of_a_folder(folder: Path) -> None:
    with pytest.raises(DataError, match="found a file"):
        load_catalogue(folder / PRODUCTS)


def test_entry_that_never_ends(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonstream, "MAX_ENTRY", 1000)
    monkeypatch.setattr(jsonstream, "CHUNK", 100)
    (folder / PRODUCTS).write_text('[{"name": "' + "x" * 100_000, encoding="utf-8")
    with pytest.raises(DataError, match="is corrupt"):
        load_catalogue(folder)


def test_the_thousand_products(shared_data: Path) -> None:
    found = load_catalogue(shared_data / "webshop")
    assert (len(found), found.skipped, len(found.by_frame)) == (1000, 0, 246)
    assert sum(p.instruction is not None for p in found.products) == 415
    assert sum(len(p.human) for p in found.products) == 13
    skus = 0
    for p in found.products:
        combinations = 1
        for _, values in p.options:
            combinations *= len(values)
        skus += combinations
    assert skus == 10_845  # the original counts 10,854: two products list a value twice


def test_prices_lie_in_the_range_that_the_original_draws_from(shared_data: Path) -> None:
    found = load_catalogue(shared_data / "webshop")
    with gzip.open(shared_data / "webshop" / "golden" / "load.json.gz", "rt", encoding="utf-8") as file:
        drawn = json.load(file)["product_prices"]
    assert all(p.price <= drawn[p.asin] <= p.price_high for p in found.products)
    assert sum(p.price == p.price_high == pytest.approx(drawn[p.asin]) for p in found.products) == 907
