"""Whether a value is in a sequence, without making the sequence.

Input: a value and an expression that gives a sequence. Output: a flag expression that means the same.
Invariants: `checked` False: the value is known to be a code of the right type; otherwise it may be any
number, and a look-up by it is guarded."""

from __future__ import annotations

from conche.codegen import ir
from conche.codegen.ir_walk import is_simple, substitute
from conche.semantics.types import Int

_NUMBER = Int(-(2**53), 2**53)


def member(value: ir.Expr, source: ir.Expr, *, checked: bool = False) -> ir.Expr:
    """`value in source`."""
    if not is_simple(value):
        return ir.Member(value, source)
    match source:
        case ir.Interval(low=low, high=high):
            return ir.Logic("and", (ir.Compare(">=", value, low), ir.Compare("<=", value, high)))
        case ir.ZoneKinds(zone=zone, seat=seat):
            held = ir.Compare(">", ir.ZoneHolds(zone, seat, value, _NUMBER), ir.Const(0, _NUMBER))
            return _guarded(value, held, checked)
        case ir.Kept(set=name, key=key):
            return _guarded(value, ir.KeptHas(name, key, value), checked)
        case ir.Distinct(source=inner):
            return member(value, inner, checked=checked)
        case ir.Concat(parts=parts):
            return ir.Logic("or", tuple(member(value, part, checked=checked) for part in parts))
        case ir.Cond(condition=condition, then=then, otherwise=otherwise):
            return ir.Cond(
                condition,
                member(value, then, checked=checked),
                member(value, otherwise, checked=checked),
                ir.FLAG,
            )
        case ir.Fold(op="each", body=None, slot=slot, source=inner, where=where):
            found = member(value, inner, checked=checked)
            if where is None:
                return found
            return ir.Logic("and", (found, substitute(where, {slot: value})))
        case ir.Sequence(items=items) if items and all(isinstance(item, ir.Const) for _, item in items):
            codes = tuple(sorted({item.value for _, item in items if isinstance(item, ir.Const)}))  # type: ignore[type-var]
            if all(isinstance(code, int) and not isinstance(code, bool) for code in codes):
                return ir.OneOf(value, codes, None)  # type: ignore[arg-type]
            return ir.Member(value, source)
        case _:
            return ir.Member(value, source)


def _guarded(value: ir.Expr, found: ir.Expr, checked: bool) -> ir.Expr:
    """A code that cannot be is a number below 0."""
    if not checked:
        return found
    return ir.Logic("and", (ir.Compare(">=", value, ir.Const(0, _NUMBER)), found))
