"""From what goes wrong in a generated block to a `RulesError` with the line of the rules.

Generated code raises `Fault` where the rules forbid something, or fails by itself where something has no value. The
innermost frame of the generated module tells which line of it failed; `Game.lines` tells which line of the rules that
line was made of.
"""

from __future__ import annotations

from types import TracebackType
from typing import Final

from conche_runtime.errors import RulesError
from conche_runtime.layout import Game


class Fault(Exception):
    """The rules did what they forbid."""


FAULTS: Final = (Fault, LookupError, ArithmeticError, TypeError)


def out_of_bounds(name: str, value: object, low: int, high: int) -> Fault:
    return Fault(f"'{name}' would become {value}, but it must be {low}..{high}")


def rules_error(game: Game, fault: BaseException) -> RulesError:
    """The error to raise for a fault."""
    file, line = _place(game, fault.__traceback__)
    match fault:
        case Fault():
            message = str(fault)
        case ZeroDivisionError():
            message = "a division by 0"
        case LookupError():
            message = "something is read that is not there"
        case _:
            message = f"the engine failed: {fault}"
    return RulesError(message, file, line)


def _place(game: Game, traceback: TracebackType | None) -> tuple[str, int]:
    """The line of the rules for the innermost line of the generated module."""
    module = game.begin.__module__
    generated = 0
    while traceback is not None:
        if traceback.tb_frame.f_globals.get("__name__") == module:
            generated = traceback.tb_lineno
        traceback = traceback.tb_next
    file, line = game.default_file, 1
    for entry in game.lines.split():
        start, _, place = entry.partition("=")
        if int(start) > generated:
            break
        name, _, number = place.rpartition(":")
        file, line = name or file, int(number)
    return file, line
