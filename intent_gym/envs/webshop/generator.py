"""The embedded catalogue: believable products, written by this project, in the schema of the original WebShop.

The words come from the files in ``data/`` (one per department: kinds of product with their features, options and
price range; ``names.json``: invented brands). `stream` and `generate` draw products from them in the shape of the
original's ``items_shuffle.json`` and ``items_ins_v2.json`` (Yao et al. 2022, https://arxiv.org/abs/2207.01206), so one
reader serves both.

Decisions:

* **Frames.** Product number ``i`` belongs to frame ``i % frames``, so every size spreads evenly, and a smaller
  catalogue of the same seed is the beginning of a larger one.
* **Randomness.** A product is a pure function of (seed, number). Raw 64-bit words of PCG64 are used and no method of
  `numpy.random.Generator`, whose results may change between releases of numpy.
* **Balance.** Within a block of `BLOCK_ROWS` products of a frame, features are drawn in proportion to what is left of
  a quota and prices come from as many equal shares (in logarithm) of the frame's range. So a feature is never rare or
  universal, and a price cap always splits a frame. Options need no help: each is drawn by itself.
* **Text never lies.** Every feature of a product is named in its title, points or description, the title naming one
  or two; no feature and no option value that the product lacks is named anywhere.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from intent_gym.errors import OptionError

__all__ = [
    "DEFAULT_SEED",
    "DEFAULT_SIZE",
    "MAX_SIZE",
    "MIN_SIZE",
    "AmbiguousWord",
    "Frame",
    "Item",
    "generate",
    "load_ambiguous_words",
    "load_frames",
    "stream",
]

DEFAULT_SIZE = 2_400  # products: 36 or 37 a frame
DEFAULT_SEED = 0
MIN_SIZE, MAX_SIZE = 1_000, 1_200_000  # products
DEPARTMENTS = ("beauty", "electronics", "fashion", "garden", "grocery")
FEATURE = "feature"  # the slot key of features, beside the option keys

BLOCK_ROWS = 20  # products of one frame that share quotas
FEATURES_MIN, FEATURES_MAX = 3, 6  # features a product has
KEY_PRESENT = 0.9  # probability that a product has an option key of its frame
VALUES_RANGE = {1: (5, 8), 2: (5, 8), 3: (4, 7)}  # keys of the frame -> fewest and most values under a key
UNRATED = 0.2  # share of products without stars
BRAND_GROUP = 20  # brands that share a frame before further ones are needed
MAX_POOL = 14  # the largest pool of features or values that the draws below have room for

# Columns of a product's draws, each uniform in [0, 1).
_COUNT, _FEATURES, _KEYS = 0, 1, 1 + MAX_POOL  # under _KEYS: for each of three keys presence, count, one per value
_KEY_DRAWS = 2 + MAX_POOL
_PRICE, _CENTS, _NOUN, _LAYOUT, _VALUE, _STARS, _POINTS, _TAILS, _SENTENCE, _USE = range(
    _KEYS + 3 * _KEY_DRAWS, _KEYS + 3 * _KEY_DRAWS + 10
)
_DRAWS = _USE + 1

_NAMES_STREAM = 1 << 40  # a block number that no block of products reaches
_ASIN_SPACE = 36**8
_ASIN_STEP = 1_234_567_891_013  # odd and no multiple of 3, so that numbers map one to one
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_UPPER = frozenset("dpi fm gmo gps hdmi led mfi msg pfas pfoa rfid rgb spf us usb usda uv".split())
_LOWER = frozenset("and by of on to in with".split())
_CENT_ENDINGS = (0.99, 0.95, 0.49, 0.0)
# The option value in a title is one of the first of these keys that the product has.
_TITLE_KEYS = (
    "color",
    "scent",
    "flavor name",
    "pattern name",
    "style",
    "material type",
    "fit type",
    "size",
    "number of items",
)


_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Frame:
    """A kind of product: what `query` stands for in the original."""

    query: str
    """The name of the kind, plural, such as ``"desk lamps"``."""
    category: str
    """The department, one of `DEPARTMENTS`."""
    path: tuple[str, ...]
    """The path in the shop's tree, from the root."""
    nouns: tuple[str, ...]
    """Nouns for titles; no two frames share one."""
    traits: tuple[str, ...]
    """Features that complete "it is ...", such as ``"machine washable"``."""
    parts: tuple[str, ...]
    """Features that complete "it has ...", such as ``"usb port"``."""
    options: tuple[tuple[str, tuple[str, ...]], ...]
    """Pairs (option key, pool of values), one to three."""
    price: tuple[float, float]
    """Lowest and highest price, dollars."""
    uses: tuple[str, ...]
    """Noun phrases that complete "made for ..."."""
    sentences: tuple[str, ...]
    """Templates over ``{brand}``, ``{noun}`` and ``{use}``, the department's."""
    tails: tuple[str, ...]
    """What a point says after naming a feature, the department's."""

    @property
    def features(self) -> tuple[str, ...]:
        """Every feature, `traits` first."""
        return self.traits + self.parts

    def pool(self, key: str) -> tuple[str, ...]:
        """Return the values of option `key`, or the features for ``"feature"``; () if the frame has no such key."""
        return self.features if key == FEATURE else dict(self.options).get(key, ())


