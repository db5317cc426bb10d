"""How a position looks: the whole of it, and as a player may see it.

Purpose: `snapshot` and `view` of `conche_runtime.interface`. Input: a position. Output: JSON values.
Invariants: everything by the names of the rules; the same from a generated engine.

    a variable or track     its value, null while unset; a player's: a list by seat
    a row                   a list of names, first to last
    another zone            {name: how many}, in the order of declaration; a player's: a list by seat
    a pile, if the order    {"size": n, "top": […], "bottom": […], "unknown": {name: how many}}
    of some is known        known pieces on top and at the bottom, both from the top downwards. Of a hidden
                            pile a snapshot has "top_known_by" and "bottom_known_by" too, unless all know
                            them: for each piece a list of seats, or null for all. A view of a hidden pile has
                            "size" and, as far as the player knows, "top" and "bottom", null for a piece
                            between that he does not know
    a variable of kinds     {name of the kind or member: value}
    a piece that carries    in a row {"kind": name, zone: {name: how many}}, the zone called without the
    others                  family; on a board {"kind", …, zone: {…}}; elsewhere counted by its name
    a board                 [{"at": [x, y], "pieces": [{"kind", "owner"?, "turn"?}, … bottom to top],
                            attribute: value …}, …] by y, then x; attributes only that are not at their
                            initial value
    decision                {"name", "player"}, or null; where several choose at once {"name", "player": null,
                            "chosen": [[seat, arguments], …]}, by seat. In a view the arguments of others are
                            null, and the others are left out where it tells something that they have chosen;
                            at another's choice that can be passed, "player" is null
    players                 how many play
    out                     in a game that eliminates: who is out, in the order in which they left
"""

from __future__ import annotations

from typing import Any

from conche.graph.model import ActionGraph
from conche.interpret.asked import Asked, asked_by
from conche.interpret.book import HIDDEN, OPEN, Book
from conche.interpret.evaluate import Evaluator
from conche.interpret.options import contents
from conche.interpret.position import ALL, GAME, Heap, Piece, Position, Space, knows


def snapshot(graph: ActionGraph, evaluator: Evaluator) -> dict[str, Any]:
    """The whole position."""
    return _shown(evaluator, asked_by(graph, evaluator, None), None)


def view(graph: ActionGraph, evaluator: Evaluator, player: int) -> dict[str, Any]:
    """The position as a player may see it: hidden things are left out, of a zone that he cannot look into
    only the size is there, with the pieces of a pile that he knows; of a players' variable that is secret
    the others' are null."""
    asked = asked_by(graph, evaluator, player)
    return {**_shown(evaluator, asked, player), "to_act": list(asked.seats), "you": player}


def sees(visibility: str, seat: int, player: int | None) -> bool:
    """Whether a player (None: the host) sees what belongs to a seat."""
    if player is None or visibility == OPEN:
        return True
    return visibility != HIDDEN and seat == player


def _shown(evaluator: Evaluator, asked: Asked, player: int | None) -> dict[str, Any]:
    book, position = evaluator.book, evaluator.position
    rules = book.rulebook
    out: dict[str, Any] = {}
    for name in (*rules.variables, *rules.tracks):
        if player is None or book.visibility_of(name) != HIDDEN:
            places = book.places(name, position.players)
            values = [_variable(book, position, name, place, player) for place in places]
            is_kinds = book.owner_of(name) == "kind"
            out[name] = (
                dict(zip(book.kinds_with(name), values, strict=True)) if is_kinds else _listed(places, values)
            )
    for name, zone in rules.zones.items():
        if book.is_carried(name):
            continue
        seats = book.seats(zone.owner, position.players)
        out[name] = _listed(seats, [_zone(book, position, name, seat, player) for seat in seats])
    for name in rules.boards:
        out[name] = _board(evaluator, name, player)
    out["decision"] = asked.decision
    out["players"] = position.players
    if book.eliminates:
        out["out"] = list(position.out)
    return out


def _listed(seats: tuple[int, ...], values: list[Any]) -> Any:
    return values[0] if seats == (GAME,) else values


