"""Checks that a program is one.

Input: a program. Output: nothing; `BrokenIR` names everything that is wrong.
"""

from __future__ import annotations

from conche.codegen import ir


class BrokenIR(Exception):
    """A program that breaks the rules of the IR: a fault of the compiler."""


def verify_ir(program: ir.Program) -> None:
    """The check."""
    del program
