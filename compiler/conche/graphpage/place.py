"""Where everything lies in a drawing of which some boxes are open.

Input: a `Drawing`, the ids of the open boxes. Output: a rectangle for each box that is seen, and the way of
each edge that is seen.
Invariants: boxes of one box do not overlap and lie inside it. What is in a closed box is not there; edges of
it lead to the box. `templates/graph.js` does the very same on the page (a test compares them).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import pairwise

from conche.graphpage.model import (
    ABOVE,
    BETWEEN,
    GAP,
    HEAD,
    LINE,
    PAD,
    ROOT,
    WIDTH,
    Box,
    Direction,
    Drawing,
    Layout,
    Line,
)

Point = tuple[float, float]
BEND = 8.0
"""What a bend of an edge takes in its rank."""
OUT = 34.0
"""How far an edge that leads back goes aside."""


@dataclass(frozen=True, slots=True)
class Rect:
    x: float
    y: float
    w: float
    h: float


@dataclass(frozen=True, slots=True)
class Way:
    """Lines between the same two boxes, drawn as one: `label` is "" where they differ."""

    source: str
    target: str
    label: str
    control: bool
    path: str
    middle: Point


@dataclass(frozen=True, slots=True)
class Placed:
    """`rects`: of the boxes that are seen, each after the one it is in. `bends`: by box the places of its
    spots."""

    rects: dict[str, Rect]
    bends: dict[str, list[Point]]
    width: float
    height: float


def place(drawing: Drawing, opened: Collection[str]) -> Placed:
    """Places every box that is seen."""
    placer = _Placer(drawing, frozenset(opened) | {ROOT})
    width, height = placer.size(ROOT)
    placer.put(ROOT, 0.0, 0.0)
    del placer.rects[ROOT]
    return Placed(placer.rects, placer.bends, width, height)


class _Placer:
    def __init__(self, drawing: Drawing, opened: frozenset[str]) -> None:
        self.drawing = drawing
        self.opened = opened
        self.rects: dict[str, Rect] = {}
        self.bends: dict[str, list[Point]] = {}
        self.sizes: dict[str, Point] = {}
        self.centres: dict[str, list[Point]] = {}

    def size(self, name: str) -> Point:
        """Of a box, and of all that is seen in it."""
        if name not in self.sizes:
            box = self.drawing.boxes[name]
            if name in self.opened and box.layout is not None:
                self.sizes[name] = self._arrange(box, box.layout)
            else:
                self.sizes[name] = (WIDTH, box.height)
        return self.sizes[name]

    def put(self, name: str, x: float, y: float) -> None:
        width, height = self.size(name)
        self.rects[name] = Rect(x, y, width, height)
        layout = self.drawing.boxes[name].layout
        if name not in self.opened or layout is None:
            return
        self.bends[name] = [(x + cx, y + cy) for cx, cy in self.centres[name]]
        for spot, (cx, cy) in zip(layout.spots, self.bends[name], strict=True):
            if spot.box:
                w, h = self.size(spot.box)
                self.put(spot.box, cx - w / 2, cy - h / 2)

    def _arrange(self, box: Box, layout: Layout) -> Point:
        """The size of an open box; notes the centre of each of its spots."""
        down = layout.direction is Direction.DOWN
        breadths, depths = list[float](), list[float]()
        for spot in layout.spots:
            w, h = self.size(spot.box) if spot.box else (BEND, BEND)
            breadths.append(w if down else h)
            depths.append(h if down else w)
        step = (WIDTH if down else ABOVE + LINE) + GAP
        across, broad = _across(layout, breadths, step)
        along, deep = _along(layout, depths)
        sides = [(a, b) if down else (b, a) for a, b in zip(across, along, strict=True)]
        w, h = (broad, deep) if down else (deep, broad)
        self.centres[box.id] = [(PAD + x, HEAD + PAD + y) for x, y in sides]
        return max(w + 2 * PAD, WIDTH), h + HEAD + 2 * PAD


def _across(layout: Layout, breadths: list[float], step: float) -> tuple[list[float], float]:
    """The places within ranks: spots that have one number keep one line, as far apart as the boxes need."""
    order = sorted(range(len(breadths)), key=lambda number: (layout.spots[number].at, number))
    ends: dict[int, float] = {}
    centres = [0.0] * len(breadths)
    line = last = 0.0
    at = 0
    while at < len(order):
        value = layout.spots[order[at]].at
        same = [number for number in order[at:] if layout.spots[number].at == value]
        line += (value - last) * step if at else 0.0
        for number in same:
            half, rank = breadths[number] / 2, layout.spots[number].rank
            line = max(line, ends[rank] + GAP + half if rank in ends else half)
        for number in same:
            centres[number] = line
            ends[layout.spots[number].rank] = line + breadths[number] / 2
        at, last = at + len(same), value
    return centres, max(ends.values(), default=0.0)


def _along(layout: Layout, depths: list[float]) -> tuple[list[float], float]:
    """The places of the ranks, one behind the other."""
    count = 1 + max((spot.rank for spot in layout.spots), default=-1)
    deepest = [0.0] * count
    for spot, depth in zip(layout.spots, depths, strict=True):
        deepest[spot.rank] = max(deepest[spot.rank], depth)
    starts, start = list[float](), 0.0
    for depth in deepest:
        starts.append(start)
        start += depth + BETWEEN
    centres = [starts[spot.rank] + deepest[spot.rank] / 2 for spot in layout.spots]
    return centres, max(0.0, start - BETWEEN)


# ------------------------------------------------------------------------------------------------ edges


def ways(drawing: Drawing, placed: Placed, *, data: bool = False) -> list[Way]:
    """The lines that are seen: those of control, and with `data` the others too."""
    shown: dict[tuple[str, str, bool], list[Line]] = {}
    seen = {name: _seen(drawing, placed, name) for name in drawing.boxes if name != ROOT}
    for line in drawing.lines:
        source, target = seen[line.source], seen[line.target]
        if source != target and (line.control or data):
            shown.setdefault((source, target, line.control), []).append(line)
    found = []
    for (source, target, control), lines in shown.items():
        path, middle = _path(drawing, placed, source, target)
        found.append(Way(source, target, _label(drawing, source, target, lines), control, path, middle))
    return found


def _seen(drawing: Drawing, placed: Placed, name: str) -> str:
    """A box, or the closed one that it is in."""
    return next(box for box in (name, *drawing.around(name)) if box in placed.rects)


def _label(drawing: Drawing, source: str, target: str, lines: list[Line]) -> str:
    if drawing.boxes[source].layout is not None or drawing.boxes[target].layout is not None:
        return ""
    plain = {line.label if line.kind in ("then", "option") else line.kind for line in lines}
    return plain.pop() if len(plain) == 1 else ""


def _path(drawing: Drawing, placed: Placed, source: str, target: str) -> tuple[str, Point]:
    boxes = drawing.boxes
    a, b = placed.rects[source], placed.rects[target]
    common = next(
        (box for box in (*drawing.around(source), ROOT) if box in (*drawing.around(target), ROOT)), ROOT
    )
    layout = boxes[common].layout
    assert layout is not None
    down = layout.direction is Direction.DOWN
    if (b.y < a.y + a.h) if down else (b.x < a.x + a.w):
        return _back(a, b, down)
    bends: tuple[int, ...] = ()
    if boxes[source].parent == boxes[target].parent == common:
        bends = next((r.bends for r in layout.routes if (r.source, r.target) == (source, target)), ())
    start = (a.x + a.w / 2, a.y + a.h) if down else (a.x + a.w, a.y + a.h / 2)
    end = (b.x + b.w / 2, b.y) if down else (b.x, b.y + b.h / 2)
    points = [start, *[placed.bends[common][number] for number in bends], end]
    path = f"M{_xy(start)}"
    for (x1, y1), (x2, y2) in pairwise(points):
        half = (y1 + y2) / 2 if down else (x1 + x2) / 2
        first, second = ((x1, half), (x2, half)) if down else ((half, y1), (half, y2))
        path += f"C{_xy(first)} {_xy(second)} {_xy((x2, y2))}"
    (x1, y1), (x2, y2) = points[0], points[1]
    return path, ((x1 + x2) / 2, (y1 + y2) / 2)


def _back(a: Rect, b: Rect, down: bool) -> tuple[str, Point]:
    """An edge that leads back goes round the side."""
    if down:
        out = max(a.x + a.w, b.x + b.w) + OUT
        start, end = (a.x + a.w, a.y + a.h / 2), (b.x + b.w, b.y + b.h / 2)
        first, second = (out, start[1]), (out, end[1])
    else:
        out = max(a.y + a.h, b.y + b.h) + OUT
        start, end = (a.x + a.w / 2, a.y + a.h), (b.x + b.w / 2, b.y + b.h)
        first, second = (start[0], out), (end[0], out)
    middle = tuple((s + 3 * c + 3 * d + e) / 8 for s, c, d, e in zip(start, first, second, end, strict=True))
    return f"M{_xy(start)}C{_xy(first)} {_xy(second)} {_xy(end)}", (middle[0], middle[1])


def _xy(point: Point) -> str:
    return f"{point[0]:.1f},{point[1]:.1f}"
