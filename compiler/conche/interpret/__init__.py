"""The reference interpreter: the meaning of the rules, slow and plain.

Purpose: plays an action graph node by node. Input: an `ActionGraph`. Output: an engine as in
`conche_runtime.interface`. Generated engines must give the same traces.

    position.py   what is on the table and where the rules stand, as plain data
    book.py       look-ups in the rules
    evaluate.py   what an expression is worth
    execute.py    what a statement changes; chance.py the outcomes it needs
    options.py    what may be chosen
    machine.py    what comes next
    decisions.py  who is asked, and what is kept where all choose at once
    state.py      the interface; its larger parts: show.py, asked.py, sample.py, rechoose.py, given.py,
                  saves.py
"""

from conche.interpret.given import Given
from conche.interpret.options import InterpreterMove
from conche.interpret.state import Interpreter, InterpreterState

__all__ = ["Given", "Interpreter", "InterpreterMove", "InterpreterState"]
