"""First values anew: variables that begin again whenever a step begins.

Input: a composed rulebook, whose variables name such steps. Output: the same with statements at the front of
these steps: first the variables of the game, then those of players, then those of kinds, by name.
Invariants: a rulebook without such variables is given back as it is.
"""

from __future__ import annotations

from dataclasses import replace

from conche.semantics import rulebook as rb
from conche.semantics.types import EnumT, KindT, PlayerT, SetT
from conche.semantics.walk import walk

_OWNERS = ("game", "player", "kind")


def with_resets(book: rb.Rulebook) -> rb.Rulebook:
    by_step: dict[str, list[rb.Var]] = {}
    for _, var in sorted(book.variables.items()):
        if var.anew in book.steps:
            by_step.setdefault(var.anew, []).append(var)
    if not by_step:
        return book
    steps = dict(book.steps)
    for name, variables in by_step.items():
        step = steps[name]
        steps[name] = replace(step, body=(*_resets(book, step, variables), *step.body))
    return replace(book, steps=steps)


def _resets(book: rb.Rulebook, step: rb.Step, variables: list[rb.Var]) -> tuple[rb.Stmt, ...]:
    owner = f"step.{step.name}"
    numbers = [slot.number for slot in walk((step.params, step.body)) if isinstance(slot, rb.Slot)]
    free = max(numbers, default=-1) + 1
    groups: dict[tuple[int, str], list[rb.Var]] = {}
    for var in variables:
        groups.setdefault((_OWNERS.index(var.owner), var.of or ""), []).append(var)
    result: list[rb.Stmt] = []
    for (_, of), several in sorted(groups.items()):
        span, kind = several[0].span, several[0].owner
        if kind == "game":
            result += [_reset(var, rb.GlobalVar(var.name, var.type, var.span)) for var in several]
            continue
        element = PlayerT() if kind == "player" else EnumT(of) if of in book.enums else KindT(of)
        slot = rb.Slot(owner, free, "each_one", element)
        free += 1
        own = rb.Local(slot, element, span)
        source: rb.Expr
        if kind == "player":
            source = rb.Players(SetT(element), span)
            body = [_reset(var, rb.PlayerVar(var.name, own, var.type, var.span)) for var in several]
        else:
            source = rb.Members(of, SetT(element), span)
            body = [_reset(var, rb.KindVar(var.name, own, var.type, var.span)) for var in several]
        result.append(rb.ForEach(slot, source, tuple(body), span, ()))
    return tuple(result)


def _reset(var: rb.Var, place: rb.Place) -> rb.Stmt:
    assert var.initial is not None, "a variable without a first value has none anew"
    return rb.SetPlace(place, var.initial, var.span, ())
