"""The value of a query or score as `modify` changes it.

Input: its value, and the changes in their order. Output: the value with all of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from conche.modules.rebuild import rebuild, slots_in, substitute
from conche.semantics import rulebook as rb
from conche.semantics import typed_module as tm
from conche.semantics.types import Flag, Int, Type
from conche.semantics.walk import walk
from conche.source import Span

OPS = ("+", "-", "at least", "at most", "or", "and")
"""In this order changes count, whatever modules they are of."""


def chain(cases: tuple[rb.QueryCase, ...]) -> rb.Expr:
    """The value of a query as one expression."""
    result = cases[-1].value
    for case in reversed(cases[:-1]):
        if case.condition is not None:
            result = rb.Cond(case.condition, case.value, result, result.type, case.span)
    return result


def modified(
    place: str,
    params: tuple[rb.Slot, ...],
    known: object,
    value: rb.Expr,
    changes: Sequence[tm.Change],
    *,
    inline: bool = False,
) -> tuple[tuple[rb.Let, ...], rb.Expr]:
    """The value with all changes, in their order; a `let` for the original where it is needed twice."""
    numbers = [number for owner, number in slots_in(params, known) if owner == place]
    free = max(numbers, default=-1) + 1
    original = rb.Slot(place, free, "original", value.type)
    free += 1
    lets: list[rb.Let] = []
    result: rb.Expr = rb.Local(original, value.type, value.span)
    for change in changes:
        edit = change.edit
        assert isinstance(edit, tm.Modify)
        slots = {(own.owner, own.number): slot for own, slot in zip(edit.params, params, strict=True)}
        slots[edit.original.owner, edit.original.number] = original
        for key, slot in slots_in(edit.value, edit.condition).items():
            if key not in slots:
                slots[key] = rb.Slot(place, free, slot.name, slot.type)
                free += 1
        operand = substitute(edit.value, slots)
        condition = None if edit.condition is None else substitute(edit.condition, slots)
        twice = edit.op in ("at least", "at most") and condition is not None
        if twice and not inline and not isinstance(result, rb.Local):
            changed = rb.Slot(place, free, "changed", result.type)
            free += 1
            lets.append(rb.Let(changed, result, change.span, ()))
            result = rb.Local(changed, result.type, change.span)
        result = _apply(edit.op, result, operand, condition, change.span)
    everything = (tuple(lets), result)
    uses = sum(1 for node in walk(everything) if isinstance(node, rb.Local) and node.slot == original)
    if inline or uses <= 1:

        def put(node: object) -> object | None:
            return value if isinstance(node, rb.Local) and node.slot == original else None

        return rebuild(everything, put)
    return (rb.Let(original, value, value.span, ()), *lets), result


def _apply(op: str, before: rb.Expr, operand: rb.Expr, condition: rb.Expr | None, span: Span) -> rb.Expr:
    type_: Type = before.type
    match op:
        case "+" | "-":
            zero = rb.Lit(0, Int(0, 0), span)
            part = operand if condition is None else rb.Cond(condition, operand, zero, operand.type, span)
            return rb.Binary(op, before, part, type_, span)
        case "at least" | "at most":
            both = rb.MinMax("max" if op == "at least" else "min", (before, operand), type_, span)
            return both if condition is None else rb.Cond(condition, both, before, type_, span)
        case "or":
            if condition is not None:
                operand = rb.Binary("and", condition, operand, Flag(), span)
            return rb.Binary("or", before, operand, Flag(), span)
        case _:
            if condition is not None:
                operand = rb.Binary("or", rb.Unary("not", condition, Flag(), span), operand, Flag(), span)
            return rb.Binary("and", before, operand, Flag(), span)
