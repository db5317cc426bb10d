"""What would be legal instead.

Input: the legal moves of a player, a pattern that fits none of them. Output: sentences.
Invariants: speaks of the player's own options alone. Where one argument is in the way, it says what that
argument can be; else, for each argument by itself, what it can be.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from conche.diagnostics.lists import in_a_row
from conche.interpret.book import Book
from conche.semantics.types import Type
from conche.why.pattern import Pattern
from conche.why.words import json_text

MOST = 8
"""So many values are named."""

Moves = Sequence[tuple[str, Mapping[str, Any]]]


def near(book: Book, moves: Moves, pattern: Pattern, types: Mapping[str, Sequence[Type]]) -> tuple[str, ...]:
    """The sentences, in the order of the pattern's arguments."""
    if not pattern.args:
        return ()
    found = [
        sentence
        for arg in pattern.args
        if (sentence := _with_rest(book, moves, pattern.args, arg, types)) is not None
    ]
    if found or len(pattern.args) == 1:
        return tuple(found) or _alone(book, moves, pattern.args, types)
    return _alone(book, moves, pattern.args, types)


def _with_rest(
    book: Book, moves: Moves, wanted: Mapping[str, Any], arg: str, types: Mapping[str, Sequence[Type]]
) -> str | None:
    """What one argument can be with all others as asked."""
    others = {name: value for name, value in wanted.items() if name != arg}
    values = _distinct(args[arg] for _, args in moves if arg in args and fits(args, others))
    if not values:
        return None
    type_ = types[arg][0] if types.get(arg) else None
    nearest = sorted(values, key=lambda value: distance(value, wanted[arg]))
    shown = [json_text(book, value, type_) for value in nearest[:MOST]]
    more = len(nearest) - MOST
    said = in_a_row(shown, "or") if more <= 0 else f"{', '.join(shown)} or {more} more"
    if len(values) > 2 and (span := _span(values)) is not None:
        said = span
    if not others:
        return f"{arg} can be {said}"
    if len(nearest) == 1:
        return f"with {arg} {said} it would be legal"
    return f"with the rest as asked, {arg} can be {said}"


def _alone(
    book: Book, moves: Moves, wanted: Mapping[str, Any], types: Mapping[str, Sequence[Type]]
) -> tuple[str, ...]:
    """For each argument whether any option has it."""
    found: list[str] = []
    for arg, value in wanted.items():
        type_ = types[arg][0] if types.get(arg) else None
        if not any(fits(args, {arg: value}) for _, args in moves):
            found.append(f"no option has {arg} {json_text(book, value, type_)}")
    return tuple(found)


def _span(values: Sequence[Any]) -> str | None:
    """`0..16`, of numbers without a gap."""
    numbers = [value for value in values if isinstance(value, int) and not isinstance(value, bool)]
    if len(numbers) < len(values) or max(numbers) - min(numbers) != len(set(numbers)) - 1:
        return None
    return f"{min(numbers)}..{max(numbers)}"


def fits(args: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Whether a move has these arguments."""
    return all(
        name in args and type(args[name]) is type(value) and args[name] == value
        for name, value in wanted.items()
    )


def _distinct(values: Iterable[Any]) -> list[Any]:
    found: list[Any] = []
    for value in values:
        if value not in found:
            found.append(value)
    return found


def distance(one: Any, other: Any) -> tuple[int, int]:
    """How far two values are apart, where that has a meaning; the order is kept otherwise."""
    match one, other:
        case int(a), int(b):
            return abs(a - b), a
        case [int(a), int(b), *_], [int(x), int(y), *_]:
            return abs(a - x) + abs(b - y), 0
        case _:
            return 0, 0
