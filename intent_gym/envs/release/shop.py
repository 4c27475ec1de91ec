"""DriftWebShop's host over a release: by the user's full product file, or by the answer sets of the trees alone.

Two rules of acceptance.

- "answer_set": the product is one of the node's recorded purchases, with the recorded options chosen, others beside
  them or none at all. Stricter than the original where another option earns the same.
- "reward", the release's own: the price is within the cap and the original's reward is at least 0.999; where no option
  was chosen, the best are filled in. It needs the products.

Decisions.

- Without products the shop offers what the trees tell of them: every product of an answer set, under a title made of
  its kind and id (the real titles are known for the targets alone and would give them away), with the options and
  features that some node says it has, at the lowest cap under which it is accepted.
- With products only those of the trees' kinds are loaded, as the release serves them. A purchase that the trees record
  and the file has not, or that our reward refuses, is never proposed by `best`.
- What the release calls an option by its place in an instruction ("option:0") is here what the shop calls it ("color",
  "size"), as the node's recorded purchases tell; where they do not, it is a "detail".
- A drift to another product of the same kind is called by its category in the shop.

Source: Drift-Bench++, its WebShop adapter; Yao et al., "WebShop" (2022).
"""

from __future__ import annotations

import json
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from intent_gym.construct.release import FRAME_SLOT, Names, Payload, Release, ReleaseSample, ReleaseTree, ReleaseWarning
from intent_gym.core.intent import Intent, Slot
from intent_gym.envs.host import ActResult, Outcome
from intent_gym.envs.release.host import Material, Node, ReleaseHost, asserted_slots, material
from intent_gym.envs.webshop import browse
from intent_gym.envs.webshop.catalogue import Catalogue, load_catalogue
from intent_gym.envs.webshop.host import FULL_REWARD, best_options, outcome_of
from intent_gym.envs.webshop.reward import RewardGoal, reward
from intent_gym.envs.webshop.search import SearchIndex
from intent_gym.envs.webshop.slots import SLOTS
from intent_gym.envs.webshop.tasks import OPTION_SLOTS
from intent_gym.errors import DataError, OptionError

__all__ = ["WebShopRelease", "load_shop"]

_ATTRIBUTE, _OPTION, _PRICE = "attr:", "option:", "price_upper"
_WORD = re.compile(r"\w+")
_DETAIL = Slot("detail", "detail", "detail", "tag", synonyms=("details", "option", "options", "choice", "variant"))
_FEATURE = next(s for s in SLOTS if s.topic == "feature")
_OWN_OPTIONS = tuple(s for s in SLOTS if s.kind == "choice")


