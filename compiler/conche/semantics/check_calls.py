"""Calls: built-in functions, queries, and kinds with values.

Purpose: types `name(args)`.
Input: the call and its typed arguments. Output: a typed expression.
Invariants: `expected_arguments` gives what each argument should be before it is typed, so that `[]`,
`nothing` and `(0, 0)` know what they are.
"""

from __future__ import annotations

from collections.abc import Callable

from conche.diagnostics.model import Fix
from conche.diagnostics.suggest import is_slip
from conche.semantics import rulebook as rb
from conche.semantics.check_names import total_type
from conche.semantics.check_types import fits
from conche.semantics.check_values import (
    bad,
    collection,
    conform,
    element_of,
    is_bad,
    length,
    number,
    zone_named,
)
from conche.semantics.symbols import FUNCTIONS, SCENARIO_FUNCTIONS, Body, Family, Query
from conche.semantics.type_of import UNTYPED, typed
from conche.semantics.types import EdgeT, ErrorT, Int, KindT, PlayerT, SetT, SideT, SpaceT, Type
from conche.semantics.words import describe, plural
from conche.source import Span
from conche.syntax import ast
from conche.syntax.expression_text import expression_text


def expected_arguments(body: Body, node: ast.Call) -> list[Type | None]:
    """What each argument should be, as far as that is known before it is typed."""
    symbol = body.globals.values.get(node.name.text)
    wanted: list[Type | None] = [None] * len(node.args)
    if isinstance(symbol, Query):
        for place, param in enumerate(symbol.params[: len(wanted)]):
            wanted[place] = param.type
    return wanted


def type_call(body: Body, node: ast.Call, args: list[rb.Expr]) -> rb.Expr:
    name = node.name.text
    if name in FUNCTIONS or (body.role == "scenario" and name in SCENARIO_FUNCTIONS):
        return _FUNCTIONS[name](body, node, args)
    if name in body.globals.twice:
        return bad(node.span)
    symbol = body.globals.values.get(name)
    match symbol:
        case Query():
            return _query(body, node, symbol, args)
        case Family():
            return _kind_with_values(body, node, symbol, args)
        case _:
            _unknown(body, node)
            return bad(node.span)


FOREIGN_FUNCTIONS = {
    **dict.fromkeys(
        ("capacity", "space", "free", "left", "free_in"), ("room(z)", "how many more a zone takes")
    ),
    **dict.fromkeys(
        ("size", "len", "length", "number", "amount", "cards"), ("count(z)", "how many there are")
    ),
    **dict.fromkeys(("next", "next_player", "successor"), ("left_of(p)", "the next player, clockwise")),
    **dict.fromkeys(("previous", "previous_player"), ("right_of(p)", "the player before, clockwise")),
    **dict.fromkeys(
        ("types", "distinct", "different", "unique"), ("kinds(z)", "each kind that is there, once")
    ),
    **dict.fromkeys(("neighbours", "neighbors", "adjacent"), ("around(s)", "the four spaces beside a space")),
    **dict.fromkeys(("minimum", "least", "smallest"), ("min(a, b)", "the lower of two numbers")),
    **dict.fromkeys(("maximum", "most", "greatest"), ("max(a, b)", "the higher of two numbers")),
}
"""What others call a function, and ours: how it is asked and what it is."""


def _unknown(body: Body, node: ast.Call) -> None:
    globals_, name = body.globals, node.name
    if name.text in globals_.values or body.find(name.text):
        fixes = [] if node.args else [Fix(node.span, name.text, f"write `{name.text}`")]
        help = ("leave out the parentheses",) if node.args else ()
        body.context.report("C0208", f"'{name.text}' is no query", name.span, help=help, fixes=fixes)
        return
    queries = [query for query, symbol in globals_.values.items() if isinstance(symbol, Query)]
    families = [family.name for family in globals_.families if family.params]
    functions = [*FUNCTIONS, *(SCENARIO_FUNCTIONS if body.role == "scenario" else ())]
    hint = None
    if name.text in globals_.steps or name.text in globals_.actions:
        hint = f"'{name.text}' is something to do: write `do {name.text}(…)` on a line of its own"
    elif name.text in FOREIGN_FUNCTIONS and not any(is_slip(name.text, one) for one in (*queries, *families)):
        right, what = FOREIGN_FUNCTIONS[name.text]
        hint = f"`{right}` is {what}"
    body.context.unknown("query or kind", name, [*queries, *families, *functions], hint)


