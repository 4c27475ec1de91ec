"""DriftWebShop's host: products as outcomes, the site as the way to them, exact options as acceptance.

An intent's frame is the product kind (the original's `query`); its conditions are a price cap, up to six features
(attributes) and one value an option. Acceptance is strict: every condition holds exactly. The original's reward
is the score; as a verdict (`accept="webshop"`) it lets wrong sizes and colours pass (hosts' notes, section 3).

Source: Yao et al., "WebShop" (2022); Drift-Bench++ for what a condition is.
"""

from __future__ import annotations

import json
import math
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from intent_gym.core.intent import Condition, Intent, SlotTable, Value
from intent_gym.envs.host import ActResult, Goal, Host, Judgement, Outcome, Sense, article
from intent_gym.envs.table import Column, FrameTable, TableHost, Tags
from intent_gym.envs.webshop import browse
from intent_gym.envs.webshop.catalogue import CAP_LAST, CAP_STEP, NO_CAP, Catalogue, Product, load_catalogue
from intent_gym.envs.webshop.generator import DEFAULT_SEED, DEFAULT_SIZE, load_ambiguous_words, stream
from intent_gym.envs.webshop.reward import RewardGoal, reward
from intent_gym.envs.webshop.search import SearchIndex
from intent_gym.envs.webshop.slots import FEATURES, SLOTS
from intent_gym.envs.webshop.tasks import MANY, OPTION_SLOTS, SLOT_ORDER, goals_of, options_of
from intent_gym.errors import OptionError

__all__ = ["ACCEPT", "FULL_REWARD", "WebShopHost", "best_options", "load", "outcome_of"]

ACCEPT = ("strict", "webshop")
_SAMPLES = Path(__file__).parent / "data" / "samples.jsonl.gz"
FULL_REWARD = 0.999
_TABLES = 512
_FEW_TABLES = 3  # of a catalogue of more than MANY products, to bound the memory
_OUTCOMES = 1 << 16
_COMPANIONS = (
    *("a gift box", "a spare carrying bag", "a thank-you card", "a birthday present", "a raffle prize"),
    *("a souvenir", "a keepsake"),
)
_WORD = re.compile(r"[a-z]{3,}")


