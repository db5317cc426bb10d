"""Prints the code of blocks: a straight run and its end.

Input: a run of the engine IR. Output: lines of a function that gives the next block, or None where the state
waits.
Invariants: a block that leads to itself is a loop, of as many turns as the run loop of the runtime would
take."""

from __future__ import annotations

from conche.codegen import ir
from conche.codegen.print_ops import Body


def print_block(body: Body, block: ir.Block) -> None:
    """The whole of a block."""
    if not _leads_to_itself(block.run, block.id):
        print_run(body, block.run, None)
        return
    body.mark = block.mark
    body.put(f"for _ in {body.module.runtime('TURNS')}:")
    body.indent += 1
    body.expressions.depth += 1
    print_run(body, block.run, block.id)
    body.expressions.depth -= 1
    body.indent -= 1
    body.mark = block.mark
    body.fault("the rules never come to another decision")


def _leads_to_itself(run: ir.Run, name: str) -> bool:
    """Whether its own code, not that of a decision in it, leads back to the block."""
    match run.end:
        case ir.Goto(block=block):
            return block == name
        case ir.Branch(yes=yes, no=no):
            return _leads_to_itself(yes, name) or _leads_to_itself(no, name)
        case ir.Switch(arms=arms):
            return any(_leads_to_itself(arm, name) for _, arm in arms)
        case _:
            return False


def print_run(body: Body, run: ir.Run, loop: str | None, *, last: bool = True) -> None:
    """The operations, then where to go. loop: the block around, which is gone on with by going round; last:
    nothing comes after this."""
    for op in run.ops:
        body.op(op)
    end = run.end
    body.mark = end.mark
    names = body.names
    match end:
        case ir.Goto(block=block) if block == loop:
            if not last or not run.ops:
                body.put("continue")
        case ir.Goto(block=block):
            body.put(f"return {names.blocks[block]}")
        case ir.Branch(condition=condition, yes=yes, no=no):
            if _is_long(yes) and not _is_long(no):
                condition, yes, no = ir.Not(condition), no, yes
            body.put(f"if {body.condition(condition)}:")
            _nested(body, yes, loop)
            print_run(body, no, loop, last=last)
        case ir.Switch(subject=subject, arms=arms):
            for codes, arm in arms:
                body.mark = end.mark
                body.put(f"if {body.text(ir.OneOf(subject, codes, None))}:")
                _nested(body, arm, loop)
            body.mark = end.mark
            body.fault("there is no case for this")
        case ir.Decide(decision=decision):
            body.put(f"return ask_{names.decisions[decision]}(state)")
        case ir.Gather(decision=decision):
            body.put(f"return ask_{names.decisions[decision]}(state)")
        case ir.TakeKept(decision=decision, seat=seat):
            body.put(f"return take_{names.decisions[decision]}(state, {body.text(seat)})")
        case ir.Back(routine=routine):
            body.put(f"after = state.{names.returns[routine]}")
            body.put(f"state.{names.returns[routine]} = None")
            body.put("return after")
        case ir.Into(routine=routine, block=block, back=back):
            body.put(f"state.{names.returns[routine]} = {names.blocks[back]}")
            body.put(f"return {names.blocks[block]}")
        case ir.Over():
            body.put(f"state.at = {body.module.runtime('OVER')}")
            body.put("state.options = 0")
            body.put("return None")
        case ir.Dead():
            pass


def _nested(body: Body, run: ir.Run, loop: str | None) -> None:
    body.indent += 1
    body.expressions.depth += 1
    print_run(body, run, loop, last=False)
    body.expressions.depth -= 1
    body.indent -= 1


def _is_long(run: ir.Run) -> bool:
    """Whether code is better not indented: it goes on after operations, or branches."""
    return bool(run.ops) or isinstance(run.end, ir.Branch | ir.Switch)
