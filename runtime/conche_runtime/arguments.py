"""What callers hand to a state: checked here, so that nonsense is refused in the same words everywhere.

Input: anything. Output: the number or mapping that is meant. Invariants: `IllegalMove`, and nothing else, for
what cannot be meant. A whole number of another class (a numpy integer, say) is as good as an int."""

from __future__ import annotations

import json
import operator
from collections.abc import Mapping
from typing import Any

from conche_runtime.errors import IllegalMove


def shown(value: object) -> str:
    """For a message. Python does not write numbers of thousands of digits."""
    try:
        return repr(value)
    except ValueError:
        return "a number too large to be written"


def whole(index: Any) -> int:
    """The number of an option. A flag is none, though Python counts with it."""
    try:
        if isinstance(index, bool):
            raise TypeError
        return operator.index(index)
    except TypeError:
        raise IllegalMove(f"an option is named by its number, not by {shown(index)}") from None


def checked_seat(player: Any, players: int) -> int:
    """The seat of one who plays."""
    try:
        seat = operator.index(player)
    except TypeError:
        raise IllegalMove(f"a player is named by the number of the seat, not by {shown(player)}") from None
    if not 0 <= seat < players:
        raise IllegalMove(f"there is no seat {shown(seat)}: seats are numbered 0..{players - 1}")
    return seat


def checked_args(args: Any) -> dict[str, Any]:
    """The arguments of a move by name."""
    if not isinstance(args, Mapping):
        raise IllegalMove(f"these are no arguments of a move: {shown(args)}")
    return dict(args)


def not_legal(name: Any, args: Any) -> IllegalMove:
    """A move, by name and arguments, that is none now."""
    try:
        written = json.dumps(args, default=str)
    except (TypeError, ValueError):
        written = shown(args)
    return IllegalMove(f"{name if isinstance(name, str) else shown(name)} {written} is not a legal move now")


def frozen(value: Any) -> Any:
    """A hashable stand-in for a JSON value, equal for the same value only: `true` is not 1, a tuple is an
    array, the order of keys is free. What is no JSON value is equal to nothing."""
    if isinstance(value, list | tuple):
        return ("array", *(frozen(item) for item in value))
    if isinstance(value, dict):
        return ("object", frozenset((key, frozen(item)) for key, item in value.items()))
    if value is None or isinstance(value, bool | int | str):
        return (type(value).__name__, value)
    return object()
