"""Asks once whether a player is still in.

Input: a program. Output: a program in which that is not asked again of the player in a local, where the
answer is known: after a branch that asked it, and in a loop over players still in whose body eliminates
nobody.
Invariants: an answer is known until somebody may be out, or the local may be another player."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from conche.codegen import ir
from conche.codegen.effects import OUT, Effects
from conche.codegen.ir_walk import rebuild
from conche.codegen.passes.fold_constants import TRUE, fold_constants
from conche.semantics.rulebook import Slot


def know_who_is_in(program: ir.Program) -> ir.Program:
    """The pass."""
    if not program.eliminates:
        return program
    effects = Effects(program)

    def change(node: Any) -> Any:
        match node:
            case ir.Branch(condition=ir.StillIn(seat=ir.Local(slot=slot)), yes=yes):
                return replace(node, yes=_run(yes, slot, effects))
            case ir.For(slot=slot, source=source, body=body) if _all_in(source):
                stays = OUT not in effects.of(body) and slot not in effects.of(body)
                return replace(node, body=_known(body, slot)) if stays else node
            case _:
                return node

    return fold_constants(rebuild(program, change))


def _all_in(source: ir.Expr) -> bool:
    """Whether a sequence holds players still in, and nobody else."""
    match source:
        case ir.PlayersIn() | ir.Clockwise():
            return True
        case ir.Fold(op="sorted", source=inner) | ir.Fold(op="each", body=None, source=inner):
            return _all_in(inner)
        case _:
            return False


def _run(run: ir.Run, slot: Slot, effects: Effects) -> ir.Run:
    """Code before which a player is still in."""
    changed = effects.of(run.ops)
    if OUT in changed or slot in changed:
        return run
    return ir.Run(_known(run.ops, slot), _end(run.end, slot, effects))


def _end(end: ir.End, slot: Slot, effects: Effects) -> ir.End:
    match end:
        case ir.Branch(condition=condition, yes=yes, no=no):
            then, otherwise = _run(yes, slot, effects), _run(no, slot, effects)
            return ir.Branch(_known(condition, slot), then, otherwise, end.mark)
        case ir.Switch(arms=arms):
            return replace(end, arms=tuple((codes, _run(arm, slot, effects)) for codes, arm in arms))
        case _:
            return end


def _known(node: Any, slot: Slot) -> Any:
    """A node in which the player is still in."""
    return rebuild(node, lambda part: TRUE if part == ir.StillIn(ir.Local(slot)) else part)
