"""Proves that no two options of a decision look alike, so that nobody needs to check it.

Input: a program. Output: a program in which such decisions are `told_apart`; the others are checked whenever
options are counted.

Two options of a case differ in an argument if every binder that ranges runs over different values, and is
shown or follows from what is shown: an edge from its space and side, a space from its coordinates. Two
cases differ if their moves have other names or other arguments, or an argument that is one literal here and
another there, or a number that is lower here than it can be there. Sets
hold different values; two sets of spaces have none in common if no top code can be in both.
"""

from __future__ import annotations

from dataclasses import replace

from conche.codegen import ir
from conche.codegen.passes.fold_constants import FALSE, simplify
from conche.codegen.passes.maintain_sets import at_code
from conche.codegen.ranges import ranges_of
from conche.semantics.intervals import LARGEST
from conche.semantics.rulebook import Slot
from conche.semantics.types import EdgeT, Int, Maybe, SetT, SpaceT


def tell_apart(program: ir.Program) -> ir.Program:
    """The pass."""
    prover = _Prover(program)
    return replace(
        program,
        decisions=tuple(
            replace(decision, told_apart=prover.differ(decision)) for decision in program.decisions
        ),
    )


class _Prover:
    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.sets = {kept.slot: kept for kept in program.layout.sets}
        self.grids = {grid.name: grid for grid in program.layout.grids}
        self.ranges = ranges_of(program)

    def differ(self, decision: ir.Decision) -> bool:
        cases = [_with_sources(case, decision.found) for case in decision.cases]
        return all(self._within(case) for case in cases) and all(
            self._between(one, other) for number, one in enumerate(cases) for other in cases[:number]
        )

    # ------------------------------------------------------------------------------------ one case

    def _within(self, case: ir.Case) -> bool:
        shown = [
            ir.Local(binder.slot) if binder.value is None else binder.value
            for binder in case.binders
            if binder.arg is not None
        ]
        return all(
            self._is_set(binder.source) and self._follows(binder.slot, shown)
            for binder in case.binders
            if binder.source is not None
        )

    def _follows(self, slot: Slot, shown: list[ir.Expr]) -> bool:
        """Whether a binder is shown, or follows from what is."""
        if ir.Local(slot) in shown:
            return True
        match slot.type:
            case EdgeT():
                ops = {
                    value.op
                    for value in shown
                    if isinstance(value, ir.Arith)
                    and value.left == ir.Local(slot)
                    and isinstance(value.right, ir.Const)
                    and value.right.value == 4
                }
                return {"/", "mod"} <= ops
            case SpaceT(board=board):
                tables = {
                    value.table
                    for value in shown
                    if isinstance(value, ir.Lookup) and value.index == ir.Local(slot)
                }
                return {f"{board}.x", f"{board}.y"} <= tables
            case _:
                return False

    # ------------------------------------------------------------------------------------ sets

    def _is_set(self, source: ir.Expr) -> bool:
        """Whether a sequence holds nothing twice."""
        if isinstance(source.type, SetT):
            return True
        match source:
            case ir.Interval() | ir.Kept() | ir.ZoneKinds() | ir.Spaces() | ir.Distinct():
                return True
            case ir.Sequence(items=items):
                values = {item.value for times, item in items if times == 1 and isinstance(item, ir.Const)}
                return len(values) == len(items)
            case ir.Fold(op="each", body=None, source=inner):
                return self._is_set(inner)
            case ir.Cond(then=then, otherwise=otherwise):
                return self._is_set(then) and self._is_set(otherwise)
            case ir.Concat(parts=parts):
                return all(self._is_set(part) for part in parts) and all(
                    self._disjoint(one, other) for number, one in enumerate(parts) for other in parts[:number]
                )
            case _:
                return False

    def _disjoint(self, one: ir.Expr, other: ir.Expr) -> bool:
        """Whether two sets of spaces have none in common."""
        if not isinstance(one, ir.Kept) or not isinstance(other, ir.Kept):
            return False
        first, second = self.sets[one.set], self.sets[other.set]
        if first.board != second.board:
            return False
        codes = range(len(self.grids[first.board].codes))
        return all(self._never(first, code) or self._never(second, code) for code in codes)

    def _never(self, kept: ir.MaintainedSet, code: int) -> bool:
        """Whether a space with a top code is never in a set."""
        return simplify(self.program, at_code(kept.holds, kept.space, kept.board, code)) == FALSE

    # ------------------------------------------------------------------------------------ two cases

    def _between(self, one: ir.Case, other: ir.Case) -> bool:
        """Whether an option of one case never looks like one of the other."""
        if one.move != other.move:
            return True
        first, second = (
            {binder.arg: binder for binder in case.binders if binder.arg is not None} for case in (one, other)
        )
        if first.keys() != second.keys():
            return True
        return any(self._differ(binder, second[arg]) for arg, binder in first.items())

    def _differ(self, one: ir.Binder, other: ir.Binder) -> bool:
        """Whether an argument is never the same in two cases."""
        if isinstance(one.value, ir.Const) and isinstance(other.value, ir.Const):
            return one.value != other.value
        if _is_nothing(one.value) and not isinstance(other.slot.type, Maybe):
            return True
        if _is_nothing(other.value) and not isinstance(one.slot.type, Maybe):
            return True
        first, second = self._bounds(one), self._bounds(other)
        return first.high < second.low or second.high < first.low

    def _bounds(self, binder: ir.Binder) -> Int:
        """Between which bounds a number lies."""
        source = binder.source
        while isinstance(source, ir.Fold) and source.op == "each" and source.body is None:
            source = source.source
        match source:
            case None if binder.value is not None:
                low = high = self.ranges.of(binder.value)
            case ir.Interval(low=least, high=greatest):
                low, high = self.ranges.of(least), self.ranges.of(greatest)
            case _:
                low = high = None
        return Int(-LARGEST if low is None else low.low, LARGEST if high is None else high.high)


def _with_sources(case: ir.Case, found: tuple[Slot, ir.Expr] | None) -> ir.Case:
    """A case whose binders range over what was found, not over the local that keeps it."""
    if found is None:
        return case
    kept, source = ir.Local(found[0]), found[1]
    binders = [replace(one, source=source) if one.source == kept else one for one in case.binders]
    return replace(case, binders=tuple(binders))


def _is_nothing(value: ir.Expr | None) -> bool:
    return isinstance(value, ir.Const) and value.value is ir.NOTHING
