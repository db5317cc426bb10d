"""The action graph as text: `conche build --emit graph`, and its golden form.

Input: an `ActionGraph`. Output: lines; a node's line, then its edges, then the nodes that stand in it.

    step.fill/1.while [loop enter] repeat while not gaps is empty (cacao.rules:81) §1.5b
        then -> step.fill/1.while/next

Invariants: every node and every edge appears once; a node is named by its full id.
"""

from __future__ import annotations

from collections.abc import Iterator

from conche.graph.model import ActionGraph, Node
from conche.graph.order import data_nodes, edges_out, nested, place, routines


def dump(graph: ActionGraph) -> str:
    """The whole graph, ending in a line end."""
    return "\n".join(_lines(graph)) + "\n"


def _lines(graph: ActionGraph) -> Iterator[str]:
    nodes, edges = graph.nx.number_of_nodes(), graph.nx.number_of_edges()
    yield f"graph of {graph.rulebook.ruleset}: {nodes} nodes, {edges} edges"
    for routine in routines(graph):
        yield ""
        for depth, node in nested(graph, routine):
            yield from _node(graph, node, "  " * depth)
    yield ""
    for node in data_nodes(graph):
        yield from _node(graph, node, "")


def _node(graph: ActionGraph, node: Node, indent: str) -> Iterator[str]:
    kind = f"{node.kind} {node.role}" if node.role else str(node.kind)
    cites = "".join(f" §{cite}" for cite in node.cites)
    yield f"{indent}{node.id} [{kind}] {node.title} ({place(node.span)}){cites}"
    for edge, label, target in edges_out(graph, node.id):
        yield f"{indent}    {edge} {label} -> {target}" if label else f"{indent}    {edge} -> {target}"
