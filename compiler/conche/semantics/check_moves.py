"""Statements that move pieces and resources: gain, pay, put, take, swap, move, draw, shuffle.

Purpose: types them; demands that what moves fits where it comes from and where it goes.
Input: statements of the AST. Output: statements of the rulebook; None after a finding.
"""

from __future__ import annotations

from conche.semantics import intervals
from conche.semantics import rulebook as rb
from conche.semantics.check_components import cite_ids
from conche.semantics.check_expressions import type_number, type_value
from conche.semantics.check_places import (
    Pieces,
    find_resource,
    fits_board,
    same_pieces,
    the_player,
    type_kind,
    type_target,
    type_zone,
    zone_of,
)
from conche.semantics.check_values import is_bad
from conche.semantics.symbols import Body, zone_ref
from conche.semantics.types import Int, PlayerT, RingT
from conche.syntax import ast


def _amount(body: Body, node: ast.Expr, role: str, *, pieces: int = intervals.LARGEST) -> rb.Expr | None:
    """A number that is not always negative; 0 is fine where it is computed, but not where it is written.
    pieces: the most that may be written."""
    amount = type_number(body, node, role)
    if is_bad(amount):
        return None
    if isinstance(amount.type, Int) and (
        amount.type.high < 0 or (isinstance(amount, rb.Lit) and amount.type.high < 1)
    ):
        body.context.report("C0205", f"{role} is at least 1, and this is {amount.type.high}", amount.span)
        return None
    if isinstance(amount, rb.Lit) and isinstance(amount.type, Int) and amount.type.low > pieces:
        body.context.report(
            "C0205", f"{role} is at most {pieces}, and this is {amount.type.low}", amount.span
        )
        return None
    return amount


def type_gain(body: Body, node: ast.Gain) -> rb.Stmt | None:
    amount = _amount(body, node.amount, "what is gained")
    player = the_player(body, node.span)
    resource = find_resource(body, node.resource)
    if amount is None or player is None or resource is None:
        return None
    cites = cite_ids(node.cites)
    if isinstance(resource, Pieces):
        zone = zone_ref(body.globals, resource.zone, player, node.resource.span)
        return rb.GainPieces(player, zone, resource.kind, amount, node.up_to, node.span, cites)
    return rb.GainVar(player, resource.name, amount, node.up_to, node.span, cites)


def type_pay(body: Body, node: ast.Pay) -> rb.Stmt | None:
    amount = _amount(body, node.amount, "what is paid")
    player = the_player(body, node.span)
    resource = find_resource(body, node.resource)
    to = None if node.to is None else type_value(body, node.to, PlayerT(), "who is paid")
    if amount is None or player is None or resource is None or (to is not None and is_bad(to)):
        return None
    cites = cite_ids(node.cites)
    if isinstance(resource, Pieces):
        zone = zone_ref(body.globals, resource.zone, player, node.resource.span)
        return rb.PayPieces(player, zone, resource.kind, amount, to, node.span, cites)
    return rb.PayVar(player, resource.name, amount, to, node.span, cites)


def _items(
    body: Body, nodes: tuple[ast.Item, ...], zone: rb.ZoneRef | None
) -> tuple[tuple[rb.Expr, rb.Expr], ...] | None:
    result: list[tuple[rb.Expr, rb.Expr]] = []
    good = True
    for node in nodes:
        count: rb.Expr | None = rb.Lit(1, Int(1, 1), node.span)
        if node.count is not None:
            count = _amount(body, node.count, "how many there are", pieces=intervals.MANY)
        kind = type_kind(body, node.value, zone)
        if count is None or is_bad(kind):
            good = False
        else:
            result.append((count, kind))
    return tuple(result) if good else None


def type_put(body: Body, node: ast.Put) -> rb.Stmt | None:
    zone = type_zone(body, node.zone, "where pieces are put")
    items = _items(body, node.items, zone)
    if zone is None or items is None:
        return None
    return rb.Put(items, zone, node.span, cite_ids(node.cites))


def type_take(body: Body, node: ast.Take) -> rb.Stmt | None:
    zone = type_zone(body, node.zone, "where pieces are taken out of")
    items = _items(body, node.items, zone)
    if zone is None or items is None:
        return None
    return rb.Take(items, zone, node.span, cite_ids(node.cites))


def type_swap(body: Body, node: ast.Swap) -> rb.Stmt | None:
    zone = type_zone(body, node.zone, "where pieces are swapped")
    old, new = type_kind(body, node.old, zone), type_kind(body, node.new, zone)
    if zone is None or is_bad(old) or is_bad(new):
        return None
    return rb.Swap(old, new, zone, node.span, cite_ids(node.cites))


