"""Triggers come to rest, and those that fire together do so in a stated order.

What it does: reports triggers that cause each other (or themselves) with a way round that makes no
progress: an error (C0330), a warning (C0331) where a player is asked on that way; and two triggers that one
statement can fire, neither of which `follows` the other, directly or through others (C0332). Why: a chain
reaction must end; what happens at one moment must not depend on the order of the files. Progress is what
`progress.py` says, with the triggers' own conditions as those of the loop. Two triggers that answer to
different kinds of pieces never fire together where one piece at a time comes in.

    trigger bonus when you gains n of gold
      gain 1 gold                                    # C0330: this causes itself

    trigger second when you gains n of gold follows first      # `follows` orders two that fire together
"""

from __future__ import annotations

from conche.diagnostics.codes import diagnose
from conche.diagnostics.model import Diagnostic, Label
from conche.graph.model import ActionGraph, Node
from conche.graph.ways import leads_to, part_around, shortest_round
from conche.semantics.rulebook import Draw, Expr, OnCondition, OnEnter, Put, Trigger
from conche.semantics.types import Int
from conche.validate.flow import Flow, flow_of
from conche.validate.progress import Progress
from conche.validate.same import conjuncts


def check_triggers(graph: ActionGraph) -> list[Diagnostic]:
    flow = flow_of(graph)
    return [*_feeding(flow), *_unordered(flow)]


# -------------------------------------------------------------------------------------------- chain reactions


def _feeding(flow: Flow) -> list[Diagnostic]:
    causes: dict[str, list[str]] = {}
    for name in flow.graph.rulebook.triggers:
        start = f"trigger.{name}"
        inside = [flow.graph.node(node) for node in sorted(flow.deep(flow.members[start]))]
        causes[start] = [flow.graph.triggers(node.id) for node in inside if node.role == "fire"]
    groups = {tuple(sorted(part_around(causes, start))) for start in causes}
    findings = [_check_group(flow, list(group)) for group in sorted(groups) if group]
    return [finding for finding in findings if finding is not None]


def _check_group(flow: Flow, group: list[str]) -> Diagnostic | None:
    """Triggers that cause each other: fine where every way round makes progress."""
    deep = flow.deep(node for start in group for node in flow.members[start])
    triggers = [flow.graph.rulebook.triggers[start.removeprefix("trigger.")] for start in group]
    triggers.sort(key=lambda trigger: (trigger.span, trigger.name))
    conditions = [part for trigger in triggers for part in _conditions(trigger)] if len(triggers) == 1 else []
    blocked = Progress(flow, deep, conditions).blocked()
    idle = shortest_round(_expanded(flow, deep, blocked), group)
    if not idle:
        return None
    asked = {node for node in deep if flow.graph.node(node).role == "case"}
    silent = shortest_round(_expanded(flow, deep, blocked | asked), group)
    names = " and ".join(f"'{trigger.name}'" for trigger in triggers)
    labels = [Label(trigger.span, "" if n else "begins here", n == 0) for n, trigger in enumerate(triggers)]
    notes = [f"a way round: {flow.path(silent or idle)}"]
    help_text = "let it drop from a set, move a number one way, or take a piece from where none come in"
    itself = "itself" if len(group) == 1 else "each other"
    title = f"{names} can cause {itself} " + ("without end" if silent else "for as long as a player chooses")
    return diagnose("C0330" if silent else "C0331", title, *labels, notes=notes, help=[help_text])


def _conditions(trigger: Trigger) -> list[tuple[Expr, bool]]:
    condition = trigger.event.condition if isinstance(trigger.event, OnCondition) else None
    return [*conjuncts(condition), *conjuncts(trigger.guard)]


def _expanded(flow: Flow, nodes: set[str], blocked: set[str]) -> dict[str, list[str]]:
    """The flow among nodes, into called routines as well, without the blocked ones."""
    exits = flow.exits_without(blocked)
    found: dict[str, list[str]] = {}
    for node in sorted(nodes - blocked):
        after = [*flow.next_nodes(node, exits), *flow.callees.get(node, ())]
        found[node] = [n for n in after if n in nodes and n not in blocked]
    return found


# -------------------------------------------------------------------------------------------- order


def _unordered(flow: Flow) -> list[Diagnostic]:
    triggers = flow.graph.rulebook.triggers
    follows = {name: trigger.follows for name, trigger in triggers.items()}
    first: dict[tuple[str, str], tuple[Node, int]] = {}
    for statement, fired in _together(flow):
        for pair in ((a, b) for a in fired for b in fired if a.name < b.name):
            one, two = pair
            if _exclusive(statement, one, two):
                continue
            if one.name in leads_to(follows, [two.name]) or two.name in leads_to(follows, [one.name]):
                continue
            key = (one.name, two.name)
            place, count = first.get(key, (statement, 0))
            first[key] = (place, count + 1)
    found = []
    for (one_name, two_name), (statement, count) in sorted(first.items(), key=lambda item: item[0]):
        notes = [flow.way(statement.id)] + ([f"{count} statements can fire both"] if count > 1 else [])
        found.append(
            diagnose(
                "C0332",
                f"triggers '{one_name}' and '{two_name}' can fire together, and neither follows the other",
                Label(triggers[two_name].span, "this one"),
                Label(triggers[one_name].span, "and this one"),
                Label(statement.span, "both fire after this", primary=False),
                notes=notes,
                help=[f"write `follows {one_name}` in '{two_name}', or the other way round"],
            )
        )
    return found


def _together(flow: Flow) -> list[tuple[Node, list[Trigger]]]:
    """Statements with the triggers that are tried after them, where there are several."""
    fired: dict[str, list[Trigger]] = {}
    for node in flow.graph.nodes():
        if node.role == "fire" and isinstance(node.owns, Trigger):
            fired.setdefault(node.id.rsplit("/fire.", 1)[0], []).append(node.owns)
    return [(flow.graph.node(node), found) for node, found in sorted(fired.items()) if len(found) > 1]


def _exclusive(statement: Node, one: Trigger, two: Trigger) -> bool:
    """Whether two triggers answer to different kinds, and only one piece comes in."""
    if not isinstance(one.event, OnEnter) or not isinstance(two.event, OnEnter):
        return False
    if not set(one.event.kinds).isdisjoint(two.event.kinds):
        return False
    match statement.owns:
        case Draw(amount=amount):
            return isinstance(amount.type, Int) and amount.type.high <= 1
        case Put(items=items):
            return len(items) <= 1
        case _:
            return True
