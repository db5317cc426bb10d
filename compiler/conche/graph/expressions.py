"""Walking expressions, and what they touch.

Input: typed expressions and statements of the rulebook. Output: their sub-expressions, in the order of the
text, and the data nodes (`zone.jungle`, `var.gold`, …) that they read and write.
Invariants: no function here recurses; an expression of any depth is walked with a list.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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
    Place,
    PlayerCount,
    Players,
    PlayersLeft,
    PlayerVar,
    Put,
    Query,
    Range,
    RankOf,
    Reveal,
    Rounds,
    Rulebook,
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
from conche.semantics.types import EdgeT, SpaceT

SIZE = "size"
"""Label of a `reads` edge: only how many pieces a zone holds is read, which all may know."""

EVERY_SCORE = "score.*"


def children(expr: Expr) -> tuple[Expr, ...]:
    """The expressions an expression is made of, in the order of the text."""
    match expr:
        case (
            Lit()
            | Local()
            | GlobalVar()
            | Spaces()
            | Sides()
            | Players()
            | PlayerCount()
            | PlayersLeft()
            | Members()
            | Bad()
        ):
            return ()
        case PlayerVar() | Total() | ScoreOf() | RankOf() | Clockwise() | Neighbour():
            return (expr.player,)
        case SpaceVar() | SpaceField() | SpaceKind() | Around() | SpaceEmpty() | IsPiece():
            return (expr.space,)
        case ZoneRef() | TrackValue():
            return () if expr.player is None else (expr.player,)
        case ZoneCount() | ZoneRoom() | ZoneKinds():
            return (expr.zone,)
        case ZoneHolds():
            return (expr.zone, expr.kind)
        case TableEntry():
            return (expr.index,)
        case PieceAttr() | IsKind() | IsEmpty():
            return (expr.value,)
        case EdgeFace() | EdgeField():
            return (expr.edge,)
        case MakeEdge() | Beside():
            return (expr.space, expr.side)
        case Toward():
            return (expr.start, expr.end)
        case Turns() | KindVar():
            return (expr.kind,)
        case Sorted():
            return (*expr.keys, expr.source)
        case Unary():
            return (expr.operand,)
        case Binary():
            return (expr.left, expr.right)
        case MinMax() | Call():
            return expr.args
        case Cond():
            return (expr.condition, expr.then, expr.otherwise)
        case Range():
            return (expr.low, expr.high)
        case ListOf():
            return tuple(value for _, value in expr.items)
        case Fold():
            return tuple(part for part in (expr.body, expr.source, expr.where) if part is not None)
        case _:
            assert_never(expr)


def walk(*exprs: Expr | None) -> Iterator[Expr]:
    """Every expression within, each before its parts, in the order of the text."""
    stack = [expr for expr in reversed(exprs) if expr is not None]
    while stack:
        expr = stack.pop()
        yield expr
        stack += reversed(children(expr))


def own_exprs(owned: Stmt | Case) -> tuple[Expr, ...]:
    """The expressions a statement or a case holds itself; those of its parts are left out.

    The place that a statement changes is not among them, but what finds the place (`p` of `p.gold`) is."""
    match owned:
        case GainVar():
            return (owned.player, owned.amount)
        case GainPieces():
            return (*_finds(owned.zone), owned.player, owned.kind, owned.amount)
        case PayVar():
            return _present(owned.player, owned.amount, owned.to)
        case PayPieces():
            return (*_finds(owned.zone), *_present(owned.player, owned.kind, owned.amount, owned.to))
        case Put() | Take():
            return (*(part for item in owned.items for part in item), *_finds(owned.zone))
        case Swap():
            return (owned.old, owned.new, *_finds(owned.zone))
        case Move():
            return (owned.kind, *_finds(owned.source), *_target(owned.target), *_present(owned.turned))
        case Draw():
            return (owned.amount, *_finds(owned.source), *_target(owned.target))
        case Shuffle():
            return _finds(owned.zone)
        case SetPlace() | AddTo() | DropFrom():
            return (owned.value, *_finds(owned.target))
        case Reveal():
            return _present(owned.value, owned.to)
        case Look():
            return (owned.player, owned.amount, *_finds(owned.zone))
        case Eliminate():
            return (owned.player,)
        case Let():
            return (owned.value,)
        case Do():
            return owned.args
        case DoAction():
            return (owned.subject, *owned.args)
        case Stop() | EndGame():
            return ()
        case If():
            return (owned.condition,)
        case ForEach() | Chance():
            return (owned.source,)
        case EachPlayer() | Rounds():
            return _present(owned.start, owned.guard)
        case While():
            return _present(owned.condition)
        case Times():
            return (owned.times,)
        case Choose():
            return (owned.chooser,)
        case Case():
            bound = (part for binder in owned.binders for part in (binder.source, binder.value))
            return _present(owned.guard, *bound, owned.late_guard)
        case _:
            assert_never(owned)


def _present(*exprs: Expr | None) -> tuple[Expr, ...]:
    return tuple(expr for expr in exprs if expr is not None)


def _finds(place: Place | ZoneRef) -> tuple[Expr, ...]:
    return children(place)


def _target(target: ZoneRef | Expr) -> tuple[Expr, ...]:
    return children(target) if isinstance(target, ZoneRef) else (target,)


def query_exprs(query: Query) -> tuple[Expr, ...]:
    """Everything a query computes with."""
    cases = (part for case in query.cases for part in (case.condition, case.value))
    return _present(*(let.value for let in query.lets), *cases)


def variable_node(rulebook: Rulebook, name: str) -> str:
    """The data node of a variable of the game or a player: tracks are read and set like variables."""
    return f"track.{name}" if name in rulebook.tracks else f"var.{name}"


def place_node(rulebook: Rulebook, place: Place) -> str | None:
    """The data node of a place; None for a local, which has none."""
    match place:
        case Local():
            return None
        case GlobalVar() | PlayerVar():
            return variable_node(rulebook, place.name)
        case KindVar():
            return f"var.{place.name}"
        case SpaceVar():
            return f"board.{_board(place.space)}.{place.name}"
        case _:
            assert_never(place)


def _board(space: Expr) -> str:
    return space.type.board if isinstance(space.type, SpaceT) else ""


def reads_of(rulebook: Rulebook, exprs: Iterable[Expr]) -> set[tuple[str, str]]:
    """The data and query nodes that expressions read, with the part read: `size` of a zone, else ""."""
    return {(name, part) for node, part in touched(exprs) for name in touched_nodes(rulebook, node)}


def touched_nodes(rulebook: Rulebook, node: str) -> list[str]:
    """The nodes of a rulebook that something touched is."""
    if node == EVERY_SCORE:
        return [f"score.{name}" for name in rulebook.scores]
    kind, _, name = node.partition(".")
    return [variable_node(rulebook, name)] if kind == "var" else [node]


def touched(exprs: Iterable[Expr]) -> set[tuple[str, str]]:
    """What expressions read, as `reads_of`, but without the rulebook: a track is touched as the variable of
    its name, and all scores as `EVERY_SCORE`."""
    found: set[tuple[str, str]] = set()
    stack = list(exprs)
    while stack:
        expr = stack.pop()
        zone = sized_zone(expr)
        if zone is not None:
            found.add((f"zone.{zone.name}", SIZE))
            stack += children(zone)
            continue
        stack += children(expr)
        match expr:
            case GlobalVar() | PlayerVar() | KindVar():
                found.add((f"var.{expr.name}", ""))
            case SpaceVar():
                found.add((f"board.{_board(expr.space)}.{expr.name}", ""))
            case ZoneRef():
                found.add((f"zone.{expr.name}", ""))
            case TrackValue():
                found.add((f"track.{expr.track}", ""))
            case Call():
                found.add((f"query.{expr.query}", ""))
            case ScoreOf():
                found.add((f"score.{expr.score}", ""))
            case Total() | RankOf():
                found.add((EVERY_SCORE, ""))
            case Spaces():
                found.add((f"board.{expr.board}", ""))
            case SpaceEmpty() | IsPiece() | SpaceKind() | SpaceField():
                found |= _board_of(expr.space)
            case IsKind() | PieceAttr():
                found |= _board_of(expr.value)
            case EdgeFace():
                found |= _board_of_edge(expr.edge)
            case _:
                pass
    return found


def sized_zone(expr: Expr) -> ZoneRef | None:
    """The zone that an expression asks nothing but the size of."""
    match expr:
        case ZoneCount() | ZoneRoom():
            return expr.zone
        case IsEmpty(value=ZoneRef() as zone):
            return zone
        case Fold(op="count", body=None, source=ZoneRef() as zone, where=None):
            return zone
        case _:
            return None


def _board_of_edge(edge: Expr) -> set[tuple[str, str]]:
    return {(f"board.{edge.type.board}", "")} if isinstance(edge.type, EdgeT) else set()


def _board_of(space: Expr) -> set[tuple[str, str]]:
    return {(f"board.{space.type.board}", "")} if isinstance(space.type, SpaceT) else set()


def writes_of(rulebook: Rulebook, stmt: Stmt) -> set[tuple[str, str]]:
    """The data nodes that a statement itself changes, with how.

    `from`, `to`, `swap`, `order` of a zone or board; `gain`, `pay`, `set`, `add`, `drop` of a variable."""
    match stmt:
        case GainVar():
            return {(variable_node(rulebook, stmt.var), "gain")}
        case PayVar():
            node = variable_node(rulebook, stmt.var)
            return {(node, "pay")} | ({(node, "gain")} if stmt.to is not None else set())
        case GainPieces() | Put():
            return {(f"zone.{stmt.zone.name}", "to")}
        case PayPieces():
            node = f"zone.{stmt.zone.name}"
            return {(node, "from")} | ({(node, "to")} if stmt.to is not None else set())
        case Take():
            return {(f"zone.{stmt.zone.name}", "from")}
        case Swap():
            return {(f"zone.{stmt.zone.name}", "swap")}
        case Move() | Draw():
            return {(f"zone.{stmt.source.name}", "from"), (target_node(stmt.target), "to")}
        case Shuffle():
            return {(f"zone.{stmt.zone.name}", "order")}
        case SetPlace() | AddTo() | DropFrom():
            found = place_node(rulebook, stmt.target)
            how = {SetPlace: "set", AddTo: "add", DropFrom: "drop"}[type(stmt)]
            return set() if found is None else {(found, how)}
        case _:
            return set()


def target_node(target: ZoneRef | Expr) -> str:
    """The data node of what pieces are moved to."""
    return f"zone.{target.name}" if isinstance(target, ZoneRef) else f"board.{_board(target)}"
