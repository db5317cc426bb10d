"""Who is still in the game, and in which order. What generated code calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from conche_runtime.faults import Fault

if TYPE_CHECKING:
    from conche_runtime.state import EngineState


class _Clockwise(dict[tuple[Sequence[int], int], tuple[int, ...]]):
    """Some ascending seats in the order of play from one on, worked out once each."""

    def __missing__(self, key: tuple[Sequence[int], int]) -> tuple[int, ...]:
        seats, start = key
        found = self[key] = (
            *(seat for seat in seats if seat >= start),
            *(seat for seat in seats if seat < start),
        )
        return found


_CLOCKWISE = _Clockwise()


def clockwise(state: EngineState, seats: Sequence[int], start: int) -> tuple[int, ...]:
    """Those of some ascending seats from one on, which need not be among them."""
    if not 0 <= start < state.players:
        raise Fault(f"seat {start} does not play")
    return _CLOCKWISE[seats, start]


def next_seat(state: EngineState, seats: Sequence[int], seat: int, step: int) -> int:
    """The next one of some seats, that way (step 1 or -1); the seat itself when there is no other."""
    others = [other for other in clockwise(state, seats, seat) if other != seat]
    if not others:
        return seat
    return others[0] if step > 0 else others[-1]


def eliminate(state: Any, seat: int) -> None:
    """A player is out; nothing happens to one who is out already. The state has slots for who is."""
    if not 0 <= seat < state.players:
        raise Fault(f"seat {seat} does not play")
    if seat not in state.out:
        state.out = (*state.out, seat)
        state.playing = still_in(state)


def still_in(state: EngineState) -> tuple[int, ...]:
    """The seats of those who are not out, ascending."""
    return tuple([seat for seat in range(state.players) if seat not in state.out])
