"""Prints decisions: counting, numbering, naming and taking options.

Input: a decision of the engine IR. Output: the bodies of its five functions:

    ask_x     counts the options; the state waits, or the only one is taken
    step_x    an option by its number: its arguments are worked out from the number, nothing is listed
    move_x    its named form; moves_x: that of all options
    apply_x   by name: each argument is looked for where it comes from

Invariants: options are numbered in the order of the rules: case by case, binders as nested loops, the first
outermost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from conche.codegen import ir
from conche.codegen.ir_walk import locals_read, substitute
from conche.codegen.members import member
from conche.codegen.names import plain
from conche.codegen.options import Factor, Plan, plan_of, product
from conche.codegen.print_blocks import print_run
from conche.codegen.print_expressions import AND, COND, PRODUCT, SUM, Module, is_sequence, literal
from conche.codegen.print_ops import Body
from conche.semantics.intervals import MANY
from conche.semantics.rulebook import Slot
from conche.semantics.types import Flag, Int, TextT, Type

_NUMBER = Int(-(2**53), 2**53)
_INDEX = Slot("", -1, "index", Int(0, 2**31))
_SIZE = Slot("", 0, "size", Int(0, 2**31))
Case = tuple[ir.Case, Plan]
Entries = Callable[[str], Sequence[tuple[str, Type]]]


class DecisionPrinter:
    """Prints the functions of one decision, each into a body."""

    def __init__(self, module: Module, decision: ir.Decision) -> None:
        self.module = module
        self.names = module.names
        self.decision = decision
        self.cases: list[Case] = [(case, plan_of(case.binders, case.late_guard)) for case in decision.cases]
        self.base = self.names.decisions[decision.id]

    @property
    def move_type(self) -> str:
        """The class of the moves; what all classes are, where there are several."""
        found = dict.fromkeys(case.move for case, _ in self.cases)
        return self.names.moves[next(iter(found))] if len(found) == 1 else self.module.runtime("EngineMove")

    def found(self, body: Body) -> None:
        """What was worked out when the options were counted."""
        if self.decision.found is not None:
            slot, _ = self.decision.found
            name = body.expressions.bind(slot)
            if name != "_":
                body.put(f"{name} = state.found")

    # ---------------------------------------------------------------------------------------- ask

    def ask(self, body: Body) -> None:
        """Counts, and goes on where there is no option."""
        body.mark = self.decision.mark
        if self.decision.found is not None:
            slot, value = self.decision.found
            body.mark = next(
                (case.mark for case, _ in self.cases if slot in locals_read(case.count)), self.decision.mark
            )
            body.put(f"state.found = {body.expressions.bind(slot)} = {body.text(value)}")
        count = self._count(body)
        body.mark = self.decision.mark
        body.put(f"if {count} > 1:")
        body.indent += 1
        self._check_few(body, count)
        if not self.decision.told_apart:
            body.put(f"{self.module.runtime('tell_apart')}(moves_{self.base}(state))")
        chooser = body.text(self.decision.chooser)
        body.put(f"state.at = {self.names.decision_objects[self.decision.id]}")
        body.put(f"state.options = {count}")
        body.put(f"state.actor = {chooser}")
        body.put("return None")
        body.indent -= 1
        sure = self._is_one(self.cases[-1])
        if not sure:
            body.put(f"if {count}:")
            body.indent += 1
        body.put("if state.log is not None:")
        body.indent += 1
        private = ", True" if self.decision.private and self.decision.asking is None else ""
        body.put(f"state.note_forced({chooser}, move_{self.base}(state, 0){private})")
        body.indent -= 1
        if sure:
            self._enter(body, self.cases[-1])
            return
        body.put(f"return step_{self.base}(state, 0)")
        body.indent -= 1
        print_run(body, self.decision.otherwise, None)

    def _is_one(self, case: Case) -> bool:
        """Whether a case is always exactly one option: there is nothing else when it is the last and there is
        one option in all."""
        return case[0].guard is None and case[1].late_guard is None and not case[1].sources

    def _count(self, body: Body) -> str:
        """Counts the options of all cases into a local."""
        count = body.scope.give("count")
        for number, (case, _) in enumerate(self.cases):
            body.mark = case.mark
            total = body.text(case.count, 1)
            if number == 0:
                if case.guard is not None:
                    total = f"{total} if {body.condition(case.guard, 1)} else 0"
                body.put(f"{count} = {total}")
            elif case.guard is None:
                body.put(f"{count} += {total}")
            else:
                body.put(f"if {body.condition(case.guard)}:")
                body.indent += 1
                body.put(f"{count} += {total}")
                body.indent -= 1
        return count

    def _check_few(self, body: Body, count: str) -> None:
        if not self._surely_few():
            body.put(f"if {count} > {MANY}:")
            body.indent += 1
            body.fault(f"'{self.decision.name}' has more than {MANY} options")
            body.indent -= 1

    def may_be_asked(self, body: Body) -> None:
        """Whether open facts allow a player to be asked where one can pass."""
        asking = self.decision.asking
        assert asking is not None
        assert asking.seat is not None
        body.mark = self.decision.mark
        parts: tuple[ir.Expr, ...] = () if asking.condition is None else (asking.condition,)
        if self.module.program.eliminates:
            parts = (ir.StillIn(ir.Local(asking.seat)), *parts)
        holds: ir.Expr = ir.Const(True, ir.FLAG)
        if parts:
            holds = parts[0] if len(parts) == 1 else ir.Logic("and", parts)
        body.put(f"return {body.text(holds)}")

    def _surely_few(self) -> bool:
        """Whether there cannot be more options than anybody can be asked about."""
        found = [self.module.ranges.of(case.count) for case in self.decision.cases]
        return sum(MANY + 1 if bounds is None else bounds.high for bounds in found) <= MANY

    # ---------------------------------------------------------------------------------------- step and move

    def step(self, body: Body) -> None:
        self._numbered(body, lambda case: self._enter(body, case), self._entered)

    def _entered(self, case: Case) -> set[Slot]:
        """The binders whose values `_enter` needs."""
        return set(case[0].passes)

    def move(self, body: Body) -> None:
        self._numbered(
            body,
            lambda case: body.put(f"return {self._named(body, case)}"),
            lambda case: {slot for _, _, value in self.shown(case) for slot in locals_read(value)},
        )

    def _numbered(
        self, body: Body, finish: Callable[[Case], None], wanted: Callable[[Case], set[Slot]]
    ) -> None:
        body.mark = self.decision.mark
        body.scope.names.add("index")
        self.found(body)
        for number, (case, plan) in enumerate(self.cases):
            body.mark = case.mark
            if number == len(self.cases) - 1:
                self._decode(body, (case, plan), finish, wanted((case, plan)))
                return
            if case.guard is not None:
                body.put(f"if {body.condition(case.guard)}:")
                body.indent += 1
            if self._is_walked(plan):
                self._decode(body, (case, plan), finish, wanted((case, plan)), walked=True)
                if case.guard is not None:
                    body.indent -= 1
                continue
            count = "1"
            if plan.sources or plan.late_guard is not None:
                count = body.scope.give("count")
                body.put(f"{count} = {body.text(case.count)}")
            body.put(f"if index < {count}:")
            body.indent += 1
            self._decode(body, (case, plan), finish, wanted((case, plan)))
            body.indent -= 1
            body.put(f"index -= {count}")
            if case.guard is not None:
                body.indent -= 1

    def _is_walked(self, plan: Plan) -> bool:
        """Whether the options of a case are gone through anyway to find one: then they need not be counted
        before."""
        rest = plan.factors(1) if plan.sources else []
        return bool(rest) and all(plan.sources[0][0] in factor.deps for factor in rest)

    def _decode(
        self,
        body: Body,
        case: Case,
        finish: Callable[[Case], None],
        wanted: set[Slot],
        *,
        walked: bool = False,
    ) -> None:
        """From `index` to the values of the binders that are wanted, or that others depend on. walked: the
        option may be one of a later case, which then comes next, its `index` worked out."""
        indent, depth = body.indent, body.expressions.depth
        self._sizes: dict[str, str] = {}
        plan = self._hoisted(body, case[1])
        used = self._used(plan, wanted)
        last = max(
            (n for n, (slot, _) in enumerate(plan.sources) if slot in used), default=0 if walked else -1
        )
        for place, (slot, source) in enumerate(plan.sources[: last + 1]):
            rest = plan.factors(place + 1)
            dependent = [factor for factor in rest if slot in factor.deps]
            name = body.expressions.bind(slot)
            if dependent and walked and place == 0:
                less = self._search_within(body, plan, slot, source, dependent)
            elif dependent:
                self._search(body, plan, slot, source, rest, dependent)
            elif not rest:
                body.put(f"{name} = {_with_index(body, ir.At(source, ir.Local(_INDEX), slot.type))}")
            else:
                size = self._size(body, product(rest), COND)
                item = ir.At(source, ir.Arith("/", ir.Local(_INDEX), ir.Local(_SIZE), _NUMBER), slot.type)
                body.put(f"{name} = {_with_index(body, item, size)}")
                if place < last:
                    body.put(f"index %= {size}")
        finish((case[0], plan))
        if walked:
            body.indent -= 1
            body.put(less)
        body.indent, body.expressions.depth = indent, depth

    def _used(self, plan: Plan, wanted: set[Slot]) -> set[Slot]:
        """The binders whose values are needed."""
        used = set(wanted)
        for value in plan.values.values():
            used |= locals_read(value)
        for place in range(len(plan.sources)):
            for factor in plan.factors(place):
                used |= factor.deps
            used |= locals_read(plan.sources[place][1])
        return used

    def _size(self, body: Body, expr: ir.Expr, prec: int) -> str:
        """How many options there are for each value: a name or number."""
        text = body.text(expr, prec)
        if text.isidentifier() or text.isdigit():
            return text
        if text not in self._sizes:
            self._sizes[text] = body.scope.give("size")
            body.put(f"{self._sizes[text]} = {text}")
        return self._sizes[text]

    def _search_within(
        self, body: Body, plan: Plan, slot: Slot, source: ir.Expr, dependent: list[Factor]
    ) -> str:
        """As `_search`, but what is found is gone on with inside the loop. Gives what takes the options of a
        value off."""
        only = self._kind_loop(body, slot, source)
        body.indent += 1
        body.expressions.depth += 1
        if only is not None:
            body.put(f"if {only}:")
            body.indent += 1
        if len(dependent) == 1 and dependent[0].expr == plan.indicator():
            assert plan.late_guard is not None
            body.put(f"if {body.condition(plan.late_guard)}:")
            body.indent += 1
            body.put("if not index:")
            body.indent += 1
            return "index -= 1"
        count = body.scope.give("count")
        body.put(f"{count} = {body.text(product(dependent))}")
        body.put(f"if index < {count}:")
        body.indent += 1
        return f"index -= {count}"

    def _search(
        self,
        body: Body,
        plan: Plan,
        slot: Slot,
        source: ir.Expr,
        rest: list[Factor],
        dependent: list[Factor],
    ) -> None:
        """A binder on which the number of further options depends: walked, with the options of each taken
        off."""
        independent = [factor for factor in rest if factor not in dependent]
        times = self._size(body, product(independent), PRODUCT) if independent else ""
        indent = body.indent
        only = self._kind_loop(body, slot, source)
        body.indent += 1
        body.expressions.depth += 1
        guard_only = len(dependent) == 1 and dependent[0].expr == plan.indicator() and not times
        if only is not None and not guard_only:
            body.put(f"if {only}:")
            body.indent += 1
        if guard_only:
            assert plan.late_guard is not None
            holds = body.condition(plan.late_guard, AND + 1 if only is not None else COND)
            body.put(f"if {holds}:" if only is None else f"if {only} and {holds}:")
            body.indent += 1
            body.put("if not index:")
            body.indent += 1
            body.put("break")
            body.indent -= 1
            body.put("index -= 1")
        else:
            count = body.scope.give("count")
            text = body.text(product(dependent), PRODUCT if times else COND)
            body.put(f"{count} = {text} * {times}" if times else f"{count} = {text}")
            body.put(f"if index < {count}:")
            body.indent += 1
            body.put("break")
            body.indent -= 1
            body.put(f"index -= {count}")
        body.expressions.depth -= 1
        body.indent = indent

    def _kind_loop(self, body: Body, slot: Slot, source: ir.Expr) -> str | None:
        """The head of a loop; over the kinds in a zone it runs over all kinds, and gives what must be asked
        of each."""
        name = body.expressions.bind(slot)
        if isinstance(source, ir.ZoneKinds):
            zone = self.module.zones[source.zone]
            if zone.storage != "row" and not zone.known:
                body.put(f"for {name} in range({self.module.kind_number(zone)}):")
                return body.text(ir.ZoneHolds(source.zone, source.seat, ir.Local(slot), _NUMBER))
        body.put(f"for {name} in {body.text(source)}:")
        return None

    def _hoisted(self, body: Body, plan: Plan) -> Plan:
        """Sources that depend on no binder and cost something are worked out once."""
        own = {slot for slot, _ in plan.sources}
        sources: list[tuple[Slot, ir.Expr]] = []
        for slot, source in plan.sources:
            costly = isinstance(source, ir.Ask | ir.Fold | ir.Cond | ir.Concat | ir.Distinct | ir.Spaces)
            if costly and not locals_read(source) & own:
                hoisted = Slot("", -len(sources) - 2, f"{slot.name}_options", source.type)
                body.expressions.locals.pop(hoisted, None)
                body.put(f"{body.expressions.bind(hoisted)} = {body.text(source)}")
                source = ir.Local(hoisted)
            sources.append((slot, source))
        return replace(plan, sources=tuple(sources))

    def _enter(self, body: Body, case: Case) -> None:
        """Into the case's block."""
        args = ["state"]
        for slot in case[0].passes:
            value = case[1].values.get(slot)
            args.append(body.text(ir.Local(slot)) if value is None else self._value(body, value))
        body.put(f"return {self.names.blocks[case[0].block]}({', '.join(args)})")

    def _value(self, body: Body, value: ir.Expr) -> str:
        return body.expressions.tuple_text(value) if is_sequence(value.type) else body.text(value)

    # ---------------------------------------------------------------------------------------- named moves

    def shown(self, case: Case) -> list[tuple[str, Slot, ir.Expr]]:
        """The arguments that vary: name, slot, value."""
        fixed = fixed_args(case)
        return [
            (binder.arg, binder.slot, case[1].values.get(binder.slot, ir.Local(binder.slot)))
            for binder in case[0].binders
            if binder.arg is not None and binder.slot not in fixed
        ]

    def _pool(self, case: Case) -> str:
        number = next(n for n, (other, _) in enumerate(self.cases) if other is case[0])
        return self.names.pools[self.decision.id, number]

    def _named(self, body: Body, case: Case) -> str:
        codes = [self._value(body, value) for _, _, value in self.shown(case)]
        if not codes:
            return f"{self._pool(case)}.only"
        return f"{self._row(case, codes[:-1])}[{codes[-1]}]"

    def _row(self, case: Case, codes: Sequence[str]) -> str:
        """The moves that share all codes but the last."""
        return f"{self._pool(case)}[{', '.join(codes)}]" if codes else f"{self._pool(case)}.row"

    def moves(self, body: Body) -> None:
        body.mark = self.decision.mark
        self.found(body)
        case, plan = self.cases[0]
        if len(self.cases) == 1 and case.guard is None and len(plan.sources) <= 1:
            body.put(f"return {self._listed(body, (case, plan))}")
            return
        moves = body.scope.give("moves")
        body.put(f"{moves}: list[{self.move_type}] = []")
        for case, plan in self.cases:
            body.mark = case.mark
            if case.guard is not None:
                body.put(f"if {body.condition(case.guard)}:")
                body.indent += 1
            self._nested(body, (case, plan), moves)
            if case.guard is not None:
                body.indent -= 1
        body.put(f"return {moves}")

    def _nested(self, body: Body, case: Case, moves: str) -> None:
        """The loops of a case."""
        plan = self._hoisted(body, case[1])
        every = self._every(body, case, plan)
        indent, depth = body.indent, body.expressions.depth
        for slot, source in plan.sources[:-1]:
            only = self._kind_loop(body, slot, source)
            body.indent += 1
            body.expressions.depth += 1
            if only is not None:
                body.put(f"if {only}:")
                body.indent += 1
        if every is not None:
            codes = [self._value(body, value) for _, _, value in self.shown(case)[:-1]]
            body.put(f"{moves} += {every}({self._row(case, codes)})")
        else:
            body.put(f"{moves} += {self._listed(body, (case[0], plan))}")
        body.indent, body.expressions.depth = indent, depth

    def _every(self, body: Body, case: Case, plan: Plan) -> str | None:
        """What gives all moves of a row, where the last argument does not depend on the others."""
        shown, own = self.shown(case), {slot for slot, _ in plan.sources}
        if len(plan.sources) < 2 or plan.late_guard is not None or not shown:
            return None
        slot, source = plan.sources[-1]
        alone = not any(slot in locals_read(value) for _, _, value in shown[:-1])
        if not alone or shown[-1][2] != ir.Local(slot) or locals_read(source) & own:
            return None
        every = body.scope.give("all_moves")
        body.put(f"{every} = {self.module.runtime('all_of')}({body.text(source)})")
        return every

    def _listed(self, body: Body, case: Case) -> str:
        """The innermost loop, as a list."""
        plan = case[1]
        if not plan.sources:
            named = self._named(body, case)
            if plan.late_guard is not None:
                return f"[{named}] if {body.condition(plan.late_guard, 1)} else []"
            return f"[{named}]"
        slot, source = plan.sources[-1]
        shown = self.shown(case)
        source_text = body.text(source, 1)
        body.expressions.depth += 1
        prefix = [value for _, _, value in shown[:-1]]
        if shown and not any(slot in locals_read(value) for value in prefix):
            row = body.scope.give("row")
            body.put(f"{row} = {self._row(case, [self._value(body, value) for value in prefix])}")
            named = f"{row}[{self._value(body, shown[-1][2])}]"
        else:
            named = self._named(body, case)
        where = "" if plan.late_guard is None else f" if {body.condition(plan.late_guard, 1)}"
        body.expressions.depth -= 1
        return f"[{named} for {body.expressions.bind(slot)} in {source_text}{where}]"

    # ---------------------------------------------------------------------------------------- apply

    def apply(self, body: Body, entries: Entries) -> None:
        """`entries`: the arguments of a class of moves, in order."""
        body.mark = self.decision.mark
        *others, last = dict.fromkeys(case.move for case, _ in self.cases)
        for move in others:
            body.put(f"if isinstance(move, {self.names.moves[move]}):")
            body.indent += 1
            self._apply_named(body, move, entries(move))
            body.indent -= 1
        self._apply_named(body, last, entries(last))

    def _apply_named(self, body: Body, move: str, entries: Sequence[tuple[str, Type]]) -> None:
        """The cases whose moves have a name."""
        body.mark = self.decision.mark
        kind = self.names.moves[move]
        locals_ = [body.scope.give(plain(name)) for name, _ in entries]
        legal = self.module.runtime("legal")
        if not entries:
            body.put(f"{legal}(move, {kind})")
        else:
            targets = ", ".join(locals_) if len(locals_) > 1 else f"({locals_[0]},)"
            body.put(f"{targets} = {legal}(move, {kind})")
        self.found(body)
        for case in self.cases:
            if case[0].move == move:
                body.mark = case[0].mark
                self._apply_case(body, case, entries, locals_)
        body.put(f"raise {self.module.runtime('illegal')}(move)")

    def _apply_case(
        self, body: Body, case: Case, entries: Sequence[tuple[str, Type]], locals_: Sequence[str]
    ) -> None:
        plan, indent = case[1], body.indent
        own = {
            binder.arg: codec_key(binder.slot.type) for binder in case[0].binders if binder.arg is not None
        }
        by_name = {(name, type_): local for (name, type_), local in zip(entries, locals_, strict=True)}
        conditions = [
            f"{local} == {self.module.runtime('MISSING')}"
            for (name, _), local in by_name.items()
            if name not in own
        ]
        if case[0].guard is not None:
            conditions.append(body.condition(case[0].guard, AND))

        def flush() -> None:
            if conditions:
                body.put(f"if {' and '.join(conditions)}:")
                body.indent += 1
                conditions.clear()

        for binder in case[0].binders:
            if binder.arg is None:
                if binder.source is not None:
                    flush()
                    source = body.text(substitute(binder.source, plan.values))
                    body.put(f"for {body.expressions.bind(binder.slot)} in {source}:")
                    body.indent += 1
                continue
            local = by_name[binder.arg, codec_key(binder.slot.type)]
            body.expressions.locals[binder.slot] = local
            here = ir.Local(binder.slot)
            if binder.source is not None:
                found = member(here, substitute(binder.source, plan.values), checked=True)
                conditions.append(body.condition(found, AND))
            elif isinstance(binder.slot.type, Flag):
                conditions.append(f"{local} is {body.text(plan.values[binder.slot], SUM)}")
            else:
                conditions.append(body.condition(ir.Compare("=", here, plan.values[binder.slot]), AND))
        if plan.late_guard is not None:
            conditions.append(body.condition(plan.late_guard, AND))
        flush()
        entered = self._entered(case)
        for binder in case[0].binders:
            if binder.arg is None and binder.slot in entered and binder.slot in plan.values:
                value = self._value(body, plan.values[binder.slot])
                body.put(f"{body.expressions.bind(binder.slot)} = {value}")
        self._apply_found(body, case[0])
        body.indent = indent

    def _apply_found(self, body: Body, case: ir.Case) -> None:
        """The option is found, its arguments are in locals."""
        args = ["state", *(body.text(ir.Local(slot)) for slot in case.passes)]
        body.put(f"return {self.names.blocks[case.block]}({', '.join(args)})")


def _with_index(body: Body, item: ir.Expr, size: str | None = None) -> str:
    """The text of an expression that speaks of `index`."""
    body.expressions.locals[_INDEX] = "index"
    if size is not None:
        body.expressions.locals[_SIZE] = size
    return body.text(item)


def fixed_args(case: Case) -> dict[Slot, str]:
    """The arguments that never vary, with their text."""
    found: dict[Slot, str] = {}
    for binder in case[0].binders:
        value = case[1].values.get(binder.slot)
        if (
            binder.arg is not None
            and isinstance(value, ir.Const)
            and isinstance(binder.slot.type, Flag | Int | TextT)
        ):
            found[binder.slot] = literal(value.value)
    return found


def codec_key(type_: Type) -> Type:
    """What two arguments must have in common to have the same codec."""
    return _NUMBER if isinstance(type_, Int) else type_
