"""How many options a case has: a product, of which only what depends on earlier arguments is summed up.

Input: the binders and guard of a case. Output: a `Plan`, and for any binder the factors of what follows it.
Invariants: options are the binders' nested loops, the first outermost. Binders that depend on no other are
multiplied, never walked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from conche.codegen import ir
from conche.codegen.ir_walk import locals_read, substitute
from conche.semantics.rulebook import Slot
from conche.semantics.types import Int

_NUMBER = Int(-(2**53), 2**53)
_ONE = ir.Const(1, Int(1, 1))


@dataclass(frozen=True, slots=True)
class Factor:
    """A part of a product that counts options; `deps`: the binders it depends on."""

    deps: frozenset[Slot]
    expr: ir.Expr


@dataclass(frozen=True, slots=True)
class Plan:
    """Binders, the computed ones put into what speaks of them. `sources`: those that range, with what
    over."""

    sources: tuple[tuple[Slot, ir.Expr], ...]
    values: dict[Slot, ir.Expr]
    late_guard: ir.Expr | None

    def factors(self, start: int) -> list[Factor]:
        """How many options there are from binder `start` on, as a product."""
        slots = {slot for slot, _ in self.sources}
        if start == len(self.sources):
            if self.late_guard is None:
                return []
            deps = frozenset(locals_read(self.late_guard) & slots)
            return [Factor(deps, ir.Cond(self.late_guard, _ONE, ir.Const(0, _NUMBER), _NUMBER))]
        slot, source = self.sources[start]
        rest = self.factors(start + 1)
        dependent = [factor for factor in rest if slot in factor.deps]
        others = [factor for factor in rest if slot not in factor.deps]
        deps = frozenset(locals_read(source) & slots)
        if not dependent:
            return [Factor(deps, ir.Size(source, _NUMBER)), *others]
        deps = deps.union(*(factor.deps for factor in dependent)) - {slot}
        where = None
        counted = list(dependent)
        if self.late_guard is not None and counted[-1].expr == self.indicator():
            where = self.late_guard
            counted.pop()
        if counted:
            total: ir.Expr = ir.Fold("sum", product(counted), slot, source, where, _NUMBER)
        else:
            total = ir.Fold("count", None, slot, source, where, _NUMBER)
        return [Factor(deps, total), *others]

    def indicator(self) -> ir.Expr | None:
        if self.late_guard is None:
            return None
        return ir.Cond(self.late_guard, _ONE, ir.Const(0, _NUMBER), _NUMBER)


def plan_of(binders: Sequence[ir.Binder], late_guard: ir.Expr | None) -> Plan:
    """How the options of a case come about."""
    values: dict[Slot, ir.Expr] = {}
    sources: list[tuple[Slot, ir.Expr]] = []
    for binder in binders:
        if binder.source is not None:
            sources.append((binder.slot, substitute(binder.source, values)))
        else:
            assert binder.value is not None
            values[binder.slot] = substitute(binder.value, values)
    guard = None if late_guard is None else substitute(late_guard, values)
    return Plan(tuple(sources), values, guard)


def count_of(binders: Sequence[ir.Binder], late_guard: ir.Expr | None) -> ir.Expr:
    """How many options there are."""
    return product(plan_of(binders, late_guard).factors(0))


def product(factors: list[Factor]) -> ir.Expr:
    found: ir.Expr | None = None
    for factor in factors:
        found = factor.expr if found is None else ir.Arith("*", found, factor.expr, _NUMBER)
    return _ONE if found is None else found
