"""Every rule can be come to, and the end of the game from every rule.

What it does: reports (C0301) a statement that no way through the rules leads to, and a routine that is only
run from such places; (C0302) a trigger that nothing can fire; (C0303) a place from which the game cannot
end. Why: a rule that never runs is a rule that somebody forgot to connect; a game that cannot end is a
mistake. Ways are followed through calls: a `do` leads on only if what it runs comes to its end. Conditions
are taken to go either way, so a loop `repeat while c` counts as left; whether it is, `check_bounded` asks.

    step build
      stop
      gain 1 gold          # C0301: nothing leads here; use: put it before `stop`

    play
      repeat
        do turn            # C0303: no `stop` or `end game` leads out of the loop
"""

from __future__ import annotations

from conche.diagnostics.codes import diagnose
from conche.diagnostics.model import Diagnostic, Label
from conche.graph.model import ActionGraph, Node, NodeKind
from conche.graph.ways import leads_to, turned
from conche.validate.flow import Flow, flow_of

_SILENT = ("end", "next", "fire", "start")
"""Roles of nodes that are not reported themselves: what they belong to is."""


def check_reachable(graph: ActionGraph) -> list[Diagnostic]:
    flow = flow_of(graph)
    return [*_unreachable(flow), *_cut_off_routines(flow), *_never_fired(flow), *_endless(flow)]


def _unreachable(flow: Flow) -> list[Diagnostic]:
    """The first statement of each stretch that cannot be come to."""
    found = []
    for node in flow.graph.nodes():
        if node.role in _SILENT or node.parent is None or node.id in flow.reached:
            continue
        parent = flow.graph.node(node.parent)
        before = _before(parent, node.id)
        if parent.id in flow.reached and (before is None or before in flow.reached):
            notes = [f"'{flow.graph.node(before).title}' before it never leads on"] if before else []
            label = Label(node.span, "nothing leads here")
            found.append(diagnose("C0301", f"'{node.title}' can never run", label, notes=notes))
    return found


def _before(parent: Node, node_id: str) -> str | None:
    for part in parent.parts:
        if node_id in part.nodes:
            place = part.nodes.index(node_id)
            return part.nodes[place - 1] if place else None
    return None


def _cut_off_routines(flow: Flow) -> list[Diagnostic]:
    """Routines that are called, but only from statements that cannot be come to. (One never called:
    check_used.)"""
    found = []
    for routine in sorted(flow.members):
        callers = flow.callers.get(routine, ())
        if routine in flow.reached or not callers or flow.graph.node(routine).kind is NodeKind.TRIGGER:
            continue
        if not any(flow.graph.node(caller).routine in flow.reached for caller in callers):
            continue  # the routine it is called from is reported itself
        labels = [Label(flow.span(routine), "this never runs")]
        labels += [Label(flow.span(c), "called here, where nothing leads", primary=False) for c in callers]
        found.append(diagnose("C0301", f"'{flow.graph.node(routine).title}' can never run", *labels))
    return found


def _never_fired(flow: Flow) -> list[Diagnostic]:
    found = []
    for name, trigger in flow.graph.rulebook.triggers.items():
        if f"trigger.{name}" not in flow.reached:
            label = Label(trigger.span, "no statement that runs can cause this")
            found.append(diagnose("C0302", f"trigger '{name}' can never fire", label))
    return found


def _endless(flow: Flow) -> list[Diagnostic]:
    """Where the game is caught: the last strongly connected parts of the flow that does not come to the
    end."""
    whole = _whole(flow)
    ending = leads_to(turned(whole), [ActionGraph.END])
    caught = {node: sorted(after - ending) for node, after in whole.items() if node not in ending}
    if not caught:
        return []
    # Importing this takes longer than all checks of good rules.
    import networkx as nx

    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(caught)
    graph.add_edges_from((node, after) for node in caught for after in caught[node])
    groups = nx.condensation(graph)
    found = []
    for group in groups:
        if groups.out_degree(group) == 0:
            nodes = [flow.graph.node(node) for node in groups.nodes[group]["members"]]
            found.append(_caught(flow, nodes))
    return found


def _whole(flow: Flow) -> dict[str, set[str]]:
    """All that is reached, with ways into routines and from their ends back to where they were called."""
    whole: dict[str, set[str]] = {node: set() for node in sorted(flow.reached | {ActionGraph.END})}
    for node in flow.reached:
        local = flow.next_nodes(node, flow.exits)
        whole[node].update(local)
        for routine in flow.callees.get(node, ()):
            whole[node].add(routine)
            end = f"{routine}/end"
            if end in flow.reached:
                whole[end].update(local)
    for before, after in _phases(flow):
        whole[before].add(after)
    return whole


def _phases(flow: Flow) -> list[tuple[str, str]]:
    ways = [(f"{ActionGraph.START}/end", ActionGraph.PLAY), (f"{ActionGraph.PLAY}/end", ActionGraph.END)]
    return [way for way in ways if way[0] in flow.reached]


def _caught(flow: Flow, nodes: list[Node]) -> Diagnostic:
    shown = [node for node in nodes if node.role == "enter"] or nodes
    first = min(shown, key=lambda node: (node.span, node.id))
    notes = [flow.way(first.id)]
    help_text = "a `stop` or `end game` that can be come to leads out"
    label = Label(first.span, "the game never gets out of this")
    return diagnose("C0303", "the game cannot end from here", label, notes=notes, help=[help_text])