def _variable(book: Book, position: Position, name: str, seat: int, player: int | None) -> Any:
    key = (name, seat)
    if key not in position.variables or not sees(book.visibility_of(name), seat, player):
        return None
    return book.to_json(position.variables[key], book.type_of(name))


def _zone(book: Book, position: Position, name: str, seat: int, player: int | None) -> Any:
    zone, heap = book.zone(name), position.heaps[name, seat]
    if not sees(zone.visibility, seat, player):
        assert player is not None
        known = {} if zone.kind == "row" else _known_parts(book, zone.of, heap, player)
        return {"size": heap.size, **known}
    if zone.kind == "row":
        return [_in_row(book, position, zone.of, kind) for kind in heap.top]
    counts: dict[str, int] = {}
    for kind, number in book.by_order(zone.of, heap.counts).items():
        written = book.written(zone.of, kind)
        counts[written] = counts.get(written, 0) + number
    if not heap.top and not heap.bottom:
        return counts
    return {
        "size": heap.size,
        "top": [book.written(zone.of, kind) for kind in heap.top],
        "bottom": [book.written(zone.of, kind) for kind in heap.bottom],
        "unknown": counts,
        **(_known_by(heap, position.players) if player is None else {}),
    }


def _known_parts(book: Book, of: str, heap: Heap, player: int) -> dict[str, Any]:
    """What a player knows of a pile that he cannot look into: nothing at all, or both ends."""

    def names(kinds: list[str], known: list[int]) -> list[str | None]:
        pairs = zip(kinds, known, strict=True)
        return [book.written(of, kind) if knows(mask, player) else None for kind, mask in pairs]

    top, bottom = names(heap.top, heap.top_known), names(heap.bottom, heap.bottom_known)
    while top and top[-1] is None:
        top.pop()
    while bottom and bottom[0] is None:
        bottom.pop(0)
    return {"top": top, "bottom": bottom} if top or bottom else {}


def _known_by(heap: Heap, players: int) -> dict[str, Any]:
    """Who knows the known pieces of a pile, where that is not everybody."""
    return {
        name: [None if mask == ALL else [s for s in range(players) if knows(mask, s)] for mask in masks]
        for name, masks in (("top_known_by", heap.top_known), ("bottom_known_by", heap.bottom_known))
        if any(mask != ALL for mask in masks)
    }


def _board(evaluator: Evaluator, name: str, player: int | None) -> list[dict[str, Any]]:
    book, position = evaluator.book, evaluator.position
    attributes: dict[Space, dict[str, Any]] = {}
    for var in book.rulebook.boards[name].attributes:
        initial = None if var.initial is None else evaluator.value(var.initial)
        for (board, attribute, space), value in position.attributes.items():
            if (board, attribute) != (name, var.name) or not sees(var.visibility, GAME, player):
                continue
            if var.initial is None or value != initial:
                attributes.setdefault(space, {})[attribute] = book.to_json(value, var.type)
    stacks = position.boards[name]
    return [
        {
            "at": list(space),
            "pieces": [_piece(book, position, piece) for piece in stacks.get(space, ())],
            **attributes.get(space, {}),
        }
        for space in sorted({*stacks, *attributes}, key=lambda space: (space[1], space[0]))
    ]


def _in_row(book: Book, position: Position, of: str, kind: str) -> Any:
    carried = _carried(book, position, kind)
    return {"kind": book.written(of, kind), **carried} if carried else book.written(of, kind)


def _carried(book: Book, position: Position, kind: str) -> dict[str, Any]:
    """What a piece carries, for those who see it."""
    key = book.carried(kind)
    if key is None:
        return {}
    name, heap = key[0].partition(".")[2], position.heaps[key]
    return {name: contents(book, heap, key) if book.zone(key[0]).visibility == OPEN else {"size": heap.size}}


def _piece(book: Book, position: Position, piece: Piece) -> dict[str, Any]:
    out: dict[str, Any] = {"kind": book.written(piece.of, piece.kind)}
    if piece.owner is not None:
        out["owner"] = piece.owner
    if book.has_ring(piece.of):
        out["turn"] = piece.turn
    return out | _carried(book, position, piece.kind)
