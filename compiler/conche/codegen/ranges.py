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
from conche.semantics.types import (
    EdgeT,
    EnumT,
    Flag,
    Int,
    KindT,
    Maybe,
    PlayerT,
    SetT,
    SideT,
    SpaceT,
    Type,
)

SIDES = 4

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
        self.kinds_of = {kinds.name: len(kinds.names) for kinds in layout.kinds}
        self.kinds = {zone.slot: self.kinds_of[zone.of] for zone in layout.zones}
        self.cells = {grid.name: grid.width**2 for grid in layout.grids}
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
            case ir.PlayersLeft():
                return Int(0, self.layout.max_players)
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
            case ir.Size(source=source):
                return Int(0, self.most_items(source))
            case ir.Fold(op="count", source=source):
                return Int(0, self.most_items(source))
            case ir.Fold(op="sum", body=body, source=source) if body is not None:
                return self._sum(self.of(body), self.most_items(source))
            case ir.ZoneSize(zone=zone) | ir.ZoneHolds(zone=zone):
                capacity = self.capacities[zone]
                return Int(0, intervals.MANY if capacity is None else capacity)
            case ir.Height() | ir.Top():
                return Int(0, intervals.MANY)
            case _:
                return None

    # ---------------------------------------------------------------------------------------- sizes

    def most_items(self, expr: ir.Expr) -> int:
        """How many items a sequence has at most; MANY where nothing says less."""
        different = self._values(expr.type.element) if isinstance(expr.type, SetT) else intervals.MANY
        return min(self._most(expr), different)

    def _most(self, expr: ir.Expr) -> int:
        match expr:
            case ir.Const(value=tuple() as items):
                return len(items)
            case ir.Sequence(items=listed):
                return sum(number for number, _ in listed)
            case ir.Interval(low=low, high=high, type=type_):
                size = self.of(ir.Arith("-", high, low, type_))
                return intervals.MANY if size is None else max(size.high + 1, 0)
            case ir.Concat(parts=parts):
                return sum(self.most_items(part) for part in parts)
            case ir.With(source=source):
                return self.most_items(source) + 1
            case (
                ir.Distinct(source=source)
                | ir.Without(source=source)
                | ir.Tail(source=source)
                | ir.Fold(op="each" | "sorted", source=source)
            ):
                return self.most_items(source)
            case ir.Cond(then=then, otherwise=otherwise):
                return max(self.most_items(then), self.most_items(otherwise))
            case ir.Global(slot=slot) | ir.Item(slot=slot):
                match self.variables[slot]:
                    case SetT(element=Int(low=least, high=greatest)):
                        return min(greatest - least + 1, intervals.MOST_ITEMS)
                    case _:
                        return intervals.MOST_ITEMS
            case ir.Lookup(table=name):
                table = self.tables[name]
                return max(map(_length, table.values), default=0) if isinstance(table, ir.Table) else SIDES
            case ir.ZoneKinds(zone=zone):
                return self.kinds[zone]
            case ir.ZoneItems(zone=zone):
                capacity = self.capacities[zone]
                return intervals.MANY if capacity is None else capacity
            case ir.Spaces(board=board):
                return self.cells[board]
            case ir.PlayersIn() | ir.Clockwise():
                return self.layout.max_players
            case _:
                return intervals.MANY

    def _values(self, type_: Type) -> int:
        """How many values of a type there are; MANY where nothing says less."""
        match type_:
            case Flag():
                return 2
            case EnumT(name=of) | KindT(piece=of):
                return self.kinds_of[of]
            case PlayerT():
                return self.layout.max_players
            case SideT():
                return SIDES
            case SpaceT(board=board):
                return self.cells[board]
            case EdgeT(board=board):
                return SIDES * self.cells[board]
            case Maybe(element=element):
                return 1 + self._values(element)
            case _:
                return intervals.MANY

    def _table(self, name: str) -> Bounds:
        table = self.tables.get(name)
        if not isinstance(table, ir.Table):
            return None
        values = [value for value in table.values if isinstance(value, int) and not isinstance(value, bool)]
        known = len([value for value in table.values if value is not None])
        return Int(min(values), max(values)) if values and len(values) == known else None

    def _sum(self, item: Bounds, most: int) -> Bounds:
        """Of up to so many numbers."""
        if item is None:
            return None
        return Int(min(0, item.low * most), max(0, item.high * most))

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


def _length(value: object) -> int:
    return len(value) if isinstance(value, tuple) else 0


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
