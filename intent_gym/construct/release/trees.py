"""Trees of the release as intent graphs, and beside them what an agent must never see.

Decisions.

- The root is node 0, the children follow in the order of the file.
- A frame is what a person would call the thing: the cluster of a WebShop tree, the tools of a tau2 request. Two nodes
  with different bases never share a frame (so that `core.intent.relation` says pivot where the release does): a second
  base of one name is called "<name> (2)" and so on. Numbers follow the order of the nodes and tell nothing of the base.
- Slots and values stay as the release writes them; `names` gives them those of a host.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from intent_gym.construct.release.checks import Checks
from intent_gym.construct.release.ids import compact, env_id, intent_id, tree_id, truth_hash
from intent_gym.construct.release.layout import HostName
from intent_gym.construct.release.models import EdgeFile, GroundTruth, NodeFile, TreeFile
from intent_gym.core.intent import Condition, Intent, IntentGraph

__all__ = ["FRAME_SLOT", "Action", "Payload", "Read", "ReleaseTree", "check_tree", "read_nodes"]

FRAME_SLOT = "frame"
"""Slot 0 of the release's graphs."""


@dataclass(frozen=True, slots=True)
class Action:
    """One call of a recipe."""

    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class Payload:
    """What a host needs to play a node. Hidden from agents: names, products and recipes give the answer away.

    Attributes:
        intent_id: The node's id in the release.
        base: The thing wanted, as stored.
        actions: tau2: the complete golden calls, derived arguments filled in. Empty for WebShop.
        recipe: The recipe as stored.
        truth: The stored ground truth.
        purchases: WebShop: (product, ((option name, value), ...)) of every acceptable purchase; only the product part
            is monotone under refine and relax.
        state: tau2: hash of the database after the actions.
        asin: WebShop: the product that the intent was made from.
        source_record: The record of the dataset that the node comes from; None for a synthetic node. Of a tau2 root it
            is the task id.
    """

    intent_id: str
    base: Mapping[str, Any] = field(repr=False)
    actions: tuple[Action, ...] = field(repr=False)
    recipe: Mapping[str, Any] = field(repr=False)
    truth: GroundTruth = field(repr=False)
    purchases: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = field(repr=False)
    state: str | None
    asin: str | None = field(repr=False)
    source_record: str | None

    @property
    def hash(self) -> str:
        """Hash of the ground truth."""
        return self.truth.hash


@dataclass(frozen=True)
class ReleaseTree:
    """A tree of the release.

    Attributes:
        id: The tree's id, which is the graph's.
        host: "webshop", "retail" or "airline".
        file: Path below the release's folder.
        part: Kind of file in the report.
        env_id: The release's environment id.
        topic: WebShop: the cluster (what a person would type into the search); tau2: the domain.
        graph: Intents and transitions.
        root_id: Intent id of the root.
        task: Source record of the root: the tau2 task id.
        vetoed: Number of transitions that the host's veto took away (airline: other passenger).
    """

    id: str
    host: HostName
    file: str
    part: str
    env_id: str
    topic: str
    graph: IntentGraph
    root_id: str
    task: str | None
    vetoed: int


@dataclass(frozen=True)
class Read:
    """A tree as read, before its transitions are derived."""

    id: str
    host: HostName
    file: str
    part: str
    env_id: str
    topic: str
    intents: tuple[Intent, ...]
    payloads: tuple[Payload, ...]
    stored: tuple[EdgeFile, ...]


def check_tree(tree: TreeFile, checks: Checks, file: str) -> None:
    """Verify every hash of a tree, and that its file is where the release would put it."""
    for node in (tree.root, *tree.children):
        item = f"node {node.intent_id}"
        found = intent_id(tree.adapter, tree.adapter_version, tree.env_id, node.base, node.conditions)
        checks.same(file, f"{item}, intent_id", node.intent_id, found)
        truth = node.ground_truth
        checks.same(file, f"{item}, ground_truth.hash", truth.hash, truth_hash(truth.kind, truth.value))
    found = tree_id(tree.env_id, tree.root.intent_id, (c.intent_id for c in tree.children), tree.config)
    checks.same(file, "tree_id", tree.tree_id, found)
    checks.same(file, "file name", file.rsplit("/", 1)[-1], f"{tree.tree_id}.json")
    if tree.adapter == "webshop":
        checks.same(file, "env_id", tree.env_id, env_id(str(tree.env_spec.get("cluster"))))


def read_nodes(tree: TreeFile, host: HostName, part: str, file: str) -> Read:
    """Return a tree's intents and payloads.

    Raises:
        ValueError: A node is not what its host's nodes are.
    """
    nodes = (tree.root, *tree.children)
    topic = str(tree.env_spec["cluster" if host == "webshop" else "domain"])
    frames = _frames(nodes, topic, host)
    intents = tuple(
        Intent(frame, tuple(Condition(*c) for c in node.conditions)) for frame, node in zip(frames, nodes, strict=True)
    )
    payloads = tuple(_payload(node, host) for node in nodes)
    return Read(tree.tree_id, host, file, part, tree.env_id, topic, intents, payloads, tree.edges)


def _frames(nodes: Sequence[NodeFile], topic: str, host: HostName) -> list[str]:
    """Return what each node's base is called, one name a base."""
    named: dict[str, str] = {}
    used: dict[str, int] = {}
    for node in nodes:
        key = compact(node.base)
        if key in named:
            continue
        name = topic if host == "webshop" else " + ".join(node.base["writes"]) or "no change"
        used[name] = used.get(name, 0) + 1
        named[key] = name if used[name] == 1 else f"{name} ({used[name]})"
    return [named[compact(node.base)] for node in nodes]


def _payload(node: NodeFile, host: HostName) -> Payload:
    truth, recipe = node.ground_truth, node.recipe
    actions: tuple[Action, ...] = ()
    purchases: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = ()
    state = asin = None
    if host == "webshop":
        asin = str(node.base["asin"])
        if truth.kind != "purchaseset" or isinstance(truth.value, str):
            raise ValueError(
                f"node {node.intent_id}: expected a ground truth of kind 'purchaseset', got {truth.kind!r}"
            )
        purchases = tuple(_purchase(text) for text in truth.value)
    else:
        if truth.kind != "statehash" or not isinstance(truth.value, str):
            raise ValueError(f"node {node.intent_id}: expected a ground truth of kind 'statehash', got {truth.kind!r}")
        actions = tuple(Action(str(a["name"]), dict(a["arguments"])) for a in recipe["actions"])
        state = str(json.loads(truth.value)["db"])
    return Payload(node.intent_id, node.base, actions, recipe, truth, purchases, state, asin, node.source_record)


def _purchase(text: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    asin, options = json.loads(text)
    return str(asin), tuple((str(name), str(value)) for name, value in options)
