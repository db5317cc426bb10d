"""Short texts for nodes: how a statement or an expression reads, in one line.

Input: typed statements and expressions. Output: text close to the rules' own words, for people only; it need
not parse.
Invariants: one line; long parts are cut with `…`. Nothing depends on these texts.
"""

from __future__ import annotations

from typing import assert_never

from conche.semantics.rulebook import (
    AddTo,
    Around,
    Bad,
    Beside,
    Binary,
    Binder,
    Call,
    Case,
    Chance,
    Choose,
    Clockwise,
    Cond,
    Do,
    DoAction,
    Draw,
    DropFrom,
    EachPlayer,
    EdgeFace,
    EdgeField,
    Eliminate,
    EndGame,
    Expr,
    Fold,
    ForEach,
    GainPieces,
    GainVar,
    GlobalVar,
    If,
    IsEmpty,
    IsKind,
    IsPiece,
    KindVar,
    Let,
    ListOf,
    Lit,
    Local,
    Look,
    MakeEdge,
    Members,
    MinMax,
    Move,
    Neighbour,
    PayPieces,
    PayVar,
    PieceAttr,
    PlayerCount,
    Players,
    PlayersLeft,
    PlayerVar,
    Put,
    Range,
    RankOf,
    Reveal,
    Rounds,
    ScoreOf,
    SetPlace,
    Shuffle,
    Sides,
    Sorted,
    SpaceEmpty,
    SpaceField,
    SpaceKind,
    Spaces,
    SpaceVar,
    Stmt,
    Stop,
    Swap,
    TableEntry,
    Take,
    Times,
    Total,
    Toward,
    TrackValue,
    Turns,
    Unary,
    While,
    ZoneCount,
    ZoneHolds,
    ZoneKinds,
    ZoneRef,
    ZoneRoom,
)
from conche.semantics.types import PlayerT, TextT
from conche.syntax.expression_text import COMPARISON, IF, MINUS, NOT, POSTFIX, RANGE, SUM, levels_of

Seats = tuple[str, ...]

_DEPTH = 5
_WIDTH = 70


def title_of(stmt: Stmt, seats: Seats) -> str:
    """A statement in one line; of a compound one its first line. `seats`: the players' names."""
    text = _statement(stmt, seats)
    return text if len(text) <= _WIDTH else text[: _WIDTH - 1] + "…"


def case_title(case: Case, seats: Seats) -> str:
    """A case with its label, if it has one, and its arguments."""
    shown = ", ".join(_binder(binder, seats) for binder in case.binders if not binder.hidden)
    label = case.label or ""
    return f"case {label}({shown})" if shown else f"case {label}".rstrip()


def _binder(binder: Binder, seats: Seats) -> str:
    value = binder.value
    if value is None:
        return binder.slot.name
    text = (
        f'"{value.value}"' if isinstance(value, Lit) and isinstance(value.type, TextT) else show(value, seats)
    )
    return f"{binder.slot.name} = {text}"