class WebShopRelease(ReleaseHost):
    """DriftWebShop's host over a release.

    Args:
        found: What is played.
        slots: The public slots.
        catalogue: The products, shared.
        source: The release's folder.
        acceptance: "answer_set" or "reward".
        left_out: Why samples of the release are not played, by id.
    """

    name = "webshop"
    turn_cap = 40
    act_help = "search[words], click[label on the page]"
    commit_help = "there is nothing to buy: open a product first, with act search[words] and act click[its id]"

    def __init__(
        self,
        found: Material,
        slots: Sequence[Slot],
        catalogue: Catalogue,
        source: str,
        acceptance: str,
        left_out: Mapping[str, str],
    ) -> None:
        super().__init__(found, slots, source)
        self.catalogue = catalogue
        self.index = SearchIndex.in_memory(catalogue)
        self.acceptance = acceptance
        self._left_out = left_out
        self._rule = _Rule(catalogue, acceptance)
        self._steps = lru_cache(4096)(self._make_steps)

    # -- what is accepted --------------------------------------------------------------------------------------------
    def _recorded(self, node: Node) -> Sequence[Outcome]:
        return [outcome_of(*p) for p in self._rule.reachable(node.payload)]

    def _accepts(self, node: Node, outcome: Outcome) -> bool:
        return self._rule.accepts(node.payload, outcome)

    def _unmet(self, node: Node, outcome: Outcome) -> Iterable[str]:
        """Return the slots whose condition no recorded purchase of this product, with options as chosen, meets."""
        asin, chosen = json.loads(outcome)
        options = {(k, v) for k, v in chosen}
        met = {
            c.slot
            for other in self._by_frame[node.intent.frame]
            for needed in _needed(other.payload).get(asin, ())
            if not options or needed <= options
            for c in other.intent.conditions
            if c in node.intent.conditions
        }
        return node.intent.by_slot.keys() - met

    def score(self, intent: Intent, outcome: Outcome) -> float:
        """Return the original's reward where that is what counts, else the share of conditions met."""
        nodes = self._by_intent.get(intent)
        if self.acceptance == "answer_set" or nodes is None:
            return super().score(intent, outcome)
        asin, chosen = json.loads(outcome)
        product = self.catalogue.products[self.catalogue.by_asin[asin]]
        return min(FULL_REWARD, reward(_goal(nodes[0].payload), product, dict(chosen)).total)

    def explain(self, sample_id: str) -> None:
        """Raise what is known of a sample that the folder holds and that cannot be played."""
        if sample_id in self._left_out:
            raise DataError(f"{self.source}: sample {sample_id}: {self._left_out[sample_id]}")
        super().explain(sample_id)

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

    def noun(self, frame: str) -> str:
        """Return a kind of product as it stands after "I need": they are plurals or stuff."""
        return frame

    def fingerprint(self) -> str:
        """Return a text that differs where the release, the products or what is accepted differs."""
        return f"{super().fingerprint()}:{self.acceptance}:{self.catalogue.fingerprint}"


# -- acceptance ------------------------------------------------------------------------------------------------------
class _Rule:
    """What a node accepts, over some products."""

    def __init__(self, catalogue: Catalogue, acceptance: str) -> None:
        self._catalogue = catalogue
        self._reward = acceptance == "reward"

    def reachable(self, node: Payload) -> list[tuple[str, tuple[tuple[str, str], ...]]]:
        """Return the recorded purchases that the products allow."""
        found = []
        for asin, options in node.purchases:
            product = self._catalogue.get(asin)
            if product is not None and all(v in product.values(k) for k, v in options):
                found.append((product.asin, options))
        return found

    def accepts(self, node: Payload, outcome: Outcome) -> bool:
        asin, chosen = json.loads(outcome)
        if not self._reward:
            options = {(k, v) for k, v in chosen}
            return any(not options or needed <= options for needed in _needed(node).get(asin, ()))
        product = self._catalogue.products[self._catalogue.by_asin[asin]]
        goal = _goal(node)
        if product.price > goal.price_cap:
            return False
        return reward(goal, product, dict(chosen) or best_options(product, goal)).total >= FULL_REWARD

    def satisfiable(self, node: Payload) -> bool:
        """Return whether some recorded purchase can be made and is accepted."""
        return any(self.accepts(node, outcome_of(*p)) for p in self.reachable(node))


def _goal(node: Payload) -> RewardGoal:
    """Return the original's goal of a node."""
    goal: Mapping[str, Any] = node.recipe["goal"]
    return RewardGoal(
        name=str(goal["name"]),
        frame=str(goal["query"]).lower().strip(),
        product_category=str(goal["product_category"]),
        attributes=tuple(map(str, goal["attributes"])),
        options=tuple(map(str, goal["goal_options"])),
        price_cap=float(goal["price_upper"]),
    )


_held: dict[str, Mapping[str, tuple[frozenset[tuple[str, str]], ...]]] = {}


def _needed(node: Payload) -> Mapping[str, tuple[frozenset[tuple[str, str]], ...]]:
    """Return the options that each recorded product must have, one way or another; kept by the node's hash."""
    if node.hash not in _held:
        found: dict[str, tuple[frozenset[tuple[str, str]], ...]] = {}
        for asin, options in node.purchases:
            found[asin] = (*found.get(asin, ()), frozenset(options))
        _held[node.hash] = found
    return _held[node.hash]


