"""The rules as the interpreter looks things up in them.

Purpose: kinds, members, bounds and names at hand. Input: a `Rulebook`. Output: a `Book`.
Invariant: nothing here changes while a game is played, but for who watches (`reached`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from conche.interpret.position import GAME, Value
from conche.semantics.rulebook import AttributeValue, Kind, Member, Rulebook, Var, Zone
from conche.semantics.types import Int, ListT, Maybe, RingT, SetT, Type
from conche.semantics.values import SIDES, Values

__all__ = ["HIDDEN", "OPEN", "SECRET", "SIDES", "Book", "fits"]

OPEN, SECRET, HIDDEN = "open", "secret", "hidden"


class Book:
    """Look-ups. `of` is always the name of a piece type or of an enum."""

    def __init__(self, rulebook: Rulebook) -> None:
        self.rulebook = rulebook
        self.eliminates = rulebook.eliminates
        self.reached: Callable[[str], None] | None = None
        """Told, by its id in the graph, every node that is done, every query and score that is worked out,
        and `phase.end` for every ranking."""
        members: dict[str, tuple[Kind | Member, ...]] = {
            **{name: piece.kinds for name, piece in rulebook.pieces.items()},
            **{name: enum.members for name, enum in rulebook.enums.items()},
        }
        self.order = {of: tuple(member.name for member in found) for of, found in members.items()}
        self._member = {(of, member.name): member for of, found in members.items() for member in found}
        self._values = Values.of(rulebook)
        self._attributes = {key: dict(member.attributes) for key, member in self._member.items()}
        self.copies: dict[str, tuple[str, ...]] = {}
        """The kinds of each family whose pieces carry something, in order."""
        self._carries: dict[str, tuple[str, int]] = {}
        for piece in rulebook.pieces.values():
            for kind in piece.kinds:
                if kind.copy and kind.carries is not None:
                    self.copies[kind.family] = (*self.copies.get(kind.family, ()), kind.name)
                    self._carries[kind.name] = (kind.carries, kind.copy)
        self._spaces = {
            (board.name, var.name): var for board in rulebook.boards.values() for var in board.attributes
        }

    # -- kinds and members

    def attribute(self, of: str, name: str, attribute: str) -> AttributeValue | None:
        return self._attributes[of, name].get(attribute)

    def turns(self, of: str, kind: str) -> int:
        found = self._member[of, kind]
        return found.turns if isinstance(found, Kind) else 1

    def has_ring(self, of: str) -> bool:
        return any(isinstance(type_, RingT) for _, type_ in self.rulebook.pieces[of].attributes)

    def written(self, of: str, name: str) -> str:
        """A kind's or member's name in records."""
        return self._member[of, name].written

    def by_order(self, of: str, counts: Mapping[str, int]) -> dict[str, int]:
        """The kinds there are any of, in the order of their declaration."""
        return {name: counts[name] for name in self.order[of] if counts.get(name, 0)}

    # -- variables, zones, boards

    def zone(self, name: str) -> Zone:
        return self.rulebook.zones[name]

    def space_var(self, board: str, name: str) -> Var:
        return self._spaces[board, name]

    def seats(self, owner: str, players: int) -> tuple[int, ...]:
        """The seats under which something of that owner (`game`, `player`) is kept; of a zone that pieces
        carry the numbers of the copies."""
        if owner == "game":
            return (GAME,)
        return tuple(range(players)) if owner == "player" else tuple(range(1, len(self.copies[owner]) + 1))

    def places(self, name: str, players: int) -> tuple[int, ...]:
        """The numbers under which a variable or track is kept: of the game, by seat, or by kind."""
        var = self.rulebook.variables.get(name)
        if var is not None and var.owner == "kind":
            return tuple(range(len(self.order[var.of or ""])))
        return self.seats(self.owner_of(name), players)

    def kinds_with(self, name: str) -> tuple[str, ...]:
        """The names in records, by number, of the kinds or members that have a variable; those of copies as
        they are."""
        of = self.rulebook.variables[name].of or ""
        return tuple(kind if self._copy(of, kind) else self.written(of, kind) for kind in self.order[of])

    def _copy(self, of: str, kind: str) -> bool:
        found = self._member[of, kind]
        return isinstance(found, Kind) and found.copy != 0

    def whose(self, name: str, seat: int) -> str:
        """` of red`, in messages about a variable; nothing for one of the game."""
        if seat == GAME:
            return ""
        is_kinds = name in self.rulebook.variables and self.rulebook.variables[name].owner == "kind"
        return f" of {self.kinds_with(name)[seat] if is_kinds else self.seat_name(seat)}"

    def carried(self, kind: str) -> tuple[str, int] | None:
        """The zone that pieces of a kind carry, and which copy the kind is."""
        return self._carries.get(kind)

    def is_carried(self, zone: str) -> bool:
        return self.rulebook.zones[zone].owner not in ("game", "player")

    def type_of(self, name: str) -> Type:
        """Of a variable or a track (the numbers of its fields)."""
        if name in self.rulebook.tracks:
            return Int(0, len(self.rulebook.tracks[name].fields) - 1)
        return self.rulebook.variables[name].type

    def owner_of(self, name: str) -> str:
        """`game`, `player` or `kind`, of a variable or a track."""
        if name in self.rulebook.tracks:
            return self.rulebook.tracks[name].owner
        return self.rulebook.variables[name].owner

    def visibility_of(self, name: str) -> str:
        """Of a variable or a track."""
        if name in self.rulebook.tracks:
            return self.rulebook.tracks[name].visibility
        return self.rulebook.variables[name].visibility

    def seat_name(self, seat: int) -> str:
        seats = self.rulebook.seats
        return seats[seat] if 0 <= seat < len(seats) else f"seat {seat}"

    # -- values and JSON

    def to_json(self, value: Value, type_: Type) -> Any:
        """A value as in records."""
        return self._values.to_json(value, type_)

    def from_json(self, data: Any, type_: Type) -> Value:
        """The value of that type that is so written in records. ValueError when there is none."""
        return cast(Value, self._values.from_json(data, type_))


def fits(value: Value, type_: Type) -> bool:
    """Whether a value of the right sort is within the bounds of a type."""
    match type_:
        case Int(low=low, high=high):
            return isinstance(value, int) and low <= value <= high
        case Maybe(element=element):
            return value is None or fits(value, element)
        case SetT(element=element) | ListT(element=element):
            return isinstance(value, tuple) and all(fits(item, element) for item in value)
        case _:
            return True
