"""Moves and values in the words of a scenario.

Purpose: what messages quote. Input: JSON values as in records. Output: short texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from conche.interpret.chance import same_json
from conche_runtime.arguments import frozen
from conche_runtime.interface import Move

MOST_VALUES = 12
"""So many values of an argument are listed."""


def show_json(value: Any) -> str:
    match value:
        case None:
            return "nothing"
        case bool():
            return "yes" if value else "no"
        case list() | tuple() if len(value) == 2 and all(type(part) is int for part in value):
            return f"({value[0]}, {value[1]})"
        case list() | tuple():
            return f"[{', '.join(show_json(item) for item in value)}]"
        case dict():
            counted = [f"{number} {name}" if number != 1 else str(name) for name, number in value.items()]
            return f"[{', '.join(counted)}]"
        case _:
            return str(value)


def show_args(name: str, args: Mapping[str, Any]) -> str:
    """`place(worker = 2-1-0-1, turn = 0)`"""
    if not args:
        return name
    return f"{name}({', '.join(f'{arg} = {show_json(value)}' for arg, value in args.items())})"


def moves_in_brief(moves: Sequence[Move]) -> str:
    """All of a few moves; of many the values that each argument has."""
    if len(moves) <= 4:
        return f"legal now: {'; '.join(show_args(move.name, move.args) for move in moves)}"
    values: dict[str, dict[Any, Any]] = {}
    for move in moves:
        for arg, value in move.args.items():
            values.setdefault(arg, {}).setdefault(frozen(value), value)
    parts = [f"{arg}: {_some(found.values())}" for arg, found in values.items()]
    return f"{len(moves)} moves are legal now; {'; '.join(parts)}"


def _some(values: Iterable[Any]) -> str:
    shown = [show_json(value) for value in values]
    more = ["…"] if len(shown) > MOST_VALUES else []
    return ", ".join(shown[:MOST_VALUES] + more)


def nearest(args: Mapping[str, Any], moves: Sequence[Move]) -> Move:
    """The first of the moves that agree in most arguments, lack fewest of them and have fewest others."""

    def key(move: Move) -> tuple[int, int, int]:
        made = move.args
        equal = sum(1 for arg, value in args.items() if arg in made and same_json(made[arg], value))
        return -equal, len(args.keys() - made.keys()), len(made.keys() - args.keys())

    return min(moves, key=key)
