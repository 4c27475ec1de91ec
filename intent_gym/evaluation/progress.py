"""The bar that is shown while episodes are played."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["Bar", "progress_bar"]

Bar = Callable[[int, int], "Any"]


def progress_bar(progress: bool | None, label: str) -> Bar:
    """Return a context manager of (total, done) that gives a function to call once an episode."""
    show = sys.stderr.isatty() if progress is None else progress

    @contextmanager
    def shown(total: int, done: int) -> Iterator[Callable[[], None]]:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns: Iterable[Any] = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(label, total=total, completed=done)
            yield lambda: bar.advance(task)

    @contextmanager
    def silent(total: int, done: int) -> Iterator[Callable[[], None]]:
        yield lambda: None

    return shown if show else silent
