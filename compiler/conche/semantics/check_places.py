"""Places and zones that statements change.

Purpose: finds what `set`, `add`, `drop`, `gain`, `pay`, `put`, `move` … act on, and demands that it fits.
Input: nodes of the AST. Output: `Place`s, `ZoneRef`s and kinds; None after a finding.
Invariants: pieces go only into zones that hold their type, and onto spaces that the board gives to it.
"""

from __future__ import annotations

from dataclasses import dataclass

from conche.semantics import rulebook as rb
from conche.semantics.check_expressions import type_expression, type_value
from conche.semantics.check_values import as_value, element_of, is_bad, zone_named
from conche.semantics.symbols import OPEN_OPTION, Body, Family
from conche.semantics.types import ErrorT, Int, PlayerT, SpaceT
from conche.semantics.words import describe, listed
from conche.source import Span
from conche.syntax import ast


def the_player(body: Body, span: Span) -> rb.Expr | None:
    """`you`, for a statement that speaks of it without naming it."""
    you = body.find("you")
    if you is not None:
        return rb.Local(you.slot, PlayerT(), span)
    type_expression(body, ast.NameRef("you", span))  # says why there is none
    return None


def type_place(body: Body, node: ast.Expr, verb: str) -> rb.Place | None:
    """What a statement changes."""
    expr = type_expression(body, node)
    match expr:
        case rb.Local(slot):
            local = body.find(slot.name)
            if local is not None and local.slot == slot and local.settable:
                return expr
            body.context.report(
                "C0215",
                f"'{slot.name}' cannot be changed here",
                expr.span,
                also=((local.span, "it gets its value here"),) if local else (),
                help=(f"keep the new value under another name: `let new_{slot.name} = …`",),
            )
        case rb.GlobalVar(name) if name.startswith(OPEN_OPTION):
            _an_option(body, expr.span)
        case rb.Lit() if isinstance(node, ast.NameRef) and isinstance(
            body.globals.values.get(node.name), rb.Option
        ):
            _an_option(body, expr.span)
        case rb.GlobalVar() | rb.PlayerVar() | rb.SpaceVar() | rb.KindVar():
            return expr
        case rb.ZoneRef(name):
            if not is_bad(expr):
                body.context.report(
                    "C0215",
                    f"'{name}' is a zone, and its pieces are moved, not {verb}",
                    expr.span,
                    help=("use `move`, `draw`, `put`, `take`, `gain` or `pay`",),
                )
        case _:
            if not is_bad(expr):
                body.context.report(
                    "C0215",
                    "this cannot be changed",
                    expr.span,
                    help=("a variable can, or a local that was introduced by `let`",),
                )
    return None


def _an_option(body: Body, span: Span) -> None:
    body.context.report("C0215", "an option is settled before the game begins", span)


def type_zone(body: Body, node: ast.Expr, role: str) -> rb.ZoneRef | None:
    expr = type_expression(body, node)
    if isinstance(expr, rb.ZoneRef):
        return None if is_bad(expr) else expr
    if not is_bad(expr):
        body.context.report("C0216", f"{role} is a zone, and this is {describe(expr.type)}", expr.span)
    return None


def type_target(body: Body, node: ast.Expr, role: str) -> rb.ZoneRef | rb.Expr | None:
    """A zone or a space."""
    expr = type_expression(body, node)
    if is_bad(expr):
        return None
    if isinstance(expr, rb.ZoneRef) or isinstance(expr.type, SpaceT):
        return expr
    body.context.report("C0216", f"{role} is a zone or a space, and this is {describe(expr.type)}", expr.span)
    return None


def type_kind(body: Body, node: ast.Expr, zone: rb.ZoneRef | None) -> rb.Expr:
    """A kind of what the zone holds."""
    wanted = element_of(zone.type) if zone is not None else None
    if wanted is None:
        return as_value(body, type_expression(body, node))
    return type_value(body, node, wanted, f"what '{zone.name}' holds" if zone else "")


def zone_of(body: Body, ref: rb.ZoneRef) -> rb.Zone:
    found = zone_named(body.globals, ref.name)
    if found is None:
        raise AssertionError(f"no zone {ref.name}")
    return found