def _statement(stmt: Stmt, seats: Seats) -> str:
    def say(expr: Expr) -> str:
        return show(expr, seats)

    def to(player: Expr | None) -> str:
        return "" if player is None else f" to {say(player)}"

    def items(parts: tuple[tuple[Expr, Expr], ...]) -> str:
        return ", ".join(f"{say(count)} {say(kind)}" for count, kind in parts)

    match stmt:
        case GainVar():
            return f"gain {_up_to(stmt.up_to)}{say(stmt.amount)} {stmt.var}"
        case GainPieces():
            return f"gain {_up_to(stmt.up_to)}{say(stmt.amount)} {say(stmt.kind)}"
        case PayVar():
            return f"pay {say(stmt.amount)} {stmt.var}{to(stmt.to)}"
        case PayPieces():
            return f"pay {say(stmt.amount)} {say(stmt.kind)}{to(stmt.to)}"
        case Put():
            return f"put {items(stmt.items)} in {say(stmt.zone)}"
        case Take():
            return f"take {items(stmt.items)} out of {say(stmt.zone)}"
        case Swap():
            return f"swap every {say(stmt.old)} for {say(stmt.new)} in {say(stmt.zone)}"
        case Move():
            return f"move {say(stmt.kind)} from {say(stmt.source)} to {say(stmt.target)}"
        case Draw():
            amount = f"{_up_to(stmt.up_to)}{say(stmt.amount)}"
            return f"draw {amount} from {say(stmt.source)} to {say(stmt.target)}"
        case Shuffle():
            return f"shuffle {say(stmt.zone)}"
        case SetPlace():
            return f"set {say(stmt.target)} to {say(stmt.value)}"
        case AddTo():
            return f"add {say(stmt.value)} to {say(stmt.target)}"
        case DropFrom():
            return f"drop {say(stmt.value)} from {say(stmt.target)}"
        case Reveal():
            return f"reveal {say(stmt.value)}{to(stmt.to)}"
        case Look():
            return f"look at {say(stmt.amount)} of {say(stmt.zone)}"
        case Eliminate():
            return f"eliminate {say(stmt.player)}"
        case Let():
            return f"let {stmt.slot.name} = {say(stmt.value)}"
        case Do():
            return f"do {stmt.step}"
        case DoAction():
            return f"do {stmt.action}({say(stmt.subject)})"
        case Stop():
            return "stop" if stmt.target is None else f"stop {stmt.target}"
        case EndGame():
            return "end game"
        case If():
            return f"if {say(stmt.condition)}"
        case ForEach():
            return f"for each {stmt.slot.name} in {say(stmt.source)}"
        case EachPlayer():
            at_once = f"{stmt.at_once} " if stmt.at_once else ""
            return f"{at_once}each player {stmt.slot.name} from {say(stmt.start)}{_if(stmt.guard, seats)}"
        case Rounds():
            until = " until all pass" if stmt.until_pass else ""
            return f"rounds for {stmt.slot.name} from {say(stmt.start)}{_if(stmt.guard, seats)}{until}"
        case While():
            return "repeat" if stmt.condition is None else f"repeat while {say(stmt.condition)}"
        case Times():
            return f"repeat {say(stmt.times)} times"
        case Choose():
            return f"choose {stmt.name}"
        case Chance():
            return f"chance {stmt.name}({stmt.slot.name} in {say(stmt.source)})"
        case _:
            assert_never(stmt)


def _if(guard: Expr | None, seats: Seats) -> str:
    return "" if guard is None else f" if {show(guard, seats)}"


def _up_to(up_to: bool) -> str:
    return "up to " if up_to else ""


