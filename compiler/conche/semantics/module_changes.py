"""Changes: each typed in the scope of the place that it changes.

Input: changes of the AST and the scope of their part of the module. Output: edits; None after a finding.
Invariants: what the game fixed stays fixed: the parameters of a step, whether it has a `you`, the type of a
query.
"""

from __future__ import annotations

from conche.semantics import rulebook as rb
from conche.semantics import typed_module as tm
from conche.semantics.check_choices import check_told_apart, type_cases
from conche.semantics.check_declarations import check_holds, introduce_you, query_answer
from conche.semantics.check_expressions import type_expression, type_flag, type_number
from conche.semantics.check_statements import type_block, type_owner_body, until_stable
from conche.semantics.check_types import fits
from conche.semantics.check_values import as_value, is_bad
from conche.semantics.module_places import Place, find_choice, find_routine
from conche.semantics.module_scope import Scope
from conche.semantics.symbols import Body, LocalName, Parameter, Query
from conche.semantics.types import ErrorT, Flag, Int, Type
from conche.semantics.walk import walk
from conche.semantics.words import describe, plural
from conche.source import Span
from conche.syntax import ast

_MEANT = {
    Int: "a number is changed by `+`, `-`, `at least` or `at most`",
    Flag: "a condition is changed by `or` or `and`",
}
"""What changes a value that cannot be changed so."""


