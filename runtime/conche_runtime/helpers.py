"""What generated code calls."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from conche_runtime.codecs import UNSET
from conche_runtime.errors import IllegalMove
from conche_runtime.faults import Fault
from conche_runtime.layout import Grid
from conche_runtime.moves import EngineMove

T = TypeVar("T")

_SOMETHING = re.compile(rb"[^\0]")


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
    return tuple([kind for kind in range(number) if counts[start + kind]])


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


def cover(
    tops: Sequence[int], below: dict[int, tuple[int, ...]], cell: int, grid: Grid, piece: str
) -> None:
    """Makes way for a piece on a cell that holds some, or that takes none."""
    room = grid.room[piece][cell] if 0 <= cell < grid.size else 0
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
    return IllegalMove(f"{move!r} is not a legal move now")


def legal(move: Any, kind: type[EngineMove]) -> tuple[Any, ...]:
    """The codes of a move that must be of a class."""
    if type(move) is not kind:
        raise illegal(move)
    return move.codes  # type: ignore[no-any-return]


def clear(state: Any) -> None:
    """Nothing is kept up to date."""
    del state


Update = Callable[[Any, int], None]
