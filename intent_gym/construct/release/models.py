"""The release's files as they are stored, checked where they enter.

The release spells one id `tree_id` or `graph_id`; both are read everywhere. Unknown keys are left alone and unknown
labels kept: later versions of the release may add some.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, StrictBool, StrictFloat, StrictInt, StrictStr

__all__ = [
    "EdgeFile",
    "GroundTruth",
    "ManifestFile",
    "MaskFile",
    "NodeFile",
    "PackagedFile",
    "RemapFile",
    "RowFile",
    "RowsFile",
    "ShopSampleFile",
    "TreeFile",
    "Triple",
]

_Value: TypeAlias = StrictStr | StrictInt | StrictFloat
_Op: TypeAlias = Literal["=", "<=", ">=", "contains"]
Triple: TypeAlias = tuple[StrictStr, _Op, _Value]
_TreeId: TypeAlias = Annotated[StrictStr, Field(validation_alias=AliasChoices("tree_id", "graph_id", "tree", "graph"))]


class _File(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class GroundTruth(_File):
    """What is acceptable: a purchase set (list of texts) or an end state (one text)."""

    kind: StrictStr
    value: list[StrictStr] | StrictStr
    hash: StrictStr


class NodeFile(_File):
    """A node of a tree."""

    intent_id: StrictStr
    conditions: tuple[Triple, ...]
    base: dict[str, Any]
    recipe: dict[str, Any]
    ground_truth: GroundTruth
    source_record: StrictStr | None


class EdgeFile(_File):
    """A stored edge, always from the root to a child."""

    src: StrictStr
    dst: StrictStr
    operator: Literal["REFINEMENT", "RELAXATION", "SUBSTITUTION", "PIVOT"]
    gt_moved: StrictBool


class TreeFile(_File):
    """A tree."""

    tree_id: _TreeId
    adapter: Literal["webshop", "tau2_retail", "tau2_airline"]
    adapter_version: StrictStr
    env_id: StrictStr
    env_spec: dict[str, Any]
    root: NodeFile
    children: tuple[NodeFile, ...]
    edges: tuple[EdgeFile, ...]
    config: dict[str, Any]


class Presupposed(_File):
    """A requirement taken as impossible."""

    text: StrictStr
    condition: Triple | None = None
    about: tuple[StrictStr, _Value]
    alternative: tuple[StrictStr, _Value] | None = None


class Ambiguous(_File):
    """An expression of two readings."""

    surface: StrictStr
    placements: tuple[tuple[StrictStr, _Value | None], ...]


class Extra(_File):
    """A property that does not matter."""

    text: StrictStr
    condition: Triple | None = None


class MaskFile(_File):
    """What a request does to the truth."""

    pipeline: StrictStr = ""
    strategy_id: StrictStr
    family: StrictStr
    governing_kind: StrictStr
    substituted: tuple[tuple[StrictStr, _Value, _Value], ...]
    presupposed: tuple[Presupposed, ...]
    withheld: tuple[StrictStr, ...]
    marked: tuple[tuple[StrictStr, StrictStr], ...]
    ambiguous: tuple[Ambiguous, ...]
    extras: tuple[Extra, ...]
    noise: StrictBool
    oblique: StrictBool
    offtopic_span: StrictStr | None = None
    hidden_slots: tuple[StrictStr, ...]
    literal_readings: tuple[tuple[Triple, ...], ...]
    spec_id: StrictStr

    @property
    def hidden(self) -> tuple[str, ...]:
        """All slots that the request fails to convey, sorted: those stored, and what a presupposition is about."""
        return tuple(sorted({*self.hidden_slots, *(p.about[0] for p in self.presupposed)}))


class Signature(_File):
    """The size of the answer sets that the release's verification saw."""

    rule: StrictStr | None = None
    verdict: StrictStr
    true_card: StrictInt | None = None
    lit_card: StrictInt | None = None
    reading_cards: tuple[StrictInt, ...] | None = None


class HiddenIntent(_File):
    """The truth as a sample repeats it."""

    intent_id: StrictStr | None = None
    conditions: tuple[Triple, ...]
    hidden_slots: tuple[StrictStr, ...]


class ShopSampleFile(_File):
    """A WebShop sample, single or composite."""

    sample_id: StrictStr
    tree_id: _TreeId
    cluster: StrictStr
    goal_idx: StrictInt
    split: StrictStr
    source_instruction: StrictStr
    query: StrictStr
    strategy_ids: tuple[StrictStr, ...]
    misalignments: StrictInt
    mask: MaskFile
    signature: Signature
    hidden_intent: HiddenIntent
    ground_truth: GroundTruth


class RowFile(_File):
    """An admitted row of a tau2 file."""

    tree_id: _TreeId
    strategy: StrictStr
    strategy_ids: tuple[StrictStr, ...] = ()
    k: StrictInt = 1
    combo_idx: StrictInt | None = None
    query: StrictStr
    mask: MaskFile
    signature: Signature
    root_conditions: tuple[Triple, ...]


class RowsFile(_File):
    """A tau2 file of many rows."""

    results: list[dict[str, Any]]


class PackagedFile(_File):
    """A tau2 sample in a file of its own."""

    sample_id: StrictStr
    tree_id: _TreeId
    query: StrictStr
    strategy_ids: tuple[StrictStr, ...]
    mask: MaskFile
    signature: Signature
    hidden_intent: HiddenIntent


class RemapFile(_File):
    """Old tree ids and the present ones."""

    ids: dict[StrictStr, StrictStr]


class ManifestRow(_File):
    """One run of a reported experiment."""

    sample_id: StrictStr
    tree_id: _TreeId
    strategy_id: StrictStr
    persona: StrictStr
    episode_seed: StrictInt


class ManifestFile(_File):
    """The runs of a reported experiment."""

    persona: StrictStr
    seed: StrictInt
    rows: tuple[ManifestRow, ...]
