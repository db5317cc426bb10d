"""Operators and comparisons.

Purpose: types `-` `not` `+` … `or`, `in`, `if … then … else` and `is empty`, with the range of every number.
Input: nodes of the AST and their typed operands. Output: typed expressions.
Invariants: a number that could grow beyond 2^53 is refused, so that every target can count with machine
numbers.
"""

from __future__ import annotations

from conche.semantics import intervals
from conche.semantics import rulebook as rb
from conche.semantics.check_types import comparable, fits, join
from conche.semantics.check_values import as_value, bad, collection, flag, is_bad, number
from conche.semantics.symbols import Body
from conche.semantics.type_of import UNTYPED, typed
from conche.semantics.types import EnumT, ErrorT, Flag, Int, KindT, ListT, Maybe, SetT, SpaceT, Type
from conche.semantics.words import describe
from conche.source import Span
from conche.syntax import ast


def negated(expr: rb.Expr, span: Span) -> rb.Expr:
    return bad(span) if is_bad(expr) else rb.Unary("not", expr, Flag(), span)


def type_unary(body: Body, node: ast.Unary, operand: rb.Expr) -> rb.Expr:
    if node.op == "not":
        return negated(flag(body, operand, "what 'not' turns round"), node.span)
    operand = number(body, operand, "what '-' stands before")
    match operand:
        case rb.Lit(int() as value):
            return rb.Lit(-value, Int(-value, -value), node.span)
        case rb.Bad():
            return bad(node.span)
        case _:
            return typed(body.globals, rb.Unary("-", operand, UNTYPED, node.span))


def type_binary(body: Body, node: ast.Binary, left: rb.Expr, right: rb.Expr) -> rb.Expr:
    op, span = node.op, node.span
    match op:
        case "and" | "or" if _wrong_operator(body, node, left, right, Int):
            return bad(span)
        case "+" | "-" | "*" | "/" | "mod" if _wrong_operator(body, node, left, right, Flag):
            return bad(span)
        case "and" | "or":
            left, right = (flag(body, side, f"each side of '{op}'") for side in (left, right))
            return _unless_bad(left, right, rb.Binary(op, left, right, Flag(), span))
        case "=" | "!=":
            return _equality(body, op, left, right, span)
        case "<" | ">" | "<=" | ">=":
            left, right = (number(body, side, f"each side of '{op}'") for side in (left, right))
            return _unless_bad(left, right, rb.Binary(op, left, right, Flag(), span))
        case "in":
            return _membership(body, left, right, span)
        case "not in":
            return negated(_membership(body, left, right, span), span)
        case "+" if isinstance(left.type, SetT | ListT) or isinstance(right.type, SetT | ListT):
            return _concat(body, left, right, span)
        case _:
            left, right = (number(body, side, f"each side of '{op}'") for side in (left, right))
            return _arithmetic(body, op, left, right, span)


def _wrong_operator(
    body: Body, node: ast.Binary, left: rb.Expr, right: rb.Expr, found: type[Int] | type[Flag]
) -> bool:
    """Whether both sides are of the other sort, so that the operator is what is wrong: said once."""
    if not isinstance(right.type, found):
        return False
    if is_bad(left):
        # A chain such as `a + b + c`: what is wrong with it is said of its first two parts.
        return isinstance(node.left, ast.Binary) and node.left.op == node.op
    if not isinstance(left.type, found):
        return False
    if found is Flag:
        title = f"'{node.op}' is of numbers, and these are conditions"
        hint = "conditions are joined by `and` or `or`"
    else:
        title = f"'{node.op}' joins conditions, and these are numbers"
        hint = "compare them, as in `a > 0 and b > 0`"
        if body.role == "rank":
            hint = "what players are ranked by is told one after another, with commas between"
    sides = ((left.span, describe(left.type)), (right.span, describe(right.type)))
    body.context.report("C0204", title, node.span, also=sides, help=(hint,))
    return True


def _unless_bad(left: rb.Expr, right: rb.Expr, result: rb.Expr) -> rb.Expr:
    return bad(result.span) if is_bad(left) or is_bad(right) else result


def _arithmetic(body: Body, op: str, left: rb.Expr, right: rb.Expr, span: Span) -> rb.Expr:
    if is_bad(left) or is_bad(right):
        return bad(span)
    result = typed(body.globals, rb.Binary(op, left, right, UNTYPED, span))
    if result.type is UNTYPED:
        body.context.report("C0205", "this divides by 0", right.span)
        return bad(span)
    return in_reach(body, result)


def in_reach(body: Body, expr: rb.Expr) -> rb.Expr:
    """Refuses a number that could grow beyond 2^53."""
    if isinstance(expr.type, Int) and intervals.too_large(expr.type):
        body.context.report(
            "C0232",
            "this number can grow beyond 2^53",
            expr.span,
            help=("narrow the range of what it is made of, or cut it with `min` and `max`",),
        )
        return bad(expr.span)
    return expr


