"""Draws a position as text, for any game.

Purpose: what stands on the table, for people. Input: a snapshot or a view. Output: lines.
Invariants: knows of no game. A board is a grid of cells of two lines: the kind of the top piece,
shortened, and below it owner (first letters of the seat), quarter turns and height; on a board that
has one kind the owner stands in its place; the legend spells out what was shortened.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from conche.cli.words import Words, plain, value_of
from conche_runtime.errors import ConcheError
from conche_runtime.interface import Engine

_SKIPPED = ("decision", "players", "to_act", "you", "out")
_MANY = 4
"""A store of more different kinds than this is shown by its size alone."""


class Drawing:
    """Draws positions of one game at one table. `by_kind`: the variables that kinds of pieces have;
    `one_kind`: the boards whose pieces only their owners tell apart."""

    def __init__(
        self,
        engine: Engine,
        players: int,
        words: Words,
        by_kind: Collection[str] = frozenset(),
        one_kind: Collection[str] = frozenset(),
    ) -> None:
        self.words = words
        self._by_kind, self._one_kind = by_kind, one_kind
        self.players = players
        self._engine = engine
        self._lengths: dict[str, int] | None = None

    def position(self, snapshot: Mapping[str, Any]) -> list[str]:
        """Everything: boards, what is common, what is each player's."""
        boards = [name for name, value in snapshot.items() if is_board(value)]
        rest = [name for name in snapshot if name not in boards and name not in _SKIPPED]
        own = [name for name in rest if self._of_players(name, snapshot)]
        lines: list[str] = []
        for name in boards:
            lines += self.board(snapshot[name], name in self._one_kind)
        common = [told for name in rest if name not in own and (told := self._told(name, snapshot[name]))]
        if common:
            lines.append(" · ".join(common))
        for seat in range(self.players):
            parts = [told for name in own if (told := self._told(name, snapshot[name][seat]))]
            if seat in snapshot.get("out", ()):
                parts.insert(0, "out of the game")
            lines.append(f"{self.words.seat(seat)}  {' · '.join(parts)}".rstrip())
        return lines

    def _told(self, name: str, value: Any) -> str:
        """A thing with its value, a flag by its name; nothing of what is empty, 0 or not set."""
        if isinstance(value, bool):
            return plain(name) if value else ""
        shown = self._holding(name, value)
        return f"{plain(name)} {shown}" if shown else ""

    def _holding(self, name: str, value: Any) -> str:
        named = self.words.named(name, value)
        return unusual(named) if name in self._by_kind else holding(named)

    def boards(self, snapshot: Mapping[str, Any]) -> list[Any]:
        """The boards alone, to see whether they have changed."""
        return [value for value in snapshot.values() if is_board(value)]

    def _of_players(self, name: str, snapshot: Mapping[str, Any]) -> bool:
        """Whether a list has an entry for each player. A row of pieces can have the same length by chance,
        so a game with another number of players is asked too, where there is one."""
        value = snapshot[name]
        if not isinstance(value, list) or len(value) != self.players:
            return False
        if self._lengths is None:
            self._lengths = self._other_lengths()
        if name in self._lengths:
            low, high = self._engine.min_players, self._engine.max_players
            return self._lengths[name] == (high if self.players != high else low)
        # No other number of players: a row of pieces is a list of names.
        return not all(isinstance(item, str) for item in value)

    def _other_lengths(self) -> dict[str, int]:
        engine = self._engine
        other = engine.max_players if self.players != engine.max_players else engine.min_players
        if other == self.players:
            return {}
        try:
            snapshot = engine.start(other, seed=0).snapshot()
        except (ConcheError, ValueError):
            return {}
        return {name: len(value) if isinstance(value, list) else -1 for name, value in snapshot.items()}

    # -------------------------------------------------------------------------------------------- boards

    def board(self, cells: Sequence[Mapping[str, Any]], one_kind: bool = False) -> list[str]:
        """A grid, north at the top, with its columns and rows numbered."""
        kinds = sorted({str(piece["kind"]) for cell in cells for piece in cell["pieces"]})
        short = shorten(kinds)
        tops = {(cell["at"][0], cell["at"][1]): self._cell(cell["pieces"], short, one_kind) for cell in cells}
        xs, ys = [x for x, _ in tops], [y for _, y in tops]
        columns, rows = range(min(xs), max(xs) + 1), range(min(ys), max(ys) + 1)
        width = max(len(text) for upper, lower, _ in tops.values() for text in (upper, lower))
        width = max(width, *(len(str(x)) for x in columns)) + 1
        edge = max(len(str(y)) for y in rows) + 1
        tall = any(lower for _, lower, _ in tops.values())
        lines = [" " * edge + "".join(str(x).center(width) for x in columns)]
        for y in rows:
            for half in (0, 1) if tall else (0,):
                line = (str(y) if half == 0 else "").rjust(edge - 1) + " "
                for x in columns:
                    upper, lower, owner = tops.get((x, y), ("·", "", None))
                    text = (upper, lower)[half].center(width)
                    line += text if owner is None else self.words.paint(owner, text)
                if half == 0 or line.strip():
                    lines.append(line.rstrip())
        spelt = [] if one_kind else kinds
        legend = [f"{short[kind]} {plain(kind)}" for kind in spelt if short[kind] != plain(kind)]
        owners = sorted({owner for _, _, owner in tops.values() if owner is not None})
        names = _seat_letters(self.words.seats)
        legend += [f"{names[seat]} {self.words.seats[seat]}" for seat in owners]
        return [line.rstrip() for line in (*lines, *_wrapped(legend))]

    def _cell(
        self, pieces: Sequence[Mapping[str, Any]], short: Mapping[str, str], one_kind: bool
    ) -> tuple[str, str, int | None]:
        if not pieces:
            return "·", "", None
        top = pieces[-1]
        owner = top.get("owner")
        parts = [] if owner is None else [_seat_letters(self.words.seats)[owner]]
        if top.get("turn"):
            parts.append(f"↻{top['turn']}")
        if len(pieces) > 1:
            parts.append(f"×{len(pieces)}")
        kind = parts.pop(0) if one_kind and owner is not None else short[str(top["kind"])]
        return kind, "".join(parts), owner


