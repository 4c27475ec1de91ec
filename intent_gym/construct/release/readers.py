"""Reads the sample files of the release: one file a sample, many rows a file, packaged files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from intent_gym.construct.release import layout
from intent_gym.construct.release.ids import sample_id, spec_id, truth_hash
from intent_gym.construct.release.intake import Intake
from intent_gym.construct.release.layout import Place
from intent_gym.construct.release.models import PackagedFile, RowFile, RowsFile, ShopSampleFile
from intent_gym.construct.release.samples import Incoming

__all__ = ["read_samples"]

_ADMITTED = "admitted"


def read_samples(intake: Intake) -> None:
    """Take in every sample of the folder.

    Raises:
        DataError: A file is broken, and the checks are strict.
    """
    root = intake.checks.root
    for place in layout.SAMPLES:
        for path in sorted((root / place.path).glob("*.json")):
            _shop_sample(intake, place, path)
    for place, split in layout.ROWS:
        if (root / place.path).is_file():
            _rows(intake, place.part, place, root / place.path, split or "test")
    for place in layout.COMPOSITES:
        for path in sorted(root.glob(place.path)):
            _rows(intake, f"{place.part} k={path.stem.rsplit('_k', 1)[-1]}", place, path, "test")
    complete = len(intake.found.get("retail", ())) >= (layout.EXPECTED["retail"] or 0)
    for path in sorted(root.glob(layout.PACKAGED.path)):
        _packaged(intake, layout.PACKAGED, path, "train" if complete else "test")


def _shop_sample(intake: Intake, place: Place, path: Path) -> None:
    checks = intake.checks
    data = checks.read(path)
    file = checks.name(path)
    found = checks.parse(ShopSampleFile, data, file, path.stem) if data is not None else None
    if data is None or found is None:
        return
    _check_spec(intake, file, found.sample_id, data)
    computed = sample_id(found.tree_id, found.strategy_ids, found.mask.spec_id)
    checks.same(file, f"{found.sample_id}, sample_id", found.sample_id, computed)
    truth = found.ground_truth
    checks.same(file, f"{found.sample_id}, ground_truth.hash", truth.hash, truth_hash(truth.kind, truth.value))
    part = place.part if found.misalignments == 1 else f"{place.part} k={found.misalignments}"
    intake.add(
        Incoming(
            found.sample_id,
            part,
            file,
            place.host,
            found.tree_id,
            found.split,
            found.query,
            found.strategy_ids,
            found.mask,
            found.signature,
            source_text=found.source_instruction,
            goal=found.goal_idx,
            root_id=found.hidden_intent.intent_id,
            root_conditions=found.hidden_intent.conditions,
            truth_hash=truth.hash,
        )
    )


def _rows(intake: Intake, part: str, place: Place, path: Path, split: str) -> None:
    checks, file = intake.checks, intake.checks.name(path)
    data = checks.read(path)
    table = checks.parse(RowsFile, data, file, "results") if data is not None else None
    if table is None:
        return
    times: Counter[str] = Counter()
    for number, row in enumerate(table.results):
        if row.get("status") != _ADMITTED:
            reason = f"{row.get('status')}: {row.get('verdict', 'no verdict stored')}"
            intake.reject(part, file, _row_id(row), reason)
            continue
        found = checks.parse(RowFile, row, file, f"row {number}")
        if found is None:
            continue
        name = _row_id(row)
        times[name] += 1
        if times[name] > 1:  # composites are not unique by tree, faults and number in every version
            name = f"{name}~{times[name]}"
        _check_spec(intake, file, name, row)
        given = Incoming(
            name,
            part,
            file,
            place.host,
            found.tree_id,
            split,
            found.query,
            found.strategy_ids or tuple(found.strategy.split("+")),
            found.mask,
            found.signature,
            root_conditions=found.root_conditions,
        )
        intake.add(given)


def _row_id(row: Mapping[str, Any]) -> str:
    """Return the id that the packaged files give to a row; of a composite, with the number of the combination."""
    tree = next((row[k] for k in ("tree", "tree_id", "graph_id", "graph") if k in row), "?")
    name = f"{tree}__{row.get('strategy', '?')}"
    return f"{name}__{row['combo_idx']}" if "combo_idx" in row else name


def _packaged(intake: Intake, place: Place, path: Path, split: str) -> None:
    checks, file = intake.checks, intake.checks.name(path)
    data = checks.read(path)
    found = checks.parse(PackagedFile, data, file, path.stem) if data is not None else None
    if data is None or found is None:
        return
    _check_spec(intake, file, found.sample_id, data)
    checks.same(file, "sample_id", found.sample_id, f"{found.tree_id}__{found.mask.strategy_id}")
    intake.add(
        Incoming(
            found.sample_id,
            place.part,
            file,
            place.host,
            found.tree_id,
            split,
            found.query,
            found.strategy_ids,
            found.mask,
            found.signature,
            root_conditions=found.hidden_intent.conditions,
            hidden=found.hidden_intent.hidden_slots,
        )
    )


def _check_spec(intake: Intake, file: str, name: str, data: Mapping[str, Any]) -> None:
    intake.checks.same(file, f"{name}, mask.spec_id", data["mask"]["spec_id"], spec_id(data["mask"]))
