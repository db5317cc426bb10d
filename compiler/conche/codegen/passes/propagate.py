"""Uses what was just set instead of reading it again.

Input: a program. Output: a program in which a variable that was set to a local or a literal is read as that,
until something may have changed it; and in which locals that only ever stand for a literal are gone."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from conche.codegen import ir
from conche.codegen.effects import Effects
from conche.codegen.ir_walk import is_simple, locals_read, rebuild, substitute, walk
from conche.semantics.rulebook import Slot

Known = dict[str, ir.Expr]


def propagate(program: ir.Program) -> ir.Program:
    """The pass."""
    program = _drop_literals(program)
    forward = _Forward(Effects(program))
    return replace(
        program,
        functions=tuple(
            replace(function, body=forward.ops(function.body, {})) for function in program.functions
        ),
        blocks=tuple(replace(block, run=forward.run(block.run, {})) for block in program.blocks),
        decisions=tuple(
            replace(decision, otherwise=forward.run(decision.otherwise, {})) for decision in program.decisions
        ),
    )


def _drop_literals(program: ir.Program) -> ir.Program:
    """Locals set in one place alone, to a literal."""
    times: Counter[Slot] = Counter()
    values: dict[Slot, ir.Expr] = {}
    for node in walk((program.functions, program.blocks, program.decisions)):
        match node:
            case ir.Let(slot=slot, value=value, bounds=bounds):
                times[slot] += 1
                if isinstance(value, ir.Const) and bounds is None:
                    values[slot] = value
            case ir.For(slot=slot) | ir.Pick(slot=slot) | ir.ZoneDraw(slot=slot):
                times[slot] += 1
            case _:
                pass
    for params in (*(f.params for f in program.functions), *(b.params for b in program.blocks)):
        times.update(params)
    for decision in program.decisions:
        times.update(binder.slot for case in decision.cases for binder in case.binders)
    literals = {
        slot: value for slot, value in values.items() if times[slot] == 1 and slot not in program.saved
    }
    if not literals:
        return program

    def change(node: Any) -> Any:
        match node:
            case ir.Function():
                return replace(node, body=_without(node.body, literals))
            case ir.Run():
                return replace(node, ops=_without(node.ops, literals))
            case ir.If():
                return replace(
                    node, then=_without(node.then, literals), otherwise=_without(node.otherwise, literals)
                )
            case ir.For() | ir.While():
                return replace(node, body=_without(node.body, literals))
            case ir.Select():
                return replace(node, arms=tuple((codes, _without(ops, literals)) for codes, ops in node.arms))
            case _:
                return node

    return substitute(rebuild(program, change), literals)


def _without(ops: tuple[ir.Op, ...], literals: dict[Slot, ir.Expr]) -> tuple[ir.Op, ...]:
    return tuple(op for op in ops if not (isinstance(op, ir.Let) and op.slot in literals))


class _Forward:
    """Goes through operations in order. `known`: what variables of the game were set to."""

    def __init__(self, effects: Effects) -> None:
        self.effects = effects

    def run(self, run: ir.Run, known: Known) -> ir.Run:
        known = dict(known)
        ops = self.ops(run.ops, known)
        end = run.end
        match end:
            case ir.Branch():
                condition = self._read(end.condition, known)
                end = replace(
                    end, condition=condition, yes=self.run(end.yes, known), no=self.run(end.no, known)
                )
            case ir.Switch():
                arms = tuple((codes, self.run(arm, known)) for codes, arm in end.arms)
                end = replace(end, subject=self._read(end.subject, known), arms=arms)
            case _:
                pass
        return ir.Run(ops, end)

    def ops(self, ops: tuple[ir.Op, ...], known: Known) -> tuple[ir.Op, ...]:
        """Changes `known` as the operations do."""
        return tuple(self._op(op, known) for op in ops)

    def _op(self, op: ir.Op, known: Known) -> ir.Op:
        match op:
            case ir.If():
                condition = self._read(op.condition, known)
                then, otherwise = dict(known), dict(known)
                op = replace(
                    op,
                    condition=condition,
                    then=self.ops(op.then, then),
                    otherwise=self.ops(op.otherwise, otherwise),
                )
                self._forget(op, known)
                return op
            case ir.Select():
                subject = self._read(op.subject, known)
                arms = tuple((codes, self.ops(inner, dict(known))) for codes, inner in op.arms)
                op = replace(op, subject=subject, arms=arms)
                self._forget(op, known)
                return op
            case ir.For():
                source = self._read(op.source, known)
                self._forget(op, known)
                return replace(op, source=source, body=self.ops(op.body, dict(known)))
            case ir.While():
                self._forget(op, known)
                condition = None if op.condition is None else self._read(op.condition, known)
                return replace(op, condition=condition, body=self.ops(op.body, dict(known)))
            case _:
                op = self._read(op, known)
                self._forget(op, known)
                if (
                    isinstance(op, ir.Store)
                    and op.index is None
                    and op.bounds is None
                    and is_simple(op.value)
                ):
                    known[op.slot] = op.value
                return op

    def _read(self, node: Any, known: Known) -> Any:
        if not known:
            return node
        return rebuild(node, lambda part: known.get(part.slot, part) if isinstance(part, ir.Global) else part)

    def _forget(self, op: ir.Op, known: Known) -> None:
        changed = self.effects.of(op)
        for name, value in list(known.items()):
            if name in changed or locals_read(value) & changed:
                del known[name]
