"""One space of a board: what is said about it, and how that fills a cell of some size.

Purpose: between the snapshot and the grid. Input: an entry of a board in a snapshot. Output: `Cell`, and
lines of a width for it. Invariants: what a cell has no room for is said below the board, and the cell is
marked with `*`; colour says nothing that letters do not say, too.

    a piece            its sign, and below it its owner's letter: `tem`, `mar` over `r`
    with edge values   what it shows to a side stands there, turned with it; between them its owner's letter
    a stack            the top piece, and how many lie there: `×2`, or `r²` where room is short
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from conche.draw.cells import Line, Run, line, padded, width_of, wrap
from conche.draw.looks import KindLooks, Looks

SIDES = ("E", "S", "W", "N")
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
EMPTY = "·"
MORE = "*"


@dataclass(frozen=True, slots=True)
class Cell:
    """What a space shows. `edges`: what the top piece shows E S W N, or (). `sign`: "" where owner or edges
    say it. `more`: whether there is something to be said below. `styles`: of the owner, or of the kind."""

    kind: str
    sign: str
    label: str
    owner: str
    edges: tuple[str, ...]
    turn: int
    height: int
    more: bool
    styles: tuple[str, ...]

    @property
    def middle(self) -> str:
        """What stands between the edge values, in the fewest cells."""
        raised = str(self.height).translate(_RAISED) if self.height > 1 else ""
        return f"{self.sign}{self.owner}{raised}{MORE if self.more else ''}" or MORE

    @property
    def below(self) -> str:
        """What stands under a sign."""
        turn = f"↻{self.turn}" if self.turn else ""
        height = f"×{self.height}" if self.height > 1 else ""
        return self.owner + turn + height

    @property
    def marked(self) -> str:
        """The sign, and whether there is more to be said."""
        return self.sign + (MORE if self.more else "")


@dataclass(frozen=True, slots=True)
class Faces:
    """How the pieces of one board are told apart. `known`: kinds that their edge values tell; `one_kind`:
    whether owners alone do; `spread`: whether edge values need blanks beside them; `turned`: edge values
    are too long to be drawn, and pieces show how they are turned."""

    known: frozenset[str]
    one_kind: bool
    spread: bool
    turned: bool


def faces_of(looks: Looks, of: Sequence[str], one_kind: bool, kinds: Sequence[str], most: int) -> Faces:
    """How the pieces of a board are told apart. `kinds`: those that lie there; `most`: the cells that edge
    values and what is between them may take."""
    ringed = {name: kind for name, kind in looks.kinds.items() if kind.rings and (not of or kind.of in of)}
    rounds: dict[tuple[str, ...], list[str]] = {}
    for name, kind in ringed.items():
        printed = edges_of(kind, 0)
        rounds.setdefault(min(printed[n:] + printed[:n] for n in range(len(printed))), []).append(name)
    known = frozenset(names[0] for names in rounds.values() if len(names) == 1)
    widest = max(
        (width_of(text) for name in kinds if name in ringed for text in edges_of(ringed[name], 0)),
        default=0,
    )
    return Faces(known, one_kind, widest > 1, 2 * widest + 6 > most)


def edges_of(kind: KindLooks, turn: int) -> tuple[str, ...]:
    """What a piece shows E S W N, so many quarter turns clockwise; of several rings, all with `/` between. ()
    without a ring of four."""
    rings = [ring for ring in kind.rings if len(ring.values) == len(SIDES)]
    if not rings:
        return ()
    number = len(SIDES)
    return tuple(
        "/".join(str(ring.values[(side - turn) % number]) for ring in rings) for side in range(number)
    )


def cell_of(
    entry: Mapping[str, Any],
    looks: Looks,
    faces: Faces,
    letters: Sequence[str],
    colors: Sequence[tuple[str, ...]],
) -> Cell | None:
    """The cell of an entry of a snapshot; None for a space without a piece and without anything to say."""
    pieces = entry["pieces"]
    # That something is covered shows in the height.
    more = len(entry) > 2 or any(set(one) - {"kind", "owner", "turn"} for one in pieces)
    if not pieces:
        return Cell("", "", "", "", (), 0, 0, True, ()) if more else None
    top = pieces[-1]
    name, seat, turn = str(top["kind"]), top.get("owner"), int(top.get("turn") or 0)
    kind = looks.kinds.get(name) or KindLooks("", name, name, name.replace("_", " "))
    owner = "" if seat is None else letters[seat]
    styles = (kind.color,) if kind.color else ()
    if seat is not None and colors[seat]:
        styles = colors[seat]
    edges = () if faces.turned else edges_of(kind, turn)
    told = bool(owner) and (faces.one_kind or (bool(edges) and name in faces.known))
    sign = "" if told else kind.sign
    return Cell(name, sign, kind.label, owner, edges, 0 if edges else turn, len(pieces), more, styles)


# ------------------------------------------------------------------------------------------------ sizes


def size_of(cell: Cell, faces: Faces) -> tuple[int, int]:
    """The fewest columns and lines of a cell."""
    if cell.edges:
        gap = 2 if faces.spread else 0
        sides = width_of(cell.edges[0]) + width_of(cell.edges[2])
        middle = width_of(cell.middle)
        return max(sides + middle + gap, width_of(cell.edges[1]), width_of(cell.edges[3])), 3
    if not cell.sign:
        return width_of(cell.middle), 1
    return max(width_of(cell.marked), width_of(cell.below)), 2 if cell.below else 1


def lines_of(cell: Cell | None, wide: int, high: int, roomy: bool) -> list[Line]:
    """A cell in lines of a width. `roomy`: edge values stand at the edges, and names are in words where there
    is room for them."""
    if cell is None:
        return _centered([(Run(EMPTY, ("faint",)),)], wide, high)
    styles = cell.styles
    if cell.edges:
        east, south, west, north = (Run(text, styles) for text in cell.edges)
        middle = Run(cell.middle, (*styles, "bold"))
        between: Line = (middle,)
        if roomy or len(max(cell.edges, key=len)) > 1:
            free = wide - width_of(west.text) - width_of(east.text)
            between = padded(between, free, "center")
        return _centered([(north,), (west, *between, east), (south,)], wide, high)
    if not cell.sign:
        return _centered([line(Run(cell.middle, styles))], wide, high)
    rest = [line(Run(cell.below, styles))] if cell.below else []
    if roomy and fits_in_words(cell, wide, high):
        return _centered([*wrap(line(Run(_in_cell(cell), styles)), wide), *rest], wide, high)
    return _centered([line(Run(cell.marked, styles)), *rest], wide, high)


def fits_in_words(cell: Cell, wide: int, high: int) -> bool:
    """Whether there is room for the name of the kind in words."""
    text = _in_cell(cell)
    if any(width_of(word) > wide for word in text.split()):
        return False
    return len(wrap(line(text), wide)) + bool(cell.below) <= high


def _in_cell(cell: Cell) -> str:
    """The name of a kind, so that it can be broken before what stands in brackets."""
    return cell.label.replace("(", " (").replace("  (", " (") + (MORE if cell.more else "")


def _centered(lines: Sequence[Line], wide: int, high: int) -> list[Line]:
    before = (high - len(lines)) // 2
    blank: Line = ()
    filled = [*[blank] * before, *lines, *[blank] * (high - len(lines) - before)]
    return [padded(one, wide, "center") for one in filled]
