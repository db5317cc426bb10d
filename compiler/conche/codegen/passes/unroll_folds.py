"""Writes out short loops: over the four neighbours of a space, the kinds in a zone, a few numbers.

Input: a program. Output: a program in which `any`, `all`, `count` and `sum` over `around(s)` are sums and
conditions over the four cells beside it, whose numbers are known offsets; so also over the kinds in a zone
that can hold few, and over a few numbers that are known.
Invariants: only where `s` is simple and what is asked of each is small. A neighbour beyond the rim of
the grid reads as empty, as everything out there is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from conche.codegen import ir
from conche.codegen.ir_walk import is_simple, rebuild, substitute, walk
from conche.codegen.passes.fold_constants import simplify
from conche.semantics.rulebook import Slot
from conche.semantics.types import Int

LARGEST = 24
MOST = 8
"""So many kinds or numbers at most are written out."""

_NUMBER = Int(-(2**53), 2**53)


def unroll_folds(program: ir.Program) -> ir.Program:
    """The pass."""
    around = {
        table.name: table.board
        for table in program.tables
        if isinstance(table, ir.GridTable) and table.which == "around"
    }
    widths = {grid.name: grid.width for grid in program.layout.grids}

    counted = {zone.slot: zone for zone in program.layout.zones if zone.storage != "row" and not zone.known}
    kinds = {kinds.name: len(kinds.names) for kinds in program.layout.kinds}

    def change(node: Any) -> Any:
        match node:
            case ir.Fold(
                op="any" | "all" | "count" | "sum", source=ir.ZoneKinds(zone=name, seat=seat) as source
            ) if (
                name in counted
                and kinds[counted[name].of] <= MOST
                and (seat is None or is_simple(seat))
                and _only_reads(node)
            ):
                return _by_kind(program, node, source, kinds[counted[name].of])
            case ir.Fold(op="any" | "all" | "count" | "sum", source=ir.Lookup(table=name, index=space)) if (
                name in around and is_simple(space) and _only_reads(node)
            ):
                steps = (1, widths[around[name]], -1, -widths[around[name]])
                return _unrolled(program, node, space, steps)
            case ir.Fold(
                op="any" | "all" | "count" | "sum",
                source=ir.Interval(low=ir.Const(value=int() as low), high=ir.Const(value=int() as high)),
            ) if 1 < high - low + 1 <= MOST and _only_reads(node):
                numbers = [ir.Const(number, node.slot.type) for number in range(low, high + 1)]
                return _written_out(program, node, [(number, None) for number in numbers])
            case _:
                return node

    kept = program.layout.sets
    program = rebuild(replace(program, layout=replace(program.layout, sets=())), change)
    sets = rebuild(kept, change)
    return replace(program, layout=replace(program.layout, sets=sets))


def _by_kind(program: ir.Program, fold: ir.Fold, source: ir.ZoneKinds, number: int) -> ir.Expr:
    """A fold over the kinds in a zone, as one over all kinds of which there are any."""
    values = [ir.Const(kind, fold.slot.type) for kind in range(number)]
    zero = ir.Const(0, _NUMBER)
    wheres = [
        ir.Compare(">", ir.ZoneHolds(source.zone, source.seat, value, _NUMBER), zero) for value in values
    ]
    return _written_out(program, fold, list(zip(values, wheres, strict=True)))


def _only_reads(fold: ir.Fold) -> bool:
    """Whether a neighbour is only looked at: its code is read, or what a look from it tells."""
    parts = [part for part in (fold.body, fold.where) if part is not None]
    if sum(1 for _ in walk(tuple(parts))) > LARGEST or (fold.body is None and fold.op in ("all", "sum")):
        return False
    return not any(isinstance(node, ir.Fold | ir.Ask) for node in walk(tuple(parts)))


def _unrolled(program: ir.Program, fold: ir.Fold, space: ir.Expr, steps: tuple[int, ...]) -> ir.Expr:
    neighbours = [ir.Arith("+", space, ir.Const(step, Int(step, step)), space.type) for step in steps]
    return _written_out(program, fold, [(neighbour, None) for neighbour in neighbours])


def _written_out(
    program: ir.Program, fold: ir.Fold, items: Sequence[tuple[ir.Expr, ir.Expr | None]]
) -> ir.Expr:
    """The fold over some items, each with a condition of its own."""
    parts: list[ir.Expr] = []
    for item, only in items:
        values: dict[Slot, ir.Expr] = {fold.slot: item}
        conditions = [only] if only is not None else []
        if fold.where is not None:
            conditions.append(simplify(program, substitute(fold.where, values)))
        where = (
            None
            if not conditions
            else conditions[0]
            if len(conditions) == 1
            else ir.Logic("and", tuple(conditions))
        )
        body = None if fold.body is None else simplify(program, substitute(fold.body, values))
        parts.append(_part(fold, where, body))
    if fold.op in ("any", "all"):
        return ir.Logic("or" if fold.op == "any" else "and", tuple(parts))
    if fold.op == "count":
        return ir.HowMany(tuple(parts), fold.type)
    total = parts[0]
    for part in parts[1:]:
        total = ir.Arith("+", total, part, fold.type)
    return total


def _part(fold: ir.Fold, where: ir.Expr | None, body: ir.Expr | None) -> ir.Expr:
    """What one neighbour adds."""
    match fold.op:
        case "any":
            if body is None:
                return ir.Const(True, ir.FLAG) if where is None else where
            return body if where is None else ir.Logic("and", (where, body))
        case "all":
            assert body is not None
            return body if where is None else ir.Logic("or", (ir.Not(where), body))
        case "count":
            return ir.Const(True, ir.FLAG) if where is None else where
        case _:
            assert body is not None
            return body if where is None else ir.Cond(where, body, ir.Const(0, _NUMBER), fold.type)