class AmbiguousWord(NamedTuple):
    """A word of two senses."""

    word: str
    senses: tuple[tuple[str, str], tuple[str, str]]
    """Two pairs (option key or ``"feature"``, value)."""


class Item(NamedTuple):
    """One product in the two shapes of the original."""

    record: dict[str, Any]
    """An element of ``items_shuffle.json``."""
    labels: dict[str, Any]
    """The value under the product's asin in ``items_ins_v2.json``."""


def _read(name: str) -> str:
    folder = resources.files("intent_gym.envs.webshop") / "data"
    return (folder / name).read_text(encoding="utf-8")


@cache
def load_frames() -> tuple[Frame, ...]:
    """Return every frame, department by department in the order of the data files.

    >>> frame = load_frames()[0]
    >>> frame.query, frame.category, frame.pool("scent")[0]
    ('lip balms', 'beauty', 'juicy peach')
    """
    frames = []
    for category in DEPARTMENTS:
        data = json.loads(_read(f"{category}.json"))
        frames += [
            Frame(
                query=item["query"],
                category=category,
                path=tuple(item["path"]),
                nouns=tuple(item["nouns"]),
                traits=tuple(item["is"]),
                parts=tuple(item["has"]),
                options=tuple((key, tuple(values)) for key, values in item["options"].items()),
                price=(float(item["price"][0]), float(item["price"][1])),
                uses=tuple(item["uses"]),
                sentences=tuple(data["sentences"]),
                tails=tuple(data["bullets"]),
            )
            for item in data["frames"]
        ]
    return tuple(frames)


@cache
def load_ambiguous_words() -> tuple[AmbiguousWord, ...]:
    """Return the words of two senses; both senses of each occur together in some frame.

    >>> load_ambiguous_words()[0]
    AmbiguousWord(word='peach', senses=(('color', 'peach pink'), ('scent', 'juicy peach')))
    """
    return tuple(
        AmbiguousWord(item["word"], ((first[0], first[1]), (second[0], second[1])))
        for item in json.loads(_read("ambiguous_words.json"))
        for first, second in [item["senses"]]
    )


@cache
def generate(
    size: int = DEFAULT_SIZE, seed: int = DEFAULT_SEED
) -> tuple[list[dict[str, Any]], dict[str, dict[str, Any]]]:
    """Return a catalogue: the product records, and asin -> attributes and instruction.

    Args:
        size: Number of products, `MIN_SIZE` to `MAX_SIZE`. Use `stream` for a large one.
        seed: Any integer >= 0. Equal arguments give equal products in every process.

    Raises:
        OptionError: An argument is out of range.

    >>> records, labels = generate()
    >>> len(records), sorted({record["category"] for record in records})
    (2400, ['beauty', 'electronics', 'fashion', 'garden', 'grocery'])
    """
    records, labels = [], {}
    for item in stream(size, seed):
        records.append(item.record)
        labels[item.record["asin"]] = item.labels
    return records, labels


def stream(size: int = DEFAULT_SIZE, seed: int = DEFAULT_SEED) -> Iterator[Item]:
    """Yield the products of `generate` one after the other, holding one block of them at a time.

    The arguments are checked at the call, before the first product is asked for.

    >>> next(stream(1_000)).record["query"]
    'lip balms'
    """
    if not isinstance(size, int) or isinstance(size, bool) or not MIN_SIZE <= size <= MAX_SIZE:
        raise OptionError(
            f"size: expected a number of products from {MIN_SIZE:,} to {MAX_SIZE:,}, got {size!r}; "
            f"the default is {DEFAULT_SIZE:,}"
        )
    if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
        raise OptionError(f"catalogue_seed: expected an integer >= 0, got {seed!r}")
    return _stream(size, seed)


def _stream(size: int, seed: int) -> Iterator[Item]:
    makers = _makers(seed)
    count = len(makers)
    number, block = 0, 0
    while number < size:
        uniform = _uniform(seed, block, BLOCK_ROWS * count * _DRAWS).reshape(BLOCK_ROWS, count, _DRAWS)
        features = [maker.draw_features(uniform[:, index]) for index, maker in enumerate(makers)]
        for row, draws_of_row in enumerate(uniform.tolist()):
            for index, draws in enumerate(draws_of_row):
                if number == size:
                    return
                yield makers[index].make(number, block * BLOCK_ROWS + row, features[index][row], draws)
                number += 1
        block += 1


