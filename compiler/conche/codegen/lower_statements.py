"""Lowers plain statements: those that change something at once.

Input: a statement of the rulebook. Output: operations of the engine IR, and what happened that triggers wait
for.
Invariants: the meaning is that of `semantics/rulebook.py`. What a statement reads it reads before it changes
anything: an expression that a change could touch is read into a local first. A check is left out only where
`ranges` proves that it cannot fail."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import assert_never

from conche.codegen import ir
from conche.codegen.ir_walk import is_simple, same
from conche.codegen.layout import track_type
from conche.codegen.lower_expressions import NUMBER, Expressions, UnsupportedError, board_of
from conche.codegen.ranges import Ranges
from conche.graph.model import ActionGraph
from conche.semantics import rulebook as rb
from conche.semantics.intervals import MOST_ITEMS, is_limited
from conche.semantics.types import EnumT, Int, KindT, ListT, Maybe, SetT, SideT, Type
from conche.source import Span

Effect = (
    rb.GainVar
    | rb.GainPieces
    | rb.PayVar
    | rb.PayPieces
    | rb.Put
    | rb.Take
    | rb.Swap
    | rb.Move
    | rb.Draw
    | rb.Shuffle
    | rb.SetPlace
    | rb.AddTo
    | rb.DropFrom
    | rb.Reveal
    | rb.Look
    | rb.Eliminate
    | rb.Let
    | rb.Chance
)
Bounds = tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Entered:
    """`times` pieces of a kind came into a zone or onto a board (`space` given)."""

    place: str
    kind: ir.Expr
    space: ir.Expr | None


@dataclass(frozen=True, slots=True)
class Gained:
    """A player's variable grew (kind None), or his zone got pieces, by an amount that may turn out to be 0 or
    less."""

    name: str
    kind: ir.Expr | None
    seat: ir.Expr
    amount: ir.Expr


Watch = Callable[[Entered], tuple[ir.Op, ...]]
"""The operations that take note of a piece's coming in, right where it comes in."""


def ignore(entered: Entered) -> tuple[ir.Op, ...]:
    """Nobody waits for it."""
    del entered
    return ()


class Statements:
    """Lowers statements."""

    def __init__(
        self, graph: ActionGraph, expressions: Expressions, ranges: Ranges, few: frozenset[str]
    ) -> None:
        """few: the types of pieces that never come to more than a zone can hold."""
        self.graph = graph
        self.expressions = expressions
        self.few = few
        self.codes = expressions.codes
        self.rulebook = expressions.rulebook
        self.ranges = ranges
        self.fresh_number = 1_000_000

    def mark(self, span: Span) -> ir.Mark:
        return ir.Mark(span.file, span.line)

    def fresh(self, name: str, type_: Type) -> rb.Slot:
        """A local that the rules do not have."""
        self.fresh_number += 1
        return rb.Slot("", self.fresh_number, name, type_)

    def lower(self, stmt: Effect, watch: Watch = ignore) -> tuple[list[ir.Op], list[Gained]]:
        """The operations of a statement, and what players gained by it."""
        run = _Effect(self, self.mark(stmt.span), watch)
        run.effect(stmt)
        return run.ops, run.gained


