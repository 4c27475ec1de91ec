"""The official Drift-Bench++ folder, whole or in part, as graphs and samples of this suite.

Source: Drift-Bench++, public release (MIT); formats as in the hosts' notes. Nothing of the release is shipped here: a
user gets the folder and names it.

Decisions.

- Ids and hashes are verified against the content of each file. `strict` raises at the first that differs or cannot be
  read; otherwise a warning is given, the problem is counted, and what can be read is loaded.
- A folder with fewer samples than the release warns and loads. A sample whose tree is absent, and a row that the
  release itself turned away, are not loaded; the report says so, and `Release.sample` says why.
- Of tau2 files the admitted rows count. Rows of the airline's parts for evaluation and learning are "test" and "train";
  a row that only the joint file has is held to be "test". Retail rows of the release are "test"; a packaged sample that
  is not among them is "train" if the release file is complete, else "test": it may be one of the rows missing.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from intent_gym.construct.release import layout
from intent_gym.construct.release.checks import Checks, Problem, ReleaseWarning
from intent_gym.construct.release.intake import Intake
from intent_gym.construct.release.models import ManifestFile, ManifestRow, RemapFile, TreeFile
from intent_gym.construct.release.readers import read_samples
from intent_gym.construct.release.report import PartCount, Report, count_parts
from intent_gym.construct.release.samples import ReleaseSample
from intent_gym.construct.release.transitions import (
    Transitions,
    identifier_owners,
    read_owners,
    runtime_edges,
    stored_edges,
    users_of,
)
from intent_gym.construct.release.trees import Payload, Read, ReleaseTree, check_tree, read_nodes
from intent_gym.core.intent import IntentGraph
from intent_gym.errors import DataError, OptionError, TaskError, suggest

__all__ = ["Release", "load_release"]


@dataclass(frozen=True)
class Release:
    """A release folder, loaded.

    Attributes:
        root: The folder.
        transitions: Which transitions the graphs have: "runtime" or "stored".
        owners: How the airline veto knows whose a node is: "database", "identifiers" (a guess from ids used together),
            "none" (no airline tree, or stored transitions).
        trees: Trees by id.
        samples: Samples by id.
        payload: What a host needs to play a node and an agent must never see, by (tree id, node).
        remap: Present tree ids by the older ones that retail rows hold.
        manifests: Runs of reported experiments, by file.
        problems: All that was found wrong or was not loaded.
        counts: Numbers by part.
        verified: Number of ids and hashes that agreed with their content.
    """

    root: Path
    transitions: Transitions
    owners: str
    trees: Mapping[str, ReleaseTree] = field(repr=False)
    samples: Mapping[str, ReleaseSample] = field(repr=False)
    payload: Mapping[tuple[str, int], Payload] = field(repr=False)
    remap: Mapping[str, str] = field(repr=False)
    manifests: Mapping[str, tuple[ManifestRow, ...]] = field(repr=False)
    problems: tuple[Problem, ...] = field(repr=False)
    counts: tuple[PartCount, ...] = field(repr=False)
    verified: int

    def sample(self, sample_id: str) -> ReleaseSample:
        """Return a sample by id.

        Raises:
            DataError: The folder has the sample, but it could not be loaded: the message says why.
            TaskError: There is no such sample.
        """
        found = self.samples.get(sample_id)
        if found is not None:
            return found
        for problem in self.problems:
            if problem.item == sample_id and problem.kind in ("missing tree", "rejected", "corrupt"):
                raise DataError(f"{self.root / problem.file}: sample {sample_id}: {problem.reason}")
        raise TaskError(f"{self.root}: no sample {sample_id!r}{suggest(sample_id, self.samples)}")

    def select(
        self, host: layout.HostName, *, split: str | None = None, faults: int | None = 1
    ) -> tuple[ReleaseSample, ...]:
        """Return the samples of a host in the order of the release's files.

        Args:
            host: "webshop", "retail" or "airline".
            split: "train" or "test"; None for both.
            faults: Number of faults of a request: 1, 2 or 4; None for any.
        """
        return tuple(
            s
            for s in self.samples.values()
            if s.host == host and split in (None, s.sample.split) and (faults is None or len(s.strategies) == faults)
        )

    def report(self) -> Report:
        """Return the counts found against those of the complete release, and what was not loaded; str() is a table."""
        return Report(self.root, self.transitions, self.owners, self.counts, self.problems, self.verified)


def load_release(
    root: str | Path,
    *,
    strict: bool = True,
    transitions: Transitions = "runtime",
    host_data: str | Path | None = None,
) -> Release:
    """Load the official Drift-Bench++ folder, or a part of it.

    Args:
        root: The folder, with `benchmarks/` or `data/` inside.
        strict: Whether a wrong hash or a corrupt file raises; otherwise it warns and is counted.
        transitions: "runtime" derives them as the release's runtime does; "stored" takes those of the tree files.
        host_data: tau2's data folder; its airline database tells whose a reservation is. Without it that is guessed.

    Raises:
        OptionError: `transitions` is neither.
        DataError: There is nothing of the release in the folder, or, where `strict`, something in it is broken.
    """
    if transitions not in ("runtime", "stored"):
        raise OptionError(f"transitions: expected 'runtime' or 'stored', got {transitions!r}")
    folder = Path(root)
    if not layout.parts(folder):
        raise DataError(
            f"{folder}: expected a folder of the Drift-Bench++ release with {layout.TREES[0].path} or another of its "
            "parts inside, found none of them"
        )
    checks = Checks(folder, strict)
    read = _read_trees(checks)
    owners, told = _owners(read, transitions, host_data)
    trees = {r.id: _tree(r, owners, transitions) for r in read}
    payload = {(r.id, i): p for r in read for i, p in enumerate(r.payloads)}
    manifests = _manifests(checks)
    runs: dict[str, tuple[ManifestRow, ...]] = {}
    for row in itertools.chain.from_iterable(manifests.values()):
        runs[row.sample_id] = (*runs.get(row.sample_id, ()), row)
    intake = Intake(checks, trees, payload, _remap(checks), runs)
    read_samples(intake)
    counts = count_parts(intake, len(list(folder.glob(layout.PACKAGED_SKIPPED))))
    _warn_of_subset(folder, counts)
    return Release(
        folder,
        transitions,
        told,
        trees,
        intake.samples,
        payload,
        intake.remap,
        manifests,
        tuple(checks.problems),
        counts,
        checks.verified,
    )


# -- trees -------------------------------------------------------------------------------------------------------------
def _read_trees(checks: Checks) -> list[Read]:
    """Return the trees of every folder; of two with one id the first."""
    found: dict[str, Read] = {}
    for place in layout.TREES:
        for path in sorted((checks.root / place.path).rglob("*.json")):
            tree = _read_tree(checks, place, path)
            if tree is not None:
                found.setdefault(tree.id, tree)
    return list(found.values())


def _read_tree(checks: Checks, place: layout.Place, path: Path) -> Read | None:
    file = checks.name(path)
    data = checks.read(path)
    tree = checks.parse(TreeFile, data, file, path.stem) if data is not None else None
    if tree is None:
        return None
    check_tree(tree, checks, file)
    try:
        found = read_nodes(tree, place.host, place.part, file)
        stored_edges(found)  # an edge to nowhere is corrupt, whichever transitions are used
    except (LookupError, TypeError, ValueError) as error:
        checks.corrupt(file, path.stem, f"expected the tree of a {place.host} request: {error!r}")
        return None
    return found


def _owners(
    read: Sequence[Read], transitions: Transitions, host_data: str | Path | None
) -> tuple[Mapping[str, str], str]:
    """Return whose the airline's reservations are, and where that was found."""
    airline = [r for r in read if r.host == "airline"]
    if host_data is not None:
        return read_owners(Path(host_data)), "database"
    if transitions == "stored" or not airline:
        return {}, "none"
    return identifier_owners(airline), "identifiers"


