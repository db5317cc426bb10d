"""Lowers loops, as structured operations or, where somebody decides in them, as blocks.

Input: a loop of the rulebook and its lowered body. Output: operations, or the code that enters it and its
head.
Invariants: a loop in blocks keeps what is left of it in locals of its own, which become slots of the state:
the items still to come, or how many players or turns are left."""

from __future__ import annotations

from typing import assert_never

from conche.codegen import ir
from conche.codegen.lower_expressions import NUMBER
from conche.codegen.lower_statements import Statements
from conche.graph.model import Node
from conche.semantics import rulebook as rb
from conche.semantics.types import Flag, ListT, PlayerT, SetT, Type

Loop = rb.ForEach | rb.EachPlayer | rb.Rounds | rb.While | rb.Times


class Loops:
    """Lowers loops."""

    def __init__(self, statements: Statements) -> None:
        self.statements = statements
        self.expressions = statements.expressions
        self._left: dict[str, rb.Slot] = {}
        self._held: dict[str, rb.Slot] = {}

    # ---------------------------------------------------------------------------------------- structured

    def structured(self, stmt: Loop, body: tuple[ir.Op, ...]) -> list[ir.Op]:
        lower, mark = self.expressions.lower, self.statements.mark(stmt.span)
        match stmt:
            case rb.ForEach():
                inner = self._if_in(stmt.slot, body, mark)
                return [ir.For(self.expressions.slot(stmt.slot), lower(stmt.source), inner, mark)]
            case rb.EachPlayer():
                ops, seats = self._seats(stmt, mark)
                inner = body if stmt.guard is None else (ir.If(lower(stmt.guard), body, (), mark),)
                inner = self._if_in(stmt.slot, inner, mark)
                return [*ops, ir.For(self.expressions.slot(stmt.slot), seats, inner, mark)]
            case rb.Rounds():
                return self._rounds(stmt, body, mark)
            case rb.While():
                condition = None if stmt.condition is None else lower(stmt.condition)
                return [ir.While(condition, body, mark)]
            case rb.Times():
                each = self.statements.fresh("time", NUMBER)
                times = ir.Interval(self._number(1), lower(stmt.times), SetT(NUMBER))
                return [ir.For(each, times, body, mark)]
            case _:
                assert_never(stmt)

    def _rounds(self, stmt: rb.Rounds, body: tuple[ir.Op, ...], mark: ir.Mark) -> list[ir.Op]:
        left, held = self.statements.fresh("left", NUMBER), self.statements.fresh("held", Flag())
        seat = self.expressions.slot(stmt.slot)
        over = ir.If(ir.Not(ir.Local(held)), (ir.Break(mark),), (), mark)
        begin, _ = self._round(stmt, left, held, mark)
        assert stmt.guard is not None, "a loop that ends when all pass asks somebody"
        guard = self.expressions.lower(stmt.guard)
        guarded = (ir.If(guard, (ir.Let(held, _flag(True), None, mark), *body), (), mark),)
        once = (
            ir.If(self._none_left(left), (over, *begin), (), mark),
            *self._next_seat(seat, left, mark),
            *self._if_in(stmt.slot, guarded, mark),
        )
        return [*self._before_rounds(left, held, mark), ir.While(None, once, mark)]

    # ---------------------------------------------------------------------------------------- in blocks

    def enter(self, node: Node, stmt: Loop) -> list[ir.Op]:
        """What comes before the first turn of a loop."""
        lower, mark = self.expressions.lower, self.statements.mark(stmt.span)
        match stmt:
            case rb.ForEach():
                rest = self.rest(node.id, stmt.slot)
                return [ir.Let(rest, lower(stmt.source), None, mark)]
            case rb.EachPlayer(at_once=how) if how:
                return []
            case rb.EachPlayer():
                ops, start = self._start(stmt.start, mark)
                left = self._slot(self._left, node.id, f"{stmt.slot.name}_left", NUMBER)
                seat = self.expressions.slot(stmt.slot)
                before = self._seat_before(start)
                players = ir.PlayerNumber(NUMBER)
                return [*ops, ir.Let(seat, before, None, mark), ir.Let(left, players, None, mark)]
            case rb.Rounds():
                left, held = self._rounds_slots(node.id, stmt)
                return self._before_rounds(left, held, mark)
            case rb.While():
                return []
            case rb.Times():
                left = self._slot(self._left, node.id, "times_left", NUMBER)
                return [ir.Let(left, lower(stmt.times), None, mark)]
            case _:
                assert_never(stmt)

    def head(self, node: Node, stmt: Loop, body: ir.Run, after: ir.Run, again: ir.Run) -> ir.Run:
        """Before each turn of a loop: `body` follows, or `after`; `again` leads back here."""
        lower, mark, enter = self.expressions.lower, self.statements.mark(stmt.span), node.parent
        assert enter is not None
        match stmt:
            case rb.ForEach():
                return self._next_item(stmt.slot, enter, body, after, again, mark)
            case rb.EachPlayer(at_once=how) if how:
                return self._next_item(stmt.slot, enter, body, after, again, mark)
            case rb.EachPlayer():
                left = self._slot(self._left, enter, f"{stmt.slot.name}_left", NUMBER)
                going = body if stmt.guard is None else _branch(lower(stmt.guard), body, again, mark)
                going = self._only_in(stmt.slot, going, again, mark)
                ops = self._next_seat(self.expressions.slot(stmt.slot), left, mark)
                return _branch(self._none_left(left), after, _after_ops(ops, going), mark)
            case rb.Rounds():
                left, held = self._rounds_slots(enter, stmt)
                begin, _ = self._round(stmt, left, held, mark)
                going = body
                if not stmt.until_pass:
                    going = _after_ops((ir.Let(held, _flag(True), None, mark),), body)
                if stmt.guard is not None:
                    going = _branch(lower(stmt.guard), going, again, mark)
                going = _after_ops(
                    self._next_seat(self.expressions.slot(stmt.slot), left, mark),
                    self._only_in(stmt.slot, going, again, mark),
                )
                # A new round begins here, too: the head is entered again with all players left.
                anew = _branch(ir.Local(held), _after_ops(tuple(begin), again), after, mark)
                return _branch(self._none_left(left), anew, going, mark)
            case rb.While():
                return body if stmt.condition is None else _branch(lower(stmt.condition), body, after, mark)
            case rb.Times():
                left = self._slot(self._left, enter, "times_left", NUMBER)
                fewer = ir.Let(left, self._minus(ir.Local(left), 1), None, mark)
                more = ir.Compare(">", ir.Local(left), self._number(0))
                return _branch(more, _after_ops((fewer,), body), after, mark)
            case _:
                assert_never(stmt)

    def _next_item(
        self, slot: rb.Slot, enter: str, body: ir.Run, after: ir.Run, again: ir.Run, mark: ir.Mark
    ) -> ir.Run:
        """The first of the items that are still to come."""
        rest = self.rest(enter, slot)
        items = ir.Local(rest)
        value = ir.At(items, self._number(0), slot.type)
        first = ir.Let(self.expressions.slot(slot), value, None, mark)
        drop = ir.Let(rest, ir.Tail(items, items.type), None, mark)
        empty = ir.Compare("=", ir.Size(items, NUMBER), self._number(0))
        going = self._only_in(slot, body, again, mark)
        return _branch(empty, after, _after_ops((first, drop), going), mark)

    def goes_on(self, node_id: str, stmt: rb.Rounds, mark: ir.Mark) -> ir.Op:
        """Somebody has not passed: there is to be another round."""
        return ir.Let(self._rounds_slots(node_id, stmt)[1], _flag(True), None, mark)

    def made(self) -> dict[rb.Slot, tuple[str, str]]:
        """The locals in which loops keep what is left: the node that enters the loop, and as what."""
        left = {slot: (node_id, "left") for node_id, slot in self._left.items()}
        return left | {slot: (node_id, "goes on") for node_id, slot in self._held.items()}

    # ---------------------------------------------------------------------------------------- parts

    def rest(self, node_id: str, slot: rb.Slot) -> rb.Slot:
        """The items of a loop that are still to come. node_id: that which enters it."""
        return self._slot(self._left, node_id, f"{slot.name}_left", ListT(slot.type))

    def seats(self, stmt: rb.EachPlayer) -> ir.Expr:
        """All players still in, from the first on."""
        return ir.Clockwise(self.expressions.lower(stmt.start), ListT(stmt.slot.type))

    def _seats(self, stmt: rb.EachPlayer, mark: ir.Mark) -> tuple[list[ir.Op], ir.Expr]:
        ops, start = self._start(stmt.start, mark)
        if self._eliminates:
            return ops, self.seats(stmt)
        seats = (
            ir.Interval(start, self._minus(ir.PlayerNumber(NUMBER), 1), SetT(NUMBER)),
            ir.Interval(self._number(0), self._minus(start, 1), SetT(NUMBER)),
        )
        return ops, ir.Concat(seats, ListT(stmt.slot.type))

    @property
    def _eliminates(self) -> bool:
        return self.statements.rulebook.eliminates

    def _may_be_out(self, slot: rb.Slot) -> bool:
        return self._eliminates and isinstance(slot.type, PlayerT)

    def _if_in(self, slot: rb.Slot, body: tuple[ir.Op, ...], mark: ir.Mark) -> tuple[ir.Op, ...]:
        """Who is out when his turn comes is passed over."""
        if not self._may_be_out(slot):
            return body
        return (ir.If(ir.StillIn(ir.Local(self.expressions.slot(slot))), body, (), mark),)

    def _only_in(self, slot: rb.Slot, body: ir.Run, again: ir.Run, mark: ir.Mark) -> ir.Run:
        if not self._may_be_out(slot):
            return body
        return _branch(ir.StillIn(ir.Local(self.expressions.slot(slot))), body, again, mark)

    def _slot(self, slots: dict[str, rb.Slot], node_id: str, name: str, type_: Type) -> rb.Slot:
        if node_id not in slots:
            slots[node_id] = self.statements.fresh(name, type_)
        return slots[node_id]

    def _rounds_slots(self, node_id: str, stmt: rb.Rounds) -> tuple[rb.Slot, rb.Slot]:
        left = self._slot(self._left, node_id, f"{stmt.slot.name}_left", NUMBER)
        return left, self._slot(self._held, node_id, "round_goes_on", Flag())

    def _before_rounds(self, left: rb.Slot, held: rb.Slot, mark: ir.Mark) -> list[ir.Op]:
        """Before the first round: as after a round in which the guard held."""
        return [ir.Let(left, self._number(0), None, mark), ir.Let(held, _flag(True), None, mark)]

    def _round(
        self, stmt: rb.Rounds, left: rb.Slot, held: rb.Slot, mark: ir.Mark
    ) -> tuple[list[ir.Op], ir.Expr]:
        """Begins a round."""
        ops, start = self._start(stmt.start, mark)
        seat = self.expressions.slot(stmt.slot)
        return [
            *ops,
            ir.Let(held, _flag(False), None, mark),
            ir.Let(seat, self._seat_before(start), None, mark),
            ir.Let(left, ir.PlayerNumber(NUMBER), None, mark),
        ], start

    def _start(self, start: rb.Expr, mark: ir.Mark) -> tuple[list[ir.Op], ir.Expr]:
        """Who is first, checked to play."""
        seat = self.expressions.lower(start)
        if not self.expressions.codes.seats_in_doubt:
            return [], seat
        plays = ir.Compare("<", seat, ir.PlayerNumber(NUMBER))
        return [ir.Require(plays, "the first player does not play", mark)], seat

    def _seat_before(self, seat: ir.Expr) -> ir.Expr:
        last = self._minus(ir.PlayerNumber(NUMBER), 1)
        zero = ir.Compare("=", seat, self._number(0))
        return ir.Cond(zero, last, self._minus(seat, 1), seat.type)

    def _next_seat(self, seat: rb.Slot, left: rb.Slot, mark: ir.Mark) -> tuple[ir.Op, ...]:
        """One player on, one player less."""
        following = ir.Arith("+", ir.Local(seat), self._number(1), NUMBER)
        inside = ir.Compare("<", following, ir.PlayerNumber(NUMBER))
        onward = ir.Cond(inside, following, self._number(0), seat.type)
        fewer = self._minus(ir.Local(left), 1)
        return ir.Let(left, fewer, None, mark), ir.Let(seat, onward, None, mark)

    def _none_left(self, left: rb.Slot) -> ir.Expr:
        return ir.Compare("=", ir.Local(left), self._number(0))

    def _number(self, value: int) -> ir.Expr:
        return self.expressions.number(value)

    def _minus(self, left: ir.Expr, number: int) -> ir.Expr:
        return ir.Arith("-", left, self._number(number), NUMBER)


def _flag(value: bool) -> ir.Expr:
    return ir.Const(value, Flag())


def _branch(condition: ir.Expr, yes: ir.Run, no: ir.Run, mark: ir.Mark) -> ir.Run:
    return ir.Run((), ir.Branch(condition, yes, no, mark))


def _after_ops(ops: tuple[ir.Op, ...], run: ir.Run) -> ir.Run:
    return ir.Run((*ops, *run.ops), run.end)
