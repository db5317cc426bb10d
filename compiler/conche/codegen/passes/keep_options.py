"""Keeps what was worked out to count options as long as the state waits.

Input: a program. Output: a program in which a decision whose argument ranges over something that must be
looked for looks for it once.
Invariants: only what is made anew each time is kept, since it must not change while the state waits; a set
that is kept up to date is at hand anyway. Where several choose at once, nothing is
kept: each has options of his own. Nothing that a guard of the case might forbid to evaluate is evaluated."""

from __future__ import annotations

from dataclasses import replace

from conche.codegen import ir
from conche.codegen.ir_walk import locals_read, rebuild
from conche.semantics.rulebook import Slot

FIRST = 5_000_000


def keep_options(program: ir.Program) -> ir.Program:
    """The pass."""
    decisions = tuple(_keep(decision, number) for number, decision in enumerate(program.decisions))
    return replace(program, decisions=decisions)


def _keep(decision: ir.Decision, number: int) -> ir.Decision:
    case = decision.cases[0]
    own = {binder.slot for binder in case.binders}
    if decision.found is not None or decision.listed or case.guard is not None:
        return decision
    if decision.at_once is not None:
        return decision
    for binder in case.binders:
        source = binder.source
        if isinstance(source, ir.Fold | ir.Distinct | ir.Concat) and not locals_read(source) & own:
            slot = Slot("", FIRST + number, "found", source.type)
            return replace(decision, found=(slot, source), cases=_with(decision.cases, source, slot))
    return decision


def _with(cases: tuple[ir.Case, ...], source: ir.Expr, slot: Slot) -> tuple[ir.Case, ...]:
    return rebuild(cases, lambda node: ir.Local(slot) if node == source else node)
