"""What is conserved is neither made nor destroyed once play has begun.

What it does: for `conserve T`, reports (C0350) every `put`, `take`, `swap`, `gain` and `pay` of pieces of T
that play can come to, itself or through steps and triggers. A payment to another player stays allowed. Why:
components in the box do not multiply; a piece that vanishes is a bug that players notice.

    conserve Tile
    step refill
      put 1 water in display        # C0350; use: draw 1 from bag to display
"""

from __future__ import annotations

from conche.diagnostics.codes import diagnose
from conche.diagnostics.model import Diagnostic, Label
from conche.graph.model import ActionGraph, Node
from conche.semantics.rulebook import GainPieces, PayPieces, Put, Swap, Take, ZoneRef
from conche.validate.flow import flow_of
from conche.validate.progress import owned_stmt

_WORDS = {"Put": "put", "Take": "take", "Swap": "swap", "GainPieces": "gain", "PayPieces": "pay"}


def check_conserved(graph: ActionGraph) -> list[Diagnostic]:
    rules = graph.rulebook
    if not rules.conserved:
        return []
    flow = flow_of(graph)
    play = flow.deep(flow.members[ActionGraph.PLAY]) & flow.reached
    found = []
    for node_id in sorted(play):
        node = graph.node(node_id)
        zone = _changes_number_in(node)
        for conserve in rules.conserved.values():
            if zone is not None and rules.zones[zone.name].of == conserve.piece:
                word = _WORDS[type(node.owns).__name__]
                found.append(
                    diagnose(
                        "C0350",
                        f"{conserve.piece} is conserved, but play can {word} pieces of it",
                        Label(node.span, f"this changes how many {conserve.piece} there are"),
                        Label(conserve.span, "conserved here", primary=False),
                        notes=[flow.way(node_id)],
                        help=["use `move` or `draw`, or do it in the set-up"],
                    )
                )
    return found


def _changes_number_in(node: Node) -> ZoneRef | None:
    """The zone in which a node makes or destroys pieces."""
    match owned_stmt(node):
        case Put(zone=zone) | Take(zone=zone) | Swap(zone=zone) | GainPieces(zone=zone):
            return zone
        case PayPieces(zone=zone, to=None):
            return zone
        case _:
            return None
