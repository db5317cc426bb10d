"""The action graph as one HTML page to walk about in.

Input: a checked ruleset with a graph (its checks may have found mistakes). Output: the page, ending in a line
end: the drawing, the rules and the clauses as data, and our own script (`templates/graph.js`).
Invariants: the page loads nothing and forbids itself to; what comes from rules is JSON without `<`, `>` and
`&`, which the script writes as text, but the text of clauses, which `clause_html` makes safe. The same
ruleset gives the same bytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from conche.booklet.clause_html import make_renderer
from conche.graph.model import ActionGraph, Node, NodeKind
from conche.graphpage import model, place
from conche.graphpage.model import ROOT, Box, Drawing
from conche.graphpage.outline import open_at_first, outline
from conche.graphpage.to_svg import ENVIRONMENT, style, word_of
from conche.pipeline import Checked
from conche.traceability.model import Entry, Key, Part
from conche.traceability.parts import meanings, parts_of


def to_html(
    checked: Checked,
    *,
    marks: Mapping[str, str] | None = None,
    everything: bool = False,
) -> str:
    """The whole page. `marks`: what a node has become, by id. `everything`: all boxes are open at
    first, else those that `open_at_first` says. `MissingExtraError` where igraph is not installed."""
    graph = checked.graph
    assert graph is not None
    drawing = outline(graph, marks)
    texts = _Texts(checked, graph)
    shown = open_at_first(drawing, everything)
    counted = Counter(box.mark for box in drawing.boxes.values() if box.mark and box.layout is None)
    data = {
        **drawing_data(drawing),
        "opened": sorted(shown),
        "boxes": [_box(drawing, box, graph, texts) for box in drawing.boxes.values()],
        "files": {name: checked.sources[name].text for name in texts.files},
        "clauses": [texts.clause(entry) for entry in texts.entries],
    }
    text = ENVIRONMENT.get_template("graph.html.j2").render(
        title=drawing.title,
        style=style(),
        marks=sorted(counted.items()),
        clause_texts=[texts.html(entry) for entry in texts.entries],
        drawing=_json(data),
        script=_script(),
    )
    return f"{text.strip()}\n"


def drawing_data(drawing: Drawing) -> dict[str, Any]:
    """What the script needs to place the boxes of a drawing."""
    return {
        "sizes": {
            "width": model.WIDTH,
            "line": model.LINE,
            "above": model.ABOVE,
            "head": model.HEAD,
            "pad": model.PAD,
            "gap": model.GAP,
            "between": model.BETWEEN,
            "bend": place.BEND,
            "out": place.OUT,
        },
        "boxes": [box_data(box) for box in drawing.boxes.values()],
        "lines": [
            {
                "source": line.source,
                "target": line.target,
                "kind": line.kind,
                "label": line.label,
                "control": line.control,
            }
            for line in drawing.lines
        ],
    }


def box_data(box: Box) -> dict[str, Any]:
    layout = box.layout
    return {
        "id": box.id,
        "title": box.title,
        "kind": box.kind,
        "parent": box.parent,
        "mark": box.mark,
        "lines": box.lines,
        "layout": None
        if layout is None
        else {
            "direction": layout.direction,
            "spots": [[spot.rank, spot.at, spot.box] for spot in layout.spots],
            "routes": [[route.source, route.target, route.bends] for route in layout.routes],
        },
    }


def _box(drawing: Drawing, box: Box, graph: ActionGraph, texts: _Texts) -> dict[str, Any]:
    """A box with what the page tells of it. `found`: the words by which it is found."""
    name = box.id.removeprefix("page:routine:")
    node = graph.node(name) if name in graph else None
    clauses = [] if node is None else texts.of(node)
    ids = " ".join(f"§{texts.entries[number].id}" for number in clauses)
    return {
        **box_data(box),
        "word": "" if box.id == ROOT else word_of(drawing, box),
        "place": None if node is None else texts.place(node),
        "clauses": clauses,
        "found": f"{box.title} {box.id} {box.mark} {ids}".lower(),
    }


class _Texts:
    """The rules and clauses that nodes rest on. `entries`: clauses and rulings, by number."""

    def __init__(self, checked: Checked, graph: ActionGraph) -> None:
        # The graph stands, whatever its checks have found.
        parts = parts_of(replace(checked, diagnostics=[]))
        self.parts: dict[str, Part] = {part.name: part for part in parts}
        self.entries: Sequence[Entry] = [entry for part in parts for entry in part.entries]
        self.numbers: dict[Key, int] = {entry.key: number for number, entry in enumerate(self.entries)}
        self.known = {part.file.name: meanings(parts, part.name) for part in parts}
        self.files = [part.file.name for part in parts if part.file.name in checked.sources]
        anchors = {
            node.id.removeprefix("clause."): quote(node.id)
            for node in graph.nodes()
            if node.kind is NodeKind.CLAUSE
        }
        self.renderer = make_renderer(anchors)

    def of(self, node: Node) -> list[int]:
        """The clauses that a node cites; of a node that is a clause, all of its number."""
        if node.kind is NodeKind.CLAUSE:
            id_ = node.id.removeprefix("clause.")
            return [number for number, entry in enumerate(self.entries) if entry.id == id_]
        known = self.known.get(node.span.file, {})
        return [self.numbers[known[cite]] for cite in dict.fromkeys(node.cites) if cite in known]

    def place(self, node: Node) -> dict[str, Any]:
        span = node.span
        end = span.end_line - (span.end_column == 1 and span.end_line > span.line)
        return {"file": span.file, "line": span.line, "end": end}

    def clause(self, entry: Entry) -> dict[str, Any]:
        return {
            "id": entry.id,
            "title": entry.title,
            "part": self.parts[entry.part].title,
            "file": entry.file,
            "line": entry.line,
        }

    def html(self, entry: Entry) -> Markup:
        """A clause's text; what is marked safe here is made by `clause_html` alone."""
        return Markup(self.renderer(entry.text))


def _json(data: Any) -> Markup:
    """JSON that can stand in a script element, whatever is in it."""
    from jinja2.utils import htmlsafe_json_dumps

    return htmlsafe_json_dumps(data, ensure_ascii=False, separators=(",", ":"))


def _script() -> Markup:
    """Our own script."""
    assert ENVIRONMENT.loader is not None
    return Markup(ENVIRONMENT.loader.get_source(ENVIRONMENT, "graph.js")[0].strip())
