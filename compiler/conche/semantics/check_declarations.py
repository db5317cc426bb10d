"""Declarations with a body: set-up, play, steps, actions, queries, triggers, scores, ranking and invariants.

Purpose: types them, once all names are declared.
Input: declarations of the AST. Output: declarations of the rulebook.
Invariants: each is typed whatever mistakes the others have.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from conche.diagnostics.model import Fix
from conche.diagnostics.suggest import is_slip
from conche.semantics import rulebook as rb
from conche.semantics.check_components import cite_ids
from conche.semantics.check_expressions import type_expression, type_flag, type_number, type_value
from conche.semantics.check_operators import common_type
from conche.semantics.check_patterns import Match, match_pattern
from conche.semantics.check_signatures import parameters
from conche.semantics.check_statements import type_let, type_owner_body
from conche.semantics.check_values import as_value, is_bad, is_constant
from conche.semantics.symbols import Action, Body, Context, Family, LocalName, Parameter, Query, Step
from conche.semantics.types import EnumT, ErrorT, Int, ListT, PlayerT, SetT, TextT, Type
from conche.semantics.words import describe, listed
from conche.source import Span
from conche.syntax import ast


def introduce_you(body: Body, span: Span) -> rb.Slot:
    """An implicit `you`."""
    slot = body.fresh("you", PlayerT())
    body.scopes[-1]["you"] = LocalName(slot, span, False)
    return slot


def _params(body: Body, nodes: tuple[ast.Param, ...], params: tuple[Parameter, ...]) -> list[rb.Slot]:
    return [
        body.introduce(node.name, param.type, you=True) for node, param in zip(nodes, params, strict=False)
    ]


def check_step(context: Context, decl: ast.StepDecl, step: Step) -> rb.Step:
    body = Body(context, f"step.{step.name}", "step")
    slots = [] if step.you is None else [introduce_you(body, step.you)]
    slots += _params(body, decl.params, step.params)
    statements = type_owner_body(body, decl.body)
    return rb.Step(step.name, tuple(slots), step.you is not None, statements, decl.span, cite_ids(decl.cites))


def check_part(context: Context, role: str, statements: tuple[ast.Stmt, ...]) -> tuple[rb.Stmt, ...]:
    """The statements of `setup` or `play`."""
    return type_owner_body(Body(context, role, role), statements)


# ------------------------------------------------------------------------------------------------ actions


def check_action(context: Context, action: Action, decls: list[ast.ActionDecl]) -> rb.Action:
    cases: list[rb.ActionCase] = []
    taken: dict[str, Span] = {}
    complete = True
    for decl in decls:
        match = match_pattern(context, decl.pattern, binds=True)
        if match is None:
            complete = False
        elif action.of is not None and match.family.type != action.of:
            context.report(
                "C0204",
                f"'{action.name}' is done with {describe(action.of)}, and '{match.family.name}' is"
                f" {describe(match.family.type)}",
                decl.pattern.span,
                also=((decls[0].pattern.span, f"{describe(action.of)} here"),),
            )
            match, complete = None, False
        else:
            _check_overlap(context, action, decl, match, taken)
        case = action_case(context, action, decl, match)
        if decl is not decls[0]:
            check_same_params(context, action, decls[0].name.span, decl)
        cases.append(case)
    if complete and action.name not in context.globals.broken:
        _check_complete(context, action, taken)
    of = "" if action.of is None else (action.of.name if isinstance(action.of, EnumT) else action.of.piece)
    return rb.Action(
        action.name,
        of,
        action.you is not None,
        tuple(cases),
        decls[0].span,
        tuple(dict.fromkeys(cite.id for decl in decls for cite in decl.cites)),
    )


def _check_overlap(
    context: Context, action: Action, decl: ast.ActionDecl, match: Match, taken: dict[str, Span]
) -> None:
    twice = [name for name in match.names if name in taken]
    if twice:
        context.report(
            "C0217",
            f"'{action.name}' of {listed(twice)} is told twice",
            decl.pattern.span,
            also=((taken[twice[0]], "told here first"),),
            help=("leave one of them out, or narrow its pattern",),
        )
    for name in match.names:
        taken.setdefault(name, decl.pattern.span)


def _check_complete(context: Context, action: Action, taken: dict[str, Span]) -> None:
    if action.of is None:
        return
    families = [f for f in context.globals.families if f.type == action.of]
    missing = [kind.name for family in families for kind in family.kinds if kind.name not in taken]
    whole = [f.name for f in families if all(kind.name in missing for kind in f.kinds)]
    named = [
        *whole,
        *(n for n in missing if not any(k.name == n for f in families if f.name in whole for k in f.kinds)),
    ]
    of = action.of.name if isinstance(action.of, EnumT) else action.of.piece
    if missing and of not in context.globals.broken:
        context.report(
            "C0218",
            f"'{action.name}' does not say what happens with {listed(named)}",
            action.span,
            also=((context.globals.types[of].span, f"all kinds of {of}"),),
            help=(f"add `action {action.name}({as_pattern(context, named[0])})`, {STOP}",),
        )


STOP = "with `stop` if nothing happens"
"""How an action says that it does nothing with a kind."""


def as_pattern(context: Context, name: str) -> str:
    """A kind or family as the pattern of an action: `pear(worth)`."""
    family = context.globals.values.get(name)
    params = family.params if isinstance(family, Family) else ()
    return f"{name}({', '.join(params)})" if params else name


def find_misnamed(context: Context, actions: Mapping[str, Sequence[ast.ActionDecl]]) -> None:
    """Reports actions that tell some kinds, where another of nearly that name tells all others of them."""
    globals_ = context.globals
    told = {name: {decl.pattern.name.text for decl in decls} for name, decls in actions.items()}
    for name, kinds in told.items():
        for other, more in told.items():
            if len(kinds) > len(more) or (len(kinds) == len(more) and name < other):
                continue
            family = globals_.values.get(next(iter(kinds)))
            if name == other or not is_slip(name, other) or kinds & more or not isinstance(family, Family):
                continue
            if kinds | more != {one.name for one in globals_.families if one.type == family.type}:
                continue
            globals_.broken.update((name, other))
            context.report(
                "C0218",
                f"'{other}' does not say what happens with {listed(sorted(kinds))}, but '{name}' does",
                actions[name][0].name.span,
                f"did you mean '{other}'?",
                also=((actions[other][0].name.span, "the other kinds"),),
                fixes=[
                    Fix(decl.name.span, other, f"write '{other}'", safe=len(kinds) < len(more))
                    for decl in actions[name]
                ],
            )


def check_same_params(context: Context, action: Action, first: Span, decl: ast.ActionDecl) -> None:
    """Whether a case has the arguments of its action, of which `first` is the first case."""
    sink = Context(context.options)
    sink.globals = context.globals
    own = parameters(sink, decl.params)
    if any(isinstance(param.type, ErrorT) for param in (*own, *action.params)):
        context.diagnostics += sink.diagnostics
        return
    if [(p.name, p.type) for p in own] != [(p.name, p.type) for p in action.params]:
        wanted = ", ".join(f"{p.name}: {describe(p.type, bounds=True)}" for p in action.params) or "none"
        context.report(
            "C0219",
            f"every '{action.name}' has the same arguments",
            decl.span if not decl.params else decl.params[0].span.to(decl.params[-1].span),
            also=((first, f"the first one has: {wanted}"),),
        )


def action_case(context: Context, action: Action, decl: ast.ActionDecl, match: Match | None) -> rb.ActionCase:
    """One case of an action."""
    label = decl.pattern.name.text
    if match is not None and match.family.params and len(match.kinds) < len(match.family.kinds):
        label = match.names[0] if len(match.names) == 1 else _label(decl.pattern)
    body = Body(context, f"action.{action.name}.{label}", "action")
    slots = [] if action.you is None else [introduce_you(body, action.you)]
    bound: list[tuple[rb.Slot, str]] = []
    if match is not None:
        for name, attribute in match.bound:
            place = match.family.params.index(attribute)
            values = [kind.values[place] for kind in match.kinds]
            bound.append((body.introduce(name, Int(min(values), max(values))), attribute))
    else:
        for arg in decl.pattern.args or ():
            if isinstance(arg, ast.NameRef):
                body.introduce(ast.Name(arg.name, arg.span), ErrorT())
    slots += _params(body, decl.params, action.params)
    for node in decl.params[len(action.params) :]:
        body.introduce(node.name, ErrorT(), you=True)
    statements = type_owner_body(body, decl.body)
    kinds = () if match is None else match.names
    return rb.ActionCase(
        label, kinds, tuple(bound), tuple(slots), statements, decl.span, cite_ids(decl.cites)
    )


def _label(pattern: ast.Pattern) -> str:
    args = [str(arg.value) if isinstance(arg, ast.IntLit) else "_" for arg in pattern.args or ()]
    return f"{pattern.name.text}({', '.join(args)})"


# ------------------------------------------------------------------------------------------------ queries


def check_query(context: Context, decl: ast.QueryDecl, query: Query) -> rb.Query:
    body = Body(context, f"query.{query.name}", "query")
    slots = _params(body, decl.params, query.params)
    lets, cases, type_ = query_answer(body, decl)
    if query.name in context.globals.query_types:
        type_ = ErrorT()
    context.globals.query_types[query.name] = type_
    return rb.Query(query.name, tuple(slots), lets, cases, type_, decl.span, cite_ids(decl.cites))


def query_answer(
    body: Body, decl: ast.QueryDecl | ast.ReplaceQuery
) -> tuple[tuple[rb.Let, ...], tuple[rb.QueryCase, ...], Type]:
    """The lets, cases and type of a query whose parameters are known."""
    context, name = body.context, decl.name.text
    lets = tuple(type_let(body, let) for let in decl.lets)
    cases: list[rb.QueryCase] = []
    expected: Type | None = None
    for node in decl.cases:
        value = as_value(body, type_expression(body, node.value, expected))
        condition = None
        if node.condition is not None:
            condition = type_flag(body, node.condition, "the condition of a query")
        if isinstance(value.type, TextT):
            context.report("C0204", "a text is an argument of a decision, no answer of a query", value.span)
            value = rb.Bad(ErrorT(), value.span)
        if not is_bad(value) and expected is None:
            expected = value.type
        cases.append(rb.QueryCase(condition, value, node.span, cite_ids(node.cites)))
    _check_otherwise(context, decl)
    good = [case.value for case in cases if not is_bad(case.value)]
    type_ = common_type(body, good, f"the answers of '{name}'")
    return lets, tuple(cases), ErrorT() if len(good) < len(cases) else type_


def _check_otherwise(context: Context, decl: ast.QueryDecl | ast.ReplaceQuery) -> None:
    ends = [place for place, case in enumerate(decl.cases) if case.condition is None]
    if not ends:
        context.report(
            "C0220",
            f"'{decl.name.text}' does not say what it is when none of its conditions holds",
            decl.name.span,
            help=("end it with a line `otherwise …`",),
        )
    elif ends[0] < len(decl.cases) - 1:
        context.report(
            "C0220",
            f"what '{decl.name.text}' says after 'otherwise' is never read",
            decl.cases[ends[0] + 1].span,
            also=((decl.cases[ends[0]].span, "everything else is told here"),),
            help=("move `otherwise` to the end",),
        )


# ---------------------------------------------------------------------------------------- the end of the game


def check_score(context: Context, decl: ast.ScoreDecl) -> rb.Score:
    body = Body(context, f"score.{decl.name.text}", "score")
    you = introduce_you(body, decl.name.span)
    value = type_number(body, decl.value, f"the score '{decl.name.text}'")
    return rb.Score(decl.name.text, you, value, decl.span, cite_ids(decl.cites))


def check_rank(context: Context, decl: ast.RankDecl) -> rb.Rank:
    body = Body(context, "rank", "rank")
    you = introduce_you(body, decl.span)
    keys = tuple(type_number(body, key, "what players are ranked by") for key in decl.keys)
    return rb.Rank(you, keys, decl.span, cite_ids(decl.cites))


def check_invariant(context: Context, decl: ast.InvariantDecl) -> rb.Invariant:
    body = Body(context, f"always.{decl.text.value}", "always")
    condition = type_flag(body, decl.condition, "what always holds")
    return rb.Invariant(decl.text.value, condition, decl.span, cite_ids(decl.cites))


def check_conserve(context: Context, decl: ast.ConserveDecl) -> rb.Conserve | None:
    if decl.piece.text not in context.globals.types:
        context.unknown("piece type or enum", decl.piece, context.globals.types, space="type")
        return None
    return rb.Conserve(decl.piece.text, decl.span, cite_ids(decl.cites))


# ------------------------------------------------------------------------------------ first values, the board


def check_initial(context: Context, decl: ast.VarDecl, var: rb.Var) -> rb.Var:
    """The first value of a variable: written out."""
    if decl.anew is not None:
        var = _check_anew(context, decl, decl.anew, var)
    if decl.initial is None:
        return var
    body = Body(context, f"{var.owner}.{var.name}", "constant")
    value = type_value(body, decl.initial, var.type, f"'{var.name}'")
    if not is_bad(value) and not is_constant(value):
        context.report(
            "C0209",
            f"the first value of '{var.name}' is written out",
            value.span,
            help=("set it in the set-up to what is computed",),
        )
    if isinstance(var.type, SetT | ListT | PlayerT) and not is_bad(value):
        _check_seats(context, var, value)
    return replace(var, initial=value)


def _check_anew(context: Context, decl: ast.VarDecl, step: ast.Name, var: rb.Var) -> rb.Var:
    """The step exists, and there is a first value to have again."""
    if step.text not in context.globals.steps:
        context.unknown("step", step, context.globals.steps)
    elif var.owner == "space":
        context.report(
            "C0252",
            f"'{var.name}' is of spaces, which do not begin anew",
            step.span,
            help=("set it where the step begins",),
        )
    elif decl.initial is None:
        context.report(
            "C0252",
            f"'{var.name}' has no first value that it could have anew",
            step.span,
            help=(f"give it one: `{var.name}: … = 0`",),
        )
    else:
        return var
    return replace(var, anew=None)


def _check_seats(context: Context, var: rb.Var, value: rb.Expr) -> None:
    fewest = context.globals.players[0]
    seats = [value] if isinstance(value, rb.Lit) else []
    if isinstance(value, rb.ListOf):
        seats = [item for _, item in value.items if isinstance(item, rb.Lit)]
    for seat in seats:
        if isinstance(seat.type, PlayerT) and isinstance(seat.value, int) and seat.value >= fewest:
            context.report(
                "C0205",
                f"with {fewest} players nobody has the seat that '{var.name}' begins with",
                seat.span,
            )


def check_board(context: Context, decl: ast.BoardDecl, board: rb.Board) -> rb.Board:
    holds = check_holds(context, decl.holds, board, f"board.{board.name}")
    return rb.Board(board.name, board.across, holds, board.attributes, board.span, board.cites)


def check_holds(
    context: Context, nodes: tuple[ast.BoardHolds, ...], board: rb.Board, path: str
) -> tuple[rb.Holds, ...]:
    """What may lie on spaces. `path`: the owner of the slots is this and a number."""
    holds: list[rb.Holds] = []
    half = board.across // 2
    coordinate = Int(-half, half - 1)
    for number, node in enumerate(nodes):
        body = Body(context, f"{path}.{number}", "constant")
        x = body.introduce(ast.Name("x", node.span), coordinate)
        y = body.introduce(ast.Name("y", node.span), coordinate)
        condition = type_flag(body, node.condition, "the condition on a space")
        piece = context.globals.types.get(node.piece.text)
        if piece is None:
            context.unknown("piece type", node.piece, context.globals.types, space="type")
            context.globals.unsure.add("space")
        elif not isinstance(piece, rb.PieceType):
            context.report(
                "C0204",
                f"'{node.piece.text}' is an enum; pieces of a piece type lie on spaces",
                node.piece.span,
            )
        if not 1 <= node.capacity <= 1000:
            context.report("C0205", f"a space takes 1 to 1000 pieces, not {node.capacity}", node.span)
        holds.append(
            rb.Holds(x, y, condition, node.capacity, node.piece.text, node.span, cite_ids(node.cites))
        )
    return tuple(holds)
