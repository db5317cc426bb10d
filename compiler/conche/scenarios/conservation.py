"""How many pieces of each type are in play.

Purpose: the check of `conserve`. Input: a position. Output: numbers by piece type (or enum).
"""

from __future__ import annotations

from conche.interpret.book import Book
from conche.interpret.position import Position


def pieces_in_play(book: Book, position: Position) -> dict[str, int]:
    """All pieces in zones and on boards, covered ones too."""
    out: dict[str, int] = {}
    for (name, _), heap in position.heaps.items():
        of = book.zone(name).of
        out[of] = out.get(of, 0) + heap.size
    for board in position.boards.values():
        for stack in board.values():
            for piece in stack:
                out[piece.of] = out.get(piece.of, 0) + 1
    return out
