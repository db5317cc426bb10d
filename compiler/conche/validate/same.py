"""When two expressions are the same text, and what a condition says piece by piece.

Input: typed expressions. Output: plain comparisons.
Invariants: `same` ignores spans and types; equal text means equal value only while nothing it reads is
written.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass

from conche.semantics.rulebook import Binary, Expr, Unary


def same(a: object, b: object) -> bool:
    """Whether two expressions are equal but for their spans."""
    stack = [(a, b)]
    while stack:
        left, right = stack.pop()
        if type(left) is not type(right):
            return False
        if isinstance(left, tuple) and isinstance(right, tuple):
            if len(left) != len(right):
                return False
            stack += zip(left, right, strict=True)
        elif is_dataclass(left) and is_dataclass(right):
            names = [field.name for field in fields(left) if field.name not in ("span", "type")]
            stack += [(getattr(left, name), getattr(right, name)) for name in names]
        elif left != right:
            return False
    return True


def conjuncts(condition: Expr | None, holds: bool = True) -> list[tuple[Expr, bool]]:
    """What is known when a condition holds (or does not): parts, each with whether it holds. `not` is taken
    off."""
    found: list[tuple[Expr, bool]] = []
    stack = [] if condition is None else [(condition, holds)]
    while stack:
        part, value = stack.pop()
        match part:
            case Unary(op="not"):
                stack.append((part.operand, not value))
            case Binary(op="and") if value:
                stack += [(part.right, True), (part.left, True)]
            case Binary(op="or") if not value:
                stack += [(part.right, False), (part.left, False)]
            case _:
                found.append((part, value))
    return found
