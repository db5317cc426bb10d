"""Chance, as the interpreter asks for it.

Purpose: one outcome of a source, from the seeded stream of its name or from outside.
Input: a position (which holds the seed and how far each stream is used up) and perhaps an outside source.
Output: the outcome. Invariant: with outside chance the position keeps no streams.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from conche.interpret.position import Position
from conche_runtime.arguments import frozen
from conche_runtime.chance import below, stream_key
from conche_runtime.errors import ChanceError
from conche_runtime.interface import ChanceSource


def pick(key: int, number: int, weights: Sequence[int]) -> int:
    """The index of the outcome that draw `number` of a stream gives."""
    rest = below(key, number, sum(weights))
    for index, weight in enumerate(weights):
        rest -= weight
        if rest < 0:
            return index
    raise AssertionError("no outcomes")


def outcome(
    position: Position, source: str, outcomes: Sequence[tuple[Any, int]], outside: ChanceSource | None
) -> int:
    """The index of the outcome that happens; `outcomes` are values as in records with their weights."""
    if outside is None:
        assert position.seed is not None
        number = position.draws.get(source, 0)
        position.draws[source] = number + 1
        return pick(stream_key(position.seed, source), number, [weight for _, weight in outcomes])
    answer = outside(source, list(outcomes))
    for index, (value, _) in enumerate(outcomes):
        if same_json(value, answer):
            return index
    possible = ", ".join(json.dumps(value) for value, _ in outcomes)
    raise ChanceError(f"{answer!r} cannot come from '{source}' now; possible: {possible}")


def same_json(left: Any, right: Any) -> bool:
    """Whether two JSON values are the same: `true` is not 1, a tuple is an array, the order of keys is
    free."""
    return bool(frozen(left) == frozen(right))