def _query(body: Body, node: ast.Call, query: Query, args: list[rb.Expr]) -> rb.Expr:
    if body.role == "constant":
        body.context.report(
            "C0209", f"'{query.name}' cannot be asked here: this is fixed before the game begins", node.span
        )
        return bad(node.span)
    if len(args) != len(query.params):
        asked = f"{query.name}({', '.join(param.name for param in query.params)})"
        wrong_count(body, node.name.text, len(query.params), len(args), node.span, query.span, asked)
        return bad(node.span)
    if _swapped(body, node, query, args):
        return bad(node.span)
    checked = tuple(
        conform(body, arg, param.type, f"'{param.name}' of '{query.name}'")
        for arg, param in zip(args, query.params, strict=True)
    )
    result = body.globals.query_types.get(query.name, ErrorT())
    if any(is_bad(arg) for arg in checked) or isinstance(result, ErrorT):
        return bad(node.span)
    return rb.Call(query.name, checked, result, node.span)


def _swapped(body: Body, node: ast.Call, query: Query, args: list[rb.Expr]) -> bool:
    """Whether two arguments stand in each other's place: said once."""
    wanted = [param.type for param in query.params]
    wrong = [i for i, arg in enumerate(args) if fits(arg.type, wanted[i]) == "no"]
    if len(wrong) != 2:
        return False
    a, b = wrong
    if fits(args[a].type, wanted[b]) != "yes" or fits(args[b].type, wanted[a]) != "yes":
        return False
    order = ", ".join(param.name for param in query.params)
    first, second = node.args[a], node.args[b]
    body.context.report(
        "C0204",
        f"two arguments of '{query.name}' stand in each other's place",
        first.span,
        f"expected {describe(wanted[a])}",
        also=((second.span, f"expected {describe(wanted[b])}"),),
        notes=(f"it is asked as `{query.name}({order})`",),
        fixes=[
            Fix(first.span, expression_text(second), "swap them"),
            Fix(second.span, expression_text(first), "swap them"),
        ],
    )
    return True


def wrong_count(
    body: Body,
    name: str,
    wanted: int,
    given: int,
    span: Span,
    declared: Span | None = None,
    asked: str | None = None,
) -> None:
    body.context.report(
        "C0206",
        f"'{name}' has {plural(wanted, 'argument')},"
        f" and {given or 'none'} {'is' if given < 2 else 'are'} given",
        span,
        also=((declared, "declared here"),) if declared else (),
        help=(f"it is asked as `{asked}`" if asked else None,),
    )


def _kind_with_values(body: Body, node: ast.Call, family: Family, args: list[rb.Expr]) -> rb.Expr:
    if len(args) != len(family.params):
        wrong_count(body, family.name, len(family.params), len(args), node.span, family.span)
        return bad(node.span)
    values: list[int] = []
    for arg, param in zip(args, family.params, strict=True):
        if is_bad(arg):
            return bad(node.span)
        if not isinstance(arg, rb.Lit) or not isinstance(arg.value, int) or isinstance(arg.value, bool):
            body.context.report("C0209", f"the {param} of '{family.name}' is written as a number", arg.span)
            return bad(node.span)
        values.append(arg.value)
    for kind in family.kinds:
        if kind.values == tuple(values):
            return rb.Lit(kind.name, family.type, node.span)
    body.context.report(
        "C0205",
        f"there is no kind '{family.name}({', '.join(map(str, values))})'",
        node.span,
        also=((family.span, "declared here"),),
    )
    return bad(node.span)


# ----------------------------------------------------------------------------------------- built-in functions

Builtin = Callable[[Body, ast.Call, list[rb.Expr]], rb.Expr]


def _arguments(
    body: Body, node: ast.Call, args: list[rb.Expr], *wanted: tuple[str, Type]
) -> list[rb.Expr] | None:
    """The arguments, if there are as many as wanted and of the right sort."""
    name = node.name.text
    if len(args) != len(wanted):
        wrong_count(body, name, len(wanted), len(args), node.span)
        return None
    checked = [
        conform(body, arg, type_, f"the {what} of '{name}'")
        for arg, (what, type_) in zip(args, wanted, strict=True)
    ]
    return None if any(is_bad(arg) for arg in checked) else checked


def _one(body: Body, node: ast.Call, args: list[rb.Expr]) -> rb.Expr | None:
    if len(args) != 1:
        wrong_count(body, node.name.text, 1, len(args), node.span)
        return None
    return None if is_bad(args[0]) else args[0]


