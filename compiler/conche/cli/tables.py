"""Tables for people.

Input: a title, heads and rows of text. Output: the table on stdout.
Invariants: the first columns stand to the left, numbers to the right; a cell that is too wide is broken, none
is cut; where the output is piped on, there is room for all.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence

from conche.cli.output import color, is_terminal, put

PIPED = 200
"""Columns where there is no terminal."""


def show_table(
    title: str,
    heads: Sequence[str],
    rows: Sequence[Sequence[str] | None],
    *,
    left: int = 1,
) -> None:
    """`left`: how many columns stand to the left. A row that is None draws a line."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for number, head in enumerate(heads):
        table.add_column(head, justify="left" if number < left else "right", overflow="fold")
    for row in rows:
        if row is None:
            table.add_section()
        else:
            table.add_row(*row)
    text = io.StringIO()
    console = Console(
        file=text,
        force_terminal=color(sys.stdout),
        width=None if is_terminal(sys.stdout) else PIPED,
        highlight=False,
        markup=False,
        emoji=False,
    )
    console.print(title, style="bold", soft_wrap=True)
    console.print(table)
    put("".join(f"{line.rstrip()}\n" for line in text.getvalue().splitlines()))
