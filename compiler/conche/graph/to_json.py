"""The action graph as JSON, in networkx's node-link form.

Input: an `ActionGraph`. Output: text; `networkx.node_link_graph(json.loads(text), edges="edges")` reads it
back. Schema, version 1 (a new `conche_graph` number when the meaning of a field changes; fields may be
added):

    {"conche_graph": 1, "ruleset": "cacao", "directed": true, "multigraph": true, "graph": {},
     "nodes": [{"id": "step.fill", "kind": "step", "role": "start", "title": "step fill", "routine":
     "step.fill",
                "parent": null, "owns": "Step", "parts": [{"label": "", "nodes": ["step.fill/0.let", …]}],
                "file": "cacao.rules", "line": 78, "column": 1, "cites": ["1.5a"]}, …],
     "edges": [{"source": "step.fill", "target": "step.fill/0.let", "key": "then:", "kind": "then", "label":
     ""}, …]}

`owns` is the class of the rulebook's node; `kind`, `role`, … are those of `model.Node`. Nodes are sorted by
id, edges by source, target and key.
"""

from __future__ import annotations

import json
from typing import Any

import networkx as nx

from conche.graph.model import ActionGraph, Node

SCHEMA = 1


def to_json(graph: ActionGraph) -> str:
    """The graph as indented JSON, ending in a line end."""
    data = nx.node_link_data(_plain(graph), edges="edges")
    return json.dumps({"conche_graph": SCHEMA, "ruleset": graph.rulebook.ruleset, **data}, indent=1) + "\n"


def _plain(graph: ActionGraph) -> nx.MultiDiGraph[str]:
    plain: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    for node in graph.nodes():
        plain.add_node(node.id, **_fields(node))
    for source, target, key, data in sorted(graph.nx.edges(keys=True, data=True), key=lambda edge: edge[:3]):
        plain.add_edge(source, target, key=key, kind=str(data["kind"]), label=data["label"])
    return plain


def _fields(node: Node) -> dict[str, Any]:
    return {
        "kind": str(node.kind),
        "role": node.role,
        "title": node.title,
        "routine": node.routine,
        "parent": node.parent,
        "owns": None if node.owns is None else type(node.owns).__name__,
        "parts": [{"label": part.label, "nodes": list(part.nodes)} for part in node.parts],
        "file": node.span.file,
        "line": node.span.line,
        "column": node.span.column,
        "cites": list(node.cites),
    }
