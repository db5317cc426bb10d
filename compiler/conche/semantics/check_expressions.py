"""Expressions: the AST's become typed ones.

Purpose: types every part of an expression and hands it to the pass that knows its sort.
Input: an expression of the AST, and the type that its place wants, as far as known. Output: a typed
expression.
Invariants: never fails; a mistake is reported once and becomes `Bad`, whose type agrees with everything.
`expected` only helps a literal to know what it is: whether the type is right is for the caller to demand
(`conform`).
"""

from __future__ import annotations

from typing import assert_never

from conche.semantics import rulebook as rb
from conche.semantics.check_calls import expected_arguments, type_call
from conche.semantics.check_names import (
    foreign_value,
    resolve_attribute,
    resolve_entry,
    resolve_index,
    resolve_name,
)
from conche.semantics.check_operators import (
    in_reach,
    type_binary,
    type_conditional,
    type_empty,
    type_list,
    type_unary,
)
from conche.semantics.check_patterns import type_is_a, type_is_option, type_is_pattern
from conche.semantics.check_types import is_simple
from conche.semantics.check_values import (
    as_value,
    bad,
    collection,
    conform,
    element_of,
    flag,
    is_bad,
    number,
)
from conche.semantics.symbols import SCENARIO_FUNCTIONS, Body
from conche.semantics.type_of import UNTYPED, typed
from conche.semantics.types import (
    EnumT,
    ErrorT,
    Flag,
    Int,
    KindT,
    ListT,
    Maybe,
    SetT,
    SpaceT,
    TextT,
    Type,
)
from conche.semantics.words import describe
from conche.syntax import ast

MOST_OF_A_KIND = 10_000
"""How often a list can name the same value: it is written out one by one."""


def type_value(body: Body, node: ast.Expr, target: Type, role: str) -> rb.Expr:
    """An expression that must be of the type `target`."""
    return conform(body, type_expression(body, node, target), target, role)


def type_flag(body: Body, node: ast.Expr, role: str) -> rb.Expr:
    return flag(body, type_expression(body, node, Flag()), role)


def type_number(body: Body, node: ast.Expr, role: str) -> rb.Expr:
    return number(body, type_expression(body, node), role)


def type_expression(body: Body, node: ast.Expr, expected: Type | None = None) -> rb.Expr:
    """An expression of whatever type; a zone too."""
    match node:
        case ast.IntLit(value, span):
            return in_reach(body, rb.Lit(value, Int(value, value), span))
        case ast.FlagLit(value, span):
            return rb.Lit(value, Flag(), span)
        case ast.StringLit(text, span):
            return rb.Lit(text, TextT(), span)
        case ast.NoneLit(span):
            type_ = expected if isinstance(expected, Maybe) else Maybe(expected or ErrorT())
            return rb.Lit(None, type_, span)
        case ast.NameRef():
            return resolve_name(body, node)
        case ast.TypeRef():
            return _members(body, node)
        case ast.Attr(value_node):
            return resolve_attribute(body, type_expression(body, value_node), node)
        case ast.Index():
            return _index(body, node)
        case ast.Call():
            return _call(body, node)
        case ast.TupleLit():
            return _tuple(body, node)
        case ast.Item():
            body.context.report(
                "C0204",
                "a number of pieces stands in a list of pieces alone",
                node.span,
                help=("write `2 * x` for a product",),
            )
            return bad(node.span)
        case ast.ListLit():
            return _list(body, node, expected)
        case ast.RangeLit():
            return _range(body, node)
        case ast.Unary(_, operand):
            return type_unary(body, node, type_expression(body, operand))
        case ast.Binary():
            return _binary(body, node)
        case ast.IsEmpty(value_node):
            return type_empty(body, node, type_expression(body, value_node))
        case ast.IsPattern():
            option = _option(body, node.value)
            if option is not None:
                return type_is_option(body, node, option)
            return type_is_pattern(body, node, type_expression(body, node.value))
        case ast.IsA(value_node):
            return type_is_a(body, node, type_expression(body, value_node))
        case ast.IfExpr():
            condition = type_expression(body, node.condition, Flag())
            then = type_expression(body, node.then, expected)
            otherwise = type_expression(body, node.otherwise, expected or then.type)
            return type_conditional(body, node, condition, then, otherwise)
        case ast.Fold():
            return _fold(body, node)
        case _:
            assert_never(node)


def _option(body: Body, node: ast.Expr) -> rb.Option | None:
    if not isinstance(node, ast.NameRef) or body.find(node.name):
        return None
    symbol = body.globals.values.get(node.name)
    return symbol if isinstance(symbol, rb.Option) else None


def _members(body: Body, node: ast.TypeRef) -> rb.Expr:
    """All members of an enum, all kinds of a piece type."""
    declared = body.globals.types.get(node.name)
    if declared is None and foreign_value(body, node.name, node.span):
        return bad(node.span)
    if declared is None:
        body.context.unknown(
            "enum or piece type", ast.Name(node.name, node.span), body.globals.types, space="type"
        )
        return bad(node.span)
    element = EnumT(node.name) if isinstance(declared, rb.Enum) else KindT(node.name)
    return rb.Members(node.name, SetT(element), node.span)


def _index(body: Body, node: ast.Index) -> rb.Expr:
    if isinstance(node.value, ast.NameRef) and not body.find(node.value.name):
        table = body.globals.values.get(node.value.name)
        if isinstance(table, rb.Table):
            return resolve_entry(body, node, table, type_expression(body, node.index))
    value = type_expression(body, node.value)
    return resolve_index(body, node, value, type_expression(body, node.index, element_of(value.type)))


