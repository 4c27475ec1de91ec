"""Tables of text, for a terminal and as Markdown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

__all__ = ["Grid", "bare_table", "markdown_lines", "markdown_row", "print_grid"]


@dataclass(frozen=True)
class Grid:
    """A table.

    Attributes:
        title: What it shows.
        headers: One a column; a line break stands in a terminal only.
        rows: Cells, as many as headers.
        names: Leading columns that hold names and stand to the left.
        prose: The last column holds sentences, which are folded where the terminal is narrow.
    """

    title: str
    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    names: int = 1
    prose: bool = False


def bare_table() -> Table:
    """Return a table without a frame, whose columns stand two apart."""
    from rich import box
    from rich.table import Table

    return Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))


def print_grid(grid: Grid, console: Console) -> None:
    """Print a table; nothing in it is squeezed, but for prose, or read as markup."""
    from rich.text import Text

    table = bare_table()
    for i, header in enumerate(grid.headers):
        folds = grid.prose and i == len(grid.headers) - 1
        table.add_column(header, justify="left" if i < grid.names else "right", no_wrap=not folds)
    for row in grid.rows:
        table.add_row(*(Text(text) for text in row))
    console.print()
    console.print(grid.title, style="italic", highlight=False, markup=False)
    console.print(table)


def markdown_lines(grid: Grid) -> list[str]:
    r"""Return a table as lines of Markdown, its title first, an empty line last.

    >>> markdown_lines(Grid("Wins", ("agent", "n"), (("a|b", "3"),)))
    ['Wins:', '', '| agent | n |', '| --- | ---: |', '| a\\|b | 3 |', '']
    """
    lines = [f"{grid.title}:", "", markdown_row(header.replace("\n", " ") for header in grid.headers)]
    lines.append(markdown_row("---" if i < grid.names else "---:" for i in range(len(grid.headers))))
    return [*lines, *map(markdown_row, grid.rows), ""]


def markdown_row(cells: Iterable[str]) -> str:
    """Return one row of a Markdown table."""
    return "| " + " | ".join(text.replace("|", "\\|") for text in cells) + " |"
