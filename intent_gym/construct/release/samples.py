"""Samples of the release, in each of their three layouts, as samples of this suite."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from intent_gym.construct.release.layout import HostName
from intent_gym.construct.release.masks import blind, edits_of, literal_of, readings_of
from intent_gym.construct.release.models import ManifestRow, MaskFile, Signature, Triple
from intent_gym.construct.release.trees import ReleaseTree
from intent_gym.core.intent import Intent
from intent_gym.core.sample import Request, Sample

__all__ = ["Incoming", "ReleaseSample", "make_sample"]


@dataclass(frozen=True)
class ReleaseSample:
    """A sample of the release, whole. Only `sample.request.text` is for agents.

    Attributes:
        id: The release's id. tau2 rows have none: "<tree>__<strategy>" as the packaged files spell it, composites with
            "__<number of the combination>".
        part: Kind of file in the report: "webshop", "retail", "airline composite k=2" ...
        file: Path below the release's folder.
        host: "webshop", "retail" or "airline".
        tree_id: The present tree's id.
        named_tree: The tree id that the file holds: retail rows hold older ones.
        sample: The case that an episode plays; its graph is that of all samples of the tree.
        readings: What the text literally says, one reading after another, the true one first.
        mask: What the request does to the truth, as stored.
        signature: Sizes of answer sets, as stored.
        source_text: WebShop: the instruction that a person wrote, a clean telling; None for tau2.
        goal: WebShop: number of the original goal.
        guessable: Whether `sample.blind` is known; where it is not, `guess_ceiling` says 1.
        runs: The runs of reported experiments that used this sample.
    """

    id: str
    part: str
    file: str
    host: HostName
    tree_id: str
    named_tree: str
    sample: Sample
    readings: tuple[Intent, ...] = field(repr=False)
    mask: MaskFile = field(repr=False)
    signature: Signature = field(repr=False)
    source_text: str | None = field(repr=False)
    goal: int | None
    guessable: bool
    runs: tuple[ManifestRow, ...] = field(repr=False)

    @property
    def strategies(self) -> tuple[str, ...]:
        """The faults, in the order drawn; in retail composites one may stand twice."""
        return self.sample.request.faults

    @property
    def hidden(self) -> tuple[str, ...]:
        """Slots that the request fails to convey, those of a presupposition included."""
        return self.sample.request.hidden


@dataclass(frozen=True)
class Incoming:
    """What the three layouts have in common."""

    id: str
    part: str
    file: str
    host: HostName
    named_tree: str
    split: str
    query: str
    strategies: tuple[str, ...]
    mask: MaskFile
    signature: Signature
    source_text: str | None = None
    goal: int | None = None
    root_id: str | None = None
    """Id of the true intent, where the file repeats it."""
    root_conditions: tuple[Triple, ...] | None = None
    truth_hash: str | None = None
    hidden: tuple[str, ...] | None = None
    """All hidden slots, where the file names them."""


def make_sample(given: Incoming, tree: ReleaseTree, runs: Mapping[str, tuple[ManifestRow, ...]]) -> ReleaseSample:
    """Return a sample of this suite.

    Raises:
        ValueError: A literal reading is no intent.
    """
    root = tree.graph.root
    edits = edits_of(given.mask, root)
    readings = readings_of(given.mask, root)
    chances = blind(edits, given.signature, sets=given.host == "webshop")
    literal = literal_of(readings, edits, root)
    request = Request(given.query, given.strategies, edits, literal)
    return ReleaseSample(
        given.id,
        given.part,
        given.file,
        given.host,
        tree.id,
        given.named_tree,
        Sample(given.id, given.split, tree.graph, request, chances or ()),
        readings,
        given.mask,
        given.signature,
        given.source_text,
        given.goal,
        chances is not None,
        runs.get(given.id, ()),
    )
