"""Prints the code of blocks: a straight run and its end.

Input: a run of the engine IR. Output: lines of a function that gives the next block, or None where the state waits.
"""

from __future__ import annotations

from conche.codegen import ir
from conche.codegen.print_ops import Body


def print_run(body: Body, run: ir.Run) -> None:
    """The operations, then where to go."""
    for op in run.ops:
        body.op(op)
    end = run.end
    body.mark = end.mark
    names = body.names
    match end:
        case ir.Goto(block=block):
            body.put(f"return {names.blocks[block]}")
        case ir.Branch(condition=condition, yes=yes, no=no):
            if _is_long(yes) and not _is_long(no):
                condition, yes, no = ir.Not(condition), no, yes
            body.put(f"if {body.text(condition)}:")
            _nested(body, yes)
            print_run(body, no)
        case ir.Switch(subject=subject, arms=arms):
            for codes, arm in arms:
                body.mark = end.mark
                body.put(f"if {body.text(ir.OneOf(subject, codes))}:")
                _nested(body, arm)
            body.mark = end.mark
            body.fault("there is no case for this")
        case ir.Decide(decision=decision):
            body.put(f"return ask_{names.decisions[decision]}(state)")
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


def _nested(body: Body, run: ir.Run) -> None:
    body.indent += 1
    body.expressions.depth += 1
    print_run(body, run)
    body.expressions.depth -= 1
    body.indent -= 1


def _is_long(run: ir.Run) -> bool:
    """Whether code is better not indented: it goes on after operations, or branches."""
    return bool(run.ops) or isinstance(run.end, ir.Branch | ir.Switch)
