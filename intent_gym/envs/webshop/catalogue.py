"""The products of a WebShop, read once and never changed.

The records are those of the original WebShop (Yao et al. 2022, https://arxiv.org/abs/2207.01206): a list of product
dicts (``items_shuffle*.json``), a dict from asin to attributes and an optional synthetic instruction
(``items_ins_v2*.json``), and optionally a dict from asin to instructions written by people (``items_human_ins*.json``).
A generated catalogue uses the same three shapes.

Decisions:

* **Price.** The original draws the price of a product with a price range anew at every load, and the price cap of
  every task with it, so that one task id means different things in different runs. Here both are rules without
  chance, the same as those of the public Drift-Bench++ release: the price is the low end of the range, 100.0 where
  none is given; the cap (`price_cap`) is the second of 10, 20, ..., 990 strictly above the price, and
  `NO_CAP` where fewer than two lie above it.
* **Options.** Names and values are lower-cased, values are stripped and ``/`` becomes `` | ``, as in the original. A
  value listed twice under one name is kept once; a name without values is dropped.
* **Skipped records**, as in the original: asin ``nan`` or empty, an asin longer than ten characters, and every later
  record of an asin already read. They are counted in `Catalogue.skipped`.
* **Memory.** The original's full data has 1.18 million products. Description and bullets are read seldom and are
  nine tenths of the text, so a product holds them deflated; repeated strings (attributes, option values,
  categories) are held once; images are dropped.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import zlib
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from intent_gym.envs.webshop import jsonstream
from intent_gym.errors import DataError

__all__ = [
    "ATTRIBUTE_FILES",
    "HUMAN_FILES",
    "MISSING_PRICE",
    "NO_CAP",
    "PRODUCT_FILES",
    "Catalogue",
    "HumanGoal",
    "Product",
    "load_catalogue",
    "price_cap",
]

MISSING_PRICE = 100.0  # dollars
NO_CAP = 1_000_000.0  # dollars; the original's "no cap"
CAP_STEP, CAP_LAST = 10, 990  # dollars: the caps a task can have are 10, 20, ..., 990
MAX_ASIN = 10  # characters
# The first of these names that the folder holds is read; each may also end in ".gz".
PRODUCT_FILES = ("items_shuffle.json", "items_shuffle_1000.json", "items_shuffle_1000.reconstructed.json")
ATTRIBUTE_FILES = ("items_ins_v2.json", "items_ins_v2_1000.json")
HUMAN_FILES = ("items_human_ins.json", "items_human_ins_1000.json", "items_human_ins_in_1000.json")

_AMOUNT = re.compile(r"\d[\d,]*(?:\.\d+)?|\.\d+")
_SEPARATOR = "\x00"  # between description and bullets in `Product.body`; removed from the texts themselves
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class HumanGoal:
    """An instruction that a person wrote for a product."""

    instruction: str
    attributes: tuple[str, ...]
    """The attributes that are graded; may be empty, and then the original makes no task of it."""
    options: tuple[str, ...]
    """The option values that are graded, without the names of the options."""


@dataclass(frozen=True, slots=True)
class Product:
    """One product; everything the search, the pages and the reward read."""

    asin: str
    """The id, upper case, at most ten characters."""
    name: str
    """The title; may be empty."""
    body: bytes = field(repr=False)
    """Description and bullets, deflated; read them as `description` and `bullets`."""
    attributes: tuple[str, ...]
    options: tuple[tuple[str, tuple[str, ...]], ...]
    """Pairs (option name, its values), in the order of the record; every name has at least one value."""
    price: float
    """Dollars; the price that counts. It does not depend on the options chosen."""
    price_high: float
    """Dollars; the high end of the range, equal to `price` where there is none."""
    frame: str
    """The scrape query, such as ``"console tables"``: what kind of thing it is."""
    category: str
    """One of a few coarse groups, such as ``"garden"``."""
    product_category: str
    """The path in the shop's tree, parts joined by ``" › "``; may be empty."""
    rating: float | None
    """Stars, 1 to 5; None if unrated."""
    instruction: str | None = None
    """The synthetic instruction, without options and price."""
    instruction_attributes: tuple[str, ...] = ()
    human: tuple[HumanGoal, ...] = ()

    def __hash__(self) -> int:
        """Return a hash of the asin alone: products key caches."""
        return hash(self.asin)

    @property
    def description(self) -> str:
        """The long description; may be empty."""
        return _unpack(self.body)[0]

    @property
    def bullets(self) -> tuple[str, ...]:
        """The short points of the item page; at least one, which may be empty."""
        return _unpack(self.body)[1]

    @property
    def price_tag(self) -> str:
        """The price as shown: ``"$9.99"``, or ``"$9.99 to $19.99"`` for a range (the low end counts)."""
        low = f"${self.price:.2f}"
        return low if self.price_high == self.price else f"{low} to ${self.price_high:.2f}"

    def values(self, key: str) -> tuple[str, ...]:
        """Return the values of option `key`, () if the product has no such option."""
        for name, values in self.options:
            if name == key:
                return values
        return ()


