"""Lowers the places where triggers are tried.

Input: the `fire` nodes after a statement. Output: operations, or the head of a block, that start a trigger's
routine for each event that concerns it.
Invariants: events are collected while the statement runs and handed out after it, as the interpreter does. A
statement that brings in exactly one piece needs no list. A trigger that its own body can cause is asked
whether it runs."""

from __future__ import annotations

from typing import assert_never

from conche.codegen import ir
from conche.codegen.ir_walk import substitute
from conche.codegen.lower_expressions import NUMBER
from conche.codegen.lower_statements import Effect, Entered, Gained, Statements, Watch
from conche.codegen.routines import Routines
from conche.graph.model import Node
from conche.semantics import rulebook as rb
from conche.semantics.types import EnumT, KindT, ListT


class Fire:
    """One trigger tried after one statement."""

    def __init__(
        self, statements: Statements, node: Node, trigger: rb.Trigger, single: bool, restarts: bool
    ) -> None:
        self.statements = statements
        self.expressions = statements.expressions
        self.node = node
        self.trigger = trigger
        self.single = single
        self.restarts = restarts
        self.mark = statements.mark(node.span)
        self.routine = f"trigger.{trigger.name}"
        self.entered: list[Entered] = []
        self.gains: list[tuple[ir.Expr, ir.Expr, ir.Expr]] = []
        self.came: rb.Slot | None = None
        if isinstance(trigger.event, rb.OnEnter) and not single:
            self.came = statements.fresh("came", ListT(trigger.event.slot.type))

    # ---------------------------------------------------------------------------------------- taking note

    def begin(self) -> list[ir.Op]:
        if self.came is None:
            return []
        return [ir.Let(self.came, ir.Sequence((), self.came.type), None, self.mark)]

    def note(self, entered: Entered) -> tuple[ir.Op, ...]:
        """A piece comes in."""
        event = self.trigger.event
        if not isinstance(event, rb.OnEnter):
            return ()
        places = event.zones if entered.space is None else event.boards
        if entered.place not in places:
            return ()
        if self.came is None:
            self.entered.append(entered)
            return ()
        came = ir.Local(self.came)
        more = ir.With(came, self._value(entered), False, came.type)
        keep = ir.Let(self.came, more, None, self.mark)
        return (ir.If(self._concerns(entered, event), (keep,), (), self.mark),)

    def _value(self, entered: Entered) -> ir.Expr:
        return entered.kind if entered.space is None else entered.space

    def _concerns(self, entered: Entered, event: rb.OnEnter) -> ir.Expr:
        numbers = self.statements.codes.numbers
        of = self._of(entered)
        wanted = tuple(sorted(numbers[of][name] for name in event.kinds if name in numbers[of]))
        return ir.OneOf(entered.kind, wanted, len(numbers[of]) - 1)

    def _of(self, entered: Entered) -> str:
        """The piece type or enum of what came in."""
        if entered.space is None:
            return self.statements.rulebook.zones[entered.place].of
        match entered.kind.type:
            case EnumT(name=of) | KindT(piece=of):
                return of
            case _:
                raise AssertionError(f"{entered.kind} is no kind")

    def gained(self, gained: list[Gained]) -> None:
        """What players gained by the statement."""
        event = self.trigger.event
        if not isinstance(event, rb.OnGain):
            return
        for gain in gained:
            if gain.name != (event.zone if event.var is None else event.var):
                continue
            more: ir.Expr = ir.Compare(">", gain.amount, self.expressions.number(0))
            if gain.kind is not None and event.kind is not None:
                of = self.statements.rulebook.zones[gain.name].of
                numbers = self.statements.codes.numbers[of]
                wanted = ir.OneOf(gain.kind, (numbers[event.kind],), len(numbers) - 1)
                more = ir.Logic("and", (more, wanted))
            self.gains.append((more, gain.seat, gain.amount))

    # ---------------------------------------------------------------------------------------- starting

    def _guarded(self, ops: tuple[ir.Op, ...]) -> tuple[ir.Op, ...]:
        if self.trigger.guard is None:
            return ops
        return (ir.If(self.expressions.lower(self.trigger.guard), ops, (), self.mark),)

    def _condition(self, event: rb.OnCondition) -> ir.Expr:
        condition = self.expressions.lower(event.condition)
        parts: tuple[ir.Expr, ...] = (condition,)
        if self.restarts:
            parts = (ir.Not(ir.Running(self.routine)), *parts)
        if self.trigger.guard is not None:
            parts = (*parts, self.expressions.lower(self.trigger.guard))
        return parts[0] if len(parts) == 1 else ir.Logic("and", parts)

    def structured(self, call: ir.Op) -> list[ir.Op]:
        """Starts a trigger in whose routine nobody decides."""
        event = self.trigger.event
        match event:
            case rb.OnCondition():
                return [ir.While(self._condition(event), (call,), self.mark)]
            case rb.OnEnter() if self.came is not None:
                return [ir.For(event.slot, ir.Local(self.came), self._guarded((call,)), self.mark)]
            case rb.OnEnter():
                ops: list[ir.Op] = []
                for entered in self.entered:
                    start = ir.Let(event.slot, self._value(entered), None, self.mark)
                    inner = (start, *self._guarded((call,)))
                    ops.append(ir.If(self._concerns(entered, event), inner, (), self.mark))
                return ops
            case rb.OnGain():
                ops = []
                for more, seat, amount in self.gains:
                    bind = (
                        ir.Let(event.player, seat, None, self.mark),
                        ir.Let(event.amount, amount, None, self.mark),
                    )
                    ops.append(ir.If(more, (*bind, *self._guarded((call,))), (), self.mark))
                return ops
            case _:
                assert_never(event)

    def head(self, start: ir.Run, after: ir.Run, again: ir.Run) -> ir.Run:
        """A block that starts the trigger's routine, which leads back to it, until nothing is left to fire
        for."""
        event = self.trigger.event
        if isinstance(event, rb.OnCondition):
            return ir.Run((), ir.Branch(self._condition(event), start, after, self.mark))
        slots, left = self._left()
        rest, number = ir.Local(left), self.expressions.number
        # A trigger that runs has its locals: they are set only when it is started.
        temporary = {slot: self.statements.fresh(slot.name, slot.type) for slot in slots}
        values = {slot: ir.Local(local) for slot, local in temporary.items()}
        begin: list[ir.Op] = []
        if self.restarts:
            fault = ir.Fail(f"trigger {self.trigger.name} is started again while it runs", self.mark)
            begin.append(ir.If(ir.Running(self.routine), (fault,), (), self.mark))
        begin += [ir.Let(slot, value, None, self.mark) for slot, value in values.items()]
        going = ir.Run((*begin, *start.ops), start.end)
        if self.trigger.guard is not None:
            guard = substitute(self.expressions.lower(self.trigger.guard), values)
            going = ir.Run((), ir.Branch(guard, going, again, self.mark))
        bind: list[ir.Op] = [
            ir.Let(local, ir.At(rest, number(place), local.type), None, self.mark)
            for place, local in enumerate(temporary.values())
        ]
        fewer: ir.Expr = rest
        for _ in slots:
            fewer = ir.Tail(fewer, rest.type)
        bind.append(ir.Let(left, fewer, None, self.mark))
        empty = ir.Compare("=", ir.Size(rest, NUMBER), number(0))
        return ir.Run((), ir.Branch(empty, after, ir.Run((*bind, *going.ops), going.end), self.mark))

    def _left(self) -> tuple[tuple[rb.Slot, ...], rb.Slot]:
        """The trigger's locals, and the list of their values still to come."""
        event = self.trigger.event
        if self.came is None:
            self.came = self.statements.fresh("came", ListT(NUMBER))
        match event:
            case rb.OnEnter(slot=slot):
                return (slot,), self.came
            case rb.OnGain(player=player, amount=amount):
                return (player, amount), self.came
            case _:
                raise AssertionError("a condition has no events")

    def to_list(self) -> list[ir.Op]:
        """Puts what happened into the list that the block goes through."""
        event = self.trigger.event
        if isinstance(event, rb.OnCondition) or (isinstance(event, rb.OnEnter) and not self.single):
            return []
        _, came = self._left()
        ops: list[ir.Op] = [ir.Let(came, ir.Sequence((), came.type), None, self.mark)]

        def more(*values: ir.Expr) -> ir.Op:
            items = tuple((1, value) for value in values)
            return ir.Let(came, ir.Sequence(items, came.type), None, self.mark)

        if isinstance(event, rb.OnEnter):
            ops += [
                ir.If(self._concerns(entered, event), (more(self._value(entered)),), (), self.mark)
                for entered in self.entered
            ]
        else:
            for holds, seat, amount in self.gains:
                ops.append(ir.If(holds, (more(seat, amount),), (), self.mark))
        return ops


