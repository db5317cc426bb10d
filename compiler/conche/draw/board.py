"""A board: which cells it has, how large they are, what is to be said below it.

Purpose: draws one board of a snapshot. Input: its entries and a width. Output: lines. Invariants:
everything that is on the board is drawn or told below; the same board gives the same lines. The cells are
boxes where there is room for them, and stand close together where there is not; `grid` says what happens
where that is too wide, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from conche.draw.cell import MORE, Cell, Faces, cell_of, faces_of, fits_in_words, size_of
from conche.draw.cells import Line, Run, joined, line
from conche.draw.grid import At, Grid, bands, lines_of_grid
from conche.draw.looks import BoardLooks
from conche.draw.panels import flow
from conche.draw.values import Telling

_ROOMY = 100
"""So wide, a terminal is taken to be high enough for boxes."""
_HIGH = 24
"""A board in boxes of so many lines is drawn so in any terminal that is wide enough."""
_WORDS = (7, 12)
"""How wide the cells are in which names are spelt, at least and at most."""
_LEGEND = 40
"""So wide, a legend can be read."""
_EDGES = 16
"""Pieces whose edge values take more cells than this are drawn by their signs."""


class BoardPicture:
    """Draws a board of one game at one table. `letters`: of each seat."""

    def __init__(self, telling: Telling, letters: Sequence[str]) -> None:
        self.telling, self.looks, self.letters = telling, telling.looks, letters
        words = telling.words
        self.colors = [words.styles(seat) for seat in range(len(words.seats))]

    def draw(
        self,
        name: str,
        entries: Sequence[Mapping[str, Any]],
        most: int,
        *,
        narrow: bool = False,
        small: bool = False,
        rows: tuple[int, int] | None = None,
    ) -> list[Line]:
        """The board with its legend, in lines of at most `most` cells if that can be. `narrow`: whether the
        legend is to be no wider than the board, if that is wide enough to be read. `small`: whether the cells
        stand close together, however much room there is. `rows`: the first and the last that are wanted."""
        board = self.looks.boards.get(name) or BoardLooks((), False, 0)
        faces = self._faces(board, entries)
        cells = self._cells(board, faces, entries)
        if rows is not None:
            first, last = rows
            cells = {at: cell for at, cell in cells.items() if first <= at[1] <= last}
            entries = [entry for entry in entries if first <= entry["at"][1] <= last]
        if not cells:
            return [line(Run(self.telling.label(name), ("faint",)), " has nothing on it yet")]
        grid = self._grid(cells, faces, bool(board.spaces), most, small)
        lines: list[Line] = []
        parts = bands(grid, most)
        for part in parts:
            if len(parts) > 1:
                lines.append(line(Run(f"columns {part[0]} to {part[-1]}", ("faint",))))
            lines += lines_of_grid(grid, part)
        below = min(most, max(_LEGEND, grid.width(grid.columns))) if narrow else most
        return [*lines, *flow(self._legend(grid, entries), below), *flow(self._notes(board, entries), below)]

    def rows(self, name: str, entries: Sequence[Mapping[str, Any]]) -> list[int]:
        """The numbers of the rows that are drawn."""
        board = self.looks.boards.get(name) or BoardLooks((), False, 0)
        return sorted({y for _, y in self._cells(board, self._faces(board, entries), entries)})

    def width(
        self, name: str, entries: Sequence[Mapping[str, Any]], most: int, *, small: bool = False
    ) -> int | None:
        """How wide the grid is; None if it has to be cut."""
        board = self.looks.boards.get(name) or BoardLooks((), False, 0)
        faces = self._faces(board, entries)
        cells = self._cells(board, faces, entries)
        if not cells:
            return 0
        grid = self._grid(cells, faces, bool(board.spaces), most, small)
        taken = grid.width(grid.columns)
        return taken if taken <= most else None

    def _faces(self, board: BoardLooks, entries: Sequence[Mapping[str, Any]]) -> Faces:
        kinds = sorted({str(piece["kind"]) for entry in entries for piece in entry["pieces"]})
        return faces_of(self.looks, board.of, board.one_kind, kinds, _EDGES)

    def _cells(
        self, board: BoardLooks, faces: Faces, entries: Sequence[Mapping[str, Any]]
    ) -> dict[At, Cell | None]:
        """What is drawn: all spaces of a small board; of a large one those where something is, and those
        beside a piece."""
        cells: dict[At, Cell | None] = dict.fromkeys(board.spaces)
        half = board.across // 2
        for entry in entries:
            x, y = entry["at"]
            cell = cell_of(entry, self.looks, faces, self.letters, self.colors)
            if cell is not None:
                cells[x, y] = cell
            if board.spaces or not entry["pieces"]:
                continue
            for beside in ((x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)):
                if not half or all(-half <= one < half for one in beside):
                    cells.setdefault(beside)
        return cells

    def _grid(
        self, cells: Mapping[At, Cell | None], faces: Faces, fixed: bool, most: int, small: bool
    ) -> Grid:
        """The roomiest grid that fits; `small`: the smallest."""
        drawn = [cell for cell in cells.values() if cell is not None]
        sizes = [size_of(cell, faces) for cell in drawn]
        # A column is as wide as its number, at least.
        wide = max(*(size for size, _ in sizes), *(len(str(x)) for x, _ in cells), 1)
        high = max((size for _, size in sizes), default=1)
        odd = any(cell.edges for cell in drawn)
        tried: list[Grid] = []
        if most >= _ROOMY:
            tall = max(high, 3)
            for size in range(max(wide, _WORDS[0]), _WORDS[1] + 1):
                size += odd and size % 2 == 0
                if all(cell.edges or not cell.sign or fits_in_words(cell, size, tall) for cell in drawn):
                    tried.append(Grid(cells, size, tall, True, fixed))
                    break
        # An odd width has a middle, for what stands above and below.
        for size in (wide + 2, max(wide, 3)):
            size += odd and size % 2 == 0
            tried += [Grid(cells, size, high, True, fixed)]
        for grid in () if small else tried:
            if grid.width(grid.columns) <= most and (most >= _ROOMY or grid.height() <= _HIGH):
                return grid
        return Grid(cells, wide, high, False, fixed)

    # -------------------------------------------------------------------------------------------- below

    def _legend(self, grid: Grid, entries: Sequence[Mapping[str, Any]]) -> list[Line]:
        """What the letters and signs of the picture mean."""
        drawn = [cell for cell in grid.cells.values() if cell is not None]
        kinds = {
            cell.kind: cell
            for cell in drawn
            if cell.sign and not (grid.boxed and not cell.edges and fits_in_words(cell, grid.wide, grid.high))
        }
        order = {name: number for number, name in enumerate(self.looks.kinds)}
        parts: list[Line] = [
            line(Run(cell.sign, cell.styles if not cell.owner else ()), f" {cell.label}")
            for name, cell in sorted(kinds.items(), key=lambda one: (order.get(one[0], len(order)), one[0]))
            if cell.sign.casefold() != cell.label.casefold()
        ]
        seats = self.telling.words.seats
        owners = [seat for seat in range(len(seats)) if any(c.owner == self.letters[seat] for c in drawn)]
        for seat in owners:
            name = self.telling.seat(seat)
            parts.append(line(Run(self.letters[seat], name.styles), " ", name))
        if any(cell.edges for cell in drawn):
            names = sorted(
                {ring.name for cell in drawn if cell.edges for ring in self.looks.kinds[cell.kind].rings}
            )
            parts.append(line(f"at the edges: {' / '.join(map(self.telling.label, names))}"))
        raised = any(cell.height > 1 and (cell.edges or not cell.sign) for cell in drawn)
        tall = any(cell.height > 1 and cell.sign and not cell.edges for cell in drawn)
        if raised or tall:
            shown = "² ×2" if raised and tall else "²" if raised else "×2"
            parts.append(line(f"{shown} two pieces high, see below"))
        covered = (piece for entry in entries for piece in entry["pieces"][:-1])
        if any(cell.turn for cell in drawn) or any(piece.get("turn") for piece in covered):
            parts.append(line("↻ quarter turns clockwise"))
        if any(cell.more for cell in drawn):
            parts.append(line(f"{MORE} see below"))
        return parts

    def _notes(self, board: BoardLooks, entries: Sequence[Mapping[str, Any]]) -> list[Line]:
        """What the cells have no room for."""
        return [told for entry in entries if (told := self._note(board, entry))]

    def _note(self, board: BoardLooks, entry: Mapping[str, Any]) -> Line:
        telling = self.telling
        parts: list[Line] = []
        pieces = entry["pieces"]
        if pieces and (carried := telling.carried(pieces[-1])):
            parts.append(carried)
        parts += [(Run("covers "), *self._covered(piece)) for piece in reversed(pieces[:-1])]
        for name, value in entry.items():
            if name not in ("at", "pieces"):
                variable = board.attributes.get(name)
                told = telling.value(value, name in self.looks.seated, variable.type if variable else "")
                parts.append((Run(f"{telling.label(name)} "), *told))
        if not parts:
            return ()
        x, y = entry["at"]
        return (Run(f"({x}, {y}) "), *joined(parts, "; "))

    def _covered(self, piece: Mapping[str, Any]) -> Line:
        runs: list[Run] = [self.telling.kind(str(piece["kind"]))]
        if piece.get("owner") is not None:
            runs += [Run(" of "), self.telling.seat(piece["owner"])]
        if piece.get("turn"):
            runs.append(Run(f" ↻{piece['turn']}"))
        return (*runs, *self.telling.carried(piece, brackets=True))