def _call(body: Body, node: ast.Call) -> rb.Expr:
    nodes = list(node.args)
    if body.role == "scenario" and node.name.text in SCENARIO_FUNCTIONS:
        nodes = nodes[:1] if node.name.text == "score" else nodes  # `score(p, name)`: a name, no value
    wanted = expected_arguments(body, node)
    args = [type_expression(body, arg, want) for arg, want in zip(nodes, wanted, strict=False)]
    return type_call(body, node, args)


def _tuple(body: Body, node: ast.TupleLit) -> rb.Expr:
    items = [type_expression(body, item) for item in node.items]
    board = body.globals.board
    if any(is_bad(item) for item in items):
        return bad(node.span)
    if len(items) != 2:
        body.context.report("C0206", f"a space has two numbers, x and y, not {len(items)}", node.span)
        return bad(node.span)
    if board is None:
        body.context.no_board("a space", node.span)
        return bad(node.span)
    values: list[int] = []
    for item in items:
        if not isinstance(item, rb.Lit) or not isinstance(item.value, int) or isinstance(item.value, bool):
            body.context.report(
                "C0209",
                "a space is written with two numbers",
                item.span,
                "expected a number that is written out",
                help=(
                    "of all spaces, those that are meant are `each(s in spaces where s.x = … and s.y = …)`",
                ),
            )
            return bad(node.span)
        values.append(item.value)
    half = board.across // 2
    if not all(-half <= value < half for value in values):
        body.context.report(
            "C0205",
            f"the spaces of '{board.name}' run from {-half} to {half - 1} both ways",
            node.span,
            also=((board.span, "declared here"),),
            help=(_wider(max(max(-value, value + 1) for value in values)),),
            missing=f"spaces of {board.name}",
        )
        return bad(node.span)
    return rb.Lit((values[0], values[1]), SpaceT(board.name), node.span)


def _wider(reach: int) -> str:
    """How wide a board is that goes on to a space so many columns or rows from the middle."""
    return f"`at most {2 * reach} across` has room for it: half of them lie on either side of (0, 0)"


def _list(body: Body, node: ast.ListLit, expected: Type | None) -> rb.Expr:
    element = expected.element if isinstance(expected, SetT | ListT) else None
    items: list[tuple[int, rb.Expr]] = []
    for item in node.items:
        if isinstance(item, ast.Item):
            count = 1 if item.count is None else constant_count(body, item.count)
            items.append((count, type_expression(body, item.value, element)))
        else:
            items.append((1, type_expression(body, item, element)))
    return type_list(body, node, items, expected)


def constant_count(body: Body, node: ast.Expr) -> int:
    """How many of a kind a list names."""
    count = as_value(body, type_expression(body, node))
    if not is_bad(count) and not isinstance(count.type, Int):
        body.context.report(
            "C0204",
            f"how many there are is a number, and this is {describe(count.type)}",
            node.span,
            "expected a number",
            help=("if it is a thing of its own, write a comma behind it",),
        )
        return 1
    if isinstance(count, rb.Lit) and isinstance(count.value, int):
        if 1 <= count.value <= MOST_OF_A_KIND:
            return count.value
        body.context.report(
            "C0205", f"a list names 1 to {MOST_OF_A_KIND} of a kind, not {count.value}", node.span
        )
    elif not is_bad(count):
        body.context.report("C0209", "how many there are is written as a number here", node.span)
    return 1


def _range(body: Body, node: ast.RangeLit) -> rb.Expr:
    low = type_number(body, node.low, "the beginning of a range")
    high = type_number(body, node.high, "the end of a range")
    if is_bad(low) or is_bad(high):
        return bad(node.span)
    return typed(body.globals, rb.Range(low, high, UNTYPED, node.span))


def _binary(body: Body, node: ast.Binary) -> rb.Expr:
    """Chains such as `a + b + c` lean to the left; they are walked, not descended into."""
    chain = [node]
    while isinstance(chain[-1].left, ast.Binary):
        chain.append(chain[-1].left)
    left = type_expression(body, chain[-1].left)
    for link in reversed(chain):
        left = type_binary(body, link, left, _right(body, link, left))
    return left


def _right(body: Body, node: ast.Binary, left: rb.Expr) -> rb.Expr:
    match node.op:
        case "in" | "not in":
            wanted: Type | None = ListT(left.type)
        case "=" | "!=":
            wanted = left.type
        case "+" if isinstance(left.type, SetT | ListT):
            wanted = ListT(left.type.element)
        case _:
            wanted = None
    return type_expression(body, node.right, wanted)


def _fold(body: Body, node: ast.Fold) -> rb.Expr:
    op, span = node.op, node.span
    source, element = collection(body, type_expression(body, node.source), f"what '{op}' goes through")
    with body.scope():
        slot = body.introduce(node.var, element)
        where = None if node.where is None else type_flag(body, node.where, f"the condition of '{op}'")
        value = None if node.body is None else as_value(body, type_expression(body, node.body))
        if op in ("sum", "most", "least") and value is not None:
            value = number(body, value, f"what '{op}' is taken of")
        elif op == "all" and value is not None:
            value = flag(body, value, "what holds for 'all'")
    if is_bad(source) or (where is not None and is_bad(where)) or (value is not None and is_bad(value)):
        return bad(span)
    if op == "each" and value is not None and (not is_simple(value.type) or isinstance(value.type, TextT)):
        body.context.report(
            "C0204", f"'each' makes a list of single values, not of {describe(value.type)}", value.span
        )
        return bad(span)
    known: Type = Flag() if op in ("any", "all") else UNTYPED
    return in_reach(body, typed(body.globals, rb.Fold(op, value, slot, source, where, known, span)))
