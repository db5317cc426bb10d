"""Wider or narrower: whether an expression that was changed gives more than before.

Purpose: tells a decision that was widened from one that was narrowed.
Input: two expressions, and whether two subtrees are the same. Output: 1 (more: a flag holds more often, a
number is larger, a collection has more), -1 (less), 0 (the same), None where the form does not show it.
Invariants: only says what follows from the form for whatever values; errs on the side of None.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from conche.semantics import rulebook as rb

Same = Callable[[object, object], bool]

_DEEP = 30
_LARGER, _SMALLER = (">", ">="), ("<", "<=")


def grows(old: rb.Expr | None, new: rb.Expr | None, same: Same, depth: int = 0) -> int | None:
    """`old` and `new` None: nothing is asked for, as for a guard that is not there."""
    if old is None or new is None:
        return 0 if old is new else (-1 if old is None else 1)
    if same(old, new):
        return 0
    if depth > _DEEP:
        return None

    def inner(left: rb.Expr | None, right: rb.Expr | None) -> int | None:
        return grows(left, right, same, depth + 1)

    part = _part(old, new, same)
    if part is not None:
        return part
    match old, new:
        case rb.Lit(value=bool()), _:
            return -1 if old.value else 1
        case _, rb.Lit(value=bool()):
            return 1 if new.value else -1
        case rb.Lit(value=int(a)), rb.Lit(value=int(b)):
            return (b > a) - (b < a)
        case rb.Unary(op=op), rb.Unary(op=other) if op == other:
            return negative(inner(old.operand, new.operand))
        case rb.Binary(), rb.Binary():
            return _binary(old, new, same, inner)
        case rb.Range(), rb.Range():
            return together(negative(inner(old.low, new.low)), inner(old.high, new.high))
        case rb.MinMax(op=op), rb.MinMax(op=other) if op == other and len(old.args) == len(new.args):
            return together(*(inner(a, b) for a, b in zip(old.args, new.args, strict=True)))
        case rb.Cond(), rb.Cond() if same(old.condition, new.condition):
            return together(inner(old.then, new.then), inner(old.otherwise, new.otherwise))
        case rb.IsKind(), rb.IsKind() if same(old.value, new.value):
            return _more(Counter(old.kinds), Counter(new.kinds))
        case rb.Fold(op=op), rb.Fold(op=other) if op == other and op in ("each", "any", "count"):
            if (old.body is None) == (new.body is None) and (old.body is None or same(old.body, new.body)):
                return together(inner(old.source, new.source), inner(old.where, new.where))
            return None
        case _:
            return None


def _part(old: rb.Expr, new: rb.Expr, same: Same) -> int | None:
    """Where one of them is a part of the other: `a` and `a and b`."""
    for whole, other, sign in ((new, old, 1), (old, new, -1)):
        match whole:
            case rb.Binary(op="and" | "or" | "concat") if same(whole.left, other) or same(whole.right, other):
                return -sign if whole.op == "and" else sign
            case rb.MinMax() if any(same(arg, other) for arg in whole.args):
                return -sign if whole.op == "min" else sign
            case rb.Fold(op="each", body=None) if whole.where is not None and same(whole.source, other):
                return -sign
            case _:
                pass
    match old, new:
        case rb.MinMax(op=op), rb.MinMax(op=other_op) if op == other_op and len(old.args) != len(new.args):
            longer, shorter = (new, old) if len(new.args) > len(old.args) else (old, new)
            if all(any(same(a, b) or same(b, a) for b in longer.args) for a in shorter.args):
                return (1 if longer is old else -1) * (1 if op == "min" else -1)
        case _:
            pass
    return None


def _binary(
    old: rb.Binary, new: rb.Binary, same: Same, inner: Callable[[rb.Expr, rb.Expr], int | None]
) -> int | None:
    left, right = inner(old.left, new.left), inner(old.right, new.right)
    for pair, sign in ((_LARGER, 1), (_SMALLER, -1)):
        if old.op in pair and new.op in pair:
            looser = pair.index(new.op) - pair.index(old.op)
            if sign > 0:
                return together(looser, left, negative(right))
            return together(looser, negative(left), right)
    if old.op != new.op:
        if (old.op, new.op) in (("and", "or"), ("or", "and")) and left == 0 and right == 0:
            return 1 if new.op == "or" else -1
        return None
    if old.op in ("and", "or", "+", "concat"):
        return together(left, right)
    if old.op == "-":
        return together(left, negative(right))
    return None


def _more(old: Counter[str], new: Counter[str]) -> int | None:
    if old <= new:
        return 1
    return -1 if new <= old else None


def negative(direction: int | None) -> int | None:
    return None if direction is None else -direction


def together(*directions: int | None) -> int | None:
    """Several at once: they must not pull two ways."""
    if None in directions:
        return None
    signs = {direction for direction in directions if direction}
    return None if len(signs) > 1 else (signs.pop() if signs else 0)


def case_grows(old: rb.Case, new: rb.Case, same: Same) -> int | None:
    """Whether a case of a decision offers more options. None too where its arguments are others."""
    ours = [(binder.slot.name, binder.hidden) for binder in old.binders if not binder.hidden]
    theirs = [(binder.slot.name, binder.hidden) for binder in new.binders if not binder.hidden]
    if ours != theirs or len(old.binders) != len(new.binders):
        return None
    sources = []
    for mine, other in zip(old.binders, new.binders, strict=True):
        if not _same_value(mine.value, other.value, same):
            return None
        sources.append(0 if mine.source is other.source else grows(mine.source, other.source, same))
    return together(grows(old.guard, new.guard, same), grows(old.late_guard, new.late_guard, same), *sources)


def _same_value(old: rb.Expr | None, new: rb.Expr | None, same: Same) -> bool:
    return old is new or (old is not None and new is not None and same(old, new))
