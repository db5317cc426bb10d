"""Typed statements as text: part of `dump`.

Purpose: shows a body of the rulebook close to the way it is written.
Input: statements. Output: indented lines.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from conche.semantics import rulebook as rb
from conche.semantics.show_expressions import show, show_slot


def show_block(statements: Iterable[rb.Stmt], indent: str = "  ") -> list[str]:
    """The lines of a body."""
    lines: list[str] = []
    for statement in statements:
        first, *rest = _statement(statement)
        cites = "".join(f" §{cite}" for cite in statement.cites)
        lines.append(f"{indent}{first}{cites}")
        lines += [indent + line for line in rest]
    return lines or [f"{indent}(nothing)"]


def _statement(node: rb.Stmt) -> list[str]:
    """The first line of a statement, and those below it."""
    match node:
        case rb.GainVar(player, var, amount, up_to):
            return [f"gain {_up_to(up_to)}{show(amount)} in {show(player)}.{var}"]
        case rb.GainPieces(_, zone, kind, amount, up_to):
            return [f"gain {_up_to(up_to)}{show(amount)} {show(kind)} in {show(zone)}"]
        case rb.PayVar(player, var, amount, to):
            return [f"pay {show(amount)} from {show(player)}.{var}{_to(to)}"]
        case rb.PayPieces(_, zone, kind, amount, to):
            return [f"pay {show(amount)} {show(kind)} from {show(zone)}{_to(to)}"]
        case rb.Put(items, zone):
            return [f"put {_items(items)} in {show(zone)}"]
        case rb.Take(items, zone):
            return [f"take {_items(items)} out of {show(zone)}"]
        case rb.Swap(old, new, zone):
            return [f"swap every {show(old)} for {show(new)} in {show(zone)}"]
        case rb.Move(kind, source, target, turned, under):
            turn = f" turned {show(turned)}" if turned is not None else ""
            return [
                f"move {show(kind)} from {show(source)} to {show(target)}{turn}{' under' if under else ''}"
            ]
        case rb.Draw(amount, up_to, source, target):
            return [f"draw {_up_to(up_to)}{show(amount)} from {show(source)} to {show(target)}"]
        case rb.Shuffle(zone):
            return [f"shuffle {show(zone)}"]
        case rb.SetPlace(target, value):
            return [f"set {show(target)} to {show(value)}"]
        case rb.AddTo(value, target):
            return [f"add {show(value)} to {show(target)}"]
        case rb.DropFrom(value, target):
            return [f"drop {show(value)} from {show(target)}"]
        case rb.Reveal(value, to):
            return [f"reveal {show(value)}{_to(to)}"]
        case rb.Look(player, amount, zone):
            return [f"{show(player)} looks at {show(amount)} of {show(zone)}"]
        case rb.Eliminate(player):
            return [f"eliminate {show(player)}"]
        case rb.Let(slot, value):
            return [f"let {show_slot(slot)} = {show(value)}"]
        case rb.Do(step, args):
            return [f"do {step}({', '.join(map(show, args))})"]
        case rb.DoAction(action, subject, args):
            return [f"do {action}[{show(subject)}]({', '.join(map(show, args))})"]
        case rb.Stop(target_name):
            return [f"stop {target_name}" if target_name else "stop"]
        case rb.EndGame():
            return ["end game"]
        case rb.If(condition, then, otherwise):
            lines = [f"if {show(condition)}", *show_block(then)]
            return [*lines, "else", *show_block(otherwise)] if otherwise else lines
        case rb.ForEach(slot, source_expr, body):
            return [f"for each {show_slot(slot)} in {show(source_expr)}", *show_block(body)]
        case rb.EachPlayer(slot, start, guard, body):
            at_once = f"{node.at_once} " if node.at_once else ""
            head = f"{at_once}each player {show_slot(slot)} from {show(start)}{_if(guard)}"
            return [head, *show_block(body)]
        case rb.Rounds(slot, start, guard, body):
            until = " until all pass" if node.until_pass else ""
            return [f"rounds for {show_slot(slot)} from {show(start)}{_if(guard)}{until}", *show_block(body)]
        case rb.While(loop_condition, body):
            condition_text = f" while {show(loop_condition)}" if loop_condition is not None else ""
            return [f"repeat{condition_text}", *show_block(body)]
        case rb.Times(times, body):
            return [f"repeat {show(times)} times", *show_block(body)]
        case rb.Choose():
            return _choose(node)
        case rb.Chance(name, slot, source_expr):
            return [f"chance {name}({show_slot(slot)} in {show(source_expr)})"]
        case _:
            assert_never(node)


def _if(guard: rb.Expr | None) -> str:
    return f" if {show(guard)}" if guard is not None else ""


def _up_to(up_to: bool) -> str:
    return "up to " if up_to else ""


def _to(to: rb.Expr | None) -> str:
    return f" to {show(to)}" if to is not None else ""


def _items(items: tuple[tuple[rb.Expr, rb.Expr], ...]) -> str:
    return ", ".join(f"{show(count)} {show(kind)}" for count, kind in items)


def _choose(node: rb.Choose) -> list[str]:
    lines = [f"{show(node.chooser)} chooses {node.name}"]
    for number, case in enumerate(node.cases):
        binders = ", ".join(map(_binder, case.binders))
        word = "pass" if node.passes and number == len(node.cases) - 1 else "case"
        head = f"  {word} {case.label or ''}({binders})"
        head += f" as {case.move}" if case.move is not None else ""
        head += f" if {show(case.guard)}" if case.guard is not None else ""
        head += f" where {show(case.late_guard)}" if case.late_guard is not None else ""
        lines.append(head + "".join(f" §{cite}" for cite in case.cites))
        if case.body:
            lines += show_block(case.body, "    ")
    if node.none is not None:
        lines += ["  none", *show_block(node.none, "    ")]
    elif node.passes:
        pass
    elif node.sure:
        lines.append("  (there is always an option)")
    else:
        lines.append("  always" + "".join(f" §{cite}" for cite in node.always))
    return lines


def _binder(binder: rb.Binder) -> str:
    if binder.source is not None:
        return f"{'for ' if binder.hidden else ''}{show_slot(binder.slot)} in {show(binder.source)}"
    return f"{show_slot(binder.slot)} = {show(binder.value) if binder.value is not None else '?'}"
