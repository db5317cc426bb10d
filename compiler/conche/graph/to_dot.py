"""The action graph as a drawing for Graphviz: `conche graph cacao | dot -Tsvg`.

Input: an `ActionGraph`. Output: DOT text: a cluster per routine, data nodes outside; control edges solid,
data edges dashed. Invariants: every id and text stands in quotes and is escaped, so that no rules file can
add anything but text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from conche.graph.model import CONTROL, ActionGraph, EdgeKind, Node, NodeKind
from conche.graph.order import data_nodes, edges_out, nested, routines

_SHAPES = {
    NodeKind.PHASE: "doubleoctagon",
    NodeKind.STEP: "box3d",
    NodeKind.ACTION: "box3d",
    NodeKind.CHOICE: "diamond",
    NodeKind.CHANCE: "hexagon",
    NodeKind.EFFECT: "box",
    NodeKind.BRANCH: "diamond",
    NodeKind.LOOP: "ellipse",
    NodeKind.TRIGGER: "cds",
    NodeKind.QUERY: "parallelogram",
    NodeKind.SCORE: "house",
    NodeKind.ZONE: "cylinder",
    NodeKind.CLAUSE: "note",
    NodeKind.MODULE: "component",
}
_COLORS = {
    NodeKind.CHOICE: "#f6d55c",
    NodeKind.CHANCE: "#c3b1e1",
    NodeKind.BRANCH: "#eeeeee",
    NodeKind.LOOP: "#d0e8f2",
    NodeKind.TRIGGER: "#f4a582",
    NodeKind.ZONE: "#d5e8d4",
}


_MARKED = {"added": "#1b7f3b", "changed": "#c0392b", "reached": "#1f5fbf"}
"""Colours of the rims of nodes that modules add, change and reach."""


def to_dot(graph: ActionGraph, *, data: bool = True, marks: Mapping[str, str] | None = None) -> str:
    """The graph in DOT, ending in a line end. `data`: with what belongs to no routine (`order.data_nodes`).
    `marks`: `added`, `changed` or `reached`, by id (`graph.changes`)."""
    return "\n".join(_lines(graph, data, marks or {})) + "\n"


def quote(text: str) -> str:
    """A text as a DOT string: quotes and backslashes escaped, line ends and other controls shown as
    blanks."""
    clean = "".join(sign if sign.isprintable() else " " for sign in text)
    return '"' + clean.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _lines(graph: ActionGraph, data: bool, marks: Mapping[str, str]) -> Iterator[str]:
    yield f"digraph {quote(graph.rulebook.ruleset)} {{"
    yield "  node [fontname=Helvetica fontsize=10 style=filled fillcolor=white];"
    yield "  edge [fontname=Helvetica fontsize=9];"
    shown: list[Node] = []
    for routine in routines(graph):
        yield f"  subgraph {quote('cluster ' + routine)} {{"
        yield f"    label={quote(graph.node(routine).title)};"
        for _, node in nested(graph, routine):
            shown.append(node)
            yield f"    {_node(node, marks.get(node.id))}"
        yield "  }"
    if data:
        for node in data_nodes(graph):
            shown.append(node)
            yield f"  {_node(node, marks.get(node.id))}"
    for node in shown:
        for kind, label, target in edges_out(graph, node.id):
            if data or kind in CONTROL:
                yield f"  {_edge(node.id, target, kind, label)}"
    yield "}"


def _node(node: Node, mark: str | None) -> str:
    color = _COLORS.get(node.kind, "white")
    rim = f" color={quote(_MARKED[mark])} penwidth=3" if mark else ""
    return (
        f"{quote(node.id)} [label={quote(node.title)} tooltip={quote(node.id)} "
        f"shape={_SHAPES[node.kind]} fillcolor={quote(color)}{rim}];"
    )


def _edge(source: str, target: str, kind: EdgeKind, label: str) -> str:
    words = f"{kind} {label}".strip() if kind not in (EdgeKind.THEN, EdgeKind.OPTION) else label
    style = "solid" if kind in CONTROL else "dashed"
    return f"{quote(source)} -> {quote(target)} [label={quote(words)} style={style}];"
