"""Sees at once that a decision has no option because there is nothing to choose from.

Input: a program. Output: a program in which a decision over `each(x in s where …)` is passed over where `s`
is empty, before anything is looked for.
Invariants: `s` is cheap to read, and nothing stands before it that could fail.
"""

from __future__ import annotations

from typing import Any

from conche.codegen import ir
from conche.codegen.ir_walk import is_simple, rebuild
from conche.semantics.types import Int

LARGEST = 4
"""Only what happens then in so few operations is written twice."""


def skip_empty(program: ir.Program) -> ir.Program:
    """The pass."""
    decisions = {decision.id: decision for decision in program.decisions}
    empty = {decision.id: _empty(decision) for decision in program.decisions}

    def change(node: Any) -> Any:
        if isinstance(node, ir.Run) and isinstance(node.end, ir.Decide):
            condition = empty[node.end.decision]
            otherwise = decisions[node.end.decision].otherwise
            if (
                condition is not None
                and len(otherwise.ops) <= LARGEST
                and isinstance(otherwise.end, ir.Goto | ir.Back)
            ):
                decide = ir.Run((), node.end)
                return ir.Run(node.ops, ir.Branch(condition, otherwise, decide, node.end.mark))
        return node

    return rebuild(program, change)


def _empty(decision: ir.Decision) -> ir.Expr | None:
    """What means that there is no option."""
    if len(decision.cases) != 1:
        return None
    binders = [binder for binder in decision.cases[0].binders if binder.source is not None]
    if not binders:
        return None
    source = binders[0].source
    if decision.found is not None and source == ir.Local(decision.found[0]):
        source = decision.found[1]
    match source:
        case ir.Fold(op="each", source=inner) if _is_cheap(inner):
            number = Int(0, 2**31)
            return ir.Compare("=", ir.Size(inner, number), ir.Const(0, number))
        case _:
            return None


def _is_cheap(expr: ir.Expr) -> bool:
    match expr:
        case ir.Local():
            return True
        case ir.Global(checked=False):
            return True
        case ir.Item(index=index, checked=False):
            return is_simple(index)
        case _:
            return False
