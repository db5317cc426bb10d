"""What modules do to a graph, as a list to be read: `conche graph cacao+huts --changes`.

Input: the graph with the modules, and `Changes`. Output: text, ending in a line end.
Invariants: one line for each thing; what is added stands by its beginnings, not statement by statement.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from conche.graph.changes import Changes, beginnings
from conche.graph.model import ActionGraph
from conche.source import Span


def changes_to_text(graph: ActionGraph, changes: Changes) -> str:
    added = [(node.title, "", node.span) for node in beginnings(graph, changes)]
    changed = [(one.title, f"{one.how} ({one.module})", one.span) for one in changes.changed]
    reached = [(_title(graph, one.node), one.why, graph.node(one.node).span) for one in changes.reached]
    lines = [f"{graph.rulebook.ruleset} beside {changes.base}"]
    for head, what in (("adds", added), ("changes", changed), ("reaches", reached)):
        lines += ["", f"{head} {len(what)}", *_table(what)]
    return "\n".join(lines) + "\n"


def _title(graph: ActionGraph, node_id: str) -> str:
    """Of a case, the choice too."""
    node = graph.node(node_id)
    if node.role == "case" and node.parent is not None:
        return f"{graph.node(node.parent).title}: {node.title}"
    return node.title


def _table(rows: Iterable[tuple[str, str, Span]]) -> Iterator[str]:
    rows = sorted(rows, key=lambda row: (row[2].file, row[2].line, row[0], row[1]))
    places = [f"{span.file}:{span.line}" for _, _, span in rows]
    wide = max(map(len, places), default=0)
    names = max((len(title) for title, why, _ in rows if why and len(title) <= 50), default=0)
    for place, (title, why, _) in zip(places, rows, strict=True):
        yield f"  {place:<{wide}}  {title:<{names if why else 0}}  {why}".rstrip()