def _equality(body: Body, op: str, left: rb.Expr, right: rb.Expr, span: Span) -> rb.Expr:
    zone = body.role == "scenario" and isinstance(left, rb.ZoneRef) and isinstance(right, rb.ListOf)
    if body.role == "scenario" and isinstance(left, rb.ZoneRef) and isinstance(right.type, KindT | EnumT):
        body.context.report(
            "C0208",
            f"'{left.name}' holds any number of pieces; it is compared with a list of them",
            span,
            help=("write all that it holds in square brackets, such as `= [a, 2 b]`, or `= []`",),
        )
        return bad(span)
    if not zone:
        left, right = as_value(body, left), as_value(body, right)
    if is_bad(left) or is_bad(right):
        return bad(span)
    if not comparable(left.type, right.type):
        hint = None
        if isinstance(left.type, SpaceT):
            hint = "what lies on a space is asked with `is`: `s is market`, `s is a Worker`"
        elif isinstance(left.type, Maybe) and isinstance(right, rb.Lit):
            hint = "`… = nothing` asks whether there is none"
        body.context.report(
            "C0204",
            f"{describe(left.type)} is never {describe(right.type)}",
            span,
            also=((left.span, describe(left.type)), (right.span, describe(right.type))),
            help=(hint,),
        )
        return bad(span)
    return rb.Binary(op, left, right, Flag(), span)


def _membership(body: Body, left: rb.Expr, right: rb.Expr, span: Span) -> rb.Expr:
    left = as_value(body, left)
    right, element = collection(body, right, "what stands behind 'in'")
    if is_bad(left) or is_bad(right):
        return bad(span)
    if not comparable(left.type, element):
        body.context.report(
            "C0204",
            f"{describe(left.type)} is never in {describe(right.type)}",
            span,
            also=((left.span, describe(left.type)), (right.span, describe(right.type))),
        )
        return bad(span)
    return rb.Binary("in", left, right, Flag(), span)


def _concat(body: Body, left: rb.Expr, right: rb.Expr, span: Span) -> rb.Expr:
    left, _ = collection(body, as_value(body, left), "each side of '+'")
    right, _ = collection(body, as_value(body, right), "each side of '+'")
    if is_bad(left) or is_bad(right):
        return bad(span)
    result = typed(body.globals, rb.Binary("concat", left, right, UNTYPED, span))
    if result.type is UNTYPED:
        body.context.report("C0204", f"{describe(left.type)} and {describe(right.type)} make no list", span)
        return bad(span)
    return result


def type_empty(body: Body, node: ast.IsEmpty, value: rb.Expr) -> rb.Expr:
    """`x is empty`"""
    if isinstance(value.type, SpaceT):
        result: rb.Expr = rb.SpaceEmpty(value, Flag(), node.span)
    else:
        value, _ = collection(body, value, "what can be empty beside a space")
        if is_bad(value):
            return bad(node.span)
        result = rb.IsEmpty(value, Flag(), node.span)
    return negated(result, node.span) if node.negated else result


def type_conditional(
    body: Body, node: ast.IfExpr, condition: rb.Expr, then: rb.Expr, otherwise: rb.Expr
) -> rb.Expr:
    """`if c then a else b`"""
    condition = flag(body, condition, "the condition of 'if'")
    then, otherwise = as_value(body, then), as_value(body, otherwise)
    if is_bad(condition) or is_bad(then) or is_bad(otherwise):
        return bad(node.span)
    both = common_type(body, [then, otherwise], "the two values of 'if'")
    if isinstance(both, ErrorT):
        return bad(node.span)
    return rb.Cond(condition, then, otherwise, both, node.span)


def common_type(body: Body, values: list[rb.Expr], what: str) -> Type:
    """The type of one of several values."""
    found: Type = ErrorT()
    for value in values:
        both = join(found, value.type)
        if both is None:
            body.context.report(
                "C0204",
                f"{what} are of one sort, and these are {describe(found)} and {describe(value.type)}",
                value.span,
                also=((values[0].span, describe(values[0].type)),),
            )
            return ErrorT()
        found = both
    return found


def type_list(
    body: Body, node: ast.ListLit, items: list[tuple[int, rb.Expr]], expected: Type | None
) -> rb.Expr:
    """`[a, b]`: a set where a set is wanted."""
    values = [as_value(body, value) for _, value in items]
    if any(is_bad(value) for value in values):
        return bad(node.span)
    if not values:
        if not isinstance(expected, SetT | ListT):
            if not isinstance(expected, ErrorT):
                body.context.report(
                    "C0204",
                    "nothing says what this empty list holds",
                    node.span,
                    help=("begin with a list that has items, or use a variable with a type",),
                )
            return bad(node.span)
        return rb.ListOf((), expected, node.span)
    element = common_type(body, values, "the items of a list")
    if isinstance(element, ErrorT):
        return bad(node.span)
    if isinstance(expected, SetT | ListT) and fits(element, expected.element) == "yes":
        element = expected.element
    counts = [count for count, _ in items]
    if isinstance(expected, SetT):
        seen: list[object] = []
        for count, value in zip(counts, values, strict=True):
            key = value.value if isinstance(value, rb.Lit) else None
            if count > 1 or (key is not None and key in seen):
                body.context.report("C0205", "a set holds each value once", value.span)
                return bad(node.span)
            seen.append(key)
        result: Type = SetT(element)
    else:
        result = ListT(element)
    return rb.ListOf(tuple(zip(counts, values, strict=True)), result, node.span)
