"""What is wanted of an expression, and what is known of it.

Purpose: the demands that every pass makes on a typed expression: a value, of a type, a collection, a
constant.
Input: typed expressions. Output: the same ones, or `Bad` after a finding.
Invariants: a `Bad` expression is passed on in silence.
"""

from __future__ import annotations

from conche.semantics import intervals
from conche.semantics import rulebook as rb
from conche.semantics.check_types import fits
from conche.semantics.symbols import Body, Globals
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
    SetT,
    SideT,
    SpaceT,
    Type,
)
from conche.semantics.words import describe
from conche.semantics.wrong_sort import hint_for
from conche.source import Span


def bad(span: Span) -> rb.Bad:
    return rb.Bad(ErrorT(), span)


def is_bad(expr: rb.Expr) -> bool:
    return isinstance(expr.type, ErrorT)


def as_value(body: Body, expr: rb.Expr) -> rb.Expr:
    """Not a zone: a zone is no value."""
    if isinstance(expr, rb.ZoneRef) and not is_bad(expr):
        body.context.report(
            "C0208",
            f"'{expr.name}' holds pieces; it is no value itself",
            expr.span,
            help=(f"ask `count({expr.name})`, `kinds({expr.name})` or `{expr.name} is empty`",),
        )
        return bad(expr.span)
    return expr


def conform(body: Body, expr: rb.Expr, target: Type, role: str) -> rb.Expr:
    """A value of the type `target`; `role` names what it is for, as in `the amount`."""
    expr = as_value(body, expr)
    match fits(expr.type, target):
        case "yes":
            return expr
        case "never":
            body.context.report(
                "C0205",
                f"{role} is {describe(target, bounds=True)}, and this is {describe(expr.type, bounds=True)}",
                expr.span,
                f"expected {describe(target, bounds=True)}",
            )
        case "no":
            notes: tuple[str, ...] = ()
            if isinstance(expr.type, Maybe) and fits(expr.type.element, target) == "yes":
                notes = ("what may be nothing can only be compared, stored and passed on",)
            body.context.report(
                "C0204",
                f"{role} is {describe(target)}, and this is {_found(expr)}",
                expr.span,
                f"expected {describe(target)}",
                notes=notes,
                help=(hint_for(target, expr.type),),
            )
    return bad(expr.span)


def _found(expr: rb.Expr) -> str:
    nothing = isinstance(expr, rb.Lit) and expr.value is None
    return "nothing" if nothing else describe(expr.type)


def any_number() -> Int:
    return Int(-intervals.LARGEST, intervals.LARGEST)


def number(body: Body, expr: rb.Expr, role: str) -> rb.Expr:
    return conform(body, expr, any_number(), role)


def flag(body: Body, expr: rb.Expr, role: str) -> rb.Expr:
    return conform(body, expr, Flag(), role)


def element_of(type_: Type) -> Type | None:
    """What a collection holds; None when it is none."""
    match type_:
        case SetT(element) | ListT(element):
            return element
        case ErrorT():
            return type_
        case _:
            return None


def collection(body: Body, expr: rb.Expr, role: str, hint: str | None = None) -> tuple[rb.Expr, Type]:
    """A collection or zone, and the type of what it holds. `hint`: what helps where it is a number."""
    element = element_of(expr.type)
    if element is None:
        body.context.report(
            "C0204",
            f"{role} is a set, a list or a zone, and this is {describe(expr.type)}",
            expr.span,
            "expected a set, a list or a zone",
            help=(hint if isinstance(expr.type, Int) and hint else hint_for(SetT(ErrorT()), expr.type),),
        )
        return bad(expr.span), ErrorT()
    return expr, element


def bounds_of(type_: Type) -> Int:
    """The range of a number's type; of what was reported already, anything."""
    return type_ if isinstance(type_, Int) else Int(0, 0)


def how_many(globals_: Globals, type_: Type) -> int:
    """How many different values a type has at most."""
    across = globals_.board.across if globals_.board else 1
    match type_:
        case Flag():
            return 2
        case Int(low, high):
            return min(high - low + 1, intervals.MANY)
        case EnumT(name):
            declared = globals_.types.get(name)
            return len(declared.members) if isinstance(declared, rb.Enum) else intervals.MANY
        case KindT(name):
            declared = globals_.types.get(name)
            return len(declared.kinds) if isinstance(declared, rb.PieceType) else intervals.MANY
        case PlayerT():
            return globals_.players[1]
        case SideT():
            return 4
        case SpaceT():
            return across * across
        case EdgeT():
            return 4 * across * across
        case Maybe(element):
            return how_many(globals_, element) + 1
        case _:
            return intervals.MANY


def length(globals_: Globals, expr: rb.Expr) -> Int:
    """How many elements a collection or zone can have."""
    most = intervals.MANY
    if isinstance(expr.type, SetT):
        most = min(most, how_many(globals_, expr.type.element))
    match expr:
        case rb.Players() | rb.Clockwise():
            low, high = globals_.players
            return Int(0 if globals_.eliminates else low, high)
        case rb.Sorted(_, source):
            return length(globals_, source)
        case rb.Around() | rb.Sides():
            return Int(4, 4)
        case rb.Members():
            return Int(most, most)
        case rb.Turns():
            return Int(1, min(most, 4))
        case rb.Range(low, high):
            a, b = bounds_of(low.type), bounds_of(high.type)
            return Int(max(0, b.low - a.high + 1), max(0, min(most, b.high - a.low + 1)))
        case rb.ListOf(items):
            total = sum(count for count, _ in items)
            return Int(1 if items and isinstance(expr.type, SetT) else total, total)
        case rb.ZoneRef(name):
            zone = zone_named(globals_, name)
            return Int(0, zone.capacity if zone and zone.capacity is not None else intervals.MANY)
        case rb.Binary("concat", left, right):
            return intervals.add(length(globals_, left), length(globals_, right))
        case rb.Fold("each", _, _, source, where):
            inner = length(globals_, source)
            return Int(0 if where is not None else inner.low, min(most, inner.high))
        case _:
            return Int(0, most)


def zone_named(globals_: Globals, name: str) -> rb.Zone | None:
    found = globals_.values.get(name)
    if not isinstance(found, rb.Zone):
        found = globals_.player.get(name) or globals_.carried.get(name)
    return found if isinstance(found, rb.Zone) else None


def is_constant(expr: rb.Expr) -> bool:
    """Whether the value is written out: a literal, an edge or a list of literals."""
    match expr:
        case rb.Lit() | rb.Bad():
            return True
        case rb.MakeEdge(space, side):
            return is_constant(space) and is_constant(side)
        case rb.ListOf(items):
            return all(is_constant(item) for _, item in items)
        case _:
            return False
