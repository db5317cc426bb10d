"""The flat machine: walks the action graph node by node.

Purpose: what comes next. Input: an action graph and a position. Output: the position moved on, to the next
decision of two or more options or to the end. Invariants: the machine keeps nothing; where it stands is in
the position (the node, what loops and triggers still have to go through, where routines return to), so that
it can be saved, copied and gone on with inside any action. A `RulesError` or `ChanceError` leaves the
position half changed: work on a copy.

Triggers. After a statement, what happened is handed out to the `fire` nodes that follow it. One that waits
for events goes through those that concern it, in order; one that waits for a condition fires as long as the
condition holds. A trigger is not fired by what its own body does while it runs: a condition is looked at
again after it anyway; an event for it then is a fault of the rules.
"""

from __future__ import annotations

from conche.graph.model import ActionGraph, Node
from conche.interpret.decisions import Decisions, rules_error
from conche.interpret.evaluate import BrokenRuleError, Env, slot_key
from conche.interpret.execute import Effect
from conche.interpret.happenings import caught
from conche.interpret.position import Value
from conche.semantics.rulebook import (
    Choose,
    Do,
    DoAction,
    EachPlayer,
    EndGame,
    ForEach,
    If,
    OnCondition,
    Rounds,
    Slot,
    Step,
    Stop,
    Times,
    Trigger,
    While,
)
from conche.semantics.types import EnumT, KindT, PlayerT, SpaceT

MOST_NODES = 1_000_000
"""So many nodes between two decisions are taken for a loop that never ends."""


