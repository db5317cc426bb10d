"""Every choice has an option or says what happens when there is none.

What it does: reports (C0320) a `choose` without `none` and without `always §…` that may have no option, and
(C0321) a `none` that can never run because there always is an option. Why: a player who must choose and
cannot would stop the game. An option is certain where a case has no condition and every argument ranges
over something that is never empty, or where the typer proved it. `always §…` is believed here and asserted
at run time.

    choose discard
      case (card in kinds(you.hand))      # C0320 with an empty hand; use: `none` and `stop`, or `always §3.2`
        move card from you.hand to pile
"""

from __future__ import annotations

from conche.diagnostics.codes import diagnose
from conche.diagnostics.model import Diagnostic, Label
from conche.graph.model import ActionGraph, Node
from conche.semantics.rulebook import (
    Around,
    Binder,
    Case,
    Choose,
    Expr,
    ListOf,
    Members,
    Players,
    Range,
    Sides,
    Turns,
)
from conche.semantics.types import Int
from conche.validate.flow import Flow, flow_of


def check_choices(graph: ActionGraph) -> list[Diagnostic]:
    flow = flow_of(graph)
    found = []
    for node in graph.nodes():
        if isinstance(node.owns, Choose):
            finding = _check(flow, node, node.owns)
            if finding is not None:
                found.append(finding)
    return found


def _check(flow: Flow, node: Node, choose: Choose) -> Diagnostic | None:
    certain = choose.sure or any(_always_open(case) for case in choose.cases)
    if not certain and choose.none is None and not choose.always:
        labels = [Label(node.span, "there may be no option")]
        labels += [Label(case.span, _doubt(case), primary=False) for case in choose.cases if not choose.short]
        return diagnose(
            "C0320",
            f"'{choose.name}' does not say what happens when there is no option",
            *labels,
            notes=[flow.way(node.id)],
            help=["add `none` with what then happens, or `always §…` with the clause that says why"],
        )
    if certain and choose.none is not None:
        span = choose.none[0].span if choose.none else node.span
        label = Label(span, "this never happens")
        help_text = "leave out `none` and what it says"
        return diagnose("C0321", f"'{choose.name}' always has an option", label, help=[help_text])
    return None


def _always_open(case: Case) -> bool:
    return case.guard is None and case.late_guard is None and all(_never_empty(b) for b in case.binders)


def _never_empty(binder: Binder) -> bool:
    return binder.source is None or surely_some(binder.source)


def surely_some(source: Expr) -> bool:
    """Whether a source is never empty, as far as its text and types tell."""
    match source:
        case Players() | Sides() | Members() | Turns() | Around():
            return True
        case ListOf():
            return any(count > 0 for count, _ in source.items)
        case Range():
            low, high = source.low.type, source.high.type
            return isinstance(low, Int) and isinstance(high, Int) and low.high <= high.low
        case _:
            return False


def _doubt(case: Case) -> str:
    if case.guard is not None or case.late_guard is not None:
        return "only under a condition"
    names = [binder.slot.name for binder in case.binders if not _never_empty(binder)]
    return f"there may be nothing for '{names[0]}'" if names else ""
