"""Who is asked what, as the host knows it and as a player may: `decision` and `to_act` of snapshots and
views.

What a player is shown depends on what he may know: it does not tell who of others had but one option, who has
passed, or, where options depend on what is secret, who has chosen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from conche_runtime.interface import JSON
from conche_runtime.layout import FAILED, AtOnce

if TYPE_CHECKING:
    from conche_runtime.state import EngineState

Asked = tuple[dict[str, JSON] | None, tuple[int, ...]]
"""The decision, and the seats that are asked, or may be."""


def asked_by(state: EngineState, player: int | None) -> Asked:
    """As a player may know it; as the host does (None)."""
    at, actor = state.at, state.actor
    if state.over or at is FAILED:
        return None, ()
    if isinstance(at, AtOnce):
        return _several(state, at, player)
    if not at.passes or player is None or player == actor:
        return {"name": at.name, "player": actor}, (actor,)
    seats: tuple[int, ...] = (actor,)
    if at.may_be_asked is not None:
        seats = tuple([seat for seat in range(state.players) if at.may_be_asked(state, seat)])
    return {"name": at.told, "player": None}, tuple([seat for seat in seats if seat != player])


def _several(state: EngineState, at: AtOnce, player: int | None) -> Asked:
    blind = player is not None and at.private
    order: tuple[int, ...] = getattr(state, at.order)
    left = at.waiting(state)
    chosen: list[list[JSON]] = []
    for seat in sorted(order):
        if seat not in left and not (blind and seat != player):
            args = at.named(state, seat).args if player in (None, seat) else None
            chosen.append([seat, args])
    seats = tuple([seat for seat in order if seat in left or (blind and seat != player)])
    return {"name": at.name, "player": None, "chosen": chosen}, seats