# -- names -----------------------------------------------------------------------------------------------------------
def _option_slots(node: Payload, options: Mapping[str, str]) -> dict[str, str]:
    """Return what the shop calls each "option:<i>" of a node: the name under which its purchases hold such a value."""
    votes: Counter[tuple[str, str]] = Counter()
    for _, bought in node.purchases:
        for key, value in bought:
            words = set(_WORD.findall(value))
            for slot, wanted in options.items():
                asked = set(_WORD.findall(wanted.lower()))
                votes[slot, key] += 1 + 100 * len(words & asked) // max(1, len(words | asked))
    found: dict[str, str] = {}
    for (slot, key), _ in sorted(votes.items(), key=lambda v: (-v[1], v[0])):
        name = OPTION_SLOTS.get(key)
        if slot not in found and name is not None and name not in found.values():
            found[slot] = name
    return {s: found.get(s, _detail(s)) for s in options}


def _detail(slot: str) -> str:
    return f"detail_{int(slot.removeprefix(_OPTION)) + 1}"


def _frames(tree: ReleaseTree, payloads: Sequence[Payload]) -> list[str]:
    """Return what each node's kind is called: the cluster at the root, elsewhere the product's own category."""
    named: dict[str, str] = {}
    for node, payload in zip(tree.graph.nodes, payloads, strict=True):
        if node.frame in named:
            continue
        leaf = str(payload.base.get("product_category", "")).rsplit("›", 1)[-1].strip().lower()
        name = leaf if named and leaf else tree.topic
        number = 2
        while name in named.values():
            name, number = f"{leaf or tree.topic} ({number})", number + 1
        named[node.frame] = name
    return [named[n.frame] for n in tree.graph.nodes]


def _names(tree: ReleaseTree, samples: Sequence[ReleaseSample], payloads: Sequence[Payload]) -> Sequence[Names]:
    """Return the shop's names for a tree, one a node."""
    nodes = tree.graph.nodes
    spoken = [s for n in nodes for s in n.by_slot if s.startswith(_ATTRIBUTE)]
    spoken += sorted(s for s in asserted_slots(samples) if s.startswith(_ATTRIBUTE))
    features = {s: f"feature_{i}" for i, s in enumerate(dict.fromkeys(spoken), 1)}
    names = []
    for node, payload, frame in zip(nodes, payloads, _frames(tree, payloads), strict=True):
        asked = {c.slot: str(c.value) for c in node.conditions if c.slot.startswith(_OPTION)}
        slots = {FRAME_SLOT: SLOTS[0].id, _PRICE: "price", **features, **_option_slots(payload, asked)}
        names.append(_own(slots, frame))
    return names


def _own(slots: Mapping[str, str], frame: str) -> Names:
    def slot(name: str) -> str:
        return slots[name] if name in slots else _detail(name)

    return Names(slot, lambda name, value: value, lambda name: frame)


def _slots(found: Material) -> tuple[Slot, ...]:
    """Return the shop's slots, with as many features and details as the trees need."""
    used = {c.slot for n in found.nodes for c in n.intent.conditions}
    for sample in found.samples:
        used |= {c.slot for c in sample.request.literal.conditions} | {e.slot for e in sample.request.edits if e.slot}

    def several(slot: Slot, stem: str) -> list[Slot]:
        most = max((int(s.removeprefix(stem)) for s in used if s.startswith(stem)), default=0)
        return [replace(slot, id=f"{stem}{i}", op="=") for i in range(1, most + 1)]

    price = next(s for s in SLOTS if s.kind == "number")
    return (SLOTS[0], price, *several(_FEATURE, "feature_"), *_OWN_OPTIONS, *several(_DETAIL, "detail_"))


