"""Keeps what was worked out to count options as long as the state waits.

Input: a program. Output: a program in which a decision whose argument ranges over something that must be
looked for looks for it once; where each value must pass a guard, that too is asked once.
Invariants: only what is made anew each time is kept, since it must not change while the state waits; a set
that is kept up to date is at hand anyway. Where several choose at once, nothing is
kept: each has options of his own. Nothing that a guard of the case might forbid to evaluate is evaluated."""

from __future__ import annotations

from dataclasses import replace

from conche.codegen import ir
from conche.codegen.ir_walk import locals_read, rebuild
from conche.codegen.options import plan_of
from conche.semantics.intervals import MANY
from conche.semantics.rulebook import Slot
from conche.semantics.types import Int

FIRST = 5_000_000


def keep_options(program: ir.Program) -> ir.Program:
    """The pass."""
    counted = {zone.slot for zone in program.layout.zones if zone.storage != "row"}
    decisions = tuple(_keep(decision, number, counted) for number, decision in enumerate(program.decisions))
    return replace(program, decisions=decisions)


def _keep(decision: ir.Decision, number: int, counted: set[str]) -> ir.Decision:
    case = decision.cases[0]
    own = {binder.slot for binder in case.binders}
    if decision.found is not None or decision.listed or case.guard is not None:
        return decision
    if decision.at_once is not None:
        return decision
    alone = _only_source(case)
    if alone is not None:
        return _kept_alone(decision, alone, number, counted)
    for binder in case.binders:
        source = binder.source
        if isinstance(source, ir.Fold | ir.Distinct | ir.Concat) and not locals_read(source) & own:
            slot = Slot("", FIRST + number, "found", source.type)
            return replace(decision, found=(slot, source), cases=_with(decision.cases, source, slot))
    return decision


def _only_source(case: ir.Case) -> ir.Binder | None:
    """The binder that ranges, where one alone does."""
    ranging = [binder for binder in case.binders if binder.source is not None]
    return ranging[0] if len(ranging) == 1 else None


def _kept_alone(decision: ir.Decision, binder: ir.Binder, number: int, counted: set[str]) -> ir.Decision:
    """The values of the only argument that ranges."""
    case = decision.cases[0]
    plan = plan_of(case.binders, case.late_guard)
    ((slot, source),) = plan.sources
    found = source
    if plan.late_guard is not None:
        found = ir.Fold("each", None, slot, source, plan.late_guard, source.type)
    elif not _is_made(source, counted):
        return decision
    kept = Slot("", FIRST + number, "found", found.type)
    binders = tuple(replace(one, source=ir.Local(kept)) if one == binder else one for one in case.binders)
    count = ir.Size(ir.Local(kept), Int(0, MANY))
    first = replace(case, binders=binders, late_guard=None, count=count)
    return replace(decision, found=(kept, found), cases=(first, *_with(decision.cases[1:], found, kept)))


def _is_made(source: ir.Expr, counted: set[str]) -> bool:
    """Whether a sequence is made anew whenever it is asked for, and that costs something."""
    return isinstance(source, ir.Fold | ir.Distinct | ir.Concat) or (
        isinstance(source, ir.ZoneKinds) and source.zone in counted
    )


def _with(cases: tuple[ir.Case, ...], source: ir.Expr, slot: Slot) -> tuple[ir.Case, ...]:
    return rebuild(cases, lambda node: ir.Local(slot) if node == source else node)
