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
    Call,
    Case,
    Chance,
    Choose,
    Cond,
    Do,
    DoAction,
    Draw,
    DropFrom,
    EachPlayer,
    EdgeFace,
    EdgeField,
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
    Let,
    ListOf,
    Lit,
    Local,
    MakeEdge,
    Members,
    MinMax,
    Move,
    PayPieces,
    PayVar,
    PieceAttr,
    PlayerCount,
    Players,
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

_DEPTH = 5
_WIDTH = 70


def title_of(stmt: Stmt) -> str:
    """A statement in one line; of a compound one its first line."""
    text = _statement(stmt)
    return text if len(text) <= _WIDTH else text[: _WIDTH - 1] + "…"


def case_title(case: Case, label: str) -> str:
    """A case with the names of its arguments."""
    names = ", ".join(binder.slot.name for binder in case.binders if not binder.hidden)
    return f"case {label}({names})" if names else f"case {label}"


def _statement(stmt: Stmt) -> str:
    match stmt:
        case GainVar():
            return f"gain {_up_to(stmt.up_to)}{show(stmt.amount)} {stmt.var}"
        case GainPieces():
            return f"gain {_up_to(stmt.up_to)}{show(stmt.amount)} {show(stmt.kind)}"
        case PayVar():
            return f"pay {show(stmt.amount)} {stmt.var}{_to(stmt.to)}"
        case PayPieces():
            return f"pay {show(stmt.amount)} {show(stmt.kind)}{_to(stmt.to)}"
        case Put():
            return f"put {_items(stmt.items)} in {show(stmt.zone)}"
        case Take():
            return f"take {_items(stmt.items)} out of {show(stmt.zone)}"
        case Swap():
            return f"swap every {show(stmt.old)} for {show(stmt.new)} in {show(stmt.zone)}"
        case Move():
            return f"move {show(stmt.kind)} from {show(stmt.source)} to {show(stmt.target)}"
        case Draw():
            amount = f"{_up_to(stmt.up_to)}{show(stmt.amount)}"
            return f"draw {amount} from {show(stmt.source)} to {show(stmt.target)}"
        case Shuffle():
            return f"shuffle {show(stmt.zone)}"
        case SetPlace():
            return f"set {show(stmt.target)} to {show(stmt.value)}"
        case AddTo():
            return f"add {show(stmt.value)} to {show(stmt.target)}"
        case DropFrom():
            return f"drop {show(stmt.value)} from {show(stmt.target)}"
        case Reveal():
            return f"reveal {show(stmt.value)}{_to(stmt.to)}"
        case Let():
            return f"let {stmt.slot.name} = {show(stmt.value)}"
        case Do():
            return f"do {stmt.step}"
        case DoAction():
            return f"do {stmt.action}({show(stmt.subject)})"
        case Stop():
            return "stop" if stmt.target is None else f"stop {stmt.target}"
        case EndGame():
            return "end game"
        case If():
            return f"if {show(stmt.condition)}"
        case ForEach():
            return f"for each {stmt.slot.name} in {show(stmt.source)}"
        case EachPlayer():
            guard = "" if stmt.guard is None else f" if {show(stmt.guard)}"
            return f"each player {stmt.slot.name} from {show(stmt.start)}{guard}"
        case Rounds():
            return f"rounds for {stmt.slot.name} from {show(stmt.start)} if {show(stmt.guard)}"
        case While():
            return "repeat" if stmt.condition is None else f"repeat while {show(stmt.condition)}"
        case Times():
            return f"repeat {show(stmt.times)} times"
        case Choose():
            return f"choose {stmt.name}"
        case Chance():
            return f"chance {stmt.name}({stmt.slot.name} in {show(stmt.source)})"
        case _:
            assert_never(stmt)


def _up_to(up_to: bool) -> str:
    return "up to " if up_to else ""


def _to(player: Expr | None) -> str:
    return "" if player is None else f" to {show(player)}"


def _items(items: tuple[tuple[Expr, Expr], ...]) -> str:
    return ", ".join(f"{show(count)} {show(kind)}" for count, kind in items)