def _uniform(seed: int, block: int, n: int) -> npt.NDArray[np.float64]:
    """Return `n` numbers in [0, 1), a function of the arguments alone; shape (n,)."""
    words: npt.NDArray[np.uint64] = np.random.PCG64(np.random.SeedSequence([seed, block])).random_raw(n)
    uniform: npt.NDArray[np.float64] = (words >> np.uint64(11)).astype(np.float64) * 2.0**-53
    return uniform


def _makers(seed: int) -> list[_Maker]:
    """Return one maker per frame; the brands are dealt out to the departments, then shuffled for each frame."""
    names = json.loads(_read("names.json"))
    brands = [head + tail for tail in names["tails"] for head in names["heads"]]
    series = names["series"]
    frames = load_frames()
    uniform = _uniform(seed, _NAMES_STREAM, 1 + len(frames) * (len(brands) + len(series)))
    offset = int(uniform[0] * _ASIN_SPACE)
    makers = []
    for index, frame in enumerate(frames):
        own = brands[DEPARTMENTS.index(frame.category) :: len(DEPARTMENTS)]
        draws = uniform[1:].reshape(len(frames), -1)[index]
        makers.append(
            _Maker(
                frame=frame,
                index=index,
                offset=offset,
                brands=[own[i] for i in np.argsort(draws[: len(own)], kind="stable")],
                series=[series[i] for i in np.argsort(draws[-len(series) :], kind="stable")],
            )
        )
    return makers


