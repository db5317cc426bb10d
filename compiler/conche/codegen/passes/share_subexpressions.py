"""Works out once what is asked several times.

Input: a program. Output: a program in which an expression that a query or an operation needs several times is read into a
local first.
Invariants: only what is surely evaluated is worked out ahead, and only while nothing that it reads can change; so the
result and the errors are the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from conche.codegen import ir
from conche.codegen.effects import Effects, Things, reads
from conche.codegen.ir_walk import rebuild, rebuild_parts, walk
from conche.semantics.rulebook import Slot

Shared = ir.Top | ir.Lookup | ir.Item | ir.Arith | ir.Global | ir.ZoneHolds | ir.ZoneSize


def share_subexpressions(program: ir.Program) -> ir.Program:
    """The pass."""
    sharer = _Sharer(program)
    return replace(
        program,
        queries=tuple(sharer.query(query) for query in program.queries),
        functions=tuple(replace(function, body=sharer.ops(function.body)) for function in program.functions),
        blocks=tuple(replace(block, run=sharer.run(block.run)) for block in program.blocks),
    )


class _Sharer:
    def __init__(self, program: ir.Program) -> None:
        self.effects = Effects(program)
        self.number = 4_000_000

    def fresh(self, expr: ir.Expr) -> Slot:
        self.number += 1
        return Slot("", self.number, name_for(expr), expr.type)

    # ---------------------------------------------------------------------------------------- queries

    def query(self, query: ir.Query) -> ir.Query:
        """Nothing changes while a query is asked: what its first case surely evaluates can be shared by all."""
        if query.lets:
            return query
        while True:
            first = query.cases[0]
            sure = list(surely(first[0] if first[0] is not None else first[1]))
            everything = [part for case in query.cases for part in case[:2] if part is not None]
            found = _worth(sure, everything)
            if found is None:
                return query
            slot = self.fresh(found)
            cases = tuple(
                (
                    None if condition is None else _replaced(condition, found, slot),
                    _replaced(value, found, slot),
                    mark,
                )
                for condition, value, mark in query.cases
            )
            lets = tuple((other, _replaced(value, found, slot)) for other, value in query.lets)
            query = replace(query, lets=(*lets, (slot, found)), cases=cases)

    # ---------------------------------------------------------------------------------------- operations

    def run(self, run: ir.Run) -> ir.Run:
        return replace(run, ops=self.ops(run.ops), end=self._end(run.end))

    def _end(self, end: ir.End) -> ir.End:
        match end:
            case ir.Branch():
                return replace(end, yes=self.run(end.yes), no=self.run(end.no))
            case ir.Switch():
                return replace(end, arms=tuple((codes, self.run(arm)) for codes, arm in end.arms))
            case ir.Decide():
                return replace(end, otherwise=self.run(end.otherwise))
            case _:
                return end

    def ops(self, ops: tuple[ir.Op, ...]) -> tuple[ir.Op, ...]:
        out: list[ir.Op] = []
        for op in ops:
            out += self._op(op)
        return tuple(out)

    def _op(self, op: ir.Op) -> list[ir.Op]:
        before: list[ir.Op] = []
        while True:
            sure = list(self._surely(op))
            found = _worth(sure, [op], lambda expr, op=op: self._stays(expr, op))
            if found is None:
                break
            slot = self.fresh(found)
            before.append(ir.Let(slot, found, None, op.mark))
            op = _replaced(op, found, slot)
        return [*before, self._inside(op)]

    def _inside(self, op: ir.Op) -> ir.Op:
        match op:
            case ir.If():
                return replace(op, then=self.ops(op.then), otherwise=self.ops(op.otherwise))
            case ir.For() | ir.While():
                return replace(op, body=self.ops(op.body))
            case ir.Select():
                return replace(op, arms=tuple((codes, self.ops(arm)) for codes, arm in op.arms))
            case _:
                return op

    def _surely(self, op: ir.Op) -> Iterator[ir.Expr]:
        """What an operation evaluates whatever happens, before it changes anything."""
        match op:
            case ir.If(condition=condition):
                yield from surely(condition)
            case ir.Select(subject=subject):
                yield from surely(subject)
            case ir.Store(index=index, value=value):
                if index is not None:
                    yield from surely(index)
                if isinstance(value, ir.With):
                    yield from surely(value.value)
                else:
                    yield from surely(value)
            case ir.ZoneAdd(seat=seat, kind=kind) | ir.ZoneRemove(seat=seat, kind=kind):
                if seat is not None:
                    yield from surely(seat)
                yield from surely(kind)
            case _:
                return

    def _stays(self, expr: ir.Expr, op: ir.Op) -> bool:
        """Whether an operation changes nothing that an expression reads."""
        return not reads(expr) & self._changed(op)

    def _changed(self, op: ir.Op) -> Things:
        match op:
            case ir.Store() | ir.ZoneAdd() | ir.ZoneRemove():
                return frozenset()
            case _:
                return self.effects.of(op)


def surely(expr: ir.Expr) -> Iterator[ir.Expr]:
    """An expression and those parts of it that are evaluated whenever it is."""
    yield expr
    match expr:
        case ir.Logic(parts=parts):
            yield from surely(parts[0])
        case ir.Cond(condition=condition):
            yield from surely(condition)
        case ir.Fold(source=source):
            yield from surely(source)
        case ir.Const() | ir.Local():
            return
        case _:
            parts_: list[ir.Expr] = []

            def take(part: Any) -> Any:
                if isinstance(part, tuple):
                    parts_.extend(item for item in part if hasattr(item, "type"))
                elif hasattr(part, "type"):
                    parts_.append(part)
                return part

            rebuild_parts(expr, take)
            for part in parts_:
                yield from surely(part)


def _worth(sure: list[ir.Expr], everything: list[Any], good: Any = None) -> ir.Expr | None:
    """The largest expression that is surely evaluated and stands more than once."""
    times = Counter(
        node for part in everything for node in walk(part) if isinstance(node, Shared) and costs(node)
    )
    loops = {
        node
        for part in everything
        for fold in walk(part)
        if isinstance(fold, ir.Fold)
        for node in walk((fold.body, fold.where))
    }
    best: ir.Expr | None = None
    for expr in sure:
        if not isinstance(expr, Shared) or not costs(expr):
            continue
        if times[expr] < 2 and expr not in loops:
            continue
        if good is not None and not good(expr):
            continue
        if best is None or weight(expr) > weight(best):
            best = expr
    return best


def costs(expr: ir.Expr) -> bool:
    """Whether to read a local instead is faster: not for a variable of the game, nor for arithmetic with literals."""
    match expr:
        case ir.Global(checked=checked):
            return checked
        case ir.Arith(left=ir.Const() | ir.Local(), right=ir.Const()):
            return False
        case _:
            return True


def weight(expr: ir.Expr) -> int:
    return sum(1 for _ in walk(expr))


def name_for(expr: ir.Expr) -> str:
    """A name that tells what it is."""
    match expr:
        case ir.Top():
            return "top"
        case ir.Lookup(table=table):
            return table.rpartition(".")[2]
        case ir.Item(slot=slot) | ir.Global(slot=slot):
            return slot.rpartition(".")[2]
        case ir.ZoneHolds():
            return "held"
        case ir.ZoneSize():
            return "size"
        case _:
            return "number"


def _replaced(node: Any, old: ir.Expr, slot: Slot) -> Any:
    return rebuild(node, lambda part: ir.Local(slot) if part == old else part)
