"""Statements: the AST's become typed ones.

Purpose: types the bodies of steps, actions, set-up, play and triggers.
Input: statements of the AST. Output: statements of the rulebook, in which options are settled, `with n
players` is an `If` and a loop in chosen order is a `While` with a `Choose`.
Invariants: a statement with a mistake is left out after the finding; what it introduces is known all the
same. What an option leaves out is typed too, so that its mistakes show whatever the option is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar, assert_never

from conche.diagnostics.model import Fix
from conche.semantics import intervals
from conche.semantics import rulebook as rb
from conche.semantics.check_choices import note_chance, note_decision, type_choose
from conche.semantics.check_components import cite_ids
from conche.semantics.check_expressions import type_expression, type_flag, type_number, type_value
from conche.semantics.check_moves import (
    type_draw,
    type_gain,
    type_look,
    type_move,
    type_pay,
    type_put,
    type_shuffle,
    type_swap,
    type_take,
)
from conche.semantics.check_places import type_place
from conche.semantics.check_turns import type_at_once, type_each_player, type_ranked, type_rounds
from conche.semantics.check_types import fits, join
from conche.semantics.check_values import as_value, bad, collection, conform, element_of, is_bad, length
from conche.semantics.symbols import Action, Body, Parameter, Step, open_option
from conche.semantics.types import ErrorT, Flag, Int, KindT, ListT, PlayerT, SetT, SpaceT, Type
from conche.semantics.words import describe, plural
from conche.syntax import ast
from conche.syntax.expression_text import expressions_text

_ROUNDS_BEFORE_WIDENING = 3

T = TypeVar("T")


def type_owner_body(body: Body, nodes: tuple[ast.Stmt, ...]) -> tuple[rb.Stmt, ...]:
    """A whole body."""
    return until_stable(body, lambda: type_block(body, nodes))


def until_stable(body: Body, work: Callable[[], T]) -> T:
    """Types something again until all local numbers have the range of all that is put into them."""
    context = body.context
    found = len(context.diagnostics)
    scopes = [dict(scope) for scope in body.scopes]
    slots, loops = body.slots, body.loops
    for attempt in range(20):
        result = work()
        if not body.growth:
            break
        for span, grown in body.growth.items():
            known = body.widened.get(span, grown)
            if attempt >= _ROUNDS_BEFORE_WIDENING:
                grown = to_the_limit(known, grown)
            body.widened[span] = join(known, grown) or known
        del context.diagnostics[found:]
        body.restart()
        body.scopes, body.slots, body.loops = [dict(scope) for scope in scopes], slots, loops
    return result


def to_the_limit(known: Type, grown: Type) -> Type:
    """The range of a number that grows without end: to the limit on the side where it grows."""
    match known, grown:
        case Int(), Int():
            return Int(
                grown.low if grown.low >= known.low else -intervals.LOCAL_LIMIT,
                grown.high if grown.high <= known.high else intervals.LOCAL_LIMIT,
            )
        case SetT(a), SetT(b):
            return SetT(to_the_limit(a, b))
        case ListT(a), ListT(b):
            return ListT(to_the_limit(a, b))
        case _:
            return grown


def type_block(body: Body, nodes: tuple[ast.Stmt, ...]) -> tuple[rb.Stmt, ...]:
    """Statements in a scope of their own."""
    result: list[rb.Stmt] = []
    with body.scope():
        for node in nodes:
            result += type_statement(body, node)
    return tuple(result)


def _some(statement: rb.Stmt | None) -> tuple[rb.Stmt, ...]:
    return () if statement is None else (statement,)


def type_statement(body: Body, node: ast.Stmt) -> tuple[rb.Stmt, ...]:
    """The statements that a statement becomes: none after a mistake."""
    match node:
        case ast.Gain():
            return _some(type_gain(body, node))
        case ast.Pay():
            return _some(type_pay(body, node))
        case ast.Put():
            return _some(type_put(body, node))
        case ast.Take():
            return _some(type_take(body, node))
        case ast.Swap():
            return _some(type_swap(body, node))
        case ast.Move():
            return _some(type_move(body, node))
        case ast.Draw():
            return _some(type_draw(body, node))
        case ast.Shuffle():
            return _some(type_shuffle(body, node))
        case ast.Set():
            return _some(_set(body, node))
        case ast.Add():
            return _some(_add(body, node))
        case ast.Drop():
            return _some(_drop(body, node))
        case ast.Reveal():
            return _some(_reveal(body, node))
        case ast.Look():
            return _some(type_look(body, node))
        case ast.Eliminate():
            return _some(_eliminate(body, node))
        case ast.Let():
            return (type_let(body, node),)
        case ast.Do():
            return _some(_do(body, node))
        case ast.Stop():
            return _some(_stop(body, node))
        case ast.EndGame(span, cites):
            return (rb.EndGame(span, cite_ids(cites)),)
        case ast.Original():
            return _original(body, node)
        case ast.If():
            condition = type_flag(body, node.condition, "the condition of 'if'")
            then = type_block(body, node.then)
            otherwise = type_block(body, node.otherwise)
            return (rb.If(condition, then, otherwise, node.span, cite_ids(node.cites)),)
        case ast.WithPlayers():
            return _with_players(body, node)
        case ast.WithOption():
            return _with_option(body, node)
        case ast.ForEach():
            return _for_each(body, node)
        case ast.EachPlayer():
            return type_each_player(body, node, type_block)
        case ast.AtOnce():
            return type_at_once(body, node, type_block)
        case ast.Rounds():
            return type_rounds(body, node, type_block)
        case ast.Repeat():
            return _repeat(body, node)
        case ast.Choose():
            return _some(type_choose(body, node, type_block))
        case ast.Chance():
            return _some(_chance(body, node))
        case ast.ErrorStmt():
            body.unsure = True
            return ()
        case _:
            assert_never(node)


# ------------------------------------------------------------------------------------------------ values


def type_let(body: Body, node: ast.Let) -> rb.Let:
    """`let x = e`: a local number has the range of all that is ever put into it."""
    value = as_value(body, type_expression(body, node.value))
    type_ = value.type
    if isinstance(value, rb.Lit) and value.value is None:
        body.context.report("C0204", "nothing says what this could be instead of nothing", value.span)
        value, type_ = bad(value.span), ErrorT()
    known = body.widened.get(node.name.span)
    if known is not None:
        type_ = join(type_, known) or type_
    slot = body.introduce(node.name, type_, settable=True)
    body.let_spans[slot.number] = node.name.span
    return rb.Let(slot, value, node.span, cite_ids(node.cites))


def _grows(body: Body, target: rb.Place, value: Type) -> bool:
    """Whether the target is a local of `let` whose range a value widens (then the body is typed again)."""
    if not isinstance(target, rb.Local) or target.slot.number not in body.let_spans:
        return False
    reach = wider(target.type, value)
    if reach is None or reach == target.type:
        return False
    span = body.let_spans[target.slot.number]
    body.growth[span] = join(body.growth.get(span, reach), reach) or reach
    return True


def wider(known: Type, value: Type) -> Type | None:
    """The type of a local that is to hold the value too: a wider range, never another sort."""
    match known, value:
        case Int(), Int():
            limit = Int(-intervals.LOCAL_LIMIT, intervals.LOCAL_LIMIT)
            if intervals.disjoint(value, limit):
                return None
            return intervals.hull(known, Int(max(value.low, limit.low), min(value.high, limit.high)))
        case SetT(a), SetT(b):
            inner = wider(a, b)
            return None if inner is None else SetT(inner)
        case ListT(a), (SetT(b) | ListT(b)):
            inner = wider(a, b)
            return None if inner is None else ListT(inner)
        case _:
            return None


def _set(body: Body, node: ast.Set) -> rb.Stmt | None:
    target = type_place(body, node.target, "set")
    if target is None:
        type_expression(body, node.value, ErrorT())
        return None
    value = as_value(body, type_expression(body, node.value, target.type))
    if not _grows(body, target, value.type):
        value = type_conformed(body, value, target)
    return None if is_bad(value) else rb.SetPlace(target, value, node.span, cite_ids(node.cites))


def type_conformed(body: Body, value: rb.Expr, target: rb.Place) -> rb.Expr:
    """A value that the place can hold."""
    return conform(body, value, target.type, f"what is kept in '{place_name(target)}'")


def place_name(target: rb.Place) -> str:
    match target:
        case rb.Local(slot):
            return slot.name
        case rb.GlobalVar(name) | rb.PlayerVar(name) | rb.SpaceVar(name) | rb.KindVar(name):
            return name
        case _:
            assert_never(target)


def _collection_place(body: Body, node: ast.Expr, verb: str) -> tuple[rb.Place, Type] | None:
    target = type_place(body, node, verb)
    if target is None:
        return None
    element = element_of(target.type)
    if element is None:
        body.context.report(
            "C0204",
            f"'{place_name(target)}' is {describe(target.type)}, and nothing can be {verb}",
            target.span,
            help=("a set or a list can be added to",),
        )
        return None
    return target, element


def _add(body: Body, node: ast.Add) -> rb.Stmt | None:
    place = _collection_place(body, node.target, "added to it")
    if place is None:
        type_expression(body, node.value, ErrorT())
        return None
    target, element = place
    value = as_value(body, type_expression(body, node.value, element))
    held = SetT(value.type) if isinstance(target.type, SetT) else ListT(value.type)
    if not _grows(body, target, held):
        value = conform(body, value, element, f"what '{place_name(target)}' holds")
    return None if is_bad(value) else rb.AddTo(value, target, node.span, cite_ids(node.cites))


def _drop(body: Body, node: ast.Drop) -> rb.Stmt | None:
    place = _collection_place(body, node.target, "dropped from it")
    if place is None:
        type_expression(body, node.value, ErrorT())
        return None
    target, element = place
    value = type_value(body, node.value, element, f"what '{place_name(target)}' holds")
    return None if is_bad(value) else rb.DropFrom(value, target, node.span, cite_ids(node.cites))


def _reveal(body: Body, node: ast.Reveal) -> rb.Stmt | None:
    value = type_expression(body, node.value)
    to = None if node.to is None else type_value(body, node.to, PlayerT(), "who gets to know it")
    if is_bad(value) or (to is not None and is_bad(to)):
        return None
    return rb.Reveal(value, to, node.span, cite_ids(node.cites))


def _eliminate(body: Body, node: ast.Eliminate) -> rb.Stmt | None:
    player = type_value(body, node.player, PlayerT(), "who leaves the game")
    return None if is_bad(player) else rb.Eliminate(player, node.span, cite_ids(node.cites))


def _chance(body: Body, node: ast.Chance) -> rb.Stmt | None:
    source, element = collection(body, type_expression(body, node.source), "what chance chooses from")
    if not is_bad(source) and length(body.globals, source).high == 0:
        body.context.report("C0205", "there is nothing that chance could choose from", source.span)
    slot = body.introduce(node.var, element, settable=True)
    note_chance(body, node.name, element)
    if is_bad(source):
        return None
    return rb.Chance(node.name.text, slot, source, node.span, cite_ids(node.cites))


# ------------------------------------------------------------------------------------------------ calls


def _do(body: Body, node: ast.Do) -> rb.Stmt | None:
    name = node.name
    step, action = body.globals.steps.get(name.text), body.globals.actions.get(name.text)
    if step is not None:
        args = _arguments(body, node, step, step.params, node.args)
        return None if args is None else rb.Do(name.text, args, node.span, cite_ids(node.cites))
    if action is not None:
        return _do_action(body, node, action)
    for arg in node.args:
        type_expression(body, arg, ErrorT())
    body.context.unknown("step or action", name, [*body.globals.steps, *body.globals.actions])
    return None


def _do_action(body: Body, node: ast.Do, action: Action) -> rb.Stmt | None:
    if not node.args:
        body.context.report(
            "C0206",
            f"'{action.name}' needs to know what it is done with",
            node.span,
            also=((action.span, "declared here"),),
        )
        return None
    subject = as_value(body, type_expression(body, node.args[0]))
    args = _arguments(body, node, action, action.params, node.args[1:])
    if action.of is None or is_bad(subject):
        return None
    space_fits = isinstance(action.of, KindT) and isinstance(subject.type, SpaceT)
    if not space_fits and fits(subject.type, action.of) != "yes":
        spaces = " or a space" if isinstance(action.of, KindT) else ""
        body.context.report(
            "C0204",
            f"'{action.name}' is done with {describe(action.of)}{spaces},"
            f" and this is {describe(subject.type)}",
            subject.span,
            also=((action.span, "declared here"),),
        )
        return None
    if args is None:
        return None
    return rb.DoAction(action.name, subject, args, node.span, cite_ids(node.cites))


def _arguments(
    body: Body,
    node: ast.Do,
    callee: Step | Action,
    params: tuple[Parameter, ...],
    nodes: tuple[ast.Expr, ...],
) -> tuple[rb.Expr, ...] | None:
    """The arguments, the implicit `you` first; None after a finding."""
    context = body.context
    good = True
    if len(nodes) != len(params):
        extra = len(node.args) - len(nodes)
        context.report(
            "C0206",
            f"'{callee.name}' has {plural(len(params) + extra, 'argument')},"
            f" and {len(node.args) or 'none'} {'is' if len(node.args) < 2 else 'are'} given",
            node.span,
            also=((callee.span, "declared here"),),
            fixes=_without_you(node, callee, len(nodes) - len(params)),
        )
        good = False
    result: list[rb.Expr] = []
    if callee.you is not None:
        you = body.find("you")
        if you is None:
            context.report(
                "C0211",
                f"'{callee.name}' speaks of 'you', and there is no 'you' here",
                node.span,
                also=((callee.you, "'you' is first needed here"),),
                help=("do it where a player is on turn, or give the step an argument `you: Player`",),
            )
            good = False
        else:
            result.append(rb.Local(you.slot, PlayerT(), node.span))
    for arg, param in zip(nodes, params, strict=False):
        value = type_value(body, arg, param.type, f"'{param.name}' of '{callee.name}'")
        good = good and not is_bad(value)
        result.append(value)
    for arg in nodes[len(params) :]:
        type_expression(body, arg, ErrorT())
    return tuple(result) if good else None


def _without_you(node: ast.Do, callee: Step | Action, more: int) -> list[Fix]:
    """`do turn(you)` of a step that takes over `you` by itself."""
    if more != 1 or callee.you is None or not isinstance(callee, Step):
        return []
    first, *rest = node.args
    if not isinstance(first, ast.NameRef) or first.name != "you":
        return []
    args = f"({expressions_text(rest)})" if rest else ""
    better = f"do {node.name.text}{args}"
    return [Fix(node.span, better, f"write `{better}`: it takes over `you` by itself")]


def _original(body: Body, node: ast.Original) -> tuple[rb.Stmt, ...]:
    if body.original is None:
        body.context.report(
            "C0245",
            "'original' stands in the body of a `wrap` alone",
            node.span,
            help=("a `wrap` says there what happens around a step",),
        )
        return ()
    step, args = body.original
    return (rb.Do(step, args, node.span, cite_ids(node.cites)),)


def _stop(body: Body, node: ast.Stop) -> rb.Stmt | None:
    target = node.target
    if target is None:
        if body.loops == 0 and body.role in ("setup", "play"):
            body.context.report(
                "C0231",
                "there is no loop and no step that 'stop' could leave",
                node.span,
                help=("write `end game` if the game is over",) if body.role == "play" else (),
            )
            return None
    elif target.text not in body.globals.steps:
        body.context.unknown("step", target, body.globals.steps)
        return None
    return rb.Stop(target.text if target else None, node.span, cite_ids(node.cites))


# -------------------------------------------------------------------------------------------- parts and loops


def _with_players(body: Body, node: ast.WithPlayers) -> tuple[rb.Stmt, ...]:
    low, high = body.globals.players
    outside = [count for count in node.counts if not low <= count <= high]
    repeated = {count for count in node.counts if node.counts.count(count) > 1}
    if outside:
        body.context.report(
            "C0221",
            f"the game is for {low} to {high} players, never {' or '.join(map(str, sorted(set(outside))))}",
            node.span,
            help=("write another number, or widen `players` in the header",),
        )
    elif repeated:
        body.context.report("C0221", f"the number {min(repeated)} is named twice", node.span)
    span = node.span
    condition: rb.Expr | None = None
    for count in node.counts:
        literal = rb.Lit(count, Int(count, count), span)
        one: rb.Expr = rb.Binary("=", rb.PlayerCount(Int(low, high), span), literal, Flag(), span)
        condition = one if condition is None else rb.Binary("or", condition, one, Flag(), span)
    then = type_block(body, node.body)
    return (rb.If(condition or bad(span), then, (), span, cite_ids(node.cites)),)


def _with_option(body: Body, node: ast.WithOption) -> tuple[rb.Stmt, ...]:
    context = body.context
    options = {n: s for n, s in body.globals.values.items() if isinstance(s, rb.Option)}
    option = options.get(node.option.text)
    slots = body.slots
    kept = type_block(body, node.body)
    if option is None:
        context.unknown("option", node.option, options)
    elif node.value.text not in option.values:
        context.unknown(f"value of the option '{option.name}' called", node.value, option.values)
    elif context.open_options:
        asked = open_option(option, node.value.text, node.span)
        return (rb.If(asked, kept, (), node.span, cite_ids(node.cites)),)
    elif option.value == node.value.text:
        cites = cite_ids(node.cites)  # of the whole part: they hold for each of its statements
        return tuple(replace(statement, cites=(*statement.cites, *cites)) for statement in kept)
    body.slots = slots
    return ()


def _for_each(body: Body, node: ast.ForEach) -> tuple[rb.Stmt, ...]:
    source, element = collection(body, type_expression(body, node.source), "what 'for each' goes through")
    cites = cite_ids(node.cites)
    if node.chosen_by is None:
        source = type_ranked(body, node, source, element) if node.ranked else source
        with body.loop():
            slot = body.introduce(node.var, element, you=True)
            inner = type_block(body, node.body)
        return () if is_bad(source) else (rb.ForEach(slot, source, inner, node.span, cites),)
    return _in_chosen_order(body, node, node.chosen_by, source, element)


def _in_chosen_order(
    body: Body, node: ast.ForEach, chosen_by: ast.Expr, source: rb.Expr, element: Type
) -> tuple[rb.Stmt, ...]:
    """What remains is a local; while there is any, one of it is chosen."""
    span, cites = node.span, cite_ids(node.cites)
    chooser = type_value(body, chosen_by, PlayerT(), "who chooses the order")
    if isinstance(source, rb.ZoneRef):  # what lies there now
        piece = body.fresh("item", element)
        source = rb.Fold("each", None, piece, source, None, ListT(element), source.span)
    type_: Type = SetT(element) if isinstance(source.type, SetT) else ListT(element)
    rest_slot = body.fresh("rest", type_)
    rest = rb.Local(rest_slot, type_, node.source.span)
    with body.loop():
        slot = body.introduce(node.var, element, you=True)
        inner = type_block(body, node.body)
    decision = node.decision or node.var
    left: rb.Expr = rest
    if isinstance(type_, ListT):  # equal ones cannot be told apart: they are one option
        item = body.fresh("item", element)
        left = rb.Fold("each", None, item, rest, None, SetT(element), node.source.span)
    note_argument = rb.Binder(slot, left, None, False, node.var.span)
    note_decision(body, decision, (note_argument,))
    if is_bad(source) or is_bad(chooser):
        return ()
    drop = rb.DropFrom(rb.Local(slot, element, node.var.span), rest, span, ())
    case = rb.Case(None, (note_argument,), None, None, (drop, *inner), span, ())
    choose = rb.Choose(chooser, decision.text, (case,), None, (), True, False, span, cites)
    some_left = rb.Unary("not", rb.IsEmpty(rest, Flag(), node.source.span), Flag(), node.source.span)
    return (rb.Let(rest_slot, source, span, ()), rb.While(some_left, (choose,), span, cites))


def _repeat(body: Body, node: ast.Repeat) -> tuple[rb.Stmt, ...]:
    cites = cite_ids(node.cites)
    if node.times is not None:
        times = type_number(body, node.times, "how often to repeat")
        if isinstance(times.type, Int) and times.type.high < 1:
            body.context.report("C0205", "this is never repeated", times.span)
        with body.loop():
            inner = type_block(body, node.body)
        return (rb.Times(times, inner, node.span, cites),)
    condition = (
        None if node.condition is None else type_flag(body, node.condition, "the condition of 'repeat'")
    )
    with body.loop():
        inner = type_block(body, node.body)
    return (rb.While(condition, inner, node.span, cites),)
