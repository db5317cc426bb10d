"""Expressions and types: lark trees to AST nodes.

Input: a tree of the grammar's parts `expressions` and `type`. Output: `ast.Expr`, `ast.TypeExpr`.
Invariants: recursion is as deep as the tree, which `from_text` limits first; parentheses leave no node, but
count into the span of the operation around them.
"""

from __future__ import annotations

from typing import cast

from lark import Token, Tree

from conche.diagnostics import Diagnostic, Fix, Label, closest, diagnose, is_slip
from conche.syntax import ast
from conche.syntax.build.places import Node, Place, RefusedError, part, the, tokens

FOLDS_OVER = {"count", "any", "each"}
"""`count(x in S where c)`: what may stand before a source without a body."""

FOLDS_OF = {"sum", "most", "least", "all", "each"}
"""`sum(e for x in S where c)`: what may stand before a body."""


def expression(tree: Node, place: Place) -> ast.Expr:
    """The expression that a tree means."""
    span = place.span(tree)
    children = cast("list[Node]", tree.children)
    match tree.data:
        case "int":
            return ast.IntLit(int(_token(tree)), span)
        case "string":
            return place.string(_token(tree))
        case "type_ref":
            return ast.TypeRef(str(_token(tree)), span)
        case "yes" | "no":
            return ast.FlagLit(tree.data == "yes", span)
        case "nothing":
            return ast.NoneLit(span)
        case "name_ref":
            return ast.NameRef(place.new_name(_token(tree)).text, span)
        case "attr":
            return ast.Attr(expression(children[0], place), place.name(_token(tree)), span)
        case "index":
            return ast.Index(expression(children[0], place), expression(children[1], place), span)
        case "call":
            return ast.Call(
                place.name(_token(tree)), tuple(expression(child, place) for child in children[1:]), span
            )
        case "fold" | "fold_of":
            return _fold(tree, place)
        case "paren":
            return expression(children[0], place)
        case "tuple":
            return ast.TupleLit(tuple(expression(child, place) for child in children), span)
        case "list":
            return list_literal(tree, place)
        case "item":
            return item(tree, place)
        case "range":
            return ast.RangeLit(expression(children[0], place), expression(children[1], place), span)
        case "unary":
            return ast.Unary(str(_token(tree)), expression(children[1], place), span)
        case "binary":
            return ast.Binary(
                str(_token(tree)), expression(children[0], place), expression(children[2], place), span
            )
        case "is_in" | "is_not_in":
            op = "in" if tree.data == "is_in" else "not in"
            return ast.Binary(op, expression(children[0], place), expression(children[1], place), span)
        case "is_empty" | "is_not_empty":
            return ast.IsEmpty(expression(children[0], place), tree.data == "is_not_empty", span)
        case "is_a" | "is_not_a":
            return ast.IsA(
                expression(children[0], place), place.name(_token(tree)), tree.data == "is_not_a", span
            )
        case "is_pattern" | "is_not_pattern":
            negated = tree.data == "is_not_pattern"
            return ast.IsPattern(expression(children[0], place), _is_pattern(tree, place), negated, span)
        case "if_expr":
            condition, then, otherwise = (expression(child, place) for child in children)
            return ast.IfExpr(condition, then, otherwise, span)
        case other:
            raise AssertionError(f"no expression: {other}")


def list_literal(tree: Node, place: Place) -> ast.ListLit:
    """`[a, 2 b]`"""
    children = cast("list[Node]", tree.children)
    return ast.ListLit(tuple(expression(child, place) for child in children), place.span(tree))


def item(tree: Node, place: Place) -> ast.Item:
    """`3 water`"""
    count, value = cast("list[Node]", tree.children)
    return ast.Item(expression(count, place), expression(value, place), place.span(tree))


def pattern(tree: Node, place: Place) -> ast.Pattern:
    """`market(2)`"""
    args = part(tree, "args")
    return ast.Pattern(
        place.name(_token(tree)), None if args is None else arguments(args, place), place.span(tree)
    )


