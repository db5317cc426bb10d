"""The order in which a graph is read: routine by routine, and within a routine as the rules say it.

Input: an `ActionGraph`. Output: its routines, the nodes of one, and the data nodes.
Invariants: every node is in exactly one routine or is a data node; the order depends on ids and nesting
alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from conche.graph.model import ActionGraph, EdgeKind, Node
from conche.source import Span

Edge = tuple[EdgeKind, str, str]
"""Kind, label, target."""


def routines(graph: ActionGraph) -> list[str]:
    """The first nodes of all routines: set-up, play, the end, then actions, steps and triggers by name."""
    phases = [ActionGraph.START, ActionGraph.PLAY, ActionGraph.END]
    others = {node.routine for node in graph.nodes() if node.routine} - set(phases)
    return [*phases, *sorted(others)]


def nested(graph: ActionGraph, routine: str) -> Iterator[tuple[int, Node]]:
    """The nodes of a routine with their depth, in the order of the rules: a loop's head after what enters
    it."""
    stack = [(0, routine)]
    while stack:
        depth, node_id = stack.pop()
        node = graph.node(node_id)
        yield depth, node
        if node.role == "enter":
            yield depth + 1, graph.node(f"{node_id}/next")
        inner = [(depth + 1, below) for part in node.parts for below in part.nodes]
        if node.role == "start":
            inner.append((depth, f"{node_id}/end"))
        stack += reversed(inner)


def data_nodes(graph: ActionGraph) -> list[Node]:
    """What belongs to no routine: zones, variables, queries, scores, clauses, modules, by id."""
    return [node for node in graph.nodes() if not node.routine]


def edges_out(graph: ActionGraph, node_id: str) -> list[Edge]:
    """All edges out of a node: control edges first, then data edges, each by kind, label and target."""
    ranks = {kind: rank for rank, kind in enumerate(EdgeKind)}
    found = [
        (data["kind"], data["label"], target) for _, target, data in graph.nx.out_edges(node_id, data=True)
    ]
    return sorted(found, key=lambda edge: (ranks[edge[0]], edge[1], edge[2]))


def place(span: Span) -> str:
    """File and line of a node, without the folders."""
    return f"{PurePath(span.file).name}:{span.line}"
