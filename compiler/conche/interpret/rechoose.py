"""What others have chosen at once and not shown, chosen anew.

Purpose: the part of `sample` that concerns choices. Input: a position and the player whose knowledge counts.
Output: the position changed. Invariants: what the player chose, and what all have been shown, stays.

While all choose, a choice is kept at the loop; what was chosen `secretly` is remembered afterwards
(`decisions`). A variable that such a choice set is set again from another option, as they are now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from conche.graph.model import at_once, choose_of
from conche.interpret.decisions import Program, kept_in
from conche.interpret.evaluate import Evaluator, slot_key
from conche.interpret.execute import Executor
from conche.interpret.machine import Machine
from conche.interpret.options import bind, options_of
from conche.interpret.position import Position, Value
from conche.semantics.rulebook import EachPlayer, SetPlace

Pick = Callable[[int], int]
"""A number below another one, by chance."""


def choose_anew(program: Program, position: Position, player: int, pick: Pick) -> None:
    """What the player has not been shown."""
    graph = program.graph
    node = graph.node(position.node)
    if at_once(node):
        machine = Machine(program, position)
        kept: list[Value] = []
        for seat, case, values in kept_in(position, node.id):
            options = machine.options(seat) if case >= 0 and seat != player else []
            if options:
                option = options[pick(len(options))]
                kept.append((seat, option.case, option.values))
            else:
                kept.append((seat, case, values))
        position.loops[node.id] = tuple(kept)
    for choice in graph.secret_choices:
        if choice in position.loops:
            _set_anew(program, position, choice, player, pick)


def _set_anew(program: Program, position: Position, choice: str, player: int, pick: Pick) -> None:
    node = program.graph.node(choice)
    choose, loop = choose_of(node), program.graph.node(node.parent or "").owns
    assert isinstance(loop, EachPlayer)
    evaluator = Evaluator(program.book, position)
    executor = Executor(evaluator, None, None, program.graph)
    locals_ = dict(position.locals)
    for seat, before in _by_seat(position.loops[choice]):
        you = {slot_key(loop.slot): seat}
        options = [] if seat == player else options_of(choose, evaluator, you)
        if options:
            option = options[pick(len(options))]
            _put_back(position, seat, before)
            position.locals.update({**you, **bind(choose, option)})
            for stmt in choose.cases[option.case].body:
                assert isinstance(stmt, SetPlace)
                executor.execute(stmt)
    position.locals = locals_


def _by_seat(entries: Iterable[Value]) -> list[tuple[int, tuple[Value, ...]]]:
    """What is remembered of each one's choice, by seat: samples are the same in whatever order they chose."""
    found = []
    for entry in entries:
        assert isinstance(entry, tuple)
        seat, before = entry
        assert isinstance(seat, int)
        assert isinstance(before, tuple)
        found.append((seat, before))
    return sorted(found, key=lambda one: one[0])


def _put_back(position: Position, seat: int, before: Iterable[Value]) -> None:
    for entry in before:
        assert isinstance(entry, tuple)
        name, was_set, value = entry
        assert isinstance(name, str)
        if was_set:
            position.variables[name, seat] = value
        else:
            position.variables.pop((name, seat), None)
