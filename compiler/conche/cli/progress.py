"""How far a command is: a bar on stderr.

Input: what is counted, and how many there are. Output: a function to be told how many are done.
Invariant: a bar only on a terminal, and only once it takes longer than a moment.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator

from conche.cli.output import WAIT, is_terminal, tell

LOG = 15.0
"""So many seconds are between two lines on how far a long command is."""


@contextlib.contextmanager
def progress_bar(
    what: str, total: int, *, every: float | None = None
) -> Iterator[Callable[[int], None] | None]:
    """None where no bar would be seen. `every`: there are lines then, so many seconds apart."""
    if not is_terminal(sys.stderr):
        yield None if every is None else _lines(what, total, every)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    start = time.monotonic()
    bar = Progress(
        TextColumn(what),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    task = bar.add_task(what, total=total)
    shown = False

    def show(done: int) -> None:
        nonlocal shown
        bar.update(task, completed=done)
        if not shown and time.monotonic() - start > WAIT:
            shown = True
            bar.start()

    try:
        yield show
    finally:
        if shown:
            bar.stop()


def _lines(what: str, total: int, every: float) -> Callable[[int], None]:
    last = time.monotonic()

    def show(done: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= every and done < total:
            last = now
            tell(f"{what}: {done} of {total}")

    return show