class _Effect:
    """One statement on its way to operations."""

    def __init__(self, statements: Statements, mark: ir.Mark, watch: Watch) -> None:
        self.statements = statements
        self.expressions = statements.expressions
        self.rulebook = statements.rulebook
        self.ranges = statements.ranges
        self.mark = mark
        self.watch = watch
        self.ops: list[ir.Op] = []
        self.gained: list[Gained] = []

    def effect(self, stmt: Effect) -> None:
        lower = self.expressions.lower
        match stmt:
            case rb.GainVar():
                self._gain_var(stmt)
            case rb.PayVar():
                self._pay_var(stmt)
            case rb.GainPieces():
                self._gain_pieces(stmt)
            case rb.PayPieces():
                self._pay_pieces(stmt)
            case rb.Put() | rb.Take():
                self._put_or_take(stmt)
            case rb.Swap():
                self._swap(stmt)
            case rb.Move():
                self._move(stmt)
            case rb.Draw():
                self._draw(stmt)
            case rb.Shuffle():
                name, seat = self._zone(stmt.zone)
                self.ops.append(ir.ZoneShuffle(name, seat, self.mark))
            case rb.SetPlace():
                self._set(stmt.target, lower(stmt.value))
            case rb.AddTo():
                self._add_to(stmt)
            case rb.DropFrom():
                self._set(
                    stmt.target,
                    ir.Without(lower(stmt.target), lower(stmt.value), stmt.target.type),
                    checked=True,
                )
            case rb.Reveal():
                what, whose = self._what(stmt.value)
                to = self.expressions.seat(stmt.to)
                self.ops.append(ir.Show(what, whose, lower(stmt.value), to, self.mark))
            case rb.Look():
                viewer, (name, seat) = self.keep("seat", lower(stmt.player)), self._zone(stmt.zone)
                self.ops.append(ir.ZoneLook(name, seat, viewer, lower(stmt.amount), self.mark))
            case rb.Eliminate():
                self.ops.append(ir.Eliminate(lower(stmt.player), self.mark))
            case rb.Let():
                value = self._kept_short(stmt.slot.name, stmt.slot.type, lower(stmt.value))
                self.ops.append(ir.Let(self.expressions.slot(stmt.slot), value, None, self.mark))
            case rb.Chance():
                slot = self.expressions.slot(stmt.slot)
                self.ops.append(ir.Pick(slot, stmt.name, lower(stmt.source), self.mark))
            case _:
                assert_never(stmt)

    # ---------------------------------------------------------------------------------------- helpers

    def keep(self, name: str, value: ir.Expr) -> ir.Expr:
        """A value that later operations cannot change."""
        if is_simple(value):
            return value
        slot = self.statements.fresh(name, value.type)
        self.ops.append(ir.Let(slot, value, None, self.mark))
        return ir.Local(slot)

    def keep_seat(self, seat: rb.Expr | None) -> ir.Expr | None:
        return None if seat is None else self.keep("seat", self.expressions.lower(seat))

    def _zone(self, zone: rb.ZoneRef) -> tuple[str, ir.Expr | None]:
        return f"zone.{zone.name}", self.keep_place(zone)

    def keep_place(self, zone: rb.ZoneRef) -> ir.Expr | None:
        place = self.expressions.place(zone)
        return None if place is None else self.keep("seat", place)

    def plus(self, left: ir.Expr, right: ir.Expr) -> ir.Expr:
        return ir.Arith("+", left, right, NUMBER)

    def minus(self, left: ir.Expr, right: ir.Expr) -> ir.Expr:
        return ir.Arith("-", left, right, NUMBER)

    def number(self, value: int) -> ir.Const:
        return self.expressions.number(value)

    # ---------------------------------------------------------------------------------------- variables

    def _type_of(self, name: str) -> Type:
        tracks = self.rulebook.tracks
        return track_type(tracks[name]) if name in tracks else self.rulebook.variables[name].type

    def _bounds(self, type_: Type, value: ir.Expr) -> Bounds:
        """The check that a value needs to be of a type."""
        element = type_.element if isinstance(type_, Maybe | SetT | ListT) else type_
        if not isinstance(element, Int) or self._fits(value, element):
            return None
        return element.low, element.high

    def _fits(self, value: ir.Expr, bounds: Int) -> bool:
        match value:
            case ir.Sequence(items=items):
                return all(self._fits(item, bounds) for _, item in items)
            case ir.Const(value=ir.Absent()):
                return True
            case ir.With(source=source, value=item):
                return self._fits(source, bounds) and self._fits(item, bounds)
            case ir.Without(source=source):
                return self._fits(source, bounds)
            case (
                ir.Global(type=SetT(element=Int() as element))
                | ir.Global(type=ListT(element=Int() as element))
            ):
                return bounds.low <= element.low and element.high <= bounds.high
            case ir.Item(type=SetT(element=Int() as element)) | ir.Item(type=ListT(element=Int() as element)):
                return bounds.low <= element.low and element.high <= bounds.high
            case _:
                return self.ranges.within(value, bounds.low, bounds.high)

    def _set(self, target: rb.Place, value: ir.Expr, *, checked: bool = False) -> None:
        """checked: the value is known to fit."""
        lower = self.expressions.lower
        value = self._kept_short(_name_of(target), target.type, value)
        match target:
            case rb.Local():
                bounds = None if checked else self._bounds(target.slot.type, value)
                self.ops.append(ir.Let(self.expressions.slot(target.slot), value, bounds, self.mark))
                return
            case rb.GlobalVar():
                slot, index = f"var.{target.name}", None
                type_ = self._type_of(target.name)
            case rb.PlayerVar():
                slot, index = f"var.{target.name}", lower(target.player)
                type_ = self._type_of(target.name)
            case rb.SpaceVar():
                board = board_of(target.space)
                slot, index = f"space.{board}.{target.name}", lower(target.space)
                attributes = self.rulebook.boards[board].attributes
                type_ = next(var.type for var in attributes if var.name == target.name)
            case rb.KindVar():
                slot, index = f"var.{target.name}", lower(target.kind)
                type_ = self._type_of(target.name)
            case _:
                assert_never(target)
        bounds = None if checked else self._bounds(type_, value)
        self.ops.append(ir.Store(slot, index, value, bounds, self.mark))

    def _kept_short(self, name: str, type_: Type, value: ir.Expr) -> ir.Expr:
        """A value that is kept under a name: a list or set of too many items is refused."""
        if not is_limited(type_) or self.ranges.most_items(value) <= MOST_ITEMS:
            return value
        match value:
            case ir.With(source=source, value=item, unique=unique):
                short: ir.Expr = ir.Compare("<", ir.Size(source, NUMBER), self.number(MOST_ITEMS))
                if unique:
                    short = ir.Logic("or", (short, ir.Member(item, source)))
            case _:
                value = self.keep("value", value)
                short = ir.Compare("<=", ir.Size(value, NUMBER), self.number(MOST_ITEMS))
        message = f"'{name}' would hold more than {MOST_ITEMS} items"
        self.ops.append(ir.Require(short, message, self.mark))
        return value

    def _add_to(self, stmt: rb.AddTo) -> None:
        lower, type_ = self.expressions.lower, stmt.target.type
        source, value = lower(stmt.target), lower(stmt.value)
        added = ir.With(source, value, isinstance(type_, SetT), type_)
        element = type_.element if isinstance(type_, SetT | ListT) else type_
        self._set(stmt.target, added, checked=not isinstance(element, Int) or self._fits(value, element))

    def _change(self, name: str, seat: ir.Expr, value: ir.Expr) -> None:
        bounds = self._bounds(self._type_of(name), value)
        self.ops.append(ir.Store(f"var.{name}", seat, value, bounds, self.mark))

    def _gain_var(self, stmt: rb.GainVar) -> None:
        seat = self.keep("seat", self.expressions.lower(stmt.player))
        type_ = self._type_of(stmt.var)
        assert isinstance(type_, Int)
        old = self.expressions.variable(stmt.var, seat, type_)
        amount = self._amount(stmt.amount, up_to=stmt.up_to)
        if stmt.up_to:
            room = self.minus(self.number(type_.high), old)
            amount = self.keep("amount", ir.MinMax("min", (amount, room), NUMBER))
            self.ops.append(ir.Store(f"var.{stmt.var}", seat, self.plus(old, amount), None, self.mark))
        else:
            self._change(stmt.var, seat, self.plus(old, amount))
        self.gained.append(Gained(stmt.var, None, seat, amount))

    def _pay_var(self, stmt: rb.PayVar) -> None:
        seat = self.keep("seat", self.expressions.lower(stmt.player))
        type_ = self._type_of(stmt.var)
        amount = self._amount(stmt.amount)
        to = self.keep_seat(stmt.to)
        self._change(stmt.var, seat, self.minus(self.expressions.variable(stmt.var, seat, type_), amount))
        self.gained.append(Gained(stmt.var, None, seat, ir.Negate(amount, NUMBER)))
        if to is not None:
            self._change(stmt.var, to, self.plus(self.expressions.variable(stmt.var, to, type_), amount))
            self.gained.append(Gained(stmt.var, None, to, amount))

    # ---------------------------------------------------------------------------------------- pieces

    def _amount(self, expr: rb.Expr, *, up_to: bool = False) -> ir.Expr:
        """How many: not less than none. With `up to`, less than none is none."""
        amount = self.expressions.lower(expr)
        never_below = self.ranges.within(amount, 0, 2**53)
        if up_to:
            return amount if never_below else ir.MinMax("max", (amount, self.number(0)), NUMBER)
        amount = self.keep("amount", amount)
        if not never_below:
            enough = ir.Compare(">=", amount, self.number(0))
            self.ops.append(ir.Require(enough, "an amount below 0", self.mark))
        return amount

    def _insert(
        self,
        zone: str,
        seat: ir.Expr | None,
        kind: ir.Expr,
        amount: ir.Expr,
        under: bool | None,
        *,
        room: bool = False,
        known: ir.Expr | None = None,
    ) -> None:
        """under None: where nobody knows it. room: there surely is room. known: in a masked pile, who knew
        it before."""
        kind_of_zone = self.rulebook.zones[zone].kind
        place = "in"
        if kind_of_zone == "row":
            place = "end"
        elif kind_of_zone == "pile" and under is not None:
            place = "under" if under else "top"
        found = self.rulebook.zones[zone]
        room = room or (found.capacity is None and found.of in self.statements.few)
        if known is not None and found.visibility == "secret" and seat is not None:
            known = self._mask((seat,), known)
        self.ops.append(ir.ZoneAdd(f"zone.{zone}", seat, kind, amount, place, room, known, self.mark))
        noted = self.watch(Entered(zone, kind, None))
        if not noted:
            return
        if isinstance(amount, ir.Const):
            assert isinstance(amount.value, int)
            self.ops += noted * amount.value
        else:
            each = self.statements.fresh("piece", NUMBER)
            source = ir.Interval(self.number(1), amount, SetT(NUMBER))
            self.ops.append(ir.For(each, source, noted, self.mark))

    def _gain_pieces(self, stmt: rb.GainPieces) -> None:
        seat = self.keep("seat", self.expressions.lower(stmt.player))
        kind = self.keep("kind", self.expressions.lower(stmt.kind))
        amount = self._amount(stmt.amount, up_to=stmt.up_to)
        _, owner = self._zone(stmt.zone)
        capacity = self.rulebook.zones[stmt.zone.name].capacity
        if stmt.up_to and capacity is not None:
            size = ir.ZoneSize(f"zone.{stmt.zone.name}", owner, NUMBER)
            room = self.minus(self.number(capacity), size)
            amount = ir.MinMax("min", (amount, room), NUMBER)
        amount = self.keep("amount", amount)
        self._insert(stmt.zone.name, owner, kind, amount, None, room=stmt.up_to and capacity is not None)
        self.gained.append(Gained(stmt.zone.name, kind, seat, amount))

    def _pay_pieces(self, stmt: rb.PayPieces) -> None:
        if self.expressions.family(stmt.kind):
            raise UnsupportedError("pieces that carry others cannot be paid", stmt.span)
        kind = self.keep("kind", self.expressions.lower(stmt.kind))
        amount = self._amount(stmt.amount)
        to = self.keep_seat(stmt.to)
        name, owner = self._zone(stmt.zone)
        self.ops.append(ir.ZoneRemove(name, owner, kind, amount, None, self.mark))
        if to is not None:
            self._insert(stmt.zone.name, to, kind, amount, None)
            self.gained.append(Gained(stmt.zone.name, kind, to, amount))

    def _put_or_take(self, stmt: rb.Put | rb.Take) -> None:
        name, seat = self._zone(stmt.zone)
        for number, kind in stmt.items:
            copies = self.expressions.family(kind)
            if copies:
                self._put_or_take_copies(stmt, name, seat, kind, copies, self._amount(number))
            elif isinstance(stmt, rb.Put):
                kind_code = self.keep("kind", self.expressions.lower(kind))
                self._insert(stmt.zone.name, seat, kind_code, self._amount(number), None)
            else:
                kind_code = self.keep("kind", self.expressions.lower(kind))
                self.ops.append(ir.ZoneRemove(name, seat, kind_code, self._amount(number), None, self.mark))

    def _put_or_take_copies(
        self,
        stmt: rb.Put | rb.Take,
        name: str,
        seat: ir.Expr | None,
        kind: rb.Expr,
        copies: tuple[int, ...],
        amount: ir.Expr,
    ) -> None:
        """Pieces that carry others, one after another."""
        before, self.ops = self.ops, []
        of = self.rulebook.zones[stmt.zone.name].of
        if isinstance(stmt, rb.Put):
            copy = self.keep("kind", ir.FreeCopy(of, copies, kind.type))
            self._insert(stmt.zone.name, seat, copy, self.number(1), None)
        else:
            copy = self.keep("kind", ir.LowestCopy(name, seat, copies, kind.type))
            self.ops.append(ir.ZoneRemove(name, seat, copy, self.number(1), None, self.mark))
            carried = self._carried(of, kind)
            place = ir.Lookup(self.statements.codes.copy_table(carried, None), copy, NUMBER)
            self.ops.append(ir.ZoneClear(carried.slot, place, self.mark))
        once, self.ops = tuple(self.ops), before
        each = self.statements.fresh("piece", NUMBER)
        source = ir.Interval(self.number(1), amount, SetT(NUMBER))
        self.ops.append(ir.For(each, source, once, self.mark))

    def _carried(self, of: str, kind: rb.Expr) -> ir.Zone:
        """The zone that pieces of a family carry."""
        assert isinstance(kind, rb.Lit)
        name = self.statements.codes.carried(of, str(kind.value))
        assert name is not None
        return self.statements.codes.zones[name]

    def _swap(self, stmt: rb.Swap) -> None:
        name, seat = self._zone(stmt.zone)
        lower, family = self.expressions.lower, self.expressions.family
        gone, come = family(stmt.old), family(stmt.new)
        if not gone and not come:
            self.ops.append(ir.ZoneSwap(name, seat, lower(stmt.old), lower(stmt.new), self.mark))
            return
        carried = self._carried(self.rulebook.zones[stmt.zone.name].of, stmt.old).slot if gone else None
        old, new = (copies or self._one_kind(kind) for copies, kind in ((gone, stmt.old), (come, stmt.new)))
        self.ops.append(ir.ZoneSwapCopies(name, seat, old, new, carried, self.mark))

    def _one_kind(self, kind: rb.Expr) -> tuple[int, ...]:
        code = self.expressions.lower(kind)
        if not isinstance(code, ir.Const) or not isinstance(code.value, int):
            raise UnsupportedError("pieces that carry others are swapped for one kind written out", kind.span)
        return (code.value,)

    def _move(self, stmt: rb.Move) -> None:
        name, seat = self._zone(stmt.source)
        copies = self.expressions.family(stmt.kind)
        if copies:
            kind = self.keep("kind", ir.LowestCopy(name, seat, copies, stmt.kind.type))
        else:
            kind = self.keep("kind", self.expressions.lower(stmt.kind))
        one = self.number(1)
        if isinstance(stmt.target, rb.ZoneRef):
            _, to = self._zone(stmt.target)
            slot, known = self._known(stmt.source.name, seat, stmt.target.name)
            self.ops.append(ir.ZoneRemove(name, seat, kind, one, slot, self.mark))
            self._insert(stmt.target.name, to, kind, one, stmt.under, known=known)
            return
        space = self.keep("space", self.expressions.lower(stmt.target))
        turn = None if stmt.turned is None else self.keep("turn", self.expressions.lower(stmt.turned))
        self.ops.append(ir.ZoneRemove(name, seat, kind, one, None, self.mark))
        self._lay(stmt.source, seat, stmt.target, space, kind, turn)

    def _lay(
        self,
        source: rb.ZoneRef,
        seat: ir.Expr | None,
        target: rb.Expr,
        space: ir.Expr,
        kind: ir.Expr,
        turn: ir.Expr | None,
    ) -> None:
        """A piece of a zone comes onto a board."""
        piece = self.rulebook.zones[source.name].of
        kinds = self.expressions.codes.kinds[piece]
        board = board_of(target)
        if kinds.owned and seat is None:
            message = f"a piece of {piece} belongs to a player, but those in '{source.name}' to nobody"
            self.ops.append(ir.Fail(message, self.mark))
            return
        if not any(room.piece == piece for room in self.rulebook.boards[board].holds):
            self.ops.append(ir.Fail(f"'{board}' takes no piece of {piece}", self.mark))
            return
        owner = seat if kinds.owned else None
        turned = (turn or ir.Const(0, SideT())) if kinds.ring else None
        self.ops.append(ir.PutPiece(board, space, piece, kind, owner, turned, self.mark))
        self.ops += self.watch(Entered(board, kind, space))

    def _draw(self, stmt: rb.Draw) -> None:
        name, seat = self._zone(stmt.source)
        amount = self.expressions.lower(stmt.amount)
        zone = None if not isinstance(stmt.target, rb.ZoneRef) else self.rulebook.zones[stmt.target.name]
        to = self.keep_place(stmt.target) if isinstance(stmt.target, rb.ZoneRef) else None
        space = (
            None
            if isinstance(stmt.target, rb.ZoneRef)
            else self.keep("space", self.expressions.lower(stmt.target))
        )
        bounded = zone is not None and zone.capacity is not None
        if stmt.up_to:
            parts = [amount, ir.ZoneSize(name, seat, NUMBER)]
            if zone is not None and zone.capacity is not None:
                held = ir.ZoneSize(f"zone.{zone.name}", to, NUMBER)
                parts.append(self.minus(self.number(zone.capacity), held))
            parts = [
                part for n, part in enumerate(parts) if not any(same(part, other) for other in parts[:n])
            ]
            if same(parts[0], self.number(1)):
                self._draw_if(stmt, parts[1:], name, seat, zone, to, space)
                return
            least = parts[0] if len(parts) == 1 else ir.MinMax("min", tuple(parts), NUMBER)
            amount = self.keep("amount", least)
        elif not self.ranges.within(amount, 0, 2**53):
            amount = self.keep("amount", amount)
            enough = ir.Compare(">=", amount, self.number(0))
            self.ops.append(ir.Require(enough, "an amount below 0", self.mark))
        once = self._draw_once(stmt, name, seat, zone, to, space, room=stmt.up_to and bounded)
        if isinstance(amount, ir.Const) and amount.value == 1:
            self.ops += once
        else:
            each = self.statements.fresh("number", NUMBER)
            source = ir.Interval(self.number(1), amount, SetT(NUMBER))
            self.ops.append(ir.For(each, source, once, self.mark))

    def _draw_if(
        self,
        stmt: rb.Draw,
        bounds: list[ir.Expr],
        name: str,
        seat: ir.Expr | None,
        zone: rb.Zone | None,
        to: ir.Expr | None,
        space: ir.Expr | None,
    ) -> None:
        """Up to one piece: one where there is one, and room for it."""
        conditions: list[ir.Expr] = [ir.Compare(">", bounds[0], self.number(0))]
        if len(bounds) > 1:
            assert zone is not None
            assert zone.capacity is not None
            held = ir.ZoneSize(f"zone.{zone.name}", to, NUMBER)
            conditions.append(ir.Compare("<", held, self.number(zone.capacity)))
        once = self._draw_once(stmt, name, seat, zone, to, space, room=len(bounds) > 1)
        both = conditions[0] if len(conditions) == 1 else ir.Logic("and", tuple(conditions))
        self.ops.append(ir.If(both, once, (), self.mark))

    def _draw_once(
        self,
        stmt: rb.Draw,
        name: str,
        seat: ir.Expr | None,
        zone: rb.Zone | None,
        to: ir.Expr | None,
        space: ir.Expr | None,
        *,
        room: bool,
    ) -> tuple[ir.Op, ...]:
        """One piece drawn and put where it goes."""
        before, self.ops = self.ops, []
        of = self.rulebook.zones[stmt.source.name].of
        kind = self.statements.fresh("kind", EnumT(of) if of in self.rulebook.enums else KindT(of))
        slot, known = (None, None) if zone is None else self._known(stmt.source.name, seat, zone.name)
        self.ops.append(ir.ZoneDraw(kind, name, seat, self._seen(zone, to), slot, self.mark))
        if zone is not None:
            self._insert(zone.name, to, ir.Local(kind), self.number(1), False, room=room, known=known)
        else:
            assert space is not None
            assert not isinstance(stmt.target, rb.ZoneRef)
            self._lay(stmt.source, seat, stmt.target, space, ir.Local(kind), None)
        once, self.ops = tuple(self.ops), before
        return once

    def _known(self, source: str, seat: ir.Expr | None, target: str) -> tuple[rb.Slot | None, ir.Expr | None]:
        """Who knew a piece in a zone that goes to a pile, where that is kept: a local that its removal is to
        give a value, and the mask."""
        zones = self.statements.codes.zones
        if not zones[target].masked:
            return None, None
        zone = zones[source]
        if zone.visibility == "open":
            return None, self.number(-1)
        owner = (seat,) if zone.visibility == "secret" and zone.owner == "player" and seat is not None else ()
        if not zone.known:
            return None, self._mask(owner, None)
        slot = self.statements.fresh("known", NUMBER)
        return slot, self._mask(owner, ir.Local(slot))

    def _mask(self, seats: tuple[ir.Expr, ...], others: ir.Expr | None) -> ir.Expr:
        if isinstance(others, ir.Const) and others.value == -1:
            return others
        if not seats:
            return self.number(0) if others is None else others
        if isinstance(others, ir.Mask):
            return ir.Mask((*others.seats, *seats), others.others, NUMBER)
        return ir.Mask(seats, others, NUMBER)

    def _seen(self, zone: rb.Zone | None, to: ir.Expr | None) -> str | ir.Expr:
        if zone is None or zone.visibility == "open":
            return "all"
        return to if zone.visibility == "secret" and to is not None else "none"

    def _what(self, expr: rb.Expr) -> tuple[str, ir.Expr | None]:
        """What a revealed thing is called, and whose it is."""
        match expr:
            case rb.ZoneRef(name=name) if self.statements.codes.zones[name].carriers:
                return name, None
            case rb.PlayerVar(name=name, player=player) | rb.ZoneRef(name=name, player=player):
                return name, self.expressions.seat(player)
            case rb.GlobalVar(name=name) | rb.SpaceVar(name=name):
                return name, None
            case _:
                name = expr.slot.name if isinstance(expr, rb.Local) else "value"
                whose = self.statements.graph.whose.of(expr)
                return name, None if whose is None else self.expressions.seat(whose)


def _name_of(place: rb.Place) -> str:
    return place.slot.name if isinstance(place, rb.Local) else place.name