@dataclass(frozen=True, slots=True, eq=False)
class Catalogue:
    """Products in the order of the source, immutable and shared by every environment of a process.

    `copy.deepcopy` returns the same object.
    """

    products: tuple[Product, ...]  # (n,)
    by_asin: Mapping[str, int]
    """asin -> index into `products`, in the order of `products`."""
    by_frame: Mapping[str, tuple[int, ...]]
    """frame -> indices into `products`, ascending; frames in order of first appearance."""
    fingerprint: str
    """Hexadecimal digest of everything that was read; a saved search index is valid for one fingerprint."""
    skipped: int = 0
    """Records left out (see the module's decisions)."""

    def __len__(self) -> int:
        """Return the number of products."""
        return len(self.products)

    def __deepcopy__(self, memo: dict[int, Any]) -> Catalogue:
        """Return the catalogue itself: it cannot change."""
        return self

    def get(self, asin: str) -> Product | None:
        """Return the product with this asin (any case), None if there is none."""
        position = self.by_asin.get(asin.upper())
        return None if position is None else self.products[position]

    @classmethod
    def from_records(
        cls,
        records: Iterable[Mapping[str, Any]],
        *,
        attributes: Mapping[str, Mapping[str, Any]],
        human: Mapping[str, Iterable[Mapping[str, Any]]] | None = None,
        frames: Collection[str] | None = None,
        source: str = "records",
    ) -> Catalogue:
        """Build a catalogue from records in the original's schema.

        Args:
            records: Product dicts, read once and in order: ``asin``, ``name``, ``query`` and ``category`` are needed,
                ``full_description``, ``small_description``, ``pricing``, ``product_category``, ``average_rating``
                and ``customization_options`` may be missing or empty; other keys are ignored.
            attributes: asin -> ``{"attributes": [...], "instruction": ..., "instruction_attributes": [...]}``; the
                last two are optional and go together. A product without an entry has no attributes.
            human: asin -> list of ``{"instruction": ..., "instruction_attributes": [...],
                "instruction_options": [...]}``.
            frames: Keep only products whose frame is one of these; None keeps all.
            source: What the records are, for error messages.

        Raises:
            DataError: A record is not what it should be, or none is left.
        """
        shared: dict[Any, Any] = {}

        def once(value: _T) -> _T:
            return shared.setdefault(value, value)  # type: ignore[no-any-return]

        digest = hashlib.blake2b(digest_size=16)
        products: list[Product] = []
        by_asin: dict[str, int] = {}
        by_frame: dict[str, list[int]] = {}
        skipped = 0
        for number, record in enumerate(records):
            where = f"{source}, record {number}"
            asin = _text(_mapping(record, where), "asin", where, needed=True).upper()
            if asin in ("", "NAN") or len(asin) > MAX_ASIN or asin in by_asin:
                skipped += 1
                continue
            frame = once(_text(record, "query", where, needed=True).lower().strip())
            if frames is not None and frame not in frames:
                continue
            where = f"{source}, record {number} (asin {asin})"
            extra = _mapping(attributes.get(asin, {}), f"the attributes of {asin}")
            goals = () if human is None else human.get(asin, ())
            product = _product(asin, frame, record, extra, goals, where, once, digest.update)
            position = len(products)
            by_asin[asin] = position
            by_frame.setdefault(frame, []).append(position)
            products.append(product)
        if not products:
            raise DataError(
                f"{source}: expected at least one product, found none"
                + (f" ({skipped} records skipped)" if skipped else "")
                + ("; is one of the frames asked for in this file?" if frames is not None else "; check the file")
            )
        return cls(
            products=tuple(products),
            by_asin=by_asin,
            by_frame={frame: tuple(positions) for frame, positions in by_frame.items()},
            fingerprint=digest.hexdigest(),
            skipped=skipped,
        )


