"""Checks that a program is one.

Input: a program. Output: nothing; `BrokenIRError` names everything that is wrong. Run on every program the
compiler makes.

What must hold:
- names are unique; every block, decision, function, query, table, slot, set and return that is named exists;
- what belongs to a player is read and set by seat, what is common is not;
- a query gets as many arguments as it has parameters; queries and functions do not recur;
- conditions are flags; a binder has a source or a value; codes to compare with ascend;
- a local is set before it is read on every way, in blocks unless it is saved;
- a block's parameters are what its decision's case passes; `Break` stands in a loop, `Return` in a function;
- a decision is asked somewhere: one in which all choose at once by `Gather`, and taken by `TakeKept`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from conche.codegen import ir
from conche.codegen.allocate import exposed_in, exposed_in_ops, read_by
from conche.codegen.ir_walk import locals_read, walk
from conche.semantics.rulebook import Slot
from conche.semantics.types import Flag


class BrokenIRError(Exception):
    """A program that breaks the rules of the IR: a fault of the compiler."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = tuple(problems)


def verify_ir(program: ir.Program) -> None:
    """The check."""
    problems = list(dict.fromkeys(_Verifier(program).problems()))
    if problems:
        raise BrokenIRError(problems)


class _Verifier:
    def __init__(self, program: ir.Program) -> None:
        self.program = program
        layout = program.layout
        self.variables = {variable.slot: variable for variable in layout.variables}
        self.zones = {zone.slot: zone for zone in layout.zones}
        self.boards = {grid.name for grid in layout.grids}
        self.sets = {kept.slot: kept for kept in layout.sets}
        self.streams = {stream.path for stream in layout.streams}
        self.tables = {table.name: table for table in program.tables}
        self.queries = {query.name: query for query in program.queries}
        self.functions = {function.id: function for function in program.functions}
        self.blocks = {block.id: block for block in program.blocks}
        self.decisions = {decision.id: decision for decision in program.decisions}
        self.returns = dict(program.returns)

    def problems(self) -> Iterator[str]:
        yield from self._unique()
        yield from self._nodes()
        yield from self._recursion()
        yield from self._locals()
        yield from self._decisions()
        for function in self.program.functions:
            yield from self._structure(function.body, function.id, loop=False, function=True)
        runs = [(block.id, block.run) for block in self.program.blocks]
        runs += [(decision.id, decision.otherwise) for decision in self.program.decisions]
        for name, run in runs:
            for node in walk(run):
                if isinstance(node, ir.Run):
                    yield from self._structure(node.ops, name, loop=False, function=False)
        if self.program.start not in self.blocks:
            yield f"the start '{self.program.start}' is no block"

    # ---------------------------------------------------------------------------------------- names

    def _unique(self) -> Iterator[str]:
        program, layout = self.program, self.program.layout
        groups: tuple[tuple[str, Iterable[str]], ...] = (
            ("slot", self._slots()),
            ("table", [table.name for table in program.tables]),
            ("query", [query.name for query in program.queries]),
            ("function", [function.id for function in program.functions]),
            ("block", [block.id for block in program.blocks]),
            ("decision", [decision.id for decision in program.decisions]),
            ("stream", [stream.path for stream in layout.streams]),
        )
        for kind, names in groups:
            seen: set[str] = set()
            for name in names:
                if name in seen:
                    yield f"there are two of {kind} '{name}'"
                seen.add(name)

    def _slots(self) -> list[str]:
        layout = self.program.layout
        found = [variable.slot for variable in layout.variables] + [zone.slot for zone in layout.zones]
        return found + [grid.slot for grid in layout.grids] + [kept.slot for kept in layout.sets]

    def _nodes(self) -> Iterator[str]:
        program = self.program
        for node in walk(
            (program.layout, program.queries, program.functions, program.blocks, program.decisions)
        ):
            yield from self._node(node)
        for node in walk((program.scores, program.rank)):
            yield from self._node(node)

    def _node(self, node: Any) -> Iterator[str]:
        match node:
            case ir.Global(slot=slot) | ir.Store(slot=slot, index=None):
                yield from self._variable(slot, ("game",))
            case ir.Item(slot=slot) | ir.Store(slot=slot):
                yield from self._variable(slot, ("player", "space", "kind"))
            case ir.PlayersIn() | ir.PlayersLeft() | ir.StillIn() | ir.Eliminate() if (
                not self.program.eliminates
            ):
                yield f"{type(node).__name__}: nobody is ever out"
            case ir.Lookup(table=name) if name not in self.tables:
                yield f"there is no table '{name}'"
            case ir.Ask(query=name, args=args):
                if name not in self.queries:
                    yield f"there is no query '{name}'"
                elif len(self.queries[name].params) != len(args):
                    yield f"query '{name}' is asked with {len(args)} arguments"
            case ir.Call(function=name, args=args):
                if name not in self.functions:
                    yield f"there is no function '{name}'"
                elif len(self.functions[name].params) != len(args):
                    yield f"function '{name}' is called with {len(args)} arguments"
            case (
                ir.Top(board=board)
                | ir.Height(board=board)
                | ir.Spaces(board=board)
                | ir.PutPiece(board=board)
            ):
                if board not in self.boards:
                    yield f"there is no board '{board}'"
            case ir.Kept(set=name, key=key) | ir.KeptHas(set=name, key=key):
                if name not in self.sets:
                    yield f"there is no set '{name}'"
                elif (self.sets[name].key is None) != (key is None):
                    yield f"set '{name}' is not asked by its key"
            case ir.Pick(stream=name) if name not in self.streams:
                yield f"there is no stream '{name}'"
            case ir.OneOf(codes=codes) if list(codes) != sorted(set(codes)):
                yield f"the codes {codes} do not ascend"
            case ir.Logic(parts=parts) | ir.HowMany(parts=parts):
                for part in parts:
                    yield from self._flag(part, type(node).__name__)
            case ir.Not(operand=operand):
                yield from self._flag(operand, "Not")
            case ir.Cond(condition=condition) | ir.If(condition=condition) | ir.Branch(condition=condition):
                yield from self._flag(condition, type(node).__name__)
            case ir.Require(condition=condition):
                yield from self._flag(condition, "Require")
            case ir.While(condition=loop_condition) if loop_condition is not None:
                yield from self._flag(loop_condition, "While")
            case ir.Fold(where=where) if where is not None:
                yield from self._flag(where, "Fold")
            case _:
                yield from self._zone_or_end(node)

    def _zone_or_end(self, node: Any) -> Iterator[str]:
        match node:
            case (
                ir.ZoneSize(zone=zone, seat=seat)
                | ir.ZoneHolds(zone=zone, seat=seat)
                | ir.ZoneKinds(zone=zone, seat=seat)
                | ir.ZoneItems(zone=zone, seat=seat)
                | ir.ZoneAdd(zone=zone, seat=seat)
                | ir.ZoneRemove(zone=zone, seat=seat)
                | ir.ZoneDraw(zone=zone, seat=seat)
                | ir.ZoneLook(zone=zone, seat=seat)
                | ir.ZoneShuffle(zone=zone, seat=seat)
                | ir.ZoneSwap(zone=zone, seat=seat)
                | ir.LowestCopy(zone=zone, seat=seat)
                | ir.ZoneClear(zone=zone, seat=seat)
                | ir.ZoneSwapCopies(zone=zone, seat=seat)
            ):
                if zone not in self.zones:
                    yield f"there is no zone '{zone}'"
                elif self.zones[zone].by_seat != (seat is not None):
                    yield f"zone '{zone}' is used without a seat, or with one it does not have"
            case ir.Goto(block=block):
                yield from self._block(block)
            case ir.Into(routine=routine, block=block, back=back):
                yield from self._block(block)
                if back not in self.returns.get(routine, ()):
                    yield f"'{routine}' does not return to '{back}'"
            case ir.Back(routine=routine) | ir.Running(routine=routine) | ir.Forget(routine=routine):
                if routine not in self.returns:
                    yield f"'{routine}' has no return slot"
            case (
                ir.Decide(decision=decision)
                | ir.Gather(decision=decision)
                | ir.TakeKept(decision=decision)
                | ir.ForgetChoice(decision=decision)
            ):
                if decision not in self.decisions:
                    yield f"there is no decision '{decision}'"
                elif (self.decisions[decision].at_once is None) != isinstance(node, ir.Decide):
                    yield f"decision '{decision}' is entered as what it is not"
            case ir.AtOnce(done=block):
                yield from self._block(block)
            case _:
                pass

    def _variable(self, slot: str, owners: tuple[str, ...]) -> Iterator[str]:
        if slot not in self.variables:
            yield f"there is no variable '{slot}'"
        elif self.variables[slot].owner not in owners:
            yield f"variable '{slot}' of a {self.variables[slot].owner} is used as one of a {owners[0]}"

    def _flag(self, expr: ir.Expr, where: str) -> Iterator[str]:
        if not isinstance(expr.type, Flag):
            yield f"{where}: {type(expr).__name__} is no flag"

    def _block(self, name: str) -> Iterator[str]:
        if name not in self.blocks:
            yield f"there is no block '{name}'"

    # ---------------------------------------------------------------------------------------- recursion

    def _recursion(self) -> Iterator[str]:
        asks = {
            query.name: {node.query for node in walk(query) if isinstance(node, ir.Ask)}
            for query in self.program.queries
        }
        calls = {
            function.id: {node.function for node in walk(function.body) if isinstance(node, ir.Call)}
            for function in self.program.functions
        }
        for graph in (asks, calls):
            for name in sorted(graph):
                reached, todo = set[str](), sorted(graph[name])
                while todo:
                    other = todo.pop()
                    if other not in reached:
                        reached.add(other)
                        todo += sorted(graph.get(other, ()))
                if name in reached:
                    yield f"'{name}' recurs"

    # ---------------------------------------------------------------------------------------- locals

    def _locals(self) -> Iterator[str]:
        saved = set(self.program.saved)
        for block in self.program.blocks:
            for slot in self._sorted(exposed_in(block.run) - set(block.params) - saved):
                yield f"block '{block.id}' reads '{slot.name}', which is not set"
        for function in self.program.functions:
            for slot in self._sorted(exposed_in_ops(function.body) - set(function.params)):
                yield f"function '{function.id}' reads '{slot.name}', which is not set"
        for query in self.program.queries:
            known = set(query.params)
            for slot, value in query.lets:
                for unset in self._sorted(locals_read(value) - known):
                    yield f"query '{query.name}' reads '{unset.name}', which is not set"
                known.add(slot)
            for condition, value, _ in query.cases:
                for unset in self._sorted((locals_read(condition) | locals_read(value)) - known):
                    yield f"query '{query.name}' reads '{unset.name}', which is not set"
        for score in self.program.scores:
            for unset in self._sorted(locals_read(score.value) - {score.you}):
                yield f"score '{score.name}' reads '{unset.name}', which is not set"

    def _sorted(self, slots: Iterable[Slot]) -> list[Slot]:
        return sorted(slots, key=lambda slot: (slot.owner, slot.number, slot.name))

    # ---------------------------------------------------------------------------------------- decisions

    def _decisions(self) -> Iterator[str]:
        saved = set(self.program.saved)
        asked = {
            node.decision
            for node in walk((self.program.blocks, self.program.decisions))
            if isinstance(node, ir.Decide | ir.Gather)
        }
        for decision in self.program.decisions:
            if decision.id not in asked:
                yield f"decision '{decision.id}' is never asked"
            for slot in self._sorted((read_by(decision) | exposed_in(decision.otherwise)) - saved):
                yield f"decision '{decision.id}' reads '{slot.name}', which is not saved"
            for case in decision.cases:
                yield from self._case(decision, case)

    def _case(self, decision: ir.Decision, case: ir.Case) -> Iterator[str]:
        slots = [binder.slot for binder in case.binders]
        for binder in case.binders:
            if (binder.source is None) == (binder.value is None):
                yield f"'{binder.slot.name}' of '{decision.id}' needs a source or a value"
        for guard in (case.guard, case.late_guard):
            if guard is not None:
                yield from self._flag(guard, decision.id)
        if case.move == "":
            yield f"a move of '{decision.id}' has no name"
        if case.block not in self.blocks:
            yield f"there is no block '{case.block}'"
        elif self.blocks[case.block].params != case.passes:
            yield f"block '{case.block}' does not take what its case passes"
        if not set(case.passes) <= set(slots):
            yield f"a case of '{decision.id}' passes what it does not bind"

    # ---------------------------------------------------------------------------------------- structure

    def _structure(self, ops: tuple[ir.Op, ...], where: str, *, loop: bool, function: bool) -> Iterator[str]:
        for op in ops:
            match op:
                case ir.Break() if not loop:
                    yield f"'{where}' breaks out of no loop"
                case ir.Return() if not function:
                    yield f"'{where}' returns and is no function"
                case ir.If(then=then, otherwise=otherwise):
                    yield from self._structure(then, where, loop=loop, function=function)
                    yield from self._structure(otherwise, where, loop=loop, function=function)
                case ir.Select(arms=arms):
                    for _, arm in arms:
                        yield from self._structure(arm, where, loop=loop, function=function)
                case ir.For(body=body) | ir.While(body=body):
                    yield from self._structure(body, where, loop=True, function=function)
                case _:
                    pass
