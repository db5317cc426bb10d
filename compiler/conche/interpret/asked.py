"""Who is asked what, as the host knows it and as a player may.

Purpose: `decision` and `to_act` of snapshots and views. Input: the graph, the position through an evaluator.
Output: an `Asked`. Invariants: what a player is shown depends on what he may know: it does not tell who of
others had but one option, who has passed, or, where options depend on what is secret, who has chosen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from conche.graph.model import ActionGraph, Node, at_once, choose_of
from conche.interpret.decisions import kept_in
from conche.interpret.evaluate import Evaluator, slot_key
from conche.interpret.options import Option, move_of


@dataclass(frozen=True, slots=True)
class Asked:
    """`decision`: as in snapshots. `seats`: those who are asked, or may be."""

    decision: dict[str, Any] | None
    seats: tuple[int, ...]


def asked_by(graph: ActionGraph, evaluator: Evaluator, player: int | None) -> Asked:
    """As a player may know it; as the host does (None)."""
    if evaluator.position.node == ActionGraph.END:
        return Asked(None, ())
    node = graph.node(evaluator.position.node)
    if at_once(node):
        return _several(graph, node, evaluator, player)
    choose = choose_of(node)
    chooser = evaluator.seat(choose.chooser)
    if not choose.passes or player is None or player == chooser:
        return Asked({"name": choose.name, "player": chooser}, (chooser,))
    seats = tuple(seat for seat in _askers(graph, node, evaluator, chooser) if seat != player)
    return Asked({"name": graph.told_name(node.id), "player": None}, seats)


def _askers(graph: ActionGraph, node: Node, evaluator: Evaluator, chooser: int) -> tuple[int, ...]:
    """All whom open facts allow to be asked where one can pass."""
    found = graph.askers(node.id)
    if found is None:
        return (chooser,)
    slot, guard = found
    return tuple(
        seat
        for seat in evaluator.position.still_in()
        if guard is None or evaluator.flag(guard, {slot_key(slot): seat})
    )


def _several(graph: ActionGraph, node: Node, evaluator: Evaluator, player: int | None) -> Asked:
    choice = graph.choice(node.id)
    choose, kept = choose_of(choice), kept_in(evaluator.position, node.id)
    blind = player is not None and choice.id in graph.private
    chosen: list[list[Any]] = []
    for seat, case, values in sorted(kept):
        if case < 0 or (blind and seat != player):
            continue
        shown = player in (None, seat)
        chosen.append([seat, move_of(choose, Option(case, values), evaluator).args if shown else None])
    waiting = tuple(seat for seat, case, _ in kept if case < 0 or (blind and seat != player))
    return Asked({"name": choose.name, "player": None, "chosen": chosen}, waiting)
