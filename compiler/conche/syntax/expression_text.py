"""Expressions and types as text, with the fewest parentheses that keep their meaning.

Input: `ast.Expr`, `ast.TypeExpr` and their parts. Output: text on one line.
Invariant: reading the text again gives the same nodes but for their spans.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from conche.syntax import ast

# How tightly each construct binds: an operand that binds less than its place wants gets parentheses.
IF, OR, AND, NOT, COMPARISON, RANGE, SUM, PRODUCT, MINUS, POSTFIX = range(10)

_BINARY = {
    "or": (OR, OR, AND),
    "and": (AND, AND, NOT),
    "+": (SUM, SUM, PRODUCT),
    "-": (SUM, SUM, PRODUCT),
    "*": (PRODUCT, PRODUCT, MINUS),
    "/": (PRODUCT, PRODUCT, MINUS),
    "mod": (PRODUCT, PRODUCT, MINUS),
}
"""Of an operator: its own level, and those of its operands. Comparisons are all alike."""


def levels_of(op: str) -> tuple[int, int, int]:
    """How tightly an operator binds, and what its operands want."""
    return _BINARY.get(op, (COMPARISON, RANGE, RANGE))


def expression_text(expr: ast.Expr, level: int = IF) -> str:
    """The text of an expression, in parentheses where it binds less tightly than `level`."""
    binds, text = _text(expr)
    return text if binds >= level else f"({text})"


def type_text(kind: ast.TypeExpr) -> str:
    """The text of a type."""
    match kind:
        case ast.NamedType():
            return kind.name.text
        case ast.RangeType():
            return f"{expression_text(kind.low, SUM)}..{expression_text(kind.high, SUM)}"
        case ast.CollectionType():
            return f"{kind.kind} of {type_text(kind.element)}"
        case ast.RingType():
            return f"ring of {kind.length} of {type_text(kind.element)}"
        case ast.MaybeType():
            return f"maybe {type_text(kind.element)}"
        case _:
            assert_never(kind)


def pattern_text(pattern: ast.Pattern) -> str:
    """The text of a pattern."""
    return (
        pattern.name.text
        if pattern.args is None
        else f"{pattern.name.text}({expressions_text(pattern.args)})"
    )


def item_text(item: ast.Item) -> str:
    """The text of a number of pieces."""
    value = expression_text(item.value, POSTFIX)
    return value if item.count is None else f"{expression_text(item.count, SUM)} {value}"


def expressions_text(exprs: Iterable[ast.Expr]) -> str:
    """Expressions with commas between them."""
    return ", ".join(expression_text(expr) for expr in exprs)


def params_text(params: tuple[ast.Param, ...]) -> str:
    """Parameters in their parentheses; nothing when there are none."""
    if not params:
        return ""
    return f"({', '.join(f'{param.name.text}: {type_text(param.type)}' for param in params)})"


def _text(expr: ast.Expr) -> tuple[int, str]:
    """How tightly an expression binds, and its text."""
    match expr:
        case ast.IntLit():
            # Below a postfix, so that no number runs into a `.`
            return MINUS, str(expr.value)
        case ast.FlagLit():
            return POSTFIX, "yes" if expr.value else "no"
        case ast.StringLit():
            return POSTFIX, f'"{expr.value}"'
        case ast.NoneLit():
            return POSTFIX, "nothing"
        case ast.NameRef() | ast.TypeRef():
            return POSTFIX, expr.name
        case ast.Attr():
            return POSTFIX, f"{expression_text(expr.value, POSTFIX)}.{expr.name.text}"
        case ast.Index():
            return POSTFIX, f"{expression_text(expr.value, POSTFIX)}[{expression_text(expr.index)}]"
        case ast.Call():
            return POSTFIX, f"{expr.name.text}({expressions_text(expr.args)})"
        case ast.TupleLit():
            return POSTFIX, f"({expressions_text(expr.items)})"
        case ast.ListLit():
            return POSTFIX, f"[{expressions_text(expr.items)}]"
        case ast.Item():
            return IF, item_text(expr)
        case ast.Fold():
            return POSTFIX, _fold_text(expr)
        case ast.RangeLit():
            return RANGE, f"{expression_text(expr.low, SUM)}..{expression_text(expr.high, SUM)}"
        case ast.Unary():
            return _unary_text(expr)
        case ast.Binary():
            return _binary_text(expr)
        case ast.IsEmpty() | ast.IsA() | ast.IsPattern():
            return COMPARISON, _is_text(expr)
        case ast.IfExpr():
            condition, then = expression_text(expr.condition), expression_text(expr.then)
            return IF, f"if {condition} then {then} else {expression_text(expr.otherwise)}"
        case _:
            assert_never(expr)


def _fold_text(fold: ast.Fold) -> str:
    body = "" if fold.body is None else f"{expression_text(fold.body)} for "
    where = "" if fold.where is None else f" where {expression_text(fold.where)}"
    return f"{fold.op}({body}{fold.var.text} in {expression_text(fold.source)}{where})"


def _unary_text(expr: ast.Unary) -> tuple[int, str]:
    if expr.op == "not":
        return NOT, f"not {expression_text(expr.operand, NOT)}"
    # Two minus signs side by side look like a comment of other languages.
    level = POSTFIX if isinstance(expr.operand, ast.Unary) else MINUS
    return MINUS, f"-{expression_text(expr.operand, level)}"


def _binary_text(expr: ast.Binary) -> tuple[int, str]:
    own, left, right = levels_of(expr.op)
    op = f"is {expr.op}" if expr.op in ("in", "not in") else expr.op
    return own, f"{expression_text(expr.left, left)} {op} {expression_text(expr.right, right)}"


def _is_text(expr: ast.IsEmpty | ast.IsA | ast.IsPattern) -> str:
    start = f"{expression_text(expr.value, RANGE)} is{' not' if expr.negated else ''}"
    match expr:
        case ast.IsEmpty():
            return f"{start} empty"
        case ast.IsA():
            return f"{start} a {expr.type_name.text}"
        case ast.IsPattern():
            return f"{start} {pattern_text(expr.pattern)}"
