"""Reports of run folders: as tables for a terminal, as Markdown, as JSON.

Every cell is the mean over seeds ± the standard deviation over seeds, with the number of episodes that define the
signal below it. Shares are in percent. Episodes that failed are in no cell; they are counted and listed apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from intent_gym.evaluation.columns import COLUMNS, GROUPS, Column, cell, number
from intent_gym.evaluation.conditions import Comparison, Gap
from intent_gym.evaluation.evolving import Group, groups
from intent_gym.evaluation.evolving import to_json as evolving_json
from intent_gym.evaluation.evolving_report import GLOSSARY, NOTE, grids
from intent_gym.evaluation.grids import Grid, bare_table, markdown_lines, markdown_row, print_grid
from intent_gym.evaluation.labels import agent_label, condition_of, is_evolving, title_of
from intent_gym.evaluation.realism import MIN_TURNS
from intent_gym.evaluation.results import Results
from intent_gym.evaluation.statistics import family_macro
from intent_gym.evaluation.store import EpisodeError
from intent_gym.registration import ENVIRONMENTS

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

__all__ = ["Section", "markdown", "print_report", "sections", "to_json"]

_GAP_NAMES: Mapping[str, str] = {
    "idg": "IDG: clean - drift, on the intent the drift run ended with",
    "drift_gap": "drift gap: clean - drift, on the intent the drift run began with",
    "length_gap": "length gap: clean - control, what the mere length costs",
    "tracking_gap": "tracking gap: oracle - drift, what not knowing the intent costs",
}
_CEILING = (
    "probability that guessing without a question hits the truth, with as many commits as patience pays for; mean over "
    "the episodes whose request hides something"
)
_SHOWN_ERRORS = 5
_GUTTER = 2
"""Spaces between columns."""


@dataclass(frozen=True)
class Section:
    """Runs that can be compared: one environment, the same options but for the condition.

    Attributes:
        title: Environment and options.
        env_id: Registered id.
        runs: Results by label (agent, then the condition where there are several), one line each.
        comparisons: Runs under several conditions by agent.
    """

    title: str
    env_id: str
    runs: Mapping[str, Results]
    comparisons: Mapping[str, Comparison]

    @property
    def evolving(self) -> bool:
        """Whether its runs are of the evolving protocol, which has tables of its own over all families."""
        return any(is_evolving(results.config) for results in self.runs.values())


def sections(runs: Iterable[Results]) -> list[Section]:
    """Sort runs into sections."""
    grouped: dict[str, dict[tuple[str, str], Results]] = {}
    for results in runs:
        config = results.config
        condition = condition_of(config)
        group = grouped.setdefault(title_of(config), {})
        name, again = agent_label(config), 2
        while (name, condition) in group:
            name, again = f"{agent_label(config)} ({again})", again + 1
        group[name, condition] = results
    return [_section(title, group) for title, group in grouped.items()]


def _section(title: str, group: Mapping[tuple[str, str], Results]) -> Section:
    conditions = {condition for _, condition in group}
    runs = {
        agent if len(conditions) == 1 else f"{agent}\n{condition}": results
        for (agent, condition), results in group.items()
        if condition != "root"  # a part of a run: it counts in drift_gap only
    }
    comparisons = {}
    for agent in dict.fromkeys(agent for agent, _ in group):
        own = {condition: results for (name, condition), results in group.items() if name == agent}
        if "drift" in own and len(own) > 1:
            comparisons[agent] = Comparison(own)
    return Section(title, title.partition(" ")[0], runs, comparisons)


# -- terminal --------------------------------------------------------------------------------------------------------
def print_report(found: Sequence[Section], console: Console, *, explain: bool = False) -> None:
    """Print tables that fit the console: columns are split by GRIP dimension, never squeezed."""
    silent = [section for section in found if not section.evolving]
    for section in silent:
        console.print(section.title, style="bold", highlight=False)
        _print_table(console, "", _runs_table(section))
        for columns in _fitting(section, console.width):
            names = ", ".join(GROUPS[g].partition(":")[0] for g in dict.fromkeys(c.group for c in columns))
            _print_table(console, names, _signal_table(section, columns))
        if section.comparisons:
            title = "Gaps in CAR: percentage points, 95 % paired bootstrap interval over cases"
            _print_table(console, title, _gap_table(section))
        if controls := list(_realism_lines(section)):
            console.print()
            console.print("\n".join(controls), highlight=False, markup=False)
        _print_errors(section, console)
        console.print()
    for line in _macro_lines(silent):
        console.print(line, highlight=False)
    if silent:
        console.print(
            "mean±sd over seeds, in % but for patience and reaction; below it the episodes that define the signal.",
            style="dim",
            highlight=False,
        )
        if explain:
            _print_glossary(console)
    _print_evolving([section for section in found if section.evolving], console, explain=explain)


def _print_evolving(found: Sequence[Section], console: Console, *, explain: bool) -> None:
    for group in _groups(found):
        console.print(group.title, style="bold", highlight=False, markup=False)
        for grid in grids(group):
            print_grid(grid, console)
        console.print()
    for section in found:
        _print_errors(section, console)
    if found:
        console.print(NOTE, style="dim", highlight=False)
    if found and explain:
        glossary = Grid("What the columns mean", ("column", "meaning"), tuple(GLOSSARY.items()), 2, prose=True)
        print_grid(glossary, console)


def _groups(found: Sequence[Section]) -> list[Group]:
    return groups(results for section in found for results in section.runs.values())


def _present(section: Section) -> list[Column]:
    """Return the columns that some run defines; CAR goes without a column where it is success in every episode."""
    runs = section.runs.values()
    found = [c for c in COLUMNS if any(r.summary.get(c.signal, {"n": 0})["n"] for r in runs)]
    if all(row.signals["success"] == row.signals["full_credit"] for results in runs for row in results.rows):
        found = [replace(c, header="success\n= CAR") if c.signal == "success" else c for c in found]
        found = [c for c in found if c.signal != "full_credit"]
    return found


def _text(section: Section, column: Column) -> list[str]:
    texts = []
    for results in section.runs.values():
        entry = results.summary.get(column.signal)
        texts.append(f"{cell(entry, column.share)}\n{int(entry['n']) if entry else 0}")
    return texts


def _fitting(section: Section, width: int) -> list[list[Column]]:
    """Return the columns of each table: a dimension stays together where it fits, and fills up where there is room."""
    room = width - max((len(line) for label in section.runs for line in label.split("\n")), default=5)
    need = {
        column.signal: _GUTTER
        + max(len(line) for text in (column.header, *_text(section, column)) for line in text.split("\n"))
        for column in _present(section)
    }
    tables: list[list[Column]] = []
    for group in GROUPS:
        columns = [column for column in _present(section) if column.group == group]
        used = sum(need[c.signal] for c in tables[-1]) if tables else room
        if sum(need[c.signal] for c in columns) + used <= room:
            tables[-1] += columns
            continue
        parts = 1
        while any(sum(need[c.signal] for c in part) > room for part in _split(columns, parts)) and parts < len(columns):
            parts += 1
        tables += [part for part in _split(columns, parts) if part]
    return tables


def _split(columns: list[Column], parts: int) -> list[list[Column]]:
    size = -(-len(columns) // parts) if columns else 1
    return [columns[i : i + size] for i in range(0, len(columns), size)]


def _print_table(console: Console, title: str, table: Table) -> None:
    console.print()
    if title:
        console.print(title, style="italic", highlight=False)
    console.print(table)


def _runs_table(section: Section) -> Table:
    table = bare_table()
    table.add_column("agent", no_wrap=True)
    for header in ("episodes", "errors", "questions\nper episode", "guess\nceiling", "pass^k\nk = seeds"):
        table.add_column(header, justify="right", no_wrap=True)
    for label, results in section.runs.items():
        questions = sum(row.questions for row in results.rows) / max(1, len(results.rows))
        repeats = results.config["seeds"]
        table.add_row(
            label,
            str(len(results.rows)),
            str(len(results.errors)),
            f"{questions:.2f}",
            number(results.guess_ceiling, True),
            number(results.pass_hat(repeats), True),
        )
    return table


def _signal_table(section: Section, columns: Sequence[Column]) -> Table:
    table = bare_table()
    table.add_column("agent", no_wrap=True)
    for column in columns:
        table.add_column(column.header, justify="right", no_wrap=True)
    texts = [_text(section, column) for column in columns]
    for i, label in enumerate(section.runs):
        cells = [text[i].split("\n") for text in texts]
        table.add_row(label, *(f"{value}\n[dim]{count}[/dim]" for value, count in cells))
    return table


def _gap_table(section: Section) -> Table:
    table = bare_table()
    table.add_column("agent", no_wrap=True)
    for header in ("gap", "estimate", "interval", "pairs"):
        table.add_column(header, justify="left" if header == "gap" else "right", no_wrap=True)
    for agent, comparison in section.comparisons.items():
        for name, gap in comparison.gaps.items():
            estimate, interval = _gap_text(gap)
            table.add_row(agent, name.replace("_", " ").replace("idg", "IDG"), estimate, interval, str(gap.pairs))
    return table


def _gap_text(gap: Gap) -> tuple[str, str]:
    estimate, low, high = (100 * value for value in gap.interval)
    return f"{estimate:+.1f}", f"[{low:+.1f}, {high:+.1f}]"


def _realism_lines(section: Section) -> Iterator[str]:
    """Yield what role-realism must be held against, for every run that was judged."""
    for label, results in section.runs.items():
        found = results.realism
        if found is None:
            continue
        short = f"left out: {found.left_out} dialogues with fewer than {MIN_TURNS} answers"
        if not found.identification.n:
            yield f"{label.replace(chr(10), ', ')}: no role-realism, too few styles or tasks; {short}"
            continue
        controls = (
            f"{name} {number(score.shuffled, True)} (chance {number(score.chance, True)})"
            for name, score in (("identification", found.identification), ("consistency", found.consistency))
        )
        personas = ", ".join(f"{name} {number(share, True)}" for name, share in found.by_persona.items())
        yield (
            f"{label.replace(chr(10), ', ')}: identification by persona: {personas}; with the personas shuffled: "
            f"{', '.join(controls)}; {short}"
        )


def _print_errors(section: Section, console: Console) -> None:
    for label, results in section.runs.items():
        if not results.errors:
            continue
        console.print()
        name = label.replace("\n", ", ")
        console.print(f"{name}: {len(results.errors)} failed, not scored; run again to retry", style="yellow")
        kinds: dict[str, list[EpisodeError]] = {}
        for error in results.errors:
            kinds.setdefault(error.error, []).append(error)
        for kind, errors in list(kinds.items())[:_SHOWN_ERRORS]:
            first = f"first: seed {errors[0].seed}, episode {errors[0].episode}"
            console.print(f"  {len(errors)}x {kind[:300]} ({first})", markup=False, highlight=False)
        if len(kinds) > _SHOWN_ERRORS:
            console.print(f"  and {len(kinds) - _SHOWN_ERRORS} more kinds, in errors.jsonl", highlight=False)


def _print_glossary(console: Console) -> None:
    table = bare_table()
    table.add_column("column", no_wrap=True)
    table.add_column("meaning")
    for group, meaning in GROUPS.items():
        columns = [c for c in COLUMNS if c.group == group]
        if not columns:
            continue
        table.add_row(f"[bold]{meaning.partition(':')[0]}[/bold]", meaning.partition(": ")[2])
        for column in columns:
            table.add_row(f"  {column.header.replace('-' + chr(10), '').replace(chr(10), ' ')}", column.meaning)
    table.add_row("[bold]Beside them[/bold]", "")
    table.add_row("  errors", "episodes that an exception or a dead worker ended; never scored")
    table.add_row("  guess ceiling", _CEILING)
    table.add_row("  pass^k", "probability that all of k repeats of a case get full credit")
    for name, text in _GAP_NAMES.items():
        table.add_row(f"  {name.replace('_', ' ').replace('idg', 'IDG')}", text.partition(": ")[2])
    _print_table(console, "What the columns mean", table)


# -- over environments -----------------------------------------------------------------------------------------------
def _family(env_id: str) -> str:
    """Return the host of an environment, the family it belongs to."""
    return next((spec.host for spec in ENVIRONMENTS if spec.id == env_id), env_id)


def _macro_lines(found: Sequence[Section]) -> list[str]:
    """Return the equal-family macro average of CAR for every agent that played several environments."""
    shares: dict[str, dict[str, float]] = {}
    for section in found:
        for label, results in section.runs.items():
            if results.summary["full_credit"]["n"]:
                shares.setdefault(label, {})[section.title] = results.summary["full_credit"]["mean"]
    families = {section.title: _family(section.env_id) for section in found}
    return [
        f"{label.replace(chr(10), ', ')}: CAR {number(family_macro(values, families), True)} % as equal-family macro "
        f"average over {len({families[title] for title in values})} families"
        for label, values in shares.items()
        if len({families[title] for title in values}) > 1
    ]


# -- files -----------------------------------------------------------------------------------------------------------
def markdown(found: Sequence[Section], *, explain: bool = False) -> str:
    """Return the report as Markdown: one table a section, every column."""
    lines: list[str] = []
    silent = [section for section in found if not section.evolving]
    for section in silent:
        columns = _present(section)
        headers = [c.header.replace("-\n", "").replace("\n", " ") for c in columns]
        lines += [f"### {section.title}", ""]
        lines.append(markdown_row(["agent", "episodes", "errors", "guess ceiling", *headers]))
        lines.append(markdown_row(["---", *["---:"] * (3 + len(headers))]))
        for label, results in section.runs.items():
            cells = [
                f"{cell(results.summary.get(c.signal), c.share)} ({int(results.summary[c.signal]['n'])})"
                if c.signal in results.summary
                else "-"
                for c in columns
            ]
            counts = [str(len(results.rows)), str(len(results.errors)), number(results.guess_ceiling, True)]
            lines.append(markdown_row([label.replace("\n", ", "), *counts, *cells]))
        lines.append("")
        if section.comparisons:
            lines.append(markdown_row(["agent", "gap in CAR", "estimate", "95 % interval", "pairs"]))
            lines.append(markdown_row(["---", "---", "---:", "---:", "---:"]))
            for agent, comparison in section.comparisons.items():
                for name, gap in comparison.gaps.items():
                    lines.append(markdown_row([agent, _GAP_NAMES[name], *_gap_text(gap), str(gap.pairs)]))
            lines.append("")
        controls = list(_realism_lines(section))
        lines += [*(f"- {line}" for line in controls), ""] if controls else []
    lines += _macro_lines(silent)
    if silent:
        lines.append("mean±sd over seeds (episodes that define the signal); in % but for patience and reaction.")
    if silent and explain:
        lines += ["", f"- guess ceiling: {_CEILING}", *(f"- `{c.signal}`: {c.meaning}" for c in COLUMNS)]
    lines += _evolving_lines([section for section in found if section.evolving], explain=explain)
    return "\n".join(lines) + "\n"


def _evolving_lines(found: Sequence[Section], *, explain: bool) -> list[str]:
    lines: list[str] = []
    for group in _groups(found):
        lines += [f"### {group.title}", "", *(line for grid in grids(group) for line in markdown_lines(grid))]
    if found:
        lines.append(NOTE)
    if found and explain:
        lines += ["", *(f"- {name}: {text}" for name, text in GLOSSARY.items())]
    return lines


def to_json(found: Sequence[Section]) -> dict[str, Any]:
    """Return the report as plain data; undefined numbers are None."""
    return {
        "sections": [
            {
                "title": section.title,
                "env_id": section.env_id,
                "runs": {label.replace("\n", ", "): results.to_json() for label, results in section.runs.items()},
                "gaps": {
                    agent: {name: gap.to_json() for name, gap in comparison.gaps.items()}
                    for agent, comparison in section.comparisons.items()
                },
            }
            for section in found
        ],
        "evolving": [evolving_json(group) for group in _groups(found)],
    }
