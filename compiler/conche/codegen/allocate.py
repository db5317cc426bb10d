"""Finds the locals that must be slots of the state, and drops arguments that nobody reads.

Input: a program. Output: the program with `saved` and the `passes` and `params` of decisions' cases set.
Invariants: a local is saved when a block reads it before setting it, or a decision reads it; all others live
within one block. Idempotent; to be run last, since merging blocks leaves fewer locals to save."""

from __future__ import annotations

from dataclasses import replace

from conche.codegen import ir
from conche.codegen.ir_walk import locals_read
from conche.semantics.rulebook import Slot


def allocate(program: ir.Program) -> ir.Program:
    """The program with its saved locals."""
    saved: set[Slot] = set()
    exposed = {block.id: exposed_in(block.run) for block in program.blocks}
    for block in program.blocks:
        saved |= exposed[block.id] - set(block.params)
    for decision in program.decisions:
        saved |= read_by(decision) | exposed_in(decision.otherwise)
        if decision.at_once is not None:
            saved.add(decision.at_once.order)
    params: dict[str, tuple[Slot, ...]] = {}
    for decision in program.decisions:
        for case in decision.cases:
            wanted = exposed[case.block] | saved
            params[case.block] = tuple(
                dict.fromkeys(binder.slot for binder in case.binders if binder.slot in wanted)
            )
    return replace(
        program,
        saved=tuple(sorted(saved, key=lambda slot: (slot.owner, slot.number))),
        blocks=tuple(replace(block, params=params.get(block.id, ())) for block in program.blocks),
        decisions=tuple(
            replace(
                decision,
                cases=tuple(replace(case, passes=params[case.block]) for case in decision.cases),
            )
            for decision in program.decisions
        ),
    )


def read_by(decision: ir.Decision) -> set[Slot]:
    """The locals that a decision reads, its own binders left out."""
    found = set(locals_read(decision.chooser))
    kept: set[Slot] = set()
    if decision.found is not None:
        slot, value = decision.found
        kept.add(slot)
        found |= locals_read(value)
    for case in decision.cases:
        own = {binder.slot for binder in case.binders}
        parts = (case.guard, case.late_guard, case.count, *((b.source, b.value) for b in case.binders))
        found |= locals_read(parts) - own
    if decision.asking is not None:
        found |= locals_read(decision.asking.condition) - {decision.asking.seat}
    at_once = decision.at_once
    if at_once is not None:
        found |= locals_read((at_once.seats, at_once.guard))
        kept.add(at_once.seat)
    return found - kept


def exposed_in(run: ir.Run) -> set[Slot]:
    """The locals that code reads before it has set them."""
    return _run(run, frozenset())


def exposed_in_ops(ops: tuple[ir.Op, ...]) -> set[Slot]:
    """The same of operations alone."""
    return _ops(ops, frozenset())[0]


def set_by_ops(ops: tuple[ir.Op, ...]) -> frozenset[Slot]:
    """The locals that operations set on every way."""
    return _ops(ops, frozenset())[1]


def _run(run: ir.Run, known: frozenset[Slot]) -> set[Slot]:
    found, known = _ops(run.ops, known)
    match run.end:
        case ir.Branch(condition=condition, yes=yes, no=no):
            return found | (locals_read(condition) - known) | _run(yes, known) | _run(no, known)
        case ir.Switch(subject=subject, arms=arms):
            found |= locals_read(subject) - known
            for _, arm in arms:
                found |= _run(arm, known)
            return found
        case ir.TakeKept(seat=seat):
            return found | (locals_read(seat) - known)
        case _:
            return found


def _ops(ops: tuple[ir.Op, ...], known: frozenset[Slot]) -> tuple[set[Slot], frozenset[Slot]]:
    """The locals read too early, and those known afterwards."""
    found: set[Slot] = set()
    for op in ops:
        match op:
            case ir.Let(slot=slot, value=value):
                found |= locals_read(value) - known
                known |= {slot}
            case ir.Pick(slot=slot):
                found |= locals_read(op) - known
                known |= {slot}
            case ir.ZoneDraw(slot=slot, known=knew):
                found |= locals_read(op) - known
                known |= {slot} if knew is None else {slot, knew}
            case ir.ZoneRemove(known=knew) if knew is not None:
                found |= locals_read(op) - known
                known |= {knew}
            case ir.If(condition=condition, then=then, otherwise=otherwise):
                found |= locals_read(condition) - known
                first, after_first = _ops(then, known)
                second, after_second = _ops(otherwise, known)
                found |= first | second
                known = after_first & after_second
            case ir.Select(subject=subject, arms=arms):
                found |= locals_read(subject) - known
                after: list[frozenset[Slot]] = []
                for _, arm in arms:
                    inner, known_after = _ops(arm, known)
                    found |= inner
                    after.append(known_after)
                if after:
                    known = frozenset.intersection(*after)
            case ir.For(slot=slot, source=source, body=body):
                found |= locals_read(source) - known
                found |= _ops(body, known | {slot})[0]
            case ir.While(condition=loop_condition, body=body):
                found |= locals_read(loop_condition) - known
                found |= _ops(body, known)[0]
            case _:
                found |= locals_read(op) - known
    return found, known