def show(expr: Expr, depth: int = _DEPTH) -> str:
    """An expression in one line; what is nested deeper than `depth` is shown as `…`."""
    if depth == 0:
        return "…"
    deeper = depth - 1
    match expr:
        case Lit():
            return _literal(expr.value)
        case Local():
            return expr.slot.name
        case GlobalVar():
            return expr.name
        case PlayerVar():
            return f"{show(expr.player, deeper)}.{expr.name}"
        case SpaceVar():
            return f"{show(expr.space, deeper)}.{expr.name}"
        case ZoneRef():
            return expr.name if expr.player is None else f"{show(expr.player, deeper)}.{expr.name}"
        case ZoneCount():
            return f"count({show(expr.zone, deeper)})"
        case ZoneRoom():
            return f"room({show(expr.zone, deeper)})"
        case ZoneHolds():
            return f"{show(expr.zone, deeper)}[{show(expr.kind, deeper)}]"
        case ZoneKinds():
            return f"kinds({show(expr.zone, deeper)})"
        case TrackValue():
            owner = "" if expr.player is None else f"{show(expr.player, deeper)}."
            return f"value({owner}{expr.track})"
        case TableEntry():
            return f"{expr.table}[{show(expr.index, deeper)}]"
        case PieceAttr():
            return f"{show(expr.value, deeper)}.{expr.name}"
        case EdgeFace():
            return f"{show(expr.edge, deeper)}.{expr.name}"
        case SpaceField():
            return f"{show(expr.space, deeper)}.{expr.field}"
        case SpaceKind():
            return f"kind({show(expr.space, deeper)})"
        case EdgeField():
            return f"{show(expr.edge, deeper)}.{expr.field}"
        case MakeEdge():
            return f"edge({show(expr.space, deeper)}, {show(expr.side, deeper)})"
        case Beside():
            return f"beside({show(expr.space, deeper)}, {show(expr.side, deeper)})"
        case Toward():
            return f"toward({show(expr.start, deeper)}, {show(expr.end, deeper)})"
        case Around():
            return f"around({show(expr.space, deeper)})"
        case Spaces():
            return "spaces"
        case Sides():
            return "sides"
        case Players():
            return "players"
        case PlayerCount():
            return "the number of players"
        case Members():
            return expr.of
        case Turns():
            return f"turns({show(expr.kind, deeper)})"
        case SpaceEmpty():
            return f"{show(expr.space, deeper)} is empty"
        case IsPiece():
            return f"{show(expr.space, deeper)} is a {expr.piece}"
        case IsKind():
            return f"{show(expr.value, deeper)} is {' or '.join(expr.kinds)}"
        case Unary(op="not", operand=IsEmpty() | SpaceEmpty() | IsKind() | IsPiece() as tested):
            return show(tested, depth).replace(" is ", " is not ", 1)
        case Unary():
            return f"{expr.op} {show(expr.operand, deeper)}"
        case Binary():
            return f"{show(expr.left, deeper)} {expr.op} {show(expr.right, deeper)}"
        case MinMax():
            return f"{expr.op}({', '.join(show(arg, deeper) for arg in expr.args)})"
        case Cond():
            then, otherwise = show(expr.then, deeper), show(expr.otherwise, deeper)
            return f"if {show(expr.condition, deeper)} then {then} else {otherwise}"
        case IsEmpty():
            return f"{show(expr.value, deeper)} is empty"
        case Range():
            return f"{show(expr.low, deeper)}..{show(expr.high, deeper)}"
        case ListOf():
            shown = (f"{n} {show(v, deeper)}" if n != 1 else show(v, deeper) for n, v in expr.items)
            return f"[{', '.join(shown)}]"
        case Fold():
            body = "" if expr.body is None else f"{show(expr.body, deeper)} for "
            where = "" if expr.where is None else f" where {show(expr.where, deeper)}"
            return f"{expr.op}({body}{expr.slot.name} in {show(expr.source, deeper)}{where})"
        case Call():
            return f"{expr.query}({', '.join(show(arg, deeper) for arg in expr.args)})"
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


def _literal(value: int | bool | str | tuple[int, int] | None) -> str:
    match value:
        case None:
            return "nothing"
        case bool():
            return "yes" if value else "no"
        case _:
            return str(value)
