"""Where in the course of play decisions stand.

Purpose: says of a decision that is not asked now when it is.
Input: an action graph, two choices. Output: sentences. Invariants: speaks of the rules alone, not of the
position. Where a step is done from several places, the first by the order of ids is named. That something
comes, or comes again, is said only where the graph has a way there; that it does not, only where it has none.
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
    """What a node cites, or a part of it; else what the innermost statement around it does that cites
    something; else what its routine does."""
    cites, above = own or node.cites, node.parent
    while not cites and above is not None:
        around = graph.node(above)
        cites, above = around.cites, around.parent
    return cites or graph.node(node.routine).cites


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
        comes = then[-1].id in _coming(graph, now[-1])
        if first >= second:
            again = "; it may come again later" if comes else ", and does not come again"
            return f"it stands before what is asked now{again}"
        if not comes:
            return "no way leads to it from what is asked now"
        if there.id not in _within(graph, [here.id], loops=False):
            return "it may come later"
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


def _coming(graph: ActionGraph, node: Node) -> set[str]:
    """All nodes that play can come to once a choice is made: in its routine, in what that does, and in
    whatever may have done it."""
    found: set[str] = set()
    ups, downs = [node.id], list[str]()
    done: set[str] = set()
    while ups:
        here = _within(graph, _next(graph, ups.pop()))
        found |= here
        downs += here
        for end in here:
            routine = graph.node(end).routine
            if graph.node(end).role == "end" and routine not in done:
                done.add(routine)
                ups += [caller for kind in _CALLS for caller, _ in graph.into(routine, kind)]
    while downs:
        for called in _targets(graph, downs.pop(), _CALLS):
            here = _within(graph, [called]) - found
            found |= here
            downs += here
    return found


def _within(graph: ActionGraph, starts: list[str], *, loops: bool = True) -> set[str]:
    """What follows on nodes, these included, without what is done elsewhere in between. Without `loops`,
    after the end of a loop's body only what comes after the loop."""
    found: set[str] = set()
    waiting = list(starts)
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting += _next(graph, one, loops=loops)
    return found


def _next(graph: ActionGraph, node_id: str, *, loops: bool = True) -> list[str]:
    back = _targets(graph, node_id, (EdgeKind.REPEATS,))
    if not loops:
        back = [after for head in back for after in _targets(graph, head, (EdgeKind.THEN,))]
    return _targets(graph, node_id, (EdgeKind.THEN, EdgeKind.OPTION)) + back


def _targets(graph: ActionGraph, node_id: str, kinds: tuple[EdgeKind, ...]) -> list[str]:
    return [target for _, target, data in graph.nx.out_edges(node_id, data=True) if data["kind"] in kinds]