def _count(body: Body, node: ast.Call, args: list[rb.Expr]) -> rb.Expr:
    arg = _one(body, node, args)
    if arg is None:
        return bad(node.span)
    match arg:
        case rb.ZoneRef():
            return rb.ZoneCount(arg, length(body.globals, arg), node.span)
        case rb.Players():
            if body.context.open_options or body.globals.eliminates:
                return typed(body.globals, rb.PlayersLeft(UNTYPED, node.span))
            return typed(body.globals, rb.PlayerCount(UNTYPED, node.span))
        case _:
            hint = "leave `count` out: a number is told as it is"
            source, element = collection(body, arg, "what 'count' counts", hint)
            if is_bad(source):
                return bad(node.span)
            slot = body.fresh("item", element)
            return typed(body.globals, rb.Fold("count", None, slot, source, None, UNTYPED, node.span))


def _zone(body: Body, node: ast.Call, args: list[rb.Expr]) -> rb.ZoneRef | None:
    arg = _one(body, node, args)
    if arg is None or isinstance(arg, rb.ZoneRef):
        return arg
    body.context.report("C0204", f"'{node.name.text}' asks about a zone, not {describe(arg.type)}", arg.span)
    return None


def _room(body: Body, node: ast.Call, args: list[rb.Expr]) -> rb.Expr:
    ref = _zone(body, node, args)
    if ref is None:
        return bad(node.span)
    zone = zone_named(body.globals, ref.name)
    if zone is None or zone.capacity is None:
        if zone is not None:
            body.context.report(
                "C0204",
                f"'{ref.name}' has room for any number of pieces",
                ref.span,
                also=((zone.span, "declared here"),),
                help=(f"declare its room: `{zone.kind} {zone.name} of 5 {zone.of}`",),
            )
        return bad(node.span)
    return rb.ZoneRoom(ref, Int(0, zone.capacity), node.span)


def _kinds(body: Body, node: ast.Call, args: list[rb.Expr]) -> rb.Expr:
    ref = _zone(body, node, args)
    if ref is None:
        return bad(node.span)
    return rb.ZoneKinds(ref, SetT(element_of(ref.type) or ErrorT()), node.span)


def _turns(body: Body, node: ast.Call, args: list[rb.Expr]) -> rb.Expr:
    arg = _one(body, node, args)
    if arg is None:
        return bad(node.span)
    if not isinstance(arg.type, KindT):
        body.context.report("C0204", f"a kind of piece can be turned, not {describe(arg.type)}", arg.span)
        return bad(node.span)
    return typed(body.globals, rb.Turns(arg, UNTYPED, node.span))


def _space(body: Body) -> tuple[str, Type]:
    return "space", body.globals.space_type()


def _around(body: Body, node: ast.Call, args: list[rb.Expr]) -> rb.Expr:
    found = _arguments(body, node, args, _space(body))
    return bad(node.span) if found is None else rb.Around(found[0], SetT(found[0].type), node.span)


def _beside(body: Body, node: ast.Call, args: list[rb.Expr]) -> rb.Expr:
    found = _arguments(body, node, args, _space(body), ("side", SideT()))
    return bad(node.span) if found is None else rb.Beside(found[0], found[1], found[0].type, node.span)


def _edge(body: Body, node: ast.Call, args: list[rb.Expr]) -> rb.Expr:
    found = _arguments(body, node, args, _space(body), ("side", SideT()))
    if found is None or not isinstance(found[0].type, SpaceT):
        return bad(node.span)
    return rb.MakeEdge(found[0], found[1], EdgeT(found[0].type.board), node.span)


def _toward(body: Body, node: ast.Call, args: list[rb.Expr]) -> rb.Expr:
    found = _arguments(body, node, args, _space(body), _space(body))
    return bad(node.span) if found is None else rb.Toward(found[0], found[1], SideT(), node.span)


def _clockwise(body: Body, node: ast.Call, args: list[rb.Expr]) -> rb.Expr:
    found = _arguments(body, node, args, ("player", PlayerT()))
    return bad(node.span) if found is None else rb.Clockwise(found[0], SetT(PlayerT()), node.span)


def _neighbour(body: Body, node: ast.Call, args: list[rb.Expr]) -> rb.Expr:
    found = _arguments(body, node, args, ("player", PlayerT()))
    step = 1 if node.name.text == "left_of" else -1
    return bad(node.span) if found is None else rb.Neighbour(found[0], step, PlayerT(), node.span)


