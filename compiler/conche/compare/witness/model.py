"""What the search for witnesses finds.

Purpose: the data that outputs show. Input: none. Output: `Witness`, `Search`.
Invariants: plain values; moves as in records.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Differs(StrEnum):
    """What differs first."""

    SETUP = "setup"
    MOVES = "moves"
    EFFECTS = "effects"
    SCORES = "scores"
    RULES = "rules"
    """One version's rules fail."""


@dataclass(frozen=True, slots=True)
class Move:
    player: int
    name: str
    args: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Witness:
    """`moves` lead to the position in which the versions first differ; the last of them, for effects, is the
    one whose effects do. `old`, `new`: the difference on each side, line by line. `alone`: the
    game is one of the old version with this group of changes alone; else of the two versions themselves.
    `said`: the arguments of each move, in words. `scenario` or `no_scenario`, why there is none."""

    group: int
    players: int
    seed: int
    seats: tuple[str, ...]
    moves: tuple[Move, ...]
    differs: Differs
    decision: str
    old: tuple[str, ...]
    new: tuple[str, ...]
    alone: bool
    record: str
    scenario: str | None
    said: tuple[str, ...]
    no_scenario: str = ""


@dataclass(frozen=True, slots=True)
class Search:
    """`witnesses`: one for each group for which one was found. `positions`: how many were looked at, of
    `budget`. `missing`: groups that change play and showed no difference in them."""

    witnesses: tuple[Witness, ...]
    positions: int
    games: int
    budget: int
    missing: tuple[int, ...]
