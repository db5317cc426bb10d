"""Cuts deep expressions into queries of their own.

Input: a program. Output: a program in which no expression is deeper than `MAX_DEPTH`, nor longer than
`MAX_SIZE` when written out.
Invariants: not an optimisation, so it cannot be left out: a target allows only so many brackets within each
other (Python 200). A part that is cut off becomes a query with the locals it reads as parameters; expressions
change nothing, so it does not matter where they are worked out. What is not deep stays as it was."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from conche.codegen import ir
from conche.codegen.ir_walk import locals_read, node_fields, rebuild_parts

MAX_DEPTH = 16
"""Of nodes within each other; each is written with a few brackets at most, each of which may cost a level of
indentation."""

MAX_SIZE = 1500
"""Of nodes as they are written: some parts are written several times."""

LEAST = 8
"""Of what is too long, parts are cut off that are at least this part of `MAX_SIZE`."""

EXPRESSIONS: tuple[type, ...] = ir.Expr.__args__


def limit_depth(program: ir.Program) -> ir.Program:
    """The pass."""
    return _Cutter(program).program()


TIMES: dict[type, int] = {ir.ZoneHolds: 3, ir.ZoneSize: 3, ir.With: 2, ir.Fold: 2, ir.Cond: 2}
"""How often, at most, a part of such a node is written."""


class _Cutter:
    def __init__(self, program: ir.Program) -> None:
        self.before = program
        self.taken = {query.name for query in program.queries}
        self.cut: list[ir.Query] = []
        self.mark = program.rank.mark

    def program(self) -> ir.Program:
        program = self.before
        parts = {
            name: self._within(getattr(program, name))
            for name in ("queries", "functions", "blocks", "decisions", "scores", "rank")
        }
        return replace(program, **{**parts, "queries": (*parts["queries"], *self.cut)})

    def _within(self, node: Any) -> Any:
        """A node of the program that is no expression, with its expressions cut."""
        if isinstance(node, tuple):
            new = tuple(self._within(part) for part in node)
            return node if all(a is b for a, b in zip(node, new, strict=True)) else new
        if isinstance(node, EXPRESSIONS):
            return self._expression(node)[0]
        if not node_fields(type(node)):
            return node
        outer, self.mark = self.mark, getattr(node, "mark", self.mark)
        found = rebuild_parts(node, self._within)
        self.mark = outer
        return found

    def _expression(self, expr: Any) -> tuple[Any, int, int]:
        """An expression with deep parts cut off, its depth and its size."""
        parts: dict[int, tuple[Any, int, int]] = {}

        def visit(part: Any) -> Any:
            if isinstance(part, tuple):
                return tuple(visit(item) for item in part)
            if not isinstance(part, EXPRESSIONS):
                return part
            parts[id(part)] = self._expression(part)
            return parts[id(part)][0]

        shallow = rebuild_parts(expr, visit)
        depth = 1 + max((found[1] for found in parts.values()), default=0)
        size = 1 + TIMES.get(type(expr), 1) * sum(found[2] for found in parts.values())
        if depth <= MAX_DEPTH and size <= MAX_SIZE:
            return shallow, depth, size
        depth, size = 2, 1 + len(parts)

        def cut(part: Any) -> Any:
            nonlocal depth, size
            if isinstance(part, tuple):
                return tuple(cut(item) for item in part)
            if id(part) not in parts:
                return part
            found, part_depth, part_size = parts[id(part)]
            if part_depth > 1 and (part_depth >= MAX_DEPTH or part_size > MAX_SIZE // LEAST):
                return self._query(found)
            depth, size = max(depth, 1 + part_depth), size + part_size
            return found

        return rebuild_parts(expr, cut), depth, size

    def _query(self, expr: ir.Expr) -> ir.Expr:
        """A query of its own for an expression."""
        number = len(self.cut) + 1
        while f"part_{number}" in self.taken:
            number += 1
        name = f"part_{number}"
        self.taken.add(name)
        params = tuple(sorted(locals_read(expr), key=lambda slot: (slot.owner, slot.number)))
        self.cut.append(ir.Query(name, params, (), ((None, expr, self.mark),), expr.type, self.mark))
        return ir.Ask(name, tuple(ir.Local(slot) for slot in params), expr.type)
