"""Prints decisions: counting, numbering, naming and taking options.

Input: a decision of the engine IR. Output: the bodies of its five functions:

    ask_x     counts the options; the state waits, or the only one is taken
    step_x    an option by its number: its arguments are worked out from the number, nothing is listed
    move_x    its named form; moves_x: that of all options
    apply_x   by name: each argument is looked for where it comes from

Invariants: options are numbered in the order of the rules: case by case, binders as nested loops, the first outermost. A
product of independent binders is multiplied, never walked.
"""

from __future__ import annotations

from collections.abc import Callable

from conche.codegen import ir
from conche.codegen.ir_walk import locals_read, substitute
from conche.codegen.members import member
from conche.codegen.options import Factor, Plan, plan_of, product
from conche.codegen.names import plain
from conche.codegen.print_expressions import PRODUCT, SUM, UNARY, Module, is_sequence, literal
from conche.codegen.print_ops import Body
from conche.semantics.rulebook import Slot
from conche.semantics.types import EnumT, Flag, Int, KindT, SideT, TextT, Type

_NUMBER = Int(-(2**53), 2**53)


class DecisionPrinter:
    """Prints the functions of one decision, each into a body."""

    def __init__(self, module: Module, decision: ir.Decision) -> None:
        self.module = module
        self.names = module.names
        self.decision = decision
        self.plans = [plan_of(case) for case in decision.cases]
        self.base = self.names.decisions[decision.id]

    # ---------------------------------------------------------------------------------------- ask

    def ask(self, body: Body, otherwise: Callable[[Body], None]) -> None:
        """Counts. `otherwise` prints what happens when there is no option."""
        body.mark = self.decision.mark
        count = body.scope.give("count")
        for number, plan in enumerate(self.plans):
            total = self._counted(body, plan)
            guard = plan.case.guard
            if number == 0:
                if guard is not None:
                    total = f"{total} if {body.text(guard, 1)} else 0"
                body.put(f"{count} = {total}")
            elif guard is None:
                body.put(f"{count} += {total}")
            else:
                body.put(f"if {body.text(guard)}:")
                body.indent += 1
                body.put(f"{count} += {total}")
                body.indent -= 1
        body.put(f"if {count} > 1:")
        body.indent += 1
        chooser = body.text(self.decision.chooser)
        body.put(f"state.at = {self.names.decision_objects[self.decision.id]}")
        body.put(f"state.options = {count}")
        body.put(f"state.actor = {chooser}")
        body.put("return None")
        body.indent -= 1
        body.put(f"if {count}:")
        body.indent += 1
        body.put("if state.log is not None:")
        body.indent += 1
        body.put(f"state.note_forced({chooser}, move_{self.base}(state, 0))")
        body.indent -= 1
        body.put(f"return step_{self.base}(state, 0)")
        body.indent -= 1
        otherwise(body)

    def _counted(self, body: Body, plan: Plan) -> str:
        return body.text(product(plan.factors(0)), 1)

    # ---------------------------------------------------------------------------------------- step and move

    def step(self, body: Body) -> None:
        self._numbered(body, lambda plan: self._enter(body, plan))

    def move(self, body: Body) -> None:
        self._numbered(body, lambda plan: body.put(f"return {self._named(body, plan)}"))

    def _numbered(self, body: Body, finish: Callable[[Plan], None]) -> None:
        body.mark = self.decision.mark
        body.scope.names.add("index")
        for number, plan in enumerate(self.plans):
            body.mark = plan.case.mark
            if number == len(self.plans) - 1:
                self._decode(body, plan, finish)
                return
            if plan.case.guard is not None:
                body.put(f"if {body.text(plan.case.guard)}:")
                body.indent += 1
            if plan.sources:
                count = body.scope.give("count")
                body.put(f"{count} = {self._counted(body, plan)}")
            else:
                count = "1"
            body.put(f"if index < {count}:")
            body.indent += 1
            self._decode(body, plan, finish)
            body.indent -= 1
            body.put(f"index -= {count}")
            if plan.case.guard is not None:
                body.indent -= 1

    def _decode(self, body: Body, plan: Plan, finish: Callable[[Plan], None]) -> None:
        """From `index` to the values of the binders."""
        wanted = self._needed(plan)
        plan = self._hoisted(body, plan, wanted)
        for place, (slot, source) in enumerate(plan.sources):
            rest = plan.factors(place + 1)
            dependent = [factor for factor in rest if slot in factor.deps]
            if dependent:
                self._search(body, plan, slot, source, rest, dependent)
                continue
            name = body.expressions.bind(slot)
            if name == "_":
                if rest:
                    body.put(f"index %= {body.text(product(rest), UNARY)}")
                continue
            if not rest:
                item = ir.At(source, ir.Local(_INDEX), slot.type)
                body.put(f"{name} = {_with_index(body, item)}")
                continue
            size = body.text(product(rest))
            if not size.isidentifier() and not size.isdigit():
                local = body.scope.give("size")
                body.put(f"{local} = {size}")
                size = local
            item = ir.At(source, ir.Arith("/", ir.Local(_INDEX), ir.Local(_SIZE), _NUMBER), slot.type)
            body.put(f"{name} = {_with_index(body, item, size)}")
            body.put(f"index %= {size}")
        finish(plan)

    def _search(
        self,
        body: Body,
        plan: Plan,
        slot: Slot,
        source: ir.Expr,
        rest: list[Factor],
        dependent: list[Factor],
    ) -> None:
        """A binder on which the number of further options depends: walked, with the options of each taken off."""
        independent = [factor for factor in rest if factor not in dependent]
        factor_text = ""
        if independent:
            factor_text = body.text(product(independent), PRODUCT)
            if not factor_text.isidentifier() and not factor_text.isdigit():
                local = body.scope.give("size")
                body.put(f"{local} = {factor_text}")
                factor_text = local
        guard_only = len(dependent) == 1 and dependent[0].expr == plan._indicator()
        body.put(f"for {body.expressions.bind(slot)} in {body.text(source)}:")
        body.indent += 1
        body.expressions.depth += 1
        if guard_only and not factor_text:
            assert plan.late_guard is not None
            body.put(f"if {body.text(plan.late_guard)}:")
            body.indent += 1
            body.put("if not index:")
            body.indent += 1
            body.put("break")
            body.indent -= 1
            body.put("index -= 1")
            body.indent -= 1
        else:
            count = body.scope.give("count")
            text = body.text(product(dependent), PRODUCT if factor_text else 0)
            body.put(f"{count} = {text} * {factor_text}" if factor_text else f"{count} = {text}")
            body.put(f"if index < {count}:")
            body.indent += 1
            body.put("break")
            body.indent -= 1
            body.put(f"index -= {count}")
        body.expressions.depth -= 1
        body.indent -= 1

    def _needed(self, plan: Plan) -> set[Slot]:
        return {slot for slot, _ in plan.sources}

    def _hoisted(self, body: Body, plan: Plan, wanted: set[Slot]) -> Plan:
        """Sources that depend on no binder and cost something are worked out once."""
        if len(plan.sources) == 1 and plan.late_guard is None:
            return plan
        sources: list[tuple[Slot, ir.Expr]] = []
        for slot, source in plan.sources:
            costly = isinstance(source, ir.Ask | ir.Fold | ir.Cond | ir.Concat | ir.Distinct | ir.Spaces)
            if costly and not locals_read(source) & wanted:
                hoisted = Slot("", -len(sources) - 2, f"{slot.name}_options", source.type)
                body.expressions.locals.pop(hoisted, None)
                body.put(f"{body.expressions.bind(hoisted)} = {body.text(source)}")
                source = ir.Local(hoisted)
            sources.append((slot, source))
        return Plan(plan.case, tuple(sources), plan.values, plan.late_guard)

    def _enter(self, body: Body, plan: Plan) -> None:
        """Into the case's block."""
        args = ["state"]
        for slot in plan.case.passes:
            value = plan.values.get(slot)
            args.append(body.text(ir.Local(slot)) if value is None else self._value(body, value))
        body.put(f"return {self.names.blocks[plan.case.block]}({', '.join(args)})")

    def _value(self, body: Body, value: ir.Expr) -> str:
        return body.expressions.tuple_text(value) if is_sequence(value.type) else body.text(value)

    # ---------------------------------------------------------------------------------------- named moves

    def shown(self, plan: Plan) -> list[tuple[str, Slot, ir.Expr]]:
        """The arguments that vary: name, slot, value."""
        found = []
        for binder in plan.case.binders:
            if binder.arg is not None and binder.slot not in fixed_args(plan):
                found.append((binder.arg, binder.slot, plan.values.get(binder.slot, ir.Local(binder.slot))))
        return found

    def _pool(self, plan: Plan) -> str:
        number = next(n for n, other in enumerate(self.plans) if other.case is plan.case)
        return self.names.pools[self.decision.id, number]

    def _named(self, body: Body, plan: Plan) -> str:
        codes = [self._value(body, value) for _, _, value in self.shown(plan)]
        if not codes:
            return f"{self._pool(plan)}.only"
        return f"{self._pool(plan)}.row({', '.join(codes[:-1])})[{codes[-1]}]"

    def moves(self, body: Body) -> None:
        body.mark = self.decision.mark
        if len(self.plans) == 1 and self.plans[0].case.guard is None and len(self.plans[0].sources) <= 1:
            plan = self.plans[0]
            body.put(f"return {self._listed(body, plan)}")
            return
        moves = body.scope.give("moves")
        body.put(f"{moves}: list[{self.names.moves[self.decision.name]}] = []")
        for plan in self.plans:
            body.mark = plan.case.mark
            guard = plan.case.guard
            if guard is not None:
                body.put(f"if {body.text(guard)}:")
                body.indent += 1
            self._nested(body, plan, moves)
            if guard is not None:
                body.indent -= 1
        body.put(f"return {moves}")

    def _nested(self, body: Body, plan: Plan, moves: str) -> None:
        """The loops of a case."""
        plan = self._hoisted(body, plan, self._needed(plan))
        indent = body.indent
        for slot, source in plan.sources[:-1]:
            body.put(f"for {body.expressions.bind(slot)} in {body.text(source)}:")
            body.indent += 1
            body.expressions.depth += 1
        body.put(f"{moves} += {self._listed(body, plan)}")
        body.expressions.depth -= len(plan.sources[:-1])
        body.indent = indent

    def _listed(self, body: Body, plan: Plan) -> str:
        """The innermost loop, as a list."""
        if not plan.sources:
            named = self._named(body, plan)
            if plan.late_guard is not None:
                return f"[{named}] if {body.text(plan.late_guard, 1)} else []"
            return f"[{named}]"
        slot, source = plan.sources[-1]
        shown = self.shown(plan)
        source_text = body.text(source, 1)
        name = body.expressions.bind(slot)
        body.expressions.depth += 1
        inner = {slot}
        prefix = [value for _, _, value in shown[:-1]]
        named = self._named(body, plan)
        if shown and not any(locals_read(value) & inner for value in prefix):
            row = body.scope.give("row")
            codes = ", ".join(self._value(body, value) for value in prefix)
            body.put(f"{row} = {self._pool(plan)}.row({codes})")
            named = f"{row}[{self._value(body, shown[-1][2])}]"
        where = "" if plan.late_guard is None else f" if {body.text(plan.late_guard, 1)}"
        body.expressions.depth -= 1
        return f"[{named} for {name} in {source_text}{where}]"

    # ---------------------------------------------------------------------------------------- apply

    def apply(self, body: Body, entries: list[tuple[str, Type]]) -> None:
        """`entries`: the arguments of the move class, in order."""
        body.mark = self.decision.mark
        kind = self.names.moves[self.decision.name]
        locals_ = [body.scope.give(plain(name)) for name, _ in entries]
        legal = self.module.runtime("legal")
        if not entries:
            body.put(f"{legal}(move, {kind})")
        else:
            targets = ", ".join(locals_) if len(locals_) > 1 else f"({locals_[0]},)"
            body.put(f"{targets} = {legal}(move, {kind})")
        for plan in self.plans:
            body.mark = plan.case.mark
            self._apply_case(body, plan, entries, locals_)
        body.put(f"raise {self.module.runtime('illegal')}(move)")

    def _apply_case(
        self, body: Body, plan: Plan, entries: list[tuple[str, Type]], locals_: list[str]
    ) -> None:
        conditions: list[str] = []
        indent = body.indent
        own: dict[str, Type] = {
            binder.arg: binder.slot.type for binder in plan.case.binders if binder.arg is not None
        }
        for number, (name, type_) in enumerate(entries):
            if name not in own or codec_key(own[name]) != codec_key(type_):
                conditions.append(f"{locals_[number]} == {self.module.runtime('MISSING')}")
        if plan.case.guard is not None:
            conditions.append(body.text(plan.case.guard, 2))
        by_name = {
            (name, codec_key(type_)): local for (name, type_), local in zip(entries, locals_, strict=True)
        }

        def flush() -> None:
            if conditions:
                body.put(f"if {' and '.join(conditions)}:")
                body.indent += 1
                conditions.clear()

        for binder in plan.case.binders:
            if binder.arg is None:
                if binder.source is not None:
                    flush()
                    source = body.text(substitute(binder.source, plan.values))
                    body.put(f"for {body.expressions.bind(binder.slot)} in {source}:")
                    body.indent += 1
                continue
            local = by_name[binder.arg, codec_key(binder.slot.type)]
            body.expressions.locals[binder.slot] = local
            if binder.source is not None:
                source_expr = substitute(binder.source, plan.values)
                found = member(ir.Local(binder.slot), source_expr, checked=True)
                conditions.append(body.text(found, 2))
            else:
                value = plan.values[binder.slot]
                same = ir.Compare("=", ir.Local(binder.slot), value)
                if isinstance(value.type, Flag):
                    conditions.append(f"{local} is {body.text(value, SUM)}")
                else:
                    conditions.append(body.text(same, 2))
        if plan.late_guard is not None:
            conditions.append(body.text(plan.late_guard, 2))
        flush()
        args = ["state", *(body.text(ir.Local(slot)) for slot in self._passed(body, plan))]
        body.put(f"return {self.names.blocks[plan.case.block]}({', '.join(args)})")
        body.indent = indent

    def _passed(self, body: Body, plan: Plan) -> tuple[Slot, ...]:
        """The locals to pass; hidden computed ones are worked out first."""
        for binder in plan.case.binders:
            if binder.arg is None and binder.slot in plan.case.passes and binder.slot in plan.values:
                body.put(f"{body.expressions.bind(binder.slot)} = {self._value(body, plan.values[binder.slot])}")
        return plan.case.passes


_INDEX = Slot("", -1, "index", Int(0, 2**31))
_SIZE = Slot("", 0, "size", Int(0, 2**31))


def _with_index(body: Body, item: ir.Expr, size: str | None = None) -> str:
    """The text of an expression that speaks of `index`."""
    body.expressions.locals[_INDEX] = "index"
    if size is not None:
        body.expressions.locals[_SIZE] = size
    return body.text(item)


def fixed_args(plan: Plan) -> dict[Slot, str]:
    """The arguments that never vary, with their text."""
    found: dict[Slot, str] = {}
    for binder in plan.case.binders:
        value = plan.values.get(binder.slot)
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


def is_named(type_: Type) -> bool:
    return isinstance(type_, EnumT | KindT | SideT)
