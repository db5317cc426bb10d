"""What expressions read and operations change.

Input: expressions, operations. Output: sets of things: slots of the state, `stack:<board>` for what lies on a
board, `local:<slot>` for locals.
Invariants: errs on the side of more.
"""

from __future__ import annotations

from typing import TypeAlias

from conche.codegen import ir
from conche.codegen.ir_walk import walk

Things: TypeAlias = frozenset[object]
ANYTHING = "anything"
OUT = "out"
"""Who is out."""


def reads(node: object) -> Things:
    """What is read when something is evaluated; queries read anything."""
    found: set[object] = set()
    for part in walk(node):
        match part:
            case ir.Local(slot=slot):
                found.add(slot)
            case ir.Global(slot=name) | ir.Item(slot=name):
                found.add(name)
            case (
                ir.ZoneSize(zone=name)
                | ir.ZoneHolds(zone=name)
                | ir.ZoneKinds(zone=name)
                | ir.ZoneItems(zone=name)
                | ir.LowestCopy(zone=name)
            ):
                found.add(name)
            case ir.PlayersIn() | ir.PlayersLeft() | ir.StillIn() | ir.Clockwise() | ir.NextSeat():
                found.add(OUT)
            case ir.Top(board=board) | ir.Height(board=board) | ir.Spaces(board=board):
                found.add(f"board.{board}")
            case ir.Kept() | ir.KeptHas() | ir.Ask() | ir.ScoreTotal() | ir.Running() | ir.FreeCopy():
                found.add(ANYTHING)
            case _:
                pass
    return frozenset(found)


class Effects:
    """What operations change, those of called functions too."""

    def __init__(self, program: ir.Program) -> None:
        self._functions = {function.id: function for function in program.functions}
        self._known: dict[str, Things] = {}

    def of(self, node: object) -> Things:
        """Everything that is changed by operations within."""
        found: set[object] = {ANYTHING}
        for part in walk(node):
            match part:
                case ir.Let(slot=slot) | ir.For(slot=slot) | ir.Pick(slot=slot):
                    found.add(slot)
                case ir.ZoneDraw(slot=slot, zone=zone, known=known):
                    found |= {slot, zone, known}
                case ir.Eliminate():
                    found.add(OUT)
                case ir.Store(slot=name):
                    found.add(name)
                case (
                    ir.ZoneAdd(zone=zone)
                    | ir.ZoneLook(zone=zone)
                    | ir.ZoneShuffle(zone=zone)
                    | ir.ZoneSwap(zone=zone)
                    | ir.ZoneClear(zone=zone)
                ):
                    found.add(zone)
                case ir.ZoneRemove(zone=zone, known=known):
                    found |= {zone, known}
                case ir.ZoneSwapCopies(zone=zone, carried=carried):
                    found |= {zone, carried}
                case ir.PutPiece(board=board):
                    found.add(f"board.{board}")
                case ir.Call(function=name):
                    found |= self._function(name)
                case _:
                    pass
        return frozenset(found)

    def _function(self, name: str) -> Things:
        if name not in self._known:
            self._known[name] = frozenset()
            self._known[name] = self.of(self._functions[name].body)
        return self._known[name]
