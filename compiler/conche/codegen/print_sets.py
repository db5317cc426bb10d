"""Prints the upkeep of maintained sets.

Input: the maintained sets of a program. Output: the lines that keep them when a piece is put, and make them
anew.
Invariants: a set is a list in order and a flag for each cell, or, where there is one for each seat, a list in
order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from conche.codegen import ir
from conche.codegen.ir_walk import substitute
from conche.codegen.passes.fold_constants import FALSE, TRUE
from conche.codegen.print_expressions import Module
from conche.codegen.print_ops import Body
from conche.semantics.rulebook import Slot


def reads_neighbours(kept: ir.MaintainedSet) -> bool:
    """Whether a piece can change the membership of the spaces beside it."""
    return any(upkeep.near is not None for upkeep in kept.upkeep)


def print_updates(body: Body, sets: Sequence[ir.MaintainedSet], at: str) -> None:
    """Everything about one space, and those beside it, is worked out anew."""
    module = body.module
    for kept in sets:
        update = module.names.updates[kept.slot]
        body.put(f"{update}(state, {at})")
        if reads_neighbours(kept):
            around = body.expressions.table(f"{kept.board}.around")
            near = body.scope.give("near")
            body.put(f"for {near} in {around}[{at}]:")
            body.indent += 1
            body.put(f"{update}(state, {near})")
            body.indent -= 1


def print_upkeep(body: Body, kept: ir.MaintainedSet, piece: str, space: Slot) -> None:
    """What a piece of a type changes that has come on an empty space."""
    upkeep = next(upkeep for upkeep in kept.upkeep if upkeep.piece == piece)
    here = ir.Local(space)
    if upkeep.here is not None:
        _set_membership(
            body, kept, substitute(upkeep.here, {kept.space: here}), body.expressions.local(space), True
        )
    if upkeep.near is not None:
        around = body.expressions.table(f"{kept.board}.around")
        near = Slot("", -20, "near", kept.space.type)
        name = body.expressions.bind(near)
        body.put(f"for {name} in {around}[{body.expressions.local(space)}]:")
        body.indent += 1
        body.expressions.depth += 1
        if kept.key is not None:
            body.put(f"{body.module.names.updates[kept.slot]}(state, {name})")
        else:
            condition = substitute(upkeep.near, {kept.space: ir.Local(near)})
            _set_membership(body, kept, condition, body.expressions.local(near), False)
        body.expressions.depth -= 1
        body.indent -= 1


def _set_membership(body: Body, kept: ir.MaintainedSet, condition: ir.Expr, at: str, was_empty: bool) -> None:
    """Adds a space to a set or takes it out."""
    if kept.key is not None:
        _add_to_seat(body, kept, condition, at, was_empty)
        return
    has, spaces = body.expressions.slot(kept.slot, "_has"), body.expressions.slot(kept.slot)
    insort = body.module.runtime("insort")

    def add() -> None:
        body.put(f"{has}[{at}] = 1")
        body.put(f"{insort}({spaces}, {at})")

    def remove() -> None:
        body.put(f"{has}[{at}] = 0")
        body.put(f"{spaces}.remove({at})")

    if condition == FALSE:
        _under(body, f"if {has}[{at}]:", remove)
    elif condition == TRUE:
        _under(body, f"if not {has}[{at}]:", add)
    else:
        body.put(f"if {body.condition(condition)}:")
        body.indent += 1
        _under(body, f"if not {has}[{at}]:", add)
        body.indent -= 1
        _under(body, f"elif {has}[{at}]:", remove)


def _under(body: Body, head: str, fill: Callable[[], None]) -> None:
    body.put(head)
    body.indent += 1
    fill()
    body.indent -= 1


def _add_to_seat(body: Body, kept: ir.MaintainedSet, condition: ir.Expr, at: str, was_empty: bool) -> None:
    """Into the set of the seat that a table gives for the space's top code."""
    assert kept.key is not None
    assert was_empty
    spaces = body.expressions.slot(kept.slot)
    tops = body.expressions.slot(f"board.{kept.board}")
    if condition == FALSE:
        return
    if condition != TRUE:
        body.put(f"if {body.condition(condition)}:")
        body.indent += 1
    seat = body.scope.give("seat")
    body.put(f"{seat} = {body.expressions.table(kept.key)}[{tops}[{at}]]")
    body.put(f"{body.module.runtime('insort')}({spaces}[{seat}], {at})")
    if condition != TRUE:
        body.indent -= 1


def update_function(module: Module, function: Callable[..., Any], kept: ir.MaintainedSet) -> Any:
    """Works out anew whether a space belongs to a set."""
    space = Slot("", -10, "space", kept.space.type)

    def fill(body: Body) -> None:
        at = body.expressions.local(space)
        condition = substitute(kept.holds, {kept.space: ir.Local(space)})
        if kept.key is None:
            _set_membership(body, kept, condition, at, False)
            return
        spaces = body.expressions.slot(kept.slot)
        body.put(f"for among in {spaces}:")
        body.indent += 1
        body.put(f"if {at} in among:")
        body.indent += 1
        body.put(f"among.remove({at})")
        body.indent -= 2
        _add_to_seat(body, kept, condition, at, True)

    comment = f"whether a space belongs to {kept.name}"
    return function(comment, module.names.updates[kept.slot], (space,), "None", fill)


def print_refresh(body: Body) -> None:
    """All sets, from what lies on the boards."""
    module = body.module
    if not module.layout.sets:
        body.put("del state")
        return
    spaces_of = module.runtime("spaces_of")
    for kept in module.layout.sets:
        name = module.names.slots[kept.slot]
        if kept.key is not None:
            body.put(f"state.{name} = [[] for _ in range(state.players)]")
        else:
            body.put(f"state.{name} = []")
            body.put(f"state.{name}_has = bytearray({module.names.grids[kept.board]}.size)")
    for grid in module.layout.grids:
        sets = [kept for kept in module.layout.sets if kept.board == grid.name]
        if sets:
            tops = f"state.{module.names.slots[grid.slot]}"
            body.put(f"for space in {spaces_of}({tops}, {module.names.grids[grid.name]}):")
            body.indent += 1
            for kept in sets:
                body.put(f"{module.names.updates[kept.slot]}(state, space)")
            body.indent -= 1
