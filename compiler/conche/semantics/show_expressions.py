"""Typed expressions, types and locals as text: part of `dump`.

Purpose: shows an expression of the rulebook close to the way it is written.
Input: an expression. Output: one line of text; locals carry their number (`at.3`).
"""

from __future__ import annotations

from typing import assert_never

from conche.semantics import rulebook as rb
from conche.semantics.types import (
    EdgeT,
    EnumT,
    ErrorT,
    Flag,
    Int,
    KindT,
    ListT,
    Maybe,
    PlayerT,
    RingT,
    SetT,
    SideT,
    SpaceT,
    TextT,
    Type,
)


def show_type(type_: Type) -> str:
    """A type as it would be written."""
    match type_:
        case Flag():
            return "flag"
        case Int(low, high):
            return f"{low}..{high}"
        case EnumT(name) | KindT(name):
            return name
        case PlayerT():
            return "Player"
        case SideT():
            return "Side"
        case SpaceT():
            return "Space"
        case EdgeT():
            return "Edge"
        case TextT():
            return "text"
        case Maybe(element):
            return f"maybe {show_type(element)}"
        case SetT(element):
            return f"set of {show_type(element)}"
        case ListT(element):
            return f"list of {show_type(element)}"
        case RingT(length, element):
            return f"ring of {length} of {show_type(element)}"
        case ErrorT():
            return "?"
        case _:
            assert_never(type_)


def show_slot(slot: rb.Slot) -> str:
    """A local where it is introduced."""
    return f"{slot.name}.{slot.number}: {show_type(slot.type)}"


def _literal(lit: rb.Lit) -> str:
    match lit.value:
        case None:
            return "nothing"
        case True:
            return "yes"
        case False:
            return "no"
        case int(value):
            return f"seat {value}" if isinstance(lit.type, PlayerT) else str(value)
        case str(value):
            return f'"{value}"' if isinstance(lit.type, TextT) else value
        case (x, y):
            return f"({x}, {y})"


def show(expr: rb.Expr) -> str:
    """An expression. Operations stand in parentheses, so that nothing depends on which binds tighter."""
    match expr:
        case rb.Lit():
            return _literal(expr)
        case rb.Local(slot):
            return f"{slot.name}.{slot.number}"
        case rb.GlobalVar(name):
            return name
        case rb.PlayerVar(name, player):
            return f"{show(player)}.{name}"
        case rb.ZoneRef(name, owner):
            return name if owner is None else f"{show(owner)}.{name}"
        case rb.SpaceVar(name, value) | rb.PieceAttr(name, value) | rb.EdgeFace(name, value):
            return f"{show(value)}.{name}"
        case rb.SpaceField(name, value) | rb.EdgeField(name, value):
            return f"{show(value)}.{name}"
        case rb.KindVar(name, value):
            return f"{show(value)}.{name}"
        case rb.ZoneCount(zone):
            return f"count({show(zone)})"
        case rb.ZoneRoom(zone):
            return f"room({show(zone)})"
        case rb.ZoneHolds(zone, kind):
            return f"{show(zone)}[{show(kind)}]"
        case rb.ZoneKinds(zone):
            return f"kinds({show(zone)})"
        case rb.TrackValue(track, owner):
            return f"value({track if owner is None else f'{show(owner)}.{track}'})"
        case rb.TableEntry(table, index):
            return f"{table}[{show(index)}]"
        case rb.SpaceKind(space):
            return f"kind({show(space)})"
        case rb.MakeEdge(space, side):
            return f"edge({show(space)}, {show(side)})"
        case rb.Beside(space, side):
            return f"beside({show(space)}, {show(side)})"
        case rb.Toward(start, end):
            return f"toward({show(start)}, {show(end)})"
        case rb.Around(space):
            return f"around({show(space)})"
        case rb.Spaces():
            return "spaces"
        case rb.Sides():
            return "sides"
        case rb.Players():
            return "players"
        case rb.PlayerCount():
            return "count(players)"
        case rb.PlayersLeft():
            return "count(players still in)"
        case rb.Clockwise(player):
            return f"clockwise({show(player)})"
        case rb.Neighbour(player, step):
            return f"{'left_of' if step == 1 else 'right_of'}({show(player)})"
        case rb.Sorted(slot, source, keys, falling):
            ways = zip(keys, falling, strict=True)
            by = ", ".join(f"{show(key)} {'falling' if down else 'rising'}" for key, down in ways)
            return f"({show(source)} by {by} for {slot.name}.{slot.number})"
        case rb.Members(of):
            return of
        case rb.Turns(kind):
            return f"turns({show(kind)})"
        case rb.SpaceEmpty(value) | rb.IsEmpty(value):
            return f"({show(value)} is empty)"
        case rb.IsPiece(space, piece):
            return f"({show(space)} is a {piece})"
        case rb.IsKind(value, kinds):
            return f"({show(value)} is {' or '.join(kinds)})"
        case rb.Unary(op, operand):
            return f"({op} {show(operand)})" if op == "not" else f"({op}{show(operand)})"
        case rb.Binary(op, left, right):
            return f"({show(left)} {op} {show(right)})"
        case rb.MinMax(op, args):
            return f"{op}({', '.join(map(show, args))})"
        case rb.Cond(condition, then, otherwise):
            return f"(if {show(condition)} then {show(then)} else {show(otherwise)})"
        case rb.Range(low, high):
            return f"{show(low)}..{show(high)}"
        case rb.ListOf(items):
            shown = (show(item) if count == 1 else f"{count} {show(item)}" for count, item in items)
            return f"[{', '.join(shown)}]"
        case rb.Fold(op, body, slot, source, where):
            head = f"{show(body)} for " if body is not None else ""
            tail = f" where {show(where)}" if where is not None else ""
            return f"{op}({head}{slot.name}.{slot.number} in {show(source)}{tail})"
        case rb.Call(query, args):
            return f"{query}({', '.join(map(show, args))})"
        case rb.Total(player):
            return f"total({show(player)})"
        case rb.ScoreOf(score, player):
            return f"score({show(player)}, {score})"
        case rb.RankOf(player):
            return f"rank({show(player)})"
        case rb.Bad():
            return "?"
        case _:
            assert_never(expr)
