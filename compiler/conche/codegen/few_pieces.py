"""Of which types so few pieces come into the game that no zone can be asked to hold too many.

Input: the action graph and its routines. Output: the names of piece types and enums.
Invariants: sound. A statement counts as often as the loops around it and the calls of its routine can run
it; where that is not plain from the rules (in play, in a `repeat`, by a trigger), its type is left out.
Pieces are made by `put` and `gain` alone: `move`, `draw`, `pay` and `swap` only carry or change them."""

from __future__ import annotations

from functools import cache

from conche.codegen.routines import Routines
from conche.graph.model import ActionGraph, Node
from conche.semantics import rulebook as rb
from conche.semantics.intervals import MANY


def few_pieces(graph: ActionGraph, routines: Routines) -> frozenset[str]:
    """The types."""
    rulebook = graph.rulebook

    def turns(node: Node) -> int:
        """How often a loop goes round at most; 1 for what is no loop."""
        match node.owns:
            case rb.EachPlayer() | rb.ForEach(source=rb.Players()):
                return rulebook.players[1]
            case rb.ForEach(source=rb.Members(of=of)):
                declared = rulebook.pieces[of].kinds if of in rulebook.pieces else rulebook.enums[of].members
                return len(declared)
            case rb.Times(times=rb.Lit(value=int() as times)):
                return times
            case rb.ForEach() | rb.Times() | rb.Rounds() | rb.While():
                return MANY
            case _:
                return 1

    def times(node: Node) -> int:
        """How often a node is come to at most."""
        if node.parent is None:
            return routine(node.id)
        outer = graph.node(node.parent)
        return times(outer) * turns(outer)

    @cache
    def routine(name: str) -> int:
        if name == ActionGraph.START:
            return 1
        found = routines.by_id[name]
        if found.restarts or name.startswith(("phase.", "trigger.")):
            return MANY
        return sum(times(graph.node(site)) for site in found.sites)

    totals: dict[str, int] = {}
    for node in graph.nodes():
        match node.owns:
            case rb.Put(zone=zone, items=items):
                made = sum(_number(number) for number, _ in items)
            case rb.GainPieces(zone=zone):
                made = MANY
            case _:
                continue
        of = rulebook.zones[zone.name].of
        totals[of] = totals.get(of, 0) + made * times(node)
    types = {zone.of for zone in rulebook.zones.values()}
    return frozenset(of for of in types if totals.get(of, 0) <= MANY)


def _number(expr: rb.Expr) -> int:
    """A number that is written in the rules; MANY for another."""
    return expr.value if isinstance(expr, rb.Lit) and isinstance(expr.value, int) else MANY
