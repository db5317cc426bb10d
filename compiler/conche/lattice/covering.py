"""Covering arrays: few rows in which every two values of two factors meet.

Purpose: options are tried in pairs, not in all combinations. Input: factors with their values. Output: rows.
Invariants: every pair of values of two factors stands in some row, and every value in one; the first row has
the first value of every factor. The same input gives the same rows, in the same order.
Method: greedy. Each further row meets as many new pairs as it can: the best of all rows where these are few,
else one that takes the best value factor by factor, beginning at a pair that is still to be met. That is not
always the fewest rows: for four factors of two values it gives six, where five would do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, product
from math import prod

MOST_ROWS = 512
"""So many possible rows are looked through for the best."""

Row = dict[str, str]
_Pair = frozenset[tuple[str, str]]
"""One or two factors with a value each: one where there is but one factor."""


def covering_array(factors: Mapping[str, Sequence[str]]) -> list[Row]:
    """The rows; one empty row where there are no factors. Every factor has a value."""
    few = prod(len(values) for values in factors.values()) <= MOST_ROWS
    possible = [dict(zip(factors, row, strict=True)) for row in product(*factors.values())] if few else []
    strength = min(2, len(factors))
    rows = [{name: values[0] for name, values in factors.items()}]
    missing = {
        frozenset(zip(names, values, strict=True)): None
        for names in combinations(factors, strength)
        for values in product(*(factors[name] for name in names))
    }
    _meet(missing, rows[0], strength)
    while missing:
        row = _best(possible, missing, strength) if possible else _greedy(factors, missing)
        rows.append(row)
        _meet(missing, row, strength)
    return rows


def _pairs(row: Row, strength: int) -> Iterable[_Pair]:
    return (frozenset(pair) for pair in combinations(row.items(), strength))


def _meet(missing: dict[_Pair, None], row: Row, strength: int) -> None:
    for pair in _pairs(row, strength):
        missing.pop(pair, None)


def _best(possible: Sequence[Row], missing: Mapping[_Pair, None], strength: int) -> Row:
    return max(possible, key=lambda row: sum(pair in missing for pair in _pairs(row, strength)))


def _greedy(factors: Mapping[str, Sequence[str]], missing: Mapping[_Pair, None]) -> Row:
    row: Row = dict(sorted(next(iter(missing))))
    for name, values in factors.items():
        if name not in row:
            row[name] = max(values, key=lambda value: _gain(row, name, value, missing))
    return {name: row[name] for name in factors}


def _gain(row: Row, name: str, value: str, missing: Mapping[_Pair, None]) -> int:
    return sum(frozenset({other, (name, value)}) in missing for other in row.items())
