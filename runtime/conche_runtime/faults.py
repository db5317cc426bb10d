"""From what goes wrong in a generated block to a `RulesError` with the line of the rules.

Generated code raises `Fault` where the rules forbid something, or fails by itself where something has no
value. The innermost frame of the generated module tells which line of it failed; `Game.lines` tells which
line of the rules that line was made of."""

from __future__ import annotations

from types import TracebackType
from typing import Final

from conche_runtime.errors import RulesError
from conche_runtime.layout import Game


class Fault(Exception):
    """The rules did what they forbid."""


FAULTS: Final = (Fault, LookupError, ArithmeticError, TypeError)


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
    """The line of the rules for the innermost line of the generated module that was made of one."""
    module = game.begin.__module__
    lines: list[int] = []
    while traceback is not None:
        if traceback.tb_frame.f_globals.get("__name__") == module:
            lines.append(traceback.tb_lineno)
        traceback = traceback.tb_next
    places = [entry.partition("=") for entry in game.lines.split()]
    for line in reversed(lines):
        place = ""
        for start, _, there in places:
            if int(start) > line:
                break
            place = there
        if place:
            name, _, number = place.rpartition(":")
            return name.replace("%20", " ") or game.default_file, int(number)
    return game.default_file, 1
