"""Lowers expressions of the rules to expressions over codes.

Input: typed expressions of the rulebook. Output: expressions of the engine IR; tables they need go into
`Codes`.
Invariants: the meaning is that of `semantics/rulebook.py`; every case the rules forbid still fails when it is
run, as a partial table, a checked read or an explicit check."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from conche.codegen import ir
from conche.codegen.layout import SIDES, Codes, track_type
from conche.semantics import rulebook as rb
from conche.semantics.types import (
    EdgeT,
    EnumT,
    Int,
    KindT,
    ListT,
    Maybe,
    PlayerT,
    SetT,
    SideT,
    SpaceT,
    Type,
)
from conche.source import Span

NUMBER = Int(-(2**53), 2**53)
CODE = Int(0, 2**31)
"""The type of a top code or another number that the rules do not know."""


class UnsupportedError(Exception):
    """A construct that cannot be compiled; the builder makes a diagnostic of it."""

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.message = message
        self.span = span


class Expressions:
    """Lowers expressions. `alias`: locals that stand for others."""

    def __init__(self, codes: Codes) -> None:
        self.codes = codes
        self.rulebook = codes.rulebook
        self.alias: dict[rb.Slot, rb.Slot] = {}

    # ---------------------------------------------------------------------------------------- parts

    def slot(self, slot: rb.Slot) -> rb.Slot:
        while slot in self.alias:
            slot = self.alias[slot]
        return slot

    def number(self, value: int) -> ir.Const:
        return ir.Const(value, Int(value, value))

    def seat(self, expr: rb.Expr | None) -> ir.Expr | None:
        return None if expr is None else self.lower(expr)

    def place(self, zone: rb.ZoneRef) -> ir.Expr | None:
        """Which of a zone's: the seat of a player, or which copy of a piece that carries one."""
        if zone.player is None:
            return None
        layout = self.codes.zones[zone.name]
        match zone.player.type:
            case SpaceT(board=board):
                return ir.Lookup(self.codes.copy_table(layout, board), self.top(zone.player), CODE)
            case KindT():
                return ir.Lookup(self.codes.copy_table(layout, None), self.lower(zone.player), CODE)
            case _:
                return self.lower(zone.player)

    def family(self, kind: rb.Expr) -> tuple[int, ...]:
        """The copies of a literal that is the name of a family whose pieces carry something; else none."""
        match kind:
            case rb.Lit(value=str() as name, type=KindT(piece=of)) if name not in self.codes.numbers[of]:
                return self.codes.copies(of, name)
            case _:
                return ()

    def top(self, space: rb.Expr) -> ir.Top:
        return ir.Top(board_of(space), self.lower(space), CODE)

    def on_board(self, space: rb.Expr, holds: Callable[[ir.Code], bool]) -> ir.Expr:
        board = board_of(space)
        return ir.OneOf(
            self.top(space), self.codes.on_board(board, holds), len(self.codes.grids[board].codes) - 1
        )

    def variable(self, name: str, player: ir.Expr | None, type_: Type) -> ir.Expr:
        """A variable or the marker of a track."""
        slot, checked = f"var.{name}", self.may_be_unset(name)
        return ir.Global(slot, checked, type_) if player is None else ir.Item(slot, player, checked, type_)

    def may_be_unset(self, name: str) -> bool:
        return name in self.rulebook.variables and self.rulebook.variables[name].initial is None

    # ---------------------------------------------------------------------------------------- expressions

    def lower(self, expr: rb.Expr) -> ir.Expr:
        match expr:
            case rb.Lit():
                if isinstance(expr.type, KindT) and self.family(expr):
                    raise UnsupportedError(
                        f"which '{expr.value}' is meant? Each carries something of its own", expr.span
                    )
                return ir.Const(self.codes.code(expr.value, expr.type), expr.type)
            case rb.Local():
                return ir.Local(self.slot(expr.slot))
            case rb.GlobalVar():
                return self.variable(expr.name, None, expr.type)
            case rb.PlayerVar():
                return self.variable(expr.name, self.lower(expr.player), expr.type)
            case rb.SpaceVar():
                slot = f"space.{board_of(expr.space)}.{expr.name}"
                var = next(
                    v for v in self.rulebook.boards[board_of(expr.space)].attributes if v.name == expr.name
                )
                return ir.Item(slot, self.lower(expr.space), var.initial is None, expr.type)
            case rb.ZoneRef() | rb.ZoneCount() | rb.ZoneRoom() | rb.ZoneHolds() | rb.ZoneKinds():
                return self._zone(expr)
            case rb.TrackValue() | rb.TableEntry() | rb.PieceAttr():
                return self._printed(expr)
            case rb.EdgeFace() | rb.EdgeField() | rb.MakeEdge():
                return self._edge(expr)
            case rb.SpaceField() | rb.SpaceKind() | rb.SpaceEmpty() | rb.IsPiece() | rb.IsKind():
                return self._space(expr)
            case rb.Beside() | rb.Toward() | rb.Around() | rb.Spaces():
                return self._geometry(expr)
            case rb.Sides():
                return ir.Interval(self.number(0), self.number(len(SIDES) - 1), expr.type)
            case rb.Players() | rb.PlayerCount() | rb.PlayersLeft() | rb.Clockwise() | rb.Neighbour():
                return self._of_players(expr)
            case rb.Sorted():
                return self._sorted(expr)
            case rb.KindVar():
                slot, checked = f"var.{expr.name}", self.may_be_unset(expr.name)
                return ir.Item(slot, self.lower(expr.kind), checked, expr.type)
            case rb.Members():
                last_kind = len(self.codes.kinds[expr.of].names) - 1
                return ir.Interval(self.number(0), self.number(last_kind), expr.type)
            case rb.Turns():
                return self._turns(expr)
            case rb.Unary() | rb.Binary():
                return self._operator(expr)
            case rb.MinMax():
                return ir.MinMax(expr.op, tuple(self.lower(arg) for arg in expr.args), expr.type)
            case rb.Cond():
                return ir.Cond(
                    self.lower(expr.condition), self.lower(expr.then), self.lower(expr.otherwise), expr.type
                )
            case rb.IsEmpty():
                return self._is_empty(expr)
            case rb.Range():
                return ir.Interval(self.lower(expr.low), self.lower(expr.high), expr.type)
            case rb.ListOf():
                listed = ir.Sequence(
                    tuple((number, self.lower(item)) for number, item in expr.items), expr.type
                )
                return self._distinct(listed) if len(expr.items) > 1 else listed
            case rb.Fold():
                return self._fold(expr)
            case rb.Call():
                return ir.Ask(expr.query, tuple(self.lower(arg) for arg in expr.args), expr.type)
            case rb.Total():
                return ir.ScoreTotal(self.lower(expr.player), expr.type)
            case rb.ScoreOf() | rb.RankOf():
                raise AssertionError("scores are read in scenarios alone")
            case rb.Bad():
                raise AssertionError("rules with errors are never compiled")
            case _:
                assert_never(expr)

    def _of_players(
        self, expr: rb.Players | rb.PlayerCount | rb.PlayersLeft | rb.Clockwise | rb.Neighbour
    ) -> ir.Expr:
        eliminates = self.rulebook.eliminates
        match expr:
            case rb.Players() if eliminates:
                return ir.PlayersIn(expr.type)
            case rb.Players():
                last = ir.Arith("-", ir.PlayerNumber(NUMBER), self.number(1), PlayerT())
                return ir.Interval(self.number(0), last, expr.type)
            case rb.PlayersLeft() if eliminates:
                return ir.PlayersLeft(expr.type)
            case rb.PlayerCount() | rb.PlayersLeft():
                return ir.PlayerNumber(expr.type)
            case rb.Clockwise():
                return ir.Clockwise(self.lower(expr.player), expr.type)
            case rb.Neighbour() if eliminates or self.codes.seats_in_doubt:
                return ir.NextSeat(self.lower(expr.player), expr.step, expr.type)
            case rb.Neighbour():
                seat = ir.Arith("+", self.lower(expr.player), self.number(expr.step), NUMBER)
                return ir.Arith("mod", seat, ir.PlayerNumber(NUMBER), expr.type)
            case _:
                assert_never(expr)

    def _sorted(self, expr: rb.Sorted) -> ir.Expr:
        keys = [
            ir.Negate(key, NUMBER) if falls else key
            for key, falls in zip(map(self.lower, expr.keys), expr.falling, strict=True)
        ]
        body = keys[0] if len(keys) == 1 else ir.Sequence(tuple((1, key) for key in keys), ListT(NUMBER))
        return ir.Fold("sorted", body, expr.slot, self.lower(expr.source), None, expr.type)

    def _distinct(self, sequence: ir.Expr) -> ir.Expr:
        return ir.Distinct(sequence, sequence.type) if isinstance(sequence.type, SetT) else sequence

    def _zone(self, expr: rb.ZoneRef | rb.ZoneCount | rb.ZoneRoom | rb.ZoneHolds | rb.ZoneKinds) -> ir.Expr:
        zone = expr if isinstance(expr, rb.ZoneRef) else expr.zone
        name, seat = f"zone.{zone.name}", self.place(zone)
        match expr:
            case rb.ZoneRef():
                return ir.ZoneItems(name, seat, expr.type)
            case rb.ZoneCount():
                return ir.ZoneSize(name, seat, expr.type)
            case rb.ZoneRoom():
                capacity = self.rulebook.zones[zone.name].capacity
                assert capacity is not None
                return ir.Arith("-", self.number(capacity), ir.ZoneSize(name, seat, expr.type), expr.type)
            case rb.ZoneHolds():
                return ir.ZoneHolds(name, seat, self.lower(expr.kind), expr.type)
            case rb.ZoneKinds():
                return ir.ZoneKinds(name, seat, expr.type)
            case _:
                assert_never(expr)

    def zone_size(self, zone: rb.ZoneRef) -> ir.ZoneSize:
        return ir.ZoneSize(f"zone.{zone.name}", self.place(zone), NUMBER)

    def _printed(self, expr: rb.TrackValue | rb.TableEntry | rb.PieceAttr) -> ir.Expr:
        match expr:
            case rb.TrackValue():
                track = self.rulebook.tracks[expr.track]
                player = None if track.owner == "game" else self.seat(expr.player)
                table = self.codes.table(f"{track.name}.fields", iter(track.fields), "by field")
                return ir.Lookup(table, self.variable(track.name, player, track_type(track)), expr.type)
            case rb.TableEntry():
                entries = self.rulebook.tables[expr.table].entries
                table = self.codes.table(expr.table, iter(entries), "by number")
                return ir.Lookup(table, self.lower(expr.index), expr.type)
            case rb.PieceAttr():
                match expr.value.type:
                    case SpaceT(board=board):
                        table = self.codes.board_attribute_table(board, expr.name)
                        return ir.Lookup(table, self.top(expr.value), expr.type)
                    case EnumT(name=of) | KindT(piece=of):
                        table = self.codes.attribute_table(of, expr.name)
                        return ir.Lookup(table, self.lower(expr.value), expr.type)
                    case _:
                        raise AssertionError(f"{expr.value.type} has no attributes")
            case _:
                assert_never(expr)

    def _edge(self, expr: rb.EdgeFace | rb.EdgeField | rb.MakeEdge) -> ir.Expr:
        sides = self.number(len(SIDES))
        if isinstance(expr, rb.MakeEdge):
            return edge_code(self.lower(expr.space), self.lower(expr.side), expr.type)
        edge = self.lower(expr.edge)
        assert isinstance(expr.edge.type, EdgeT)
        board = expr.edge.type.board
        match expr:
            case rb.EdgeField(field="at"):
                return ir.Arith("/", edge, sides, expr.type)
            case rb.EdgeField(field="side"):
                return ir.Arith("mod", edge, sides, expr.type)
            case rb.EdgeField():
                return ir.Lookup(self.codes.grid_table(board, "beside"), edge, expr.type)
            case rb.EdgeFace():
                top = ir.Top(board, ir.Arith("/", edge, sides, SpaceT(board)), CODE)
                side = ir.Arith("mod", edge, sides, SideT())
                index = ir.Arith("+", ir.Arith("*", top, sides, CODE), side, CODE)
                return ir.Lookup(self.codes.faces_table(board, expr.name), index, expr.type)
            case _:
                assert_never(expr)

    def _space(self, expr: rb.SpaceField | rb.SpaceKind | rb.SpaceEmpty | rb.IsPiece | rb.IsKind) -> ir.Expr:
        match expr:
            case rb.SpaceField(field="x" | "y" as field):
                table = self.codes.grid_table(board_of(expr.space), field)
                return ir.Lookup(table, self.lower(expr.space), expr.type)
            case rb.SpaceField(field="height"):
                return ir.Height(board_of(expr.space), self.lower(expr.space), expr.type)
            case rb.SpaceField(field="turn"):
                table = self.codes.by_code(board_of(expr.space), "turn", lambda code: code.turn or 0)
                return ir.Lookup(table, self.top(expr.space), expr.type)
            case rb.SpaceField():
                table = self.codes.by_code(board_of(expr.space), "owner", lambda code: code.owner)
                return ir.Lookup(table, self.top(expr.space), expr.type)
            case rb.SpaceKind():
                assert isinstance(expr.type, KindT)
                return self.kind_on(expr.space, expr.type.piece, expr.type)
            case rb.SpaceEmpty():
                return ir.Compare("=", self.top(expr.space), self.number(0))
            case rb.IsPiece():
                piece = expr.piece
                return self.on_board(expr.space, lambda code: code.piece == piece)
            case rb.IsKind():
                return self._is_kind(expr)
            case _:
                assert_never(expr)

    def kind_on(self, space: rb.Expr, piece: str, type_: Type) -> ir.Expr:
        """The kind of the top piece of a space, which must be of a type."""
        table = self.codes.by_code(
            board_of(space), f"{piece}.kind", lambda code: code.kind if code.piece == piece else None
        )
        return ir.Lookup(table, self.top(space), type_)

    def _is_kind(self, expr: rb.IsKind) -> ir.Expr:
        type_ = expr.value.type.element if isinstance(expr.value.type, Maybe) else expr.value.type
        match type_:
            case SpaceT():
                names = {of: kinds.names for of, kinds in self.codes.kinds.items()}
                return self.on_board(expr.value, lambda code: names[code.piece][code.kind] in expr.kinds)
            case EnumT(name=of) | KindT(piece=of):
                numbers = self.codes.numbers[of]
                wanted = tuple(sorted(numbers[name] for name in expr.kinds if name in numbers))
                last = None if isinstance(expr.value.type, Maybe) else len(numbers) - 1
                return ir.OneOf(self.lower(expr.value), wanted, last)
            case _:
                raise AssertionError(f"{expr.value.type} is of no kind")

    def _geometry(self, expr: rb.Beside | rb.Toward | rb.Around | rb.Spaces) -> ir.Expr:
        match expr:
            case rb.Beside():
                board = board_of(expr.space)
                edge = edge_code(self.lower(expr.space), self.lower(expr.side), EdgeT(board))
                return ir.Lookup(self.codes.grid_table(board, "beside"), edge, expr.type)
            case rb.Toward():
                board = board_of(expr.start)
                difference = ir.Arith("-", self.lower(expr.end), self.lower(expr.start), NUMBER)
                return ir.Lookup(self.codes.grid_table(board, "toward"), difference, expr.type)
            case rb.Around():
                table = self.codes.grid_table(board_of(expr.space), "around")
                return ir.Lookup(table, self.lower(expr.space), expr.type)
            case rb.Spaces():
                return ir.Spaces(expr.board, expr.type)
            case _:
                assert_never(expr)

    def _turns(self, expr: rb.Turns) -> ir.Expr:
        assert isinstance(expr.kind.type, KindT)
        kinds = self.codes.kinds[expr.kind.type.piece]
        table = self.codes.table(f"{kinds.name}.turns", iter(kinds.turns), f"by kind of {kinds.name}")
        turns = ir.Lookup(table, self.lower(expr.kind), Int(1, max(kinds.turns, default=1)))
        return ir.Interval(self.number(0), ir.Arith("-", turns, self.number(1), NUMBER), expr.type)

    def _operator(self, expr: rb.Unary | rb.Binary) -> ir.Expr:
        if isinstance(expr, rb.Unary):
            operand = self.lower(expr.operand)
            return ir.Not(operand) if expr.op == "not" else ir.Negate(operand, expr.type)
        left = self.lower(expr.left)
        match expr.op:
            case "and" | "or":
                return ir.Logic(expr.op, (left, self.lower(expr.right)))
            case "=" | "!=" | "<" | ">" | "<=" | ">=":
                return ir.Compare(expr.op, left, self.lower(expr.right))
            case "in":
                return self._member(expr, left)
            case "concat":
                return self._distinct(ir.Concat((left, self.lower(expr.right)), expr.type))
            case _:
                return ir.Arith(expr.op, left, self.lower(expr.right), expr.type)

    def _member(self, expr: rb.Binary, left: ir.Expr) -> ir.Expr:
        if isinstance(expr.right, rb.ZoneRef) and not isinstance(expr.left.type, Maybe):
            name, seat = f"zone.{expr.right.name}", self.place(expr.right)
            held = ir.ZoneHolds(name, seat, left, NUMBER)
            return ir.Compare(">", held, self.number(0))
        return ir.Member(left, self.lower(expr.right))

    def _is_empty(self, expr: rb.IsEmpty) -> ir.Expr:
        if isinstance(expr.value, rb.ZoneRef):
            size: ir.Expr = self.zone_size(expr.value)
        else:
            size = ir.Size(self.lower(expr.value), NUMBER)
        return ir.Compare("=", size, self.number(0))

    def _fold(self, expr: rb.Fold) -> ir.Expr:
        if expr.op == "count" and expr.body is None and expr.where is None:
            if isinstance(expr.source, rb.ZoneRef):
                return self.zone_size(expr.source)
            return ir.Size(self.lower(expr.source), expr.type)
        source = self.lower(expr.source)
        body = None if expr.body is None else self.lower(expr.body)
        where = None if expr.where is None else self.lower(expr.where)
        if expr.op == "each" and body is None and where is None:
            listed = source
        else:
            listed = ir.Fold(expr.op, body, expr.slot, source, where, expr.type)
        if expr.op != "each" or (body is None and isinstance(expr.source.type, SetT)):
            return listed
        return ir.Distinct(listed, expr.type) if isinstance(expr.type, SetT) else listed


def board_of(space: rb.Expr) -> str:
    """The board of an expression that gives a space."""
    assert isinstance(space.type, SpaceT)
    return space.type.board


def edge_code(space: ir.Expr, side: ir.Expr, type_: Type) -> ir.Expr:
    sides = ir.Const(len(SIDES), Int(len(SIDES), len(SIDES)))
    return ir.Arith("+", ir.Arith("*", space, sides, type_), side, type_)
