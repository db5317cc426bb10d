"""Which locals are read later: of a program, from a decision or a block on.

Input: a program with its saved locals. Output: `Liveness`.
Invariants: a local that is not live is never read before it is set; one that is live may be. What comes after
the end of a routine that is under way is left out: who asks knows where that leads. What comes after a call
made on the way is not.
"""

from __future__ import annotations

from conche.codegen import ir
from conche.codegen.allocate import exposed_in_ops, read_by, set_by_ops
from conche.codegen.ir_walk import locals_read
from conche.semantics.rulebook import Slot

Slots = frozenset[Slot]


class Liveness:
    """`blocks` and `decisions`: by id, the locals that are live when play comes there."""

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        self._decision = {decision.id: decision for decision in program.decisions}
        self.blocks: dict[str, Slots] = {block.id: frozenset() for block in program.blocks}
        self.decisions: dict[str, Slots] = {decision.id: frozenset() for decision in program.decisions}
        while self._once():
            pass

    def _once(self) -> bool:
        before = (dict(self.blocks), dict(self.decisions))
        for block in reversed(self._program.blocks):
            self.blocks[block.id] = self._run(block.run) - set(block.params)
        for decision in self._program.decisions:
            found = read_by(decision) | self._run(decision.otherwise)
            if decision.at_once is not None:
                # What was chosen is gone on with from there.
                found |= {decision.at_once.order} | self.blocks[decision.at_once.done]
            else:
                for case in decision.cases:
                    found |= self.blocks[case.block] - {binder.slot for binder in case.binders}
            self.decisions[decision.id] = frozenset(found)
        return before != (self.blocks, self.decisions)

    def _run(self, run: ir.Run) -> Slots:
        return frozenset(exposed_in_ops(run.ops)) | (self._end(run.end) - set_by_ops(run.ops))

    def _end(self, end: ir.End) -> Slots:
        match end:
            case ir.Branch(condition=condition, yes=yes, no=no):
                return frozenset(locals_read(condition)) | self._run(yes) | self._run(no)
            case ir.Switch(subject=subject, arms=arms):
                return frozenset(locals_read(subject)).union(*(self._run(arm) for _, arm in arms))
            case ir.Goto(block=block):
                return self.blocks[block]
            case ir.Into(block=block, back=back):
                return self.blocks[block] | self.blocks[back]
            case ir.Decide(decision=decision):
                return self.decisions[decision]
            case ir.Gather(decision=decision):
                at_once = self._decision[decision].at_once
                return self.decisions[decision] - ({at_once.order} if at_once is not None else set())
            case ir.TakeKept(decision=decision, seat=seat):
                cases = self._decision[decision].cases
                taken = (self.blocks[case.block] - {one.slot for one in case.binders} for case in cases)
                return frozenset(locals_read(seat)).union(*taken)
            case _:
                return frozenset()
