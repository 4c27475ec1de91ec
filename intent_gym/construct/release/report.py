"""What was found of the release, part by part, and what was not loaded and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from intent_gym.construct.release.checks import Problem
from intent_gym.construct.release.intake import Intake
from intent_gym.construct.release.layout import EXPECTED
from intent_gym.core.intent import RELATIONS

if TYPE_CHECKING:
    from intent_gym.construct.release.loader import Release

__all__ = ["PartCount", "Report", "count_parts", "describe"]

_REASONS = 12
"""Most reasons of one kind that are printed."""


class PartCount(NamedTuple):
    """Numbers of one part of the release."""

    part: str
    found: int
    """Admitted samples, or trees, that the folder holds."""
    expected: int | None
    """How many the complete release holds; None where that is not known."""
    loaded: int
    missing: int = 0
    """Samples whose tree the folder has not."""
    repeated: int = 0
    """Samples that another part holds too, and that are loaded from there."""
    rejected: int = 0
    """Rows that the release's own verification turned away."""


def count_parts(intake: Intake, telecom: int) -> tuple[PartCount, ...]:
    """Return the numbers of every part that is known or was found."""
    loaded = Counter(s.part for s in intake.samples.values())
    trees = Counter(t.part for t in intake.trees.values())
    counts = []
    for part in dict.fromkeys((*EXPECTED, *sorted(intake.found), *sorted(intake.rejected))):
        if part.split(" (")[0].endswith("trees"):
            counts.append(PartCount(part, trees[part], EXPECTED.get(part), trees[part]))
            continue
        found = len(intake.found.get(part, ()))
        counts.append(
            PartCount(
                part,
                found,
                EXPECTED.get(part),
                loaded[part],
                intake.missing[part],
                intake.repeated[part],
                intake.rejected[part],
            )
        )
    return (*counts, PartCount("telecom packaged (not loaded)", telecom, 857, 0))


@dataclass(frozen=True)
class Report:
    """Counts and problems of a folder; `str()` is a table.

    Attributes:
        root: The folder.
        transitions: Which transitions the graphs have.
        owners: Whose data the airline veto went by.
        counts: Numbers by part.
        problems: What was found wrong or not loaded.
        verified: Number of ids and hashes that agreed with their content.
    """

    root: Path
    transitions: str
    owners: str
    counts: tuple[PartCount, ...]
    problems: tuple[Problem, ...]
    verified: int

    @property
    def complete(self) -> bool:
        """Whether every part has as many as the complete release."""
        return all(c.found >= c.expected for c in self.counts if c.expected is not None)

    def by_kind(self, kind: str) -> tuple[Problem, ...]:
        """Return the problems of one kind."""
        return tuple(p for p in self.problems if p.kind == kind)

    def __str__(self) -> str:
        rows = [
            (
                c.part,
                str(c.found),
                "?" if c.expected is None else f"{c.expected:,}",
                *(str(n or "") for n in (c.loaded, c.missing, c.repeated, c.rejected)),
            )
            for c in self.counts
        ]
        head = ("part", "found", "of", "loaded", "no tree", "elsewhere", "rejected")
        lines = [str(self.root), *_table(head, rows), "", f"ids and hashes verified: {self.verified:,}"]
        if not self.complete:
            lines.append("This is a part of the release: do not report benchmark numbers from it.")
        if self.owners == "identifiers":
            lines.append("airline: without tau2's data, whose a reservation is was guessed from ids used together")
        for kind in ("hash", "corrupt", "note", "missing tree", "rejected"):
            lines += self._told(kind)
        return "\n".join(lines)

    def _told(self, kind: str) -> list[str]:
        """Return the lines about one kind of problem; rejected rows are counted by reason."""
        found = self.by_kind(kind)
        if not found:
            return []
        names = [p.reason if kind == "rejected" else f"{p.item}: {p.reason} [{p.file}]" for p in found]
        reasons = Counter(names).most_common()
        lines = ["", f"{kind}: {len(found)}"]
        lines += [f"  {n:>5}  {reason}" for reason, n in reasons[:_REASONS]]
        more = sum(n for _, n in reasons[_REASONS:])
        return [*lines, f"  {more:>5}  others"] if more else lines


def describe(release: Release) -> str:
    """Return what a folder holds: its report, samples by fault, transitions by relation."""
    faults: dict[str, Counter[str]] = {}
    for sample in release.samples.values():
        for name in sample.strategies:
            faults.setdefault(name, Counter())[sample.host] += 1
    hosts = ("webshop", "retail", "airline")
    lines = [str(release.report()), "", f"Transitions ({release.transitions}), all trees"]
    rows = []
    for host in hosts:
        trees = [t for t in release.trees.values() if t.host == host]
        edges = [e for t in trees for e in t.graph.edges]
        kinds = Counter(e.relation for e in edges)
        nodes = sum(len(t.graph.nodes) for t in trees)
        rows.append(
            (
                host,
                *(str(n) for n in (len(trees), nodes, *(kinds[r] for r in RELATIONS), len(edges))),
                str(sum(e.moves for e in edges)),
                str(sum(t.vetoed for t in trees)),
            )
        )
    lines += _table(("host", "trees", "nodes", *RELATIONS, "all", "moving", "vetoed"), rows)
    lines += ["", "Samples by fault, composites included"]
    told = [(name, *(str(faults[name][h] or "") for h in hosts)) for name in sorted(faults)]
    return "\n".join((*lines, *_table(("fault", *hosts), told)))


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a table, first column to the left, the others to the right."""
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]

    def line(row: Sequence[str]) -> str:
        first, *others = (
            cell.rjust(w) if i else cell.ljust(w) for i, (cell, w) in enumerate(zip(row, widths, strict=True))
        )
        return "  ".join((first, *others)).rstrip()

    return [line(head), *(line(row) for row in rows)]
