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

With `changes` the nodes that modules add, change or reach have a field `change`: "added", "changed" or
"reached"; and the document has

    "changes": {"base": "cacao",
                "changed": [{"node": "step.refill", "title": "step refill", "how": "step build before it",
                             "module": "huts", "file": "huts.rules", "line": 71}, …],
                "reached": [{"node": "score.gold", "why": "reads var gold"}, …]}

where the `node` of a type is null.

`owns` is the class of the rulebook's node; `kind`, `role`, … are those of `model.Node`. Nodes are sorted by
id, edges by source, target and key.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import networkx as nx

from conche.graph.changes import Changes
from conche.graph.model import ActionGraph, Node

SCHEMA = 1


def to_json(graph: ActionGraph, changes: Changes | None = None) -> str:
    """The graph as indented JSON, ending in a line end. `changes`: what modules do to it."""
    data = nx.node_link_data(_plain(graph, changes.marks if changes else {}), edges="edges")
    if changes is not None:
        data["changes"] = _changes(changes)
    return json.dumps({"conche_graph": SCHEMA, "ruleset": graph.rulebook.ruleset, **data}, indent=1) + "\n"


def _changes(changes: Changes) -> dict[str, Any]:
    return {
        "base": changes.base,
        "changed": [
            {
                "node": one.node,
                "title": one.title,
                "how": one.how,
                "module": one.module,
                "file": one.span.file,
                "line": one.span.line,
            }
            for one in changes.changed
        ],
        "reached": [{"node": one.node, "why": one.why} for one in changes.reached],
    }


def _plain(graph: ActionGraph, marks: Mapping[str, str]) -> nx.MultiDiGraph[str]:
    plain: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    for node in graph.nodes():
        mark = {"change": marks[node.id]} if node.id in marks else {}
        plain.add_node(node.id, **_fields(node), **mark)
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