def same_pieces(body: Body, source: rb.ZoneRef, target: rb.ZoneRef, verb: str) -> bool:
    a, b = zone_of(body, source), zone_of(body, target)
    if a.of == b.of:
        return True
    body.context.report(
        "C0216",
        f"'{source.name}' holds {a.of} and '{target.name}' holds {b.of},"
        f" so nothing can be {verb} between them",
        target.span,
        also=((a.span, f"{a.of} here"), (b.span, f"{b.of} here")),
    )
    return False


def fits_board(body: Body, source: rb.ZoneRef, span: Span) -> rb.PieceType | None:
    """Whether pieces of the zone can lie on spaces."""
    zone, board = zone_of(body, source), body.globals.board
    piece = body.globals.types.get(zone.of)
    if piece is None or board is None:
        return None
    if not isinstance(piece, rb.PieceType) or all(hold.piece != zone.of for hold in board.holds):
        known = "space" not in body.globals.unsure
        if known and (board.holds or not isinstance(piece, rb.PieceType)):
            body.context.report(
                "C0216",
                f"no space of '{board.name}' holds a {zone.of}",
                span,
                also=((board.span, "the board is declared here"),),
                help=(f"say where it may lie: `on yes up to 1 {zone.of}`",),
            )
        return None
    if piece.owned and zone.owner != "player":
        body.context.report(
            "C0216",
            f"each {piece.name} belongs to a player, and '{zone.name}' to none",
            source.span,
            also=((piece.span, "declared as owned here"), (zone.span, "declared for all here")),
        )
        return None
    return piece


# ----------------------------------------------------------------------------------------------- gain and pay


@dataclass(frozen=True, slots=True)
class Pieces:
    zone: rb.Zone
    kind: rb.Lit


Resource = rb.Var | Pieces


def find_resource(body: Body, name: ast.Name) -> Resource | None:
    """What `gain 2 gold` is about: a player's number, or pieces that one zone of a player holds."""
    globals_, context = body.globals, body.context
    member = globals_.player.get(name.text)
    family = globals_.values.get(name.text)
    if isinstance(member, rb.Var):
        if isinstance(family, Family):
            context.report(
                "C0202",
                f"'{name.text}' is a number of a player and a kind of {family.of}",
                name.span,
                also=((member.span, "the number"), (family.span, "the kind")),
            )
            return None
        if isinstance(member.type, Int):
            return member
        if not isinstance(member.type, ErrorT):
            context.report(
                "C0204",
                f"a number is gained and paid, and '{name.text}' is {describe(member.type)}",
                name.span,
                also=((member.span, "declared here"),),
            )
        return None
    if name.text in globals_.twice:
        return None
    if isinstance(family, Family):
        return _pieces(body, family, name)
    if member is not None:
        hint = "a track is moved with `set`" if isinstance(member, rb.Track) else "name the kind of piece"
        context.report("C0204", f"'{name.text}' is not gained and paid", name.span, help=(hint,))
    else:
        known = [
            *(var.name for var in globals_.player.values() if isinstance(var, rb.Var)),
            *(family.name for family in globals_.families if _homes(body, family)),
        ]
        unsure = "player" in globals_.unsure
        context.unknown("number of a player or kind of piece", name, known, unsure=unsure)
    return None


def _homes(body: Body, family: Family) -> list[rb.Zone]:
    return [
        zone for zone in body.globals.player.values() if isinstance(zone, rb.Zone) and zone.of == family.of
    ]


def _pieces(body: Body, family: Family, name: ast.Name) -> Pieces | None:
    if family.params:
        body.context.report(
            "C0208",
            f"'{family.name}' is {len(family.kinds)} kinds of {family.of}, and one is needed here",
            name.span,
            help=("use `move`",),
        )
        return None
    homes = _homes(body, family)
    if not homes and "zone" in body.globals.unsure:
        return None
    if len(homes) != 1:
        zones = listed(zone.name for zone in homes)
        body.context.report(
            "C0216",
            f"no zone of a player holds '{name.text}'"
            if not homes
            else f"more than one zone of a player holds '{name.text}': {zones}",
            name.span,
            also=tuple((zone.span, "one of them") for zone in homes),
            help=("declare one under `each player has`",) if not homes else ("use `put` and `take`",),
        )
        return None
    return Pieces(homes[0], rb.Lit(name.text, family.type, name.span))
