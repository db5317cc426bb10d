"""Pictures of positions in the terminal, for any game. `Drawing` draws; `Looks` is what it knows of the
rules.

Purpose: what people see of a game. Input: a rulebook, once; then snapshots and views. Output: lines.

    looks.py      what a picture needs to know of the rules, as data; looks_of.py: from a rulebook
    signs.py      short names of kinds; spelling.py: how what is typed stands for a name
    words.py      moves, events and scores in words; values.py: what stands in a zone or variable
    cells.py      text by terminal cells, with styles; the one place that makes escape sequences
    board.py      a board: its cells (cell.py), how they stand together (grid.py), its legend
    panels.py     what lies beside the board: common things, a column for each player
    position.py   all of it together
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conche.draw.looks import Looks

if TYPE_CHECKING:
    from conche.draw.position import Drawing

__all__ = ["Drawing", "Looks"]


def __getattr__(name: str) -> Any:
    # What draws is imported by who draws: `conche.api` wants the record alone.
    if name == "Drawing":
        from conche.draw.position import Drawing

        return Drawing
    raise AttributeError(name)
