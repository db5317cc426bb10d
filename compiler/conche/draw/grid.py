"""Cells in rows and columns.

Purpose: the lines of a board. Input: cells by place, and how they are to be drawn. Output: lines.
Invariants: north is at the top; every column and row has its number; where nothing lies for more than a few
columns or rows, they are left out and a dotted line stands for them; a grid that is too wide is cut into
bands of columns, one below the other, and nothing is lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from conche.draw.cell import Cell, lines_of
from conche.draw.cells import Line, Run, line, padded

At = tuple[int, int]
Axis = tuple[int | None, ...]
"""Numbers of columns or rows in order; None stands for some that are left out."""

_FEW = 2
"""So many empty columns or rows are drawn."""
_CORNERS = " ╵╷│╴┘┐┤╶└┌├─┴┬┼"
"""By what meets there: 1 for up, 2 for down, 4 for left, 8 for right."""
_FAINT = ("faint",)


@dataclass(frozen=True, slots=True)
class Grid:
    """`cells`: None for a space that is empty. `wide`, `high`: of each cell. `boxed`: with lines around
    cells."""

    cells: Mapping[At, Cell | None]
    wide: int
    high: int
    boxed: bool
    fixed: bool
    """Whether empty spaces have lines around them, too."""

    @property
    def columns(self) -> Axis:
        return axis(x for x, _ in self.cells)

    def column_width(self, x: int | None) -> int:
        """The cells of a column; one for some that are left out."""
        return 1 if x is None else self.wide

    def edge(self) -> int:
        """The cells that the numbers of rows take."""
        return max(len(str(y)) for _, y in self.cells) + 1

    def width(self, columns: Axis) -> int:
        return self.edge() + sum(self.column_width(x) + 1 for x in columns) + (1 if self.boxed else -1)

    def row_height(self, y: int, columns: Axis) -> int:
        """A row where nothing lies in some columns is low there, all others are alike."""
        held = (x is not None and self.cells.get((x, y)) is not None for x in columns)
        return self.high if self.fixed or any(held) else 1

    def height(self) -> int:
        rows = axis(y for _, y in self.cells)
        columns = self.columns
        lines = (self.boxed + (1 if y is None else self.row_height(y, columns)) for y in rows)
        return sum(lines) + 1 + self.boxed


def axis(numbers: Iterable[int]) -> Axis:
    """The numbers in order, with a few between them, and None where more are left out."""
    found: list[int | None] = []
    last: int | None = None
    for number in sorted(set(numbers)):
        if last is not None and number - last - 1 > _FEW:
            found.append(None)
        elif last is not None:
            found += range(last + 1, number)
        found.append(number)
        last = number
    return tuple(found)


def bands(grid: Grid, most: int) -> list[Axis]:
    """The columns in as few bands as fit into a width, all about as wide."""
    columns = grid.columns
    if grid.width(columns) <= most:
        return [columns]
    room = max(grid.width(columns[:number]) <= most and number for number in range(1, len(columns) + 1)) or 1
    number = -(-len(columns) // room)
    while True:
        size = -(-len(columns) // number)
        parts = [columns[start : start + size] for start in range(0, len(columns), size)]
        if size == 1 or all(grid.width(part) <= most for part in parts):
            return [trimmed for part in parts if (trimmed := _trimmed(part))]
        number += 1


def _trimmed(part: Axis) -> Axis:
    """Without gaps at the ends."""
    while part and part[0] is None:
        part = part[1:]
    while part and part[-1] is None:
        part = part[:-1]
    return part


def lines_of_grid(grid: Grid, columns: Axis) -> list[Line]:
    """The grid, or a band of it."""
    rows = axis(y for x, y in grid.cells if x in columns)
    if not rows:
        return []
    edge = grid.edge()
    gap = Run(" ")
    head: list[Run] = [Run(" " * edge), *([gap] if grid.boxed else [])]
    for x in columns:
        number = "" if x is None else str(x)
        head += [*padded((Run(number, _FAINT),), grid.column_width(x), "center"), gap]
    lines: list[Line] = [tuple(head)]
    above: int | None = None
    for y in rows:
        lines += _between(grid, columns, above, y, edge)
        lines += [_gap_row(grid, columns, edge)] if y is None else _row(grid, columns, y, edge)
        above = y
    return [*lines, *_between(grid, columns, above, None, edge)]


def _row(grid: Grid, columns: Axis, y: int, edge: int) -> list[Line]:
    high = grid.row_height(y, columns)
    drawn = {
        x: lines_of(grid.cells[x, y], grid.column_width(x), high, grid.boxed)
        for x in columns
        if x is not None and (x, y) in grid.cells
    }
    lines: list[Line] = []
    for part in range(high):
        number = str(y) if part == (high - 1) // 2 else ""
        runs: list[Run] = [Run(number.rjust(edge - 1) + " ", _FAINT)]
        for index, x in enumerate(columns):
            if grid.boxed:
                walled = _boxed(grid, columns, index - 1, y) or _boxed(grid, columns, index, y)
                runs.append(Run("│" if walled else " ", _FAINT))
            if x is None:
                runs.append(Run("┊", _FAINT))
            else:
                runs += drawn[x][part] if x in drawn else line(" " * grid.column_width(x))
            if not grid.boxed:
                runs.append(Run(" "))
        if grid.boxed:
            runs.append(Run("│" if _boxed(grid, columns, len(columns) - 1, y) else " ", _FAINT))
        lines.append(tuple(runs))
    return lines


def _gap_row(grid: Grid, columns: Axis, edge: int) -> Line:
    runs = [Run(" " * edge), *([Run(" ")] if grid.boxed else [])]
    for x in columns:
        runs += [*padded((Run("┈", _FAINT),), grid.column_width(x), "center"), Run(" ")]
    return tuple(runs)


def _boxed(grid: Grid, columns: Axis, index: int, y: int | None) -> bool:
    """Whether a place of the grid has lines around it."""
    if y is None or not 0 <= index < len(columns):
        return False
    x = columns[index]
    return x is not None and (x, y) in grid.cells and (grid.fixed or grid.cells[x, y] is not None)


def _between(grid: Grid, columns: Axis, above: int | None, below: int | None, edge: int) -> list[Line]:
    """The line between two rows of boxes, if there is one."""
    if not grid.boxed:
        return []

    def boxed(index: int, y: int | None) -> bool:
        return _boxed(grid, columns, index, y)

    text = ""
    for index in range(len(columns) + 1):
        up = boxed(index - 1, above) or boxed(index, above)
        down = boxed(index - 1, below) or boxed(index, below)
        left = boxed(index - 1, above) or boxed(index - 1, below)
        right = boxed(index, above) or boxed(index, below)
        text += _CORNERS[up + 2 * down + 4 * left + 8 * right]
        if index < len(columns):
            text += ("─" if right else " ") * grid.column_width(columns[index])
    return [line(" " * edge, Run(text, _FAINT))] if text.strip() else []
