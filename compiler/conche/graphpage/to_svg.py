"""The action graph as an SVG picture.

Input: an `ActionGraph`. Output: SVG text that stands alone, ending in a line end.
Invariants: everything that comes from rules is escaped, and what XML cannot hold becomes `?`; the same graph
gives the same bytes. Colours are light or dark as the reader has it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

import jinja2
from markupsafe import Markup

from conche.graph.model import ActionGraph
from conche.graphpage.model import Box, Drawing
from conche.graphpage.outline import open_at_first, outline
from conche.graphpage.place import Placed, place, ways

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

ENVIRONMENT = jinja2.Environment(
    loader=jinja2.PackageLoader("conche.graphpage", "templates"),
    undefined=jinja2.StrictUndefined,
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
)


def _clean(text: str) -> str:
    return _NOT_XML.sub("?", text)


ENVIRONMENT.filters["clean"] = _clean


@dataclass(frozen=True, slots=True)
class _Shape:
    """A box as it is drawn. `word`: what it is, in small letters above its title."""

    x: float
    y: float
    w: float
    h: float
    kind: str
    word: str
    mark: str
    open: bool
    title: str
    lines: tuple[str, ...]
    tip: str


def to_svg(
    graph: ActionGraph,
    *,
    marks: Mapping[str, str] | None = None,
    everything: bool = False,
) -> str:
    """The picture. `marks`: what a node has become, by id. `everything`: all boxes
    are open, else those that `open_at_first` says. `MissingExtraError` where igraph is not installed."""
    drawing = outline(graph, marks)
    shown = open_at_first(drawing, everything)
    placed = place(drawing, shown)
    text = ENVIRONMENT.get_template("graph.svg.j2").render(
        title=_clean(drawing.title),
        width=round(placed.width, 1),
        height=round(placed.height, 1),
        style=style(),
        shapes=list(_shapes(drawing, placed, shown)),
        ways=ways(drawing, placed),
    )
    return f"{text.strip()}\n"


def style() -> Markup:
    """The style sheet of a drawing, which is our own text."""
    assert ENVIRONMENT.loader is not None
    return Markup(ENVIRONMENT.loader.get_source(ENVIRONMENT, "graph.css")[0].strip())


def word_of(drawing: Drawing, box: Box) -> str:
    """What a closed box is, in a word or two."""
    if box.layout is None:
        return box.kind
    count = len(drawing.inside(box.id))
    return f"{count} inside"


def _shapes(drawing: Drawing, placed: Placed, opened: Collection[str]) -> Iterator[_Shape]:
    for name, rect in placed.rects.items():
        box = drawing.boxes[name]
        yield _Shape(
            round(rect.x, 1),
            round(rect.y, 1),
            round(rect.w, 1),
            round(rect.h, 1),
            box.kind,
            word_of(drawing, box),
            box.mark,
            box.layout is not None and name in opened,
            box.title,
            box.lines,
            box.title if box.layout is not None else f"{box.title} [{box.id}]",
        )
