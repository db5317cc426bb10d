"""How a state looks: the whole of it, and as a player may see it. See `snapshot` and `view` in
`interface`."""

from __future__ import annotations

from itertools import compress
from typing import TYPE_CHECKING, Any

from conche_runtime.asked import asked_by
from conche_runtime.codecs import UNSET, NameCodec
from conche_runtime.faults import FAULTS, rules_error
from conche_runtime.interface import JSON
from conche_runtime.layout import Grid, Variable, Zone

if TYPE_CHECKING:
    from conche_runtime.state import EngineState


def snapshot(state: EngineState) -> dict[str, JSON]:
    """The whole position."""
    return _shown(state, None, asked_by(state, None)[0])


def view(state: EngineState, player: int) -> dict[str, JSON]:
    """What a player may see: hidden things are left out, of a zone that he cannot look into only the size is
    there, with the pieces of a pile that he knows; of a players' variable that is secret the others' are
    null."""
    try:
        decision, seats = asked_by(state, player)
    except FAULTS as fault:
        raise rules_error(state.game, fault) from None
    return {**_shown(state, player, decision), "to_act": list(seats), "you": player}


def sees(visibility: str, seat: int, player: int | None) -> bool:
    """Whether a player (None: the host) sees what belongs to a seat."""
    if player is None or visibility == "open":
        return True
    return visibility != "hidden" and seat == player


def _shown(state: EngineState, player: int | None, decision: JSON) -> dict[str, JSON]:
    game = state.game
    out: dict[str, JSON] = {}
    for variable in game.variables:
        if variable.owner != "space" and (player is None or variable.visibility != "hidden"):
            out[variable.name] = _variable(state, variable, player)
    for zone in game.zones:
        if zone.carriers:
            continue
        parts = [_zone(state, zone, seat, player) for seat in zone.places(state.players)]
        out[zone.name] = parts if zone.owner == "player" else parts[0]
    for grid in game.grids:
        out[grid.name] = _board(state, grid, player)
    out["decision"] = decision
    out["players"] = state.players
    if game.eliminates:
        out["out"] = list(state.out)
    return out


def _variable(state: EngineState, variable: Variable, player: int | None) -> JSON:
    value = getattr(state, variable.attribute)

    def show(code: Any, seat: int) -> JSON:
        if (type(code) is int and code == UNSET) or not sees(variable.visibility, seat, player):
            return None
        return variable.codec.show(code)

    if variable.owner == "player":
        return [show(code, seat) for seat, code in enumerate(value)]
    if variable.owner == "kind":
        return {name: show(code, -1) for name, code in zip(variable.names, value, strict=True)}
    return show(value, -1)


def zone_counts(state: EngineState, zone: Zone, seat: int | None) -> list[int]:
    """How many there are of each kind, known order left out; of counts and piles."""
    counts: list[int] = getattr(state, zone.attribute)
    number = len(zone.kinds.names)
    start = (seat or 0) * number
    return counts[start : start + number]


def zone_order(state: EngineState, zone: Zone, seat: int | None) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The kinds that lie in a known order: on top (or all of a row), and at the bottom."""
    found: tuple[Any, Any]
    if zone.storage == "row":
        found = (getattr(state, zone.attribute), ())
    elif zone.known:
        found = (getattr(state, f"{zone.attribute}_top"), getattr(state, f"{zone.attribute}_bottom"))
    else:
        return (), ()
    return found if seat is None else (found[0][seat], found[1][seat] if found[1] else ())


def known_attributes(zone: Zone) -> tuple[str, ...]:
    """The attributes of a pile that hold what is known of its order."""
    ends = ("_top", "_bottom") if zone.storage == "pile" and zone.known else ()
    masks = ("_top_known", "_bottom_known") if zone.masked else ()
    return tuple([f"{zone.attribute}{part}" for part in (*ends, *masks)])


def zone_masks(state: EngineState, zone: Zone, seat: int | None) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Who knows the pieces that lie in a known order in a pile, as masks (`conche_runtime.piles`)."""
    if not zone.masked:
        top, bottom = zone_order(state, zone, seat)
        return (-1,) * len(top), (-1,) * len(bottom)
    found: tuple[Any, Any]
    found = getattr(state, f"{zone.attribute}_top_known"), getattr(state, f"{zone.attribute}_bottom_known")
    return found if seat is None else (found[0][seat], found[1][seat])


def knows(mask: int, seat: int) -> bool:
    """Whether a seat is among those who know."""
    return bool(mask >> seat & 1)


