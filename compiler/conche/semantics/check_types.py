"""Types as they are written, and which value fits which type.

Purpose: resolves type expressions; says whether a value of one type can stand where another is wanted.
Input: type expressions of the AST; types. Output: types.
Invariants: a mistake is reported once and gives `ErrorT`, which fits everything.
"""

from __future__ import annotations

from typing import Literal, assert_never

from conche.semantics import intervals
from conche.semantics import rulebook as rb
from conche.semantics.symbols import BUILTIN_TYPES, Context
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
from conche.source import Span
from conche.syntax import ast
from conche.syntax.explain.words import FOREIGN_TYPES

Fit = Literal["yes", "no", "never"]
"""never: the right sort of value, but none that lies in the range."""


def resolve_type(context: Context, node: ast.TypeExpr) -> Type:
    """The type that a type expression names."""
    match node:
        case ast.NamedType(name):
            return _named(context, name)
        case ast.RangeType(low, high):
            return _range(context, low, high, node.span)
        case ast.CollectionType(kind, element):
            inner = _element(context, element, f"a {kind}")
            if isinstance(inner, ErrorT):
                return inner
            return SetT(inner) if kind == "set" else ListT(inner)
        case ast.RingType():
            context.report(
                "C0204",
                "only an attribute of a piece can be a ring",
                node.span,
                help=("declare it in the head of a piece type, or use `list of`",),
            )
            return ErrorT()
        case ast.MaybeType(element):
            inner = _element(context, element, "a `maybe`")
            return inner if isinstance(inner, ErrorT) else Maybe(inner)
        case _:
            assert_never(node)


def resolve_attribute_type(context: Context, node: ast.TypeExpr) -> Type:
    """The type of an attribute of a piece: a number, a flag, a member, a kind, or a ring of numbers."""
    if isinstance(node, ast.RingType):
        inner = resolve_type(context, node.element)
        if isinstance(inner, ErrorT):
            return inner
        if node.length != 4:
            context.report(
                "C0205",
                f"a piece on a square grid has 4 sides, so its ring has 4 entries, not {node.length}",
                node.span,
                help=("write `ring of 4 of …`",),
            )
            return ErrorT()
        if not isinstance(inner, Int):
            context.report("C0204", "a ring holds numbers", node.element.span)
            return ErrorT()
        return RingT(node.length, inner)
    found = resolve_type(context, node)
    if not isinstance(found, Int | Flag | EnumT | KindT | ErrorT):
        context.report(
            "C0204",
            "an attribute of a piece is a number, a flag, a member, a kind or a ring of numbers",
            node.span,
        )
        return ErrorT()
    return found


def _element(context: Context, node: ast.TypeExpr, holder: str) -> Type:
    inner = resolve_type(context, node)
    if isinstance(inner, SetT | ListT | Maybe):
        context.report("C0204", f"{holder} holds single values, not lists or `maybe`", node.span)
        return ErrorT()
    return inner


def _named(context: Context, name: ast.Name) -> Type:
    globals_ = context.globals
    match name.text:
        case "flag":
            return Flag()
        case "Player":
            return PlayerT()
        case "Side":
            return SideT()
        case "Space" | "Edge":
            if globals_.board is None:
                context.no_board(f"'{name.text}'", name.span)
                return ErrorT()
            board = globals_.board.name
            return SpaceT(board) if name.text == "Space" else EdgeT(board)
    declared = globals_.types.get(name.text)
    if declared is None:
        meant = FOREIGN_TYPES.get(name.text.lower())
        if meant is not None and not context.excused(name.text, (), "type"):
            hint = {
                "number": "a number is written with its bounds, such as `0..99`",
                "flag": "what is yes or no has the type `flag`",
                "text": "texts are not stored: declare an `enum` of the values",
            }[meant]
            context.report("C0201", f"there is no type '{name.text}'", name.span, help=(hint,))
            return ErrorT()
        context.unknown("type", name, [*BUILTIN_TYPES, *globals_.types], space="type")
        return ErrorT()
    return EnumT(name.text) if isinstance(declared, rb.Enum) else KindT(name.text)