def _track(body: Body, node: ast.Call, args: list[rb.Expr]) -> tuple[rb.Track, rb.Expr | None] | None:
    """The track whose marker the argument is, and whose marker."""
    arg = _one(body, node, args)
    match arg:
        case None:
            return None
        case rb.PlayerVar(name, player):
            track = body.globals.player.get(name)
            if isinstance(track, rb.Track):
                return track, player
        case rb.GlobalVar(name):
            symbol = body.globals.values.get(name)
            if isinstance(symbol, rb.Track):
                return symbol, None
        case _:
            pass
    tracks = [name for name, one in body.globals.player.items() if isinstance(one, rb.Track)]
    tracks += [name for name, one in body.globals.values.items() if isinstance(one, rb.Track)]
    body.context.report(
        "C0204",
        f"'{node.name.text}' asks about a track, not {describe(arg.type)}",
        arg.span,
        help=(f"the tracks: {', '.join(f'`{name}`' for name in tracks)}" if tracks else None,),
    )
    return None


def _last(body: Body, node: ast.Call, args: list[rb.Expr]) -> rb.Expr:
    found = _track(body, node, args)
    if found is None:
        return bad(node.span)
    field = len(found[0].fields) - 1
    return rb.Lit(field, Int(field, field), node.span)


def _value(body: Body, node: ast.Call, args: list[rb.Expr]) -> rb.Expr:
    found = _track(body, node, args)
    if found is None:
        return bad(node.span)
    track, player = found
    return rb.TrackValue(track.name, player, Int(min(track.fields), max(track.fields)), node.span)


def _min_max(body: Body, node: ast.Call, args: list[rb.Expr]) -> rb.Expr:
    op = node.name.text
    if len(args) < 2:
        body.context.report(
            "C0206",
            f"'{op}' compares two or more numbers",
            node.span,
            help=(
                "of a set write `least(x for x in s)`"
                if op == "min"
                else "of a set write `most(x for x in s)`",
            ),
        )
        return bad(node.span)
    checked = [number(body, arg, f"each argument of '{op}'") for arg in args]
    if any(is_bad(arg) for arg in checked):
        return bad(node.span)
    return typed(body.globals, rb.MinMax(op, tuple(checked), UNTYPED, node.span))


def _kind(body: Body, node: ast.Call, args: list[rb.Expr]) -> rb.Expr:
    found = _arguments(body, node, args, _space(body))
    board = body.globals.board
    if found is None or board is None:
        return bad(node.span)
    pieces = sorted({hold.piece for hold in board.holds})
    if len(pieces) != 1:
        body.context.report(
            "C0204",
            f"the spaces of '{board.name}' hold {' and '.join(pieces) or 'nothing'},"
            " so 'kind' has no one type",
            node.span,
            help=("ask `s is market` or `s is a Worker`",),
        )
        return bad(node.span)
    return rb.SpaceKind(found[0], KindT(pieces[0]), node.span)


def _score(body: Body, node: ast.Call, args: list[rb.Expr]) -> rb.Expr:
    """`score(red, temples)`: the second argument is a name of a score, not an expression."""
    if len(node.args) != 2 or not isinstance(node.args[1], ast.NameRef):
        body.context.report("C0206", "'score' has two arguments: a player and a score", node.span)
        return bad(node.span)
    player = conform(body, args[0], PlayerT(), "the player of 'score'")
    name = node.args[1]
    if name.name not in body.globals.scores:
        body.context.unknown("score", ast.Name(name.name, name.span), body.globals.scores)
        return bad(node.span)
    return bad(node.span) if is_bad(player) else rb.ScoreOf(name.name, player, total_type(), node.span)


def _rank(body: Body, node: ast.Call, args: list[rb.Expr]) -> rb.Expr:
    found = _arguments(body, node, args, ("player", PlayerT()))
    return (
        bad(node.span) if found is None else rb.RankOf(found[0], Int(1, body.globals.players[1]), node.span)
    )


def _total(body: Body, node: ast.Call, args: list[rb.Expr]) -> rb.Expr:
    found = _arguments(body, node, args, ("player", PlayerT()))
    return bad(node.span) if found is None else rb.Total(found[0], total_type(), node.span)


_FUNCTIONS: dict[str, Builtin] = {
    "count": _count,
    "room": _room,
    "kinds": _kinds,
    "turns": _turns,
    "around": _around,
    "beside": _beside,
    "edge": _edge,
    "toward": _toward,
    "clockwise": _clockwise,
    "left_of": _neighbour,
    "right_of": _neighbour,
    "last": _last,
    "value": _value,
    "min": _min_max,
    "max": _min_max,
    "kind": _kind,
    "score": _score,
    "rank": _rank,
    "total": _total,
}