def _tree(read: Read, owners: Mapping[str, str], transitions: Transitions) -> ReleaseTree:
    if transitions == "stored":
        found = stored_edges(read)
    else:
        users = [users_of(p, owners) for p in read.payloads] if read.host == "airline" else None
        found = runtime_edges(read, users)
    graph = IntentGraph(read.id, read.intents, found.edges)
    root = read.payloads[0]
    return ReleaseTree(
        read.id,
        read.host,
        read.file,
        read.part,
        read.env_id,
        read.topic,
        graph,
        root.intent_id,
        root.source_record,
        found.vetoed,
    )


# -- other files -------------------------------------------------------------------------------------------------------
def _remap(checks: Checks) -> Mapping[str, str]:
    path = checks.root / layout.REMAP
    data = checks.read(path) if path.is_file() else None
    found = checks.parse(RemapFile, {"ids": data}, checks.name(path), path.stem) if data is not None else None
    return found.ids if found is not None else {}


def _manifests(checks: Checks) -> Mapping[str, tuple[ManifestRow, ...]]:
    found: dict[str, tuple[ManifestRow, ...]] = {}
    for path in sorted(checks.root.glob(layout.MANIFESTS)):
        data = checks.read(path)
        manifest = checks.parse(ManifestFile, data, checks.name(path), path.stem) if data is not None else None
        if manifest is not None:
            found[path.stem] = manifest.rows
    return found


def _warn_of_subset(folder: Path, counts: Iterable[PartCount]) -> None:
    main = [c for c in counts if c.part in ("webshop", "retail", "airline")]
    if any(c.expected is not None and c.found < c.expected for c in main):
        told = ", ".join(f"{c.found} of {c.expected} {c.part}" for c in main)
        warnings.warn(f"{folder} holds a part of the release: {told} samples", ReleaseWarning, stacklevel=3)
