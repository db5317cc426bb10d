"""Bare names, `value.name` and `value[index]`.

Purpose: resolves a name to what it stands for.
Input: nodes of the AST, with their parts already typed. Output: typed expressions.
Invariants: a name that means something else than was asked for says what, and how to write it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from conche.diagnostics.model import Fix
from conche.diagnostics.suggest import closest, is_slip
from conche.semantics import intervals
from conche.semantics import rulebook as rb
from conche.semantics.check_values import as_value, bad, conform, element_of, is_bad, number, zone_named
from conche.semantics.symbols import (
    BARE_BUILTINS,
    EDGE_FIELDS,
    FUNCTIONS,
    SIDES,
    SPACE_FIELDS,
    Body,
    Family,
    Globals,
    Query,
    Seat,
    Space,
    describe_symbol,
    number_of_option,
    zone_ref,
)
from conche.semantics.type_of import UNTYPED, typed
from conche.semantics.types import (
    EdgeT,
    EnumT,
    ErrorT,
    Int,
    KindT,
    ListT,
    Maybe,
    PlayerT,
    RingT,
    SetT,
    SideT,
    SpaceT,
)
from conche.semantics.words import describe
from conche.source import Span
from conche.syntax import ast
from conche.syntax.explain.words import NUMBER_WORDS


def resolve_name(body: Body, node: ast.NameRef) -> rb.Expr:
    """What a bare name stands for; a zone too."""
    name, span = node.name, node.span
    local = body.find(name)
    if local is not None:
        return rb.Local(local.slot, local.slot.type, span)
    if name in BARE_BUILTINS:
        return _builtin(body, name, span)
    globals_ = body.globals
    if name in globals_.twice:
        return bad(span)
    symbol = globals_.values.get(name)
    match symbol:
        case Seat(_, number_, _):
            return rb.Lit(number_, PlayerT(), span)
        case Family():
            return _single_kind(body, symbol, span)
        case rb.Zone():
            return zone_ref(globals_, symbol, None, span)
        case rb.Var():
            return rb.GlobalVar(name, symbol.type, span)
        case rb.Track():
            return rb.GlobalVar(name, Int(0, len(symbol.fields) - 1), span)
        case rb.Table():
            return _no_value(body, symbol, span, f"write `{name}[0]` for its first entry")
        case rb.Board():
            return _no_value(body, symbol, span, "write `spaces` for its spaces, `(0, 0)` for one of them")
        case rb.Option() if symbol.numbers is not None:
            return number_of_option(symbol, span, open_=body.context.open_options)
        case rb.Option():
            return _no_value(body, symbol, span, f"ask `{name} is {symbol.default}`")
        case Query():
            args = ", ".join(param.name for param in symbol.params)
            fixes = [] if args else [Fix(span, f"{name}()", f"write `{name}()`")]
            hint = f"ask it with parentheses: `{name}({args})`" if args else None
            return _no_value(body, symbol, span, hint, fixes)
        case None:
            _unknown(body, node)
            return bad(span)


def _no_value(
    body: Body,
    symbol: rb.Table | rb.Board | rb.Option | Query,
    span: Span,
    hint: str | None,
    fixes: Sequence[Fix] = (),
) -> rb.Expr:
    title = f"{describe_symbol(symbol)} is no value itself"
    body.context.report("C0208", title, span, help=(hint,), fixes=fixes)
    return bad(span)


def _single_kind(body: Body, family: Family, span: Span) -> rb.Expr:
    if family.params:
        body.context.report(
            "C0208",
            f"'{family.name}' is {len(family.kinds)} kinds of {family.of}, and one is needed here",
            span,
            help=(f"write which one, such as `{family.kinds[0].name}`" if family.kinds else None,),
        )
        return bad(span)
    return rb.Lit(family.kinds[0].name, family.type, span)


def _builtin(body: Body, name: str, span: Span) -> rb.Expr:
    globals_ = body.globals
    if name in SIDES:
        return rb.Lit(SIDES[name], SideT(), span)
    match name:
        case "players":
            return rb.Players(SetT(PlayerT()), span)
        case "sides":
            return rb.Sides(SetT(SideT()), span)
        case "spaces":
            if globals_.board is None:
                body.context.no_board("'spaces'", span)
                return bad(span)
            board = globals_.board.name
            return rb.Spaces(board, SetT(SpaceT(board)), span)
        case "total":
            you = body.find("you")
            if body.role != "rank" or you is None:
                body.context.report(
                    "C0208",
                    "'total' is known where players are ranked, and nowhere else",
                    span,
                    help=("in a scenario write `total(red)`",) if body.role == "scenario" else (),
                )
                return bad(span)
            return rb.Total(rb.Local(you.slot, PlayerT(), span), total_type(), span)
        case _:
            no_you(body, span)
            return bad(span)


def total_type() -> Int:
    return Int(-intervals.LOCAL_LIMIT, intervals.LOCAL_LIMIT)


def no_you(body: Body, span: Span) -> None:
    """There is no `you` here."""
    where = {
        "setup": "in the set-up nobody is on turn",
        "play": "outside of `rounds` and `each player` nobody is on turn",
        "query": "a query speaks of its arguments alone",
        "trigger": "a trigger does not know who is on turn",
        "scenario": "in a scenario a player is called by the seat",
        "always": "what always holds does so for nobody in particular",
    }.get(body.role, "nobody is on turn here")
    hint = {
        "query": "give it an argument `you: Player` and pass the player",
        "setup": "write `for each p in players`, or give the step an argument `you: Player`",
        "play": "write `each player you from …` around it",
        "trigger": "speak of the player whom the event names",
    }.get(body.role)
    body.context.report("C0211", "there is no 'you' here", span, notes=(where,), help=(hint,))


FOREIGN_VALUES = {
    **dict.fromkeys(("true", "True", "TRUE"), "yes"),
    **dict.fromkeys(("false", "False", "FALSE"), "no"),
    **dict.fromkeys(("null", "nil", "none", "undefined", "None", "Null"), "nothing"),
}
"""What other languages call a value that has a word of its own."""


def foreign_value(body: Body, name: str, span: Span) -> bool:
    """Reports a value that is called otherwise here; False where the name is none."""
    right = FOREIGN_VALUES.get(name)
    if right is None:
        return False
    body.context.report(
        "C0201",
        f"there is no name '{name}': `{right}` is meant",
        span,
        fixes=[Fix(span, right, f"write `{right}`")],
    )
    return True


def _unknown(body: Body, node: ast.NameRef) -> None:
    globals_ = body.globals
    name = node.name
    if foreign_value(body, name, node.span):
        return
    hint: str | None = None
    fixes: list[Fix] = []
    if name in globals_.player:
        owner = "you" if body.find("you") else "p"
        hint = f"'{name}' belongs to each player: write `{owner}.{name}`"
        if owner == "you":
            fixes = [Fix(node.span, f"you.{name}", "say whose", safe=False)]
    elif name in globals_.kind:
        of = globals_.kind[name].of
        hint = f"'{name}' belongs to each {of}: write `x.{name}` of a {of} `x`"
    elif name in FUNCTIONS:
        hint = f"'{name}' is asked with parentheses: `{name}(…)`"
    elif name in globals_.space or name in SPACE_FIELDS or globals_.attribute_types(name):
        hint = f"'{name}' is an attribute: write `s.{name}` of a space or piece"
    elif name in EDGE_FIELDS:
        hint = f"'{name}' is told of an edge: write `e.{name}`"
    elif name in globals_.steps or name in globals_.actions:
        hint = f"'{name}' is something to do: write `do {name}` on a line of its own"
    meant = any(is_slip(name, near) for near in closest(name, body.visible(), 1))
    if hint is not None and not meant:
        if not body.context.excused(name, (), unsure=body.unsure):
            body.context.report("C0201", f"there is no '{name}' here", node.span, help=(hint,), fixes=fixes)
        return
    if name in NUMBER_WORDS and not body.context.excused(name, (), unsure=body.unsure):
        digits = NUMBER_WORDS[name]
        fix = Fix(node.span, digits, f"write `{digits}`", safe=False)
        body.context.report("C0201", f"there is no name '{name}': numbers are digits", node.span, fixes=[fix])
        return
    known = [*body.visible(), *globals_.values, *(b for b in BARE_BUILTINS if b != "total")]
    body.context.unknown("name", ast.Name(name, node.span), known, unsure=body.unsure)


# ------------------------------------------------------------------------------------------------ value.name


def resolve_attribute(body: Body, value: rb.Expr, node: ast.Attr) -> rb.Expr:
    """`value.name`"""
    value = as_value(body, value)
    name, span = node.name.text, node.span
    globals_ = body.globals
    carried = _carried(body, value, name, span)
    if carried is not None:
        return carried
    known: list[str]
    spaces: tuple[Space, ...] = ()
    match value.type:
        case ErrorT():
            return bad(span)
        case PlayerT():
            member = globals_.player.get(name)
            match member:
                case rb.Var():
                    return rb.PlayerVar(name, value, member.type, span)
                case rb.Track():
                    return rb.PlayerVar(name, value, Int(0, len(member.fields) - 1), span)
                case rb.Zone():
                    return zone_ref(globals_, member, value, span)
                case None:
                    known = list(globals_.player)
                    spaces = ("player",)
        case SpaceT():
            found = _of_space(body, value, node)
            if found is not None:
                return found
            pieces = [
                attribute
                for piece in globals_.types.values()
                if isinstance(piece, rb.PieceType)
                for attribute, _ in piece.attributes
            ]
            known = [*SPACE_FIELDS, *globals_.space, *pieces]
            spaces = ("space", "value")
        case EdgeT(board):
            match name:
                case "at" | "across":
                    return rb.EdgeField(name, value, SpaceT(board), span)
                case "side":
                    return rb.EdgeField(name, value, SideT(), span)
            if any(isinstance(type_, RingT) for _, type_ in globals_.attribute_types(name)):
                return typed(globals_, rb.EdgeFace(name, value, UNTYPED, span))
            known = [*EDGE_FIELDS, *_faces(globals_)]
            spaces = ("value",)
        case KindT(of) | EnumT(of):
            declared = globals_.types.get(of)
            attributes = dict(declared.attributes) if declared else {}
            type_ = attributes.get(name)
            if isinstance(type_, RingT):
                return _ring(body, node)
            if type_ is not None:
                return rb.PieceAttr(name, value, type_, span)
            var = globals_.kind.get(name)
            if var is not None and var.of == of:
                return _kind_var(body, value, var, span)
            known = [*attributes, *(var.name for var in globals_.kind.values() if var.of == of)]
            spaces = ("kind",)
        case Maybe():
            body.context.report(
                "C0204",
                f"'{name}' is asked of {describe(value.type)}",
                value.span,
                notes=("what may be nothing can only be compared, stored and passed on",),
            )
            return bad(span)
        case _:
            known = []
    body.context.unknown_attribute(describe(value.type), node.name, known, *spaces)
    return bad(span)


def _faces(globals_: Globals) -> Iterator[str]:
    """The attributes of pieces that differ from edge to edge."""
    for piece in globals_.types.values():
        if isinstance(piece, rb.PieceType):
            yield from (name for name, type_ in piece.attributes if isinstance(type_, RingT))


def _kind_var(body: Body, value: rb.Expr, var: rb.Var, span: Span) -> rb.Expr:
    """`card.price`"""
    family = body.globals.family_of_kind(str(value.value)) if isinstance(value, rb.Lit) else None
    if family is not None and any(isinstance(k, rb.Kind) and k.carries is not None for k in family.kinds):
        body.context.report(
            "C0208",
            f"each '{family.name}' has a '{var.name}' of its own, and one is needed here",
            value.span,
            help=("speak of a piece in hand: one that is moved, chosen or gone through",),
        )
        return bad(span)
    return rb.KindVar(var.name, value, var.type, span)


def _carried(body: Body, value: rb.Expr, name: str, span: Span) -> rb.ZoneRef | None:
    """`tile.gems`, `e.across.gems`: the zone that a piece carries."""
    globals_ = body.globals
    if not isinstance(value.type, SpaceT | KindT):
        return None
    found: list[rb.Zone] = []
    for zone in globals_.carried.values():
        family = globals_.values.get(zone.owner)
        fits_kind = isinstance(value.type, SpaceT) or (
            isinstance(family, Family) and family.of == value.type.piece
        )
        if fits_kind and zone.name == f"{zone.owner}.{name}":
            found.append(zone)
    if not found:
        return None
    if len(found) > 1:
        body.context.report(
            "C0208",
            f"more than one kind carries '{name}'",
            span,
            also=tuple((zone.span, "one of them") for zone in found),
            help=("give the zones different names",),
        )
    return zone_ref(globals_, found[0], value, span)


def _of_space(body: Body, value: rb.Expr, node: ast.Attr) -> rb.Expr | None:
    name, span = node.name.text, node.span
    globals_ = body.globals
    board = globals_.board
    match name:
        case "x" | "y":
            half = board.across // 2 if board else 0
            return rb.SpaceField(name, value, Int(-half, half - 1), span)
        case "owner":
            return rb.SpaceField(name, value, PlayerT(), span)
        case "height":
            return typed(globals_, rb.SpaceField(name, value, UNTYPED, span))
        case "turn":
            return rb.SpaceField(name, value, Int(0, 3), span)
    if name in globals_.space:
        return rb.SpaceVar(name, value, globals_.space[name].type, span)
    types = [type_ for _, type_ in globals_.attribute_types(name)]
    if any(isinstance(type_, RingT) for type_ in types):
        return _ring(body, node)
    if types:
        return typed(globals_, rb.PieceAttr(name, value, UNTYPED, span))
    return None


def _ring(body: Body, node: ast.Attr) -> rb.Expr:
    name = node.name.text
    body.context.report(
        "C0208",
        f"'{name}' has a value for each side, so it is read at an edge",
        node.name.span,
        help=(f"write `e.{name}` of an edge `e`, or `edge(s, side).{name}`",),
    )
    return bad(node.span)


# ----------------------------------------------------------------------------------------------- value[index]


def resolve_index(body: Body, node: ast.Index, value: rb.Expr, index: rb.Expr) -> rb.Expr:
    """`zone[kind]`"""
    if is_bad(value) or is_bad(index):
        return bad(node.span)
    if isinstance(value, rb.ZoneRef):
        element = element_of(value.type) or ErrorT()
        kind = conform(body, index, element, f"what '{value.name}' is asked for")
        if is_bad(kind):
            return bad(node.span)
        zone = zone_named(body.globals, value.name)
        capacity = zone.capacity if zone else None
        return rb.ZoneHolds(value, kind, Int(0, intervals.MANY if capacity is None else capacity), node.span)
    hint = "a list is read with `each`, `count`, `sum` …" if isinstance(value.type, ListT | SetT) else None
    body.context.report(
        "C0204",
        f"brackets stand behind a zone or a list of values, not {describe(value.type)}",
        value.span,
        help=(hint,),
    )
    return bad(node.span)


def resolve_entry(body: Body, node: ast.Index, table: rb.Table, index: rb.Expr) -> rb.Expr:
    """`prices[i]`"""
    index = number(body, index, f"the place in '{table.name}'")
    if is_bad(index):
        return bad(node.span)
    if isinstance(index.type, Int) and intervals.disjoint(index.type, Int(0, len(table.entries) - 1)):
        body.context.report(
            "C0205",
            f"'{table.name}' has the entries 0 to {len(table.entries) - 1}",
            index.span,
            also=((table.span, "declared here"),),
        )
        return bad(node.span)
    return rb.TableEntry(table.name, index, table.type, node.span)
