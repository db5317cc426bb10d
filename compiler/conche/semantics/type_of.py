"""The type of an expression, from the types of its parts.

Purpose: the one place that says which numbers an operation gives and what a collection holds. The typer asks
when it makes a node; composing asks again (`modules.retype`) when a module has changed what a part is.
Input: a node whose parts have their types, and what is declared. Output: the type, or None where the parts
give none (a division by 0 alone, two values of different sorts).
Invariants: a node whose type does not follow from its parts keeps the one it has; nothing is reported here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar, assert_never

from conche.semantics import intervals
from conche.semantics import rulebook as rb
from conche.semantics.check_types import join
from conche.semantics.check_values import bounds_of, element_of, length
from conche.semantics.symbols import Globals
from conche.semantics.types import EnumT, ErrorT, Int, KindT, ListT, RingT, SetT, SpaceT, Type

E = TypeVar("E", bound=rb.Expr)

UNTYPED = ErrorT()
"""The type of a node that is being made, until `typed` gives it one."""


def typed(globals_: Globals, node: E) -> E:
    """The node with the type that its parts give."""
    type_ = type_of(globals_, node)
    return node if type_ is None else replace(node, type=type_)


def type_of(globals_: Globals, node: rb.Expr) -> Type | None:
    match node:
        case rb.Local(slot):
            return slot.type
        case rb.Unary("-", operand):
            return intervals.negate(bounds_of(operand.type))
        case rb.Binary(op, left, right):
            return _binary(op, left.type, right.type, node.type)
        case rb.MinMax(op, args):
            parts = [bounds_of(arg.type) for arg in args]
            return intervals.smallest(parts) if op == "min" else intervals.largest(parts)
        case rb.Cond(_, then, otherwise):
            return join(then.type, otherwise.type)
        case rb.Range(low, high):
            a, b = bounds_of(low.type), bounds_of(high.type)
            return SetT(Int(a.low, max(a.low, b.high)))
        case rb.ListOf(items):
            return _list(items, node.type)
        case rb.Fold():
            return _fold(globals_, node)
        case rb.Call(query):
            return globals_.query_types.get(query)
        case rb.PlayerCount():
            return Int(*globals_.players)
        case rb.PlayersLeft():
            return Int(0 if globals_.eliminates else globals_.players[0], globals_.players[1])
        case rb.Sorted(_, source):
            return source.type
        case rb.PieceAttr(name, value):
            return _attribute(globals_, name, value.type)
        case rb.EdgeFace(name):
            return _joined(t.element for _, t in globals_.attribute_types(name) if isinstance(t, RingT))
        case rb.TableEntry(table):
            declared = globals_.values.get(table)
            return declared.type if isinstance(declared, rb.Table) else node.type
        case rb.SpaceField(name):
            return _height(globals_) if name == "height" else node.type
        case rb.Turns(kind):
            return SetT(Int(0, _turns(globals_, kind.type) - 1))
        case (
            rb.Lit()
            | rb.GlobalVar()
            | rb.PlayerVar()
            | rb.SpaceVar()
            | rb.KindVar()
            | rb.ZoneRef()
            | rb.ZoneCount()
            | rb.ZoneRoom()
            | rb.ZoneHolds()
            | rb.ZoneKinds()
            | rb.TrackValue()
            | rb.SpaceKind()
            | rb.EdgeField()
            | rb.MakeEdge()
            | rb.Beside()
            | rb.Toward()
            | rb.Around()
            | rb.Spaces()
            | rb.Sides()
            | rb.Players()
            | rb.Clockwise()
            | rb.Neighbour()
            | rb.Members()
            | rb.SpaceEmpty()
            | rb.IsPiece()
            | rb.IsKind()
            | rb.Unary()
            | rb.IsEmpty()
            | rb.Total()
            | rb.ScoreOf()
            | rb.RankOf()
            | rb.Bad()
        ):
            return node.type
        case _:
            assert_never(node)


def _binary(op: str, left: Type, right: Type, known: Type) -> Type | None:
    if op == "concat":
        first, second = element_of(left), element_of(right)
        element = None if first is None or second is None else join(first, second)
        return None if element is None else ListT(element)
    if not isinstance(left, Int) or not isinstance(right, Int):
        return known
    match op:
        case "+":
            return intervals.add(left, right)
        case "-":
            return intervals.subtract(left, right)
        case "*":
            return intervals.multiply(left, right)
        case "/":
            return intervals.divide(left, right)
        case "mod":
            return intervals.modulo(left, right)
        case _:
            return known


def _list(items: tuple[tuple[int, rb.Expr], ...], known: Type) -> Type | None:
    """It holds what it was made for, and its items."""
    if not isinstance(known, SetT | ListT):
        return known
    element: Type | None = known.element
    for _, item in items:
        element = None if element is None else join(element, item.type)
    if element is None:
        return None
    return SetT(element) if isinstance(known, SetT) else ListT(element)


def _fold(globals_: Globals, node: rb.Fold) -> Type:
    how_many = length(globals_, node.source)
    if node.where is not None:
        how_many = Int(0, how_many.high)
    each = node.slot.type if node.body is None else node.body.type
    match node.op:
        case "count":
            return how_many
        case "sum":
            return intervals.repeated(bounds_of(each), how_many.low, how_many.high)
        case "most" | "least":
            numbers = bounds_of(each)
            return numbers if how_many.low > 0 else intervals.hull(numbers, Int(0, 0))
        case "each":
            # Of a list it is a set only where a loop in chosen order makes one option of equal elements.
            is_set = node.body is None and (isinstance(node.source.type, SetT) or isinstance(node.type, SetT))
            return SetT(each) if is_set else ListT(each)
        case _:
            return node.type


def _attribute(globals_: Globals, name: str, of: Type) -> Type | None:
    match of:
        case SpaceT():
            return _joined(type_ for _, type_ in globals_.attribute_types(name))
        case KindT(declared) | EnumT(declared):
            found = globals_.types.get(declared)
            return None if found is None else dict(found.attributes).get(name)
        case _:
            return None


def _joined(types: Iterable[Type]) -> Type | None:
    found: Type | None = None
    for type_ in types:
        found = type_ if found is None else join(found, type_)
        if found is None:
            return None
    return found


def _height(globals_: Globals) -> Int:
    if globals_.board is None:
        return Int(0, 0)
    return Int(0, max((hold.capacity for hold in globals_.board.holds), default=intervals.MANY))


def _turns(globals_: Globals, kind: Type) -> int:
    piece = globals_.types.get(kind.piece) if isinstance(kind, KindT) else None
    return max((k.turns for k in piece.kinds), default=1) if isinstance(piece, rb.PieceType) else 4
