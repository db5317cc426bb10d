"""What a call passes on.

Input: a node that runs a routine, and that routine's first node. Output: parameters with their arguments.
"""

from __future__ import annotations

from conche.graph.model import ActionGraph, Node
from conche.semantics.rulebook import ActionCase, Do, DoAction, Expr, Slot, Step


def arguments(graph: ActionGraph, node: Node, routine: str) -> list[tuple[Slot, Expr]]:
    """The parameters of a routine and what a call gives them; none for triggers."""
    called = graph.node(routine).owns
    match node.owns, called:
        case Do(args=args), Step(params=params):
            return list(zip(params, args, strict=True))
        case DoAction(args=args), ActionCase(params=params):
            return list(zip(params, args, strict=True))
        case _:
            return []
