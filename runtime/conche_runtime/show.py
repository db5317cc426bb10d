"""How a state looks: the whole of it, and as a player may see it. See `snapshot` and `view` in
`interface`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conche_runtime.codecs import UNSET, NameCodec
from conche_runtime.interface import JSON
from conche_runtime.layout import Grid, Variable, Zone

if TYPE_CHECKING:
    from conche_runtime.state import EngineState


def snapshot(state: EngineState) -> dict[str, JSON]:
    """The whole position."""
    return _shown(state, None)


def view(state: EngineState, player: int) -> dict[str, JSON]:
    """What a player may see: hidden things are left out, of a zone that he cannot look into only the size is
    there; of a players' variable that is secret the others' are null."""
    return {**_shown(state, player), "to_act": list(state.to_act), "you": player}


def sees(visibility: str, seat: int, player: int | None) -> bool:
    """Whether a player (None: the host) sees what belongs to a seat."""
    if player is None or visibility == "open":
        return True
    return visibility != "hidden" and seat == player


def _shown(state: EngineState, player: int | None) -> dict[str, JSON]:
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
    out["decision"] = None if state.over else {"name": state.at.name, "player": state.actor}
    out["players"] = state.players
    return out


def _variable(state: EngineState, variable: Variable, player: int | None) -> JSON:
    value = getattr(state, variable.attribute)

    def show(code: Any, seat: int) -> JSON:
        if (type(code) is int and code == UNSET) or not sees(variable.visibility, seat, player):
            return None
        return variable.codec.show(code)

    if variable.owner == "player":
        return [show(code, seat) for seat, code in enumerate(value)]
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


def _zone(state: EngineState, zone: Zone, seat: int | None, player: int | None) -> JSON:
    names = zone.kinds.names
    top, bottom = zone_order(state, zone, seat)
    counts = zone_counts(state, zone, seat) if zone.storage != "row" else []
    if not sees(zone.visibility, -1 if seat is None else seat, player):
        return {"size": sum(counts) + len(top) + len(bottom)}
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
    return {cell: (*below.get(cell, ()), code) for cell, code in enumerate(tops) if code}


def _piece(state: EngineState, grid: Grid, code: int) -> dict[str, JSON]:
    piece = grid.pieces[code]
    assert piece is not None
    out: dict[str, JSON] = {"kind": grid.kinds[piece.of].show(piece.kind)}
    if piece.owner is not None:
        out["owner"] = piece.owner
    if piece.turn is not None:
        out["turn"] = piece.turn
    return out | _carried(state, grid.kinds[piece.of], piece.kind)