# -- loading ---------------------------------------------------------------------------------------------------------
def load_shop(release: Release, source: str, host_data: str | None, acceptance: str | None) -> WebShopRelease:
    """Return the shop over a release.

    Args:
        release: The release, loaded.
        source: Its folder.
        host_data: The folder of WebShop's product files, None for what the trees tell.
        acceptance: "answer_set" (default without products) or "reward" (default with them).

    Raises:
        OptionError: "reward" without products.
        DataError: The files cannot be read, or they hold no product of any answer set.
    """
    if acceptance == "reward" and host_data is None:
        raise OptionError(
            "acceptance: 'reward' grades a purchase by its product, so it needs host_data=<folder of WebShop's product "
            "files>; without them use 'answer_set'"
        )
    rule = acceptance or ("reward" if host_data is not None else "answer_set")
    found = material(
        release,
        "webshop",
        lambda tree, samples: _names(
            tree, samples, [release.payload[tree.id, i] for i in range(len(tree.graph.nodes))]
        ),
    )
    clusters = {t.topic.lower().strip() for t in release.trees.values() if t.host == "webshop"}
    catalogue = _told(release, found) if host_data is None else load_catalogue(host_data, frames=clusters)
    kept, left_out = _playable(found, catalogue, rule)
    if not kept.samples:
        raise DataError(
            f"host_data: {host_data} holds the products of no sample of the release: expected WebShop's full product "
            f"file, found {len(catalogue):,} products of the trees' kinds. Leave host_data out to play by the answer "
            "sets of the trees."
        )
    if left_out:
        warnings.warn(
            f"{host_data}: {len(left_out)} of {len(found.samples)} samples are left out: the products of some answer "
            "set are not in it",
            ReleaseWarning,
            stacklevel=2,
        )
    return WebShopRelease(kept, _slots(kept), catalogue, source, rule, left_out)


def _playable(found: Material, catalogue: Catalogue, acceptance: str) -> tuple[Material, dict[str, str]]:
    """Return what can be played with some products, and why the other samples cannot."""
    rule = _Rule(catalogue, acceptance)
    lacking: dict[str, str] = {}
    for node in found.nodes:
        if node.tree not in lacking and not rule.satisfiable(node.payload):
            lacking[node.tree] = (
                f"no purchase that node {node.payload.intent_id} of its tree {node.tree} accepts is in the product file"
            )
    left_out = {s.id: lacking[s.graph.id] for s in found.samples if s.graph.id in lacking}
    nodes = tuple(n for n in found.nodes if n.tree not in lacking)
    samples = tuple(s for s in found.samples if s.id not in left_out)
    return replace(found, nodes=nodes, samples=samples), left_out


def _told(release: Release, found: Material) -> Catalogue:
    """Return the products of the answer sets, as far as the trees tell of them."""
    records: dict[str, dict[str, Any]] = {}
    features: dict[str, dict[str, None]] = {}
    for node in found.nodes:
        kind = release.trees[node.tree].topic
        caps = [float(c.value) for c in node.intent.conditions if c.slot == "price"]
        wanted = [str(c.value) for c in node.intent.conditions if c.slot.startswith("feature_")]
        for asin, options in node.payload.purchases:
            record = records.setdefault(
                asin,
                {"asin": asin, "name": f"{kind} {asin.lower()}", "query": kind, "category": kind, "price": None}
                | {"customization_options": {}},
            )
            for key, value in options:
                values = record["customization_options"].setdefault(key, {})
                values[value] = {"value": value}
            record["price"] = min((p for p in (record["price"], *caps) if p is not None), default=None)
            features.setdefault(asin, {}).update(dict.fromkeys(wanted))
    for asin, record in records.items():
        price = record.pop("price")
        record["pricing"] = "" if price is None else f"${price:.2f}"
        record["small_description"] = list(features[asin])
        record["customization_options"] = {k: list(v.values()) for k, v in record["customization_options"].items()}
    return Catalogue.from_records(
        records.values(),
        attributes={asin: {"attributes": list(held)} for asin, held in features.items()},
        source=f"the answer sets of {release.root}",
    )
