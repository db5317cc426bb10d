"""What a part of a module can speak of: the game's symbols, those of other modules, and the module's own.

Purpose: declares the parts of modules over the game's symbols.
Input: rules files of modules, the typed game. Output: `Scope`s: symbols and typed bodies for one `Condition`.
Invariants: a part sees the parts whose condition its own implies; findings about other modules, and about
parts that were declared before, are dropped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from conche.semantics import rulebook as rb
from conche.semantics.check_choices import note_carried
from conche.semantics.check_components import declare_parts, declare_value, note_broken, query_name_allowed
from conche.semantics.check_declarations import check_initial
from conche.semantics.check_signatures import action_subject, parameters
from conche.semantics.check_triggers import declare_triggers
from conche.semantics.infer_you import infer_you
from conche.semantics.module_places import Bodies
from conche.semantics.symbols import Action, Context, Parameter, Query, Step
from conche.semantics.typed_module import Condition, TypedGame
from conche.semantics.walk import walk
from conche.source import Span
from conche.syntax import ast


@dataclass
class Scope:
    """`added`: the steps that are added before or after others, with which parameters of theirs they get."""

    context: Context
    bodies: Bodies
    condition: Condition
    modules: frozenset[str]
    """Those that are known to be in play."""
    triggers: dict[str, ast.TriggerDecl]
    added: dict[Span, tuple[Step, tuple[int, ...]]]

    def grown(self, condition: Condition, modules: frozenset[str]) -> Scope:
        """A copy for a part that sees this one."""
        context = Context({}, open_options=True)
        context.globals = self.context.globals.copy()
        context.globals.decisions = {n: dict(args) for n, args in context.globals.decisions.items()}
        return Scope(context, self.bodies.copy(), condition, modules, {}, dict(self.added))


def game_scope(game: TypedGame) -> Scope:
    book = game.rulebook
    context = Context({}, open_options=True)
    context.globals = game.globals
    bodies = Bodies(
        dict(book.steps),
        {name: {case.label: case for case in action.cases} for name, action in book.actions.items()},
        {"setup": book.setup, "play": book.play},
    )
    return Scope(context, bodies, Condition(), frozenset(), {}, {}).grown(Condition(), frozenset())


_ALWAYS = Condition()


def parts_of(decls: tuple[ast.Decl, ...], condition: Condition = _ALWAYS) -> dict[Condition, list[ast.Decl]]:
    """The declarations by the condition that the `with` around them makes, in the order of the text."""
    result: dict[Condition, list[ast.Decl]] = {condition: []}
    for decl in decls:
        if not isinstance(decl, ast.WithModules):
            result[condition].append(decl)
            continue
        modules = tuple(sorted((name.text, present) for name, present in decl.modules))
        options = () if decl.option is None else ((decl.option[0].text, decl.option[1].text),)
        inner = parts_of(decl.decls, condition.and_(Condition(modules, options)))
        for inner_condition, found in inner.items():
            result.setdefault(inner_condition, []).extend(found)
    return result


def closure(names: frozenset[str], find: Callable[[str], ast.File | None]) -> frozenset[str]:
    """The modules, and those that they require."""
    found: set[str] = set()
    waiting = sorted(names)
    while waiting:
        name = waiting.pop()
        file = find(name)
        if name in found or file is None:
            continue
        found.add(name)
        if file.header is not None:
            waiting += [required.text for required in file.header.requires]
    return frozenset(found)


def declare(scope: Scope, decls: list[ast.Decl]) -> None:
    """Declares everything of one part: names, types, arguments and first values."""
    context = scope.context
    note_broken(context, tuple(decls))
    declare_parts(context, tuple(decls))
    _signatures(scope, decls)
    for known in context.globals.decisions.values():
        for argument in list(known.values()):
            note_carried(context.globals, known, argument.type, argument.span)
    for decl in decls:
        if isinstance(decl, ast.ScoreDecl):
            earlier = context.globals.scores.get(decl.name.text)
            if earlier is not None:
                context.duplicate("the score", decl.name.text, decl.name.span, earlier)
            context.globals.scores.setdefault(decl.name.text, decl.name.span)
    scope.triggers.update(
        declare_triggers(context, [decl for decl in decls if isinstance(decl, ast.TriggerDecl)])
    )
    _initials(context, decls)


def _signatures(scope: Scope, decls: list[ast.Decl]) -> None:
    context, globals_ = scope.context, scope.context.globals
    routines: list[Step | Action] = [*globals_.steps.values(), *globals_.actions.values()]
    doing = {symbol.name: symbol.span for symbol in routines}
    steps: dict[str, ast.StepDecl] = {}
    added: dict[str, ast.AddStep] = {}
    actions: dict[str, list[ast.ActionDecl]] = {}
    for decl in decls:
        match decl:
            case ast.StepDecl() | ast.AddStep():
                if decl.name.text in doing:
                    context.duplicate("the step", decl.name.text, decl.name.span, doing[decl.name.text])
                    continue
                doing[decl.name.text] = decl.name.span
                if isinstance(decl, ast.StepDecl):
                    steps[decl.name.text] = decl
                else:
                    added[decl.name.text] = decl
            case ast.ActionDecl():
                name = decl.name.text
                if name in globals_.actions:
                    continue
                if name in doing and name not in actions:
                    context.duplicate("the action", name, decl.name.span, doing[name])
                    continue
                doing.setdefault(name, decl.name.span)
                actions.setdefault(name, []).append(decl)
            case _:
                pass
    for decl in decls:
        if isinstance(decl, ast.QueryDecl):
            if decl.name.text in doing:
                context.duplicate("the query", decl.name.text, decl.name.span, doing[decl.name.text])
            elif query_name_allowed(context, decl.name):
                params = parameters(context, decl.params)
                declare_value(context, decl.name, Query(decl.name.text, params, decl.name.span))
    known = [symbol.name for symbol in routines if symbol.you is not None]
    you = infer_you(
        {
            **{name: [(step.params, step.body)] for name, step in steps.items()},
            **{name: [((), step.body)] for name, step in added.items()},
            **{name: [(case.params, case.body) for case in cases] for name, cases in actions.items()},
        },
        known,
    )
    for name, step in steps.items():
        globals_.steps[name] = Step(name, parameters(context, step.params), you.get(name), step.name.span)
    for name, cases in actions.items():
        first = cases[0]
        globals_.actions[name] = Action(
            name,
            action_subject(context, cases),
            parameters(context, first.params),
            you.get(name),
            first.name.span,
        )
    for name, addition in added.items():
        _added_step(scope, addition, you.get(name))


def _added_step(scope: Scope, decl: ast.AddStep, you: Span | None) -> None:
    """A step that is added gets those arguments of the place that it speaks of. What is wrong with the place
    is said when the change is typed."""
    globals_, name = scope.context.globals, decl.name.text
    given: list[Parameter] = []
    implicit = False
    names = [part.text for part in decl.path.names]
    step = globals_.steps.get(names[0]) if len(names) == 1 else None
    action = globals_.actions.get(names[0]) if len(names) == 2 else None
    if step is not None:
        given, implicit = list(step.params), step.you is not None
    elif action is not None:
        case = scope.bodies.actions.get(names[0], {}).get(names[1])
        bound = () if case is None else tuple(slot for slot, _ in case.bound)
        given = [*(Parameter(s.name, s.type, action.span) for s in bound), *action.params]
        implicit = action.you is not None
    spoken = {node.name for node in walk(decl.body) if isinstance(node, ast.NameRef)}
    head = 1 if implicit else 0
    explicit = any(param.name == "you" for param in given)
    used = [
        (head + place, param)
        for place, param in enumerate(given)
        if param.name in spoken or (param.name == "you" and you is not None)
    ]
    if you is not None and not implicit and not explicit and (step or action):
        scope.context.report(
            "C0211",
            f"'{'.'.join(names)}' is done for nobody in particular, so there is no 'you' here",
            you,
            also=((step.span if step else decl.path.span, "declared without 'you'"),),
            help=("a change cannot give a step of the game a player; change a step that has one",),
        )
    args = ((0,) if implicit and you is not None else ()) + tuple(place for place, _ in used)
    params = tuple(param for _, param in used)
    symbol = Step(name, params, None if explicit else you, decl.name.span)
    globals_.steps[name] = symbol
    scope.added[decl.name.span] = (symbol, args)


def _initials(context: Context, decls: list[ast.Decl]) -> None:
    globals_ = context.globals
    for decl in decls:
        match decl:
            case ast.VarDecl():
                symbol = globals_.values.get(decl.name.text)
                if isinstance(symbol, rb.Var) and symbol.span == decl.name.span:
                    globals_.values[symbol.name] = check_initial(context, decl, symbol)
            case ast.EachPlayerHas():
                for member in decl.members:
                    found = globals_.player.get(member.name.text)
                    if isinstance(member, ast.VarDecl) and isinstance(found, rb.Var):
                        globals_.player[found.name] = check_initial(context, member, found)
            case ast.EachKindHas():
                for variable in decl.members:
                    known = globals_.kind.get(variable.name.text)
                    if known is not None and known.span == variable.name.span:
                        globals_.kind[known.name] = check_initial(context, variable, known)
            case ast.ExtendBoard():
                for attribute in decl.attributes:
                    var = globals_.space.get(attribute.name.text)
                    if var is not None and var.span == attribute.name.span:
                        globals_.space[var.name] = check_initial(context, attribute, var)
            case _:
                pass
