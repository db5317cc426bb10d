"""Draws a position as text, for any game.

Purpose: what stands on the table, for people. Input: a snapshot or a view, and a width. Output: lines ready
to be printed. Invariants: knows of no game; what it shows of a zone, a variable, a board comes from the
rules' own declarations (`Looks`) and hints, and where there are none from the shape of the snapshot; all
that is open in the snapshot is shown, but for what the hints leave out; no line is wider than the width, if
that can be at all; without colour no escape sequence; the same input gives the same lines.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from conche.draw.board import BoardPicture
from conche.draw.cells import Line, Run, ansi, line, padded, wrap
from conche.draw.grid import At
from conche.draw.looks import Looks
from conche.draw.panels import brief_lines, common_lines, player_lines
from conche.draw.values import Telling
from conche.draw.words import Words
from conche_runtime.interface import Engine

_NO_THINGS = ("decision", "players", "to_act", "you", "out")
_PANEL = 56
"""So wide, what is beside the board can be read there."""
_BETWEEN = 4
_LEGEND = 40
"""So wide, a legend can be read."""
_ROWS = 4
"""Before fewer rows of a board are drawn, what stands beside it is cut."""


class Drawing:
    """Draws positions of one game at one table."""

    def __init__(self, engine: Engine, players: int, words: Words, looks: Looks | None = None) -> None:
        self._engine, self.words, self.players = engine, words, players
        self.looks = looks or Looks()
        self.letters = seat_letters(words.seats)
        self._telling = Telling(words, self.looks)
        self._board = BoardPicture(self._telling, self.letters)

    def position(self, snapshot: Mapping[str, Any], width: int = 100) -> list[str]:
        """Everything: boards, what is common, what is each player's."""
        return self._printed(self._whole(snapshot, max(width, 1), small=False))

    def part(
        self, snapshot: Mapping[str, Any], width: int, height: int, around: Collection[At], note: str
    ) -> list[str]:
        """What fits into so many lines: everything, if need be in small cells; else the part of the board
        `around` some spaces, what is common, and what the player has whose view it is. `note`: how all of it
        can be seen, as the end of a sentence."""
        most = max(width, 1)
        for small in (False, True):
            lines = self._whole(snapshot, most, small=small)
            if len(lines) <= height:
                return self._printed(lines)
        return self._printed(self._cut(snapshot, most, height, around, note))

    def _printed(self, lines: Sequence[Line]) -> list[str]:
        return [ansi(one, self.words.color) for one in lines]

    def _things(self, snapshot: Mapping[str, Any]) -> tuple[list[str], list[str], list[str]]:
        """The names of what is drawn: boards, what is common, what is each player's."""
        names = [name for name in snapshot if name not in _NO_THINGS and name not in self.looks.left_out]
        boards = [name for name in names if self.is_board(name, snapshot[name])]
        own = [name for name in names if name not in boards and self._of_players(name, snapshot[name])]
        return boards, [name for name in names if name not in boards and name not in own], own

    def _whole(self, snapshot: Mapping[str, Any], most: int, *, small: bool) -> list[Line]:
        boards, common, own = self._things(snapshot)
        free = most - _PANEL - _BETWEEN
        sides = [self._board.width(name, snapshot[name], free, small=small) for name in boards]
        if boards and free >= _LEGEND and all(side is not None for side in sides):
            size = min(max([_LEGEND, *(side or 0 for side in sides)]), free)
            left = [
                one
                for name in boards
                for one in self._board.draw(name, snapshot[name], free, narrow=True, small=small)
            ]
            right = self._panels(snapshot, common, own, most - size - _BETWEEN)
            return _side_by_side(left, right, size)
        lines = [one for name in boards for one in self._board.draw(name, snapshot[name], most, small=small)]
        panels = self._panels(snapshot, common, own, most)
        return [*lines, *([()] if lines and panels else []), *panels]

    def _cut(
        self, snapshot: Mapping[str, Any], most: int, height: int, around: Collection[At], note: str
    ) -> list[Line]:
        boards, common, own = self._things(snapshot)
        free = most - _PANEL - _BETWEEN
        sides = [self._board.width(name, snapshot[name], free, small=True) for name in boards]
        beside = bool(boards) and free >= _LEGEND and all(side is not None for side in sides)
        wide = min(max([_LEGEND, *(side or 0 for side in sides)]), free) if beside else most
        # What stands beside the board, or below it: the more the better.
        room = most - wide - _BETWEEN if beside else most
        nobody = {name: snapshot[name] for name in common}
        of_all = brief_lines(self._telling, nobody, common, (), room)
        table = player_lines(self._telling, snapshot, own, self.players, room)
        panels = [
            self._panels(snapshot, common, own, room),
            [*of_all, *([()] if of_all and table else []), *table],
            brief_lines(self._telling, snapshot, common, own, room),
            brief_lines(self._telling, snapshot, (), own, room),
        ]
        for panel in panels:
            left = height - 1 - (0 if beside else len(panel) + bool(boards))
            parts = [self._rows(name, snapshot[name], wide, left, around) for name in boards]
            enough = all(len(rows) >= min(_ROWS, len(every)) for _, rows, every in parts)
            if panel is panels[-1] or (left >= 0 and enough and (not beside or len(panel) < height)):
                break
        board = [one for lines, _, _ in parts for one in lines]
        shown = [
            f"row{f's {rows[0]} to' if len(rows) > 1 else ''} {rows[-1]} of {every[0]} to {every[-1]}; "
            for _, rows, every in parts
            if rows != every
        ]
        end = wrap(line(Run(f"… {''.join(shown)}{note}", ("faint",))), most)
        if beside:
            return [*_side_by_side(board, panel, wide), *end]
        return [*board, *([()] if board and panel else []), *panel, *end]

    def _rows(
        self,
        name: str,
        entries: Sequence[Mapping[str, Any]],
        most: int,
        height: int,
        around: Collection[At],
    ) -> tuple[list[Line], list[int], list[int]]:
        """A board in at most so many lines, if one row fits: as many rows as do, with those that matter, and
        which they are, of which."""
        every = self._board.rows(name, entries)
        wanted = {y for _, y in around}
        middle = sum(wanted) / len(wanted) if wanted else sum(every) / max(len(every), 1)

        def distance(part: Sequence[int]) -> tuple[float, float]:
            return -len(wanted.intersection(part)), abs(sum(part) / len(part) - middle)

        def rows_of(size: int) -> list[int]:
            return min((every[at : at + size] for at in range(len(every) - size + 1)), key=distance)

        def lines_of(rows: Sequence[int]) -> list[Line]:
            return self._board.draw(name, entries, most, small=True, rows=(rows[0], rows[-1]))

        if not every:
            return self._board.draw(name, entries, most), every, every
        sizes = range(2, len(every) + 1)
        size = bisect(sizes, height, key=lambda size: len(lines_of(rows_of(size)))) + 1
        return lines_of(rows_of(size)), rows_of(size), every

    def board(self, name: str, entries: Sequence[Mapping[str, Any]], width: int = 100) -> list[str]:
        """One board with its legend."""
        return [ansi(one, self.words.color) for one in self._board.draw(name, entries, max(width, 1))]

    def boards(self, snapshot: Mapping[str, Any]) -> list[Any]:
        """The boards alone, to see whether they have changed."""
        return [value for name, value in snapshot.items() if self.is_board(name, value)]

    def is_board(self, name: str, value: Any) -> bool:
        """Whether a thing of a snapshot is a board."""
        if self.looks.boards:
            return name in self.looks.boards
        return (
            isinstance(value, list)
            and bool(value)
            and all(isinstance(cell, dict) and "at" in cell and "pieces" in cell for cell in value)
        )

    def _panels(
        self, snapshot: Mapping[str, Any], common: Sequence[str], own: Sequence[str], most: int
    ) -> list[Line]:
        lines = common_lines(self._telling, snapshot, common, most) if common else []
        players = player_lines(self._telling, snapshot, own, self.players, most)
        return [*lines, *([()] if lines and players else []), *players]

    def _of_players(self, name: str, value: Any) -> bool:
        """Whether a thing has a value for each player."""
        known = self.looks.variables.get(name) or self.looks.zones.get(name)
        if known is not None:
            return known.owner == "player"
        # Without the rules: a list as long as there are players, and no row of pieces.
        return (
            isinstance(value, list)
            and len(value) == self.players
            and not all(isinstance(item, str) for item in value)
        )


def _side_by_side(left: Sequence[Line], right: Sequence[Line], size: int) -> list[Line]:
    lines: list[Line] = []
    for number in range(max(len(left), len(right))):
        one = left[number] if number < len(left) else ()
        other = right[number] if number < len(right) else ()
        lines.append((*padded(one, size + _BETWEEN), *other) if other else one)
    return lines


def seat_letters(seats: Sequence[str]) -> list[str]:
    """The first letters of each seat's name, as many as tell all apart; `a`, `b` … where that would be
    long."""
    for length in range(1, 4):
        letters = [seat[:length] for seat in seats]
        if len(set(letters)) == len(seats):
            return letters
    alphabet = "abcdefghijklmnopqrstuvwxyz"
    return [alphabet[n] if len(seats) <= len(alphabet) else f"#{n}" for n in range(len(seats))]
