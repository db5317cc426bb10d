"""Works out once what is asked several times.

Input: a program. Output: a program in which an expression that a query or an operation needs several times is
read into a local first.
Invariants: only what is surely evaluated is worked out ahead, and only while nothing that it reads can
change; so the result and the errors are the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from conche.codegen import ir
from conche.codegen.effects import Effects, Things, reads
from conche.codegen.ir_walk import locals_read, rebuild, rebuild_parts, walk
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
        decisions=tuple(
            replace(decision, otherwise=sharer.run(decision.otherwise)) for decision in program.decisions
        ),
    )


class _Sharer:
    def __init__(self, program: ir.Program) -> None:
        self.effects = Effects(program)
        self.tables = {table.name: table for table in program.tables}
        self.sides = {
            grid.name: {1: "east", grid.width: "south", -1: "west", -grid.width: "north"}
            for grid in program.layout.grids
        }
        self.names: dict[ir.Expr, str] = {}
        self.number = 4_000_000

    def fresh(self, expr: ir.Expr) -> Slot:
        self.number += 1
        slot = Slot("", self.number, self.name_for(expr), expr.type)
        self.names[ir.Local(slot)] = slot.name
        return slot

    # ---------------------------------------------------------------------------------------- queries

    def query(self, query: ir.Query) -> ir.Query:
        """Nothing changes while a query is asked: what its first case surely evaluates can be shared by
        all."""
        if query.lets:
            return self._lets(query)
        while True:
            first = query.cases[0]
            sure = list(surely(first[0] if first[0] is not None else first[1]))
            sure += self._invariant(query)
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

    def _lets(self, query: ir.Query) -> ir.Query:
        """Lets are evaluated in order: what the first one surely evaluates, or what cannot fail, is shared by
        all."""
        while True:
            sure = [*surely(query.lets[0][1]), *self._invariant(query)]
            everything: list[Any] = [value for _, value in query.lets]
            everything += [part for case in query.cases for part in case[:2] if part is not None]
            own = {slot for slot, _ in query.lets}
            found = _worth(sure, everything, lambda expr, own=own: not locals_read(expr) & own)
            if found is None or found == query.lets[0][1]:
                return query
            slot = self.fresh(found)
            lets = tuple((other, _replaced(value, found, slot)) for other, value in query.lets)
            cases = tuple(
                (
                    None if condition is None else _replaced(condition, found, slot),
                    _replaced(value, found, slot),
                    mark,
                )
                for condition, value, mark in query.cases
            )
            query = replace(query, lets=((slot, found), *lets), cases=cases)

    def _invariant(self, query: ir.Query) -> list[ir.Expr]:
        """What stays the same in a loop and cannot fail."""
        found: list[ir.Expr] = []
        for fold in walk((query.lets, query.cases)):
            if isinstance(fold, ir.Fold):
                inner = {node.slot for node in walk(fold) if isinstance(node, ir.Fold)}
                found += [
                    node
                    for node in walk((fold.body, fold.where))
                    if isinstance(node, Shared) and self._is_safe(node) and not locals_read(node) & inner
                ]
        return found

    def _is_safe(self, expr: ir.Expr) -> bool:
        """Whether evaluating an expression cannot fail."""
        match expr:
            case ir.Top(board=board, space=space):
                return self._is_near(space, board)
            case ir.Lookup(table=name, index=ir.Top() as top):
                table = self.tables[name]
                return isinstance(table, ir.Table) and None not in table.values and self._is_safe(top)
            case _:
                return False

    def _is_near(self, space: ir.Expr, board: str) -> bool:
        """A space, or one beside it."""
        del board
        match space:
            case ir.Local():
                return True
            case ir.Arith(op="+" | "-", left=ir.Local(), right=ir.Const()):
                return True
            case _:
                return False

    # ---------------------------------------------------------------------------------------- operations

    def run(self, run: ir.Run) -> ir.Run:
        return replace(run, ops=self.ops(run.ops), end=self._end(run.end))

    def _end(self, end: ir.End) -> ir.End:
        match end:
            case ir.Branch():
                return replace(end, yes=self.run(end.yes), no=self.run(end.no))
            case ir.Switch():
                return replace(end, arms=tuple((codes, self.run(arm)) for codes, arm in end.arms))
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

    # ---------------------------------------------------------------------------------------- names

    def name_for(self, expr: ir.Expr) -> str:
        """A name that tells what it is."""
        match expr:
            case ir.Top(space=ir.Arith(op="+" | "-" as op, right=ir.Const(value=int() as step)), board=board):
                return self.sides[board].get(step if op == "+" else -step, "top")
            case ir.Top():
                return "top"
            case ir.Lookup(table=table, index=index):
                words = [word for word in table.split(".") if word != "or_nobody"]
                where = self.names.get(index) if isinstance(index, ir.Local) else None
                return f"{words[-1]}_{where}" if where in ("east", "south", "west", "north") else words[-1]
            case _:
                return _plain_name(expr)


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
    """Whether to read a local instead is faster: not for a variable of the game, nor for arithmetic with
    literals."""
    match expr:
        case ir.Global(checked=checked):
            return checked
        case ir.Arith(left=ir.Const() | ir.Local(), right=ir.Const()):
            return False
        case _:
            return True


def weight(expr: ir.Expr) -> int:
    return sum(1 for _ in walk(expr))


def _plain_name(expr: ir.Expr) -> str:
    match expr:
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
