"""The action graph as GraphML, for yEd, Gephi, Cytoscape and the like.

Input: an `ActionGraph`. Output: XML text; `networkx.parse_graphml` reads it back.
Attributes of nodes: kind, role, title, routine, parent, file, line, cites (separated by blanks), and with
marks `change`; of edges: kind, label. Invariants: nodes are sorted by id, edges by source, target and key;
characters that XML cannot hold become `?`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import networkx as nx

from conche.graph.model import ActionGraph

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_graphml(graph: ActionGraph, marks: Mapping[str, str] | None = None) -> str:
    """The graph as GraphML, ending in a line end. `marks`: `added`, `changed` or `reached`, by id."""
    plain: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    for node in graph.nodes():
        plain.add_node(
            node.id,
            kind=str(node.kind),
            role=node.role,
            title=_clean(node.title),
            routine=node.routine,
            parent=node.parent or "",
            file=_clean(node.span.file),
            line=node.span.line,
            cites=" ".join(node.cites),
            **({} if marks is None else {"change": marks.get(node.id, "")}),
        )
    for source, target, key, data in sorted(graph.nx.edges(keys=True, data=True), key=lambda edge: edge[:3]):
        plain.add_edge(source, target, key=key, kind=str(data["kind"]), label=data["label"])
    return "\n".join(nx.generate_graphml(plain, named_key_ids=True)) + "\n"


def _clean(text: str) -> str:
    return _NOT_XML.sub("?", text)