class WebShopHost(TableHost):
    """The shop over one catalogue.

    Args:
        catalogue: The products, shared.
        index: Their search index, shared.
        source: "embedded", or the folder read.
        accept: "strict", or "webshop": price within the cap and original reward at least 0.999.

    A session is `browse.Session`. An outcome is the JSON text ``[asin, [[option, value], ...]]``, options sorted.
    """

    name = "webshop"
    turn_cap = 40
    act_help = "search[words], click[label on the page]"
    commit_help = "there is nothing to buy: open a product first, with act search[words] and act click[its id]"
    cache_samples = True

    def __init__(self, catalogue: Catalogue, index: SearchIndex, source: str, accept: str) -> None:
        super().__init__()
        self.catalogue = catalogue
        self.index = index
        self.source = source
        self.accept = accept
        self.slots = SLOTS
        self.frames = tuple(sorted(catalogue.by_frame))
        self._table = SlotTable(SLOTS)
        self._firsts = self._layout()
        self._build = lru_cache(_TABLES if len(catalogue) <= MANY else _FEW_TABLES)(self._make_table)
        self._judged = lru_cache(_OUTCOMES)(self._judge)
        self._outcomes = lru_cache(_OUTCOMES)(self._make_outcome)
        self._steps = lru_cache(4096)(self._make_steps)

    # -- outcomes ----------------------------------------------------------------------------------------------------
    def _layout(self) -> tuple[dict[str, int], list[str], NDArray[np.int64]]:
        """Number the outcomes: frame by frame, product by product, combination by combination."""
        first, total = {}, 0
        names, starts = [], []
        for frame in self.frames:
            first[frame] = total
            names.append(frame)
            starts.append(total)
            total += sum(_combinations(self.catalogue.products[i]) for i in self.catalogue.by_frame[frame])
        return first, names, np.array(starts, dtype=np.int64)

    def frame_of(self, answer: int) -> str:
        """Return the frame of an outcome id."""
        _, names, starts = self._firsts
        return names[int(np.searchsorted(starts, answer, side="right")) - 1]

    def table(self, frame: str) -> FrameTable | None:
        """Return the table of a frame: a row for each product and each combination of its options."""
        return self._build(frame).table if frame in self.catalogue.by_frame else None

    def _make_table(self, frame: str) -> _Frame:
        products = [self.catalogue.products[i] for i in self.catalogue.by_frame[frame]]
        options = [options_of(p) for p in products]
        counts = np.array([math.prod(len(v) for _, v in o.values()) for o in options], dtype=np.int64)
        ends = np.cumsum(counts)
        rows = int(ends[-1])
        columns = {s: _option_column(s, options, counts) for s in SLOT_ORDER if any(s in o for o in options)}
        prices = Column.of([p.price for p in products])
        columns["price"] = Column(prices.values, np.repeat(prices.codes, counts))
        per_product = Tags.of([p.attributes for p in products])
        tags = Tags(per_product.values, np.repeat(per_product.has, counts, axis=0))
        topics = {f"feature_{i}": "feature" for i in range(1, FEATURES + 1)}
        first = self._firsts[0][frame]
        return _Frame(FrameTable(first, rows, columns, {"feature": tags}, topics), tuple(products), ends)

    def outcome(self, answer: int) -> Outcome:
        """Return the outcome with this id."""
        return self._outcomes(answer)

    def _make_outcome(self, answer: int) -> Outcome:
        built = self._build(self.frame_of(answer))
        row = answer - built.table.first
        number = int(np.searchsorted(built.ends, row, side="right"))
        product = built.products[number]
        chosen = []
        for slot, (key, _) in options_of(product).items():
            column = built.table.columns[slot]
            chosen.append((key, str(column.values[column.codes[row]])))
        return outcome_of(product.asin, chosen)

    # -- verdicts ----------------------------------------------------------------------------------------------------
    def judge(self, intent: Intent, outcome: Outcome) -> Judgement:
        """Judge a purchase, which may leave options unchosen."""
        return self._judged(intent, outcome)

    def _judge(self, intent: Intent, outcome: Outcome) -> Judgement:
        product, options = self._bought(outcome)
        violated = self._violated(intent, product, options)
        if self.accept == "webshop":
            return Judgement(self._full_reward(intent, product, options), violated)
        return Judgement(not violated, violated)

    def score(self, intent: Intent, outcome: Outcome) -> float:
        """Return the original's reward of a purchase that was not accepted."""
        goal = self.reward_goal(intent)
        return 0.0 if goal is None else min(FULL_REWARD, reward(goal, *self._bought(outcome)).total)

    def _bought(self, outcome: Outcome) -> tuple[Product, dict[str, str]]:
        asin, chosen = json.loads(outcome)
        return self.catalogue.products[self.catalogue.by_asin[asin]], dict(chosen)

    def _full_reward(self, intent: Intent, product: Product, options: Mapping[str, str]) -> bool:
        """Return the release's verdict: price within the cap and full reward; options left open are filled in best."""
        goal = self.reward_goal(intent)
        if goal is None or product.price > goal.price_cap:
            return False
        return reward(goal, product, options or best_options(product, goal)).total >= FULL_REWARD

    def _violated(self, intent: Intent, product: Product, options: Mapping[str, str]) -> tuple[str, ...]:
        by_slot = {OPTION_SLOTS[k]: v for k, v in options.items() if k in OPTION_SLOTS}
        wrong = set()
        if product.frame != intent.frame:
            wrong.add(self.frame_slot.id)
        for c in intent.conditions:
            if c.slot == "price":
                met = product.price <= float(c.value)
            elif c.slot.startswith("feature_"):
                met = c.value in product.attributes
            else:
                met = by_slot.get(c.slot) == c.value
            if not met:
                wrong.add(c.slot)
        return tuple(s.id for s in self.slots if s.id in wrong)

    @lru_cache(maxsize=4096)  # noqa: B019 - hosts live as long as the process
    def reward_goal(self, intent: Intent) -> RewardGoal | None:
        """Return the original's goal for an intent, made from its first answer; None if it has no answer.

        Option values are passed as a list, as the original does for goals that people wrote: that form always gives an
        exact purchase full marks.
        """
        answers = self.answers(intent)
        if not len(answers):
            return None
        asin = json.loads(self.outcome(int(answers[0])))[0]
        target = self.catalogue.products[self.catalogue.by_asin[asin]]
        cap = intent.by_slot.get("price")
        return RewardGoal(
            name=target.name,
            frame=target.frame,
            product_category=target.product_category,
            attributes=tuple(str(c.value) for c in intent.conditions if c.slot.startswith("feature_")),
            options=tuple(
                str(c.value) for c in intent.conditions if c.slot != "price" and not c.slot.startswith("feature_")
            ),
            price_cap=NO_CAP if cap is None else float(cap.value),
        )

    # -- browsing ----------------------------------------------------------------------------------------------------
    def open_session(self) -> browse.Session:
        """Return the start page."""
        return browse.START

    def act(self, session: browse.Session, text: str) -> ActResult:
        """Search or click."""
        after = browse.apply(session, text, self.catalogue, self.index)
        if after.error is not None:
            return ActResult(session, after.error, True)
        return ActResult(after.session, browse.render(after.session, self.catalogue), False)

    def proposal(self, session: browse.Session, content: str) -> Outcome | None:
        """Return the open product with the options chosen, or None if no product is open."""
        return None if session.asin is None else outcome_of(session.asin, session.options)

    def steps_to(self, outcome: Outcome) -> tuple[str, ...]:
        """Return the searches and clicks that open this product with exactly these options."""
        return self._steps(outcome)

    def _make_steps(self, outcome: Outcome) -> tuple[str, ...]:
        asin, chosen = json.loads(outcome)
        return tuple(browse.steps_to(self.catalogue, self.index, asin, dict(chosen)))

    # -- words and material ------------------------------------------------------------------------------------------
    def domain(self, slot: str, frame: str | None = None) -> tuple[Value, ...]:
        """Return the legal values of a slot; a budget is one of the original's caps that leaves something to buy."""
        if slot == "price" and frame is not None:
            table = self.table(frame)
            lowest = min(float(v) for v in table.columns["price"].values) if table is not None else NO_CAP
            highest = max(float(v) for v in table.columns["price"].values) if table is not None else 0.0
            caps = range(CAP_STEP, CAP_LAST + 1, CAP_STEP)
            return tuple(float(c) for c in caps if lowest <= c <= highest + 2 * CAP_STEP)
        return self._domain(slot, frame)

    @lru_cache(maxsize=1 << 14)  # noqa: B019 - hosts live as long as the process
    def _domain(self, slot: str, frame: str | None) -> tuple[Value, ...]:
        if frame is None and slot != self.frame_slot.id:
            return tuple(sorted({v for f in self._product_values(slot) for v in f}, key=str))
        return super().domain(slot, frame)

    def _product_values(self, slot: str) -> list[set[Value]]:
        """Return the values of a slot over all products, without building tables."""
        found: set[Value] = set()
        for product in self.catalogue.products:
            if slot == "price":
                return [{float(c) for c in range(CAP_STEP, CAP_LAST + 1, CAP_STEP)}]
            if slot.startswith("feature_"):
                found.update(product.attributes)
            else:
                found.update(options_of(product).get(slot, ("", ()))[1])
        return [found]

    def senses(self, frame: str) -> tuple[Sense, ...]:
        """Return the words of two senses in a frame: of the word list for the embedded catalogue, else shared words."""
        return self._senses(frame)

    @lru_cache(maxsize=1024)  # noqa: B019 - hosts live as long as the process
    def _senses(self, frame: str) -> tuple[Sense, ...]:
        if self.source == "embedded":
            return tuple(
                Sense(word, (one, other))
                for word, senses in load_ambiguous_words()
                if (one := self._sense(frame, *senses[0])) and (other := self._sense(frame, *senses[1]))
            )
        return self._shared_words(frame)

    def _sense(self, frame: str, key: str, value: str) -> Condition | None:
        if key == "feature":
            return Condition("feature_1", "contains", value) if value in self.domain("feature_1", frame) else None
        slot = OPTION_SLOTS[key]
        return Condition(slot, "=", value) if value in self.domain(slot, frame) else None

    def _shared_words(self, frame: str) -> tuple[Sense, ...]:
        """Return each word that stands in exactly two option values of a frame and is no value itself."""
        holders: dict[str, list[Condition]] = defaultdict(list)
        values = [(s.id, v) for s in self.slots if s.kind == "choice" for v in self.domain(s.id, frame)]
        for slot, value in values:
            for word in sorted(set(_WORD.findall(str(value)))):
                holders[word].append(Condition(slot, "=", value))
        whole = {v for _, v in values} | set(self.domain("feature_1", frame))
        return tuple(Sense(w, (c[0], c[1])) for w, c in sorted(holders.items()) if len(c) == 2 and w not in whole)

    @lru_cache(maxsize=4096)  # noqa: B019 - hosts live as long as the process
    def companions(self, frame: str) -> tuple[str, ...]:
        """Return what may be ordered beside a product: nothing that sounds like one of its values."""
        return self.apart(_COMPANIONS, frame)

    def noun(self, frame: str) -> str:
        """Return a product kind as it stands after "I need".

        Kinds are plurals ("computer mice") or stuff ("popcorn"), which take no article. A kind in the singular is known
        by its plural being part of another kind: "a speaker" beside "bluetooth speakers".
        """
        head = frame.rsplit(" ", 1)[-1]
        return f"{article(frame)} {frame}" if self._plurals.intersection((f"{head}s", f"{head}es")) else frame

    @cached_property
    def _plurals(self) -> frozenset[str]:
        return frozenset(f.rsplit(" ", 1)[-1] for f in self.frames)

    def goals(self) -> Sequence[Goal]:
        """Return the full tasks, sampled by product: one a product, from its instruction where the source has them."""
        return goals_of(self.catalogue, generated=self.source == "embedded")

    def related_frames(self, frame: str) -> tuple[str, ...]:
        """Return the other frames of the same department."""
        department = self._department(frame)
        return tuple(f for f in self.frames if f != frame and self._department(f) == department)

    def _department(self, frame: str) -> str:
        return self.catalogue.products[self.catalogue.by_frame[frame][0]].category

    def stored_samples(self) -> Path | None:
        """Return the samples of the default embedded catalogue, which ship with the package."""
        return _SAMPLES if self.source == "embedded" and _SAMPLES.is_file() else None

    def fingerprint(self) -> str:
        """Return a text that differs where the products differ."""
        return f"{self.name}:{self.catalogue.fingerprint}"


