"""Who is surely still in the game where he is asked.

Input: a `Flow` of a game that eliminates. Output: the choices whose player cannot have left, and the
`eliminate`s of players who have not left before. A player is in
whose turn it is in a loop over players, who sits beside another one, or who has just been asked; `eliminate`
ends all that is known, and so does running what may eliminate. This is a forward analysis over all ways, with
calls, as in `reveals.py`. Invariant: errs on the side of nobody being in.
"""

from __future__ import annotations

from conche.graph.model import OUT, ActionGraph, EdgeKind, Node
from conche.semantics.rulebook import (
    Case,
    Chance,
    Choose,
    EachPlayer,
    Eliminate,
    Expr,
    ForEach,
    Let,
    Local,
    Neighbour,
    Rounds,
    SetPlace,
    Slot,
)
from conche.semantics.types import PlayerT
from conche.validate.calls import arguments
from conche.validate.flow import Flow
from conche.validate.labels import slot_key

In = frozenset[str]
"""The keys of the locals that hold players who are in."""

NONE: In = frozenset()


def surely_in(flow: Flow) -> frozenset[str]:
    """The ids of their nodes."""
    found = _StillIn(flow).at
    return frozenset(
        node_id for node_id, known in found.items() if _concerns(flow.graph.node(node_id), known)
    )


def _concerns(node: Node, known: In) -> bool:
    match node.owns:
        case Choose(chooser=player) | Eliminate(player=player) if node.role == "":
            return _is_in(player, known)
        case _:
            return False


class _StillIn:
    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        self._graph = flow.graph
        self._loses = {node for node in flow.callees if self._may_eliminate(node)}
        self.at: dict[str, In] = {}
        entries: dict[str, In] = {ActionGraph.START: NONE, ActionGraph.PLAY: NONE}
        todo = list(entries)
        while todo:
            routine = todo.pop(0)
            found = self._run(routine, entries[routine])
            self.at.update(found)
            for node_id in sorted(found):
                for called in flow.callees.get(node_id, ()):
                    known = self._into(found[node_id], node_id, called)
                    entry = known if called not in entries else entries[called] & known
                    if entries.get(called) != entry:
                        entries[called] = entry
                        todo.append(called)

    def _may_eliminate(self, call: str) -> bool:
        return any(isinstance(self._graph.node(node).owns, Eliminate) for node in self._flow.deep([call]))

    def _into(self, known: In, node_id: str, routine: str) -> In:
        pairs = arguments(self._graph, self._graph.node(node_id), routine)
        return frozenset(slot_key(param) for param, arg in pairs if _is_in(arg, known))

    def _run(self, routine: str, entry: In) -> dict[str, In]:
        found = {routine: entry}
        todo = [routine]
        while todo:
            node_id = todo.pop()
            node = self._graph.node(node_id)
            for target in self._flow.next_nodes(node_id, self._flow.exits):
                if self._graph.node(target).routine != routine:
                    continue
                known = self._along(node, target, found[node_id])
                merged = known if target not in found else found[target] & known
                if found.get(target) != merged:
                    found[target] = merged
                    todo.append(target)
        return found

    def _along(self, node: Node, target: str, known: In) -> In:
        """What is known after a node, on the way to one of those that follow it."""
        match node.owns:
            case Eliminate():
                return NONE
            case ForEach(slot=slot) | EachPlayer(slot=slot) | Rounds(slot=slot):
                # A loop that surely has a first turn leads into it where it is entered.
                head = node.id if node.role == "next" else f"{node.id}/next"
                in_turn = target == self._graph.option(head, "body")
                is_player = isinstance(slot.type, PlayerT)
                return _with(known, slot) if in_turn and is_player else _without(known, slot)
            case Let(slot=slot, value=value):
                return _with(known, slot) if _is_in(value, known) else _without(known, slot)
            case SetPlace(target=Local(slot=slot)) | Chance(slot=slot):
                return _without(known, slot)
            case Case(binders=binders) if node.role == "case":
                return _without(known, *(binder.slot for binder in binders))
            case Choose(chooser=Local(slot=slot)) if node.role == "" and self._is_asked(node, target):
                return _with(known, slot)
            case _:
                return NONE if node.id in self._loses else known

    def _is_asked(self, node: Node, target: str) -> bool:
        """Whether only a player who is in comes from a choice to `target`."""
        return (EdgeKind.OPTION, OUT) not in {
            key for key, where in self._graph.control(node.id).items() if where == target
        }


def _is_in(player: Expr, known: In) -> bool:
    match player:
        case Local(slot=slot):
            return slot_key(slot) in known
        case Neighbour():
            return True
        case _:
            return False


def _with(known: In, slot: Slot) -> In:
    return known | {slot_key(slot)}


def _without(known: In, *slots: Slot) -> In:
    return known - {slot_key(slot) for slot in slots}