def is_board(value: Any) -> bool:
    """Whether a value of a snapshot is a board that holds something."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(cell, dict) and "at" in cell and "pieces" in cell for cell in value)
    )


def holding(value: Any) -> str:
    """What a zone or variable holds, in words; empty for nothing worth a word."""
    match value:
        case None | 0 | []:
            return ""
        case {"size": int(size), "top": list(top), "bottom": list(bottom), **rest} if "unknown" not in rest:
            ends = (("on top", top), ("at the bottom", bottom))
            known = [f"{where} {', '.join(map(_known, part))}" for where, part in ends if part]
            return f"{size} hidden, {'; '.join(known)}"
        case {"size": int(size)}:
            return f"{size} hidden" if size else ""
        case dict() if all(isinstance(count, int) for count in value.values()):
            if len(value) > _MANY:
                return f"{sum(value.values())} pieces of {len(value)} kinds"
            return ", ".join(
                plain(kind) + (f" ×{count}" if count != 1 else "") for kind, count in value.items()
            )
        case [str(), *_]:
            return ", ".join(map(value_of, value))
        case _:
            return value_of(value)


def _known(piece: str | None) -> str:
    return "?" if piece is None else plain(piece)


def unusual(values: Mapping[str, Any]) -> str:
    """What a variable of kinds holds: of many kinds, only what most of them do not."""
    if len(values) > _MANY:
        held = list(map(value_of, values.values()))
        most = max(held, key=held.count)
        values = {kind: value for kind, value in values.items() if value_of(value) != most}
    return ", ".join(f"{plain(kind)} {value_of(value)}" for kind, value in values.items())


def shorten(kinds: Sequence[str]) -> dict[str, str]:
    """A short name for each kind, all different: `gold_mine(2)` → `gm2`, `temple` → `tem`, `2-1-0-1` →
    `2101`."""
    short: dict[str, str] = {}
    for kind in kinds:
        base, _, values = kind.partition("(")
        tail = "".join(character for character in values if character.isalnum())
        words = [word for word in base.split("_") if word]
        letters = "".join(words)
        if not any(character.isalpha() for character in base):
            trials = ["".join(character for character in base if character.isalnum()) or base]
        elif len(words) > 1:
            trials = ["".join(word[0] for word in words)]
        else:
            trials = []
        trials += [letters[:length] for length in range(3, len(letters) + 1)] + [kind]
        short[kind] = next(
            trial + tail for trial in trials if trial + tail not in short.values() or trial == kind
        )
    return short


def _seat_letters(seats: Sequence[str]) -> list[str]:
    """The first letters of each seat's name, as many as tell all apart."""
    for length in range(1, max(map(len, seats), default=0) + 1):
        letters = [seat[:length] for seat in seats]
        if len(set(letters)) == len(seats):
            return letters
    return list(seats)


def _wrapped(parts: Sequence[str], width: int = 100) -> list[str]:
    """Parts with a dot between them, in lines of at most `width`."""
    lines: list[str] = []
    for part in parts:
        if lines and len(lines[-1]) + len(part) + 3 <= width:
            lines[-1] += f" · {part}"
        else:
            lines.append(part)
    return lines
