"""Takes in samples from whatever file they come: finds their tree, compares what is told twice, counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from intent_gym.construct.release.checks import Checks
from intent_gym.construct.release.ids import compact, source_record
from intent_gym.construct.release.models import ManifestRow
from intent_gym.construct.release.samples import Incoming, ReleaseSample, make_sample
from intent_gym.construct.release.trees import Payload, ReleaseTree

__all__ = ["Intake"]


@dataclass
class Intake:
    """The samples taken in so far.

    Attributes:
        checks: Where problems go.
        trees: Trees by id.
        payload: Of every node.
        remap: Present tree ids by older ones.
        runs: Runs of reported experiments by sample.
        samples: Samples by id, in the order they came.
        found: Ids by part, those included that were not loaded.
        rejected: Rows that the release turned away, by part.
        repeated: Samples that another file gave before, by part.
        missing: Samples whose tree is absent, by part.
    """

    checks: Checks
    trees: Mapping[str, ReleaseTree]
    payload: Mapping[tuple[str, int], Payload]
    remap: Mapping[str, str]
    runs: Mapping[str, tuple[ManifestRow, ...]]
    samples: dict[str, ReleaseSample] = field(default_factory=dict)
    found: dict[str, set[str]] = field(default_factory=dict)
    rejected: Counter[str] = field(default_factory=Counter)
    repeated: Counter[str] = field(default_factory=Counter)
    missing: Counter[str] = field(default_factory=Counter)

    def seen(self, given: Incoming) -> bool:
        """Return whether a file of the same part gave this id before."""
        return given.id in self.found.get(given.part, ())

    def reject(self, part: str, file: str, item: str, reason: str) -> None:
        """Count a row that the release's own verification turned away."""
        self.rejected[part] += 1
        self.checks.note("rejected", file, item, reason)

    def add(self, given: Incoming) -> None:
        """Take in a sample.

        Raises:
            DataError: It is broken, and the checks are strict.
        """
        again = self.seen(given)
        self.found.setdefault(given.part, set()).add(given.id)
        before = self.samples.get(given.id)
        if before is not None:
            self.repeated[given.part] += not again
            if (before.sample.request.text, before.mask) != (given.query, given.mask):
                self.checks.note("note", given.file, given.id, f"differs from the sample of this id in {before.file}")
            return
        if again:
            return
        tree = self.trees.get(given.named_tree) or self.trees.get(self.remap.get(given.named_tree, ""))
        if tree is None:
            self.missing[given.part] += 1
            self.checks.note("missing tree", given.file, given.id, self._absent(given))
            return
        self._compare(given, tree)
        try:
            self.samples[given.id] = make_sample(given, tree, self.runs)
        except ValueError as error:
            self.checks.corrupt(given.file, given.id, f"a literal reading is no intent: {error}")

    def _absent(self, given: Incoming) -> str:
        present = self.remap.get(given.named_tree)
        name = f"{given.named_tree} (now {present})" if present else given.named_tree
        broken = {p.item.rsplit("/", 1)[-1] for p in self.checks.problems if p.kind == "corrupt"}
        broken |= {p.file.rsplit("/", 1)[-1] for p in self.checks.problems if p.kind == "corrupt"}
        if f"{present or given.named_tree}.json" in broken:
            return f"its tree {name} could not be read"
        return f"its tree {name} is not in the folder"

    def _compare(self, given: Incoming, tree: ReleaseTree) -> None:
        """Compare what a sample repeats of its tree with the tree."""
        root = self.payload[tree.id, 0]
        checks, file = self.checks, given.file
        if given.root_id is not None:
            checks.same(file, f"{given.id}, hidden_intent.intent_id", given.root_id, root.intent_id)
        if given.truth_hash is not None:
            checks.same(file, f"{given.id}, ground_truth.hash", given.truth_hash, root.hash)
        if given.source_text is not None and root.asin is not None and root.source_record is not None:
            record = source_record(root.asin, given.source_text)
            checks.same(tree.file, f"source_record (by sample {given.id})", root.source_record, record)
        if given.root_conditions is not None:
            told = {compact(c) for c in given.root_conditions}
            if told != {compact(c.to_json()) for c in tree.graph.root.conditions}:
                checks.note("note", file, given.id, f"its conditions are not those of the root of tree {tree.id}")
        if given.hidden is not None and tuple(sorted(given.hidden)) != given.mask.hidden:
            checks.note("note", file, given.id, "its hidden slots are not those of its mask")
