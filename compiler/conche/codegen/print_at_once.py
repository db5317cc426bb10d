"""Prints decisions at which several choose at once.

Input: such a decision of the engine IR. Output: the bodies of its functions, those of `print_decisions` for
the player in a parameter, and

    holds_x   whether the player is to choose; count_x: how many options he has
    ask_x     asks all
    step_x    and apply_x keep what the player chooses, by number or by name
    named_x   what was kept, as a move; take_x: goes on with it
    anew_x    of a choice made secretly: sets what it sets, from an option by its number

Invariants: kept are the number of the case and the code of each of its binders."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from conche.codegen import ir
from conche.codegen.ir_walk import locals_read, substitute
from conche.codegen.options import Plan
from conche.codegen.print_codecs import codec_text
from conche.codegen.print_decisions import Case, DecisionPrinter, fixed_args
from conche.codegen.print_expressions import Module, literal
from conche.codegen.print_listed import ListedPrinter
from conche.codegen.print_ops import Body
from conche.semantics.rulebook import Slot


def printer_of(module: Module, decision: ir.Decision) -> DecisionPrinter:
    """What prints a decision."""
    if decision.listed:
        return ListedPrinter(module, decision)
    if decision.at_once is None:
        return DecisionPrinter(module, decision)
    return AtOncePrinter(module, decision, decision.at_once)


class AtOncePrinter(DecisionPrinter):
    """Prints the functions of one such decision."""

    def __init__(self, module: Module, decision: ir.Decision, at_once: ir.AtOnce) -> None:
        super().__init__(module, decision)
        self.at_once = at_once
        self.kept = self.names.kept[decision.id]

    def object_parts(self) -> list[str]:
        """The arguments of the decision's object beyond its five functions."""
        at_once, base = self.at_once, self.base
        codecs = [
            tuple_of([codec_text(self.module, binder.slot.type) for binder in case.binders])
            for case, _ in self.cases
        ]
        parts = [
            f"count=count_{base}",
            f"holds={'None' if at_once.guard is None else f'holds_{base}'}",
            f"named=named_{base}",
            f"done={self.names.blocks[at_once.done]}",
            f"kept={literal(self.kept)}",
            f"codecs={tuple_of(codecs)}",
            f"order={literal(self.names.saved[at_once.order])}",
            f"shown={at_once.shown}",
            f"private={self.decision.private}",
            f"told_apart={self.decision.told_apart}",
        ]
        if at_once.anew is not None:
            variables = tuple(self.names.slots[slot] for slot in at_once.anew[0])
            held = self.names.held[self.decision.id]
            anew = self.module.runtime("Anew")
            shown = tuple_of([literal(name) for name in variables])
            parts.append(f"anew={anew}({shown}, {literal(held)}, anew_{base})")
        return parts

    # ---------------------------------------------------------------------------------------- asking

    def ask(self, body: Body) -> None:
        body.mark = self.decision.mark
        gather, found = self.module.runtime("gather"), body.text(self.at_once.seats)
        body.put(f"after: Next = {gather}(state, {self.names.decision_objects[self.decision.id]}, {found})")
        body.put("return after")

    def holds(self, body: Body) -> None:
        assert self.at_once.guard is not None
        body.mark = self.decision.mark
        body.put(f"return {body.text(self.at_once.guard)}")

    def count(self, body: Body) -> None:
        body.mark = self.decision.mark
        case = self.cases[0][0]
        if len(self.cases) == 1 and case.guard is None and self._surely_few():
            body.mark = case.mark
            body.put(f"return {body.text(case.count)}")
            return
        count = self._count(body)
        body.mark = self.decision.mark
        self._check_few(body, count)
        body.put(f"return {count}")

    # ---------------------------------------------------------------------------------------- choosing

    def _entered(self, case: Case) -> set[Slot]:
        return {binder.slot for binder in case[0].binders}

    def _enter(self, body: Body, case: Case) -> None:
        values = [case[1].values.get(binder.slot, ir.Local(binder.slot)) for binder in case[0].binders]
        self._keep(body, case[0], [self._value(body, value) for value in values])

    def _apply_found(self, body: Body, case: ir.Case) -> None:
        self._keep(body, case, [body.text(ir.Local(binder.slot)) for binder in case.binders])

    def _keep(self, body: Body, case: ir.Case, codes: list[str]) -> None:
        number = next(n for n, (other, _) in enumerate(self.cases) if other is case)
        seat = body.text(ir.Local(self.at_once.seat))
        body.put(f"state.{self.kept}[{seat}] = {tuple_of([str(number), *codes])}")
        body.put("return")

    # ---------------------------------------------------------------------------------------- what was kept

    def kept_move(self, body: Body) -> None:
        self._by_case(
            body,
            lambda case: body.put(f"return {self._named(body, (case[0], self._plain(case)))}"),
            lambda case: {slot for _, slot, _ in self.shown(case)},
            drop=False,
        )

    def _plain(self, case: Case) -> Plan:
        """The plan of a case whose arguments that vary all have their values."""
        fixed = fixed_args(case)
        values = {slot: value for slot, value in case[1].values.items() if slot in fixed}
        return replace(case[1], values=values)

    def take(self, body: Body) -> None:
        def enter(case: Case) -> None:
            args = ["state", *(body.text(ir.Local(slot)) for slot in case[0].passes)]
            body.put(f"return {self.names.blocks[case[0].block]}({', '.join(args)})")

        self._by_case(body, enter, lambda case: set(case[0].passes), drop=True)

    def _by_case(
        self,
        body: Body,
        finish: Callable[[Case], None],
        wanted: Callable[[Case], set[Slot]],
        *,
        drop: bool,
    ) -> None:
        """What to do with a choice that was kept, by its case. drop: it is kept no longer."""
        body.mark = self.decision.mark
        seat, kept = body.text(ir.Local(self.at_once.seat)), body.scope.give("kept")
        body.put(f"{kept} = state.{self.kept}[{seat}]")
        if drop:
            body.put(f"state.{self.kept}[{seat}] = ()")
        for number, case in enumerate(self.cases):
            body.mark = case[0].mark
            last = number == len(self.cases) - 1
            if not last:
                body.put(f"if {kept}[0] == {number}:")
                body.indent += 1
            for place, binder in enumerate(case[0].binders):
                if binder.slot in wanted(case):
                    body.put(f"{body.expressions.bind(binder.slot)} = {kept}[{place + 1}]")
            finish(case)
            if not last:
                body.indent -= 1

    # ---------------------------------------------------------------------------------------- anew

    def anew(self, body: Body) -> None:
        """The variables get what they held before, then what an option gives."""
        assert self.at_once.anew is not None
        names, cases = self.at_once.anew
        ops = {id(case): ops for (case, _), ops in zip(self.cases, cases, strict=True)}
        held = self.names.held[self.decision.id]

        def take(case: Case) -> None:
            seat = body.text(ir.Local(self.at_once.seat))
            targets = [f"state.{self.names.slots[name]}[{seat}]" for name in names]
            if targets:
                left = ", ".join(targets) if len(targets) > 1 else f"({targets[0]},)"
                body.put(f"{left} = state.{held}[{seat}]")
            for op in substitute(ops[id(case[0])], case[1].values):
                body.op(op)
            body.put("return")

        self._numbered(
            body, take, lambda case: set(locals_read(substitute(ops[id(case[0])], case[1].values)))
        )


def tuple_of(items: list[str]) -> str:
    return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"
