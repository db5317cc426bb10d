"""Joins two questions about one code into one look-up.

Input: a program. Output: a program in which `s is a Worker and owner of s = p` asks a table of owners that
says -1 for whatever is no Worker."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from conche.codegen import ir
from conche.codegen.ir_walk import rebuild
from conche.semantics.types import PlayerT

NOBODY = -1


def join_tests(program: ir.Program) -> ir.Program:
    """The pass."""
    tables = {table.name: table for table in program.tables}
    made: dict[str, ir.Table] = {}

    def change(node: Any) -> Any:
        if not isinstance(node, ir.Logic) or node.op != "and":
            return node
        parts = list(node.parts)
        for place in range(len(parts) - 1):
            joined = _joined(parts[place], parts[place + 1], tables, made)
            if joined is not None:
                parts[place : place + 2] = [joined]
                return parts[0] if len(parts) == 1 else ir.Logic("and", tuple(parts))
        return node

    program = rebuild(program, change)
    return replace(program, tables=(*program.tables, *(made[name] for name in sorted(made))))


def _joined(
    first: ir.Expr,
    second: ir.Expr,
    tables: dict[str, ir.Table | ir.GridTable],
    made: dict[str, ir.Table],
) -> ir.Expr | None:
    match first, second:
        case (
            ir.OneOf(value=value, codes=codes),
            ir.Compare(op="=", left=ir.Lookup(table=name, index=index, type=PlayerT()), right=seat),
        ) if value == index:
            table = tables[name]
            if not isinstance(table, ir.Table):
                return None
            values = tuple(
                entry if code in codes and entry is not None else NOBODY
                for code, entry in enumerate(table.values)
            )
            known = {code for code, entry in enumerate(table.values) if entry is not None}
            if not set(codes) <= known:
                return None
            joined = name + ("" if set(codes) == known else f".of_{len(codes)}") + ".or_nobody"
            made[joined] = ir.Table(joined, values, f"{table.note}; -1: nobody")
            return ir.Compare("=", ir.Lookup(joined, index, PlayerT()), seat)
        case _:
            return None
