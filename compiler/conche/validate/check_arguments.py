"""A case of a choice has no more arguments than an engine can go through.

What it does: reports (C0382) a case with more than 16 names. Why: the options of a case are loops within
loops, one for each name; nobody chooses so many things at once.

    choose pick
      case all(a in 1..2, b in 1..2, …)     # C0382; use: several choices, one after another

Fine is any number of cases.
"""

from __future__ import annotations

from conche.diagnostics.codes import diagnose
from conche.diagnostics.model import Diagnostic, Label
from conche.graph.model import ActionGraph
from conche.semantics.rulebook import Case

MOST_ARGUMENTS = 16


def check_arguments(graph: ActionGraph) -> list[Diagnostic]:
    return [
        diagnose(
            "C0382",
            f"this case has {len(node.owns.binders)} arguments, and {MOST_ARGUMENTS} are the most",
            Label(node.owns.binders[MOST_ARGUMENTS].span, "one too many"),
            help=("let the player make several choices, one after another",),
        )
        for node in graph.nodes()
        if isinstance(node.owns, Case) and len(node.owns.binders) > MOST_ARGUMENTS
    ]
