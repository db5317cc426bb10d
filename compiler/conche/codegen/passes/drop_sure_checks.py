"""Drops checks that cannot fail.

Input: a program. Output: a program in which a number is not checked against a bound where it surely keeps it.
Invariants: what is sure is what `ranges` proves of the whole program, which is more than could be seen when a
statement was lowered: queries have been put in where they are asked since then."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from conche.codegen import ir
from conche.codegen.ir_walk import rebuild
from conche.codegen.ranges import ranges_of


def drop_sure_checks(program: ir.Program) -> ir.Program:
    """The pass."""
    ranges = ranges_of(program)

    def change(node: Any) -> Any:
        match node:
            case ir.Require(condition=ir.Compare(op=">=", left=value, right=ir.Const(value=int() as low))):
                bounds = ranges.of(value)
                if bounds is not None and bounds.low >= low:
                    return replace(node, condition=ir.Const(True, ir.FLAG))
            case ir.Let(bounds=(low, high)) | ir.Store(bounds=(low, high)):
                if ranges.within(node.value, low, high):
                    return replace(node, bounds=None)
            case _:
                pass
        return node

    return rebuild(program, change)
