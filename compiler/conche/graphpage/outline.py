"""From the action graph to boxes within boxes.

Input: an `ActionGraph`. Output: a `Drawing`:

    Set-up, Play             bands: the routines that only the set-up runs, and all others
      step fill, …           a group for each routine, with the nodes of it
    What is kept             a band with groups of zones and variables, queries, scores and clauses

Invariants: every node and every edge of the graph is in it once. `marks`: what a node has become, by id
(`added`, `changed`, …: any word); ids that the graph has not are passed over; a box that holds others has
the marks of what is in it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from conche.graph.model import CONTROL, ActionGraph, Edge, EdgeKind, Node, NodeKind
from conche.graph.order import data_nodes, nested, routines
from conche.graphpage.layout import grid, layered
from conche.graphpage.model import ROOT, Box, Direction, Drawing, Layout, Line

_LETTERS = 28
"""Of a line in a box."""
_LINES = 3

_SMALL = 100
"""So many nodes of routines can be seen at once."""

_DATA = {
    NodeKind.ZONE: "Places and variables",
    NodeKind.QUERY: "Queries",
    NodeKind.SCORE: "Scores",
    NodeKind.CLAUSE: "Clauses",
}


def outline(graph: ActionGraph, marks: Mapping[str, str] | None = None) -> Drawing:
    """The whole graph as a drawing. `MissingExtraError` where igraph is not installed."""
    maker = _Maker(graph, marks or {})
    in_setup = _only_setup(graph)
    names = routines(graph)
    maker.band("page:setup", "Set-up", [name for name in names if name in in_setup])
    maker.band("page:play", "Play", [name for name in names if name not in in_setup])
    maker.data()
    title = f"{graph.rulebook.title} ({graph.rulebook.ruleset})"
    return maker.finished(title)


def open_at_first(drawing: Drawing, everything: bool = False) -> frozenset[str]:
    """The boxes that a reader sees open: the bands, and in a small game the routines too; or `everything`."""
    boxes = drawing.boxes
    if everything:
        return frozenset(drawing.holders())
    bands = [name for name in drawing.holders() if boxes[name].kind == "band"]
    steps = [group for band in bands for group in drawing.inside(band) if boxes[group].kind == "group"]
    steps = [group for group in steps if not group.startswith("page:data")]
    small = sum(len(drawing.inside(group)) for group in steps) <= _SMALL
    return frozenset([*bands, *(steps if small else [])])


def lines_of(title: str) -> tuple[str, ...]:
    """A title as it stands in a box: a few lines, and no sign that cannot be seen."""
    clean = "".join(sign if sign.isprintable() else " " for sign in title)
    made = textwrap.wrap(clean, _LETTERS, max_lines=_LINES, placeholder=" …", break_on_hyphens=False)
    return tuple(made) or ("",)


def _only_setup(graph: ActionGraph) -> set[str]:
    """The routines that run in the set-up and never in play."""
    calls: dict[str, set[str]] = {}
    for node in graph.nodes():
        for (kind, _), target in graph.control(node.id).items():
            if kind in (EdgeKind.DOES, EdgeKind.TRIGGERS):
                calls.setdefault(node.routine, set()).add(target)
    return _reached(calls, ActionGraph.START) - _reached(calls, ActionGraph.PLAY)


def _reached(calls: Mapping[str, Iterable[str]], start: str) -> set[str]:
    found, todo = {start}, [start]
    while todo:
        new = set(calls.get(todo.pop(), ())) - found
        found |= new
        todo += new
    return found


class _Maker:
    def __init__(self, graph: ActionGraph, marks: Mapping[str, str]) -> None:
        self.graph = graph
        self.marks = marks
        self.edges = [
            edge
            for node in graph.nodes()
            for edge in (
                Edge(node.id, to, kind, label) for (kind, label), to in graph.control(node.id).items()
            )
        ]
        self.boxes: dict[str, Box] = {}
        self.bands: list[str] = []

    def band(self, name: str, title: str, names: Sequence[str]) -> None:
        """A band of routines, callers to the left of what they run."""
        holders = {routine: self._holder(routine) for routine in names}
        calls = [
            (holders[source], holders[target])
            for source, target in ((self._routine(e.source), self._routine(e.target)) for e in self.edges)
            if source in holders and target in holders
        ]
        self._band(name, title, layered(list(holders.values()), calls, Direction.RIGHT))
        for routine, holder in holders.items():
            nodes = [node for _, node in nested(self.graph, routine)]
            if holder != routine:
                title = self.graph.node(routine).title
                self._add(Box(holder, title, "group", name, self._routine_layout(nodes)))
            for node in nodes:
                self._node(node, name if holder == routine else holder)

    def data(self) -> None:
        """A band of what belongs to no routine, by kind."""
        by_kind: dict[NodeKind, list[Node]] = {kind: [] for kind in _DATA}
        for node in data_nodes(self.graph):
            by_kind.setdefault(node.kind, []).append(node)
        groups = {f"page:data:{kind}": nodes for kind, nodes in by_kind.items() if nodes}
        self._band("page:data", "What is kept and worked out", grid(list(groups)))
        for name, nodes in groups.items():
            title = _DATA.get(nodes[0].kind, str(nodes[0].kind))
            self._add(Box(name, title, "group", "page:data", grid([node.id for node in nodes])))
            for node in nodes:
                self._node(node, name)

    def finished(self, title: str) -> Drawing:
        marked: dict[str, list[str]] = {}
        for box in self.boxes.values():
            above = box.parent if box.mark else ""
            while above not in ("", ROOT):
                marked.setdefault(above, []).append(box.mark)
                above = self.boxes[above].parent
        root = Box(ROOT, title, "root", "", grid(self.bands, columns=1))
        boxes = {ROOT: root}
        for name, box in self.boxes.items():
            inner = sorted(set(marked.get(name, ())))
            boxes[name] = replace(box, mark=" ".join(inner)) if inner else box
        order = {kind: number for number, kind in enumerate(EdgeKind)}
        lines = (Line(a, b, str(kind), label, kind in CONTROL) for a, b, kind, label in self._all_edges())
        return Drawing(title, boxes, tuple(sorted(lines, key=lambda e: (e.source, order[EdgeKind(e.kind)]))))

    def _all_edges(self) -> Iterable[tuple[str, str, EdgeKind, str]]:
        for source, target, data in self.graph.nx.edges(data=True):
            yield source, target, data["kind"], data["label"]

    def _band(self, name: str, title: str, layout: Layout) -> None:
        self.bands.append(name)
        self._add(Box(name, title, "band", ROOT, layout))

    def _node(self, node: Node, parent: str) -> None:
        mark = self.marks.get(node.id, "")
        self._add(Box(node.id, node.title, str(node.kind), parent, mark=mark))

    def _add(self, box: Box) -> None:
        self.boxes[box.id] = replace(box, lines=lines_of(box.title))

    def _holder(self, routine: str) -> str:
        """The box of a routine: a group, or the node itself where it is all there is."""
        alone = self.graph.node(routine).role == "end"
        return routine if alone else f"page:routine:{routine}"

    def _routine(self, node_id: str) -> str:
        return self.graph.node(node_id).routine

    def _routine_layout(self, nodes: Sequence[Node]) -> Layout:
        """Statements from top to bottom; what goes back to the head of a loop is turned round for it."""
        ids = {node.id for node in nodes}
        inner = [edge for edge in self.edges if edge.source in ids and edge.target in ids]
        pairs = [
            (edge.target, edge.source) if edge.kind is EdgeKind.REPEATS else (edge.source, edge.target)
            for edge in inner
        ]
        return layered([node.id for node in nodes], pairs, Direction.DOWN)
