"""The types of the rules language. All are finite, except that lists and sets are bounded by their elements.

Values, as the interpreter and every JSON output see them (`values.py` converts):
    Flag -> bool · Int -> int · EnumT -> the member's name
    KindT -> the kind's name (`market(2)`), outside as `written`
    PlayerT -> seat number from 0 · SpaceT -> [x, y] · SideT -> "E" "S" "W" "N" · EdgeT -> [x, y, side]
    Maybe -> null or the element's value · ListT / SetT -> array · TextT -> string
"""

from __future__ import annotations

from conche.node import node


@node(frozen=True, slots=True)
class Flag:
    pass


@node(frozen=True, slots=True)
class Int:
    """Whole numbers low..high. Arithmetic widens by intervals; a variable's own bounds are checked when it is
    set."""

    low: int
    high: int


@node(frozen=True, slots=True)
class EnumT:
    """A member of an enum."""

    name: str


@node(frozen=True, slots=True)
class KindT:
    """A kind of a piece type: what a piece is, without owner, turn and place."""

    piece: str


@node(frozen=True, slots=True)
class PlayerT:
    pass


@node(frozen=True, slots=True)
class SideT:
    """E, S, W, N in this order; `sides` is all four."""


@node(frozen=True, slots=True)
class SpaceT:
    board: str


@node(frozen=True, slots=True)
class EdgeT:
    """One side of one space; `e.at`, `e.side`, `e.across` (the space beyond)."""

    board: str


@node(frozen=True, slots=True)
class TextT:
    """A constant text, only in arguments of decisions (`source = "pile"`)."""


@node(frozen=True, slots=True)
class Maybe:
    element: Type


@node(frozen=True, slots=True)
class SetT:
    """Distinct values in the order in which they came in."""

    element: Type


@node(frozen=True, slots=True)
class ListT:
    element: Type


@node(frozen=True, slots=True)
class RingT:
    """One value per side of a piece, listed E S W N as printed; read through an edge it has turned with the
    piece."""

    length: int
    element: Type


@node(frozen=True, slots=True)
class ErrorT:
    """The type of what was already reported; agrees with everything and stays silent."""


Type = (
    Flag
    | Int
    | EnumT
    | KindT
    | PlayerT
    | SideT
    | SpaceT
    | EdgeT
    | TextT
    | Maybe
    | SetT
    | ListT
    | RingT
    | ErrorT
)


def unreadable(type_: Type) -> bool:
    """Whether what a value is made of could not be typed."""
    match type_:
        case ErrorT():
            return True
        case Maybe(element) | SetT(element) | ListT(element) | RingT(_, element):
            return unreadable(element)
        case _:
            return False
