"""Prints decisions whose options are listed, since an argument may be a piece that carries others.

Input: such a decision of the engine IR. Output: the bodies of its functions, those of `print_decisions` with
the options in `state.found`, and

    options_x   lists all options
    named_x     the move for one

Invariants: of options that look alike the first stands for all."""

from __future__ import annotations

from collections.abc import Callable

from conche.codegen import ir
from conche.codegen.print_codecs import codec_text
from conche.codegen.print_decisions import Case, DecisionPrinter, Entries
from conche.codegen.print_expressions import OR, literal
from conche.codegen.print_ops import Body
from conche.semantics.rulebook import Slot
from conche.semantics.types import EdgeT, Flag, Int, Maybe, PlayerT, SideT, SpaceT, TextT

Attributes = Callable[[str], dict[str, str]]


class ListedPrinter(DecisionPrinter):
    """Prints the functions of one such decision."""

    def _count(self, body: Body) -> str:
        count, first = body.scope.give("count"), self.module.runtime("first_alike")
        body.put(f"state.found = {first}(options_{self.base}(state))")
        body.put(f"{count} = len(state.found)")
        return count

    def _is_one(self, case: Case) -> bool:
        del case
        return False

    def options(self, body: Body) -> None:
        """All options: the number of the case, the codes of its binders, and what the option looks like where
        another can look like it, since a piece among them carries something."""
        body.mark = self.decision.mark
        options = body.scope.give("options")
        body.put(f"{options}: list[tuple[Any, ...]] = []")
        for number, (case, _) in enumerate(self.cases):
            body.mark = case.mark
            indent, depth = body.indent, body.expressions.depth
            if case.guard is not None:
                body.put(f"if {body.condition(case.guard)}:")
                body.indent += 1
            for binder in case.binders:
                if binder.source is not None:
                    body.put(f"for {body.expressions.bind(binder.slot)} in {body.text(binder.source)}:")
                    body.indent += 1
                    body.expressions.depth += 1
                else:
                    assert binder.value is not None
                    body.put(f"{body.expressions.bind(binder.slot)} = {self._value(body, binder.value)}")
            if case.late_guard is not None:
                body.put(f"if {body.condition(case.late_guard)}:")
                body.indent += 1
            codes = [body.text(ir.Local(binder.slot)) for binder in case.binders]
            parts = ", ".join([str(number), *codes, self._look(body, number, case)])
            body.put(f"{options}.append(({parts}))")
            body.indent, body.expressions.depth = indent, depth
        body.put(f"return {options}")

    def _look(self, body: Body, number: int, case: ir.Case) -> str:
        """What tells an option from others of its looks; None where no binder's value is a piece that carries
        others."""
        found: list[ir.Expr] = []
        seen = [str(number)]
        for binder in case.binders:
            type_, value = binder.slot.type, ir.Local(binder.slot)
            zones = self.module.carried(type_.element if isinstance(type_, Maybe) else type_)
            codes = tuple(sorted(kind for zone in zones for kind in zone.carriers))
            if codes:
                last = None if isinstance(type_, Maybe) else self.module.kind_number_of(zones[0].carrier) - 1
                found.append(ir.OneOf(value, codes, last))
            if binder.arg is not None:
                seen.append(self._looks(body, value))
        if not found:
            return "None"
        holds = body.text(found[0] if len(found) == 1 else ir.Logic("or", tuple(found)), OR)
        return f"({', '.join(seen)}) if {holds} else None"

    def _looks(self, body: Body, value: ir.Local) -> str:
        """What can be seen of an argument: of a piece what it carries too, else its code, where no two codes
        are shown alike."""
        code, codec = body.text(value), codec_text(self.module, value.type)
        if self.module.carried(value.type):
            return f"{self.module.runtime('look_of')}(state, {codec}, {code})"
        if isinstance(value.type, Flag | Int | TextT | SpaceT | EdgeT | SideT | PlayerT):
            return code
        return f"{codec}.argument({code})"

    def _taken(self, body: Body, finish: Callable[[Case], None], wanted: Callable[[Case], set[Slot]]) -> None:
        """What to do with an option, by its case; its codes in locals."""
        body.mark = self.decision.mark
        for number, (case, plan) in enumerate(self.cases):
            body.mark = case.mark
            last = number == len(self.cases) - 1
            if not last:
                body.put(f"if option[0] == {number}:")
                body.indent += 1
            slots = wanted((case, plan))
            if slots:
                names = [
                    body.expressions.bind(binder.slot) if binder.slot in slots else "_"
                    for binder in case.binders
                ]
                body.put(f"_, {', '.join(names)}, _ = option")
            finish((case, plan))
            if not last:
                body.indent -= 1

    def named(self, body: Body, attributes: Attributes) -> None:
        """The move for an option. attributes: of a class of moves, by name of the arguments."""
        body.scope.names.add("option")

        def make(case: Case) -> None:
            args: list[str] = []
            for binder in case[0].binders:
                if binder.arg is None:
                    continue
                type_, code = binder.slot.type, body.text(ir.Local(binder.slot))
                codec, known = codec_text(self.module, type_), attributes(case[0].move)
                args.append(f"{known[binder.arg]}={codec}.argument({code})")
                for zone in self.module.carried(type_):
                    short = zone.name.partition(".")[2]
                    carried = self.module.runtime("carried_by")
                    args.append(f"{known[short]}={carried}(state, {codec}, {code}, {literal(short)})")
            body.put(f"return {self.names.moves[case[0].move]}({', '.join(args)})")

        self._taken(
            body,
            make,
            lambda case: {binder.slot for binder in case[0].binders if binder.arg is not None},
        )

    def step(self, body: Body) -> None:
        body.scope.names |= {"index", "option"}
        body.put("option = state.found[index]")

        def enter(case: Case) -> None:
            args = ["state", *(body.text(ir.Local(slot)) for slot in case[0].passes)]
            body.put(f"return {self.names.blocks[case[0].block]}({', '.join(args)})")

        self._taken(body, enter, lambda case: set(case[0].passes))

    def move(self, body: Body) -> None:
        body.put(f"return named_{self.base}(state, state.found[index])")

    def moves(self, body: Body) -> None:
        body.put(f"return [named_{self.base}(state, option) for option in state.found]")

    def apply(self, body: Body, entries: Entries) -> None:
        del entries
        body.mark = self.decision.mark
        kinds = [self.names.moves[move] for move in dict.fromkeys(case.move for case, _ in self.cases)]
        if len(kinds) == 1:
            body.put(f"codes = {self.module.runtime('legal')}(move, {kinds[0]})")
        body.put("for index, option in enumerate(state.found):")
        body.indent += 1
        same = ".codes == codes" if len(kinds) == 1 else " == move"
        body.put(f"if named_{self.base}(state, option){same}:")
        body.indent += 1
        body.put(f"return step_{self.base}(state, index)")
        body.indent -= 2
        body.put(f"raise {self.module.runtime('illegal')}(move)")