def show(expr: Expr, seats: Seats = (), depth: int = _DEPTH) -> str:
    """An expression in one line, with the parentheses that its meaning needs; what is nested deeper than
    `depth` is shown as `…`."""
    if depth == 0:
        return "…"

    def inner(part: Expr, level: int = IF) -> str:
        text = show(part, seats, depth - 1)
        return text if _level(part) >= level or text == "…" else f"({text})"

    match expr:
        case Lit():
            return _literal(expr, seats)
        case Local():
            return expr.slot.name
        case GlobalVar():
            return expr.name
        case PlayerVar():
            return f"{inner(expr.player, POSTFIX)}.{expr.name}"
        case SpaceVar():
            return f"{inner(expr.space, POSTFIX)}.{expr.name}"
        case KindVar():
            return f"{inner(expr.kind, POSTFIX)}.{expr.name}"
        case ZoneRef():
            return expr.name if expr.player is None else f"{inner(expr.player, POSTFIX)}.{expr.name}"
        case ZoneCount():
            return f"count({inner(expr.zone)})"
        case ZoneRoom():
            return f"room({inner(expr.zone)})"
        case ZoneHolds():
            return f"{inner(expr.zone)}[{inner(expr.kind)}]"
        case ZoneKinds():
            return f"kinds({inner(expr.zone)})"
        case TrackValue():
            owner = "" if expr.player is None else f"{inner(expr.player, POSTFIX)}."
            return f"value({owner}{expr.track})"
        case TableEntry():
            return f"{expr.table}[{inner(expr.index)}]"
        case PieceAttr():
            return f"{inner(expr.value, POSTFIX)}.{expr.name}"
        case EdgeFace():
            return f"{inner(expr.edge, POSTFIX)}.{expr.name}"
        case SpaceField():
            return f"{inner(expr.space, POSTFIX)}.{expr.field}"
        case SpaceKind():
            return f"kind({inner(expr.space)})"
        case EdgeField():
            return f"{inner(expr.edge, POSTFIX)}.{expr.field}"
        case MakeEdge():
            return f"edge({inner(expr.space)}, {inner(expr.side)})"
        case Beside():
            return f"beside({inner(expr.space)}, {inner(expr.side)})"
        case Toward():
            return f"toward({inner(expr.start)}, {inner(expr.end)})"
        case Around():
            return f"around({inner(expr.space)})"
        case Spaces():
            return "spaces"
        case Sides():
            return "sides"
        case Players():
            return "players"
        case PlayerCount():
            return "the number of players"
        case PlayersLeft():
            return "the number of players still in"
        case Clockwise():
            return f"clockwise({inner(expr.player)})"
        case Neighbour():
            return f"{'left_of' if expr.step == 1 else 'right_of'}({inner(expr.player)})"
        case Sorted():
            keys = (
                f"{inner(key)} {'falling' if falling else 'rising'}"
                for key, falling in zip(expr.keys, expr.falling, strict=True)
            )
            return f"{inner(expr.source)}, by {', '.join(keys)}"
        case Members():
            return expr.of
        case Turns():
            return f"turns({inner(expr.kind)})"
        case SpaceEmpty():
            return f"{inner(expr.space, RANGE)} is empty"
        case IsPiece():
            return f"{inner(expr.space, RANGE)} is a {expr.piece}"
        case IsKind():
            return f"{inner(expr.value, RANGE)} is {_pattern(expr.kinds)}"
        case Unary(op="not", operand=IsEmpty() | SpaceEmpty() | IsKind() | IsPiece() as tested):
            return show(tested, seats, depth).replace(" is ", " is not ", 1)
        case Unary(op="not", operand=Binary(op="in" | "=" as op, left=left, right=right)):
            return f"{inner(left, RANGE)} {'is not in' if op == 'in' else '!='} {inner(right, RANGE)}"
        case Unary(op="not", operand=ZoneHolds(zone=zone, kind=kind)):
            return f"{inner(kind, RANGE)} is not in {inner(zone, RANGE)}"
        case Unary():
            minus = expr.op == "-"
            return f"-{inner(expr.operand, POSTFIX)}" if minus else f"{expr.op} {inner(expr.operand, NOT)}"
        case Binary(op="in"):
            return f"{inner(expr.left, RANGE)} is in {inner(expr.right, RANGE)}"
        case Binary():
            _, first, second = levels_of(_written(expr.op))
            return f"{inner(expr.left, first)} {_written(expr.op)} {inner(expr.right, second)}"
        case MinMax():
            return f"{expr.op}({', '.join(inner(arg) for arg in expr.args)})"
        case Cond():
            then, otherwise = inner(expr.then), inner(expr.otherwise)
            return f"if {inner(expr.condition)} then {then} else {otherwise}"
        case IsEmpty():
            return f"{inner(expr.value, RANGE)} is empty"
        case Range():
            return f"{inner(expr.low, SUM)}..{inner(expr.high, SUM)}"
        case ListOf():
            shown = (f"{n} {inner(v)}" if n != 1 else inner(v) for n, v in expr.items)
            return f"[{', '.join(shown)}]"
        case Fold():
            body = "" if expr.body is None else f"{inner(expr.body)} for "
            where = "" if expr.where is None else f" where {inner(expr.where)}"
            return f"{expr.op}({body}{expr.slot.name} in {inner(expr.source)}{where})"
        case Call():
            return f"{expr.query}({', '.join(inner(arg) for arg in expr.args)})"
        case Total():
            return "total"
        case ScoreOf():
            return f"score({expr.score})"
        case RankOf():
            return "rank"
        case Bad():
            return "?"
        case _:
            assert_never(expr)


def _written(op: str) -> str:
    """An operator as the rules write it."""
    return "+" if op == "concat" else op


def _level(expr: Expr) -> int:
    """How tightly the text of an expression binds: see `syntax/expression_text.py`."""
    match expr:
        case Unary(op="not", operand=IsEmpty() | SpaceEmpty() | IsKind() | IsPiece() | ZoneHolds()):
            return COMPARISON
        case Unary(op="not", operand=Binary(op="in" | "=")):
            return COMPARISON
        case Unary(op=op):
            return MINUS if op == "-" else NOT
        case Binary(op=op):
            return levels_of(_written(op))[0]
        case IsEmpty() | SpaceEmpty() | IsKind() | IsPiece():
            return COMPARISON
        case Range():
            return RANGE
        case Cond() | Sorted():
            return IF
        case Lit(value=int(value)) if value < 0:
            return MINUS
        case _:
            return POSTFIX


def _pattern(kinds: tuple[str, ...]) -> str:
    """As it is written: the name alone where several kinds of one name are meant."""
    names = {kind.partition("(")[0] for kind in kinds}
    return names.pop() if len(kinds) > 1 and len(names) == 1 else " or ".join(kinds)


def _literal(literal: Lit, seats: Seats) -> str:
    match literal.value:
        case None:
            return "nothing"
        case bool() as value:
            return "yes" if value else "no"
        case int() as seat if isinstance(literal.type, PlayerT) and seat < len(seats):
            return seats[seat]
        case value:
            return str(value)
