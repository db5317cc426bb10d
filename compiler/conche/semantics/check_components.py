"""Components: what lies on the table, and what is written down about it.

Purpose: declares the header, options, enums, pieces, tables of values, the board, zones, tracks and
variables.
Input: the declarations of a `File`. Output: their rulebook nodes in `Globals`, and findings.
Invariants: every name is declared before any expression that may use it is typed; conditions and first values
are typed by `check_initials`, last.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from conche.semantics import rulebook as rb
from conche.semantics.check_pieces import (
    check_written,
    declare_enum,
    declare_piece,
    extend_type,
    replace_type,
)
from conche.semantics.check_settings import (
    check_data_was_read,
    numbers_of,
    option_of,
    replace_table,
    table_of,
)
from conche.semantics.check_settings import cite_ids as cite_ids
from conche.semantics.check_types import constant_number, resolve_type
from conche.semantics.symbols import (
    BARE_BUILTINS,
    FUNCTIONS,
    SPACE_FIELDS,
    Context,
    Seat,
    Space,
    Symbol,
    reserved,
)
from conche.semantics.walk import walk
from conche.syntax import ast

MOST_ACROSS = 1000
"""The widest board."""

ANYTHING: frozenset[Space] = frozenset({"value", "player", "space", "kind", "decision", "zone", "type"})

_MAY_DECLARE: dict[str, frozenset[Space]] = {
    **dict.fromkeys(
        ("scenario", "conserve", "always", "rank", "score", "ruling", "show"), frozenset[Space]()
    ),
    **dict.fromkeys(("setup", "play", "step", "action", "trigger"), frozenset[Space]({"decision"})),
    **dict.fromkeys(("before", "after", "replace", "wrap", "modify"), frozenset[Space]({"decision"})),
    **dict.fromkeys(("enum", "piece"), frozenset[Space]({"value"})),
    "each": frozenset({"player", "kind", "zone"}),
    "board": frozenset({"space"}),
}
"""What a declaration that could not be read may have declared beside its own name, by keyword."""

_ONE_NAME = {"option", "values", "pile", "row", "hand", "store", "bag", "pool", "track", "var", "query"}
"""Keywords of declarations that declare nothing but their own name."""

_NAMELESS = {"setup", "play", "rank", "always", "ruling", "scenario", "conserve", "each", "show"}
"""Keywords of declarations that have no name of their own."""


def declare_components(context: Context, file: ast.File) -> None:
    """Declares everything but what has a body."""
    note_broken(context, file.decls)
    if file.header is None:
        context.globals.unsure.add("value")
    _header(context, file)
    declare_parts(context, file.decls)


def declare_parts(context: Context, decls: tuple[ast.Decl, ...]) -> None:
    """Declares options, types, values, boards, zones and variables."""
    check_data_was_read(context, decls)
    for decl in decls:
        if isinstance(decl, ast.OptionDecl):
            option = option_of(context, decl)
            if option is not None:
                declare_value(context, decl.name, option)
    for decl in _types_in_order(decls):
        match decl:
            case ast.EnumDecl():
                declare_enum(context, decl)
            case ast.PieceDecl():
                declare_piece(context, decl)
            case ast.ExtendType():
                extend_type(context, decl)
            case ast.ReplaceType():
                replace_type(context, decl)
            case _:
                assert_never(decl)
    for decl in decls:
        if isinstance(decl, ast.ValuesDecl):
            table = table_of(context, decl)
            if table is not None:
                declare_value(context, decl.name, table)
        elif isinstance(decl, ast.ReplaceValues):
            replace_table(context, decl)
    check_written(context)
    for decl in decls:
        if isinstance(decl, ast.EnumDecl | ast.PieceDecl | ast.ExtendType):
            for variant in decl.variants:
                _carried(context, decl, variant)
    for decl in decls:
        if isinstance(decl, ast.BoardDecl):
            _board(context, decl)
    for decl in decls:
        match decl:
            case ast.BoardDecl() | ast.ExtendBoard():
                _space_attributes(context, decl)
            case ast.ZoneDecl() | ast.TrackDecl() | ast.VarDecl():
                found = _component(context, decl, "game")
                if found is not None:
                    declare_value(context, decl.name, found)
            case ast.EachPlayerHas():
                for member in decl.members:
                    _player_member(context, member, decl.cites)
            case _:
                pass
    for decl in decls:
        if isinstance(decl, ast.EachKindHas):
            _kind_members(context, decl)


_TypeDecl = ast.EnumDecl | ast.PieceDecl | ast.ExtendType | ast.ReplaceType


def _types_in_order(decls: tuple[ast.Decl, ...]) -> list[_TypeDecl]:
    """The types, in their order but for those whose attributes are of types that come later."""
    rest = [d for d in decls if isinstance(d, _TypeDecl)]
    result: list[_TypeDecl] = []
    while rest:
        later = {decl.name.text for decl in rest if isinstance(decl, ast.EnumDecl | ast.PieceDecl)}
        ready = [decl for decl in rest if not _needs(decl) & later] or rest[:1]
        result += ready
        rest = [decl for decl in rest if decl not in ready]
    return result


def _needs(decl: _TypeDecl) -> set[str]:
    """The types that attributes are of, and the type that is changed."""
    if isinstance(decl, ast.ExtendType | ast.ReplaceType):
        return {decl.name.text}
    return {param.type.name.text for param in decl.params if isinstance(param.type, ast.NamedType)}


def note_broken(context: Context, decls: tuple[ast.Decl, ...]) -> None:
    """Notes what declarations that could not be read may have declared."""
    globals_ = context.globals
    for decl in decls:
        if isinstance(decl, ast.ErrorDecl):
            globals_.broken_keywords.add(decl.keyword)
            globals_.broken.update(decl.names)
            if decl.name is not None:
                globals_.broken.add(decl.name)
            if decl.keyword not in _NAMELESS and (decl.name is None or _no_type(decl)):
                globals_.unsure.update(ANYTHING)
            if decl.name is not None and decl.keyword in _ONE_NAME:
                continue
            globals_.unsure.update(_MAY_DECLARE.get(decl.keyword, ANYTHING))
    for node in walk(decls):
        if isinstance(node, ast.ErrorStmt):
            globals_.unsure.add("decision")
        elif isinstance(node, ast.Eliminate):
            globals_.eliminates = True


def _no_type(decl: ast.ErrorDecl) -> bool:
    """Whether the name of a type is written as no type is: what it is called elsewhere is not known then."""
    return decl.keyword in ("enum", "piece") and decl.name is not None and decl.name.islower()


def declare_value(context: Context, name: ast.Name, symbol: Symbol) -> bool:
    """Makes a bare name stand for something; False when the name is taken."""
    earlier = context.globals.values.get(name.text)
    if earlier is not None:
        context.duplicate("the declaration of", name.text, name.span, earlier.span)
        context.globals.twice.add(name.text)
        return False
    if name.text in BARE_BUILTINS:
        reserved(context, name)
        return False
    context.globals.values[name.text] = symbol
    return True


def _carried(
    context: Context, decl: ast.EnumDecl | ast.PieceDecl | ast.ExtendType, variant: ast.Variant
) -> None:
    """The zone of each piece of a kind."""
    node = variant.carries
    if node is None:
        return
    declared = context.globals.types.get(decl.name.text)
    if isinstance(declared, rb.Enum) or variant.params:
        what = "a member of an enum" if isinstance(declared, rb.Enum) else "a kind with values"
        context.report("C0216", f"{what} carries nothing", node.span)
        return
    name = node.name.text
    taken = dict(declared.attributes) if declared is not None else {}
    if name in taken or name in context.globals.space or name in SPACE_FIELDS:
        context.report("C0202", f"'{name}' is an attribute of pieces or spaces already", node.name.span)
        return
    if node.visibility == "secret":
        _visibility(context, "secret", "game", node.name)
    zone = _zone(context, node, variant.name.text)
    if zone is not None:
        key = f"{variant.name.text}.{name}"
        context.globals.carried[key] = replace(zone, name=key)


# -------------------------------------------------------------------------------------------- header


def _header(context: Context, file: ast.File) -> None:
    header = file.header
    globals_ = context.globals
    if header is None:
        globals_.players = (1, 100)
        return
    low, high = header.players or (1, 1)
    if header.players is None:
        context.report(
            "C0222",
            f"the game '{header.name.text}' does not say for how many players it is",
            header.name.span,
            help=("add `players 2..4` to the header",),
        )
        low, high = 1, 100
    elif not 1 <= low <= high:
        context.report("C0230", f"no number of players lies in {low}..{high}", header.span)
        low, high = 1, 100
    elif high > 100:
        context.report("C0205", f"a game has at most 100 players, not {high}", header.span)
        low, high = 1, 100
    globals_.players = (low, high)
    seats = header.seats or tuple(ast.Name(f"seat_{number}", header.name.span) for number in range(high))
    globals_.seats_named = bool(header.seats)
    globals_.seats = tuple(seat.text for seat in seats)
    for number, seat in enumerate(seats):
        declare_value(context, seat, Seat(seat.text, number, seat.span))
    if header.players is not None and header.seats and len(header.seats) != high and high <= 100:
        context.report(
            "C0206",
            f"the game is for up to {high} players, and {len(header.seats)} seats have a name",
            header.seats[0].span.to(header.seats[-1].span),
            help=("name every seat, or none",),
        )


# ---------------------------------------------------------------------------------------------- the board


def _board(context: Context, decl: ast.BoardDecl) -> None:
    globals_ = context.globals
    if globals_.board is not None:
        context.report(
            "C0202",
            f"a game has one board, and '{decl.name.text}' is a second one",
            decl.name.span,
            also=((globals_.board.span, "the first one"),),
        )
        return
    across = decl.across
    if not 2 <= across <= MOST_ACROSS or across % 2:
        context.report(
            "C0205",
            f"a board is an even number from 2 to {MOST_ACROSS} across, not {across}",
            decl.name.span,
        )
        across = 64
    board = rb.Board(decl.name.text, across, (), (), decl.name.span, cite_ids(decl.cites))
    declare_value(context, decl.name, board)
    globals_.board = board


def _space_attributes(context: Context, decl: ast.BoardDecl | ast.ExtendBoard) -> None:
    globals_ = context.globals
    board = globals_.board
    if isinstance(decl, ast.ExtendBoard):
        if board is None or board.name != decl.name.text:
            context.unknown("board", decl.name, [board.name] if board else [])
            return
    elif board is None or board.span != decl.name.span:
        return
    for node in decl.attributes:
        attribute = _variable(context, node, "space")
        name = node.name
        if name.text in globals_.space:
            context.duplicate("the attribute", name.text, name.span, globals_.space[name.text].span)
        elif name.text in SPACE_FIELDS:
            reserved(context, name)
        elif globals_.attribute_types(name.text):
            piece = globals_.attribute_types(name.text)[0][0]
            context.duplicate("the attribute", name.text, name.span, globals_.types[piece].span)
        else:
            globals_.space[name.text] = attribute


# ------------------------------------------------------------------------------------------- zones, variables


def _player_member(
    context: Context, node: ast.VarDecl | ast.ZoneDecl | ast.TrackDecl, cites: tuple[ast.Cite, ...]
) -> None:
    """`cites` are those of the whole list: they hold for each of its lines."""
    found = _component(context, replace(node, cites=(*node.cites, *cites)), "player")
    name = node.name
    if found is None:
        return
    member = context.globals.player.get(name.text)
    if member is not None:
        context.duplicate("a player's", name.text, name.span, member.span)
        return
    earlier = context.globals.values.get(name.text)
    if isinstance(earlier, rb.Zone | rb.Track | rb.Var):
        context.duplicate("a player's", name.text, name.span, earlier.span)
        return
    context.globals.player[name.text] = found


def _kind_members(context: Context, decl: ast.EachKindHas) -> None:
    """Variables of every kind or member; their names are of the whole game."""
    globals_, of = context.globals, decl.of.text
    declared = globals_.types.get(of)
    if declared is None:
        context.unknown("piece type or enum", decl.of, globals_.types, space="type")
        globals_.unsure.add("kind")
        return
    attributes = {name for name, _ in declared.attributes}
    for node in decl.members:
        name = node.name
        var = _variable(context, replace(node, cites=(*node.cites, *decl.cites)), "kind", of)
        earlier = globals_.kind.get(name.text) or globals_.player.get(name.text)
        value = globals_.values.get(name.text)
        if earlier is None and isinstance(value, rb.Zone | rb.Track | rb.Var):
            earlier = value
        if earlier is not None:
            context.duplicate(f"each {of}'s", name.text, name.span, earlier.span)
        elif name.text in attributes:
            context.duplicate(f"each {of}'s", name.text, name.span, declared.span)
        else:
            globals_.kind[name.text] = var


def _component(
    context: Context, node: ast.VarDecl | ast.ZoneDecl | ast.TrackDecl, owner: str
) -> rb.Var | rb.Zone | rb.Track | None:
    match node:
        case ast.VarDecl():
            return _variable(context, node, owner)
        case ast.ZoneDecl():
            return _zone(context, node, owner)
        case ast.TrackDecl():
            _visibility(context, node.visibility, owner, node.name)
            fields = numbers_of(context, node.fields, f"the track '{node.name.text}'")
            if fields is None:
                context.globals.broken.add(node.name.text)
                return None
            return rb.Track(
                node.name.text, owner, fields, node.visibility, node.name.span, cite_ids(node.cites)
            )


def _variable(context: Context, node: ast.VarDecl, owner: str, of: str | None = None) -> rb.Var:
    _visibility(context, node.visibility, owner, node.name)
    type_ = resolve_type(context, node.type)
    name, anew = node.name, None if node.anew is None else node.anew.text
    cites = cite_ids(node.cites)
    return rb.Var(name.text, owner, type_, None, node.visibility, name.span, cites, of, anew)


def _visibility(context: Context, visibility: str, owner: str, name: ast.Name) -> None:
    if visibility == "secret" and owner != "player":
        context.report(
            "C0235",
            f"'{name.text}' belongs to no player, so it cannot be secret to one",
            name.span,
            help=("write `open` or `hidden`, or declare it under `each player has`",),
        )


def _zone(context: Context, node: ast.ZoneDecl, owner: str) -> rb.Zone | None:
    if owner in ("game", "player"):
        _visibility(context, node.visibility, owner, node.name)
    capacity: int | None = None
    if node.capacity is not None:
        capacity = constant_number(node.capacity)
        if capacity is None:
            context.report("C0209", f"the room of '{node.name.text}' is a number", node.capacity.span)
        elif not 1 <= capacity <= 10**6:
            context.report(
                "C0205", f"the room of '{node.name.text}' is 1 to 1000000, not {capacity}", node.capacity.span
            )
    if node.piece.text not in context.globals.types:
        context.unknown("piece type or enum", node.piece, context.globals.types, space="type")
        context.globals.broken.add(node.name.text)
        context.globals.unsure.add("zone")
        return None
    return rb.Zone(
        node.name.text,
        node.kind,
        owner,
        node.piece.text,
        capacity,
        node.visibility,
        node.name.span,
        cite_ids(node.cites),
    )


def query_name_allowed(context: Context, name: ast.Name) -> bool:
    if name.text in FUNCTIONS:
        reserved(context, name)
        return False
    return True
