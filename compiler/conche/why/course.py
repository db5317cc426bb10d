"""Where in the course of play decisions stand.

Purpose: says of a decision that is not asked now when it is.
Input: an action graph, two choices. Output: sentences. Invariants: speaks of the rules alone, not of the
position. Where a step is done from several places, the first by the order of ids is named.
"""

from __future__ import annotations

from conche.diagnostics.lists import in_a_row
from conche.graph.model import ActionGraph, EdgeKind, Node
from conche.graph.order import nested
from conche.semantics.rulebook import Do

MOST = 5
"""So many steps are named."""

_CALLS = (EdgeKind.DOES, EdgeKind.TRIGGERS)


def way_to(graph: ActionGraph, node: Node) -> list[Node]:
    """The nodes that lead to a choice, from the phase down: each in the routine that the one before it
    runs; the choice comes last."""
    way, seen = [node], {node.routine}
    while True:
        callers = sorted(source for kind in _CALLS for source, _ in graph.into(way[0].routine, kind))
        callers = [caller for caller in callers if graph.node(caller).routine not in seen]
        if not callers:
            return way
        way.insert(0, graph.node(callers[0]))
        seen.add(way[0].routine)


def cites_of(graph: ActionGraph, node: Node, own: tuple[str, ...] = ()) -> tuple[str, ...]:
    """What a node cites, or a part of it; else what its routine does."""
    return own or node.cites or graph.node(node.routine).cites


def path_text(graph: ActionGraph, way: list[Node]) -> str:
    """`play › turn › build`"""
    names = [_name(node.routine) for node in way]
    return " › ".join(dict.fromkeys(name for name in names if name))


def _name(routine: str) -> str:
    """A routine as the rules call it."""
    kind, _, name = routine.partition(".")
    name = name.removesuffix(".original")
    return name if kind in ("phase", "step") else f"{kind} {name}"


def between(graph: ActionGraph, now: list[Node], then: list[Node]) -> str | None:
    """What comes between two choices, by their ways; None where that is not simple."""
    for here, there in zip(now, then, strict=False):
        if here.id == there.id:
            continue
        if here.routine != there.routine:
            return None
        order = [node.id for _, node in nested(graph, here.routine)]
        first, second = order.index(here.id), order.index(there.id)
        if first >= second:
            return "it stands before what is asked now; it may come again later"
        calls = [
            node.owns.step.removesuffix(".original")
            for node in map(graph.node, order[first + 1 : second])
            if isinstance(node.owns, Do)
        ]
        if not calls:
            return "it comes after what is asked now"
        some = list(dict.fromkeys(calls))
        shown = in_a_row(some[:MOST]) if len(some) <= MOST else f"{', '.join(some[:MOST])} and more"
        return f"before it {'come' if len(some) > 1 else 'comes'} {shown}"
    return None
