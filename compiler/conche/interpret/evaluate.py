"""What an expression is worth in a position.

Purpose: the meaning of expressions, as `semantics/rulebook.py` documents each.
Input: an expression, the position, the values of the locals that queries and folds have introduced (`env`).
Output: a value; `BrokenRuleError` where the rules do what they forbid (the machine adds the line).
Invariants: nothing is changed. What queries gave is kept until `forget` is called, which whoever changes
the position must do: a query is a function of the position and its arguments.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TypeAlias, assert_never

from conche.graph.model import ActionGraph
from conche.interpret.book import SIDES, Book
from conche.interpret.position import GAME, Heap, Piece, Position, SlotKey, Space, Value
from conche.semantics.intervals import MANY
from conche.semantics.rulebook import (
    Around,
    Bad,
    Beside,
    Binary,
    Call,
    Clockwise,
    Cond,
    EdgeFace,
    EdgeField,
    Expr,
    Fold,
    GlobalVar,
    IsEmpty,
    IsKind,
    IsPiece,
    KindVar,
    ListOf,
    Lit,
    Local,
    MakeEdge,
    Members,
    MinMax,
    Neighbour,
    PieceAttr,
    PlayerCount,
    Players,
    PlayersLeft,
    PlayerVar,
    Range,
    RankOf,
    ScoreOf,
    Sides,
    Slot,
    Sorted,
    SpaceEmpty,
    SpaceField,
    SpaceKind,
    Spaces,
    SpaceVar,
    TableEntry,
    Total,
    Toward,
    TrackValue,
    Turns,
    Unary,
    ZoneCount,
    ZoneHolds,
    ZoneKinds,
    ZoneRef,
    ZoneRoom,
)
from conche.semantics.types import EdgeT, EnumT, KindT, SetT, SpaceT
from conche.source import Span

Env: TypeAlias = Mapping[SlotKey, Value]
EMPTY: Env = {}

STEPS: Mapping[str, Space] = {"E": (1, 0), "S": (0, 1), "W": (-1, 0), "N": (0, -1)}


class BrokenRuleError(Exception):
    """The rules did what they forbid. `span`: the line to blame, where it is not that of the running
    statement."""

    def __init__(self, message: str, span: Span | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.span = span


def slot_key(slot: Slot) -> SlotKey:
    return slot.owner, slot.number


def neighbour(space: Space, side: str) -> Space:
    x, y = STEPS[side]
    return space[0] + x, space[1] + y


def distinct(values: tuple[Value, ...]) -> tuple[Value, ...]:
    return tuple(dict.fromkeys(values))


class Evaluator:
    """Evaluates expressions in one position."""

    def __init__(self, book: Book, position: Position) -> None:
        self.book = book
        self.position = position
        self._known: dict[tuple[str, tuple[Value, ...]], Value] = {}

    def forget(self) -> None:
        """To be called when the position has changed."""
        self._known.clear()

    # ----------------------------------------------------------------------------- values of an expected sort

    def number(self, expr: Expr, env: Env = EMPTY) -> int:
        value = self.value(expr, env)
        assert isinstance(value, int)
        return value

    def flag(self, expr: Expr, env: Env = EMPTY) -> bool:
        value = self.value(expr, env)
        assert isinstance(value, bool)
        return value

    def text(self, expr: Expr, env: Env = EMPTY) -> str:
        value = self.value(expr, env)
        if value is None:
            raise BrokenRuleError("there is nothing here")
        assert isinstance(value, str)
        return value

    def space(self, expr: Expr, env: Env = EMPTY) -> Space:
        return as_space(self.value(expr, env))

    def seat(self, expr: Expr, env: Env = EMPTY) -> int:
        value = self.value(expr, env)
        if value is None:
            raise BrokenRuleError("there is no player here")
        assert isinstance(value, int)
        if not 0 <= value < self.position.players:
            raise BrokenRuleError(f"{self.book.seat_name(value)} does not play")
        return value

    def edge(self, expr: Expr, env: Env = EMPTY) -> tuple[Space, str]:
        value = self.value(expr, env)
        if value is None:
            raise BrokenRuleError("there is no edge here")
        assert isinstance(value, tuple)
        x, y, side = value
        assert isinstance(side, str)
        return as_space((x, y)), side

    def items(self, expr: Expr, env: Env = EMPTY) -> tuple[Value, ...]:
        """The elements of a collection or the pieces in a zone."""
        value = self.value(expr, env)
        assert isinstance(value, tuple)
        return value

    # -------------------------------------------------------------------------------- expressions

    def value(self, expr: Expr, env: Env = EMPTY) -> Value:
        match expr:
            case Lit(value=literal):
                return literal
            case Local(slot=slot):
                return self._local(slot, env)
            case Binary():
                return self._binary(expr, env)
            case Unary(op="not"):
                return not self.flag(expr.operand, env)
            case Unary():
                return -self.number(expr.operand, env)
            case MinMax():
                numbers = [self.number(arg, env) for arg in expr.args]
                return min(numbers) if expr.op == "min" else max(numbers)
            case Cond():
                return self.value(expr.then if self.flag(expr.condition, env) else expr.otherwise, env)
            case Call():
                return self.query(expr.query, tuple(self.value(arg, env) for arg in expr.args))
            case Fold():
                return self._fold(expr, env)
            case Range():
                low, high = self.number(expr.low, env), self.number(expr.high, env)
                if high - low >= MANY:
                    raise BrokenRuleError(f"{low}..{high} are more than {MANY} numbers")
                return tuple(range(low, high + 1))
            case ListOf():
                listed = tuple(
                    value
                    for number, item in expr.items
                    for value in [self.value(item, env)]
                    for _ in range(number)
                )
                return distinct(listed) if isinstance(expr.type, SetT) else listed
            case IsEmpty(value=ZoneRef() as zone):
                return self.heap(zone, env).size == 0
            case IsEmpty():
                return not self.items(expr.value, env)
            case GlobalVar():
                return self.variable(expr.name, GAME)
            case PlayerVar():
                return self.variable(expr.name, self.seat(expr.player, env))
            case SpaceVar():
                return self.attribute(board_of(expr.space), expr.name, self.space(expr.space, env))
            case KindVar():
                return self.variable(expr.name, self.kind_number(expr, env))
            case TrackValue() | TableEntry() | PieceAttr():
                return self._printed(expr, env)
            case ZoneRef() | ZoneCount() | ZoneRoom() | ZoneHolds() | ZoneKinds():
                return self._of_zone(expr, env)
            case EdgeFace() | EdgeField() | MakeEdge():
                return self._of_edge(expr, env)
            case SpaceField() | SpaceKind() | SpaceEmpty() | IsPiece() | IsKind():
                return self._of_space(expr, env)
            case Beside() | Toward() | Around() | Spaces() | Sides():
                return self._geometry(expr, env)
            case Players() | PlayerCount() | PlayersLeft() | Clockwise() | Neighbour():
                return self._of_players(expr, env)
            case Sorted():
                return self._sorted(expr, env)
            case Members():
                return self.book.order[expr.of]
            case Turns():
                assert isinstance(expr.kind.type, KindT)
                return tuple(range(self.book.turns(expr.kind.type.piece, self.text(expr.kind, env))))
            case Total():
                return self.total(self.seat(expr.player, env))
            case ScoreOf():
                return self.score(expr.score, self.seat(expr.player, env))
            case RankOf():
                return self._place(self.seat(expr.player, env))
            case Bad():
                raise AssertionError("rules with errors are never played")
            case _:
                assert_never(expr)

    def _local(self, slot: Slot, env: Env) -> Value:
        key = slot_key(slot)
        if key in env:
            return env[key]
        if key not in self.position.locals:
            raise BrokenRuleError(f"'{slot.name}' is not set yet")
        return self.position.locals[key]

    def variable(self, name: str, seat: int) -> Value:
        """A variable or the marker of a track; a seat of -1 for the game's."""
        key = (name, seat)
        if key not in self.position.variables:
            raise BrokenRuleError(f"'{name}'{self.book.whose(name, seat)} is read before it is set")
        return self.position.variables[key]

    def kind_number(self, var: KindVar, env: Env = EMPTY) -> int:
        """Under which number the variable of a kind is kept."""
        of = self.book.rulebook.variables[var.name].of
        assert of is not None
        return self.book.order[of].index(self.text(var.kind, env))

    # -- players

    def _of_players(
        self, expr: Players | PlayerCount | PlayersLeft | Clockwise | Neighbour, env: Env
    ) -> Value:
        position = self.position
        match expr:
            case Players():
                return position.still_in()
            case PlayerCount():
                return position.players
            case PlayersLeft():
                return len(position.still_in())
            case Clockwise():
                return position.still_in(self.seat(expr.player, env))
            case Neighbour():
                seat = self.seat(expr.player, env)
                others = [other for other in position.still_in(seat) if other != seat]
                return (others[0] if expr.step == 1 else others[-1]) if others else seat
            case _:
                assert_never(expr)

    def _sorted(self, expr: Sorted, env: Env) -> Value:
        """Equal ones stay in the order of the source."""
        key = slot_key(expr.slot)

        def ranks(item: Value) -> tuple[int, ...]:
            inner = {**env, key: item}
            numbers = [self.number(part, inner) for part in expr.keys]
            return tuple(-n if falls else n for n, falls in zip(numbers, expr.falling, strict=True))

        return tuple(sorted(self.items(expr.source, env), key=ranks))

    def attribute(self, board: str, name: str, space: Space) -> Value:
        """A declared attribute of a space."""
        key = (board, name, space)
        if key in self.position.attributes:
            return self.position.attributes[key]
        initial = self.book.space_var(board, name).initial
        if initial is None:
            raise BrokenRuleError(f"'{name}' of {show_space(space)} is read before it is set")
        return self.value(initial)

    def _printed(self, expr: TrackValue | TableEntry | PieceAttr, env: Env) -> Value:
        match expr:
            case TrackValue():
                seat = GAME if expr.player is None else self.seat(expr.player, env)
                field = self.variable(expr.track, seat)
                assert isinstance(field, int)
                return self.book.rulebook.tracks[expr.track].fields[field]
            case TableEntry():
                entries = self.book.rulebook.tables[expr.table].entries
                index = self.number(expr.index, env)
                if not 0 <= index < len(entries):
                    raise BrokenRuleError(
                        f"'{expr.table}' has no entry {index}: they are numbered 0..{len(entries) - 1}"
                    )
                return entries[index]
            case PieceAttr():
                return self._piece_attribute(expr, env)
            case _:
                assert_never(expr)

    def _piece_attribute(self, expr: PieceAttr, env: Env) -> Value:
        match expr.value.type:
            case SpaceT(board=board):
                space = self.space(expr.value, env)
                piece = self.top(board, space)
                found = None if piece is None else self.book.attribute(piece.of, piece.kind, expr.name)
                if found is None:
                    raise BrokenRuleError(f"there is no piece with '{expr.name}' on {show_space(space)}")
                return found
            case EnumT(name=of) | KindT(piece=of):
                kind = self.text(expr.value, env)
                found = self.book.attribute(of, kind, expr.name)
                if found is None:
                    raise BrokenRuleError(f"'{kind}' has no '{expr.name}'")
                return found
            case _:
                raise AssertionError(f"no attributes on {expr.value.type}")

    # -- zones

    def zone_key(self, zone: ZoneRef, env: Env = EMPTY) -> tuple[str, int]:
        if zone.player is None:
            return zone.name, GAME
        if not isinstance(zone.player.type, SpaceT | KindT):
            return zone.name, self.seat(zone.player, env)
        if isinstance(zone.player.type, KindT):
            kind, where = self.text(zone.player, env), "this piece"
        else:
            space = self.space(zone.player, env)
            piece = self.top(zone.player.type.board, space)
            kind, where = "" if piece is None else piece.kind, f"the piece on {show_space(space)}"
        carried = self.book.carried(kind)
        if carried is None or carried[0] != zone.name:
            raise BrokenRuleError(f"{where} has no '{zone.name.partition('.')[2]}'")
        return carried

    def heap(self, zone: ZoneRef, env: Env = EMPTY) -> Heap:
        return self.position.heaps[self.zone_key(zone, env)]

    def _of_zone(self, expr: ZoneRef | ZoneCount | ZoneRoom | ZoneHolds | ZoneKinds, env: Env) -> Value:
        match expr:
            case ZoneRef():
                return self.pieces(self.zone_key(expr, env))
            case ZoneCount():
                return self.heap(expr.zone, env).size
            case ZoneRoom():
                capacity = self.book.zone(expr.zone.name).capacity
                assert capacity is not None
                return capacity - self.heap(expr.zone, env).size
            case ZoneHolds():
                return self.heap(expr.zone, env).holds(self.text(expr.kind, env))
            case ZoneKinds():
                of = self.book.zone(expr.zone.name).of
                return tuple(self.book.by_order(of, self.heap(expr.zone, env).total()))
            case _:
                assert_never(expr)

    def pieces(self, key: tuple[str, int]) -> tuple[str, ...]:
        """All pieces in a zone: a row in its order, anything else in the order of the kinds' declaration."""
        heap, zone = self.position.heaps[key], self.book.zone(key[0])
        if zone.kind == "row":
            return tuple(heap.top)
        total = self.book.by_order(zone.of, heap.total())
        return tuple(kind for kind, number in total.items() for _ in range(number))

    # -- spaces and edges

    def top(self, board: str, space: Space) -> Piece | None:
        """The top piece on a space."""
        stack = self.position.boards[board].get(space)
        return stack[-1] if stack else None

    def _of_space(self, expr: SpaceField | SpaceKind | SpaceEmpty | IsPiece | IsKind, env: Env) -> Value:
        if isinstance(expr, IsKind):
            if not isinstance(expr.value.type, SpaceT):
                return self.value(expr.value, env) in expr.kinds
            piece = self.top(expr.value.type.board, self.space(expr.value, env))
            return piece is not None and piece.kind in expr.kinds
        board, space = board_of(expr.space), self.space(expr.space, env)
        piece = self.top(board, space)
        match expr:
            case SpaceEmpty():
                return piece is None
            case IsPiece():
                return piece is not None and piece.of == expr.piece
            case SpaceKind():
                return self._on(piece, space).kind
            case SpaceField(field="x"):
                return space[0]
            case SpaceField(field="y"):
                return space[1]
            case SpaceField(field="height"):
                return len(self.position.boards[board].get(space, ()))
            case SpaceField(field="turn"):
                return self._on(piece, space).turn
            case SpaceField():
                owner = self._on(piece, space).owner
                if owner is None:
                    raise BrokenRuleError(f"the piece on {show_space(space)} has no owner")
                return owner
            case _:
                assert_never(expr)

    def _on(self, piece: Piece | None, space: Space) -> Piece:
        if piece is None:
            raise BrokenRuleError(f"there is no piece on {show_space(space)}")
        return piece

    def _of_edge(self, expr: EdgeFace | EdgeField | MakeEdge, env: Env) -> Value:
        if isinstance(expr, MakeEdge):
            return (*self.space(expr.space, env), self.text(expr.side, env))
        space, side = self.edge(expr.edge, env)
        match expr:
            case EdgeField(field="at"):
                return space
            case EdgeField(field="side"):
                return side
            case EdgeField():
                return neighbour(space, side)
            case EdgeFace():
                piece = self.top(edge_board(expr.edge), space)
                ring = None if piece is None else self.book.attribute(piece.of, piece.kind, expr.name)
                if piece is None or not isinstance(ring, tuple):
                    raise BrokenRuleError(f"there is no piece with '{expr.name}' on {show_space(space)}")
                return ring[(SIDES.index(side) - piece.turn) % len(SIDES)]
            case _:
                assert_never(expr)

    def _geometry(self, expr: Beside | Toward | Around | Spaces | Sides, env: Env) -> Value:
        match expr:
            case Beside():
                return neighbour(self.space(expr.space, env), self.text(expr.side, env))
            case Toward():
                start, end = self.space(expr.start, env), self.space(expr.end, env)
                for side in SIDES:
                    if neighbour(start, side) == end:
                        return side
                raise BrokenRuleError(f"{show_space(start)} and {show_space(end)} are not neighbours")
            case Around():
                space = self.space(expr.space, env)
                return tuple(neighbour(space, side) for side in SIDES)
            case Spaces():
                taken = self.position.boards[expr.board]
                found = {*taken, *(neighbour(space, side) for space in taken for side in SIDES)}
                return tuple(sorted(found, key=lambda space: (space[1], space[0])))
            case Sides():
                return SIDES
            case _:
                assert_never(expr)

    # -- operators

    def _binary(self, expr: Binary, env: Env) -> Value:
        op = expr.op
        if op == "and":
            return self.flag(expr.left, env) and self.flag(expr.right, env)
        if op == "or":
            return self.flag(expr.left, env) or self.flag(expr.right, env)
        if op == "in":
            found = self.value(expr.left, env)
            if isinstance(expr.right, Range) and isinstance(found, int):
                return self.number(expr.right.low, env) <= found <= self.number(expr.right.high, env)
            return found in self.items(expr.right, env)
        if op in ("=", "!="):
            left, right = self.value(expr.left, env), self.value(expr.right, env)
            if isinstance(expr.left.type, SetT) and isinstance(expr.right.type, SetT):
                assert isinstance(left, tuple)
                assert isinstance(right, tuple)
                return (frozenset(left) == frozenset(right)) == (op == "=")
            if isinstance(expr.left, ZoneRef) and self.book.zone(expr.left.name).kind != "row":
                assert isinstance(left, tuple)
                assert isinstance(right, tuple)
                return (Counter(left) == Counter(right)) == (op == "=")
            return (left == right) == (op == "=")
        if op == "concat":
            joined = (*self.items(expr.left, env), *self.items(expr.right, env))
            return distinct(joined) if isinstance(expr.type, SetT) else joined
        return _calculate(op, self.number(expr.left, env), self.number(expr.right, env))

    def _fold(self, expr: Fold, env: Env) -> Value:
        key = slot_key(expr.slot)
        inner = dict(env)
        out: list[Value] = []
        for item in self.items(expr.source, env):
            inner[key] = item
            if expr.where is not None and not self.flag(expr.where, inner):
                continue
            value = item if expr.body is None else self.value(expr.body, inner)
            if expr.op == "any" and (expr.body is None or value):
                return True
            if expr.op == "all" and not value:
                return False
            out.append(value)
        match expr.op:
            case "count":
                return len(out)
            case "any":
                return False
            case "all":
                return True
            case "each":
                return distinct(tuple(out)) if isinstance(expr.type, SetT) else tuple(out)
        numbers = [value for value in out if isinstance(value, int)]
        match expr.op:
            case "sum":
                return sum(numbers)
            case "most":
                return max(numbers, default=0)
            case "least":
                return min(numbers, default=0)
            case _:
                raise AssertionError(f"unknown fold {expr.op}")

    # -- queries and scores

    def query(self, name: str, args: tuple[Value, ...]) -> Value:
        """What a query gives for its arguments."""
        if (name, args) in self._known:
            return self._known[name, args]
        query = self.book.rulebook.queries[name]
        if self.book.reached is not None:
            self.book.reached(f"query.{name}")
        env: dict[SlotKey, Value] = {
            slot_key(param): arg for param, arg in zip(query.params, args, strict=True)
        }
        for let in query.lets:
            env[slot_key(let.slot)] = self.value(let.value, env)
        for case in query.cases:
            if case.condition is None or self.flag(case.condition, env):
                value = self.value(case.value, env)
                self._known[name, args] = value
                return value
        raise AssertionError(f"no case of query {name} holds")

    def score(self, name: str, seat: int) -> int:
        """One score of a player, as if the game ended now."""
        score = self.book.rulebook.scores[name]
        if self.book.reached is not None:
            self.book.reached(f"score.{name}")
        try:
            return self.number(score.value, {slot_key(score.you): seat})
        except BrokenRuleError as fault:
            raise BrokenRuleError(fault.message, fault.span or score.span) from None

    def total(self, seat: int) -> int:
        return sum(self.score(name, seat) for name in self.book.rulebook.scores)

    def ranking(self) -> list[list[int]]:
        """The seats by place, best first; those that share a place in one list."""
        rank = self.book.rulebook.rank
        if self.book.reached is not None:
            self.book.reached(ActionGraph.END)
        try:
            out = self.position.out
            keys = [
                # Who is in comes before who is out, a later exit before an earlier one.
                (
                    out.index(seat) if seat in out else len(out),
                    *(self.number(key, {slot_key(rank.you): seat}) for key in rank.keys),
                )
                for seat in range(self.position.players)
            ]
        except BrokenRuleError as fault:
            raise BrokenRuleError(fault.message, fault.span or rank.span) from None
        return [
            [seat for seat, key in enumerate(keys) if key == best] for best in sorted(set(keys), reverse=True)
        ]

    def _place(self, seat: int) -> int:
        place = 1
        for seats in self.ranking():
            if seat in seats:
                return place
            place += len(seats)
        raise AssertionError(f"seat {seat} has no place")


def _calculate(op: str, left: int, right: int) -> Value:
    if op in ("/", "mod") and right == 0:
        raise BrokenRuleError("a division by 0")
    match op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return left // right
        case "mod":
            return left % right
        case "<":
            return left < right
        case ">":
            return left > right
        case "<=":
            return left <= right
        case ">=":
            return left >= right
        case _:
            raise AssertionError(f"unknown operator {op}")


def as_space(value: Value) -> Space:
    if value is None:
        raise BrokenRuleError("there is no space here")
    assert isinstance(value, tuple)
    x, y = value
    assert isinstance(x, int)
    assert isinstance(y, int)
    return x, y


def board_of(space: Expr) -> str:
    """The board of an expression that gives a space."""
    assert isinstance(space.type, SpaceT)
    return space.type.board


def edge_board(edge: Expr) -> str:
    """The board of an expression that gives an edge."""
    assert isinstance(edge.type, EdgeT)
    return edge.type.board


def show_space(space: Space) -> str:
    return f"({space[0]}, {space[1]})"