def _range(context: Context, low: ast.Expr, high: ast.Expr, span: Span) -> Type:
    bounds: list[int] = []
    for part in (low, high):
        value = constant_number(part)
        if value is None:
            context.report(
                "C0209",
                "the range of a type is written with numbers alone",
                part.span,
                help=("write the lowest and the highest number that it can be",),
            )
        elif abs(value) > intervals.LARGEST:
            context.report("C0232", "the range goes beyond 2^53", part.span)
        else:
            bounds.append(value)
    if len(bounds) < 2:
        return ErrorT()
    if bounds[0] > bounds[1]:
        context.report(
            "C0230",
            f"no number lies in {bounds[0]}..{bounds[1]}",
            span,
            help=(f"the lower one comes first: `{bounds[1]}..{bounds[0]}`",),
        )
        return ErrorT()
    return Int(bounds[0], bounds[1])


def constant_number(node: ast.Expr) -> int | None:
    """The number that an expression of numbers alone stands for."""
    match node:
        case ast.IntLit(value):
            return value
        case ast.Unary("-", operand):
            value_ = constant_number(operand)
            return None if value_ is None else -value_
        case ast.Binary(op, left, right) if op in ("+", "-", "*", "/", "mod"):
            a, b = constant_number(left), constant_number(right)
            if a is None or b is None or abs(a) > intervals.LARGEST or abs(b) > intervals.LARGEST:
                return None
            match op:
                case "+":
                    return a + b
                case "-":
                    return a - b
                case "*":
                    return a * b
                case "/":
                    return a // b if b else None
                case _:
                    return a % b if b else None
        case _:
            return None


def fits(value: Type, target: Type) -> Fit:
    """Whether a value of one type can stand where the other is wanted (a number: if it can lie in the
    range)."""
    match value, target:
        case (ErrorT(), _) | (_, ErrorT()):
            return "yes"
        case Int(), Int():
            return "never" if intervals.disjoint(value, target) else "yes"
        case Maybe(inner), Maybe(outer):
            return fits(inner, outer)
        case _, Maybe(outer):
            return fits(value, outer)
        case (SetT(inner), SetT(outer)) | (SetT(inner), ListT(outer)) | (ListT(inner), ListT(outer)):
            return fits(inner, outer)
        case _:
            return "yes" if value == target else "no"


def join(a: Type, b: Type) -> Type | None:
    """The type of what is one or the other; None when they have nothing in common."""
    match a, b:
        case (ErrorT(), _):
            return b
        case (_, ErrorT()):
            return a
        case Int(), Int():
            return intervals.hull(a, b)
        case (Maybe(x), Maybe(y)) | (Maybe(x), y) | (x, Maybe(y)):
            inner = join(x, y)
            return None if inner is None else Maybe(inner)
        case SetT(x), SetT(y):
            inner = join(x, y)
            return None if inner is None else SetT(inner)
        case ((SetT(x) | ListT(x)), (SetT(y) | ListT(y))):
            inner = join(x, y)
            return None if inner is None else ListT(inner)
        case _:
            return a if a == b else None


def comparable(a: Type, b: Type) -> bool:
    """Whether the two can be equal."""
    match a, b:
        case (Int(), Int()):
            return True
        case ((SetT(x) | ListT(x)), (SetT(y) | ListT(y))):
            return comparable(x, y)
        case _:
            return join(a, b) is not None


def is_simple(type_: Type) -> bool:
    """Whether it is a single value, not a list."""
    match type_:
        case (
            Flag() | Int() | EnumT() | KindT() | PlayerT() | SideT() | SpaceT() | EdgeT() | TextT() | ErrorT()
        ):
            return True
        case Maybe() | SetT() | ListT() | RingT():
            return False
        case _:
            assert_never(type_)
