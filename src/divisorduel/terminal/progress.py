"""How long work looks on a terminal."""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

Running = Callable[[], Mapping[tuple[int, int | None], int | None]]
"""Tells which boards are being worked on, after which first move, and the positions seen so far."""

MOST_NAMED = 3
"""How many of the boards being worked on are named."""


@contextmanager
def progress(boards: int, running: Running) -> Iterator[Callable[[int, int], None]]:
    """Show a bar on standard error while work goes on, if that is a terminal.

    Gives a function that is told how many boards are done, and how many first moves of others.
    """
    if not (sys.stderr and sys.stderr.isatty()):
        yield lambda _done, _moves: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        RenderableColumn,
        TextColumn,
        TimeElapsedColumn,
    )
    from rich.text import Text

    class Named:
        def __rich__(self) -> Text:
            return Text(named(running()), no_wrap=True, overflow="ellipsis")

    columns = (
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TextColumn("boards"),
        TextColumn("{task.description}"),
        TimeElapsedColumn(),
        RenderableColumn(Named()),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        shown = bar.add_task("", total=boards)
        yield lambda done, moves: bar.update(
            shown, completed=done, description=f"and {moves} first moves" if moves else ""
        )


def named(running: Mapping[tuple[int, int | None], int | None]) -> str:
    """Say in words what is being worked on."""
    words = []
    for (n, move), positions in sorted(running.items(), key=str)[:MOST_NAMED]:
        after = "" if move is None else f" after {move}"
        seen = f" ({positions:,} positions)" if positions else ""
        words.append(f"n = {n}{after}{seen}")
    more = len(running) - MOST_NAMED
    return "; ".join(words) + (f" and {more} more" if more > 0 else "")
