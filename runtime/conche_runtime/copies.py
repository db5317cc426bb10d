"""Pieces that carry others: kinds of which there is one piece each, the copies of a family.

What generated code calls for them: which copy a piece is that comes or goes, what it carries, and which
options look alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from conche_runtime.codecs import NameCodec
from conche_runtime.faults import Fault
from conche_runtime.layout import Zone
from conche_runtime.show import known_attributes, stacks_of, zone_counts, zone_order

if TYPE_CHECKING:
    from conche_runtime.state import EngineState


def held(state: EngineState, zone: Zone, seat: int | None, kind: int) -> int:
    """How many of a kind are in a zone, known order or not."""
    found = sum(order.count(kind) for order in zone_order(state, zone, seat))
    return found if zone.storage == "row" else found + zone_counts(state, zone, seat)[kind]


def number_of(state: EngineState, kinds: NameCodec, kind: int) -> int:
    """How many pieces of a kind there are in all zones and on all boards."""
    found = sum(
        held(state, zone, seat, kind)
        for zone in state.game.zones
        if zone.kinds is kinds
        for seat in zone.places(state.players)
    )
    for grid in state.game.grids:
        tops = getattr(state, grid.attribute)
        # In the set-up, where most copies come into the game, the boards are still empty.
        if kinds in grid.kinds.values() and tops.count(0) < len(tops):
            for codes in stacks_of(state, grid).values():
                for code in codes:
                    piece = grid.pieces[code]
                    assert piece is not None
                    found += piece.kind == kind and grid.kinds[piece.of] is kinds
    return found


def _is_anywhere(state: EngineState, kinds: NameCodec, kind: int) -> bool:
    """Whether a piece of a kind is in a zone or on a board."""
    for zone in state.game.zones:
        if zone.kinds is not kinds:
            continue
        pieces = getattr(state, zone.attribute)
        if zone.storage == "row" and zone.owner == "game":
            there = kind in pieces
        elif zone.storage == "row" or zone.known:
            there = any(held(state, zone, seat, kind) for seat in zone.places(state.players))
        else:
            there = any(pieces[kind :: len(kinds.names)])
        if there:
            return True
    for grid in state.game.grids:
        codes = grid.codes.get((kinds, kind))
        if codes is not None:
            tops, below = getattr(state, grid.attribute), getattr(state, f"{grid.attribute}_below")
            for code in codes:
                if code in tops or (below and any(code in stack for stack in below.values())):
                    return True
    return False


def zone_named(state: EngineState, name: str) -> Zone:
    return next(zone for zone in state.game.zones if zone.name == name)


def free_copy(state: EngineState, kinds: NameCodec, copies: Sequence[int]) -> int:
    """The lowest copy that is nowhere."""
    for kind in copies:
        if not _is_anywhere(state, kinds, kind):
            return kind
    raise Fault(f"more {kinds.names[copies[0]]} come into the game than there can be")


def lowest_copy(state: EngineState, name: str, seat: int | None, copies: Sequence[int]) -> int:
    """The lowest copy in a zone; the first of all where there is none."""
    zone = zone_named(state, name)
    return next((kind for kind in copies if held(state, zone, seat, kind)), copies[0])


def clear_zone(state: EngineState, name: str, seat: int | None) -> None:
    """A zone holds nothing any more."""
    zone = zone_named(state, name)
    if zone.storage == "row":
        _set(state, zone.attribute, seat, ())
        return
    number = len(zone.kinds.names)
    start = (seat or 0) * number
    counts = getattr(state, zone.attribute)
    counts[start : start + number] = [0] * number
    if number > 1:
        _set(state, f"{zone.attribute}_size", seat, 0)
    for attribute in known_attributes(zone):
        _set(state, attribute, seat, ())


def swap_copies(
    state: EngineState,
    name: str,
    seat: int | None,
    old: Sequence[int],
    new: Sequence[int],
    carried: str | None,
) -> None:
    """Every piece of kinds `old` becomes one of kinds `new`: of copies the lowest that is nowhere. carried:
    the zone that each of `old` carries, which is then empty."""
    zone = zone_named(state, name)
    gone: set[int] = set()

    def come() -> int:
        return (
            new[0]
            if len(new) == 1 and (zone.kinds, new[0]) not in state.game.carried
            else free_copy(state, zone.kinds, new)
        )

    for attribute in _orders(zone):
        for place in range(len(_get(state, attribute, seat))):
            kinds = _get(state, attribute, seat)
            if kinds[place] in old:
                gone.add(kinds[place])
                _set(state, attribute, seat, (*kinds[:place], come(), *kinds[place + 1 :]))
    if zone.storage != "row":
        counts, start = getattr(state, zone.attribute), (seat or 0) * len(zone.kinds.names)
        for kind in old:
            number = counts[start + kind]
            counts[start + kind] = 0
            if number:
                gone.add(kind)
            for _ in range(number):
                counts[start + come()] += 1
    if carried is not None:
        for place, kind in enumerate(old):
            if kind in gone:
                clear_zone(state, carried, place)


def _orders(zone: Zone) -> tuple[str, ...]:
    """The attributes that hold pieces in order."""
    if zone.storage == "row":
        return (zone.attribute,)
    return (f"{zone.attribute}_top", f"{zone.attribute}_bottom") if zone.known else ()


def _get(state: EngineState, attribute: str, seat: int | None) -> tuple[int, ...]:
    found: Any = getattr(state, attribute)
    whole: tuple[int, ...] = found if seat is None else found[seat]
    return whole


def _set(state: EngineState, attribute: str, seat: int | None, value: object) -> None:
    if seat is None:
        setattr(state, attribute, value)
    else:
        getattr(state, attribute)[seat] = value


# ------------------------------------------------------------------------------------------------ options


def carried_by(
    state: EngineState, kinds: NameCodec, kind: int, name: str
) -> tuple[tuple[str, int], ...] | None:
    """What a piece of a kind carries in a zone, as in a typed move; None where it carries no such zone."""
    found = state.game.carried.get((kinds, kind))
    if found is None or found[0].short != name:
        return None
    zone, seat = found
    counts = [held(state, zone, seat, number) for number in range(len(zone.kinds.names))]
    return tuple([(name, number) for name, number in zip(zone.kinds.names, counts, strict=True) if number])


def look_of(state: EngineState, kinds: NameCodec, kind: int) -> object:
    """What can be seen of a piece: its name, and how many of each kind it carries."""
    found = state.game.carried.get((kinds, kind))
    if found is None:
        return kinds.alike[kind]
    zone, seat = found
    number = len(zone.kinds.names)
    if zone.storage == "counts":
        counts: list[int] = getattr(state, zone.attribute)
        carried = counts[seat * number : seat * number + number]
    else:
        carried = [held(state, zone, seat, other) for other in range(number)]
    return kinds.alike[kind], *carried


def first_alike(options: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """The options, of those that look alike the first. What an option looks like comes last in it, None
    where no other can look like it."""
    seen: set[object] = set()
    kept: list[tuple[Any, ...]] = []
    for option in options:
        look = option[-1]
        if look is not None:
            if look in seen:
                continue
            seen.add(look)
        kept.append(option)
    return kept
