"""Values, inside and outside: how the interpreter holds them, and how records and saves write them.

Purpose: converts between the two by type.
Input: a value and its type. Output: the value in the other form.
Invariants: `from_json(to_json(v)) == v`. Inside, a kind or member is its name (`market(2)`, `w1111`), a space
`(x, y)`, an edge `(x, y, side)`, a list or set a tuple; outside, a kind or member is as `written`, the others
are arrays. Whatever else comes from outside is refused with `ValueError`, whose text says what was expected.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeGuard, assert_never

from conche.diagnostics.suggest import did_you_mean
from conche.semantics import rulebook as rb
from conche.semantics.types import (
    EdgeT,
    EnumT,
    ErrorT,
    Flag,
    Int,
    KindT,
    ListT,
    Maybe,
    PlayerT,
    RingT,
    SetT,
    SideT,
    SpaceT,
    TextT,
    Type,
)
from conche.semantics.words import describe

SIDES = ("E", "S", "W", "N")


class Values:
    """The conversions for one rulebook, with its names looked up once."""

    def __init__(self, kinds: dict[str, tuple[rb.Kind | rb.Member, ...]], players: int, across: int) -> None:
        """`kinds`: by piece type or enum; `players`: the most there can be; `across`: of the board, or 0."""
        self.players = players
        self.half = across // 2
        self._written = {kind.name: kind.written for several in kinds.values() for kind in several}
        self._named = {of: {kind.written: kind.name for kind in several} for of, several in kinds.items()}

    @classmethod
    def of(cls, rulebook: rb.Rulebook) -> Values:
        kinds: dict[str, tuple[rb.Kind | rb.Member, ...]] = {
            **{name: piece.kinds for name, piece in rulebook.pieces.items()},
            **{name: enum.members for name, enum in rulebook.enums.items()},
        }
        across = max((board.across for board in rulebook.boards.values()), default=0)
        return cls(kinds, rulebook.players[1], across)

    def to_json(self, value: object, type_: Type) -> object:
        """A value as records write it."""
        match type_:
            case Flag() | Int() | PlayerT() | SideT() | TextT():
                return value
            case EnumT() | KindT():
                return self._written[str(value)]
            case SpaceT() | EdgeT():
                return list(_items(value))
            case Maybe(element):
                return None if value is None else self.to_json(value, element)
            case SetT(element) | ListT(element) | RingT(_, element):
                return [self.to_json(item, element) for item in _items(value)]
            case ErrorT():
                raise ValueError("a value without a type")
            case _:
                assert_never(type_)

    def from_json(self, value: object, type_: Type) -> object:
        """A value out of a record; `ValueError` when it is none of the type."""
        match type_:
            case Flag() if isinstance(value, bool):
                return value
            case Int(low, high) if _is_int(value):
                if low <= value <= high:
                    return value
            case PlayerT() if _is_int(value):
                if 0 <= value < self.players:
                    return value
            case SideT() if value in SIDES:
                return value
            case TextT() if isinstance(value, str):
                return value
            case EnumT(of) | KindT(of) if isinstance(value, str):
                return self._kind(of, value, type_)
            case SpaceT() if isinstance(value, list) and len(value) == 2:
                if all(self._on_board(part) for part in value):
                    return (value[0], value[1])
            case EdgeT() if isinstance(value, list) and len(value) == 3:
                if self._on_board(value[0]) and self._on_board(value[1]) and value[2] in SIDES:
                    return (value[0], value[1], value[2])
            case Maybe(element):
                return None if value is None else self.from_json(value, element)
            case SetT(element) if isinstance(value, list):
                items = tuple(self.from_json(item, element) for item in value)
                if len(set(items)) == len(items):
                    return items
            case ListT(element) if isinstance(value, list):
                return tuple(self.from_json(item, element) for item in value)
            case RingT(length, element) if isinstance(value, list) and len(value) == length:
                return tuple(self.from_json(item, element) for item in value)
            case _:
                pass
        raise ValueError(f"expected {describe(type_, bounds=True)}, found {_shown(value)}")

    def _kind(self, of: str, text: str, type_: Type) -> str:
        known = self._named.get(of, {})
        if text not in known:
            hint = did_you_mean(text, known)
            raise ValueError(
                f"expected {describe(type_)}, found {_shown(text)}" + (f": {hint}" if hint else "")
            )
        return known[text]

    def _on_board(self, value: object) -> bool:
        return _is_int(value) and -self.half <= value < self.half


def to_json(value: object, type_: Type, rulebook: rb.Rulebook) -> object:
    """`Values.of(rulebook).to_json`, for a single use."""
    return Values.of(rulebook).to_json(value, type_)


def from_json(value: object, type_: Type, rulebook: rb.Rulebook) -> object:
    """`Values.of(rulebook).from_json`, for a single use."""
    return Values.of(rulebook).from_json(value, type_)


def _is_int(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _items(value: object) -> Iterable[object]:
    if isinstance(value, list | tuple):
        return value
    raise ValueError(f"expected several values, found {_shown(value)}")


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