def arguments(tree: Node | None, place: Place) -> tuple[ast.Expr, ...]:
    """What stands between the parentheses of a call."""
    return (
        () if tree is None else tuple(expression(child, place) for child in cast("list[Node]", tree.children))
    )


def type_expression(tree: Node, place: Place) -> ast.TypeExpr:
    """The type that a tree means."""
    span = place.span(tree)
    children = cast("list[Node]", tree.children)
    match tree.data:
        case "named_type":
            return ast.NamedType(place.name(_token(tree)), span)
        case "range_type":
            return ast.RangeType(expression(children[0], place), expression(children[1], place), span)
        case "collection_type":
            return ast.CollectionType(str(_token(tree)), type_expression(children[1], place), span)
        case "ring_type":
            return ast.RingType(int(_token(tree)), type_expression(children[1], place), span)
        case "maybe_type":
            return ast.MaybeType(type_expression(children[0], place), span)
        case other:
            raise AssertionError(f"no type: {other}")


def parameters(tree: Node | None, place: Place) -> tuple[ast.Param, ...]:
    """`(p: Player, price: 2..4)`; none for no tree."""
    if tree is None:
        return ()
    return tuple(parameter(child, place) for child in tree.children if isinstance(child, Tree))


def parameter(tree: Node, place: Place) -> ast.Param:
    """`p: Player`"""
    name, kind = tree.children
    assert isinstance(name, Token)
    assert isinstance(kind, Tree)
    return ast.Param(place.new_name(name), type_expression(kind, place), place.span(tree))


def _token(tree: Node) -> Token:
    """The one token that the grammar keeps of a tree."""
    return next(tokens(tree))


def _fold(tree: Node, place: Place) -> ast.Fold:
    op, var = tokens(tree)
    exprs = [child for child in tree.children if isinstance(child, Tree) and child.data != "where"]
    with_body = tree.data == "fold_of"
    if op not in (FOLDS_OF if with_body else FOLDS_OVER):
        raise RefusedError(_wrong_fold(op, var, with_body, place))
    where = part(tree, "where")
    return ast.Fold(
        str(op),
        expression(exprs[0], place) if with_body else None,
        place.new_name(var),
        expression(exprs[-1], place),
        None if where is None else expression(cast("Node", where.children[0]), place),
        place.span(tree),
    )


def _wrong_fold(op: Token, var: Token, with_body: bool, place: Place) -> Diagnostic:
    right = sorted(FOLDS_OF if with_body else FOLDS_OVER)
    if op in FOLDS_OVER | FOLDS_OF:
        form = f"{op}({var} in … where …)" if op in FOLDS_OVER else f"{op}(… for {var} in …)"
        return diagnose(
            "C0124",
            f"`{op}` is written `{form}`",
            Label(
                place.span(op), "not with `for` and a value before it" if with_body else "no value to take"
            ),
            help=[f"the condition goes behind `where`: `{form}`"] if with_body else [],
        )
    near = closest(op, right, 1)
    span = place.span(op)
    return diagnose(
        "C0124",
        f"`{op}` is not one of {', '.join(f'`{word}`' for word in right)}",
        Label(span, f"did you mean `{near[0]}`?" if near else "cannot go through the members of a set"),
        fixes=[Fix(span, near[0], f"write `{near[0]}`", safe=is_slip(op, near[0]))] if near else [],
    )


def _is_pattern(tree: Node, place: Place) -> ast.Pattern:
    found = the(tree, "pattern")
    name = _token(found)
    if name in {"yes", "no", "nothing"}:
        sign = "!=" if tree.data == "is_not_pattern" else "="
        left, right = place.span(tree.children[0]), place.span(name)
        raise RefusedError(
            diagnose(
                "C0126",
                f"`{name}` is a value, and values are compared with `{sign}`",
                Label(right, f"expected `{sign} {name}`"),
                fixes=[
                    Fix(
                        place.source.span(left.end, right.end),
                        f" {sign} {name}",
                        f"write `{sign}` instead of `is`",
                    )
                ],
            )
        )
    return pattern(found, place)
