"""Every loop comes to its end.

What it does: reports a `repeat` or `rounds` that has a way round on which nothing brings it nearer to its
end: an error (C0310) where nobody is asked on that way, a warning (C0311) where somebody is. `progress.py`
says what counts. Why: a game must end, whatever the players do; an engine must never hang. How: loops over
a set, over players and `n times` are bounded. For each other loop the strongly connected part of its
routine's flow around the loop's head is taken, the nodes that make progress are left out (a `do` counts if
every way through what it runs has such a node), and the head must then lie on no cycle. No cycle is ever
enumerated. `rounds … until all pass` ends by itself when all pass: only ways by one of the other options
count there. What it does not see: progress that only a condition tells ("while somebody has not passed"), or
that needs sums.

    repeat while bag is not empty
      if you.gold > 3: draw 1 from bag to you.hand      # C0310: the way past the `if` goes round for ever

    repeat while bag is not empty
      draw 1 from bag to you.hand                       # good: pieces leave the bag and none come in
"""

from __future__ import annotations

from collections.abc import Collection

from conche.diagnostics.codes import diagnose
from conche.diagnostics.model import Diagnostic, Label
from conche.graph.model import ActionGraph, Node
from conche.graph.ways import part_around, shortest_round
from conche.semantics.rulebook import Choose, Rounds, While
from conche.validate.flow import Flow, flow_of
from conche.validate.progress import Progress
from conche.validate.same import conjuncts

HELP = (
    "on every way round, let a set or list get smaller, a number go one way only, or pieces leave for good",
    "that chance may end the loop some day does not count",
    "or write `repeat n times`, `for each` or `each player`, which always end",
)
"""What counts as coming nearer to the end, in plain words; `progress.py` has it exactly."""


def check_bounded(graph: ActionGraph) -> list[Diagnostic]:
    flow = flow_of(graph)
    found = []
    for node in graph.nodes():
        if node.role == "next" and isinstance(node.owns, While | Rounds) and node.id in flow.reached:
            finding = _check(flow, node)
            if finding is not None:
                found.append(finding)
    return found


def _check(flow: Flow, head: Node) -> Diagnostic | None:
    inside = flow.inside(head.id)
    around = part_around(_flow_among(flow, inside, ()), head.id)
    if not around:
        return None
    assert isinstance(head.owns, While | Rounds)
    condition = head.owns.guard if isinstance(head.owns, Rounds) else head.owns.condition
    slot = head.owns.slot if isinstance(head.owns, Rounds) else None
    deep = flow.deep(around)
    blocked = Progress(flow, deep, conjuncts(condition), slot).blocked()
    idle = part_around(_flow_among(flow, around, blocked), head.id)
    if not idle:
        return None
    passing: set[str] = set()
    if isinstance(head.owns, Rounds) and head.owns.until_pass:
        passing, others = _options_of_window(flow.graph, inside, head.id)
        if idle.isdisjoint(others):
            return None
    asked = {node for node in deep if flow.graph.node(node).role == "case"}
    silent = set() if passing else part_around(_flow_among(flow, around, blocked | asked), head.id)
    passed_over = blocked | asked if silent else blocked | passing
    shown = _flow_among(flow, silent or idle, passed_over)
    way = flow.expand(shortest_round(shown, [head.id]), flow.exits_without(passed_over), passed_over)
    notes = [f"a way round: {flow.round(way)}"]
    if silent:
        label = Label(head.span, "nothing brings this nearer to its end")
        return diagnose("C0310", "this loop may never end", label, notes=notes, help=HELP)
    label = Label(head.span, "only the players' choices bring this to its end")
    return diagnose(
        "C0311",
        "this loop goes on for as long as a player chooses",
        label,
        notes=[*notes, "this is a warning: it may stay where the players decide how long it goes on"],
        help=HELP,
    )


def _options_of_window(graph: ActionGraph, inside: set[str], head: str) -> tuple[set[str], set[str]]:
    """The cases of the choices that a loop goes on for until all pass: those that are to pass, and the
    others."""
    passing: set[str] = set()
    others: set[str] = set()
    for node_id in inside:
        node = graph.node(node_id)
        if isinstance(node.owns, Choose) and node.owns.passes and graph.window(node_id) == head:
            cases = [case for part in node.parts for case in part.nodes]
            passing.add(cases[-1])
            others.update(cases[:-1])
    return passing, others


def _flow_among(flow: Flow, nodes: Collection[str], blocked: Collection[str]) -> dict[str, list[str]]:
    """The flow among nodes of one routine, without what must pass a blocked node, here or in a called
    routine."""
    exits = flow.exits_without(blocked)
    return {
        node: [n for n in flow.next_nodes(node, exits) if n in nodes and n not in blocked]
        for node in sorted(nodes)
        if node not in blocked
    }
