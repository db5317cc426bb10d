"""Lowers routines: to functions where nobody decides, to blocks where somebody does.

Input: the action graph, read node by node along its control edges. Output: functions, blocks and decisions.
Invariants: the id of a block is the id of the node it begins with. A block begins at a routine's start and
end, at a loop's head, at a decision's case, at what follows a compound node in which somebody decides, at the
place of a trigger in whose routine somebody decides, and where branches would nest too deep."""

from __future__ import annotations

from typing import Any

from conche.codegen import ir
from conche.codegen.ir_walk import can_fail, rebuild
from conche.codegen.lower_choices import Choices
from conche.codegen.lower_expressions import NUMBER
from conche.codegen.lower_loops import Loops
from conche.codegen.lower_statements import Effect, Statements
from conche.codegen.lower_triggers import Fire, Fires
from conche.codegen.options import count_of
from conche.codegen.routines import Routines
from conche.graph.model import OUT, ActionGraph, Node, at_once
from conche.semantics import rulebook as rb
from conche.semantics.intervals import LARGEST
from conche.semantics.types import EnumT, Int, KindT, SpaceT

MAX_BRANCHES = 10
"""So many branches of a block stand within each other; what is deeper is a block of its own."""


class Lowering:
    """Everything of a program that comes from routines."""

    def __init__(self, graph: ActionGraph, routines: Routines, statements: Statements) -> None:
        self.graph = graph
        self.routines = routines
        self.statements = statements
        self.expressions = statements.expressions
        self.rulebook = graph.rulebook
        self.loops = Loops(statements)
        self.fires = Fires(statements, routines)
        self.choices = Choices(graph, statements, self.loops)
        self.functions: list[ir.Function] = []
        self.blocks: list[ir.Block] = []
        self.decisions: list[ir.Decision] = []
        self.returns: dict[str, list[str]] = {}
        self.ranges = statements.ranges
        self.changed = _changed_locals(graph)
        self.joins = self._joins()
        self._wanted: list[str] = []
        self._begun: set[str] = set()
        self._branches = 0

    def lower_all(self, first: list[ir.Op]) -> None:
        """All routines that are played. `first`: operations that come before all others."""
        for routine in self.routines.by_id.values():
            if not routine.plain and len(routine.sites) == 1 and not routine.restarts:
                self._alias_params(routine.id, self.graph.node(routine.sites[0]))
        for routine in self.routines.by_id.values():
            if routine.plain and routine.sites:
                self.functions.append(self._function(routine.id))
        self._want(ActionGraph.START)
        while self._wanted:
            self._block(self._wanted.pop(), tuple(first))
            first = []
        known = {decision.id for decision in self.decisions}

        def change(node: Any) -> Any:
            """What is never asked need not be forgotten."""
            if isinstance(node, ir.ForgetChoice) and node.decision not in known:
                return ir.Require(ir.Const(True, ir.FLAG), "", node.mark)
            return node

        if self.graph.secret_choices:
            self.functions = list(rebuild(tuple(self.functions), change))
            self.blocks = list(rebuild(tuple(self.blocks), change))
            self.decisions = list(rebuild(tuple(self.decisions), change))

    def _joins(self) -> set[str]:
        """The nodes at which the ways from a branch or choice come together."""
        return {
            self._follow(node)
            for routine in self.routines.by_id.values()
            for node in routine.nodes
            if isinstance(node.owns, rb.If | rb.Choose)
            and node.role == ""
            and not self.routines.structured(node)
        }

    # ---------------------------------------------------------------------------------------- calls

    def _params(self, routine: str, site: Node) -> tuple[rb.Slot, ...]:
        """The locals that a call sets, in the order of `_args`."""
        owns = self.graph.node(routine).owns
        match owns:
            case rb.Step():
                return owns.params
            case rb.ActionCase():
                return (*(slot for slot, _ in owns.bound), *owns.params)
            case rb.Trigger():
                return self.fires.slots(owns)
            case _:
                raise AssertionError(f"{site.id} calls {routine}")

    def _alias_params(self, routine: str, site: Node) -> None:
        """A routine called from one place: a parameter that is given a local of the caller is that local."""
        match site.owns, self.graph.node(routine).owns:
            case rb.Do(args=args), rb.Step(params=params):
                pairs = list(zip(params, args, strict=True))
            case rb.DoAction(args=args), rb.ActionCase(params=params):
                pairs = list(zip(params, args, strict=True))
            case _:
                return
        for param, arg in pairs:
            if isinstance(arg, rb.Local):
                self.expressions.alias[param] = arg.slot

    def _args(self, site: Node, routine: str, kind: ir.Expr | None) -> list[ir.Expr]:
        """The values of `_params` at a `do` or dispatch."""
        stmt = site.owns
        assert isinstance(stmt, rb.Do | rb.DoAction)
        args = [self.expressions.lower(arg) for arg in stmt.args]
        owns = self.graph.node(routine).owns
        if isinstance(stmt, rb.DoAction):
            assert isinstance(owns, rb.ActionCase)
            assert kind is not None
            args = [*(self._bound(stmt, owns, slot, name, kind) for slot, name in owns.bound), *args]
        return args

    def _bound(
        self, stmt: rb.DoAction, case: rb.ActionCase, slot: rb.Slot, name: str, kind: ir.Expr
    ) -> ir.Expr:
        """The value of a kind's attribute that an action case binds."""
        codes = self.expressions.codes
        of = self.rulebook.actions[stmt.action].of
        values = {codes.attribute(of, name, codes.numbers[of][member]) for member in case.kinds}
        numbers = [value for value in values if isinstance(value, int)]
        if len(numbers) == len(values):
            self._trust_range(slot, Int(min(numbers), max(numbers)))
        if len(values) == 1:
            (value,) = values
            assert value is not None
            return ir.Const(value, slot.type)
        return ir.Lookup(codes.attribute_table(of, name), kind, slot.type)

    def _enter(self, routine: str, args: list[ir.Expr], site: Node, back: str, mark: ir.Mark) -> ir.Run:
        """Into a routine in which somebody decides."""
        ops: list[ir.Op] = []
        for param, arg in zip(self._params(routine, site), args, strict=True):
            slot = self.expressions.slot(param)
            if arg != ir.Local(slot):
                ops.append(ir.Let(slot, arg, None, mark))
        self._want(routine)
        self._want(back)
        found = self.routines.by_id[routine]
        if len(found.sites) == 1 and not found.restarts:
            return ir.Run(tuple(ops), ir.Goto(routine, mark))
        backs = self.returns.setdefault(routine, [])
        if back not in backs:
            backs.append(back)
        return ir.Run(tuple(ops), ir.Into(routine, routine, back, mark))

    def _call(self, routine: str, args: list[ir.Expr], mark: ir.Mark) -> ir.Op:
        return ir.Call(routine, tuple(args), mark)

    # ---------------------------------------------------------------------------------------- functions

    def _function(self, routine: str) -> ir.Function:
        node = self.graph.node(routine)
        body = tuple(self._structured(node.parts[0].nodes))
        params = self._params(routine, node)
        return ir.Function(routine, routine, params, body, self.statements.mark(node.span))

    def _structured(self, nodes: tuple[str, ...]) -> list[ir.Op]:
        ops: list[ir.Op] = []
        for node_id in nodes:
            node = self.graph.node(node_id)
            if node.role != "fire":
                ops += self._operations(node)
        return ops

    def _operations(self, node: Node) -> list[ir.Op]:
        """A statement in which nobody decides, as operations, with the triggers after it."""
        stmt, mark = node.owns, self.statements.mark(node.span)
        lower = self.expressions.lower
        match stmt:
            case rb.If():
                yes, no = (tuple(self._structured(part.nodes)) for part in node.parts)
                return [ir.If(lower(stmt.condition), yes, no, mark)]
            case rb.ForEach() | rb.EachPlayer() | rb.Rounds() | rb.While() | rb.Times():
                return self.loops.structured(stmt, tuple(self._structured(node.parts[0].nodes)))
            case rb.Do():
                routine = self.graph.does(node.id)
                return [self._call(routine, self._args(node, routine, None), mark)]
            case rb.DoAction():
                return self._select(node, stmt, mark)
            case rb.Stop():
                leaves = stmt.target is not None or not self._in_loop(node)
                return [ir.Return(mark) if leaves else ir.Break(mark)]
            case effect if isinstance(effect, Effect):
                ops, fires = self._effect(node, effect)
                for fire in fires:
                    ops += fire.structured(self._trigger_call(fire))
                return ops
            case _:
                raise AssertionError(f"{node.id} is no statement")

    def _in_loop(self, node: Node) -> bool:
        """Whether a loop stands around a node in its routine."""
        parent = node.parent
        while parent is not None:
            outer = self.graph.node(parent)
            if outer.role == "enter":
                return True
            parent = outer.parent
        return False

    def _effect(self, node: Node, stmt: Effect) -> tuple[list[ir.Op], list[Fire]]:
        """The operations of a plain statement, and the triggers to be tried after it."""
        fires = self.fires.after(self._fire_nodes(node), stmt)
        before = [op for fire in fires for op in fire.begin()]
        ops, gained = self.statements.lower(stmt, self.fires.watch(fires))
        for fire in fires:
            fire.gained(gained)
        return [*before, *ops, *self.choices.forget(node, stmt)], fires

    def _fire_nodes(self, node: Node) -> list[Node]:
        found: list[Node] = []
        following = self.graph.then(node.id)
        while following is not None:
            fire = self.graph.node(following)
            if fire.role != "fire" or not fire.id.startswith(f"{node.id}/"):
                break
            found.append(fire)
            following = self.graph.then(fire.id)
        return found

    def _trigger_call(self, fire: Fire) -> ir.Op:
        routine = self.graph.triggers(fire.node.id)
        args = [ir.Local(slot) for slot in self.fires.slots(fire.trigger)]
        return self._call(routine, list(args), self.statements.mark(fire.node.span))

    def _select(self, node: Node, stmt: rb.DoAction, mark: ir.Mark) -> list[ir.Op]:
        kind, before = self._subject(stmt, mark)
        arms = []
        for kinds, routine in self._cases(node, stmt):
            arms.append((kinds, (self._call(routine, self._args(node, routine, kind), mark),)))
        return [*before, ir.Select(kind, tuple(arms), mark)]

    def _subject(self, stmt: rb.DoAction, mark: ir.Mark) -> tuple[ir.Expr, list[ir.Op]]:
        """The kind that an action is for, in a local."""
        of = self.rulebook.actions[stmt.action].of
        match stmt.subject.type:
            case SpaceT():
                kind = self.expressions.kind_on(stmt.subject, of, KindT(of))
            case EnumT() | KindT():
                kind = self.expressions.lower(stmt.subject)
            case _:
                raise AssertionError(f"no action can be for a {stmt.subject.type}")
        slot = self.statements.fresh("kind", kind.type)
        return ir.Local(slot), [ir.Let(slot, kind, None, mark)]

    def _cases(self, node: Node, stmt: rb.DoAction) -> list[tuple[tuple[int, ...], str]]:
        """The routines that a dispatch can run, each with the kinds that it is for, by kinds."""
        numbers = self.expressions.codes.numbers[self.rulebook.actions[stmt.action].of]
        return sorted(
            (tuple(sorted(numbers[name] for name in case.kinds)), routine)
            for routine, case in self.graph.cases(node.id)
        )

    # ---------------------------------------------------------------------------------------- blocks

    def _want(self, block: str) -> None:
        if block not in self._begun:
            self._begun.add(block)
            self._wanted.append(block)

    def _goto(self, block: str, mark: ir.Mark) -> ir.Goto:
        self._want(block)
        return ir.Goto(block, mark)

    def _block(self, node_id: str, first: tuple[ir.Op, ...] = ()) -> None:
        node = self.graph.node(node_id)
        mark = self.statements.mark(node.span)
        params: tuple[rb.Slot, ...] = ()
        if node.role == "case":
            assert isinstance(node.owns, rb.Case)
            params = tuple(binder.slot for binder in node.owns.binders)
            first = (*first, *self.choices.goes_on(node, mark))
        if node.role == "end":
            run = ir.Run((), self._end(node, mark))
        elif node.role == "next":
            run = self._head(node, mark)
        elif node.role == "fire":
            run = self._fire_head(node)
        elif node.role in ("start", "case"):
            following = self.graph.then(node_id)
            assert following is not None
            run = self._run(following, mark)
        else:
            run = self._run(node_id, mark, begin=True)
        self.blocks.append(ir.Block(node_id, node_id, params, ir.Run((*first, *run.ops), run.end), mark))

    def _end(self, node: Node, mark: ir.Mark) -> ir.End:
        """The end of a routine."""
        if node.id == f"{ActionGraph.START}/end":
            return self._goto(ActionGraph.PLAY, mark)
        if node.id == f"{ActionGraph.PLAY}/end" or node.id == ActionGraph.END:
            return ir.Over(mark)
        routine = self.routines.by_id[node.routine]
        if len(routine.sites) == 1 and not routine.restarts:
            return self._goto(self._back(self.graph.node(routine.sites[0])), mark)
        return ir.Back(node.routine, mark)

    def _back(self, site: Node) -> str:
        """Where a call returns to."""
        if site.role == "fire":
            return site.id
        following = self.graph.then(site.id)
        assert following is not None
        return following

    def _run(self, node_id: str, mark: ir.Mark, *, begin: bool = False) -> ir.Run:
        """The code from a node on, to where another block begins. begin: one begins here."""
        ops: list[ir.Op] = []
        while True:
            node = self.graph.node(node_id)
            if not begin and (node.role in ("end", "next", "fire") or node_id in self.joins):
                return ir.Run(tuple(ops), self._goto(node_id, mark))
            begin = False
            mark = self.statements.mark(node.span)
            stmt = node.owns
            if isinstance(stmt, Effect):
                effect_ops, fires = self._effect(node, stmt)
                ops += effect_ops
                for number, fire in enumerate(fires):
                    if not self.routines.by_id[self.graph.triggers(fire.node.id)].plain:
                        return ir.Run((*ops, *self._keep(fires[number:])), self._goto(fire.node.id, mark))
                    ops += fire.structured(self._trigger_call(fire))
                following = self.graph.then(fires[-1].node.id if fires else node_id)
            elif self.routines.structured(node):
                ops += self._operations(node)
                if isinstance(stmt, rb.Stop):
                    raise AssertionError(f"{node_id} is left out of a block")
                following = self._after(node)
            else:
                run = self._compound(node, mark)
                return ir.Run((*ops, *run.ops), run.end)
            assert following is not None
            node_id = following

    def _after(self, node: Node) -> str:
        """What follows a compound node or call."""
        if node.role == "enter" or isinstance(node.owns, rb.If | rb.Choose):
            return self._follow(node)
        following = self.graph.then(node.id)
        assert following is not None
        return following

    def _follow(self, node: Node) -> str:
        """What follows a branch or choice: the next node of the body it stands in, or where that body
        leads."""
        assert node.parent is not None
        parent = self.graph.node(node.parent)
        for part in parent.parts:
            if node.id in part.nodes:
                at = part.nodes.index(node.id)
                if at + 1 < len(part.nodes):
                    return part.nodes[at + 1]
        if parent.role == "start":
            return f"{parent.id}/end"
        if parent.role == "enter":
            return f"{parent.id}/next"
        if parent.role == "case":
            assert parent.parent is not None
            return self._follow(self.graph.node(parent.parent))
        return self._follow(parent)

    def _compound(self, node: Node, mark: ir.Mark) -> ir.Run:
        """A statement in which somebody decides, or that leaves a loop or routine."""
        stmt = node.owns
        match stmt:
            case rb.If():
                yes, no = (self._arm(self.graph.option(node.id, label), mark) for label in ("yes", "no"))
                return ir.Run((), ir.Branch(self.expressions.lower(stmt.condition), yes, no, mark))
            case rb.EachPlayer() if at_once(node):
                self._want(f"{node.id}/next")
                return ir.Run((), ir.Gather(self.graph.choice(node.id).id, mark))
            case rb.ForEach() | rb.EachPlayer() | rb.Rounds() | rb.While() | rb.Times():
                head = f"{node.id}/next"
                return ir.Run(tuple(self.loops.enter(node, stmt)), self._goto(head, mark))
            case rb.Do():
                routine = self.graph.does(node.id)
                return self._enter(routine, self._args(node, routine, None), node, self._back(node), mark)
            case rb.DoAction():
                return self._switch(node, stmt, mark)
            case rb.Stop():
                target = self.graph.then(node.id)
                assert target is not None
                return ir.Run(self._forget(node, target, mark), self._goto(target, mark))
            case rb.EndGame():
                return ir.Run((), ir.Over(mark))
            case rb.Choose():
                return self._choose(node, stmt, mark)
            case _:
                raise AssertionError(f"{node.id} is no compound statement")

    def _arm(self, node_id: str, mark: ir.Mark) -> ir.Run:
        """One way of a branch."""
        if self._branches == MAX_BRANCHES:
            return ir.Run((), self._goto(node_id, mark))
        self._branches += 1
        run = self._run(node_id, mark)
        self._branches -= 1
        return run

    def _forget(self, node: Node, target: str, mark: ir.Mark) -> tuple[ir.Op, ...]:
        """`stop` leaves routines; those of which it is ever asked whether they run do not any more."""
        outer, inner = self.graph.node(target).routine, node.routine
        if outer == inner:
            return ()
        return tuple(
            ir.Forget(name, mark)
            for name, routine in self.routines.by_id.items()
            if routine.restarts
            and name != outer
            and self._reaches(outer, name)
            and self._reaches(name, inner)
        )

    def _reaches(self, start: str, end: str) -> bool:
        found, todo = {start}, [start]
        while todo:
            for called in sorted(self.routines.by_id[todo.pop()].calls - found):
                found.add(called)
                todo.append(called)
        return end in found

    def _switch(self, node: Node, stmt: rb.DoAction, mark: ir.Mark) -> ir.Run:
        kind, before = self._subject(stmt, mark)
        back = self._back(node)
        arms: list[tuple[tuple[int, ...], ir.Run]] = []
        for kinds, routine in self._cases(node, stmt):
            args = self._args(node, routine, kind)
            if self.routines.by_id[routine].plain:
                run = ir.Run((self._call(routine, args, mark),), self._goto(back, mark))
            else:
                run = self._enter(routine, args, node, back, mark)
            arms.append((kinds, run))
        return ir.Run(tuple(before), ir.Switch(kind, tuple(arms), mark))

    def _head(self, node: Node, mark: ir.Mark) -> ir.Run:
        """The head of a loop in which somebody decides."""
        body = self._run(self.graph.option(node.id, "body"), mark)
        following = self.graph.then(node.id)
        after = ir.Run((), ir.Dead(mark) if following is None else self._goto(following, mark))
        stmt = node.owns
        assert isinstance(stmt, rb.ForEach | rb.EachPlayer | rb.Rounds | rb.While | rb.Times)
        again = ir.Run((), self._goto(node.id, mark))
        return self.loops.head(node, stmt, body, after, again)

    # ---------------------------------------------------------------------------------------- triggers in
    # blocks

    def _keep(self, fires: list[Fire]) -> list[ir.Op]:
        """From a trigger on in whose routine somebody decides, each place where one is tried is a block of
        its own."""
        ops: list[ir.Op] = []
        for fire in fires:
            self.fires.keep(fire)
            if not self.routines.by_id[self.graph.triggers(fire.node.id)].plain:
                ops += fire.to_list()
        return ops

    def _fire_head(self, node: Node) -> ir.Run:
        fire = self.fires.kept(node)
        mark = self.statements.mark(node.span)
        following = self.graph.then(node.id)
        assert following is not None
        routine = self.graph.triggers(node.id)
        if self.routines.by_id[routine].plain:
            ops = fire.structured(self._trigger_call(fire))
            return ir.Run(tuple(ops), self._goto(following, mark))
        args: list[ir.Expr] = [ir.Local(slot) for slot in self.fires.slots(fire.trigger)]
        start = self._enter(routine, args, node, node.id, mark)
        return fire.head(
            start, ir.Run((), self._goto(following, mark)), ir.Run((), self._goto(node.id, mark))
        )

    # ---------------------------------------------------------------------------------------- ranges that are
    # sure

    def _trust(self, binder: ir.Binder) -> None:
        """An argument lies between the bounds that it is chosen from."""
        if isinstance(binder.source, ir.Interval):
            low, high = self.ranges.of(binder.source.low), self.ranges.of(binder.source.high)
            if low is not None:
                highest = LARGEST if high is None else max(low.low, high.high)
                self._trust_range(binder.slot, Int(low.low, highest))

    def _trust_range(self, slot: rb.Slot, bounds: Int) -> None:
        """Of a local that nothing sets anew."""
        if slot not in self.changed:
            self.ranges.locals[slot] = bounds

    # ---------------------------------------------------------------------------------------- decisions

    def _choose(self, node: Node, stmt: rb.Choose, mark: ir.Mark) -> ir.Run:
        lower = self.expressions.lower
        cases: list[ir.Case] = []
        for part, case in zip(node.parts, stmt.cases, strict=False):
            case_id = part.nodes[0]
            self._want(case_id)
            binders = tuple(
                ir.Binder(
                    binder.slot,
                    None if binder.source is None else lower(binder.source),
                    None if binder.value is None else lower(binder.value),
                    None if binder.hidden else binder.slot.name,
                )
                for binder in case.binders
            )
            for binder in binders:
                self._trust(binder)
            late_guard = None if case.late_guard is None else lower(case.late_guard)
            cases.append(
                ir.Case(
                    part.label,
                    binders,
                    None if case.guard is None else lower(case.guard),
                    late_guard,
                    count_of(binders, late_guard),
                    case_id,
                    tuple(binder.slot for binder in case.binders),
                    case.move or stmt.name,
                    self.statements.mark(case.span),
                )
            )
        chooser = lower(stmt.chooser)
        together = self.choices.at_once(node)
        if together is not None:
            kept = ir.TakeKept(node.id, ir.Local(together.seat), mark)
            mark = self.statements.mark(self.graph.node(node.parent or "").span)
        ops: list[ir.Op] = []
        if (self.expressions.codes.seats_in_doubt and not isinstance(chooser, ir.Local)) or can_fail(chooser):
            plays = ir.Compare("<", chooser, ir.PlayerNumber(NUMBER))
            ops.append(ir.Require(plays, f"who is to choose '{stmt.name}' does not play", mark))
        if stmt.none is None:
            message = f"'{stmt.name}' has no option, which the rules rule out"
            otherwise = ir.Run((ir.Fail(message, mark),), ir.Dead(mark))
        else:
            otherwise = self._run(self.graph.option(node.id, "none"), mark)
        private, asking = node.id in self.graph.private, self.choices.asking(node, stmt)
        self.decisions.append(
            ir.Decision(
                node.id,
                stmt.name,
                chooser,
                None,
                tuple(cases),
                otherwise,
                False,
                False,
                private,
                asking,
                together,
                mark,
            )
        )
        if together is not None:
            return ir.Run((), kept)
        decide = ir.Run((), ir.Decide(node.id, mark))
        if self.graph.eliminates:
            passed_over = self._arm(self.graph.option(node.id, OUT), mark)
            decide = ir.Run((), ir.Branch(ir.StillIn(chooser), decide, passed_over, mark))
        return ir.Run((*ops, *decide.ops), decide.end)


def _changed_locals(graph: ActionGraph) -> set[rb.Slot]:
    """The locals that a `set`, `add` or `drop` changes."""
    found: set[rb.Slot] = set()
    for node in graph.nodes():
        match node.owns:
            case rb.SetPlace(target=rb.Local(slot=slot)) | rb.AddTo(target=rb.Local(slot=slot)):
                found.add(slot)
            case rb.DropFrom(target=rb.Local(slot=slot)):
                found.add(slot)
            case _:
                pass
    return found
