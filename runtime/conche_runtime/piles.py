"""Piles of which not all know the same: who knows the pieces on top and at the bottom.

What generated code calls where it matters who knows a piece. A *mask* is a number with one bit for each
seat; EVERYBODY stands for all, 0 for nobody. A pile with `masked` keeps one for each piece of its known top
and bottom; in another pile that has such pieces, all know them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from conche_runtime.faults import Fault
from conche_runtime.helpers import not_there, whose
from conche_runtime.show import zone_counts, zone_masks, zone_order

if TYPE_CHECKING:
    from conche_runtime.state import EngineState

EVERYBODY: Final = -1


def first_known(state: EngineState, name: str, seat: int | None) -> int:
    """Who knows the top piece of a pile; nobody where its place is not known."""
    zone = state.game.zone_named[name]
    top, bottom = zone_masks(state, zone, seat)
    if top:
        return top[0]
    return bottom[0] if bottom and not any(zone_counts(state, zone, seat)) else 0


def known_of(state: EngineState, name: str, seat: int | None, kind: int) -> int:
    """Who knows where the piece of a kind lies that leaves a pile next."""
    zone = state.game.zone_named[name]
    if not zone_counts(state, zone, seat)[kind]:
        parts = zip(zone_order(state, zone, seat), zone_masks(state, zone, seat), strict=True)
        for kinds, masks in parts:
            if kind in kinds:
                return masks[kinds.index(kind)]
    return 0


def take_known(state: EngineState, name: str, seat: int | None, kind: int) -> None:
    """A piece leaves a masked pile: one of unknown place first, else the topmost known one."""
    zone = state.game.zone_named[name]
    start = (seat or 0) * len(zone.kinds.names)
    counts = getattr(state, zone.attribute)
    if counts[start + kind]:
        counts[start + kind] -= 1
        if len(zone.kinds.names) > 1:
            size = f"{zone.attribute}_size"
            _put(state, size, seat, _get(state, size, seat) - 1)
        return
    for end in ("_top", "_bottom"):
        kinds, masks = (_get(state, f"{zone.attribute}{end}{part}", seat) for part in ("", "_known"))
        if kind in kinds:
            at = kinds.index(kind)
            _put(state, f"{zone.attribute}{end}", seat, kinds[:at] + kinds[at + 1 :])
            _put(state, f"{zone.attribute}{end}_known", seat, masks[:at] + masks[at + 1 :])
            return
    raise not_there(state, name, -1 if seat is None else seat, kind, 1)


def look_at(
    state: EngineState, name: str, seat: int | None, viewer: int, amount: int, draw: Callable[..., int]
) -> None:
    """A player gets to know the top pieces of a masked pile. `draw`: takes a piece of it."""
    zone = state.game.zone_named[name]
    counts = zone_counts(state, zone, seat)
    if amount < 0:
        raise Fault("an amount below 0")
    size = sum(counts) + sum(map(len, zone_order(state, zone, seat)))
    if amount > size:
        label = whose(state, name, -1 if seat is None else seat)
        raise Fault(f"{amount} of {label} should be looked at, which holds {size}")
    where = f"{zone.attribute}_top", f"{zone.attribute}_top_known"
    kinds, masks = _get(state, where[0], seat), _get(state, where[1], seat)
    known, viewers = min(amount, len(kinds)), 1 << viewer
    for kind, mask in zip(kinds[:amount], masks, strict=False):
        state.note_learnt(name, seat, kind, mask, viewer)
    if amount > known:
        # What lies under the known top: first unknown pieces, then the bottom.
        _put(state, where[0], seat, ())
        owner = 1 << seat if seat is not None and zone.visibility == "secret" else 0
        for number in range(known, amount):
            bottom = _get(state, f"{zone.attribute}_bottom_known", seat)
            knew = bottom[0] if number - known >= sum(counts) else owner
            kinds = (*kinds, draw(state, viewer) if seat is None else draw(state, seat, viewer))
            masks = (*masks, knew)
    masks = tuple([mask | viewers for mask in masks[:amount]]) + masks[amount:]
    _put(state, where[0], seat, kinds)
    _put(state, where[1], seat, masks)


def _get(state: EngineState, attribute: str, seat: int | None) -> Any:
    found = getattr(state, attribute)
    return found if seat is None else found[seat]


def _put(state: EngineState, attribute: str, seat: int | None, value: object) -> None:
    if seat is None:
        setattr(state, attribute, value)
    else:
        getattr(state, attribute)[seat] = value
