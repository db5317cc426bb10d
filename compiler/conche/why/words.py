"""Values in words, as explanations and logs show them.

Input: values of the interpreter with their types. Output: short texts.
Invariants: seats by name, kinds as records write them; long lists are cut.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from conche.interpret.book import Book
from conche.interpret.position import Value
from conche.semantics.types import EdgeT, EnumT, Flag, KindT, ListT, Maybe, PlayerT, RingT, SetT, SpaceT, Type

MOST = 8
"""So many items of a list are shown."""


def value_text(book: Book, value: Value, type_: Type) -> str:
    """A value of a type."""
    match type_:
        case Maybe(element=element):
            return "nothing" if value is None else value_text(book, value, element)
        case _ if value is None:
            return "nothing"
        case Flag():
            return "yes" if value else "no"
        case PlayerT() if isinstance(value, int):
            return book.seat_name(value)
        case KindT(piece=of) | EnumT(name=of) if isinstance(value, str):
            return kind_text(book, of, value)
        case SpaceT() if isinstance(value, tuple):
            return f"({value[0]}, {value[1]})"
        case EdgeT() if isinstance(value, tuple):
            return f"({value[0]}, {value[1]}, {value[2]})"
        case SetT(element=element) | ListT(element=element) | RingT(element=element) if isinstance(
            value, tuple
        ):
            return items_text(value_text(book, item, element) for item in value)
        case _:
            return str(value)


def kind_text(book: Book, of: str, kind: str) -> str:
    """A kind or member, as records write it."""
    return book.written(of, kind) if kind in book.order.get(of, ()) else kind


def items_text(items: Iterable[str]) -> str:
    """`none`, or the items; equal ones are counted."""
    counts: dict[str, int] = {}
    for item in items:
        counts[item] = counts.get(item, 0) + 1
    shown = [item if number == 1 else f"{number} × {item}" for item, number in counts.items()]
    if not shown:
        return "none"
    more = len(shown) - MOST
    return ", ".join(shown[:MOST]) + (f" and {more} more" if more > 0 else "")


def json_text(book: Book, value: Any, type_: Type | None) -> str:
    """A value as in records; one that is none of the type as it is."""
    if type_ is not None:
        try:
            return value_text(book, book.from_json(value, type_), type_)
        except (ValueError, TypeError, KeyError, AttributeError):
            pass
    match value:
        case None:
            return "nothing"
        case bool():
            return "yes" if value else "no"
        case [int(x), int(y)]:
            return f"({x}, {y})"
        case str():
            return short(value)
        case _:
            return short(str(value))


def short(text: str, most: int = 60) -> str:
    """Text from outside, in one line and not too long."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text[: most * 2]).split())
    return line if len(line) <= most and len(text) <= most * 2 else line[: most - 1] + "…"
