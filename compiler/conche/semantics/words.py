"""How the compiler speaks of types: in the words of a rulebook.

Purpose: the one place that turns a type into words for a message.
Input: a type. Output: a phrase such as `a number 0..3`, `a space of table`, `a kind of Worker`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from conche.diagnostics.lists import in_a_row
from conche.semantics.intervals import LOCAL_LIMIT, MANY
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


def describe(type_: Type, *, bounds: bool = False) -> str:
    """One value of the type. `bounds`: with the range of a number."""
    match type_:
        case Flag():
            return "yes or no"
        case Int():
            return f"a number {_range(type_)}" if bounds else "a number"
        case EnumT(name):
            return f"{_article(name)} {name}"
        case KindT(piece):
            return f"a kind of {piece}"
        case PlayerT():
            return "a player"
        case SideT():
            return "a side"
        case SpaceT(board):
            return f"a space of {board}"
        case EdgeT(board):
            return f"an edge of {board}"
        case TextT():
            return "a text"
        case Maybe(ErrorT()):
            return "nothing"
        case Maybe(element):
            return f"{describe(element, bounds=bounds)} or nothing"
        case SetT(ErrorT()) | ListT(ErrorT()):
            return "an empty list"
        case SetT(element):
            return f"a set of {_several(element, bounds)}"
        case ListT(element):
            return f"a list of {_several(element, bounds)}"
        case RingT(length, element):
            return f"a ring of {length} {_several(element, bounds)}"
        case ErrorT():
            return "something unreadable"
        case _:
            assert_never(type_)


def _several(type_: Type, bounds: bool) -> str:
    match type_:
        case Flag():
            return "flags"
        case Int():
            return f"numbers {_range(type_)}" if bounds else "numbers"
        case EnumT(name):
            return name
        case KindT(piece):
            return f"kinds of {piece}"
        case PlayerT():
            return "players"
        case SideT():
            return "sides"
        case SpaceT(board):
            return f"spaces of {board}"
        case EdgeT(board):
            return f"edges of {board}"
        case TextT():
            return "texts"
        case Maybe(element):
            return f"{_several(element, bounds)} or nothing"
        case SetT() | ListT() | RingT():
            return f"lists, each {describe(type_, bounds=bounds)}"
        case ErrorT():
            return "values"
        case _:
            assert_never(type_)


def _range(number: Int) -> str:
    if number.low == number.high:
        return str(number.low)
    if number.high >= min(MANY, LOCAL_LIMIT) and number.low >= 0:
        return f"from {number.low}"
    return f"{number.low}..{number.high}"


def _article(name: str) -> str:
    return "an" if name[:1] in "AEIOUaeiou" else "a"


def listed(names: Iterable[str], last: str = "and") -> str:
    """`'a', 'b' and 'c'`"""
    return in_a_row([f"'{name}'" for name in names], last)


def plural(count: int, word: str) -> str:
    """`1 argument`, `2 arguments`, `no arguments`"""
    if count == 1:
        return f"1 {word}"
    return f"{count or 'no'} {word}s"