class _Maker:
    """Makes the products of one frame."""

    def __init__(self, frame: Frame, index: int, offset: int, brands: list[str], series: list[str]) -> None:
        self.frame = frame
        self.index = index
        self.offset = offset
        self.brands = brands
        self.series = series
        self.features = frame.features
        self.titled = {word: _titled(word) for word in self.features}
        self.titled.update((value, _titled(value)) for _, values in frame.options for value in values)
        self.traits = frozenset(frame.traits)
        self.keys = {key: _titled(key) for key, _ in frame.options}
        n = len(self.features)
        # Popularity, from 0.85 to 1.15 times the average, in an order that differs from frame to frame.
        self.popularity = [0.85 + 0.3 * ((5 * t + index) % n) / (n - 1) for t in range(n)]

    def draw_features(self, uniform: npt.NDArray[np.float64]) -> list[list[int]]:
        """Return for each of the block's products its features as indices, in random order.

        Args:
            uniform: The block's draws for this frame, shape (BLOCK_ROWS, _DRAWS).
        """
        n = len(self.features)
        counts = [_between(u, FEATURES_MIN, FEATURES_MAX) for u in uniform[:, _COUNT].tolist()]
        share = sum(counts) / sum(self.popularity)
        left = [share * popularity for popularity in self.popularity]
        chosen = []
        for count, row in zip(counts, uniform[:, _FEATURES : _FEATURES + n].tolist(), strict=True):
            # Weighted sampling without replacement: the smallest exponential variates of rate w (Efraimidis, Spirakis
            # 2006), w the cube of what is left so that quotas are nearly met.
            score = [-math.log1p(-u) / max(rest, 0.1) ** 3 for u, rest in zip(row, left, strict=True)]
            best = sorted(range(n), key=score.__getitem__)[:count]
            for t in best:
                left[t] -= 1.0
            chosen.append(best)
        return chosen

    def make(self, number: int, row: int, feature_order: list[int], draws: list[float]) -> Item:
        """Return product `number`, the `row`-th of this frame."""
        frame = self.frame
        order = [self.features[t] for t in feature_order]
        attributes = [self.features[t] for t in sorted(feature_order)]
        options = self._options(draws)
        brand, series = self._names(row)
        noun = _pick(frame.nouns, draws[_NOUN])
        title, in_title = self._title(order, options, noun, draws)
        points, in_points = self._points(order, in_title, draws)
        rest = [feature for feature in order if feature not in in_title and feature not in in_points]
        query = frame.query
        asked = order[: 2 + (len(order) > 4)]
        asin = self._asin(number)
        record = {
            "asin": asin,
            "name": f"{brand} {series} {title}",
            "full_description": self._description(brand, noun, rest, draws),
            "small_description": points,
            "pricing": self._price(row, draws),
            "images": [],
            "product_category": " › ".join(frame.path),
            "category": frame.category,
            "query": query,
            "average_rating": self._rating(draws[_STARS]),
            "customization_options": {self.keys[key]: [{"value": v} for v in values] for key, values in options},
        }
        labels = {
            "attributes": attributes,
            "instruction": f"Show me {query}: {', '.join(asked)}",
            "instruction_attributes": asked,
        }
        return Item(record, labels)

    def _options(self, draws: list[float]) -> list[tuple[str, list[str]]]:
        """Return pairs (key, values in the order of the pool); at least one."""
        low, high = VALUES_RANGE[len(self.frame.options)]
        result: list[tuple[str, list[str]]] = []
        for k, (key, pool) in enumerate(self.frame.options):
            start = _KEYS + k * _KEY_DRAWS
            last_chance = k == len(self.frame.options) - 1 and not result
            if draws[start] < KEY_PRESENT or last_chance:
                count = min(_between(draws[start + 1], low, high), len(pool) - 1)
                scores = draws[start + 2 : start + 2 + len(pool)]
                bound = sorted(scores)[count - 1]
                result.append((key, [value for value, score in zip(pool, scores, strict=True) if score <= bound]))
        return result

    def _names(self, row: int) -> tuple[str, str]:
        """Return brand and series, a pair that no other row of the frame has.

        The rows of a group of brands run through all pairs; the next group is opened when they are used up. So a small
        catalogue has brands with several products, and a large one has many brands.
        """
        group, cell = divmod(row, BRAND_GROUP * len(self.series))
        turn, b = divmod(cell, BRAND_GROUP)
        return self.brands[group * BRAND_GROUP + b], self.series[(turn + 7 * b) % len(self.series)]

    def _title(
        self, order: list[str], options: list[tuple[str, list[str]]], noun: str, draws: list[float]
    ) -> tuple[str, list[str]]:
        """Return the title after brand and series, and the features that it names: one or two."""
        trait = next((feature for feature in order if feature in self.traits), "")
        part = next((feature for feature in order if feature not in self.traits), "")
        have = dict(options)
        key = next(key for key in _TITLE_KEYS if key in have)
        value = self.titled[_pick(have[key], draws[_VALUE])]
        layout = draws[_LAYOUT]
        if not trait or (part and layout < 0.2):
            return f"{noun} with {self.titled[part]}, {value}", [part]
        if not part or layout < 0.4:
            return f"{self.titled[trait]} {noun}, {value}", [trait]
        if layout < 0.8:
            return f"{self.titled[trait]} {noun} with {self.titled[part]}, {value}", [trait, part]
        return f"{noun} with {self.titled[part]} - {self.titled[trait]}, {value}", [part, trait]

    def _points(self, order: list[str], in_title: list[str], draws: list[float]) -> tuple[list[str], list[str]]:
        """Return the bullet points and the features that they name: two or three, those not in the title first."""
        named = [feature for feature in order if feature not in in_title] + in_title
        named = named[: 2 + (draws[_POINTS] < 0.5)]
        tails = self.frame.tails
        first = int(draws[_TAILS] * len(tails))
        points = [
            f"{feature.capitalize()}: {tails[(first + position) % len(tails)]}"
            for position, feature in enumerate(named)
        ]
        return points, named

    def _description(self, brand: str, noun: str, rest: list[str], draws: list[float]) -> str:
        """Return two sentences on what it is for, then the features that nothing else names."""
        sentences, uses = self.frame.sentences, self.frame.uses
        first, use = int(draws[_SENTENCE] * len(sentences)), int(draws[_USE] * len(uses))
        text = [
            sentences[(first + i) % len(sentences)].format(brand=brand, noun=noun, use=uses[(use + i) % len(uses)])
            for i in range(2)
        ]
        if rest:
            text.append(f"Good to know: {', '.join(rest)}.")
        return " ".join(text)

    def _price(self, row: int, draws: list[float]) -> str:
        block, place = divmod(row, BLOCK_ROWS)
        share = (7 * place + 3 * self.index + 9 * block) % BLOCK_ROWS
        low, high = self.frame.price
        dollars = math.floor(low * (high / low) ** ((share + draws[_PRICE]) / BLOCK_ROWS))
        return f"${dollars + _pick(_CENT_ENDINGS, draws[_CENTS]):.2f}"

    def _rating(self, u: float) -> float | str:
        return "" if u < UNRATED else round(3.4 + 1.6 * (u - UNRATED) / (1 - UNRATED), 1)

    def _asin(self, number: int) -> str:
        code = (number * _ASIN_STEP + self.offset) % _ASIN_SPACE
        letters = []
        for _ in range(8):
            code, digit = divmod(code, 36)
            letters.append(_DIGITS[digit])
        return "B0" + "".join(letters)


def _between(u: float, low: int, high: int) -> int:
    """Map `u` in [0, 1) to an integer from `low` to `high`, both included."""
    return low + int(u * (high - low + 1))


def _pick(values: Sequence[_T], u: float) -> _T:
    return values[int(u * len(values))]


def _titled(text: str) -> str:
    """Capitalise as titles do.

    >>> _titled("usb port"), _titled("pack of 2")
    ('USB Port', 'Pack of 2')
    """
    return " ".join(
        word.upper() if word in _UPPER else word if word in _LOWER else word.capitalize() for word in text.split(" ")
    )
