"""The declarations and changes of one part of a module, typed in its scope.

Input: a `Scope` in which they are declared. Output: declarations of the rulebook, `Own`s and `Change`s.
Invariants: each is typed once, queries first, then bodies, then what ends a game; findings go to the context
of the scope.
"""

from __future__ import annotations

from conche.semantics import rulebook as rb
from conche.semantics import typed_module as tm
from conche.semantics.check_declarations import (
    action_case,
    check_conserve,
    check_invariant,
    check_query,
    check_same_params,
    check_score,
    check_step,
)
from conche.semantics.check_hints import check_clashes, check_hints
from conche.semantics.check_patterns import match_pattern
from conche.semantics.check_signatures import query_order
from conche.semantics.check_triggers import check_triggers
from conche.semantics.effects import effects_of
from conche.semantics.module_changes import Changes
from conche.semantics.module_scope import Scope
from conche.semantics.symbols import Query
from conche.semantics.types import EnumT
from conche.semantics.words import describe, listed
from conche.syntax import ast


class Part:
    """The declarations of one part, typed."""

    def __init__(self, module: str, scope: Scope, decls: list[ast.Decl], numbers: list[int]) -> None:
        """`numbers`: see `Changes`."""
        self.module = module
        self.numbers = numbers
        self.scope = scope
        self.context = scope.context
        self.decls = decls

    def components(self) -> list[tm.Declared]:
        globals_ = self.context.globals
        result: list[tm.Declared] = []
        for decl in self.decls:
            match decl:
                case ast.OptionDecl() | ast.ValuesDecl() | ast.VarDecl() | ast.ZoneDecl() | ast.TrackDecl():
                    symbol = globals_.values.get(decl.name.text)
                    if isinstance(symbol, rb.Option | rb.Table | rb.Var | rb.Zone | rb.Track):
                        result += [symbol] if symbol.span == decl.name.span else []
                case ast.EachPlayerHas():
                    for member in decl.members:
                        found = globals_.player.get(member.name.text)
                        if found is not None and found.span == member.name.span:
                            result.append(found)
                case ast.EachKindHas():
                    own = (globals_.kind.get(variable.name.text) for variable in decl.members)
                    spans = {variable.name.span for variable in decl.members}
                    result += [var for var in own if var is not None and var.span in spans]
                case ast.EnumDecl() | ast.PieceDecl() | ast.ExtendType():
                    declared = globals_.types.get(decl.name.text)
                    if declared is not None and declared.span == decl.span:
                        result.append(declared)
                    names = {f"{v.name.text}.{v.carries.name.text}" for v in decl.variants if v.carries}
                    result += [zone for name, zone in globals_.carried.items() if name in names]
                case _:
                    pass
        return result

    def queries(self) -> list[rb.Query]:
        globals_ = self.context.globals
        decls: dict[str, ast.QueryDecl] = {}
        for decl in self.decls:
            if isinstance(decl, ast.QueryDecl):
                symbol = globals_.values.get(decl.name.text)
                if isinstance(symbol, Query) and symbol.span == decl.name.span:
                    decls[decl.name.text] = decl
        result: list[rb.Query] = []
        for name in query_order(self.context, decls):
            symbol = globals_.values[name]
            if isinstance(symbol, Query):
                result.append(check_query(self.context, decls[name], symbol))
        return result

    def bodies(self) -> list[rb.Step | rb.Action]:
        """Steps and cases of actions, which are known from here on."""
        globals_, bodies = self.context.globals, self.scope.bodies
        changes = Changes(self.module, self.scope, self.numbers)
        result: list[rb.Step | rb.Action] = []
        for decl in self.decls:
            step: rb.Step | None = None
            match decl:
                case ast.StepDecl():
                    symbol = globals_.steps.get(decl.name.text)
                    if symbol is not None and symbol.span == decl.name.span:
                        step = check_step(self.context, decl, symbol)
                case ast.AddStep():
                    step = changes.added_step(decl)
                case ast.ActionDecl():
                    result += self._action(decl)
                case _:
                    pass
            if step is not None:
                bodies.steps[step.name] = step
                result.append(step)
        return result

    def _action(self, decl: ast.ActionDecl) -> list[rb.Action]:
        context = self.context
        action = context.globals.actions.get(decl.name.text)
        if action is None:
            return []
        match = match_pattern(context, decl.pattern, binds=True)
        cases = self.scope.bodies.actions.setdefault(action.name, {})
        if match is not None and action.of is not None and match.family.type != action.of:
            context.report(
                "C0204",
                f"'{action.name}' is done with {describe(action.of)}, and '{match.family.name}' is"
                f" {describe(match.family.type)}",
                decl.pattern.span,
                also=((action.span, f"{describe(action.of)} here"),),
            )
            match = None
        if match is not None:
            for other in cases.values():
                twice = [name for name in match.names if name in other.kinds]
                if twice:
                    context.report(
                        "C0217",
                        f"'{action.name}' of {listed(twice)} is told twice",
                        decl.pattern.span,
                        also=((other.span, "told here first"),),
                        help=(f"write `replace {action.name}.{other.label}` for another body",),
                    )
                    match = None
                    break
        check_same_params(context, action, action.span, decl)
        case = action_case(context, action, decl, match)
        if match is None or action.of is None:
            return []
        cases[case.label] = case
        of = action.of.name if isinstance(action.of, EnumT) else action.of.piece
        cites = tuple(cite.id for cite in decl.cites)
        return [rb.Action(action.name, of, action.you is not None, (case,), decl.span, cites)]

    def endings(self) -> list[tm.Own]:
        context, condition = self.context, self.scope.condition
        nodes: list[tm.Declared] = []
        hints: list[rb.Hint] = []
        texts: dict[str, rb.Invariant] = {}
        for decl in self.decls:
            match decl:
                case ast.ScoreDecl():
                    score = check_score(context, decl)
                    if context.globals.scores.get(score.name) == decl.name.span:
                        nodes.append(score)
                case ast.InvariantDecl():
                    invariant = check_invariant(context, decl)
                    if invariant.text in texts:
                        earlier = texts[invariant.text].span
                        context.duplicate("the text", invariant.text, decl.text.span, earlier)
                    texts.setdefault(invariant.text, invariant)
                    nodes.append(invariant)
                case ast.ConserveDecl():
                    conserve = check_conserve(context, decl)
                    nodes += [] if conserve is None else [conserve]
                case ast.RulingDecl():
                    nodes.append(rb.Ruling(decl.cite.id, decl.text.value, decl.span))
                case ast.ShowDecl():
                    hints += check_hints(context, decl)
                case _:
                    pass
        nodes += check_clashes(context, hints)
        result = [tm.Own(node, condition) for node in nodes]
        triggers = check_triggers(context, self.scope.triggers)
        for name, trigger in triggers.items():
            event = self.scope.triggers[name].event
            every = None
            if isinstance(event, ast.Enters) and isinstance(event.pattern, ast.NamedType):
                every = event.pattern.name.text
            result.append(tm.Own(trigger, condition, every))
        return result

    def decisions(self) -> None:
        """Types what may ask beside the steps that are added, for its decisions and arguments to be known."""
        typing = Changes(self.module, self.scope, self.numbers)
        for decl in self.decls:
            if isinstance(decl, ast.ExtendChoose | ast.ReplaceBody | ast.Wrap):
                typing.edit(decl)

    def changes(self) -> list[tm.Change]:
        typing = Changes(self.module, self.scope, self.numbers)
        result: list[tm.Change] = []
        for decl in self.decls:
            if not isinstance(decl, ast.Change):
                continue
            edit = typing.edit(decl)
            if edit is None:
                continue
            effects = effects_of(edit)
            if isinstance(edit, tm.AddStep):
                effects = tm.Effects(uses=frozenset({f"step.{edit.name}"}))
            span = decl.path.span if isinstance(decl, ast.AddStep | ast.Wrap | ast.ReplaceBody) else decl.span
            cites = tuple(cite.id for cite in decl.cites)
            result.append(tm.Change(self.module, edit, self.scope.condition, effects, span, cites))
        return result