def type_move(body: Body, node: ast.Move) -> rb.Stmt | None:
    context = body.context
    source = type_zone(body, node.source, "where a piece is moved from")
    kind = type_kind(body, node.piece, source)
    target = type_target(body, node.target, "where a piece is moved to")
    turned = None if node.turned is None else type_value(body, node.turned, Int(0, 3), "a turn")
    good = not is_bad(kind) and (turned is None or not is_bad(turned))
    if source is None or target is None:
        return None
    if isinstance(target, rb.ZoneRef):
        good = same_pieces(body, source, target, "moved") and good
        if node.turned is not None:
            context.report("C0216", "a piece is turned when it comes onto a space", node.turned.span)
            good = False
        good = _under(body, node, target) and good
    else:
        piece = fits_board(body, source, target.span)
        if piece is None:
            return None
        good = _turned(body, node, piece) and good
        if node.under:
            context.report("C0216", "'under' is said of a pile", node.span)
            good = False
    if not good:
        return None
    return rb.Move(kind, source, target, turned, node.under, node.span, cite_ids(node.cites))


def _under(body: Body, node: ast.Move, target: rb.ZoneRef) -> bool:
    if node.under and zone_of(body, target).kind != "pile":
        body.context.report(
            "C0216",
            f"'under' is said of a pile, and '{target.name}' is a {zone_of(body, target).kind}",
            target.span,
            also=((zone_of(body, target).span, "declared here"),),
        )
        return False
    return True


def _turned(body: Body, node: ast.Move, piece: rb.PieceType) -> bool:
    ring = any(isinstance(type_, RingT) for _, type_ in piece.attributes)
    if ring and node.turned is None:
        body.context.report(
            "C0216",
            f"a {piece.name} has four different sides, so it must be said how it is turned",
            node.span,
            also=((piece.span, "declared here"),),
            help=("add `turned 0`, or a turn that is chosen",),
        )
        return False
    if not ring and node.turned is not None:
        body.context.report(
            "C0216",
            f"a {piece.name} has no ring, so its turn means nothing",
            node.turned.span,
            also=((piece.span, "declared here"),),
        )
        return False
    return True


def type_draw(body: Body, node: ast.Draw) -> rb.Stmt | None:
    context = body.context
    amount = (
        type_number(body, node.amount, "how many are drawn")
        if node.up_to
        else _amount(body, node.amount, "how many are drawn")
    )
    source = type_zone(body, node.source, "where pieces are drawn from")
    target = type_target(body, node.target, "where pieces are drawn to")
    if source is not None and zone_of(body, source).kind not in ("pile", "bag"):
        _not_a(body, source, "pieces are drawn from a pile or a bag", "use `move`")
        return None
    if source is None or target is None or amount is None or is_bad(amount):
        return None
    if isinstance(target, rb.ZoneRef):
        if not same_pieces(body, source, target, "drawn"):
            return None
    else:
        piece = fits_board(body, source, target.span)
        if piece is None:
            return None
        if any(isinstance(type_, RingT) for _, type_ in piece.attributes):
            context.report(
                "C0216",
                f"a {piece.name} is turned when it comes onto a space, so it cannot be drawn there",
                node.span,
                help=("draw it to a zone first and move it from there",),
            )
            return None
        if amount.type != Int(1, 1) or node.up_to:
            context.report(
                "C0216",
                "onto a space exactly one piece is drawn",
                amount.span,
                help=("write `draw 1 from …`",),
            )
            return None
    return rb.Draw(amount, node.up_to, source, target, node.span, cite_ids(node.cites))


def type_shuffle(body: Body, node: ast.Shuffle) -> rb.Stmt | None:
    zone = type_zone(body, node.pile, "what is shuffled")
    if zone is None:
        return None
    if zone_of(body, zone).kind != "pile":
        _not_a(body, zone, "a pile is shuffled", None)
        return None
    return rb.Shuffle(zone, node.span, cite_ids(node.cites))


def type_look(body: Body, node: ast.Look) -> rb.Stmt | None:
    player = the_player(body, node.span)
    amount = _amount(body, node.amount, "how many are looked at", pieces=intervals.MANY)
    zone = type_zone(body, node.zone, "what is looked at")
    if zone is not None and zone_of(body, zone).kind != "pile":
        _not_a(body, zone, "the top of a pile is looked at", None)
        return None
    if player is None or amount is None or zone is None:
        return None
    return rb.Look(player, amount, zone, node.span, cite_ids(node.cites))


def _not_a(body: Body, ref: rb.ZoneRef, title: str, hint: str | None) -> None:
    zone = zone_of(body, ref)
    body.context.report(
        "C0216",
        f"{title}, and '{zone.name}' is a {zone.kind}",
        ref.span,
        also=((zone.span, "declared here"),),
        help=(hint,),
    )