def price_cap(price: float) -> float:
    """Return the price cap of a task whose product costs `price` dollars.

    >>> [price_cap(p) for p in (9.99, 10.0, 100.0, 969.0, 970.0, 980.0)]
    [20.0, 30.0, 120.0, 980.0, 990.0, 1000000.0]
    """
    cap = (int(price // CAP_STEP) + 2) * CAP_STEP
    return float(cap) if cap <= CAP_LAST else NO_CAP


def load_catalogue(folder: str | Path, *, frames: Collection[str] | None = None) -> Catalogue:
    """Read a folder with the original's files, plain or gzipped, under the original's names.

    The folder must hold a product file (`PRODUCT_FILES`) and an attribute file (`ATTRIBUTE_FILES`); a file of
    human instructions (`HUMAN_FILES`) is read if it is there. The product file is read as a stream.

    Args:
        folder: Where the files are.
        frames: Keep only products whose frame (scrape query, lower case) is one of these; None keeps all.

    Raises:
        DataError: The folder or a file is missing, truncated, corrupt or of another shape.
    """
    folder = Path(folder)
    if not folder.is_dir():
        found = "a file" if folder.exists() else "nothing"
        raise DataError(
            f"expected a folder with WebShop's files at {str(folder)!r}, found {found}; "
            f"give the folder that holds {PRODUCT_FILES[1]!r} and {ATTRIBUTE_FILES[1]!r}"
        )
    product_file = _needed(folder, PRODUCT_FILES, "products")
    attribute_file = _needed(folder, ATTRIBUTE_FILES, "attributes")
    human_file = _find(folder, HUMAN_FILES)
    extra = {key: _packed_extra(value, key) for key, value in jsonstream.read_object(attribute_file)}
    human = dict(jsonstream.read_object(human_file)) if human_file else None
    return Catalogue.from_records(
        jsonstream.read_array(product_file), attributes=extra, human=human, frames=frames, source=product_file.name
    )


def _find(folder: Path, names: tuple[str, ...]) -> Path | None:
    for name in names:
        for candidate in (folder / name, folder / f"{name}.gz"):
            if candidate.is_file():
                return candidate
    return None


def _needed(folder: Path, names: tuple[str, ...], what: str) -> Path:
    if (found := _find(folder, names)) is not None:
        return found
    present = sorted(path.name for path in folder.iterdir())[:8]
    raise DataError(
        f"expected the file of {what} in {str(folder)!r} under one of the names {', '.join(names)} "
        f"(or with .gz), found {', '.join(present) or 'an empty folder'}; copy it there"
    )


def _packed_extra(value: object, asin: str) -> Mapping[str, Any]:
    """Keep the three keys that are read, with interned attribute names (the file has 1.18 million entries)."""
    entry = _mapping(value, f"the attributes of {asin}")
    return {
        key: [sys.intern(v) if isinstance(v, str) else v for v in item] if isinstance(item, list) else item
        for key in ("attributes", "instruction", "instruction_attributes")
        if (item := entry.get(key)) is not None
    }


def _product(
    asin: str,
    frame: str,
    record: Mapping[str, Any],
    extra: Mapping[str, Any],
    goals: object,
    where: str,
    once: Callable[[Any], Any],
    digest: Callable[[bytes], None],
) -> Product:
    name = _text(record, "name", where, needed=True)
    description = _text(record, "full_description", where)
    bullets = _bullets(record.get("small_description"), where)
    options = _options(record.get("customization_options"), where)
    low, high = _prices(record.get("pricing"), where)
    attributes = _texts(extra.get("attributes"), "attributes", where)
    instruction = _text(extra, "instruction", where) or None
    instruction_attributes = _texts(extra.get("instruction_attributes"), "instruction_attributes", where)
    category = _text(record, "category", where, needed=True)
    path = _text(record, "product_category", where)
    rating = _rating(record.get("average_rating"), where)
    if not isinstance(goals, Iterable) or isinstance(goals, (str, Mapping)):
        raise DataError(f"the human instructions of {asin}: expected a list, found {type(goals).__name__}")
    human = tuple(_human(goal, f"the human instructions of {asin}") for goal in goals)
    whole = (asin, name, description, bullets, options, low, high, attributes, instruction, instruction_attributes)
    digest(repr((whole, frame, category, path, rating, human)).encode("utf-8", "surrogatepass"))
    return Product(
        asin=asin,
        name=name,
        body=_pack(description, bullets),
        attributes=once(tuple(once(a) for a in attributes)),
        options=once(tuple((once(key), once(tuple(once(v) for v in values))) for key, values in options)),
        price=once(low),
        price_high=once(high),
        frame=frame,
        category=once(category),
        product_category=once(path),
        rating=once(rating),
        instruction=instruction,
        instruction_attributes=once(tuple(once(a) for a in instruction_attributes)),
        human=human,
    )


def _human(goal: object, where: str) -> HumanGoal:
    entry = _mapping(goal, where)
    return HumanGoal(
        instruction=_text(entry, "instruction", where, needed=True),
        attributes=_texts(entry.get("instruction_attributes"), "instruction_attributes", where),
        options=_texts(entry.get("instruction_options"), "instruction_options", where),
    )


def _bullets(value: object, where: str) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    return _texts(value, "small_description", where) or ("",)


def _options(value: object, where: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if value is None or value == "":
        return ()
    options: dict[str, tuple[str, ...]] = {}
    for name, contents in _mapping(value, f"{where}: customization_options").items():
        if contents is None:
            continue
        if not isinstance(contents, list):
            raise _mistyped(where, f"customization_options[{name!r}]", "a list or null", contents)
        values = (
            _text(_mapping(item, where), "value", f"{where}, option {name!r}", needed=True)
            .strip()
            .replace("/", " | ")
            .lower()
            for item in contents
        )
        if kept := tuple(dict.fromkeys(v for v in values if v)):
            options[name.lower()] = kept
    return tuple(options.items())


def _prices(value: object, where: str) -> tuple[float, float]:
    if value is not None and not isinstance(value, str):
        raise _mistyped(where, "pricing", 'a text such as "$9.99" or "$9.99$19.99", or null', value)
    amounts = sorted(float(text.replace(",", "")) for text in _AMOUNT.findall(value or "")[:2])
    return (amounts[0], amounts[-1]) if amounts else (MISSING_PRICE, MISSING_PRICE)


def _rating(value: object, where: str) -> float | None:
    if value is None or value == "":
        return None
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    raise _mistyped(where, "average_rating", 'a number or ""', value)


def _pack(description: str, bullets: tuple[str, ...]) -> bytes:
    text = _SEPARATOR.join(part.replace(_SEPARATOR, "") for part in (description, *bullets))
    return zlib.compress(text.encode("utf-8", "surrogatepass"), 1)


def _unpack(body: bytes) -> tuple[str, tuple[str, ...]]:
    description, *bullets = zlib.decompress(body).decode("utf-8", "surrogatepass").split(_SEPARATOR)
    return description, tuple(bullets)


def _mapping(value: object, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise DataError(f"{where}: expected a JSON object, found {_shown(value)}; is it the original's file?")
    return value


def _text(entry: Mapping[str, Any], key: str, where: str, *, needed: bool = False) -> str:
    value = entry.get(key)
    if value is None and not needed:
        return ""
    if not isinstance(value, str):
        raise _mistyped(where, key, "a text", value)
    return value


def _texts(value: object, key: str, where: str) -> tuple[str, ...]:
    if value is None or value == "":
        return ()
    if not isinstance(value, (list, tuple)) or not all(isinstance(item, str) for item in value):
        raise _mistyped(where, key, "a list of texts", value)
    return tuple(value)


def _mistyped(where: str, key: str, expected: str, value: object) -> DataError:
    return DataError(f"{where}: expected {key!r} to be {expected}, found {_shown(value)}; is it the original's file?")


def _shown(value: object) -> str:
    try:
        text = json.dumps(value)
    except (TypeError, ValueError):
        text = repr(value)
    return f"{type(value).__name__} {text[:60]}{'…' if len(text) > 60 else ''}"
