"""What a drawing of an action graph is made of.

Input: built by `outline`. Output: read by `place`, `to_svg` and `to_html`.
Invariants: every node of the action graph is one box without boxes in it; boxes that hold others have ids
that no node has. The order of everything is that of the rules, so the same graph gives the same drawing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

ROOT = "page:root"

WIDTH = 200.0
"""Of a closed box, in pixels."""
LINE = 14.0
"""Height of a line of its title."""
ABOVE = 21.0
"""What the line that says its kind takes, and the rim."""
HEAD = 24.0
"""Height of the title of an open box."""
PAD = 12.0
"""Between an open box and what is in it."""
GAP = 14.0
"""Between two boxes side by side in a rank."""
BETWEEN = 36.0
"""Between two ranks, where the edges are."""


class Direction(StrEnum):
    """How the ranks of a box follow each other: rows from top to bottom, or columns from left to right."""

    DOWN = "down"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a rank. `box`: what lies there; "" for a bend of an edge. `at`: where in the rank, in steps
    of one box."""

    rank: int
    at: float
    box: str


@dataclass(frozen=True, slots=True)
class Route:
    """An edge between two boxes of one box, by the spots of its bends."""

    source: str
    target: str
    bends: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """The inside of a box."""

    direction: Direction
    spots: tuple[Spot, ...]
    routes: tuple[Route, ...] = ()


@dataclass(frozen=True, slots=True)
class Box:
    """`kind`: that of a node, or `group` and `band`. `parent` is "" for the root only. `layout` is None for a
    node."""

    id: str
    title: str
    kind: str
    parent: str
    layout: Layout | None = None
    lines: tuple[str, ...] = ()
    mark: str = ""

    @property
    def height(self) -> float:
        """When it is closed."""
        return ABOVE + LINE * max(1, len(self.lines))


@dataclass(frozen=True, slots=True)
class Line:
    """An edge of the graph. `control`: it says what follows on what; else it is a use of data."""

    source: str
    target: str
    kind: str
    label: str
    control: bool


@dataclass(frozen=True, slots=True)
class Drawing:
    """`boxes`: by id, each after the one that it is in."""

    title: str
    boxes: Mapping[str, Box]
    lines: tuple[Line, ...]
    _inside: dict[str, list[str]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        for box in self.boxes.values():
            self._inside.setdefault(box.parent, []).append(box.id)

    def inside(self, box: str) -> list[str]:
        """The boxes directly in a box."""
        return self._inside.get(box, [])

    def around(self, box: str) -> Iterator[str]:
        """The boxes that a box is in, the innermost first, the root left out."""
        parent = self.boxes[box].parent
        while parent not in ("", ROOT):
            yield parent
            parent = self.boxes[parent].parent

    def holders(self) -> list[str]:
        """The boxes that can be opened."""
        return [box.id for box in self.boxes.values() if box.layout is not None and box.id != ROOT]
