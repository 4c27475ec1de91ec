from __future__ import annotations

import io

from rich.console import Console

from intent_gym.evaluation.grids import Grid, markdown_lines, print_grid

GRID = Grid("Of [b]all[/b]", ("family", "no\nanswer"), (("a|b [x]", "3"), ("c", "12")))


def test_text_is_never_read_as_markup() -> None:
    file = io.StringIO()
    print_grid(GRID, Console(file=file, width=80))
    lines = file.getvalue().splitlines()
    assert lines[1] == "Of [b]all[/b]"
    assert [line.rstrip() for line in lines[-2:]] == ["a|b [x]       3", "c            12"]


def test_prose_is_folded_and_nothing_of_it_is_cut() -> None:
    file = io.StringIO()
    grid = Grid("Words", ("column", "meaning"), (("CAR", "share of all cases " * 6),), 2, prose=True)
    print_grid(grid, Console(file=file, width=60))
    text = file.getvalue()
    assert max(map(len, text.splitlines())) <= 60
    assert text.count("cases") == 6
    assert "…" not in text


def test_markdown_breaks_no_cell() -> None:
    assert markdown_lines(GRID)[2:] == [
        "| family | no answer |",
        "| --- | ---: |",
        "| a\\|b [x] | 3 |",
        "| c | 12 |",
        "",
    ]
