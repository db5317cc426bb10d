"""Draws a position as text, for any game.

Purpose: what stands on the table, for people. Input: a snapshot or a view, and a width. Output: lines ready
to be printed. Invariants: knows of no game; what it shows of a zone, a variable, a board comes from the
rules' own declarations (`Looks`) and hints, and where there are none from the shape of the snapshot; all
that is open in the snapshot is shown, but for what the hints leave out; no line is wider than the width, if
that can be at all; without colour no escape sequence; the same input gives the same lines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from conche.draw.board import BoardPicture
from conche.draw.cells import Line, ansi, padded
from conche.draw.looks import Looks
from conche.draw.panels import common_lines, player_lines
from conche.draw.values import Telling
from conche.draw.words import Words
from conche_runtime.interface import Engine

_NO_THINGS = ("decision", "players", "to_act", "you", "out")
_PANEL = 56
"""So wide, what is beside the board can be read there."""
_BETWEEN = 4
_LEGEND = 40
"""So wide, a legend can be read."""


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
        most = max(width, 1)
        names = [name for name in snapshot if name not in _NO_THINGS and name not in self.looks.left_out]
        boards = [name for name in names if self.is_board(name, snapshot[name])]
        own = [name for name in names if name not in boards and self._of_players(name, snapshot[name])]
        common = [name for name in names if name not in boards and name not in own]
        free = most - _PANEL - _BETWEEN
        sides = [self._board.width(name, snapshot[name], free) for name in boards]
        if boards and free >= _LEGEND and all(side is not None for side in sides):
            size = min(max([_LEGEND, *(side or 0 for side in sides)]), free)
            left = [
                one for name in boards for one in self._board.draw(name, snapshot[name], free, narrow=True)
            ]
            right = self._panels(snapshot, common, own, most - size - _BETWEEN)
            lines = _side_by_side(left, right, size)
        else:
            lines = [one for name in boards for one in self._board.draw(name, snapshot[name], most)]
            panels = self._panels(snapshot, common, own, most)
            lines += [*([()] if lines and panels else []), *panels]
        return [ansi(one, self.words.color) for one in lines]

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