class Changes:
    """Types the changes of one part of a module."""

    def __init__(self, module: str, scope: Scope, numbers: list[int]) -> None:
        """`numbers`: one number, counted up, so that every body has an owner of its own."""
        self.module = module
        self.scope = scope
        self.context = scope.context
        self.numbers = numbers

    def edit(self, node: ast.Change) -> tm.Edit | None:
        match node:
            case ast.ExtendType():
                return self._extend_type(node)
            case ast.ReplaceType():
                return self._replace_type(node)
            case ast.ReplaceValues():
                table = self.context.globals.values.get(node.name.text)
                if not isinstance(table, rb.Table) or table.span != node.name.span:
                    return None
                return tm.ReplaceTable(f"values.{table.name}", table)
            case ast.ExtendBoard():
                return self._extend_board(node)
            case ast.ExtendChoose():
                return self._extend_choose(node)
            case ast.AddStep():
                return self._add_step(node)
            case ast.ReplaceBody():
                return self._replace_body(node)
            case ast.Wrap():
                return self._wrap(node)
            case ast.ReplaceQuery():
                return self._replace_query(node)
            case ast.Modify():
                return self._modify(node)
            case ast.WithModules():
                raise AssertionError("parts are taken apart before they are typed")

    def _path(self, place: str) -> str:
        self.numbers[0] += 1
        return f"{place}+{self.module}.{self.numbers[0]}"

    # ---------------------------------------------------------------------------------------- components

    def _extend_type(self, node: ast.ExtendType) -> tm.Edit | None:
        declared = self.context.globals.types.get(node.name.text)
        if declared is None:
            return None
        spans = {variant.span for variant in node.variants}
        if isinstance(declared, rb.Enum):
            members = tuple(member for member in declared.members if member.span in spans)
            return tm.ExtendType(f"enum.{declared.name}", members, declared.attributes)
        kinds = tuple(kind for kind in declared.kinds if kind.span in spans)
        return tm.ExtendType(f"piece.{declared.name}", kinds, declared.attributes)

    def _replace_type(self, node: ast.ReplaceType) -> tm.Edit | None:
        extended = self._extend_type(ast.ExtendType(node.name, node.variants, node.span, node.cites))
        if not isinstance(extended, tm.ExtendType):
            return None
        return tm.ReplaceType(extended.place, extended.made, extended.attributes)

    def _extend_board(self, node: ast.ExtendBoard) -> tm.Edit | None:
        board = self.context.globals.board
        if board is None or board.name != node.name.text:
            return None
        place = f"board.{board.name}"
        holds = check_holds(self.context, node.holds, board, self._path(place))
        spans = {attribute.name.span for attribute in node.attributes}
        attributes = tuple(var for var in self.context.globals.space.values() if var.span in spans)
        return tm.ExtendBoard(place, holds, attributes)

    # ---------------------------------------------------------------------------------------- statements

    def _extend_choose(self, node: ast.ExtendChoose) -> tm.Edit | None:
        found = find_choice(self.context, self.scope.bodies, node.path)
        if found is None:
            self.context.globals.unsure.add("decision")
            return None
        place = found.place
        role = place.path.partition(".")[0]
        body = Body(self.context, self._path(place.path), role)
        numbers = [slot.number for slot in walk((place.params, place.body)) if isinstance(slot, rb.Slot)]
        body.slots = max(numbers, default=-1) + 1
        body.loops = found.loops
        scope = {slot.name: LocalName(slot, found.choose.span, settable) for slot, settable in found.scope}
        body.scopes = [scope, {}]
        labels = {case.label: case.span for case in found.choose.cases if case.label is not None}
        name = node.path.names[-1]
        cases, good = until_stable(body, lambda: type_cases(body, name, node.cases, dict(labels), type_block))
        if not good:
            self.context.globals.unsure.add("decision")
            return None
        check_told_apart(self.context, name.text, cases, found.choose.cases)
        known = tuple(slot for slot, _ in found.scope)
        return tm.ExtendChoose(place.path, found.choose.name, cases, known)

    def _add_step(self, node: ast.AddStep) -> tm.Edit | None:
        place = find_routine(self.context, self.scope.bodies, node.path)
        added = self.scope.added.get(node.name.span)
        if place is None or added is None:
            return None
        step, args = added
        return tm.AddStep(place.path, node.before, step.name, args)

    def added_step(self, node: ast.AddStep) -> rb.Step | None:
        """The step that an `add` declares."""
        added = self.scope.added.get(node.name.span)
        if added is None:
            return None
        step, _ = added
        body = Body(self.context, f"step.{step.name}", "step")
        slots = [] if step.you is None else [introduce_you(body, step.you)]
        slots += self._introduce(body, step.params, node.path.span)
        statements = type_owner_body(body, node.body)
        cites = tuple(cite.id for cite in node.cites)
        return rb.Step(step.name, tuple(slots), step.you is not None, statements, node.span, cites)

    def _introduce(self, body: Body, params: tuple[Parameter, ...], span: Span) -> list[rb.Slot]:
        return [body.introduce(ast.Name(param.name, span), param.type, you=True) for param in params]

    def _routine(self, place: Place, span: Span) -> tuple[Body, tuple[rb.Slot, ...]]:
        """A body with the parameters of a place."""
        body = Body(self.context, self._path(place.path), place.path.partition(".")[0])
        slots: list[rb.Slot] = []
        for number, slot in enumerate(place.params):
            if number == 0 and place.implicit_you:
                slots.append(introduce_you(body, span))
            else:
                slots.append(body.introduce(ast.Name(slot.name, span), slot.type, you=True))
        return body, tuple(slots)

    def _replace_body(self, node: ast.ReplaceBody) -> tm.Edit | None:
        place = find_routine(self.context, self.scope.bodies, node.path)
        if place is None:
            return None
        body, params = self._routine(place, node.path.span)
        return tm.ReplaceBody(place.path, params, type_owner_body(body, node.body))

    def _wrap(self, node: ast.Wrap) -> tm.Edit | None:
        place = find_routine(self.context, self.scope.bodies, node.path)
        if place is None:
            return None
        body, params = self._routine(place, node.path.span)
        args = tuple(rb.Local(slot, slot.type, node.path.span) for slot in params)
        body.original = (tm.ORIGINAL + place.path, args)
        statements = type_owner_body(body, node.body)
        if not any(isinstance(part, ast.Original | ast.ErrorStmt) for part in walk(node.body)):
            self.context.report(
                "C0245",
                "this `wrap` never says `original`",
                node.path.span,
                help=(f"write `replace {'.'.join(n.text for n in node.path.names)}` for another body",),
            )
        return tm.Wrap(place.path, params, statements)

    # ------------------------------------------------------------------------------------------- queries

    def _query(
        self, name: ast.Name, names: tuple[ast.Name, ...], span: Span
    ) -> tuple[str, Body, tuple[rb.Slot, ...], Type] | None:
        """A query or score by name, with its parameters under other names."""
        globals_ = self.context.globals
        symbol = globals_.values.get(name.text)
        if isinstance(symbol, Query):
            params, place = symbol.params, f"query.{name.text}"
            type_: Type = globals_.query_types.get(name.text, ErrorT())
        elif name.text in globals_.scores:
            params, place, type_ = (), f"score.{name.text}", Int(-(10**9), 10**9)
        else:
            queries = [n for n, s in globals_.values.items() if isinstance(s, Query)]
            hint = None
            if name.text in globals_.steps:
                hint = f"'{name.text}' is a step: write `replace {name.text}` without parentheses, or `wrap`"
            self.context.unknown("query or score", name, [*queries, *globals_.scores], hint, code="C0239")
            return None
        if len(names) != len(params):
            declared = symbol.span if isinstance(symbol, Query) else globals_.scores[name.text]
            self.context.report(
                "C0206",
                f"'{name.text}' has {plural(len(params), 'argument')},"
                f" and {len(names) or 'none'} {'is' if len(names) < 2 else 'are'} named",
                span,
                also=((declared, "declared here"),),
            )
            return None
        body = Body(self.context, self._path(place), "query" if isinstance(symbol, Query) else "score")
        slots = [] if isinstance(symbol, Query) else [introduce_you(body, name.span)]
        slots += [
            body.introduce(node, param.type, you=True) for node, param in zip(names, params, strict=True)
        ]
        return place, body, tuple(slots), type_

    def _replace_query(self, node: ast.ReplaceQuery) -> tm.Edit | None:
        found = self._query(node.name, node.params, node.name.span)
        if found is None:
            return None
        place, body, params, type_ = found
        lets, cases, answer = query_answer(body, node)
        if isinstance(answer, ErrorT):
            return None
        if fits(answer, type_) == "no":
            self.context.report(
                "C0204",
                f"'{node.name.text}' is {describe(type_)}, and this is {describe(answer)}",
                cases[0].value.span,
                help=("whoever asks counts on its type; declare another query for something else",),
            )
            return None
        return tm.ReplaceAnswer(place, params, lets, cases)

    def _modify(self, node: ast.Modify) -> tm.Edit | None:
        found = self._query(node.query, node.params, node.query.span)
        if found is None:
            return None
        place, body, params, type_ = found
        original = body.introduce(ast.Name("original", node.query.span), type_)
        counts = node.op not in ("or", "and")
        value: rb.Expr
        if isinstance(type_, ErrorT):
            value = as_value(body, type_expression(body, node.value))
        elif not isinstance(type_, Int if counts else Flag):
            self.context.report(
                "C0204",
                f"'{node.op}' changes {'a number' if counts else 'yes or no'},"
                f" and '{node.query.text}' is {describe(type_)}",
                node.query.span,
                help=(_MEANT.get(type(type_), "replace it instead"),),
            )
            return None
        elif counts:
            value = type_number(body, node.value, f"what '{node.op}' stands before")
        else:
            value = type_flag(body, node.value, f"what '{node.op}' stands before")
        condition = None
        if node.condition is not None:
            condition = type_flag(body, node.condition, "the condition of a change")
        if is_bad(value) or (condition is not None and is_bad(condition)):
            return None
        return tm.Modify(place, params, original, node.op, value, condition)
