"""Which triggers a statement can fire.

Input: the rulebook. Output: for any statement, the triggers whose event it can cause, in the triggers' order.
Invariants: errs on the side of firing: what cannot be told from the text (which kind a local is) counts as
possible.
"""

from __future__ import annotations

from typing import assert_never

from conche.graph.expressions import query_exprs, reads_of, target_node, writes_of
from conche.semantics.rulebook import (
    Cond,
    Draw,
    Expr,
    GainPieces,
    GainVar,
    Lit,
    Move,
    OnCondition,
    OnEnter,
    OnGain,
    PayPieces,
    PayVar,
    Put,
    Rulebook,
    Stmt,
    Trigger,
    ZoneRef,
)
from conche.semantics.types import EnumT, KindT


class Fires:
    """The triggers of a rulebook, ready to be asked."""

    def __init__(self, rulebook: Rulebook) -> None:
        self._rulebook = rulebook
        carriers = [k for piece in rulebook.pieces.values() for k in piece.kinds if k.copy]
        self._copies = {
            kind.family: frozenset(other.name for other in carriers if other.family == kind.family)
            for kind in carriers
        }
        self._triggers = sorted(rulebook.triggers.values(), key=lambda trigger: (trigger.order, trigger.name))
        self._watched = {
            trigger.name: data_read(rulebook, trigger.event.condition)
            for trigger in self._triggers
            if isinstance(trigger.event, OnCondition)
        }

    def after(self, stmt: Stmt) -> list[Trigger]:
        """The triggers that may fire right after a statement, in the order in which they do."""
        return [trigger for trigger in self._triggers if self._can_cause(stmt, trigger)]

    def _can_cause(self, stmt: Stmt, trigger: Trigger) -> bool:
        event = trigger.event
        match event:
            case OnEnter():
                return any(
                    place in _places(event) and not kinds.isdisjoint(event.kinds)
                    for place, kinds in self._entering(stmt)
                )
            case OnGain():
                return self._gains(stmt, event)
            case OnCondition():
                written = {node for node, how in writes_of(self._rulebook, stmt) if how != "order"}
                return not written.isdisjoint(self._watched[trigger.name])
            case _:
                assert_never(event)

    def _entering(self, stmt: Stmt) -> list[tuple[str, frozenset[str]]]:
        """Where pieces come in by a statement, and of which kinds they may be."""
        match stmt:
            case Move():
                return [(target_node(stmt.target), self.kinds_of(stmt.kind))]
            case Draw():
                return [(target_node(stmt.target), self._kinds_in(stmt.source))]
            case Put():
                kinds = frozenset[str]().union(*(self.kinds_of(kind) for _, kind in stmt.items))
                return [(f"zone.{stmt.zone.name}", kinds)]
            case GainPieces():
                return [(f"zone.{stmt.zone.name}", self.kinds_of(stmt.kind))]
            case PayPieces() if stmt.to is not None:
                return [(f"zone.{stmt.zone.name}", self.kinds_of(stmt.kind))]
            case _:
                return []

    def _gains(self, stmt: Stmt, event: OnGain) -> bool:
        match stmt:
            case GainVar():
                return stmt.var == event.var
            case PayVar():
                return stmt.to is not None and stmt.var == event.var
            case GainPieces() | PayPieces():
                if event.zone != stmt.zone.name or (isinstance(stmt, PayPieces) and stmt.to is None):
                    return False
                return event.kind is None or event.kind in self.kinds_of(stmt.kind)
            case _:
                return False

    def kinds_of(self, kind: Expr) -> frozenset[str]:
        """The kinds (or members) that an expression may give."""
        match kind:
            case Lit(value=str() as name):
                return self._copies.get(name, frozenset((name,)))
            case Cond():
                return self.kinds_of(kind.then) | self.kinds_of(kind.otherwise)
            case _:
                return self._kinds_of_type(kind)

    def _kinds_of_type(self, kind: Expr) -> frozenset[str]:
        match kind.type:
            case KindT(piece):
                return self._all_kinds(piece)
            case EnumT(name):
                return self._all_kinds(name)
            case _:
                return frozenset()

    def _kinds_in(self, zone: ZoneRef) -> frozenset[str]:
        return self._all_kinds(self._rulebook.zones[zone.name].of)

    def _all_kinds(self, of: str) -> frozenset[str]:
        if of in self._rulebook.pieces:
            return frozenset(kind.name for kind in self._rulebook.pieces[of].kinds)
        return frozenset(member.name for member in self._rulebook.enums[of].members)


def _places(event: OnEnter) -> set[str]:
    return {f"zone.{name}" for name in event.zones} | {f"board.{name}" for name in event.boards}


def data_read(rulebook: Rulebook, *exprs: Expr) -> set[str]:
    """The zones, variables, tracks and boards that expressions read, through the queries they ask too."""
    found: set[str] = set()
    asked: set[str] = set()
    todo = list(exprs)
    while todo:
        for node, _ in reads_of(rulebook, todo):
            found.add(node)
        todo = []
        for name in sorted(node for node in found if node.startswith("query.") and node not in asked):
            asked.add(name)
            todo += query_exprs(rulebook.queries[name.removeprefix("query.")])
    return found - asked