def _known_parts(state: EngineState, zone: Zone, seat: int | None, player: int) -> dict[str, JSON]:
    """What a player knows of a pile that he cannot look into: nothing at all, or both ends."""
    if not zone.known:
        return {}
    parts: list[list[str | None]] = []
    for kinds, masks in zip(zone_order(state, zone, seat), zone_masks(state, zone, seat), strict=True):
        pairs = zip(kinds, masks, strict=True)
        parts.append([zone.kinds.names[kind] if knows(mask, player) else None for kind, mask in pairs])
    top, bottom = parts
    while top and top[-1] is None:
        top.pop()
    while bottom and bottom[0] is None:
        bottom.pop(0)
    return {"top": top, "bottom": bottom} if top or bottom else {}


def _known_by(state: EngineState, zone: Zone, seat: int | None) -> dict[str, JSON]:
    """Who knows the known pieces of a pile, where that is not everybody."""
    seats = range(state.players)
    return {
        f"{end}_known_by": [None if mask == -1 else [s for s in seats if knows(mask, s)] for mask in masks]
        for end, masks in zip(("top", "bottom"), zone_masks(state, zone, seat), strict=True)
        if any(mask != -1 for mask in masks)
    }


def _zone(state: EngineState, zone: Zone, seat: int | None, player: int | None) -> JSON:
    names = zone.kinds.names
    top, bottom = zone_order(state, zone, seat)
    counts = zone_counts(state, zone, seat) if zone.storage != "row" else []
    if player is not None and not sees(zone.visibility, -1 if seat is None else seat, player):
        size = sum(counts) + len(top) + len(bottom)
        return {"size": size, **_known_parts(state, zone, seat, player)}
    if zone.storage == "row":
        return [_in_row(state, zone.kinds, kind) for kind in top]
    unknown: dict[str, JSON] = {}
    for name, number in zip(names, counts, strict=True):
        if number:
            unknown[name] = unknown.get(name, 0) + number
    if not top and not bottom:
        return unknown
    return {
        "size": sum(counts) + len(top) + len(bottom),
        "top": [names[kind] for kind in top],
        "bottom": [names[kind] for kind in bottom],
        "unknown": unknown,
        **(_known_by(state, zone, seat) if player is None else {}),
    }


def _in_row(state: EngineState, kinds: NameCodec, kind: int) -> JSON:
    carried = _carried(state, kinds, kind)
    return {"kind": kinds.names[kind], **carried} if carried else kinds.names[kind]


def _carried(state: EngineState, kinds: NameCodec, kind: int) -> dict[str, JSON]:
    """What a piece carries, for those who see it."""
    found = state.game.carried.get((kinds, kind))
    if found is None:
        return {}
    zone, seat = found
    if zone.visibility == "open":
        return {zone.short: contents(state, zone, seat)}
    return {zone.short: {"size": sum(contents(state, zone, seat).values())}}


def contents(state: EngineState, zone: Zone, seat: int | None) -> dict[str, int]:
    """How many there are of each kind, wherever they lie."""
    counts = [0] * len(zone.kinds.names) if zone.storage == "row" else zone_counts(state, zone, seat)
    for part in zone_order(state, zone, seat):
        for kind in part:
            counts[kind] += 1
    return {name: number for name, number in zip(zone.kinds.names, counts, strict=True) if number}


def _board(state: EngineState, grid: Grid, player: int | None) -> list[dict[str, JSON]]:
    attributes: dict[int, dict[str, JSON]] = {}
    for variable in state.game.variables:
        if variable.grid == grid.name and sees(variable.visibility, -1, player):
            for cell, code in getattr(state, variable.attribute).items():
                if code != variable.initial or type(code) is not type(variable.initial):
                    attributes.setdefault(cell, {})[variable.name] = variable.codec.show(code)
    stacks = stacks_of(state, grid)
    return [
        {
            "at": grid.space.show(cell),
            "pieces": [_piece(state, grid, code) for code in stacks.get(cell, ())],
            **attributes.get(cell, {}),
        }
        for cell in sorted({*stacks, *attributes})
    ]


def stacks_of(state: EngineState, grid: Grid) -> dict[int, tuple[int, ...]]:
    """The top codes on every cell that holds something, bottom to top."""
    tops = getattr(state, grid.attribute)
    below = getattr(state, f"{grid.attribute}_below")
    # Far the most cells are empty: they are passed over without a look at each.
    return {cell: (*below.get(cell, ()), tops[cell]) for cell in compress(range(len(tops)), tops)}


def _piece(state: EngineState, grid: Grid, code: int) -> dict[str, JSON]:
    piece = grid.pieces[code]
    assert piece is not None
    out: dict[str, JSON] = {"kind": grid.kinds[piece.of].show(piece.kind)}
    if piece.owner is not None:
        out["owner"] = piece.owner
    if piece.turn is not None:
        out["turn"] = piece.turn
    return out | _carried(state, grid.kinds[piece.of], piece.kind)
