"""Whose a revealed value is, where it is worked out.

Purpose: who sees a `reveal` is told whose the thing is. Of a variable or zone the rules say so themselves; a
local (`let broke = you.money = 0`) and what is worked out on the spot are whose those things are that they
are worked out from.
Input: an action graph; a value. Output: the player, as an expression.
Invariants: it follows from the rules alone. Where a value speaks of several players, or of one that is no
local, it is nobody's. The player is the same wherever the local is known: neither is ever set anew.
"""

from __future__ import annotations

from conche.graph.expressions import walk
from conche.graph.model import ActionGraph
from conche.semantics.rulebook import AddTo, DropFrom, Expr, Let, Local, PlayerVar, SetPlace, Slot, ZoneRef
from conche.semantics.types import PlayerT


class Whose:
    """Looks up the values of one graph."""

    def __init__(self, graph: ActionGraph) -> None:
        self._lets: dict[tuple[str, int], Expr] = {}
        self._anew: set[tuple[str, int]] = set()
        for node in graph.nodes():
            match node.owns:
                case Let(slot=slot, value=value):
                    self._lets[_key(slot)] = value
                case (
                    SetPlace(target=Local(slot=slot))
                    | AddTo(target=Local(slot=slot))
                    | DropFrom(target=Local(slot=slot))
                ):
                    self._anew.add(_key(slot))

    def of(self, value: Expr) -> Local | None:
        """The player whose a local is, or what is worked out; None where it is nobody's."""
        if isinstance(value, Local):
            key = _key(value.slot)
            return self._told_of(self._lets[key]) if key in self._lets and key not in self._anew else None
        return self._told_of(value)

    def _told_of(self, value: Expr) -> Local | None:
        parts = list(walk(value))
        slots = [getattr(part, "slot", None) for part in parts if not isinstance(part, Local)]
        inner = {_key(slot) for slot in slots if isinstance(slot, Slot)}
        players: dict[tuple[str, int], Local] = {}
        for part in parts:
            match part:
                case Local(slot=slot) if isinstance(slot.type, PlayerT):
                    players[_key(slot)] = part
                case PlayerVar(player=player) | ZoneRef(player=player):
                    if player is not None and not isinstance(player, Local):
                        return None
        if len(players) != 1:
            return None
        ((key, player),) = players.items()
        return None if key in inner or key in self._anew else player


def _key(slot: Slot) -> tuple[str, int]:
    return slot.owner, slot.number
