"""Triggers: what happens as soon as something has happened.

Purpose: types triggers and puts them in order.
Input: `TriggerDecl`s. Output: `Trigger`s of the rulebook.
Invariants: `order` respects `follows`; triggers of which neither follows the other stand in the order of
their names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from heapq import heapify, heappop, heappush

from conche.semantics import intervals
from conche.semantics import rulebook as rb
from conche.semantics.check_components import cite_ids
from conche.semantics.check_expressions import type_flag
from conche.semantics.check_patterns import match_pattern
from conche.semantics.check_places import Pieces, find_resource
from conche.semantics.check_statements import type_owner_body
from conche.semantics.check_values import zone_named
from conche.semantics.symbols import Body, Context, describe_symbol
from conche.semantics.types import EnumT, ErrorT, Int, KindT, PlayerT, Type
from conche.semantics.walk import in_dependency_order
from conche.semantics.words import describe
from conche.source import Span
from conche.syntax import ast


def declare_triggers(context: Context, decls: list[ast.TriggerDecl]) -> dict[str, ast.TriggerDecl]:
    """Their names; the first of two with one name."""
    known: dict[str, ast.TriggerDecl] = {}
    triggers = context.globals.triggers
    for decl in decls:
        name = decl.name
        if name.text in triggers:
            context.duplicate("the trigger", name.text, name.span, triggers[name.text])
        else:
            known[name.text] = decl
            triggers[name.text] = name.span
    return known


def check_triggers(context: Context, known: Mapping[str, ast.TriggerDecl]) -> dict[str, rb.Trigger]:
    """The triggers, in order. They may follow others that are declared elsewhere, whose order is settled when
    all are put together."""
    follows: dict[str, dict[str, Span]] = {}
    for decl in known.values():
        follows[decl.name.text] = {}
        for earlier in decl.follows:
            if earlier.text not in context.globals.triggers:
                context.unknown("trigger", earlier, context.globals.triggers)
            elif earlier.text in known:
                follows[decl.name.text][earlier.text] = earlier.span
    order, cycles = in_dependency_order(follows)
    for cycle in cycles:
        first, second = cycle[0], cycle[1 % len(cycle)]
        context.report(
            "C0234",
            f"the trigger '{first}' follows itself: {' → '.join([*cycle, first])}",
            follows[first][second],
            help=("take one `follows` out",),
        )
    result: dict[str, rb.Trigger] = {}
    for place, name_ in enumerate(stable_order(order, follows)):
        result[name_] = replace(_trigger(context, known[name_]), order=place)
    return dict(sorted(result.items()))


def stable_order(order: Iterable[str], follows: Mapping[str, Iterable[str]]) -> list[str]:
    """By names, except where one follows another."""
    order = list(order)
    before = {name: set(follows[name]) for name in order}
    after: dict[str, list[str]] = {}
    for name in order:
        for earlier in follows[name]:
            after.setdefault(earlier, []).append(name)
    done: list[str] = []
    ready = [name for name in order if not before[name]]
    heapify(ready)
    while ready:
        name = heappop(ready)
        done.append(name)
        for later in after.get(name, []):
            before[later].discard(name)
            if not before[later]:
                heappush(ready, later)
    return done + sorted(set(order) - set(done))  # the rest follow each other in a circle


def _trigger(context: Context, decl: ast.TriggerDecl) -> rb.Trigger:
    body = Body(context, f"trigger.{decl.name.text}", "trigger")
    event: rb.OnEnter | rb.OnGain | rb.OnCondition
    match decl.event:
        case ast.Enters():
            event = _enters(body, decl.event)
            params: tuple[rb.Slot, ...] = (event.slot,)
        case ast.Gains():
            event = _gains(body, decl.event)
            params = (event.player, event.amount)
        case ast.Whenever():
            event = rb.OnCondition(type_flag(body, decl.event.condition, "the condition of 'whenever'"))
            params = ()
    guard = None if decl.guard is None else type_flag(body, decl.guard, "the condition of a trigger")
    statements = type_owner_body(body, decl.body)
    return rb.Trigger(
        decl.name.text,
        event,
        guard,
        0,
        tuple(sorted(name.text for name in decl.follows)),
        params,
        statements,
        decl.span,
        cite_ids(decl.cites),
    )


def _enters(body: Body, node: ast.Enters) -> rb.OnEnter:
    context, globals_ = body.context, body.globals
    of: KindT | EnumT | None = None
    kinds: tuple[str, ...] = ()
    if isinstance(node.pattern, ast.NamedType):
        name = node.pattern.name
        declared = globals_.types.get(name.text)
        if declared is None:
            context.unknown("piece type or enum", name, globals_.types, space="type")
        elif isinstance(declared, rb.Enum):
            of, kinds = EnumT(name.text), tuple(member.name for member in declared.members)
        else:
            of, kinds = KindT(name.text), tuple(kind.name for kind in declared.kinds)
    else:
        match = match_pattern(context, node.pattern, binds=False)
        if match is not None:
            of, kinds = match.family.type, match.names
    zones: list[str] = []
    boards: list[str] = []
    for name in node.zones:
        zone = zone_named(globals_, name.text)
        symbol = globals_.values.get(name.text)
        if isinstance(symbol, rb.Board):
            boards.append(name.text)
        elif zone is not None:
            zones.append(name.text)
            if of is not None and globals_.element_type(zone.of) != of:
                context.report(
                    "C0216",
                    f"'{zone.name}' holds {zone.of}, so {describe(of)} never enters it",
                    name.span,
                    also=((zone.span, "declared here"),),
                )
        elif symbol is not None:
            context.report("C0208", f"{describe_symbol(symbol)} is neither a zone nor a board", name.span)
        else:
            every = [*globals_.values.values(), *globals_.player.values()]
            known = [s.name for s in every if isinstance(s, rb.Zone | rb.Board)]
            context.unknown("zone", name, known)
    if zones and boards:
        context.report(
            "C0216",
            "one trigger speaks of zones or of a board, not of both",
            node.span,
            help=("write a trigger for each, and put what they share into a step",),
        )
    type_: Type = of or ErrorT()
    if boards:
        type_ = globals_.space_type()
    slot = body.introduce(node.var, type_)
    return rb.OnEnter(slot, kinds, tuple(sorted(zones)), tuple(sorted(boards)))


def _gains(body: Body, node: ast.Gains) -> rb.OnGain:
    resource = find_resource(body, node.resource)
    player = body.introduce(node.player, PlayerT(), you=True)
    most = intervals.MANY
    if isinstance(resource, Pieces) and resource.zone.capacity is not None:
        most = resource.zone.capacity
    elif isinstance(resource, rb.Var) and isinstance(resource.type, Int):
        most = max(resource.type.high - resource.type.low, 0)
    amount = body.introduce(node.amount, Int(0, most))
    if isinstance(resource, Pieces):
        return rb.OnGain(player, amount, None, resource.zone.name, str(resource.kind.value))
    return rb.OnGain(player, amount, resource.name if resource else None, None, None)