class Machine(Decisions):
    """Moves one position on."""

    def run(self, until: str = ActionGraph.END) -> None:
        """Goes on to a decision of two or more options, to the node `until`, or to the end."""
        for _ in range(MOST_NODES):
            if self.position.node in (until, ActionGraph.END):
                return
            node = self.graph.node(self.position.node)
            try:
                following = self._advance(node)
            except BrokenRuleError as fault:
                raise rules_error(fault, node.span) from None
            if following is None:
                return
            self.position.node = following
        node = self.graph.node(self.position.node)
        raise rules_error(BrokenRuleError("the rules never come to another decision"), node.span)

    def begin_with(self, step: str, args: tuple[Value, ...]) -> None:
        """Play is to be just this step; `run` then begins it."""
        start, params = f"step.{step}", self.book.rulebook.steps[step].params
        self.position.locals.update((slot_key(slot), arg) for slot, arg in zip(params, args, strict=True))
        self.position.returns[start] = f"{ActionGraph.PLAY}/end"
        self.position.node = start

    # -------------------------------------------------------------------------------- node by node

    def _advance(self, node: Node) -> str | None:
        """Does what a node says; gives the next one, or None where a player must be asked."""
        if self.book.reached is not None:
            self.book.reached(node.id)
        match node.role:
            case "start" | "case":
                return self.following(node.id)
            case "end":
                return self.graph.then(node.id) or self.position.returns.pop(node.routine)
            case "enter":
                return self._enter(node)
            case "next":
                return self._next(node)
            case "fire":
                return self._fire(node)
            case _:
                return self._statement(node)

    def _statement(self, node: Node) -> str | None:
        stmt = node.owns
        match stmt:
            case Choose():
                return self.choose(node, stmt)
            case If():
                return self.graph.option(node.id, "yes" if self.evaluator.flag(stmt.condition) else "no")
            case Do():
                return self._do(node, stmt)
            case DoAction():
                return self._do_action(node, stmt)
            case Stop():
                return self._stop(node)
            case EndGame():
                self.position.loops.clear()
                self.position.returns.clear()
                return self.following(node.id)
            case effect if isinstance(effect, Effect):
                self.executor.execute(effect)
                self.forget(node, effect)
                return self._hand_out(node.id)
            case _:
                raise AssertionError(f"{node.id} is no statement")

    def _call(self, node: Node, routine: str, slots: tuple[Slot, ...], args: tuple[Value, ...]) -> str:
        if routine in self.position.returns:
            raise BrokenRuleError(f"{self.graph.node(routine).title} is started again while it runs")
        self.position.locals.update((slot_key(slot), arg) for slot, arg in zip(slots, args, strict=True))
        self.position.returns[routine] = self.following(node.id)
        return routine

    def _do(self, node: Node, stmt: Do) -> str:
        args = tuple(self.evaluator.value(arg) for arg in stmt.args)
        routine = self.graph.does(node.id)
        step = self.graph.node(routine).owns
        assert isinstance(step, Step)
        return self._call(node, routine, step.params, args)

    def _do_action(self, node: Node, stmt: DoAction) -> str:
        of, kind = self._subject(stmt)
        args = tuple(self.evaluator.value(arg) for arg in stmt.args)
        for routine, case in self.graph.cases(node.id):
            if kind in case.kinds:
                bound = tuple(self.book.attribute(of, kind, attribute) for _, attribute in case.bound)
                slots = (*(slot for slot, _ in case.bound), *case.params)
                return self._call(node, routine, slots, (*bound, *args))
        raise AssertionError(f"action {stmt.action} has no case for {kind}")

    def _subject(self, stmt: DoAction) -> tuple[str, str]:
        """The piece type or enum, and the kind or member, that an action is for."""
        match stmt.subject.type:
            case SpaceT(board=board):
                space = self.evaluator.space(stmt.subject)
                piece = self.evaluator.top(board, space)
                if piece is None or piece.of != self.book.rulebook.actions[stmt.action].of:
                    raise BrokenRuleError(
                        f"there is nothing on ({space[0]}, {space[1]}) that '{stmt.action}' is for"
                    )
                return piece.of, piece.kind
            case EnumT(name=of) | KindT(piece=of):
                return of, self.evaluator.text(stmt.subject)
            case _:
                raise AssertionError(f"no action on {stmt.subject.type}")

    def _stop(self, node: Node) -> str:
        """Leaves loops and routines: what they kept is dropped, so that they can be entered again."""
        target = self.following(node.id)
        routine = node.routine
        while routine != self.graph.node(target).routine:
            self._drop_loops(f"{routine}/")
            back = self.position.returns.pop(routine, None)
            if back is None:  # play is just a part of what it should be
                raise BrokenRuleError(f"{self.graph.node(target).title} is not to come to: it does not run")
            routine = self.graph.node(back).routine
        left = node
        if self.graph.node(target).role == "end":
            left = self.graph.node(routine)
        while left.role != "enter" and left.id != routine:
            left = self.graph.node(left.parent or routine)
        self._drop_loops(f"{left.id}/")
        self.position.loops.pop(left.id, None)
        return target

    def _drop_loops(self, prefix: str) -> None:
        for node_id in [node_id for node_id in self.position.loops if node_id.startswith(prefix)]:
            del self.position.loops[node_id]

    # -------------------------------------------------------------------------------- loops

    def _enter(self, node: Node) -> str | None:
        """Starts a loop: `loops` at its head holds what is left of it."""
        stmt, head = node.owns, self.following(node.id)
        match stmt:
            case ForEach():
                self.position.loops[head] = self.evaluator.items(stmt.source)
            case EachPlayer(at_once=""):
                self.position.loops[head] = self.position.still_in(self.evaluator.seat(stmt.start))
            case EachPlayer():
                return self.gather(node, stmt)
            case Rounds():
                # Whether something has happened in this round (its guard has held; with `until all pass`,
                # somebody has not passed), then the seats still to come: here a round has yet to start.
                self.position.loops[head] = (True,)
            case Times():
                self.position.loops[head] = (self.evaluator.number(stmt.times),)
            case While():
                self.position.loops[head] = ()
            case _:
                raise AssertionError(f"{node.id} is no loop")
        return head

    def _next(self, node: Node) -> str:
        stmt, left = node.owns, self.position.loops[node.id]
        match stmt:
            case ForEach():
                if left:
                    if isinstance(stmt.slot.type, PlayerT) and left[0] in self.position.out:
                        return self._pass_over(node, left[1:])
                    self.position.locals[slot_key(stmt.slot)] = left[0]
                    return self._body(node, left[1:])
            case EachPlayer():
                if left:
                    if left[0] in self.position.out:
                        return self._pass_over(node, left[1:])
                    self.position.locals[slot_key(stmt.slot)] = left[0]
                    self.position.loops[node.id] = left[1:]
                    goes = stmt.at_once or stmt.guard is None or self.evaluator.flag(stmt.guard)
                    return self.graph.option(node.id, "body") if goes else node.id
            case Rounds():
                return self._next_round(node, stmt, left)
            case Times():
                (times,) = left
                assert isinstance(times, int)
                if times > 0:
                    return self._body(node, (times - 1,))
            case While():
                if stmt.condition is None or self.evaluator.flag(stmt.condition):
                    return self._body(node, ())
            case _:
                raise AssertionError(f"{node.id} is no loop")
        return self._leave(node)

    def _next_round(self, node: Node, stmt: Rounds, left: tuple[Value, ...]) -> str:
        goes_on, *seats = left
        if not seats:
            if not goes_on:
                return self._leave(node)
            goes_on, seats = False, list(self.position.still_in(self.evaluator.seat(stmt.start)))
            if not seats:
                return self._leave(node)
        if seats[0] in self.position.out:
            return self._pass_over(node, (goes_on, *seats[1:]))
        self.position.locals[slot_key(stmt.slot)] = seats[0]
        if stmt.guard is None or self.evaluator.flag(stmt.guard):
            return self._body(node, (goes_on if stmt.until_pass else True, *seats[1:]))
        return self._pass_over(node, (goes_on, *seats[1:]))

    def _pass_over(self, node: Node, left: tuple[Value, ...]) -> str:
        """Nothing happens to this one: on to the next."""
        self.position.loops[node.id] = left
        return node.id

    def _body(self, node: Node, left: tuple[Value, ...]) -> str:
        self.position.loops[node.id] = left
        return self.graph.option(node.id, "body")

    def _leave(self, node: Node) -> str:
        del self.position.loops[node.id]
        if node.role == "next":
            self.position.loops.pop(node.parent or "", None)  # what was chosen at once
        return self.following(node.id)

    # -------------------------------------------------------------------------------- triggers

    def _hand_out(self, node_id: str) -> str:
        """Gives what a statement brought about to the `fire` nodes after it; gives the first of them, or
        what follows."""
        first = following = self.following(node_id)
        while (fire := self.graph.node(following)).role == "fire" and fire.id.startswith(f"{node_id}/"):
            trigger = fire.owns
            assert isinstance(trigger, Trigger)
            self.position.loops[fire.id] = tuple(
                values
                for event in self.executor.happened
                for values in [caught(trigger, event)]
                if values is not None
            )
            following = self.following(fire.id)
        return first

    def _fire(self, node: Node) -> str:
        trigger, left = node.owns, self.position.loops[node.id]
        assert isinstance(trigger, Trigger)
        if isinstance(trigger.event, OnCondition):
            running = f"trigger.{trigger.name}" in self.position.returns
            if not running and self.evaluator.flag(trigger.event.condition) and self._guard(trigger, {}):
                return self._start(node, trigger, (), ())
        elif left:
            self.position.loops[node.id] = left[1:]
            values = left[0]
            assert isinstance(values, tuple)
            slots = trigger.params
            env = {slot_key(slot): value for slot, value in zip(slots, values, strict=True)}
            return self._start(node, trigger, slots, values) if self._guard(trigger, env) else node.id
        return self._leave(node)

    def _guard(self, trigger: Trigger, env: Env) -> bool:
        return trigger.guard is None or self.evaluator.flag(trigger.guard, env)

    def _start(self, node: Node, trigger: Trigger, slots: tuple[Slot, ...], values: tuple[Value, ...]) -> str:
        routine = self._call(node, self.graph.triggers(node.id), slots, values)
        self.position.returns[routine] = node.id
        return routine