class Fires:
    """The triggers of a rulebook at all places where they are tried."""

    def __init__(self, statements: Statements, routines: Routines) -> None:
        self.statements = statements
        self.routines = routines
        self._kept: dict[str, Fire] = {}

    def slots(self, trigger: rb.Trigger) -> tuple[rb.Slot, ...]:
        """The locals that a trigger's event sets."""
        match trigger.event:
            case rb.OnEnter(slot=slot):
                return (slot,)
            case rb.OnGain(player=player, amount=amount):
                return (player, amount)
            case rb.OnCondition():
                return ()
            case _:
                assert_never(trigger.event)

    def after(self, nodes: list[Node], stmt: Effect) -> list[Fire]:
        found: list[Fire] = []
        for node in nodes:
            trigger = node.owns
            assert isinstance(trigger, rb.Trigger)
            restarts = self.routines.by_id[f"trigger.{trigger.name}"].restarts
            found.append(Fire(self.statements, node, trigger, _brings_one(stmt), restarts))
        return found

    def watch(self, fires: list[Fire]) -> Watch:
        def note(entered: Entered) -> tuple[ir.Op, ...]:
            return tuple(op for fire in fires for op in fire.note(entered))

        return note

    def keep(self, fire: Fire) -> None:
        self._kept[fire.node.id] = fire

    def kept(self, node: Node) -> Fire:
        return self._kept[node.id]

    def made(self) -> dict[rb.Slot, tuple[str, str]]:
        """The locals that keep the events still to come: the node where the trigger is tried, and `left`."""
        return {fire.came: (node_id, "left") for node_id, fire in self._kept.items() if fire.came is not None}


def _brings_one(stmt: Effect) -> bool:
    """Whether exactly one piece comes in by a statement."""
    match stmt:
        case rb.Move():
            return True
        case rb.Draw(up_to=False, amount=rb.Lit(value=1)):
            return True
        case _:
            return False
