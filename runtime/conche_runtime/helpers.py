"""What generated code calls."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from itertools import compress
from typing import TYPE_CHECKING, Any, Final, TypeVar

from conche_runtime.arguments import shown
from conche_runtime.codecs import UNSET
from conche_runtime.errors import IllegalMove
from conche_runtime.faults import Fault
from conche_runtime.layout import Grid
from conche_runtime.moves import EngineMove
from conche_runtime.show import zone_counts, zone_order

if TYPE_CHECKING:
    from conche_runtime.state import EngineState

T = TypeVar("T")

EMPTY: Final[tuple[int, ...]] = ()

MOST_NUMBERS: Final = 10**6
"""A range of more numbers is not gone through."""

_SOMETHING = re.compile(rb"[^\0]")


def span(low: int, high: int) -> range:
    """All numbers from `low` to `high`."""
    if high - low >= MOST_NUMBERS:
        raise Fault(f"{low}..{high} are more than {MOST_NUMBERS} numbers")
    return range(low, high + 1)


def known(value: T, name: str) -> T:
    """A variable that must be set."""
    if value == UNSET and type(value) is int:
        raise Fault(f"'{name}' is read before it is set")
    return value


def distinct(items: Iterable[T]) -> tuple[T, ...]:
    """Each once, where it comes first."""
    return tuple(dict.fromkeys(items))


def without(items: Sequence[T], item: T, name: str) -> tuple[T, ...]:
    """All but the first such item, which must be there."""
    try:
        at = items.index(item)
    except ValueError:
        raise Fault(f"what is to be dropped from '{name}' is not in it") from None
    return (*items[:at], *items[at + 1 :])


def kinds_in(counts: Sequence[int], start: int, number: int) -> tuple[int, ...]:
    """The kinds of which there are any, ascending."""
    return tuple(compress(range(number), counts[start : start + number]))


def items_in(counts: Sequence[int], start: int, number: int) -> tuple[int, ...]:
    """All pieces, by kind ascending."""
    return tuple([kind for kind in range(number) for _ in range(counts[start + kind])])


class KindsOfRow(dict[tuple[int, ...], tuple[int, ...]]):
    """The kinds in rows, ascending, worked out once for each row."""

    def __missing__(self, row: tuple[int, ...]) -> tuple[int, ...]:
        if len(self) > 4096:
            self.clear()
        found = self[row] = tuple(sorted(set(row)))
        return found


kinds_of_row = KindsOfRow()


def spaces_of(tops: bytearray | list[int], grid: Grid) -> list[int]:
    """The cells that hold something and their neighbours, ascending."""
    found: set[int] = set()
    for cell in filled(tops):
        found.add(cell)
        found.update(grid.around[cell])
    return sorted(found)


def filled(tops: bytearray | list[int]) -> list[int]:
    """The cells that hold something, ascending."""
    if isinstance(tops, bytearray):
        return [match.start() for match in _SOMETHING.finditer(tops)]
    return [cell for cell, code in enumerate(tops) if code]


def height(tops: Sequence[int], below: dict[int, tuple[int, ...]], cell: int) -> int:
    """How many pieces lie on a cell."""
    return len(below.get(cell, ())) + 1 if tops[cell] else 0


def whose(state: EngineState, name: str, seat: int) -> str:
    """What something is called in a message: `'gold' of red`."""
    seats = state.game.seats
    if seat < 0 or "." in name:
        return f"'{name}'"
    return f"'{name}' of {seats[seat] if seat < len(seats) else f'seat {seat}'}"


def out_of_bounds(state: EngineState, name: str, seat: int, value: int, low: int, high: int) -> Fault:
    """A variable would pass its bounds. seat: whose it is, below 0 nobody's."""
    return Fault(f"{whose(state, name, seat)} would become {value}, but it must be {low}..{high}")


def too_many(state: EngineState, name: str, seat: int) -> Fault:
    """A zone that takes any number of pieces should take more than can be."""
    return Fault(f"{whose(state, name, seat)} would hold more than {MOST_NUMBERS} pieces")


def no_room(state: EngineState, name: str, seat: int, capacity: int) -> Fault:
    """A zone cannot take what should come into it."""
    return Fault(f"{whose(state, name, seat)} has no room: it takes at most {capacity}")


def not_there(state: EngineState, name: str, seat: int, kind: int, amount: int) -> Fault:
    """A zone does not hold what should leave it."""
    zone = next(zone for zone in state.game.zones if zone.name == name)
    where = None if seat < 0 else seat
    held = sum(order.count(kind) for order in zone_order(state, zone, where))
    if zone.storage != "row":
        held += zone_counts(state, zone, where)[kind]
    wanted = zone.kinds.names[kind]
    return Fault(f"{amount} {wanted} should leave {whose(state, name, seat)}, which holds {held}")


def empty(state: EngineState, name: str, seat: int) -> Fault:
    """A pile or bag from which a piece should be drawn."""
    return Fault(f"1 should be drawn from {whose(state, name, seat)}, which holds 0")


def cover(tops: Sequence[int], below: dict[int, tuple[int, ...]], cell: int, grid: Grid, piece: str) -> None:
    """Makes way for a piece on a cell that holds some, or that takes none."""
    room = grid.room[piece][cell] if 0 <= cell < grid.size else 0
    low, high = -(grid.across // 2), grid.across // 2 - 1
    x, y = grid.space.argument(cell)
    if not (low <= x <= high and low <= y <= high):
        raise Fault(f"({x}, {y}) lies outside '{grid.name}', which reaches from {low} to {high}")
    stack = (*below.get(cell, ()), tops[cell]) if 0 <= cell < grid.size and tops[cell] else ()
    if not room:
        raise Fault(f"'{grid.name}' takes no piece of {piece} on {_shown(grid, cell)}")
    held = 0
    for code in stack:
        other = grid.pieces[code]
        held += other is not None and other.of == piece
    if held >= room:
        raise Fault(f"{_shown(grid, cell)} has no room: it takes at most {room} of {piece}")
    if stack:
        below[cell] = stack


def _shown(grid: Grid, cell: int) -> str:
    x, y = grid.space.argument(cell)
    return f"({x}, {y})"


def illegal(move: Any) -> IllegalMove:
    return IllegalMove(f"{shown(move)} is not a legal move now")


def legal(move: Any, kind: type[EngineMove]) -> tuple[Any, ...]:
    """The codes of a move that must be of a class."""
    if type(move) is not kind:
        raise illegal(move)
    codes: tuple[Any, ...] = move.codes
    return codes


def tell_apart(moves: Sequence[EngineMove]) -> None:
    """Two options with the same arguments: nobody could take the second by its name."""
    known: set[EngineMove] = set()
    for move in moves:
        if move in known:
            args = json.dumps(move.args, ensure_ascii=False)
            raise Fault(f"two options of '{move.name}' have the same arguments, {args}")
        known.add(move)
