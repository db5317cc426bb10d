"""Whether a piece that was chosen comes to where all see it.

Input: a `Flow` and the rulebook's `Labels`. Output: for an argument of a case, whether on every way from
the choice its piece is moved to an open zone or a board, or it is revealed to all, in the case or in a step
that it is passed to. Invariants: ways are those of the graph; a way that leaves the case before (by `stop`,
by its end) does not count.
"""

from __future__ import annotations

from collections.abc import Sequence

from conche.graph.expressions import target_node
from conche.graph.model import Node
from conche.graph.ways import reachable
from conche.semantics.rulebook import Local, Move, Reveal, Slot
from conche.validate.calls import arguments
from conche.validate.flow import Flow
from conche.validate.labels import OPEN, Labels, slot_key
from conche.validate.progress import owned_stmt


class Shown:
    def __init__(self, flow: Flow, labels: Labels) -> None:
        self._flow = flow
        self._graph = flow.graph
        self._labels = labels
        self._shows: dict[tuple[str, str], bool] = {}

    def on_every_way(self, case_id: str, slot: Slot, *, short: bool) -> bool:
        """`short`: the choice has no body of its own; what follows it in its routine counts."""
        routine = self._graph.node(case_id).routine
        body = set(self._flow.members[routine]) if short else self._flow.inside(case_id)
        return self._all_show(case_id, slot_key(slot), body)

    def _all_show(self, start: str, key: str, body: set[str]) -> bool:
        """Whether no way from `start` leaves `body` before the local is shown."""

        def onward(node_id: str) -> Sequence[str]:
            if node_id not in body or self._does_show(self._graph.node(node_id), key):
                return ()
            return self._flow.next_nodes(node_id, self._flow.exits)

        found = reachable([start], onward)
        return all(node in body and self._graph.node(node).role != "end" for node in found)

    def _does_show(self, node: Node, key: str) -> bool:
        match owned_stmt(node):
            case Move(kind=Local(slot=slot), target=target) if slot_key(slot) == key:
                return self._labels.visibility(target_node(target)) == OPEN
            case Reveal(value=Local(slot=slot), to=None):
                return slot_key(slot) == key
            case None:
                return False
            case _:
                routines = self._flow.callees.get(node.id, ())
                return bool(routines) and all(self._passes_on(node, routine, key) for routine in routines)

    def _passes_on(self, node: Node, routine: str, key: str) -> bool:
        """Whether a routine gets the local as a parameter and shows it on every way. (Steps do not call
        each other in a circle, so this comes to an end.)"""
        for param, arg in arguments(self._graph, node, routine):
            if isinstance(arg, Local) and slot_key(arg.slot) == key:
                known = (routine, slot_key(param))
                if known not in self._shows:
                    self._shows[known] = False
                    self._shows[known] = self._all_show(
                        routine, slot_key(param), set(self._flow.members[routine])
                    )
                if self._shows[known]:
                    return True
        return False