class _Frame:
    """A frame's table with the products behind its rows."""

    def __init__(self, table: FrameTable, products: tuple[Product, ...], ends: NDArray[np.int64]) -> None:
        self.table = table
        self.products = products
        self.ends = ends  # (products,): row after the last of each


def _combinations(product: Product) -> int:
    return math.prod(len(values) for _, values in options_of(product).values())


def _option_column(
    slot: str, options: Sequence[Mapping[str, tuple[str, tuple[str, ...]]]], counts: NDArray[np.int64]
) -> Column:
    """Return one option's column: in a product's rows the last slot's values turn fastest."""
    names = sorted({v for o in options for v in o.get(slot, ("", ()))[1]})
    code = {v: i for i, v in enumerate(names)}
    parts = []
    for held, count in zip(options, counts.tolist(), strict=True):
        own = held.get(slot, ("", ()))[1]
        if not own:
            parts.append(np.full(count, -1, dtype=np.int32))
            continue
        later = math.prod(len(v) for s, (_, v) in held.items() if SLOT_ORDER.index(s) > SLOT_ORDER.index(slot))
        block = np.repeat(np.array([code[v] for v in own], dtype=np.int32), later)
        parts.append(np.tile(block, count // len(block)))
    return Column(tuple(names), np.concatenate(parts))


def outcome_of(asin: str, options: Sequence[tuple[str, str]]) -> Outcome:
    """Return the outcome that buys a product with some (option, value) pairs chosen."""
    return json.dumps([asin, sorted([k, v] for k, v in options)], ensure_ascii=False, separators=(",", ":"))


def best_options(product: Product, goal: RewardGoal) -> dict[str, str]:
    """Return the option values most like the goal's, as the release fills them in where none was chosen."""
    from rapidfuzz import fuzz

    chosen: dict[str, str] = {}
    for wanted in goal.options:
        every = [(k, v) for k, values in product.options for v in values]
        if every:
            key, value = max(every, key=lambda kv: fuzz.token_set_ratio(kv[1], str(wanted)))
            chosen[key] = value
    return chosen


# -- loading ---------------------------------------------------------------------------------------------------------
def load(
    source: str = "embedded", size: int = DEFAULT_SIZE, catalogue_seed: int = DEFAULT_SEED, accept: str = "strict"
) -> Host:
    """Return the shop.

    Args:
        source: "embedded", or a folder with the original's files.
        size: Products of the embedded catalogue, 1,000 to 1,200,000.
        catalogue_seed: Seed of the embedded catalogue.
        accept: One of `ACCEPT`.

    Raises:
        OptionError: A value out of range.
        DataError: The folder cannot be read.
    """
    if accept not in ACCEPT:
        raise OptionError(f"accept: expected one of {', '.join(ACCEPT)}, got {accept!r}")
    if source == "embedded":
        catalogue, index = _embedded(size, catalogue_seed)
    else:
        catalogue, index = _folder(str(Path(source).resolve()), source)
    return WebShopHost(catalogue, index, source, accept)


@lru_cache(maxsize=2)
def _embedded(size: int, seed: int) -> tuple[Catalogue, SearchIndex]:
    labels: dict[str, dict[str, object]] = {}

    def records() -> Iterator[dict[str, object]]:
        for item in stream(size, seed):
            labels[item.record["asin"]] = item.labels
            yield item.record

    catalogue = Catalogue.from_records(records(), attributes=labels, source=f"embedded catalogue {size}/{seed}")
    return catalogue, SearchIndex.in_memory(catalogue)


@lru_cache(maxsize=2)
def _folder(resolved: str, shown: str) -> tuple[Catalogue, SearchIndex]:
    catalogue = load_catalogue(shown)
    return catalogue, SearchIndex.in_memory(catalogue)
