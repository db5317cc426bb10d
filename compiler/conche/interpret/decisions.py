"""Decisions: who is asked, what can be chosen, and what is kept where all choose at once.

Purpose: the part of the machine that concerns choices. Input: an action graph and a position. Output:
options, and the position changed by one that is taken. Invariants: nothing is kept outside the position.

Where all choose at once, the machine waits at the node that enters their loop until each of those who have
two or more options has chosen; what was chosen is kept at that node, and taken when the loop comes to the
choice. What was chosen `secretly` is remembered at the choice, with what the variables that its cases set
held before, until one of them is revealed or changed elsewhere: `sample` needs it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from conche.graph.model import OUT, ActionGraph, Node, at_once, choose_of
from conche.graph.private import touched_by
from conche.interpret.book import Book
from conche.interpret.evaluate import EMPTY, BrokenRuleError, Env, Evaluator, slot_key
from conche.interpret.execute import Effect, Executor
from conche.interpret.options import Option, bind, move_of, options_of, passes
from conche.interpret.position import Position, Value
from conche.semantics.rulebook import Choose, EachPlayer
from conche.source import Span
from conche_runtime.errors import RulesError
from conche_runtime.interface import ChanceSource, ChosenEvent, Event, ForcedEvent

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Program:
    """What is played: the graph and its rules."""

    graph: ActionGraph
    book: Book


class Decisions:
    """The choices of one position. `Machine` adds what comes between them."""

    def __init__(
        self,
        program: Program,
        position: Position,
        outside: ChanceSource | None = None,
        log: Callable[[Event], None] | None = None,
    ) -> None:
        self.graph = program.graph
        self.book = program.book
        self.position = position
        self.log = log
        self.evaluator = Evaluator(program.book, position)
        self.executor = Executor(self.evaluator, outside, log, self.graph)

    def to_act(self) -> tuple[int, ...]:
        """The seats that are asked now, in the order in which they are; none at the end."""
        if self.position.node == ActionGraph.END:
            return ()
        node = self.graph.node(self.position.node)
        if at_once(node):
            return tuple(seat for seat, case, _ in self.kept(node.id) if case < 0)
        return (guarded(lambda: self.evaluator.seat(choose_of(node).chooser), node.span),)

    def options(self, seat: int | None = None) -> list[Option]:
        """The options of one who is asked where the position stands, by default of the first."""
        node = self.graph.node(self.position.node)
        choose = choose_of(self.graph.choice(node.id))
        whose = self.to_act()[0] if seat is None else seat
        return guarded(lambda: options_of(choose, self.evaluator, self.whose(node, whose)), node.span)

    def whose(self, node: Node, seat: int) -> Env:
        """The loop's player, where all choose at once."""
        return {slot_key(node.owns.slot): seat} if isinstance(node.owns, EachPlayer) else EMPTY

    def take(self, option: Option, seat: int | None = None) -> None:
        """Takes an option of one who is asked where the position stands, by default of the first; `run` then
        goes on."""
        node = self.graph.node(self.position.node)
        if at_once(node):
            whose = self.to_act()[0] if seat is None else seat
            self.position.loops[node.id] = tuple(
                (whose, option.case, option.values) if other == whose else (other, case, values)
                for other, case, values in self.kept(node.id)
            )
        else:
            self.position.node = self._take(node, option)

    def kept(self, node_id: str) -> list[tuple[int, int, tuple[Value, ...]]]:
        """What was chosen at once: for each who was asked, in player order, the seat, the case (-1: he has
        not chosen) and its values."""
        return kept_in(self.position, node_id)

    def _take(self, node: Node, option: Option) -> str:
        choose = choose_of(node)
        self.position.locals.update(bind(choose, option))
        if choose.passes and not passes(choose, option):
            window = self.graph.window(node.id)
            if window is not None:
                self.position.loops[window] = (True, *self.position.loops[window][1:])
        return self.graph.option(node.id, node.parts[option.case].label)

    def choose(self, node: Node, choose: Choose) -> str | None:
        chooser = self.evaluator.seat(choose.chooser)
        if chooser in self.position.out:
            return self.graph.option(node.id, OUT)
        loop = self.graph.node(node.parent or "")
        if at_once(loop):
            (option,) = [Option(case, values) for seat, case, values in self.kept(loop.id) if seat == chooser]
            return self._take(node, option)
        options = self._options(choose, chooser)
        if len(options) > 1:
            return None
        if options:
            if self.log is not None:
                move = move_of(choose, options[0], self.evaluator)
                private = node.id in self.graph.private and not choose.passes
                self.log(ForcedEvent(chooser, move.name, move.args, private))
            return self._take(node, options[0])
        return self.graph.option(node.id, "none")

    def _options(self, choose: Choose, chooser: int, env: Env = EMPTY) -> list[Option]:
        """What can be chosen where control comes to a choice; none only where the rules say what then
        happens."""
        options = options_of(choose, self.evaluator, env)
        if not options and choose.none is None:
            raise BrokenRuleError(
                f"'{choose.name}' has no option for {self.book.seat_name(chooser)}, which the rules rule out"
            )
        if len(options) > 1:
            self._check_told_apart(choose, options)
        return options

    def gather(self, node: Node, stmt: EachPlayer) -> str | None:
        """All choose at once: asks them, and goes on when nobody is waited for."""
        choose = choose_of(self.graph.choice(node.id))
        if node.id not in self.position.loops:
            self.position.loops[node.id] = self._ask_all(node, stmt, choose)
        kept = self.kept(node.id)
        if any(case < 0 for _, case, _ in kept):
            return None
        if self.log is not None:
            for seat, case, values in kept:
                forced = len(self.options(seat)) == 1
                move = move_of(choose, Option(case, values), self.evaluator)
                seen_by = (seat,) if stmt.at_once == "secretly" else None
                self.log(ChosenEvent(seat, move.name, move.args, forced, seen_by))
        self._remember(node, choose)
        head = self.following(node.id)
        self.position.loops[head] = tuple(seat for seat, _, _ in kept)
        return head

    def _ask_all(self, node: Node, stmt: EachPlayer, choose: Choose) -> tuple[Value, ...]:
        """Who has one option has chosen."""
        asked: list[Value] = []
        for seat in self.position.still_in(self.evaluator.seat(stmt.start)):
            env = self.whose(node, seat)
            if stmt.guard is None or self.evaluator.flag(stmt.guard, env):
                first, *others = self._options(choose, seat, env)
                asked.append((seat, -1, ()) if others else (seat, first.case, first.values))
        return tuple(asked)

    # -------------------------------------------------------------------------------- secret choices

    def _remember(self, loop: Node, choose: Choose) -> None:
        """What was chosen secretly, and what the variables that it sets hold before they are set."""
        choice = self.graph.choice(loop.id).id
        if choice in self.graph.secret_choices:
            names, held = sorted(self.graph.secret_choices[choice]), self.position.variables
            self.position.loops[choice] = tuple(
                (seat, tuple((name, (name, seat) in held, held.get((name, seat))) for name in names))
                for seat, _, _ in self.kept(loop.id)
            )

    def forget(self, node: Node, stmt: Effect) -> None:
        """After a statement: a secret choice is not to be made anew where others know what came of it, or
        something else did."""
        for choice, names in self.graph.secret_choices.items():
            if choice in self.position.loops and not node.id.startswith(f"{choice}/"):
                gone = {self.evaluator.seat(player) for name, player in touched_by(stmt) if name in names}
                kept = self.position.loops[choice]
                self.position.loops[choice] = tuple(
                    entry for entry in kept if isinstance(entry, tuple) and entry[0] not in gone
                )

    def _check_told_apart(self, choose: Choose, options: list[Option]) -> None:
        """Two options with the same arguments: nobody could take the second by its name."""
        known = set()
        for option in options:
            case = choose.cases[option.case]
            binders = zip(case.binders, option.values, strict=True)
            args = frozenset((binder.slot.name, value) for binder, value in binders if not binder.hidden)
            shown = case.move, args
            if shown in known:
                written = json.dumps(move_of(choose, option, self.evaluator).args, ensure_ascii=False)
                raise BrokenRuleError(f"two options of '{choose.name}' have the same arguments, {written}")
            known.add(shown)

    def following(self, node_id: str) -> str:
        following = self.graph.then(node_id)
        assert following is not None, node_id
        return following


def kept_in(position: Position, node_id: str) -> list[tuple[int, int, tuple[Value, ...]]]:
    """What was chosen at once, as `Decisions.kept`."""
    found: list[tuple[int, int, tuple[Value, ...]]] = []
    for entry in position.loops[node_id]:
        assert isinstance(entry, tuple)
        seat, case, values = entry
        assert isinstance(seat, int)
        assert isinstance(case, int)
        assert isinstance(values, tuple)
        found.append((seat, case, values))
    return found


def guarded(ask: Callable[[], T], span: Span) -> T:
    """What `ask` gives; a fault becomes a `RulesError`."""
    try:
        return ask()
    except BrokenRuleError as fault:
        raise rules_error(fault, span) from None


def rules_error(fault: BrokenRuleError, span: Span) -> RulesError:
    """The fault with the line of the rules: that of the fault itself or else of what was running."""
    at = fault.span or span
    return RulesError(fault.message, at.file, at.line)
