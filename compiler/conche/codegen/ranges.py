"""Between which bounds a number lies.

Input: an expression of the IR, the bounds of the variables. Output: an interval, or None where nothing is
sure.
Invariants: only what the engine itself enforces counts: bounds of variables (checked when they are set),
sizes, static tables, literals. The range that typing gave to a local does not: what is passed for a parameter
is not checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from conche.codegen import ir
from conche.codegen.ir_walk import walk
from conche.semantics import intervals
from conche.semantics.rulebook import Slot
from conche.semantics.types import Int

Bounds = Int | None

_ARITHMETIC: Mapping[str, Callable[[Int, Int], Int | None]] = {
    "+": intervals.add,
    "-": intervals.subtract,
    "*": intervals.multiply,
    "/": intervals.divide,
    "mod": intervals.modulo,
}


class Ranges:
    """Ranges of expressions in one layout. `locals`: those of locals, where they are known."""

    def __init__(
        self, layout: ir.Layout, tables: Mapping[str, ir.Table | ir.GridTable], locals_: dict[Slot, Int]
    ) -> None:
        self.layout = layout
        self.variables = {variable.slot: variable.type for variable in layout.variables}
        self.capacities = {zone.slot: zone.capacity for zone in layout.zones}
        self.tables = tables
        self.locals = locals_

    def of(self, expr: ir.Expr) -> Bounds:
        match expr:
            case ir.Const(value=bool()):
                return None
            case ir.Const(value=int() as value):
                return Int(value, value)
            case ir.Local(slot=slot):
                return self.locals.get(slot)
            case ir.PlayerNumber():
                return Int(self.layout.min_players, self.layout.max_players)
            case ir.Global(slot=name) | ir.Item(slot=name):
                type_ = self.variables.get(name)
                return type_ if isinstance(type_, Int) else None
            case ir.Lookup(table=name):
                return self._table(name)
            case ir.Arith(op=op, left=left, right=right):
                a, b = self.of(left), self.of(right)
                return None if a is None or b is None else _ARITHMETIC[op](a, b)
            case ir.Negate(operand=operand):
                a = self.of(operand)
                return None if a is None else intervals.negate(a)
            case ir.MinMax(op=op, args=args):
                return self._min_max(op, [self.of(arg) for arg in args])
            case ir.Cond(then=then, otherwise=otherwise):
                a, b = self.of(then), self.of(otherwise)
                return None if a is None or b is None else intervals.hull(a, b)
            case ir.Size() | ir.Fold(op="count"):
                return Int(0, intervals.MANY)
            case ir.ZoneSize(zone=zone) | ir.ZoneHolds(zone=zone):
                capacity = self.capacities[zone]
                return Int(0, intervals.MANY if capacity is None else capacity)
            case ir.Height() | ir.Top():
                return Int(0, intervals.MANY)
            case _:
                return None

    def _table(self, name: str) -> Bounds:
        table = self.tables.get(name)
        if not isinstance(table, ir.Table):
            return None
        values = [value for value in table.values if isinstance(value, int) and not isinstance(value, bool)]
        known = len([value for value in table.values if value is not None])
        return Int(min(values), max(values)) if values and len(values) == known else None

    def _min_max(self, op: str, parts: list[Bounds]) -> Bounds:
        """A bound on one side is known as soon as one part is."""
        known = [part for part in parts if part is not None]
        if not known:
            return None
        smallest = op == "min"
        if len(known) == len(parts):
            return intervals.smallest(known) if smallest else intervals.largest(known)
        far = intervals.LARGEST
        if smallest:
            return Int(-far, min(part.high for part in known))
        return Int(max(part.low for part in known), far)

    def within(self, expr: ir.Expr, low: int, high: int) -> bool:
        """Whether the number surely lies between the two."""
        found = self.of(expr)
        return found is not None and low <= found.low and found.high <= high


def ranges_of(program: ir.Program) -> Ranges:
    """The ranges in a program, with those of the locals that one operation alone sets."""
    known = dict(program.trusted)
    ranges = Ranges(program.layout, {table.name: table for table in program.tables}, known)
    times: Counter[Slot] = Counter(program.saved)
    for node in walk((program.functions, program.blocks, program.decisions)):
        if isinstance(node, ir.Let | ir.For | ir.Pick | ir.ZoneDraw):
            times[node.slot] += 1
        elif isinstance(node, ir.Function | ir.Block):
            times.update(node.params)
        elif isinstance(node, ir.Binder):
            times[node.slot] += 1
    for node in walk((program.functions, program.blocks, program.decisions)):
        if isinstance(node, ir.Let) and times[node.slot] == 1 and node.slot not in known:
            found = ranges.of(node.value)
            if found is not None:
                known[node.slot] = found
    return ranges
